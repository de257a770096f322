"""Two abstract domains side by side: a state is a pair, and stands for the concrete states that both parts stand for.

D. Beyer, T. A. Henzinger, G. Théoduloz, "Program analysis with dynamic precision adjustment", ASE 2008, for two parts.
The first part tells states apart: pairs with equal first parts merge in the second, where that merges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from core.dataclass import dataclass
from core.program.expansion import At, Step
from core.terms import Arena, Term
from methods.domains.contract import Domain, Shape, StateKey

A = TypeVar("A")
B = TypeVar("B")
P = TypeVar("P")
Q = TypeVar("Q")


@dataclass(frozen=True, slots=True, eq=False)
class Pair(Generic[A, B]):
    """A pair of abstract states, or of precisions."""

    first: A
    second: B


Strengthening = Callable[[A, Step], Step]
"""The strengthening operator: specialises a step, for the second part, to the states that the first stands for."""


class CompositeDomain(Generic[A, B, P, Q]):
    """The product of two domains; implements `Domain[Pair[A, B], Pair[P, Q]]`."""

    def __init__(self, arena: Arena, first: Domain[A, P], second: Domain[B, Q], strengthen: Strengthening[A]) -> None:
        self._arena = arena
        self._strengthen = strengthen
        self._first = first
        self._second = second

    def initial(self, at: At, precision: Pair[P, Q]) -> Pair[A, B]:
        return Pair(self._first.initial(at, precision.first), self._second.initial(at, precision.second))

    def successors(self, state: Pair[A, B], step: Step, precision: Pair[P, Q]) -> Iterable[Pair[A, B]]:
        for a in self._first.successors(state.first, step, precision.first):
            for b in self._second.successors(state.second, self._strengthen(state.first, step), precision.second):
                yield Pair(a, b)

    def merge(self, new: Pair[A, B], old: Pair[A, B]) -> Pair[A, B] | None:
        if not (self._first.covered(new.first, [old.first]) and self._first.covered(old.first, [new.first])):
            return None
        merged = self._second.merge(new.second, old.second)
        return None if merged is None else Pair(new.first, merged)

    def shape(self, state: Pair[A, B]) -> Shape:
        return self._first.shape(state.first)

    def key(self, state: Pair[A, B], shape: Shape) -> StateKey:
        return self._first.key(state.first, shape)

    def covered(self, state: Pair[A, B], reached: Sequence[Pair[A, B]]) -> bool:
        return any(
            self._first.covered(state.first, [other.first]) and self._second.covered(state.second, [other.second])
            for other in reached
        )

    def meet(self, a: Pair[A, B], b: Pair[A, B]) -> Pair[A, B] | None:
        first = self._first.meet(a.first, b.first)
        second = None if first is None else self._second.meet(a.second, b.second)
        return None if first is None or second is None else Pair(first, second)

    def backward(self, state: Pair[A, B], step: Step, target: Pair[A, B], precision: Pair[P, Q]) -> Pair[A, B] | None:
        first = self._first.backward(state.first, step, target.first, precision.first)
        if first is None:
            return None
        special = self._strengthen(first, step)
        second = self._second.backward(state.second, special, target.second, precision.second)
        return None if second is None else Pair(first, second)

    def formula(self, state: Pair[A, B]) -> Term:
        return self._arena.and_(self._first.formula(state.first), self._second.formula(state.second))
