"""Zones and their transfer functions, by enumeration of small valuations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from core.program import Range
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.program.semantics import Transition
from core.terms import INT, INT_ARRAY, Arena, ArrayValue, Term, Value, evaluate
from methods.domains.zones import TOP, EquatedPlaces, LinearState, Zone, ZoneDomain, modulus_of
from methods.domains.zones.congruences import Congruences
from methods.domains.zones.domain import formula
from methods.domains.zones.linear import LinearTransfer
from methods.domains.zones.precision import TrackedPlaces, cell
from methods.domains.zones.transfer import MAX_CHOICES, Transfer
from methods.domains.zones.zone import PlaceOrZero
from tests.support.random_graphs import random_program
from tests.unit.methods.engines.test_concrete import program

ARENA = Arena()
X, Y, Z = PLACES = tuple(ARENA.symbol(name, INT) for name in "xyz")
A = ARENA.symbol("a", INT_ARRAY)
VALUES = range(-2, 3)
VALUATIONS = [dict(zip(PLACES, values, strict=True)) for values in product(VALUES, repeat=3)]

Valuation = Mapping[Term, int]


def random_zone(draw: Random) -> Zone:
    """A zone that is not empty: around a valuation."""
    inside = draw.choice(VALUATIONS)
    zone = TOP
    for _ in range(draw.randint(0, 5)):
        x, y = draw.sample([None, *PLACES], 2)
        after = zone.constrained(x, y, _of(inside, x) - _of(inside, y) + draw.randint(0, 2))
        assert after is not None
        zone = after
    return zone


def _of(valuation: Valuation, x: PlaceOrZero) -> int:
    return 0 if x is None else valuation[x]


def inside(zone: Zone, valuation: Valuation) -> bool:
    return all(_of(valuation, x) - _of(valuation, y) <= bound for x, y, bound in zone.constraints())


def models(zone: Zone | None) -> list[Valuation]:
    return [] if zone is None else [v for v in VALUATIONS if inside(zone, v)]


pytestmark = pytest.mark.sampled


@pytest.fixture(params=range(40))
def draw(request: pytest.FixtureRequest) -> Random:
    return Random(request.param)


class TestZone:
    def test_constraints_and_emptiness(self, draw: Random) -> None:
        zone = random_zone(draw)
        x, y = draw.sample([None, *PLACES], 2)
        bound = draw.randint(-3, 3)
        after = zone.constrained(x, y, bound)
        assert models(after) == [v for v in models(zone) if _of(v, x) - _of(v, y) <= bound]

    def test_bounds_are_the_tightest(self, draw: Random) -> None:
        zone = random_zone(draw)
        for x, y in product([None, *PLACES], repeat=2):
            bound = zone.bound(x, y)
            if bound is not None and x is not y:
                assert zone.constrained(y, x, -bound) is not None

    def test_join_meet_and_inclusion(self, draw: Random) -> None:
        a, b = random_zone(draw), random_zone(draw)
        joined, met = a.join(b), a.meet(b)
        assert joined.includes(a)
        assert joined.includes(b)
        assert all(inside(joined, v) for v in (*models(a), *models(b)))
        assert models(met) == [v for v in models(a) if inside(b, v)]
        assert a.includes(a.join(a))
        if a.includes(b):
            assert all(inside(a, v) for v in models(b))

    def test_join_loses_no_common_bound(self, draw: Random) -> None:
        a, b = random_zone(draw), random_zone(draw)
        joined = a.join(b)
        for x, y in product([None, *PLACES], repeat=2):
            bounds = [zone.bound(x, y) for zone in (a, b)]
            if None not in bounds:
                assert joined.bound(x, y) == max(bound for bound in bounds if bound is not None)

    def test_assignment_and_forgetting(self, draw: Random) -> None:
        zone = random_zone(draw)
        target = draw.choice(PLACES)
        base, distance = draw.choice([None, *PLACES]), draw.randint(-1, 1)
        after = zone.assigned(target, base, distance)
        for v in models(zone):
            assert inside(after, {**v, target: _of(v, base) + distance})
            assert inside(zone.without([target]), {**v, target: draw.choice(VALUES)})
        low, high = after.interval(target)
        assert low is None or high is None or low <= high
        assert after.bound(target, base) == distance or base is target

    def test_widening_includes_and_ends(self, draw: Random) -> None:
        old, thresholds = random_zone(draw), (-2, 0, 1)
        for _ in range(60):
            wider = old.join(random_zone(draw))
            widened = old.widened(wider, thresholds)
            assert widened.includes(wider)
            old = widened
        assert old.widened(old.join(random_zone(draw)), thresholds).includes(old)

    def test_the_formula_means_the_zone(self, draw: Random) -> None:
        zone = random_zone(draw)
        for v in VALUATIONS:
            assert evaluate(formula(ARENA, LinearState(zone)), v) == inside(zone, v)


def test_relations_of_a_fixed_place_survive_a_join() -> None:
    a, b = TOP.with_value(X, 1).with_value(Y, 2), TOP.with_value(X, 5).with_value(Y, 6)
    assert a.join(b).bound(X, Y) == -1
    assert a.join(b).interval(X) == (1, 5)


# Transfer functions


def transfer(*tracked: Term) -> Transfer:
    bounds = Range(-4, 4)
    return Transfer(ARENA, lambda _: bounds, TrackedPlaces(ARENA).with_places(tracked))


def random_term(draw: Random, depth: int) -> Term:
    if depth == 0 or draw.random() < 0.2:
        return draw.choice([*PLACES, ARENA.integer(draw.randint(-2, 2))])
    a, b = random_term(draw, depth - 1), random_term(draw, depth - 1)
    match draw.randrange(6):
        case 0:
            return ARENA.ite(random_condition(draw, depth - 1), a, b)
        case 1:
            return ARENA.select(A, a)
        case 2:
            return ARENA.multiply(ARENA.integer(draw.randint(-2, 2)), a)
        case 3:
            return ARENA.modulo(a, ARENA.integer(draw.randint(2, 4)))
        case _:
            return draw.choice((ARENA.add, ARENA.subtract))(a, b)


def random_condition(draw: Random, depth: int) -> Term:
    if depth > 0 and draw.random() < 0.4:
        parts = random_condition(draw, depth - 1), random_condition(draw, depth - 1)
        return draw.choice((ARENA.and_, ARENA.or_, ARENA.iff, lambda p, _: ARENA.not_(p)))(*parts)
    return draw.choice((ARENA.le, ARENA.lt, ARENA.equals))(random_term(draw, depth), random_term(draw, depth))


def states(draw: Random, number: int) -> Iterator[dict[Term, Value]]:
    for _ in range(number):
        cells = {k: draw.choice(VALUES) for k in range(-2, 3)}
        yield {**draw.choice(VALUATIONS), A: ArrayValue(0, cells)}


def holds(zone: Zone, state: Mapping[Term, Value]) -> bool:
    return evaluate(formula(ARENA, LinearState(zone)), state) is True


def random_update(draw: Random) -> dict[Term, Term]:
    if draw.random() < 0.4:
        return {A: ARENA.store(A, random_term(draw, 1), random_term(draw, 1))}
    targets = draw.sample(PLACES, draw.randint(1, 2))
    updates = {x: random_term(draw, 2) for x in targets}
    return updates if draw.random() < 0.8 else {**updates, A: ARENA.store(A, random_term(draw, 0), ARENA.one)}


class TestTransfer:
    def test_no_execution_is_lost(self, draw: Random) -> None:
        tracked = [x for x in (*PLACES, *(cell(ARENA, A, k) for k in range(3))) if draw.random() < 0.7]
        of = transfer(*tracked)
        for _ in range(8):
            zone = random_zone(draw).without([x for x in PLACES if x not in tracked])
            step = Transition(ARENA, random_condition(draw, 2), random_update(draw))
            results = of.apply(zone, step)
            for state in states(draw, 20):
                if holds(zone, state) and evaluate(step.guard, state) is True:
                    new = {x: evaluate(value, state) for x, value in step.updates.items()}
                    if all(isinstance(v, ArrayValue) or -4 <= int(v) <= 4 for v in new.values()):
                        assert any(holds(after, {**state, **new}) for after in results)

    def test_an_index_that_is_one_of_many_loses_their_values(self) -> None:
        cells = [cell(ARENA, A, k) for k in range(MAX_CHOICES + 1)]
        wide = Transfer(ARENA, lambda _: Range(0, 100), TrackedPlaces(ARENA).with_places([X, *cells]))
        zone = TOP
        for place in cells:
            zone = zone.with_value(place, 7)
        [after] = wide.apply(zone, Transition(ARENA, ARENA.true, {A: ARENA.store(A, X, ARENA.one)}))
        assert list(after.places()) == []
        [after] = wide.apply(zone.with_value(X, 2), Transition(ARENA, ARENA.true, {A: ARENA.store(A, X, ARENA.one)}))
        assert after.constants[cells[2]] == 1
        assert after.constants[cells[3]] == 7

    def test_the_last_element_that_a_guard_allows_is_told_apart(self) -> None:
        """The string copy of the paper: where the terminator is tracked, its index is not passed."""
        last = cell(ARENA, A, 4)
        of = transfer(X, last)
        zone = TOP.with_value(last, 0).constrained(X, None, 4)
        assert zone is not None
        [inside] = of.apply(zone, Transition(ARENA, ARENA.not_(ARENA.equals(ARENA.select(A, X), ARENA.zero)), {}))
        assert inside.bound(X, None) == 3


def random_state(draw: Random) -> LinearState:
    """A zone with values that places do not have."""
    excluded = {x: frozenset({draw.choice(VALUES)}) for x in (*PLACES, cell(ARENA, A, 1)) if draw.random() < 0.5}
    return LinearState(random_zone(draw), None, excluded)


def satisfies(state: LinearState, valuation: Mapping[Term, Value]) -> bool:
    return evaluate(formula(ARENA, state), valuation) is True


class TestExclusions:
    def test_no_execution_is_lost(self, draw: Random) -> None:
        tracked = (*PLACES, *(cell(ARENA, A, k) for k in range(3)))
        of = LinearTransfer(ARENA, transfer(*tracked), 1)
        for _ in range(8):
            state = random_state(draw)
            guard = ARENA.and_(*(ARENA.not_(random_condition(draw, 1)) for _ in range(2)))
            step = Transition(ARENA, guard, random_update(draw))
            results = of.apply(state, step)
            for before in states(draw, 20):
                if satisfies(state, before) and evaluate(step.guard, before) is True:
                    new = {x: evaluate(value, before) for x, value in step.updates.items()}
                    if all(isinstance(v, ArrayValue) or -4 <= int(v) <= 4 for v in new.values()):
                        assert any(satisfies(after, {**before, **new}) for after in results)

    def test_operations_on_sets(self, draw: Random) -> None:
        for _ in range(8):
            a, b = random_state(draw), random_state(draw)
            join, meet, rest = a.join(b), a.meet(b), a.without((X,))
            for one in states(draw, 40):
                in_a, in_b = satisfies(a, one), satisfies(b, one)
                assert satisfies(join, one) or not (in_a or in_b)
                assert (meet is not None and satisfies(meet, one)) or not (in_a and in_b)
                assert satisfies(rest, one) or not in_a
                assert satisfies(a.widened(join, (-1, 0, 1)), one) or not (in_a or in_b)
                assert in_a or not (in_b and a.includes(b))

    def test_a_number_that_is_neither_above_nor_below_another_one_is_it(self) -> None:
        of = LinearTransfer(ARENA, transfer(X, Y), 1)
        zero = ARENA.equals(X, ARENA.zero)
        [state] = of.apply(LinearState(), Transition(ARENA, ARENA.not_(zero), {Y: ARENA.add(X, ARENA.one)}))
        assert (
            of.apply(state, Transition(ARENA, ARENA.and_(ARENA.le(X, ARENA.zero), ARENA.ge(X, ARENA.zero)), {})) == []
        )
        [above] = of.apply(state, Transition(ARENA, ARENA.ge(Y, ARENA.one), {}))
        assert above.zone.interval(Y)[0] == 2  # the copy does not have the value either
        [below] = of.apply(state, Transition(ARENA, ARENA.le(X, ARENA.zero), {}))
        both = above.join(below)
        assert both.exclusions[X] == {0}
        assert LinearState().exclusions == {}


def test_a_read_at_one_of_many_indices_is_between_their_values() -> None:
    cells = [cell(ARENA, A, k) for k in range(MAX_CHOICES + 1)]
    wide = Transfer(ARENA, lambda _: Range(0, 100), TrackedPlaces(ARENA).with_places([X, Y, *cells]))
    zone = TOP.constrained(X, None, MAX_CHOICES)
    for k, place in enumerate(cells):
        zone = zone and zone.with_value(place, 7 + k)
    assert zone is not None
    [after] = wide.apply(zone, Transition(ARENA, ARENA.true, {Y: ARENA.select(A, X)}))
    assert after.interval(Y) == (7, 7 + MAX_CHOICES)


# Sums


CELLS = tuple(cell(ARENA, A, k) for k in range(3))


def random_sums(draw: Random) -> list[Term]:
    """Sums of two or three places."""
    found = []
    for _ in range(draw.randint(1, 3)):
        places = draw.sample((*PLACES, *CELLS), draw.randint(2, 3))
        found.append(ARENA.linear([(draw.choice((-2, -1, 1, 2)), x) for x in places]))
    return list(dict.fromkeys(found))


def with_sums(draw: Random, zone: Zone, sums: list[Term], inside: Mapping[Term, Value]) -> Zone:
    """A zone around a valuation with bounds of sums, and of their differences from places."""
    for sum_ in sums:
        value, other = int(str(evaluate(sum_, inside))), draw.choice((None, *PLACES))
        distance = value - (0 if other is None else int(str(evaluate(other, inside))))
        for x, y, least in ((sum_, other, distance), (other, sum_, -distance)):
            if draw.random() < 0.6:
                after = zone.constrained(x, y, least + draw.randint(0, 2))
                assert after is not None
                zone = after
    return zone


class TestSums:
    def test_no_execution_is_lost(self, draw: Random) -> None:
        bounds = Range(-4, 4)
        for _ in range(12):
            sums = random_sums(draw)
            precision = TrackedPlaces(ARENA).with_places((*PLACES, *CELLS, *sums))
            of = LinearTransfer(ARENA, Transfer(ARENA, lambda _: bounds, precision, sums), 8)
            [center] = states(draw, 1)
            state = LinearState(with_sums(draw, TOP, sums, center), draw.choice((None, Congruences(8))))
            step = Transition(ARENA, random_condition(draw, 2), random_update(draw))
            results = of.apply(state, step)
            for before in (center, *states(draw, 20)):
                if satisfies(state, before) and evaluate(step.guard, before) is True:
                    new = {x: evaluate(value, before) for x, value in step.updates.items()}
                    if all(isinstance(v, ArrayValue) or -4 <= int(v) <= 4 for v in new.values()):
                        assert any(satisfies(after, {**before, **new}) for after in results)

    def test_sums_and_their_places_tell_of_each_other(self, draw: Random) -> None:
        for _ in range(12):
            sums = random_sums(draw)
            of = Transfer(ARENA, lambda _: Range(-4, 4), TrackedPlaces(ARENA).with_places(sums), sums)
            [center] = states(draw, 1)
            zone = with_sums(draw, random_zone_around(draw, center), sums, center)
            related = of.forms.related(zone)
            assert related is not None
            for one in (center, *states(draw, 30)):
                assert holds(related, one) or not holds(zone, one)

    def test_what_is_added_to_one_place_is_taken_from_another(self) -> None:
        sum_ = ARENA.add(X, Y)
        of = Transfer(ARENA, lambda _: None, TrackedPlaces(ARENA).with_places([X, Y, sum_]), [sum_])
        zone = TOP.with_value(sum_, 7)
        for guard, updates, expected in (
            (ARENA.true, {X: ARENA.add(X, Z), Y: ARENA.subtract(Y, Z)}, None),
            (ARENA.true, {X: ARENA.add(X, ARENA.one)}, 8),
            (ARENA.true, {X: ARENA.add(X, ARENA.one), Y: ARENA.subtract(Y, ARENA.one)}, 7),
        ):
            [after] = of.apply(zone, Transition(ARENA, guard, updates))
            assert after.constants.get(sum_) == expected  # Z is not tracked
        assert of.apply(zone, Transition(ARENA, ARENA.lt(sum_, ARENA.integer(7)), {})) == []
        [below] = [related for one in of.assuming(zone, ARENA.le(X, ARENA.one)) if (related := of.forms.related(one))]
        assert below.interval(Y) == (6, None)


def random_zone_around(draw: Random, state: Mapping[Term, Value]) -> Zone:
    zone: Zone | None = TOP
    for x in PLACES:
        value = int(str(evaluate(x, state)))
        zone = zone and (zone.constrained(x, None, value + draw.randint(0, 2)) if draw.random() < 0.6 else zone)
    assert zone is not None
    return zone


def test_of_a_sum_there_is_one_for_each_copy_of_its_variables() -> None:
    sum_, copy = ARENA.linear([(2, X), (-1, Y)]), ARENA.copy(X, "x@entry")
    precision = TrackedPlaces(ARENA).with_places([sum_])
    assert precision.tracks(X)
    assert precision.instances([X, Y, Z, copy]) == (sum_, ARENA.linear([(2, copy), (-1, Y)]))
    assert precision.instances([X, Z]) == ()


def test_widening_ends_where_bounds_follow_from_each_other() -> None:
    sum_ = ARENA.add(X, Y)
    zone: Zone | None = TOP
    for place in (X, Y, sum_):
        zone = zone and zone.constrained(None, place, 0)
    assert zone is not None
    for k in range(1, 40):
        wider: Zone | None = TOP
        for place, other in ((X, None), (Y, X), (sum_, Y)):
            wider = wider and wider.constrained(other, place, k)
        assert wider is not None
        joined = zone.join(wider)
        widened = zone.widened(joined, None)
        assert widened.includes(joined)
        zone = widened
    assert list(zone.constraints()) == []


# The contract of domains


@pytest.mark.parametrize("modulus", [None, 8, 16])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("number", [0, 2], ids=["places", "sums"])
def test_the_laws_of_domains(seed: int, modulus: int | None, number: int) -> None:
    draw, p = Random(seed), random_program(seed, 4)
    expansion = Expansion(p, BlockEncoding.BASIC)
    variables = [x for x in p.variables if x.sort is INT]
    precision = TrackedPlaces(p.arena).with_places(draw.sample(variables, min(3, len(variables))))
    for _ in range(number if len(variables) > 1 else 0):
        parts = [(draw.choice((-1, 1, 2)), x) for x in draw.sample(variables, 2)]
        precision = precision.with_places([p.arena.linear(parts)])
    precision = replace(precision, equations=EquatedPlaces.NONE if modulus is None else EquatedPlaces.ALL)
    domain = ZoneDomain(expansion, lambda _: frozenset(p.variables), modulus)
    reached: dict[At, LinearState] = {expansion.start: domain.initial(expansion.start, precision)}
    for step in _some_steps(expansion):
        before = reached.get(step.source)
        if before is None:
            continue
        results = list(domain.successors(before, step, precision))
        for _ in range(40):
            symbols = {*variables, *p.inputs}
            state: dict[Term, Value] = {s: draw.randint(-3, 4) for s in sorted(symbols, key=lambda s: s.id)}
            if evaluate(domain.formula(before), state) and evaluate(step.transition.guard, state):
                after = {**state, **{x: evaluate(v, state) for x, v in step.transition.updates.items()}}
                if all(-3 <= int(after[x]) <= 4 for x in variables if not isinstance(after[x], ArrayValue)):  # type: ignore[arg-type]
                    assert any(evaluate(domain.formula(result), after) for result in results)
        for result in results:
            assert domain.backward(before, step, result, precision) is before
            assert domain.covered(result, [result])
            assert domain.key(result, domain.shape(result)) == tuple(result.constants[x] for x in domain.shape(result))
            old = reached.setdefault(step.target, result)
            merged = domain.merge(result, old)
            if merged is not None:
                assert domain.covered(result, [merged])
                assert domain.covered(old, [merged])


@pytest.mark.parametrize("seed", range(40))
def test_equations_of_elements_hold_whatever_the_index(seed: int) -> None:
    """Random assignments and guards, with indices that are numbers, variables and sums, against their evaluation."""
    draw = Random(seed)
    ranges = {X: Range(0, 2), Y: Range(-8, 7)}
    places = [X, Y, *(cell(ARENA, A, k) for k in range(3))]
    precision = replace(TrackedPlaces(ARENA).with_places(places), equations=EquatedPlaces.ALL)
    transfer = LinearTransfer(ARENA, Transfer(ARENA, ranges.get, precision), 16)
    states = [LinearState(congruences=Congruences(16))]
    values: list[dict[Term, Value]] = [
        {X: draw.randint(0, 2), Y: draw.randint(-8, 7), A: ArrayValue(0, {k: draw.randint(-4, 4) for k in range(3)})}
        for _ in range(30)
    ]
    for _ in range(8):
        step = _array_step(draw)
        states = [after for state in states for after in transfer.apply(state, step)][:40]
        values = [
            {**one, **{x: evaluate(value, one) for x, value in step.updates.items()}}
            for one in values
            if evaluate(step.guard, one)
        ]
        values = [one for one in values if 0 <= int(one[X]) <= 2 and -8 <= int(one[Y]) <= 7]  # type: ignore[arg-type]
        for one in values:
            assert any(evaluate(formula(ARENA, state), one) for state in states)


def _array_step(draw: Random) -> Transition:
    number = ARENA.integer(draw.randint(0, 2))
    index = draw.choice([X, number, ARENA.subtract(ARENA.integer(2), X)])
    read = ARENA.select(A, draw.choice([index, X, number]))
    value = draw.choice([read, ARENA.add(read, Y), ARENA.subtract(read, ARENA.integer(1)), Y])
    match draw.randrange(4):
        case 0:
            return Transition(ARENA, ARENA.equals(ARENA.add(read, Y), ARENA.integer(draw.randint(-2, 2))), {})
        case 1:
            return Transition(ARENA, ARENA.true, {draw.choice([X, Y]): draw.choice([number, read])})
        case _:
            return Transition(ARENA, ARENA.true, {A: ARENA.store(A, index, value)})


def _some_steps(expansion: Expansion) -> list[Step]:
    found: list[Step] = []
    work, seen = [expansion.start], {expansion.start}
    while work and len(found) < 60:
        for step in expansion.steps(work.pop(0)):
            found.append(step)
            if step.target not in seen:
                seen.add(step.target)
                work.append(step.target)
    return [s for s in found if expansion.frame(s.source) == expansion.frame(s.target) == 0]


def test_the_modulus_is_that_of_the_narrowest_type_that_wraps_around() -> None:
    text = "int main() { %s x = 0; while (__VERIFIER_nondet_int()) x = x + 1; if (x > 5) reach_error(); }"
    moduli = [modulus_of(program(text % type_)) for type_ in ("int", "long long")]
    assert moduli == [1 << 32, 1 << 64]
