"""Formulas about floating-point numbers as C, without functions and macros of math.h, which witnesses cannot use.

Law: the text is true of just the numbers whose ordinals satisfy the formula. C has the zeros equal: where they differ
they are told apart by the sign of 1 / x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.terms import Op, Term, Treatment
from core.terms.float_functions import FloatFunction, FloatOperation
from core.terms.float_text import (
    INFIX,
    FloatComparison,
    FloatPart,
    FloatRange,
    float_format,
    joined_parts,
    negated_number,
    order_of,
    range_of,
    spelled,
)
from core.terms.floats import DOUBLE, EXTENDED, FLOAT, FloatFormat, format_named, to_text
from core.terms.notation import LastParts
from core.terms.wraparound import plain_literal
from interplay.witnesses.formats.known import Known

OTHER_OPERATORS = Treatment.OPAQUE

_SUFFIXES = {FLOAT: "f", DOUBLE: "", EXTENDED: "L"}
_BEYOND = "1e99999"
"""Is read as ∞."""


class FloatWriter:
    """Writes the parts of formulas that are about floating-point numbers.

    `known` are symbols and elements with names, `integer` is the text of an integer, which binds tightly.
    """

    def __init__(self, known: Callable[[Term], Known | None], integer: Callable[[Term], str | None]) -> None:
        self._known, self._integer = known, integer
        self._types = _Types(known)

    def parts(self, parts: Sequence[Term], *, is_conjunction: bool) -> list[FloatPart]:
        """The parts of a conjunction or disjunction, of numbers as few as they can be."""
        return joined_parts(parts, self._types, is_conjunction=is_conjunction)

    def comparison(self, literal: Term) -> str | None:
        """A comparison, or the negation of one; None where it is none of numbers, or one has no text."""
        plain = plain_literal(literal)
        known = None if plain is None else range_of(plain, self._types)
        if known is not None:
            return self.part(known)
        order = None if plain is None else order_of(plain, self._types)
        if order is None:
            return None
        left, sign, right = order
        f, x, y = float_format(left, self._types), self._number(left), self._number(right)
        return None if f is None or x is None or y is None else _ordered(f, x, sign, y)

    def part(self, part: FloatRange | FloatComparison) -> str | None:
        """A range of a number, or a comparison as C has it; None where a number has no text."""
        if isinstance(part, FloatRange):
            x = self._number(part.term)
            return None if x is None else _inside(part, x)
        x, y = self._number(part.left), self._number(part.right)
        if x is None or y is None:
            return None
        return f"!({x} {part.sign} {y})" if part.negated else f"{x} {part.sign} {y}"

    def _number(self, t: Term, f: FloatFormat | None = None) -> str | None:
        """The text of a number, of a constant in a format."""
        if t.is_constant:
            return None if f is None else constant(f, t.value)
        if t.is_symbol or t.is_select:
            known = self._known(t)
            return None if known is None else known.text
        opposite = negated_number(t, self._types)
        if opposite is not None:
            x = self._number(opposite)
            return None if x is None else f"(-{x})"
        return self._operation(t) if t.op is Op.FLOAT else None

    def _operation(self, t: Term) -> str | None:
        function = t.function
        assert isinstance(function, FloatFunction)
        match function.operation:
            case FloatOperation.OF_INT:
                operand = self._integer(t.args[0])
            case FloatOperation.CONVERT:
                operand = self._number(t.args[0])
            case operation if operation in INFIX:
                left, right = (self._number(one, function.format) for one in t.args)
                return None if left is None or right is None else f"({left} {INFIX[operation]} {right})"
            case _:
                return None
        return None if operand is None else f"({spelled(function.format)}){operand}"


class _Types(LastParts):
    """The types of numbers, by which formulas about them are recognised."""

    def __init__(self, known: Callable[[Term], Known | None]) -> None:
        self._known = known

    def float_type(self, of: Term) -> str | None:
        known = self._known(of)
        return None if known is None else known.floating or None


def constant(f: FloatFormat, ordinal: int) -> str | None:
    """A constant that binds tightly; None for NaN."""
    if ordinal == f.nan:
        return None
    text = to_text(f, ordinal) if f.is_finite(ordinal) else f"{'-' if ordinal < 0 else ''}{_BEYOND}{_SUFFIXES[f]}"
    return f"({text})" if ordinal < 0 else text


def equation(type_: str, x: str, ordinal: int) -> str:
    """The condition that a number of a type is just this one; that of NaN is true of all."""
    f = format_named(type_)
    return _between(f, x, ordinal, ordinal)


def _inside(r: FloatRange, x: str) -> str:
    """The condition that a number, of this text, is in a range."""
    text = _between(r.format, x, max(r.low, r.format.minimum), min(r.high, r.format.nan))
    return f"!({text})" if r.negated else text


def _between(f: FloatFormat, x: str, low: int, high: int) -> str:
    if low > high:
        return "0"
    if high == f.nan:
        if low == f.nan:
            return f"{x} != {x}"
        return "1" if low == f.minimum else f"!({_between(f, x, f.minimum, low - 1)})"
    if (low, high) == (f.minimum, f.infinity):
        return f"{x} == {x}"
    if (low, high) == (-1, 0) or (low == high and low not in (-1, 0)):
        return f"{x} == {constant(f, high)}"
    if low == high:
        return f"{x} == {constant(f, 0)} && {_inverse(f, x)} {'<' if high < 0 else '>'} {constant(f, 0)}"
    return " && ".join(_bounds(f, x, low, high))


def _bounds(f: FloatFormat, x: str, low: int, high: int) -> Iterator[str]:
    if low > f.minimum:
        yield _bound(f, x, ">", low)
    if high < f.infinity:
        yield _bound(f, x, "<", high)


def _bound(f: FloatFormat, x: str, sign: str, end: int) -> str:
    """`x >= end` or `x <= end` of ordinals; of NaN it is false."""
    zero = constant(f, 0)
    if end == (0 if sign == ">" else -1):  # one of the zeros only
        return f"({x} {sign} {zero} || {_inverse(f, x)} {sign} {zero})"
    return f"{x} {sign}= {zero if end in (-1, 0) else constant(f, end)}"


def _inverse(f: FloatFormat, x: str) -> str:
    return f"{constant(f, f.rounded(False, 1))} / {x}"


def _ordered(f: FloatFormat, x: str, sign: str, y: str) -> str:
    """The order of two ordinals, where -0 is before +0, and NaN is last and equal to itself."""
    a, b = _inverse(f, x), _inverse(f, y)
    match sign:
        case "==":
            return f"({x} != {x} && {y} != {y}) || ({x} == {y} && {a} == {b})"
        case "<=":
            return f"{y} != {y} || {x} < {y} || ({x} == {y} && {a} <= {b})"
        case "!=":
            return f"!({_ordered(f, x, '==', y)})"
        case _:
            return f"!({_ordered(f, y, '<=', x)})"
