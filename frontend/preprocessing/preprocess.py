"""Preprocessing with pcpp, for texts that have directives.

Lines survive, and so do the columns of lines without macros: comments are blanked in place, and places in other files
are marked with `#line`. A program includes files of its own folder and our small C library headers, and nothing else.
Limitations: the tokens of a macro have the columns of the expanded line, not of the original one.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from frontend.parsing.pragmas import refuse_pragma
from frontend.parsing.tokens import LINE_COMMENT, SPLICE
from frontend.preprocessing.directives import condition
from frontend.preprocessing.macros import MacroExpansion, Tokens
from frontend.source import ParseError, Span, Unsupported, point
from frontend.typed.ctype import DataModel

MOST_TOKENS = 1_000_000
"""Tokens that macro expansion may produce, all together."""
MOST_AT_ONCE = 100_000
"""Tokens that one macro of the text may become."""
MOST_CHARACTERS = 16_000_000
"""Their characters: `#` doubles the backslashes of what it makes a string of."""
MOST_INCLUDES = 500
DEEPEST_INCLUDE = 50
LARGEST_HEADER = 4 * 1024 * 1024
_LIBRARY = "/interplay-library"
"""The folder where pcpp believes the library headers to be."""

_BLANKED = re.compile(
    rf"""(?P<kept>"(?:[^"\\\n]|{SPLICE}|\\.)*"|'(?:[^'\\\n]|{SPLICE}|\\.)*')
      | (?P<comment>/\*(?s:.*?)\*/|{LINE_COMMENT})
      | (?P<marker>^[ \t]*\#[ \t]*(?:line[ \t]+)?[0-9][^\n]*)""",
    re.VERBOSE | re.MULTILINE,
)
_SPLICE = re.compile(SPLICE)
_LONG_SIGNS = frozenset(("->", "-=", "--", "++", "+=", "<<", "<=", "<<=", ">>", ">=", ">>=", "||", "|=", "&&", "&=",
                         "==", "!=", "*=", "/=", "%=", "//", "/*", "##"))  # fmt: skip
