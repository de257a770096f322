"""Functions of the harnesses of other tools (CBMC 6, KLEE 3), where the program does not define them.

An assumption and an assertion have one argument here, the truth of what is assumed or asserted. What a quantifier of
which not all is known gives is any value: proofs hold whatever it is, and no violation may rest on it.
"""

from __future__ import annotations

from frontend.elaboration.conversions import Conversions
from frontend.elaboration.quantifiers import EXISTS, FORALL, bound_variable, witnessed, zeroed
from frontend.elaboration.scope import FunctionState
from frontend.parsing import syntax
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import CType, IntegerKind, Pointer, Signature, Void
from frontend.typed.library_table import ACCESSES, HarnessQuestion, LanguageOperation, library_function

_ASSUME = "__CPROVER_assume"


def harness_call(unit: Conversions, node: syntax.CallSyntax, name: str, span: Span) -> tree.Expression | None:
    """The call of such a function; None for others, and for what the program defines."""
    if unit.defined.name(name) in unit.defined.functions:
        return None
    function = library_function(name)
    if function.operation is LanguageOperation.CLAIM and function.operands == len(node.arguments):
        truth = unit.truth(unit.value(node.arguments[0]))
        return undefined_call(
            unit, name, Signature(Void(), (unit.int_,), variadic=False, prototype=True), (truth,), span
        )
    if name in (FORALL, EXISTS):
        return _quantifier(unit, name, next(map(unit.value, node.arguments), None), span)
    if function.question is not None:
        return _question(unit, node, name, function.question, span)
    return None


def _quantifier(unit: Conversions, name: str, body: tree.Expression | None, span: Span) -> tree.Expression:
    """Its truth, as an int; any, where the body is not given."""
    unknown = _any(unit, name, unit.model.integer(IntegerKind.BOOL), span)
    if body is None:
        return unit.converted(unknown, unit.int_)
    known = zeroed(unit, body) if name == FORALL else None
    if known is not None:
        value, is_all = known
        return value if is_all else tree.Logical(span, unit.int_, tree.LogicalOperator.AND, value, unknown)
    variable = bound_variable(body)
    claim = None if variable is None else witnessed(body, _any(unit, name, variable.type, span))
    if claim is None:
        return unit.converted(unknown, unit.int_)
    yes, no = (tree.IntegerConstant(span, unit.int_, value) for value in (1, 0))
    if name == FORALL:
        claim = tree.Unary(span, unit.int_, tree.UnaryOperator.NOT, unit.condition_value(claim))
    type_ = Signature(Void(), (unit.int_,), variadic=False, prototype=True)
    holds = undefined_call(unit, _ASSUME, type_, (unit.truth(claim),), span)
    decided = tree.Comma(span, unit.int_, holds, no if name == FORALL else yes)
    then, otherwise = (yes, decided) if name == FORALL else (decided, no)
    return tree.Conditional(span, unit.int_, unknown, then, otherwise)


def _any(unit: Conversions, name: str, type_: CType, span: Span) -> tree.Expression:
    return undefined_call(unit, name, Signature(type_, (), variadic=False, prototype=True), (), span)


def _question(
    unit: Conversions, node: syntax.CallSyntax, name: str, question: HarnessQuestion, span: Span
) -> tree.Expression:
    """A question about memory; how many bytes it is about is said by the type of a pointer alone, too."""
    model, anywhere = unit.model, Pointer(Void())
    given = [unit.value(argument) for argument in node.arguments]
    types: tuple[CType, ...] = (anywhere,)
    if question in ACCESSES:
        types = anywhere, model.size_type
        if len(given) == 1 and isinstance(given[0].type, Pointer):
            unit.complete_target(given[0].type, span)
            size = model.size_of(given[0].type.target)
            given.append(tree.IntegerConstant(span, model.size_type, size))
    elif question is HarnessQuestion.SAME_OBJECT:
        types = anywhere, anywhere
    if len(given) != len(types) or not isinstance(given[0].type, Pointer):
        raise unit.error(node, f"{name} is not asked so")
    is_truth = question in (*ACCESSES, HarnessQuestion.SAME_OBJECT)
    result = model.integer(IntegerKind.BOOL) if is_truth else model.size_type
    result = model.difference_type if question is HarnessQuestion.OFFSET else result
    arguments = tuple(unit.assigned(one, type_) for one, type_ in zip(given, types, strict=True))
    return undefined_call(unit, name, Signature(result, types, variadic=False, prototype=True), arguments, span)


def undefined_call(
    unit: Conversions, name: str, type_: Signature, arguments: tuple[tree.Expression, ...], span: Span
) -> tree.Expression:
    """A call of a function that the program does not define."""
    unit.functions[name] = FunctionState(name, type_, span)
    return tree.Call(span, type_.result, tree.FunctionAddress(span, Pointer(type_), name), arguments)
