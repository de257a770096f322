"""The distances between objects of a run that comparisons of pointers have told.

Objects are far apart in the memory of the interpreter. On a machine, two pointers may be equal all the same, where one
object ends and the other one begins, or in literals that share bytes. What was said of two pointers once holds
for the rest of the run: objects whose distance is known lie in one group, none overlaps another one but literals with
the same bytes there, and each is aligned.
"""

from __future__ import annotations

from frontend.interpreter.memory import MemoryObject

MemoryPosition = tuple[MemoryObject, int]
"""An object, and an offset in it."""


class Arrangement:
    """The distances that are known, and those that are excluded."""

    def __init__(self) -> None:
        self._groups: dict[MemoryObject, dict[MemoryObject, int]] = {}  # each object with its place in the group
        self._unequal: set[tuple[MemoryPosition, MemoryPosition]] = set()

    def are_equal(self, left: MemoryPosition, right: MemoryPosition, wanted: bool) -> bool:
        """Whether two pointers into different objects are equal: as is known, else as is wanted where it can be."""
        group, other = self._group(left[0]), self._group(right[0])
        if group is other:
            return self._position(left) == self._position(right)
        distance = self._position(left) - self._position(right)
        moved = {one: at + distance for one, at in other.items()}
        if not wanted or not all(_fit(a, b) for a in group.items() for b in moved.items()):
            self._unequal.add((left, right))
            return False
        merged = group | moved
        if any(_at(merged, a) == _at(merged, b) for a, b in self._unequal if a[0] in merged and b[0] in merged):
            self._unequal.add((left, right))
            return False
        self._groups.update(dict.fromkeys(merged, merged))
        return True

    def _group(self, one: MemoryObject) -> dict[MemoryObject, int]:
        return self._groups.setdefault(one, {one: 0})

    def _position(self, place: MemoryPosition) -> int:
        return _at(self._group(place[0]), place)


def _at(group: dict[MemoryObject, int], place: MemoryPosition) -> int:
    return group[place[0]] + place[1]


def _fit(first: tuple[MemoryObject, int], second: tuple[MemoryObject, int]) -> bool:
    """Whether two objects can lie at two places, which are counted from one address."""
    (one, at), (other, there) = first, second
    if (there - at) % min(one.alignment, other.alignment):
        return False
    begin, end = max(at, there), min(at + max(one.size, 1), there + max(other.size, 1))
    if begin >= end:
        return True
    same = one.data[begin - at : end - at] == other.data[begin - there : end - there]
    return one.is_literal and other.is_literal and same
