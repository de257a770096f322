"""The texts of files as they are now, in the window and on disk; and whether a run is about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from frontend.api import read_source
from frontend.source import FrontendError
from gui.model.background import Background
from gui.model.disk import save_text
from interplay.batch.job import digest, digests
from interplay.presentation.record.run import RunRecord

Digests = Iterable[tuple[str, str]]
"""Files with digests of their texts."""


class Texts(QObject):
    """The texts of now: what a person types in a file, else what was read of it last. `changed()`: a file has another.

    `are` is the one decision about what is current: verdicts, rows, marks and views show only what it lets pass.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now: dict[str, str] = {}
        self._typed: dict[str, str] = {}
        self.before: dict[str, str] = {}
        """The texts that the files had which are edited."""
        self._sources: Mapping[str, str] = {}
        self._digests: Digests = ()
        self._looking: Background[dict[str, str]] = Background(self._have_looked)

    def are(self, texts: Digests) -> bool:
        """Whether the texts of now are these. Nothing is known against a file that was not read again."""
        return all(self._now.get(name, was) == was for name, was in texts)

    def are_those_of(self, record: RunRecord) -> bool:
        """Whether a run has read the texts of now."""
        if record.sources is not self._sources:
            self._sources, self._digests = record.sources, digests(record.sources)
        return self.are(self._digests)

    def have_read(self, sources: Mapping[str, str]) -> None:
        """Take what was just read from disk; what a person types goes before it."""
        self._put({name: digest(text) for name, text in sources.items() if name not in self._typed})

    def look_again(self, names: Iterable[str]) -> None:
        """Read files again, off the event loop."""
        wanted = tuple(dict.fromkeys(names))
        self._looking.submit(lambda check: _read(wanted, check))

    # What a person types

    @property
    def typed(self) -> Mapping[str, str]:
        """The texts of the files that are edited."""
        return self._typed

    @property
    def unsaved(self) -> tuple[str, ...]:
        """The files with a text that is not saved."""
        return tuple(file for file, text in self._typed.items() if text != self.before[file])

    def begin(self, file: str, text: str) -> None:
        """Let a file be edited that has this text."""
        if file not in self._typed:
            self.before[file] = self._typed[file] = text

    def type(self, file: str, text: str) -> None:
        if self._typed.get(file, text) != text:
            self._typed[file] = text
            self._put({file: digest(text)})

    def save(self, file: str) -> str:
        """Write what was typed to its file, which is not edited any more; why that was not done, or an empty text."""
        why = save_text(file, self.before[file], self._typed[file])
        if not why:
            self._end(file)
        return why

    def discard(self, file: str) -> None:
        """Forget what was typed in a file."""
        self.type(file, self.before[file])
        self._end(file)

    def _end(self, file: str) -> None:
        del self._typed[file], self.before[file]
        self.changed.emit()

    def _put(self, now: Mapping[str, str]) -> None:
        if any(self._now.get(name) != one for name, one in now.items()):
            self._now.update(now)
            self.changed.emit()

    def _have_looked(self, found: dict[str, str]) -> None:
        self._put({name: now for name, now in found.items() if name not in self._typed})


def _read(names: Iterable[str], check: Callable[[], None]) -> dict[str, str]:
    """The digests of files; one that is gone has an empty one, as no text has."""
    found: dict[str, str] = {}
    for name in names:
        check()
        path = Path(name)
        if path.is_absolute():  # else a header of our own
            try:
                found[name] = digest(read_source(path))
            except FrontendError:
                found[name] = ""
    return found
