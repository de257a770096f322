"""The table of what the source calls the variables of a lowered program (`core/program/source.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from core.dataclass import dataclass
from core.program import Assign, Edge
from core.program.float_values import float_type
from core.program.own_steps import is_start_file
from core.program.source import (
    LIBRARY_OBJECT,
    NEXT_ADDRESS,
    OF_LIBRARY,
    IndexStep,
    MemberStep,
    PointerTarget,
    SourceObject,
    SourcePart,
    SourceStep,
    SourceTable,
    plain_words,
    source_function,
)
from core.program.span import Span
from core.terms import Term
from frontend.lowering.calls import result_name
from frontend.lowering.context import LoweringContext
from frontend.lowering.edge_text import show_literal
from frontend.lowering.enumerators import EnumeratorUses, UseKey
from frontend.lowering.memory.addresses import HEAP
from frontend.lowering.memory.regions import MemoryCell
from frontend.lowering.memory.regions import ObjectPart as TypePart
from frontend.lowering.pointsto.classes import Class, FieldKey, find, target_of
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Float, Pointer, Record, RecordKind, Signature
from frontend.typed.traversal import nodes
from frontend.typed.tree import Object

RESULT = "\\result"
"""The last result of a function."""
VALUE = "value"
"""A value that an expression had, in a temporary variable."""


def describe_source(context: LoweringContext, edges: tuple[Edge, ...]) -> SourceTable:
    """The table of a program whose functions are lowered."""
    return _Describer(context).table(edges)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A scalar part of a type; `suffix` names it within an object outside of memory."""

    type: CType
    key: FieldKey
    steps: tuple[SourceStep, ...]
    suffix: str
    use: UseKey


