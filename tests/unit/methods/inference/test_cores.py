"""Minimal cores by deletion, against all subsets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from methods.inference.cores import minimal


@pytest.mark.parametrize("in_halves", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_suffices_and_nothing_can_be_left_out(seed: int, in_halves: bool) -> None:
    random = Random(seed)
    elements = random.sample(range(100), 9)
    cores = [frozenset(random.sample(elements, random.randint(1, 5))) for _ in range(3)]

    def core(part: Sequence[int]) -> frozenset[int] | None:
        return next((one for one in cores if one <= set(part)), None)

    left = minimal(elements, core, in_halves=in_halves)
    assert core(left) is not None
    assert all(core(part) is None for part in combinations(left, len(left) - 1))
    assert left == [element for element in elements if element in left]


def test_an_element_that_nobody_decides_stays() -> None:
    assert minimal([1, 2, 3], lambda _: None) == [1, 2, 3]


def test_nothing_is_needed_where_nothing_suffices_already() -> None:
    assert minimal([1, 2, 3], lambda part: part, in_halves=True) == []
