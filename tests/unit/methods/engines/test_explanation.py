"""Explanations of infeasible paths in events, against their laws, on random programs with calls and recursion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count

import pytest

from bdd import Bdd, best_manager
from core.limits import Interrupted
from core.program import Call, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion, Step
from core.program.semantics import StaticSingleAssignment, Transition, range_facts, transition
from core.solver.contract import Unsat
from core.solver.z3_solver import Z3Factory
from core.terms import Term
from methods.domains.predicate import Abstraction, PredicateDomain
from methods.engine import Edit, EditAction
from methods.engines.transition.explanation import edges_of, first_edges
from methods.engines.transition.options import RefinementMethod, TransitionOptions
from methods.engines.transition.refiner import TransitionRefiner
from methods.refinement.loop import Refinement as Result
from methods.refinement.loop import refine_until_decided
from methods.refinement.reachability_graph import AbstractPath, ReachabilityGraph
from runs.events import Level, PathFound, TermDefined
from runs.termtable import TermReader
from tests.support.contexts import RecordingContext
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program


@dataclass
class Observed:
    """The refinements of one run: the steps of each path, and what was reported of it."""

    expansion: Expansion
    found: list[tuple[tuple[Step, ...], PathFound]]
    terms: TermReader


class Watcher:
    """A refiner that notes each path with its report."""

    def __init__(self, refiner: TransitionRefiner, context: RecordingContext) -> None:
        self._refiner = refiner
        self._context = context
        self.found: list[tuple[tuple[Step, ...], PathFound]] = []

    def refine(self, path: AbstractPath[Bdd]) -> Result:
        result = self._refiner.refine(path)
        reports = [event for event in self._context.events if isinstance(event, PathFound)]
        assert len(reports) == len(self.found) + 1
        self.found.append((path.steps, reports[-1]))
        return result

    def edit(self, edits: Sequence[Edit]) -> None:
        self._refiner.edit(edits)


ROUNDS = 6  # recursion without bound goes on for ever
STOP = Edit(EditAction.STOP, None, None)


def observed(program: Program, options: TransitionOptions, level: Level = Level.STATES) -> Observed:
    context = RecordingContext(level, seconds=60, edits={ROUNDS: [STOP]})
    expansion = Expansion(program, options.blocks)
    abstraction = Abstraction(program.arena, best_manager(), options.seeding)
    with closing(TransitionRefiner(expansion, abstraction, context, options, count())) as refiner:
        watcher = Watcher(refiner, context)
        graph = ReachabilityGraph(expansion, PredicateDomain(expansion, abstraction), abstraction, context)
        with suppress(Interrupted):
            refine_until_decided(graph, watcher, [check.id for check in program.checks], context)
    terms = TermReader(program.arena)
    for event in context.events:
        if isinstance(event, TermDefined):
            terms.define(event)
    return Observed(expansion, watcher.found, terms)


def unsatisfiable(expansion: Expansion, formulas: Sequence[Term], facts: Sequence[Term] = ()) -> bool:
    solver = Z3Factory(0)()
    solver.add(*formulas, *facts, *range_facts(expansion.arena, formulas, expansion.range_of))
    return isinstance(solver.check(), Unsat)


def without(expansion: Expansion, steps: Sequence[Step], core: Sequence[int]) -> Iterator[Transition]:
    """The path edge by edge, where edges outside the core assume nothing and assign any value of the range."""
    arena, positions = expansion.arena, iter(range(len(edges_of(steps))))
    anything = (f"any{n}" for n in count())
    for step in steps:
        for edge in step.edges:
            kept = next(positions) in core
            rename = expansion.in_frame(step.source)
            if isinstance(edge.operation, Call):
                t = step.transition
            else:
                plain = transition(arena, edge.operation)
                updates = {rename(x): rename(v) for x, v in plain.updates.items()}
                t = Transition(arena, rename(plain.guard), updates)
            if kept:
                yield t
            else:
                yield Transition(arena, arena.true, {x: arena.copy(x, next(anything)) for x in t.updates})


def core_is_infeasible(expansion: Expansion, steps: Sequence[Step], core: Sequence[int]) -> bool:
    arena = expansion.arena
    ssa = StaticSingleAssignment(arena)
    constraints = [c for t in without(expansion, steps, core) for c in ssa.step(t, expansion.is_input)]
    facts = range_facts(arena, constraints, lambda s: expansion.range_of(arena.original(s)))
    return unsatisfiable(expansion, constraints, facts)


OPTIONS = [
    TransitionOptions(),
    TransitionOptions(blocks=BlockEncoding.STATEMENTS),
    TransitionOptions(blocks=BlockEncoding.LARGE),
]


@pytest.mark.long
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: str(options.blocks))
def test_cores_and_interpolants_of_random_programs_satisfy_their_laws(options: TransitionOptions, every: int) -> None:
    interpolated = 0
    for seed in range(5, 28, every):  # some others recur without an end and without a path
        run = observed(random_program(seed, 5), options)
        arena = run.expansion.arena
        for steps, report in run.found:
            if report.result == "feasible":
                assert report.core == report.interpolants == ()
                continue
            assert report.edges == tuple(edge.id for edge in edges_of(steps))
            assert core_is_infeasible(run.expansion, steps, report.core), (seed, report)
            if options.blocks is BlockEncoding.STATEMENTS:  # else an edge is left out with those beside it
                for one in report.core:
                    others = [at for at in report.core if at != one]
                    assert not core_is_infeasible(run.expansion, steps, others), (seed, report, one)
            if not report.interpolants:
                continue
            interpolated += 1
            positions = first_edges(steps)
            assert len(report.interpolants) == len(report.edges) + 1
            assert all((n >= 0) == (i in positions) for i, n in enumerate(report.interpolants))
            formulas = [run.terms.term(report.interpolants[i]) for i in positions]
            assert formulas[0] is arena.true
            assert formulas[-1] is arena.false
            for before, step, after in zip(formulas, steps, formulas[1:], strict=False):
                refuted = [before, step.transition.guard, arena.not_(step.transition.after(after))]
                assert unsatisfiable(run.expansion, refuted), (seed, step)
    assert interpolated > 10 // every


def one_path() -> Program:
    """`x = 0; y = 5; x = x + 1; if (y > 3) if (x != 1) error();`, where y is irrelevant."""
    b = ProgramBuilder()
    x, y = b.variable("x"), b.variable("y")
    a = b.arena
    at = [b.location() for _ in range(5)]
    exit_ = b.location()
    b.assign(at[0], at[1], (x, a.zero))
    b.assign(at[1], at[2], (y, a.integer(5)))
    b.assign(at[2], at[3], (x, a.add(x, a.one)))
    b.assume(at[3], at[4], a.gt(y, a.integer(3)))
    b.assume(at[4], b.error(), a.not_(a.equals(x, a.one)))
    b.assume(at[4], exit_, a.equals(x, a.one))
    b.function("main", at[0], exit_)
    return b.program("main")


def test_an_explanation_names_what_matters_and_nothing_else() -> None:
    run = observed(one_path(), TransitionOptions(blocks=BlockEncoding.STATEMENTS))
    (_, report), *_ = run.found
    assert (report.result, report.core) == ("spurious", (0, 2, 4))
    formulas = [run.terms.term(number) for number in report.interpolants]
    assert [sorted(s.name for s in formula.symbols()) for formula in formulas] == [[], ["x"], ["x"], ["x"], ["x"], []]


def test_what_the_slice_has_but_the_contradiction_does_not_need_is_left_out() -> None:
    """`x = 0; y = x; if (y < z) if (y >= z) error();`: two conditions contradict, whatever `y` is."""
    b = ProgramBuilder()
    x, y, z = b.variable("x"), b.variable("y"), b.variable("z")
    a = b.arena
    at = [b.location() for _ in range(4)]
    exit_ = b.location()
    b.assign(at[0], at[1], (x, a.zero))
    b.assign(at[1], at[2], (y, x))
    b.assume(at[2], at[3], a.lt(y, z))
    b.assume(at[3], b.error(), a.ge(y, z))
    b.assume(at[3], exit_, a.lt(y, z))
    b.function("main", at[0], exit_)
    run = observed(b.program("main"), TransitionOptions(blocks=BlockEncoding.STATEMENTS))
    (_, report), *_ = run.found
    assert report.core == (2, 3)


def test_inside_of_a_basic_block_the_core_is_found_and_interpolants_are_left_out() -> None:
    run = observed(one_path(), TransitionOptions())
    (_, report), *_ = run.found
    assert report.core == (0, 2, 4)
    assert [i for i, number in enumerate(report.interpolants) if number >= 0] == [0, 5]


def test_nothing_is_explained_where_nobody_reads_it() -> None:
    run = observed(one_path(), TransitionOptions(), Level.SUMMARY)
    assert all(report.core == report.interpolants == () for _, report in run.found)


def test_an_excluded_counterexample_says_nothing_about_its_path() -> None:
    run = observed(one_path(), TransitionOptions(refinement=RefinementMethod.DAS_DILL))
    assert {report.result for _, report in run.found} <= {"refuted", "spurious"}
    assert all(report.interpolants == () for _, report in run.found if report.result == "refuted")


def test_assignments_of_a_call_are_part_of_the_core() -> None:
    b = ProgramBuilder()
    p, a = b.variable("f::p"), b.arena
    entry, done, inside, exit_ = b.location(), b.location(), b.location("f"), b.location("f")
    b.call(entry, done, "f", a.one)
    b.assume(inside, b.error("f"), a.equals(p, a.zero))
    b.assume(inside, exit_, a.not_(a.equals(p, a.zero)))
    b.function("main", entry, done)
    b.function("f", inside, exit_, (p,))
    program = b.program("main")
    run = observed(program, TransitionOptions())
    (steps, report), *_ = run.found
    assert isinstance(edges_of(steps)[0].operation, Call)
    assert report.core == (0, 1)
