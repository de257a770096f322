"""Repetition of steered runs: makes the edits that a run recorded, by round, part of a request."""

from __future__ import annotations

from dataclasses import replace

from interplay.session.request import Request
from runs.events import Level
from runs.jsondata import Malformed
from runs.runview import AttemptView


def steered(request: Request, attempt: AttemptView) -> Request:
    """The request `request` with the engine, the options and the edits of an attempt. Raises `Malformed` if it has no
    edits.

    Law: the events of that run are those of the attempt again, without its pauses.
    """
    if attempt.event is None or not attempt.edits:
        raise Malformed("nobody has steered this run: it has no edits")
    return replace(
        request,
        engine=attempt.event.engine,
        options=attempt.event.options,
        edits=tuple(attempt.edits),
        level=Level.STATES,  # formulas are named by their numbers, and these count what is reported
    )
