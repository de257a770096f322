"""The command `interplay report-problem`: one file with all that whoever looks into a doubtful verdict needs."""

from __future__ import annotations

import platform
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from interplay.session.reproduction import command_of
from interplay.session.request import WRITER, read_request
from runs.jsondata import compact
from runs.runfile import StoredRun, open_run

_RUN = "run.interplay"


def write_problem(source: Path, target: Path) -> None:
    """Write a zip with sources, options, versions and the run. Raises `Malformed` and `OSError`."""
    run = open_run(source)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _members(run):
            archive.writestr(name, text.encode("utf-8", "surrogateescape"))
        if source.is_file():
            archive.write(source, _RUN)
        else:
            for member, data in run.members.items():  # of a run that was cut off
                archive.writestr(f"run/{member}", data)


def _members(run: StoredRun) -> Iterator[tuple[str, str]]:
    view = run.view()
    verdict = "the run has none" if view.verdict is None else f"{view.verdict.verdict}\n{view.verdict.reason}"
    command = command_of(read_request(run.options()))
    yield "README.txt", _README.format(writer=run.writer, command=command, verdict=verdict)
    yield "options.json", compact(run.options())
    yield "versions.txt", "".join(f"{line}\n" for line in _versions())
    for number, (name, text) in enumerate(run.sources().items()):
        yield f"sources/{number}-{Path(name).name}", text


_README = """A problem with a verdict of Interplay.

Written by: {writer}
Command:    {command}
Verdict:    {verdict}

What is wrong with it, and what was expected instead:

"""


def _versions() -> Iterator[str]:
    """Yield the versions on this machine; the run may come from another, which its own files tell."""
    yield f"{WRITER} (report-problem)"
    yield f"Python {platform.python_version()}, {platform.platform()}, {platform.machine()}"
    try:
        needed = [one.split(";")[0] for one in requires("interplay") or () if "extra" not in one]
    except PackageNotFoundError:
        needed = ["z3-solver", "cvc5", "bitwuzla", "dd", "python-sat", "pycparser"]
    for requirement in needed:
        name = "".join(c if c.isalnum() or c in "-_." else " " for c in requirement).split()[0]
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} is not installed"
    compiler = shutil.which("gcc")
    if compiler is None:
        yield "gcc is not installed"
    else:
        told = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
        yield told.stdout.partition("\n")[0]
