"""A journal of results as JSON lines: a measurement that was cut off goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

Row = Mapping[str, object]


class Journal:
    """A journal: rows by key. `path` None keeps them in memory only. The last row of a key counts."""

    def __init__(self, path: Path | None, key: str) -> None:
        self._path = path
        self._key = key
        self.rows: dict[str, Row] = {}
        if path is not None and path.exists():
            _mend(path)
            for row in _read(path):
                self.rows[str(row[key])] = row

    def __contains__(self, name: str) -> bool:
        return name in self.rows

    def add(self, row: Row) -> None:
        """Note a row at once and for good."""
        self.rows[str(row[self._key])] = row
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(row) + "\n")


def _mend(path: Path) -> None:
    """Drop the line that was being written when the last run was cut off."""
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        path.write_bytes(data[: data.rfind(b"\n") + 1])


def _read(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def cell(row: Row) -> str:
    """A run in a table: its CPU seconds, and its verdict if it is not `true`."""
    note = "" if row["verdict"] == "true" else f" {row['verdict']}"
    return f"{float(str(row['cpu'])):.2f}{note}"
