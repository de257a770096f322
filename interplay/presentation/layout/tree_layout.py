"""Tidy layout of ordered trees whose nodes have one size, in linear time.

E. M. Reingold, J. S. Tilford, "Tidier drawings of trees", 1981, for any number of children: the contours of the
subtrees that stand beside each other are compared level by level, and threads lead from a contour that has ended to
the one that goes on, so that deep combs cost no more than others. Deviations: a subtree stands as far to the left as
it may, also between larger ones; a node stands above the child that is much deeper than its siblings, if there is one,
so that a long path with short branches runs straight down and does not drift to one side.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from interplay.presentation.layout.layout_data import CancelCheck, Point, Size, Spacing, checked, unchecked


class _Tree:
    """Positions in units of neighbours: `at` is relative to the parent. Nodes come after their parents.

    A contour is walked by `left` or `right`: the node of the next level (-1: none) and how far it is to the right.
    `last` are the outer nodes of the deepest level, with their distance from the root of the subtree.
    """

    def __init__(self, parents: Sequence[int]) -> None:
        count = len(parents)
        self.at = [0.0] * count
        self.left = [(-1, 0.0)] * count
        self.right = [(-1, 0.0)] * count
        self.last = [((node, 0.0), (node, 0.0)) for node in range(count)]
        self.height = [0] * count

    def join(self, node: int, children: Sequence[int]) -> None:
        """Place the subtrees of the children beside each other, and the node above their middle."""
        self.at[children[0]] = 0.0
        ends = self.last[children[0]]
        for before, child in pairwise(children):
            ends = self._add(children[0], before, child, ends)
        middle = self._middle(children)
        self.height[node] = 1 + max(self.height[child] for child in children)
        for child in children:
            self.at[child] -= middle
        self.left[node] = children[0], self.at[children[0]]
        self.right[node] = children[-1], self.at[children[-1]]
        (low, low_at), (high, high_at) = ends
        self.last[node] = (low, low_at - middle), (high, high_at - middle)

    def _middle(self, children: Sequence[int]) -> float:
        """The position of the parent."""
        deepest = max(children, key=self.height.__getitem__)
        others = max((self.height[child] for child in children if child != deepest), default=-1)
        if others * 2 < self.height[deepest] - 1:
            return self.at[deepest]
        return self.at[children[-1]] / 2

    def _add(
        self, first: int, before: int, child: int, ends: tuple[tuple[int, float], tuple[int, float]]
    ) -> tuple[tuple[int, float], tuple[int, float]]:
        """Place one more subtree, at the least distance; returns the outer nodes of the deepest level of them all."""
        inner, inner_at = before, self.at[before]
        outer, outer_at = child, 0.0
        shift = inner_at + 1
        while True:
            (inner, step), (outer, other) = self.right[inner], self.left[outer]
            inner_at, outer_at = inner_at + step, outer_at + other
            if inner < 0 or outer < 0:
                break
            shift = max(shift, inner_at + 1 - outer_at)
        self.at[child] = shift
        (low, low_at), (high, high_at) = self.last[child]
        if inner >= 0:  # the others are deeper
            self.right[high] = inner, inner_at - shift - high_at
            return ends
        if outer >= 0:
            self.left[ends[0][0]] = outer, outer_at + shift - ends[0][1]
            return (low, low_at + shift), (high, high_at + shift)
        return ends[0], (high, high_at + shift)


def tidy(
    parents: Sequence[int], size: Size, spacing: Spacing | None = None, check: CancelCheck = unchecked
) -> list[Point]:
    """The centre of each node. `parents` are positions in the same sequence, before their children; -1 for a root."""
    spacing = spacing or Spacing()
    children: list[list[int]] = [[] for _ in parents]
    roots: list[int] = []
    depth = [0] * len(parents)
    for node, parent in checked(enumerate(parents), check):
        (children[parent] if parent >= 0 else roots).append(node)
        depth[node] = depth[parent] + 1 if parent >= 0 else 0
    if not roots:
        return []
    tree = _Tree([*parents, -1])
    for node in checked(range(len(parents) - 1, -1, -1), check):
        if children[node]:
            tree.join(node, children[node])
    tree.join(len(parents), roots)
    x = [0.0] * len(parents)
    for node, parent in checked(enumerate(parents), check):
        x[node] = tree.at[node] + (x[parent] if parent >= 0 else 0.0)
    left = min(x)
    wide, high = size.width + spacing.between, size.height + spacing.layers
    begin = Point(spacing.margin + size.width / 2, spacing.margin + size.height / 2)
    places = checked(zip(x, depth, strict=True), check)
    return [Point(begin.x + (at - left) * wide, begin.y + level * high) for at, level in places]
