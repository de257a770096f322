"""The arguments and the environment of a program in memory: arrays of pointers to strings, and null behind them
(C11 5.1.2.2.1).

The arrays lie at constant addresses, and the strings, each of any length, at addresses that are told from those of all
other objects. What the memory holds there at first is said where it is read, of what is read: so the program needs no
loop that makes as many strings as there are. Where addresses are numbers of the machine, an array may lie anywhere, and
of its pointers nothing is known but which of them are null.
"""

from __future__ import annotations

from core.dataclass import dataclass
from core.terms import Arena, Term

MAX = 1 << 31
"""Pointers in an array: `argc` is an `int`."""
ARGUMENT_COUNT, ENVIRONMENT_COUNT = "arguments!count", "environment!count"
"""The variables that hold how many there are."""


@dataclass(frozen=True, slots=True)
class Strings:
    """The strings of an array: their first address, how far apart they are, and the region of their characters."""

    first: int
    stride: int
    characters: Term | None


@dataclass(frozen=True, slots=True)
class StringArray:
    """An array of pointers to strings, of which `count` are not null."""

    begin: Term
    count: Term
    pointers: Term
    """The region of the pointers."""
    size: int
    """Bytes of a pointer."""
    strings: Strings | None
    """None where they may lie anywhere."""

    @property
    def regions(self) -> tuple[Term, ...]:
        """The regions of which reads are told what was there at first."""
        characters = None if self.strings is None else self.strings.characters
        return (self.pointers,) if characters is None else (self.pointers, characters)

    def end(self, arena: Arena) -> Term:
        """The address of the null pointer."""
        return arena.add(self.begin, arena.multiply(arena.integer(self.size), self.count))

    def holds(self, arena: Arena, address: Term, pointer: Term, null_end: int) -> Term:
        """The condition that the pointer at an address, if it is one of the array, is what it was at first."""
        end = self.end(arena)
        within = arena.and_(arena.le(self.begin, address), arena.lt(address, end))
        if self.strings is None:
            leads = arena.le(arena.integer(null_end), pointer)
        else:
            scale = arena.integer(self.strings.stride // self.size)
            distance = arena.multiply(scale, arena.subtract(address, self.begin))
            leads = arena.equals(pointer, arena.add(arena.integer(self.strings.first), distance))
        is_last = arena.equals(address, end)
        return arena.and_(arena.implies(within, leads), arena.implies(is_last, arena.equals(pointer, arena.zero)))
