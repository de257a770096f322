"""Operations on floating-point numbers as functions of ordinals: their values, intervals, normal forms and inverses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from itertools import product as combinations

from core.terms import floats
from core.terms.floats import FORMATS, FloatFormat, Rounding, is_zero
from core.terms.interval import Interval
from core.terms.tables import NamedFunction


class FloatOperation(Enum):
    """The operations that are more than comparisons and choices of ordinals."""

    ADD = "add"
    SUBTRACT = "subtract"
    MULTIPLY = "multiply"
    DIVIDE = "divide"
    FMA = "fma"
    SQRT = "sqrt"
    REMAINDER = "remainder"
    ROUND = "round"
    OF_INT = "of_int"
    TO_INT = "to_int"
    CONVERT = "convert"


_VALUES: dict[FloatOperation, Callable[..., int]] = {
    FloatOperation.ADD: floats.add,
    FloatOperation.SUBTRACT: floats.subtract,
    FloatOperation.MULTIPLY: floats.multiply,
    FloatOperation.DIVIDE: floats.divide,
    FloatOperation.FMA: floats.fused,
    FloatOperation.SQRT: floats.square_root,
    FloatOperation.REMAINDER: floats.remainder,
    FloatOperation.ROUND: floats.round_to_integer,
    FloatOperation.OF_INT: floats.of_integer,
    FloatOperation.TO_INT: floats.to_integer,
    FloatOperation.CONVERT: floats.convert,
}
_ARITIES = {
    FloatOperation.ADD: 2,
    FloatOperation.SUBTRACT: 2,
    FloatOperation.MULTIPLY: 2,
    FloatOperation.DIVIDE: 2,
    FloatOperation.REMAINDER: 2,
    FloatOperation.FMA: 3,
}
_COMMUTATIVE = (FloatOperation.ADD, FloatOperation.MULTIPLY)
_INCREASING = (
    *(FloatOperation.SQRT, FloatOperation.ROUND),
    *(FloatOperation.OF_INT, FloatOperation.TO_INT, FloatOperation.CONVERT),
)
Detail = Rounding | FloatFormat | int


class FloatFunction:
    """An operation on numbers of a format. Equal ones are one object, and have one name.

    `detail` is what else belongs to it: the direction of `ROUND`, the ends of `TO_INT`, the format that `CONVERT` is
    from. All are total; `TO_INT` gives the nearer end, and the greater one of NaN.
    """

    __slots__ = ("_value", "arity", "detail", "format", "name", "operation")

    def __init__(
        self,
        operation: FloatOperation,
        format_: FloatFormat,
        detail: tuple[Detail, ...],
        name: str,
    ) -> None:
        self.operation, self.format, self.detail, self.name = operation, format_, detail, name
        self.arity = _ARITIES.get(operation, 1)
        self._value = _VALUES[operation]

    def __reduce__(self) -> tuple[Callable[[str], FloatFunction], tuple[str]]:
        return float_function_named, (self.name,)

    @property
    def source(self) -> FloatFormat | None:
        """The format of the arguments; None where they are integers."""
        if self.operation is FloatOperation.OF_INT:
            return None
        (first, *_) = (*self.detail, None)
        return first if self.operation is FloatOperation.CONVERT and isinstance(first, FloatFormat) else self.format

    @property
    def is_commutative(self) -> bool:
        return self.operation in _COMMUTATIVE

    @property
    def range(self) -> Interval:
        """All values that it has."""
        if self.operation is FloatOperation.TO_INT:
            low, high = self.detail
            assert isinstance(low, int)
            assert isinstance(high, int)
            return Interval(low, high)
        is_number = self.operation is FloatOperation.OF_INT
        return Interval(self.format.minimum, self.format.infinity if is_number else self.format.nan)

    def value(self, *args: int) -> int:
        """The value; of what is no ordinal that of the nearest one."""
        source = self.source
        if source is not None:
            args = tuple(max(source.minimum, min(source.maximum, one)) for one in args)
        if self.operation is FloatOperation.CONVERT:
            return self._value(self.format, source, *args)
        return self._value(self.format, *args, *self.detail)

    def interval(self, *args: Interval) -> Interval:
        """All values for arguments in intervals: round to nearest is monotone, so they lie between those of corners."""
        source = self.source
        if source is None:
            (given,) = args
            low = self.format.minimum if given.low is None else self.value(given.low)
            high = self.format.infinity if given.high is None else self.value(given.high)
            return Interval(low, high)
        ends = [one.meet(Interval(source.minimum, source.maximum)) for one in args]
        boxes = [(one.low, one.high) for one in ends if one.low is not None and one.high is not None]
        if any(low > high for low, high in boxes):
            return self.range
        if self.operation in _INCREASING:
            return self._of_increasing(*boxes[0])
        may_be_nan = any(high == source.nan for _, high in boxes)
        numbers = [(low, min(high, source.infinity)) for low, high in boxes]
        if any(low > high for low, high in numbers):
            return Interval(source.nan, source.nan)
        return self._of_corners(numbers, may_be_nan)

    def together(self, *args: Interval) -> Sequence[Interval]:
        """Intervals of arguments that give all values for equal ones: of a product those without the sign."""
        low, high = args[0].low, args[0].high
        if self.operation is not FloatOperation.MULTIPLY or low is None or high is None or low >= 0:
            return args
        size = Interval(-1 - high, -1 - low) if high < 0 else Interval(0, max(-1 - low, high))
        return size, size

    def _of_increasing(self, low: int, high: int) -> Interval:
        if self.operation is FloatOperation.SQRT and low < -1:
            return Interval(-1, self.format.nan)
        return Interval(self.value(low), self.value(high))

    def _of_corners(self, numbers: Sequence[tuple[int, int]], may_be_nan: bool) -> Interval:
        """The interval for numbers between ends, which are no NaN."""
        f = self.format
        has_infinite = [not f.is_finite(low) or not f.is_finite(high) for low, high in numbers]
        has_zero = [low <= 0 and high >= -1 for low, high in numbers]
        match self.operation:
            case FloatOperation.ADD | FloatOperation.SUBTRACT:
                may_be_nan |= all(has_infinite)
            case FloatOperation.MULTIPLY:
                may_be_nan |= (has_infinite[0] and has_zero[1]) or (has_infinite[1] and has_zero[0])
            case FloatOperation.DIVIDE:
                if has_zero[1]:
                    return self.range
                may_be_nan |= all(has_infinite)
            case FloatOperation.REMAINDER:
                return self._of_remainder(numbers, may_be_nan or has_infinite[0] or has_zero[1])
            case _:
                if any(has_infinite):
                    return self.range
        found = [self.value(*corner) for corner in combinations(*(_ends(f, *one) for one in numbers))]
        known = [one for one in found if one != f.nan]
        if len(known) < len(found):
            may_be_nan = True
        return Interval(min(known, default=f.nan), f.nan if may_be_nan else max(known))

    def _of_remainder(self, numbers: Sequence[tuple[int, int]], may_be_nan: bool) -> Interval:
        """No remainder is larger than either argument."""
        largest = min(max(-1 - low, high) for low, high in numbers)
        return Interval(-1 - largest, self.format.nan if may_be_nan else largest)

    # Normal forms

    def simpler(
        self, constants: Sequence[int | None], *, are_equal: bool
    ) -> int | tuple[FloatFunction, tuple[int | None, ...]] | None:
        """`x + -0`, `x - 0`, `x · 1`, `x / 1` are x; `x + x` is a product, as is the quotient by a power of two."""
        f = self.format
        one = f.rounded(False, 1)
        product = float_function(FloatOperation.MULTIPLY, f)
        match self.operation:
            case FloatOperation.ADD if are_equal:
                return product, (None, f.rounded(False, 2))
            case FloatOperation.ADD | FloatOperation.MULTIPLY:
                neutral = -1 if self.operation is FloatOperation.ADD else one
                return 1 - constants.index(neutral) if neutral in constants else None
            case FloatOperation.SUBTRACT if constants[1] == 0:
                return 0
            case FloatOperation.DIVIDE if constants[1] is not None:
                inverse = floats.divide(f, one, constants[1])
                if inverse == one:
                    return 0
                is_exact = _is_power(f, constants[1]) and _is_power(f, inverse)
                return (product, (None, inverse)) if is_exact else None
            case _:
                return None

    def doubles(self, constants: Sequence[int | None]) -> FloatFunction | None:
        """The sum of the one argument with itself, as which a product with 2 has the same values."""
        is_double = self.operation is FloatOperation.MULTIPLY and self.format.rounded(False, 2) in constants
        return float_function(FloatOperation.ADD, self.format) if is_double else None

    def undoes(self, inner: NamedFunction) -> bool:
        """Whether it narrows what was widened."""
        if not isinstance(inner, FloatFunction) or {self.operation, inner.operation} != {FloatOperation.CONVERT}:
            return False
        return inner.source == self.format and inner.format.precision > self.format.precision

    # Inverses

    def preimage(self, constants: Sequence[int | None], values: Interval) -> Interval | None:
        return _preimage(self, tuple(constants), values)

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, FloatFunction) and self.name == other.name)

    def __repr__(self) -> str:
        return self.name


def _ends(f: FloatFormat, low: int, high: int) -> Iterator[int]:
    """The ends of an interval, and the finite ones beside those that are infinite."""
    yield from {low, high}
    if not f.is_finite(low) and low < high:
        yield low + 1
    if not f.is_finite(high) and low < high:
        yield high - 1


def _is_power(f: FloatFormat, x: int) -> bool:
    """Whether a number is a normal power of two, by which a product is what a quotient by its inverse is."""
    if not f.is_finite(x) or is_zero(x):
        return False
    _, integer, _ = f.parts(x)
    return integer == 1 << (f.precision - 1)


_Constants = tuple[int | None, ...]
_NONE = Interval(1, 0)
_LARGEST = 1 << 1025
"""The largest integer that stands for a number of a comparison: those of x87 have more digits than Python writes."""


@lru_cache(maxsize=4096)
def _preimage(function: FloatFunction, constants: _Constants, values: Interval) -> Interval | None:
    direction = _direction(function, constants)
    if direction is None:
        return None
    least, most = function.range.low, function.range.high
    assert least is not None
    assert most is not None
    low = None if values.low is None or values.low <= least else values.low
    high = None if values.high is None or values.high >= most else values.high
    if (low is not None and low > most) or (high is not None and high < least):
        return _NONE

    def value(x: int) -> int:
        return function.value(*(x if one is None else one for one in constants))

    source = function.source
    if source is None:
        first = None if low is None else _last_integer(function.format, low - 1) + 1
        last = None if high is None else _last_integer(function.format, high)
        is_told = all(end is None or abs(end) <= _LARGEST for end in (first, last))
        return Interval(first, last) if is_told else None
    if direction > 0:
        return _between(function, value, source, low, high)
    if high is None:  # NaN, too, which lies at the other end of the argument
        return None
    first = _last(lambda x: value(x) > high, source.minimum, source.infinity) + 1
    last = source.infinity if low is None else _last(lambda x: value(x) >= low, source.minimum, source.infinity)
    return Interval(first, last)


def _between(
    function: FloatFunction, value: Callable[[int], int], source: FloatFormat, low: int | None, high: int | None
) -> Interval | None:
    """The interval of the argument in which values that rise with it lie between two, as far as these are given."""
    least = source.minimum
    if function.operation is FloatOperation.SQRT:  # NaN below
        if high is None:
            return None
        least, low = -1, -1 if low is None else low
    first = None if low is None else _last(lambda x: value(x) < low, least, source.nan) + 1
    last = None if high is None else _last(lambda x: value(x) <= high, least, source.nan)
    return Interval(first, last)


def _last_integer(f: FloatFormat, bound: int) -> int:
    """The greatest integer that becomes a number of at most this ordinal, which is below ∞."""

    def exact(ordinal: int) -> int:
        if f.is_finite(ordinal):
            return floats.to_integer(f, ordinal, -limit, limit)
        return limit if ordinal > 0 else -limit

    limit = 1 << (1 << (f.exponent_bits - 1)) + 1
    return _last(lambda x: floats.of_integer(f, x) <= bound, exact(bound) - 1, exact(bound + 1) + 1)


def _direction(function: FloatFunction, constants: _Constants) -> int | None:
    """1 where the value rises with the one argument, NaN to NaN, -1 where it falls; None where it does neither."""
    f, operation = function.format, function.operation
    if constants.count(None) != 1:
        return None
    if operation in _INCREASING:
        return 1
    if operation not in (FloatOperation.ADD, FloatOperation.SUBTRACT, FloatOperation.MULTIPLY, FloatOperation.DIVIDE):
        return None
    (known,) = (one for one in constants if one is not None)
    if not f.is_finite(known) or is_zero(known):
        return None
    if operation is FloatOperation.ADD:
        return 1
    if operation is FloatOperation.SUBTRACT:
        return 1 if constants[0] is None else -1
    if operation is FloatOperation.DIVIDE and constants[0] is not None:
        return None
    return 1 if known >= 0 else -1


def _last(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The last number of a range up to which a condition holds; the one before the range where it never does."""
    low -= 1
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


