"""The examiners of evidence: the certificate check with its own solver, and the replay of the front end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from core.certificate.check import check_certificate
from core.certificate.results import Certified, Inconclusive, OnObligation, Rejected, StatedObligation, not_stated
from core.decision.prover import TOOLS, Reading
from core.limits import Limits
from core.program import Program, Range
from core.program.float_values import has_floats
from core.program.semantics import range_facts
from core.solver.evidence import EvidenceFactory
from core.solver.z3_solver import Z3Factory
from core.terms import BIT_OPERATORS, Term, computes_with_floats, subterms
from core.verdict import Certificate, Confirmer
from interplay.session.context import Emit, Watchdog
from interplay.session.readable_invariants import Questions, simplified
from interplay.session.services import EvidenceAccepted, EvidenceRejected, EvidenceVerdict


def certify(
    program: Program,
    certificate: Certificate,
    checks: Sequence[int],
    seed: int,
    limits: Limits,
    emit: Emit,
    on_obligation: OnObligation = not_stated,
) -> EvidenceVerdict:
    """Check, with solvers and code of its own, that a certificate excludes the error locations of `checks`. May raise
    `NoAnswer`.
    """
    factory = EvidenceFactory(seed)
    has_numbers = has_floats(program) or computes_with_floats(program.terms())
    floats = _FloatSteps(on_obligation) if has_numbers else None
    stated = floats.state if floats else on_obligation
    with Watchdog(limits, factory.interrupt):
        result = check_certificate(program, checks, certificate, factory, limits, emit, on_obligation=stated)
    match result:
        case Certified():
            kind = Confirmer.INVARIANT if certificate.rounds is None else Confirmer.UNROLLING
            words = "; ".join([_confirmation(result), *([floats.in_words()] if floats else [])])
            return EvidenceAccepted(f"{kind} ({words})", kind)
        case Rejected(_, why, edges):
            return EvidenceRejected(f"{_where(program, edges)}{why}")
        case Inconclusive(_, why, edges):
            limits.check_again()  # the watchdog ends a search as undecided, ahead of any look at the limits
            return EvidenceRejected(f"{_where(program, edges)}undecided: {why}")


def simplify(program: Program, formulas: Sequence[Term], seed: int, limits: Limits) -> dict[Term, Term]:
    """Equivalent formulas for display, given the ranges of variables. May raise `NoAnswer`.

    The small ones come first, as far as effort reaches: they are those that people read.
    """

    def range_of(symbol: Term) -> Range | None:
        return program.range_of(program.arena.original(symbol))

    bits = any(t.op in BIT_OPERATORS for t in subterms(*formulas))
    factory = Z3Factory(seed, range_of) if bits else Z3Factory(seed)
    questions, shown = Questions(), dict[Term, Term]()
    with Watchdog(limits, factory.interrupt):
        for formula in sorted(formulas, key=lambda one: one.size):
            limits.check()
            facts = range_facts(program.arena, (formula,), range_of)
            shown[formula] = simplified(program.arena, formula, facts, factory, questions)
    return shown


def _confirmation(result: Certified) -> str:
    """The readings of edges and the tools that decided, in words."""
    precise = sum(reading is Reading.BIT_PRECISE for reading in result.edges.values())
    integers = len(result.edges) - precise
    parts = [f"{precise} edge{'' if precise == 1 else 's'} bit-precise"] if precise or not integers else []
    if integers:
        parts.append(f"{integers} {'' if precise else 'edge ' if integers == 1 else 'edges '}over the integers")
    if result.lemmas:
        parts.append("1 lemma" if result.lemmas == 1 else f"{result.lemmas} lemmas")
    return f"{', '.join(parts)}; decided by {_tools(result.tools) or 'syntax'}"


class _FloatSteps:
    """Counts, by their tools, the obligations that compute with floating-point numbers, and passes all on."""

    def __init__(self, on_obligation: OnObligation) -> None:
        self._on_obligation = on_obligation
        self._tools: Counter[str] = Counter()

    def state(self, one: StatedObligation) -> None:
        if one.tool != "syntax" and computes_with_floats(one.formulas):
            self._tools[one.tool] += 1
        self._on_obligation(one)

    def in_words(self) -> str:
        if not self._tools:
            return "floating-point numbers compared as integers"
        return f"floating-point arithmetic by {_tools(self._tools)}"


def _tools(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{_NAMES.get(tool, tool)} {counts[tool]}" for tool in TOOLS if counts.get(tool))


_NAMES = {"sat": "SAT", "bitwuzla": "Bitwuzla"}
"""The tools that are not written as their names in events."""


def _where(program: Program, edges: tuple[int, ...]) -> str:
    """The place of the last edge of a step that the source has."""
    spans = [span for span in (program.edges[number].span for number in edges) if span is not None]
    return f"{spans[-1].file}:{spans[-1].line}: " if spans else ""
