"""All paths of one length at once: their layers, the laws of what T̂ learns of them, and the end on finite systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from random import Random

import pytest

from bdd import best_manager
from core.program.automaton import Program, Range
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion, Step
from core.program.semantics import range_facts
from core.solver.contract import Unsat
from core.solver.z3_solver import Z3Factory
from core.terms import Op, Term
from core.verdict import Safe, Unsafe
from methods.domains.options import Seeding
from methods.domains.predicate import Abstraction, PredicateDomain
from methods.engine import Edit, EditAction
from methods.engines.transition import layers as module
from methods.engines.transition.engine import TransitionEngine
from methods.engines.transition.layers import Layers, all_as_long, alone
from methods.engines.transition.lemmas import LemmaFormulas
from methods.engines.transition.options import ExcludedPaths, InterpolationMethod, TransitionOptions
from methods.engines.transition.refiner import TransitionRefiner
from methods.paths.pathformula import check_path
from runs.events import Level, PathFound
from tests.support.contexts import RecordingContext
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program

LONGEST = 9
SEEDS = (0, 3, 5, 8, 12, 17, 21, 26)


def paths(expansion: Expansion, length: int, check: int) -> list[tuple[Step, ...]]:
    """All paths of some length to a check, one after the other."""
    found: list[tuple[Step, ...]] = [()]
    for _ in range(length):
        found = [
            (*path, step) for path in found for step in expansion.steps(path[-1].target if path else expansion.start)
        ]
    ends = [(path, expansion.check(path[-1].target)) for path in found]
    return [path for path, at in ends if at is not None and at.id == check]


def through(layers: Layers) -> list[tuple[Step, ...]]:
    found: list[tuple[Step, ...]] = [()]
    for layer in layers:
        found = [(*path, step) for path in found for step in layer if not path or step.source == path[-1].target]
    return found


class Setting:
    """The paths to a check of a random program, and predicates that tell all its states apart, or a few at random."""

    def __init__(self, seed: int, exact: bool, method: InterpolationMethod = InterpolationMethod.CORES) -> None:
        self.random = Random(seed)
        self.program = random_program(seed, 4)
        self.expansion = Expansion(self.program, BlockEncoding.BASIC)
        self.abstraction = Abstraction(self.program.arena, best_manager(), Seeding.LAZY)
        for atom in values(self.program) if exact else [self._atom() for _ in range(8)]:
            self.abstraction.add(atom)
        options = TransitionOptions(interpolants=method, paths=ExcludedPaths.ALL, seeding=Seeding.LAZY)
        self.refiner = TransitionRefiner(self.expansion, self.abstraction, RecordingContext(), options, count())

    def _atom(self) -> Term:
        a = self.program.arena
        x, y = self.random.sample(list(self.program.variables), 2)
        left = self.random.choice((x, a.subtract(x, y)))
        atom = self.random.choice((a.le, a.equals))(left, a.integer(self.random.randint(-2, 2)))
        return atom.args[0] if atom.op is Op.NOT else atom

    def goals(self) -> Iterator[tuple[int, list[tuple[Step, ...]]]]:
        """The lengths, and all paths of it to a check."""
        for check in self.program.checks:
            for length in range(1, LONGEST + 1):
                if found := paths(self.expansion, length, check.id):
                    yield check.id, found

    def explored(self, path: Sequence[Step]) -> bool:
        """Whether exploration along the path alone, from the start, arrives."""
        domain = PredicateDomain(self.expansion, self.abstraction)
        states = [domain.initial(self.expansion.start, self.abstraction)]
        for step in path:
            states = [s for state in states for s in domain.successors(state, step, self.abstraction)]
        return bool(states)

    def feasible(self, path: Sequence[Step]) -> bool:
        return isinstance(check_path(self.expansion, path, Z3Factory(0), None), Unsafe)

    def implied(self, formula: Term) -> bool:
        arena, solver = self.program.arena, Z3Factory(0)()
        solver.add(arena.not_(formula), *range_facts(arena, [formula], self.expansion.range_of))
        return isinstance(solver.check(), Unsat)


def values(program: Program) -> list[Term]:
    """An atom for each value of each variable: together they tell all states apart."""
    found: list[Term] = []
    for x in program.variables:
        bounds = program.range_of(x)
        assert bounds is not None
        found += [program.arena.equals(x, program.arena.integer(v)) for v in range(bounds.low, bounds.high + 1)]
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_paths_through_the_layers_are_those_of_one_length_to_the_check(seed: int) -> None:
    setting = Setting(seed, exact=False)
    for check, found in setting.goals():
        layers = all_as_long(setting.expansion, found[-1], check)
        assert sorted(through(layers), key=repr) == sorted(found, key=repr)


def test_where_there_are_too_many_steps_the_path_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(0, exact=False)
    check, found = max(setting.goals(), key=lambda goal: len(goal[1]))
    assert len(found) > 1
    monkeypatch.setattr(module, "MOST_STEPS", 1)
    assert all_as_long(setting.expansion, found[0], check) == alone(found[0])


@pytest.mark.long
@pytest.mark.parametrize("method", InterpolationMethod)
@pytest.mark.parametrize("seed", SEEDS)
def test_lemmas_are_implied_by_their_steps_and_exclude_all_paths(seed: int, method: InterpolationMethod) -> None:
    setting = Setting(seed, exact=False, method=method)
    formulas = LemmaFormulas(setting.program.arena, setting.abstraction)
    with closing(setting.refiner):
        for check, found in setting.goals():
            changed: list[int] = []
            left = setting.refiner.strengthen(all_as_long(setting.expansion, found[0], check), found[0], changed)
            assert left in found or left is None
            assert left is None or setting.explored(left)
            assert left is not None or not any(map(setting.explored, found))
            assert left is not None or not any(map(setting.feasible, found))
            assert all(0 <= position < len(found[0]) for position in changed)
    assert all(map(setting.implied, formulas.valid()))


@pytest.mark.long
@pytest.mark.parametrize("method", InterpolationMethod)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_path_that_exact_predicates_leave_is_an_execution(seed: int, method: InterpolationMethod) -> None:
    setting = Setting(seed, exact=True, method=method)
    with closing(setting.refiner):
        for check, found in setting.goals():
            left = setting.refiner.strengthen(all_as_long(setting.expansion, found[0], check), found[0], [])
            assert (left is not None and setting.feasible(left)) or not any(map(setting.feasible, found))


def counter(last: int, reset: int) -> tuple[Program, list[Term]]:
    """A counter that an input may hold, and that goes from `reset` back to zero; it must not be `last`."""
    b = ProgramBuilder()
    a, x, go = b.arena, b.variable("x", Range(0, 15)), b.input("nondet", Range(0, 1))
    entry, head, body, count_, zero, done = (b.location(loop=k == 1) for k in range(6))
    b.assign(entry, head, (x, a.zero))
    b.assume(head, b.error(), a.equals(x, a.integer(last)))
    b.assume(head, body, a.not_(a.equals(x, a.integer(last))))
    b.assume(body, count_, a.and_(a.equals(go, a.one), a.not_(a.equals(x, a.integer(reset)))))
    b.assume(body, zero, a.and_(a.equals(go, a.one), a.equals(x, a.integer(reset))))
    b.assume(body, head, a.equals(go, a.zero))
    b.assign(count_, head, (x, a.add(x, a.one)))
    b.assign(zero, head, (x, a.zero))
    b.function("main", entry, done)
    program = b.program()
    return program, values(program)


@pytest.mark.parametrize("method", InterpolationMethod)
@pytest.mark.parametrize(("last", "holds"), [(6, True), (3, False)])
def test_finite_systems_are_decided_without_other_predicates(
    last: int, holds: bool, method: InterpolationMethod
) -> None:
    program, atoms = counter(last, reset=4)
    options = {"paths": "all", "seeding": "lazy", "interpolants": method.value}
    given = [Edit(EditAction.ADD_PREDICATE, atom, None) for atom in atoms]
    context = RecordingContext(Level.SUMMARY, options=options, edits={0: given})
    outcome = TransitionEngine().run(program, [0], context)[0]
    assert isinstance(outcome, Safe if holds else Unsafe)
    found = [event.result for event in context.events if isinstance(event, PathFound)]
    assert "spurious" not in found
    assert len(found) > 0
