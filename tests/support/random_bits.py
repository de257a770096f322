"""Random terms with bit operators over symbols with ranges. Everything follows from the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from core.program import Range
from core.terms import INT, INT_ARRAY, Arena, ArrayValue, Term, Value

SMALL: Mapping[str, Range] = {"a": Range(0, 7), "b": Range(-4, 3), "c": Range(-1, 1)}
WIDE: Mapping[str, Range] = {
    "u": Range(0, 2**32 - 1),
    "i": Range(-(2**31), 2**31 - 1),
    "l": Range(-(2**63), 2**63 - 1),
    "odd": Range(-3, 100),
    "flag": Range(0, 1),
}
ELEMENTS = Range(-128, 127)


class RandomBits:
    """Draws terms over the symbols of `ranges`, and over an array `r` of bytes where `arrays` names it."""

    def __init__(self, seed: int, ranges: Mapping[str, Range], arrays: Sequence[str] = ()) -> None:
        self.random = Random(seed)
        self.arena = Arena()
        self.ranges = {self.arena.symbol(name, INT): bounds for name, bounds in ranges.items()}
        self.ranges.update({self.arena.symbol(name, INT_ARRAY): ELEMENTS for name in arrays})

    @property
    def symbols(self) -> tuple[Term, ...]:
        return tuple(self.ranges)

    def range_of(self, symbol: Term) -> Range | None:
        return self.ranges.get(symbol)

    def values(self) -> dict[Term, Value]:
        """A value for every symbol, at a bound more often than not."""
        return {s: self._value(s, bounds) for s, bounds in self.ranges.items()}

    def _value(self, symbol: Term, bounds: Range) -> Value:
        if symbol.sort != INT:
            return ArrayValue(0, {i: self._number(bounds) for i in range(3)})
        return self._number(bounds)

    def _number(self, bounds: Range) -> int:
        near = [n for n in (bounds.low, bounds.high, -1, 0, 1, bounds.high - 1) if bounds.low <= n <= bounds.high]
        return self.random.choice([*near, self.random.randint(bounds.low, bounds.high)])

    def integer(self, depth: int) -> Term:
        arena, draw = self.arena, self.random
        if depth == 0:
            return self._leaf()
        a, b = self.integer(depth - 1), self.integer(draw.randrange(depth))
        match draw.randrange(12):
            case 0:
                return arena.bit_and(a, b)
            case 1:
                return arena.bit_or(a, b)
            case 2:
                return arena.bit_xor(a, b)
            case 3:
                return arena.shift_left(a, arena.modulo(b, arena.integer(8)))
            case 4:
                return arena.shift_right(a, arena.modulo(b, arena.integer(64)))
            case 5:
                return arena.linear([(draw.choice((-3, -1, 1, 2)), a), (draw.choice((-1, 1)), b)], draw.randint(-9, 9))
            case 6:
                return arena.multiply(a, b)
            case 7:
                return arena.modulo(a, arena.integer(draw.choice((2, 8, 256, 2**32, 3, -5))))
            case 8:
                return arena.divide(a, arena.integer(draw.choice((2, 16, 2**31, 3, -5))))
            case 9:
                return arena.ite(self.formula(depth - 1), a, b)
            case 10:
                return self._wrapped(a)
            case _:
                return self._read(a, b)

    def _wrapped(self, a: Term) -> Term:
        """The value as a signed number of 8 or 32 bits."""
        arena, half = self.arena, self.random.choice((128, 2**31))
        return arena.add(arena.modulo(arena.add(a, arena.integer(half)), arena.integer(2 * half)), arena.integer(-half))

    def _read(self, a: Term, b: Term) -> Term:
        """An element, maybe after a store."""
        arrays = [s for s in self.ranges if s.sort != INT]
        if not arrays:
            return self.arena.bit_xor(a, b)
        byte = self.arena.modulo(b, self.arena.integer(128))
        stored = self.arena.store(arrays[0], self._leaf(), byte)
        return self.arena.select(self.random.choice((arrays[0], stored)), self._leaf())

    def _leaf(self) -> Term:
        integers = [s for s in self.ranges if s.sort == INT]
        if self.random.random() < 0.3:
            return self.arena.integer(self.random.choice((-2, -1, 0, 1, 3, 5, 255, 2**31)))
        return self.random.choice(integers)

    def formula(self, depth: int) -> Term:
        arena, draw = self.arena, self.random
        if depth == 0 or draw.random() < 0.5:
            build = draw.choice((arena.le, arena.lt, arena.equals))
            return build(self.integer(depth), self.integer(max(depth - 1, 0)))
        build_all = draw.choice((arena.and_, arena.or_, arena.iff))
        return build_all(self.formula(depth - 1), arena.not_(self.formula(depth - 1)))
