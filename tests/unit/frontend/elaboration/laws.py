"""The laws that frontend/typed/tree.py states, checked on a whole translation unit."""

from collections.abc import Iterator
from dataclasses import fields

from frontend.typed import tree
from frontend.typed.ctype import (
    Array,
    CType,
    Field,
    Integer,
    Pointer,
    Record,
    Signature,
    Void,
    is_arithmetic,
    is_scalar,
)
from frontend.typed.tree import BinaryOperator, Node

COMPARISONS = {BinaryOperator.LESS, BinaryOperator.GREATER, BinaryOperator.LESS_EQUAL, BinaryOperator.GREATER_EQUAL,
               BinaryOperator.EQUAL, BinaryOperator.UNEQUAL}  # fmt: skip
SHIFTS = {BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT}


def nodes(unit: tree.TranslationUnit) -> Iterator[Node]:
    """Every node of the unit."""
    stack: list[object] = [*unit.globals, *unit.functions.values()]
    while stack:
        node = stack.pop()
        if isinstance(node, Node):
            yield node
            stack.extend(getattr(node, one.name) for one in fields(node))
        elif isinstance(node, tree.InitialiserEntry):
            stack.append(node.value)
        elif isinstance(node, tuple):
            stack.extend(node)


def check(unit: tree.TranslationUnit) -> None:
    """Every law that concerns a single node; AssertionError names the place."""
    names = [declaration.object.name for declaration in unit.globals]
    for node in nodes(unit):
        place = f"{node.span}: {type(node).__name__}"
        check_value(node, unit, place)
        check_object(node, unit, place)
        check_effect(node, unit, place)
        if isinstance(node, tree.Declaration) and node.object.storage is tree.Storage.AUTOMATIC:
            names.append(node.object.name)
    assert len(names) == len(set(names)), [name for name in names if names.count(name) > 1]


def check_value(node: Node, unit: tree.TranslationUnit, place: str) -> None:
    match node:
        case tree.IntegerConstant(type=type_, value=value):
            assert isinstance(type_, Integer), place
            assert type_.holds(value), place
        case tree.Load(type=type_, lvalue=lvalue):
            assert type_ == lvalue.type, place
            assert not isinstance(type_, Array | Signature | Void), place
        case tree.AddressOf(type=type_, lvalue=lvalue):
            assert type_ == Pointer(lvalue.type), place
            assert not isinstance(lvalue, tree.Dereference), place
        case tree.Decay(type=type_, lvalue=lvalue):
            assert isinstance(lvalue.type, Array), place
            assert type_ == Pointer(lvalue.type.element), place
        case tree.FunctionAddress(function=name):
            assert name in unit.functions, place
        case tree.Convert(type=type_, operand=operand):
            assert isinstance(type_, Void) or (is_scalar(type_) and is_scalar(operand.type)), place
        case tree.Unary(type=type_, operator=tree.UnaryOperator.NOT, operand=operand):
            assert type_ == int_(unit), place
            assert is_scalar(operand.type), place
        case tree.Unary(type=type_, operand=operand):
            assert type_ == operand.type, place
            assert is_promoted(type_, unit), place
        case tree.Binary():
            check_binary(node, unit, place)
        case tree.PointerOffset(type=type_, pointer=pointer, offset=offset):
            assert type_ == pointer.type, place
            assert isinstance(type_, Pointer), place
            assert isinstance(offset.type, Integer), place
            assert is_promoted(offset.type, unit), place
        case tree.Logical(type=type_, left=left, right=right):
            assert type_ == int_(unit), place
            assert is_scalar(left.type), place
            assert is_scalar(right.type), place
        case tree.Conditional(type=type_, condition=condition, then=then, otherwise=otherwise):
            assert is_scalar(condition.type), place
            assert type_ == then.type == otherwise.type, place
        case tree.Comma(type=type_, right=right):
            assert type_ == right.type, place
        case _:
            pass


