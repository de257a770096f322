"""Places in C text, and the errors and warnings of the front end.

FrontendError        anything that stops the front end; the message starts with `file:line:column: `
├── ParseError       the text is not the C (or task definition) that we read: exit code 3
│   └── NoSuchFile   there is no file of that name
└── Unsupported      the text is C, and reachable, but outside what we decide: exit code 4
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import ClassVar

from core.dataclass import dataclass
from core.program.span import Span

__all__ = [
    "Annotation",
    "Diagnostic",
    "Diagnostics",
    "FrontendError",
    "NoSuchFile",
    "ParseError",
    "Span",
    "Unsupported",
    "point",
    "raise_all",
]


MAX_ERRORS = 20


def raise_all(errors: Sequence[FrontendError]) -> None:
    """Raise the first of the errors with the others, if there are any."""
    if errors:
        errors[0].others = tuple(errors[1:MAX_ERRORS])
        raise errors[0]


def point(file: str, line: int, column: int) -> Span:
    """The empty span at a place; column 0 means unknown, line 0 the file as a whole."""
    return Span(file, line, column, line, column)


class FrontendError(Exception):
    """An input that the front end refuses: `span` says where, `message` why, `str()` both.

    `others` are errors at later places that were found too, up to `MAX_ERRORS` in all.
    """

    exit_code: ClassVar[int] = 3
    kind: ClassVar[str] = "parse error"
    others: tuple[FrontendError, ...] = ()

    def __init__(self, span: Span, message: str) -> None:
        super().__init__(f"{span}: {message}")
        self.span = span
        self.message = message


class ParseError(FrontendError):
    """Text that cannot be read."""

    exit_code = 3


class FlagConflict(ParseError):
    """Flags of a compiler, or options, that contradict each other."""

    kind = "conflicting flags"


class NoStart(ParseError):
    """A program without the function that it is to begin with."""

    kind = "no start"


class NoSuchFile(ParseError):
    """A file that is not there."""


class Unsupported(FrontendError):
    """A construct that is read but not decided."""

    exit_code = 4
    kind = "unsupported"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A warning about text that is accepted."""

    span: Span
    message: str

    def __str__(self) -> str:
        return f"{self.span}: warning: {self.message}"


@dataclass(frozen=True, slots=True)
class Annotation:
    """An ACSL comment, `/*@ … */` or `//@ …`: its text without the comment marks.

    `macros` are the texts of the macros without parameters that it names, as they are defined there.
    """

    text: str
    span: Span
    macros: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Diagnostics:
    """The warnings of one translation, in the order in which they arose."""

    _entries: dict[tuple[str, str], Diagnostic] = field(default_factory=dict)

    def warn(self, span: Span, message: str) -> None:
        """Add a warning; one that was given before at another place is not repeated."""
        self._entries.setdefault((span.file, message), Diagnostic(span, message))

    def entries(self) -> tuple[Diagnostic, ...]:
        return tuple(self._entries.values())
