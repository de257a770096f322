"""Results and effects that C determines and nothing here computes: no violation may rest on values made up for them.

An undefined function may do anything, but not one of the C library: that `strtol("12", 0, 10)` is not 12 is no
violation, nor that `sprintf(b, "x")` leaves `b` as it was. Where the program passes a result over, it does not matter.
What comes from outside, such as input and random numbers, is arbitrary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.dataclass import dataclass
from core.program import InputKind
from core.program.own_steps import PART
from core.program.span import Span
from core.verdict import InputValue
from frontend.interpreter.library import is_interpreted
from frontend.interpreter.outcome import CONTENTS
from frontend.libc.names import is_library_function
from frontend.libc.outside import bounds_of
from frontend.libc.texts import CONVERSION, NUMBERS, TRUTH
from frontend.typed import tree
from frontend.typed.casts import is_null
from frontend.typed.library_table import library_function
from frontend.typed.traversal import callee, unit_nodes


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A result or an effect that C determines, and that the replay does not know."""

    function: str
    span: Span

    def __str__(self) -> str:
        if self.function == PART:
            return "a pointer to a part of an object is moved, and whether it leaves the part is not seen"
        by = "CBMC" if self.function.startswith("__CPROVER_") else "the C library"
        text = f"what {self.function} does at {self.span} is determined by {by}, but it is not computed here"
        return f"{text}; a definition in the program is followed"


def made_up(unit: tree.TranslationUnit, inputs: Iterable[InputValue]) -> MadeUp | None:
    """The first made-up result that the program may use, or made-up effect; None if there is none."""
    inputs = tuple(inputs)
    calls = _calls(unit)
    ignored = set(_ignored(unit))
    for value in inputs:
        name = _function(value)
        if name == PART and value.value:
            return MadeUp(name, value.span)
        if name in (CONVERSION, TRUTH, *NUMBERS.values()):
            known = next(filter(None, map(callee, calls.get(value.span, ()))), "")
            return MadeUp(known or "the conversion of a number or a pointer", value.span)
        is_used = value.kind is InputKind.EXTERN and value.span not in ignored
        if is_used and _is_unknown(name) and _is_made_up(value, calls.get(value.span, ())):
            return MadeUp(name, value.span)
        if value.kind is InputKind.INDETERMINATE and not _is_of_a_body(value.name):
            for call in calls.get(value.span, ()):
                for name in _callees(call, unit):
                    if _is_unknown(name) and not _is_outside(name):
                        return MadeUp(name, value.span)
    return None


def _is_of_a_body(name: str) -> bool:
    """Whether the storage is that of an object which the body made for a call begins, or of its variable arguments."""
    return "!" in name or name == CONTENTS


def _is_unknown(name: str) -> bool:
    """Whether a replay computes no results and effects of a function of the library where a call has no body."""
    return is_library_function(name) and not is_interpreted(name) and not _is_replayed(name)


def _is_replayed(name: str) -> bool:
    function = library_function(name)
    return function.replay and function.name == name


def _calls(unit: tree.TranslationUnit) -> dict[Span, list[tree.Call]]:
    found: dict[Span, list[tree.Call]] = {}
    for node in unit_nodes(unit):
        if isinstance(node, tree.Call):
            found.setdefault(node.span, []).append(node)
    return found


def _callees(call: tree.Call, unit: tree.TranslationUnit) -> Iterable[str]:
    """The undefined functions that the call may call: all whose address is taken, where it is through a pointer."""
    name = callee(call)
    if name is not None:
        return (name,)
    every = list(unit_nodes(unit))
    called = {id(node.function) for node in every if isinstance(node, tree.Call)}
    named = (node.function for node in every if isinstance(node, tree.FunctionAddress) and id(node) not in called)
    return dict.fromkeys(one for one in named if unit.functions[one].body is None)


def _is_made_up(value: InputValue, calls: Sequence[tree.Call]) -> bool:
    """Whether the function cannot return just any value, for all that is known of its arguments."""
    name, arguments = _function(value), calls[0].arguments if calls else ()
    row = library_function(name).accesses
    if row is None or not row.is_outside:
        return True
    if row.is_any or bounds_of(row, arguments) is not None:
        return False
    if row.returned is not None:
        return value.value != 0
    if row.range is not None:
        return isinstance(value.value, int) and value.value > 0
    return not (row.is_any_without_object and arguments and is_null(arguments[0]))


def _is_outside(name: str) -> bool:
    """Whether what the function writes comes from outside of the program."""
    row = library_function(name).accesses
    return row is not None and row.is_outside


def _function(one: InputValue) -> str:
    """The function that returns the value, or the struct of which it is a part."""
    return one.name.partition(".")[0]


def _ignored(unit: tree.TranslationUnit) -> Iterator[Span]:
    """The places of the calls that are statements by themselves."""
    for node in unit_nodes(unit):
        if isinstance(node, tree.ExpressionStatement):
            expression = node.expression
            while isinstance(expression, tree.Convert):
                expression = expression.operand
            if isinstance(expression, tree.Call):
                yield expression.span
