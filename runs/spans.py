"""Serialisation of places in source text."""

from __future__ import annotations

from core.program.span import Span
from runs.jsondata import as_int, as_row, as_str


def encode_span(span: Span | None) -> list[object] | None:
    return None if span is None else [span.file, span.line, span.column, span.end_line, span.end_column]


def decode_span(value: object) -> Span:
    """A span from `[file, line, column, end line, end column]`. Raises `Malformed`."""
    file, *numbers = as_row(value, 5)
    line, column, end_line, end_column = map(as_int, numbers)
    return Span(as_str(file), line, column, end_line, end_column)


def decode_optional_span(value: object) -> Span | None:
    """The same, or None for none."""
    return None if value is None else decode_span(value)
