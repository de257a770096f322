"""A child process with all its descendants, as /proc has them: their resource usage, and their termination."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from core.dataclass import dataclass

_PAUSE = 0.01  # seconds between two looks whether a process has ended
_MEGABYTE = 1 << 20
_TICKS, _PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")  # the units of /proc
_GONE = (FileNotFoundError, ProcessLookupError)
"""What says that a process has ended and was waited for; the second where that happens between opening and reading."""


@dataclass(frozen=True)
class Usage:
    """The resource usage of all processes of a tree together: `cpu` in seconds of CPU time, `memory` in megabytes."""

    cpu: float
    memory: float


def usage_of_tree(pid: int) -> Usage:
    """The usage of a process and its living descendants; CPU time includes children that were waited for.

    Memory is resident and not shared with files, so that libraries do not count.
    """
    return _usage(_tree(pid))


def _usage(processes: Sequence[int]) -> Usage:
    ticks = pages = 0
    for pid in processes:
        with suppress(*_GONE):
            ticks += sum(map(int, _status(pid)[11:15]))  # user, system, and both of its children
            _, resident, shared, *_ = map(int, _read(f"{pid}/statm").split())
            pages += resident - shared
    return Usage(ticks / _TICKS, pages * _PAGE / _MEGABYTE)


def _status(pid: int) -> list[bytes]:
    """The fields of the status of a process behind its name, which may contain anything."""
    return _read(f"{pid}/stat").rpartition(b")")[2].split()


def _read(name: str) -> bytes:
    with open(f"/proc/{name}", "rb", buffering=0) as file:
        return file.readall()


def kill_group(pid: int) -> None:
    """Kill the process group that `pid` leads, without waiting."""
    with suppress(ProcessLookupError, PermissionError):  # all of them are gone
        os.killpg(pid, signal.SIGKILL)


def kill_tree(pid: int) -> None:
    """Kill the process group that `pid` leads, and descendants that have left the group, without waiting."""
    members = _tree(pid, signal.SIGSTOP)
    kill_group(pid)
    _signal(members, signal.SIGKILL)


def suspend_tree(pid: int) -> None:
    """Suspend a child and its descendants, until `resume_tree`."""
    _tree(pid, signal.SIGSTOP)


def resume_tree(pid: int) -> None:
    _signal(_tree(pid), signal.SIGCONT)


def end_tree(pid: int) -> Usage:
    """Kill a child, which may be in the group of others, and its descendants, without waiting; returns their usage."""
    try:
        members = _tree(pid, signal.SIGSTOP)
        used = _usage(members)
        _signal(members, signal.SIGKILL)
        return used
    finally:
        os.kill(pid, signal.SIGKILL)  # whatever went wrong: who is stopped is waited for in vain


def available_memory() -> float:
    """Megabytes that new processes can use before memory of the machine runs short."""
    sizes = dict(line.split(b":") for line in _read("meminfo").splitlines())
    return int(sizes[b"MemAvailable"].split()[0]) * 1024 / _MEGABYTE


def usable_cores() -> int:
    """The number of processes that can run at once, which a machine, or who shares it out, may restrict."""
    return len(os.sched_getaffinity(0))


def _signal(processes: Sequence[int], number: signal.Signals) -> None:
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _tree(pid: int, number: signal.Signals | None = None) -> list[int]:
    """A process and its descendants, parents first; each gets the signal before its children are listed.

    Who is stopped by it starts no others and waits for none: then the list is complete, and its numbers stay theirs.
    """
    found = [pid]
    for one in found:
        if number is not None:
            _signal((one,), number)
        with suppress(*_GONE):
            for thread in os.listdir(f"/proc/{one}/task"):
                with suppress(*_GONE):
                    found += map(int, _read(f"{one}/task/{thread}/children").split())
    return found


class Process(Protocol):
    """A process that was started here; `returncode` is for who waits for it."""

    returncode: int | None

    @property
    def pid(self) -> int: ...


class Child:
    """A child process of this one that leads a group. Only this class may wait for it."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._peak = Usage(0.0, 0.0)
        self._looked = False
        self._exact: resource.struct_rusage | None = None

    def look(self) -> Usage:
        """The current usage of the tree; CPU time never shrinks."""
        self._looked = True
        now = usage_of_tree(self.process.pid)
        self._peak = Usage(max(now.cpu, self._peak.cpu), max(now.memory, self._peak.memory))
        return Usage(self._peak.cpu, now.memory)

    def wait(self, seconds: float | None = None) -> int | None:
        """The exit code (negative: the signal); None if it still runs after so many `seconds`."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while self._exact is None and not self._reap(0 if deadline is None else os.WNOHANG):
            if deadline is not None and time.monotonic() >= deadline:
                return None
            time.sleep(_PAUSE)
        return self.process.returncode

    def _reap(self, flags: int) -> bool:
        pid, status, usage = os.wait4(self.process.pid, flags)
        if not pid:
            return False
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self._exact = usage
        return True

    def kill(self) -> None:
        """Kill it and its descendants, whatever they do, and wait for it.

        Processes that have left the group are found only after a `look`; a run without one was short.
        """
        if self._looked and self._exact is None:
            kill_tree(self.process.pid)
        else:
            kill_group(self.process.pid)  # children may have outlived it
        self.wait()

    def cost(self) -> Usage:
        """The total usage after its end, with the peak of memory.

        The system's figures are exact for all processes that were waited for, but its memory is that of the largest
        one; `look` sees all.
        """
        if self._exact is None:
            return self._peak
        cpu = self._exact.ru_utime + self._exact.ru_stime
        return Usage(max(cpu, self._peak.cpu), max(self._exact.ru_maxrss / 1024, self._peak.memory))
