"""Tidy trees: nobody overlaps, order stays, deep and wide trees are drawn in no time."""

import random
from itertools import pairwise

import pytest

from interplay.presentation.layout import Point, Size, Spacing, tidy

SIZE = Size(10, 6)
SPACING = Spacing(between=4, layers=8, margin=1)


def rows(centres: list[Point]) -> dict[float, list[float]]:
    found: dict[float, list[float]] = {}
    for centre in centres:
        found.setdefault(centre.y, []).append(centre.x)
    return found


def assert_apart(centres: list[Point]) -> None:
    for xs in rows(centres).values():
        ordered = sorted(xs)
        assert all(b - a >= 14 - 1e-6 for a, b in pairwise(ordered))


def test_a_parent_stands_over_the_middle_of_equal_children() -> None:
    root, left, right = tidy([-1, 0, 0], SIZE, SPACING)
    assert root == Point((left.x + right.x) / 2, 4)
    assert right == Point(left.x + 14, 4 + 14)


def test_a_long_path_runs_straight_down() -> None:
    parents = [-1, *(one for number in range(100) for one in (2 * number, 2 * number))]
    centres = tidy(parents, SIZE, SPACING)
    assert {centres[node].x for node in range(0, 190, 2)} == {centres[0].x}


@pytest.mark.parametrize("seed", range(20))
def test_random_trees_do_not_overlap_and_keep_their_order(seed: int) -> None:
    chance = random.Random(seed)
    parents = [-1, *(chance.randrange(max(0, node - 1 - seed), node) for node in range(1, 120))]
    centres = tidy(parents, SIZE, SPACING)
    assert_apart(centres)
    assert min(centre.x for centre in centres) == 6
    for parent in range(120):
        xs = [centres[node].x for node in range(120) if parents[node] == parent]
        assert xs == sorted(xs)
        assert all(centres[node].y == centres[parent].y + 14 for node in range(120) if parents[node] == parent)


def test_several_roots_stand_beside_each_other() -> None:
    centres = tidy([-1, -1, 0, 1], SIZE, SPACING)
    assert centres[0].y == centres[1].y
    assert_apart(centres)
    assert tidy([], SIZE) == []


def test_a_deep_comb_and_a_wide_fan() -> None:
    comb = [-1, *(node - 1 if node % 2 else node - 2 for node in range(1, 20_000))]
    assert max(centre.x for centre in tidy(comb, SIZE, SPACING)) < 60
    fan = tidy([-1] + [0] * 20_000, SIZE, SPACING)
    assert fan[-1].x - fan[1].x == 14 * 19_999
