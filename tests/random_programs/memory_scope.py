"""The names that code at some place of a program with memory can use, and the features of such programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import TypeVar

T = TypeVar("T")

MAY_FAIL = "MALLOC_MAY_FAIL"
"""The name that the text has of a program whose allocations may fail."""


class Feature(StrEnum):
    """A feature of programs beside scalars, arrays, conditions, loops and calls."""

    POINTERS = "pointers"
    STRUCTS = "structs"
    UNIONS = "unions"
    BIT_FIELDS = "bit-fields"
    FUNCTION_POINTERS = "function-pointers"
    STATICS = "statics"
    RECURSION = "recursion"
    CASTS = "casts"
    SWITCH = "switch"
    GOTO = "goto"
    VLAS = "vlas"
    HEAP = "heap"
    FAILING_ALLOCATION = "failing-allocation"
    BOOL_BYTES = "bool-bytes"


NAMED = frozenset({Feature.FAILING_ALLOCATION, Feature.BOOL_BYTES})
"""Features that programs have only where these are named, so that a number has its program whatever features come."""


@dataclass(frozen=True)
class Part:
    """A scalar lvalue of integer type."""

    text: str
    type: str


@dataclass(frozen=True)
class Row:
    """An array, or a pointer to the first of `extent` elements."""

    name: str
    type: str
    extent: int


@dataclass
class Scope:
    """The names that are visible, by what can be done with them. `counters` and `inputs` are only read."""

    parts: list[Part] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)  # to int
    double: list[str] = field(default_factory=list)  # to pointers to int
    walkers: list[tuple[str, Row]] = field(default_factory=list)  # pointers that stay in a row
    structs: list[str] = field(default_factory=list)
    tables: list[Row] = field(default_factory=list)  # of structs
    links: list[str] = field(default_factory=list)  # pointers to structs
    unions: list[str] = field(default_factory=list)
    bytes: list[str] = field(default_factory=list)  # pointers to the four bytes of an int
    calls: list[str] = field(default_factory=list)  # pointers to functions from int to int

    def inner(self) -> Scope:
        """A copy: what is declared in it is not seen outside."""
        return Scope(**{name: list(value) for name, value in vars(self).items()})


@dataclass(frozen=True)
class Draws:
    """Random choices."""

    random: Random

    def one(self, values: Sequence[T]) -> T:
        return self.random.choice(values)

    def weighted(self, choices: Sequence[tuple[float, T]]) -> T:
        return self.random.choices([one for _, one in choices], [weight for weight, _ in choices])[0]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def between(self, low: int, high: int) -> int:
        return self.random.randint(low, high)
