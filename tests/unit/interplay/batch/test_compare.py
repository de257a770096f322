"""Two results side by side, against numbers worked out by hand."""

from pathlib import Path

import pytest

from interplay.batch.batch_plan import BatchConfiguration, BatchSettings, WrongConfiguration
from interplay.batch.compare import ComparedResults, differ, paired, read_side, report, side_by_side
from interplay.batch.journal import BatchJournal
from interplay.batch.result_files import json_lines
from interplay.batch.rows import ResultRow
from interplay.session.request import ReplayMode
from tests.support.prepared import command as main

ROOT = Path(__file__).parent.parent.parent.parent.parent


def row(task: str, expected: str, verdict: str, cpu: float, configuration: str = "c") -> ResultRow:
    return ResultRow(
        f"set/{task}", "set", f"set/{task}", "", expected, configuration, verdict, cpu=cpu, run=f"runs/{task}"
    )


A = [
    row("a", "true", "true", 1.0),
    row("b", "true", "true", 4.0),
    row("c", "true", "unknown", 2.0),
    row("d", "true", "true", 2.0),
    row("e", "false", "true", 2.0),
    row("g", "true", "TIMEOUT", 9.0),
]
B = [
    row("a", "true", "true", 2.0),
    row("b", "true", "true", 2.0),
    row("c", "true", "true", 3.0),
    row("d", "true", "TIMEOUT", 9.0),
    row("e", "false", "false(unreach-call)", 2.0),
    row("g", "true", "unknown", 1.0),
    row("h", "true", "true", 1.0),
]


def side(name: str, rows: list[ResultRow]) -> ComparedResults:
    return ComparedResults(name, {row.task: row for row in rows}, Path())


def test_the_report_says_who_solves_what() -> None:
    assert list(report(side("one", A), side("two", B))) == [
        "A: one, 6 tasks",
        "B: two, 7 tasks",
        "in both: 6; the same verdict: 2",
        "",
        "| set | tasks | A solves | B solves | score A | score B | CPU s A | CPU s B | B ÷ A: median | least | most |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| set | 6 | 3 | 4 | -26 | 7 | 20.0 | 19.0 | 1.00 | 0.50 | 2.00 |",
        "",
        "wrong in A: 1",
        "  set/e: true, 2.0 s | false(unreach-call), 2.0 s (expected: false)",
        "",
        "contradictions: 1",
        "  set/e: true, 2.0 s | false(unreach-call), 2.0 s (expected: false)",
        "",
        "only A solves: 1",
        "  set/d: true, 2.0 s | TIMEOUT, 9.0 s (expected: true)",
        "",
        "only B solves: 2",
        "  set/c: unknown, 2.0 s | true, 3.0 s (expected: true)",
        "  set/e: true, 2.0 s | false(unreach-call), 2.0 s (expected: false)",
        "",
        "neither solves, for other reasons: 1",
        "  set/g: TIMEOUT, 9.0 s | unknown, 1.0 s (expected: true)",
        "",
        "only in B: 1",
        "  set/h",
    ]


def test_equal_results_do_not_differ() -> None:
    assert not differ(side("one", A), side("two", A))
    assert differ(side("one", A), side("two", A[:-1]))
    assert differ(side("one", A), side("two", B))


def test_single_runs_are_a_pair_whatever_their_tasks() -> None:
    assert len(paired(side("one", A[:1]), side("two", B[1:2]))) == 1
    assert not differ(side("one", A[:1]), side("two", B[1:2]))


def test_different_programs_do_not_contradict_each_other() -> None:
    lines = list(report(side("a", [row("s/one", "", "true", 1)]), side("b", [row("s/two", "", "false(assertion)", 1)])))
    assert "different answers about different programs: 1" in lines
    assert not any(line.startswith("contradictions") for line in lines)


def test_both_are_configurations_of_one_page() -> None:
    rows = side_by_side(side("one", A), side("two", B))
    assert [row.configuration for row in rows] == ["A: one"] * 6 + ["B: two"] * 7


def batch(folder: Path, *rows: ResultRow) -> Path:
    names = dict.fromkeys(row.configuration for row in rows)
    settings = BatchSettings(
        10.0, 100, ReplayMode.NATIVE, tuple(BatchConfiguration(name, "transition") for name in names)
    )
    journal = BatchJournal(folder, settings, "test")
    for one in rows:
        journal.add(one)
    journal.close()
    return folder


def test_what_a_side_may_be(tmp_path: Path) -> None:
    folder = batch(tmp_path / "a@b", *A, *(row("a", "true", "unknown", 1.0, "d"),))
    assert len(read_side(f"{folder}@c").rows) == 6
    assert [one.verdict for one in read_side(f"{folder}@d").rows.values()] == ["unknown"]
    file = tmp_path / "results.jsonl"
    file.write_text(json_lines(B))
    assert len(read_side(str(file)).rows) == len(read_side(f"{file}@c").rows) == 7
    with pytest.raises(WrongConfiguration, match=r"has several configurations; write .*@c or @d"):
        read_side(str(folder))
    with pytest.raises(WrongConfiguration, match="has no configuration e; there are c, d"):
        read_side(f"{folder}@e")


@pytest.mark.long
def test_run_files_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = ROOT / "tests" / "golden" / "programs" / "lock.c"
    files = [str(tmp_path / name) for name in ("one.interplay", "two.interplay")]
    for file in files:
        main(["verify", str(program), "--quiet", "--output", file])
    assert main(["compare", *files]) == 0
    assert "in both: 1; the same verdict: 1" in capsys.readouterr().out


def test_the_command_writes_a_page_with_links_to_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = batch(tmp_path / "first", *A), batch(tmp_path / "second", *B)
    out = tmp_path / "pages" / "out.html"
    out.parent.mkdir()
    assert main(["compare", str(first), str(second), "--html", str(out)]) == 1
    assert "only B solves: 2" in capsys.readouterr().out
    text = out.read_text()
    assert '"../first/runs/a"' in text
    assert '"../second/runs/h"' in text


@pytest.mark.parametrize("name", ["absent", "bad.jsonl", "bad.interplay", "folder"])
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for file in ("bad.jsonl", "bad.interplay"):
        (tmp_path / file).write_text("nonsense\n")
    (tmp_path / "folder").mkdir()
    assert main(["compare", str(tmp_path / name), str(tmp_path / name)]) == 3
    assert name in capsys.readouterr().err
