"""Quantified invariants: right ones are accepted, wrong ones and seeded mistakes of the check are not."""

import pytest

from core.certificate.results import Certified, Inconclusive, Rejected
from core.decision.instances import ground, meetings, quotient, reads_of, solved
from core.decision.prover import Reading
from core.decision.quantifiers import Quantifiers
from core.program import Range
from core.terms import INT, INT_ARRAY, Arena, Term, evaluate
from tests.support.program_builder import ProgramBuilder
from tests.unit.core.certificate.test_check import HEAD, Case, examined, wrapped_increment

LATER = 7  # the head of the loop that checks


def filled(element: int = 0, scale: int = 1, limit: int = 1000) -> Case:
    """`for (i = 0; i < n; i++) a[scale * i] = element; for (j = 0; j < n; j++) assert(a[scale * j] == 0);`."""
    b = ProgramBuilder()
    t = b.arena
    i, j, n, given = b.variable("i"), b.variable("j"), b.variable("n"), b.input("nondet")
    a = b.array("a")
    start, head, body, end, middle = (b.location(loop=k == 1) for k in range(5))
    error, between = b.error(), b.location()
    again, reading, done = b.location(loop=True), b.location(), b.location()
    b.assign(start, middle, (n, given), (i, t.zero))
    b.assume(middle, head, t.and_(t.le(t.zero, n), t.le(n, t.integer(limit))))
    b.assume(head, body, t.lt(i, n))
    b.assign(body, head, (i, wrapped_increment(t, i)), (a, t.store(a, t.linear([(scale, i)]), t.integer(element))))
    b.assume(head, end, t.ge(i, n))
    b.assign(end, between, (j, t.zero))
    b.assume(between, again, t.true)
    b.assume(again, reading, t.lt(j, n))
    wrong = t.not_(t.equals(t.select(a, t.linear([(scale, j)])), t.zero))
    b.assume(reading, error, wrong)
    b.assign(reading, again, (j, wrapped_increment(t, j)))
    b.assume(again, done, t.ge(j, n))
    b.function("main", start, done)
    case = Case(b.program(), {})
    sizes = t.and_(t.le(t.zero, n), t.le(n, t.integer(limit)))
    first = t.and_(sizes, t.le(t.zero, i), t.le(i, n), zero_below(t, i, 0, scale))
    second = t.and_(sizes, t.le(t.zero, j), t.le(j, n), zero_below(t, n, 0, scale))
    return Case(case.program, {HEAD: first, type(HEAD)((), LATER): second})


def zero_below(t: Arena, bound: Term, element: int = 0, scale: int = 1, slack: int = 0) -> Term:
    """`∀k. 0 ≤ k < bound + slack ⇒ a[scale · k] = element`."""
    k, a = t.proof_symbol("k", INT), t.symbol("a", INT_ARRAY)
    within = t.and_(t.le(t.zero, k), t.lt(k, t.add(bound, t.integer(slack))))
    return t.forall([k], t.implies(within, t.equals(t.select(a, t.linear([(scale, k)])), t.integer(element))))


@pytest.mark.parametrize("scale", [1, 4])
def test_a_right_quantified_invariant_is_certified_bit_precisely(scale: int) -> None:
    case = filled(scale=scale)
    answer = examined(case)
    assert isinstance(answer, Certified)
    assert set(answer.edges.values()) == {Reading.BIT_PRECISE}


@pytest.mark.parametrize(
    ("element", "slack", "bound"),
    [(1, 0, "i"), (0, 1, "i"), (0, 0, "n")],
)
def test_wrong_quantified_invariants_are_not_certified(element: int, slack: int, bound: str) -> None:
    case = filled()
    t, n = case.arena, case.symbol("n")
    wrong = t.and_(t.le(case.symbol("i"), n), zero_below(t, case.symbol(bound), element, slack=slack))
    assert not isinstance(examined(case.with_invariant(HEAD, wrong)), Certified)


def test_a_wrong_program_is_not_certified() -> None:
    assert not isinstance(examined(filled(element=1)), Certified)


def test_the_hypothesis_of_another_location_is_not_used() -> None:
    """The second loop knows nothing about elements unless its own invariant does."""
    case = filled()
    t = case.arena
    weak = t.le(case.symbol("j"), case.symbol("n"))
    answer = examined(case.with_invariant(type(HEAD)((), LATER), weak))
    assert isinstance(answer, Rejected)


def test_what_a_model_refutes_after_an_instantiation_is_open() -> None:
    case = filled()
    t = case.arena
    k, a = t.proof_symbol("k", INT), t.symbol("a", INT_ARRAY)
    # ∀k. a[k·k] = 0 says that a[j] is 0 where j is a square; the instances taken do not show it of any.
    odd = t.forall([k], t.equals(t.select(a, t.multiply(k, k)), t.zero))
    answer = examined(case.with_invariant(type(HEAD)((), LATER), odd))
    assert isinstance(answer, Inconclusive)


