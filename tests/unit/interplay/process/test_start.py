"""The command line forks its worker: verdict, limits, interrupts and files are as with a worker that is a command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runs.runfile import open_run

ROOT = Path(__file__).parents[4]
SAFE = "int main(void) { int x = 3; if (x != 3) { ERROR: return 1; } return 0; }"
ENDLESS = """
extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++) {
    s = s * s + i * n + 3; if (s == 77777 && i > 4000000000u) reach_error(); } return 0; }
"""


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "interplay", "verify", *words]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def _run(folder: Path, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "a.c").write_text(text)
    return subprocess.run(
        _command("a.c", *words), cwd=folder, env=_environment(), capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("engine", ["portfolio", "transition"])
def test_a_forked_worker_decides_and_writes_its_run(tmp_path: Path, engine: str) -> None:
    ended = _run(tmp_path, SAFE, "--engine", engine, "--output", "a.run")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1] == "VERDICT: true"
    view = open_run(tmp_path / "a.run").view()
    assert view.verdict is not None
    assert view.verdict.verdict == "true"


def test_modules_beside_the_program_are_not_imported(tmp_path: Path) -> None:
    for name in ("z3", "pycparser", "core", "fractions"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a module of the current directory was imported')")
    ended = _run(tmp_path, SAFE)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.long
def test_a_limit_ends_it(tmp_path: Path) -> None:
    ended = _run(tmp_path, ENDLESS, "--time-limit", "2")
    assert ended.returncode == 124, ended.stderr


def test_an_interrupt_ends_it_with_a_verdict(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(ENDLESS)
    started = tmp_path / "events"
    with started.open("wb") as events:
        process = subprocess.Popen(
            _command("a.c", "--engine", "transition", "--events", "-"), cwd=tmp_path, env=_environment(), stdout=events
        )
        while b'"round"' not in started.read_bytes() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    assert b'"interrupted"' in started.read_bytes()


@pytest.mark.parametrize("closed", [(), (0,), (0, 1), (0, 1, 2)])
def test_a_fork_that_fails_leaves_its_traceback(tmp_path: Path, closed: tuple[int, ...]) -> None:
    script = f"""
import os, tempfile
for one in {closed}:
    os.close(one)
from interplay.process.process_tree import Child
from interplay.process.start import by_fork
def serve(orders):
    assert orders.readline() == b"go\\n"
    raise ValueError("nothing works")
with tempfile.TemporaryFile() as errors:
    worker = by_fork(serve)(errors.fileno(), None)
    worker.stdin.write(b"go\\n")
    assert Child(worker).wait() == 70
    errors.seek(0)
    assert errors.read().endswith(b"ValueError: nothing works\\n")
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=_environment(), capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
