"""Preprocessing with pcpp, for texts that have directives.

Lines survive, and so do the columns of lines without macros: comments are blanked in place, and places in other files
are marked with `#line`. A program includes files of its own folder, of the folders that the user names, and our C
library headers, and nothing else.
Limitations: the tokens of a macro have the columns of the expanded line, not of the original one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from core.dataclass import dataclass
from core.pattern import pattern
from frontend.options import EntryPoint, Preprocessing, SourceFile, Standard
from frontend.parsing.pragmas import refuse_pragma
from frontend.preprocessing.directives import condition
from frontend.preprocessing.headers import Headers, Inclusion, Line, Work
from frontend.preprocessing.macros import LINE, MacroExpansion, Tokens
from frontend.preprocessing.plain_text import BLANKED, blanked, line_marker
from frontend.preprocessing.words import Word, merges
from frontend.source import Annotation, FrontendError, ParseError, Span, Unsupported, point
from frontend.typed.ctype import DataModel, Target
from resources import resource_text

MAX_TOKENS = 1_000_000
"""Tokens that macro expansion may produce, all together."""
MAX_AT_ONCE = 100_000
"""Tokens that one macro of the text may become."""
MAX_CHARACTERS = 16_000_000
"""Their characters: `#` doubles the backslashes of what it makes a string of."""
MAX_INCLUDES = 500
DEEPEST_INCLUDE = 50
LARGEST_HEADER = 4 * 1024 * 1024
_MAX_BLANK = 6
"""Lines without text that stay."""
_LIBRARY = "/interplay-library"
"""The folder where pcpp believes the library headers to be."""

_CPP_HEADER = pattern(r"[a-z_]+|\w+\.(?:hh|hpp|hxx)")
_INTRINSICS = pattern(r"\w*(?:mm|x86)intrin\.h")
_VERSIONS = {
    Standard.C90: None, Standard.GNU90: None, Standard.C99: "199901L", Standard.GNU99: "199901L",
    Standard.C11: "201112L", Standard.GNU11: "201112L", Standard.C17: "201710L", Standard.GNU17: "201710L",
}  # fmt: skip
_SHORT_WCHAR = {"TYPE": "short unsigned int", "MAX": "0xffff", "MIN": "0", "WIDTH": "16"}
"""Macros about `wchar_t` under `-fshort-wchar`."""
_DIALECT = pattern(r"\?\?[=/'()!<>-]|//\*")
_NOT_STRICT = ("linux", "unix", "i386")
"""Predefined macros of gcc besides names that C reserves."""
_MAIN = pattern(r"""(?P<kept>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^\#line[^\n]*)|\bmain\b""", re.MULTILINE)
_MARK = "interplay_annotation"
"""The pragma that takes the place of an annotation, so that the macros there are known."""
OWN_MAIN = "mai_"
"""The name of a program's own `main` where another function is started."""
_SURPRISES = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""Exceptions of pcpp at some malformed texts."""


ReadHeader = Callable[[str], str | None]
"""Reads a header by its name relative to the current directory; None where there is none. Raises `FrontendError`."""


def header_on_disk(name: str) -> str | None:
    """The text of a header in a file (`ReadHeader`)."""
    path = Path(name)
    if not path.exists():
        return None
    if not path.is_file():
        raise ParseError(point(name, 1, 1), "only regular files can be included")
    if path.stat().st_size > LARGEST_HEADER:
        raise ParseError(point(name, 1, 1), f"an included file has more than {LARGEST_HEADER} bytes")
    return path.read_text("utf-8-sig", "replace")


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """The text without directives and macros, with `#line` markers.

    `included` has the place of the first `#include` of each header, by its name. `annotations` know their macros.
    """

    text: str
    included: Mapping[str, Span]
    annotations: tuple[Annotation, ...] = ()


def preprocess(
    source: SourceFile,
    data_model: DataModel,
    read: ReadHeader = header_on_disk,
    headers: Headers | None = None,
    annotations: Sequence[Annotation] = (),
) -> Preprocessed:
    """Preprocess a text; ParseError for what cannot be preprocessed. `headers` has those that other units read.

    `annotations` stand on lines of their own, and between no conditions.
    """
    _refuse_renumbering(source.text, source.file)
    _refuse_dialect(source)
    processor = _Processor(source, data_model, read, headers or Headers())
    parts: list[str] = []
    try:
        for name in source.preprocessing.forced:
            processor.parse(f'#include "{name}"\n', os.path.join(os.getcwd(), "-include"))
            parts += (processor.text(), "\n")
        processor.annotations = {one.span.line: one for one in annotations}
        processor.parse(_with_marks(blanked(source.text), processor.annotations), os.path.abspath(source.file))
        parts.append(processor.text())
    except FrontendError as error:
        raise type(error)(error.span, error.message + included_from(error.span.file, processor.included)) from None
    except _SURPRISES as error:
        raise ParseError(processor.place, f"malformed directive: {error}") from None
    text = "".join(parts)
    text = text if source.start is None else _with_start(text, source.start)
    return Preprocessed(text, processor.included, tuple(processor.annotations.values()))


def _with_marks(text: str, lines: Iterable[int]) -> str:
    """The text with a directive in each of these lines that is blank; beside code, macros of annotations stay names."""
    rows = text.split("\n") if lines else []
    for line in lines:
        if not rows[line - 1].strip():
            rows[line - 1] = f"#pragma {_MARK}"
    return "\n".join(rows) if lines else text


def _with_start(text: str, start: EntryPoint) -> str:
    """The text with another `main` behind it; the own one keeps its place under a name as long."""
    renamed = _MAIN.sub(lambda found: found[0] if found["kept"] else OWN_MAIN, text)
    return f"{renamed}\n{line_marker(1, start.file)}{start.text}" if start.text else renamed


def included_from(file: str, included: Mapping[str, Span]) -> str:
    """The chain of includes that leads to a file, the nearest first, to be added to a message."""
    seen: dict[str, Span] = {}
    while file in included and file not in seen:
        seen[file] = included[file]
        file = seen[file].file
    return "".join(f", included from {place}" for place in seen.values())


@lru_cache(256)
def _blank_header(text: str) -> str:
    """`blanked` of a text that many units include."""
    return blanked(text)


def _refuse_renumbering(text: str, file: str) -> None:
    """Lines are those of the text; a program that computes with others is not what it says."""
    for match in BLANKED.finditer(text) if re.search(r"\b__LINE__\b", text) else ():
        if match["marker"]:
            raise Unsupported(point(file, text.count("\n", 0, match.start()) + 1, 1), "#line beside __LINE__")


def _refuse_dialect(source: SourceFile) -> None:
    """Strict standards have trigraphs, and C90 no comments to the end of the line: `//*…*/` divides."""
    standard = source.preprocessing.standard
    is_strict = not standard.startswith("gnu")
    for match in _DIALECT.finditer(source.text) if is_strict else ():
        if match[0] != "//*" or standard is Standard.C90:
            line = source.text.count("\n", 0, match.start()) + 1
            raise Unsupported(point(source.file, line, 1), f"{match[0]} under -std={standard}")


@cache
def predefined(data_model: DataModel) -> tuple[str, ...]:
    """The macros that gcc 12 has without a directive, but for the date: `NAME VALUE`."""
    text = resource_text("predefined", f"{data_model.name}.h")
    macros = dict(line.removeprefix("#define ").split(" ", 1) for line in text.splitlines())
    macros.pop("__CHAR_UNSIGNED__", None)
    if data_model.unsigned_char:
        macros["__CHAR_UNSIGNED__"] = "1"
    if data_model.short_wchar:
        macros |= {f"__WCHAR_{name}__": value for name, value in _SHORT_WCHAR.items()}
        macros["__SIZEOF_WCHAR_T__"] = "2"
        macros["__GNUC_WIDE_EXECUTION_CHARSET_NAME"] = '"UTF-16LE"'
    if data_model.target is Target.ARM:
        macros["__ARM_SIZEOF_MINIMAL_ENUM"] = "1" if data_model.short_enums else "4"
        macros["__ARM_SIZEOF_WCHAR_T"] = macros["__SIZEOF_WCHAR_T__"]
    return tuple(f"{name} {value}" for name, value in macros.items())


@dataclass(frozen=True, slots=True)
class _Condition:
    """The value of a condition as pcpp asks for it."""

    result: int

    def value(self) -> int:
        return self.result


class _Processor(MacroExpansion):
    """pcpp with errors that stop, bounds, and confined includes."""

    def __init__(self, source: SourceFile, data_model: DataModel, read: ReadHeader, headers: Headers) -> None:
        super().__init__(headers)
        self._file = source.file
        self._main = os.path.abspath(source.file)
        settings = source.preprocessing
        searched = (*settings.quoted, *settings.include, *settings.system, *settings.after)
        given = (os.path.dirname(source.file), *searched, *settings.folders)
        self._folders = {name: Path(os.path.abspath(name)) for name in given}
        self._readable = [folder.resolve() for folder in self._folders.values()]
        self._names: dict[str, str] = {}
        self._read = read
        self.included: dict[str, Span] = {}
        self._allowed: dict[str, bool] = {}
        self.work = Work()
        self._before = 0
        self._used: Any = None
        self.place = point(source.file, 1, 1)
        self.annotations: dict[int, Annotation] = {}  # of the main file, by their first lines
        # pcpp's own divides like Python and has unsigned characters.
        self.evaluator: Any = lambda tokens, **_names: _Condition(condition(_joined(tokens), data_model))
        self.rewrite_paths: list[tuple[str, str]] = []
        library = [_LIBRARY] if settings.library else []
        self.path += [*map(os.path.abspath, (*settings.include, *settings.system)), *library]
        self.path += map(os.path.abspath, settings.after)
        self._quoted = tuple(map(os.path.abspath, settings.quoted))
        for name in ("__PCPP__", "__DATE__", "__TIME__"):
            self.undef(self.tokenize(name))
        for definition in (*predefined(data_model), '__DATE__ "??? ?? ????"', '__TIME__ "??:??:??"'):
            self.define(definition)
        self._set(settings)

    def _set(self, settings: Preprocessing) -> None:
        """Apply the standard and the macros that the user asks for."""
        version = _VERSIONS[settings.standard]
        if version is None:
            self.undef(self.tokenize("__STDC_VERSION__"))
        else:
            self.define(f"__STDC_VERSION__ {version}")
        if not settings.standard.startswith("gnu"):
            self.define("__STRICT_ANSI__ 1")
        for name in (*settings.undefine, *(() if settings.standard.startswith("gnu") else _NOT_STRICT)):
            self.undef(self.tokenize(name))
        for word in settings.define:
            name, equals, value = word.partition("=")
            if not re.fullmatch(r"[A-Za-z_]\w*(?:\([\w\s,.]*\))?", name):
                raise ParseError(point("-D", 1, 0), f"{name!r} is no name of a macro")
            self.define(f"{name} {value if equals else 1}")

    def name_of(self, path: str) -> str:
        """The name of a file in messages: beside the main file as that was given."""
        known = self._names.get(path)
        if known is None:
            known = self._names[path] = self._new_name(path)
        return known

    def _new_name(self, path: str) -> str:
        if path == self._main:
            return self._file
        if path.startswith(_LIBRARY + "/"):
            return f"<{path.removeprefix(_LIBRARY + '/')}>"
        around = [(given, folder) for given, folder in self._folders.items() if Path(path).is_relative_to(folder)]
        given, folder = max(around, key=lambda pair: len(pair[1].parts), default=("", Path.cwd()))
        return os.path.join(given, os.path.relpath(path, folder))

    def on_error(self, file: str, line: int, msg: str) -> None:
        words = " ".join(msg.split())
        if words.startswith("Could not evaluate expression"):
            words = "this condition cannot be evaluated"
        raise ParseError(point(self.name_of(file), line, 1), words)

    def include(self, tokens: Tokens, original_line: Tokens) -> Iterator[Any]:
        """The lines of a header as tokens."""
        name, is_system = self._header_of(tokens)
        around = () if is_system else (*self.temp_path, *self._quoted)
        for number, folder in enumerate((*around, *self.path)):
            path = os.path.abspath(os.path.join(folder, name))
            text = "" if path in self.include_once else self._open(path)
            if text is not None:
                if not is_system and self.macros.reading:
                    self._note_search(self.macros.reading[-1], name, number)
                if self.macros.reading:
                    self.macros.reading[-1].looked_for(path, path in self.include_once)
                if path not in self.include_once:
                    for line in self._lines_of(name, path, text):
                        yield Word(LINE, line.text, line.index, line.source)
                        yield Word(self.t_NEWLINE, "\n", line.index, line.source)
                return
        self._refuse_include(name)

    @property
    def _search_path(self) -> tuple[str, ...]:
        """All folders in which headers are looked for beside those of the including files."""
        return (*self._quoted, "", *self.path)

    def _header_of(self, tokens: Tokens) -> tuple[str, bool]:
        """The name in an include, and whether it stands between angles."""
        if tokens[0].value != "<" and tokens[0].type != self.t_STRING:
            tokens = self.tokenstrip(self.expand_macros(tokens))
        if tokens[0].value == "<":
            values = [one.value for one in tokens]
            if ">" not in values:
                raise ParseError(self._place_of(tokens[0]), "Malformed #include <...>")
            return "".join(values[1 : values.index(">")]), True
        if tokens[0].type != self.t_STRING:
            raise ParseError(self.place, "malformed #include")
        return tokens[0].value[1:-1], False

    def _note_search(self, inclusion: Inclusion, name: str, number: int) -> None:
        """Note for the header that is being read in which of the folders another one was found."""
        if number >= len(self.temp_path):
            inclusion.elsewhere.add(name)
        elif number >= len(self.temp_path) - len(inclusion.folders):
            inclusion.is_bound = True

    def _lines_of(self, name: str, path: str, text: str) -> Iterator[Line]:
        """The lines of a header, as another unit had it where it would become the same."""
        records = self._headers.of(path, self._search_path) if self._last is None else ()
        earlier = next((record for record in reversed(records) if self._fits(record)), None)
        if earlier is not None:
            self.macros.repeat(earlier.defined)
            self.include_once.update(earlier.guarded)
            for file, place in earlier.included.items():
                self.included.setdefault(file, place)
            self.work += earlier.work
            yield from earlier.lines
        else:
            earlier = Inclusion(
                tuple(self.temp_path), is_bound=self._last is not None, files={path: self.name_of(path)}
            )
            yield from self._read_header(earlier, name, path, text)
            if not earlier.is_bound:
                self._headers.keep(path, self._search_path, earlier)
        if self.macros.reading:
            self.macros.reading[-1].append(earlier)

    def _read_header(self, inclusion: Inclusion, name: str, path: str, text: str) -> Iterator[Line]:
        """The lines of a header, which fill its record."""
        work, counter, guarded = self.work, self.countermacro, len(self.include_once)
        self.temp_path.insert(0, os.path.dirname(path))
        self.macros.reading.append(inclusion)
        for line in self.lines(self.parsegen(text, name, path)):
            if line is not None:
                inclusion.lines.append(line)
                yield line
        self.macros.reading.pop()
        del self.temp_path[0]
        inclusion.work = self.work - work
        inclusion.guarded = dict(list(self.include_once.items())[guarded:])
        inclusion.is_bound |= self.countermacro != counter or self._last is not None

    def _fits(self, inclusion: Inclusion) -> bool:
        """Whether a header would do again what it did for another unit."""
        work = self.work + inclusion.work
        return (
            self.macros.are(inclusion)
            and all((path in self.include_once) is was_there for path, was_there in inclusion.once.items())
            and all(self.name_of(path) == name and self._is_readable(path) for path, name in inclusion.files.items())
            and (
                inclusion.folders == tuple(self.temp_path)
                or not self._headers.has_any(self.temp_path, inclusion.elsewhere)
            )
            and self.include_depth + inclusion.depth <= DEEPEST_INCLUDE
            and (work.includes <= MAX_INCLUDES and work.tokens <= MAX_TOKENS and work.characters <= MAX_CHARACTERS)
        )

    def _open(self, path: str) -> str | None:
        """The text of a header; None where there is none."""
        name = self.name_of(path)
        text = self._text(name, path)
        if text is None:
            return None
        self.work += Work(includes=1)
        if self.include_depth > DEEPEST_INCLUDE:
            raise ParseError(self.place, "too many files are included in one another: does one lack an include guard?")
        if self.work.includes > MAX_INCLUDES:
            raise ParseError(self.place, "too many files are included")
        self.included.setdefault(name, self.place)
        if self.macros.reading:
            self.macros.reading[-1].included.setdefault(name, self.place)
        return text

    def _is_readable(self, path: str) -> bool:
        known = self._allowed.get(path)
        if known is None:
            within = self._headers.resolved(path).is_relative_to
            known = self._allowed[path] = path.startswith(_LIBRARY + "/") or any(map(within, self._readable))
        return known

    def _text(self, name: str, path: str) -> str | None:
        """The text of a header that may be read; None where there is none."""
        if path.startswith(_LIBRARY + "/"):
            header = _library_header(path.removeprefix(_LIBRARY + "/"))
            return None if header is None else _blank_header(header)
        if not self._is_readable(path):
            if self._headers.resolved(path).exists():
                raise ParseError(self.place, f"{path} is in none of the folders that may be read: add -I")
            return None
        try:
            text = self._read(name)
        except ParseError as error:
            raise ParseError(self.place, error.message) from None
        return None if text is None else _blank_header(text)

    def _refuse_include(self, name: str) -> NoReturn:
        complaint = f"cannot include {name}: there is no such file"
        if not os.path.isabs(name):
            complaint += " in the folder of the text, those of -I and -isystem, or our C library"
        if _INTRINSICS.fullmatch(name):
            complaint += "; -U __SSE__ and -U __SSE2__ take the parts of a program that need no vector instructions"
        elif _CPP_HEADER.fullmatch(name):
            complaint += "; it is a header of C++, and C alone is read"
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
        annotation = self.annotations.get(directive.lineno) if directive.source == self._main else None
        if annotation is not None and directive.value == "pragma" and words.strip() == _MARK:
            self.annotations[directive.lineno] = self._with_macros(annotation, directive)
        elif directive.value == "pragma":
            refuse_pragma(words, self.place)
        if directive.value in ("pragma", "ident", "warning", "line"):
            return True
        raise ParseError(self.place, f"#error {words}" if directive.value == "error" else f"unknown #{directive.value}")

    def _with_macros(self, annotation: Annotation, at: Any) -> Annotation:
        """The annotation with the texts of the macros that it names."""
        expansions: dict[str, str] = {}
        self._inner += 1  # no text goes on behind it
        for word in dict.fromkeys(re.findall(r"(?<![\\\w])[A-Za-z_]\w*", annotation.text)):
            macro = self.macros.get(word)
            if macro is not None and macro.arglist is None:
                token = Word(self.t_ID, word, at.lineno, at.source)
                expansions[word] = _joined(self.expand_macros(Tokens([token])))
        self._inner -= 1
        return replace(annotation, macros=expansions)

    def on_comment(self, tok: Any) -> bool:
        return False

    def macro_expand_args(self, macro: Any, args: Any) -> Any:
        """pcpp's, which doubles all backslashes of what `#` makes a string of, not only those in literals."""
        for number, _ in macro.str_patch:
            for token in args[number]:
                if "\\" in token.value and token.value[-1] not in "\"'":
                    raise Unsupported(self._place_of(token), "a backslash outside of literals is not made a string of")
        return super().macro_expand_args(macro, args)

    def begins(self, token: Any) -> None:
        self._before, self._used = self.work.tokens, token

    def spent(self, tokens: Tokens) -> None:
        self.work += Work(tokens=len(tokens), characters=sum(len(token.value) for token in tokens))
        if self.work.characters > MAX_CHARACTERS:
            raise ParseError(self.place, f"macros expand to more than {MAX_CHARACTERS} characters")
        if self.work.tokens - self._before > MAX_AT_ONCE:
            place = self.place if self._used is None else self._place_of(self._used)
            raise ParseError(place, f"a macro expands to more than {MAX_AT_ONCE} tokens")
        if self.work.tokens > MAX_TOKENS:
            raise ParseError(self.place, f"macros expand to more than {MAX_TOKENS} tokens")

    def text(self) -> str:
        """The text of what is parsed, with markers where lines are left out."""
        parts: list[str] = []
        last, source = 0, None
        for line in self.lines(self.parser):
            if line is None:
                continue
            skipped = line.index - last - 1
            if line.source != source or not 0 <= skipped <= _MAX_BLANK:
                parts.append(line_marker(line.index, self.name_of(line.source)))
            else:
                parts.append("\n" * skipped)
            parts += (line.text, "\n")
            last, source = line.index, line.source
        return "".join(parts)

    def _place_of(self, token: Any) -> Span:
        return point(self.name_of(token.source or self._main), token.lineno, 1)


def _joined(tokens: Sequence[Any]) -> str:
    values = [token.value for token in tokens if token.value]
    return "".join(f" {b}" if merges(a, b) else b for a, b in pairwise(["", *values]))


@cache
def _library_header(name: str) -> str | None:
    """The text of one of our headers; None where there is none of that name."""
    if not re.fullmatch(r"(?:[a-z]+/)?[a-z0-9]+\.h", name):
        return None
    file = files("resources").joinpath("include", *name.split("/"))
    return file.read_text("utf-8") if file.is_file() else None
