"""Bounds of results and numbers that a format of `scanf` gives, as the C library keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from string import hexdigits

from core.pattern import pattern

Piece = re.Match[str]

SCANNED_PIECE = pattern(
    r"(?P<text>[^%]+)|%(?P<skips>\*?)(?P<width>[0-9]*)(?P<makes>m?)(?P<length>hh|h|ll|l|j|z|t|L|q)?"
    r"(?P<kind>\[\^?.[^]]*\]|.)",
    re.DOTALL,
)
_BLANKS = " \t\n\v\f\r"
_NEVER_MISMATCH = ("c", "s", "n")
"""Conversions that only the end of the input keeps from being made: `%s` begins behind blanks."""
_BASES = {"d": 10, "u": 10, "i": 10, "o": 8, "x": 16, "X": 16}
_SIGNED = "di"
_PREFIX = 2
"""Characters of `0x`."""
_CHARACTERS = frozenset(range(256))
_DIGITS = {"d": "0123456789", "u": "0123456789", "o": "01234567", "x": hexdigits, "X": hexdigits}
"""The characters that never stop a number; which stop one of `%i` depends on its prefix, `0b` with some versions."""


def is_made(piece: Piece) -> bool:
    """Whether the piece is a conversion that the result counts."""
    return piece["kind"] not in (None, "%", "n") and not piece["skips"]


def width_of(piece: Piece) -> int:
    """The most characters that the conversion takes behind blanks; 0 where there is no bound."""
    return int(piece["width"] or 0) or int(piece["kind"] == "c")


def may_be_none(pieces: Sequence[Piece]) -> bool:
    """Whether the result may be 0, which needs input that does not match before the first conversion is made."""
    for piece in pieces:
        if not _never_mismatches(piece):
            return True
        if is_made(piece):
            return False
    return True


def _never_mismatches(piece: Piece) -> bool:
    if piece["kind"] is None:
        return _is_blank(piece)
    return piece["kind"] in _NEVER_MISMATCH and not (piece["length"] and piece["kind"] != "n")


def _is_blank(piece: Piece) -> bool:
    return piece["kind"] is None and not piece["text"].strip(_BLANKS)


def is_passed(pieces: Iterable[Piece]) -> bool | None:
    """Whether a `%n` behind these pieces is surely reached where they are; None where only a signal prevents it."""
    found: bool | None = True
    for piece in pieces:
        if _is_blank(piece):
            found = None  # glibc ends there, if a signal interrupts the reading
        elif piece["kind"] != "n":
            return False
    return found


def characters(pieces: Iterable[Piece]) -> tuple[int, int | None]:
    """The least and the greatest number of characters that the pieces take; None where there is no greatest."""
    least, most, is_bounded = 0, 0, True
    for piece in pieces:
        kind = piece["kind"]
        if kind is None:
            taken = sum(one not in _BLANKS for one in piece["text"])
            least, most, is_bounded = least + taken, most + taken, is_bounded and taken == len(piece["text"])
        elif kind != "n":
            least, most = least + 1, most + width_of(piece)
            is_bounded = is_bounded and (kind == "c" or kind[0] == "[") and width_of(piece) > 0
    return least, most if is_bounded else None


def members(piece: Piece) -> frozenset[int]:
    """The characters, 0 to 255, that a text of `%c`, `%s` or `%[` may have; those that are blanks in every locale are
    in no `%s`."""
    kind = piece["kind"]
    if kind[0] != "[":
        return _CHARACTERS - _codes(_BLANKS) if kind == "s" else _CHARACTERS
    is_other = kind[1] == "^"
    given = [ord(one) & 255 for one in kind[1 + is_other : -1]]
    found = set(given[:1])
    for k in range(1, len(given)):
        is_range = given[k] == ord("-") and k + 1 < len(given) and given[k - 1] <= given[k + 1]
        found |= set(range(given[k - 1], given[k + 1])) if is_range else {given[k]}
    return _CHARACTERS - found if is_other else frozenset(found)


def beginnings(piece: Piece, before: Iterable[Piece]) -> frozenset[int] | None:
    """Of the members, those that a text behind these pieces may begin with; None where only the library knows them."""
    last = next((one for one in reversed(list(before)) if one["kind"] != "n"), None)
    if last is None or piece["kind"] == "s":  # blanks may be between
        return members(piece)
    refused = _refused(last)
    return None if refused is None else members(piece) - refused or None


def _refused(piece: Piece) -> frozenset[int] | None:
    """The characters that never are directly behind the piece; None where that depends on what it took."""
    kind = piece["kind"]
    if kind is None:
        return _codes(_BLANKS) if piece["text"][-1] in _BLANKS else frozenset()
    if kind in "c%":
        return frozenset()
    if kind in _DIGITS:  # with zeros in front, any number has as many characters as the width allows
        return frozenset() if width_of(piece) else _codes(_DIGITS[kind])
    return None


def _codes(text: str) -> frozenset[int]:
    return frozenset(map(ord, text))


def integers(kind: str, width: int, bits: int, read_bits: int) -> tuple[int, int] | None:
    """The least and the greatest number that so many characters (at least 1) can be; None where any of `bits` can.

    The library reads a number of `read_bits`, the nearest to what stands there; a sign takes a character. Of an
    unsigned conversion, a negative number stands for the one that it becomes.
    """
    if width > read_bits + _PREFIX:  # more digits than any number has
        return None
    limit = (1 << (read_bits - (kind in _SIGNED))) - 1
    high = min(_greatest(kind, width), limit)
    low = -min(_greatest(kind, width - 1), limit + (kind in _SIGNED))
    return None if high - low >= (1 << bits) - 1 else (low, high)


def _greatest(kind: str, digits: int) -> int:
    """The greatest number of so many characters without a sign."""
    greatest: int = _BASES[kind] ** digits - 1
    return max(greatest, 16 ** (digits - _PREFIX) - 1) if kind == "i" and digits > _PREFIX else greatest


def floats(width: int) -> tuple[int, int] | None:
    """Bounds of a floating-point number of so many characters (at least 1), which may be `-0`, and no `inf` or `nan`.

    None where there are none.
    """
    return {1: (0, 9), 2: (-9, 99)}.get(width)
