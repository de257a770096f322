"""Commands of Interplay in forks of one process, which has imported what they need.

Python and the solvers take a third of a second to start, which is more than most of the verifications of tests take.
What a process of its own does is tested with one: in the tests of commands, of processes and of the public function.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

import core
import frontend
import methods
from interplay import api, portfolio, process, session, witnesses
from interplay.__main__ import main as run_command
from interplay.api import RunVerdict
from interplay.folders import own_command

_LONGEST = 1 << 20  # bytes of a command with its environment


def run(*words: str | os.PathLike[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `interplay` with these words; the result has its exit code and what it prints."""
    asked = [os.fspath(word) for word in words]
    order = {"words": asked, "cwd": str(cwd or Path.cwd()), "environment": dict(os.environ)}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        channel = _server()
        socket.send_fds(channel, [json.dumps(order).encode()], [output.fileno(), errors.fileno()])
        code = int(channel.recv(_LONGEST))
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(asked, code, output.read().decode(), errors.read().decode())


def command(words: Sequence[str]) -> int:
    """Stands for `interplay.commands.cli.main` where a test changes nothing that it would have to see."""
    done = run(*words)
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


def verify(path: str | os.PathLike[str], *files: str | os.PathLike[str], **options: Any) -> RunVerdict:
    """Stands for `interplay.verify`, without the question which checks executions come to if nobody asks it."""
    options = {"vacuity": 0.0, **options}
    with mock.patch.object(api, "_completed", lambda words: run(*words)):
        return api.verify(path, *files, **options)


@cache
def _server() -> socket.socket:
    """The connection to a process that serves until it is closed."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        server = subprocess.Popen(
            own_command(str(its.fileno()), program=__name__),
            pass_fds=[its.fileno()],
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )

    def end() -> None:
        ours.close()
        server.wait()

    atexit.register(end)
    return ours


def main(arguments: Sequence[str]) -> None:
    """Serve commands from the socket whose descriptor is the argument."""
    channel = socket.socket(fileno=int(arguments[0]))
    for package in (core, frontend, methods, session, portfolio, process, witnesses):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    for library in ("z3", "pycparser", "pcpp"):
        importlib.import_module(library)
    gc.freeze()
    with contextlib.suppress(KeyboardInterrupt):  # which the command has had, too
        _serve(channel)


def _serve(channel: socket.socket) -> None:
    while True:
        text, descriptors, _, _ = socket.recv_fds(channel, _LONGEST, 2)
        if not text:
            return
        pid = os.fork()
        if not pid:
            channel.close()
            _become_command(json.loads(text), descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        channel.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _become_command(order: Any, descriptors: Sequence[int]) -> NoReturn:
    """Exits without cleanup: what is in memory belongs to the process that serves."""
    code = 70
    try:
        os.chdir(order["cwd"])
        os.environ.clear()
        os.environ.update(order["environment"])
        sys.argv[1:] = order["words"]
        for standard, descriptor in enumerate(descriptors, 1):
            os.dup2(descriptor, standard)
            os.close(descriptor)
        code = run_command()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 - what is left of this stack belongs to the other process
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
