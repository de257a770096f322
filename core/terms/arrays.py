"""Chains of stores: arrays without choices between arrays, so that a read is linear in the number of writes."""

from __future__ import annotations

from core.terms.arena import Arena
from core.terms.sorts import ArraySort
from core.terms.term import Op, Term, subterms


def chain_of_stores(arena: Arena, array: Term) -> Term:
    """An equal array without choices between arrays where these differ from a common one by stores."""
    if not isinstance(array.sort, ArraySort):
        return array
    memo: dict[Term, Term] = {}
    for t in subterms(array):
        if not isinstance(t.sort, ArraySort):
            continue
        if t.op is Op.STORE:
            memo[t] = arena.store(memo[t.args[0]], t.args[1], t.args[2])
        elif t.op is Op.ITE:
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
    while array.op is Op.STORE:
        array = array.args[0]
        layers[array] = None
    return layers
