"""Houdini: the largest part of candidates that is inductive, and the part of it that a proof needs.

C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001. Candidates stand at places, and
*rules* connect places: paths between two cut points, or clauses of a Horn system. An engine says which candidates a
rule does not establish, and from which others it establishes one; the fixed points are computed here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.parameters import parameter
from core.solver.contract import Model
from core.terms import Arena, Term

TOGETHER = parameter("inference.houdini.together")

P = TypeVar("P", bound=Hashable)
R = TypeVar("R")
F = TypeVar("F", bound=Hashable)

Formulas = dict[P, dict[Term, None]]  # at places, in the order in which they came


class InferenceStuck(SolverUndecided):
    """Raised where too many questions have no answer."""


class Patience:
    """A count of the questions that may stay without answer."""

    def __init__(self, questions: int) -> None:
        self._left = questions

    def lose(self) -> None:
        """Count a question without answer. Raises `InferenceStuck` if there were too many."""
        self._left -= 1
        if self._left <= 0:
            raise InferenceStuck("too many questions about candidates have no answer")


@dataclass(frozen=True, eq=False)
class Connection(Generic[P, R]):
    """A rule that leads to `target` from what holds at `source` (None: from nothing)."""

    source: P | None
    target: P
    rule: R


class Houdini(Generic[P, R]):
    """The fixed points over the rules of one system."""

    def __init__(self, connections: Iterable[Connection[P, R]]) -> None:
        self._connections = tuple(connections)
        self._from: dict[P | None, list[Connection[P, R]]] = {}
        self._to: dict[P, list[Connection[P, R]]] = {}
        for connection in self._connections:
            self._from.setdefault(connection.source, []).append(connection)
            self._to.setdefault(connection.target, []).append(connection)

    def largest(
        self, candidates: Mapping[P, Iterable[Term]], broken: Callable[[R, Formulas[P]], Collection[Term]]
    ) -> Formulas[P]:
        """The largest inductive part: what is left when everything was dropped that some rule does not establish.

        `broken` gives the candidates that a rule does not establish from what is kept.
        """
        kept = {place: dict.fromkeys(own) for place, own in candidates.items()}
        waiting = deque(self._connections)
        while waiting:
            connection = waiting.popleft()
            own = kept.get(connection.target, {})
            dropped = broken(connection.rule, kept) if own else ()
            for candidate in dropped:
                del own[candidate]
            if dropped:
                after = self._from.get(connection.target, ())
                waiting.extend(following for following in after if following not in waiting)
        return kept

    def close(
        self,
        needed: dict[P, dict[F, None]],
        wanted: Iterable[tuple[P, F]],
        core: Callable[[R, F, dict[P, dict[F, None]]], Iterable[F]],
    ) -> None:
        """Add what is `wanted` to the `needed` part of an inductive set, and what makes it inductive again.

        `core` gives formulas at the source of a rule from which the rule establishes one, preferably needed ones.
        """
        work: list[tuple[P, F]] = []

        def need(place: P, formula: F) -> None:
            own = needed.setdefault(place, {})
            if formula not in own:
                own[formula] = None
                work.append((place, formula))

        for place, formula in wanted:
            need(place, formula)
        while work:
            place, formula = work.pop()
            for connection in self._to.get(place, ()):
                if connection.source is not None:
                    for reason in core(connection.rule, formula, needed):
                        need(connection.source, reason)


def not_established(
    arena: Arena,
    goals: Mapping[Term, Term],
    counterexample: Callable[[Term], Model | None],
    patience: Patience,
) -> list[Term]:
    """The candidates whose goals do not follow, as far as the solver tells; `counterexample` to a goal may raise
    `SolverUndecided`. Most models violate few goals, so groups of them are evaluated first.
    """
    false: dict[Term, None] = {}
    left = list(goals)
    groups = [left[i : i + TOGETHER] for i in range(0, len(left), TOGETHER)]
    while groups:
        conjunctions = [arena.and_(*(goals[c] for c in group)) for group in groups]
        try:
            model = counterexample(arena.and_(*conjunctions))
            if model is None:
                break
            failing = [g for g, all_of in zip(groups, conjunctions, strict=True) if model.value(all_of) is not True]
            now = dict.fromkeys(c for group in failing for c in group if model.value(goals[c]) is not True)
            if not now:
                raise SolverUndecided("a model violates no candidate")
        except SolverUndecided:
            patience.lose()
            now = dict.fromkeys(_singly(goals, [c for group in groups for c in group], counterexample, patience))
            groups = []
        false |= now
        groups = [rest for group in groups if (rest := [c for c in group if c not in now])]
    return list(false)


def _singly(
    goals: Mapping[Term, Term],
    candidates: Sequence[Term],
    counterexample: Callable[[Term], Model | None],
    patience: Patience,
) -> Iterator[Term]:
    """The candidates whose goals do not follow, asked one by one; those without answer are among them."""
    for candidate in candidates:
        try:
            follows = counterexample(goals[candidate]) is None
        except SolverUndecided:
            patience.lose()
            follows = False
        if not follows:
            yield candidate
