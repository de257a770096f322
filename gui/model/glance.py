"""A project at a glance: its programs, the properties that can be asked, and what is known of each assertion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.dataclass import dataclass
from core.verdict import Status
from frontend.api import read_source
from frontend.source import FrontendError
from gui.model.tasks import FileKind, PropertyChoice, TaskEntry, properties_of
from interplay.batch.batch_plan import BatchConfiguration, BatchJob
from interplay.batch.job import digest
from interplay.batch.rows import BatchCheck, ResultRow, RowKey
from interplay.batch.tasks import BatchTask
from interplay.presentation.plurals import counted
from interplay.presentation.record.summary import Tone, tone_of
from interplay.session.options import Section
from interplay.session.request import REQUEST_OPTIONS, Request
from methods.registry import ENGINES
from runs.jsondata import compact


@dataclass(frozen=True)
class ProjectProgram:
    """A program of a project: a file, a task definition, or the project itself, with the properties it can be asked."""

    entry: TaskEntry
    choices: tuple[PropertyChoice, ...]

    @property
    def name(self) -> str:
        return self.entry.title


@dataclass(frozen=True)
class Question:
    """A property of a program."""

    program: ProjectProgram
    choice: PropertyChoice

    @property
    def key(self) -> RowKey:
        return self.program.name, self.choice.title


@dataclass(frozen=True)
class GlanceCell:
    """The answer to a property, for a program or for one check; `words` are the tooltip."""

    tone: Tone
    word: str
    words: str = ""


@dataclass(frozen=True)
class GlanceLine:
    """A line of the table: a program, a file of a program of several, or a check, with a cell by property.

    `place` is where a check stands.
    """

    title: str
    cells: Mapping[str, GlanceCell]
    engine: str = ""
    seconds: float | None = None
    words: str = ""
    place: tuple[str, int] | None = None


def programs_of(entries: Iterable[TaskEntry]) -> tuple[ProjectProgram, ...]:
    """The programs among the files of a folder; runs are none."""
    return tuple(ProjectProgram(one, properties_of(one)) for one in entries if one.kind is not FileKind.RUN)


def columns_of(programs: Iterable[ProjectProgram]) -> tuple[str, ...]:
    """The properties that can be asked of some program, by title."""
    return tuple(dict.fromkeys(choice.title for program in programs for choice in program.choices))


def questions_of(programs: Iterable[ProjectProgram], column: str = "") -> tuple[Question, ...]:
    """All properties of the programs, or one."""
    return tuple(
        Question(program, choice) for program in programs for choice in program.choices if column in ("", choice.title)
    )


def job_of(question: Question, request: Request) -> BatchJob:
    """The run of a batch that answers a question."""
    choice = question.choice
    task = BatchTask(
        name=question.program.name,
        set="",
        path=str(question.program.entry.path),
        property=choice.property,
        asked=choice.title,
        expected="" if choice.expected is None else str(choice.expected).lower(),
        digest=_asked(request),
    )
    options = request.options if request.engine in ENGINES else ()
    return BatchJob(task, BatchConfiguration(choice.title, request.engine, options), request)


def _asked(request: Request) -> str:
    """A digest of the options that the meaning of an answer depends on; limits and engines are none of them."""
    written = request.to_json()
    names = (n for n, one in REQUEST_OPTIONS.items() if one.section in (Section.QUESTION, Section.SOURCES))
    return digest(compact({name: written.get(name) for name in names}))


def outdated(row: ResultRow, asked: str) -> bool:
    """Whether a file that the run has read has another text now, or is gone, or the question is another one."""
    return row.digest != asked or any(_differs(name, was) for name, was in row.texts)


def _differs(name: str, was: str) -> bool:
    path = Path(name)
    if not path.is_absolute():
        return False  # a header of our own
    try:
        return digest(read_source(path)) != was
    except FrontendError:
        return True


# Lines

_OLD = "before the last change of text or options"
_ORDER = (Tone.FALSE, Tone.TROUBLE, Tone.UNKNOWN, Tone.TRUE)


def program_line(
    program: ProjectProgram, rows: Mapping[RowKey, ResultRow], doing: Mapping[RowKey, str], old: frozenset[RowKey]
) -> GlanceLine:
    """The line of a program. `doing` are the words for what waits or runs, `old` the rows of texts that changed."""
    questions = questions_of([program])
    known = {one.choice.title: rows[one.key] for one in questions if one.key in rows}
    cells = {column: _of_row(row, row.key in old) for column, row in known.items()}
    for one in questions:
        if one.key in doing:
            cells[one.choice.title] = GlanceCell(Tone.RUNNING, doing[one.key])
    engines = dict.fromkeys(name for row in known.values() for name in row.engine.split(", ") if name)
    seconds = sum(row.cpu for row in known.values()) if known else None
    return GlanceLine(program.name, cells, ", ".join(engines), seconds, str(program.entry.path))


def _of_row(row: ResultRow, old: bool) -> GlanceCell:
    word, tone = row.verdict.partition("(")[0].strip(), tone_of(row.verdict)
    why = row.reason or (f"confirmed by {row.confirmed_by}" if row.confirmed_by else "")
    words = f"{row.verdict}: {why}" if why else row.verdict
    if row.wrong:
        tone, word = Tone.TROUBLE, f"{word}, expected {row.expected}"
    elif tone is Tone.FALSE and len(row.checks) > 1:
        word = f"{word} ({sum(check.status == Status.FALSE for check in row.checks)} of {len(row.checks)})"
    elif tone is Tone.TROUBLE:
        word = row.verdict.partition("(")[2].removesuffix(")") or "error"
    return _aged(GlanceCell(tone, word, words), old)


def _aged(cell: GlanceCell, old: bool) -> GlanceCell:
    return replace(cell, tone=Tone.IDLE, word=f"was {cell.word}", words=f"{cell.words}; {_OLD}") if old else cell


def lines_below(
    program: ProjectProgram, rows: Mapping[RowKey, ResultRow], old: frozenset[RowKey]
) -> Iterator[GlanceLine]:
    """The checks of a program in the order of the source; of several files, each after the line of its file."""
    found = [
        (question.choice.title, check, question.key in old)
        for question in questions_of([program])
        if question.key in rows
        for check in rows[question.key].checks
    ]
    by_file: dict[str, list[tuple[str, BatchCheck, bool]]] = {}
    for one in sorted(found, key=lambda one: (one[1].file, one[1].line)):
        by_file.setdefault(one[1].file, []).append(one)
    for file, checks in by_file.items():
        if len(by_file) > 1:
            yield _file_line(file, checks)
        yield from (_check_line(*one) for one in checks)


def _file_line(file: str, checks: Sequence[tuple[str, BatchCheck, bool]]) -> GlanceLine:
    """The worst of the checks of a file, by property."""
    cells: dict[str, GlanceCell] = {}
    for column in dict.fromkeys(column for column, _, _ in checks):
        of_column = [(tone_of(check.status), check.status, old) for name, check, old in checks if name == column]
        tone, word, old = min(of_column, key=lambda one: _ORDER.index(one[0]))
        cells[column] = _aged(GlanceCell(tone, word, counted(len(of_column), "check")), old)
    return GlanceLine(file.rpartition("/")[2], cells, words=file)


def _check_line(column: str, check: BatchCheck, old: bool) -> GlanceLine:
    cell = GlanceCell(tone_of(check.status), check.status, f"{check.status}: {check.why}" if check.why else "")
    title = f"{check.line}: {check.description}"
    place = (check.file, check.line)
    return GlanceLine(title, {column: _aged(cell, old)}, check.engine, check.seconds, check.file, place)


def sentence(rows: Iterable[ResultRow], asked: int, old: int) -> str:
    """The number of questions with each answer, in words."""
    found: dict[str, int] = {}
    for row in rows:
        word = "WRONG" if row.wrong else row.verdict.partition("(")[0].strip()
        found[word] = found.get(word, 0) + 1
    order = {word: place for place, word in enumerate(("WRONG", "false", "true", "unknown"))}
    words = sorted(found, key=lambda word: (order.get(word, len(order)), word))
    parts = [f"{found[word]} {word}" for word in words]
    left = asked - sum(found.values())
    parts += [f"{left} not run"] if left else []
    parts += [f"{old} {_OLD}"] if old else []
    return ", ".join(parts)
