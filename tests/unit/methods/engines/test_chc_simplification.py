"""Rules in simpler arithmetic say the same, or more where they approximate."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product

import pytest

from core.program import Range
from core.program.semantics import range_facts
from core.terms import INT, Arena, Term, Value, evaluate
from methods.clauses.simplification import RuleSimplifier
from methods.discovery.horn import Application, Rule
from tests.support.random_terms import RandomTerms

FEW = Range(-4, 4)
BYTE = Range(-128, 127)
EDGES = (-128, -127, -100, -1, 0, 1, 2, 27, 28, 100, 126, 127)


def rule_of(arena: Arena, constraint: Term, value: Term, bounds: Range) -> Rule:
    """`constraint`, with all symbols within `bounds`, implies relation 0 of `value`."""
    facts = range_facts(arena, [constraint, value], lambda _: bounds)
    return Rule((), arena.and_(constraint, *facts), Application(0, (value,)))


def concluded(rule: Rule, values: Mapping[Term, Value]) -> Value | None:
    """The conclusion of the rule under an assignment, if it has one."""
    if evaluate(rule.constraint, values) is not True:
        return None
    return evaluate(rule.head.values[0], values) if rule.head else True


def assignments(symbols: tuple[Term, ...], numbers: tuple[int, ...]) -> Iterator[dict[Term, Value]]:
    for chosen in product(numbers, repeat=len(symbols)):
        yield dict(zip(symbols, chosen, strict=True))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_what_bounds_decide_is_left_out(seed: int) -> None:
    terms = RandomTerms(seed)
    arithmetic = RuleSimplifier(terms.arena, lambda _: FEW)
    rest = {s: v for s, v in terms.values().items() if s not in terms.integers}
    rule = rule_of(terms.arena, terms.formula(3), terms.integer(3), FEW)
    decided = arithmetic.decided(rule)
    for values in assignments(terms.integers, (-4, -2, -1, 0, 1, 3, 4)):
        assert concluded(decided, {**values, **rest}) == concluded(rule, {**values, **rest})


def test_wrap_around_that_cannot_be_is_left_out() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    rule = rule_of(arena, arena.and_(arena.ge(x, arena.zero), arena.lt(y, arena.zero)), wrapped(arena, x, y), BYTE)
    assert RuleSimplifier(arena, lambda _: BYTE).decided(rule).head == Application(0, (arena.add(x, y),))


def wrapped(arena: Arena, x: Term, y: Term) -> Term:
    total = arena.add(x, y)
    low = arena.ite(arena.lt(total, arena.integer(-128)), arena.add(total, arena.integer(256)), total)
    return arena.ite(arena.le(total, arena.integer(127)), low, arena.subtract(total, arena.integer(256)))


@pytest.mark.parametrize("limit", [-300, 0, 50])
def test_wrap_around_becomes_an_error_of_its_own(limit: int) -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    rule = rule_of(arena, arena.ge(wrapped(arena, x, y), arena.integer(limit)), wrapped(arena, x, y), BYTE)
    plain, error = RuleSimplifier(arena, lambda _: BYTE).split(rule)
    assert plain.head == Application(0, (arena.add(x, y),))
    assert error is not None
    for values in assignments((x, y), EDGES):
        expected = concluded(rule, values)
        wraps = not -128 <= sum(v for v in values.values() if isinstance(v, int)) <= 127
        assert concluded(plain, values) == (None if wraps else expected)
        assert (concluded(error, values) is not None) == (wraps and expected is not None)


def test_nothing_to_split() -> None:
    arena = Arena()
    x = arena.symbol("x", INT)
    rule = rule_of(arena, arena.ge(x, arena.zero), arena.ite(arena.le(x, arena.one), x, arena.zero), BYTE)
    assert RuleSimplifier(arena, lambda _: BYTE).split(rule) == (rule, None)


@pytest.mark.parametrize(
    "build",
    [Arena.bit_and, Arena.bit_or, Arena.bit_xor, Arena.shift_left, Arena.shift_right, Arena.divide, Arena.modulo],
    ids=lambda build: build.__name__,
)
def test_approximations_allow_the_value(build: Callable[[Arena, Term, Term], Term]) -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    rule = rule_of(arena, arena.true, build(arena, x, y), FEW)
    approximated = RuleSimplifier(arena, lambda _: FEW).approximated(rule)
    assert approximated.head is not None
    value = approximated.head.values[0]
    shifts, divisions = (Arena.shift_left, Arena.shift_right), (Arena.divide, Arena.modulo)
    for values in assignments((x, y), tuple(range(-4, 5))):
        second = values[y]
        assert isinstance(second, int)
        if (build in shifts and second < 0) or (build in divisions and second == 0):
            continue
        assert concluded(approximated, {**values, value: concluded(rule, values) or 0}) is not None
