"""The only module that imports dd: managers over CUDD (`dd.cudd`) and over pure Python (`dd.autoref`).

The library is imported when a manager is made, since it costs a fifth of a second.

Deviations between the backends, none visible in functions: autoref builds u ∧ v before it quantifies, appends every
variable at the bottom of the order, and does not reorder: its sifting follows the order of a hash set, so runs would
differ.

Limitations: autoref is 25 to 45 times slower; it is meant for some 50 predicates.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol, Self, cast

from bdd.manager import BackendMissing, Bdd, ForeignBdd, Manager, WrongCopy

_CACHE = 1 << 14  # entries of its cache at first, which grows where it is of use: to clear more takes most of the start


class _Node(Protocol):
    """The interface that both of dd's `Function` classes share."""

    @property
    def var(self) -> str | None: ...
    @property
    def low(self) -> Self: ...
    @property
    def high(self) -> Self: ...
    @property
    def negated(self) -> bool: ...
    @property
    def dag_size(self) -> int: ...
    def __and__(self, other: Self) -> Self: ...
    def __or__(self, other: Self) -> Self: ...
    def __invert__(self) -> Self: ...
    def __le__(self, other: Self) -> bool: ...


class _Library(Protocol):
    """The interface that both of dd's `BDD` classes share."""

    @property
    def true(self) -> _Node: ...
    @property
    def false(self) -> _Node: ...
    def __len__(self) -> int: ...
    def configure(self, *, reordering: bool) -> object: ...
    def add_var(self, name: str) -> int: ...
    def var(self, name: str) -> _Node: ...
    def ite(self, g: _Node, u: _Node, v: _Node) -> _Node: ...
    def apply(self, op: str, u: _Node, v: _Node) -> _Node: ...
    def exist(self, names: Iterable[str], u: _Node) -> _Node: ...
    def support(self, u: _Node) -> Collection[str]: ...


class _CuddLibrary(_Library, Protocol):
    def insert_var(self, name: str, level: int) -> int: ...
    def level_of_var(self, name: str) -> int: ...
    def group(self, sizes: Mapping[str, int]) -> None: ...
    def reorder(self) -> None: ...


class _CuddModule(Protocol):
    def and_exists(self, u: _Node, v: _Node, names: Iterable[str]) -> _Node: ...


class _AutorefLibrary(_Library, Protocol):
    def collect_garbage(self) -> None: ...


