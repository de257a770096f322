"""Variable arguments as code: what `va_start` and `va_arg` do, before a tree is lowered or run.

A call of a function that uses `va_start` goes through a function of its own, made for the types of its arguments. That
one keeps the arguments that have no parameter in an array, and hands its address over as one more parameter. Each
element says by a number of what kind it is, and has one member for each kind; one that is of no kind ends the array. So
`va_arg` can tell whether there is an argument of the type that it asks for, and lifetimes are those of C: the arguments
are gone when the call has returned.

Kinds are what a machine tells apart: integers by their size, pointers by what they point to, up to signs. A `void *`
may be read as any pointer and any pointer as `void *`, which C allows for characters only (7.16.1.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import reduce

from core.dataclass import dataclass
from core.program.span import Span
from frontend.libc.texts import ARGUMENT
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.ctype import (
    Array,
    CType,
    DataModel,
    Field,
    Float,
    Integer,
    IntegerKind,
    Pointer,
    Record,
    RecordKind,
    Signature,
    Void,
)
from frontend.typed.layout import MemberDeclaration, Packing, record_layout
from frontend.typed.library_table import library_function
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import callee, nodes, unit_nodes
from frontend.typed.tree import BinaryOperator, FunctionDeclaration, LogicalOperator, Storage, TranslationUnit

_POSITION = Pointer(Void())
_KIND = "kind"
_TAG = "#arguments"
_CHARACTER = 8


def with_arguments(unit: TranslationUnit) -> TranslationUnit:
    """The unit without `PassedArguments` and `NextArgument`. It recurses as deep as the tree."""
    every = list(unit_nodes(unit))
    if not any(isinstance(node, tree.PassedArguments | tree.NextArgument) for node in every):
        return unit
    work = _Arguments(unit, every)
    functions = {name: work.function(one) for name, one in unit.functions.items()}
    return replace(unit, functions={**functions, **work.added})


def is_variable_argument(type_: CType) -> bool:
    """Whether this is the struct in which calls keep variable arguments."""
    return isinstance(type_, Record) and type_.tag == _TAG


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of arguments: its number, and the type of the member that holds one."""

    code: int
    type: CType

    @property
    def member(self) -> str:
        return f"value{self.code}"

    @property
    def is_void(self) -> bool:
        return isinstance(self.type, Pointer) and isinstance(self.type.target, Void)


def _held_as(type_: CType, model: DataModel) -> CType:
    """The type that stands for the kind of an argument."""
    match type_:
        case Integer(bits=bits):
            return _signed(model, bits)
        case Pointer(Integer(kind, bits)) if kind is not IntegerKind.BOOL:
            return Pointer(_signed(model, bits))
        case _:
            return type_


def _signed(model: DataModel, bits: int) -> Integer:
    kinds = (IntegerKind.CHAR, IntegerKind.SHORT, IntegerKind.INT, IntegerKind.LONG, IntegerKind.LLONG)
    found = (one for kind in kinds if (one := model.integer(kind)).bits == bits)
    return next(found, model.integer(IntegerKind.INT128))


