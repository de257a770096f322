"""The record of one run that views read: the fold of its events, its sources and its program, live or from a file.

A record holds no Qt and no widget, so reports, comparisons and tests use it as it is. Law: the record of a run that was
watched and that of its run file give equal answers (`tests/gui/test_runner.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from core.dataclass import dataclass
from core.program import Call, Program
from core.program.own_steps import CallStack, is_start, is_start_file, place_of
from core.program.span import Span
from core.terms import Arena
from interplay.presentation.record.memo import Memo
from interplay.presentation.run_options import shown_engine
from interplay.presentation.run_text import FullFormula, RunText
from interplay.session.request import Request, read_request
from runs.events import Place
from runs.runfile import StoredRun
from runs.runview import AttemptView, RunView
from runs.serialize import decode_program

_NO_PROGRAM = (".yml", ".yaml", ".prp", ".json")
"""The ends of the names of files that are read and are no C."""

LATEST = -1  # the attempt that is going on, and in the end the one that decided


@dataclass(frozen=True)
class Documents:
    """The documents of a run beside its events; `program` is None if the run ended before there was one."""

    writer: str
    complete: bool
    sources: Mapping[str, str]
    program: Program | None


def documents_of(run: StoredRun) -> Documents:
    """Read the documents of a run, in any thread: decoding a program takes time. Raises `Malformed`."""
    stored = run.document("program.json")
    program = decode_program(stored, Arena()) if stored is not None else None
    return Documents(run.writer, run.complete, run.sources(), program)


class RunRecord:
    """The record of a run. `view` may still grow (see `gui.model.current`); `program` is None until the C text was
    lowered.
    """

    def __init__(self, request: Request, view: RunView, path: Path | None = None) -> None:
        self.request = request
        self.view = view
        self.path = path
        self.complete = False
        self.stored = False  # it was opened from a file: nothing of it was executed here
        self.live = False  # it is run in this process's window, even if no event has come yet
        self.paused = False  # of a live run: whether it waits for a person
        self.cpu = 0.0  # seconds of all its processes, of a run in this window
        self.passed = 0.0  # seconds on the clock, of a run that goes on
        self.writer = ""
        self.sources: Mapping[str, str] = {}
        self.program = None
        self.memo = Memo(view)

    @classmethod
    def of(cls, run: StoredRun) -> RunRecord:
        """The record of a stored run. Raises `Malformed`."""
        options = run.options()
        request = read_request({"task": run.path.name, **options})
        record = cls(request, run.view(), run.path)
        record.take(documents_of(run))
        record.stored = True
        return record

    def take(self, documents: Documents) -> None:
        """Set sources and program, once they are available."""
        self.writer = documents.writer
        self.complete = documents.complete
        self.sources = documents.sources or self.sources  # a run that was broken off early has stored none
        self.program = documents.program
        self.memo = Memo(self.view)

    @property
    def program(self) -> Program | None:
        return self._program

    @program.setter
    def program(self, program: Program | None) -> None:
        self._program, self.text = program, RunText(self.view, program)

    @property
    def begun(self) -> bool:
        """Whether there is a run: else the record is that of a program that was opened and not verified."""
        return self.live or self.stored or self.view.position > 0

    # Names

    @property
    def title(self) -> str:
        """The name of the task, without its folders: its file, or the folder of its compilation database or project."""
        request = self.request
        of_project = request.folder[-1] if request.files and request.folder else ""
        return os.path.basename(of_project or request.task or os.path.abspath(request.compile_commands or ""))

    @property
    def engine(self) -> str:
        """The engines whose answers count, that of the verdict first; where there is none, the chosen engine."""
        answering = sorted(self.view.attempts, key=lambda one: one is not self.attempt())
        names = dict.fromkeys(one.event.engine for one in answering if one.event is not None and one.decided)
        return ", ".join(names) or shown_engine(self.request.engine)

    @property
    def main_file(self) -> str:
        """The source file that is shown first: that of the first check, else the first C file."""
        if self.program is not None and self.program.checks:
            return self.program.checks[0].span.file
        return next(iter(self.program_texts), self.request.task)

    @property
    def program_texts(self) -> Mapping[str, str]:
        """The sources that are C, headers too, without starts that were written for functions."""
        written = (pair for pair in self.sources.items() if not is_start_file(pair[0]))
        return {name: text for name, text in written if not name.endswith(_NO_PROGRAM)}

    def line(self, file: str, line: int) -> str:
        """A line, with its file where the program has several."""
        several = sum(name.endswith((".c", ".i")) for name in self.program_texts) > 1
        return f"{os.path.basename(file)}:{line}" if several else str(line)

    # Attempts and moments

    def attempt(self, index: int = LATEST) -> AttemptView:
        """An attempt by its position in the fold; `LATEST` is the running one, and at the end the winner."""
        attempts = self.view.attempts
        return attempts[index] if 0 <= index < len(attempts) else self.view.attempt

    def span_of_place(self, place: Place) -> Span | None:
        """The source span of a location of the expansion: its own, else that of an adjacent step."""
        location = place[1]
        if self.program is None or not 0 <= location < len(self.program.locations):
            return None
        return self.memo.keep(("span", location), lambda: self._span_of_location(location))

    def _span_of_location(self, location: int) -> Span | None:
        assert self.program is not None
        steps = (*self.program.out_edges[location], *self.program.in_edges[location])
        spans = (self.program.locations[location].span, *(edge.span for edge in steps))
        return next((span for span in spans if span is not None), None)

    def span_of_edge(self, edge: int) -> Span | None:
        if self.program is None or not 0 <= edge < len(self.program.edges):
            return None
        return place_of(self.program, self.program.edges[edge])

    def places_on(self, edges: Iterable[int]) -> tuple[Place, ...]:
        """The locations of the expansion on a path, including the first one; as far as the edges exist."""
        return tuple(self._walk(edges))

    def _walk(self, edges: Iterable[int]) -> Iterator[Place]:
        program = self.program
        if program is None:
            return
        calls = CallStack(program)
        yield calls.stack, calls.at
        for number in edges:
            if not 0 <= number < len(program.edges):
                return
            calls.take(number)
            yield calls.stack, calls.at

    def depth(self, stack: Sequence[int]) -> int:
        """The number of active calls of functions of the program above its first one."""
        program = self.program
        called = [] if program is None else [program.edges[number].operation for number in stack]
        active = [one for one in called if isinstance(one, Call) and program and not is_start(program, one.function)]
        return max(0, len(active) - 1)

    def formula(self, attempt: int, formula: int, place: Place | None = None) -> str:
        """A formula of the events of an attempt as C, with the names of a place, abridged where it is long.

        It is empty for a formula that was left out.
        """
        if formula < 0:
            return ""
        one = self.attempt(attempt)
        return self.memo.keep(("formula", one.number, formula, place), lambda: self.text.formula(one, formula, place))

    def conjuncts(self, attempt: int, formula: int, place: Place | None = None) -> tuple[str, ...]:
        """The same formula as one text for each conjunct, each of which is abridged where it is long."""
        key = ("conjuncts", attempt, formula, place)
        return self.memo.get(key, lambda: self.text.conjuncts(self.attempt(attempt), formula, place))

    def whole(self, attempt: int, formula: int, place: Place | None = None) -> tuple[str, ...]:
        """The same without abridgement; none where the formula is far too long for that."""
        return self.text.whole(self.attempt(attempt), formula, place)

    def is_abridged(self, attempt: int, formula: int) -> bool:
        """Whether the text of `formula` is abridged."""
        if formula < 0:
            return False
        return self.memo.get(
            ("abridged", attempt, formula), lambda: self.text.is_abridged(self.attempt(attempt), formula)
        )

    def full_formula(self, attempt: int, formula: int, place: Place | None = None) -> FullFormula:
        """The same formula without abridgement, however long."""
        return self.text.full_formula(self.attempt(attempt), formula, place)

    def place(self, place: Place | None) -> str:
        """A location as file without its folders, line, function and calls; `None` is everywhere."""
        if place is None:
            return "everywhere"
        span, words = self.span_of_place(place), self.text.place(place)
        return words if span is None else words.replace(span.file, span.file.rpartition("/")[2])
