"""The program of the workbench, which `interplay gui` starts."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from gui.display import obstacle

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from gui.window import MainWindow


def main(paths: Sequence[str]) -> int:
    """Open the window with the given files or runs, and run it until it closes. Returns 2 if none can be opened."""
    why = obstacle()
    if why is not None:
        print(f"interplay-gui: {why}", file=sys.stderr)  # noqa: T201 - there is no window to say it in
        return 2
    application = make_application()
    window = make_window()
    window.show()
    window.open_first([Path(path) for path in paths])
    return application.exec()


def make_application() -> QApplication:
    """The one application object, with its names and its style."""
    from PySide6.QtWidgets import QApplication

    from gui.garbage import Collector
    from gui.icons import application_icon

    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    Collector(application)
    application.setOrganizationName("Interplay")
    application.setApplicationName("interplay")
    application.setApplicationDisplayName("Interplay")
    application.setDesktopFileName("interplay")
    application.setStyle("Fusion")
    application.setWindowIcon(application_icon())
    return application


def make_window() -> MainWindow:
    """The main window, with an exception hook that shows errors of slots in it."""
    from gui.settings import Settings
    from gui.window import MainWindow

    window = MainWindow(Settings())
    show_errors_in(window)
    return window


def show_errors_in(window: MainWindow) -> None:
    """Show exceptions of slots in the window, and print them: otherwise they would be printed only."""

    def hook(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        sys.__excepthook__(kind, error, where)
        if issubclass(kind, Exception):
            window.show_error(
                f"Internal error: {kind.__name__}: {str(error)[:300]}. The run goes on; please report this.",
                "".join(traceback.format_exception(kind, error, where)),
            )

    sys.excepthook = hook
