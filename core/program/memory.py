"""The memory of a program, as engines that reason about heaps read it.

A program stores what pointers reach in arrays from addresses to values. `MemoryLayout` says which fields of which
records these arrays hold, so that no engine has to know how the lowering names or numbers them.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.dataclass import dataclass
from core.terms import Term

OUTSIDE = 1 << 16, 1 << 20
"""Addresses at which no object of a program lies: pointers point there where they can, or at least above."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A scalar field of a record: it lies `offset` bytes behind the address of the record.

    `record` and `field` are empty for scalars that belong to no record.
    """

    record: str
    field: str
    offset: int


@dataclass(frozen=True, slots=True)
class LifetimeVariables:
    """The variables that say which objects are alive.

    Addresses are blocks of `block` bytes, counted from 0, and `sizes` maps the number of a block to the bytes of its
    object: 0 where the object is dead or was never there. `releasable` is 1 for the blocks that `free` may release, and
    `count` is the number of these.
    """

    block: int
    sizes: Term
    releasable: Term
    count: Term


@dataclass(frozen=True, slots=True)
class MemoryLayout:
    """The variables of a program that describe its memory.

    `cells` has the arrays that hold scalars in memory, each with the fields that lie in it. `pointers` are the
    variables, and those arrays, whose values are addresses; 0 is the null pointer. An allocation takes the address
    `fresh`, a term over the allocation counter `counter` that grows with it.
    """

    cells: Mapping[Term, tuple[Cell, ...]]
    pointers: frozenset[Term]
    counter: Term
    fresh: Term
    lifetimes: LifetimeVariables | None = None
