"""Preprocessing with pcpp, for texts that have directives.

Lines survive, and so do the columns of lines without macros: comments are blanked in place, and places in other files
are marked with `#line`. A program includes files of its own folder and our small C library headers, and nothing else.
Limitations: the tokens of a macro have the columns of the expanded line, not of the original one.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pcpp.preprocessor import Preprocessor

from frontend.ctype import DataModel
from frontend.pragmas import refuse_pragma
from frontend.source import ParseError, Span, point

MOST_TOKENS = 1_000_000
"""Tokens that macro expansion may produce, all together."""
MOST_CHARACTERS = 16_000_000
"""Their characters: `#` doubles the backslashes of what it makes a string of."""
MOST_INCLUDES = 500
DEEPEST_INCLUDE = 50
LARGEST_HEADER = 4 * 1024 * 1024
_LIBRARY = "/interplay-library"
"""The folder where pcpp believes the library headers to be."""

_BLANKED = re.compile(
    r"""(?P<kept>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<comment>/\*(?s:.*?)\*/|//[^\n]*)
      | (?P<marker>^[ \t]*\#[ \t]*(?:line[ \t]+)?[0-9][^\n]*)""",
    re.VERBOSE | re.MULTILINE,
)
_LINE = re.compile(r'^#line (\d+) "(.*)"$', re.MULTILINE)
_SURPRISES = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What pcpp raises at some malformed texts."""


def preprocess(text: str, file: str, data_model: DataModel) -> str:
    """The text without directives and macros, with `#line` markers; ParseError for what cannot be preprocessed."""
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

    def blank(match: re.Match[str]) -> str:
        if match["kept"]:
            return match[0]
        start = text.rfind("\n", 0, match.start()) + 1
        directive = text[start : match.start()].lstrip().startswith("#")
        return re.sub(r"[^\n]", " ", match[0]).replace("\n", "\\\n" if directive else "\n")

    return re.sub(r"[\f\v\r\x1c-\x1e\x85\u2028\u2029]", " ", _BLANKED.sub(blank, text))


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def _predefined(data_model: DataModel) -> Sequence[str]:
    wide = data_model is DataModel.LP64
    return (
        "__STDC__ 1",
        "__STDC_VERSION__ 201112L",
        "__STDC_HOSTED__ 1",
        "__CHAR_BIT__ 8",
        "__INT_MAX__ 2147483647",
        "__LONG_MAX__ 9223372036854775807L" if wide else "__LONG_MAX__ 2147483647L",
        "__SIZE_TYPE__ unsigned long" if wide else "__SIZE_TYPE__ unsigned int",
        "__PTRDIFF_TYPE__ long" if wide else "__PTRDIFF_TYPE__ int",
        "__WCHAR_TYPE__ int" if wide else "__WCHAR_TYPE__ long",
        "__INT64_TYPE__ long" if wide else "__INT64_TYPE__ long long",
        "__SIZEOF_POINTER__ 8" if wide else "__SIZEOF_POINTER__ 4",
        "__SIZEOF_LONG__ 8" if wide else "__SIZEOF_LONG__ 4",
        "__x86_64__ 1" if wide else "__i386__ 1",
        *(["__LP64__ 1"] if wide else []),
        '__DATE__ "??? ?? ????"',
        '__TIME__ "??:??:??"',
    )


class _Processor(Preprocessor):  # type: ignore[misc]
    """pcpp with errors that stop, bounds, and confined includes."""

    def __init__(self, file: str, data_model: DataModel) -> None:
        super().__init__()
        self._file = file
        self._main = os.path.abspath(file)
        self._folder = Path(self._main).parent.resolve()
        self._tokens = 0
        self._characters = 0
        self._includes = 0
        self.place = point(file, 1, 1)
        evaluate: Any = self.evaluator

        def bounded(tokens: Any, **names: Any) -> Any:
            _refuse_wide_shifts("".join(token.value for token in tokens))
            return evaluate(tokens, **names)

        self.evaluator: Any = bounded
        self.rewrite_paths: list[tuple[str, str]] = []
        self.path.append(_LIBRARY)
        for name in ("__PCPP__", "__DATE__", "__TIME__"):
            self.undef(self.tokenize(name))
        for definition in _predefined(data_model):
            self.define(definition)

    def name_of(self, path: str) -> str:
        """What a file is called in messages: beside the main file as that was given."""
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

    def on_unknown_macro_in_expr(self, ident: str) -> int:
        return 0

    def on_unknown_macro_function_in_expr(self, ident: str) -> Callable[[object], int]:
        return lambda _argument: 0

    def on_directive_handle(self, directive: Any, toks: Any, ifpassthru: bool, precedingtoks: Any) -> bool:
        self.place = self._place_of(directive)
        if directive.value in ("define", "undef", "ifdef", "ifndef", "if", "elif", "include") and not toks:
            raise ParseError(self.place, f"#{directive.value} needs something after it")
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

    def expand_macros(self, tokens: Any, expanding_from: Any = ()) -> Any:
        """pcpp's expansion, with a bound on what it produces."""
        expanded = super().expand_macros(tokens, list(expanding_from))
        self._tokens += len(expanded)
        self._characters += sum(len(token.value) for token in expanded)
        if self._characters > MOST_CHARACTERS:
            raise ParseError(self.place, f"macros expand to more than {MOST_CHARACTERS} characters")
        if self._tokens > MOST_TOKENS:
            raise ParseError(self.place, f"macros expand to more than {MOST_TOKENS} tokens")
        return expanded

    def _place_of(self, token: Any) -> Span:
        return point(self.name_of(token.source or self._main), token.lineno, 1)


def _refuse_wide_shifts(condition: str) -> None:
    """ArithmeticError for a shift by anything but a small number: pcpp makes numbers of any size of it."""
    for part in condition.split("<<")[1:]:
        distance = re.match(r"\s*([0-9]+)[uUlL]*\s*(?:$|[^\w\s*/%+-])", part)
        if distance is None or int(distance[1][:4]) > 63:
            raise ArithmeticError(part)


def _library_header(name: str) -> str:
    """The text of one of our headers; OSError where there is none of that name."""
    if not re.fullmatch(r"(?:sys/)?[a-z0-9]+\.h", name):
        raise OSError
    return files("resources").joinpath("include", *name.split("/")).read_text("utf-8")
