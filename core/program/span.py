"""Places in source text."""

from __future__ import annotations

from core.dataclass import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of a source file: 1-based lines and columns, the end exclusive. Column 0 means unknown."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


def behind(span: Span | None) -> Span | None:
    """The last character of a piece of text, where all that it declares can be named."""
    if span is None or not span.end_column:
        return span
    return Span(span.file, span.end_line, max(1, span.end_column - 1), span.end_line, span.end_column)
