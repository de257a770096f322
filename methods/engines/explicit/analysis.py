"""Analyses of the engine `explicit`: its refinement loop over explicit values, alone and with predicates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import count
from typing import Protocol

from bdd import Bdd, best_manager
from core.program.expansion import At, Expansion, Step
from core.program.exploration_order import ExplorationStrategy
from core.terms import Term
from core.verdict import Outcome
from methods.domains.composite import CompositeDomain, Pair
from methods.domains.explicit import TOO_MANY, ExplicitDomain, Precision, Specialisation, Valuation, Values
from methods.domains.predicate import Abstraction, PredicateDomain
from methods.engine import Context
from methods.engines.explicit.finite import finite_variables
from methods.engines.explicit.options import RefinementSelection
from methods.engines.explicit.refiner import ExplicitRefiner, FallbackRefiner, PathCheck
from methods.refinement.loop import Excluded, refine_until_decided
from methods.refinement.reachability_graph import AbstractPath, ReachabilityGraph


class PredicateRefinement(Protocol):
    """Makes the refinement of an abstraction by predicates; `numbers` are those of lemmas."""

    def __call__(
        self, expansion: Expansion, abstraction: Abstraction, context: Context, numbers: Iterator[int]
    ) -> FallbackRefiner: ...


class ExplicitAnalysis(Protocol):
    """One analysis of a program, with its reachability graph."""

    def decide(self, checks: Sequence[int]) -> dict[int, Outcome]:
        """Outcomes of `checks`; those without one hold in all reached states."""
        ...

    def reached(self) -> Mapping[At, Sequence[tuple[Values, Term]]]:
        """The reached states by location, each as values and a formula that also holds."""
        ...

    def lemmas(self) -> tuple[Term, ...]:
        """Valid formulas, as hints for the certificate."""
        ...


class ValueAnalysis:
    """Explicit values alone; implements `ExplicitAnalysis`."""

    def __init__(
        self, expansion: Expansion, precision: Precision, context: Context, selection: RefinementSelection
    ) -> None:
        self._expansion = expansion
        self._precision = precision
        self._context = context
        domain = ExplicitDomain(expansion)
        fallback = PathCheck(expansion, context)
        self._refiner = ExplicitRefiner[Valuation](
            expansion,
            domain,
            precision,
            context,
            fallback,
            lambda state: state,
            lambda _, step: step,
            count(),
            selection,
        )
        self._graph = ReachabilityGraph(expansion, domain, precision, context, ExplorationStrategy.NEWEST_FIRST)

    def decide(self, checks: Sequence[int]) -> dict[int, Outcome]:
        early = self._refiner.refine_early if self._precision.grows else None
        return refine_until_decided(self._graph, self._refiner, checks, self._context, early)

    def reached(self) -> Mapping[At, Sequence[tuple[Values, Term]]]:
        true = self._expansion.arena.true
        return {at: [(state.values, true) for state in states] for at, states in self._graph.states().items()}

    def lemmas(self) -> tuple[Term, ...]:
        return ()


CombinedState = Pair[Valuation, Bdd]


class CombinedAnalysis:
    """Explicit values with predicates; implements `ExplicitAnalysis`."""

    def __init__(
        self,
        expansion: Expansion,
        precision: Precision,
        context: Context,
        selection: RefinementSelection,
        refinement: PredicateRefinement,
    ) -> None:
        self._precision = precision
        self._context = context
        self._specialisation = Specialisation(expansion.arena)
        explicit = ExplicitDomain(expansion, TOO_MANY, finite_variables(expansion.program))
        abstraction = Abstraction(expansion.arena, best_manager())
        self._predicates = PredicateDomain(expansion, abstraction)
        domain = CompositeDomain(expansion.arena, explicit, self._predicates, self._specialised)
        numbers = count()
        self._fallback = refinement(expansion, abstraction, context, numbers)
        self._refiner = ExplicitRefiner[CombinedState](
            expansion,
            explicit,
            precision,
            context,
            self._fallback,
            lambda state: state.first,
            lambda state, step: self._specialised(state.first, step),
            numbers,
            selection,
        )
        self._graph = ReachabilityGraph(
            expansion, domain, Pair(precision, abstraction), context, ExplorationStrategy.NEWEST_FIRST
        )

    def _specialised(self, valuation: Valuation, step: Step) -> Step:
        return self._specialisation.step(valuation.values, step)

    def decide(self, checks: Sequence[int]) -> dict[int, Outcome]:
        early = self._refine_early if self._precision.grows else None
        with closing(self._fallback):
            return refine_until_decided(self._graph, self._refiner, checks, self._context, early)

    def _refine_early(self, path: AbstractPath[CombinedState]) -> Excluded | None:
        """Refine a path without error; if it stays, leave variables that multiply states to predicates."""
        excluded = self._refiner.refine_early(path)
        if excluded is None and self._refiner.adjust(
            [state.first for state in states] for states in self._graph.states().values()
        ):
            self._graph.start_again(ExplorationStrategy.STABLE_FIRST)  # most of what is left to tell apart merges now
        return excluded

    def reached(self) -> Mapping[At, Sequence[tuple[Values, Term]]]:
        formula = self._predicates.formula
        return {
            at: [(state.first.values, formula(state.second)) for state in states]
            for at, states in self._graph.states().items()
        }

    def lemmas(self) -> tuple[Term, ...]:
        return tuple(self._fallback.lemmas())
