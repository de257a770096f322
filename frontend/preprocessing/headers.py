"""A memo of inclusions: headers that were preprocessed for one unit, for others in which they become the same.

The units of a program include the same headers. What one becomes depends on the macros that it asks for, on the files
that its own includes find, and on those that were read before and are not read twice; all this is recorded. A later
unit in which it all is as it was gets the recorded lines and macros. Macros are equal where their definitions are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from core.dataclass import dataclass
from core.program.span import Span

_MAX = 8
"""Records that are kept of a header."""
FILE = "__FILE__"
"""The macro that has another value in each header, and is put back behind it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of preprocessed text, with its place."""

    text: str
    index: int
    source: str


@dataclass(frozen=True, slots=True)
class Work:
    """Counters that are bounded: headers that were read, and what macros became."""

    includes: int = 0
    tokens: int = 0
    characters: int = 0

    def __add__(self, other: Work) -> Work:
        return Work(self.includes + other.includes, self.tokens + other.tokens, self.characters + other.characters)

    def __sub__(self, other: Work) -> Work:
        return Work(self.includes - other.includes, self.tokens - other.tokens, self.characters - other.characters)


@dataclass(slots=True)
class Inclusion:
    """An inclusion of a header: what it and those that it includes asked for and did; `depth` is their nesting."""

    folders: tuple[str, ...]
    """Folders of the including files, where its own includes are looked for, too."""
    needs: dict[str, Any] = field(default_factory=dict)
    """The macros that it asked for before it defined them, with what they were; None where there was none."""
    absent: set[str] = field(default_factory=set)
    """Words that were no macros."""
    once: dict[str, bool] = field(default_factory=dict)
    """Whether a file was there already, that is not read twice."""
    elsewhere: set[str] = field(default_factory=set)
    """Names of files that were not found in the folders of the including files."""
    is_bound: bool = False
    """Whether one was found there, or anything was done that cannot be repeated."""
    depth: int = 1
    lines: list[Line] = field(default_factory=list)
    defined: dict[str, Any] = field(default_factory=dict)
    """The macros that it defined, with what they are at its end; None for those that it undefined."""
    guarded: dict[str, Any] = field(default_factory=dict)
    """The files that are not read again, as pcpp keeps them."""
    included: dict[str, Span] = field(default_factory=dict)
    """The places where others were included first, by their names."""
    files: dict[str, str] = field(default_factory=dict)
    """The paths of the headers, with their names."""
    work: Work = Work()

    def asked(self, name: str, macro: Any) -> None:
        """A macro was asked for."""
        if name not in self.defined and name != FILE:
            self.needs.setdefault(name, macro)

    def looked_for(self, path: str, was_there: bool) -> None:
        """A file was included."""
        if path not in self.guarded:
            self.once.setdefault(path, was_there)

    def append(self, inner: Inclusion) -> None:
        """Another header was included here."""
        for name, macro in inner.needs.items():
            self.asked(name, macro)
        self.absent |= inner.absent - self.defined.keys()
        for path, was_there in inner.once.items():
            self.looked_for(path, was_there)
        self.elsewhere |= inner.elsewhere
        self.is_bound |= inner.is_bound
        self.depth = max(self.depth, inner.depth + 1)
        self.defined |= inner.defined
        self.guarded |= inner.guarded
        self.included = {**inner.included, **self.included}
        self.files |= inner.files


class Macros(dict[str, Any]):
    """Macros by their names. The innermost header that is being read is told which it asks for and which it defines."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        super().__init__(known)
        self.reading: list[Inclusion] = []

    def __contains__(self, name: object) -> bool:
        return self.get(name) is not None

    def __getitem__(self, name: str) -> Any:
        if self.reading:
            self.reading[-1].asked(name, super().get(name))
        return super().__getitem__(name)

    def get(self, name: Any, default: Any = None) -> Any:
        macro = super().get(name)
        if self.reading:
            self.reading[-1].asked(name, macro)
        return default if macro is None else macro

    def __setitem__(self, name: str, macro: Any) -> None:
        super().__setitem__(name, macro)
        if self.reading and name != FILE:
            self.reading[-1].defined[name] = macro

    def __delitem__(self, name: str) -> None:
        if self.reading:
            self.reading[-1].defined[name] = None
        super().__delitem__(name)

    def has_any(self, words: frozenset[str]) -> bool:
        """Whether one of the words is a macro."""
        if not self.keys().isdisjoint(words):
            return True
        if self.reading:
            one = self.reading[-1]
            one.absent |= words.difference(one.defined)
        return False

    def are(self, record: Inclusion) -> bool:
        """Whether all macros that a header asked for are what they were then."""
        known = super().get
        return self.keys().isdisjoint(record.absent) and all(known(name) is one for name, one in record.needs.items())

    def repeat(self, defined: Mapping[str, Any]) -> None:
        """Do what a header did."""
        for name, macro in defined.items():
            if macro is None:
                self.pop(name, None)
            else:
                super().__setitem__(name, macro)


class Headers:
    """The headers that the units of a program have read, with what is the same for all units."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, tuple[str, ...]], list[Inclusion]] = {}
        self._resolved: dict[str, Path] = {}
        self._exists: dict[str, bool] = {}
        self.macros: dict[str, Any] = {}
        """The macros by the texts of their definitions."""

    def of(self, path: str, folders: Sequence[str]) -> list[Inclusion]:
        """The records of a header under a search path, the newest last."""
        return self._records.setdefault((path, tuple(folders)), [])

    def keep(self, path: str, folders: Sequence[str], record: Inclusion) -> None:
        """Keep a record."""
        found = self.of(path, folders)
        found.append(record)
        del found[:-_MAX]

    def resolved(self, path: str) -> Path:
        """The path without symbolic links."""
        known = self._resolved.get(path)
        if known is None:
            known = self._resolved[path] = Path(path).resolve()
        return known

    def has_any(self, folders: Iterable[str], names: Iterable[str]) -> bool:
        """Whether one of the names is that of a file in one of the folders."""
        return any(self._is_there(os.path.join(folder, name)) for folder in folders for name in names)

    def _is_there(self, path: str) -> bool:
        known = self._exists.get(path)
        if known is None:
            known = self._exists[path] = os.path.lexists(path)
        return known
