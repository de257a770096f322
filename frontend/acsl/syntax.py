"""The syntax tree of annotations. Terms and predicates are one kind of node, as integers count as predicates."""

from __future__ import annotations

from enum import Enum

from core.dataclass import dataclass
from core.program.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Name(Node):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Real(Node):
    """A number with a point or an exponent: `text` is that of C, with its suffix."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class FloatPredicate(Node):
    """`\\is_finite(…)`, `\\eq_double(…, …)` and their kin, by the word."""

    word: str
    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Truth(Node):
    """`\\true` and `\\false`."""

    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class Null(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Result(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Old(Node):
    """`\\old(operand)`, or `\\at(operand, Pre)`: the value where the function began; `\\old` is for contracts alone."""

    operand: Formula
    is_for_contracts: bool


@dataclass(frozen=True, slots=True, eq=False)
class Prefix(Node):
    """`- + ! ~ * &`."""

    operator: str
    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Infix(Node):
    """Arithmetic, bit operators and connectives; not comparisons."""

    operator: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Node):
    """`a < b <= c`: one operator fewer than operands; all hold."""

    operators: tuple[str, ...]
    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Node):
    condition: Formula
    then: Formula
    otherwise: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Subscript(Node):
    base: Formula
    index: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Selection(Node):
    base: Formula
    arrow: bool
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class Conversion(Node):
    """`(type) operand`, with the words of the type; only in conditions that users type."""

    type: str
    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Update(Node):
    """`{a \\with [i] = v}`: an array with another element; only in conditions about a run."""

    array: Formula
    index: Formula
    value: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Filled(Node):
    """`\\const(v)`: an array of equal elements; only in conditions about a run."""

    value: Formula


@dataclass(frozen=True, slots=True, eq=False)
class LeadsTo(Node):
    """`\\reach(field, start, end)`: pointers of a field lead from `start` to `end`; `\\list(field, start)`: to null."""

    field: str
    start: Formula
    end: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Elements(Node):
    """`pointer + (low .. high)`; without bounds what the pointer leads to."""

    pointer: Formula
    low: Formula | None
    high: Formula | None


@dataclass(frozen=True, slots=True, eq=False)
class Valid(Node):
    """`\\valid(…)`, `\\valid_read`, `\\allocated`: these elements lie in a living object."""

    elements: Elements
    is_written: bool


@dataclass(frozen=True, slots=True, eq=False)
class Separated(Node):
    """`\\separated(…, …)`: no two of the parts have a byte in common."""

    parts: tuple[Elements, ...]


class Quantor(Enum):
    FORALL = "\\forall"
    EXISTS = "\\exists"

    @property
    def other(self) -> Quantor:
        return Quantor.EXISTS if self is Quantor.FORALL else Quantor.FORALL


@dataclass(frozen=True, slots=True, eq=False)
class Binder(Node):
    """A bound variable; `type` is `integer` or the words of a C type, with a star behind it for pointers."""

    name: str
    type: str


@dataclass(frozen=True, slots=True, eq=False)
class Quantified(Node):
    quantor: Quantor
    binders: tuple[Binder, ...]
    body: Formula


Formula = (
    Name
    | Number
    | Real
    | FloatPredicate
    | Truth
    | Null
    | Result
    | Old
    | Prefix
    | Infix
    | Comparison
    | Choice
    | Subscript
    | Selection
    | Conversion
    | Update
    | Filled
    | LeadsTo
    | Valid
    | Separated
    | Quantified
)


class ClauseKind(Enum):
    """The kinds of clauses; the value is the keyword that begins one."""

    ASSERT = "assert"
    INVARIANT = "loop invariant"
    REQUIRES = "requires"
    ENSURES = "ensures"
    FRAME = "assigns"
    """`assigns`, `loop assigns`, `loop variant` and `decreases`: read, and not decided."""


@dataclass(frozen=True, slots=True, eq=False)
class AnnotationClause(Node):
    """A clause of an annotation.

    `text` is the clause without its semicolon, in one line; `formula` is None for FRAME alone.
    """

    kind: ClauseKind
    formula: Formula | None
    text: str
