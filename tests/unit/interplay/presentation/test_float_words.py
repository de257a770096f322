"""Floating-point constants say their exact value, and the numbers beside them."""

import math

import pytest

from interplay.presentation.float_words import exactly, missed_by_one


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0.1f", "0.1f is 0x1.99999a0000000p-4, between 0.099999994f and 0.10000001f"),
        ("10.2", "10.2 is 0x1.4666666666666p+3, between 10.199999999999998 and 10.200000000000001"),
        ("0.0f", "0.0f is 0x0.0p+0, between -1e-45f and 1e-45f"),
        ("-1.0", f"-1.0 is -0x1.0000000000000p+0, between {math.nextafter(-1, -2)!r} and {math.nextafter(-1, 0)!r}"),
        ("12", ""),
        ("&x", ""),
        ("null", ""),
    ],
)
def test_the_exact_value_of_a_constant(text: str, words: str) -> None:
    assert exactly(text) == words


@pytest.mark.parametrize(
    ("condition", "values", "numbers", "names"),
    [
        ("assert(x < top) in main", {"x": "0.9f", "top": "0.9f"}, "0.8999999f 0.9f 0.90000004f", ("", "x, top", "")),
        ("p->x <= 1.0f", {"p->x": "1.0000001f"}, "0.99999994f 1.0f 1.0000001f 1.0000002f", ("", "", "p->x", "")),
        ("y > 0 && x <= 3", {"x": "3.0000000000000004", "y": "1.0"}, None, ("", "", "x", "")),
        ("0.1f == x", {"x": "0.10000000149011613"}, None, ("", "0.1f", "x", "")),
    ],
)
def test_a_bound_that_is_missed_by_one_number(
    condition: str, values: dict[str, str], numbers: str | None, names: tuple[str, ...]
) -> None:
    line = missed_by_one(condition, values)
    assert line is not None
    assert line.names == names
    assert numbers is None or " ".join(line.numbers) == numbers


@pytest.mark.parametrize(
    "condition",
    ["x < 1.1f", "x * x <= 1.0f", "f(x) <= 1.0f", "x <= g(1)", "x <= 1.0f", "n <= 3", "x < 1.0000002f", "y < 2"],
)
def test_other_bounds(condition: str) -> None:
    values = {"x": "1.000001f", "n": "4"}
    assert missed_by_one(condition, values) is None
