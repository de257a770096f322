"""The table of operators from integers to an integer, and what passes over terms do with those that they do not name.

A pass over terms names the operators that it treats in a way of its own, reads the rows of the others here, and says in
one line at its head what it does with those that it does neither know nor find: `OTHER_OPERATORS = Treatment.OPAQUE`.
`tests/contract/test_operators.py` holds every such line to its word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from math import prod
from operator import and_, lshift, or_, rshift, xor

from core.dataclass import dataclass
from core.terms.arena import Arena
from core.terms.interval import ALL, Interval, all_bits, common_bits, product, quotient, remainder, shifted
from core.terms.tables import ConstantTable, NamedFunction
from core.terms.term import Op, Term

_WIDEST_SHIFT = 1 << 20


class Treatment(Enum):
    """The treatment of operators that a pass over terms does not name."""

    EXACT = "exact"
    """It keeps their meaning: it reads the table, makes terms anew, or asks only what any operator answers."""
    OPAQUE = "opaque"
    """It knows a function of which equal arguments give equal results, or any value of the range, and nothing more."""
    REFUSE = "refuse"
    """It raises an error that ends in `unknown`, or in a located message."""


class NotEvaluable(ValueError):
    """Raised for a term that has a quantifier, or divides by zero or shifts by no distance under the assignment."""


@dataclass(frozen=True, slots=True)
class IntegerFunction:
    """The facts of an operator whose arguments and value are integers, and which has no payload.

    `make` gives its terms, in normal form; `value` is its value, of which it raises `NotEvaluable` where there is none;
    `interval` has all values for arguments in intervals. `arity` is None where it takes any number of arguments. `name`
    is that of SMT-LIB, or one of our own; `bits` the function of SMT-LIB on bit-vectors in which nothing overflows.
    `infix` is its sign in Python, for those with a value everywhere; others are called there.
    """

    make: Callable[..., Term]
    value: Callable[..., int]
    interval: Callable[..., Interval]
    name: str
    bits: str | None = None
    infix: str | None = None
    arity: int | None = 2
    is_total: bool = True
    is_standard: bool = False  # SMT-LIB has it on integers


def _multiply(arena: Arena, *factors: Term) -> Term:
    result = factors[0]
    for factor in factors[1:]:
        result = arena.multiply(result, factor)
    return result


def _product(*factors: int) -> int:
    return prod(factors)


def _quotient(a: int, b: int) -> int:
    return (a - _remainder(a, b)) // b


def _remainder(a: int, b: int) -> int:
    if b == 0:
        raise NotEvaluable("division by zero")
    return a % abs(b)


def _shift(shift: Callable[[int, int], int], a: int, distance: int) -> int:
    if not 0 <= distance <= _WIDEST_SHIFT:
        raise NotEvaluable("shift by a negative or enormous distance")
    return shift(a, distance)


FUNCTIONS: dict[Op, IntegerFunction] = {
    Op.MULTIPLY: IntegerFunction(_multiply, _product, product, "*", "bvmul", "*", None, is_standard=True),
    Op.DIVIDE: IntegerFunction(Arena.divide, _quotient, quotient, "div", is_total=False, is_standard=True),
    Op.MODULO: IntegerFunction(Arena.modulo, _remainder, remainder, "mod", is_total=False, is_standard=True),
    Op.BIT_AND: IntegerFunction(Arena.bit_and, and_, common_bits, "bit.and", "bvand", "&"),
    Op.BIT_OR: IntegerFunction(Arena.bit_or, or_, all_bits, "bit.or", "bvor", "|"),
    Op.BIT_XOR: IntegerFunction(Arena.bit_xor, xor, all_bits, "bit.xor", "bvxor", "^"),
    Op.SHIFT_LEFT: IntegerFunction(
        Arena.shift_left, partial(_shift, lshift), partial(shifted, lshift), "shift.left", "bvshl", is_total=False
    ),
    Op.SHIFT_RIGHT: IntegerFunction(
        Arena.shift_right, partial(_shift, rshift), partial(shifted, rshift), "shift.right", "bvashr", is_total=False
    ),
}
"""The rows. All that a new operator must have is one here, and a member of `Op`."""


def function_named(name: str) -> IntegerFunction | None:
    """The function of this name in SMT-LIB texts."""
    return next((function for function in FUNCTIONS.values() if function.name == name), None)


BIT_OPERATORS = frozenset(op for op, row in FUNCTIONS.items() if row.bits is not None and not row.is_standard)
"""The operators that need bits: linear arithmetic does not have them, and no width is part of them."""


def function_of(t: Term) -> IntegerFunction | None:
    """The facts of the operator of a term, if it is a function of integers: a row, or those of its table."""
    if t.op is Op.LOOKUP:
        table = t.table
        make = partial(_looked_up, table)
        return IntegerFunction(make, table.value, table.interval, table.name, arity=1)
    if t.op is Op.FLOAT:
        function = t.function
        return IntegerFunction(
            partial(_computed, function), function.value, function.interval, function.name, arity=function.arity
        )
    return FUNCTIONS.get(t.op)


def interval_of(t: Term, args: Sequence[Interval]) -> Interval:
    """The interval of a term whose arguments lie in intervals, if it is a function of integers; else all of them."""
    if t.op is Op.FLOAT:
        is_one = len(args) > 1 and all(a is t.args[0] for a in t.args)
        return t.function.interval(*(t.function.together(*args) if is_one else args))
    function = function_of(t)
    return ALL if function is None else function.interval(*args)


def integer_function(t: Term) -> IntegerFunction:
    """The facts of the operator of a term that is a function of integers. Raises `KeyError`."""
    function = function_of(t)
    if function is None:
        raise KeyError(t.op)
    return function


def _looked_up(table: ConstantTable, arena: Arena, position: Term) -> Term:
    return arena.lookup(table, position)


def _computed(function: NamedFunction, arena: Arena, *args: Term) -> Term:
    return arena.compute(function, *args)


def is_uninterpreted(t: Term) -> bool:
    """Whether solvers know nothing of the operator of a term but that it is a function."""
    function = FUNCTIONS.get(t.op)
    return t.op in (Op.LOOKUP, Op.FLOAT) or (
        function is not None and not function.is_standard and function.bits is None
    )
