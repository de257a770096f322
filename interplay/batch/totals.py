"""Sums over rows: the totals of a set, or of all tasks, under each configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.dataclass import dataclass
from interplay.batch.rows import ResultRow
from interplay.batch.scores import CORRECT, UNRATED, WRONG, Category


@dataclass(frozen=True)
class Totals:
    """The totals of some rows.

    `cpu` is the time of all runs, `cpu_correct` of those with a correct verdict, in seconds; `memory` is the highest
    peak in megabytes; `possible` is the score if all verdicts were correct.
    """

    tasks: int
    counts: Mapping[Category, int]
    score: int
    possible: int
    cpu: float
    cpu_correct: float
    memory: float

    @property
    def true(self) -> int:
        """The answers `true` that contradict no expected verdict."""
        return self.counts[Category.CORRECT_TRUE] + self.counts[Category.UNRATED_TRUE]

    @property
    def false(self) -> int:
        """The answers `false` that contradict no expected verdict."""
        return self.counts[Category.CORRECT_FALSE] + self.counts[Category.UNRATED_FALSE]

    @property
    def unrated(self) -> int:
        return sum(self.counts[one] for one in UNRATED)

    @property
    def correct(self) -> int:
        return sum(self.counts[one] for one in CORRECT)

    @property
    def wrong(self) -> int:
        return sum(self.counts[one] for one in WRONG)


def totals(rows: Sequence[ResultRow]) -> Totals:
    """The totals of the rows."""
    categories = [row.category for row in rows]
    return Totals(
        tasks=len(rows),
        counts={one: categories.count(one) for one in Category},
        score=sum(row.score for row in rows),
        possible=sum(2 if row.expected == "true" else 1 for row in rows if row.expected),
        cpu=sum(row.cpu for row in rows),
        cpu_correct=sum(row.cpu for row in rows if row.correct),
        memory=max((row.memory for row in rows), default=0.0),
    )


def by_set(rows: Iterable[ResultRow]) -> dict[str, list[ResultRow]]:
    """The rows of each set, sets in the order of their first row."""
    groups: dict[str, list[ResultRow]] = {}
    for row in rows:
        groups.setdefault(row.set, []).append(row)
    return groups


def by_configuration(rows: Iterable[ResultRow]) -> dict[str, list[ResultRow]]:
    """The rows of each configuration, in the order of their first row."""
    groups: dict[str, list[ResultRow]] = {}
    for row in rows:
        groups.setdefault(row.configuration, []).append(row)
    return groups


ALL = "all"
_HEAD = (
    *("set", "configuration", "tasks", "true", "false", "wrong", "unknown", "timeout", "memory", "unsupported"),
    *("error", "unrated", "score", "of", "CPU s", "CPU s correct", "max. MB"),
)


def table(rows: Sequence[ResultRow]) -> list[str]:
    """The totals as a Markdown table: for each set, and for all sets, a line per configuration.

    Columns without any count are left out. `true` and `false` count the answers that contradict no expected verdict,
    `unrated` those of them for which none is known; `of` is the highest score that there could be.
    """
    sets = by_set(rows)
    groups = {**sets, **({ALL: list(rows)} if len(sets) > 1 else {})}
    lines = [
        [name, configuration, *_cells(totals(group))]
        for name, members in groups.items()
        for configuration, group in by_configuration(members).items()
    ]
    optional = ("wrong", "memory", "unsupported", "error", "unrated")
    kept = [i for i, head in enumerate(_HEAD) if head not in optional or any(line[i] != "0" for line in lines)]
    shown = [[line[i] for i in kept] for line in [list(_HEAD), *lines]]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    head, *body = [_line(cells, widths) for cells in shown]
    rule = "| " + " | ".join("-" * w if i < 2 else "-" * (w - 1) + ":" for i, w in enumerate(widths)) + " |"
    return [head, rule, *body]


def _cells(s: Totals) -> list[str]:
    numbers = (
        *(s.tasks, s.true, s.false, s.wrong),
        *(s.counts[Category.UNKNOWN], s.counts[Category.TIMEOUT], s.counts[Category.MEMORY]),
        *(s.counts[Category.UNSUPPORTED], s.counts[Category.ERROR], s.unrated, s.score, s.possible),
    )
    return [*map(str, numbers), f"{s.cpu:.1f}", f"{s.cpu_correct:.1f}", f"{s.memory:.0f}"]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = (c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths, strict=True)))
    return f"| {' | '.join(aligned)} |"
