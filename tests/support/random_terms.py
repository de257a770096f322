"""Random terms over a few symbols, and random values for them. Everything follows from the given generator."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from core.terms import BOOL, INT, INT_ARRAY, Arena, ArrayValue, Term, Value


class RandomTerms:
    """Draws terms: small numbers, so that comparisons go both ways."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.arena = Arena()
        self.integers = tuple(self.arena.symbol(name, INT) for name in ("x", "y", "z"))
        self.booleans = tuple(self.arena.symbol(name, BOOL) for name in ("p", "q"))
        self.arrays = tuple(self.arena.symbol(name, INT_ARRAY) for name in ("a", "b"))

    @property
    def symbols(self) -> tuple[Term, ...]:
        return (*self.integers, *self.booleans, *self.arrays)

    def values(self) -> Mapping[Term, Value]:
        """A value for every symbol."""
        number = self._number
        result: dict[Term, Value] = {s: number() for s in self.integers}
        result.update({s: self.random.random() < 0.5 for s in self.booleans})
        result.update({s: ArrayValue(number(), {number(): number() for _ in range(3)}) for s in self.arrays})
        return result

    def formula(self, depth: int) -> Term:
        arena, draw = self.arena, self.random
        if depth == 0:
            return draw.choice((*self.booleans, self._atom(0), self._atom(0)))
        match draw.randrange(8):
            case 0:
                return arena.not_(self.formula(depth - 1))
            case 1:
                return arena.and_(*(self.formula(depth - 1) for _ in range(draw.randint(2, 3))))
            case 2:
                return arena.or_(*(self.formula(depth - 1) for _ in range(draw.randint(2, 3))))
            case 3:
                return arena.iff(self.formula(depth - 1), self.formula(depth - 1))
            case 4:
                return arena.ite(*(self.formula(depth - 1) for _ in range(3)))
            case 5:
                return arena.implies(self.formula(depth - 1), self.formula(depth - 1))
            case _:
                return self._atom(depth)

    def integer(self, depth: int) -> Term:
        arena, draw = self.arena, self.random
        if depth == 0:
            return draw.choice((*self.integers, arena.integer(self._number())))
        match draw.randrange(7):
            case 0:
                parts = [(draw.randint(-3, 3), self.integer(depth - 1)) for _ in range(draw.randint(1, 3))]
                return arena.linear(parts, self._number())
            case 1:
                return arena.ite(self.formula(depth - 1), self.integer(depth - 1), self.integer(depth - 1))
            case 2:
                return arena.select(self.array(depth - 1), self.integer(depth - 1))
            case 3:
                divisor = arena.integer(draw.choice((-4, -3, -2, -1, 1, 2, 3, 4)))
                build = draw.choice((arena.divide, arena.modulo))
                return build(self.integer(depth - 1), divisor)
            case 4:
                return arena.multiply(self.integer(depth - 1), self.integer(depth - 1))
            case _:
                return arena.subtract(self.integer(depth - 1), self.integer(depth - 1))

    def array(self, depth: int) -> Term:
        arena, draw = self.arena, self.random
        if depth == 0:
            return draw.choice(self.arrays)
        match draw.randrange(4):
            case 0:
                return arena.ite(self.formula(depth - 1), self.array(depth - 1), self.array(depth - 1))
            case 1:
                return arena.const_array(INT_ARRAY, arena.integer(self._number()))
            case _:
                return arena.store(self.array(depth - 1), self.integer(depth - 1), self.integer(depth - 1))

    def _atom(self, depth: int) -> Term:
        arena = self.arena
        build = self.random.choice((arena.le, arena.lt, arena.ge, arena.gt, arena.equals))
        return build(self.integer(depth), self.integer(max(depth - 1, 0)))

    def _number(self) -> int:
        return self.random.randint(-4, 4)
