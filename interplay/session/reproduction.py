"""The command that asks for a run again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from core.run.events import Level
from interplay.session.request import ReplayMode, Request


def command_of(request: Request, steered: str = "") -> str:
    """An `interplay` command line, quoted for a shell. The command line has another default engine and time limit.

    Of a run that examined another run's evidence it is `check`; a witness is examined by `witness check`. `steered`
    names the run file of a run that a person steered, to do the same.
    """
    edits = ("--edits-of", steered) if steered else ()
    return shlex.join(["interplay", *_words(request), *edits])


def _words(request: Request) -> Iterator[str]:
    if request.recheck is not None:
        yield from ("check", request.recheck)
        yield from _limits(request)
        return
    yield from (
        ("verify", request.task) if request.witness is None else ("witness", "check", request.witness, request.task)
    )
    yield from ("--engine", request.engine)
    for name, value in request.options:
        yield from ("--option", f"{name}={value}")
    yield from _question(request)
    yield from _limits(request)
    if request.seed:
        yield from ("--seed", str(request.seed))
    if request.level is Level.STATES and request.witness is None:
        yield from ("--output", "again.interplay")


def _question(request: Request) -> Iterator[str]:
    if request.property is not None:
        yield from ("--property", request.property)
    if request.data_model is not None:
        yield from ("--data-model", request.data_model)
    if request.arithmetic is not Request.arithmetic:
        yield from ("--arithmetic", request.arithmetic.value)
    if request.acsl is not None:
        yield from ("--acsl", request.acsl.value)
    if request.checks:
        yield from ("--check", ",".join(request.checks))


def _limits(request: Request) -> Iterator[str]:
    if request.time_limit is not None:
        yield from ("--time-limit", f"{request.time_limit:g}")
    if request.memory_limit is not None:
        yield from ("--memory-limit", str(request.memory_limit))
    if request.replay is ReplayMode.INTERPRETER:
        yield "--no-native-replay"
