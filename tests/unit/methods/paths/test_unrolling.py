"""Unrollings: paths merge, the formula grows linearly, models are executions, arrays stay chains of stores."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.limits import Limits
from core.program import Range
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.program.unwinding import Loops, UnwoundPlace
from core.solver.contract import Sat, Unsat
from core.solver.z3_solver import Z3Factory
from core.terms import ArraySort, Op, Term, chain_of_stores, evaluate, subterms
from core.verdict import Unsafe
from methods.paths.followed_executions import Witnesses
from methods.paths.pathformula import check_path
from methods.paths.unrolling import KNOWN, Instance, Unrolling
from tests.contract.test_engines import calling, counting, recursive
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program
from tests.support.random_terms import RandomTerms
from tests.support.short_loops import ShortLoops
from tests.support.small_programs import counting_loop


class Recording:
    """A solver that can be asked how much it was told."""

    def __init__(self) -> None:
        self.factory = Z3Factory()
        self.solver = self.factory()
        self.told: list[Term] = []

    def unrolling(self, expansion: Expansion) -> Unrolling:
        add = self.solver.add

        def tell(*formulas: Term) -> None:
            self.told.extend(formulas)
            add(*formulas)

        self.solver.add = tell  # type: ignore[method-assign]
        return Unrolling(expansion, expansion.start, self.solver, Limits())


def test_a_loop_whose_rounds_are_known_unwinds_beyond_the_bound_without_a_solver() -> None:
    unrolling = Recording().unrolling(Expansion(counting_loop(10), BlockEncoding.LARGE))
    assert unrolling.unroll(1) == []
    assert unrolling.frontier == []
    assert all(instance.guard.is_true for instance in unrolling.instances)


def test_what_is_computed_twice_is_one_symbol() -> None:
    """`x = nondet; y = x + x + 1; z = x + x + 1; assert(y == z);`: no solver is needed."""
    b = ProgramBuilder()
    a, word = b.arena, Range(0, 255)
    x, y, z = (b.variable(f"main::{name}", Range(0, 511)) for name in "xyz")
    entry, read, first, second, done = (b.location() for _ in range(5))
    twice = a.add(x, x, a.one)
    b.assign(entry, read, (x, b.input("nondet", word)))
    b.assign(read, first, (y, twice))
    b.assign(first, second, (z, twice))
    b.assume(second, b.error(), a.not_(a.equals(y, z)))
    b.assume(second, done, a.equals(y, z))
    b.function("main", entry, done, (), (x, y, z))
    recording = Recording()
    assert recording.unrolling(Expansion(b.program(), BlockEncoding.STATEMENTS)).unroll(1) == []
    assert len([f for f in recording.told if f.is_equation]) == 1


def test_a_value_has_the_range_of_what_defines_it_so_that_it_wraps_around_only_where_it_may() -> None:
    """`if (some) x = 3; else x = most; y = x + 1` in 8 bits: `y` is a choice only where it may be 256."""
    for most, wraps in ((254, False), (255, True)):
        b = ProgramBuilder()
        a, byte = b.arena, Range(0, 255)
        some, x, y = (b.variable(f"main::{name}", byte) for name in ("some", "x", "y"))
        entry, read, one, two, met, added, end = (b.location() for _ in range(7))
        more = a.add(x, a.one)
        wrapped = a.ite(a.le(more, a.integer(255)), more, a.subtract(more, a.integer(256)))
        b.assign(entry, read, (some, b.input("nondet", byte)))
        b.assume(read, one, a.equals(some, a.zero))
        b.assume(read, two, a.not_(a.equals(some, a.zero)))
        b.assign(one, met, (x, a.integer(3)))
        b.assign(two, met, (x, a.integer(most)))
        b.assign(met, added, (y, wrapped))
        b.assume(added, b.error(), a.not_(a.equals(y, a.integer(4))))
        b.assume(added, end, a.equals(y, a.integer(4)))
        b.function("main", entry, end, (), (some, x, y))
        recording = Recording()
        unrolling = recording.unrolling(Expansion(b.program(), BlockEncoding.STATEMENTS))
        (error,) = unrolling.unroll(1)
        defined = [s for s in subterms(*recording.told) if s.is_symbol and s.name.startswith("main::x")]
        assert [unrolling.range_of(s) for s in defined] == [Range(3, most)]
        assert any(t.is_choice for t in subterms(*recording.told)) is wraps
        assert isinstance(recording.solver.check([error.guard]), Sat)


def test_rounds_that_are_known_count_where_an_unrolling_is_large() -> None:
    unrolling = Recording().unrolling(Expansion(counting_loop(10 * KNOWN), BlockEncoding.LARGE))
    unrolling.unroll(1)
    assert len(unrolling.frontier) == 1
    assert len(unrolling.instances) <= 2 * KNOWN


def test_errors_that_executions_reach_and_others() -> None:
    expansion = Expansion(counting(), BlockEncoding.LARGE)
    reached: dict[int, int] = {}
    for bound in range(1, 8):
        recording = Recording()
        unrolling = recording.unrolling(expansion)
        for error in unrolling.unroll(bound):
            answer = recording.solver.check([error.guard])
            check = expansion.check(error.at)
            assert check is not None
            if isinstance(answer, Sat):
                reached.setdefault(check.id, bound)
                path = unrolling.path_to(error, answer.model)
                assert path[-1].target == error.at
                assert isinstance(check_path(expansion, path, recording.factory, None), Unsafe)
            else:
                assert isinstance(answer, Unsat)
    assert reached == {1: 6}


def test_an_unrolling_grows_linearly_however_paths_branch() -> None:
    expansion = Expansion(counting(), BlockEncoding.LARGE)
    sizes: list[int] = []
    for bound in range(1, 7):
        unrolling = Recording().unrolling(expansion)
        unrolling.unroll(bound)
        sizes.append(len(unrolling.instances))
    assert all(after - before <= 3 for before, after in pairwise(sizes))


def test_calls_and_recursion_end() -> None:
    for program in (calling(), recursive()):
        unrolling = Recording().unrolling(Expansion(program, BlockEncoding.LARGE))
        unrolling.unroll(8)
        assert unrolling.frontier == []


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_steps_lead_to_places_further_on(seed: int) -> None:
    """So the instance of a place is made when all of its arcs have arrived, also where loops have two entries."""
    program = random_program(seed)
    expansion = Expansion(program, BlockEncoding.LARGE)
    loops = Loops(program)
    places = [UnwoundPlace(expansion.start, loops.numbers(expansion.start, 0))]
    for _ in range(100):
        place = places[Random(seed).randrange(len(places))] if len(places) > 50 else places[-1]
        following = [loops.after(place, step) for step in expansion.steps(place.at)]
        for place_after in following:
            assert loops.position(place_after) > loops.position(place)
        places += following or [places[0]]


def test_arrays_become_chains_of_stores() -> None:
    random = RandomTerms(5)
    arena = random.arena
    for _ in range(60):
        base = random.arrays[0]
        array = base
        for _ in range(4):
            written = arena.store(array, random.integer(1), random.integer(1))
            array = arena.ite(random.formula(1), written, random.random.choice((array, base, written)))
        chain = chain_of_stores(arena, array)
        assert not any(t.op is Op.ITE and isinstance(t.sort, ArraySort) for t in subterms(chain))
        for _ in range(5):
            values = random.values()
            index = arena.integer(random.random.randint(-3, 3))
            expected = evaluate(arena.select(array, index), values)
            assert evaluate(arena.select(chain, index), values) == expected


def test_arrays_without_a_common_one_stay_a_choice() -> None:
    random = RandomTerms(1)
    a, b = random.arrays
    chosen = random.arena.ite(random.booleans[0], a, b)
    assert chain_of_stores(random.arena, chosen) is chosen


def test_what_followed_executions_reach_is_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a solver is asked all the same, it says that it is reached."""
    reached, total = list[Instance](), list[int]()
    reach = Witnesses.reach

    def noted(witnesses: Witnesses, instance: Instance) -> bool:
        if reach(witnesses, instance):
            reached.append(instance)
            return True
        return False

    monkeypatch.setattr(Witnesses, "reach", noted)
    for seed in range(30):
        recording = Recording()
        recording.unrolling(Expansion(ShortLoops(seed).program(), BlockEncoding.LARGE)).unroll(3)
        found, reached[:] = tuple(reached), []
        assert all(isinstance(recording.solver.check([instance.guard]), Sat) for instance in found)
        total.append(len(found))
    assert sum(total) > 10


