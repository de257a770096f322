"""Ways to start a worker: as a command or, in a process that is all ours, as a fork, which shares what was imported."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, NoReturn, Protocol

from core.dataclass import dataclass
from interplay.folders import own_command
from interplay.process.process_tree import Process


class WorkerProcess(Process, Protocol):
    """A worker, which leads a process group: orders go to its input, events come from its output."""

    @property
    def stdin(self) -> IO[bytes] | None: ...
    @property
    def stdout(self) -> IO[bytes] | None: ...


StartWorker = Callable[[int, Path | None], WorkerProcess]
"""Start a worker whose errors go to a descriptor, in a directory or where we are. Raises `OSError`."""


def by_command(command: list[str] | None = None) -> StartWorker:
    """A way to start `command`, by default the usual worker."""

    def start(errors: int, directory: Path | None) -> WorkerProcess:
        return subprocess.Popen(
            command or own_command("worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=0,
            cwd=directory,
            # Equal hashes in every run, should the order of a set ever matter anywhere.
            env={**os.environ, "PYTHONHASHSEED": "0"},
            process_group=0,  # so that its children end with it, and Ctrl-C is ours to handle
        )

    return start


@dataclass
class _Fork:
    pid: int
    stdin: IO[bytes]
    stdout: IO[bytes]
    returncode: int | None = None


def by_fork(serve: Callable[[IO[bytes]], int]) -> StartWorker:
    """A way to start a worker that serves its orders in a copy of this process, which must have one thread and no
    solver.
    """

    def start(errors: int, directory: Path | None) -> WorkerProcess:
        gc.freeze()  # what is here stays, and is not copied by a search for garbage
        orders, our_orders = os.pipe()
        our_events, events = os.pipe()
        pid = os.fork()
        if not pid:
            _become_worker((orders, events, errors), directory, serve)
        with contextlib.suppress(OSError):  # the worker does so, too: whoever is first
            os.setpgid(pid, pid)
        os.close(orders)
        os.close(events)
        return _Fork(pid, open(our_orders, "wb", buffering=0), open(our_events, "rb", buffering=0))

    return start


def _become_worker(
    descriptors: tuple[int, int, int], directory: Path | None, serve: Callable[[IO[bytes]], int]
) -> NoReturn:
    """Exits without cleanup: everything in memory belongs to the process that was forked."""
    code = 70
    try:
        os.setpgid(0, 0)
        # Where a standard one was closed, its number may be that of another by now.
        away = [fcntl.fcntl(one, fcntl.F_DUPFD, 3) for one in descriptors]
        for standard, descriptor in enumerate(away):
            os.dup2(descriptor, standard)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        errors = open(2, "w", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115 - to the end
        sys.stdout = sys.stderr = errors
        if directory is not None:
            os.chdir(directory)
        with open(0, "rb", closefd=False) as orders:
            code = serve(orders)
    except BaseException:  # noqa: BLE001 - what is left of this stack belongs to the other process
        traceback.print_exc()
    finally:
        os._exit(code)
