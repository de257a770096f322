"""Storage of objects in variables: one for each scalar part.

A scalar object is a variable. A struct is split into one variable per field (`s.f`); an array is one array variable,
row-major where it has several dimensions; an array of structs is one array per field, and an array in a struct is one
array too. A pointer is an address; a union is an array of bytes. Parts that are floating numbers have no variable:
what reads them is refused, so what is written to them does not matter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from core.dataclass import dataclass
from core.program import Input, InputKind, Range, Variable
from core.program.source import POINTER, SourceType
from core.program.span import Span
from core.terms import INT, INT_ARRAY, Arena, ConstantTable, Term
from frontend.lowering.arithmetic import ADDRESS, Arithmetic, BoundedTerm, number_type
from frontend.typed.ctype import Array, CType, Field, Integer, IntegerKind, VariableLength
from frontend.typed.leaves import Length, TypeLeaf, field_type, leaves
from frontend.typed.tree import Object, Storage


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """An object or a part of it: `indices` belong to the arrays entered so far, whose lengths are `lengths`."""

    name: str
    type: CType
    lengths: tuple[Length, ...] = ()
    indices: tuple[BoundedTerm, ...] = ()

    def element(self, index: BoundedTerm) -> VariablePlace:
        assert isinstance(self.type, Array)
        lengths = (*self.lengths, self.type.length)
        return VariablePlace(self.name, self.type.element, lengths, (*self.indices, index))

    def member(self, member: Field) -> VariablePlace:
        return replace(self, name=f"{self.name}.{member.name}", type=field_type(member))


class PointerNumbers(Protocol):
    """Makes the numbers that stand for pointers in memory, and pointers of them."""

    def number(self, arithmetic: Arithmetic, pointer: BoundedTerm) -> BoundedTerm: ...

    def pointer(self, arithmetic: Arithmetic, address: BoundedTerm) -> BoundedTerm: ...


@dataclass(frozen=True, slots=True)
class Slot:
    """A scalar part of a place in its variable, which is an array variable where `index` or `is_array` says so.

    The part is the element at `index`; without one the whole variable. An `is_array` part, which lies within a struct,
    is `count` elements from there on; None for a length that varies.
    """

    variable: Term
    type: Integer
    index: Term | None
    count: int | None
    is_array: bool
    offsets: tuple[int, ...] | None = None
    """Of an array in memory: where its elements lie, from `index` on."""
    bytes: int = 0
    """How many elements of the variable, which are bytes then, make up the scalar; 0 where it is one element."""
    first_bit: int | None = None
    """Of a bit-field that may share these bytes: the lowest of its bits in the first one."""
    numbers: PointerNumbers | None = None
    """Of pointers that are kept as numbers."""

    def held(self, type_: CType) -> Integer:
        """The type of what the slot holds, for an lvalue of the type; a region may have the other type of a size."""
        return type_ if isinstance(type_, Integer) and type_.bits == self.type.bits else self.type

    @property
    def is_boolean(self) -> bool:
        """Whether the scalar is a `_Bool` that is a byte, which may hold other numbers than 0 and 1."""
        return self.type.kind is IntegerKind.BOOL and bool(self.bytes) and self.first_bit is None

    def bits(self, byte: int) -> tuple[int, int]:
        """The bits of the scalar in one of its bytes: the first one and the one behind the last."""
        begin = self.first_bit or 0
        end = 8 * self.bytes if self.first_bit is None else begin + self.type.bits
        return max(begin - 8 * byte, 0), min(end - 8 * byte, 8)

    def offset(self, position: int) -> int:
        """The distance of the element at a position from `index`."""
        return position if self.offsets is None else self.offsets[position]


class Variables:
    """The variables and inputs of a program under construction; `address` is the type of addresses."""

    def __init__(self, arena: Arena, address: Integer = ADDRESS) -> None:
        self._arena, self._address = arena, address
        self._by_name: dict[str, Term] = {}
        self.variables: dict[Term, Variable] = {}
        self.inputs: dict[Term, Input] = {}
        self.addresses: dict[Term, None] = {}
        """The variables, and arrays, whose values are addresses."""
        self.objects: dict[str, Object] = {}
        """Declared objects, by name."""
        self.tables: dict[Term, ConstantTable] = {}
        """What is one function of its index instead of an array, by the variable that it has until the end."""
        self.nan_patterns: dict[Term, Term] = {}
        """What says which of the patterns of NaN a variable of a function has, by the variable: memory has its bits."""
        self._uses: dict[str, int] = {}

    def declare(self, object_: Object) -> tuple[Term, ...]:
        """The variables of an object, made at the first call."""
        scope = object_.function if object_.storage in (Storage.AUTOMATIC, Storage.PARAMETER) else None
        found: list[Term] = []
        self.objects[object_.name] = object_
        for leaf in leaves(object_.type):
            if (type_ := number_type(leaf.type)) is not None:
                name = object_.name + leaf.suffix
                hidden = "." in object_.source_name
                found.append(self._variable(name, scope, type_, leaf.lengths, hidden))
        return tuple(found)

    def hidden(
        self,
        name: str,
        scope: str | None,
        type_: Integer,
        lengths: tuple[Length, ...] = (),
        bounds: Range | None = None,
    ) -> Term:
        """A variable that the text does not name; the same one for the same name. Its values are within `bounds`."""
        return self._variable(name, scope, type_, lengths, hidden=True, within=bounds)

    def _variable(
        self,
        name: str,
        scope: str | None,
        type_: Integer,
        lengths: tuple[Length, ...],
        hidden: bool,
        within: Range | None = None,
    ) -> Term:
        if name in self._by_name:
            return self._by_name[name]
        # `x#2` would be the name of the copy of `x` in the second frame of a recursive function.
        symbol = self._arena.symbol(name.replace("#", "~"), INT_ARRAY if lengths else INT)
        extent = _product(lengths) if lengths else None
        bounds = within or self._range(type_)
        scalar = POINTER if type_ == ADDRESS else str(type_)
        c_type = SourceType(scalar, tuple(n if isinstance(n, int) else None for n in lengths))
        self.variables[symbol] = Variable(symbol, name, scope, c_type, bounds, extent, hidden)
        if type_ == ADDRESS:
            self.addresses[symbol] = None
        self._by_name[name] = symbol
        return symbol

    def has(self, name: str) -> bool:
        """Whether a variable of that name is declared."""
        return name in self._by_name

    def named(self, name: str) -> Term:
        """The variable of that name; KeyError where none is declared."""
        return self._by_name[name]

    def drop(self, symbol: Term) -> None:
        """Forget a variable that nothing mentions any more."""
        del self._by_name[self.variables.pop(symbol).name]
        self.addresses.pop(symbol, None)

    def input(
        self,
        kind: InputKind,
        name: str,
        span: Span,
        type_: Integer,
        *,
        like: Term | None = None,
        bounds: Range | None = None,
    ) -> Term:
        """A new input within `bounds`, by default those of the type; of the sort of `like`, else an integer."""
        sort = INT if like is None else like.sort
        stem = f"{kind.value}@{span.line}:{span.column}" if kind is not InputKind.INDETERMINATE else f"{name}@init"
        stem = stem.replace("#", "~")
        number = self._uses[stem] = self._uses.get(stem, 0) + 1
        symbol = self._arena.symbol(stem if number == 1 else f"{stem}.{number}", sort)
        self.inputs[symbol] = Input(symbol, kind, name, span, bounds or self._range(type_))
        return symbol

    def _range(self, type_: Integer) -> Range | None:
        type_ = self._address if type_ == ADDRESS else type_
        return None if type_ == ADDRESS else Range(type_.minimum, type_.maximum)

    # Parts of places

    def slots(self, place: VariablePlace) -> tuple[tuple[TypeLeaf, Slot | None], ...]:
        """The leaves of a place with the variables that hold them; None where there is no variable."""
        return tuple((leaf, self._slot(place, leaf)) for leaf in leaves(place.type))

    def _slot(self, place: VariablePlace, leaf: TypeLeaf) -> Slot | None:
        type_ = number_type(leaf.type)
        if type_ is None:
            return None
        variable = self._by_name[place.name + leaf.suffix]
        count = _product(leaf.lengths) if leaf.lengths else None
        index = self._flat((*place.lengths, *leaf.lengths), place.indices) if place.indices else None
        return Slot(variable, type_, index, count, bool(leaf.lengths))

    def _flat(self, lengths: tuple[Length, ...], indices: tuple[BoundedTerm, ...]) -> Term:
        """The row-major position of the element with these indices, and zeros for the lengths beyond them."""
        arena, numbers = self._arena, [self._number(index) for index in indices]
        position = numbers[0]
        for depth, length in enumerate(lengths[1:], start=1):
            position = arena.multiply(position, self.length(length))
            if depth < len(numbers):
                position = arena.add(position, numbers[depth])
        return position

    def _number(self, index: BoundedTerm) -> Term:
        if index.is_truth:
            return self._arena.ite(index.term, self._arena.one, self._arena.zero)
        return index.term

    def length(self, length: Length) -> Term:
        """The number of elements; an incomplete array is only ever the outermost, where it does not matter."""
        if isinstance(length, VariableLength):
            return self._by_name[length.variable]
        return self._arena.integer(length or 0)


def _product(lengths: tuple[Length, ...]) -> int | None:
    result = 1
    for length in lengths:
        if not isinstance(length, int):
            return None
        result *= length
    return result
