"""Reads of volatile objects as inputs: since the last access, anything may have changed these objects (C11 6.7.3p7).

Each read of a volatile integer becomes `(x, read)`: the access, which is checked like any other, and the call of a
function without a body, whose result is any value of the type. Writes stay. A compound assignment is one read and one
write. The object at a constant address, such as a register, becomes a static object. An automatic object whose address
is not taken is memory, for nothing else can reach it, and so are pointers and floating-point numbers: an arbitrary
pointer leads to no object that is known.

Where volatile objects are memory, the registers are what the addresses say, and those that are accessed in several ways
are refused: regions of memory would take them for several objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from frontend.elaboration.registers import (
    REGISTER,
    RegisterAccesses,
    constant_pointers,
    is_register,
    is_separate,
    place_of,
    with_one_access,
)
from frontend.options import Volatile
from frontend.properties.errors import VOLATILE_READ
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.casts import one
from frontend.typed.ctype import Array, CType, Float, Integer, IntegerKind, Pointer, Record, RecordKind, Signature
from frontend.typed.leaves import field_type
from frontend.typed.lvalues import root
from frontend.typed.qualifiers import has_volatile, is_volatile, qualified, qualifiers_of, unqualified
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import callee, nodes, unit_nodes
from frontend.typed.tree import BinaryOperator

_MAX_PARTS = 64
"""Integers of a struct that are read at once."""
_INT = Integer(IntegerKind.INT, 32, signed=True)
_HALF = Integer(IntegerKind.LLONG, 64, signed=True)
_LARGE = Integer(IntegerKind.INT128, 128, signed=True)
_PRIVATE = (tree.Storage.AUTOMATIC, tree.Storage.PARAMETER)


def with_volatile(unit: tree.TranslationUnit, volatile: Volatile) -> tree.TranslationUnit:
    """The unit in which volatile objects are read as the option says. It recurses as deep as the tree."""
    unit = replace(unit, volatile=volatile)
    if volatile is Volatile.MEMORY or not unit.has_volatile:
        return with_one_access(unit)
    work = _Reads(unit)
    functions = {name: work.function(one) for name, one in unit.functions.items()}
    objects = (tree.Declaration(one.span, one, None) for one in work.registers.values())
    return replace(unit, functions={**functions, **work.functions}, globals=(*unit.globals, *objects))


def read_of(e: tree.Expression) -> tree.Call | None:
    """The call whose result is what a volatile object holds, below conversions; None for other expressions."""
    while isinstance(e, tree.Convert):
        e = e.operand
    return e if isinstance(e, tree.Call) and (callee(e) or "").startswith(VOLATILE_READ) else None


def read_before(e: tree.Assign) -> tree.Call | None:
    """The read of an assignment that is the change of a volatile object, such as `v++`; None for others."""
    value = e.value
    while isinstance(value, tree.Convert):
        value = value.operand
    return read_of(value.left) if isinstance(value, tree.Binary) else None


class _Reads:
    """Makes inputs of reads; `functions` are those whose results they are, `registers` objects by address and type."""

    def __init__(self, unit: tree.TranslationUnit) -> None:
        self._taken = {
            base.object.name
            for node in unit_nodes(unit)
            if isinstance(node, tree.AddressOf | tree.Decay)
            and isinstance(base := root(node.lvalue), tree.Variable | tree.CompoundLiteral)
        }
        self._model, self._pointers = unit.data_model, constant_pointers(unit)
        self._accesses = RegisterAccesses(unit, self._pointers)
        self._name, self._count = "", 0
        self.functions: dict[str, tree.FunctionDeclaration] = {}
        self.registers: dict[tuple[str, CType], tree.Object] = {}

    def function(self, function: tree.FunctionDeclaration) -> tree.FunctionDeclaration:
        self._name = function.name
        return with_parts(function, self.rebuilt)

    def _is_open(self, lvalue: tree.Lvalue) -> bool:
        """Whether something else than the program may change the object, or parts of it."""
        match root(lvalue):
            case tree.Temporary() | tree.StringLiteral():
                return False
            case tree.Variable(object=object_) | tree.CompoundLiteral(object=object_):
                if object_.storage in _PRIVATE and object_.name not in self._taken:
                    return False
                if is_volatile(object_.type):
                    return True
            case _:
                pass
        return has_volatile(lvalue.type)

    def rebuilt(self, node: tree.Node) -> tree.Node:
        if (refused := self._accesses.refused(node)) is not None:
            return refused
        match node:
            case tree.Claim(condition=condition):
                loads = [one for one in nodes(condition) if isinstance(one, tree.Load)]
                is_open = any(self._is_open(load.lvalue) and _is_read(load.type) for load in loads)
                reason = "an annotation about a volatile object is not decided"
                refused = tree.UnsupportedExpression(condition.span, condition.type, reason)
                return replace(node, condition=refused) if is_open else node
            case tree.ExpressionStatement(expression=expression):
                return replace(node, expression=self._discarded(expression))
            case tree.For(step=tree.Increment() as step):
                prefix = replace(step, position=tree.Position.PREFIX)
                return with_parts(replace(node, step=prefix), self.rebuilt)
            case tree.Load(lvalue=lvalue) if self._is_open(lvalue):
                return self._read(with_parts(node, self.rebuilt))
            case tree.CompoundAssign(target=target) if self._is_open_number(target):
                value = cast(tree.Expression, self.rebuilt(node.value))
                return self._changed(node, self._target(target), node.operator, value)
            case tree.Increment(target=target) if self._is_open_number(target):
                return self._increment(node, self._target(target))
            case tree.Member() | tree.Index() | tree.Dereference():
                return self._placed(node, is_separate(node, self._model))
            case tree.AddressOf() | tree.Decay():  # what is made of constant addresses stays a constant address
                return with_parts(node, lambda part: self._placed(cast(tree.Lvalue, part), is_separate=False))
            case _:
                return with_parts(node, self.rebuilt)

    def _is_open_number(self, lvalue: tree.Lvalue) -> bool:
        return self._is_open(lvalue) and isinstance(lvalue.type, Integer | Float)

    def _target(self, lvalue: tree.Lvalue) -> tree.Lvalue:
        return cast(tree.Lvalue, self.rebuilt(lvalue))

    def _placed(self, lvalue: tree.Lvalue, is_separate: bool) -> tree.Lvalue:
        """The lvalue, in the object that stands for one at a constant address where it is apart from memory."""
        if isinstance(lvalue, tree.Dereference) and is_separate and (register := self._register(lvalue)) is not None:
            return register
        inner = lvalue.base if isinstance(lvalue, tree.Member) else None
        inner = lvalue.array if isinstance(lvalue, tree.Index) else inner
        return with_parts(
            lvalue,
            lambda part: self.rebuilt(part) if inner is None or part is not inner else self._placed(inner, is_separate),
        )

    def _register(self, node: tree.Dereference) -> tree.Variable | None:
        """The object that stands for one at a constant address; None where it has no volatile part, or is elsewhere."""
        place = place_of(node.pointer, self._pointers, self._model) if has_volatile(node.type) else None
        if place is None:
            return None
        name = f"{REGISTER}{place[0]:#x}{'[]' if place[1] else ''}"
        if (name, node.type) not in self.registers:
            number = 1 + sum(one == name for one, _ in self.registers)
            full = f"{name}#{number}" if number > 1 else name
            self.registers[name, node.type] = tree.Object(full, name, node.type, tree.Storage.STATIC, None, node.span)
        return tree.Variable(node.span, node.type, self.registers[name, node.type])

    # Reads

    def _read(self, load: tree.Load) -> tree.Expression:
        """The access, then any value of its type."""
        base = root(load.lvalue)
        is_memory = not (isinstance(base, tree.Variable) and is_register(base.object))
        match load.type:
            case Integer() | Float():
                return tree.Comma(load.span, load.type, load, self._any(load.lvalue))
            case Record():
                return self._record(load, is_memory)
            case Pointer() if not is_memory:
                reason = "a pointer that is read at a constant address is not decided"
                return tree.UnsupportedExpression(load.span, load.type, reason)
            case _:
                return load

    def _any(self, lvalue: tree.Lvalue) -> tree.Expression:
        span, type_ = _begin(lvalue.span), unqualified(lvalue.type)
        narrow = _held_type(lvalue)
        return _as(tree.Call(span, narrow, self._function(lvalue, narrow), ()), type_)

    def _function(self, lvalue: tree.Lvalue, result: CType) -> tree.FunctionAddress:
        """The function that stands for reads of the lvalue, by its text."""
        name, number = VOLATILE_READ + _spelled(lvalue), 1
        numbered = name
        while (known := self.functions.get(numbered)) is not None and known.type.result != result:
            number += 1
            numbered = f"{name}#{number}"
        type_ = Signature(result, (), variadic=False, prototype=True)
        if known is None:
            self.functions[numbered] = tree.FunctionDeclaration(lvalue.span, numbered, type_, (), None)
        return tree.FunctionAddress(lvalue.span, Pointer(type_), numbered)

    def _record(self, load: tree.Load, is_memory: bool) -> tree.Expression:
        """A copy of a struct, then any values for its volatile integers."""
        span, read = load.span, load.lvalue
        self._count += 1
        name = f"{self._name}::.read#{self._count}"
        copy = tree.Object(name, ".read", load.type, tree.Storage.AUTOMATIC, self._name, span)
        whole = tree.Variable(span, load.type, copy)
        parts = [(part, one) for part, one in _parts(whole, read) if not (is_memory and isinstance(part.type, Pointer))]
        if len(parts) > _MAX_PARTS or not all(isinstance(part.type, Integer | Float) for part, _ in parts):
            return tree.UnsupportedExpression(
                span, load.type, f"a read of a volatile {load.type} as a whole is not decided"
            )
        begun = tree.Initialiser(span, (tree.InitialiserEntry((), load),), zero_fill=False)
        stores = (
            tree.ExpressionStatement(span, tree.Assign(span, unqualified(part.type), part, self._any(read)))
            for part, read in parts
        )
        block = tree.Compound(span, (tree.Declaration(span, copy, begun), *stores))
        return tree.StatementExpression(span, load.type, block, tree.Load(span, load.type, whole))

    # Changes

    def _changed(
        self,
        node: tree.CompoundAssign | tree.Increment,
        target: tree.Lvalue,
        operator: BinaryOperator,
        value: tree.Expression,
    ) -> tree.Assign:
        """`target = read op value`."""
        held = _as(self._any(target), node.computation)
        result = tree.Binary(_begin(node.span), node.computation, operator, held, value)
        return tree.Assign(node.span, node.type, target, _as(result, node.type))

    def _discarded(self, e: tree.Expression) -> tree.Expression:
        """An expression whose value nothing needs."""
        if isinstance(e, tree.Increment):
            e = replace(e, position=tree.Position.PREFIX)
        return cast(tree.Expression, self.rebuilt(e))

    def _increment(self, node: tree.Increment, target: tree.Lvalue) -> tree.Expression:
        changed = self._changed(node, target, node.operator, _as(one(node), node.computation))
        if node.position is tree.Position.PREFIX:
            return changed
        if not isinstance(target.type, Integer) or target.type.kind is IntegerKind.BOOL:
            held = unqualified(target.type)
            reason = f"the value of {node.operator.value * 2} behind a volatile {held} is not decided"
            return tree.UnsupportedExpression(node.span, node.type, reason)
        # What was held is what is held now less the change, modulo the range of the object.
        back = BinaryOperator.SUBTRACT if node.operator is BinaryOperator.ADD else BinaryOperator.ADD
        wide = _LARGE if target.type.bits > _HALF.bits // 2 else _HALF
        before = tree.Binary(
            _begin(node.span), wide, back, _as(changed, wide), tree.IntegerConstant(node.span, wide, 1)
        )
        return _as(tree.Convert(node.span, _held_type(target), before, explicit=False, is_modular=True), node.type)


def _begin(span: Span) -> Span:
    """The place of an access, but not its extent: an evaluation is known by its span."""
    return replace(span, end_line=span.line, end_column=span.column)


def _as(value: tree.Expression, type_: CType) -> tree.Expression:
    return value if value.type == type_ else tree.Convert(value.span, type_, value, explicit=False)


def _held_type(lvalue: tree.Lvalue) -> CType:
    """The type of the values that the object has; of a bit-field an integer of its width."""
    return unqualified(field_type(lvalue.field) if isinstance(lvalue, tree.Member) else lvalue.type)


def _is_read(type_: CType) -> bool:
    """Whether reads of volatile objects of the type are inputs, or have such parts."""
    return isinstance(type_, Integer | Float | Record)


def _parts(copy: tree.Lvalue, read: tree.Lvalue) -> Iterator[tuple[tree.Lvalue, tree.Lvalue]]:
    """The volatile numbers and pointers of an object, in a copy and in the object; a union with such is one part."""
    span = read.span
    match read.type:
        case Record(kind=RecordKind.STRUCT) as record:
            for member in record.layout.fields:
                type_ = qualified(member.type, qualifiers_of(record))
                yield from _parts(tree.Member(span, member.type, copy, member), tree.Member(span, type_, read, member))
        case Record() if has_volatile(read.type):
            yield copy, read
        case Array(element=element, length=int(length)):
            for k in range(length):
                index = tree.IntegerConstant(span, _INT, k)
                yield from _parts(tree.Index(span, element, copy, index), tree.Index(span, element, read, index))
        case Integer() | Float() | Pointer() if is_volatile(read.type):
            yield copy, read
        case _:
            pass


def _spelled(lvalue: tree.Lvalue) -> str:
    """The lvalue, for the name of its reads."""
    match lvalue:
        case tree.Variable(object=object_):
            return object_.source_name
        case tree.Member(base=tree.Dereference(pointer=tree.Load(lvalue=pointer)), field=field):
            return f"{_spelled(pointer)}->{field.name}"
        case tree.Member(base=base, field=field):
            return f"{_spelled(base)}.{field.name}"
        case tree.Index(array=array):
            return f"{_spelled(array)}[]"
        case tree.Dereference(pointer=tree.Load(lvalue=pointer)):
            return f"*{_spelled(pointer)}"
        case _:
            return "object"
