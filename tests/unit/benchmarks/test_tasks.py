"""Reading task sets, classes of verdicts, and the table."""

from pathlib import Path

import pytest

from benchmarks.journal import Journal
from benchmarks.tasks import chosen, classify, find_tasks, table

_TASK = """format_version: '2.0'
input_files: '{name}.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: {expected}
options: {{language: C, data_model: ILP32}}
"""


def _folder(folder: Path) -> Path:
    for number in range(10):
        file = folder / ("even" if number % 2 == 0 else "odd") / f"t{number}.yml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(_TASK.format(name=f"t{number}", expected="true" if number < 5 else "false"))
    return folder


def test_tasks_are_found_in_order(tmp_path: Path) -> None:
    tasks = find_tasks(_folder(tmp_path))
    assert [task.name for task in tasks[:3]] == ["even/t0", "even/t2", "even/t4"]
    assert [task.expected for task in tasks[:5]] == [True, True, True, False, False]


def test_a_sample_is_fixed(tmp_path: Path) -> None:
    tasks = find_tasks(_folder(tmp_path))
    assert chosen(tasks, None, 4) == chosen(tasks, None, 4)
    assert len(chosen(tasks, None, 4)) == 4
    assert {task.set for task in chosen(tasks, ["od*"], None)} == {"odd"}


@pytest.mark.parametrize(
    ("expected", "verdict", "result"),
    [
        (True, "true", "solved"),
        (False, "false(unreach-call)", "solved"),
        (True, "false(unreach-call)", "wrong"),
        (False, "true", "wrong"),
        (True, "unknown", "unknown"),
        (True, "unknown (nothing to check)", "unknown"),
        (True, "TIMEOUT", "timeout"),
        (True, "ERROR (unsupported)", "unsupported"),
        (True, "ERROR (internal)", "error"),
    ],
)
def test_classes(expected: bool, verdict: str, result: str) -> None:
    assert classify(expected, verdict) == result


def test_a_journal_survives_a_cut(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    Journal(file, "task").add({"task": "a/b", "class": "solved"})
    with file.open("a") as stream:
        stream.write('{"task": "a/c", "cl')
    assert list(Journal(file, "task").rows) == ["a/b"]


def test_the_table_has_a_line_per_set() -> None:
    rows = [
        {"task": "a/x", "expected": True, "class": "solved", "cpu": 1.0, "memory": 10.0},
        {"task": "b/y", "expected": False, "class": "wrong", "cpu": 2.0, "memory": 20.0},
    ]
    lines = table(rows)
    assert lines[2].startswith("| a | 1 | 1 | 0 |")
    assert lines[3].split("|")[10].strip() == "1"
    assert len(lines) == 5
