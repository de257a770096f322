"""The journal of a batch: its finished runs as JSON lines, so that a batch that was interrupted can be resumed.

The first line identifies the batch: `{"format": "interplay-batch", "schema": 1, "writer": …, "settings": {…}}`. Such a
line comes again where configurations were added. Each other line is a row (`interplay.batch.rows`); the last of a task
and configuration counts. A line is written whole and synchronised before the next run begins; a last line without an
end is what a crash has left, and is dropped. While a batch works, it holds a lock on the file.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from core.dataclass import dataclass
from interplay.batch.batch_plan import BatchSettings, read_settings
from interplay.batch.rows import JOURNAL, ResultRow, RowKey, read_row
from runs.jsondata import Malformed, as_int, as_object, compact, parse

FORMAT, SCHEMA = "interplay-batch", 1
NAME = JOURNAL


class JournalConflict(ValueError):
    """The folder holds another batch, or another process works on it."""


@dataclass(frozen=True)
class Stored:
    """The content of a journal. `length` is the number of bytes up to the end of the last whole line."""

    settings: BatchSettings | None
    rows: dict[RowKey, ResultRow]
    length: int


def read_journal(path: Path) -> Stored:
    """Read a journal. Raises `Malformed`, with the line, and `OSError`."""
    settings: BatchSettings | None = None
    rows: dict[RowKey, ResultRow] = {}
    length = 0
    for line_number, line in enumerate(_lines(path.read_bytes()), 1):
        try:
            data = as_object(parse(line))
            if "format" in data:
                settings = _header(data)
            else:
                row = read_row(data)
                rows[row.key] = row
        except Malformed as error:
            raise Malformed(f"{path}:{line_number}:1: {error}") from None
        length += len(line)
    if settings is None and length:
        raise Malformed(f"{path}:1:1: not the journal of a batch")
    return Stored(settings, rows, length)


def _lines(data: bytes) -> Iterator[bytes]:
    lines = data.splitlines(keepends=True)
    return (line for line in lines if line.endswith(b"\n"))


def _header(data: dict[str, object]) -> BatchSettings:
    if data["format"] != FORMAT:
        raise Malformed("not the journal of a batch")
    if as_int(data.get("schema")) != SCHEMA:
        raise Malformed(f"schema {data.get('schema')} is not known here")
    return read_settings(data.get("settings"))


class BatchJournal:
    """The journal of a running batch, open for writing. Raises `JournalConflict`, `Malformed` and `OSError` when
    opened.

    After `close`, or when the process is gone, another batch may take it.
    """

    def __init__(self, folder: Path, settings: BatchSettings, writer: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / NAME).exists() and any(folder.iterdir()):
            raise JournalConflict(f"{folder}: is not empty, and does not hold a batch")
        self._stream: BinaryIO = (folder / NAME).open("ab", buffering=0)
        try:
            self.rows = self._taken(folder, settings, writer)
        except BaseException:
            self._stream.close()
            raise

    def _taken(self, folder: Path, settings: BatchSettings, writer: str) -> dict[RowKey, ResultRow]:
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalConflict(f"{folder}: another batch is working on this folder") from None
        stored = read_journal(folder / NAME)
        if stored.settings is not None:
            difference = settings.difference(stored.settings)
            if difference is not None:
                raise JournalConflict(f"{folder}: holds {difference}; choose another folder")
        self._stream.truncate(stored.length)
        if stored.settings is None or stored.settings.configurations != settings.configurations:
            known = {c.name: c for c in (*(stored.settings or settings).configurations, *settings.configurations)}
            everything = BatchSettings(
                settings.time_limit, settings.memory_limit, settings.replay, tuple(known.values()), settings.parameters
            )
            header = {"format": FORMAT, "schema": SCHEMA, "writer": writer, "settings": everything.to_json()}
            self._append(header)
        return stored.rows

    def add(self, row: ResultRow) -> None:
        """Write a row and synchronise the file. Raises `OSError`."""
        self.rows[row.key] = row
        self._append(row.to_json())

    def _append(self, value: dict[str, object]) -> None:
        self._stream.write(compact(value).encode() + b"\n")
        os.fsync(self._stream.fileno())

    def close(self) -> None:
        self._stream.close()
