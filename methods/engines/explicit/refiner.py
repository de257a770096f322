"""Refinement of one path, by explicit values first, then by predicates or the precise check.

D. Beyer, S. Löwe, "Explicit-value analysis based on CEGAR and interpolation", 2012, algorithm 2 and section III-F.

explicit values contradict the path      → its interpolants say what to track: explore again from the first of them
they do not, but the path is impossible  → predicates refine, where there are any; else the path is set aside
the path formula has a model             → counterexample

The explicit precision is refined first: predicates see only what explicit values cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Generic, Protocol, TypeVar

from bdd import Bdd
from core.limits import Interrupted, NoProgress, SolverUndecided
from core.parameters import parameter
from core.program.expansion import Expansion, Step
from core.program.exploration_order import ExplorationStrategy
from core.terms import Term, subterms
from core.verdict import Unknown
from methods.discovery.seeds import seed_predicates
from methods.domains.explicit import ExplicitDomain, Precision, Valuation, facts
from methods.engine import Context, Edit, EditAction
from methods.engines.explicit.adjustment import multiplying
from methods.engines.explicit.finite import finite_variables
from methods.engines.explicit.interpolation import Interpolation, ValueInterpolants
from methods.engines.explicit.options import RefinementSelection
from methods.paths.contradiction import minimal_core
from methods.paths.pathformula import Infeasible, check_path
from methods.refinement.loop import Excluded, Refinement, SetAside, StartAgain
from methods.refinement.reachability_graph import AbstractPath
from runs.events import Counter, LemmaAdded, Level, PathFound, Place

S = TypeVar("S")

PATH_EFFORT = parameter("explicit.refiner.path-effort")
PATIENCE = parameter("explicit.refiner.patience")


class FallbackRefiner(Protocol):
    """A procedure for paths that explicit values do not contradict."""

    def refine(self, path: AbstractPath[Bdd]) -> Refinement:
        """Decide a path, which comes without its states."""
        ...

    def edit(self, edits: Sequence[Edit]) -> None: ...

    def seed(self, predicates: Sequence[Term]) -> None:
        """Add predicates to begin with."""
        ...

    def lemmas(self) -> Iterator[Term]:
        """Valid formulas, as hints for the certificate."""
        ...

    def close(self) -> None: ...


class ExplicitRefiner(Generic[S]):
    """The refiner of the engine `explicit`; implements `Refiner[S]`.

    `valuation` gives the explicit values of a state.
    """

    def __init__(
        self,
        expansion: Expansion,
        domain: ExplicitDomain,
        precision: Precision,
        context: Context,
        fallback: FallbackRefiner,
        valuation: Callable[[S], Valuation],
        strengthen: Callable[[S, Step], Step],
        numbers: Iterator[int],
        selection: RefinementSelection,
    ) -> None:
        """Make the refiner; `strengthen` specialises a step to a state, `numbers` supplies the numbers of lemmas."""
        self._expansion = expansion
        self._arena = expansion.arena
        self._precision = precision
        self._domain = domain
        self._interpolation = Interpolation(domain, precision, context.limits)
        self._context = context
        self._fallback = fallback
        self._finite = finite_variables(expansion.program)
        self._valuation = valuation
        self._strengthen = strengthen
        self._numbers = numbers
        self._selection = selection
        self._tracked = 0
        self._refinements = 0
        self._fallback_refinements = 0
        self._early = 0

    def refine(self, path: AbstractPath[S]) -> Refinement:
        found = list(self._interpolation.interpolate(path.steps))
        chosen = self._simplest(found)
        if self._selection is RefinementSelection.LATEST:
            chosen = [one for number, one in enumerate(found) if number == 0 or self._is_finite(one)]
        elif any(not self._is_finite(one) and one.variety() > 1 for one in chosen):
            result = self._refine_by_fallback(path)
            if isinstance(result, Excluded | StartAgain):
                return result
        pivots: list[int] = []
        for one in chosen:
            pivot = self._track(path, one)
            if pivot is not None:
                pivots.append(pivot)
            if one is chosen[0] and pivots:
                self._report(path, one)
        if not pivots:
            return self._refine_by_fallback(path)
        self._refinements += 1
        self._context.emit(Counter("refinements of values", self._refinements))
        return Excluded(min(pivots))

    def _refine_by_fallback(self, path: AbstractPath[S]) -> Refinement:
        """Refine by predicates; after many such refinements explore again in the other order.

        The error is then perhaps not where the newest states are.
        """
        found = self._fallback.refine(AbstractPath((), self._strengthened(path), path.check))
        if not isinstance(found, Excluded):
            return found
        self._fallback_refinements += 1
        return StartAgain(ExplorationStrategy.STABLE_FIRST) if self._fallback_refinements == PATIENCE else found

    def _strengthened(self, path: AbstractPath[S]) -> tuple[Step, ...]:
        """The path's steps, specialised to its states: predicates need not find out what explicit values tell."""
        states = [arrival.before for arrival in path.arrivals]
        return tuple(
            step if state is None else self._strengthen(state, step)
            for state, step in zip(states, path.steps, strict=True)
        )

    def refine_early(self, path: AbstractPath[S]) -> Excluded | None:
        """Refine a path that leads to no error, by its simplest contradictions."""
        chosen = self._simplest(list(self._interpolation.interpolate(path.steps)))
        pivots = [pivot for one in chosen if (pivot := self._track(path, one)) is not None]
        if not pivots:
            return None
        self._early += 1
        self._context.emit(Counter("early refinements", self._early))
        return Excluded(min(pivots))

    def _simplest(self, found: Sequence[ValueInterpolants]) -> Sequence[ValueInterpolants]:
        """Those that only speak about variables with finitely many values.

        If there are none, the one whose places take the fewest values, which unrolls least.
        """
        return [one for one in found if self._is_finite(one)] or sorted(found, key=ValueInterpolants.variety)[:1]

    def adjust(self, states: Iterable[Sequence[Valuation]]) -> bool:
        """Leave the variables that make too many of the states, given by location, to predicates; False if none does.

        Predicates then begin with comparisons of these variables with constants.
        """
        multiplied = multiplying([state.values for state in here] for here in states)
        leaving = [x for x in multiplied if self._precision.leave(x)]
        if not leaving:
            return False
        left = frozenset(self._precision.left)
        self._fallback.seed([p for p in seed_predicates(self._expansion) if p.symbols() <= left])
        self._context.emit(Counter("variables left to predicates", len(left)))
        return True

    def _is_finite(self, interpolants: ValueInterpolants) -> bool:
        """Whether the interpolants only speak about variables with finitely many values."""
        return all(self._arena.original(x) in self._finite for values in interpolants.after for x in values)

    def _track(self, path: AbstractPath[S], interpolants: ValueInterpolants) -> int | None:
        """Track the places of the interpolants; the first step after which the path does not know one of them."""
        positions = range(interpolants.first, interpolants.last)
        pivot = next((i for i in positions if not self._known(path, i, interpolants)), None)
        before = path.arrivals[interpolants.first if pivot is None else pivot].before
        for i in positions:
            at = path.steps[i].target
            places = interpolants.places(self._arena, i)
            for place in self._precision.add(places, at.location, None if before is None else self._valuation(before)):
                self._emit(place, "interpolant", (at.stack, at.location))
        return pivot

    def _known(self, path: AbstractPath[S], position: int, interpolants: ValueInterpolants) -> bool:
        """Whether the path's state after a step says what the interpolant says."""
        state = self._valuation(path.arrivals[position].state)
        return self._domain.covered(state, [Valuation(interpolants.after[position], {})])

    # Events and edits

    def edit(self, edits: Sequence[Edit]) -> None:
        """Apply what a user changed between rounds: the variables and cells of a new predicate are tracked."""
        for edit in edits:
            if edit.action is EditAction.STOP:
                raise Interrupted("stopped between rounds")
            if edit.action is EditAction.ADD_PREDICATE and edit.formula is not None:
                places = [t for t in subterms(edit.formula) if self._is_place(t)]
                for place in self._precision.add(places, edit.place[1] if edit.place else 0):
                    self._emit(place, "user", edit.place)
        self._fallback.edit(edits)

    def _is_place(self, t: Term) -> bool:
        if t.is_select:
            return t.args[0] in self._expansion.program.variables and t.args[1].is_constant
        return t in self._expansion.program.variables

    def _emit(self, place: Term, origin: str, at: Place | None) -> None:
        lemma = next(self._numbers)
        if self._context.wants(Level.STATES):
            self._context.emit(LemmaAdded(lemma, "value", origin, self._context.term(place), (), at))
        self._tracked += 1
        self._context.emit(Counter("tracked places", self._tracked))

    def _report(self, path: AbstractPath[S], interpolants: ValueInterpolants) -> None:
        """Report the path with its core, found among whole steps, and the interpolant before the first edge of each."""
        core: tuple[int, ...] = ()
        shown: tuple[int, ...] = ()
        if self._context.wants(Level.STATES):
            firsts = [0, *accumulate(len(step.edges) for step in path.steps)]
            core = tuple(position for i in interpolants.core for position in range(firsts[i], firsts[i + 1]))
            core = minimal_core(self._expansion, path.steps, core, self._context.solver)
            numbers = [-1] * (firsts[-1] + 1)
            for position, formula in zip(firsts, self._formulas(interpolants), strict=True):
                numbers[position] = self._context.term(formula)
            shown = tuple(numbers)
        self._context.emit(PathFound(path.check, _edges(path.steps), "refuted", core, shown))

    def _formulas(self, interpolants: ValueInterpolants) -> Iterator[Term]:
        """The interpolant before each step, and at the end."""
        yield self._arena.true
        for position, values in enumerate(interpolants.after):
            contradicting = position >= interpolants.last
            yield self._arena.false if contradicting else self._arena.and_(*facts(self._arena, values))


class PathCheck:
    """The precise counterexample check of section III-F: implements `FallbackRefiner` by the path formula alone."""

    def __init__(self, expansion: Expansion, context: Context) -> None:
        self._expansion = expansion
        self._context = context

    def refine(self, path: AbstractPath[Bdd]) -> Refinement:
        try:
            concrete = check_path(self._expansion, path.steps, self._context.solver, PATH_EFFORT)
        except (SolverUndecided, NoProgress) as reason:
            self._context.limits.check()  # a solver also gives up because the run has to end
            return Unknown(str(reason), _edges(path.steps))
        if isinstance(concrete, Infeasible):
            self._context.emit(PathFound(path.check, _edges(path.steps), "spurious"))
            return SetAside("an impossible path is beyond explicit values")
        self._context.emit(PathFound(path.check, concrete.path, "feasible"))
        return concrete

    def edit(self, edits: Sequence[Edit]) -> None:
        pass

    def seed(self, predicates: Sequence[Term]) -> None:
        pass

    def lemmas(self) -> Iterator[Term]:
        return iter(())

    def close(self) -> None:
        pass


def _edges(steps: Sequence[Step]) -> tuple[int, ...]:
    return tuple(edge.id for step in steps for edge in step.edges)
