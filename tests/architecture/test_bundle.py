"""The program of a bundle: the command line, and the Python that processes of Interplay are started with."""

import configparser
import json
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

from interplay.folders import own_command

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, str(ROOT / "scripts" / "bundled.py")]
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": "/nowhere"}


def run(words: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words], input=text, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=600
    )


def test_it_is_the_command_line() -> None:
    done = run(["--version"])
    assert done.returncode == 0
    assert done.stdout.startswith("interplay ")


def test_it_stands_in_for_python() -> None:
    assert run(["-I", "-S", "-c", "import sys; print(sys.argv, __name__)", "a"]).stdout == "['-c', 'a'] __main__\n"
    spacer = run(["-P", "-m", "core.solver.z3_spacer"], json.dumps({"problem": "("}) + "\n")
    assert "failure" in json.loads(spacer.stdout)
    assert run(own_command("verify", "--help")[1:]).stdout.startswith("usage: interplay verify")


def test_exit_codes_come_through() -> None:
    assert run(["-P", "-c", "import sys; sys.exit(3)"]).returncode == 3
    assert run(own_command("verify", "/nowhere.c")[1:]).returncode == 2


def test_the_desktop_knows_run_files() -> None:
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    types = xml.etree.ElementTree.parse(ROOT / "resources" / "interplay.xml").getroot().findall(f"{space}mime-type")
    assert [[glob.get("pattern") for glob in one.findall(f"{space}glob")] for one in types] == [["*.interplay"]]
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(ROOT / "resources" / "interplay.desktop")
    assert types[0].get("type") in entry["Desktop Entry"]["MimeType"].split(";")
