"""Maps that share what they have in common, against dictionaries."""

from __future__ import annotations

from random import Random

import pytest

from core.analysis.shared_map import SharedKeys, SharedMap

FIRST, OTHER = range(40), range(40, 100)


def random_map(random: Random, base: SharedMap[int, int]) -> tuple[SharedMap[int, int], dict[int, int]]:
    shared, plain = base, dict(base)
    for _ in range(random.randrange(30)):
        key, value = random.randrange(100), random.choice((None, 1, 2, 3))
        shared = shared.changed(key, value)
        plain.pop(key, None)
        if value is not None:
            plain[key] = value
    return shared, plain


def larger(_: int, a: int, b: int) -> int | None:
    return max(a, b) if a + b < 5 else None


@pytest.mark.parametrize("seed", range(20))
def test_shared_maps_are_dictionaries(seed: int) -> None:
    random = Random(seed)
    base, _ = random_map(random, SharedMap(SharedKeys(FIRST, OTHER)))
    (a, plain_a), (b, plain_b) = random_map(random, base), random_map(random, base)
    assert dict(a) == plain_a
    assert len(a) == len(plain_a)
    assert (a == b) is (plain_a == plain_b)
    groups = {**{x: n for x, n in plain_a.items() if x in OTHER}, **{x: n for x, n in plain_b.items() if x in FIRST}}
    assert dict(a.with_groups(b, 1)) == groups
    met = {x: n if n == plain_b[x] else larger(x, n, plain_b[x]) for x, n in plain_a.items() if x in plain_b}
    assert dict(a.joined(b, larger)) == {x: n for x, n in met.items() if n is not None}


def test_a_map_stays_the_same_object_where_nothing_changes() -> None:
    nothing: SharedMap[int, int] = SharedMap(SharedKeys(FIRST, OTHER))
    one = nothing.changed(7, 1)
    assert one.changed(7, 1) is one
    assert nothing.changed(8, None) is nothing
    assert one.joined(one.changed(50, 2), larger) is one
    assert 7 in one
    assert 8 not in one
    with pytest.raises(KeyError):
        one[8]


def test_a_join_asks_only_about_what_differs() -> None:
    full: SharedMap[int, int] = SharedMap(SharedKeys(range(10_000)))
    for key in range(0, 10_000, 10):
        full = full.changed(key, 1)
    asked: list[int] = []

    def join(key: int, a: int, b: int) -> int:
        asked.append(key)
        return max(a, b)

    joined = full.changed(20, 3).joined(full.changed(9_000, 2), join)
    assert asked == [20, 9_000]
    assert (joined[20], joined[9_000]) == (3, 2)
