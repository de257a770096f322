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
        lines = read_source(Path(span.file)).split("\n")
    except (FrontendError, OSError, ValueError):
        return []
    if not 0 < span.line <= len(lines) or len(lines[span.line - 1]) > _LONGEST:
        return []
    line = lines[span.line - 1]
    mark = "".join("\t" if one == "\t" else " " for one in line[: span.column - 1]) + "^"
    return [f"    {line}", *([f"    {mark}"] if 0 < span.column <= len(line) else [])]
