"""Bounds of what `scanf` reads, against the C library on all short texts."""

import ctypes
from itertools import product

import pytest

from frontend.libc import scanned
from frontend.libc.scanned import SCANNED_PIECE, characters, integers, is_passed, may_be_none

TEXTS = ["".join(one).encode() for length in range(5) for one in product("-+09x7f ", repeat=length)]
LIBC = ctypes.CDLL(None)


def pieces(format_: str) -> list[scanned.Piece]:
    return list(SCANNED_PIECE.finditer(format_))


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("kind", "diuoxX")
def test_integers_are_those_that_so_many_characters_can_be(kind: str, width: int) -> None:
    found, value = set(), ctypes.c_int()
    for text in TEXTS:
        if LIBC.sscanf(text, f"%{width}{kind}".encode(), ctypes.byref(value)) == 1:
            found.add(value.value)
    bounds = integers(kind, width, 32, 64)
    assert bounds == (min(found), max(found))


@pytest.mark.parametrize(
    ("kind", "width", "bits", "read_bits", "expected"),
    [
        ("d", 10, 32, 64, None),  # 9999999999 becomes any number of 32 bits
        ("d", 10, 32, 32, (-999999999, 2**31 - 1)),  # the greatest long is read
        ("u", 19, 64, 64, (1 - 10**18, 10**19 - 1)),
        ("x", 16, 64, 64, None),
        ("d", 2, 8, 64, (-9, 99)),
        ("d", 3, 8, 64, None),
        ("i", 14, 64, 64, (1 - 16**11, 16**12 - 1)),
        ("d", 10**9, 32, 64, None),
    ],
)
def test_longer_integers_are_truncated(
    kind: str, width: int, bits: int, read_bits: int, expected: tuple[int, int] | None
) -> None:
    assert integers(kind, width, bits, read_bits) == expected


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("kind", "fga")
def test_short_floats_are_within_bounds(kind: str, width: int) -> None:
    bounds, value = scanned.floats(width), ctypes.c_float()
    assert bounds is not None
    assert scanned.floats(3) is None
    texts = [*TEXTS, b"1e", b".5", b"5.", b"inf", b"nan", b"1p", b"-."]
    found = {value.value for one in texts if LIBC.sscanf(one, f"%{width}{kind}".encode(), ctypes.byref(value)) == 1}
    assert (min(found), max(found)) == bounds


@pytest.mark.parametrize(
    "format_", ["%c", " %c", "%*c%c", "%2c", "%s", "%3s", "%n%c", "%d", "x%c", "%*d%c", "%[0-9]", "%%%c", "%c%d", "%*c"]
)
def test_result_is_none_where_text_does_not_match(format_: str) -> None:
    own = [ctypes.create_string_buffer(64) for _ in range(2)]
    is_found = any(LIBC.sscanf(one, format_.encode(), *own) == 0 for one in TEXTS)
    assert may_be_none(pieces(format_)) is is_found


@pytest.mark.parametrize(
    "format_", ["%*d", "%*c", "%*3c", "ab", "0 %*c", "%*2[0-9]", "%*[0-9]", "%*2d", " ", "%%", "0%*n7"]
)
def test_characters_are_as_many_as_the_library_counts(format_: str) -> None:
    texts = [*TEXTS, b"ab", b"%", b"  %"]
    counts, count = set(), ctypes.c_int()
    for text in texts:
        count.value = -1
        LIBC.sscanf(text, f"{format_}%n".encode(), ctypes.byref(count))
        counts |= {count.value} - {-1}
    least, most = characters(pieces(format_))
    assert min(counts) == least
    assert most is None or max(counts) == most


@pytest.mark.parametrize(
    ("format_", "expected"), [("", True), ("%n", True), (" ", None), ("%*d", False), ("a", False), ("%%", False)]
)
def test_counting_directives_are_reached(format_: str, expected: bool | None) -> None:
    assert is_passed(pieces(format_)) is expected
