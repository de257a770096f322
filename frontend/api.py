"""The interface of the front end: C text to the typed tree."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.pattern import pattern
from frontend.options import STARTED, STARTER, Acsl, SourceFile, Volatile
from frontend.source import Annotation, FrontendError, NoSuchFile, ParseError, Unsupported, point, raise_all
from frontend.typed.ctype import DataModel
from frontend.typed.tree import TranslationUnit

if TYPE_CHECKING:
    from frontend.elaboration.instrumentation import Instrumentation
    from frontend.parsing import syntax
    from frontend.parsing.prepass import Prepared
    from frontend.parsing.tokens import Markers
    from frontend.preprocessing.headers import Headers
    from frontend.preprocessing.preprocess import Preprocessed, ReadHeader

T = TypeVar("T")

Parsed = dict[tuple[str, str, "Markers"], tuple["Prepared", Sequence["syntax.ExternalSyntax"]]]
"""What was parsed, by the name of the file and its text without directives: the syntax has no data model."""

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes that a source file may have."""

_DIRECTIVE = pattern(
    r"(?:^|\*/)[ \t\f\v]*#(?:[ \t\f\v]|/\*.*?\*/|\\\n)*"
    r"(?:include|include_next|import|embed|define|undef|if|ifn?def|elif|elifn?def|else|endif|error|warning)\b",
    re.M,
)
_PREDEFINED = pattern(
    r"\b__(?:LINE|FILE|COUNTER|DATE|TIME|STDC(?:_\w+)?|CHAR_BIT|U?\w+_(?:MAX|MIN|TYPE|WIDTH)|U?INT(?:8|16|32|64|MAX)_C"
    r"|SIZEOF_\w+|I?LP(?:32|64)|BYTE_ORDER|ORDER_\w+|GNUC\w*|linux|unix|i386|x86_64|arm|ARM\w+|CHAR_UNSIGNED)(?:__|\b)"
)
"""Macros that are there without a directive."""
_CPP = frozenset((".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"))


def read_source(path: Path) -> str:
    """The text of a source file; ParseError where it cannot be read, is no text or too large, Unsupported for C++."""
    where = point(str(path), 1, 1)
    try:
        if not path.is_file():
            raise NoSuchFile(where, "there is no such file")
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ParseError(where, error.strerror or "the file cannot be read") from None
    if path.suffix in _CPP:
        raise Unsupported(where, "the file is C++ by its name, and C alone is read")
    if b"\0" in data:
        raise ParseError(where, "the file is no text: it has a null byte")
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
    """The typed tree of a program of one text (see `parse_sources`)."""
    return parse_sources([SourceFile(file, text)], data_model, acsl, instrumentation)


def parse_sources(
    sources: Sequence[SourceFile],
    data_model: DataModel,
    acsl: Acsl = Acsl.IGNORED,
    instrumentation: Instrumentation | None = None,
    read: ReadHeader | None = None,
    volatile: Volatile = Volatile.MEMORY,
    parsed: Parsed | None = None,
) -> TranslationUnit:
    """The typed tree of a program of one or more translation units.

    A FrontendError says what is wrong with the text, and where. `acsl` says whether annotations are claims or comments;
    `instrumentation` adds to the tree; `read` reads headers, by default from files; `volatile` says what reads of
    volatile objects are. What is in `parsed` is not parsed again, and what is parsed is added.
    """
    # Only what a run needs is imported, since starting up counts.
    from frontend.elaboration.interrupts import with_warnings
    from frontend.elaboration.linking import ParsedUnit, elaborate
    from frontend.elaboration.volatile import with_volatile
    from frontend.parsing.tokens import annotations_of
    from frontend.preprocessing.headers import Headers

    found_texts: dict[str, Preprocessed] = {}
    headers = Headers()

    def unit(source: SourceFile) -> ParsedUnit:
        found = annotations_of(source.text, source.file, _markers(source)) if acsl is Acsl.READ else ()
        known: Parsed = {} if parsed is None else parsed
        prepared, declarations = _parsed(source, data_model, read, headers, known, found_texts, found)
        if source.file in found_texts:
            found = found_texts[source.file].annotations
        _refuse_starts(prepared, source)
        return ParsedUnit(prepared, declarations, found, source.removed, source.start)

    def work() -> TranslationUnit:
        units: list[ParsedUnit] = []
        errors: list[FrontendError] = []
        for one in sources:
            try:
                units.append(unit(one))
            except FrontendError as error:
                errors += (error, *error.others)
        if errors and units and all(one.start is None for one in sources):
            # What the others have is told, too. Nothing in a unit is wrong because another one is missing.
            try:
                elaborate(units, data_model, instrumentation)
            except FrontendError as error:
                errors += (error, *error.others)
        raise_all(errors)
        return with_volatile(with_warnings(elaborate(units, data_model, instrumentation)), volatile)

    try:
        with _without_collections():
            return _on_large_stack(work, sources[0].file)
    except FrontendError as error:
        raise _as_written(error, sources, found_texts, read) from None


