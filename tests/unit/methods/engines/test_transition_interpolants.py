"""Transition interpolants, both ways: figure 2 of the paper formula by formula, and their laws on random paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from enum import Enum, auto
from itertools import count
from random import Random

import pytest

from bdd import best_manager
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.program.semantics import range_facts
from core.solver.contract import Unsat
from core.solver.z3_solver import Z3Factory
from core.terms import Op, Term, to_math
from methods.domains.options import Seeding
from methods.domains.predicate import (
    Abstraction,
    ApproximateTransition,
    Constraint,
    PredicateDomain,
    PredicateScope,
    TransitionClause,
)
from methods.engines.transition.abstractformula import AbstractPathFormula, TheoryLemmas
from methods.engines.transition.abstractpath import PropositionalPaths
from methods.engines.transition.layers import alone
from methods.engines.transition.options import InterpolationMethod, Strength, TransitionOptions
from methods.engines.transition.proofs import PathRefutation, ProofInterpolation
from methods.engines.transition.refiner import TransitionRefiner
from methods.paths.pathformula import Infeasible, check_path
from runs.events import InterpolantsFound, Level, TermDefined
from runs.termtable import TermReader
from sat.circuit import Circuit, CircuitBuilder
from sat.interpolants import symmetric_interpolants
from sat.raising import raised
from sat.refutation import refute
from sat.resolution import Hypothesis, Proof, Resolution
from tests.support.contexts import RecordingContext
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program
from tests.support.resolution_checker import check_refutation
from tests.unit.methods.engines.test_abstract_path import figure_2

SAME, FULL, LESS = range(3)  # x = z, a[z] = y, a[z] = y - 1: the predicates of figure 2


def v(p: int) -> int:
    """v_p as a variable of a circuit."""
    return Constraint.input_of(p, False)


def w(p: int) -> int:
    """v'_p."""
    return Constraint.input_of(p, True)


# Interpolants of the second step, y ← y + 1. The paper prints both of them: in figure 2, and in section 7.
STRONG = {(-v(FULL), w(LESS)), (-w(SAME), v(SAME))}
FIGURE_2 = {0: {(-w(SAME), w(FULL))}, 1: STRONG, 2: {(-v(LESS), w(LESS)), (v(SAME),)}, 3: {(-v(LESS),)}}


class Figure2:
    """The formula of the path in figure 2, over the predicates of the paper; nothing is known in advance."""

    def __init__(self) -> None:
        program, predicates = figure_2()
        self.expansion = Expansion(program, BlockEncoding.STATEMENTS)
        self.abstraction = Abstraction(program.arena, best_manager(), Seeding.LAZY)
        for p in predicates:
            self.abstraction.add(p)
        self.scope = PredicateScope(self.expansion, self.abstraction)
        self.path = [step for k in range(4) for step in self.expansion.steps(At((), k))]
        self.formula = AbstractPathFormula(alone(self.path), self.abstraction, self.scope, TheoryLemmas())

    def interpolants(self, proof: Proof[int]) -> dict[int, Circuit]:
        return {i: self.formula.shifted(c, i) for i, c in sorted(symmetric_interpolants(proof).items())}


def clauses(circuit: Circuit) -> set[tuple[int, ...]]:
    found = circuit.clauses()
    assert found is not None, "not in conjunctive normal form"
    return {tuple(sorted(clause, key=lambda x: (x > 0, x))) for clause in found}


@pytest.fixture
def figure() -> Iterator[Figure2]:
    made = Figure2()
    with closing(made.formula):
        yield made


def test_figure_2_with_strong_interpolants(figure: Figure2) -> None:
    assert figure.formula.model() is None  # no theory lemma is needed
    proof = refute(figure.formula.clauses)
    assert proof is not None
    check_refutation(proof, figure.formula.clauses)
    assert {i: clauses(c) for i, c in figure.interpolants(raised(proof)).items()} == FIGURE_2


class Chain:
    """A proof made by hand: resolutions of what is derived so far with clauses of the formula."""

    def __init__(self, given: Sequence[tuple[int, Sequence[int]]], tag: int, *start: int) -> None:
        self._given = {(tag, frozenset(clause)) for tag, clause in given}
        self._vertices: list[Hypothesis[int] | Resolution] = []
        self._last, self._clause = self._hypothesis(tag, start)

    def _hypothesis(self, tag: int, clause: Sequence[int]) -> tuple[int, frozenset[int]]:
        assert (tag, frozenset(clause)) in self._given
        self._vertices.append(Hypothesis(frozenset(clause), tag))
        return len(self._vertices) - 1, frozenset(clause)

    def _resolve(self, a: tuple[int, frozenset[int]], b: tuple[int, frozenset[int]]) -> tuple[int, frozenset[int]]:
        [x] = [x for x in a[1] if -x in b[1]]
        positive, negative = (a[0], b[0]) if x > 0 else (b[0], a[0])
        self._vertices.append(Resolution(abs(x), positive, negative))
        return len(self._vertices) - 1, (a[1] | b[1]) - {x, -x}

    def resolve(self, tag: int, *clauses: Sequence[int]) -> Chain:
        """Resolve with a clause, or with what several give that are resolved with each other first."""
        other = self._hypothesis(tag, clauses[0])
        for clause in clauses[1:]:
            other = self._resolve(other, self._hypothesis(tag, clause))
        self._last, self._clause = self._resolve((self._last, self._clause), other)
        return self

    @property
    def proof(self) -> Proof[int]:
        return Proof(tuple(self._vertices))