class _Describer:
    def __init__(self, context: LoweringContext) -> None:
        self._context, self._variables = context, context.variables
        self._memory, self._regions, self._points = context.memory, context.memory.regions, context.points
        self._uses = EnumeratorUses(context.unit, context.points.reachable)
        self._targets: list[PointerTarget] = []
        self._numbers: dict[tuple[int, CType], int] = {}
        self._pointers: dict[Term, int] = {}
        self._pending: list[tuple[int, Class, CType]] = []

    def table(self, edges: tuple[Edge, ...]) -> SourceTable:
        scopes = dict(self._scopes())
        objects = [self._object(one, scopes.get(one.name)) for one in self._mentioned() if self._is_told(one)]
        objects += map(self._result, self._points.reachable)
        objects += self._without_parts()
        if self._variables.has(HEAP):
            heap = SourcePart(self._variables.named(HEAP), ())
            objects.append(SourceObject(NEXT_ADDRESS, None, None, None, None, (heap,)))
        objects += self._temporaries(edges)
        while self._pending:
            number, owner, type_ = self._pending.pop()
            parts = tuple(self._in_memory(owner, type_, ("", "")))
            self._targets[number] = replace(self._targets[number], parts=parts)
        return SourceTable(
            tuple(one for one in objects if one.parts or one.address is not None),
            tuple(self._targets),
            self._pointers,
            self._context.escaping,
        )

    def _is_told(self, one: Object) -> bool:
        """Whether people know an object, or replays must: not those of a start that is written, nor of the library."""
        is_written = is_start_file(one.span.file) or one.name.startswith(LIBRARY_OBJECT)
        return self._memory.holds(one) or not is_written

    # Objects

    def _mentioned(self) -> tuple[Object, ...]:
        """The objects that have variables, or addresses."""
        return tuple({**self._variables.objects, **self._points.escaped}.values())

    def _scopes(self) -> Iterator[tuple[str, Span]]:
        """The blocks in which local names can be used."""
        for name in self._points.reachable:
            body = self._context.unit.functions[name].body
            for node in nodes(body) if body is not None else ():
                declared = node.items if isinstance(node, tree.Compound) else ()
                declared = node.initial if isinstance(node, tree.For) else declared
                for one in declared:
                    if isinstance(one, tree.Declaration):
                        yield one.object.name, node.span

    def _object(self, object_: Object, scope: Span | None) -> SourceObject:
        use, owner = ("object", object_.name), self._points.content(object_)
        is_of_library = object_.name.startswith(LIBRARY_OBJECT)
        hidden = is_of_library or "." in object_.source_name
        name = f"{OF_LIBRARY}{plain_words(object_.source_name)}" if is_of_library else object_.source_name
        named = SourceObject(name, object_.function, object_.span, scope, None, (), hidden)
        if not self._memory.holds(object_):
            return replace(named, parts=tuple(self._apart(object_.name, object_.type, use, owner)))
        parts = tuple(self._in_memory(owner, object_.type, use))
        address = self._memory.known_address(object_)
        return named if address is None else replace(named, address=address, parts=parts)

    def _without_parts(self) -> Iterator[SourceObject]:
        """Functions and string literals that have addresses, so that pointers to them have texts."""
        for name, address in self._memory.functions():
            declared = self._context.unit.functions.get(name)
            span = None if declared is None else declared.span
            yield SourceObject(source_function(name), None, span, None, address, ())
        for literal, address in self._memory.literals():
            yield SourceObject(show_literal(literal), None, None, None, address, (), hidden=True)

    def _result(self, function: str) -> SourceObject:
        declared = self._context.unit.functions[function]
        owner, use = self._points.result(function), ("result", function)
        parts = self._apart(result_name(function), declared.type.result, use, owner)
        return SourceObject(RESULT, function, declared.span, None, None, tuple(parts))

    def _temporaries(self, edges: tuple[Edge, ...]) -> Iterator[SourceObject]:
        """Hidden variables of functions, with the place of the first step that sets them."""
        left = {x for x, variable in self._variables.variables.items() if variable.hidden and variable.scope}
        for edge in edges:
            for x, _ in edge.operation.updates if isinstance(edge.operation, Assign) else ():
                if x in left and edge.span is not None:
                    left.discard(x)
                    scope = self._variables.variables[x].scope
                    yield SourceObject(VALUE, scope, edge.span, None, None, (SourcePart(x, ()),), hidden=True)

    # Parts

    def _apart(self, name: str, type_: CType, use: UseKey, owner: Class) -> Iterator[SourcePart]:
        """The parts of an object that has variables of its own."""
        for leaf in self._leaves(_Leaf(type_, None, (), name, use), TypePart(type_), in_memory=False):
            steps = _row_major(leaf.steps)
            if steps is not None and self._variables.has(leaf.suffix):
                yield self._part(self._variables.named(leaf.suffix), replace(leaf, steps=steps), owner)

    def _in_memory(self, owner: Class, type_: CType, use: UseKey) -> Iterator[SourcePart]:
        """The parts of an object in memory whose scalars are elements of arrays."""
        for leaf in self._leaves(_Leaf(type_, None, (), "", use), TypePart(type_), in_memory=True):
            region = self._regions.find(owner, MemoryCell(leaf.key, leaf.type, 0))
            if region is None or region.split or not self._variables.has(region.name):
                continue
            variable = self._variables.named(region.name)
            if not isinstance(leaf.type, Float) or self._has_ordinals(variable):
                yield self._part(variable, leaf, owner)

    def _has_ordinals(self, variable: Term) -> bool:
        """Whether elements are floating-point numbers; else they are bits, which other members may name."""
        return float_type(self._variables.variables[variable].c_type.scalar) is not None

    def _part(self, variable: Term, leaf: _Leaf, owner: Class) -> SourcePart:
        if isinstance(leaf.type, Pointer) and variable not in self._pointers:
            target = self._target(target_of(owner, leaf.key), leaf.type.target)
            if target is not None:
                self._pointers[variable] = target
        return SourcePart(variable, leaf.steps, self._uses.of(leaf.use, leaf.type))

    def _target(self, owner: Class, type_: CType) -> int | None:
        """The number of what a pointer to objects of a class points to; its parts are found later."""
        if isinstance(type_, Signature):  # has no parts; a nest of signatures can be as large as an exponential
            return None
        size = self._memory.size(type_)
        if size is None or (isinstance(type_, Record) and not type_.is_complete):
            return None
        key = (id(find(owner)), type_)
        if key not in self._numbers:
            self._numbers[key] = len(self._targets)
            self._pending.append((len(self._targets), find(owner), type_))
            self._targets.append(PointerTarget(str(type_), max(1, size), ()))
        return self._numbers[key]

    def _leaves(self, at: _Leaf, part: TypePart, *, in_memory: bool) -> Iterator[_Leaf]:
        """The scalar parts below a part of a type; members of unions only where memory has their bytes."""
        match part.type:
            case Array(element, length):
                stride = self._memory.size(element)
                if stride is not None:
                    step = IndexStep(stride, length if isinstance(length, int) else None)
                    inner = part.element()
                    yield from self._leaves(replace(at, steps=(*at.steps, step)), inner, in_memory=in_memory)
            case Record(kind=kind) if part.type.is_complete and (in_memory or kind is RecordKind.STRUCT):
                for member in part.type.layout.fields:
                    name = "" if member.name.startswith("#") else member.name  # of one without a name
                    below = replace(
                        at,
                        steps=(*at.steps, MemberStep(name, member.offset)),
                        suffix=f"{at.suffix}.{member.name}",
                        use=(str(part.type), member.name),
                    )
                    inner = part.member(member, self._points)
                    yield from self._leaves(below, inner, in_memory=in_memory)
            case Record():
                pass
            case _:
                yield replace(at, type=part.type, key=part.key)


def _row_major(steps: tuple[SourceStep, ...]) -> tuple[SourceStep, ...] | None:
    """The steps within an array variable, which has all elements one after the other; None where lengths vary."""
    lengths = [step.length for step in steps if isinstance(step, IndexStep)]
    later = [length for length in lengths[1:] if length is not None]
    if len(later) < len(lengths[1:]):
        return None
    strides = iter([prod(later[number:]) for number in range(len(lengths))])
    return tuple(
        replace(step, stride=next(strides)) if isinstance(step, IndexStep) else replace(step, offset=0)
        for step in steps
    )
