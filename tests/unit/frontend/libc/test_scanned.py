"""Bounds of what `scanf` reads, against the C library on all short texts."""

import ctypes
from itertools import product

import pytest

from frontend.libc import scanned
from frontend.libc.scanned import SCANNED_PIECE, beginnings, characters, integers, is_passed, may_be_none, members

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


@pytest.mark.parametrize("format_", ["%*d", "%*c", "%*3c", "ab", "0 %*c", "%*2[0-9]", "%*2d", " ", "%%", "0%*n7"])
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


SETS = ["".join(one) for length in (1, 2, 3, 4) for one in product("-]ac^", repeat=length)]


def members_of_library(set_: str) -> set[int]:
    found, own = set(), ctypes.create_string_buffer(2)
    for one in range(1, 256):
        if LIBC.sscanf(bytes([one]), f"%1{set_}".encode(), own) == 1:
            found.add(one)
    return found


def test_members_of_sets_are_those_of_the_library() -> None:
    kinds = {one["kind"] for text in SETS for one in SCANNED_PIECE.finditer(f"%[{text}]") if one["kind"]}
    assert len(kinds) > 100
    for kind in kinds - {"[^]"}:  # a set without an end
        assert members(pieces(f"%{kind}")[0]) - {0} == members_of_library(kind), kind


def test_texts_have_no_blanks() -> None:
    assert members(pieces("%3s")[0]) == set(range(256)) - {*b" \t\n\v\f\r"}


@pytest.mark.parametrize("before", ["", "%*d", "%*o", "%*x", "%*2d", "%*1x", "%*c", " ", "0", "%*d ", "0 %n"])
@pytest.mark.parametrize("kind", ["%1[^\n]", "%c", "%1s", "%1[0-9 ]"])
def test_texts_begin_as_those_of_the_library(before: str, kind: str) -> None:
    found, own, format_ = set(), ctypes.create_string_buffer(2), f"{before}{kind}"
    count = ctypes.byref(ctypes.c_int())
    arguments = [count, own] if "%n" in before else [own]
    for text in [*TEXTS, b"8", b"08", b"008", b"0 8"]:
        if LIBC.sscanf(text, format_.encode(), *arguments) == 1:
            found.add(own.raw[0])
    *others, last = pieces(format_)
    expected = beginnings(last, others)
    assert expected is not None
    assert found == expected & {*b"-+09x7f 8"}


@pytest.mark.parametrize("format_", ["%f%c", "%s%c", "%2s%c", "%[0-9]%c", "%i%c", "%d%2[0-9]", "%*p%c"])
def test_beginnings_are_not_known_behind_other_directives(format_: str) -> None:
    *others, last = pieces(format_)
    assert beginnings(last, others) is None
