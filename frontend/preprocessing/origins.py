"""Places in messages about preprocessed text: columns of the line as it is written, and the chain of includes.

The tokens of a line with macros have columns of what it expands to. A word that the written line has as often as the
expanded one is found again; others are placed at the first macro of the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from core.pattern import pattern
from core.program.span import Span
from frontend.preprocessing.preprocess import Preprocessed, included_from
from frontend.source import FrontendError

_MARKER = pattern(r'#line (\d+) "(.*)"$')
_WORD = pattern(r"[A-Za-z_$][\w$]*|[0-9][\w.]*|\S")


def with_origins(
    error: FrontendError, origins: Mapping[str, Preprocessed], line_of: Callable[[str, int], str | None]
) -> FrontendError:
    """The error, and those beside it, with places as written; `origins` has the preprocessed texts by their files."""
    one = _with_origin(error, origins, line_of)
    one.others = tuple(_with_origin(other, origins, line_of) for other in error.others)
    return one


def _with_origin(
    error: FrontendError, origins: Mapping[str, Preprocessed], line_of: Callable[[str, int], str | None]
) -> FrontendError:
    span, message = error.span, error.message
    for text in origins.values():
        expanded = next(_lines(text.text, span.file, span.line), None)
        written = line_of(span.file, span.line)
        if expanded is not None and written is not None and span.column:
            span = _as_written(span, expanded, written)
            break
    message += next(
        (chain for text in origins.values() if (chain := included_from(error.span.file, text.included))), ""
    )
    return error if (span, message) == (error.span, error.message) else type(error)(span, message)


def _lines(text: str, file: str, line: int) -> Iterator[str]:
    """The lines of preprocessed text that come from a line of a file."""
    at, index = "", 1
    for row in text.split("\n"):
        marker = _MARKER.match(row)
        if marker:
            at, index = re.sub(r"\\(.)", r"\1", marker[2]), int(marker[1])
            continue
        if (at, index) == (file, line):
            yield row
        index += 1


def _as_written(span: Span, expanded: str, written: str) -> Span:
    before = [match for match in _WORD.finditer(expanded) if match.start() < span.column]
    if not before or before[-1].start() != span.column - 1:
        return span
    word = before[-1].group()
    own = [match.start() for match in _WORD.finditer(written) if match.group() == word]
    all_ = [match.start() for match in _WORD.finditer(expanded) if match.group() == word]
    column = (own[all_.index(span.column - 1)] if len(own) == len(all_) else _first_macro(written, expanded)) + 1
    return span if column == span.column else replace(span, column=column, end_line=span.line, end_column=column)


def _first_macro(written: str, expanded: str) -> int:
    """The begin of the word in which the lines first differ."""
    pairs = enumerate(zip(written, expanded, strict=False))
    same = next((at for at, (one, other) in pairs if one != other), min(len(written), len(expanded)))
    words = [match.start() for match in _WORD.finditer(written) if match.start() <= same]
    return words[-1] if words else 0
