"""Opens a source in the editor of choice."""

from __future__ import annotations

import shlex
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from gui.settings import Settings

EDITOR = "editor"
"""The setting with the command of the editor, such as `code -g {file}:{line}`; without it, what the desktop has."""


def open_in_editor(settings: Settings, file: Path, line: int) -> str:
    """Open a file at a line. Returns why that was not possible, or an empty text."""
    command = settings.text(EDITOR)
    if not command:
        return "" if QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))) else f"No editor is known for {file}."
    try:
        program, *words = [one.format(file=file, line=line) for one in shlex.split(command)]
    except (ValueError, KeyError, IndexError):
        return f"The editor's command cannot be read: {command}"
    started, _ = QProcess.startDetached(program, words)
    return "" if started else f"The editor cannot be started: {program}"