def weak_proof(figure: Figure2) -> Proof[int]:
    """The refutation in which y ← y + 1 uses its clauses about x = z first and last."""
    at = figure.formula.variable
    same = [at(i, SAME) for i in range(4)]
    full, less = at(1, FULL), [at(i, LESS) for i in range(5)]
    atom = figure.formula.atom
    predicates = figure.abstraction.predicates
    e = [atom(i, predicates[SAME]) for i in range(3)]
    f, g, h = atom(1, predicates[FULL]), atom(2, predicates[LESS]), atom(3, predicates[LESS])
    gate = next(x for i, c in figure.formula.clauses if i == 0 and full in c for x in c if x != full)
    chain = Chain(figure.formula.clauses, 1, -e[1], same[1])
    # (x = z)' ⇒ (a[z] = y)' of the first step, then a[z] = y ⇒ (a[z] = y - 1)' of the second
    chain.resolve(0, (-same[1], e[0])).resolve(0, (-e[0], -gate)).resolve(0, (gate, full))
    chain.resolve(1, (-full, f), (-f, less[2]))
    chain.resolve(1, (-same[2], e[1]))
    chain.resolve(2, (-e[2], same[2])).resolve(2, (e[2],))
    chain.resolve(2, (-less[2], g), (-g, less[3]))
    chain.resolve(3, (-less[3], h), (-h,))
    return chain.proof


def test_figure_2_with_weak_interpolants(figure: Figure2) -> None:
    """Section 7: this order of resolutions gives (x = z)' ⇒ (x = z ∧ (a[z] = y ⇒ (a[z] = y - 1)')), until rewritten."""
    proof = weak_proof(figure)
    check_refutation(proof, figure.formula.clauses)
    weak = figure.interpolants(proof)[1]
    assert weak.clauses() is None
    assert text(weak) == f"({-w(SAME)} | ({v(SAME)} & ({-v(FULL)} | {w(LESS)})))"
    assert {i: clauses(c) for i, c in figure.interpolants(raised(proof)).items()} == FIGURE_2


def text(circuit: Circuit) -> str:
    return circuit.fold(str, lambda args: f"({' & '.join(args)})", lambda args: f"({' | '.join(args)})")


def clearing(rounds: int) -> tuple[Expansion, Abstraction, list[Step]]:
    """`for (i = 0; i < n; i++) a[i] = 0;`, left after some rounds, with a[j] ≠ 0 for a j within; its predicates."""
    b = ProgramBuilder()
    a = b.arena
    array, i, j, n = b.array("a"), b.variable("i"), b.variable("j"), b.variable("n")
    entry, head, body, write, behind, done = (b.location(loop=k == 1) for k in range(6))
    b.assign(entry, head, (i, a.zero))
    b.assume(head, body, a.lt(i, n))
    b.assign(body, write, (array, a.store(array, i, a.zero)))
    b.assign(write, head, (i, a.add(i, a.one)))
    b.assume(head, behind, a.ge(i, n))
    clear = a.equals(a.select(array, j), a.zero)
    b.assume(behind, b.error(), a.and_(a.le(a.zero, j), a.lt(j, n), a.not_(clear)))
    b.function("main", entry, done)
    expansion = Expansion(b.program(), BlockEncoding.STATEMENTS)
    abstraction = Abstraction(a, best_manager(), Seeding.LAZY)
    for atom in (clear, a.lt(j, i), a.le(a.zero, j), a.lt(j, n), a.lt(i, n), a.equals(i, j)):
        abstraction.add(atom.args[0] if atom.op is Op.NOT else atom)
    path, at = list[Step](), expansion.start
    while expansion.check(at) is None:
        again, *leave = expansion.steps(at)
        path.append(leave[0] if leave and len(path) > 3 * rounds else again)
        at = path[-1].target
    return expansion, abstraction, path