def _refuse_starts(prepared: Prepared, source: SourceFile) -> None:
    """Refuse a program that has the names of what starts a function: it would be taken for that."""
    own = None if source.start is None else source.start.file
    for token in prepared.tokens:
        if token.text in (STARTER, STARTED) and token.file != own:
            raise Unsupported(point(token.file, token.line, token.column), f"the name {token.text} is taken")


def _as_written(
    error: FrontendError, sources: Sequence[SourceFile], files: Mapping[str, Preprocessed], read: ReadHeader | None
) -> FrontendError:
    """The error with places as the files have them, where text was preprocessed."""
    if not files:
        return error
    from frontend.preprocessing.origins import with_origins
    from frontend.preprocessing.preprocess import header_on_disk

    texts = {one.file: one.text for one in sources}

    def line_of(file: str, line: int) -> str | None:
        lines = (texts.get(file) or (read or header_on_disk)(file) or "").split("\n")
        return lines[line - 1] if 0 < line <= len(lines) else None

    return with_origins(error, files, line_of)


def parse_syntax(sources: Sequence[SourceFile], data_model: DataModel, read: ReadHeader | None = None) -> int:
    """The number of external declarations in the texts; a FrontendError where one does not parse.

    Types are not checked.
    """
    from frontend.preprocessing.headers import Headers

    headers = Headers()

    def work() -> int:
        return sum(len(_parsed(one, data_model, read, headers, {}, {})[1]) for one in sources)

    with _without_collections():
        return _on_large_stack(work, sources[0].file)


@contextmanager
def _without_collections() -> Iterator[None]:
    """No search for garbage while trees grow, of which nothing is garbage: it takes a sixth of the time."""
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_enabled:
            gc.enable()


def _parsed(
    source: SourceFile,
    data_model: DataModel,
    read: ReadHeader | None,
    headers: Headers,
    known: Parsed,
    files: dict[str, Preprocessed],
    annotations: Sequence[Annotation] = (),
) -> tuple[Prepared, Sequence[syntax.ExternalSyntax]]:
    """The tokens of a source file and its external declarations; `known` has those of files that were read before."""
    from frontend.parsing.parse import parse
    from frontend.parsing.prepass import prepare
    from frontend.parsing.tokens import Markers, tokens_of

    text, markers = source.text, _markers(source) if source.start is None else Markers.FOLLOWED
    if markers is Markers.FOLLOWED:
        from frontend.preprocessing.preprocess import header_on_disk, preprocess

        preprocessed = preprocess(source, data_model, read or header_on_disk, headers, annotations)
        text = preprocessed.text
        files[source.file] = preprocessed
    key = source.file, text, markers
    if key not in known:
        prepared = prepare(tokens_of(text, source.file, markers), source.file)
        known[key] = prepared, parse(prepared)
    return known[key]


def _markers(source: SourceFile) -> Markers:
    """Whether the text must be preprocessed, which leaves markers in it."""
    from frontend.parsing.tokens import Markers

    return Markers.FOLLOWED if has_macros(source) else Markers.IGNORED


def has_macros(source: SourceFile) -> bool:
    """Whether the text must be preprocessed: it has directives or names of macros, or options bring some."""
    told = source.preprocessing
    asked = told.define or told.forced or not told.standard.startswith("gnu")
    return bool(asked or "%:" in source.text or _DIRECTIVE.search(source.text) or _PREDEFINED.search(source.text))


def _on_large_stack(work: Callable[[], T], file: str) -> T:
    from frontend.large_stack import run_on_large_stack

    try:
        return run_on_large_stack(work)
    except RecursionError:
        raise ParseError(point(file, 1, 1), "nested too deeply") from None
