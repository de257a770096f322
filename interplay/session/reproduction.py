"""The command line that repeats a run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from interplay.session.options import CHECK, EXAMINE_WITNESS, VERIFY
from interplay.session.request import Request, chosen_words, files_of
from runs.events import Level


def command_of(request: Request, steered: str = "") -> str:
    """An `interplay` command line, quoted for a shell.

    It is `check` for a run that examined the evidence of another, and `witness check` for a witness. `steered` names
    the run file of a steered run, to repeat its edits.
    """
    edits = ("--edits-of", steered) if steered else ()
    return shlex.join(["interplay", *_words(request), *edits])


def _words(request: Request) -> Iterator[str]:
    if request.recheck is not None:
        yield from ("check", request.recheck, *chosen_words(request, CHECK))
    elif request.witness is not None:
        yield from ("witness", "check", request.witness, *files_of(request), *chosen_words(request, EXAMINE_WITNESS))
    else:
        yield from ("verify", *files_of(request), *chosen_words(request, VERIFY))
        if request.level is Level.STATES:
            yield from ("--output", "again.interplay")
