"""Differences between two readings of one program, under two data models."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest

from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Float, Integer, Pointer, Record
from frontend.typed.traversal import nodes


def differ(unit: tree.TranslationUnit, other: tree.TranslationUnit, reachable: Collection[str]) -> bool:
    """Whether initialisers or reachable functions compute with types, or numbers, that are not alike.

    Sizes of pointers count where the program can tell them: as a size, in a struct, or as a number.
    """
    pairs = zip_longest(_read(unit, reachable), _read(other, reachable))
    return any(a is None or b is None or _content(a, unit) != _content(b, other) for a, b in pairs)


def _read(unit: tree.TranslationUnit, reachable: Collection[str]) -> Iterator[tree.Node]:
    bodies = [unit.functions[name].body for name in sorted(reachable) if name in unit.functions]
    objects = [one for one in unit.globals if one.object.function is None or one.object.function in reachable]
    yield from nodes(*objects, *(body for body in bodies if body is not None))


def _content(node: tree.Node, unit: tree.TranslationUnit) -> tuple[object, ...]:
    """The kind of a node and its place, with what a data model may change of it."""
    told: tuple[object, ...] = (type(node), node.span)
    if isinstance(node, tree.Declaration):
        told += (_shape(node.object.type),)
    if isinstance(node, tree.TypedNode):
        told += (_shape(node.type),)
    match node:
        case tree.IntegerConstant(value=value):
            told += (value,)
        case tree.Member(field=field):
            told += (field.offset, field.bit_offset)
        case tree.Convert(type=target, operand=operand) if isinstance(target, Pointer) != isinstance(
            operand.type, Pointer
        ):
            is_null = isinstance(operand, tree.IntegerConstant) and operand.value == 0
            is_truth = isinstance(target, Integer) and target.bits == 1
            told += () if is_null or is_truth else (unit.data_model.name,)
    return told


def _shape(type_: CType) -> object:
    """The part of a type that sizes change."""
    count = 1
    while isinstance(type_, Array):
        count *= type_.length if isinstance(type_.length, int) else 1
        type_ = type_.element
    match type_:
        case Integer(bits=bits, signed=signed):
            return count, bits, signed
        case Float(kind):
            return count, kind
        case Record() if type_.is_complete:
            return count, type_.layout.size
        case _:
            return count
