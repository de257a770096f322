"""Slices, sequence interpolants and weakest preconditions of random infeasible paths, against their laws."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from bdd import best_manager
from core.limits import LimitReached, Limits
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.program.semantics import StaticSingleAssignment, Transition, range_facts
from core.solver.contract import Sat, Unsat
from core.solver.z3_solver import Z3Factory
from core.terms import INT_ARRAY, Arena, Op, Term, literals, substitute, to_math
from core.verdict import Unsafe
from methods.discovery.horn import PathSystem, chain, path_program
from methods.discovery.interpolation import SlicedPath, related_core, slice_path, weakest_preconditions
from methods.discovery.spacer import Spacer
from methods.domains.predicate import Abstraction, PredicateScope
from methods.paths.pathformula import Infeasible, check_path
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program


def random_path(expansion: Expansion, random: Random, length: int) -> list[Step]:
    at, path = expansion.start, list[Step]()
    while len(path) < length and expansion.steps(at):
        path.append(random.choice(expansion.steps(at)))
        at = path[-1].target
    return path


def infeasible_paths(seeds: range) -> Iterator[tuple[Expansion, list[Step], Infeasible]]:
    for seed in seeds:
        expansion = Expansion(random_program(seed, 6), BlockEncoding.BASIC)
        path = random_path(expansion, Random(seed), 25)
        result = check_path(expansion, path, Z3Factory(0), None)
        if isinstance(result, Infeasible):
            yield expansion, path, result


def valid(expansion: Expansion, hypotheses: list[Term], goal: Term) -> bool:
    """Whether the hypotheses imply the goal wherever all values are in range."""
    solver = Z3Factory(0)()
    solver.add(*range_facts(expansion.arena, [*hypotheses, goal], expansion.range_of))
    solver.add(*hypotheses, expansion.arena.not_(goal))
    return isinstance(solver.check(), Unsat)


def feasible(expansion: Expansion, path: SlicedPath) -> bool:
    ssa = StaticSingleAssignment(expansion.arena)
    constraints = [c for t in path.transitions for c in ssa.step(t, expansion.is_input)]
    solver = Z3Factory(0)()
    solver.add(*constraints)
    solver.add(*range_facts(expansion.arena, constraints, lambda s: expansion.range_of(ssa.origin.get(s, s))))
    return isinstance(solver.check(), Sat)


def test_a_slice_keeps_what_refutes_the_path_and_little_else() -> None:
    number = 0
    for expansion, path, core in infeasible_paths(range(60)):
        number += 1
        sliced = slice_path(expansion, path, core)
        assert len(sliced.transitions) == len(path) == len(sliced.before) - 1
        assert sliced.before[-1] == ()
        assert not feasible(expansion, sliced)
        for step, t, before in zip(path, sliced.transitions, sliced.before, strict=False):
            assert t.updates.items() <= step.transition.updates.items()
            assert {s for s in t.reads if not expansion.is_input(s)} <= set(before)
    assert number > 20


@pytest.mark.long
def test_spacer_gives_sequence_interpolants() -> None:
    """I_0 = true; each holds after the one before and its step; they speak about what matters; the last is false."""
    found = 0
    spacer = Spacer(Limits())
    try:
        for expansion, path, core in infeasible_paths(range(40)):
            system = chain(expansion, slice_path(expansion, path, core))
            found += interpreted(expansion, spacer, system, path)
    finally:
        spacer.close()
    assert found >= 15


@pytest.mark.long
def test_path_programs_have_inductive_interpretations() -> None:
    """Interpretations of a path program hold after every step of the path, however often the steps are repeated."""
    found = 0
    spacer = Spacer(Limits())
    try:
        for expansion, path, _ in infeasible_paths(range(60)):
            system = path_program(
                expansion, path, PredicateScope(expansion, Abstraction(expansion.arena, best_manager())).live
            )
            if system is not None:
                found += interpreted(expansion, spacer, system, path)
    finally:
        spacer.close()
    assert found >= 3


def interpreted(expansion: Expansion, spacer: Spacer, system: PathSystem, path: Sequence[Step]) -> bool:
    """Whether Spacer finds interpretations; if so, they satisfy every rule and give candidates without inputs."""
    formulas = spacer.interpretations(expansion.arena, system)
    if formulas is None:
        return False
    for rule in system.rules:
        head = rule.head
        updates = {} if head is None else dict(zip(system.arguments[head.relation], head.values, strict=True))
        step = Transition(expansion.arena, rule.constraint, updates)
        premise = [formulas[p.relation] for p in rule.premises]
        goal = expansion.arena.false if head is None else formulas[head.relation]
        assert valid(expansion, [*premise, rule.constraint], step.after(goal))
    for formula, arguments in zip(formulas, system.arguments, strict=True):
        assert formula.symbols() <= set(arguments)
    candidates = system.candidates(formulas, expansion.arena.true, "test")
    assert len(candidates.formulas) == len(path) + 1
    for _, atom in candidates.atoms(expansion.arena, expansion.is_input):
        assert not any(map(expansion.is_input, atom.symbols()))
    return True


def test_a_closed_spacer_starts_again() -> None:
    expansion, path, core = next(infeasible_paths(range(60)))
    system = chain(expansion, slice_path(expansion, path, core))
    spacer = Spacer(Limits())
    try:
        first = spacer.interpretations(expansion.arena, system)
        spacer.close()
        assert spacer.interpretations(expansion.arena, system) == first
    finally:
        spacer.close()


def test_spacer_counts_against_the_limits() -> None:
    expansion, path, core = next(infeasible_paths(range(60)))
    system = chain(expansion, slice_path(expansion, path, core))
    limits = Limits(time.process_time() + 1000)
    spacer = Spacer(limits)
    try:
        assert spacer.interpretations(expansion.arena, system) is not None
        assert limits.running > 0
    finally:
        spacer.close()
    assert limits.running == 0
    with pytest.raises(LimitReached):
        Spacer(Limits(0.0)).interpretations(expansion.arena, system)


def test_weakest_preconditions_lead_into_each_other() -> None:
    for expansion, path, core in infeasible_paths(range(60)):
        sliced = slice_path(expansion, path, core)
        formulas = weakest_preconditions(expansion, sliced).formulas
        assert len(formulas) == len(path) + 1
        assert formulas[-1].is_true
        for i, (t, before, after) in enumerate(zip(sliced.transitions, formulas, formulas[1:], strict=False)):
            inputs = [s for s in t.reads if expansion.is_input(s)]
            assert not any(map(expansion.is_input, before.symbols()))
            if not before.is_true and not inputs:
                assert before is t.pre(after)
            elif not before.is_true:
                copies = {s: expansion.arena.copy(s, f"{s.name}@{i}") for s in inputs}
                assert valid(expansion, [substitute(expansion.arena, t.pre(after), copies)], before)


def opened(chosen: Callable[[Arena, Term, Term], Term]) -> tuple[Expansion, list[Step]]:
    """`open = {0}; k = …; m = nondet();` and the error if `open[m] != 0`, and what is `chosen` of m and k, holds."""
    b = ProgramBuilder()
    a, elements, k, m = b.arena, b.array("open"), b.variable("main::k"), b.input("nondet")
    entry, loop, done = b.location(), b.location(loop=True), b.location()
    b.assign(entry, loop, (elements, a.const_array(INT_ARRAY, a.zero)))
    b.assume(loop, b.error(), a.and_(a.not_(a.equals(a.select(elements, m), a.zero)), chosen(a, m, k)))
    b.assume(loop, loop, a.true)
    b.assume(loop, done, a.true)
    b.function("main", entry, done, (), (k,))
    expansion = Expansion(b.program(), BlockEncoding.BASIC)
    (first,) = expansion.steps(expansion.start)
    return expansion, [first, next(s for s in expansion.steps(first.target) if expansion.check(s.target))]


@pytest.mark.parametrize(
    ("chosen", "index"),
    [
        (lambda a, m, k: a.equals(m, k), "main::k"),
        (lambda a, m, k: a.equals(k, a.add(m, a.integer(3))), "main::k - 3"),
        (lambda a, m, k: a.equals(a.add(k, m), a.one), "-main::k + 1"),
    ],
)
def test_inputs_are_eliminated_where_an_equality_determines_them(
    chosen: Callable[[Arena, Term, Term], Term], index: str
) -> None:
    expansion, path = opened(chosen)
    core = Infeasible(((), tuple(g for g in literals(path[1].transition.guard) if g.op is Op.NOT)))
    sliced = slice_path(expansion, path, core)
    assert not list(weakest_preconditions(expansion, sliced).atoms(expansion.arena, expansion.is_input))
    related = related_core(expansion, path, core, sliced)
    assert related is not None
    formulas = weakest_preconditions(expansion, slice_path(expansion, path, related)).formulas
    assert [to_math(f) for f in formulas] == ["true", f"open[{index}] ≠ 0", "true"]


def test_equalities_that_determine_no_input_are_left() -> None:
    expansion, path = opened(lambda a, m, k: a.equals(a.multiply(a.integer(2), m), k))
    core = Infeasible(((), literals(path[1].transition.guard)))
    sliced = slice_path(expansion, path, core)
    assert related_core(expansion, path, core, sliced) is None
    candidates = weakest_preconditions(expansion, sliced)
    assert {s.name for s in candidates.formulas[1].symbols()} == {"open", "main::k", "nondet@1"}
    assert not list(candidates.atoms(expansion.arena, expansion.is_input))


def test_too_large_preconditions_are_given_up() -> None:
    expansion, path, core = next(infeasible_paths(range(60)))
    formulas = weakest_preconditions(expansion, slice_path(expansion, path, core), size_limit=0).formulas
    assert all(f.is_true for f in formulas)


@pytest.mark.parametrize("seed", range(20))
def test_feasible_paths_name_every_input_once_per_execution(seed: int) -> None:
    expansion = Expansion(random_program(seed, 6), BlockEncoding.BASIC)
    path = random_path(expansion, Random(seed + 100), 12)
    result = check_path(expansion, path, Z3Factory(0), None)
    if isinstance(result, Unsafe):
        entered = [s for s in path if len(s.target.stack) >= len(s.source.stack)]
        consumed = [symbol for s in entered for edge in s.edges for symbol in expansion.inputs_of(edge)]
        assert [i.name for i in result.inputs] == [expansion.program.inputs[s].name for s in consumed]
        assert result.path == tuple(edge.id for s in path for edge in s.edges)
        assert len({(i.name, i.span, i.occurrence) for i in result.inputs}) == len(result.inputs)


def test_what_bounds_on_an_input_say_about_variables_is_added() -> None:
    """`r = input; if (r >= 2 * n) if (r < m) error();` needs `2 * n < m` before."""
    b = ProgramBuilder()
    a, n, m, r = b.arena, b.variable("n"), b.variable("m"), b.variable("r")
    read = b.input("read")
    at = [b.location() for _ in range(4)]
    b.assume(at[0], at[1], a.le(m, n))
    b.assign(at[1], at[2], (r, read))
    b.assume(at[2], at[3], a.ge(r, a.multiply(a.integer(2), n)))
    b.assume(at[3], b.error(), a.lt(r, m))
    b.assume(at[3], at[0], a.ge(r, m))
    b.function("main", at[0], at[0])
    expansion = Expansion(b.program(), BlockEncoding.STATEMENTS)
    steps = [expansion.steps(At((), location))[0] for location in range(4)]
    guards = Infeasible(tuple(literals(step.transition.guard) for step in steps))
    found = weakest_preconditions(expansion, slice_path(expansion, steps, guards))
    wanted = a.gt(m, a.multiply(a.integer(2), n))
    atom = wanted.args[0] if wanted.op is Op.NOT else wanted
    assert (1, atom) in list(found.atoms(a, expansion.is_input)) or (0, atom) in list(
        found.atoms(a, expansion.is_input)
    )
