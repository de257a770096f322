"""One run of the command line in a process of its own, with what it cost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
GRACE = 30.0  # seconds of wall clock after which a run that ignores its limits is killed


@dataclass(frozen=True)
class Run:
    """`cpu` and `wall` are seconds, `memory` is the peak of the largest process in megabytes."""

    output: bytes
    exit_code: int
    cpu: float
    wall: float
    memory: float


def interplay(arguments: Sequence[str], wall_limit: float) -> Run:
    """Run `interplay` with the arguments; its standard error is dropped. Child processes that it waits for count."""
    with tempfile.TemporaryFile() as output:
        start = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "interplay", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        timer = threading.Timer(wall_limit + GRACE, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        output.seek(0)
        return Run(
            output.read(), process.returncode, usage.ru_utime + usage.ru_stime, wall, round(usage.ru_maxrss / 1024, 1)
        )


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
