"""A small writer of SVG: shapes and texts, everything escaped, without scripts or external references."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from interplay.presentation.layout import Point

CHARACTER = 0.61  # width of a character of a monospaced font, in heights
_CORNER = 7.0  # radius at the bends of a polyline


def text_width(text: str, size: float) -> float:
    """The approximate width of a text; East Asian wide characters count twice."""
    return CHARACTER * size * sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def escape(text: str) -> str:
    """The text as XML content; what XML does not allow becomes �."""
    plain = "".join(sign if sign.isprintable() else "�" for sign in text)
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def element(name: str, content: str = "", **attributes: str | float) -> str:
    """An element around content that is escaped already; underscores in names of attributes stand for hyphens."""
    words = [name, *(f"{key.strip('_').replace('_', '-')}={_value(value)}" for key, value in attributes.items())]
    return f"<{' '.join(words)}>{content}</{name}>" if content else f"<{' '.join(words)}/>"


def _value(value: str | float) -> str:
    text = escape(value).replace('"', "&quot;") if isinstance(value, str) else number(value)
    return f'"{text}"'


def number(value: float) -> str:
    """At most one digit behind the point."""
    return f"{round(value, 1):g}" if abs(value) < 1e5 else f"{value:.0f}"


def rounded(points: Sequence[Point]) -> str:
    """The data of a path along the points, its bends rounded."""
    words = [f"M{_pair(points[0])}"]
    for before, at, after in zip(points, points[1:], points[2:], strict=False):
        words.append(f"L{_pair(_towards(at, before))}Q{_pair(at)} {_pair(_towards(at, after))}")
    return "".join([*words, f"L{_pair(points[-1])}"])


def _towards(at: Point, other: Point) -> Point:
    """The point at the end of the rounding at `at`; at most half way, so that two bends do not meet."""
    length = ((other.x - at.x) ** 2 + (other.y - at.y) ** 2) ** 0.5
    part = min(0.5, _CORNER / length) if length else 0.0
    return Point(at.x + part * (other.x - at.x), at.y + part * (other.y - at.y))


def _pair(point: Point) -> str:
    return f"{number(point.x)} {number(point.y)}"


def document(width: float, height: float, style: str, content: Sequence[str]) -> str:
    """A whole SVG file."""
    attributes = {"viewBox": f"0 0 {number(width)} {number(height)}", "width": number(width), "height": number(height)}
    words = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" {words}>'
    return "\n".join([head, f"<style>{style}</style>", *content, "</svg>", ""])
