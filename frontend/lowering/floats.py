"""Floating-point numbers in expressions: values are ordinals, comparisons those of integers but for zeros and NaN.

Results are rounded to their type each, to nearest, as SSE computes them.
"""

from __future__ import annotations

from typing import Protocol

from core.program import InputKind, Range
from core.program.properties import CheckKind
from core.terms import Term
from core.terms.float_functions import FloatFunction, FloatOperation, float_function, float_function_named
from core.terms.floats import FloatFormat, of_text, to_text
from core.terms.interval import Interval
from frontend.libc.texts import FLOAT_STEP
from frontend.lowering.arithmetic import BoundedTerm
from frontend.lowering.checks.edges import Checks
from frontend.lowering.context import FITTING, SSE, Cursor
from frontend.lowering.edge_text import show
from frontend.lowering.ordinals import ordinals
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import CType, Float, Integer, IntegerKind, Target
from frontend.typed.float_formats import OPERATIONS, format_of, type_of
from frontend.typed.floats import is_decided
from frontend.typed.tree import BinaryOperator, UnaryOperator

_KINDS = (CheckKind.FLOAT_DIVISION, CheckKind.FLOAT_OVERFLOW, CheckKind.NAN)


class Expressions(Protocol):
    """The part of the lowering of expressions that is needed."""

    def value(self, e: tree.Expression) -> BoundedTerm: ...

    def operands(self, first: tree.Expression, second: tree.Expression) -> tuple[BoundedTerm, BoundedTerm]: ...


