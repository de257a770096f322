"""Ghost arrays of certificates: sums of unknown contents are proved with them, and no mistake about them passes."""

from dataclasses import dataclass, replace

import pytest

from core.certificate.check import check_certificate
from core.certificate.contracts import ContractedView
from core.certificate.folds import FoldRule
from core.certificate.results import CertificateResult, Certified, Inconclusive, Rejected
from core.certificate.walk import Walker
from core.limits import Limits
from core.program import Program, Range
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import INT, INT_ARRAY, Arena, Term
from core.verdict import Certificate, Fold, Safe
from runs.evidence_json import decode_evidence, encode_evidence
from runs.jsondata import compact, parse
from tests.support.program_builder import ProgramBuilder

LARGEST = 1000
SUMS = Range(-(1 << 50), 1 << 50)


@dataclass(frozen=True)
class Case:
    """A program with a certificate that rests on one ghost array."""

    program: Program
    certificate: Certificate

    @property
    def arena(self) -> Arena:
        return self.program.arena

    @property
    def fold(self) -> Fold:
        (fold,) = self.certificate.ghosts
        assert isinstance(fold, Fold)
        return fold

    def with_fold(self, fold: Fold) -> CertificateResult:
        return examined(self.program, replace(self.certificate, ghosts=(fold,)))


def examined(program: Program, certificate: Certificate) -> CertificateResult:
    return check_certificate(program, (0,), certificate, Cvc5Factory(), Limits(), lambda _: None)


def added_and_taken(between: Term | None = None) -> Case:
    """`for (i = 0; i < n; i++) y += a[i]; for (i = 0; i < n; i++) y -= a[i]; assert(y == 0);`

    `between` the loops, that many is added to a[0].
    """
    b = ProgramBuilder()
    t = b.arena
    i, n, y, given, a = b.variable("i"), b.variable("n"), b.variable("y", SUMS), b.input("given"), b.array("a")
    start, chosen, before, head, body = (b.location(loop=k == 3) for k in range(5))
    middle, again, taken, end, done = (b.location(loop=k == 1) for k in range(5))
    error = b.error()
    b.assign(start, chosen, (n, given))
    b.assume(chosen, before, t.and_(t.le(t.zero, n), t.le(n, t.integer(LARGEST))))
    entry = b.assign(before, head, (i, t.zero), (y, t.zero))
    b.assume(head, body, t.lt(i, n))
    b.assign(body, head, (y, t.add(y, t.select(a, i))), (i, t.add(i, t.one)))
    b.assume(head, middle, t.ge(i, n))
    changed = a if between is None else t.store(a, t.zero, between)
    b.assign(middle, again, (i, t.zero), (a, changed))
    b.assume(again, taken, t.lt(i, n))
    b.assign(taken, again, (y, t.subtract(y, t.select(a, i))), (i, t.add(i, t.one)))
    b.assume(again, end, t.ge(i, n))
    b.assume(end, error, t.not_(t.equals(y, t.zero)))
    b.assume(end, done, t.equals(y, t.zero))
    b.function("main", start, done)

    s, result, index, k = (
        t.proof_symbol("s", INT_ARRAY),
        t.proof_symbol("result", INT),
        t.proof_symbol("index", INT),
        t.proof_symbol("k", INT),
    )
    least, most = (t.linear([(c, index)]) for c in (-(1 << 31), (1 << 31) - 1))
    bound = t.and_(t.le(least, result), t.le(result, most))
    fold = Fold(s, At((), head), frozenset({entry}), result, index, t.zero, t.add(result, t.select(a, index)), bound)
    here = t.select(s, k)
    low, high = (t.linear([(c, k)]) for c in (-(1 << 31), (1 << 31) - 1))
    inside = t.le(t.zero, k)
    steps = t.equals(t.select(s, t.add(k, t.one)), t.add(here, t.select(a, k)))
    known = (
        t.forall([k], t.implies(inside, steps)),
        t.forall([k], t.implies(inside, t.and_(t.le(low, here), t.le(here, high)))),
        t.and_(t.le(t.zero, i), t.le(i, n), t.le(n, t.integer(LARGEST))),
        t.equals(t.select(s, t.zero), t.zero),
    )
    first = t.and_(*known, t.equals(y, t.select(s, i)))
    second = t.and_(*known, t.equals(y, t.subtract(t.select(s, n), t.select(s, i))))
    return Case(b.program(), Certificate({At((), head): first, At((), again): second}, ghosts=(fold,)))


CASE = added_and_taken()
OWN = CASE.fold.symbol


