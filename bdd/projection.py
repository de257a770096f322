"""Sets of states between two others, about few variables."""

from __future__ import annotations

from collections.abc import Collection

from bdd.manager import Bdd, Manager


def few_variables(manager: Manager, states: Bdd, limit: Bdd, likely: Collection[int] = ()) -> Bdd:
    """`states` projected to variables none of which can be given up too if it is to stay within `limit`.

    `limit` contains `states`. Heuristic: variables are given up in order, those that are `likely` needed last.
    """
    different = manager.exists(manager.support(states) - manager.support(limit), states)
    support = sorted(manager.support(different))
    waiting = [[v for v in support if v in likely], [v for v in support if v not in likely]]
    while waiting:
        some = waiting.pop()  # many are given up at once, where that can be
        weaker = manager.exists(some, different)
        if manager.implies(weaker, limit):
            different = weaker
        elif len(some) > 1:
            half = len(some) // 2
            waiting += [some[half:], some[:half]]
    return different
