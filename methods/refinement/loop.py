"""The refinement loop of every CEGAR engine.

Counterexample-guided abstraction refinement as in Clarke et al. (CAV 2000), lazily as in Henzinger et al. (POPL 2002):
explore until an error location is reached, take the abstract path to it, and let a refiner show that it is feasible or
exclude it; then only what depends on the path from its pivot on is explored again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Generic, Protocol, TypeVar

from core.dataclass import dataclass
from core.parameters import parameter
from core.program.exploration_order import ExplorationStrategy
from core.verdict import Outcome, Unknown, Unsafe
from methods.engine import Context, Edit
from methods.refinement.reachability_graph import NO_CHECK, AbstractPath, ReachabilityGraph, Stale
from runs.events import PhaseStarted, RoundStarted

S = TypeVar("S")
P = TypeVar("P")

PATIENCE = parameter("refinement.loop.patience")


@dataclass(frozen=True)
class Excluded:
    """The path is excluded: the abstraction has grown so that it is gone once explored again from its `pivot` on."""

    pivot: int


@dataclass(frozen=True)
class SetAside:
    """The path is impossible, but the abstraction cannot exclude it: others are sought; `reason` is for the verdict."""

    reason: str


@dataclass(frozen=True)
class StartAgain:
    """The path is excluded, but all must be explored again, from now on in this order."""

    order: ExplorationStrategy


Refinement = Excluded | StartAgain | SetAside | Unsafe | Unknown


class Refiner(Protocol[S]):
    """A procedure that decides abstract paths.

    Law: after `Excluded` and `StartAgain`, exploring does not lead to the same path.
    """

    def refine(self, path: AbstractPath[S]) -> Refinement: ...

    def edit(self, edits: Sequence[Edit]) -> None:
        """Apply what a user changed between rounds."""
        ...


EarlyRefinement = Callable[[AbstractPath[S]], Excluded | None]
"""Excludes a path that is impossible although it leads to no error; None where it may be possible.

It may also adjust the precision to what has been reached, and start again. Law: as that of `Refiner`; and it does
either finitely often, as the abstraction cannot grow for ever.
"""


def refine_until_decided(
    graph: ReachabilityGraph[S, P],
    refiner: Refiner[S],
    checks: Sequence[int],
    context: Context,
    early: EarlyRefinement[S] | None = None,
) -> dict[int, Outcome]:
    """Run the loop: explore, find a path, refine, prune at the pivot, until each check is decided."""
    outcomes: dict[int, Outcome] = {}
    doubts: dict[int, Outcome] = {}
    undecided = dict.fromkeys(checks)
    search = _Exploration(graph, early, context)
    round_number = 0
    _begin_round(round_number, "start", graph, refiner, context)
    while undecided and (path := search.error(undecided)) is not None:
        round_number += 1
        context.emit(PhaseStarted("refine"))
        match refiner.refine(path):
            case Excluded(pivot):
                graph.prune(path.arrivals[pivot].sequence)
            case StartAgain(order):
                graph.start_again(order)
            case SetAside(reason):
                edges = tuple(edge.id for step in path.steps for edge in step.edges)
                doubts.setdefault(path.check, Unknown(reason, edges))
                graph.set_aside(path)
            case decided:
                outcomes[path.check] = decided
                context.decided({path.check: decided})
                del undecided[path.check]
                if not undecided:
                    return outcomes
        _begin_round(round_number, "refined", graph, refiner, context)
    return {**doubts, **outcomes}


class _Exploration(Generic[S, P]):
    """Exploration up to the next error.

    Where that takes long, it may be lost in states that a coarse abstraction has made up: then the newest path is
    examined, and what refutes it is learned at once.
    """

    def __init__(self, graph: ReachabilityGraph[S, P], early: EarlyRefinement[S] | None, context: Context) -> None:
        self._graph = graph
        self._early = early
        self._context = context
        self._patience = PATIENCE

    def error(self, targets: Container[int]) -> AbstractPath[S] | None:
        """An abstract path to a check in `targets`; None if there is none."""
        most = None if self._early is None else self._patience
        while (node := self._graph.explore(targets, most)) is not None:
            check = self._graph.check(node)
            path = self._graph.path_to(node, NO_CHECK if check is None else check)
            if isinstance(path, Stale):
                self._graph.prune(path.sequence)
            elif check is not None:
                return path
            else:
                most = self._refine_early(path)
        return None

    def _refine_early(self, path: AbstractPath[S]) -> int:
        """Exclude a path if it is impossible; returns how many nodes to expand before the next check."""
        assert self._early is not None
        self._context.emit(PhaseStarted("refine"))
        excluded = self._early(path)
        if excluded is None:
            self._patience *= 2
        else:
            self._graph.prune(path.arrivals[excluded.pivot].sequence)
        self._context.emit(PhaseStarted("explore"))
        return self._patience


def _begin_round(
    number: int, reason: str, graph: ReachabilityGraph[S, P], refiner: Refiner[S], context: Context
) -> None:
    """Begin a round with what a user changed before it; after a change all is explored again."""
    context.emit(RoundStarted(number, reason))
    edits = context.between_rounds(number)
    if edits:
        refiner.edit(edits)
        graph.start_again()
    context.emit(PhaseStarted("explore"))
