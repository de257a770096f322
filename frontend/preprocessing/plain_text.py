"""Text without comments, and where its lines come from; nothing here needs a preprocessor."""

from __future__ import annotations

import re

from core.pattern import pattern
from frontend.parsing.tokens import LINE_COMMENT, SPLICE

BLANKED = pattern(
    rf"""(?P<kept>"(?:[^"\\\n]|{SPLICE}|\\.)*"|'(?:[^'\\\n]|{SPLICE}|\\.)*')
      | (?P<comment>/\*(?s:.*?)\*/|{LINE_COMMENT})
      | (?P<marker>^[ \t]*(?:\#|%:)[ \t]*(?:line[ \t]+)?[0-9][^\n]*)
      | (?<!<)%:(?:%:)?""",
    re.VERBOSE | re.MULTILINE,
)
_DIGRAPHS = {"%:": "# ", "%:%:": "##  "}  # as long: what is behind them stays in its column
_SPLICE = pattern(SPLICE)
_NOT_PLAIN = pattern(rf"\#|%:|\b_Pragma\b|{SPLICE}")


def blanked(text: str) -> str:
    """Comments and line markers become blanks, the digraph `%:` becomes `#`.

    A comment that a directive ends in continues the directive.
    """
    if "%:" in text:
        text = BLANKED.sub(lambda match: _DIGRAPHS.get(match[0], match[0]), text)
    parts: list[str] = []
    position, directive = 0, False  # where the last comment ends, and whether in a directive
    for match in BLANKED.finditer(text):
        if match["kept"]:
            continue
        between = text[position : match.start()]
        _, newline, line = _SPLICE.sub("", between).rpartition("\n")
        directive = (directive and not newline) or line.lstrip().startswith("#")
        parts += [between, re.sub(r"[^\n]", " ", match[0]).replace("\n", "\\\n" if directive else "\n")]
        position = match.end()
    return re.sub(r"[\f\v\r\x1c-\x1e\x85\u2028\u2029]", " ", "".join([*parts, text[position:]]))


def line_marker(line: int, file: str) -> str:
    """The directive that says where the lines behind it come from."""
    escaped = file.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line {line} "{escaped}"\n'


def is_plain(text: str) -> bool:
    """Whether a text without comments has no directives, pragmas and lines that go on in the next one."""
    return _NOT_PLAIN.search(text) is None
