"""Arrays as stores in other arrays: what is written in them, and chains of stores without choices between arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile

from core.terms.arena import Arena
from core.terms.sorts import ArraySort
from core.terms.term import Term, subterms
from core.terms.traversal import Substitution, rebuild


def parts_of_array(array: Term) -> Iterator[Term]:
    """The stores in an array term, and the arrays on which it is based; all branches of choices between arrays."""
    seen: set[Term] = set()
    stack = [array]
    while stack:
        t = stack.pop()
        if t in seen:
            continue
        seen.add(t)
        if t.is_choice:
            stack += t.args[1:]
            continue
        yield t
        if t.is_store:
            stack.append(t.args[0])


def chain_of_stores(arena: Arena, array: Term) -> Term:
    """An equal array without choices between arrays where these differ from a common one by stores."""
    if not isinstance(array.sort, ArraySort):
        return array
    memo: dict[Term, Term] = {}
    for t in subterms(array):
        if not isinstance(t.sort, ArraySort):
            continue
        if t.is_store:
            memo[t] = arena.store(memo[t.args[0]], t.args[1], t.args[2])
        elif t.is_choice:
            memo[t] = _chosen(arena, t.args[0], memo[t.args[1]], memo[t.args[2]])
        else:
            memo[t] = t
    return memo[array]


def _chosen(arena: Arena, condition: Term, a: Term, b: Term) -> Term:
    """`a` if `condition` else `b`, as conditional stores in what both are based on, if there is such an array."""
    first, second = list(store_layers(a)), list(store_layers(b))
    depth = {array: i for i, array in enumerate(first)}
    shared = next((i for i, array in enumerate(second) if array in depth), None)
    if shared is None:
        return arena.ite(condition, a, b)
    result = second[shared]
    for stores, holds in ((first[: depth[result]], condition), (second[:shared], arena.not_(condition))):
        for store in reversed(stores):
            _, index, value = store.args
            result = arena.store(result, index, arena.ite(holds, value, arena.select(result, index)))
    return result


def store_layers(array: Term) -> dict[Term, None]:
    """The arrays of a chain of stores, the outermost first, the base last."""
    layers = {array: None}
    while array.is_store:
        array = array.args[0]
        layers[array] = None
    return layers


def common_base(arrays: Sequence[Term]) -> tuple[Term, list[dict[Term, Term]]] | None:
    """An array from which `arrays` differ by stores at constant indices, and the elements that each has there."""
    chains = [store_layers(array) for array in arrays]
    base = next((layer for layer in chains[0] if all(layer in chain for chain in chains)), None)
    written: list[dict[Term, Term]] = []
    for chain in chains:
        elements: dict[Term, Term] = {}
        for layer in takewhile(lambda layer: layer is not base, chain):
            if not layer.is_store or not layer.args[1].is_constant:
                return None
            elements.setdefault(layer.args[1], layer.args[2])
        written.append(elements)
    return None if base is None else (base, written)


class SplitAtIndices(Substitution):
    """Substitution that reads and writes arrays at the indices that `indices` gives: one of them is the index."""

    def __init__(
        self, arena: Arena, replacements: Mapping[Term, Term], indices: Callable[[Term], Sequence[Term]]
    ) -> None:
        super().__init__(arena, replacements)
        self._indices = indices

    def rebuilt(self, t: Term, args: tuple[Term, ...]) -> Term:
        if t.is_select:
            return self._select(*args)
        if t.is_store:
            return self._store(*args)
        return rebuild(self._arena, t, args)

    def _select(self, array: Term, index: Term) -> Term:
        """The element at an index that is one of its `indices`."""
        arena = self._arena
        *others, last = self._indices(index)
        value = arena.select(array, last)
        for one in others:
            value = arena.ite(arena.equals(index, one), arena.select(array, one), value)
        return value

    def _store(self, array: Term, index: Term, value: Term) -> Term:
        """The array with another element at an index that is one of its `indices`."""
        arena, result = self._arena, array
        indices = self._indices(index)
        for one in indices:
            before = arena.select(array, one)
            chosen = value if len(indices) == 1 else arena.ite(arena.equals(index, one), value, before)
            result = arena.store(_without(arena, result, one), one, chosen)
        return result


def _without(arena: Arena, array: Term, index: Term) -> Term:
    """The array without the last store at an index, if all stores behind it are at other constant indices."""
    above: list[Term] = []
    below = array
    while below.is_store and below.args[1].is_constant and below.args[1] is not index:
        above.append(below)
        below = below.args[0]
    if not index.is_constant or not below.is_store or below.args[1] is not index:
        return array
    result = below.args[0]
    for one in reversed(above):
        result = arena.store(result, *one.args[1:])
    return result