@pytest.mark.parametrize("paths_before", [0, 1])
def test_raising_gives_normal_forms_on_a_loop(paths_before: int) -> None:
    """Theory lemmas that are known from an earlier path change the proof: one pass of rewriting is then too few."""
    expansion, abstraction, path = clearing(12)
    method = ProofInterpolation(
        expansion, abstraction, PredicateScope(expansion, abstraction), Z3Factory(0), TheoryLemmas()
    )
    for _ in range(paths_before):
        assert isinstance(method.refutation(alone(path), lambda: None), PathRefutation)
    refutation = method.refutation(alone(path), lambda: None)
    assert isinstance(refutation, PathRefutation)
    normal = {}
    for strength in Strength:
        found = refutation.interpolants(strength)
        assert [interpolant.position for interpolant in found] == list(range(len(path)))
        normal[strength] = sum(interpolant.formula.circuit.clauses() is not None for interpolant in found)
    assert normal[Strength.WEAK] < normal[Strength.STRONG] == len(path)


@pytest.mark.parametrize("strength", Strength)
def test_what_is_no_clause_joins_the_abstraction_too(strength: Strength) -> None:
    expansion, abstraction, path = clearing(3)
    scope, context = PredicateScope(expansion, abstraction), RecordingContext()
    options = TransitionOptions(seeding=Seeding.LAZY, interpolants=InterpolationMethod.RESOLUTION, strength=strength)
    with closing(PropositionalPaths(alone(path), abstraction, scope)) as before:
        assert before.valuation() is not None
    assert reaches(expansion, abstraction, path)
    with closing(TransitionRefiner(expansion, abstraction, context, options, count())) as refiner:
        assert refiner.strengthen(alone(path), path, []) is None
    assert any(op.constraints for op in abstraction.operations()) == (strength is Strength.WEAK)
    with closing(PropositionalPaths(alone(path), abstraction, scope)) as after:
        assert after.valuation() is None
    assert not reaches(expansion, abstraction, path)


def reaches(expansion: Expansion, abstraction: Abstraction, path: Sequence[Step]) -> bool:
    """Whether exploration along the path alone, from the start, arrives."""
    domain = PredicateDomain(expansion, abstraction)
    states = [domain.initial(expansion.start, abstraction)]
    for step in path:
        states = [s for state in states for s in domain.successors(state, step, abstraction)]
    return bool(states)


def test_events_show_the_interpolants_weak_and_strong(figure: Figure2) -> None:
    context = RecordingContext(Level.STATES)
    options = TransitionOptions(seeding=Seeding.LAZY, interpolants=InterpolationMethod.RESOLUTION)
    with closing(TransitionRefiner(figure.expansion, figure.abstraction, context, options, count())) as refiner:
        assert refiner.strengthen(alone(figure.path), figure.path, []) is None
    reader = TermReader(figure.abstraction.arena)
    for event in context.events:
        if isinstance(event, TermDefined):
            reader.define(event)
    weak, strong = (event for event in context.events if isinstance(event, InterpolantsFound))
    assert (weak.strength, strong.strength) == ("weak", "strong")
    assert weak.positions == strong.positions == (0, 1, 2, 3)
    assert [to_math(reader.term(number)) for number in strong.formulas] == [
        "y' = a'[z'] ∨ z' ≠ x'",
        "(x = z ∨ z' ≠ x') ∧ (y ≠ a[z] ∨ y' = a'[z'] + 1)",
        "x = z ∧ (y ≠ a[z] + 1 ∨ y' = a'[z'] + 1)",
        "y ≠ a[z] + 1",
    ]


# Random paths

METHODS = [
    TransitionOptions(seeding=Seeding.LAZY),
    TransitionOptions(seeding=Seeding.LAZY, interpolants=InterpolationMethod.RESOLUTION),
    TransitionOptions(seeding=Seeding.LAZY, interpolants=InterpolationMethod.RESOLUTION, strength=Strength.WEAK),
]


def named(options: TransitionOptions) -> str:
    return "cores" if options.interpolants is InterpolationMethod.CORES else options.strength


class Reading(Enum):
    STEP = auto()  # v_p is p before the step
    AFTER = auto()  # v_p is p after it


