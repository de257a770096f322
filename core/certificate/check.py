"""The check of a certificate, from the program alone: what must be right before any reasoning, then the induction.

Trusted are the terms, the expansion of calls, the modular view, the semantics of steps, the rules of ghosts, and the
solvers. A certificate is one structure: invariants, contracts (`contracts`), ghosts (`ghosts`) and lemmas, all of
which may speak of each other; `induction` walks its paths. A complete unrolling has a check of its own (`unrolled`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from core.certificate.contracts import ContractedView, claims, wrong_contracts
from core.certificate.folds import FoldRule, wrong_fold
from core.certificate.heap import HeapRule, wrong_heap
from core.certificate.induction import InductionCheck, InductiveClaim
from core.certificate.results import CertificateResult, OnObligation, OnStep, Rejected, not_stated
from core.certificate.symbols import wrong_symbols
from core.decision.prover import DEFAULT_EFFORT, Effort
from core.decision.quantifiers import Quantifiers
from core.limits import Limits
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.solver.contract import WideningFactory
from core.terms import BOOL
from core.verdict import Certificate, Ghost, HeapGhosts
from sat.proof_trace import ProvingSolver


def check_certificate(
    program: Program,
    checks: Collection[int],
    certificate: Certificate,
    factory: WideningFactory,
    limits: Limits,
    on_step: OnStep,
    effort: Effort = DEFAULT_EFFORT,
    on_obligation: OnObligation = not_stated,
) -> CertificateResult:
    """Check whether `certificate` shows that no check in `checks` (ids) can fail.

    All obligations are told to `on_obligation` once they are proved. Raises `LimitReached` and `Interrupted`.
    """
    wrong = _malformed(program, checks, certificate)
    if wrong is not None:
        return wrong
    if certificate.rounds is not None:
        from core.certificate.unrolled import check_unrolled

        return check_unrolled(program, checks, certificate, factory, limits, on_step, effort, on_obligation)
    claim = _claim(program, checks, certificate)
    if isinstance(claim, Rejected):
        return claim
    with ProvingSolver() as propositions:
        return InductionCheck(claim, factory, propositions, limits, on_step, effort).run(on_obligation)


def _claim(program: Program, checks: Collection[int], certificate: Certificate) -> InductiveClaim | Rejected:
    """The claim of a certificate about a view in which its contracted functions are not expanded, with its ghosts."""
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    if not certificate.contracts and not certificate.ghosts:
        return InductiveClaim(expansion, certificate.invariants, certificate.lemmas, (), frozenset(checks))
    view = ContractedView(expansion, certificate.contracts)
    rules = tuple(_rule(view, ghost) for ghost in certificate.ghosts)
    view.add_ghosts(rules)
    if certificate.contracts:
        mistake = wrong_contracts(view, certificate)
        if mistake is not None:
            return Rejected(None, mistake)
    return InductiveClaim(view, claims(view, certificate), certificate.lemmas, rules, frozenset(checks))


def _rule(view: ContractedView, ghost: Ghost) -> HeapRule | FoldRule:
    if isinstance(ghost, HeapGhosts):
        assert view.program.memory is not None, "it is not malformed"
        return HeapRule(view, view.program.memory, ghost)
    return FoldRule(view, ghost)


def _malformed(program: Program, checks: Collection[int], certificate: Certificate) -> Rejected | None:
    """The defects found before any reasoning: unknown checks, empty ranges, formulas over the wrong symbols."""
    unknown = sorted(set(checks).difference(check.id for check in program.checks))
    if unknown:
        return Rejected(None, f"the program has no check {unknown[0]}")
    for symbol in (*program.variables, *program.inputs):
        bounds = program.range_of(symbol)
        if bounds is not None and bounds.low > bounds.high:
            return Rejected(None, f"the range of {symbol.name} is empty")
    quantifiers = Quantifiers()
    contracts = [formula for c in certificate.contracts.values() for formula in (c.pre, c.post)]
    for at, formula in (*certificate.invariants.items(), *((None, formula) for formula in contracts)):
        if formula.sort is not BOOL:
            return Rejected(at, "the invariant is not a formula")
        wrong = quantifiers.misplaced(formula)
        if wrong is not None:
            return Rejected(at, wrong)
    wrong_symbol = wrong_symbols(program, certificate)
    if wrong_symbol is not None:
        return wrong_symbol
    mistake = next(_wrong_ghosts(program, certificate), None)
    if mistake is not None:
        return Rejected(None, mistake)
    if any(lemma.sort != BOOL for lemma in certificate.lemmas):
        return Rejected(None, "a lemma is not a formula")
    if quantifiers.are_in(certificate.lemmas):
        return Rejected(None, "a lemma has a quantifier")
    return None


def _wrong_ghosts(program: Program, certificate: Certificate) -> Iterator[str]:
    """The defects of ghosts, and of formulas about them."""
    contracts = (formula for one in certificate.contracts.values() for formula in (one.pre, one.post))
    formulas = (*certificate.invariants.values(), *contracts)
    own = [symbol for ghost in certificate.ghosts for symbol in ghost.symbols]
    for ghost in certificate.ghosts:
        if isinstance(ghost, HeapGhosts):
            wrong = wrong_heap(program, ghost, formulas)
        else:
            wrong = wrong_fold(program, certificate, ghost, own)
        if wrong is not None:
            yield wrong
