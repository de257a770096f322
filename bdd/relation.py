"""Transition relations with implicit frames, and their images.

Jhala and McMillan, "Interpolant-based transition relation approximation", sections 5 and 6: the approximate relation of
an operation is a conjunction of constraints over V ∪ V′ that only grows. Deviations:

* a predicate that the operation does not affect has no next copy in the relation: it keeps its value (the frame is
  implicit), so an image quantifies and renames the affected predicates only;
* constraints are conjoined in order into clusters of bounded size. A small relation is one cached diagram; a large one
  is applied cluster by cluster, and a variable is quantified as soon as no later cluster mentions it.

What soundness requires: a variable is quantified only after the last cluster that mentions it; no constraint mentions
the next copy of an unaffected variable (it would be mistaken for one that has been renamed away).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from bdd.manager import Bdd, Manager, WrongCopy

# Heuristic, in nodes. One cached cluster is the fastest as long as it can be built.
CLUSTER_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class _Schedule:
    """The variables to quantify: `first` before any cluster, `after[i]` together with cluster i."""

    first: frozenset[int]
    after: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """The relation ⋀ constraints ∧ ⋀ {v′ = v : v not affected}. Made by `Relation.make`, extended by `strengthened`."""

    manager: Manager
    affected: frozenset[int]
    constraints: tuple[Bdd, ...]
    _clusters: tuple[Bdd, ...]
    _forward: _Schedule
    _backward: _Schedule

    @staticmethod
    def make(manager: Manager, affected: Iterable[int], constraints: Iterable[Bdd] = ()) -> Relation:
        """The relation of an operation that may change `affected`; without constraints it changes them arbitrarily.

        Raises `WrongCopy` if a constraint mentions the next copy of a variable that is not affected.
        """
        empty = _Schedule(frozenset(), ())
        nothing = Relation(manager, frozenset(), (), (), empty, empty)
        return nothing.strengthened(constraints, affected)

    def strengthened(self, constraints: Iterable[Bdd], affected: Iterable[int] = ()) -> Relation:
        """This relation with more constraints, and with more variables affected (newly found predicates)."""
        added = tuple(constraints)
        union = self.affected.union(affected)
        _require_frames(self.manager, union, added)
        clusters = _extend(self.manager, self._clusters, added)
        forward = _schedule(union, [self.manager.support(c) for c in clusters])
        backward = _schedule(union, [self.manager.next_support(c) for c in clusters])
        return Relation(self.manager, union, self.constraints + added, clusters, forward, backward)

    def image(self, states: Bdd) -> Bdd:
        """The states that have a predecessor in `states`, which mention no next copy (not checked: this is hot)."""
        manager = self.manager
        reached = manager.exists(self._forward.first, states)
        reached = _apply(reached, self._clusters, self._forward, manager.exists_and)
        return manager.to_current(self.affected, reached)

    def preimage(self, states: Bdd) -> Bdd:
        """The states that have a successor in `states`, which mention no next copy (not checked: this is hot)."""
        manager = self.manager
        # What no cluster relates to the current state may be quantified before it is renamed.
        reaching = manager.to_next(self.affected, manager.exists(self._backward.first, states))
        return _apply(reaching, self._clusters, self._backward, manager.exists_next_and)


def _apply(
    states: Bdd,
    clusters: Sequence[Bdd],
    schedule: _Schedule,
    product: Callable[[Iterable[int], Bdd, Bdd], Bdd],
) -> Bdd:
    for cluster, quantified in zip(clusters, schedule.after, strict=True):
        states = product(quantified, states, cluster)
    return states


def _schedule(affected: frozenset[int], supports: Sequence[frozenset[int]]) -> _Schedule:
    """Quantify each affected variable with the last cluster whose support has it."""
    later: frozenset[int] = frozenset()
    after: list[frozenset[int]] = []
    for support in reversed(supports):
        after.append((support & affected) - later)
        later |= support
    return _Schedule(affected - later, tuple(reversed(after)))


def _extend(manager: Manager, clusters: tuple[Bdd, ...], constraints: tuple[Bdd, ...]) -> tuple[Bdd, ...]:
    """Conjoin each constraint into the last cluster, or begin a new one where that would exceed the limit."""
    extended = list(clusters)
    for constraint in constraints:
        joined = manager.conjoin(extended[-1], constraint) if extended else constraint
        if extended and manager.size(joined) > CLUSTER_LIMIT:
            extended.append(constraint)
        else:
            extended[-1:] = [joined]
    return tuple(extended)


def _require_frames(manager: Manager, affected: frozenset[int], constraints: tuple[Bdd, ...]) -> None:
    unframed = frozenset(chain.from_iterable(map(manager.next_support, constraints))) - affected
    if unframed:
        raise WrongCopy(f"constraints on next copies of unaffected variables {sorted(unframed)}")
