"""The command line as a whole, in processes of its own: streams, run files, signals, exit codes."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import interplay
from interplay.commands.cli import main
from interplay.session.request import read_request
from runs.events import SCHEMA_VERSION
from runs.events_json import decode, read_header
from runs.runfile import journal_of, open_run

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent.parent.parent.parent
PROGRAMS = ROOT / "tests" / "golden" / "programs"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

ENDLESS = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned x = 1, y = 1;
  while (__VERIFIER_nondet_int()) {
    x = x * 3 + y;
    y = y * x + 7;
    if (x % 1001 == 17 && y % 997 == 3) { x = y * y; }
  }
  if (x * y % 65537 == 12345) reach_error();
  return 0;
}
"""


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "interplay", *map(str, words)]


def run(*words: str | Path, directory: Path = PROGRAMS) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), cwd=directory, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=600
    )


def test_the_stream_of_events_is_all_there_is_and_ends_with_the_verdict() -> None:
    first, second = (run("verify", "lock.c", "--engine", "transition", "--events", "-").stdout for _ in range(2))
    assert first == second
    head, *lines = first.splitlines()
    assert read_header(head) == SCHEMA_VERSION
    events = [decode(line) for line in lines]
    assert events[-1] is not None
    assert events[-1].kind == "verdict"
    assert str(ROOT) not in first


def test_a_run_file_is_written_shown_and_checked(tmp_path: Path) -> None:
    target = tmp_path / "lock.interplay"
    assert run("verify", "lock.c", "--output", target).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["lock.interplay"]
    shown = run("show", target)
    assert shown.returncode == 0
    assert "Portfolio: " in shown.stdout
    assert ", 2 checks" in shown.stdout
    assert shown.stdout.splitlines()[-1] == "VERDICT: true"
    checked = run("check", target, directory=tmp_path)
    assert checked.returncode == 0
    assert "an inductive invariant (" in checked.stdout
    assert checked.stdout.splitlines()[-1] == "VERDICT: true"


def test_a_violation_is_replayed_again(tmp_path: Path) -> None:
    target = tmp_path / "turn.interplay"
    assert run("verify", "turn.c", "--output", target).returncode == 10
    checked = run("check", target, "--no-native-replay", directory=tmp_path)
    assert checked.returncode == 10
    assert "Confirmed by: interpreter" in checked.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_is_readable(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "endless.c").write_text(ENDLESS)
    target = tmp_path / "endless.interplay"
    process = subprocess.Popen(
        command("verify", "endless.c", "--output", target),
        cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    events = journal_of(target) / "events.jsonl"
    while not (events.is_file() and b'"round"' in events.read_bytes()):
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(number)
    out, errors = process.communicate(timeout=600)
    assert process.returncode == 130, errors
    assert out.splitlines()[-1] == "VERDICT: unknown (interrupted)"
    verdict = open_run(target).view().verdict
    assert verdict is not None
    assert verdict.exit_code == 130


def test_a_killed_run_leaves_a_journal_that_opens(tmp_path: Path) -> None:
    (tmp_path / "endless.c").write_text(ENDLESS)
    target = tmp_path / "endless.interplay"
    process = subprocess.Popen(
        command("verify", "endless.c", "--output", target), cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.DEVNULL
    )
    events = journal_of(target) / "events.jsonl"
    while not (events.is_file() and b'"round"' in events.read_bytes()):
        time.sleep(0.05)
        assert process.poll() is None
    process.kill()
    process.wait()
    shown = run("show", target)
    assert shown.returncode == 0
    assert "The run did not finish." in shown.stdout


def test_the_time_limit_ends_a_run(tmp_path: Path) -> None:
    (tmp_path / "endless.c").write_text(ENDLESS)
    done = run("verify", "endless.c", "--time-limit", "1", directory=tmp_path)
    assert done.returncode == 124
    assert done.stdout.splitlines()[-1] == "VERDICT: TIMEOUT"


def test_the_memory_limit_ends_a_run() -> None:
    done = run("verify", "count.c", "--memory-limit", "60")
    assert done.returncode == 137, done
    assert done.stdout.splitlines()[-1] == "VERDICT: OUT OF MEMORY"


def test_the_public_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROGRAMS)
    verdict = interplay.verify("turn.c", output=tmp_path / "turn.interplay")
    assert (verdict.status, verdict.property, verdict.exit_code) == ("false", "unreach-call", 10)
    assert verdict.checks[0].line == 16
    assert (tmp_path / "turn.interplay").is_file()
    assert interplay.verify("syntax.c").status == "ERROR"


