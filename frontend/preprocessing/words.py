"""The words of a text before its macros are expanded: preprocessing tokens (C11 6.4), in place of those of pcpp.

pcpp reads integers where the standard has *preprocessing numbers*: `1.5F` is four words there, and the last one may be
a macro. Here what begins as a number is one word, and so is a literal with its prefix.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from copy import copy
from functools import lru_cache

from core.pattern import pattern

_NUMBER = r"\.?[0-9](?:[eEpP][+-]|[\w.$])*"
_PREFIX = r"(?:u8|[uUL])"
_WORD = pattern(
    rf"""(?P<CPP_WS>[ \t]+|\n)
  | (?P<CPP_STRING>{_PREFIX}?"(?:[^"\\\n]|\\[ \t]*\n|\\.)*")
  | (?P<CPP_CHAR>{_PREFIX}?'(?:[^'\\\n]|\\[ \t]*\n|\\.)*')
  | (?P<CPP_ID>[^\W0-9][\w$]*|\$[\w$]*)
  | (?P<CPP_NUMBER>{_NUMBER})
  | (?P<CPP_LINECONT>\\[ \t]*\n)
  | (?P<CPP_COMMENT1>/\*(?s:.*?)\*/)
  | (?P<CPP_COMMENT2>//[^\n]*)
  | (?P<CPP_DPOUND>\#\#)
  | (?P<CPP_SIGN><<=|>>=|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^<>=!]=|.)""",
    re.VERBOSE,
)
_SPLICE = pattern(r"\\[ \t]*\n")
_BETWEEN = pattern(r"(?<=\S)(?:\\[ \t]*\n)+(?=\S)")
_RUN = pattern(r"[\w$]+")
_LONG_SIGNS = frozenset(("->", "-=", "--", "++", "+=", "<<", "<=", "<<=", ">>", ">=", ">>=", "||", "|=", "&&", "&=",
                         "==", "!=", "*=", "/=", "%=", "//", "/*", "##"))  # fmt: skip
_LONGER = pattern(rf"{_NUMBER}|[\w$]+|{_PREFIX}[\"']")


class Word:
    """A word of a text as pcpp has it; macro expansion adds attributes."""

    type: str | None
    value: str
    lineno: int
    source: str

    def __init__(self, kind: str, text: str, line: int, source: str = "") -> None:
        self.type, self.value, self.lineno, self.source = kind, text, line, source


def words(text: str, line: int, source: str = "") -> Iterator[Word]:
    """The words of a text that begins in this line; a word that goes on in the next line is one."""
    joins: list[int] = []  # where lines end in the text without the continuations that words go on behind
    if "\n" in text:
        text = _joined(text, joins)
    for found in _WORD.finditer(text):
        kind, word = found.lastgroup or "", found[0]
        lines = word.count("\n")
        at = line + bisect_right(joins, found.start()) if joins else line
        line += lines
        if lines and kind != "CPP_WS":
            word = word[1:-1] if kind == "CPP_LINECONT" else _SPLICE.sub("", word)
        yield Word(kind, word, at, source)


def _joined(text: str, joins: list[int]) -> str:
    """The text without continuations between two signs; the places of these are added to `joins`."""
    parts: list[str] = []
    position = length = 0
    for found in _BETWEEN.finditer(text):
        parts.append(text[position : found.start()])
        length += len(parts[-1])
        position = found.end()
        joins += [length] * found[0].count("\n")
    return "".join([*parts, text[position:]])


class Lexer:
    """A source of words as pcpp uses one: `input`, `token` until that is None, and `clone`."""

    def __init__(self) -> None:
        self._words: Iterator[Word] = iter(())

    def input(self, text: str) -> None:
        self._words = words(text, 1)

    def token(self) -> Word | None:
        return next(self._words, None)

    def clone(self) -> Lexer:
        return copy(self)


@lru_cache(100_000)
def possible_names(line: str) -> frozenset[str]:
    """The names that a line has, and numbers and parts of literals among them."""
    return frozenset(_RUN.findall(line))


def merges(left: str, right: str) -> bool:
    """Whether two words that macros brought together would be read as one, such as `-N` where N is `-x`."""
    both = left + right[:1]
    return both in _LONG_SIGNS or (left != "" and _LONGER.fullmatch(both) is not None)
