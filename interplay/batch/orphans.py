"""Cleanup of orphaned runs: a small process ends the runs that are left when its own parent is gone.

A worker ends with its standard input, but one that hangs, or is stopped, does not read; its children may not either.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress

# Lines `+PID` and `-PID` say which process groups there are; after the last line, those that are left are ended.
_SCRIPT = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


class Orphans:
    """The process groups that must end with this process. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is not for it
        )

    def add(self, pid: int) -> None:
        self._tell(f"+{pid}\n")

    def remove(self, pid: int) -> None:
        self._tell(f"-{pid}\n")

    def _tell(self, line: str) -> None:
        assert self._guard.stdin is not None
        with self._lock, suppress(BrokenPipeError):  # somebody has ended it; workers end by their own means
            if not self._guard.stdin.closed:
                self._guard.stdin.write(line.encode())

    def close(self) -> None:
        """End the groups that are left."""
        assert self._guard.stdin is not None
        with self._lock:
            self._guard.stdin.close()
        self._guard.wait()
