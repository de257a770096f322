"""The table of library functions: all that is known of a function by its name, from `resources/libc/functions.txt`.

The head of that file says what its facts are. Nothing else in the front end knows a function of a library by its name
(`tests/contract/test_library_table.py`). Rows are read when somebody asks for the function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import product
from typing import Any

from core.dataclass import dataclass
from core.pattern import pattern
from resources import resource_text, rows

BUILTIN = "__builtin_"
"""What the names begin with by which gcc knows functions of the library, too."""

FLOAT_FORMATS = {"double": ("", "d"), "float": ("f", "f"), "long_double": ("l", "D")}
"""How names of functions end that are for one type of floating-point numbers each, and the letters of these types."""

_WORD = pattern(r"(?P<null>\??)(?P<use>[-rwWszZSpf])(?::(?P<size>.+))?")
_EACH_TYPE = "_N"
_RANGE = pattern(r"(-?[0-9]+)\.\.(#[0-9]|[0-9]+)")


class LanguageOperation(StrEnum):
    """The operation of the language that a call is."""

    EXPECT = "expect"
    CONSTANT = "constant"
    CHOOSE = "choose"
    PREFETCH = "prefetch"
    LIST_START = "list-start"
    LIST_COPY = "list-copy"
    LIST_END = "list-end"
    CLAIM = "claim"
    ASSERT = "assert"
    INFINITY = "infinity"
    NOT_A_NUMBER = "not-a-number"


class HarnessQuestion(StrEnum):
    """The question of a harness about the memory that pointers lead to."""

    READABLE = "readable"
    WRITABLE = "writable"
    SAME_OBJECT = "same-object"
    OBJECT = "object"
    SIZE = "size"
    OFFSET = "offset"


ACCESSES = (HarnessQuestion.READABLE, HarnessQuestion.WRITABLE)
"""Whether a living object has so many bytes behind a pointer, which may be read or written."""


class Refusal(StrEnum):
    """The reason why calls are refused."""

    JUMPS = "jumps"
    THREADS = "threads"
    ROUNDING = "rounding"


class Allocated(StrEnum):
    """The new object that a call returns."""

    MEMORY = "memory"
    ALIGNED = "aligned"
    STACK = "stack"
    ZEROS = "zeros"
    TEXT = "text"


class Form(StrEnum):
    """The way in which a call becomes one of a body."""

    PLAIN = "plain"
    ALIGNED = "aligned"
    COPY = "copy"
    MOVE = "move"
    FILL = "fill"
    BYTES = "bytes"
    SCALARS = "scalars"
    BLOCKS = "blocks"
    ELEMENTS = "elements"
    READ = "read"
    RECORD = "record"
    BUILTIN = "builtin"
    ATOMIC = "atomic"
    ENVIRONMENT = "environment"
    HANDLED = "handled"
    ITSELF = "itself"
    ONE_OF = "one-of"


@dataclass(frozen=True, slots=True)
class Body:
    """The C text for calls: a file of `resources/libc`, and how a call becomes one of it; `words` are the rest."""

    file: str
    form: Form
    words: tuple[str, ...]

    @property
    def position(self) -> int:
        """The first number: of pointers, or the position of an argument, counted from 1."""
        return int(self.words[0])

    @property
    def arguments(self) -> int:
        """The number of arguments of a function on blocks."""
        return int(self.words[2])


@dataclass(frozen=True, slots=True)
class ArgumentExtent:
    """The memory that a function accesses through one argument: `use` and `size` are those of the table."""

    use: str
    size: str
    may_be_null: bool

    @property
    def writes(self) -> bool:
        return self.use in "wWsS"


@dataclass(frozen=True, slots=True)
class LibraryAccesses:
    """The memory that a function without a body accesses, and its result: what stands behind the arrow."""

    is_outside: bool
    """Whether any result within its bounds, and any contents, may come from outside of the program."""
    arguments: tuple[ArgumentExtent, ...]
    result: str

    @property
    def scans(self) -> bool:
        """Whether the result is how many of the arguments behind a format were set, or -1."""
        return any(one.use == "f" for one in self.arguments)

    @property
    def is_any(self) -> bool:
        """Whether the result is any value."""
        return self.result == "any"

    @property
    def is_any_without_object(self) -> bool:
        """Whether the result is any value where the first argument is null."""
        return self.result == "any?1"

    @property
    def range(self) -> tuple[int, str] | None:
        """The least result, and the greatest as an expression of the table; None where it is no range."""
        found = _RANGE.fullmatch(self.result)
        return None if found is None else (int(found[1]), found[2])

    @property
    def returned(self) -> tuple[int, bool] | None:
        """The position of the argument that is returned, and whether null may be instead."""
        return (int(self.result[1:]) - 1, self.result[0] == "=") if self.result[:1] in ("=", "!") else None

    @property
    def has_result(self) -> bool:
        """Whether the table says what is returned."""
        return self.scans or self.range is not None or self.returned is not None


@dataclass(frozen=True, slots=True)
class Format:
    """The format among the arguments of a function: its position, counted from 0."""

    position: int
    is_scanned: bool
    is_list: bool
    """Whether the arguments for it are in a list."""


@dataclass(frozen=True, slots=True)
class Atomic:
    """An atomic operation: the letters of its type; `is_open` where more arguments may follow, which mean nothing."""

    letters: str
    is_flag: bool
    is_arithmetic: bool
    is_open: bool


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """A row of the table; one without facts for a function of which nothing is known."""

    name: str
    type: str = ""
    atomic: Atomic | None = None
    operation: LanguageOperation | None = None
    operands: int | None = None
    """The number of arguments with which it is that operation; None for any."""
    question: HarnessQuestion | None = None
    refused: Refusal | None = None
    lowered: bool = False
    effect: str = ""
    generic: bool = False
    truth: str = ""
    exits: bool = False
    never: bool = False
    allocates: Allocated | None = None
    releases: bool = False
    fails: int | None = None
    copies: bool = False
    sets_environment: bool = False
    handler: int | None = None
    process: bool = False
    nonnull: tuple[int, ...] = ()
    format: Format | None = None
    accesses: LibraryAccesses | None = None
    body: Body | None = None
    wide: str = ""
    any_errno: bool = False
    unset: bool = False
    run: str = ""
    replay: bool = False
    implicit: bool = False

    @property
    def makes_object(self) -> bool:
        """Whether the lowering makes the object that it returns."""
        return self.lowered and self.allocates is not None

    @property
    def ends_object(self) -> bool:
        """Whether the lowering ends the life of the object that it is given."""
        return self.lowered and self.releases

    @property
    def moves_object(self) -> bool:
        """Whether it allocates a new object for the contents of an old one."""
        return self.releases and self.allocates is not None

    @property
    def aligns(self) -> bool:
        """Whether its body makes an object of an alignment."""
        return self.is_plain and (self.form is Form.ALIGNED or self.allocates is Allocated.ALIGNED)

    @property
    def form(self) -> Form | None:
        """The way in which a call becomes one of its body, if it has one."""
        return None if self.body is None else self.body.form

    @property
    def is_plain(self) -> bool:
        """Whether it has a body of fixed type."""
        return self.form in (Form.PLAIN, Form.ALIGNED)


def library_function(name: str | None) -> LibraryFunction:
    """The row of a function, also as gcc's builtin; one without facts where nothing is known of it."""
    name = name or ""
    return _row(name if name in _rows() else name.removeprefix(BUILTIN))


