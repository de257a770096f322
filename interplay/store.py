"""Where a session leaves what belongs into the run file beside the events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from core.runfile import put_document, put_text


class Store(Protocol):
    def document(self, name: str, make: Callable[[], object]) -> None:
        """Keep the JSON value that `make` builds as member `name` (see `core.runfile`)."""
        ...

    def text(self, name: str, text: str) -> None: ...


class JournalStore:
    """Keeps documents in the journal directory of the run."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def document(self, name: str, make: Callable[[], object]) -> None:
        put_document(self._directory, name, make())

    def text(self, name: str, text: str) -> None:
        put_text(self._directory, name, text)


class NoStore:
    """Keeps nothing, and builds nothing for it."""

    def document(self, name: str, make: Callable[[], object]) -> None:
        pass

    def text(self, name: str, text: str) -> None:
        pass
