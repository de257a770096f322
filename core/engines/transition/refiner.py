"""Refinement of one path: figure 1 of the paper, with predicate discovery where the predicates do not suffice.

concrete path feasible                      → counterexample
T̂ and what it can learn refute the path     → T̂ is stronger now: explore again from the first step it changed
otherwise                                   → more predicates, and once more

The method of S. Das and D. L. Dill ("Successive approximation of abstract transition relations", LICS 2001), as
section 8 of the paper describes it, shares all but the strengthening: it takes one valuation of the path, an
abstract counterexample, and excludes each of its impossible steps by a minimal cube; other valuations come back as new
abstract paths. Only where every step is possible does it treat the path as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from bdd import Bdd
from core.discovery.acceleration import Acceleration
from core.discovery.horn import PathSystem, chain, path_program
from core.discovery.interpolation import CandidatePredicates, related_core, slice_path, weakest_preconditions
from core.discovery.spacer import Spacer
from core.domains.predicate import Abstraction, ApproximateTransition, Constraint, PredicateScope, TransitionClause
from core.engine import Context, Edit, EditAction
from core.engines.transition.abstractformula import TheoryLemmas
from core.engines.transition.abstractpath import PathAssignment, PropositionalPath
from core.engines.transition.explanation import core_positions, edges_of, first_edges, sequence_interpolants
from core.engines.transition.options import InterpolationMethod, RefinementMethod, Strength, TransitionOptions
from core.engines.transition.oracle import StepOracle
from core.engines.transition.proofs import PathRefutation, ProofInterpolation
from core.limits import Cause, Interrupted, NoProgress, SolverUndecided
from core.paths.contradiction import minimal_core
from core.paths.pathformula import Infeasible, check_path
from core.program.expansion import Expansion, Step
from core.refinement.graph import AbstractPath
from core.refinement.loop import Excluded
from core.refinement.loop import Refinement as Result
from core.run.events import Counter, InterpolantsFound, LemmaAdded, LemmasRemoved, Level, PathFound, Place
from core.terms import Arena, Term, atoms, lift_choices, substitute
from core.verdict import Unknown
from sat import Circuit

PATH_EFFORT = 20_000
INTERPOLANT_TERMS = 50_000  # terms that the interpolants of paths may add; beyond these, they are left out
LARGEST_INTERPRETATION = 1_000  # heuristic: larger formulas enumerate values instead of relating variables


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
        self._expansion = expansion
        self._abstraction = abstraction
        self._context = context
        self._scope = PredicateScope(expansion, abstraction)
        self._oracle = StepOracle(expansion, abstraction, context.solver)
        self._interpolants = options.interpolants
        self._strength = options.strength
        self._proofs = ProofInterpolation(expansion, abstraction, self._scope, context.solver, TheoryLemmas())
        self._spacer = Spacer(context.limits)
        self._numbers = numbers
        self._refinements = 0
        self._interpolant_terms = 0
        self._acceleration = Acceleration(expansion)
        self._lemmas_of: dict[Term, list[int]] = {}  # those of predicates, by these

    def close(self) -> None:
        """End the processes of this refiner."""
        self._spacer.close()

    # The loop

    def refine(self, path: AbstractPath[Bdd]) -> Result:
        try:
            return self._refine(path)
        except (SolverUndecided, NoProgress) as reason:
            self._context.limits.check()  # a solver also gives up because the run has to end
            return Unknown(str(reason), _ids(path.steps))

    def _refine(self, path: AbstractPath[Bdd]) -> Result:
        changed: list[int] = []
        if self._method is RefinementMethod.DAS_DILL and self._exclude_counterexample(path.steps, changed):
            self._report(path, "refuted", None)
            return self._excluded(changed)
        concrete = check_path(self._expansion, path.steps, self._context.solver, PATH_EFFORT)
        if not isinstance(concrete, Infeasible):
            self._context.emit(PathFound(path.check, concrete.path, "feasible"))
            return concrete
        if self._method is RefinementMethod.INTERPOLANTS and self.strengthen(path.steps, changed):
            self._report(path, "refuted", concrete)
            return self._excluded(changed)
        for candidates in self._discoveries(path.steps, concrete):
            if candidates is None:
                continue
            changed += self._adopt(candidates, path.steps)
            if self._suffice(path.steps, changed):
                self._report(path, "spurious", concrete)
                return self._excluded(changed)
        self._report(path, "spurious", concrete)
        raise NoProgress(Cause.NO_PREDICATES)

    def _discoveries(self, steps: Sequence[Step], core: Infeasible) -> Iterator[CandidatePredicates | None]:
        """The candidates of each method of discovery (None: none), the most general first, computed when asked for."""
        system = path_program(self._expansion, steps, self._scope.live)
        sliced = slice_path(self._expansion, steps, core)
        if system is not None:
            invariants = self._interpretations(system, "path invariant (Spacer)")
            yield invariants
            if invariants is None:
                yield self._acceleration.candidates(steps)
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
        self._refinements += 1
        self._context.emit(Counter("refinements", self._refinements))
        return Excluded(min(changed))

    # Predicates

    def seed(self, predicates: Sequence[Term]) -> None:
        """Add predicates to begin with."""
        for atom in predicates:
            if self._abstraction.add(atom):
                self._emit_predicate(atom, "guard seed", None)

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
                self._emit_predicate(atom, "user", edit.place)

    def _remove_atoms(self, edit: Edit) -> None:
        for atom in self._atoms_of(edit):
            if self._abstraction.withdraw(atom):
                self._context.emit(LemmasRemoved(tuple(self._lemmas_of.pop(atom, ()))))

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
                self._emit_predicate(atom, candidates.origin, (at.stack, at.location))
                changed.append(max(position - 1, 0))
        return changed

    # Lemmas: the transition interpolants of a path

    def strengthen(self, steps: Sequence[Step], changed: list[int]) -> bool:
        """Strengthen T̂ until it refutes the path, if the predicates suffice; notes the positions that changed."""
        match self._interpolants:
            case InterpolationMethod.CORES:
                return self._refute_by_cores(steps, changed)
            case InterpolationMethod.RESOLUTION:
                return self._refute_by_resolution(steps, changed)

    def _refute_by_resolution(self, steps: Sequence[Step], changed: list[int]) -> bool:
        refutation = self._proofs.refutation(steps, self._context.limits.check)
        if refutation is None:
            return False
        self._show_interpolants(refutation, first_edges(steps))
        for interpolant in refutation.interpolants(self._strength):
            step = steps[interpolant.position]
            op = self._abstraction.operation(step.transition)
            for part in interpolant.parts(op):
                if self._strengthen(op, part):
                    changed += [i for i, other in enumerate(steps) if other.transition is step.transition]
                    self._emit_lemma("transition", "resolution", op, part, step)
        return True

    def _strengthen(self, op: ApproximateTransition, part: TransitionClause | Constraint) -> bool:
        match part:
            case TransitionClause():
                return self._abstraction.learn(op, part)
            case Constraint():
                return self._abstraction.constrain(op, part)

    def _refute_by_cores(self, steps: Sequence[Step], changed: list[int]) -> bool:
        """Strengthen T̂ until no valuation of the path is left, or one is possible."""
        with closing(PropositionalPath(steps, self._abstraction, self._scope)) as path:
            while (valuation := path.valuation()) is not None:
                self._context.limits.check()
                learned = self._learn_from(path, steps, valuation)
                if not learned:
                    return False
                changed += learned
        return True

    def _exclude_counterexample(self, steps: Sequence[Step], changed: list[int]) -> bool:
        """Strengthen T̂ until one valuation of the path is impossible, if it is; notes the positions that changed."""
        with closing(PropositionalPath(steps, self._abstraction, self._scope)) as path:
            valuation = path.valuation()
            if valuation is not None:
                changed += self._learn_from(path, steps, valuation)
        return bool(changed)

    def _learn_from(self, path: PropositionalPath, steps: Sequence[Step], valuation: PathAssignment) -> list[int]:
        positions: list[int] = []
        for position, op, clause in self._violated(path, valuation):
            if self._oracle.is_axiom(clause):
                if self._abstraction.learn_axiom(tuple((p, sign) for p, _, sign in clause.literals)):
                    path.learn_axiom(clause)
                    self._emit_lemma("axiom", "core", op, clause, steps[position])
                    positions.append(position)
            elif self._abstraction.learn(op, clause):
                positions += path.learn(op, clause)
                self._emit_lemma("transition", "core", op, clause, steps[position])
        return positions

    def _violated(
        self, path: PropositionalPath, valuation: PathAssignment
    ) -> Iterator[tuple[int, ApproximateTransition, TransitionClause]]:
        """Minimal clauses, each implied by a step and violated by the valuation, for each step that this gets wrong."""
        for position, op in enumerate(path.operations):
            clause = self._oracle.impossible(op, valuation.before(position), valuation.after(position))
            if clause is not None:
                yield position, op, clause

    def _suffice(self, steps: Sequence[Step], changed: list[int]) -> bool:
        """Whether the predicates suffice to refute the path; leaves it to the method how much T̂ learns at once."""
        match self._method:
            case RefinementMethod.INTERPOLANTS:
                return self.strengthen(steps, changed)
            case RefinementMethod.DAS_DILL:
                return self._is_refutable(steps)

    def _is_refutable(self, steps: Sequence[Step]) -> bool:
        """Whether the predicates suffice to refute the path; T̂ stays as it is."""
        with closing(PropositionalPath(steps, self._abstraction, self._scope)) as path:
            while (valuation := path.valuation()) is not None:
                self._context.limits.check()
                violated = list(self._violated(path, valuation))
                if not violated:
                    return False
                for _, op, clause in violated:
                    path.learn(op, clause)
        return True

    # Events

    def lemmas(self) -> Iterator[Term]:
        """All that was learned, as formulas that are valid within ranges: the hints of a certificate."""
        arena = self._expansion.arena
        predicates = self._abstraction.predicates
        for axiom in self._abstraction.axioms:
            yield arena.or_(*(_signed(arena, predicates[p], sign) for p, sign in axiom))
        for op in self._abstraction.operations():
            learned: list[TransitionClause | Constraint] = [*op.clauses, *op.constraints]
            for part in learned:
                yield arena.implies(op.transition.guard, self._formula(op, part))

    def _formula(self, op: ApproximateTransition, part: TransitionClause | Constraint) -> Term:
        """A clause or formula over V ∪ V' as a formula over the state before the step."""
        arena, predicates = self._expansion.arena, self._abstraction.predicates

        def atom(p: int, primed: bool) -> Term:
            return op.after[p] if primed else predicates[p]

        match part:
            case TransitionClause(literals):
                return arena.or_(*(_signed(arena, atom(p, primed), sign) for p, primed, sign in literals))
            case Constraint(circuit):
                return self._combined(circuit, atom)

    def _emit_predicate(self, atom: Term, origin: str, place: Place | None) -> None:
        self._lemmas_of.setdefault(atom, []).append(self._emit("predicate", origin, atom, (), place))
        self._context.emit(Counter("predicates", len(self._abstraction.predicates) - len(self._abstraction.withdrawn)))

    def _emit_lemma(
        self, role: str, origin: str, op: ApproximateTransition, part: TransitionClause | Constraint, step: Step
    ) -> None:
        edges = tuple(edge.id for edge in step.edges)
        self._emit(role, origin, self._formula(op, part), edges, (step.source.stack, step.source.location))

    def _emit(self, role: str, origin: str, formula: Term, edges: tuple[int, ...], place: Place | None) -> int:
        """Report a lemma; returns its number."""
        lemma = next(self._numbers)
        if self._context.wants(Level.STATES):
            self._context.emit(LemmaAdded(lemma, role, origin, self._context.term(formula), edges, place))
        return lemma

    def _show_interpolants(self, refutation: PathRefutation, firsts: Sequence[int]) -> None:
        """Report the transition interpolants of the path, weak and strong.

        Primed predicates are over primed variables.
        """
        for strength in (Strength.WEAK, Strength.STRONG) if self._context.wants(Level.STATES) else ():
            found = refutation.interpolants(strength)
            formulas = tuple(self._context.term(self._primed_formula(i.formula)) for i in found)
            positions = tuple(firsts[i.position] for i in found)
            self._context.emit(InterpolantsFound(strength.value, positions, formulas))

    def _primed_formula(self, constraint: Constraint) -> Term:
        arena, predicates = self._expansion.arena, self._abstraction.predicates

        def atom(p: int, primed: bool) -> Term:
            symbols = sorted(predicates[p].symbols(), key=lambda s: s.id) if primed else ()
            return substitute(arena, predicates[p], {s: arena.copy(s, f"{s.name}'") for s in symbols})

        return self._combined(constraint.circuit, atom)

    def _combined(self, circuit: Circuit, atom: Callable[[int, bool], Term]) -> Term:
        """A circuit as a formula over the atoms that stand for v_p and v'_p."""
        arena = self._expansion.arena
        return circuit.fold(
            lambda x: _signed(arena, atom(*Constraint.meaning(abs(x))), x > 0),
            lambda args: arena.and_(*args),
            lambda args: arena.or_(*args),
        )

    def _report(self, path: AbstractPath[Bdd], result: str, concrete: Infeasible | None) -> None:
        """Report a path that no execution follows, with the reason where that was found out."""
        core: tuple[int, ...] = ()
        interpolants: tuple[int, ...] = ()
        if concrete is not None and self._context.wants(Level.STATES):
            sliced = slice_path(self._expansion, path.steps, concrete)
            core = core_positions(self._expansion, path.steps, sliced)
            core = minimal_core(self._expansion, path.steps, core, self._context.solver)
            interpolants = self._interpolants_before_edges(path.steps)
        self._context.emit(PathFound(path.check, _ids(path.steps), result, core, interpolants))

    def _interpolants_before_edges(self, steps: Sequence[Step]) -> tuple[int, ...]:
        """The numbers of the interpolants before each edge and at the end; -1 inside of steps.

        Empty where none are known.
        """
        sets = sequence_interpolants(self._abstraction, self._scope, steps)
        if sets is None:
            return ()
        size = len(self._expansion.arena)
        positions = first_edges(steps)
        numbers = [-1] * (positions[-1] + 1)
        for position, states in zip(positions, sets, strict=True):
            if self._interpolant_terms < INTERPOLANT_TERMS:
                numbers[position] = self._context.term(self._abstraction.decode(states))
        self._interpolant_terms += len(self._expansion.arena) - size
        return tuple(numbers)


def _ids(steps: Sequence[Step]) -> tuple[int, ...]:
    return tuple(edge.id for edge in edges_of(steps))


def _signed(arena: Arena, atom: Term, sign: bool) -> Term:
    return atom if sign else arena.not_(atom)
