"""Undefined behaviour that no check is about, and that a program may have, by the form of its code.

A proof that no check can fail says nothing about these, so the property `def-behavior` is shown only where there are
none. Each finder may see what cannot happen, and must see all that can. What no finder is about is named in the
documentation: effective types, data races, values of dangling pointers, preconditions of library functions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from core.program.span import Span
from frontend.large_stack import run_on_large_stack
from frontend.properties.errors import Effect, NoReach, policy
from frontend.typed import tree
from frontend.typed.assigned import DefiniteAssignment, definite_assignment
from frontend.typed.ctype import Array, CType, DataModel, Pointer, Record, Signature, Void
from frontend.typed.lvalues import root
from frontend.typed.traversal import callee, nodes

_ALLOCATORS = frozenset({"malloc", "alloca", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign"})
_ALIGNED = _ALLOCATORS | {"calloc"}
_COPIES = frozenset(
    {"memcpy", "mempcpy", "strcpy", "strncpy", "stpcpy", "stpncpy", "strcat", "strncat", "sprintf", "snprintf"}
)


@dataclass(frozen=True, slots=True)
class Unshown:
    """Undefined behaviour that may be at a place."""

    what: str
    span: Span

    def __str__(self) -> str:
        return f"{self.what} ({self.span.file}:{self.span.line})"


def unshown(unit: tree.TranslationUnit, reachable: Collection[str]) -> tuple[Unshown, ...]:
    """The undefined behaviour that reachable functions may have: one finding of each kind, with the first place."""
    found: dict[str, Unshown] = {}
    bodies = {name: body for name, body in _bodies(unit) if name in reachable}
    every = [node for body in bodies.values() for node in nodes(body)]
    every += nodes(*unit.globals)
    for kind, finder in enumerate((_misaligned, _arithmetic, _overlaps, _heap)):
        for one in finder(every, unit.data_model):
            found.setdefault(f"{kind}", one)
    for one in (*_writes_to_constants(unit, every), *_without_value(unit, bodies)):
        found.setdefault(one.what, one)
    return tuple(found.values())


def _bodies(unit: tree.TranslationUnit) -> Iterator[tuple[str, tree.Compound]]:
    for name, function in unit.functions.items():
        if function.body is not None:
            yield name, function.body


def _without_value(unit: tree.TranslationUnit, bodies: dict[str, tree.Compound]) -> Iterator[Unshown]:
    """Objects that are read before they are written, and functions that end without a result."""
    errors = policy(NoReach(), frozenset())

    def ends(name: str) -> bool:
        function = unit.functions.get(name)
        is_defined = function is not None and function.body is not None
        return not is_defined and (name in unit.no_return or errors.effect_of(name) is Effect.END)

    def analysed(body: tree.Compound) -> DefiniteAssignment:
        return run_on_large_stack(lambda: definite_assignment(body, ends))

    for name, body in bodies.items():
        result, function = analysed(body), unit.functions[name]
        for object_, span in result.unassigned:
            if "." not in object_.source_name:
                yield Unshown(f"{object_.source_name} may be read before it has a value", span)
        if result.may_end and name != "main" and not isinstance(function.type.result, Void):
            yield Unshown(f"{name} may end without a return, and its value be used", function.span)


def _heap(every: list[tree.Node], _model: DataModel) -> Iterator[Unshown]:
    for call, name in _calls(every):
        if name in _ALLOCATORS:
            yield Unshown(f"what {name} gives may be read before it has a value", call.span)


def _overlaps(every: list[tree.Node], _model: DataModel) -> Iterator[Unshown]:
    for call, name in _calls(every):
        if name in _COPIES and not _are_apart(call):
            yield Unshown(f"{name} may copy between objects that overlap", call.span)


def _are_apart(call: tree.Call) -> bool:
    """Whether the first two arguments are in two objects that the text names."""
    objects = [_named(argument) for argument in call.arguments[:2]]
    return None not in objects and len(set(objects)) == 2


def _named(e: tree.Expression) -> object:
    """The object that an argument points into, where the text says it: a variable, or a literal."""
    while isinstance(e, tree.Convert):
        e = e.operand
    base = root(e.lvalue) if isinstance(e, tree.AddressOf | tree.Decay) else None
    if isinstance(base, tree.Variable):
        return base.object.name
    return id(base) if isinstance(base, tree.StringLiteral) else None


def _calls(every: list[tree.Node]) -> Iterator[tuple[tree.Call, str]]:
    for node in every:
        if isinstance(node, tree.Call) and (name := callee(node)) is not None:
            yield node, name.removeprefix("__builtin_")


def _arithmetic(every: list[tree.Node], _model: DataModel) -> Iterator[Unshown]:
    """Addresses of elements of arrays without length; other moved pointers are checked."""
    for node in every:
        lvalue = node.lvalue if isinstance(node, tree.AddressOf | tree.Decay) else None
        while isinstance(lvalue, tree.Index | tree.Member):
            if isinstance(lvalue, tree.Index) and isinstance(lvalue.array.type, Array) and not lvalue.array.type.length:
                yield Unshown("a pointer may be moved out of its object", node.span)
            lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base


def _misaligned(every: list[tree.Node], model: DataModel) -> Iterator[Unshown]:
    """Conversions to pointers to what is more aligned, and addresses of packed members."""
    for node in every:
        if isinstance(node, tree.Convert) and isinstance(node.type, Pointer):
            operand = node.operand
            if isinstance(operand.type, Pointer) and not _is_aligned(operand):
                target = node.type.target
                if _alignment(operand.type.target, model) < _alignment(target, model):
                    yield Unshown(f"a pointer may not be aligned for {target}", node.span)
        elif isinstance(node, tree.AddressOf | tree.Decay):
            lvalue, type_ = node.lvalue, tree.element_type(node.type)
            while isinstance(lvalue, tree.Index | tree.Member):
                if isinstance(lvalue, tree.Member) and isinstance(lvalue.base.type, Record):
                    layout = lvalue.base.type.layout
                    wanted = _alignment(type_, model)
                    if lvalue.field.offset % wanted or layout.align < wanted:
                        yield Unshown(f"the address of {lvalue.field.name} may not be aligned", node.span)
                lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base


def _is_aligned(e: tree.Expression) -> bool:
    """Whether a pointer is null, or aligned for every type."""
    while isinstance(e, tree.Convert):
        e = e.operand
    if isinstance(e, tree.IntegerConstant):
        return e.value == 0
    name = callee(e) if isinstance(e, tree.Call) else None
    return name is not None and name.removeprefix("__builtin_") in _ALIGNED


def _alignment(type_: CType, model: DataModel) -> int:
    if isinstance(type_, Void | Signature) or (isinstance(type_, Record) and not type_.is_complete):
        return 1
    return model.align_of(type_)


def _writes_to_constants(unit: tree.TranslationUnit, every: list[tree.Node]) -> Iterator[Unshown]:
    """Constant objects whose address is taken: types here have no qualifiers, so any pointer may have lost its own."""
    for span in unit.constant_members[:1]:
        yield Unshown("a constant member may be written to", span)
    for node in every:
        base = root(node.lvalue) if isinstance(node, tree.AddressOf | tree.Decay) else None
        if isinstance(base, tree.Variable) and base.object.name in unit.constant:
            yield Unshown(f"{base.object.source_name}, which is constant, may be written to", node.span)
            return
