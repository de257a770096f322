"""Storage for the members of a run file other than events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from runs.runfile import put_document, put_text


class MemberStorage(Protocol):
    """Storage for the members of a run file other than events."""

    def document(self, name: str, make: Callable[[], object]) -> None:
        """Keep the JSON value that `make` builds as member `name` (see `runs.runfile`)."""
        ...

    def text(self, name: str, text: str) -> None: ...

    def read(self, name: str) -> str | None:
        """The text of a member that was kept."""
        ...

    def beside(self, attempt: int) -> MemberStorage:
        """The storage of one attempt of several: not part of the run file unless copied to this storage."""
        ...


class JournalStorage:
    """Storage in the journal directory of the run."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def document(self, name: str, make: Callable[[], object]) -> None:
        put_document(self._directory, name, make())

    def text(self, name: str, text: str) -> None:
        put_text(self._directory, name, text)

    def read(self, name: str) -> str | None:
        file = self._directory / name
        return file.read_text(encoding="utf-8") if file.is_file() else None

    def beside(self, attempt: int) -> MemberStorage:
        directory = self._directory / f"attempt-{attempt}"
        directory.mkdir(exist_ok=True)
        return JournalStorage(directory)


class NoStorage:
    """Storage that discards everything, without building it."""

    def document(self, name: str, make: Callable[[], object]) -> None:
        pass

    def text(self, name: str, text: str) -> None:
        pass

    def read(self, name: str) -> str | None:
        return None

    def beside(self, attempt: int) -> MemberStorage:
        return self
