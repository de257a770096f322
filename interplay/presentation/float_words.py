"""Floating-point constants with their exact value: in hexadecimal, and between the numbers next to them."""

from __future__ import annotations

from core.pattern import pattern

_CONSTANT = pattern(r"(?P<sign>-?)(?P<number>(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?)(?P<single>f?)")


def exactly(text: str) -> str:
    """A constant of C of type `float` or `double` in hexadecimal, with its neighbours; empty for other texts."""
    found = _CONSTANT.fullmatch(text)
    if found is None:
        return ""
    # Not at the start of the window: only programs with such numbers need it.
    from core.terms.floats import DOUBLE, FLOAT, of_text, opposite, successor, to_hexadecimal, to_text

    f = FLOAT if found["single"] else DOUBLE
    x = of_text(f, found["number"])
    if found["sign"]:
        x = opposite(f, x)
    value = float.fromhex(to_hexadecimal(f, x)) if f.is_finite(x) else float(found["sign"] + "inf")
    below, above = opposite(f, successor(f, opposite(f, x))), successor(f, x)
    return f"{text} is {value.hex()}, between {to_text(f, below)} and {to_text(f, above)}"
