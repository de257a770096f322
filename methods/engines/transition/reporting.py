"""Reports of refinement: the events about paths, predicates and lemmas. Nothing here plays a part in a refinement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bdd import Bdd
from core.parameters import parameter
from core.program.expansion import Expansion, Step
from core.terms import Term
from core.verdict import Unsafe
from methods.discovery.interpolation import slice_path
from methods.domains.predicate import Abstraction, ApproximateTransition, PredicateScope
from methods.engine import Context
from methods.engines.transition.explanation import core_positions, edges_of, first_edges, sequence_interpolants
from methods.engines.transition.lemmas import LemmaFormulas, TransitionLemma
from methods.engines.transition.options import Strength
from methods.engines.transition.proofs import PathRefutation
from methods.paths.contradiction import minimal_core
from methods.paths.pathformula import Infeasible
from methods.refinement.reachability_graph import AbstractPath
from runs.events import Counter, InterpolantsFound, LemmaAdded, LemmasRemoved, Level, PathFound, Place

INTERPOLANT_TERMS = parameter("transition.reporting.interpolant-terms")


class RefinementReporter:
    """Emits events about what the refiner tells it. `numbers` supplies the numbers of lemmas."""

    def __init__(
        self,
        expansion: Expansion,
        abstraction: Abstraction,
        scope: PredicateScope,
        context: Context,
        numbers: Iterator[int],
    ) -> None:
        self._expansion = expansion
        self._abstraction = abstraction
        self._scope = scope
        self._context = context
        self._numbers = numbers
        self._formulas = LemmaFormulas(expansion.arena, abstraction)
        self._refinements = 0
        self._interpolant_terms = 0
        self._lemmas_of: dict[Term, list[int]] = {}  # those of predicates, by these

    # Paths

    def feasible(self, check: int, counterexample: Unsafe) -> None:
        """An execution follows the path to a check."""
        self._context.emit(PathFound(check, counterexample.path, "feasible"))

    def refuted(self, path: AbstractPath[Bdd], concrete: Infeasible | None) -> None:
        """The path was refuted with the predicates at hand; `concrete` is the reason where that was found out."""
        self._impossible(path, "refuted", concrete)

    def spurious(self, path: AbstractPath[Bdd], concrete: Infeasible) -> None:
        """The path is impossible, but needed new predicates."""
        self._impossible(path, "spurious", concrete)

    def excluded(self) -> None:
        """The refinement of a path is done."""
        self._refinements += 1
        self._context.emit(Counter("refinements", self._refinements))

    def _impossible(self, path: AbstractPath[Bdd], result: str, concrete: Infeasible | None) -> None:
        core: tuple[int, ...] = ()
        interpolants: tuple[int, ...] = ()
        if concrete is not None and self._context.wants(Level.STATES):
            sliced = slice_path(self._expansion, path.steps, concrete)
            core = core_positions(self._expansion, path.steps, sliced)
            core = minimal_core(self._expansion, path.steps, core, self._context.solver)
            interpolants = self._interpolants_before_edges(path.steps)
        edges = tuple(edge.id for edge in edges_of(path.steps))
        self._context.emit(PathFound(path.check, edges, result, core, interpolants))

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

    # Lemmas

    def predicate_added(self, atom: Term, origin: str, place: Place | None) -> None:
        self._lemmas_of.setdefault(atom, []).append(self._lemma("predicate", origin, atom, (), place))
        self._context.emit(Counter("predicates", len(self._abstraction.predicates) - len(self._abstraction.withdrawn)))

    def predicate_withdrawn(self, atom: Term) -> None:
        self._context.emit(LemmasRemoved(tuple(self._lemmas_of.pop(atom, ()))))

    def learned(self, role: str, origin: str, op: ApproximateTransition, lemma: TransitionLemma, step: Step) -> None:
        """T̂ of a step has learned a lemma; `role` and `origin` are those of `LemmaAdded`."""
        edges = tuple(edge.id for edge in step.edges)
        self._lemma(role, origin, self._formulas.before(op, lemma), edges, (step.source.stack, step.source.location))

    def _lemma(self, role: str, origin: str, formula: Term, edges: tuple[int, ...], place: Place | None) -> int:
        """Report a lemma; returns its number."""
        lemma = next(self._numbers)
        if self._context.wants(Level.STATES):
            self._context.emit(LemmaAdded(lemma, role, origin, self._context.term(formula), edges, place))
        return lemma

    def interpolants(self, refutation: PathRefutation, steps: Sequence[Step]) -> None:
        """The transition interpolants of the steps of a path, weak and strong."""
        firsts = first_edges(steps)
        for strength in (Strength.WEAK, Strength.STRONG) if self._context.wants(Level.STATES) else ():
            found = [i for i in refutation.interpolants(strength) if i.step is steps[i.position]]
            formulas = tuple(self._context.term(self._formulas.primed(i.formula)) for i in found)
            positions = tuple(firsts[i.position] for i in found)
            self._context.emit(InterpolantsFound(strength.value, positions, formulas))
