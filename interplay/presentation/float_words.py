"""Floating-point constants with their exact value, and those next to a bound that is missed by one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from core.pattern import pattern

if TYPE_CHECKING:
    from core.terms.floats import FloatFormat  # not at the start of the window: only programs with such numbers need it

_NUMBER = r"(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?f?"
_CONSTANT = pattern(r"(?P<sign>-?)(?P<number>(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?)(?P<single>f?)")
_OPERAND = rf"-?(?:{_NUMBER}|\d+)|[A-Za-z_]\w*(?:(?:\.|->)\w+|\[\d+\])*"
_WHOLE = pattern(r"-?\d+")
_COMPARISON = pattern(rf"(?:^|[(&|])\s*({_OPERAND})\s*(<=|>=|==|<|>)\s*({_OPERAND})\s*(?=$|\)|&&|\|\|)")


def exactly(text: str) -> str:
    """A constant of C of type `float` or `double` in hexadecimal, with its neighbours; empty for other texts."""
    known = _read(text)
    if known is None:
        return ""
    from core.terms.floats import to_hexadecimal, to_text

    f, x = known
    value = float.fromhex(to_hexadecimal(f, x)) if f.is_finite(x) else float("-inf" if x < 0 else "inf")
    below, above = _neighbours(f, x)
    return f"{text} is {value.hex()}, between {to_text(f, below)} and {to_text(f, above)}"


@dataclass(frozen=True)
class NumberLine:
    """Some numbers of a format, one after the other, each with what has that value in the program."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    words: str


def missed_by_one(condition: str, values: Mapping[str, str]) -> NumberLine | None:
    """The numbers around the first comparison of a condition that fails by one number alone, with values as texts."""
    for left, operator, right in _COMPARISON.findall(condition):
        both = _in_one_format(values.get(left, left), values.get(right, right))
        if both is not None and _fails_by_one(both[0], operator, *both[1:]):
            return _line(both[0], {left: both[1], right: both[2]}, f"{left} {operator} {right}")
    return None


def _read(text: str) -> tuple[FloatFormat, int] | None:
    found = _CONSTANT.fullmatch(text)
    if found is None:
        return None
    from core.terms.floats import DOUBLE, FLOAT, of_text, opposite

    f = FLOAT if found["single"] else DOUBLE
    x = of_text(f, found["number"])
    return f, opposite(f, x) if found["sign"] else x


def _neighbours(f: FloatFormat, x: int) -> tuple[int, int]:
    from core.terms.floats import opposite, successor

    return opposite(f, successor(f, opposite(f, x))), successor(f, x)


def _in_one_format(left: str, right: str) -> tuple[FloatFormat, int, int] | None:
    """Two constants as C compares them, in the larger of their formats; None where neither is of such a type."""
    read = [_read(text) for text in (left, right)]
    formats = [one[0] for one in read if one is not None]
    if not formats:
        return None
    from core.terms.floats import convert, of_integer

    f = max(formats, key=lambda format: format.bits)
    found: list[int] = []
    for known, text in zip(read, (left, right), strict=True):
        if known is None and not _WHOLE.fullmatch(text):
            return None
        found.append(of_integer(f, int(text)) if known is None else convert(f, *known))
    return f, found[0], found[1]


def _fails_by_one(f: FloatFormat, operator: str, x: int, y: int) -> bool:
    """Whether a comparison does not hold, and would with a neighbour of its left side."""
    from core.terms.floats import equal, less, less_equal

    holds = {
        "<": less,
        "<=": less_equal,
        ">": lambda f, x, y: less(f, y, x),
        ">=": lambda f, x, y: less_equal(f, y, x),
        "==": equal,
    }[operator]
    return not holds(f, x, y) and any(holds(f, near, y) for near in _neighbours(f, x))


def _line(f: FloatFormat, named: Mapping[str, int], condition: str) -> NumberLine:
    from core.terms.floats import to_text

    low, high = min(named.values()), max(named.values())
    numbers = sorted({_neighbours(f, low)[0], low, high, _neighbours(f, high)[1]})
    texts = {x: to_text(f, x) for x in numbers}
    told = {name: x for name, x in named.items() if name != texts[x] and not _WHOLE.fullmatch(name)}
    names = (", ".join(name for name, x in told.items() if x == number) for number in numbers)
    return NumberLine(tuple(texts.values()), tuple(names), f"{condition} is missed by one number of its type.")
