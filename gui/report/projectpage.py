"""The page of a project: a row for each file and each of its checks, a column for each property."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from gui.model.glance import GlanceCell, GlanceLine, ProjectProgram, lines_below, program_line
from gui.theme import LIGHT, tint_of
from interplay.batch.rows import ResultRow, RowKey
from interplay.presentation.record.summary import Tone

_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body {{ font: 14px sans-serif; margin: 2em }} table {{ border-collapse: collapse }}
td, th {{ border: 1px solid {line}; padding: 3px 8px; text-align: left; vertical-align: top }}
.check td:first-child {{ padding-left: 2em; font-family: monospace }} .file {{ background: {raised}; font-weight: 600 }}
{tones}</style>
<h1>{title}</h1><p>{words}</p>
<table><tr><th>File and check</th>{columns}<th>Engine</th></tr>
{rows}
</table></html>
"""


def project_page(
    title: str,
    words: str,
    columns: Sequence[str],
    programs: Iterable[ProjectProgram],
    rows: Mapping[RowKey, ResultRow],
    old: frozenset[RowKey],
) -> str:
    """The page, with nothing from elsewhere. `words` sum it up, `old` are answers to other texts."""
    names = sorted({tint_of(tone) for tone in _tones(programs, rows, old)})
    return _PAGE.format(
        title=escape(title),
        words=escape(words),
        line=LIGHT.line,
        raised=LIGHT.raised,
        tones="".join(f".{name} {{ color: {LIGHT.named(name).name()} }}\n" for name in names),
        columns="".join(f"<th>{escape(column)}</th>" for column in columns),
        rows="\n".join(_row(line, kind, columns) for program in programs for line, kind in _lines(program, rows, old)),
    )


def _lines(
    program: ProjectProgram, rows: Mapping[RowKey, ResultRow], old: frozenset[RowKey]
) -> Iterator[tuple[GlanceLine, str]]:
    yield program_line(program, rows, {}, old), "file"
    yield from ((line, "check") for line in lines_below(program, rows, old))


def _tones(
    programs: Iterable[ProjectProgram], rows: Mapping[RowKey, ResultRow], old: frozenset[RowKey]
) -> Iterator[Tone]:
    for program in programs:
        yield from (cell.tone for line, _ in _lines(program, rows, old) for cell in line.cells.values())


def _row(line: GlanceLine, kind: str, columns: Sequence[str]) -> str:
    cells = "".join(_cell(line.cells.get(column)) for column in columns)
    return f'<tr class="{kind}"><td>{escape(line.title)}</td>{cells}<td>{escape(line.engine)}</td></tr>'


def _cell(cell: GlanceCell | None) -> str:
    if cell is None:
        return "<td></td>"
    return f'<td class="{tint_of(cell.tone)}" title="{escape(cell.words)}">{escape(cell.word)}</td>'
