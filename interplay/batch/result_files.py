"""The result files of a batch, `results.jsonl`, `results.csv` and others, and the rows read from them."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from interplay.batch.journal import NAME, read_journal
from interplay.batch.rows import ResultRow, read_row
from runs.jsondata import Malformed, compact, parse

TABLE, PAGE, PLOT = "results.csv", "index.html", "quantile.svg"


def json_lines(rows: Iterable[ResultRow]) -> str:
    return "".join(f"{compact(row.to_json())}\n" for row in rows)


def comma_separated(rows: Iterable[ResultRow]) -> str:
    """The rows as CSV (RFC 4180): a header and a line per row, without checks and texts; assumptions are separated by
    semicolons.
    """
    out = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        values = {**row.to_json(), "assumptions": "; ".join(row.assumptions)}
        del values["checks"], values["texts"]
        if writer is None:
            writer = csv.DictWriter(out, list(values))
            writer.writeheader()
        writer.writerow({name: _harmless(value) for name, value in values.items()})
    return out.getvalue()


def _harmless(value: object) -> object:
    """A value escaped for spreadsheets, which would take some texts for formulas."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises `OSError`."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    temporary.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
    temporary.replace(path)


def read_rows(path: Path) -> Sequence[ResultRow]:
    """The rows of a batch: of its folder, also while it is running, or of a `results.jsonl`.

    Raises `Malformed`, with the line, and `OSError`.
    """
    if path.is_dir():
        return list(read_journal(path / NAME).rows.values())
    rows: list[ResultRow] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            rows.append(read_row(parse(line)))
        except Malformed as error:
            raise Malformed(f"{path}:{number}:1: {error}") from None
    return rows
