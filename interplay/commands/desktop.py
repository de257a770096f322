"""The programs of `gui`, started as processes: the window, and the PDF printer of reports.

The commands do not import `gui`, which depends on them; they start its programs. A report in HTML needs no Qt.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from interplay.folders import own_command
from runs.jsondata import Malformed
from runs.runfile import StoredRun


def open_window(paths: Sequence[str]) -> int:
    """Replace this process by the workbench, with these files, folders or runs; does not return."""
    command = own_command(*paths, program="gui.app")
    os.execv(command[0], command)


def write_html(run: StoredRun, target: Path) -> None:
    """Write the report on a run as a page. Raises `Malformed` and `OSError`."""
    from interplay.presentation.report.assemble import report_of
    from interplay.presentation.report.document import ReportLimits
    from interplay.presentation.report.page import page

    target.write_text(page(report_of(run, ReportLimits())), "utf-8", "backslashreplace")


def write_markdown(run: StoredRun, target: Path) -> None:
    """Write what the report says first, as Markdown. Raises `Malformed` and `OSError`."""
    from interplay.presentation.report.assemble import report_of
    from interplay.presentation.report.document import ReportLimits
    from interplay.presentation.report.markdown import markdown

    limits = ReportLimits(rows=100, steps=100)
    target.write_text(markdown(report_of(run, limits)), "utf-8", "backslashreplace")


def write_pdf(run: StoredRun, target: Path) -> None:
    """Write the report on a run as a PDF. Raises `Malformed`."""
    command = own_command(str(run.path), str(target), program="gui.printing")
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"the process that prints ended with {done.returncode}"]
        raise Malformed(f"{run.path}: {lines[-1]}")
    sys.stderr.write(done.stderr)