class Floats:
    """Values of floating type, and what is learnt of them, at a cursor."""

    def __init__(self, cursor: Cursor, expressions: Expressions) -> None:
        self._cursor, self._expressions = cursor, expressions
        self._checks = Checks(cursor)
        self._arena = cursor.context.arena

    def _format(self, type_: CType, span: Span) -> FloatFormat:
        """The format of a floating type. Raises Unsupported for one that has another."""
        assert isinstance(type_, Float)
        if not is_decided(type_, self._cursor.context.unit.data_model):
            raise Unsupported(span, f"{type_} is not decided for ARM")
        return format_of(type_)

    def value(self, e: tree.Expression) -> BoundedTerm:
        """The value of a constant, a conversion or an operation of floating type."""
        format_ = self._format(e.type, e.span)
        match e:
            case tree.FloatConstant():
                return self._constant(e, format_)
            case tree.Convert():
                return self.converted(self._expressions.value(e.operand), e.operand.type, e.type, e)
            case tree.Unary(operator=UnaryOperator.NEGATE):
                return self._negated(self._expressions.value(e.operand), format_)
            case tree.Binary() if e.operator in OPERATIONS:
                left, right = self._expressions.operands(e.left, e.right)
                return self._rounded(e.operator, left, right, format_, e)
            case _:
                raise Unsupported(e.span, f"{show(e)} is not decided")

    def _constant(self, e: tree.FloatConstant, format_: FloatFormat) -> BoundedTerm:
        try:
            return self._cursor.constant(of_text(format_, e.text))
        except ValueError as error:
            raise Unsupported(e.span, f"this constant is not decided: {error}") from None

    def _negated(self, value: BoundedTerm, format_: FloatFormat) -> BoundedTerm:
        arena, number = self._arena, value.term
        opposite = arena.subtract(arena.integer(-1), number)
        last = min(value.high, format_.infinity)
        if value.low > last:
            return value
        if value.high == format_.nan:
            opposite = arena.ite(self._is_nan(value, format_), number, opposite)
            return BoundedTerm(opposite, -1 - last, format_.nan)
        return BoundedTerm(opposite, -1 - last, -1 - value.low)

    def operation(
        self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, type_: Float, e: tree.Expression
    ) -> BoundedTerm:
        """The rounded result of an operation in the type."""
        return self._rounded(operator, left, right, self._format(type_, e.span), e)

    def _rounded(
        self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, f: FloatFormat, e: tree.Expression
    ) -> BoundedTerm:
        function = float_function(OPERATIONS[operator], f)
        if not any(map(self._asks, _KINDS)):
            return self._computed(function, left, right)
        type_ = ordinals(type_of(f))
        left, right = (self._cursor.stable(one, type_, e.span, show(e)) for one in (left, right))
        arena, zero = self._arena, self._arena.between(-1, right.term, 0)
        divides_by_zero = zero if operator is BinaryOperator.DIVIDE else arena.false
        self._require(CheckKind.FLOAT_DIVISION, arena.not_(divides_by_zero), e)
        result = self._computed(function, left, right)
        operands = (left, right)
        are_finite = [self._is_finite(one, f) for one in operands]
        is_open = arena.or_(divides_by_zero, *map(arena.not_, are_finite))
        self._require(CheckKind.FLOAT_OVERFLOW, arena.or_(is_open, arena.not_(self._is_infinite(result, f))), e)
        had_nan = [self._is_nan(one, f) for one in operands]
        self._require(CheckKind.NAN, arena.or_(*had_nan, self._is_number(result, f)), e)
        return result

    def _asks(self, kind: CheckKind) -> bool:
        """Whether a kind of behaviour that C defines is an error here: bodies of the library may have it."""
        return kind in self._cursor.context.policy.kinds and not self._checks.is_library

    def _require(self, kind: CheckKind, condition: Term, e: tree.Expression) -> None:
        if self._asks(kind):
            self._cursor.require(kind, condition, e.span, show(e))

    def _is_finite(self, value: BoundedTerm, f: FloatFormat) -> Term:
        if f.minimum < value.low and value.high < f.infinity:
            return self._arena.true
        return self._arena.between(f.minimum + 1, value.term, f.infinity - 1)

    def _is_infinite(self, value: BoundedTerm, f: FloatFormat) -> Term:
        arena, ends = self._arena, (f.minimum, f.infinity)
        return arena.or_(
            *(arena.equals(value.term, arena.integer(one)) for one in ends if value.low <= one <= value.high)
        )

    def _computed(self, function: FloatFunction, *args: BoundedTerm) -> BoundedTerm:
        if function.arity > 1 and self._cursor.context.unit.data_model.target is Target.ILP32:
            self._cursor.context.assume(SSE)
        interval = function.interval(*(Interval(one.low, one.high) for one in args))
        assert interval.low is not None
        assert interval.high is not None
        term = self._arena.compute(function, *(self._cursor.arithmetic.number(one) for one in args))
        return BoundedTerm(term, interval.low, interval.high)

    # What bodies of the library compute by functions of their own

    def step(self, call: tree.Call, name: str) -> BoundedTerm:
        """The result of a function with a name such as `…sqrt__double`."""
        word, _, rest = name.removeprefix(FLOAT_STEP).partition("__")
        values = [self._expressions.value(one) for one in call.arguments]
        arena, arithmetic = self._arena, self._cursor.arithmetic
        f = self._format(call.type if word == "power" else call.arguments[0].type, call.span)
        first = values[0].term
        digits = arena.integer(1 << (f.precision - 1))
        match word:
            case "negative":
                return arithmetic.truth(arena.lt(first, arena.zero))
            case "successor":
                greater = arena.ite(arena.between(-1, first, 0), arena.one, arena.add(first, arena.one))
                is_last = arena.lt(arena.integer(f.infinity - 1), first)
                return BoundedTerm(arena.ite(is_last, first, greater), f.minimum + 1, f.nan)
            case "exponent":
                field = arena.divide(self._magnitude(first), digits)
                return BoundedTerm(field, 0, f.nan >> (f.precision - 1))
            case "fraction":
                half = f.rounded(False, 1, -1)
                magnitude = arena.add(arena.modulo(self._magnitude(first), digits), arena.integer(half))
                fraction = arena.ite(
                    arena.lt(first, arena.zero), arena.subtract(arena.integer(-1), magnitude), magnitude
                )
                return BoundedTerm(fraction, -half - (1 << (f.precision - 1)), half + (1 << (f.precision - 1)) - 1)
            case "power":
                most = (1 << (f.exponent_bits - 1)) - 1
                below, above = (arena.integer(end) for end in (1 - most, most))
                exponent = arena.ite(arena.le(first, below), below, arena.ite(arena.le(above, first), above, first))
                power = arena.multiply(arena.add(exponent, arena.integer(most)), digits)
                return BoundedTerm(power, 1 << (f.precision - 1), 2 * most << (f.precision - 1))
            case _:
                function = float_function_named(f"float_{word}__{rest}")
                return self._computed(function, *values)

    def _magnitude(self, number: Term) -> Term:
        arena = self._arena
        return arena.ite(arena.lt(number, arena.zero), arena.subtract(arena.integer(-1), number), number)

    def any_number(self, call: tree.Call) -> BoundedTerm:
        """The result of the function for a call of which this is a body: any number between two constants."""
        low, high = (self._expressions.value(one).constant for one in call.arguments)
        assert low is not None
        assert high is not None
        assert isinstance(call.type, Float)
        cursor, f = self._cursor, self._format(call.type, call.span)
        name = cursor.function.partition("!")[0]
        is_bounded = f.is_finite(low) or f.is_finite(high)
        bounds = f" from {to_text(f, low)} to {to_text(f, high)}" if is_bounded else ""
        effect = f"returns any {call.type}{bounds}, where it is a number"
        cursor.context.undefined.add(name, call.span, cursor.function, effect)
        cursor.context.assume(f"undefined functions: {name} {effect}")
        type_, within = ordinals(call.type), Range(low, high)
        symbol = cursor.context.variables.input(InputKind.EXTERN, name, call.span, type_, bounds=within)
        return BoundedTerm(symbol, low, high)

    # Conversions

    def converted(self, value: BoundedTerm, source: CType, target: CType, e: tree.Expression) -> BoundedTerm:
        """A settled value as one of another arithmetic type, one of both types a floating one.

        The path ends where an integer type does not hold it.
        """
        if isinstance(target, Float):
            format_ = self._format(target, e.span)
            if isinstance(source, Float):
                given = self._format(source, e.span)
                return value if given == format_ else self._resized(value, given, format_, e)
            return self._computed(float_function(FloatOperation.OF_INT, format_), value)
        assert isinstance(source, Float)
        assert isinstance(target, Integer)
        if target.kind is IntegerKind.BOOL:
            return self._cursor.arithmetic.truth(self.holds(value, source, e.span))
        return self._truncated(value, source, target, e)

    def _resized(self, value: BoundedTerm, given: FloatFormat, f: FloatFormat, e: tree.Expression) -> BoundedTerm:
        """A number of another format."""
        function = float_function(FloatOperation.CONVERT, f, given)
        if f.precision >= given.precision or not self._asks(CheckKind.FLOAT_OVERFLOW):
            return self._computed(function, value)
        type_ = ordinals(type_of(given))
        value = self._cursor.stable(value, type_, e.span, show(e))
        result, arena = self._computed(function, value), self._arena
        fits = arena.or_(arena.not_(self._is_finite(value, given)), arena.not_(self._is_infinite(result, f)))
        self._require(CheckKind.FLOAT_OVERFLOW, fits, e)
        return result

    def _truncated(self, value: BoundedTerm, source: Float, target: Integer, e: tree.Expression) -> BoundedTerm:
        format_, cursor = self._format(source, e.span), self._cursor
        low, high = target.minimum, target.maximum
        wider = float_function(FloatOperation.TO_INT, format_, low - 1, high + 1)
        fitting = wider.preimage((None,), Interval(low, high))
        assert fitting is not None
        first, last = fitting.low, fitting.high
        assert first is not None
        assert last is not None
        if not first <= value.low <= value.high <= last:
            value = cursor.stable(value, ordinals(source), e.span, show(e))
            condition = self._arena.between(first, value.term, last)
            cursor.require(CheckKind.FLOAT_CONVERSION, condition, e.span, show(e), FITTING)
            if first > value.high or last < value.low:
                return cursor.constant(0)  # the path has ended
            value = BoundedTerm(value.term, max(first, value.low), min(last, value.high))
        return self._computed(float_function(FloatOperation.TO_INT, format_, low, high), value)

    # What is learnt of numbers

    def holds(self, value: BoundedTerm, type_: Float, span: Span) -> Term:
        """The Bool term that says that a number is not zero: NaN is not."""
        self._format(type_, span)
        if value.low > 0 or value.high < -1:
            return self._arena.true
        return self._arena.not_(self._arena.between(-1, value.term, 0))

    def compared(self, e: tree.Binary) -> BoundedTerm:
        """The truth of a comparison."""
        format_ = self._format(e.left.type, e.span)
        left, right = self._expressions.operands(e.left, e.right)
        arena = self._arena
        match e.operator:
            case BinaryOperator.LESS:
                condition = self._less(left, right, format_)
            case BinaryOperator.GREATER:
                condition = self._less(right, left, format_)
            case BinaryOperator.LESS_EQUAL:
                condition = self._less_equal(left, right, format_)
            case BinaryOperator.GREATER_EQUAL:
                condition = self._less_equal(right, left, format_)
            case BinaryOperator.EQUAL:
                condition = self._equal(left, right, format_)
            case _:
                condition = arena.not_(self._equal(left, right, format_))
        return self._cursor.arithmetic.truth(condition)

    def _is_nan(self, value: BoundedTerm, format_: FloatFormat) -> Term:
        if value.high <= format_.infinity:
            return self._arena.false
        return self._arena.equals(value.term, self._arena.integer(format_.nan))

    def _is_number(self, value: BoundedTerm, format_: FloatFormat) -> Term:
        if value.high <= format_.infinity:
            return self._arena.true
        return self._arena.le(value.term, self._arena.integer(format_.infinity))

    def _less(self, x: BoundedTerm, y: BoundedTerm, format_: FloatFormat) -> Term:
        arena = self._arena
        if x.constant in (-1, 0):
            x = self._cursor.constant(0)
        elif y.constant in (-1, 0):
            y = self._cursor.constant(-1)
        parts = [arena.lt(x.term, y.term), self._is_number(y, format_)]
        if None in (x.constant, y.constant):
            parts += [arena.not_(self._zeros(x, -1, y, 0))]
        return arena.and_(*parts)

    def _less_equal(self, x: BoundedTerm, y: BoundedTerm, format_: FloatFormat) -> Term:
        arena = self._arena
        if x.constant in (-1, 0):
            x = self._cursor.constant(-1)
        elif y.constant in (-1, 0):
            y = self._cursor.constant(0)
        return arena.and_(arena.or_(arena.le(x.term, y.term), self._zeros(x, 0, y, -1)), self._is_number(y, format_))

    def _zeros(self, x: BoundedTerm, first: int, y: BoundedTerm, second: int) -> Term:
        """Whether two numbers are these zeros."""
        arena = self._arena
        if not (x.low <= first <= x.high and y.low <= second <= y.high):
            return arena.false
        return arena.and_(arena.equals(x.term, arena.integer(first)), arena.equals(y.term, arena.integer(second)))

    def _equal(self, x: BoundedTerm, y: BoundedTerm, format_: FloatFormat) -> Term:
        arena = self._arena
        for one, other in ((x, y), (y, x)):
            if one.constant in (-1, 0):
                return arena.between(-1, other.term, 0)
        zeros = arena.and_(arena.between(-1, x.term, 0), arena.between(-1, y.term, 0))
        if x.low > 0 or x.high < -1 or y.low > 0 or y.high < -1:
            zeros = arena.false
        lower = x if x.high <= y.high else y
        return arena.or_(arena.and_(arena.equals(x.term, y.term), self._is_number(lower, format_)), zeros)
