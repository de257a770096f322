"""Operators and declared objects: the leaves of the typed tree."""

from __future__ import annotations

from enum import Enum

from core.dataclass import dataclass
from frontend.source import Span
from frontend.typed.ctype import CType


class Storage(Enum):
    """The storage of an object: how long it lives, and who defines it."""

    AUTOMATIC = "automatic"
    PARAMETER = "parameter"
    STATIC = "static"
    """Lives as long as the program, and is zero where it is not initialised."""
    EXTERNAL = "external"
    """Declared `extern` and defined nowhere in the unit: its value is unknown."""


LENGTH = ".length"
"""The source name of the hidden objects that keep the lengths of arrays."""

COMPOUND_LITERAL = ".literal"
"""The source name of the objects that compound literals make."""


@dataclass(frozen=True, slots=True, eq=False)
class Object:
    """A declared object. `source_name` is what the text calls it; a name with `.` is hidden from the text."""

    name: str
    source_name: str
    type: CType
    storage: Storage
    function: str | None
    """The function in whose body it was declared, None for a file-scope object."""
    span: Span


class UnaryOperator(Enum):
    """The unary operators of C without effects."""

    NEGATE = "-"
    COMPLEMENT = "~"
    NOT = "!"


class BinaryOperator(Enum):
    """The binary operators of C that evaluate both operands."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"
    SHIFT_LEFT = "<<"
    SHIFT_RIGHT = ">>"
    AND = "&"
    OR = "|"
    XOR = "^"
    LESS = "<"
    GREATER = ">"
    LESS_EQUAL = "<="
    GREATER_EQUAL = ">="
    EQUAL = "=="
    UNEQUAL = "!="


class LogicalOperator(Enum):
    """The operators that evaluate the right operand only where the left one does not decide."""

    AND = "&&"
    OR = "||"


class Position(Enum):
    """The position of `++` or `--`."""

    PREFIX = "prefix"
    POSTFIX = "postfix"
