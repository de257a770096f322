"""Functions of the harnesses of other tools (CBMC 6, KLEE 3), where the program does not define them.

An assumption and an assertion have one argument here, the truth of what is assumed or asserted. What asks about memory
(`__CPROVER_r_ok`) gives any value: proofs hold whatever it is, and no violation may rest on it.
"""

from __future__ import annotations

from functools import reduce

from frontend.elaboration.conversions import Conversions
from frontend.elaboration.scope import FunctionState
from frontend.parsing import syntax
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import IntegerKind, Pointer, Signature, Void

_CLAIMS = {
    "__CPROVER_assume": 1,
    "klee_assume": 1,
    "__CPROVER_assert": 2,
    "__CPROVER_precondition": 2,
    "__CPROVER_postcondition": 2,
}
"""Assumptions and assertions, with their number of arguments."""
_TRUTHS = frozenset(
    (
        *("__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok", "__CPROVER_same_object"),
        *("__CPROVER_forall", "__CPROVER_exists"),
    )
)
_SIZES = frozenset(("__CPROVER_OBJECT_SIZE", "__CPROVER_POINTER_OBJECT", "__CPROVER_POINTER_OFFSET"))


def harness_call(unit: Conversions, node: syntax.CallSyntax, name: str, span: Span) -> tree.Expression | None:
    """The call of such a function; None for others, and for what the program defines."""
    if unit.defined.name(name) in unit.defined.functions:
        return None
    if _CLAIMS.get(name) == len(node.arguments):
        truth = unit.truth(unit.value(node.arguments[0]))
        return _call(unit, name, Signature(Void(), (unit.int_,), variadic=False, prototype=True), (truth,), span)
    if name in _TRUTHS or name in _SIZES:
        result = unit.model.integer(IntegerKind.BOOL) if name in _TRUTHS else unit.model.size_type
        called = _call(unit, name, Signature(result, (), variadic=False, prototype=True), (), span)
        before = [unit.value(argument) for argument in node.arguments]
        return reduce(lambda rest, one: tree.Comma(span, rest.type, one, rest), reversed(before), called)
    return None


def _call(
    unit: Conversions, name: str, type_: Signature, arguments: tuple[tree.Expression, ...], span: Span
) -> tree.Expression:
    unit.functions[name] = FunctionState(name, type_, span)
    return tree.Call(span, type_.result, tree.FunctionAddress(span, Pointer(type_), name), arguments)
