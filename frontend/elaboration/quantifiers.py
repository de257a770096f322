"""Quantifiers of CBMC: `__CPROVER_forall { int i; A ==> B }`, which the prepass hands over as a statement expression.

Neither has a loop. That all bytes of an object are zero (the idiom below) says the same as that its scalars are. Any
other `forall` is true, of which nothing follows, or false, and then its body is false for some value of the variable:
so what asserts it is proved by a proof for any value, and what assumes it learns nothing. `exists` is the dual. A body
with effects, or with a cast between pointers, which would make bytes of all memory, gives any truth value.

    __CPROVER_forall { int i; (i >= 0 && i < sizeof(object)) ==> ((const uint8_t *) &object)[i] == 0 }
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from frontend.elaboration.constants import fold
from frontend.elaboration.conversions import Conversions
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import Array, Float, Integer, Pointer, Record, RecordKind, is_scalar
from frontend.typed.traversal import has_effects, nodes
from frontend.typed.tree import BinaryOperator, Expression, LogicalOperator, Lvalue

FORALL, EXISTS = "__CPROVER_forall", "__CPROVER_exists"
_MAX_SCALARS = 64


def zeroed(unit: Conversions, given: Expression) -> tuple[Expression, bool] | None:
    """The claim that all scalars of an object are zero, for a body that says it of all bytes; and whether they are all
    of the object. None for other bodies, and for objects with unions, bit-fields or floating-point numbers.
    """
    variable, body = bound_variable(given), _body(given)
    if variable is None or not isinstance(body, tree.Logical) or body.operator is not LogicalOperator.OR:
        return None
    object_, size = _bytes_of(unit, body.right, variable), _below(body.left, variable)
    if object_ is None or size is None or has_effects(object_) or unit.model.size_of(object_.type) != size:
        return None
    scalars = list(_scalars(unit, object_, object_.span))
    if None in scalars or not 0 < len(scalars) <= _MAX_SCALARS:
        return None
    call: Expression | None = None
    covered = 0
    for scalar in scalars:
        assert scalar is not None
        covered += unit.model.size_of(scalar.type)
        zero = tree.IntegerConstant(scalar.span, unit.int_, 0)
        value = unit.binary(BinaryOperator.EQUAL, unit.decayed(scalar), zero, scalar.span)
        call = value if call is None else tree.Logical(given.span, unit.int_, LogicalOperator.AND, call, value)
    assert call is not None
    return call, covered == size


def witnessed(given: Expression, any_value: Expression) -> Expression | None:
    """The body, with any value for its variable; None where it is not followed."""
    variable, body = bound_variable(given), _body(given)
    if variable is None or body is None or has_effects(body) or any(map(_is_view, nodes(body))):
        return None
    assert isinstance(given, tree.StatementExpression)
    span = given.span
    initialiser = tree.Initialiser(span, (tree.InitialiserEntry((), any_value),), zero_fill=False)
    block = replace(given.body, items=(tree.Declaration(span, variable, initialiser),))
    return replace(given, body=block)


def bound_variable(given: Expression) -> tree.Object | None:
    """The one variable that is bound, an integer."""
    match given:
        case tree.StatementExpression(
            body=tree.Compound(items=(tree.Declaration(object=tree.Object(type=Integer()) as one, initialiser=None),))
        ):
            return one
        case _:
            return None


def _body(given: Expression) -> Expression | None:
    return given.value if isinstance(given, tree.StatementExpression) else None


def _is_view(node: tree.Node) -> bool:
    return isinstance(node, tree.Convert) and node.explicit and isinstance(node.type, Pointer)


def _plain(e: Expression) -> Expression:
    while isinstance(e, tree.Convert):
        e = e.operand
    return e


def _reads(e: Expression, variable: tree.Object) -> bool:
    """Whether this is the variable, in its type or in another that holds what it has from 0 on."""
    assert isinstance(variable.type, Integer)
    while isinstance(e, tree.Convert) and isinstance(e.type, Integer) and e.type.maximum >= variable.type.maximum:
        e = e.operand
    return isinstance(e, tree.Load) and isinstance(e.lvalue, tree.Variable) and e.lvalue.object is variable


def _is_not_negative(compared: Expression, zero: Expression, variable: tree.Object) -> bool:
    """Whether a comparison with 0 says so of the variable: not where its value has become unsigned."""
    assert isinstance(variable.type, Integer)
    is_signed = isinstance(compared.type, Integer) and (compared.type.signed or not variable.type.signed)
    return is_signed and _reads(compared, variable) and fold(zero) == 0


def _below(condition: Expression, variable: tree.Object) -> int | None:
    """N of `!(i >= 0 && i < N)`, or of `!(i < N)` for an unsigned variable, where it has all values below N."""
    assert isinstance(variable.type, Integer)
    if not isinstance(condition, tree.Unary) or condition.operator is not tree.UnaryOperator.NOT:
        return None
    upper = condition.operand
    if isinstance(upper, tree.Logical) and upper.operator is LogicalOperator.AND:
        lower, upper = upper.left, upper.right
        match lower:
            case tree.Binary(operator=BinaryOperator.GREATER_EQUAL, left=left, right=right):
                is_lower = _is_not_negative(left, right, variable)
            case tree.Binary(operator=BinaryOperator.LESS_EQUAL, left=left, right=right):
                is_lower = _is_not_negative(right, left, variable)
            case _:
                is_lower = False
    else:
        is_lower = not variable.type.signed
    match upper:
        case tree.Binary(operator=BinaryOperator.LESS, left=left, right=right) if is_lower and _reads(left, variable):
            limit = fold(right)
            return limit if limit is not None and variable.type.holds(limit - 1) else None
        case _:
            return None


def _bytes_of(unit: Conversions, claim: Expression, variable: tree.Object) -> Lvalue | None:
    """The object of `((const uint8_t *) &object)[i] == 0`."""
    match claim:
        case tree.Binary(operator=BinaryOperator.EQUAL, left=left, right=right) if fold(right) == 0:
            byte = _plain(left)
        case _:
            return None
    match byte:
        case tree.Load(
            type=Integer(bits=8), lvalue=tree.Dereference(pointer=tree.PointerOffset(pointer=pointer, offset=offset))
        ) if _reads(offset, variable):
            pointer = _plain(pointer)
        case _:
            return None
    if not isinstance(pointer.type, Pointer) or not isinstance(pointer.type.target, Record):
        return None
    found = unit.dereference(pointer, claim.span)
    return found if isinstance(found, Lvalue) else None


def _scalars(unit: Conversions, object_: Lvalue, span: Span) -> Iterator[Lvalue | None]:
    """The scalars of an object; None for a part that is not followed."""
    type_ = object_.type
    if isinstance(type_, Record) and type_.kind is RecordKind.STRUCT:
        for field in type_.layout.fields:
            part = tree.Member(span, field.type, object_, field)
            yield from (None,) if field.width is not None else _scalars(unit, part, span)
    elif isinstance(type_, Array) and isinstance(type_.length, int) and type_.length <= _MAX_SCALARS:
        for place in range(type_.length):
            index = tree.IntegerConstant(span, unit.int_, place)
            yield from _scalars(unit, tree.Index(span, type_.element, object_, index), span)
    else:
        yield object_ if is_scalar(type_) and not isinstance(type_, Float) else None
