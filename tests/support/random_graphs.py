"""Random programs over a few small variables, built edge by edge, so that all their states can be enumerated.

They have nested loops, jumps, calls, recursion, havocs, choices that wrap, and checks. All follows from the seed.
"""

from __future__ import annotations

from random import Random

from core.program import Call, Program, Range
from core.terms import Term
from tests.support.program_builder import ProgramBuilder

SMALL = Range(-3, 4)


class RandomProgram:
    """Draws one program: `main` with locals x and y and a global g, which calls `f`, which may call itself."""

    def __init__(self, seed: int, size: int = 7) -> None:
        self._random = Random(seed)
        self._size = size
        self._b = ProgramBuilder()
        self._inputs = 0
        self._function = "main"
        self._scope: tuple[Term, ...] = ()
        self._global = self._b.variable("g", SMALL)
        self._result = self._b.variable("f.result", SMALL)
        self._parameter = self._b.variable("f::p", SMALL)
        self._own = self._b.variable("f::l", SMALL)
        self._locals = (self._b.variable("main::x", SMALL), self._b.variable("main::y", SMALL))

    def program(self) -> Program:
        """The program; `start` initialises the globals and calls `main`."""
        b = self._b
        entry, ready, exit_ = (b.location("start") for _ in range(3))
        zero = b.arena.zero
        b.assign(entry, ready, (self._global, zero), (self._result, zero))
        b.call(ready, exit_, "main")
        b.function("start", entry, exit_)
        self._main()
        self._f()
        return b.program("start")

    def _main(self) -> None:
        b = self._b
        entry, ready, exit_ = (b.location("main") for _ in range(3))
        b.assign(entry, ready, *self._initial(self._locals))
        self._scope = (*self._locals, self._global)
        self._function = "main"
        self._body(ready, exit_, self._size)
        b.function("main", entry, exit_, (), self._locals)

    def _f(self) -> None:
        """`f(p) { l = …; …; if (p > 0) f(p - 1); result = …; }`"""
        b, a = self._b, self._b.arena
        entry, ready, middle, deep, back, exit_ = (b.location("f") for _ in range(6))
        b.assign(entry, ready, *self._initial((self._own,)))
        self._scope = (self._parameter, self._own, self._global)
        self._function = "f"
        self._body(ready, middle, max(1, self._size // 3))
        positive = a.gt(self._parameter, a.zero)
        if self._random.random() < 0.6:
            b.assume(middle, deep, positive)
            b.call(deep, back, "f", a.subtract(self._parameter, a.one))
            b.assume(middle, back, a.not_(positive))
        else:
            b.assume(middle, back, a.true)
        b.assign(back, exit_, (self._result, self._value()))
        b.function("f", entry, exit_, (self._parameter,), (self._own,))

    def _initial(self, variables: tuple[Term, ...]) -> list[tuple[Term, Term]]:
        return [(x, self._input() if self._random.random() < 0.3 else self._constant()) for x in variables]

    def _body(self, entry: int, exit_: int, size: int) -> None:
        """Statements from `entry` to `exit_`."""
        at = entry
        labels = [entry]
        for _ in range(size):
            after = self._location()
            self._statement(at, after, size, labels)
            at = after
            labels.append(at)
        self._b.assume(at, exit_, self._b.arena.true)

    def _statement(self, at: int, after: int, size: int, labels: list[int]) -> None:
        kind = self._random.randrange(12)
        if kind <= 3:
            self._assignment(at, after)
        elif kind <= 5 and size > 1:
            self._choice(at, after, size)
        elif kind <= 7 and size > 1:
            self._loop(at, after, size)
        elif kind == 8:
            self._jump(at, after, labels)
        elif kind == 9 and self._function == "main":
            self._call(at, after)
        else:
            self._assertion(at, after)

    def _assignment(self, at: int, after: int) -> None:
        targets = self._random.sample(self._scope, self._random.choice((1, 1, 2)))
        self._b.assign(at, after, *((x, self._value()) for x in targets))

    def _choice(self, at: int, after: int, size: int) -> None:
        condition = self._condition()
        for c in (condition, self._b.arena.not_(condition)):
            inside = self._location()
            self._b.assume(at, inside, c)
            self._body(inside, after, self._random.randint(0, size // 2))

    def _loop(self, at: int, after: int, size: int) -> None:
        head, inside = self._location(), self._location()
        condition = self._condition()
        self._b.assume(at, head, self._b.arena.true)
        self._b.assume(head, inside, condition)
        self._body(inside, head, self._random.randint(1, max(1, size // 2)))
        self._b.assume(head, after, self._b.arena.not_(condition))

    def _jump(self, at: int, after: int, labels: list[int]) -> None:
        condition = self._condition()
        self._b.assume(at, self._random.choice(labels), condition)
        self._b.assume(at, after, self._b.arena.not_(condition))

    def _call(self, at: int, after: int) -> None:
        middle = self._location()
        self._b.call(at, middle, "f", self._value())
        self._b.assign(middle, after, (self._random.choice(self._scope), self._result))

    def _assertion(self, at: int, after: int) -> None:
        condition = self._condition()
        self._b.assume(at, self._b.error(self._function), self._b.arena.not_(condition))
        self._b.assume(at, after, condition)

    def _location(self) -> int:
        return self._b.location(self._function)

    # Terms

    def _condition(self) -> Term:
        a, draw = self._b.arena, self._random
        build = draw.choice((a.le, a.lt, a.ge, a.equals, lambda s, t: a.not_(a.equals(s, t))))
        first = build(draw.choice(self._scope), draw.choice((self._constant(), draw.choice(self._scope))))
        if draw.random() < 0.25:
            join = draw.choice((a.and_, a.or_))
            return join(first, a.le(self._sum(), self._constant()))
        return first

    def _sum(self) -> Term:
        a, draw = self._b.arena, self._random
        return a.linear([(draw.choice((-1, 1, 1, 2)), draw.choice(self._scope)) for _ in range(2)], draw.randint(-2, 2))

    def _value(self) -> Term:
        """A value within range."""
        a, draw = self._b.arena, self._random
        match draw.randrange(8):
            case 0:
                return self._constant()
            case 1:
                return self._input()
            case 2:
                return draw.choice(self._scope)
            case 3 | 4:
                return self._wrapped(a.add(draw.choice(self._scope), a.integer(draw.choice((-1, 1, 1, 2)))))
            case 5:
                return a.ite(self._condition(), draw.choice(self._scope), self._constant())
            case 6:
                x, y = draw.choice(self._scope), draw.choice(self._scope)
                return self._wrapped(a.add(x, y) if draw.random() < 0.5 else a.subtract(x, y))
            case _:
                low, size = SMALL.low, SMALL.high - SMALL.low + 1
                return a.add(a.integer(low), a.modulo(a.subtract(self._sum(), a.integer(low)), a.integer(size)))

    def _wrapped(self, t: Term) -> Term:
        """`t`, at most one range's size outside the range, wrapped around."""
        a, low, high = self._b.arena, self._b.arena.integer(SMALL.low), self._b.arena.integer(SMALL.high)
        size = a.integer(SMALL.high - SMALL.low + 1)
        return a.ite(a.lt(t, low), a.add(t, size), a.ite(a.gt(t, high), a.subtract(t, size), t))

    def _constant(self) -> Term:
        return self._b.arena.integer(self._random.randint(SMALL.low, SMALL.high))

    def _input(self) -> Term:
        self._inputs += 1
        return self._b.input(f"nondet!{self._inputs}", SMALL)


class RandomBitProgram(RandomProgram):
    """The same with bit operators in values and conditions."""

    def _value(self) -> Term:
        if self._random.random() < 0.6:
            return super()._value()
        a, low, size = self._b.arena, SMALL.low, SMALL.high - SMALL.low + 1
        return a.add(a.integer(low), a.modulo(a.subtract(self._bits(), a.integer(low)), a.integer(size)))

    def _condition(self) -> Term:
        if self._random.random() < 0.6:
            return super()._condition()
        build = self._random.choice((self._b.arena.le, self._b.arena.equals))
        return build(self._bits(), self._constant())

    def _bits(self) -> Term:
        a, draw = self._b.arena, self._random
        x, y = draw.choice(self._scope), draw.choice((*self._scope, self._constant()))
        distance = a.modulo(y, a.integer(4))
        match draw.randrange(5):
            case 0:
                return a.bit_and(x, y)
            case 1:
                return a.bit_or(x, y)
            case 2:
                return a.bit_xor(x, y)
            case 3:
                return a.shift_left(x, distance)
            case _:
                return a.shift_right(x, distance)


def random_bit_program(seed: int, size: int = 7) -> Program:
    """The program of this seed, with bit operators."""
    return RandomBitProgram(seed, size).program()


def random_program(seed: int, size: int = 7) -> Program:
    """The program of this seed."""
    return RandomProgram(seed, size).program()


def without_recursion(seeds: range, size: int) -> list[int]:
    """Those of `seeds` whose program of this size has no function that calls itself."""

    def recursive(program: Program) -> bool:
        return any(isinstance(e.operation, Call) and program.locations[e.source].function == "f" for e in program.edges)

    return [seed for seed in seeds if not recursive(random_program(seed, size))]
