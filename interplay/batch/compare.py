"""Comparison of two results: different verdicts, tasks that only one solves, ratios of CPU times. Functions of rows."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from core.dataclass import dataclass
from core.verdict import ANSWERS, stated_status
from interplay.batch.batch_plan import WrongConfiguration
from interplay.batch.journal import NAME
from interplay.batch.result_files import read_rows
from interplay.batch.rows import ResultRow
from interplay.batch.scores import CORRECT, UNRATED
from interplay.batch.totals import ALL, by_configuration, by_set, totals
from interplay.session.request import read_request
from runs.events import VerdictReached
from runs.runfile import open_run

LEAST = 0.01  # seconds: what a time counts at least in a ratio


@dataclass(frozen=True)
class ComparedResults:
    """One of the two results: a name, and a row for each task. Paths of its run files are relative to `folder`."""

    name: str
    rows: dict[str, ResultRow]
    folder: Path


def read_side(text: str) -> ComparedResults:
    """Read one result: a batch folder or `results.jsonl`, with `@CONFIGURATION` where it has several, or a run file.

    Raises `WrongConfiguration`, `Malformed` and `OSError`.
    """
    name, at, wanted = (text, "", "") if Path(text).exists() else text.rpartition("@")
    path = Path(name if at else text)
    if path.suffix != ".jsonl" and not (path / NAME).exists():
        row = _row_of_run(path)
        return ComparedResults(text, {row.task: row}, path.parent)
    groups = by_configuration(read_rows(path))
    if not at and len(groups) > 1:
        raise WrongConfiguration(f"{text}: has several configurations; write {text}@{' or @'.join(groups)}")
    if at and wanted not in groups:
        raise WrongConfiguration(f"{name}: has no configuration {wanted}; there are {', '.join(groups) or 'none'}")
    rows = groups[wanted] if at else [row for group in groups.values() for row in group]
    return ComparedResults(text, {row.task: row for row in rows}, path if path.is_dir() else path.parent)


def _row_of_run(path: Path) -> ResultRow:
    """The row of a single run. A run file has no CPU time; the time of its last event stands for it."""
    run = open_run(path)
    view, request = run.view(), read_request(run.options())
    reached = view.verdict or VerdictReached("unknown", 5, (), "", "the run did not finish", "")
    task = Path(request.task)
    deciders = [a.event.engine for a in view.attempts if a.event is not None and a.decided]
    return ResultRow(
        task=f"{task.absolute().parent.name}/{task.name}",
        set=task.absolute().parent.name,
        file=request.task,
        specification=request.property or "",
        expected="",
        configuration=request.engine,
        verdict=reached.verdict,
        reason=reached.reason,
        cpu=round(view.seconds, 2),
        wall=round(view.seconds, 2),
        engine=", ".join(dict.fromkeys(deciders)),
        rounds=sum(len(attempt.rounds) for attempt in view.attempts),
        confirmed_by=reached.confirmed_by,
        assumptions=reached.assumptions,
        run=path.name,
    )


def paired(a: ComparedResults, b: ComparedResults) -> list[tuple[ResultRow, ResultRow]]:
    """The rows of tasks that both have, in the order of the first. Two single runs are a pair, whatever their tasks."""
    if len(a.rows) == len(b.rows) == 1:
        return list(zip(a.rows.values(), b.rows.values(), strict=True))
    return [(row, b.rows[task]) for task, row in a.rows.items() if task in b.rows]


def solved(row: ResultRow) -> bool:
    """Whether there is an answer that is not known to be wrong."""
    return row.category in (*CORRECT, *UNRATED)


def side_by_side(a: ComparedResults, b: ComparedResults) -> list[ResultRow]:
    """The rows of both results, as rows of two configurations."""
    return [replace(row, configuration=name) for name, side in (_names(a, b)) for row in side.rows.values()]


def _names(a: ComparedResults, b: ComparedResults) -> list[tuple[str, ComparedResults]]:
    return [("A: " + a.name, a), ("B: " + b.name, b)]


def differ(a: ComparedResults, b: ComparedResults) -> bool:
    """Whether a verdict differs, or a task is in one of them only."""
    pairs = paired(a, b)
    return any(x.verdict != y.verdict for x, y in pairs) or not len(a.rows) == len(pairs) == len(b.rows)


def report(a: ComparedResults, b: ComparedResults) -> Iterator[str]:
    """The comparison as text: sums by set, lists of tasks, ratios of CPU times."""
    pairs = paired(a, b)
    yield f"A: {a.name}, {len(a.rows)} tasks"
    yield f"B: {b.name}, {len(b.rows)} tasks"
    yield f"in both: {len(pairs)}; the same verdict: {sum(x.verdict == y.verdict for x, y in pairs)}"
    yield ""
    yield from _sums(pairs)
    yield from _list("wrong in A", [p for p in pairs if p[0].wrong])
    yield from _list("wrong in B", [p for p in pairs if p[1].wrong])
    opposite = [p for p in pairs if {stated_status(x.verdict) for x in p} == set(ANSWERS)]
    yield from _list("contradictions", [p for p in opposite if p[0].task == p[1].task])
    yield from _list("different answers about different programs", [p for p in opposite if p[0].task != p[1].task])
    yield from _list("only A solves", [p for p in pairs if solved(p[0]) and not solved(p[1])])
    yield from _list("only B solves", [p for p in pairs if solved(p[1]) and not solved(p[0])])
    silent = [p for p in pairs if not solved(p[0]) and not solved(p[1]) and p[0].verdict != p[1].verdict]
    yield from _list("neither solves, for other reasons", [p for p in silent if not (p[0].wrong or p[1].wrong)])
    for title, one, other in (("only in A", a, b), ("only in B", b, a)):
        names = [task for task in one.rows if task not in other.rows and len(pairs) != 1]
        if names:
            yield from ("", f"{title}: {len(names)}", *(f"  {name}" for name in names))


def _sums(pairs: Sequence[tuple[ResultRow, ResultRow]]) -> Iterator[str]:
    """A Markdown table with a line per set; ratios are of tasks that both solve."""
    head = (
        "set",
        "tasks",
        "A solves",
        "B solves",
        "score A",
        "score B",
        "CPU s A",
        "CPU s B",
        "B ÷ A: median",
        "least",
        "most",
    )
    yield f"| {' | '.join(head)} |"
    yield f"| --- |{' ---: |' * (len(head) - 1)}"
    seconds = {x.task: (x, y) for x, y in pairs}
    sets = by_set(x for x, _ in pairs)
    groups = {**sets, **({ALL: [x for x, _ in pairs]} if len(sets) > 1 else {})}
    for name, firsts in groups.items():
        group = [seconds[row.task] for row in firsts]
        sides = [[x for x, _ in group], [y for _, y in group]]
        counts = [sum(map(solved, side)) for side in sides]
        scores = [totals(side).score for side in sides]
        times = [f"{sum(row.cpu for row in side):.1f}" for side in sides]
        yield f"| {' | '.join(map(str, (name, len(group), *counts, *scores, *times, *_ratios(group))))} |"


def _ratios(pairs: Sequence[tuple[ResultRow, ResultRow]]) -> tuple[str, str, str]:
    """Median, least and greatest of CPU time of B by that of A."""
    found = [max(y.cpu, LEAST) / max(x.cpu, LEAST) for x, y in pairs if solved(x) and solved(y)]
    if not found:
        return "–", "–", "–"
    middle = math.exp(statistics.median(map(math.log, found)))
    return f"{middle:.2f}", f"{min(found):.2f}", f"{max(found):.2f}"


def _list(title: str, pairs: Sequence[tuple[ResultRow, ResultRow]]) -> Iterator[str]:
    if pairs:
        yield ""
        yield f"{title}: {len(pairs)}"
    for x, y in pairs:
        expected = f" (expected: {x.expected})" if x.expected else ""
        yield f"  {x.task}: {_told(x)} | {_told(y)}{expected}"


def _told(row: ResultRow) -> str:
    return f"{row.verdict}, {row.cpu:.1f} s"
