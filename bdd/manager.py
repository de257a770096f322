"""The interface of a BDD manager: Boolean functions over state variables, each with a current and a next copy.

A state variable is an index chosen by the caller (the number of a predicate). Its two copies are v_p and v'_p of Jhala
and McMillan, "Interpolant-based transition relation approximation", section 5. A set of states is a function of current
copies; a transition relation is a function of both. Equal functions are equal handles.

Results depend only on the sequence of calls, never on hashing or time. Reordering happens in `reorder` alone.

Limitations: memory is bounded by the backend, not by this interface; a running operation cannot be interrupted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import final


class BackendMissing(ImportError):
    """The native library behind a manager is not installed."""


class ForeignBdd(ValueError):
    """A function of one manager was given to another, or compared with a function of another."""


class WrongCopy(ValueError):
    """A function mentions a copy of a variable that the operation does not allow."""


@final
class Bdd:
    """A Boolean function. Opaque: only its manager knows its nodes. Equality is equality of functions."""

    __slots__ = ("_node", "_owner")

    def __init__(self, owner: object, node: object) -> None:
        # The owner is the backend, not the Manager: a cycle through the Manager would leave it to the cycle collector
        # to release native nodes, in an order that the backend reports as leaks.
        self._owner = owner
        self._node = node

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bdd):
            return NotImplemented
        if self._owner is not other._owner:
            raise ForeignBdd("functions of different managers are never comparable")
        return self._node == other._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __bool__(self) -> bool:
        raise TypeError("a Boolean function has no truth value; ask Manager.is_true or Manager.is_false")


class Manager(ABC):
    """Functions over a growing set of variables.

    Every operation raises `ForeignBdd` for a handle of another manager and `KeyError` for an undeclared variable.
    """

    @abstractmethod
    def declare(self, index: int, near: int | None = None) -> None:
        """Add a variable; declaring it again changes nothing. Its two copies stay adjacent in the order.

        Heuristic: `near` is a declared variable after which the new one is placed; a backend may ignore it.
        """

    @abstractmethod
    def declared(self) -> frozenset[int]:
        """The variables declared so far."""

    @property
    @abstractmethod
    def true(self) -> Bdd: ...

    @property
    @abstractmethod
    def false(self) -> Bdd: ...

    @abstractmethod
    def var(self, index: int) -> Bdd:
        """The function that is the current copy of a variable."""

    @abstractmethod
    def next_var(self, index: int) -> Bdd:
        """The function that is the next copy of a variable."""

    @abstractmethod
    def negate(self, u: Bdd) -> Bdd: ...

    @abstractmethod
    def conjoin(self, *functions: Bdd) -> Bdd:
        """The conjunction; of nothing, true."""

    @abstractmethod
    def disjoin(self, *functions: Bdd) -> Bdd:
        """The disjunction; of nothing, false."""

    @abstractmethod
    def xor(self, u: Bdd, v: Bdd) -> Bdd: ...

    @abstractmethod
    def iff(self, u: Bdd, v: Bdd) -> Bdd: ...

    @abstractmethod
    def ite(self, condition: Bdd, then: Bdd, otherwise: Bdd) -> Bdd: ...

    @abstractmethod
    def implies(self, u: Bdd, v: Bdd) -> bool:
        """Whether u ≤ v: every assignment that satisfies u satisfies v."""

    @abstractmethod
    def is_true(self, u: Bdd) -> bool: ...

    @abstractmethod
    def is_false(self, u: Bdd) -> bool: ...

    @abstractmethod
    def exists(self, indices: Iterable[int], u: Bdd) -> Bdd:
        """∃ current copies of `indices`. u"""

    @abstractmethod
    def exists_and(self, indices: Iterable[int], u: Bdd, v: Bdd) -> Bdd:
        """∃ current copies of `indices`. u ∧ v, without building u ∧ v where the backend can."""

    @abstractmethod
    def exists_next_and(self, indices: Iterable[int], u: Bdd, v: Bdd) -> Bdd:
        """∃ next copies of `indices`. u ∧ v, without building u ∧ v where the backend can."""

    @abstractmethod
    def to_next(self, indices: Iterable[int], u: Bdd) -> Bdd:
        """u with the current copies of `indices` renamed to next ones.

        Raises `WrongCopy` if u mentions one of those next copies: renaming would identify two different variables.
        """

    @abstractmethod
    def to_current(self, indices: Iterable[int], u: Bdd) -> Bdd:
        """u with the next copies of `indices` renamed to current ones; raises `WrongCopy` likewise."""

    @abstractmethod
    def support(self, u: Bdd) -> frozenset[int]:
        """The variables whose current copy u depends on."""

    @abstractmethod
    def next_support(self, u: Bdd) -> frozenset[int]:
        """The variables whose next copy u depends on."""

    @abstractmethod
    def size(self, u: Bdd) -> int:
        """The number of nodes of u, within one of what a backend counts for constants."""

    @abstractmethod
    def live_nodes(self) -> int:
        """The number of nodes in use. A caller compares it with a threshold before `reorder`."""

    @abstractmethod
    def cubes(self, u: Bdd) -> Iterator[dict[int, bool]]:
        """Disjoint cubes whose disjunction is u; their number may be exponential in the size of u.

        Raises `WrongCopy` if u mentions a next copy. The manager must not be reordered during the iteration.
        """

    @abstractmethod
    def branch(self, u: Bdd) -> tuple[int, Bdd, Bdd] | None:
        """The variable on which u branches first and what is left of u where it is true and where it is false.

        None if u is constant. Raises `WrongCopy` if u branches on a next copy.
        """

    @abstractmethod
    def reorder(self) -> None:
        """Look for a variable order with fewer nodes. Changes sizes and the choice of cubes, never functions."""

    def pick(self, u: Bdd, over: Iterable[int] = ()) -> dict[int, bool] | None:
        """One assignment to the support of u and `over` that satisfies u, by ascending index; None if u is false.

        Variables that the first cube leaves free are false. Raises `WrongCopy` if u mentions a next copy.
        """
        cube = next(self.cubes(u), None)
        if cube is None:
            return None
        return {index: cube.get(index, False) for index in sorted(self.support(u).union(over))}

    def cube(self, assignment: Mapping[int, bool]) -> Bdd:
        """The states in which current copies have these values."""
        return self.conjoin(*self._literals(assignment, {}))

    def clause(self, current: Mapping[int, bool], following: Mapping[int, bool] | None = None) -> Bdd:
        """A clause over V ∪ V′: some current copy, or some next copy, has its given value."""
        return self.disjoin(*self._literals(current, following or {}))

    def _literals(self, current: Mapping[int, bool], following: Mapping[int, bool]) -> list[Bdd]:
        pairs = [(self.var(index), value) for index, value in sorted(current.items())]
        pairs += [(self.next_var(index), value) for index, value in sorted(following.items())]
        return [u if value else self.negate(u) for u, value in pairs]
