"""The pool of workers: whatever becomes of one, its task has a row. Fake workers do what real ones should not."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from interplay.batch.batch_plan import BatchConfiguration, BatchJob, BatchSettings, planned
from interplay.batch.job import Stopped, run_job
from interplay.batch.orphans import Orphans
from interplay.batch.pool import Pool
from interplay.batch.rows import ResultRow
from interplay.batch.scores import Category
from interplay.batch.tasks import BatchTask
from interplay.session.request import ReplayMode
from runs.events_json import header
from runs.runfile import open_run
from tests.support.fake_worker import WORKER

ROOT = Path(__file__).parent.parent.parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def jobs(folder: Path, *words: str, time_limit: float = 20.0, memory_limit: int = 4096) -> list[BatchJob]:
    tasks = []
    for number, word in enumerate(words):
        path = folder / f"{number}.c"
        path.write_text(f"{word}\n")
        tasks.append(BatchTask(f"set/{number}.c", "set", str(path), None, "", "true", "digest"))
    settings = BatchSettings(time_limit, memory_limit, ReplayMode.NATIVE, (BatchConfiguration("fake", "transition"),))
    return list(planned(tasks, settings))


def one_row(folder: Path, job: BatchJob, command: list[str]) -> ResultRow:
    (row,) = Pool(folder, 1, command).rows([job])
    return row


@pytest.mark.long
def test_rows_of_several_at_once(tmp_path: Path) -> None:
    words = ("true", "false", "stuck", "floats", "garbage", "bug", "unknown")
    rows = {row.task: row for row in Pool(tmp_path, 2, WORKER).rows(jobs(tmp_path, *words))}
    assert [rows[f"set/{n}.c"].verdict for n in range(len(words))] == [
        *("true", "false(unreach-call)", "unknown", "ERROR (unsupported)", "ERROR (parse error)"),
        *("ERROR (internal)", "unknown"),
    ]
    first = rows["set/0.c"]
    assert (first.engine, first.rounds, first.confirmed_by) == ("transition", 2, "a certificate")
    assert first.cpu > 0
    assert first.wall > 0
    assert first.memory > 5
    for row in rows.values():
        run = open_run(tmp_path / row.run)
        assert run.complete
        assert run.view().verdict is not None
    assert list(rows.values()) != []


ENDS = {
    "crash": ("import sys; sys.exit('something broke')", "ERROR (internal)", "failed"),
    "killed": ("import os; os.kill(os.getpid(), 9)", "OUT OF MEMORY", "killed"),
    "segfault": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ERROR (internal)", "failed"),
    "garbage": ("print('what?', flush=True); input(); input()", "ERROR (internal)", "failed"),
    "endless garbage": ("while True: print(end='x' * 4096)", "ERROR (internal)", "failed"),
    "cut off": (f"print({header('test')!r}); print(end='[1, 2')", "ERROR (internal)", "failed"),
    "silence": ("", "ERROR (internal)", "failed"),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_broken_worker_is_a_row(tmp_path: Path, name: str) -> None:
    script, verdict, termination = ENDS[name]
    (job,) = jobs(tmp_path, "true")
    row = one_row(tmp_path, job, [sys.executable, "-c", script])
    assert (row.verdict, row.termination) == (verdict, termination)
    assert row.reason
    assert open_run(tmp_path / row.run).complete


def test_a_failure_of_ours_is_a_row_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError(7)

    monkeypatch.setattr("interplay.process.control.RunView.add", fail)
    (row,) = Pool(tmp_path, 1, WORKER).rows(jobs(tmp_path, "true"))
    assert (row.verdict, row.termination, row.run) == ("ERROR", "failed", "")
    assert row.reason == "internal error: KeyError: 7"


def test_a_hog_is_ended_from_outside(tmp_path: Path) -> None:
    # No process of the tree is over the limit, all of them together are.
    script = (
        "import subprocess, sys, time; hog = 'import time; x = bytearray(60 << 20); time.sleep(600)'\n"
        "[subprocess.Popen([sys.executable, '-c', hog]) for _ in range(3)]; time.sleep(600)"
    )
    (job,) = jobs(tmp_path, "true", memory_limit=150)
    row = one_row(tmp_path, job, [sys.executable, "-c", script])
    assert (row.verdict, row.termination, row.category) == ("OUT OF MEMORY", "memory", Category.MEMORY)
    assert row.memory > 150


@pytest.mark.long
def test_a_worker_that_spins_is_ended_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interplay.process.monitor.SLACK", 0.2)
    (job,) = jobs(tmp_path, "true", time_limit=0.5)
    row = one_row(tmp_path, job, [sys.executable, "-c", "while True: pass"])
    assert (row.verdict, row.termination) == ("TIMEOUT", "cputime")
    assert row.cpu > 0.5


def test_a_worker_that_hangs_is_ended_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interplay.process.monitor.PATIENCE", 0.5)
    (job,) = jobs(tmp_path, "true", time_limit=0.5)
    script = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    row = one_row(tmp_path, job, [sys.executable, "-c", script])
    assert (row.verdict, row.termination) == ("TIMEOUT", "walltime")


def test_a_verdict_after_the_limit_does_not_count(tmp_path: Path) -> None:
    lines = [
        header("test"),
        '{"kind":"verdict","verdict":"true","exit_code":0,"assumptions":[],"confirmed_by":"","reason":"","advice":""}',
    ]
    script = f"import time\nwhile time.process_time() < 0.4: pass\nprint({chr(10).join(lines)!r}, flush=True)"
    (job,) = jobs(tmp_path, "true", time_limit=0.3)
    row = one_row(tmp_path, job, [sys.executable, "-c", script])
    assert (row.verdict, row.termination) == ("TIMEOUT", "cputime")
    assert row.reason == "true came after the time limit"


def test_closing_ends_what_is_running(tmp_path: Path) -> None:
    before = set(psutil.Process().children())
    rows = Pool(tmp_path, 2, WORKER).rows(jobs(tmp_path, "true", "sleep", "sleep", "true"))
    assert next(rows).verdict == "true"
    started = time.monotonic()
    rows.close()
    assert time.monotonic() - started < 300  # they would sleep for twice as long
    assert set(psutil.Process().children()) <= before


def test_a_job_that_is_stopped_has_no_row(tmp_path: Path) -> None:
    stop, orphans = threading.Event(), Orphans()
    stop.set()
    (job,) = jobs(tmp_path, "sleep")
    with pytest.raises(Stopped):
        run_job(job, tmp_path / "run", orphans, stop, WORKER)
    orphans.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.c"]


def test_a_file_that_cannot_be_written_ends_the_batch(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("in the way")
    with pytest.raises(OSError, match="runs"):
        list(Pool(tmp_path, 1, WORKER).rows(jobs(tmp_path, "true")))


def _processes(word: str) -> Sequence[psutil.Process]:
    """Processes with `word` in their command lines."""
    found = []
    for one in psutil.process_iter(["cmdline", "status"]):
        if any(word in part for part in one.info["cmdline"] or []) and one.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(one)
    return found


HANGING_CHILD = """
import os, subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from interplay.batch.orphans import Orphans
orphans = Orphans()
script = "import signal, sys, time; signal.pthread_sigmask(signal.SIG_BLOCK, {1, 2, 15}); time.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", script, sys.argv[2]], process_group=0)
orphans.add(child.pid)
print("ready", flush=True)
time.sleep(600)
"""


def test_children_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}-{os.getpid()}"
    command = [sys.executable, "-c", HANGING_CHILD, str(ROOT), mark]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        assert len(_processes(mark)) == 2
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 120
    while _processes(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _processes(mark)
