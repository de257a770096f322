"""Binary floating-point numbers as integers: the position of a value in the order of its format, its ordinal.

The magnitude of a number, read as the integer of its bits without the sign, is its ordinal `o`; a number with a sign
has -1 - `o`. So -0 is -1 and +0 is 0, and NaN, of which there is one, is the greatest. All operations are exact
integer arithmetic with one rounding, to nearest, ties to even (IEEE 754).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from math import isqrt

from core.dataclass import dataclass
from core.pattern import pattern

_FARTHEST = 10_000
"""Decimal exponents beyond it are infinite, or zero, in every format."""
_DECIMAL = pattern(r"([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")
_HEXADECIMAL = pattern(r"0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?[0-9]+))?")


class Rounding(Enum):
    """The directions in which numbers are rounded to integers."""

    EVEN = "even"
    AWAY = "away"
    DOWN = "down"
    UP = "up"
    ZERO = "zero"


@dataclass(frozen=True)
class FloatFormat:
    """A format of `precision` bits, the first of which may not be stored, and an exponent of so many bits."""

    name: str
    precision: int
    exponent_bits: int

    @cached_property
    def infinity(self) -> int:
        """The ordinal of ∞."""
        return ((1 << self.exponent_bits) - 1) << (self.precision - 1)

    @cached_property
    def nan(self) -> int:
        """The ordinal of NaN."""
        return self.infinity + 1

    @cached_property
    def minimum(self) -> int:
        """The ordinal of -∞."""
        return -1 - self.infinity

    @cached_property
    def maximum(self) -> int:
        """The greatest ordinal, that of NaN."""
        return self.nan

    @cached_property
    def bits(self) -> int:
        """The bits of a number, without those that x87 stores though they follow from the others."""
        return self.precision + self.exponent_bits

    @cached_property
    def quantum(self) -> int:
        """The exponent of the least positive number, a power of two."""
        return 3 - (1 << (self.exponent_bits - 1)) - self.precision

    def is_finite(self, ordinal: int) -> bool:
        """Whether it is neither infinite nor NaN."""
        return -1 - self.infinity < ordinal < self.infinity

    def parts(self, ordinal: int) -> tuple[bool, int, int]:
        """Sign, integer and exponent of two of a finite number."""
        magnitude = -1 - ordinal if ordinal < 0 else ordinal
        field = magnitude >> (self.precision - 1)
        if field == 0:
            return ordinal < 0, magnitude, self.quantum
        fraction = magnitude & ((1 << (self.precision - 1)) - 1)
        return ordinal < 0, fraction | 1 << (self.precision - 1), self.quantum + field - 1

    def exact(self, ordinal: int) -> tuple[int, int]:
        """A finite number as an integer with its sign, and an exponent of two."""
        negative, integer, exponent = self.parts(ordinal)
        return -integer if negative else integer, exponent

    def rounded(self, negative: bool, numerator: int, exponent: int = 0, denominator: int = 1) -> int:
        """The number nearest to `numerator / denominator · 2^exponent`, which is not negative, with a sign."""
        magnitude = self._magnitude(numerator, exponent, denominator) if numerator else 0
        return -1 - magnitude if negative else magnitude

    def _magnitude(self, numerator: int, exponent: int, denominator: int) -> int:
        unit = numerator.bit_length() - denominator.bit_length() + exponent - self.precision
        if unit > 1 << self.exponent_bits:
            return self.infinity
        unit = max(unit, self.quantum)
        integer = _nearest(numerator, denominator, exponent - unit)
        if integer.bit_length() > self.precision:  # the first bit was one place higher than it had to be
            unit += 1
            integer = _nearest(numerator, denominator, exponent - unit)
        return min(self.infinity, ((unit - self.quantum) << (self.precision - 1)) + integer)

    def to_bits(self, ordinal: int) -> int:
        """The bits of a number that is no NaN."""
        return ordinal if ordinal >= 0 else (1 << (self.bits - 1)) - 1 - ordinal

    def of_bits(self, bits: int) -> int:
        """The ordinal of a number that is stored as these bits."""
        half = 1 << (self.bits - 1)
        ordinal = bits if bits < half else half - 1 - bits
        return self.nan if not self.minimum <= ordinal <= self.infinity else ordinal


def _nearest(numerator: int, denominator: int, exponent: int) -> int:
    """The integer nearest to `numerator / denominator · 2^exponent`, ties to even."""
    if exponent >= 0:
        numerator <<= exponent
    else:
        denominator <<= -exponent
    quotient, rest = divmod(numerator, denominator)
    return quotient + (2 * rest > denominator or (2 * rest == denominator and quotient & 1))


FLOAT = FloatFormat("float", 24, 8)
DOUBLE = FloatFormat("double", 53, 11)
EXTENDED = FloatFormat("long_double", 64, 15)
"""The format of x87."""
FORMATS: Mapping[str, FloatFormat] = {one.name: one for one in (FLOAT, DOUBLE, EXTENDED)}


def format_named(type_: str) -> FloatFormat:
    """The format of a floating type of C, by its name there. Raises `KeyError` for another one."""
    return FORMATS[type_.replace(" ", "_")]


def is_zero(ordinal: int) -> bool:
    """Whether it is +0 or -0."""
    return ordinal in (-1, 0)


def opposite(f: FloatFormat, x: int) -> int:
    """The number with the other sign."""
    return x if x == f.nan else -1 - x


def absolute(x: int) -> int:
    """The number without its sign."""
    return -1 - x if x < 0 else x


def less(f: FloatFormat, x: int, y: int) -> bool:
    """Whether `x < y` as C has it."""
    return x < y <= f.infinity and not (x == -1 and y == 0)


def less_equal(f: FloatFormat, x: int, y: int) -> bool:
    """Whether `x <= y` as C has it."""
    return x <= f.infinity and y <= f.infinity and (x <= y or (x == 0 and y == -1))


def equal(f: FloatFormat, x: int, y: int) -> bool:
    """Whether `x == y` as C has it, where the zeros are equal and NaN is not."""
    return (x == y and x != f.nan) or (is_zero(x) and is_zero(y))


# Parts


def is_negative(_: FloatFormat, x: int) -> bool:
    """Whether a number has a sign; NaN has none here."""
    return x < 0


def successor(f: FloatFormat, x: int) -> int:
    """The next greater number; ∞ and NaN themselves."""
    return x if x >= f.infinity else 1 if is_zero(x) else x + 1


def exponent_field(f: FloatFormat, x: int) -> int:
    """The exponent as it is stored, of a normal number at least 1."""
    return absolute(x) >> (f.precision - 1)


def fraction(f: FloatFormat, x: int) -> int:
    """The normal number with this sign and these digits that lies between 1/2 and 1."""
    digits = absolute(x) & ((1 << (f.precision - 1)) - 1)
    magnitude = digits + (f.rounded(False, 1) - (1 << (f.precision - 1)))
    return -1 - magnitude if x < 0 else magnitude


def power_of_two(f: FloatFormat, exponent: int) -> int:
    """The power of two, of which the exponent is brought between those of normal numbers."""
    most = (1 << (f.exponent_bits - 1)) - 1
    return (max(1 - most, min(most, exponent)) + most) << (f.precision - 1)


# Operations


def add(f: FloatFormat, x: int, y: int) -> int:
    """The rounded sum."""
    if not (f.is_finite(x) and f.is_finite(y)):
        if f.nan in (x, y):
            return f.nan
        if f.is_finite(x):
            return y
        return x if f.is_finite(y) or x == y else f.nan
    return _sum(f, f.exact(x), f.exact(y), x < 0 and y < 0)


def _sum(f: FloatFormat, a: tuple[int, int], b: tuple[int, int], is_negative_zero: bool) -> int:
    """The rounded sum of two exact numbers; the sign of a sum that is zero is given."""
    exponent = min(a[1], b[1])
    total = (a[0] << (a[1] - exponent)) + (b[0] << (b[1] - exponent))
    return f.rounded(total < 0 or (total == 0 and is_negative_zero), abs(total), exponent)


def subtract(f: FloatFormat, x: int, y: int) -> int:
    """The rounded difference."""
    return add(f, x, opposite(f, y))


def multiply(f: FloatFormat, x: int, y: int) -> int:
    """The rounded product."""
    negative = (x < 0) != (y < 0)
    if not (f.is_finite(x) and f.is_finite(y)):
        if f.nan in (x, y) or is_zero(x) or is_zero(y):
            return f.nan
        return f.minimum if negative else f.infinity
    (_, a, i), (_, b, j) = f.parts(x), f.parts(y)
    return f.rounded(negative, a * b, i + j)


def divide(f: FloatFormat, x: int, y: int) -> int:
    """The rounded quotient."""
    negative = (x < 0) != (y < 0)
    if f.nan in (x, y) or (is_zero(x) and is_zero(y)) or not (f.is_finite(x) or f.is_finite(y)):
        return f.nan
    if not f.is_finite(x) or is_zero(y):
        return f.minimum if negative else f.infinity
    if not f.is_finite(y):
        return -1 if negative else 0
    (_, a, i), (_, b, j) = f.parts(x), f.parts(y)
    return f.rounded(negative, a, i - j, b)


def fused(f: FloatFormat, x: int, y: int, z: int) -> int:
    """The number `x · y + z`, rounded once."""
    if not (f.is_finite(x) and f.is_finite(y) and f.is_finite(z)):
        is_product_finite = f.is_finite(x) and f.is_finite(y)
        return z if is_product_finite else add(f, multiply(f, x, y), z)
    (a, i), (b, j) = f.exact(x), f.exact(y)
    return _sum(f, (a * b, i + j), f.exact(z), (x < 0) != (y < 0) and z < 0)


def square_root(f: FloatFormat, x: int) -> int:
    """The rounded square root, NaN below -0."""
    if is_zero(x) or x >= f.infinity:
        return x
    if x < 0:
        return f.nan
    _, integer, exponent = f.parts(x)
    shift = 2 * f.precision + 4 + (exponent & 1)
    wide = integer << shift
    root = isqrt(wide)
    return f.rounded(False, 2 * root + (root * root != wide), (exponent - shift) // 2 - 1)


def remainder(f: FloatFormat, x: int, y: int) -> int:
    """The difference of `x` and the nearest multiple of `y`, ties to even; exact."""
    if f.nan in (x, y) or not f.is_finite(x) or is_zero(y):
        return f.nan
    if not f.is_finite(y):
        return x
    (_, a, i), (_, b, j) = f.parts(x), f.parts(y)
    exponent = min(i, j)
    a, b = a << (i - exponent), b << (j - exponent)
    rest = a - b * _nearest(a, b, 0)
    return f.rounded((rest < 0) != (x < 0), abs(rest), exponent)


def round_to_integer(f: FloatFormat, x: int, mode: Rounding) -> int:
    """The integer next to a number in a direction, as a number with its sign."""
    if not f.is_finite(x):
        return x
    negative, integer, exponent = f.parts(x)
    if exponent >= 0:
        return x
    whole, rest = divmod(integer, 1 << -exponent)
    twice = 2 * rest - (1 << -exponent)
    match mode:
        case Rounding.EVEN:
            up = twice > 0 or (twice == 0 and whole & 1 == 1)
        case Rounding.AWAY:
            up = twice >= 0
        case Rounding.DOWN:
            up = negative and rest > 0
        case Rounding.UP:
            up = not negative and rest > 0
        case Rounding.ZERO:
            up = False
    return f.rounded(negative, whole + up)


def of_integer(f: FloatFormat, value: int) -> int:
    """The number nearest to an integer."""
    return f.rounded(value < 0, abs(value))


def to_integer(f: FloatFormat, x: int, low: int, high: int) -> int:
    """The integer that is left of a number without its fraction, at most `high`, which NaN becomes, at least `low`."""
    if not f.is_finite(x):
        return low if x < 0 else high
    negative, integer, exponent = f.parts(x)
    whole = integer << exponent if exponent >= 0 else integer >> -exponent
    return max(low, min(high, -whole if negative else whole))


def convert(target: FloatFormat, source: FloatFormat, x: int) -> int:
    """The number of another format nearest to a number of `source`."""
    if not source.is_finite(x):
        return target.nan if x == source.nan else target.minimum if x < 0 else target.infinity
    negative, integer, exponent = source.parts(x)
    return target.rounded(negative, integer, exponent)


# Texts


def of_text(f: FloatFormat, text: str) -> int:
    """The number nearest to that of a literal of C without sign and suffix. Raises `ValueError` for another text."""
    found = _HEXADECIMAL.fullmatch(text)
    if found and found[1] + found[2]:
        digits, exponent = int(found[1] + found[2], 16), int(found[3] or 0) - 4 * len(found[2])
        far = _FARTHEST * 4
        return f.rounded(False, digits, max(-far - digits.bit_length(), min(far, exponent)))
    found = _DECIMAL.fullmatch(text)
    if not found or not found[1] + found[2]:
        raise ValueError(f"no floating-point number: {text[:60]!r}")
    digits, exponent = int(found[1] + found[2]), int(found[3] or 0) - len(found[2])
    if digits == 0:
        return 0
    size = len(str(digits)) + exponent
    if abs(size) > _FARTHEST:
        return f.infinity if size > 0 else 0
    return f.rounded(False, digits * 10 ** max(exponent, 0), 0, 10 ** max(-exponent, 0))


_SUFFIXES = {FLOAT: "f", DOUBLE: "", EXTENDED: "L"}


def to_text(f: FloatFormat, x: int) -> str:
    """The shortest decimal literal of C that is read as this number, or the macro of math.h."""
    if x == f.nan:
        return "NAN"
    sign = "-" if x < 0 else ""
    if not f.is_finite(x):
        return f"{sign}INFINITY"
    return f"{sign}{_shortest(f, absolute(x))}{_SUFFIXES[f]}"


def _shortest(f: FloatFormat, x: int) -> str:
    if x == 0:
        return "0.0"
    _, integer, exponent = f.parts(x)
    numerator, denominator = integer << max(exponent, 0), 1 << max(-exponent, 0)
    scale = (numerator.bit_length() - denominator.bit_length()) * 30103 // 100000  # of the first digit, but for one
    for count in range(1, f.precision):
        for first in (scale + 1, scale, scale - 1):
            places = count - 1 - first
            digits = _nearest(numerator * 10 ** max(places, 0), denominator * 10 ** max(-places, 0), 0)
            if len(str(digits)) == count and of_text(f, f"{digits}e{-places}") == x:
                return _notation(str(digits), first)
    raise AssertionError("every number has a shortest text")


def _notation(digits: str, first: int) -> str:
    """Decimal digits of which the first counts powers of ten, as people write them."""
    if 0 <= first < 16:
        whole = digits[: first + 1].ljust(first + 1, "0")
        return f"{whole}.{digits[first + 1 :] or '0'}"
    if -5 < first < 0:
        return f"0.{'0' * (-first - 1)}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{'+' if first > 0 else '-'}{abs(first):02d}"


def to_hexadecimal(f: FloatFormat, x: int) -> str:
    """A finite number as a hexadecimal literal of C, exactly, without suffix."""
    negative, integer, exponent = f.parts(x)
    return f"{'-' if negative else ''}{integer:#x}p{exponent:+d}"
