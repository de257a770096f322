"""Syntax highlighting of C: one regular expression for a line, one state for comments over several lines."""

from __future__ import annotations

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from core.pattern import pattern
from gui.theme import Colours

_KEYWORDS = (
    "auto break case const continue default do else enum extern for goto if inline register restrict return sizeof "
    "static struct switch typedef union volatile while _Alignas _Alignof _Generic _Noreturn _Static_assert "
    "__attribute__ __extension__ __inline __restrict __typeof__ asm"
)
_TYPES = (
    "void char short int long float double signed unsigned _Bool bool size_t ssize_t ptrdiff_t "
    "u?int(?:8|16|32|64|ptr|max)_t __builtin_va_list __int128"
)


def _words(text: str) -> str:
    return rf"\b(?:{'|'.join(text.split())})\b"


_TOKEN = pattern(
    "|".join(
        (
            r"(?P<comment>//.*)",
            r"(?P<opening>/\*)",
            r'(?P<text>"(?:[^"\\]|\\.)*"?|\'(?:[^\'\\]|\\.)*\'?)',
            r"(?P<directive>^\s*#\s*\w+.*)",
            rf"(?P<keyword>{_words(_KEYWORDS)})",
            rf"(?P<kind>{_words(_TYPES)})",
            r"(?P<number>\b(?:0[xX][0-9a-fA-F]+|\d[\d.]*(?:[eE][+-]?\d+)?)[uUlLfF]*\b)",
        )
    )
)
_STYLED = ("comment", "text", "directive", "keyword", "kind", "number")
_PLAIN, _IN_COMMENT = 0, 1


class CHighlighter(QSyntaxHighlighter):
    """Highlights a document in the colours given; `recolour` takes others."""

    def __init__(self, document: QTextDocument, colours: Colours) -> None:
        super().__init__(document)
        self._formats = _formats(colours)

    def recolour(self, colours: Colours) -> None:
        self._formats = _formats(colours)
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:  # noqa: N802 - Qt's name
        position = 0
        if self.previousBlockState() == _IN_COMMENT:
            position = self._comment(text, 0, 0)
        else:
            self.setCurrentBlockState(_PLAIN)
        while position < len(text):
            match_ = _TOKEN.search(text, position)
            if match_ is None:
                return
            kind = match_.lastgroup or ""
            if kind == "opening":
                position = self._comment(text, match_.start(), match_.end())
                continue
            self.setFormat(match_.start(), match_.end() - match_.start(), self._formats[kind])
            position = max(match_.end(), position + 1)

    def _comment(self, text: str, start: int, inside: int) -> int:
        """Style a comment that begins at `start`; the position after it."""
        end = text.find("*/", inside)
        closed = end >= 0
        stop = end + 2 if closed else len(text)
        self.setFormat(start, stop - start, self._formats["comment"])
        self.setCurrentBlockState(_PLAIN if closed else _IN_COMMENT)
        return stop


def _formats(colours: Colours) -> dict[str, QTextCharFormat]:
    formats: dict[str, QTextCharFormat] = {}
    for name in _STYLED:
        style = QTextCharFormat()
        style.setForeground(QColor(colours.named(name)))
        style.setFontItalic(name == "comment")
        if name == "keyword":
            style.setFontWeight(QFont.Weight.DemiBold)
        formats[name] = style
    return formats
