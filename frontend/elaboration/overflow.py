"""Questions whether arithmetic leaves its type: gcc's `__builtin_add_overflow` and its kin, `__CPROVER_overflow_plus`.

The exact result fits into 128 bits where the operands have 64, so the answer is a comparison of numbers of such a type.
Limitation: the operands stand in the tree more than once, and must have no effects.
"""

from __future__ import annotations

from core.pattern import pattern
from frontend.elaboration.conversions import Conversions
from frontend.parsing import syntax
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Integer, IntegerKind, Pointer
from frontend.typed.traversal import has_effects
from frontend.typed.tree import BinaryOperator

_OPERATORS = {
    "add": BinaryOperator.ADD,
    "sub": BinaryOperator.SUBTRACT,
    "mul": BinaryOperator.MULTIPLY,
    "plus": BinaryOperator.ADD,
    "minus": BinaryOperator.SUBTRACT,
    "mult": BinaryOperator.MULTIPLY,
}
_KINDS = {
    "s": IntegerKind.INT,
    "sl": IntegerKind.LONG,
    "sll": IntegerKind.LLONG,
    "u": IntegerKind.UINT,
    "ul": IntegerKind.ULONG,
    "ull": IntegerKind.ULLONG,
}
_STORED = pattern(r"__builtin_(?:(add|sub|mul)|([su])(add|sub|mul)(l{0,2}))_overflow")
_ASKED = pattern(r"__builtin_(add|sub|mul)_overflow_p")
_OF_CBMC = pattern(r"__CPROVER_overflow_(plus|minus|mult)")


def overflow_call(unit: Conversions, node: syntax.CallSyntax, name: str, span: Span) -> tree.Expression | None:
    """The call of such a function; None for others."""
    values = [unit.value(argument) for argument in node.arguments]
    if (stored := _STORED.fullmatch(name)) and len(values) == 3:
        operator = _OPERATORS[stored[1] or stored[3]]
        if stored[2]:
            given = unit.model.integer(_KINDS[stored[2] + stored[4]])
            values[:2] = (unit.converted(one, given) for one in values[:2])
        return _stored(unit, operator, values, span)
    if (asked := _ASKED.fullmatch(name)) and len(values) == 3:
        if _is_bit_field(values[2]):
            raise Unsupported(span, "a bit-field, whose width says what overflow is, is not supported")
        return _leaves(unit, _exact(unit, _OPERATORS[asked[1]], values, span), _integer(values[2]), span)
    if (asked := _OF_CBMC.fullmatch(name)) and len(values) == 2:
        common = unit.common(*(_integer(unit.promoted(one)) for one in values))
        assert isinstance(common, Integer)
        values = [unit.converted(one, common) for one in values]
        return _leaves(unit, _exact(unit, _OPERATORS[asked[1]], values, span), common, span)
    return None


def _stored(unit: Conversions, operator: BinaryOperator, values: list[tree.Expression], span: Span) -> tree.Expression:
    """The answer, after the result was stored as its type has it: the store comes last, it may change the operands."""
    pointer = values[2]
    target = pointer.type.target if isinstance(pointer.type, Pointer) else None
    if not isinstance(target, Integer) or has_effects(pointer):
        raise Unsupported(span, "such a place for the result of an operation is not supported")
    exact = _exact(unit, operator, values, span)
    place = tree.Dereference(span, target, pointer)
    value = tree.Convert(span, target, exact, explicit=False, is_modular=True)
    stored = tree.Assign(span, target, place, value)
    ends = [tree.Comma(span, unit.int_, stored, tree.IntegerConstant(span, unit.int_, one)) for one in (1, 0)]
    return tree.Conditional(span, unit.int_, _leaves(unit, exact, target, span), *ends)


def _exact(unit: Conversions, operator: BinaryOperator, values: list[tree.Expression], span: Span) -> tree.Expression:
    """The result as a number of 128 bits; unsigned where only that holds it."""
    left, right = values[:2]
    types = _integer(left), _integer(right)
    if has_effects(left, right) or max(one.bits for one in types) > 64:
        raise Unsupported(span, "such operands of an operation with a look at its overflow are not supported")
    is_large = operator is BinaryOperator.MULTIPLY and not any(one.signed for one in types)
    wide = unit.model.integer(IntegerKind.UINT128 if is_large else IntegerKind.INT128)
    return tree.Binary(span, wide, operator, unit.converted(left, wide), unit.converted(right, wide))


def _leaves(unit: Conversions, exact: tree.Expression, type_: Integer, span: Span) -> tree.Expression:
    """Whether the number is outside of the type, as an int."""
    wide = _integer(exact)
    above = tree.Binary(span, unit.int_, BinaryOperator.GREATER, exact, tree.IntegerConstant(span, wide, type_.maximum))
    if not wide.signed:
        return above
    below = tree.Binary(span, unit.int_, BinaryOperator.LESS, exact, tree.IntegerConstant(span, wide, type_.minimum))
    return tree.Logical(span, unit.int_, tree.LogicalOperator.OR, below, above)


def _is_bit_field(value: tree.Expression) -> bool:
    place = value.lvalue if isinstance(value, tree.Load) else None
    return isinstance(place, tree.Member) and place.field.width is not None


def _integer(value: tree.Expression) -> Integer:
    if not isinstance(value.type, Integer):
        raise Unsupported(value.span, f"a value of type {value.type} where overflow is asked about")
    return value.type
