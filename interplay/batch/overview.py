"""The results of `interplay batch` as rows of a table: filtered, sorted, counted; each row has its run file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from core.dataclass import dataclass
from interplay.batch.rows import JOURNAL, JSON_LINES, ResultRow, read_row
from interplay.presentation.record.summary import Tone, tone_of
from interplay.presentation.run_options import shown_engine, shown_verdict
from runs.jsondata import Malformed, as_object, parse


@dataclass(frozen=True)
class Batch:
    """The results of a batch; `folder` is where its run files are."""

    folder: Path
    rows: tuple[ResultRow, ...]

    def run_of(self, row: ResultRow) -> Path | None:
        """The run file of a row; None where it was not kept, or does not lie in the folder of the batch."""
        if not row.run:
            return None
        path = (self.folder / row.run).resolve()
        return path if path.is_relative_to(self.folder.resolve()) and path.is_file() else None


@dataclass(frozen=True)
class ResultColumn:
    """A column of the table: its text in a row, and what it is sorted by."""

    title: str
    words: str
    text: Callable[[ResultRow], str]
    order: Callable[[ResultRow], str | float]


def _by_text(title: str, words: str, text: Callable[[ResultRow], str]) -> ResultColumn:
    return ResultColumn(title, words, text, text)


COLUMNS: tuple[ResultColumn, ...] = (
    ResultColumn(
        "Verdict",
        "✓ true, ✗ false, ? no answer; ! where it contradicts what is expected",
        lambda row: f"{sign(row)} {shown_verdict(row.verdict)}",
        lambda row: row.verdict,
    ),
    _by_text("Task", "The task definition or program", lambda row: row.task),
    _by_text("Expected", "The verdict that the task definition names", lambda row: row.expected),
    _by_text("Engine", "The engine that decided", lambda row: row.engine),
    ResultColumn("CPU s", "Seconds of processor time", lambda row: f"{row.cpu:.1f}", lambda row: row.cpu),
    ResultColumn(
        "MB", "The most memory that its processes had", lambda row: f"{row.memory:.0f}", lambda row: row.memory
    ),
    ResultColumn("Rounds", "Refinements, or what stands for them", lambda row: str(row.rounds), lambda row: row.rounds),
    _by_text("Configuration", "The engine or options that were chosen", lambda row: shown_engine(row.configuration)),
    _by_text("Why", "What confirmed it, or why there is no answer", lambda row: row.confirmed_by or row.reason),
)


def is_batch(path: Path) -> bool:
    """Whether this is the folder of a batch, or its results."""
    return (path / JOURNAL).is_file() if path.is_dir() else path.name in (JOURNAL, JSON_LINES)


def read_batch(path: Path) -> Batch:
    """The batch of a folder, also while it is running, or of one of its files. Raises `Malformed` and `OSError`.

    The last row of a task and configuration counts, as in a batch that is resumed; other lines of a journal are
    skipped.
    """
    file = path / JOURNAL if path.is_dir() else path
    rows: dict[tuple[str, str], ResultRow] = {}
    lines = file.read_bytes().splitlines(keepends=True)
    for number, line in enumerate((line for line in lines if line.endswith(b"\n")), 1):
        try:
            data = as_object(parse(line))
            if "format" not in data:
                row = read_row(data)
                rows[row.key] = row
        except Malformed as error:
            raise Malformed(f"{file}:{number}:1: {error}") from None
    return Batch(file.parent, tuple(rows.values()))


def tone(row: ResultRow) -> Tone:
    return Tone.TROUBLE if row.wrong else tone_of(row.verdict)


def sign(row: ResultRow) -> str:
    return {Tone.TRUE: "✓", Tone.FALSE: "✗", Tone.TROUBLE: "!"}.get(tone(row), "?")


def listed(batch: Batch, wanted: str, column: int, descending: Sequence[int]) -> tuple[ResultRow, ...]:
    """The rows that have all words of `wanted` somewhere, sorted by a column; `descending` are columns turned round."""
    words = wanted.lower().split()
    found = [row for row in batch.rows if all(word in _searched(row) for word in words)]
    return tuple(sorted(found, key=COLUMNS[column].order, reverse=column in descending))


def _searched(row: ResultRow) -> str:
    return " ".join((*(column.text(row) for column in COLUMNS), row.category.value, row.set)).lower()


def total(rows: Sequence[ResultRow]) -> str:
    """The rows in a sentence: how many of which verdict, wrong ones first, and what they cost."""
    found: dict[str, int] = {}
    for row in rows:
        word = row.verdict.partition("(")[0].strip()
        found[word] = found.get(word, 0) + 1
    wrong = sum(row.wrong for row in rows)
    parts = [f"{wrong} WRONG"] if wrong else []
    parts += [f"{count} {word}" for word, count in sorted(found.items())]
    runs = f"{len(rows)} run{'' if len(rows) == 1 else 's'}"
    return f"{runs}: {', '.join(parts) or 'none'}; {sum(row.cpu for row in rows):.1f} s of processor time"
