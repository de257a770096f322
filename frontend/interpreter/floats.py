"""Operations on floating-point numbers for generated code: numbers are ordinals, and in memory their bits."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from core.terms import floats
from core.terms.float_functions import float_function_named
from core.terms.floats import EXTENDED, FORMATS, FloatFormat

_EXPLICIT = 1 << 63
"""The bit of a number of x87 that others do not store."""
_FUNCTIONS: dict[str, Callable[..., int]] = {
    "float_negative": floats.is_negative,
    "float_successor": floats.successor,
    "float_exponent": floats.exponent_field,
    "float_fraction": floats.fraction,
    "float_power": floats.power_of_two,
    "less": floats.less,
    "less_equal": floats.less_equal,
    "equal": floats.equal,
    "opposite": floats.opposite,
}


@lru_cache(maxsize=256)
def operation(name: str) -> Callable[..., int]:
    """The function that generated code calls by this name: its first word, and the format."""
    head, _, format_ = name.partition("__")
    if head in _FUNCTIONS:
        return partial(_FUNCTIONS[head], FORMATS[format_])
    return float_function_named(name).value


def bits_of(format_: FloatFormat, ordinal: int) -> int:
    """The bits of a number; of NaN some that are one."""
    if ordinal == format_.nan:
        ordinal = format_.infinity | 1 << (format_.precision - 2)
    bits = format_.to_bits(ordinal)
    if format_ is not EXTENDED:
        return bits
    high, fraction = divmod(bits, _EXPLICIT)
    return high << 64 | (_EXPLICIT if high % (1 << 15) else 0) | fraction


def number_of(format_: FloatFormat, bits: int) -> int:
    """The ordinal of a number that is stored as these bits, or of NaN where they are those of no number."""
    if format_ is not EXTENDED:
        return format_.of_bits(bits)
    high, explicit, fraction = bits >> 64 & 0xFFFF, bits & _EXPLICIT, bits % _EXPLICIT
    if not explicit and high % (1 << 15):
        return format_.nan
    if explicit and not high % (1 << 15):
        high += 1  # a number that is stored as if it were subnormal
    return format_.of_bits(high << 63 | fraction)
