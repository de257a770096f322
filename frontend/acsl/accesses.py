"""C expressions for objects of a program as terms: `s.f`, `m[i][j]`, `p->next`, `*p`, `&x`.

An access is a path within an object: members, and indices as terms. Reading it gives the variable that holds the part,
or the element of an array. Addresses are numbers here, so they are not scaled but within an index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.dataclass import dataclass
from core.program.naming import Naming
from core.program.source import IndexStep, PointerTarget, SourcePart, SourceStep
from core.terms import INT, Arena, Term


@dataclass(frozen=True, slots=True)
class ObjectAccess:
    """A part of an object in an activation, or of what a pointer points to. `address` is None outside of memory."""

    parts: tuple[SourcePart, ...]
    address: Term | None
    frame: int = 0
    path: tuple[str | Term, ...] = ()

    def member(self, name: str) -> ObjectAccess:
        return replace(self, path=(*self.path, name))

    def element(self, index: Term) -> ObjectAccess:
        return replace(self, path=(*self.path, index))


def named(naming: Naming, name: str) -> ObjectAccess | None:
    """The object that a name means."""
    found = naming.find(name)
    return None if found is None else ObjectAccess(found.object.parts, found.object.address, found.frame)


def behind(pointer: Term, target: PointerTarget, index: Term, arena: Arena) -> ObjectAccess:
    """The object with an index, in the row of objects that a pointer points into."""
    distance = arena.multiply(arena.integer(target.size), index)
    return ObjectAccess(target.parts, arena.add(pointer, distance))


def read(naming: Naming, access: ObjectAccess) -> Term | None:
    """The value of a scalar part; of an array outside of memory the array. None where there is no such part."""
    arena = naming.program.arena
    for part in access.parts:
        distance = _distance(arena, access.path, part.steps)
        if distance is None:
            continue
        variable, rest, moved = naming.in_frame(part.variable, access.frame), *distance
        if access.address is not None:
            return None if rest else arena.select(variable, arena.add(access.address, moved))
        if not rest:
            return variable if variable.sort == INT else arena.select(variable, moved)
        if len(rest) == len(part.steps) or not any(isinstance(step, IndexStep) for step in part.steps[: -len(rest)]):
            return variable if all(isinstance(step, IndexStep) for step in rest) else None
    return None


def address(naming: Naming, access: ObjectAccess) -> Term | None:
    """The address of a part of an object in memory."""
    arena = naming.program.arena
    if not access.path:
        return access.address
    for part in access.parts:
        distance = _distance(arena, access.path, part.steps)
        if distance is not None and access.address is not None:
            return arena.add(access.address, distance[1])
    return None


def _distance(
    arena: Arena, path: Sequence[str | Term], steps: Sequence[SourceStep]
) -> tuple[Sequence[SourceStep], Term] | None:
    """The steps that a path does not take, and how far it leads; None where it leads elsewhere."""
    moved, left = arena.zero, list(path)
    for position, step in enumerate(steps):
        if isinstance(step, IndexStep):
            if not left:
                return steps[position:], moved
            index = left.pop(0)
            if isinstance(index, str):
                return None
            moved = arena.add(moved, arena.multiply(arena.integer(step.stride), index))
        else:
            if step.name and not left:
                return steps[position:], moved
            if step.name and left.pop(0) != step.name:
                return None
            moved = arena.add(moved, arena.integer(step.offset))
    return None if left else ((), moved)
