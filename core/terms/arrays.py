"""Arrays as stores in other arrays: what is written in them, and chains of stores without choices between arrays."""

from __future__ import annotations

from collections.abc import Iterator

from core.terms.arena import Arena
from core.terms.sorts import ArraySort
from core.terms.term import Term, subterms


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
