"""Characters and strings as C writes them, in ASCII."""

from __future__ import annotations

from collections.abc import Iterable

CHARACTER = "char"
"""The type whose values are shown as characters."""
_NAMED = {0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


def character(value: int) -> str | None:
    """A printable character in quotation marks; None for all other values."""
    if not 32 <= value < 127:
        return None
    return f"'{value:c}'" if value == 34 else f"'{_NAMED.get(value, chr(value))}'"


def is_character(text: str) -> bool:
    """Whether the text of a value is a character."""
    return text.startswith("'")


def string(values: Iterable[int]) -> str:
    """A string in quotation marks."""
    bytes_ = [value & 0xFF for value in values]
    return f'"{"".join(map(_in_string, bytes_))}"'


def _in_string(value: int) -> str:
    if value == 39:
        return chr(value)
    return _NAMED.get(value) or (chr(value) if 32 <= value < 127 else f"\\x{value:02x}")