@cache
def library_functions() -> Sequence[LibraryFunction]:
    """All rows, in the order of the table."""
    return tuple(map(_row, _rows()))


def asking(question: HarnessQuestion) -> str:
    """The name of a function that asks a question."""
    return next(one.name for one in library_functions() if one.question is question)


def similar_name(name: str) -> str:
    """The function of the library, or `assert`, whose name is almost this one; empty where there is none."""
    return similar_of(name, ("assert", *_rows())) if name not in _rows() else ""


def similar_of(name: str, names: Iterable[str]) -> str:
    """The first of `names` that differs from a name by one letter: left out, added, another or swapped.

    It is empty where there is none.
    """
    return next((one for one in names if _differs_little(one, name)), "") if len(name) > _SHORT else ""


def _differs_little(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    swapped = short[same : same + 2] == long[same : same + 2][::-1] and short[same + 2 :] == long[same + 2 :]
    return swapped or short[same + 1 :] == long[same + 1 :]


@cache
def bodies_without_values() -> frozenset[str]:
    """The bodies that may read unsigned characters which were never written."""
    return frozenset(name for one in library_functions() if one.unset for name in (one.name, one.wide) if name)


_SHORT = 4  # letters: short names are similar by chance


@cache
def _row(name: str) -> LibraryFunction:
    facts = (one.strip().partition(" ") for one in _rows().get(name, "").split(";"))
    fields = (field for word, _, value in facts if word for field in _fields(name, word, value.strip()))
    return LibraryFunction(name, **dict(fields))


@cache
def _rows() -> Mapping[str, str]:
    """The facts of each name, as text: they are read when somebody asks for the function."""
    text = resource_text("libc", "functions.txt")
    found: dict[str, str] = {}
    for row in rows(re.sub(r"\n +", " ", text)):
        names, is_row, facts = row.partition(":")
        if is_row:
            for one in (each for spelled in names.split() for each in _spelled(spelled)):
                for name, own in _typed(one, facts):
                    assert name not in found, name
                    found[name] = own
    return found


def _typed(name: str, facts: str) -> Iterator[tuple[str, str]]:
    """The row for each type of floating-point numbers, where it is one for all."""
    if not name.endswith(_EACH_TYPE):
        yield name, facts
        return
    for format_, (suffix, letter) in FLOAT_FORMATS.items():
        own = facts.replace("#", letter).replace(f"{_EACH_TYPE}.", f"_{format_}.").replace(_EACH_TYPE, suffix)
        yield name.removesuffix(_EACH_TYPE) + suffix, own


def _spelled(names: str) -> Iterator[str]:
    """The names that `{a,b}` in one stands for."""
    parts = re.split(r"[{}]", names)
    return map("".join, product(*(part.split(",") for part in parts)))


# Facts ----------------------------------------------------------------------------------------------------------------


def _fields(name: str, word: str, value: str) -> Iterator[tuple[str, Any]]:
    """The fields that a fact of a row gives. Raises ValueError for a fact that there is not."""
    words = value.split()
    match word:
        case "type" | "effect" | "truth" | "wide":
            yield word, value
        case "run":
            yield word, value or name
        case "question":
            yield word, HarnessQuestion(value)
        case "refused":
            yield word, Refusal(value)
        case "allocates":
            yield word, Allocated(value)
        case "fails":
            yield word, int(value)
        case "handler":
            yield word, int(value) - 1
        case "nonnull":
            yield word, tuple(map(int, words))
        case "operation":
            yield word, LanguageOperation(words[0])
            yield "operands", int(words[1]) if words[1:] else None
        case "format":
            yield word, Format(int(words[0]) - 1, "scanned" in words, "list" in words)
        case "atomic":
            yield word, Atomic(words[0].rstrip("."), "flag" in words, "arithmetic" in words, words[0].endswith("."))
        case "body":
            yield word, Body(words[0], Form(words[1]) if words[1:] else Form.PLAIN, tuple(words[2:]))
        case "outside" | "library":
            arguments, _, result = value.partition("->")
            accesses = LibraryAccesses(word == "outside", tuple(map(_extent, arguments.split())), result.strip())
            yield "accesses", accesses
            for position, one in enumerate(accesses.arguments):
                if one.use in "pf":
                    yield "format", Format(position, one.use == "f", is_list=False)
        case _ if word in _FLAGS and not value:
            yield word.replace("-", "_"), True
        case _:
            raise ValueError(f"{name}: {word} {value}")


_FLAGS = (
    *("lowered", "generic", "exits", "never", "releases", "copies", "sets-environment", "process", "any-errno"),
    *("unset", "replay", "implicit"),
)


def _extent(word: str) -> ArgumentExtent:
    found = _WORD.fullmatch(word)
    if found is None:
        raise ValueError(word)
    return ArgumentExtent(found["use"], found["size"] or "", bool(found["null"]))
