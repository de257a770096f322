"""Elements of blocks of memory: the bodies and the views of blocks that calls need, and the values that fill them."""

from __future__ import annotations

from dataclasses import replace

from core.program.span import Span
from frontend.libc.blocks import MemoryBlock, constant, is_byte, is_integer
from frontend.typed import tree
from frontend.typed.ctype import CType, Float, Integer, IntegerKind, Pointer, is_scalar
from frontend.typed.leaves import leaves
from frontend.typed.library_table import Body, Form, LibraryFunction
from frontend.typed.tree import BinaryOperator, Storage

_INT = Integer(IntegerKind.INT, 32, signed=True)
_BYTE = Integer(IntegerKind.UCHAR, 8, signed=False)
_WIDE = Integer(IntegerKind.ULLONG, 64, signed=False)


def viewed(
    function: LibraryFunction, body: Body, second: tree.Expression, blocks: tuple[MemoryBlock, ...]
) -> tuple[str, tuple[MemoryBlock, ...]]:
    """The body for a call, and the blocks with the elements that it works on: bytes, where it must see them."""
    element = blocks[0].element
    match body.form:
        case Form.FILL:
            fits = filling_of(second, element) is not None
        case Form.BYTES:
            fits = is_byte(element)
        case Form.SCALARS:
            fits = isinstance(element, Integer | Pointer)
        case _:
            fits = True
    if fits:
        return function.name, blocks
    if function.wide and isinstance(element, Integer) and element.kind is not IntegerKind.BOOL:
        return function.wide, blocks
    return function.name, as_bytes(blocks)


def as_bytes(blocks: tuple[MemoryBlock, ...]) -> tuple[MemoryBlock, ...]:
    """The blocks as bytes; none where they hold anything but integers, which memory can keep so."""
    if not all(is_integer(leaf) for leaf in leaves(blocks[0].element)):
        return ()
    byte = blocks[0].model.integer(IntegerKind.UCHAR)
    return tuple(replace(one, element=byte) for one in blocks)


def scalars(block: MemoryBlock, limit: int) -> int:
    """The number of scalars in a block of constant size; more than the limit where it is not constant."""
    total, count = 0, block.count
    for leaf in leaves(block.element):
        size = 1
        for length in leaf.lengths:
            if not isinstance(length, int):
                return limit + 1
            size *= length
        total += size
    return limit + 1 if count is None else total * count


def zero(span: Span, type_: CType) -> tree.Expression:
    """A value of zeros."""
    match type_:
        case Integer():
            return tree.IntegerConstant(span, type_, 0)
        case Pointer():
            return tree.Convert(span, type_, tree.IntegerConstant(span, _INT, 0), explicit=False)
        case Float():
            return tree.FloatConstant(span, type_, "0.0")
        case _:
            name = f".zero@{span.line}:{span.column}"
            object_ = tree.Object(name, name, type_, Storage.AUTOMATIC, None, span)
            zeros = tree.Initialiser(span, (), zero_fill=True)
            return tree.Load(span, type_, tree.CompoundLiteral(span, type_, object_, zeros))


def converted(source: tree.Lvalue, type_: CType) -> tree.Expression:
    """The contents of an lvalue as a value of a type of the same layout."""
    value = tree.Load(source.span, source.type, source)
    if is_scalar(type_) and type_ != source.type:
        return tree.Convert(source.span, type_, value, explicit=False, is_modular=True)
    return value


def filling_of(value: tree.Expression, element: CType) -> tree.Expression | None:
    """The element whose bytes all are the last one of `value`; None where that is not known."""
    fill, span = constant(value), value.span
    if fill is not None and fill % 256 == 0:
        return zero(span, element)
    if not isinstance(element, Integer) or element.kind is IntegerKind.BOOL:
        return None
    if is_byte(element):
        return tree.Convert(span, element, value, explicit=False, is_modular=True)
    pattern = ((1 << element.bits) - 1) // 255
    if fill is not None:
        return tree.IntegerConstant(span, element, element.convert(fill % 256 * pattern))
    wide = replace(_WIDE, bits=max(64, element.bits))
    byte = tree.Convert(span, wide, tree.Convert(span, _BYTE, value, explicit=False, is_modular=True), explicit=False)
    product = tree.Binary(span, wide, BinaryOperator.MULTIPLY, byte, tree.IntegerConstant(span, wide, pattern))
    return tree.Convert(span, element, product, explicit=False)
