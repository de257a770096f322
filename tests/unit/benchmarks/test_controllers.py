"""The generated control programs are programs, and errors are in those in which executions find them."""

from pathlib import Path
from random import Random

from benchmarks.controllers import FEWEST, MOST, correct, fails, summary, wrong
from frontend.api import parse_program
from frontend.lowering.unit import lower
from frontend.typed.ctype import DataModel


def test_programs_have_from_fewest_to_most_requirements() -> None:
    found = [correct(1, number) for number in range(MOST - FEWEST + 1)]
    assert [len(one.step) for one in found] == list(range(FEWEST, MOST + 1))
    for one in found[::8]:
        assert lower(parse_program(one.text(), "a.c", DataModel.ILP32), None).checks


def test_the_property_fails_where_an_error_was_planted(tmp_path: Path) -> None:
    one = correct(1, 3)
    assert one.is_correct
    assert not fails(one, tmp_path)
    other = wrong(one, Random(1), tmp_path)
    assert other is not None
    assert not other.is_correct
    assert other.claimed == one.claimed
    assert fails(other, tmp_path)


def test_the_table_counts_verdicts() -> None:
    rows = [
        {"program": name, "expected": "true", "class": kind, "cpu": cpu}
        for name, kind, cpu in (("a", "right", 1.0), ("b", "open", 20.0), ("c", "right", 2.0))
    ]
    assert summary(rows)[2] == "| true | 3 | 2 | 0 | 1 | 2.0 | 20.0 |"