@dataclass(slots=True)
class _Arguments:
    """Rewrites the functions of one unit; `added` are the functions that calls go through."""

    unit: TranslationUnit
    every: Iterable[tree.Node]
    added: dict[str, FunctionDeclaration] = field(default_factory=dict)
    _through: dict[object, str] = field(default_factory=dict)
    _kinds: dict[CType, _Kind] = field(default_factory=dict)
    _variadic: dict[str, tree.Object] = field(default_factory=dict)
    """The functions that use `va_start`, with their hidden parameter."""
    _dropped: set[int] = field(default_factory=set)
    """The calls whose value nobody uses, by identity."""
    _is_taken: bool = False
    """Whether a pointer may point to one of these functions."""

    def __post_init__(self) -> None:
        self._model = self.unit.data_model
        for function in self.unit.functions.values():
            found = [] if function.body is None else [*nodes(function.body)]
            begin = next((node for node in found if isinstance(node, tree.PassedArguments)), None)
            if begin is not None:
                name = f"{function.name}::..."
                self._variadic[function.name] = tree.Object(
                    name, "...", _POSITION, Storage.PARAMETER, function.name, function.span
                )
        self._find_calls()
        self._argument = Record(RecordKind.STRUCT, _TAG)
        members = [MemberDeclaration(_KIND, self._int)]
        members += [MemberDeclaration(one.member, one.type) for one in self._kinds.values()]
        self._argument.complete(record_layout(self._model, RecordKind.STRUCT, members, Packing()))
        self._fields = {one.name: one for one in self._argument.layout.fields}

    _model: DataModel = field(init=False)
    _argument: Record = field(init=False)
    _fields: dict[str, Field] = field(init=False)

    @property
    def _int(self) -> Integer:
        return self._model.integer(IntegerKind.INT)

    def _find_calls(self) -> None:
        called = {id(node.function) for node in self.every if isinstance(node, tree.Call)}
        for node in self.every:
            if isinstance(node, tree.FunctionAddress) and id(node) not in called:
                self._is_taken |= node.function in self._variadic
            self._dropped.update(id(one) for one in _dropped(node))
        for node in self.every:
            if isinstance(node, tree.Call) and self._passes(node):
                for one in node.arguments[self._fixed(node) :]:
                    held = _held_as(one.type, self._model)
                    self._kinds.setdefault(held, _Kind(len(self._kinds) + 1, held))

    def _passes(self, call: tree.Call) -> bool:
        """Whether the function that is called may ask for its variable arguments."""
        name = callee(call)
        if name is not None:
            return name in self._variadic and len(call.arguments) >= self._fixed(call)
        return self._is_taken and _signature(call).variadic

    def _fixed(self, call: tree.Call) -> int:
        """The number of arguments that have parameters."""
        name = callee(call)
        return len(_signature(call).parameters if name is None else self.unit.functions[name].parameters)

    # Trees

    def function(self, function: FunctionDeclaration) -> FunctionDeclaration:
        if function.body is None:
            return function
        hidden = self._variadic.get(function.name)
        body = self._rebuilt(function.body, hidden)
        assert isinstance(body, tree.Compound)
        if hidden is None:
            return replace(function, body=body)
        type_ = replace(function.type, parameters=(*function.type.parameters, _POSITION))
        return replace(function, body=body, type=type_, parameters=(*function.parameters, hidden))

    def _rebuilt(self, node: tree.Node, hidden: tree.Object | None) -> tree.Node:
        rebuilt = with_parts(node, lambda part: self._rebuilt(part, hidden))
        match rebuilt:
            case tree.PassedArguments():
                assert hidden is not None, "elaboration allows it in such functions only"
                return tree.Load(node.span, _POSITION, tree.Variable(node.span, _POSITION, hidden))
            case tree.NextArgument():
                return self._next(rebuilt, id(node) in self._dropped)
            case tree.Call():
                self._refuse_counting(rebuilt)
                assert isinstance(node, tree.Call)
                return self._call(rebuilt, id(node) in self._dropped) if self._passes(node) else rebuilt
            case _:
                return rebuilt

    def _refuse_counting(self, call: tree.Call) -> None:
        """Output with a format that is not in the text could write to what the arguments point to, by `%n`."""
        function = library_function(callee(call))
        if function.format is None or not function.format.is_list or function.body is not None:
            return
        position = function.format.position
        formats = call.arguments[position : position + 1]
        known = any(isinstance(node, tree.StringLiteral) for one in formats for node in nodes(one))
        written = (one.type.target for one in self._kinds.values() if isinstance(one.type, Pointer))
        if formats and not known and any(isinstance(one, Integer) and one.bits > _CHARACTER for one in written):
            raise Unsupported(call.span, f"{callee(call)} with a format that may write through pointers is not decided")

    # Calls

    def _call(self, call: tree.Call, is_dropped: bool) -> tree.Call:
        """The call by way of the function that keeps the arguments."""
        name = callee(call)
        target = call.function.type if name is None else name
        types = tuple(one.type for one in call.arguments[self._fixed(call) :])
        result = Void() if is_dropped else call.type
        key = (target, types, result)
        if key not in self._through:
            self._through[key] = through = f"{name or 'call'}...{len(self._through) + 1}"
            self.added[through] = self._passing(through, call, result)
        through = self._through[key]
        type_ = self.added[through].type
        address = tree.FunctionAddress(call.function.span, Pointer(type_), through)
        arguments = list(call.arguments)
        if name is None:
            arguments.insert(0, call.function)
        return tree.Call(call.span, result, address, tuple(arguments))

    def _passing(self, name: str, call: tree.Call, result: CType) -> FunctionDeclaration:
        """The function that a call goes through: its own arguments are those of the call."""
        span, fixed, is_named = call.span, self._fixed(call), callee(call) is not None
        types = [one.type for one in call.arguments]
        parameters = [
            tree.Object(f"{name}::{i}", f"argument {i + 1}", type_, Storage.PARAMETER, name, span)
            for i, type_ in enumerate(types)
        ]
        values = [_loaded(one) for one in parameters]
        function = call.function
        if not is_named:
            pointer = tree.Object(f"{name}::call", "call", function.type, Storage.PARAMETER, name, span)
            function, parameters = _loaded(pointer), [pointer, *parameters]
        rest = call.arguments[fixed:]
        array_type = Array(self._argument, len(rest) + 1)
        array = tree.Object(f"{name}::kept", "variable arguments", array_type, Storage.AUTOMATIC, name, span)
        first = tree.Decay(span, Pointer(self._argument), tree.Variable(span, array_type, array))
        passed: list[tree.Expression] = [*values[:fixed], _converted(first, _POSITION)]
        if not is_named:
            passed += values[fixed:]  # for functions that are not defined here
        inner = tree.Call(span, call.type, function, tuple(passed))
        is_void = isinstance(result, Void)
        last = tree.ExpressionStatement(span, inner) if is_void else tree.Return(span, inner)
        stores = self._stores(array, rest, values[fixed:])
        body = tree.Compound(span, (tree.Declaration(span, array, None), *stores, last))
        type_ = Signature(result, tuple(one.type for one in parameters), variadic=False, prototype=True)
        return FunctionDeclaration(span, name, type_, tuple(parameters), body)

    def _stores(
        self, array: tree.Object, arguments: Sequence[tree.Expression], values: Sequence[tree.Load]
    ) -> Iterator[tree.Statement]:
        for i, (one, value) in enumerate(zip(arguments, values, strict=True)):
            kind = self._kinds[_held_as(one.type, self._model)]
            yield self._store(array, i, _KIND, self._number(array.span, kind.code))
            yield self._store(array, i, kind.member, _converted(value, kind.type))
        yield self._store(array, len(arguments), _KIND, self._number(array.span, 0))

    def _store(self, array: tree.Object, index: int, member: str, value: tree.Expression) -> tree.Statement:
        span = array.span
        whole = tree.Variable(span, array.type, array)
        target = self._member(tree.Index(span, self._argument, whole, self._number(span, index)), member)
        return tree.ExpressionStatement(span, tree.Assign(span, target.type, target, value))

    # va_arg

    def _next(self, node: tree.NextArgument, is_dropped: bool) -> tree.Expression:
        """A check of the argument at the position, the step to the next one, and the value."""
        span = node.span
        wanted = list(self._read_as(node.type))
        at = self._argument_at(node, 0)
        is_one = [self._is_kind(at, kind) for kind in wanted]
        fits: tree.Expression = self._number(span, 0)
        if is_one:
            fits = reduce(lambda a, b: tree.Logical(span, self._int, LogicalOperator.OR, a, b), is_one)
        type_ = Signature(Void(), (self._int,), variadic=False, prototype=True)
        self.added[ARGUMENT] = FunctionDeclaration(span, ARGUMENT, type_, (), None)
        address = tree.FunctionAddress(span, Pointer(type_), ARGUMENT)
        check = tree.Call(span, Void(), address, (fits,))
        step = tree.Assign(span, _POSITION, node.list, _converted(self._moved(node, 1), _POSITION))
        if is_dropped:
            return tree.Comma(span, _POSITION, check, step)
        before = self._argument_at(node, -1)
        values = [_converted(self._value(before, kind), node.type) for kind in wanted]
        value = values[-1] if values else self._nothing(node)
        for kind, one in reversed(list(zip(wanted[:-1], values[:-1], strict=True))):
            value = tree.Conditional(span, node.type, self._is_kind(before, kind), one, value)
        return tree.Comma(span, node.type, check, tree.Comma(span, node.type, step, value))

    def _read_as(self, type_: CType) -> Iterator[_Kind]:
        """The kinds of arguments that may be read in a type; the type's own comes first."""
        if isinstance(type_, Integer) and type_.bits < self._int.bits:
            return  # such arguments are promoted
        own = self._kinds.get(_held_as(type_, self._model))
        if own is not None:
            yield own
        for kind in self._kinds.values():
            is_other = isinstance(type_, Pointer) and isinstance(kind.type, Pointer) and kind is not own
            if is_other and (kind.is_void or type_ == _POSITION):
                yield kind

    def _nothing(self, node: tree.NextArgument) -> tree.Expression:
        """A value where no call passes an argument of the type: the check before it fails."""
        zero = self._number(node.span, 0)
        match node.type:
            case Integer() | Pointer():
                return _converted(zero, node.type)
            case Float():
                return tree.FloatConstant(node.span, node.type, "0.0")
            case _:
                pointer = tree.Convert(node.span, Pointer(node.type), zero, explicit=False)
                return tree.Load(node.span, node.type, tree.Dereference(node.span, node.type, pointer))

    def _moved(self, node: tree.NextArgument, by: int) -> tree.Expression:
        span, type_ = node.span, Pointer(self._argument)
        position = tree.Convert(span, type_, tree.Load(span, _POSITION, node.list), explicit=False)
        if by == 0:
            return position
        operator = BinaryOperator.ADD if by > 0 else BinaryOperator.SUBTRACT
        return tree.PointerOffset(span, type_, operator, position, self._number(span, abs(by)))

    def _argument_at(self, node: tree.NextArgument, by: int) -> tree.Lvalue:
        return tree.Dereference(node.span, self._argument, self._moved(node, by))

    def _is_kind(self, argument: tree.Lvalue, kind: _Kind) -> tree.Expression:
        span, member = argument.span, self._member(argument, _KIND)
        held = tree.Load(span, self._int, member)
        return tree.Binary(span, self._int, BinaryOperator.EQUAL, held, self._number(span, kind.code))

    def _value(self, argument: tree.Lvalue, kind: _Kind) -> tree.Expression:
        return tree.Load(argument.span, kind.type, self._member(argument, kind.member))

    def _member(self, argument: tree.Lvalue, name: str) -> tree.Member:
        found = self._fields[name]
        return tree.Member(argument.span, found.type, argument, found)

    def _number(self, span: Span, value: int) -> tree.IntegerConstant:
        return tree.IntegerConstant(span, self._int, value)


def _dropped(node: tree.Node) -> Iterator[tree.Node]:
    """The expressions below the node whose value nobody uses."""
    match node:
        case tree.ExpressionStatement(expression=inner) | tree.Comma(left=inner):
            yield inner
        case tree.For(step=tree.Node() as inner):
            yield inner
        case tree.Convert(type=Void(), operand=inner):
            yield inner
        case _:
            pass


def _signature(call: tree.Call) -> Signature:
    type_ = call.function.type
    assert isinstance(type_, Pointer)
    assert isinstance(type_.target, Signature)
    return type_.target


def _loaded(object_: tree.Object) -> tree.Load:
    return tree.Load(object_.span, object_.type, tree.Variable(object_.span, object_.type, object_))


def _converted(value: tree.Expression, type_: CType) -> tree.Expression:
    if value.type == type_:
        return value
    return tree.Convert(value.span, type_, value, explicit=False, is_modular=True)
