"""The hidden command `interplay worker`: JSON commands on standard input, events as JSON lines on standard output.

    {"command": "run", "request": {…}, "journal": DIRECTORY or null}    once, first
    {"command": "cancel" | "pause" | "resume"}
    {"command": "edit", "action": …, "formula": NUMBER or -1, "place": [[CALLS…], LOCATION] or null}

The end of standard input ends the worker: whoever commanded it is gone.
"""

from __future__ import annotations

import math
import os
import resource
import sys
import threading
from pathlib import Path
from typing import BinaryIO

from core.engine import EditAction
from core.events import Event, Place
from core.events_json import encode, header
from core.jsondata import Malformed, as_int, as_ints, as_object, as_row, as_str, parse
from interplay import __version__
from interplay.context import Steering
from interplay.request import Request, read_request
from interplay.session import Session
from interplay.store import JournalStore, NoStore, Store
from interplay.toolbox import Toolbox

WRITER = f"interplay {__version__}"
GRACE = 0.3  # seconds between a request to stop and the end by force


def work(toolbox: Toolbox, commands: BinaryIO) -> int:
    """Serve one run; the exit code is that of its ending. Standard output carries events and nothing else."""
    output = os.dup(1)
    os.dup2(2, 1)  # what a native library prints must not get between the events
    first = commands.readline()
    if not first:
        return 0
    try:
        request, store = _first_command(first)
    except Malformed as error:
        print(f"interplay worker: {error}", file=sys.stderr)
        return 2
    _limit_this_process(request)
    steering = Steering()
    threading.Thread(target=_listen, args=(commands, steering), daemon=True).start()
    os.write(output, header(WRITER).encode() + b"\n")

    def emit(event: Event) -> None:
        _write_all(output, encode(event).encode() + b"\n")

    return Session(request, toolbox, emit, steering, store).run().exit_code


def _first_command(line: bytes) -> tuple[Request, Store]:
    data = as_object(parse(line))
    if data.get("command") != "run":
        raise Malformed("the first command must be `run`")
    journal = data.get("journal")
    store: Store = NoStore() if journal is None else JournalStore(Path(as_str(journal)))
    return read_request(data.get("request")), store


def _limit_this_process(request: Request) -> None:
    """Hard limits, in case the run does not notice that its own are reached. Child processes inherit them."""
    if request.memory_limit is not None:
        size = request.memory_limit << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    if request.time_limit is not None:
        seconds = math.ceil(request.time_limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _listen(commands: BinaryIO, steering: Steering) -> None:
    """Obey the commands that come during the run, until there are no more."""
    for line in iter(commands.readline, b""):
        try:
            _obey(as_object(parse(line)), steering)
        except Malformed as error:
            print(f"interplay worker: {error}", file=sys.stderr)
    steering.cancel()
    threading.Event().wait(GRACE)
    os._exit(130)


def _obey(command: dict[str, object], steering: Steering) -> None:
    match command.get("command"):
        case "cancel":
            steering.cancel()
        case "pause":
            steering.pause()
        case "resume":
            steering.resume()
        case "edit":
            steering.edit(_action(command.get("action")), as_int(command.get("formula")), _place(command.get("place")))
        case other:
            raise Malformed(f"unknown command {other!r}")


def _action(value: object) -> EditAction:
    try:
        return EditAction(as_str(value))
    except ValueError:
        raise Malformed(f"unknown action {value!r}") from None


def _place(value: object) -> Place | None:
    if value is None:
        return None
    stack, location = as_row(value, 2)
    return as_ints(stack), as_int(location)
