"""The options of the front end."""

from __future__ import annotations

from enum import StrEnum

from core.dataclass import dataclass


class ArithmeticChoice(StrEnum):
    """The encoding of machine integers in programs. Both are exact."""

    AUTO = "auto"  # integers where they express everything that reachable code does, else bit-vectors
    INTEGERS = "integers"  # linear integer arithmetic; a bit operation that it does not express is refused
    BITVECTORS = "bitvectors"


class Acsl(StrEnum):
    """The treatment of the annotations `/*@ … */` and `//@ …`."""

    READ = "read"  # claims that are checked
    IGNORED = "ignored"  # comments


class Aliasing(StrEnum):
    """The objects that pointers may have in common where a function is started (`--entry`)."""

    ANY = "any"  # all that their types admit
    SEPARATE = "separate"  # none, but that they may be equal


class Argc(StrEnum):
    """The numbers of arguments that a program may be started with; the first is its name."""

    AT_LEAST_ONE = "at-least-one"  # as systems do it
    ANY = "any"  # also none, as C allows it


@dataclass(frozen=True)
class AssumedFunctions:
    """Functions without a body of which a user says more: `harmless` ones change nothing, `endless` never return."""

    harmless: frozenset[str] = frozenset()
    endless: frozenset[str] = frozenset()


NOTHING_ASSUMED = AssumedFunctions()


class Malloc(StrEnum):
    """The behaviour of functions that allocate."""

    SUCCEEDS = "succeeds"  # memory is never out
    MAY_FAIL = "may-fail"  # each call may return null, or fail otherwise


class Volatile(StrEnum):
    """The meaning of reads of volatile objects."""

    ARBITRARY = "arbitrary"  # any value of the type, each time
    MEMORY = "memory"  # what the program has written


class Standard(StrEnum):
    """The version of C that `__STDC_VERSION__` names; all of gcc's C is read under each."""

    C90 = "c90"
    C99 = "c99"
    C11 = "c11"
    C17 = "c17"
    GNU90 = "gnu90"
    GNU99 = "gnu99"
    GNU11 = "gnu11"
    GNU17 = "gnu17"


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """The options of a preprocessor: where headers are, and which macros there are.

    `include` are the folders of `-I`, `system` those of `-isystem`, `quoted` those of `-iquote`, `after` those of
    `-idirafter`, `forced` the files of `-include`. `define` has `NAME` or `NAME=VALUE`, and `undefine` names, which are
    disjoint. Headers may lie in the folder of the text, in those of the search path, and in `folders`; with `library`,
    those of our C library are among them.
    """

    include: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    undefine: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    standard: Standard = Standard.GNU11
    folders: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    library: bool = True


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """C text behind that of a file, with the `main` that starts a program in place of its own.

    The text is that of the file `file`, without directives and macros. `function` is what it starts, if that is in the
    file to which this belongs: its `requires` hold when `STARTER` is called. Of the pointers in `apart` no two lead
    into one object, unless they are equal.
    """

    file: str = ""
    text: str = ""
    function: str = ""
    apart: frozenset[frozenset[str]] = frozenset()


STARTER = "interplay_started"
"""The function of an `EntryPoint` that has the parameters of the function which it starts."""

STARTED = "interplay_reached"
"""The function that is called in place of the one that is started, to ask whether `requires` admits anything."""


START_MALLOC = "__interplay_malloc"
"""The function by which a start makes objects: `malloc` that never fails."""


STATIC = "interplay_static_"
"""What the names begin with by which an `EntryPoint` refers to static objects within functions."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The text of a C file. `file` names it in places and says where its `#include "…"` are looked for first.

    `removed` are functions that the file declares, but whose bodies are left out. With a `start`, a `main` of the text
    has another name.
    """

    file: str
    text: str
    preprocessing: Preprocessing = Preprocessing()
    removed: frozenset[str] = frozenset()
    start: EntryPoint | None = None
