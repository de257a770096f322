"""The public function `interplay.verify`, behind a lazy import."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.events import Level
from core.runview import RunView
from core.span import Span
from core.verdict import CheckResult, Status, Verdict
from frontend.choice import ArithmeticChoice
from frontend.kinds import SELECTABLE, CheckKind
from interplay.control import Control, Observer, journal_for
from interplay.request import PORTFOLIO, Replay, Request


def verify(
    path: str | os.PathLike[str],
    *,
    property: str | None = None,
    engine: str = PORTFOLIO,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    data_model: str | None = None,
    replay: Replay = Replay.NATIVE,
    seed: int = 0,
    arithmetic: ArithmeticChoice = ArithmeticChoice.AUTO,
    checks: Sequence[CheckKind] = (),
    output: str | os.PathLike[str] | None = None,
    options: Mapping[str, str] | None = None,
) -> Verdict:
    """The verdict on a C file or a task definition, found in a process of its own.

    `property` is a property file or a name; `checks` are kinds of undefined behaviour that count as errors beside it;
    `time_limit` is in CPU seconds, `memory_limit` in megabytes; `output` is where the run file goes; `options` are
    those of the engine (`core.options`). Input that is not taken gives a verdict with status `ERROR` and a located
    reason. Raises `OSError` if no process can be started or no file written.
    """
    level = Level.SUMMARY if output is None else Level.STATES
    request = Request(
        os.fspath(path),
        property,
        engine,
        time_limit,
        memory_limit,
        data_model,
        replay,
        seed,
        level,
        arithmetic=arithmetic,
        options=tuple((options or {}).items()),
        checks=tuple(kind.value for kind in SELECTABLE if kind in checks),
    )
    with journal_for(None if output is None else Path(output)) as journal:
        return verdict_of(Control(request, journal, Observer()).run())


def verdict_of(view: RunView) -> Verdict:
    """The verdict that a finished run reached."""
    reached = view.verdict
    if reached is None:
        return Verdict(Status.UNKNOWN, "", (), reason="the run did not finish")
    word, _, rest = reached.verdict.partition("(")
    status = Status(word.strip())
    results = tuple(
        CheckResult(
            check=c.check,
            property=c.property,
            description=c.description,
            span=Span(c.file, c.line, c.column, c.line, c.column),
            status=Status(c.status),
            confirmed_by=c.confirmed_by,
            reason=c.reason,
        )
        for c in view.checks.values()
    )
    property_ = rest.removesuffix(")") if status is Status.FALSE else ""
    return Verdict(
        status, property_, results, reached.assumptions, reached.confirmed_by, reached.reason, reached.advice
    )