def test_a_sum_of_unknown_contents_is_taken_away_again() -> None:
    assert isinstance(examined(CASE.program, CASE.certificate), Certified)


def test_without_its_definition_a_ghost_array_is_any_array() -> None:
    assert not isinstance(examined(CASE.program, replace(CASE.certificate, ghosts=())), Certified)


def test_an_array_that_changes_in_between_is_noticed() -> None:
    case = added_and_taken(CASE.arena.integer(5))
    assert not isinstance(examined(case.program, case.certificate), Certified)


def _mistakes() -> dict[str, Fold]:
    t, fold = CASE.arena, CASE.fold
    a, y, given = t.symbol("a", INT_ARRAY), t.symbol("y", INT), next(iter(CASE.program.inputs))
    other = t.subtract(fold.result, t.select(a, fold.index))
    itself = t.add(t.select(OWN, t.add(fold.index, t.one)), t.one)
    k = t.proof_symbol("k", INT)
    return {
        "another step": replace(fold, step=other),
        "another beginning": replace(fold, first=t.one),
        "made anew in each round": replace(fold, edges=fold.edges | {fold.at.location + 1}),
        "never made": replace(fold, edges=frozenset()),
        "a bound that does not hold": replace(fold, bound=t.le(fold.result, t.zero)),
        "a bound that contradicts itself": replace(fold, bound=t.false),
        "defined by itself": replace(fold, step=itself),
        "begins with itself": replace(fold, first=t.add(fold.result, t.one)),
        "a bound about itself": replace(fold, bound=t.equals(t.select(OWN, t.zero), t.one)),
        "defined by an input": replace(fold, step=t.add(fold.result, given)),
        "a variable of the program": replace(fold, symbol=a),
        "the result is a variable": replace(fold, result=y),
        "the index is the result": replace(fold, index=fold.result),
        "no number": replace(fold, step=t.true),
        "no array": replace(fold, symbol=y),
        "without an invariant": replace(fold, at=At((), fold.at.location + 1)),
        "a quantifier": replace(fold, bound=t.forall([k], t.equals(t.select(a, k), fold.result))),
    }


@pytest.mark.parametrize("mistake", _mistakes())
def test_no_mistake_in_a_definition_passes(mistake: str) -> None:
    assert isinstance(CASE.with_fold(_mistakes()[mistake]), Rejected | Inconclusive)


def test_invariants_do_not_speak_of_the_symbols_of_definitions() -> None:
    fold, t = CASE.fold, CASE.arena
    at = At((), fold.at.location)
    more = t.and_(CASE.certificate.invariants[at], t.le(fold.index, fold.index), t.equals(fold.index, t.zero))
    wrong = replace(CASE.certificate, invariants={**CASE.certificate.invariants, at: more})
    assert isinstance(examined(CASE.program, wrong), Rejected)


def test_two_definitions_of_one_array_are_refused() -> None:
    twice = replace(CASE.certificate, ghosts=(CASE.fold, CASE.fold))
    assert isinstance(examined(CASE.program, twice), Rejected)


def test_an_array_is_new_each_time_that_it_is_made() -> None:
    """Were it the same, what was known of the array of the time before would contradict the new definition."""
    t, fold = CASE.arena, CASE.fold
    view = ContractedView(Expansion(CASE.program, BlockEncoding.STATEMENTS), {})
    rule = FoldRule(view, fold)
    view.add_ghosts([rule])
    walker = Walker(view, [rule])
    path = walker.begin(At((), fold.at.location - 1))
    (longer, _) = walker.extensions(path)[0]
    goal = t.equals(t.select(OWN, t.zero), t.zero)
    (state,) = longer.ghosts
    assert OWN not in longer.after(goal).symbols()
    assert state.facts
    assert all(OWN not in fact.symbols() for fact in state.facts)
    assert path.after(goal) is goal
    assert not path.ghosts[0].facts


def test_run_files_keep_ghost_arrays() -> None:
    written = compact(encode_evidence({0: Safe(CASE.certificate)}))
    read = decode_evidence(parse(written), CASE.arena)
    (fold,) = read.certificates[0].ghosts
    assert isinstance(fold, Fold)
    assert (fold.symbol, fold.step, fold.first, fold.bound) == (OWN, CASE.fold.step, CASE.fold.first, CASE.fold.bound)
    assert (fold.at, fold.edges) == (CASE.fold.at, CASE.fold.edges)
    assert isinstance(examined(CASE.program, read.certificates[0]), Certified)
