"""Facts that loops keep and no guard says: bounds of what they accumulate, ends of tables, sampled equations."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from core.analysis.bound_pairs import BoundPair
from core.limits import Limits
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion, Step
from core.terms import Arena, Term, atoms, evaluate
from methods.discovery.acceleration import Acceleration
from methods.discovery.accumulation import Accumulation, KnownIntervals, in_loop
from methods.discovery.sampling import SampledEquations
from methods.discovery.tables import known_tables, turning_points
from tests.support import prepared
from tests.support.program_builder import ProgramBuilder

TRIALS = 200


def around(expansion: Expansion, turns: int) -> list[Step]:
    """A path through the first way of the only loop, so many times, and from there by the last steps to the error."""
    at, steps = expansion.start, list[Step]()
    while expansion.check(at) is None:
        choices = expansion.steps(at)
        if expansion.is_loop_head(at):
            turns -= 1
        steps.append(choices[-1] if expansion.is_loop_head(at) and turns < 0 else choices[0])
        at = steps[-1].target
    return steps


def summing() -> tuple[Expansion, Term, Term]:
    """`x = 1; y = 0; while (y < 1000) { x = x + y; y = y + 1; }`, then an error if x < y."""
    b = ProgramBuilder()
    a, x, y = b.arena, b.variable("x"), b.variable("y")
    start, head, body, done = (b.location(loop=k == 1) for k in range(4))
    b.assign(start, head, (x, a.one), (y, a.zero))
    b.assume(head, body, a.lt(y, a.integer(1000)))
    b.assign(body, head, (x, a.add(x, y)), (y, a.add(y, a.one)))
    b.assume(head, done, a.ge(y, a.integer(1000)))
    b.assume(done, b.error(), a.lt(x, y))
    b.function("main", start, done)
    return Expansion(b.program(), BlockEncoding.BASIC), x, y


def test_what_is_accumulated_is_bounded_by_a_counter() -> None:
    expansion, x, y = summing()
    a = expansion.arena
    found = Acceleration(expansion).candidates(around(expansion, 2))
    assert found is not None
    proposed = {atom for formula in found.formulas for atom in atoms(formula)}
    most = a.le(a.linear([(1, x), (-999, y)]), a.one)
    assert {most, a.le(x, a.zero)} <= proposed  # x ≤ 999·y + 1, and x ≥ 1 as what is added is never negative


@pytest.mark.parametrize("seed", range(TRIALS))
def test_accumulation_bounds_all_sums_that_are_within_its_bounds(seed: int) -> None:
    """A loop that adds a·y + c to x, and a constant to y, as often as the sum stays between the bounds given."""
    r, a = Random(seed), Arena()
    x, y = a.symbol("x", a.zero.sort), a.symbol("y", a.zero.sort)
    slope, constant, step = r.randint(-3, 3), r.randint(-5, 5), r.choice([-3, -2, -1, 1, 2, 3])
    low, high = sorted(r.randint(-20, 20) for _ in range(2))
    entry: dict[Term, BoundPair] = {z: tuple(sorted(r.randint(-6, 6) for _ in range(2))) for z in (x, y)}  # type: ignore[misc]
    added = a.linear([(slope, y)], constant)
    intervals = KnownIntervals(entry, lambda _: None)
    given = Accumulation(x, None if added.is_constant else added, (low, high), y, step)
    bounds = list(given.bounds(a, intervals))
    assert bounds
    for first in product(*(range(entry[z][0], entry[z][1] + 1) for z in (x, y))):  # type: ignore[arg-type, operator]
        values = list(first)
        for _ in range(12):
            for t, bound, least in bounds:
                value = evaluate(t, {x: values[0], y: values[1]})
                assert isinstance(value, int)
                assert value >= bound if least else value <= bound
            amount = slope * values[1] + constant
            if not low <= amount <= high:
                break
            values = [values[0] + amount, values[1] + step]


def test_in_a_loop_a_variable_keeps_the_bound_that_all_turns_move_away_from() -> None:
    a = Arena()
    x, y, z = (a.symbol(name, a.zero.sort) for name in "xyz")
    amounts: dict[Term, list[int | None]] = {x: [0, 2], y: [-1, None], z: []}
    found = in_loop(KnownIntervals(dict.fromkeys((x, y, z), (1, 5)), lambda _: None), (x, y, z), amounts.__getitem__)
    assert [found.of(v) for v in (x, y, z)] == [(1, None), (None, None), (1, 5)]
    within = found.where(a.le(a.linear([(1, x), (-2, z)]), a.integer(3)))
    assert within.of(x) == (1, 13)


def table() -> tuple[Expansion, Term, Term]:
    """`t[0] = 7; … t[5] = 0; i = 0; while (t[2 * i + 1] != 0) i = i + 1;`, then an error if i > 2."""
    b = ProgramBuilder()
    a, i, t = b.arena, b.variable("i"), b.array("t")
    start, head, body, done = (b.location(loop=k == 1) for k in range(4))
    filled = t
    for k, value in enumerate((7, 7, 0, 8, 0, 0, 7, 9)):
        filled = a.store(filled, a.integer(k), a.integer(value))
    read = a.equals(a.select(t, a.linear([(2, i)], 1)), a.zero)
    b.assign(start, head, (t, filled), (i, a.zero))
    b.assume(head, body, a.not_(read))
    b.assign(body, head, (i, a.add(i, a.one)))
    b.assume(head, done, read)
    b.assume(done, b.error(), a.gt(i, a.integer(2)))
    b.function("main", start, done)
    return Expansion(b.program(), BlockEncoding.BASIC), i, t


def test_the_end_of_a_table_bounds_the_index_that_goes_through_it() -> None:
    expansion, i, t = table()
    a = expansion.arena
    steps = around(expansion, 2)
    tables = known_tables(steps[:1])
    assert tables == {t: dict(enumerate((7, 7, 0, 8, 0, 0, 7, 9)))}
    here = a.equals(a.select(t, a.integer(5)), a.zero)
    assert list(turning_points(a, tables, steps[1].transition.guard)) == [(i, 2, here)]
    found = Acceleration(expansion).candidates(steps)
    assert found is not None
    proposed = {atom for formula in found.formulas for atom in atoms(formula)}
    assert {a.le(i, a.integer(2)), a.le(i, a.one), here} <= proposed


def test_a_table_that_is_written_at_an_unknown_index_is_not_known() -> None:
    b = ProgramBuilder()
    a, i, t = b.arena, b.variable("i"), b.array("t")
    start, then, done = b.location(), b.location(), b.location()
    b.assign(start, then, (t, a.store(a.store(t, a.zero, a.integer(4)), a.one, i)))
    b.assign(then, done, (t, a.store(a.store(t, i, a.zero), a.integer(2), a.zero)))
    b.function("main", start, done)
    expansion = Expansion(b.program(), BlockEncoding.STATEMENTS)
    first = expansion.steps(expansion.start)[0]
    second = expansion.steps(first.target)[0]
    assert known_tables([first]) == {t: {0: 4}}
    assert known_tables([first, second]) == {}


def test_sampled_executions_give_equations_at_loop_heads() -> None:
    expansion, x, y = summing()
    a = expansion.arena
    linear, quadratic = SampledEquations(expansion, 0, Limits()).candidates(around(expansion, 2), (x, y))
    assert linear is None
    assert quadratic is not None
    proposed = {atom for formula in quadratic.formulas for atom in atoms(formula)}
    square = a.multiply(y, y)
    assert a.equals(a.linear([(2, x), (1, y), (-1, square)]), a.integer(2)) in proposed
    assert list(SampledEquations(expansion, 0, Limits()).candidates(around(expansion, 2), (x,))) == [None, None]
    assert list(SampledEquations(expansion, 0, Limits()).candidates(around(expansion, 0), (x, y))) == [None, None]


PROGRAMS = {
    "accumulated": """int x = 1, y = 0;
        while (y < 1000 && __VERIFIER_nondet_int()) { x = x + y; y = y + 1; }
        if (x < y) reach_error();""",
    "turning": """int x = -50, y = __VERIFIER_nondet_int();
        if (!(-1000 < y)) return 0;
        if (!(y < 1000000)) return 0;
        while (x < 0) { x = x + y; y++; }
        if (y <= 0) reach_error();""",
    "branches": """int n = __VERIFIER_nondet_int(), l = __VERIFIER_nondet_int();
        if (l <= 0 || l >= 1000000 || n >= 1000000) return 0;
        for (int k = 1; k < n; k++) { for (int i = l; i < n; i++) if (i < 1) reach_error();
            if (__VERIFIER_nondet_int()) l++; }""",
    "squares": """int n = __VERIFIER_nondet_int(), sum = 0;
        if (n < 1 || n > 1000) return 0;
        for (int i = 1; i <= n; i++) sum = sum + i;
        if (2 * sum != n * (n + 1)) reach_error();""",
    "table": """static const int t[12][2] = {{5, 1}, {6, 1}, {7, 0}, {5, 1}, {6, 1}, {7, 0}, {5, 1}, {6, 1}, {7, 0},
            {5, 1}, {6, 1}, {0, 0}};
        int i = 0;
        while (t[i][0] != 0) { if (i < 0 || i > 10) reach_error(); i++; }""",
}


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_transition_proves_loops_by_what_they_keep(name: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    head = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);"
    file.write_text(f"{head}\nint main(void) {{ {PROGRAMS[name]} return 0; }}\n")
    assert prepared.verify(file, engine="transition", time_limit=60).status == "true"
