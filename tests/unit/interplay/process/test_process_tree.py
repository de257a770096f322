"""A process and its descendants: all are found, whichever thread started them, and suspended and killed together."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from interplay.process.process_tree import (
    available_memory,
    end_tree,
    kill_tree,
    resume_tree,
    suspend_tree,
    usable_cores,
    usage_of_tree,
)

SLEEPER = "import os, time; x = bytearray(50 << 20); print(os.getpid(), flush=True); time.sleep(60)"
PARENT = f"""
import subprocess, sys, threading
start = lambda: subprocess.run([sys.executable, "-c", {SLEEPER!r}], start_new_session=True)
thread = threading.Thread(target=start)
thread.start()
thread.join()
"""


@pytest.fixture
def tree() -> Iterator[tuple[int, int]]:
    """The numbers of a process and of its child, which a thread beside the first one has started."""
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, process_group=0) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        yield process.pid, child
        for one in (process.pid, child):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)


def state(pid: int) -> str:
    """The letter of a process's state: T where it is suspended, Z or nothing where it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def reach(pid: int, states: str) -> bool:
    """Whether a process comes to one of `states`: a signal takes a moment."""
    deadline = time.monotonic() + 60
    while state(pid) not in states and time.monotonic() < deadline:
        time.sleep(0.01)
    return state(pid) in states


def test_a_child_of_any_thread_counts(tree: tuple[int, int]) -> None:
    used = usage_of_tree(tree[0])
    assert used.memory > 50
    assert used.cpu > 0


def test_all_are_suspended_and_go_on(tree: tuple[int, int]) -> None:
    suspend_tree(tree[0])
    assert all(reach(one, "T") for one in tree)
    resume_tree(tree[0])
    assert all(reach(one, "SR") for one in tree)


@pytest.mark.parametrize("end", [kill_tree, end_tree])
def test_all_end(tree: tuple[int, int], end: object) -> None:
    assert callable(end)
    end(tree[0])
    assert all(reach(one, "Z") for one in tree)


def test_the_machine_has_memory_and_a_core() -> None:
    assert available_memory() > 1
    assert usable_cores() >= 1