def test_globals_that_nobody_reads_any_more_have_no_values_unless_they_are_kept() -> None:
    b = ProgramBuilder()
    x, y = b.variable("x"), b.variable("y")
    start, middle, error = b.location(), b.location(), b.error()
    b.assign(start, middle, (x, b.arena.integer(1)), (y, b.arena.integer(2)))
    b.assume(middle, error, b.arena.lt(b.arena.zero, y))
    b.function("main", start, error)
    expansion = Expansion(b.program(), BlockEncoding.STATEMENTS)
    for keeps, expected in ((False, {y}), (True, {x, y})):
        unrolling = Unrolling(expansion, expansion.start, Z3Factory()(), Limits(), keeps_globals=keeps)
        unrolling.unroll(1)
        assert set(unrolling.instances[1].values) == expected


def test_a_symbol_of_a_variable_without_a_range_has_that_of_the_values_that_define_it() -> None:
    b = ProgramBuilder()
    x, chosen, high = b.variable("x", None), b.input("chosen", Range(0, 7)), 1 << 40
    start, left, right, met, error = (*(b.location() for _ in range(4)), b.error())
    b.assume(start, left, b.arena.lt(b.arena.zero, chosen))
    b.assume(start, right, b.arena.le(chosen, b.arena.zero))
    b.assign(left, met, (x, chosen))
    b.assign(right, met, (x, b.arena.integer(high)))
    b.assume(met, error, b.arena.lt(b.arena.integer(3), x))
    b.function("main", start, error)
    expansion = Expansion(b.program(), BlockEncoding.STATEMENTS)
    unrolling = Unrolling(expansion, expansion.start, Z3Factory()(), Limits())
    unrolling.unroll(1)
    (value,) = (one.values[x] for one in unrolling.instances if one.at.location == met)
    assert unrolling.range_of(value) == Range(0, high)
