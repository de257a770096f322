"""One run of a command in a process of its own, with what it cost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).parent.parent
GRACE = 30.0  # seconds of wall clock after which a run that ignores its limits is killed
POLL = 0.05  # seconds between looks at the processes


@dataclass(frozen=True)
class Run:
    """`cpu` (of all its processes) and `wall` are seconds, `memory` is the peak of the largest process in megabytes."""

    output: bytes
    exit_code: int
    cpu: float
    wall: float
    memory: float


def interplay(arguments: Sequence[str], wall_limit: float) -> Run:
    """Run `interplay` with the arguments; its standard error is dropped. Killed `GRACE` seconds after the limit."""
    return module("interplay", arguments, wall_limit)


def module(name: str, arguments: Sequence[str], wall_limit: float) -> Run:
    """Run a module of the checkout likewise."""
    with tempfile.TemporaryFile() as output:
        start = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", name, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        root = psutil.Process(process.pid)
        seen: dict[int, float] = {}  # by process: its CPU seconds when last looked at
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            _look(root, seen)
            if time.monotonic() - start > wall_limit + GRACE:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(POLL)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        output.seek(0)
        # What was waited for is exact, but a child that was killed is not in it.
        cpu = max(usage.ru_utime + usage.ru_stime, sum(seen.values()))
        return Run(output.read(), process.returncode, cpu, wall, round(usage.ru_maxrss / 1024, 1))


def _look(root: psutil.Process, seen: dict[int, float]) -> None:
    """Note the CPU time of all processes below `root` and its own."""
    with suppress(psutil.Error):
        for one in (root, *root.children(recursive=True)):
            with suppress(psutil.Error):
                times = one.cpu_times()
                seen[one.pid] = times.user + times.system


def events(output: bytes) -> list[dict[str, object]]:
    """The events of a run with `--events -`; a line that was cut off is left out."""
    found: list[dict[str, object]] = []
    for line in output.splitlines():
        try:
            event = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(event, dict):
            found.append(event)
    return found
