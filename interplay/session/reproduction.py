"""The command that asks for a run again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from core.run.events import Level
from interplay.session.options import CHECK, EXAMINE_WITNESS, VERIFY
from interplay.session.request import Request, chosen_words


def command_of(request: Request, steered: str = "") -> str:
    """An `interplay` command line, quoted for a shell.

    Of a run that examined another run's evidence it is `check`; a witness is examined by `witness check`. `steered`
    names the run file of a run that a person steered, to do the same.
    """
    edits = ("--edits-of", steered) if steered else ()
    return shlex.join(["interplay", *_words(request), *edits])


def _words(request: Request) -> Iterator[str]:
    if request.recheck is not None:
        yield from ("check", request.recheck, *chosen_words(request, CHECK))
    elif request.witness is not None:
        yield from ("witness", "check", request.witness, request.task, *chosen_words(request, EXAMINE_WITNESS))
    else:
        yield from ("verify", request.task, *chosen_words(request, VERIFY))
        if request.level is Level.STATES:
            yield from ("--output", "again.interplay")
