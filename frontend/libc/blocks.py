"""The blocks of memory that calls of memcpy, memmove, memset, memcmp and memchr name: their elements and sizes.

The element of a block is the type of what the pointer below the casts points to. A block of a constant number of
elements is an lvalue, so that a copy is one assignment.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.dataclass import dataclass
from core.program.span import Span
from frontend.typed import tree
from frontend.typed.ctype import (
    Array,
    CType,
    DataModel,
    Float,
    FloatKind,
    Integer,
    IntegerKind,
    Pointer,
    Record,
    Signature,
    Void,
    same_representation,
)
from frontend.typed.leaves import TypeLeaf, leaves
from frontend.typed.tree import BinaryOperator

_BYTE = 8


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """A block of memory: `pointer` without casts; `size` in bytes, which is a multiple of that of `element`."""

    pointer: tree.Expression
    element: CType
    size: tree.Expression
    model: DataModel

    @property
    def count(self) -> int | None:
        """The number of elements, where it is constant."""
        size = constant(self.size)
        return None if size is None else size // self.model.size_of(self.element)

    def counted(self) -> tree.Expression:
        """The number of elements as an expression of type size_t."""
        span, type_, unit = self.size.span, self.model.size_type, self.model.size_of(self.element)
        if unit == 1:
            return self.size
        if (count := self.count) is not None:
            return tree.IntegerConstant(span, type_, count)
        exact = _divided(self.size, unit)
        if exact is not None:
            return tree.Convert(span, type_, exact, explicit=False)
        divisor = tree.IntegerConstant(span, type_, unit)
        return tree.Binary(span, type_, BinaryOperator.DIVIDE, self.size, divisor)

    def start(self) -> tree.Expression:
        """The pointer to the first element."""
        type_ = Pointer(self.element)
        if isinstance(self.pointer.type, Pointer) and self.pointer.type.target is self.element:
            return self.pointer
        return tree.Convert(self.pointer.span, type_, self.pointer, explicit=False, is_modular=True)

    def whole(self) -> tree.Lvalue | None:
        """The object that the block is, where it is all of one that the call names."""
        if not isinstance(self.pointer, tree.AddressOf | tree.Decay):
            return None
        lvalue, size = self.pointer.lvalue, constant(self.size)
        try:
            return lvalue if self.model.size_of(lvalue.type) == size else None
        except ValueError:
            return None

    def lvalue(self, span: Span) -> tree.Lvalue | None:
        """The block as an object at the place of the call; None where the number of elements is not constant."""
        count = self.count
        if not count:
            return None
        type_ = self.element if count == 1 else Array(self.element, count)
        pointer = self.start()
        if count > 1:
            pointer = tree.Convert(pointer.span, Pointer(type_), pointer, explicit=False, is_modular=True)
        return tree.Dereference(span, type_, pointer)


def blocks_of(pointers: Sequence[tree.Expression], size: tree.Expression, model: DataModel) -> tuple[MemoryBlock, ...]:
    """The blocks of one call; none where no common element is known whose size divides that of the blocks."""
    below: list[tree.Expression] = []
    for one in pointers:
        pointer = _from_enclosing(_below_casts(one), size, model)
        if pointer is None:
            return ()
        below.append(pointer)
    element = _element([one.type.target for one in below if isinstance(one.type, Pointer)], model)
    if element is None or len(pointers) != sum(isinstance(one.type, Pointer) for one in below):
        return ()
    if not is_multiple(size, model.size_of(element), model):
        return ()
    return tuple(MemoryBlock(one, element, size, model) for one in below)


def bytes_of(pointers: Sequence[tree.Expression], size: tree.Expression, model: DataModel) -> tuple[MemoryBlock, ...]:
    """The blocks of one call as bytes, such as a struct with an array of any length at its end.

    None where something lies there that is no integer, which cannot be seen as bytes.
    """
    byte = model.integer(IntegerKind.UCHAR)
    blocks: list[MemoryBlock] = []
    for pointer in pointers:
        block = _from_enclosing(_below_casts(pointer), size, model)
        target = block.type.target if block is not None and isinstance(block.type, Pointer) else None
        if (
            block is None
            or target is None
            or isinstance(target, Signature)
            or (isinstance(target, Record) and not target.is_complete)
        ):
            return ()
        if not isinstance(target, Void) and not all(is_integer(leaf, is_open=True) for leaf in leaves(target)):
            return ()
        blocks.append(MemoryBlock(block, byte, size, model))
    return tuple(blocks)


def _from_enclosing(e: tree.Expression, size: tree.Expression, model: DataModel) -> tree.Expression | None:
    """The pointer; where the block leaves the member that it points to, one to bytes of the object around.

    None where that object has parts that are no integers, which cannot be seen as bytes.
    """
    wanted, offset = constant(size), 0
    lvalue = e.lvalue if isinstance(e, tree.AddressOf | tree.Decay) else None
    has_left = False
    while wanted is not None and lvalue is not None and _room(lvalue, model) < offset + wanted:
        match lvalue:
            case tree.Member(base=base, field=field):
                lvalue, offset, has_left = base, offset + field.offset, True
            case tree.Index(array=array, index=index) if (position := constant(index)) is not None:
                offset += position * model.size_of(lvalue.type)
                lvalue = array
            case _:
                break
    if not has_left or wanted is None or lvalue is None or _room(lvalue, model) < offset + wanted:
        return e  # the last member may be a window on more memory
    if not all(is_integer(one) for one in leaves(lvalue.type)):
        return None
    bytes_ = Pointer(model.integer(IntegerKind.UCHAR))
    around = (
        lvalue.pointer if isinstance(lvalue, tree.Dereference) else tree.AddressOf(e.span, Pointer(lvalue.type), lvalue)
    )
    start = tree.Convert(e.span, bytes_, around, explicit=True)
    distance = tree.IntegerConstant(e.span, model.size_type, offset)
    return tree.PointerOffset(e.span, bytes_, BinaryOperator.ADD, start, distance)


def _room(lvalue: tree.Lvalue, model: DataModel) -> int:
    """The size of an object in bytes; 0 where it is not constant."""
    try:
        return model.size_of(lvalue.type)
    except ValueError:
        return 0


def is_integer(leaf: TypeLeaf, is_open: bool = False) -> bool:
    """Whether the scalars are numbers, so that memory can hold them as bytes; `is_open`: any number of them."""
    is_float = isinstance(leaf.type, Float) and leaf.type.kind is not FloatKind.LONG_DOUBLE
    return (isinstance(leaf.type, Integer) or is_float) and (is_open or None not in leaf.lengths)


def _below_casts(e: tree.Expression) -> tree.Expression:
    while isinstance(e, tree.Convert) and isinstance(e.operand.type, Pointer) and isinstance(e.type, Pointer):
        e = e.operand
    return e


def _element(types: Sequence[CType], model: DataModel) -> CType | None:
    """The type that lies in all blocks: the first that is no byte; a byte where the pointers say nothing.

    A `_Bool` beside a byte is one, since it may get any, and so is a struct of integers that has one.
    """
    element_types: list[CType] = []
    for type_ in types:
        while isinstance(type_, Array):
            type_ = type_.element
        if isinstance(type_, Signature) or (isinstance(type_, Record) and not type_.is_complete):
            return None
        if not isinstance(type_, Void):
            element_types.append(type_)
    element_types = [one for one in element_types if model.size_of(one) > 0]
    wide = [one for one in element_types if not is_byte(one)]
    if len(wide) < len(element_types) and all(_may_get_bytes(one) for one in wide):
        wide = [one for one in element_types if is_byte(one)]
    byte = model.integer(IntegerKind.CHAR)
    if wide and not all(same_representation(wide[0], one) for one in wide):
        return byte if _reads_bits(wide) else None
    return (wide or element_types or [byte])[0]


def _may_get_bytes(type_: CType) -> bool:
    """Whether there is a `_Bool` among integers."""
    found = list(leaves(type_))
    return all(is_integer(one) for one in found) and any(
        isinstance(one.type, Integer) and one.type.kind is IntegerKind.BOOL for one in found
    )


def _reads_bits(types: Sequence[CType]) -> bool:
    """Whether these are whole numbers, some of which are of floating type."""
    found = [leaf for type_ in types for leaf in leaves(type_)]
    return all(map(is_integer, found)) and any(isinstance(one.type, Float) for one in found)


def is_byte(type_: CType) -> bool:
    return isinstance(type_, Integer) and type_.bits == _BYTE


def constant(e: tree.Expression) -> int | None:
    """The value of an expression of constants."""
    match e:
        case tree.IntegerConstant():
            return e.value
        case tree.Convert(operand=operand, type=Integer() as type_):
            value = constant(operand)
            return None if value is None else type_.convert(value)
        case tree.Binary(left=left, right=right, operator=operator, type=Integer() as type_):
            first, second = constant(left), constant(right)
            if first is None or second is None:
                return None
            match operator:
                case BinaryOperator.ADD:
                    return type_.convert(first + second)
                case BinaryOperator.SUBTRACT:
                    return type_.convert(first - second)
                case BinaryOperator.MULTIPLY:
                    return type_.convert(first * second)
                case _:
                    return None
        case _:
            return None


def is_multiple(e: tree.Expression, of: int, model: DataModel) -> bool:
    """Whether the number is a multiple; only where the expression says so."""
    value = constant(e)
    if value is not None:
        return value % of == 0
    if of == 1 or _divided(e, of) is not None:
        return True
    if of & (of - 1):
        return False  # what wraps around is a multiple of powers of two only
    match e:
        case tree.Convert(operand=operand, type=Integer() as type_) if isinstance(operand.type, Integer):
            return of < 1 << min(type_.bits, operand.type.bits) and is_multiple(operand, of, model)
        case tree.Binary(operator=BinaryOperator.MULTIPLY, left=left, right=right):
            return is_multiple(left, of, model) or is_multiple(right, of, model)
        case tree.Binary(operator=BinaryOperator.ADD | BinaryOperator.SUBTRACT, left=left, right=right):
            return is_multiple(left, of, model) and is_multiple(right, of, model)
        case _:
            return False


def _divided(e: tree.Expression, unit: int) -> tree.Expression | None:
    """The factor n of a product `n * unit` that cannot wrap around, unless n is negative.

    Then the size of the block is more than any object has, and so is n of them.
    """
    if not isinstance(e, tree.Binary) or e.operator is not BinaryOperator.MULTIPLY or not isinstance(e.type, Integer):
        return None
    for factor, other in ((e.left, e.right), (e.right, e.left)):
        if constant(other) != unit:
            continue
        narrow = factor
        while isinstance(narrow, tree.Convert) and isinstance(narrow.operand.type, Integer):
            if not isinstance(narrow.type, Integer) or narrow.operand.type.bits > narrow.type.bits:
                break
            narrow = narrow.operand
        if isinstance(narrow.type, Integer) and unit << narrow.type.bits <= 1 << e.type.bits:
            return factor
    return None
