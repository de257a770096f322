"""Congruences, alone and beside zones, by enumeration of small valuations."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest

from core.program import Range
from core.program.semantics import Transition
from core.terms import INT, Arena, Term, evaluate
from methods.domains.zones import LinearState, TrackedPlaces, Transfer, Zone
from methods.domains.zones.congruences import Coefficients, Congruences
from methods.domains.zones.domain import formula
from methods.domains.zones.linear import LinearTransfer

ARENA = Arena()
X, Y, Z = PLACES = tuple(ARENA.symbol(name, INT) for name in "xyz")
MODULUS = 8
VALUATIONS = [dict(zip(PLACES, values, strict=True)) for values in product(range(MODULUS), repeat=3)]

Valuation = Mapping[Term, int]


pytestmark = pytest.mark.sampled


@pytest.fixture(params=range(60))
def draw(request: pytest.FixtureRequest) -> Random:
    return Random(request.param)


def random_sum(draw: Random, inside: Valuation) -> Coefficients:
    """A sum that is congruent to 0 in a valuation."""
    parts = {x: draw.randrange(MODULUS) for x in draw.sample(PLACES, draw.randint(1, 3))}
    found: dict[Term | None, int] = {None: -sum(c * inside[x] for x, c in parts.items())}
    found.update(parts.items())
    return found


def random_congruences(draw: Random) -> Congruences:
    """Congruences that some valuation satisfies."""
    inside = draw.choice(VALUATIONS)
    found = Congruences(MODULUS)
    for _ in range(draw.randint(0, 3)):
        after = found.constrained(random_sum(draw, inside))
        assert after is not None
        found = after
    return found


def value(sum_: Coefficients, valuation: Valuation) -> int:
    return sum(c * (1 if x is None else valuation[x]) for x, c in sum_.items())


def models(congruences: Congruences | None) -> list[Valuation]:
    if congruences is None:
        return []
    rows = list(congruences.equations())
    return [v for v in VALUATIONS if all(value(row, v) % MODULUS == 0 for row in rows)]


def test_constraints(draw: Random) -> None:
    """What cannot be solved for a place is dropped; otherwise exactly the valuations of both are left."""
    before, added = random_congruences(draw), random_sum(draw, draw.choice(VALUATIONS))
    expected = [v for v in models(before) if value(added, v) % MODULUS == 0]
    after = models(before.constrained(added))
    assert all(v in after for v in expected)
    if any(x is not None and c % 2 for x, c in before.solved(added).items()):
        assert after == expected


def test_join_and_implication(draw: Random) -> None:
    a, b = random_congruences(draw), random_congruences(draw)
    joined = a.join(b)
    assert all(v in models(joined) for v in (*models(a), *models(b)))
    assert a.implies(joined)
    assert b.implies(joined)
    assert all(v in models(b) for v in models(a)) or not a.implies(b)


def test_join_finds_what_points_have_in_common() -> None:
    """The values of 2·n + 3, from those for 0 and 1."""
    points = []
    for n in (0, 1):
        one = Congruences(1 << 32).constrained({X: 1, None: -n})
        assert one is not None
        points.append(one.constrained({Y: 1, None: -2 * n - 3}))
    first, second = points
    assert first is not None
    assert second is not None
    assert first.join(second).solved({Y: 1, X: -2, None: -3}) == {}


def test_forgetting_and_renaming(draw: Random) -> None:
    congruences, x = random_congruences(draw), draw.choice(PLACES)
    rest = congruences.without([x])
    assert x not in rest.places()
    reached = models(rest)
    assert all({**v, x: n} in reached for v in models(congruences) for n in range(MODULUS))
    other = ARENA.symbol("other", INT)
    assert models(congruences.renamed({x: other}).renamed({other: x})) == models(congruences)


def transfer(*tracked: Term) -> LinearTransfer:
    precision = TrackedPlaces(ARENA).with_places(tracked)
    return LinearTransfer(ARENA, Transfer(ARENA, lambda _: Range(-4, 3), precision), MODULUS)


def wrapped(t: Term) -> Term:
    """A term, wrapped around as eight values are."""
    eight = ARENA.integer(MODULUS)
    below = ARENA.ite(ARENA.lt(t, ARENA.integer(-4)), ARENA.add(t, eight), t)
    return ARENA.ite(ARENA.gt(t, ARENA.integer(3)), ARENA.subtract(t, eight), below)


def test_no_execution_is_lost(draw: Random) -> None:
    of = transfer(*PLACES)
    states = [LinearState(Zone(), Congruences(MODULUS))]
    reached = [{x: draw.randint(-4, 3) for x in PLACES} for _ in range(12)]
    for _ in range(5):
        a, b, x = draw.choice(PLACES), draw.choice(PLACES), draw.choice(PLACES)
        new = wrapped(draw.choice((ARENA.add, ARENA.subtract))(a, draw.choice((b, ARENA.integer(draw.randint(-3, 3))))))
        guard = draw.choice((ARENA.true, ARENA.le(a, b), ARENA.equals(a, b), ARENA.lt(a, ARENA.one)))
        step = Transition(ARENA, guard, {x: new})
        states = [after for state in states for after in of.apply(state, step)]
        reached = [{**v, x: int(str(evaluate(new, v)))} for v in reached if evaluate(guard, v)]
        assert all(any(evaluate(formula(ARENA, one), v) for one in states) for v in reached)


def test_what_wraps_around_is_told_by_the_range() -> None:
    """From x + y = 5 (mod 8) and y = 3 follows x = 2."""
    of = transfer(X, Y)
    state = LinearState(Zone(), Congruences(MODULUS).constrained({X: 1, Y: 1, None: -5}))
    [after] = of.apply(state, Transition(ARENA, ARENA.equals(Y, ARENA.integer(3)), {}))
    assert after.constants == {X: 2, Y: 3}