def test_goals_are_about_constants_that_occur_nowhere_else() -> None:
    """Were the constant dropped, or that of another goal, the second goal would follow from the first hypothesis."""
    t = Arena()
    k, x, a = t.proof_symbol("k", INT), t.symbol("x", INT), t.symbol("a", INT_ARRAY)
    goal = t.forall([k], t.equals(t.select(a, k), x))
    first, second = (ground(t, [], goal) for _ in range(2))
    one, other = (reads_of([g.goal])[a].popitem()[0] for g in (first, second))
    assert one is not other
    assert k not in first.goal.symbols()
    assert one not in x.symbols()
    assert not first.weakened


def test_first_instances_are_those_at_the_constants_of_a_goal() -> None:
    """What a round of a loop keeps follows from the same index; reads give further instances."""
    t = Arena()
    k, a, b, i = t.proof_symbol("k", INT), t.symbol("a", INT_ARRAY), t.symbol("b", INT_ARRAY), t.symbol("i", INT)
    same = t.forall([k], t.equals(t.select(a, k), t.select(b, k)))
    read = t.equals(t.select(a, i), t.zero)
    few, more = (ground(t, [same, read], same, rounds=rounds) for rounds in (0, 1))
    (constant,) = few.constants
    assert few.hypotheses == (read, t.equals(t.select(a, constant), t.select(b, constant)))
    assert few.weakened
    assert len(more.hypotheses) == 3
    assert ground(t, [same, read], t.false, rounds=0).hypotheses == (read,)
    assert meetings([same, read], same) == 3
    assert meetings([read], read) == 0


def test_instances_are_taken_where_arrays_are_read_and_ranges_cover_their_reads() -> None:
    """The proof needs the range of `b[i]`, which only an instance reads."""
    b = ProgramBuilder()
    t = b.arena
    i, a, small = b.variable("i"), b.array("a"), b.array("b", Range(0, 9))
    start, head, error = b.location(), b.location(), b.error()
    b.assign(start, head, (i, t.zero))
    b.assume(head, error, t.lt(t.select(a, i), t.zero))
    b.function("main", start, start)
    k = t.proof_symbol("k", INT)
    same = t.forall([k], t.equals(t.select(a, k), t.select(small, k)))
    at = type(HEAD)((), head)
    wrong_start = examined(Case(b.program(), {at: same}))
    assert not isinstance(wrong_start, Certified)  # nothing has copied yet
    found = ground(t, [same], t.ge(t.select(a, i), t.zero))
    assert found.weakened
    assert t.equals(t.select(a, i), t.select(small, i)) in found.hypotheses


def test_quantifiers_are_conjuncts_over_integers_without_others_inside() -> None:
    t = Arena()
    k, m, x = t.proof_symbol("k", INT), t.proof_symbol("m", INT), t.symbol("x", INT)
    a, whole = t.symbol("a", INT_ARRAY), t.proof_symbol("w", INT_ARRAY)
    inner = t.forall([k], t.equals(t.select(a, k), x))
    assert Quantifiers().misplaced(t.and_(t.le(x, t.zero), inner)) is None
    assert Quantifiers().misplaced(t.or_(t.le(x, t.zero), inner))
    assert Quantifiers().misplaced(t.not_(inner))
    assert Quantifiers().misplaced(t.forall([m], t.or_(t.lt(m, x), inner)))
    assert Quantifiers().misplaced(t.forall([whole], t.equals(t.select(whole, x), x)))


def test_an_instance_under_a_shadowed_symbol_is_refused() -> None:
    """`∀k. k > 0 ∨ ∀k. …`: an instance of the outer quantifier must not reach into the inner one."""
    case = filled()
    t = case.arena
    k, a = t.proof_symbol("k", INT), t.symbol("a", INT_ARRAY)
    inner = t.forall([k], t.equals(t.select(a, k), t.zero))
    outer = t.forall([k], t.or_(t.lt(t.select(a, k), t.zero), inner))
    assert isinstance(examined(case.with_invariant(HEAD, outer)), Rejected)


def test_a_quantifier_in_a_lemma_is_refused() -> None:
    case = filled()
    lemma = zero_below(case.arena, case.symbol("i"))
    assert isinstance(examined(Case(case.program, case.invariants, (lemma,))), Rejected)


def test_solutions_are_exact_where_coefficients_show_it() -> None:
    t = Arena()
    k, i, p = (t.symbol(name, INT) for name in "kip")
    pattern = t.linear([(4, k), (1, p)])
    assert solved(t, pattern, k, t.linear([(4, i), (1, p)], 8)) is t.add(i, t.integer(2))
    rounded = solved(t, pattern, k, i)
    assert rounded is not None
    assert evaluate(rounded, {i: 23, p: 3}) == 5
    assert solved(t, t.linear([(-1, k), (1, p)]), k, i) is t.subtract(p, i)
    assert solved(t, t.multiply(k, k), k, i) is None
    assert evaluate(quotient(t, t.linear([(2, i)], 1), 2), {i: 3}) == 3