class Setting:
    """A random path and random predicates; nothing else is known in advance."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.expansion = Expansion(random_program(seed, 6), BlockEncoding.BASIC)
        self.abstraction = Abstraction(self.expansion.arena, best_manager(), Seeding.LAZY)
        self.scope = PredicateScope(self.expansion, self.abstraction)
        self.path = self._path()
        for _ in range(6):
            self.abstraction.add(self._atom())

    def _path(self) -> list[Step]:
        at, path = self.expansion.start, list[Step]()
        while len(path) < 14 and self.expansion.steps(at):
            path.append(self.random.choice(self.expansion.steps(at)))
            at = path[-1].target
        return path

    def _atom(self) -> Term:
        a, draw = self.expansion.arena, self.random
        x, y = draw.sample(list(self.expansion.program.variables), 2)
        atom = draw.choice((a.le, a.equals))(draw.choice((x, x, a.subtract(x, y))), a.integer(draw.randint(-2, 2)))
        return atom.args[0] if atom.op is Op.NOT else atom

    def refuted(self, options: TransitionOptions) -> bool:
        """Whether the abstract path is impossible; T̂ then has its transition interpolants and nothing else."""
        refiner = TransitionRefiner(self.expansion, self.abstraction, RecordingContext(), options, count())
        with closing(refiner):
            return refiner.strengthen(alone(self.path), self.path, []) is None

    def learned(self) -> list[tuple[ApproximateTransition, Term]]:
        """The constraints of T̂, as formulas over the states before the steps."""
        arena, predicates = self.expansion.arena, self.abstraction.predicates
        found = [
            (op, self.formula(op, part.circuit if isinstance(part, Constraint) else of_clause(part)))
            for op in map(self.abstraction.operation, {step.transition: None for step in self.path})
            for part in learned_by(op)
        ]
        for axiom in self.abstraction.axioms:
            formula = arena.or_(*(predicates[p] if sign else arena.not_(predicates[p]) for p, sign in axiom))
            found += [(self.abstraction.operation(step.transition), formula) for step in self.path[:1]]
        return found

    def formula(self, op: ApproximateTransition, circuit: Circuit, reading: Reading = Reading.STEP) -> Term:
        """A formula over V ∪ V', or over V after `op`, over the state before `op`."""
        arena, predicates = self.expansion.arena, self.abstraction.predicates

        def literal(number: int) -> Term:
            p, primed = Constraint.meaning(abs(number))
            atom = op.after.get(p, predicates[p]) if primed or reading is Reading.AFTER else predicates[p]
            return atom if number > 0 else arena.not_(atom)

        return circuit.fold(literal, lambda args: arena.and_(*args), lambda args: arena.or_(*args))

    def implied(self, op: ApproximateTransition, premise: Term, conclusion: Term) -> bool:
        """Whether each execution of `op` from `premise` has `conclusion`, both over the state before."""
        arena, solver = self.expansion.arena, Z3Factory(0)()
        violation = arena.and_(op.transition.guard, premise, arena.not_(conclusion))
        solver.add(violation, *range_facts(arena, [violation], self.expansion.range_of))
        return isinstance(solver.check(), Unsat)


def learned_by(op: ApproximateTransition) -> list[TransitionClause | Constraint]:
    return [*op.clauses, *op.constraints]


def of_clause(clause: TransitionClause) -> Circuit:
    builder = CircuitBuilder()
    literals = [Constraint.input_of(p, primed) * (1 if sign else -1) for p, primed, sign in clause.literals]
    return builder.circuit(builder.disjunction([builder.literal(x) for x in literals]))


@pytest.mark.long
@pytest.mark.parametrize("options", METHODS, ids=named)
@pytest.mark.parametrize("seed", range(25))
def test_transition_interpolants_are_implied_and_exclude_the_path(seed: int, options: TransitionOptions) -> None:
    setting = Setting(seed)
    feasible = not isinstance(check_path(setting.expansion, setting.path, Z3Factory(0), None), Infeasible)
    refuted = setting.refuted(options)
    assert not (feasible and refuted)
    assert not (refuted and reaches(setting.expansion, setting.abstraction, setting.path))
    for op, formula in setting.learned():
        assert setting.implied(op, setting.expansion.arena.true, formula)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(25))
def test_both_ways_refute_the_same_paths(seed: int) -> None:
    assert len({Setting(seed).refuted(options) for options in METHODS}) == 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(25))
def test_sequence_interpolants_lead_from_true_to_false(seed: int) -> None:
    """I_i is over V; I_i and step i imply I_i+1 over V'; the first is true, the last false."""
    setting = Setting(seed)
    method = ProofInterpolation(setting.expansion, setting.abstraction, setting.scope, Z3Factory(0), TheoryLemmas())
    refutation = method.refutation(alone(setting.path), lambda: None)
    for strength in Strength if isinstance(refutation, PathRefutation) else ():
        assert isinstance(refutation, PathRefutation)
        arena, found = setting.expansion.arena, [part.circuit for part in refutation.sequence(strength)]
        assert len(found) == len(setting.path) - 1
        assert not any(Constraint.meaning(x)[1] for circuit in found for x in circuit.variables())
        for i, step in enumerate(setting.path):
            op = setting.abstraction.operation(step.transition)
            premise = setting.formula(op, found[i - 1]) if i > 0 else arena.true
            last = i == len(setting.path) - 1
            assert setting.implied(op, premise, arena.false if last else setting.formula(op, found[i], Reading.AFTER))
