"""Commands that only show the input: `cfa`, `lower`, `verify --stop-after`."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from interplay.commands.cli import main

LOCK = Path(__file__).parent.parent.parent.parent / "golden" / "programs" / "lock.c"
REFUSED = "int main(void) { int i = 0; return __builtin_setjmp(0); }"


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ("parse", "parsed, 6 external declarations"),
        ("types", "typed, 3 functions, 1 static object, 0 warnings"),
        ("program", "lowered, 4 functions, 25 locations, 23 edges, 2 checks"),
    ],
)
def test_stop_after(stage: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(LOCK), "--stop-after", stage]) == 0
    assert re.fullmatch(rf"{LOCK}: {words} \(\d+\.\d\d s CPU\)\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("text", "stage", "code", "message"),
    [
        ("int main(void) { return x; }", "parse", 0, ""),
        ("int main(void) { return x; }", "types", 3, "1:25: error: "),
        ("int main(void) { return 0 }", "parse", 3, "1:27: error: "),
        (REFUSED, "types", 0, ""),
        (REFUSED, "program", 4, "1:36: error: "),
        ("int f(void);", "program", 3, "1:1: error: "),
    ],
)
def test_what_is_wrong_is_located(
    text: str, stage: str, code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.c"
    file.write_text(text)
    assert main(["verify", str(file), "--stop-after", stage]) == code
    assert capsys.readouterr().err.startswith(f"{file}:{message}" if message else "")


def test_views_go_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, name in ((["cfa", "--format", "svg"], "a.svg"), (["lower"], "a.txt")):
        assert main([*arguments, str(LOCK), "--output", str(tmp_path / name)]) == 0
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "a.txt").read_text().startswith("start <start>")
    assert capsys.readouterr() == ("", "")


def test_what_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lower", str(LOCK), "--output", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err
    assert main(["cfa", str(tmp_path / "none.c")]) == 2


def test_time_limit_ends_the_process(tmp_path: Path) -> None:
    """In a process of its own: reaching the limit ends it."""
    file = tmp_path / "a.c"
    file.write_text("int x;\n" * 20_000 + "int main(void) { return 0; }\n")
    words = [sys.executable, "-m", "interplay", "verify", str(file), "--stop-after", "program", "--time-limit", "0.1"]
    root = str(Path(__file__).parent.parent.parent.parent.parent)
    done = subprocess.run(words, env={"PYTHONPATH": root}, capture_output=True, text=True, check=False)
    assert done.returncode == 124
    assert done.stderr == "interplay: the time limit is reached\n"
