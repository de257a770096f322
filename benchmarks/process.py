"""One run of a command in a process of its own, with what it cost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from interplay.process.process_tree import Child

ROOT = Path(__file__).parent.parent
GRACE = 30.0  # seconds of wall clock after which a run that ignores its limits is killed
POLL = 0.2  # seconds between looks at the processes


@dataclass(frozen=True)
class Run:
    """A run and its cost: `cpu` (of all its processes) and `wall` in seconds, the peak `memory` in megabytes."""

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
        child = Child(process)
        while child.wait(POLL) is None:
            child.look()
            if time.monotonic() - start > wall_limit + GRACE:
                child.kill()
        wall = time.monotonic() - start
        output.seek(0)
        cost = child.cost()
        return Run(output.read(), process.returncode, cost.cpu, wall, round(cost.memory, 1))
