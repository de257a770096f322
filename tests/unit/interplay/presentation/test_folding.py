"""Steps that repeat: the first and the last round are shown, and how many there are between."""

import pytest

from interplay.presentation.folding import folded, repeated


def shown(keys: str) -> str:
    """The keys that are shown, with the number of rounds that are not."""
    return "".join("".join(keys[i] for i in piece) + (f"({times})" if times else "") for piece, times in folded(keys))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("", ""),
        ("abc", "abc"),
        ("aaa", "aaa"),
        ("aaaa", "a(2)a"),
        ("xabababababy", "xab(3)aby"),
        ("aaaaabcbcbcbcd", "a(3)abc(2)bcd"),
        ("aaabaaabaaabaaab", "aaab(2)aaab"),
        ("aaaabbbb", "a(2)ab(2)b"),
    ],
)
def test_many_equal_rounds_are_folded(keys: str, expected: str) -> None:
    assert shown(keys) == expected


def test_how_many_there_are_is_said() -> None:
    assert repeated(1, 7) == "… the same step, 7 more times …"
    assert repeated(3, 2) == "… the same 3 steps, 2 more times …"


def test_what_is_not_alike_in_rounds_that_are_left_out_is_told() -> None:
    alike = [("x", "1"), ("x", "1")]
    assert repeated(2, 2, changes=alike) == "… the same 2 steps, 2 more times …"
    unlike = [("x", "1"), ("i", "2"), ("x", "1"), ("i", "3"), ("x", "1"), ("i", "9")]
    assert repeated(2, 3, changes=unlike) == "… the same 2 steps, 3 more times, with i = 2, …, 9 …"
