"""The hidden command `interplay worker`: JSON commands on standard input, events as JSON lines on standard output.

    {"command": "run", "request": {…}, "journal": DIRECTORY or null, "start": "at once" | "paused"}    once, first
    {"command": "cancel" | "pause" | "resume" | "step"}      step: resume for one round
    {"command": "conclude"}      do only what an answer needs: the portfolio says so as time runs out
    {"command": "edit", "action": …, "formula": NUMBER or -1, "text": C, "place": [[CALLS…], LOCATION] or null,
     "attempt": NUMBER}

`formula` is a number of the attempt, which need not be named where there is one engine. A `text` that is not empty is a
C condition instead: the answer is an event `edited` with its formula, or a message that says what is wrong with it. The
end of standard input ends the worker: its parent is gone.
"""

from __future__ import annotations

import math
import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from core.parameters import choose
from core.verdict import CheckResult
from interplay.process.pipe import write_all
from interplay.process.protocol import emitter, start_listening
from interplay.session.context import Steering
from interplay.session.member_storage import JournalStorage, MemberStorage, NoStorage
from interplay.session.request import PORTFOLIO, WRITER, Request, Start, read_request
from interplay.session.services import PreparedTask, Services
from runs.events_json import header
from runs.jsondata import Malformed, as_object, as_str, parse

if TYPE_CHECKING:
    from interplay.portfolio.plan import Planner
    from interplay.session.session import Session


def work(services: Services, planner: Planner, commands: IO[bytes]) -> int:
    """Serve one run and return the exit code of its ending. Standard output carries events and nothing else."""
    output = os.dup(1)
    os.dup2(2, 1)  # what a native library prints must not get between the events
    first = commands.readline()
    if not first:
        return 0
    try:
        request, storage, start = _first_command(first)
    except Malformed as error:
        print(f"interplay worker: {error}", file=sys.stderr)
        return 2
    _limit_this_process(request)
    choose(dict(request.parameters))
    write_all(output, header(WRITER).encode() + b"\n")
    return _session(request, services, planner, commands, output, storage, start).run().exit_code


def _session(
    request: Request,
    services: Services,
    planner: Planner,
    commands: IO[bytes],
    output: int,
    storage: MemberStorage,
    start: Start,
) -> Session:
    """A session that obeys `commands`: in a thread beside the engine, or where the portfolio waits for its engines."""
    from interplay.session.session import Session  # which takes parameters

    steering = Steering(start)
    if request.engine == PORTFOLIO and request.recheck is None:
        from interplay.portfolio.portfolio import Portfolio

        portfolio = Portfolio(request, services, planner, commands, output, storage, start)

        def decide(task: PreparedTask) -> Sequence[CheckResult]:
            results = portfolio.decide(task)
            os.set_blocking(commands.fileno(), True)  # as it is where nobody waits for engines, too
            start_listening(commands, steering)
            return results

        return Session(request, services, emitter(output), steering, storage, decide)
    start_listening(commands, steering)
    return Session(request, services, emitter(output), steering, storage)


def _first_command(line: bytes) -> tuple[Request, MemberStorage, Start]:
    data = as_object(parse(line))
    if data.get("command") != "run":
        raise Malformed("the first command must be `run`")
    journal = data.get("journal")
    storage: MemberStorage = NoStorage() if journal is None else JournalStorage(Path(as_str(journal)))
    return read_request(data.get("request")), storage, _start(data.get("start", Start.AT_ONCE))


def _start(value: object) -> Start:
    try:
        return Start(as_str(value))
    except ValueError:
        raise Malformed(f"no run starts {value!r}") from None


def _limit_this_process(request: Request) -> None:
    """Set hard limits, for a run that does not notice that its own are reached. Child processes inherit them."""
    if request.memory_limit is not None:
        size = request.memory_limit << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    if request.time_limit is not None:
        seconds = math.ceil(request.time_limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
