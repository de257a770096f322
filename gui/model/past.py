"""Runs of the past: what was asked, the answer, and when, read from their files off the event loop."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

from core.dataclass import dataclass
from gui.model.tasks import FileKind, TaskEntry, TaskResult, finished
from interplay.presentation.run_options import shown_engine, shown_property
from interplay.session.options import Section
from interplay.session.request import Request, chosen_words, read_request
from runs.events import VerdictReached
from runs.events_json import decode
from runs.jsondata import Malformed
from runs.runfile import EVENTS, StoredRun, open_run

MAX = 20  # that are listed


@dataclass(frozen=True)
class PastRun:
    """A run of the past as an entry of the list, with its answer."""

    entry: TaskEntry
    request: Request
    result: TaskResult


def past_runs(folder: Path) -> tuple[PastRun, ...]:
    """The last runs in a folder, the newest first."""
    found = sorted(folder.glob("*.interplay"), key=lambda path: -path.stat().st_mtime)
    return tuple(_read(found[:MAX]))


def _read(paths: Iterable[Path]) -> Iterator[PastRun]:
    for path in paths:
        try:
            run = open_run(path)
            request = read_request({"task": path.name, **run.options()})
            when = datetime.fromtimestamp(path.stat().st_mtime)
        except (Malformed, OSError):
            continue  # whoever opens it is told why
        yield PastRun(TaskEntry(path, FileKind.RUN, told(request), label=label(request, when)), request, _result(run))


def label(request: Request, when: datetime) -> str:
    """The question and its time: `lock.c · No overflow · today 14:03`."""
    name = os.path.basename(request.task or request.compile_commands or "")
    day = "today" if when.date() == date.today() else f"{when:%-d %b %Y}"
    return f"{name} · {shown_property(request.property)} · {day} {when:%H:%M}"


def told(request: Request) -> str:
    """The engine and the options of a run that are not the usual ones."""
    sections = (Section.QUESTION, Section.SEARCH, Section.LIMITS)
    words = " ".join(chosen_words(replace(request, property=None), sections))
    return f"Engine {shown_engine(request.engine)}{f', {words}' if words else ''}"


def _result(run: StoredRun) -> TaskResult:
    """The verdict, which is the last event."""
    last = run.members.get(EVENTS, b"").splitlines()[-1:]
    event = decode(last[0]) if len(last) > 0 and len(last[0]) > 0 else None
    word = event.verdict if isinstance(event, VerdictReached) else "unknown (not finished)"
    return finished(word, "", run.path)
