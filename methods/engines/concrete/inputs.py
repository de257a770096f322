"""Generation of input values for executions. Heuristic throughout.

Programs compare what they read with constants, so the values of an input are above all the constants with which guards
compare what it flows into, then their neighbours, then small and random numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from random import Random
from typing import cast

from core.parameters import parameter
from core.program import InputKind, Program, Range
from core.program.float_values import float_of_integer, float_type_within
from core.program.indeterminate import Indeterminate
from core.terms import BOOL, ArraySort, Term, atoms
from methods.discovery.executions import guard_atoms
from methods.engines.concrete.compiler import Data
from methods.engines.concrete.expressions import ConcreteArray

MAX_CONSTANTS = parameter("concrete.inputs.max-constants")
FIRST_ELEMENTS = parameter("concrete.inputs.first-elements")
_WORD = Range(-(2**31), 2**31 - 1)


class InputStyle(IntEnum):
    """The way in which the inputs of one execution are chosen; executions take turns."""

    CONSTANTS = 0  # those with which the input is compared
    MIXED = 1  # anything
    ALL_CONSTANTS = 2  # those of the program; an input that is read again has its first value
    RANDOM = 3  # numbers of any size


class InputGenerator:
    """Generates the values of inputs. `begin` starts the next execution, and chooses its style."""

    def __init__(self, program: Program, seed: int) -> None:
        self._program = program
        self._random = Random(seed)
        self._constants = constants_for(program)
        self._all = _nearest(constant for _, constant in comparisons(program))
        self._style = InputStyle.CONSTANTS
        self._first: dict[Term, Data] = {}

    def begin(self, edge: int) -> None:
        """Begin an execution; the number says in which style."""
        self._style = InputStyle(edge % len(InputStyle))
        self._first = {}

    def draw(self, symbol: Term) -> Data:
        if self._style is not InputStyle.ALL_CONSTANTS:
            return self._new(symbol)
        if symbol not in self._first:
            self._first[symbol] = self._new(symbol)
        return self._first[symbol]

    def _new(self, symbol: Term) -> Data:
        one = self._program.inputs[symbol]
        bounds = one.range or _WORD
        if symbol.sort is BOOL:
            return self._random.random() < 0.5
        stable = one.kind is InputKind.INDETERMINATE and self._style is InputStyle.CONSTANTS

        def value() -> int:
            return _clipped(0 if stable else self._number(self._constants[symbol], bounds), bounds)

        if not isinstance(symbol.sort, ArraySort):
            return value()
        return ConcreteArray(value(), {} if stable else {i: value() for i in range(FIRST_ELEMENTS)})

    def _number(self, related: tuple[int, ...], bounds: Range) -> int:
        match self._style:
            case InputStyle.CONSTANTS:
                return self._random.choice(related)
            case InputStyle.ALL_CONSTANTS:
                return self._random.choice(self._all)
            case InputStyle.RANDOM:
                return self._of_any_size(bounds)
            case InputStyle.MIXED:
                return self._random.choice((self._near, self._small, self._of_any_size))(bounds)

    def _near(self, _: Range) -> int:
        return self._random.choice(self._all) + self._random.randrange(-1, 2)

    def _small(self, bounds: Range) -> int:
        return _integer(self._random.randrange(-2, 12), bounds)

    def _of_any_size(self, bounds: Range) -> int:
        if self._random.random() < 0.5:
            return self._random.randint(bounds.low, bounds.high)
        value = self._random.getrandbits(self._random.randrange(1, 65))
        return _integer(-value if bounds.low < 0 and self._random.random() < 0.5 else value, bounds)


def indeterminate(symbol: Term) -> Data:
    """The value of an input on which nothing may depend: arithmetic goes on with it, and what depends on it raises."""
    value = cast(int, Indeterminate(symbol.name))
    return ConcreteArray(value) if isinstance(symbol.sort, ArraySort) else value


def unread(value: Data) -> Data:
    """A value in place of an indeterminate one on which nothing depended."""
    return ConcreteArray(0) if isinstance(value, ConcreteArray) else 0


def _integer(value: int, bounds: Range) -> int:
    """The value of an input within these bounds that is an integer, or the floating-point number next to it."""
    type_ = float_type_within(bounds)
    return value if type_ is None else float_of_integer(type_, value)


def _clipped(value: int, bounds: Range) -> int:
    return min(max(value, bounds.low), bounds.high)


def constants_for(program: Program) -> Mapping[Term, tuple[int, ...]]:
    """The constants with which the program compares each input, or what is computed from it."""
    compared: dict[Term, list[int]] = {}
    for symbol, constant in comparisons(program):
        compared.setdefault(symbol, []).append(constant)
    flows: dict[Term, dict[Term, None]] = {}
    for x, value in program.assignments():
        for symbol in sorted(value.symbols(), key=lambda s: s.id):
            flows.setdefault(symbol, {})[x] = None
    return {
        symbol: _nearest(constant for x in _reached(symbol, flows) for constant in compared.get(x, ()))
        for symbol in program.inputs
    }


def comparisons(program: Program) -> Iterator[tuple[Term, int]]:
    """The symbols of comparisons, with numbers for which these have different truth values."""
    conditions = (value for _, value in program.assignments() if value.sort is BOOL)
    for atom in (*guard_atoms(program), *(atom for value in conditions for atom in atoms(value))):
        if atom.is_comparison:
            for symbol in sorted(atom.symbols(), key=lambda s: s.id):
                yield symbol, atom.value
                if atom.is_bound:
                    yield symbol, atom.value + 1


def _nearest(constants: Iterable[int]) -> tuple[int, ...]:
    """Some of the constants, those near 0 first; small numbers where there are hardly any."""
    found = sorted(dict.fromkeys(constants), key=abs)[:MAX_CONSTANTS]
    return tuple(found) if len(found) > 1 else (*found, 0, 1, 2)


def _reached(symbol: Term, flows: Mapping[Term, Iterable[Term]]) -> list[Term]:
    """A symbol, and what is computed from it."""
    found = {symbol: None}
    work = [symbol]
    for x in work:
        new = [target for target in flows.get(x, ()) if target not in found]
        found.update(dict.fromkeys(new))
        work += new
    return work
