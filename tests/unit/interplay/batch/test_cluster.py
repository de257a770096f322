"""A batch on a Dask cluster loses no task and leaves no process when a worker is killed, which nobody starts again."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE

import psutil
import pytest

from interplay.batch.result_files import read_rows
from runs.runfile import open_run
from tests.support import fake_worker
from tests.support.processes import lives

ROOT = Path(__file__).parent.parent.parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="without the extra `cluster`"),
]

# The first worker process of all hangs for good once it has its order, and says who it is; the others are fake workers.
# Before, nobody may know of it yet: what is killed then leaves only workers that read, and see the end of their input.
WORKER = """
import os, runpy, sys, time
marker = sys.argv.pop(1)
try:
    stream = open(marker, "x")
except FileExistsError:
    runpy.run_path(sys.argv.pop(1), run_name="__main__")
else:
    sys.stdin.readline()
    stream.write(f"{os.getpid()}\\n")
    stream.close()
    time.sleep(600)
"""

BATCH = f"""
import sys
from interplay.batch import cluster
from interplay.commands import batch
cluster.PATIENCE = float(sys.argv.pop(1))
command = [sys.executable, "-P", "-c", {WORKER!r}, sys.argv.pop(1), {fake_worker.__file__!r}, {str(ROOT)!r}]
batch.executor = lambda options, folder: cluster.Cluster(folder, options.scheduler, command)
from interplay.commands.cli import main
sys.exit(main())
"""


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler with two workers; its address."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": DEVNULL, "stderr": DEVNULL, "env": ENVIRONMENT, "cwd": folder}
    first = [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    started = [subprocess.Popen(first, **quiet)]  # type: ignore[call-overload]
    try:
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        address = str(json.loads(file.read_text())["address"])
        # Each is on its own: where one process starts all again, it takes all with it if one does not come up again.
        more = [*dask, "worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
        started += [subprocess.Popen(more, **quiet) for _ in range(2)]  # type: ignore[call-overload]
        yield address
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tasks").mkdir()
    for number, word in enumerate(("true", "false", "true", "unknown", "true", "stuck")):
        (tmp_path / "tasks" / f"{number}.c").write_text(f"{word}\n")
    return tmp_path


def start(folder: Path, scheduler: str, patience: int = 120) -> subprocess.Popen[str]:
    marker = str(folder / "marker")
    words = ["batch", "tasks", "--output", "out", "--time-limit", "60", "--scheduler", scheduler]
    command = [sys.executable, "-P", "-c", BATCH, str(patience), marker, *words]
    return subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=DEVNULL, stderr=PIPE, text=True)


def hanging(folder: Path, batch: subprocess.Popen[str]) -> int:
    """The process that hangs, once there is one."""
    marker = folder / "marker"
    wait_for(lambda: (marker.exists() and marker.read_text().endswith("\n")) or batch.poll() is not None)
    if batch.returncode is not None:
        pytest.fail(batch.communicate()[1])
    return int(marker.read_text())


def test_a_worker_that_is_killed_loses_no_task(folder: Path, scheduler: str) -> None:
    batch = start(folder, scheduler)
    pid = hanging(folder, batch)
    parent = psutil.Process(pid).parent()
    assert parent is not None
    assert parent.pid != batch.pid
    parent.send_signal(signal.SIGKILL)
    wait_for(lambda: not lives(pid))
    _, errors = batch.communicate(timeout=300)
    assert batch.returncode == 0, errors
    rows = read_rows(folder / "out" / "results.jsonl")
    assert [row.verdict for row in rows] == ["true", "false(unreach-call)", "true", "unknown", "true", "unknown"]
    for row in rows:
        assert row.file.startswith("tasks/")
        assert open_run(folder / "out" / row.run).complete


def test_an_interrupted_batch_leaves_nothing_behind(folder: Path, scheduler: str) -> None:
    batch = start(folder, scheduler)
    pid = hanging(folder, batch)
    batch.send_signal(signal.SIGINT)
    _, errors = batch.communicate(timeout=300)
    assert batch.returncode == 130, errors
    wait_for(lambda: not lives(pid))


def test_no_scheduler_is_said(folder: Path) -> None:
    batch = start(folder, "tcp://127.0.0.1:9", 2)
    _, errors = batch.communicate(timeout=300)
    assert batch.returncode == 2
    assert "interplay: no Dask scheduler answers at tcp://127.0.0.1:9" in errors
    assert "Traceback" not in errors
