"""Functions of the C library that have no body here: the memory that they access, and what comes back.

The table `resources/libc/outside.txt` says it, and in which words; this file reads the table.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from core.dataclass import dataclass
from frontend.elaboration.constants import fold
from frontend.libc.texts import text_of
from frontend.typed import tree

_WORD = re.compile(r"(?P<null>\??)(?P<use>[-rwWszZSpf])(?::(?P<size>.+))?")
_RANGE = re.compile(r"(-?[0-9]+)\.\.(?:#([0-9])|([0-9]+))")
_PREFIX = "__builtin_"


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
class OutsideFunction:
    """A row of the table; `result` is what stands behind the arrow."""

    name: str
    is_outside: bool
    """Whether any result within its bounds, and any contents, may come from outside of the program."""
    arguments: tuple[ArgumentExtent, ...]
    result: str

    def bounds(self, arguments: Sequence[tree.Expression]) -> tuple[int, int] | None:
        """The least and the greatest result of a call, where constants say it."""
        if self.scans:
            return -1, max(0, len(arguments) - len(self.arguments))
        found = _RANGE.fullmatch(self.result)
        if found is None:
            return None
        position, high = found[2], found[3]
        if position is None:
            return int(found[1]), int(high)
        count = fold(arguments[int(position) - 1]) if len(arguments) >= int(position) else None
        return None if count is None else (int(found[1]), count)

    @property
    def scans(self) -> bool:
        """Whether the result is how many of the arguments behind a format were set, or -1."""
        return any(one.use == "f" for one in self.arguments)

    @property
    def has_result(self) -> bool:
        """Whether the table says what is returned."""
        return self.scans or self.result not in ("", "any")

    @property
    def range(self) -> tuple[int, str] | None:
        """The least result, and the greatest as an expression of the table; None where it is no range."""
        found = _RANGE.fullmatch(self.result)
        return None if found is None else (int(found[1]), self.result.partition("..")[2])

    @property
    def returned(self) -> tuple[int, bool] | None:
        """The position of the argument that is returned, and whether null may be instead."""
        return (int(self.result[1:]) - 1, self.result[0] == "=") if self.result[:1] in ("=", "!") else None


def outside_function(name: str) -> OutsideFunction | None:
    """The row of a function; None where the table does not have it."""
    return _table().get(name.removeprefix(_PREFIX))


def outside_functions() -> Collection[str]:
    """The names of all that the table has."""
    return _table().keys()


@cache
def _table() -> Mapping[str, OutsideFunction]:
    return {one.name: one for line in text_of("outside.txt").splitlines() for one in _rows(line)}


def _rows(line: str) -> Iterator[OutsideFunction]:
    if line and not line.startswith("#"):
        (names, source, *words), result = line.partition("->")[0].split(), line.partition("->")[2].strip()
        for name in names.split(","):
            yield OutsideFunction(name, source == "outside", tuple(map(_extent, words)), result)


def _extent(word: str) -> ArgumentExtent:
    found = _WORD.fullmatch(word)
    assert found is not None, word
    return ArgumentExtent(found["use"], found["size"] or "", bool(found["null"]))
