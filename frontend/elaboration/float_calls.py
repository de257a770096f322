"""Functions of gcc that tell of numbers of any floating type: a call is one of the function for that type."""

from __future__ import annotations

from frontend.elaboration.builtins import builtin_type
from frontend.elaboration.conversions import Conversions
from frontend.elaboration.scope import FunctionState
from frontend.parsing import syntax
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import Float, FloatKind, Pointer, is_arithmetic
from frontend.typed.library_table import FLOAT_FORMATS, library_function


def float_call(unit: Conversions, node: syntax.CallSyntax, name: str, span: Span) -> tree.Expression | None:
    """The call of the function for the type of the arguments; None where the name is none for any type."""
    if not library_function(name).generic or not library_function(f"{name}f").generic:
        return None
    given = [unit.value(argument) for argument in node.arguments]
    if not given or not all(is_arithmetic(one.type) for one in given):
        raise unit.error(node, f"{name} takes floating-point numbers")
    kinds = [one.type.kind for one in given if isinstance(one.type, Float)] or [FloatKind.DOUBLE]
    widest = max(kinds, key=list(FloatKind).index)
    function = name + FLOAT_FORMATS[widest.value.replace(" ", "_")][0]
    type_ = builtin_type(function, unit.model)
    assert type_ is not None
    if len(given) != len(type_.parameters):
        raise unit.error(node, f"{name} takes {len(type_.parameters)} arguments, but is given {len(given)}")
    arguments = tuple(unit.assigned(one, wanted) for one, wanted in zip(given, type_.parameters, strict=True))
    unit.functions.setdefault(function, FunctionState(function, type_, span))
    return tree.Call(span, type_.result, tree.FunctionAddress(span, Pointer(type_), function), arguments)


def infinity(span: Span, type_: Float) -> tree.Expression:
    """The constant ∞."""
    return tree.FloatConstant(span, type_, "1e99999")


def not_a_number(span: Span, type_: Float) -> tree.Expression:
    """The constant NaN, of which sign and payload are not kept."""
    zero = tree.FloatConstant(span, type_, "0.0")
    return tree.Binary(span, type_, tree.BinaryOperator.DIVIDE, zero, zero)