_LINE = re.compile(r'^#line (\d+) "(.*)"$', re.MULTILINE)
_SURPRISES = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What pcpp raises at some malformed texts."""


def preprocess(text: str, file: str, data_model: DataModel) -> str:
    """The text without directives and macros, with `#line` markers; ParseError for what cannot be preprocessed."""
    _refuse_renumbering(text, file)
    processor = _Processor(file, data_model)
    output = io.StringIO()
    try:
        processor.parse(_blank(text), os.path.abspath(file))
        processor.write(output)
    except _SURPRISES as error:
        raise ParseError(processor.place, f"malformed directive: {error}") from None
    return _LINE.sub(lambda match: f'#line {match[1]} "{_escaped(processor.name_of(match[2]))}"', output.getvalue())


def _blank(text: str) -> str:
    """Comments and line markers become blanks; a comment that a directive ends in continues the directive."""
    parts: list[str] = []
    position, directive = 0, False  # where the last comment ends, and whether in a directive
    for match in _BLANKED.finditer(text):
        if match["kept"]:
            continue
        between = text[position : match.start()]
        _, newline, line = _SPLICE.sub("", between).rpartition("\n")
        directive = (directive and not newline) or line.lstrip().startswith("#")
        parts += [between, re.sub(r"[^\n]", " ", match[0]).replace("\n", "\\\n" if directive else "\n")]
        position = match.end()
    return re.sub(r"[\f\v\r\x1c-\x1e\x85\u2028\u2029]", " ", "".join([*parts, text[position:]]))


def _refuse_renumbering(text: str, file: str) -> None:
    """Lines are those of the text; a program that computes with others is not what it says."""
    for match in _BLANKED.finditer(text) if re.search(r"\b__LINE__\b", text) else ():
        if match["marker"]:
            raise Unsupported(point(file, text.count("\n", 0, match.start()) + 1, 1), "#line beside __LINE__")


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


@cache
def predefined(data_model: DataModel) -> tuple[str, ...]:
    """The macros that gcc 12 has without a directive, but for floating-point numbers and date: `NAME VALUE`."""
    text = files("resources").joinpath("predefined", f"{data_model.name}.h").read_text("utf-8")
    return tuple(line.removeprefix("#define ") for line in text.splitlines())


@dataclass(frozen=True, slots=True)
class _Condition:
    """The value of a condition as pcpp asks for it."""

    number: int

    def value(self) -> int:
        return self.number


class _Processor(MacroExpansion):
    """pcpp with errors that stop, bounds, and confined includes."""

    def __init__(self, file: str, data_model: DataModel) -> None:
        super().__init__()
        self._file = file
        self._main = os.path.abspath(file)
        self._folder = Path(self._main).parent.resolve()
        self._tokens = self._before = 0
        self._used: Any = None
        self._characters = 0
        self._includes = 0
        self._given: Any = None  # the token given out, and one that waits behind a space
        self._waiting: Any = None
        self.place = point(file, 1, 1)
        # pcpp's own divides like Python and has unsigned characters.
        self.evaluator: Any = lambda tokens, **_names: _Condition(condition(_joined(tokens), data_model))
        self.rewrite_paths: list[tuple[str, str]] = []
        self.path.append(_LIBRARY)
        for name in ("__PCPP__", "__DATE__", "__TIME__"):
            self.undef(self.tokenize(name))
        for definition in (*predefined(data_model), '__DATE__ "??? ?? ????"', '__TIME__ "??:??:??"'):
            self.define(definition)

    def name_of(self, path: str) -> str:
        """The name of a file in messages: beside the main file as that was given."""
        if path == self._main:
            return self._file
        if path.startswith(_LIBRARY + "/"):
            return f"<{path.removeprefix(_LIBRARY + '/')}>"
        return os.path.join(os.path.dirname(self._file), os.path.relpath(path, os.path.dirname(self._main)))

    def on_error(self, file: str, line: int, msg: str) -> None:
        words = " ".join(msg.split())
        if words.startswith("Could not evaluate expression"):
            words = "this condition cannot be evaluated"
        raise ParseError(point(self.name_of(file), line, 1), words)

    def on_file_open(self, is_system_include: bool, includepath: str) -> Any:
        self._includes += 1
        if self._includes > MOST_INCLUDES or self.include_depth > DEEPEST_INCLUDE:
            raise ParseError(self.place, "too many files are included")
        if includepath.startswith(_LIBRARY + "/"):
            return io.StringIO(_library_header(includepath.removeprefix(_LIBRARY + "/")))
        path = Path(includepath)
        if not path.exists():
            raise OSError
        if not path.resolve().is_relative_to(self._folder) or not path.is_file():
            raise ParseError(self.place, "only regular files in the folder of the program can be included")
        if path.stat().st_size > LARGEST_HEADER:
            raise ParseError(self.place, f"an included file has more than {LARGEST_HEADER} bytes")
        return io.StringIO(_blank(path.read_text("utf-8-sig", "replace")))

    def on_include_not_found(self, is_malformed: bool, is_system_include: bool, curdir: str, includepath: str) -> Any:
        complaint = "malformed #include" if is_malformed else f"cannot include {includepath}: there is no such file"
        raise ParseError(self.place, complaint)

    def on_unknown_macro_in_defined_expr(self, tok: Any) -> bool:
        return False

    def on_directive_handle(self, directive: Any, toks: Any, ifpassthru: bool, precedingtoks: Any) -> bool:
        self.place = self._place_of(directive)
        if directive.value in ("define", "undef", "ifdef", "ifndef", "if", "elif", "include") and not toks:
            raise ParseError(self.place, f"#{directive.value} needs something after it")
        if directive.value == "define" and "__VA_OPT__" in [one.value for one in toks]:
            raise Unsupported(self.place, "__VA_OPT__ is not supported")
        if directive.value == "define" and toks[1:] and toks[1].value != "(" and "##" in [one.value for one in toks]:
            raise Unsupported(self.place, "## in a macro without parameters is not supported")
        return True

    def on_directive_unknown(self, directive: Any, toks: Any, ifpassthru: bool, precedingtoks: Any) -> bool:
        self.place = self._place_of(directive)
        words = "".join(str(tok.value) for tok in toks)
        if directive.value == "pragma":
            refuse_pragma(words, self.place)
        if directive.value in ("pragma", "ident", "warning", "line"):
            return True
        raise ParseError(self.place, f"#error {words}" if directive.value == "error" else f"unknown #{directive.value}")

    def on_comment(self, tok: Any) -> bool:
        return False

    def macro_expand_args(self, macro: Any, args: Any) -> Any:
        """pcpp's, which doubles all backslashes of what `#` makes a string of, not only those in literals."""
        for number, _ in macro.str_patch:
            for token in args[number]:
                if "\\" in token.value and token.value[-1] not in "\"'":
                    raise Unsupported(self._place_of(token), "a backslash outside of literals is not made a string of")
        return super().macro_expand_args(macro, args)

    def token(self) -> Any:
        """The next token of the output, after a space where it would become one with that before it."""
        token, self._waiting = self._waiting or super().token(), None
        if token and self._given and _merges(self._given.value, token.value):
            self._waiting = token
            token = copy(token)
            token.type, token.value = "CPP_WS", " "
        self._given = token
        return token

    def begins(self, token: Any) -> None:
        self._before, self._used = self._tokens, token

    def spent(self, tokens: Tokens) -> None:
        self._tokens += len(tokens)
        self._characters += sum(len(token.value) for token in tokens)
        if self._characters > MOST_CHARACTERS:
            raise ParseError(self.place, f"macros expand to more than {MOST_CHARACTERS} characters")
        if self._tokens - self._before > MOST_AT_ONCE:
            place = self.place if self._used is None else self._place_of(self._used)
            raise ParseError(place, f"a macro expands to more than {MOST_AT_ONCE} tokens")
        if self._tokens > MOST_TOKENS:
            raise ParseError(self.place, f"macros expand to more than {MOST_TOKENS} tokens")

    def _place_of(self, token: Any) -> Span:
        return point(self.name_of(token.source or self._main), token.lineno, 1)


def _merges(left: str, right: str) -> bool:
    """Whether two signs that macros brought together would be read as one, such as those of `-N` where N is `-x`."""
    return left + right[:1] in _LONG_SIGNS


def _joined(tokens: Sequence[Any]) -> str:
    values = [str(token.value) for token in tokens]
    return "".join(f" {b}" if _merges(a, b) else b for a, b in pairwise(["", *values]))


def _library_header(name: str) -> str:
    """The text of one of our headers; OSError where there is none of that name."""
    if not re.fullmatch(r"(?:sys/)?[a-z0-9]+\.h", name):
        raise OSError
    return files("resources").joinpath("include", *name.split("/")).read_text("utf-8")
