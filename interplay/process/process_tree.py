"""A child process with all its descendants: their resource usage, and their termination."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from core.dataclass import dataclass

if TYPE_CHECKING:
    import psutil

_PAUSE = 0.01  # seconds between two looks whether a process has ended
_MEGABYTE = 1 << 20


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


def _usage(processes: Sequence[psutil.Process]) -> Usage:
    import psutil  # most runs end before anybody looks

    cpu, memory = 0.0, 0
    for one in processes:
        with suppress(psutil.Error), one.oneshot():
            cpu += sum(one.cpu_times()[:4])  # user, system, and both of its children
            sizes = one.memory_info()
            memory += sizes.rss - getattr(sizes, "shared", 0)  # where the system does not tell, all of it
    return Usage(cpu, memory / _MEGABYTE)


def kill_group(pid: int) -> None:
    """Kill the process group that `pid` leads, without waiting."""
    with suppress(ProcessLookupError, PermissionError):  # all of them are gone
        os.killpg(pid, signal.SIGKILL)


def kill_tree(pid: int) -> None:
    """Kill the process group that `pid` leads, and descendants that have left the group, without waiting."""
    members = _tree(pid)
    kill_group(pid)
    _signal(members, signal.SIGKILL)


def suspend_tree(pid: int) -> None:
    """Suspend a child and its descendants, until `resume_tree`."""
    _signal(_stopped(pid)[1:], signal.SIGSTOP)


def resume_tree(pid: int) -> None:
    _signal(_tree(pid), signal.SIGCONT)


def end_tree(pid: int) -> Usage:
    """Kill a child, which may be in the group of others, and its descendants, without waiting; returns their usage."""
    try:
        members = _stopped(pid)
        used = _usage(members)
        _signal(members, signal.SIGKILL)
        return used
    finally:
        os.kill(pid, signal.SIGKILL)  # whatever went wrong: who is stopped is waited for in vain


def _stopped(pid: int) -> list[psutil.Process]:
    """A child that nobody has waited for and its descendants; it is suspended first, so that it starts no others."""
    os.kill(pid, signal.SIGSTOP)
    return _tree(pid)


def available_memory() -> float:
    """Megabytes that new processes can use before memory of the machine runs short."""
    import psutil

    return psutil.virtual_memory().available / _MEGABYTE


def usable_cores() -> int:
    """The number of processes that can run at once."""
    if hasattr(os, "sched_getaffinity"):  # which a machine, or who shares it out, may restrict
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _signal(processes: Sequence[psutil.Process], number: signal.Signals) -> None:
    import psutil

    for one in processes:
        with suppress(psutil.Error):  # psutil tells a process from a later one with its number
            one.send_signal(number)


def _tree(pid: int) -> list[psutil.Process]:
    import psutil

    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


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