def test_a_closed_pipe_is_no_traceback() -> None:
    process = subprocess.Popen(
        command("verify", "lock.c", "--events", "-"),
        cwd=PROGRAMS, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate(timeout=600)
    assert b"Traceback" not in errors


def shell(line: str) -> tuple[int, str]:
    """The exit code and the errors of a line for the shell."""
    done = subprocess.run(
        ["sh", "-c", line], cwd=PROGRAMS, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=600
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", ">&- 2>&-"])
def test_closed_streams_do_no_harm(redirection: str) -> None:
    assert shell(f"{shlex.join(command('verify', 'lock.c'))} {redirection}") == (0, "")


def test_show_into_a_closed_pipe_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.interplay"
    run("verify", "lock.c", "--output", path)
    assert shell(f"{shlex.join(command('show', path))} | true") == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["dance"],
        ["verify"],
        ["verify", "a.c", "--engine", "magic"],
        ["verify", "a.c", "--time-limit", "x"],
        ["verify", "a.c", "--seed", "-1"],
        ["verify", "a.c", "--param", "bmc.induction.effort"],
        ["verify", "a.c", "--param", "bmc.induction.depth=3"],
        ["batch", "a.c", "--output", "out", "--param", "bmc.induction.effort=0"],
    ],
)
def test_wrong_words_are_exit_code_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_an_unknown_option_says_where_options_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "a.c", "--unwind", "5"])
    assert "unrecognized arguments: --unwind 5; `interplay verify --help` lists the options" in capsys.readouterr().err


def test_options_of_the_engine_are_checked_and_recorded() -> None:
    wrong = run("verify", "lock.c", "--engine", "transition", "--option", "image=round")
    assert wrong.returncode == 2
    assert "image is one of relation, hybrid, not round" in wrong.stderr
    words = ("--engine", "transition", "--option", "refinement=das-dill")
    events = run("verify", "lock.c", *words, "--events", "-").stdout
    assert '[["refinement","das-dill"]]' in events
    assert '"verdict":"true"' in events or '"verdict":"false' in events
    assert "choose an engine" in run("verify", "lock.c", "--option", "image=hybrid").stderr


def test_parameters_are_listed_and_known_to_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["engine", "--parameters"])
    assert caught.value.code == 0
    assert "bmc.search.effort | 60_000 | " in capsys.readouterr().out
    out = tmp_path / "run.interplay"
    words = ("verify", "lock.c", "--engine", "transition", "--param", "transition.refiner.path-effort=19")
    assert run(*words, "--output", out).returncode in (0, 10)
    assert dict(read_request(open_run(out).options()).parameters) == {"transition.refiner.path-effort": "19"}
    assert run("check", out).returncode in (0, 10)


@pytest.mark.parametrize("words", [(), ("--events", "-")], ids=["text", "events"])
def test_debug_prints_the_traceback_of_an_internal_error(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crashing = [sys.executable, "-c", "raise ValueError('seeded')"]
    monkeypatch.setattr("interplay.process.start.own_command", lambda _: crashing)
    program = str(PROGRAMS / "lock.c")
    assert main(["verify", program, *words]) == 70
    assert "Traceback" not in capsys.readouterr().err
    assert main(["verify", program, *words, "--debug"]) == 70
    assert "ValueError: seeded" in capsys.readouterr().err
