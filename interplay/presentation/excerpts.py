"""Messages as compilers print them: the place, the message, then the line of the source with a mark below."""

from __future__ import annotations

from pathlib import Path

from core.program.span import Span
from frontend.api import read_source
from frontend.source import FrontendError

_LONGEST = 160  # characters of a line that are shown


def error_lines(severity: str, message: str, span: Span) -> list[str]:
    """The lines of a message. That of the source is left out where the file is not there any more."""
    first = f"{span}: {severity}: {message}"
    return [first, *(_excerpt(span) if severity == "error" else ())]


def _excerpt(span: Span) -> list[str]:
    try:
        return excerpt(read_source(Path(span.file)), span.line, span.column)
    except (FrontendError, OSError, ValueError):
        return []


def excerpt(text: str, line: int, column: int) -> list[str]:
    """A line of a text, and below it the mark of a column; nothing where the text has no such line, or a long one."""
    lines = text.split("\n")
    if not 0 < line <= len(lines) or len(lines[line - 1]) > _LONGEST:
        return []
    shown = lines[line - 1]
    mark = "".join("\t" if one == "\t" else " " for one in shown[: column - 1]) + "^"
    return [f"    {shown}", *([f"    {mark}"] if 0 < column <= len(shown) else [])]
