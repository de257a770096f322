"""The journal of a benchmark."""

from pathlib import Path

from benchmarks.journal import Journal


def test_a_journal_survives_a_cut(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    Journal(file, "task").add({"task": "a/b", "class": "solved"})
    with file.open("a") as stream:
        stream.write('{"task": "a/c", "cl')
    journal = Journal(file, "task")
    journal.add({"task": "a/d", "class": "solved"})
    assert list(Journal(file, "task").rows) == list(journal.rows) == ["a/b", "a/d"]
