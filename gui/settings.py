"""Settings of the user in an INI file: layout, theme, recent files, the last choices."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

MAX_RECENT = 12
MAX_RUNS = 60


class Settings:
    """The settings, read and written at once. A value of a wrong type, whatever wrote it, counts as absent."""

    def __init__(self, file: Path | None = None) -> None:
        if file is None:
            self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Interplay", "workbench")
        else:
            self._store = QSettings(str(file), QSettings.Format.IniFormat)

    def text(self, name: str, default: str = "") -> str:
        value = self._store.value(name, default)
        return value if isinstance(value, str) else default

    def put_text(self, name: str, value: str) -> None:
        self._store.setValue(name, value)

    def number(self, name: str, default: int) -> int:
        try:
            return int(self.text(name, str(default)))
        except ValueError:
            return default

    def put_number(self, name: str, value: int) -> None:
        self._store.setValue(name, str(value))

    def data(self, name: str) -> QByteArray:
        value = self._store.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()

    def put_data(self, name: str, value: QByteArray) -> None:
        self._store.setValue(name, value)

    def recent(self) -> list[Path]:
        """Recently opened files, the last one first, as far as they still exist."""
        lines = self.text("recent").splitlines()
        return [Path(line) for line in lines if line and os.path.exists(line)][:MAX_RECENT]

    def add_recent(self, path: Path) -> None:
        lines = [str(path.absolute()), *(str(other) for other in self.recent() if other != path.absolute())]
        self.put_text("recent", "\n".join(lines[:MAX_RECENT]))

    def sync(self) -> None:
        self._store.sync()


def runs_folder() -> Path:
    """The folder of runs for which the user chose no place."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    return Path(place) / "interplay" / "runs"


def tidy(folder: Path, most: int = MAX_RUNS) -> None:
    """Remove the oldest run files beyond `most`."""
    files = sorted(folder.glob("*.interplay"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[most:]:
        file.unlink(missing_ok=True)
