"""Explicit-value analysis with counterexample-guided refinement, alone and with predicates.

D. Beyer, S. Löwe, "Explicit-Value Analysis Based on CEGAR and Interpolation", Technical Report MIP-1205, 2012.

| here | paper |
| --- | --- |
| `core.domains.explicit` | explicit-value analysis as a configurable program analysis, SP: sections II-C, III-A |
| `core.refinement` | algorithms 1 and 2; pruning instead of restart: section III-F |
| `interpolation` | algorithms 3 and 4 |
| `refiner` | the choice between explicit values, predicates and the precise check: section III-F |
| `core.domains.composite` | the combination with predicates |
| `adjustment`, `core.domains.explicit.domain` | what leaves the explicit precision: sections II-D, III-F |
| `options` | the configurations of section IV |

Deviations: steps are basic blocks, and states forget variables that are dead; what was reached last is explored first.
A refinement tracks what the latest contradiction of the path needs, and what earlier ones need where that has finitely
many values anyway (`finite`): that saves refinements. Where exploration meets no error for long, the newest path on the
way is refined as well, if explicit values contradict it (cf. Beyer, Löwe, Wendler, "Sliced path prefixes", FORTE 2015):
a coarse precision can make up far more states than the program has. A path that the path formula refutes, but explicit
values do not, is set aside where there are no predicates; the check is then `unknown` unless another path is feasible.
Predicates are those of the engine `transition`, without its seeds: they start from nothing. They see each step with the
known values in it (`core.domains.explicit.specialisation`), so that they speak of what is not known. Variables with
finitely many values never leave the explicit precision because of their number. But where refinement chooses values,
any variables leave it that together make too many states at one location, as flags do that change independently of
each other: predicates then begin with what guards compare them with, and all is explored again, loop by loop. So it is
where predicates take many refinements.

Limitations, by weight: without predicates, loops are unrolled and unknown values are not related; arrays of thousands
of cells are copied at every write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Protocol, TypeVar

from bdd import Bdd, best_manager
from core.analysis.intervals import simplify
from core.discovery.invariants import inductive_invariants
from core.domains.composite import CompositeDomain, Pair
from core.domains.explicit import TOO_MANY, ExplicitDomain, Precision, Specialisation, Valuation, Values, union
from core.domains.predicate import Abstraction, PredicateDomain
from core.engine import Context, Supported
from core.engines.explicit.finite import finite_variables
from core.engines.explicit.options import ExplicitConfiguration, ExplicitOptions
from core.engines.explicit.refiner import ExplicitRefiner, FallbackRefiner, PathCheck
from core.options import read_options
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.program.order import ExplorationStrategy
from core.refinement.graph import AbstractPath, ReachabilityGraph
from core.refinement.loop import EarlyRefinement, Excluded, refine_until_decided
from core.terms import Term
from core.verdict import Certificate, Outcome, Safe

S = TypeVar("S")


class PredicateRefinement(Protocol):
    """Makes the refinement of an abstraction by predicates; `numbers` are those of lemmas."""

    def __call__(
        self, expansion: Expansion, abstraction: Abstraction, context: Context, numbers: Iterator[int]
    ) -> FallbackRefiner: ...


class ExplicitEngine:
    """The engine `explicit`; implements `Engine`.

    `predicates` refines the predicates of the configurations that have them.
    """

    name = "explicit"

    def __init__(self, predicates: PredicateRefinement) -> None:
        self._predicates = predicates

    def supports(self, program: Program) -> Supported:
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        options = read_options(ExplicitOptions, context.options)
        simplified = simplify(program)
        expansion = Expansion(simplified.program, BlockEncoding.BASIC)
        plain = options.configuration in (ExplicitConfiguration.PLAIN, ExplicitConfiguration.PLAIN_PREDICATES)
        precision = Precision(expansion, None if plain else options.precision)
        match options.configuration:
            case ExplicitConfiguration.PLAIN | ExplicitConfiguration.EXPLICIT:
                run = self._alone
            case ExplicitConfiguration.PLAIN_PREDICATES | ExplicitConfiguration.PREDICATES:
                run = self._with_predicates
        outcomes, reached, lemmas = run(expansion, precision, checks, context)
        if len(outcomes) < len(checks):
            states = {at: union(program.arena, parts) for at, parts in reached().items()}
            certificate = Certificate(inductive_invariants(expansion, simplified, states), lemmas)
            outcomes.update((check, Safe(certificate)) for check in checks if check not in outcomes)
        return outcomes

    def _alone(self, expansion: Expansion, precision: Precision, checks: Sequence[int], context: Context) -> _Explored:
        domain = ExplicitDomain(expansion)
        fallback = PathCheck(expansion, context)
        refiner = ExplicitRefiner[Valuation](
            expansion, domain, precision, context, fallback, lambda state: state, lambda _, step: step, count()
        )
        graph = ReachabilityGraph(expansion, domain, precision, context, ExplorationStrategy.NEWEST_FIRST)
        outcomes = refine_until_decided(graph, refiner, checks, context, _early_refinement(refiner, precision))

        def reached() -> _Reached:
            true = expansion.arena.true
            return {at: [(state.values, true) for state in states] for at, states in graph.states().items()}

        return outcomes, reached, ()

    def _with_predicates(
        self, expansion: Expansion, precision: Precision, checks: Sequence[int], context: Context
    ) -> _Explored:
        explicit = ExplicitDomain(expansion, TOO_MANY, finite_variables(expansion.program))
        abstraction = Abstraction(expansion.arena, best_manager())
        predicates = PredicateDomain(expansion, abstraction)
        special = Specialisation(expansion.arena)

        def strengthen(state: Valuation, step: Step) -> Step:
            return special.step(state.values, step)

        domain = CompositeDomain(expansion.arena, explicit, predicates, strengthen)
        numbers = count()
        fallback = self._predicates(expansion, abstraction, context, numbers)
        refiner = ExplicitRefiner[Pair[Valuation, Bdd]](
            expansion,
            explicit,
            precision,
            context,
            fallback,
            lambda state: state.first,
            lambda state, step: strengthen(state.first, step),
            numbers,
        )
        try:
            graph = ReachabilityGraph(
                expansion, domain, Pair(precision, abstraction), context, ExplorationStrategy.NEWEST_FIRST
            )

            def early(path: AbstractPath[Pair[Valuation, Bdd]]) -> Excluded | None:
                excluded = refiner.refine_early(path)
                if excluded is None and refiner.adjust(
                    [state.first for state in states] for states in graph.states().values()
                ):
                    graph.start_again(ExplorationStrategy.STABLE_FIRST)  # most of what is left to tell apart merges now
                return excluded

            outcomes = refine_until_decided(graph, refiner, checks, context, early if precision.grows else None)
        finally:
            fallback.close()

        def reached() -> _Reached:
            formula = predicates.formula
            return {
                at: [(state.first.values, formula(state.second)) for state in states]
                for at, states in graph.states().items()
            }

        return outcomes, reached, tuple(fallback.lemmas())


def _early_refinement(refiner: ExplicitRefiner[S], precision: Precision) -> EarlyRefinement[S] | None:
    """The refinement of paths that have met no error yet; None where refinement does not choose values."""
    return refiner.refine_early if precision.grows else None


_Reached = Mapping[At, Sequence[tuple[Values, Term]]]
_Explored = tuple[dict[int, Outcome], Callable[[], _Reached], tuple[Term, ...]]
