"""Functions that end the program unless their argument holds, as `void assume(int c) { if (!c) abort(); }`.

A call of one is an assumption about the argument: what it says of variables is known where the call is, and not only
in the function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from frontend.properties.errors import Effect
from frontend.typed import tree
from frontend.typed.ctype import Integer, Void
from frontend.typed.library_table import library_function
from frontend.typed.operators import BinaryOperator, UnaryOperator
from frontend.typed.traversal import callee, unit_nodes


def with_guards(
    unit: tree.TranslationUnit, start: str, errors: frozenset[str]
) -> tuple[tree.TranslationUnit, frozenset[str]]:
    """The unit without the bodies of such functions, and their names; not those that are errors, nor the start."""
    found = guards(unit, errors) - {start}
    functions = {name: replace(one, body=None) if name in found else one for name, one in unit.functions.items()}
    return replace(unit, functions=functions) if found else unit, found


def guards(unit: tree.TranslationUnit, errors: frozenset[str]) -> frozenset[str]:
    """The names of such functions, whose addresses nothing takes; calls of `errors` are checks."""

    def ends(name: str) -> bool:
        return name not in errors and library_function(name).effect == Effect.END.value

    found = {name for name, one in unit.functions.items() if _is_guard(one, unit, ends)}
    if not found:
        return frozenset()
    inside = list(unit_nodes(unit))
    calls = {id(one.function) for one in inside if isinstance(one, tree.Call) and len(one.arguments) == 1}
    return frozenset(
        found - {one.function for one in inside if isinstance(one, tree.FunctionAddress) and id(one) not in calls}
    )


def _is_guard(function: tree.FunctionDeclaration, unit: tree.TranslationUnit, ends: Callable[[str], bool]) -> bool:
    """Whether all that a function does is to end the program where its only parameter is zero."""
    if function.body is None or len(function.parameters) != 1 or function.type.variadic:
        return False
    (parameter,) = function.parameters
    statements = [one for one in function.body.items if not isinstance(one, tree.Empty)]
    if (
        len(statements) not in (1, 2)
        or not all(map(_does_nothing, statements[1:]))
        or not isinstance(function.type.result, Void)
        or not isinstance(parameter.type, Integer)
    ):
        return False
    only = statements[0]
    if not isinstance(only, tree.If) or (only.otherwise is not None and not _does_nothing(only.otherwise)):
        return False
    return not parameter.type.enumerators and _is_zero(only.condition, parameter) and _ends(only.then, unit, ends)


def _does_nothing(statement: tree.Statement) -> bool:
    """Whether a statement at the end of a function does nothing."""
    return isinstance(statement, tree.Empty) or (isinstance(statement, tree.Return) and statement.value is None)


def _is_zero(condition: tree.Expression, parameter: tree.Object) -> bool:
    match condition:
        case tree.Convert(operand=operand):
            return _is_zero(operand, parameter)
        case tree.Unary(operator=UnaryOperator.NOT, operand=operand):
            return _is_value(operand, parameter)
        case tree.Binary(operator=BinaryOperator.EQUAL, left=left, right=right):
            zero = right.operand if isinstance(right, tree.Convert) else right
            return _is_value(left, parameter) and isinstance(zero, tree.IntegerConstant) and zero.value == 0
        case _:
            return False


def _is_value(e: tree.Expression, parameter: tree.Object) -> bool:
    """Whether an expression is the value of the parameter, maybe in a wider type."""
    while isinstance(e, tree.Convert) and isinstance(e.type, Integer) and isinstance(e.operand.type, Integer):
        if e.type.bits < e.operand.type.bits:
            return False
        e = e.operand
    return isinstance(e, tree.Load) and isinstance(e.lvalue, tree.Variable) and e.lvalue.object is parameter


def _ends(statement: tree.Statement, unit: tree.TranslationUnit, ends: Callable[[str], bool]) -> bool:
    """Whether a statement is a call, with no argument but constants, of a function that ends the program."""
    if isinstance(statement, tree.Compound) and statement.items:
        return _ends(statement.items[0], unit, ends)
    if not isinstance(statement, tree.ExpressionStatement) or not isinstance(statement.expression, tree.Call):
        return False
    call = statement.expression
    name = callee(call)
    declared = None if name is None else unit.functions.get(name)
    is_plain = all(isinstance(one, tree.IntegerConstant) for one in call.arguments)
    return is_plain and name is not None and (declared is None or declared.body is None) and ends(name)
