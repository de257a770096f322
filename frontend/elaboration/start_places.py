"""The base of what writes the start of a function (`frontend.elaboration.entry`): places that get values, and text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from core.dataclass import dataclass
from frontend.elaboration.start_uses import PointerUses
from frontend.options import Aliasing
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Integer, Pointer, Record, spell

ADVICE = "`--aliasing separate` starts it, and assumes that pointers do not overlap"
NONDET = "__VERIFIER_nondet_"
_UNNAMED = "unnamed"
"""The tag of the first record without one."""


@dataclass(frozen=True, slots=True)
class StartPlace:
    """An object that is to get a value: its text in C, the name of its input, the parameter or object it belongs to."""

    text: str
    type: CType
    name: str
    span: Span
    owner: str
    inside: tuple[Record, ...] = ()
    """The records that it is a member of, or that lead to it; what is in memory is arbitrary already."""
    is_global: bool = False
    is_seen_outside: bool = False
    """Whether callers may have its address."""
    in_loop: bool = False
    """Whether a loop makes many of it."""


@dataclass(slots=True)
class StartGroup:
    """Places that get values together: statements for numbers, the pointers, and the heads of lists."""

    before: list[str] = field(default_factory=list)
    pointers: list[StartPlace] = field(default_factory=list)
    """Pointers to objects that are no lists."""
    cursors: dict[Record, list[StartPlace]] = field(default_factory=dict)


class StartWriter:
    """Writes C text with inputs, and notes what it assumes."""

    def __init__(self, unit: tree.TranslationUnit, function: tree.FunctionDeclaration, aliasing: Aliasing) -> None:
        self.unit, self.function, self.aliasing = unit, function, aliasing
        self.uses = PointerUses(unit, function)
        self.inputs: dict[str, str] = {}
        """The functions that give values, with their types."""
        self.assumed: dict[str, None] = {}

    @property
    def is_any(self) -> bool:
        return self.aliasing is Aliasing.ANY

    @property
    def size(self) -> str:
        return self.unit.data_model.size_type.kind.value

    def any_value(self, place: StartPlace) -> str:
        return self.input(self.spelled(place.type, "", place.span), place.name)

    def choice(self) -> str:
        return self.input("int", "choice")

    def input(self, type_: str, name: str) -> str:
        """A call of a function that gives any value of a type."""
        full = NONDET + name
        while self.inputs.setdefault(full, type_) != type_:
            full += "_"
        return f"{full}()"

    def spelled(self, type_: CType, name: str, span: Span) -> str:
        """The declaration of a name with a type, which the file must name."""
        if any(not one.is_complete for one in _records(type_)):
            raise Unsupported(span, f"no start is made of {self.function.name}: {type_} is incomplete")
        if any("#" in one.tag or one.tag == _UNNAMED for one in _records(type_)):
            raise Unsupported(span, f"no start is made of {self.function.name}: give the type of {name} a tag")
        return spell(_without_tags_of_enumerations(type_), name)

    def refused(self, place: StartPlace, why: str, may_be_separate: bool = False) -> Unsupported:
        """The error for a place of which no start is made, maybe because pointers may lead anywhere."""
        advice = f"; {ADVICE}" if may_be_separate else ""
        return Unsupported(place.span, f"no start is made of {self.function.name}: {place.owner} {why}{advice}")


def has_pointers(type_: CType) -> bool:
    match type_:
        case Pointer():
            return True
        case Array(element, _):
            return has_pointers(element)
        case Record():
            return type_.is_complete and any(has_pointers(one.type) for one in type_.layout.fields)
        case _:
            return False


def _records(type_: CType) -> Iterator[Record]:
    """The records that a declaration with the type names."""
    while isinstance(type_, Pointer | Array):
        type_ = type_.target if isinstance(type_, Pointer) else type_.element
    if isinstance(type_, Record):
        yield type_


def _without_tags_of_enumerations(type_: CType) -> CType:
    match type_:
        case Integer():
            return replace(type_, enum="")
        case Pointer(target):
            return Pointer(_without_tags_of_enumerations(target))
        case Array(element, length):
            return Array(_without_tags_of_enumerations(element), length)
        case _:
            return type_
