"""The program that prints reports, which `interplay export --pdf` and the window start."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from gui.display import obstacle
from runs.jsondata import Malformed
from runs.runfile import open_run


def main(arguments: Sequence[str]) -> int:
    """Take a run file and the PDF to write. Errors go to standard error, one line each."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # no window is wanted, and there may be no screen
    why = obstacle()
    if why is not None:
        print(f"no PDF can be written: {why}; --html needs none of it", file=sys.stderr)  # noqa: T201 - a program
        return 1
    from PySide6.QtGui import QGuiApplication

    from gui.report.pdf import short_report, write_pdf

    run, target = map(Path, arguments)
    application = QGuiApplication([])  # fonts need it
    try:
        write_pdf(short_report(open_run(run)), target)
    except (Malformed, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a program of its own
        return 1
    del application
    return 0
