"""Floating-point constants say their exact value, and the numbers beside them."""

import math

import pytest

from interplay.presentation.float_words import exactly


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
