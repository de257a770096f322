"""The lines that commands print of runs. They are imported when something is printed: quiet runs need none of them."""

from __future__ import annotations

from core.program.span import Span
from core.verdict import Status, stated_status
from interplay.presentation.details import details
from interplay.presentation.excerpts import error_lines
from interplay.presentation.run_text import text_of
from interplay.presentation.text import TextReport, TraceExtent
from runs.events import Message
from runs.runfile import StoredRun
from runs.runview import RunView


def report_lines(run: StoredRun, view: RunView) -> list[str]:
    """The report at the end of a run."""
    lines = [*TextReport(text_of(run, view)).lines(TraceExtent.RELEVANT)]
    verdict = view.verdict
    told = verdict is not None and any(one.file and one.text in verdict.reason for one in view.messages)
    refused = told and verdict is not None and stated_status(verdict.verdict) is Status.ERROR
    return lines[1:] if refused else lines  # its message was printed already, with the line of the source


def content_lines(run: StoredRun, view: RunView) -> list[str]:
    """All that a run file holds."""
    texts = text_of(run, view)
    return [*TextReport(texts).lines(TraceExtent.ALL), *details(run, view, texts)]


def message_lines(message: Message) -> list[str]:
    """A message, with the line of the source that it is about."""
    if message.file:
        span = Span(message.file, message.line, message.column, message.line, message.column)
        return error_lines(message.severity, message.text, span)
    return [f"{message.severity}: {message.text}" if message.severity == "error" else message.text]
