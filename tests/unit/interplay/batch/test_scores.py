"""Scores and sums against numbers worked out by hand."""

import pytest

from interplay.batch.rows import ResultRow
from interplay.batch.scores import Category, category
from interplay.batch.totals import by_configuration, table, totals


@pytest.mark.parametrize(
    ("expected", "verdict", "result"),
    [
        ("true", "true", Category.CORRECT_TRUE),
        ("false", "false(unreach-call)", Category.CORRECT_FALSE),
        ("true", "false(unreach-call)", Category.WRONG_FALSE),
        ("false", "true", Category.WRONG_TRUE),
        ("", "true", Category.UNRATED_TRUE),
        ("", "false(no-overflow)", Category.UNRATED_FALSE),
        ("true", "unknown", Category.UNKNOWN),
        ("true", "unknown (nothing to check)", Category.UNKNOWN),
        ("true", "unknown (no universal invariant)", Category.UNKNOWN),
        ("true", "TIMEOUT", Category.TIMEOUT),
        ("false", "OUT OF MEMORY", Category.MEMORY),
        ("true", "ERROR (unsupported)", Category.UNSUPPORTED),
        ("true", "ERROR (internal)", Category.ERROR),
        ("true", "ERROR", Category.ERROR),
        ("false(valid-free)", "false(valid-free)", Category.CORRECT_FALSE),
        ("false(valid-free)", "false", Category.CORRECT_FALSE),
        ("false(valid-free)", "false(valid-deref)", Category.WRONG_FALSE),
        ("false(valid-free)", "true", Category.WRONG_TRUE),
    ],
)
def test_categories(expected: str, verdict: str, result: Category) -> None:
    assert category(expected, verdict) is result


def row(number: int, expected: str, verdict: str, cpu: float, configuration: str = "one") -> ResultRow:
    name = "even" if number % 2 == 0 else "odd"
    return ResultRow(f"{name}/{number}", name, f"{number}.c", "unreach-call", expected, configuration, verdict, cpu=cpu)


ROWS = [
    row(0, "true", "true", 1.0),  # +2
    row(1, "false", "false(unreach-call)", 2.0),  # +1
    row(2, "true", "false(unreach-call)", 4.0),  # -16
    row(3, "false", "true", 8.0),  # -32
    row(4, "true", "TIMEOUT", 16.0),
    row(5, "", "true", 32.0),  # nobody knows
]


def test_sums() -> None:
    found = totals(ROWS)
    assert (found.score, found.possible) == (-45, 8)
    assert (found.correct, found.wrong) == (2, 2)
    assert (found.cpu, found.cpu_correct) == (63.0, 3.0)
    assert (found.true, found.false, found.unrated) == (2, 1, 1)


def test_the_table_has_a_line_per_set_and_configuration_and_leaves_out_empty_columns() -> None:
    rows = [*ROWS, row(0, "true", "unknown", 0.5, "two")]
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table(rows)]
    assert lines[0] == [
        *("set", "configuration", "tasks", "true", "false", "wrong", "unknown", "timeout", "unrated"),
        *("score", "of", "CPU s", "CPU s correct", "max. MB"),
    ]
    assert [line[:2] for line in lines[2:]] == [
        ["even", "one"], ["even", "two"], ["odd", "one"], ["all", "one"], ["all", "two"]
    ]  # fmt: skip
    assert lines[5] == ["all", "one", "6", "2", "1", "2", "0", "1", "1", "-45", "8", "63.0", "3.0", "0"]
    assert list(by_configuration(rows)) == ["one", "two"]
