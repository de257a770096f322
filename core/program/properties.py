"""The properties of SV-COMP and the kinds of checks that decide them: one row for each, which everything else reads.

A new kind of undefined behaviour is a row of `CheckKind`, its checks in `frontend/lowering`, and its meaning in
`frontend/interpreter`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType

from core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PropertyRow:
    """`formula` stands within `LTL(…)`, with `{}` for the argument; empty where property files write it otherwise.

    `title` and `meaning` offer the property to users; without a title it is not offered. `violation` is the rule in
    SARIF, needed only where several kinds of checks decide the property.
    """

    formula: str
    title: str = ""
    meaning: str = ""
    violation: str = ""


class PropertyKind(StrEnum):
    """A property of SV-COMP; the value is its name in verdicts such as `false(unreach-call)`."""

    row: PropertyRow

    def __new__(cls, name: str, *row: PropertyRow) -> PropertyKind:  # a look-up by name has no row
        member = str.__new__(cls, name)
        member._value_ = name
        (member.row,) = row
        return member

    UNREACH_CALL = "unreach-call", PropertyRow("G ! call({}())")
    LABEL = "label", PropertyRow("G ! label({})")
    NO_OVERFLOW = (
        "no-overflow",
        PropertyRow("G ! overflow", "No overflow", "Signed arithmetic never leaves its type"),
    )
    VALID_DEREF = (
        "valid-deref",
        PropertyRow(
            "G valid-deref",
            "Valid memory accesses",
            "Every access hits a living object, within its bounds",
            "An access outside of living objects",
        ),
    )
    VALID_FREE = (
        "valid-free",
        PropertyRow("G valid-free", "Valid releases", "Only what was allocated is released, and only once"),
    )
    VALID_MEMTRACK = "valid-memtrack", PropertyRow("G valid-memtrack")
    VALID_MEMCLEANUP = (
        "valid-memcleanup",
        PropertyRow("G valid-memcleanup", "No leaks", "All memory is released when the program ends"),
    )
    TERMINATION = "termination", PropertyRow("F end")
    NO_DATA_RACE = "no-data-race", PropertyRow("G ! data-race")
    DEF_BEHAVIOR = (
        "def-behavior",
        PropertyRow(
            "G def-behavior",
            "Undefined behaviour",
            "Nothing happens for which C defines nothing: null pointers, accesses outside of objects or after "
            "their end, values that were never written, overflow, division by zero, wrong shifts, conversions, orders",
            "The program has undefined behaviour",
        ),
    )
    COVERAGE = "coverage", PropertyRow("")


MEMORY_SAFETY = frozenset({PropertyKind.VALID_FREE, PropertyKind.VALID_DEREF, PropertyKind.VALID_MEMTRACK})
"""The properties that SV-COMP calls valid-memsafety together."""


class Confirmation(Enum):
    """The procedure that confirms a violation."""

    NATIVE = "native"
    """Native replay; the interpreter of typed C where that is not available."""
    CLAIM = "claim"
    """The interpreter: claims beside the code are not compiled."""
    INTERPRETER = "interpreter"
    """The interpreter: C says nothing about what a compiled program does after undefined behaviour."""


@dataclass(frozen=True, slots=True)
class KindRow:
    """`violation` is the rule in SARIF, `occurs` what is said of a check that is violated.

    `fault` names the behaviour: descriptions of its checks begin with it. The first of `properties` is the one
    that is about the kind most closely. `selected_by` is the name under which a user selects the kind; empty: only
    properties ask for it. `needs_sizes`: the lowering keeps the sizes of living objects.
    """

    violation: str
    occurs: str
    confirmation: Confirmation
    properties: tuple[PropertyKind, ...] = ()
    fault: str = ""
    selected_by: str = ""
    needs_sizes: bool = False


def _undefined(
    fault: str, violation: str, selected_by: str, *properties: PropertyKind, needs_sizes: bool = False
) -> KindRow:
    """The row of a kind of undefined behaviour."""
    every = (*properties, PropertyKind.DEF_BEHAVIOR)
    return KindRow(violation, "can happen", Confirmation.INTERPRETER, every, fault, selected_by, needs_sizes)


def _defined(fault: str, violation: str, selected_by: str) -> KindRow:
    """The row of a kind of behaviour that C defines, and users ask about."""
    return KindRow(violation, "can happen", Confirmation.INTERPRETER, (), fault, selected_by)


class CheckKind(StrEnum):
    """A kind of checks; the value is the property of the check where a user selects the kind."""

    row: KindRow

    def __new__(cls, name: str, *row: KindRow) -> CheckKind:  # a look-up by name has no row
        member = str.__new__(cls, name)
        member._value_ = name
        (member.row,) = row
        return member

    UNREACH_CALL = (
        "unreach-call",
        KindRow(
            "An error function or label is reachable",
            "can be reached",
            Confirmation.NATIVE,
            (PropertyKind.UNREACH_CALL,),
        ),
    )
    ASSERTION = "assertion", KindRow("An assertion can fail", "can fail", Confirmation.NATIVE)
    ACSL = "acsl", KindRow("An ACSL annotation does not hold", "can fail", Confirmation.CLAIM)
    WITNESS = "witness", KindRow("A claim of the witness does not hold", "can fail", Confirmation.CLAIM)

    BOUNDS = (
        "bounds",
        _undefined("index out of bounds", "An index leaves the declared array", "bounds", PropertyKind.VALID_DEREF),
    )
    """An index outside of the declared array, also of an array within a struct."""
    OVERFLOW = (
        "overflow",
        _undefined("signed overflow", "Signed arithmetic leaves its type", "overflow", PropertyKind.NO_OVERFLOW),
    )
    """A result of signed arithmetic outside of its type; for `<<` also a negative left operand."""
    QUOTIENT = (
        "quotient",
        _undefined("signed overflow", "Signed arithmetic leaves its type", "overflow", PropertyKind.NO_OVERFLOW),
    )
    """A division, or a remainder, of the least number by -1, which `-fwrapv` does not define either."""
    DIVISION = "division", _undefined("division by zero", "A divisor can be zero", "division")
    SHIFT = "shift", _undefined("shift out of range", "A shift distance is out of range", "shift")
    """A distance that is negative or not below the width."""
    NULL = (
        "null",
        _undefined("null pointer", "A null pointer is accessed", "null", PropertyKind.VALID_DEREF),
    )
    """An access through a pointer below 4096."""
    DANGLING = (
        "dangling",
        _undefined(
            "invalid access",
            "An access outside of living objects",
            "dangling",
            PropertyKind.VALID_DEREF,
            needs_sizes=True,
        ),
    )
    """An access, through a pointer, of bytes that are not all in one living object; also a write to a literal."""
    FREE = (
        "free",
        _undefined(
            "invalid release",
            "A release of anything but a living heap object",
            "dangling",
            PropertyKind.VALID_FREE,
            needs_sizes=True,
        ),
    )
    """A release of what no allocation returned, or a second release."""
    POINTER = (
        "pointer",
        _undefined(
            "pointer out of its object",
            "A pointer leaves its object, or is put in order with one into another",
            "pointer",
            needs_sizes=True,
        ),
    )
    """A pointer that is moved out of its object and the place behind it; order and difference of pointers into two."""
    LENGTH = "length", _undefined("length not positive", "The length of an array may be 0 or negative", "length")
    """The length of an array of variable length is not positive."""
    UNINITIALIZED = (
        "uninitialized",
        _undefined("uninitialized value", "A value is read before one was written", "uninitialized"),
    )
    """A read of an automatic object, or of memory from `malloc`, to which nothing was written."""
    RETURN = "return", _undefined("no value returned", "A function ends without the value that is used", "return")
    """The use of the value of a call whose function came to its closing brace, or to a `return` without a value."""
    OVERLAP = "overlap", _undefined("overlapping copy", "A copy is made between objects that overlap", "overlap")
    """A call of `memcpy`, `strcpy` or the like for objects that overlap, or of `=` for structs that do in part."""
    ARGUMENTS = (
        "arguments",
        _undefined("wrong variable argument", "A variable argument is missing, or has another type", "arguments"),
    )
    """A `va_arg` where the call has no argument left, or one of another type."""
    SEQUENCE = (
        "sequence",
        _undefined("unsequenced effects", "An expression changes an object that it also uses, in no order", "sequence"),
    )
    """Two accesses to an object, one of them a store, in one expression that gives them no order (C11 6.5p2)."""
    CONST = (
        "const",
        _undefined("write to a constant", "A constant object is written to", "const", needs_sizes=True),
    )
    """A write to an object that is declared `const`, or to a string literal."""
    ALIGNMENT = (
        "alignment",
        _undefined("misaligned pointer", "A pointer is not aligned for its type", "alignment", needs_sizes=True),
    )
    """A pointer that is converted to, or made of a packed member as, one to what is more aligned than its place."""
    UNSIGNED = "unsigned", _defined("unsigned wrap-around", "Unsigned arithmetic wraps around", "unsigned")
    """A sum, difference or product of unsigned numbers, or a negated one, that is outside of its type."""
    CONVERSION = "conversion", _defined("changed value", "A conversion changes the value of an integer", "conversion")
    """A conversion to an integer type, other than `_Bool`, that does not hold the value; also to a bit-field."""
    ENUM = "enum", _defined("no enumerator", "An object of enumerated type has a value without a name", "enum")
    """A value that is stored in, or read from, an object of enumerated type, and is none of its enumerators."""
    UNREACHABLE = (
        "unreachable",
        _undefined("unreachable code", "Code is reached that is promised never to be", "unreachable"),
    )
    """A call of `__builtin_unreachable()`."""
    NORETURN = (
        "noreturn",
        _undefined("return from a noreturn function", "A function returns that is declared never to", "noreturn"),
    )
    """The end of a function that is declared `_Noreturn`."""
    CALL = "call", _undefined("call as another type", "A function is called as of a type that is not its own", "call")
    """A call through a pointer to another type of functions, or without a prototype with arguments that do not fit."""
    BOOLEAN = "boolean", _undefined("no truth value", "A _Bool is read that holds neither 0 nor 1", "boolean")
    """A read of a `_Bool` whose byte is neither 0 nor 1."""
    FLOAT_CONVERSION = (
        "float-conversion",
        _undefined(
            "number out of its type", "A floating-point number does not fit an integer type", "float-conversion"
        ),
    )
    """A conversion of a floating-point number to an integer type that does not hold it."""
    FLOAT_DIVISION = (
        "float-division",
        _defined("floating-point division by zero", "A floating-point number is divided by zero", "float-division"),
    )
    """A quotient of floating-point numbers whose divisor is zero, which C with IEEE 754 defines."""
    FLOAT_OVERFLOW = (
        "float-overflow",
        _defined("floating-point overflow", "A result of finite floating-point numbers is infinite", "float-overflow"),
    )
    """A result, other than a quotient by zero, that is infinite though no operand is; also of a conversion."""
    NAN = "nan", _defined("result that is no number", "A result is NaN though no operand is", "nan")
    """A result of floating-point arithmetic that is NaN though no operand is."""
    RESTRICT = (
        "restrict",
        _undefined(
            "access beside a restrict pointer", "An object is modified and accessed beside restrict", "restrict"
        ),
    )
    """An access of an object that is modified, and accessed through a pointer that is `restrict` and not through it."""
    NONNULL = "nonnull", _defined("null argument", "A null pointer is passed, or returned, that must not be", "nonnull")
    """An argument, or a result, that is null and declared `nonnull`, or that is null for a function on strings."""
    CLEANUP = (
        "cleanup",
        KindRow(
            "The program ends with memory that is not released",
            "can happen",
            Confirmation.INTERPRETER,
            (PropertyKind.VALID_MEMCLEANUP,),
            "memory not released",
            needs_sizes=True,
        ),
    )
    """The program returns from main, or calls exit, while memory from the heap is not released."""


Kinds = Mapping[CheckKind, str]
"""The kinds of behaviour that are errors, each with the property that it violates."""

NO_KINDS: Kinds = MappingProxyType({})

ASSUMED = ""
"""Stands for the property of a kind that nobody asks for: it is assumed not to occur."""

SELECTABLE = tuple(kind for kind in CheckKind if kind.row.selected_by == kind.value)
"""The kinds that a user names."""
UNDEFINED_BEHAVIOUR = tuple(kind for kind in SELECTABLE if PropertyKind.DEF_BEHAVIOR in kind.row.properties)
"""Kinds of undefined behaviour, which `--check-ub` asks for."""


DEFINED = tuple(kind for kind in SELECTABLE if kind not in UNDEFINED_BEHAVIOUR)
"""Kinds after which C says how an execution goes on, though it is not followed."""


def selected(names: tuple[str, ...]) -> Kinds:
    """The kinds that the names bring, each a property of its own."""
    return MappingProxyType({kind: kind.row.selected_by for kind in CheckKind if kind.row.selected_by in names})


def kinds_of(property_: PropertyKind) -> tuple[CheckKind, ...]:
    """The kinds of checks that decide a property; none where it is not supported."""
    return tuple(kind for kind in CheckKind if property_ in kind.row.properties)


def kind_of(name: str) -> CheckKind | None:
    """A kind of the checks whose property has this name; None for a name that nothing here has."""
    if name in list(CheckKind):
        return CheckKind(name)
    return next(iter(kinds_of(PropertyKind(name))), None) if name in list(PropertyKind) else None


def violation_of(name: str) -> str:
    """A sentence about violations of the property with this name; for a name that nothing here has, the name."""
    if name in list(PropertyKind) and PropertyKind(name).row.violation:
        return PropertyKind(name).row.violation
    kind = kind_of(name)
    return name if kind is None else kind.row.violation