@contextmanager
def _without(module: str) -> Iterator[None]:
    """Make an optional import of a library fail: dd draws graphs with networkx, whose import costs 0.15 s."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # documented: such an entry makes the import fail
    try:
        yield
    finally:
        del sys.modules[module]


def cudd_manager() -> Manager:
    """A manager over CUDD. Raises `BackendMissing` where dd was built without it."""
    try:
        with _without("networkx"):
            import dd.cudd as library
    except ImportError as error:
        raise BackendMissing("dd has no CUDD backend on this platform") from error
    manager = library.BDD(initial_cache_size=_CACHE)
    return _Cudd(cast(_CuddLibrary, manager), cast(_CuddModule, library))


def autoref_manager() -> Manager:
    """A manager in pure Python. Raises `BackendMissing` where dd is not installed."""
    try:
        import dd.autoref as library
    except ImportError as error:
        raise BackendMissing("dd is not installed") from error
    return _Autoref(cast(_AutorefLibrary, library.BDD()))


def best_manager() -> Manager:
    """The fastest manager that is installed."""
    try:
        return cudd_manager()
    except BackendMissing:
        return autoref_manager()


class _DdManager(Manager):
    """The part of a manager that both backends share. Copies are named `c<index>` (current) and `n<index>` (next)."""

    def __init__(self, library: _Library) -> None:
        self._library = library
        self._variables: dict[int, tuple[_Node, _Node]] = {}
        self._equalities: dict[frozenset[int], _Node] = {}
        self._spelled: dict[tuple[str, frozenset[int]], tuple[str, ...]] = {}
        library.configure(reordering=False)

    def declare(self, index: int, near: int | None = None) -> None:
        if near is not None and near not in self._variables:
            raise KeyError(near)
        if index not in self._variables:
            current, following = f"c{index}", f"n{index}"
            self._add_pair(current, following, None if near is None else f"n{near}")
            self._variables[index] = (self._library.var(current), self._library.var(following))

    @abstractmethod
    def _add_pair(self, current: str, following: str, after: str | None) -> None: ...

    @abstractmethod
    def _and_exists(self, names: Collection[str], u: _Node, v: _Node) -> _Node: ...

    def declared(self) -> frozenset[int]:
        return frozenset(self._variables)

    @property
    def true(self) -> Bdd:
        return self._wrap(self._library.true)

    @property
    def false(self) -> Bdd:
        return self._wrap(self._library.false)

    def var(self, index: int) -> Bdd:
        return self._wrap(self._variables[index][0])

    def next_var(self, index: int) -> Bdd:
        return self._wrap(self._variables[index][1])

    def negate(self, u: Bdd) -> Bdd:
        return self._wrap(~self._node(u))

    def conjoin(self, *functions: Bdd) -> Bdd:
        result = self._library.true
        for u in functions:
            result = result & self._node(u)
        return self._wrap(result)

    def disjoin(self, *functions: Bdd) -> Bdd:
        result = self._library.false
        for u in functions:
            result = result | self._node(u)
        return self._wrap(result)

    def xor(self, u: Bdd, v: Bdd) -> Bdd:
        return self._wrap(self._library.apply("^", self._node(u), self._node(v)))

    def iff(self, u: Bdd, v: Bdd) -> Bdd:
        return self.negate(self.xor(u, v))

    def ite(self, condition: Bdd, then: Bdd, otherwise: Bdd) -> Bdd:
        return self._wrap(self._library.ite(self._node(condition), self._node(then), self._node(otherwise)))

    def implies(self, u: Bdd, v: Bdd) -> bool:
        return self._node(u) <= self._node(v)

    def is_true(self, u: Bdd) -> bool:
        return self._node(u) == self._library.true

    def is_false(self, u: Bdd) -> bool:
        return self._node(u) == self._library.false

    def exists(self, indices: Iterable[int], u: Bdd) -> Bdd:
        names = self._names("c", indices)
        return self._wrap(self._library.exist(names, self._node(u))) if names else self._wrap(self._node(u))

    def exists_and(self, indices: Iterable[int], u: Bdd, v: Bdd) -> Bdd:
        return self._wrap(self._and_exists(self._names("c", indices), self._node(u), self._node(v)))

    def exists_next_and(self, indices: Iterable[int], u: Bdd, v: Bdd) -> Bdd:
        return self._wrap(self._and_exists(self._names("n", indices), self._node(u), self._node(v)))

    def to_next(self, indices: Iterable[int], u: Bdd) -> Bdd:
        return self._rename("c", "n", indices, u)

    def to_current(self, indices: Iterable[int], u: Bdd) -> Bdd:
        return self._rename("n", "c", indices, u)

    def support(self, u: Bdd) -> frozenset[int]:
        return self._copies("c", u)

    def next_support(self, u: Bdd) -> frozenset[int]:
        return self._copies("n", u)

    def size(self, u: Bdd) -> int:
        return self._node(u).dag_size

    def live_nodes(self) -> int:
        return len(self._library)

    def cubes(self, u: Bdd) -> Iterator[dict[int, bool]]:
        if following := self.next_support(u):
            raise WrongCopy(f"next copies of {sorted(following)} have no place in a cube of states")
        return self._paths(self._node(u))

    def branch(self, u: Bdd) -> tuple[int, Bdd, Bdd] | None:
        node = self._node(u)
        if node.var is None:
            return None
        if node.var[0] != "c":
            raise WrongCopy(f"branch on the next copy of {node.var[1:]}")
        low, high = _cofactors(node)
        return int(node.var[1:]), self._wrap(high), self._wrap(low)

    def _paths(self, root: _Node) -> Iterator[dict[int, bool]]:
        """The paths of a diagram to true, false branches first."""
        true, false = self._library.true, self._library.false
        stack: list[tuple[_Node, dict[int, bool]]] = [(root, {})]
        while stack:
            node, cube = stack.pop()
            if node == true:
                yield cube
            elif node != false:
                assert node.var is not None
                index = int(node.var[1:])
                low, high = _cofactors(node)
                stack.append((high, cube | {index: True}))
                stack.append((low, cube | {index: False}))

    def _rename(self, source: str, target: str, indices: Iterable[int], u: Bdd) -> Bdd:
        """∃ sources. u ∧ (sources ⇔ targets): unlike a permutation of variables, it costs the nodes above them only."""
        node, distinct = self._node(u), frozenset(indices)
        if not distinct:
            return u
        targets = self._names(target, distinct)
        if self._library.exist(targets, node) != node:
            clash = sorted(distinct & self._copies(target, u))
            raise WrongCopy(f"renaming onto copies that the function mentions, of {clash}")
        return self._wrap(self._and_exists(self._names(source, distinct), node, self._equal(distinct)))

    def _equal(self, indices: frozenset[int]) -> _Node:
        """Both copies of each are equal."""
        known = self._equalities.get(indices)
        if known is None:
            known = self._library.true
            for index in sorted(indices, reverse=True):
                known = known & ~self._library.apply("^", *self._variables[index])
            self._equalities[indices] = known
        return known

    def _names(self, copy: str, indices: Iterable[int]) -> tuple[str, ...]:
        distinct = frozenset(indices)
        known = self._spelled.get((copy, distinct))
        if known is None:
            if undeclared := distinct.difference(self._variables):
                raise KeyError(*sorted(undeclared))
            known = self._spelled[copy, distinct] = tuple(f"{copy}{index}" for index in sorted(distinct))
        return known

    def _copies(self, copy: str, u: Bdd) -> frozenset[int]:
        return frozenset(int(name[1:]) for name in self._library.support(self._node(u)) if name[0] == copy)

    def _wrap(self, node: _Node) -> Bdd:
        return Bdd(self._library, node)

    def _node(self, u: Bdd) -> _Node:
        if u._owner is not self._library:
            raise ForeignBdd("the function belongs to another manager")
        return cast(_Node, u._node)


def _cofactors(node: _Node) -> tuple[_Node, _Node]:
    """The cofactors of a function: what is left of it where its first variable is false, and where it is true."""
    # dd stores a complement on the edge into a node, and `low` and `high` do not apply it.
    return (~node.low, ~node.high) if node.negated else (node.low, node.high)


class _Cudd(_DdManager):
    def __init__(self, library: _CuddLibrary, module: _CuddModule) -> None:
        super().__init__(library)
        self._cudd = library
        self._module = module

    def _add_pair(self, current: str, following: str, after: str | None) -> None:
        if after is None:
            self._cudd.add_var(current)
            self._cudd.add_var(following)
        else:
            level = self._cudd.level_of_var(after) + 1
            self._cudd.insert_var(current, level)
            self._cudd.insert_var(following, level + 1)
        self._cudd.group({current: 2})

    def _and_exists(self, names: Collection[str], u: _Node, v: _Node) -> _Node:
        return self._module.and_exists(u, v, names) if names else u & v

    def reorder(self) -> None:
        self._cudd.reorder()


class _Autoref(_DdManager):
    def __init__(self, library: _AutorefLibrary) -> None:
        super().__init__(library)
        self._autoref = library

    def _add_pair(self, current: str, following: str, after: str | None) -> None:
        self._autoref.add_var(current)
        self._autoref.add_var(following)

    def _and_exists(self, names: Collection[str], u: _Node, v: _Node) -> _Node:
        both = u & v
        return self._autoref.exist(names, both) if names else both

    def reorder(self) -> None:
        self._autoref.collect_garbage()
