"""The generated programs are programs of about their size, and the table has their exponents."""

import pytest

from benchmarks.growth import FAMILIES, row
from benchmarks.process import Run
from frontend.api import parse_program
from frontend.lowering.unit import lower
from frontend.typed.ctype import DataModel


@pytest.mark.parametrize("family", FAMILIES)
def test_programs_have_about_as_many_lines_as_asked(family: str) -> None:
    text = FAMILIES[family](100)
    assert 80 <= text.count("\n") <= 130
    assert lower(parse_program(text, "a.c", DataModel.ILP32), None).functions


def test_the_exponent_is_that_of_the_cost_beyond_the_smallest() -> None:
    runs = [(n, Run(b"", 0, 1 + n**2 / 1e4, 0.0, 10 + n)) for n in (1, 1_000, 10_000)]
    assert row("straight", "types", runs).endswith("| 2.00 | 1.00 |")
