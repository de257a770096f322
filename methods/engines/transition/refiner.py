"""Refinement: figure 1 of the paper, with predicate discovery where the predicates do not suffice.

concrete path feasible                      → counterexample
T̂ and what it can learn refute the path     → T̂ is stronger now: explore again from the first step it changed
otherwise                                   → more predicates, and once more

So it is for the path that exploration has found (section 6.1), or (`ExcludedPaths.ALL`, section 4) for all paths of as
many steps to the same check: where T̂ and what it can learn leave one of them, that is the path of the scheme above.
With given predicates that ends, for V is finite: each refinement makes T̂ strictly stronger, since it excludes a path
that was there, and each valuation of the predicates along paths that is examined is excluded or ends the search. What
is left when T̂ is as strong as T̄ is a path of T̄. So where predicates tell all states of a finite-state program apart,
the outcome is that of the program: paths of T̄ are then executions.

The method of S. Das and D. L. Dill ("Successive approximation of abstract transition relations", LICS 2001), as
section 8 of the paper describes it, shares all but the strengthening: it takes one valuation of the path, an
abstract counterexample, and excludes each of its impossible steps by a minimal cube; other valuations come back as new
abstract paths. Only where every step is possible does it treat the path as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing

from bdd import Bdd
from core.limits import Cause, Interrupted, NoProgress, SolverUndecided
from core.parameters import parameter
from core.program.expansion import Expansion, Step
from core.terms import Term, atoms, lift_choices
from core.verdict import Unknown
from methods.discovery.acceleration import Acceleration
from methods.discovery.horn import PathSystem, chain, path_program
from methods.discovery.interpolation import CandidatePredicates, related_core, slice_path, weakest_preconditions
from methods.discovery.sampling import SampledEquations
from methods.discovery.spacer import Spacer
from methods.domains.predicate import Abstraction, ApproximateTransition, Constraint, PredicateScope, TransitionClause
from methods.engine import Context, Edit, EditAction
from methods.engines.transition.abstractformula import TheoryLemmas
from methods.engines.transition.abstractpath import PathAssignment, PropositionalPaths
from methods.engines.transition.explanation import edges_of
from methods.engines.transition.layers import Layers, all_as_long, alone
from methods.engines.transition.lemmas import LemmaFormulas, TransitionLemma
from methods.engines.transition.options import ExcludedPaths, InterpolationMethod, RefinementMethod, TransitionOptions
from methods.engines.transition.oracle import StepOracle
from methods.engines.transition.proofs import PathRefutation, ProofInterpolation
from methods.engines.transition.reporting import RefinementReporter
from methods.paths.pathformula import Infeasible, check_path
from methods.refinement.loop import Excluded
from methods.refinement.loop import Refinement as Result
from methods.refinement.reachability_graph import AbstractPath

PATH_EFFORT = parameter("transition.refiner.path-effort")
ROUNDS = parameter("transition.refiner.rounds")
LARGEST_INTERPRETATION = parameter("transition.refiner.largest-interpretation")


class TransitionRefiner:
    """The refiner of the engine `transition`; implements `Refiner[Bdd]`."""

    def __init__(
        self,
        expansion: Expansion,
        abstraction: Abstraction,
        context: Context,
        options: TransitionOptions,
        numbers: Iterator[int],
    ) -> None:
        """Make the refiner; `numbers` supplies the numbers of lemmas."""
        self._method = options.refinement
        one_by_one = self._method is RefinementMethod.DAS_DILL  # which excludes less than one path
        self._excluded_paths = ExcludedPaths.ONE if one_by_one else options.paths
        self._expansion = expansion
        self._abstraction = abstraction
        self._context = context
        self._scope = PredicateScope(expansion, abstraction)
        self._oracle = StepOracle(expansion, abstraction, context.solver)
        self._interpolants = options.interpolants
        self._strength = options.strength
        self._proofs = ProofInterpolation(expansion, abstraction, self._scope, context.solver, TheoryLemmas())
        self._spacer = Spacer(context.limits)
        self._acceleration = Acceleration(expansion)
        self._samples = SampledEquations(expansion, context.seed, context.limits)
        self._reporter = RefinementReporter(expansion, abstraction, self._scope, context, numbers)

    def close(self) -> None:
        """End the processes of this refiner."""
        self._spacer.close()

    # The loop

    def refine(self, path: AbstractPath[Bdd]) -> Result:
        try:
            return self._refine(path)
        except (SolverUndecided, NoProgress) as reason:
            self._context.limits.check()  # a solver also gives up because the run has to end
            return Unknown(str(reason), tuple(edge.id for edge in edges_of(path.steps)))

    def _refine(self, path: AbstractPath[Bdd]) -> Result:
        changed: list[int] = []
        if self._method is RefinementMethod.DAS_DILL and self._exclude_counterexample(path.steps, changed):
            self._reporter.refuted(path, None)
            return self._excluded(changed)
        concrete = check_path(self._expansion, path.steps, self._context.solver, PATH_EFFORT)
        if not isinstance(concrete, Infeasible):
            self._reporter.feasible(path.check, concrete)
            return concrete
        layers = self._layers(path)
        left = self._left(layers, path.steps, changed)
        if left is None:
            self._reporter.refuted(path, concrete)
        while left is not None:
            if left != path.steps:
                changed.append(0)  # positions on another path say nothing about this one
                path = AbstractPath((), left, path.check)
                concrete = check_path(self._expansion, left, self._context.solver, PATH_EFFORT)
                if not isinstance(concrete, Infeasible):
                    self._reporter.feasible(path.check, concrete)
                    return concrete
            self._discover(path, concrete, changed)
            left = self._left(layers, path.steps, changed) if self._excluded_paths is ExcludedPaths.ALL else None
        return self._excluded(changed)

    def _layers(self, path: AbstractPath[Bdd]) -> Layers:
        """The paths to be excluded with a path."""
        match self._excluded_paths:
            case ExcludedPaths.ONE:
                return alone(path.steps)
            case ExcludedPaths.ALL:
                return all_as_long(self._expansion, path.steps, path.check)

    def _left(self, layers: Layers, steps: tuple[Step, ...], changed: list[int]) -> tuple[Step, ...] | None:
        """A path of `layers` that the predicates do not refute; leaves it to the method how much T̂ learns before."""
        match self._method:
            case RefinementMethod.INTERPOLANTS:
                return self.strengthen(layers, steps, changed)
            case RefinementMethod.DAS_DILL:
                return steps

    def _discover(self, path: AbstractPath[Bdd], core: Infeasible, changed: list[int]) -> None:
        """Add predicates that suffice to refute a path. Raises `NoProgress` where none are found."""
        for candidates in self._discoveries(path.steps, core):
            if candidates is not None:
                changed += self._adopt(candidates, path.steps)
                if self._suffice(path.steps, changed):
                    self._reporter.spurious(path, core)
                    return
        self._reporter.spurious(path, core)
        raise NoProgress(Cause.NO_PREDICATES)

    def _discoveries(self, steps: Sequence[Step], core: Infeasible) -> Iterator[CandidatePredicates | None]:
        """The candidates of each method of discovery (None: none), the most general first, computed when asked for."""
        system = path_program(self._expansion, steps, self._scope.live)
        sliced = slice_path(self._expansion, steps, core)
        if system is not None:
            invariants = self._interpretations(system, "path invariant (Spacer)")
            yield invariants
            if invariants is None or _most_visits(steps) > ROUNDS:
                yield self._acceleration.candidates(steps)
                yield from self._samples.candidates(steps, frozenset[Term]().union(*sliced.before))
        yield self._interpretations(chain(self._expansion, sliced), "sequence interpolant (Spacer)")
        yield weakest_preconditions(self._expansion, sliced)
        related = related_core(self._expansion, steps, core, sliced)
        if related is not None:
            yield weakest_preconditions(self._expansion, slice_path(self._expansion, steps, related))

    def _interpretations(self, system: PathSystem, origin: str) -> CandidatePredicates | None:
        formulas = self._spacer.interpretations(self._expansion.arena, system)
        if formulas is None or max(f.size for f in formulas) > LARGEST_INTERPRETATION:
            return None
        return system.candidates(formulas, self._expansion.arena.true, origin)

    def _excluded(self, changed: Sequence[int]) -> Excluded:
        """Explore again from the first changed step."""
        if not changed:
            raise NoProgress("the abstraction excludes a path that exploration found")
        self._reporter.excluded()
        return Excluded(min(changed))

    # Predicates

    def seed(self, predicates: Sequence[Term]) -> None:
        """Add predicates to begin with."""
        for atom in predicates:
            if self._abstraction.add(atom):
                self._reporter.predicate_added(atom, "guard seed", None)

    def edit(self, edits: Sequence[Edit]) -> None:
        """Apply what a user changed between rounds.

        Predicates have no place: they are used wherever they mean something. One that was removed comes back if a later
        refinement needs it.
        """
        for edit in edits:
            match edit.action:
                case EditAction.STOP:
                    raise Interrupted("stopped between rounds")
                case EditAction.ADD_PREDICATE:
                    self._add_atoms(edit)
                case EditAction.REMOVE_PREDICATE:
                    self._remove_atoms(edit)

    def _add_atoms(self, edit: Edit) -> None:
        for atom in self._atoms_of(edit):
            if self._abstraction.add(atom):
                self._reporter.predicate_added(atom, "user", edit.place)

    def _remove_atoms(self, edit: Edit) -> None:
        for atom in self._atoms_of(edit):
            if self._abstraction.withdraw(atom):
                self._reporter.predicate_withdrawn(atom)

    def _atoms_of(self, edit: Edit) -> list[Term]:
        if edit.formula is None:
            return []
        found = atoms(lift_choices(self._expansion.arena, edit.formula))
        return [atom for atom in found if not any(map(self._expansion.is_input, atom.symbols()))]

    def _adopt(self, candidates: CandidatePredicates, steps: Sequence[Step]) -> list[int]:
        """Add the atoms of candidates as predicates; returns the steps before the positions that need them."""
        changed: list[int] = []
        for position, atom in candidates.atoms(self._expansion.arena, self._expansion.is_input):
            if self._abstraction.add(atom):
                at = steps[min(position, len(steps) - 1)].source
                self._reporter.predicate_added(atom, candidates.origin, (at.stack, at.location))
                changed.append(max(position - 1, 0))
        return changed

    # Lemmas: the transition interpolants of a path

    def strengthen(self, layers: Layers, steps: Sequence[Step], changed: list[int]) -> tuple[Step, ...] | None:
        """Strengthen T̂ until it refutes all paths of `layers`, or return one for which the predicates do not suffice.

        Notes the positions of `steps`, one of the paths, at which T̂ changed.
        """
        match self._interpolants:
            case InterpolationMethod.CORES:
                return self._refute_by_cores(layers, steps, changed)
            case InterpolationMethod.RESOLUTION:
                return self._refute_by_resolution(layers, steps, changed)

    def _refute_by_resolution(
        self, layers: Layers, steps: Sequence[Step], changed: list[int]
    ) -> tuple[Step, ...] | None:
        refutation = self._proofs.refutation(layers, self._context.limits.check)
        if not isinstance(refutation, PathRefutation):
            return refutation
        self._reporter.interpolants(refutation, steps)
        for interpolant in refutation.interpolants(self._strength):
            op = self._abstraction.operation(interpolant.step.transition)
            for part in interpolant.parts(op):
                if self._strengthen(op, part):
                    changed += self._occurrences(op, steps)
                    self._reporter.learned("transition", "resolution", op, part, interpolant.step)
        return None

    def _strengthen(self, op: ApproximateTransition, part: TransitionLemma) -> bool:
        match part:
            case TransitionClause():
                return self._abstraction.learn(op, part)
            case Constraint():
                return self._abstraction.constrain(op, part)

    def _refute_by_cores(self, layers: Layers, steps: Sequence[Step], changed: list[int]) -> tuple[Step, ...] | None:
        """Strengthen T̂ until no valuation of the paths is left, or one is possible."""
        with closing(PropositionalPaths(layers, self._abstraction, self._scope)) as paths:
            while (valuation := paths.valuation()) is not None:
                self._context.limits.check()
                if not self._learn_from(paths, steps, valuation, changed):
                    return valuation.steps
        return None

    def _exclude_counterexample(self, steps: Sequence[Step], changed: list[int]) -> bool:
        """Strengthen T̂ until one valuation of the path is impossible, if it is; notes the positions that changed."""
        with closing(PropositionalPaths(alone(steps), self._abstraction, self._scope)) as paths:
            valuation = paths.valuation()
            return valuation is not None and self._learn_from(paths, steps, valuation, changed)

    def _learn_from(
        self, paths: PropositionalPaths, steps: Sequence[Step], valuation: PathAssignment, changed: list[int]
    ) -> bool:
        """Strengthen T̂ by what a valuation violates; False if it is nothing new."""
        learned = False
        for position, op, clause in self._violated(valuation):
            step = valuation.steps[position]
            if self._oracle.is_axiom(clause):
                if self._abstraction.learn_axiom(tuple((p, sign) for p, _, sign in clause.literals)):
                    learned = True
                    paths.learn_axiom(clause)
                    self._reporter.learned("axiom", "core", op, clause, step)
                    changed.append(position if step is steps[position] else 0)
            elif self._abstraction.learn(op, clause):
                learned = True
                paths.learn(op, clause)
                self._reporter.learned("transition", "core", op, clause, step)
                changed += self._occurrences(op, steps)
        return learned

    def _occurrences(self, op: ApproximateTransition, steps: Sequence[Step]) -> list[int]:
        return [i for i, step in enumerate(steps) if step.transition is op.transition]

    def _violated(self, valuation: PathAssignment) -> Iterator[tuple[int, ApproximateTransition, TransitionClause]]:
        """Minimal clauses, each implied by a step and violated by the valuation, for each step that this gets wrong."""
        for position, step in enumerate(valuation.steps):
            op = self._abstraction.operation(step.transition)
            clause = self._oracle.impossible(op, valuation.before(position), valuation.after(position))
            if clause is not None:
                yield position, op, clause

    def _suffice(self, steps: Sequence[Step], changed: list[int]) -> bool:
        """Whether the predicates suffice to refute the path; leaves it to the method how much T̂ learns at once."""
        match self._method:
            case RefinementMethod.INTERPOLANTS:
                return self.strengthen(alone(steps), steps, changed) is None
            case RefinementMethod.DAS_DILL:
                return self._is_refutable(steps)

    def _is_refutable(self, steps: Sequence[Step]) -> bool:
        """Whether the predicates suffice to refute the path; T̂ stays as it is."""
        with closing(PropositionalPaths(alone(steps), self._abstraction, self._scope)) as paths:
            while (valuation := paths.valuation()) is not None:
                self._context.limits.check()
                violated = list(self._violated(valuation))
                if not violated:
                    return False
                for _, op, clause in violated:
                    paths.learn(op, clause)
        return True

    def lemmas(self) -> Iterator[Term]:
        """All that was learned, as formulas that are valid within ranges: the hints of a certificate."""
        return LemmaFormulas(self._expansion.arena, self._abstraction).valid()


def _most_visits(steps: Sequence[Step]) -> int:
    """The number of times that a path is at the location where it is most often."""
    return max(Counter(step.source for step in steps).values())
