"""Limits that end a run from outside: CPU time and memory of all its processes, not the clock."""

import subprocess
import sys
import time
from collections.abc import Iterable

import pytest

from interplay.process.monitor import PATIENCE, SLACK, LimitMonitor
from interplay.process.process_tree import Child, Usage, usage_of_tree
from interplay.session.endings import Termination


class Readings:
    """Stands for a child process: says what it uses, reading by reading."""

    def __init__(self, cpu: Iterable[float], memory: float = 1.0) -> None:
        self._upcoming = iter(cpu)
        self._memory = memory

    def look(self) -> Usage:
        return Usage(next(self._upcoming), self._memory)


def progress(readings: Iterable[float], limit: float | None, memory: float = 1.0) -> LimitMonitor:
    return LimitMonitor(Readings(readings, memory), limit, 100)  # type: ignore[arg-type]


def test_nobody_looks_all_the_time() -> None:
    assert progress([], 10).over(0.9) is None


def test_a_slow_run_may_go_on() -> None:
    slow = progress((0.2 * n for n in range(1, 1000)), 10)
    assert not any(slow.over(10.0 + 15 * n) for n in range(1, 50))


def test_a_run_that_uses_no_time_is_over() -> None:
    waiting = progress([3.0, 3.0, 3.0], 10)
    assert [waiting.over(passed) for passed in (11.0, 11.0 + PATIENCE, 11.1 + PATIENCE, 13.0 + PATIENCE)] == [
        None, None, None, Termination.WALLTIME
    ]  # fmt: skip


def test_so_is_one_without_a_limit_of_time() -> None:
    waiting = progress([3.0, 3.0], None)
    assert [waiting.over(passed) for passed in (2.0, 2.1 + PATIENCE)] == [None, Termination.WALLTIME]


def test_a_run_that_ignores_its_limit_is_over() -> None:
    assert progress([10.1 + SLACK], 10).over(30.0) is Termination.CPUTIME


def test_a_run_that_takes_too_much_memory_is_over_at_once() -> None:
    assert progress([0.1], None, 101.0).over(1.6) is Termination.MEMORY


def test_a_process_that_is_gone_uses_nothing() -> None:
    assert usage_of_tree(2**22 - 1) == Usage(0.0, 0.0)


def test_a_child_is_counted_with_its_children_and_ends_with_them() -> None:
    # The grandchild has a session of its own, which ends with the tree all the same.
    inner = "x = bytearray(50 << 20); print('ready', flush=True); input()"
    script = (
        "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', sys.argv[1]], start_new_session=True,"
        " stdin=subprocess.PIPE); print(p.pid, flush=True); p.wait()"
    )
    command = [sys.executable, "-c", script, inner]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, process_group=0)
    child = Child(process)
    assert process.stdout is not None
    assert process.stdin is not None
    with process.stdout as lines, process.stdin:
        said = {lines.readline(), lines.readline()}
        grandchild = int((said - {b"ready\n"}).pop())
        assert child.look().memory > 50
        assert child.wait(0) is None
        child.kill()
    assert child.wait() == -9
    assert child.cost().memory > 50
    deadline = time.monotonic() + 60
    while usage_of_tree(grandchild).memory and time.monotonic() < deadline:
        time.sleep(0.01)  # it was killed, and nobody here can wait for it
    assert usage_of_tree(grandchild).memory == 0


def test_the_cost_of_a_child_that_was_waited_for_is_exact() -> None:
    inner = "import time\nwhile time.process_time() < 0.3: pass"
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    child = Child(subprocess.Popen([sys.executable, "-c", script, inner], process_group=0))
    assert child.wait() == 0
    assert child.cost().cpu >= 0.3


@pytest.mark.parametrize("code", [0, 7])
def test_the_exit_code_of_a_child(code: int) -> None:
    assert Child(subprocess.Popen([sys.executable, "-c", f"raise SystemExit({code})"])).wait() == code
