"""The way from the commands to the window and to its reports: the one place outside of `gui` that imports it.

It does so only when called. A report in HTML needs no Qt: what reads the record of a run is free of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.jsondata import Malformed
from core.runfile import StoredRun


def open_window(paths: Sequence[str]) -> int:
    """Open the workbench with these files, folders or runs; the exit code is 2 if there can be no window."""
    from gui.app import start

    return start(paths)


def write_report(run: StoredRun, html: Path | None, pdf: Path | None) -> None:
    """Write the report on a run in the formats named. Raises `Malformed` and `OSError`."""
    from gui.report.assemble import report_of

    if html is not None:
        from core.report.document import Extent
        from core.report.page import page

        html.write_text(page(report_of(run, Extent())), "utf-8", "backslashreplace")
    if pdf is not None:
        try:
            from gui.report.pdf import EXTENT, ensure_application, write_pdf
        except ImportError as error:
            why = f"a PDF needs the extra `gui` (pip install 'interplay[gui]'): {error}"
            raise Malformed(f"{run.path}: {why}; --html needs nothing") from None
        ensure_application()
        write_pdf(report_of(run, EXTENT), pdf)
