"""Explicit values: compiled steps against evaluation, cells, precision, and unions as formulas."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.program import Range
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.terms import ArrayValue, Op, Term, Value, evaluate
from methods.domains.explicit import (
    Cells,
    Explicit,
    ExplicitDomain,
    Precision,
    Specialisation,
    StepCompiler,
    Valuation,
    facts,
    union,
)
from methods.domains.options import TrackingScope
from tests.support.program_builder import ProgramBuilder
from tests.support.random_terms import RandomTerms


class OneStep:
    """A program of one edge `assume formula` or `x := integer; …` over random terms."""

    def __init__(self, seed: int) -> None:
        self.terms = RandomTerms(seed)
        self.builder = ProgramBuilder()
        self.builder.arena = self.terms.arena
        for symbol in self.terms.symbols:
            self.builder.variable(symbol.name, None, symbol.sort)

    def expansion(self, guard: Term, updates: Mapping[Term, Term]) -> Expansion:
        b = self.builder
        entry, middle, exit_ = b.location(), b.location(), b.location()
        b.assume(entry, middle, guard)
        b.assign(middle, exit_, *updates.items())
        b.function("main", entry, exit_)
        return Expansion(b.program(), BlockEncoding.BASIC)

    def partial(self, values: Mapping[Term, Value]) -> dict[Term, Explicit]:
        """Some of `values`; of arrays some cells, or all."""
        return {s: self._part(v) for s, v in values.items() if self.terms.random.random() < 0.6}

    def _part(self, value: Value) -> Explicit:
        if not isinstance(value, ArrayValue):
            return value
        if self.terms.random.random() < 0.3:
            return Cells(value.default, {i: v for i, v in value.entries.items() if v != value.default})
        return Cells(None, {i: value[i] for i in range(-2, 3)})


def agrees(known: Explicit, value: Value) -> bool:
    if isinstance(known, Cells):
        assert isinstance(value, ArrayValue)
        return all(known.at(i) in (None, value[i]) for i in range(-9, 10))
    return known == value


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("seed", range(150))
def test_a_compiled_step_contains_every_concrete_step(seed: int) -> None:
    one = OneStep(seed)
    guard = one.terms.formula(3)
    target = one.terms.integers[0]
    updates = {target: one.terms.integer(3)}
    a, index = one.terms.arrays[0], one.terms.integer(1)
    updates[a] = one.terms.arena.store(a, index, one.terms.integer(1))
    expansion = one.expansion(guard, updates)
    [step] = expansion.steps(expansion.start)
    domain = ExplicitDomain(expansion)
    for _ in range(30):
        values = one.terms.values()
        known = one.partial(values)
        after = domain.post(known, step)
        if not evaluate(step.transition.guard, values):
            continue
        assert after is not None
        concrete = {**values, **{x: evaluate(t, values) for x, t in step.transition.updates.items()}}
        assert all(agrees(v, concrete[x]) for x, v in after.items())


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(100))
def test_a_term_over_known_values_has_its_value(seed: int) -> None:
    one = OneStep(seed)
    term = one.terms.integer(4)
    compiler = StepCompiler(one.expansion(one.terms.arena.true, {}))
    for _ in range(20):
        values = one.terms.values()
        known: dict[Term, Explicit] = {
            s: Cells(v.default, {i: e for i, e in v.entries.items() if e != v.default})
            if isinstance(v, ArrayValue)
            else v
            for s, v in values.items()
        }
        assert compiler.term(term)(known) == evaluate(term, values)


class TestAssumptions:
    """Values that an assumption determines are assigned."""

    def post(self, known: dict[str, Explicit], make: str) -> dict[str, Explicit] | None:
        b = ProgramBuilder()
        a, x, y = b.arena, b.variable("x", Range(0, 9)), b.variable("y", Range(0, 9))
        cells = b.array("a", Range(0, 9))
        conditions = {
            "x = 3": a.equals(x, a.integer(3)),
            "x + 2y = 7": a.equals(a.add(x, y, y), a.integer(7)),
            "x = 3 or y = 4": a.or_(a.equals(x, a.integer(3)), a.equals(y, a.integer(4))),
            "not (x != 3 or y != 4)": a.and_(a.equals(x, a.integer(3)), a.equals(y, a.integer(4))),
            "a[x] = 5": a.equals(a.select(cells, x), a.integer(5)),
            "x = y + 8": a.equals(x, a.add(y, a.integer(8))),
        }
        entry, exit_ = b.location(), b.location()
        b.assume(entry, exit_, conditions[make])
        b.function("main", entry, exit_)
        expansion = Expansion(b.program(), BlockEncoding.BASIC)
        [step] = expansion.steps(expansion.start)
        names = {"x": x, "y": y, "a": cells}
        after = ExplicitDomain(expansion).post({names[name]: v for name, v in known.items()}, step)
        return None if after is None else {s.name: v for s, v in after.items()}

    def test_equality(self) -> None:
        assert self.post({}, "x = 3") == {"x": 3}
        assert self.post({"x": 4}, "x = 3") is None

    def test_one_unknown_summand(self) -> None:
        assert self.post({"x": 3}, "x + 2y = 7") == {"x": 3, "y": 2}
        assert self.post({"y": 1}, "x + 2y = 7") == {"x": 5, "y": 1}
        assert self.post({"x": 2}, "x + 2y = 7") is None
        assert self.post({}, "x + 2y = 7") == {}

    def test_the_last_disjunct(self) -> None:
        assert self.post({"x": 1}, "x = 3 or y = 4") == {"x": 1, "y": 4}
        assert self.post({}, "x = 3 or y = 4") == {}

    def test_conjunctions(self) -> None:
        assert self.post({}, "not (x != 3 or y != 4)") == {"x": 3, "y": 4}

    def test_cells(self) -> None:
        assert self.post({"x": 2}, "a[x] = 5") == {"x": 2, "a": Cells(None, {2: 5})}
        assert self.post({"x": 2, "a": Cells(None, {2: 4})}, "a[x] = 5") is None

    def test_a_value_out_of_range_is_impossible(self) -> None:
        assert self.post({"y": 1}, "x = y + 8") == {"x": 9, "y": 1}
        assert self.post({"y": 2}, "x = y + 8") is None


def test_cells_are_ordered_by_what_they_say() -> None:
    zeros, three = Cells(0), Cells(None, {3: 0})
    assert three.includes(zeros)
    assert not zeros.includes(three)
    assert not three.includes(zeros.updated(3, None))
    assert zeros.updated(3, None).includes(zeros)
    assert not zeros.includes(zeros.updated(3, 1))
    assert zeros.updated(3, 1).updated(3, 0) == zeros


class TestPrecision:
    """`main` has x and y; `f` is called between a write of x and its last read."""

    def setup_method(self) -> None:
        b = ProgramBuilder()
        a = b.arena
        self.x, self.y, self.g = b.variable("main::x"), b.variable("main::y"), b.variable("g")
        entry, called, back, done = (b.location() for _ in range(4))
        inside, exit_ = b.location("f"), b.location("f")
        b.assign(entry, called, (self.x, a.one), (self.y, a.zero))
        self.call = b.call(called, back, "f")
        b.assume(back, done, a.equals(self.x, self.g))
        b.assign(inside, exit_, (self.g, a.zero))
        b.function("main", entry, done, (), (self.x, self.y))
        b.function("f", inside, exit_)
        self.expansion = Expansion(b.program(), BlockEncoding.BASIC)
        self.inside = At((self.call,), inside)
        self.back = At((), back)

    def kept(self, precision: Precision, at: At) -> set[str]:
        return {x.name for x in precision.at(at).of({self.x: 1, self.y: 2, self.g: 3})}

    def test_the_scope_of_a_variable_is_where_it_may_be_read(self) -> None:
        precision = Precision(self.expansion, TrackingScope.SCOPE)
        assert precision.add([self.x, self.g], self.back.location) == [self.x, self.g]
        assert precision.add([self.x], self.inside.location) == []
        assert self.kept(precision, self.back) == {"main::x", "g"}
        assert self.kept(precision, self.inside) == {"main::x"}
        assert self.kept(precision, At((), 3)) == set()

    def test_without_scopes_locations_differ(self) -> None:
        precision = Precision(self.expansion, TrackingScope.LOCATION)
        precision.add([self.x], self.back.location)
        assert self.kept(precision, self.back) == {"main::x"}
        assert self.kept(precision, self.inside) == set()

    def test_what_has_left_does_not_come_back(self) -> None:
        precision = Precision(self.expansion, None)
        assert self.kept(precision, self.back) == {"main::x", "g"}
        assert precision.leave(self.x)
        assert not precision.leave(self.x)
        assert self.kept(precision, self.back) == {"g"}
        precision = Precision(self.expansion, TrackingScope.SCOPE)
        precision.leave(self.x)
        precision.add([self.x], self.back.location)
        assert self.kept(precision, self.back) == set()


def test_too_many_values_on_a_path_take_a_variable_out() -> None:
    b = ProgramBuilder()
    a, x = b.arena, b.variable("main::x")
    entry, head, done = b.location(), b.location(loop=True), b.location()
    b.assign(entry, head, (x, a.zero))
    b.assign(head, head, (x, a.add(x, a.one)))
    b.assume(head, done, a.equals(x, a.integer(-1)))
    b.function("main", entry, done, (), (x,))
    expansion = Expansion(b.program(), BlockEncoding.BASIC)
    precision = Precision(expansion, None)
    domain = ExplicitDomain(expansion, limit=3)
    state = domain.initial(expansion.start, precision)
    seen: list[Explicit | None] = []
    for _ in range(5):
        step = expansion.steps(At((), head) if seen else expansion.start)[0]
        [state] = domain.successors(state, step, precision)
        seen.append(state.values.get(x))
    assert seen == [0, 1, 2, None, None]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_a_union_holds_in_its_states_and_in_no_others(seed: int) -> None:
    terms = RandomTerms(seed)
    arena, random = terms.arena, terms.random
    places = [*terms.integers, *terms.booleans, arena.select(terms.arrays[0], arena.integer(1))]

    def drawn(place: Term) -> int | bool:
        return random.random() < 0.5 if place in terms.booleans else random.randint(0, 3)

    def valuation() -> dict[Term, Explicit]:
        known: dict[Term, Explicit] = {p: drawn(p) for p in places if random.random() < 0.7}
        cell = known.pop(places[-1], None)
        assert not isinstance(cell, Cells)
        return known if cell is None else {**known, terms.arrays[0]: Cells(None, {1: cell})}

    states = [valuation() for _ in range(12)]
    rest = terms.integers[0]
    parts = [(s, arena.le(rest, arena.integer(random.randint(0, 3)))) for s in states]
    formula = union(arena, parts)
    separate = arena.or_(*(arena.and_(*facts(arena, s), r) for s, r in parts))
    for _ in range(200):
        values: dict[Term, Value] = {p: drawn(p) for p in places[:-1]}
        values |= {terms.arrays[0]: ArrayValue(0, {1: random.randint(0, 3)})}
        assert evaluate(formula, values) == evaluate(separate, values)


def test_a_union_shares_what_is_independent() -> None:
    b = ProgramBuilder()
    xs = [b.variable(f"x{k}") for k in range(10)]
    states: list[tuple[dict[Term, Explicit], Term]] = [
        ({x: n >> k & 1 for k, x in enumerate(xs)}, b.arena.true) for n in range(1 << 10)
    ]
    formula = union(b.arena, states)
    assert formula.op is Op.AND
    assert formula.size < 100


def test_states_are_covered_by_those_that_say_less() -> None:
    b = ProgramBuilder()
    x, y = b.variable("x"), b.variable("y")
    array = b.array("a")
    entry, exit_ = b.location(), b.location()
    b.assume(entry, exit_, b.arena.true)
    b.function("main", entry, exit_)
    domain = ExplicitDomain(Expansion(b.program(), BlockEncoding.BASIC))

    def state(**values: Explicit) -> Valuation:
        return Valuation({{"x": x, "y": y, "a": array}[name]: v for name, v in values.items()}, {})

    one, both = state(x=1), state(x=1, y=2)
    assert domain.covered(both, [one])
    assert not domain.covered(one, [both])
    assert not domain.covered(state(x=2, y=2), [one])
    assert domain.covered(state(x=1, a=Cells(0)), [state(x=1, a=Cells(None, {3: 0}))])
    shape = domain.shape(one)
    assert domain.key(both, shape) == domain.key(one, shape)
    assert domain.meet(one, state(y=3)) is not None
    assert domain.meet(both, state(y=3)) is None


def test_a_step_is_specialised_to_what_is_known() -> None:
    """`[x <= y && k = 2] z := y + k; k := y` where k = 2, where nothing is known, and where all is."""
    b = ProgramBuilder()
    a = b.arena
    x, y, z, k = (b.variable(name) for name in "xyzk")
    entry, middle, exit_ = (b.location() for _ in range(3))
    b.assume(entry, middle, a.and_(a.le(x, y), a.equals(k, a.integer(2))))
    b.assign(middle, exit_, (z, a.add(y, k)), (k, y))
    b.function("main", entry, exit_)
    expansion = Expansion(b.program(), BlockEncoding.BASIC)
    [step] = expansion.steps(expansion.start)
    special = Specialisation(a)
    known = special.step({k: 2, z: 7}, step)
    assert known.transition.guard is a.le(x, y)
    assert known.transition.updates == {z: a.add(y, a.integer(2)), k: y}
    assert (known.source, known.target, known.edges) == (step.source, step.target, step.edges)
    assert special.step({k: 2, z: 8}, step) is known
    assert special.step({z: 7}, step) is step
    everything = special.step({k: 2, x: 0, y: 3}, step)
    assert everything.transition.guard is a.true
    assert everything.transition.updates == {z: a.integer(5), k: a.integer(3)}
