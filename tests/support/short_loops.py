"""Random programs with short loops, arrays, calls and few inputs, whose executions can all be run.

They write arrays at indices that differ from path to path, and read them again. All follows from the seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from core.program import Input, Program, Range
from core.program.simulate import Reached, simulate
from core.terms import INT_ARRAY, Term
from tests.support.program_builder import ProgramBuilder

SMALL = Range(0, 2)
WIDE = Range(-100, 100)
_STEPS = 400


class ShortLoops:
    """Draws one program: `main` with numbers x, y and z and arrays a and b; `f(p)` writes an array and a global."""

    def __init__(self, seed: int, size: int = 10) -> None:
        self._random, self._size = Random(seed), size
        self._b = b = ProgramBuilder()
        self._numbers = [b.variable(f"main::{name}", WIDE) for name in "xyz"]
        self._global, self._parameter = b.variable("g", WIDE), b.variable("f::p", WIDE)
        self._arrays = [b.array("a", WIDE), b.array("b", WIDE)]
        self._counters: list[Term] = []
        self._inputs = 0
        self._scope = [*self._numbers, self._global]

    def program(self) -> Program:
        b = self._b
        entry, ready, exit_ = (b.location() for _ in range(3))
        empty = b.arena.const_array(INT_ARRAY, b.arena.zero)
        b.assign(entry, ready, (self._global, b.arena.zero), *((one, empty) for one in self._arrays))
        first = b.location()
        x, y, z = self._numbers
        b.assign(ready, first, (x, b.input("first", SMALL)), (y, b.input("second", SMALL)), (z, b.arena.one))
        self._block(first, exit_, self._size, loops=2)
        b.function("main", entry, exit_, (), [*self._numbers, *self._counters])
        begin, written, end = (b.location("f") for _ in range(3))
        self._scope = [self._parameter, self._global]
        b.assign(begin, written, self._write())
        b.assign(written, end, (self._global, self._element()))
        b.function("f", begin, end, (self._parameter,))
        return b.program()

    def _block(self, entry: int, exit_: int, size: int, loops: int) -> None:
        at = entry
        for left in range(size - 1, -1, -1):
            after = exit_ if left == 0 else self._b.location()
            self._statement(at, after, loops)
            at = after

    def _statement(self, at: int, after: int, loops: int) -> None:
        match self._random.randrange(9):
            case 0 if self._inputs < 1:
                self._inputs += 1
                self._b.assign(at, after, (self._number(), self._b.input(f"input{self._inputs}", SMALL)))
            case 0 | 1:
                self._b.assign(at, after, (self._number(), self._value()))
            case 2:
                self._b.assign(at, after, (self._number(), self._element()))
            case 3 | 4:
                self._b.assign(at, after, self._write())
            case 5:
                self._b.call(at, after, "f", self._value())
            case 6 if loops:
                self._loop(at, after, loops)
            case 7:
                self._choice(at, after, loops)
            case _:
                self._b.assume(at, self._b.error(), condition := self._condition())
                self._b.assume(at, after, self._b.arena.not_(condition))

    def _loop(self, at: int, after: int, loops: int) -> None:
        """`for (i = 0; i < 2; i++) { … if (…) break; … }`, or until some number says so."""
        b, a = self._b, self._b.arena
        counter = b.variable(f"main::i{len(self._counters)}", WIDE)
        self._counters.append(counter)
        head, body, middle, again = b.location(loop=True), *(b.location() for _ in range(3))
        b.assign(at, head, (counter, a.zero))
        more = a.lt(counter, a.integer(2))
        b.assume(head, after, a.not_(more))
        b.assume(head, body, more)
        self._scope.append(counter)
        self._block(body, middle, 2, loops - 1)
        leaves = self._condition()
        b.assume(middle, after, leaves)
        b.assume(middle, again, a.not_(leaves))
        b.assign(again, head, (counter, a.add(counter, a.one)))
        self._scope.remove(counter)

    def _choice(self, at: int, after: int, loops: int) -> None:
        one, other = self._b.location(), self._b.location()
        condition = self._condition()
        self._b.assume(at, one, condition)
        self._b.assume(at, other, self._b.arena.not_(condition))
        self._statement(one, after, loops)
        self._statement(other, after, loops)

    def _number(self) -> Term:
        return self._random.choice([*self._numbers, self._global])

    def _value(self) -> Term:
        """A number between -1 and 5, so that no value leaves its range."""
        a = self._b.arena
        x, y = (self._random.choice(self._scope) for _ in range(2))
        match self._random.randrange(3):
            case 0:
                return a.integer(self._random.randrange(4))
            case 1:
                return a.ite(a.le(x, a.integer(3)), a.ite(a.le(a.zero, x), a.add(x, a.one), a.zero), a.zero)
            case _:
                return a.ite(a.equals(x, y), a.integer(self._random.randrange(4)), x)

    def _element(self) -> Term:
        return self._b.arena.select(self._random.choice(self._arrays), self._value())

    def _write(self) -> tuple[Term, Term]:
        array = self._random.choice(self._arrays)
        return array, self._b.arena.store(array, self._value(), self._value())

    def _condition(self) -> Term:
        a = self._b.arena
        value = self._element() if self._random.random() < 0.4 else self._random.choice(self._scope)
        limit = a.integer(self._random.randrange(4))
        return a.equals(value, limit) if self._random.random() < 0.6 else a.lt(limit, value)


def failing_checks(program: Program) -> set[int]:
    """The checks that some execution violates."""
    return {result.check.id for result in _executions(program) if isinstance(result, Reached)}


def _executions(program: Program) -> Iterator[object]:
    """The results of all executions: of all sequences of inputs, as long as the program reads more."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        given = waiting.pop()
        read = 0

        def supply(_: Input, given: tuple[int, ...] = given) -> int:
            nonlocal read
            read += 1
            return given[read - 1] if read <= len(given) else SMALL.low

        result = simulate(program, supply, _STEPS)
        if read > len(given):
            waiting += [(*given, value) for value in range(SMALL.low, SMALL.high + 1)]
        else:
            yield result
