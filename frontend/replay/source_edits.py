"""Places in C text by line and column, the tokens from there on, and edits that keep every other place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import accumulate, takewhile

from core.dataclass import dataclass
from core.pattern import pattern
from core.program.span import Span
from frontend.parsing.tokens import LINE_COMMENT, SPLICE

_TOKEN = pattern(
    rf"(?P<blank>\s+|/\*.*?\*/|{LINE_COMMENT}|{SPLICE})"
    r"|(?P<literal>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<word>[A-Za-z_]\w*)|(?P<other>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class TextToken:
    """A token and where it begins; blanks and comments are no tokens."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_MARKER = pattern(r'#line (\d+) "(.*)"$')


def marked_lines(text: str) -> dict[tuple[str, int], int]:
    """The offset at which each line begins of preprocessed text, in which `#line` says where the lines come from."""
    lines: dict[tuple[str, int], int] = {}
    file, line = "", 1
    for start in _starts(text):
        end = text.find("\n", start)
        marker = _MARKER.match(text[start : end if end >= 0 else len(text)])
        if marker:
            file, line = re.sub(r"\\(.)", r"\1", marker[2]), int(marker[1])
        else:
            lines.setdefault((file, line), start)
            line += 1
    return lines


def _starts(text: str) -> Iterator[int]:
    yield 0
    for match in re.finditer("\n", text):
        yield match.end()


@dataclass(slots=True)
class Text:
    """C text under edit. Edits are made at offsets of the original text and applied at the end."""

    original: str
    _lines: Mapping[tuple[str, int], int] = field(default_factory=dict)
    _edits: list[tuple[int, int, str]] = field(default_factory=list)

    def offset(self, span: Span) -> int | None:
        """The offset where the span begins; None where the text has no such place."""
        start = self._lines.get((span.file, span.line))
        if start is None or not span.column:
            return None
        found = start + span.column - 1
        return found if found < len(self.original) else None

    def words(self, offset: int = 0) -> Iterator[TextToken]:
        """The tokens from `offset` on, single characters for operators."""
        for match in _TOKEN.finditer(self.original, offset):
            if match.lastgroup != "blank":
                yield TextToken(match.group(), match.start())

    def word_at(self, span: Span, expected: str) -> TextToken | None:
        """The word `expected` where the span begins; None where the text has something else, as within a macro."""
        offset = self.offset(span)
        if offset is None:
            return None
        word = next(self.words(offset), None)
        return word if word is not None and word.text == expected else None

    def extent(self, span: Span, expected: Sequence[str]) -> tuple[int, int] | None:
        """The offsets where the span begins and ends, of an expression that has the words in this order.

        None where the text has something else, as within a macro.
        """
        start, end = self.offset(span), self.offset(replace(span, line=span.end_line, column=span.end_column))
        if start is None or end is None or start >= end:
            return None
        found = [one.text for one in takewhile(lambda one: one.end <= end, self.words(start))]
        words = iter(found)
        depths = list(accumulate((one in ("(", "[")) - (one in (")", "]")) for one in found))
        is_whole = bool(depths) and min(depths) == depths[-1] == 0 and not {";", "{", "}"} & set(found)
        return (start, end) if is_whole and all(one in words for one in expected) else None

    def replace(self, word: TextToken, text: str) -> None:
        self._edits.append((word.start, word.end, text))

    def remove(self, start: int, end: int) -> None:
        self._edits.append((start, end, ""))

    def insert(self, offset: int, text: str) -> None:
        self._edits.append((offset, offset, text))

    def result(self) -> str:
        """The text with all edits; insertions at one place stay in order."""
        parts: list[str] = []
        position = 0
        for start, end, text in sorted(self._edits, key=lambda edit: edit[:2]):
            parts += [self.original[position:start], text]
            position = max(end, position)
        return "".join([*parts, self.original[position:]])
