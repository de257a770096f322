"""The contract of abstract domains that engines compose.

Laws, with γ the set of concrete states that an abstract state stands for:
`initial`: γ contains every initial state. `successors`: every concrete step from γ(state) ends in γ of one of the
results (none: the step cannot be taken). `merge`: γ(new) ∪ γ(old) ⊆ γ(result). `covered`: γ(state) ⊆ ∪ γ(reached).
`meet`: γ(a) ∩ γ(b) ⊆ γ(result), None if that is empty. `backward`: contains every concrete state of γ(state) from
which the step leads into γ(target); None if there is none. A precision only grows; states computed under a smaller
one stay sound. `shape` and `key`: `shape` lists variables in one order for all states, `key(a, xs)` has what a fixes of
each x (None: nothing); b covers a, or merges with it, only if `key(a, shape(b)) == key(b, shape(b))`, and merging
changes neither; so the states that matter to a new one are found in a table or a tree
(`methods.refinement.covering`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

from core.program.expansion import At, Step
from core.terms import Term

S = TypeVar("S")
P_contra = TypeVar("P_contra", contravariant=True)

Shape = tuple[Term, ...]
StateKey = tuple[Hashable, ...]


class Domain(Protocol[S, P_contra]):
    """An abstract domain: operations on abstract states `S` under a precision `P`, with the laws above."""

    def initial(self, at: At, precision: P_contra) -> S: ...

    def successors(self, state: S, step: Step, precision: P_contra) -> Iterable[S]: ...

    def merge(self, new: S, old: S) -> S | None:
        """Merge two states into one that stands for both, or None to keep them apart."""
        ...

    def shape(self, state: S) -> Shape:
        """The variables whose values a state fixes; () where a domain does not tell its states apart by that."""
        ...

    def key(self, state: S, shape: Shape) -> StateKey: ...

    def covered(self, state: S, reached: Sequence[S]) -> bool: ...

    def meet(self, a: S, b: S) -> S | None: ...

    def backward(self, state: S, step: Step, target: S, precision: P_contra) -> S | None: ...

    def formula(self, state: S) -> Term:
        """γ(state) as a formula over the variables."""
        ...
