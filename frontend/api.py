"""The interface of the front end: C text to the typed tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from frontend.options import Acsl
from frontend.source import ParseError, point
from frontend.typed.ctype import DataModel
from frontend.typed.tree import TranslationUnit

if TYPE_CHECKING:
    from frontend.elaboration.instrumentation import Instrumentation
    from frontend.parsing.prepass import Prepared
    from frontend.parsing.tokens import Markers

T = TypeVar("T")

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes that a source file may have."""

_DIRECTIVE = re.compile(
    r"(?:^|\*/)[ \t\f\v]*#(?:[ \t\f\v]|/\*.*?\*/|\\\n)*"
    r"(?:include|include_next|import|embed|define|undef|if|ifn?def|elif|elifn?def|else|endif|error|warning)\b",
    re.M,
)
_PREDEFINED = re.compile(
    r"\b__(?:LINE|FILE|COUNTER|DATE|TIME|STDC(?:_\w+)?|CHAR_BIT|U?\w+_(?:MAX|MIN|TYPE|WIDTH)|U?INT(?:8|16|32|64|MAX)_C"
    r"|SIZEOF_\w+|I?LP(?:32|64)|BYTE_ORDER|ORDER_\w+|GNUC\w*|linux|unix|i386|x86_64)(?:__|\b)"
)
"""Macros that are there without a directive."""


def read_source(path: Path) -> str:
    """The text of a source file; ParseError where it cannot be read, is no regular file or is too large."""
    where = point(str(path), 1, 1)
    try:
        if not path.is_file():
            raise ParseError(where, "there is no such file")
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ParseError(where, error.strerror or "the file cannot be read") from None
    if len(data) > LARGEST_FILE:
        raise ParseError(where, f"the file has more than {LARGEST_FILE} bytes")
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def parse_program(
    text: str,
    file: str,
    data_model: DataModel,
    acsl: Acsl = Acsl.IGNORED,
    instrumentation: Instrumentation | None = None,
) -> TranslationUnit:
    """The typed tree of a translation unit.

    `file` names the text in places and says where its `#include "…"` are looked for. A FrontendError says what is wrong
    with the text, and where. `acsl` says whether its annotations are claims or comments; `instrumentation` adds to the
    tree.
    """
    # Only what a run needs is imported, since starting up counts.
    from frontend.elaboration.unit import elaborate
    from frontend.parsing.parse import parse
    from frontend.parsing.tokens import annotations_of

    def work() -> TranslationUnit:
        prepared = _prepared(text, file, data_model)
        annotations = annotations_of(text, file, _markers(text)) if acsl is Acsl.READ else ()
        return elaborate(prepared, parse(prepared), data_model, annotations, instrumentation)

    return _on_large_stack(work, file)


def parse_syntax(text: str, file: str, data_model: DataModel) -> int:
    """The number of external declarations in the text; a FrontendError where it does not parse.

    Types are not checked.
    """
    from frontend.parsing.parse import parse

    return _on_large_stack(lambda: len(parse(_prepared(text, file, data_model))), file)


def _prepared(text: str, file: str, data_model: DataModel) -> Prepared:
    from frontend.parsing.prepass import prepare
    from frontend.parsing.tokens import Markers, tokens_of

    source, markers = text, _markers(text)
    if markers is Markers.FOLLOWED:
        from frontend.preprocessing.preprocess import preprocess

        source = preprocess(text, file, data_model)
    return prepare(tokens_of(source, file, markers), file)


def _markers(text: str) -> Markers:
    """Whether the text must be preprocessed, which leaves markers in it."""
    from frontend.parsing.tokens import Markers

    return Markers.FOLLOWED if _DIRECTIVE.search(text) or _PREDEFINED.search(text) else Markers.IGNORED


def _on_large_stack(work: Callable[[], T], file: str) -> T:
    from frontend.large_stack import run_on_large_stack

    try:
        return run_on_large_stack(work)
    except RecursionError:
        raise ParseError(point(file, 1, 1), "nested too deeply") from None