@lru_cache(maxsize=256)
def float_function(operation: FloatOperation, format_: FloatFormat, *detail: Detail) -> FloatFunction:
    """The function of an operation on a format."""
    words = (f"m{-one}" if isinstance(one, int) and one < 0 else str(_word(one)) for one in detail)
    return FloatFunction(operation, format_, detail, "__".join((f"float_{operation.value}", format_.name, *words)))


def _word(detail: Detail) -> str | int:
    match detail:
        case Rounding():
            return detail.value
        case FloatFormat():
            return detail.name
        case _:
            return detail


def float_function_named(name: str) -> FloatFunction:
    """The function with a name. Raises `ValueError` for another name."""
    head, *words = name.split("__")
    operation = FloatOperation(head.removeprefix("float_"))
    formats = [FORMATS.get(word) for word in words]
    detail: tuple[Detail, ...] = ()
    match operation, words[1:]:
        case FloatOperation.ROUND, [mode]:
            detail = (Rounding(mode),)
        case FloatOperation.CONVERT, [_] if formats[1] is not None:
            detail = (formats[1],)
        case FloatOperation.TO_INT, [low, high]:
            detail = (int(low.replace("m", "-", 1)), int(high.replace("m", "-", 1)))
        case FloatOperation.ROUND | FloatOperation.CONVERT | FloatOperation.TO_INT, _:
            formats = []
        case _:
            pass
    if formats and formats[0] is not None:
        found = float_function(operation, formats[0], *detail)
        if found.name == name:
            return found
    raise ValueError(f"no function of floating-point numbers: {name[:60]!r}")
