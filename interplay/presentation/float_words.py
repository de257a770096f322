"""Floating-point constants with their exact value: in hexadecimal, and between the numbers next to them."""

from __future__ import annotations

import math
import struct

from core.pattern import pattern

_CONSTANT = pattern(r"(?P<number>-?(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?)(?P<single>f?)")


def exactly(text: str) -> str:
    """A constant of C of type `float` or `double` in hexadecimal, with its neighbours; empty for other texts."""
    found = _CONSTANT.fullmatch(text)
    if found is None:
        return ""
    value, single = float(found["number"]), bool(found["single"])
    if single:
        value = _rounded(value)
    below, above = (_next(value, towards, single) for towards in (-math.inf, math.inf))
    return f"{text} is {value.hex()}, between {_shown(below, single)} and {_shown(above, single)}"


def _rounded(value: float) -> float:
    """The number of type `float` that is nearest."""
    try:
        number: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return number


def _next(value: float, towards: float, single: bool) -> float:
    if not single:
        return math.nextafter(value, towards)
    bits: int = struct.unpack("<i", struct.pack("<f", value))[0]
    if value == 0:
        bits = 1 if towards > 0 else -(2**31) + 1
    else:
        bits += 1 if (value > 0) is (towards > 0) else -1
    number: float = struct.unpack("<f", struct.pack("<i", bits))[0]
    return number


def _shown(value: float, single: bool) -> str:
    """The shortest decimal that is read as this number."""
    if not single or not math.isfinite(value):
        return repr(value)
    digits = (f"{value:.{count}g}" for count in range(1, 10))
    return next(text for text in digits if _rounded(float(text)) == value) + "f"
