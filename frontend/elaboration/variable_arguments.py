"""Lists of variable arguments (C11 7.16): `va_start`, `va_arg`, `va_copy` and `va_end` as accesses to a position.

What a position is, and how a call passes its arguments, is said in `frontend/libc/arguments.py`.
"""

from __future__ import annotations

from frontend.elaboration.conversions import Conversions
from frontend.parsing import syntax
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Field, Pointer, Record, Void, is_scalar
from frontend.typed.library_table import LanguageOperation
from frontend.typed.traversal import has_effects
from frontend.typed.va_list import LIST_TAG, POSITION, argument_list

_ANYWHERE = Pointer(Void())


def next_argument(unit: Conversions, list_: syntax.ExpressionSyntax, type_: CType, span: Span) -> tree.Expression:
    """The value of `va_arg`."""
    if not (is_scalar(type_) or isinstance(type_, Record)):
        raise Unsupported(span, f"va_arg of a type {type_} is not supported")
    return tree.NextArgument(span, type_, _position(unit, list_))


def argument_list_call(
    unit: Conversions, node: syntax.CallSyntax, operation: LanguageOperation, span: Span
) -> tree.Expression:
    """An operation on an argument list; its value, which C does not know, is void."""
    target = _position(unit, node.arguments[0])
    value: tree.Expression
    match operation:
        case LanguageOperation.LIST_START:
            if unit.body is None or not unit.functions[unit.body.name].type.variadic:
                raise unit.error(node, "va_start in a function without variable arguments")
            value = tree.PassedArguments(span, _ANYWHERE)
        case LanguageOperation.LIST_COPY:
            value = tree.Load(span, _ANYWHERE, _position(unit, node.arguments[1]))
        case _:
            zero = tree.IntegerConstant(span, unit.int_, 0)
            value = tree.Convert(span, _ANYWHERE, zero, explicit=False)
    assigned = tree.Assign(span, _ANYWHERE, target, value)
    return tree.Convert(span, Void(), assigned, explicit=False)


def _position(unit: Conversions, node: syntax.ExpressionSyntax) -> tree.Lvalue:
    """The lvalue in which the list keeps the position of its next argument; it may be evaluated again."""
    operand = unit.operand(node)
    if has_effects(operand):
        raise Unsupported(operand.span, "a list of arguments that is the value of an expression with effects")
    match operand.type:
        case Array(element) if element is LIST_TAG and isinstance(operand, tree.Lvalue):
            tag: tree.Lvalue = tree.Index(
                operand.span, LIST_TAG, operand, tree.IntegerConstant(operand.span, unit.int_, 0)
            )
        case Pointer(target) if target is LIST_TAG:
            tag = tree.Dereference(operand.span, LIST_TAG, unit.decayed(operand))
        case Pointer(Void()) if isinstance(operand, tree.Lvalue) and argument_list(unit.model) == _ANYWHERE:
            return operand
        case _:
            raise unit.error(node, f"a value of type {operand.type} is no list of arguments")
    return tree.Member(operand.span, _ANYWHERE, tag, _field())


def _field() -> Field:
    return next(one for one in LIST_TAG.layout.fields if one.name == POSITION)