def check_object(node: Node, unit: tree.TranslationUnit, place: str) -> None:
    match node:
        case tree.Index(type=type_, array=array, index=index):
            assert isinstance(array.type, Array), place
            assert array.type.element == type_, place
            assert is_promoted(index.type, unit), place
        case tree.Member(type=type_, base=base, field=field):
            assert isinstance(base.type, Record), place
            assert field in base.type.layout.fields, place
            assert field.type == type_, place
        case tree.Dereference(type=type_, pointer=pointer):
            assert pointer.type == Pointer(type_), place
        case tree.Variable(type=type_, object=object_):
            # An earlier mention of an array may not know its length yet.
            assert type_ == object_.type or isinstance(type_, Array), place
        case tree.Declaration(object=object_, initialiser=tree.Initialiser(entries=entries)):
            for entry in entries:
                assert part_type(object_.type, entry.path) == entry.value.type, place
        case _:
            pass


def check_effect(node: Node, unit: tree.TranslationUnit, place: str) -> None:
    match node:
        case tree.Assign(type=type_, target=target, value=value):
            assert type_ == target.type == value.type, place
        case tree.CompoundAssign(type=type_, operator=operator, target=target, value=value, computation=computation):
            assert type_ == target.type, place
            assert is_promoted(computation, unit), place
            assert value.type == computation or operator in SHIFTS or isinstance(computation, Pointer), place
        case tree.Increment(type=type_, target=target, computation=computation):
            assert type_ == target.type, place
            assert is_promoted(computation, unit), place
        case tree.Call(type=type_, function=function, arguments=arguments):
            check_call(type_, function.type, arguments, unit, place)
        case tree.If(condition=condition) | tree.While(condition=condition) | tree.DoWhile(condition=condition):
            assert is_scalar(condition.type), place
        case tree.FunctionDeclaration(type=type_, parameters=parameters, body=tree.Compound()):
            assert type_.parameters == tuple(parameter.type for parameter in parameters), place
        case _:
            pass


def check_binary(node: tree.Binary, unit: tree.TranslationUnit, place: str) -> None:
    left, right = node.left.type, node.right.type
    assert is_promoted(left, unit), place
    assert is_promoted(right, unit), place
    if node.operator in COMPARISONS:
        assert node.type == int_(unit), place
        assert left == right or (isinstance(left, Pointer) and isinstance(right, Pointer)), place
    elif node.operator in SHIFTS:
        assert node.type == left, place
        assert isinstance(left, Integer), place
        assert isinstance(right, Integer), place
    else:
        assert node.type == left == right, place
        assert is_arithmetic(left), place


def check_call(
    type_: CType, function: CType, arguments: tuple[tree.Expression, ...], unit: tree.TranslationUnit, place: str
) -> None:
    assert isinstance(function, Pointer), place
    target = function.target
    assert isinstance(target, Signature), place
    assert target.result == type_, place
    if target.prototype:
        assert len(arguments) >= len(target.parameters), place
        assert len(arguments) == len(target.parameters) or target.variadic, place
        fixed = arguments[: len(target.parameters)]
        assert tuple(argument.type for argument in fixed) == target.parameters, place
    else:
        fixed = ()
    for argument in arguments[len(fixed) :]:
        assert is_promoted(argument.type, unit) or isinstance(argument.type, Record), place


def part_type(type_: CType, path: tree.Path) -> CType:
    for step in path:
        if isinstance(step, Field):
            assert isinstance(type_, Record)
            assert step in type_.layout.fields
            type_ = step.type
        else:
            assert isinstance(type_, Array)
            assert isinstance(type_.length, int)
            assert 0 <= step < type_.length
            type_ = type_.element
    return type_


def int_(unit: tree.TranslationUnit) -> Integer:
    from frontend.typed.ctype import IntegerKind

    return unit.data_model.integer(IntegerKind.INT)


def is_promoted(type_: CType, unit: tree.TranslationUnit) -> bool:
    return unit.data_model.promote(type_) == type_ if isinstance(type_, Integer) else is_scalar(type_)
