"""Transition interpolants from resolution proofs: the paper's way.

Jhala and McMillan, "Interpolant-based transition relation approximation", sections 4, 6.1 and 7. The formula of the
abstract paths (`abstractformula`) is decided lazily: a propositional solver finds an assignment, every step of the path
that it takes examines its atoms, and the minimal core of a step that the theory forbids becomes a theory lemma of it.
Once no assignment is left, the clauses are refuted by resolution; that proof, rewritten as in figure 6 for strong
interpolants, gives the symmetric interpolant: for each step a formula over V ∪ V' that T̄ of the step implies, and that
together with those of all other steps admits no path.

Deviation: T̂ has implicit frames, so v'_p of a predicate that the step leaves alone is v_p. A conjunct that becomes a
tautology by that is dropped.

Limitations: the formula, though not its proof, grows with steps times predicates, each of which is related to its atom
in every step; the core-based interpolants (`oracle`) need no such clauses and are the default.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.program.expansion import Expansion, Step
from core.solver.contract import SolverFactory
from core.terms import Term
from methods.domains.predicate import (
    Abstraction,
    ApproximateTransition,
    Constraint,
    PredicateScope,
    StepSolver,
    TransitionClause,
)
from methods.domains.predicate.stepsolver import MAX_SOLVERS
from methods.engines.transition.abstractformula import AbstractPathFormula, TheoryLemma, TheoryLemmas
from methods.engines.transition.layers import Layers
from methods.engines.transition.options import Strength
from sat.interpolants import sequence_interpolants, symmetric_interpolants
from sat.raising import raised
from sat.refutation import refute
from sat.resolution import Proof
from sat.solver import Satisfiable


@dataclass(frozen=True)
class TransitionInterpolant:
    """The transition interpolant of a step of refuted paths: a formula over V ∪ V' that T̄ of it implies."""

    position: int
    step: Step
    formula: Constraint

    def parts(self, op: ApproximateTransition) -> Iterator[TransitionClause | Constraint]:
        """The conjuncts of the interpolant with the implicit frames of T̂ of the step, without tautologies."""

        def framed(literal: int) -> int:
            p, primed = Constraint.meaning(abs(literal))
            number = Constraint.input_of(p, primed and p in op.affected)
            return number if literal > 0 else -number

        for conjunct in self.formula.circuit.renamed(framed).conjuncts():
            clause = conjunct.clause()
            if clause is None:
                yield Constraint(conjunct)
            elif not any(-literal in clause for literal in clause):
                yield TransitionClause(tuple((*Constraint.meaning(abs(x)), x > 0) for x in clause))


class PathRefutation:
    """The refutation of the abstract paths of some layers."""

    def __init__(self, proof: Proof[int], formula: AbstractPathFormula) -> None:
        self._proofs = {Strength.WEAK: proof}
        self._formula = formula

    def interpolants(self, strength: Strength) -> list[TransitionInterpolant]:
        """The transition interpolants, for the steps of which the proof has clauses."""
        symmetric, parts = symmetric_interpolants(self._proof(strength)), self._formula.parts
        return [
            TransitionInterpolant(
                parts[i].position, parts[i].step, Constraint(self._formula.interpolant(symmetric[i], i))
            )
            for i in sorted(symmetric)
            if i < len(parts)
        ]

    def sequence(self, strength: Strength) -> list[Constraint]:
        """The interpolants between the steps of one path: for each position inside of it, a formula over V."""
        cuts = sequence_interpolants(self._proof(strength), range(len(self._formula.parts)))
        return [Constraint(self._formula.shifted(cut, position)) for position, cut in enumerate(cuts, 1)]

    def _proof(self, strength: Strength) -> Proof[int]:
        if strength not in self._proofs:
            self._proofs[strength] = raised(self._proofs[Strength.WEAK])
        return self._proofs[strength]


class ProofInterpolation:
    """Refutes abstract paths by resolution. Keeps theory lemmas, and what the theory allows, from path to path."""

    def __init__(
        self,
        expansion: Expansion,
        abstraction: Abstraction,
        scope: PredicateScope,
        solvers: SolverFactory,
        lemmas: TheoryLemmas,
    ) -> None:
        """Make the interpolation; `lemmas` are those found so far, and grow."""
        self._abstraction = abstraction
        self._scope = scope
        self._theory = _Theory(expansion, solvers)
        self._lemmas = lemmas

    def refutation(self, layers: Layers, tick: Callable[[], None]) -> PathRefutation | tuple[Step, ...]:
        """A refutation of the abstract paths, or the steps of one that is feasible, as far as the theory decides.

        `tick` is called now and then, and may raise.
        """
        with closing(AbstractPathFormula(layers, self._abstraction, self._scope, self._lemmas)) as formula:
            while (model := formula.model()) is not None:
                tick()
                taken = formula.taken(model)
                lemmas = list(self._violated(formula, taken, model))
                if not lemmas:
                    return taken
                for lemma in lemmas:
                    formula.learn(lemma)
            tick()
            proof = refute(formula.clauses)
        assert proof is not None, "two solvers disagree on satisfiability"
        return PathRefutation(proof, formula)

    def _violated(
        self, formula: AbstractPathFormula, taken: Sequence[Step], model: Satisfiable
    ) -> Iterator[TheoryLemma]:
        """Theory lemmas that an assignment violates, at most one per step of its path, without repetition."""
        found: dict[TheoryLemma, None] = {}
        for number, part in enumerate(formula.parts):
            if part.step is taken[part.position]:
                lemma = self._theory.violated(part.operation, formula.atoms(number, model))
                if lemma is not None:
                    found[lemma] = None
        yield from found


class _Theory:
    """A decision procedure for assignments to the atoms of a step, within the ranges of variables."""

    def __init__(self, expansion: Expansion, solvers: SolverFactory) -> None:
        self._expansion = expansion
        self._solvers = solvers
        self._by_operation: OrderedDict[ApproximateTransition, StepSolver] = OrderedDict()
        self._allowed: set[tuple[tuple[Term, bool], ...]] = set()

    def violated(self, op: ApproximateTransition, assignment: Sequence[tuple[Term, bool]]) -> TheoryLemma | None:
        """A minimal clause that holds in the theory and that `assignment` violates; None if none is found."""
        key = tuple(sorted(assignment, key=lambda entry: entry[0].id))
        if key in self._allowed:
            return None
        not_ = self._expansion.arena.not_
        entries = {atom if sign else not_(atom): (atom, sign) for atom, sign in key}
        try:
            core = self._solver(op).minimal_core(list(entries))
        except SolverUndecided:
            return None  # T̂ stays weak here; other steps or more predicates may exclude the path
        if core is None:
            self._allowed.add(key)
            return None
        return tuple((atom, not sign) for atom, sign in sorted((entries[t] for t in core), key=lambda e: e[0].id))

    def _solver(self, op: ApproximateTransition) -> StepSolver:
        found = self._by_operation.get(op)
        if found is None:
            found = self._by_operation[op] = StepSolver(self._expansion, self._solvers, self._expansion.arena.true)
            if len(self._by_operation) > MAX_SOLVERS:
                self._by_operation.popitem(last=False)
        self._by_operation.move_to_end(op)
        return found
