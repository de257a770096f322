"""The source names of the variables and functions of a program: objects with their parts, and what pointers point to.

A program keeps each scalar part of an object in a variable of its own: `s.f` in one, all `a[i].f` in one array, and
what pointers reach in arrays of memory, by address. The table says which C expression each of them is, so that nobody
has to parse the names of variables. It is for display, for formulas that people type, and for the first contents of
objects in replays: no verdict rests on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.pattern import pattern
from core.program.span import Span
from core.terms import Term

POINTER = "pointer"
"""The scalar of a type whose values are addresses."""

NEXT_ADDRESS = "\\heap"
"""The name in the table for the address of the next object that is allocated."""

LIBRARY_OBJECT = "."
"""The beginning of the names of objects that only bodies of library functions have."""
OF_LIBRARY = "the library's "
"""The beginning of what the table of the source says of them."""
_HELPER = "interplay_"
"""The beginning of the names of functions that only bodies of library functions call."""
STRING_LITERAL = "string literal"
"""The text of an edge that puts a string literal into memory, which is no step of the source."""


def source_function(name: str) -> str:
    """The source name of a function of a program, which may have copies of it: `strlen!1`, `f...2`."""
    return re.split(r"!|\.\.\.", name)[0]


def plain_words(text: str) -> str:
    """A text without the beginning that sets names of library bodies, and of written starts, apart from others."""
    return re.sub(r"\b(?:__)?interplay_(?=[A-Za-z_])", "", text)


def is_library_body(name: str) -> bool:
    """Whether a function is a body that was made for calls of a library function: `strlen!1`."""
    return "!" in name


def library_function_of(body: str, functions: Iterable[str]) -> str:
    """The name of the library function for a call of which a body was made; of a helper, that of who calls it."""
    name, _, number = body.partition("!")
    if not name.startswith(_HELPER):
        return name
    made = (other for other in functions if other.endswith(f"!{number}") and not other.startswith(_HELPER))
    return source_function(next(made, body))


def shown_function(name: str) -> str:
    """The name of a function for people."""
    return plain_words(source_function(name))


def function_title(name: str) -> str:
    """The name of a function for people; of a copy behind the first with its number."""
    number = re.search(r"!([0-9]+)$", name)
    return f"{shown_function(name)}{f' (copy {number[1]})' if number and number[1] != '1' else ''}"


_WRITTEN_TYPE = pattern(r"(.*?)((?:\[[0-9]*\])*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SourceType:
    """The C type of a variable: the scalar that it holds, or all elements of the arrays whose `lengths` it has.

    `scalar` is as C spells it; of all pointers `POINTER`, and empty where the source has none. A length that is not
    known is None.
    """

    scalar: str
    lengths: tuple[int | None, ...] = ()

    @property
    def is_pointer(self) -> bool:
        return self.has_pointers and not self.lengths

    @property
    def has_pointers(self) -> bool:
        """Whether it is a pointer, or has elements that are."""
        return self.scalar == POINTER

    @property
    def of_element(self) -> SourceType:
        """The type of an element of memory, whose length is not known; other types are what they are."""
        return SourceType(self.scalar, self.lengths[:-1]) if self.lengths[-1:] == (None,) else self

    def __str__(self) -> str:
        return self.scalar + "".join(f"[{'' if length is None else length}]" for length in self.lengths)

    @staticmethod
    def read(text: str) -> SourceType:
        """The type of which `text` is the string."""
        found = _WRITTEN_TYPE.fullmatch(text)
        assert found is not None  # it matches any text
        lengths = re.findall(r"\[([0-9]*)\]", found[2])
        return SourceType(found[1], tuple(int(one) if one else None for one in lengths))


@dataclass(frozen=True, slots=True)
class MemberStep:
    """`.name`, which lies `offset` bytes behind the beginning of its record; 0 outside of memory."""

    name: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class IndexStep:
    """`[i]`: elements are `stride` apart, in bytes within memory, else in elements of the array variable."""

    stride: int
    length: int | None


SourceStep = MemberStep | IndexStep


@dataclass(frozen=True, slots=True)
class SourcePart:
    """The scalars at a path within an object: those of `variable`, or of the array of memory `variable`.

    `values` are the names of its values: enumerators, characters.
    """

    variable: Term
    steps: tuple[SourceStep, ...]
    values: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SourceObject:
    """An object that the source declares. `function` is None for those outside of functions.

    Its name can be used within `scope`, a block; None: in all of the function, or file. An object in memory has an
    `address`. One without a name in the source is `hidden`: then `name` says what it is, and `span` where it is made.
    """

    name: str
    function: str | None
    span: Span | None
    scope: Span | None
    address: Term | None
    parts: tuple[SourcePart, ...]
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class PointerTarget:
    """The target of a pointer: an object of a C type of `size` bytes, which may be one of several in a row."""

    type: str
    size: int
    parts: tuple[SourcePart, ...]


@dataclass(frozen=True, slots=True)
class EscapingArgument:
    """An address that an undefined function is given. It may write to the object there, where that `is_written`, or
    to `size` bytes of it.
    """

    address: Term
    is_written: bool = True
    size: int | None = None


@dataclass(frozen=True, slots=True)
class SourceTable:
    """The objects of a program, and the target of each variable, or array, whose values are pointers.

    `pointers` has positions in `targets`. `escaping` has, for each input that is what an undefined function leaves in
    memory, the arguments of the call; None for those that are no addresses.
    """

    objects: tuple[SourceObject, ...] = ()
    targets: tuple[PointerTarget, ...] = ()
    pointers: Mapping[Term, int] = field(default_factory=dict)
    escaping: Mapping[Term, tuple[EscapingArgument | None, ...]] = field(default_factory=dict)


def path_at(steps: Sequence[SourceStep], distance: int) -> str | None:
    """The members and indices that lead over so many bytes; None where none do."""
    rest = distance - sum(step.offset for step in steps if isinstance(step, MemberStep))
    path = ""
    for step in steps:
        if isinstance(step, MemberStep):
            path += f".{step.name}" if step.name else ""
            continue
        number, rest = divmod(rest, step.stride)
        if number < 0 or (step.length is not None and number >= step.length):
            return None
        path += f"[{number}]"
    return path if rest == 0 else None


def extent(parts: Sequence[SourcePart]) -> int:
    """The bytes from the beginning of an object to behind its last scalar that is known, of one byte at least."""
    ends = [1]
    for part in parts:
        first = sum(step.offset for step in part.steps if isinstance(step, MemberStep))
        index = next((step for step in part.steps if isinstance(step, IndexStep)), None)
        ends.append(first + (1 if index is None else index.stride * (index.length or 1)))
    return max(ends)
