"""The check of the certificate of a complete unrolling: see `core.certificate.unrolling` for why it is a proof.

The question is about choices between few numbers, of which bit-vectors make propositions: Bitwuzla is asked before
cvc5, which decides sums over the integers; both with little effort first. Claims are refuted in the order in which they
were made, since each is easy where those before it hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress

from core.analysis.bounds import Intervals
from core.certificate.results import (
    CertificateResult,
    Certified,
    Inconclusive,
    OnObligation,
    OnStep,
    Rejected,
    StatedObligation,
    not_stated,
)
from core.certificate.unrolling import CompleteUnrolling
from core.decision.prover import Effort, Reading
from core.decision.widening import has_bits, width
from core.evidence_steps import EvidenceStep
from core.limits import Limits, SolverUndecided
from core.parameters import parameter
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.program.semantics import range_facts
from core.solver.contract import Sat, WideningFactory
from core.solver.subdivision import decided
from core.terms import Term, computes_with_floats
from core.terms.traversal import is_larger
from core.verdict import Certificate

SMALL = parameter("certificate.unrolled.small")


def check_unrolled(
    program: Program,
    checks: Collection[int],
    certificate: Certificate,
    factory: WideningFactory,
    limits: Limits,
    on_step: OnStep,
    effort: Effort,
    on_obligation: OnObligation = not_stated,
) -> CertificateResult:
    """Check whether nothing but the rounds of `certificate` is reached, and none of `checks` fails.

    Raises `LimitReached` and `Interrupted`.
    """
    if certificate.invariants or certificate.contracts or certificate.lemmas or certificate.ghosts:
        return Rejected(None, "a complete unrolling needs no invariants")
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    unrolling = CompleteUnrolling(expansion, certificate.rounds or (), checks, limits)
    claims = ", ".join(f"{what} {count}" for what, count in Counter(unrolling.claims.values()).items())
    on_step(EvidenceStep("unrolled", f"claims: {claims or 'none'}", "syntax"))
    formulas = question(unrolling)
    if formulas:
        try:
            refuted, reading, tool = _refuted(unrolling, formulas, factory, effort, limits)
        except SolverUndecided as undecided:
            return Inconclusive(None, str(undecided))
        if not refuted:
            on_step(EvidenceStep("no claim fails", "refuted", tool))
            return Rejected(None, "an error, or more than was unrolled, is reached")
    else:
        reading, tool = Reading.BIT_PRECISE, "syntax"
    edges = tuple(unrolling.edges)
    on_step(EvidenceStep("no claim fails", reading.value, tool, edges))
    bits = width(formulas, unrolling.intervals) if has_bits(formulas) else None
    on_obligation(StatedObligation("no claim fails", edges, formulas or [unrolling.arena.false], bits, tool, reading))
    return Certified(dict.fromkeys(edges, reading), 0, {tool: 1})


def question(unrolling: CompleteUnrolling) -> list[Term]:
    """Formulas that have a model where some claim fails; none if it is clear that no claim does."""
    arena = unrolling.arena
    failure = arena.or_(*unrolling.claims)
    if failure.is_false:
        return []
    formulas = [failure, *unrolling.relevant(failure)]
    return formulas + range_facts(arena, formulas, unrolling.range_of)


def _with_widths(formulas: Sequence[Term], intervals: Intervals) -> Sequence[Term]:
    """The formulas that have a width: where these have no model, all of them together have none."""
    return [one for one in formulas if width([one], intervals) is not None]


def _refuted(
    unrolling: CompleteUnrolling, formulas: Sequence[Term], factory: WideningFactory, effort: Effort, limits: Limits
) -> tuple[bool, Reading, str]:
    """Whether `formulas` have no model, with the reading and the solver that say so. Raises `SolverUndecided`."""
    bits, bounds, part = width(formulas, unrolling.intervals), unrolling.intervals, formulas
    if has_bits(formulas):
        if bits is None:
            raise SolverUndecided("bit operations on numbers without bounds")
        return factory.refutes_exactly(formulas, bits, bounds, effort.unrolled), Reading.BIT_PRECISE, "bitwuzla"
    computes = computes_with_floats(formulas)
    stages = [
        (effort.unrolled_bits, effort.query),
        (10 * effort.unrolled_bits, 10 * effort.query),
        (100 * effort.unrolled_bits, effort.unrolled),
    ]
    if not computes and not is_larger(formulas, SMALL):
        # Whatever one solver takes long about, the other may answer at once.
        stages.insert(0, (effort.first_integers, effort.first_integers))
    if bits is None and computes:
        part = _with_widths(formulas, bounds)
        bits = width(part, bounds) if part else None
    for over_bits, over_integers in stages:
        if computes:
            is_first = over_bits == effort.unrolled_bits
            with suppress(SolverUndecided):
                answer = decided(formulas, effort.intervals, limits.check, is_first=is_first)
                return not isinstance(answer, Sat), Reading.BIT_PRECISE, "intervals"
        if bits is not None:
            with suppress(SolverUndecided):
                is_refuted = factory.refutes_exactly(part, bits, bounds, over_bits)
                if is_refuted or part is formulas:
                    return is_refuted, Reading.BIT_PRECISE, "bitwuzla"
        try:
            return factory.refutes(formulas, over_integers), Reading.INTEGERS, "cvc5"
        except SolverUndecided as undecided:
            reason = undecided
    raise reason
