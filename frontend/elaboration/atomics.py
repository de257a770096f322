"""Atomic operations that gcc has built in (`__atomic_…`, `__sync_…`), as calls with the types of what they work on.

There are no threads here, so their bodies are plain C (`resources/libc/atomic.c`), and memory orders mean nothing.
Limitations: refused are arithmetic on pointers, which gcc counts in bytes, arithmetic of more than 64 bits, and flags
that are not of one byte, of which gcc sets and clears the first byte alone.
"""

from __future__ import annotations

from frontend.elaboration.conversions import Conversions
from frontend.elaboration.scope import FunctionState
from frontend.parsing import syntax
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind, Pointer, Record, Signature, Void
from frontend.typed.library_table import Atomic, library_function
from frontend.typed.traversal import has_effects


def atomic_call(unit: Conversions, node: syntax.CallSyntax, name: str, span: Span) -> tree.Expression | None:
    """The call of such an operation; None for others, and for types that it does not have here.

    The letters of its type: what it works on (e), a pointer to that (p), bool, int, void.
    """
    atomic = library_function(name).atomic
    if atomic is None:
        return None
    letters = atomic.letters
    given = [unit.value(argument) for argument in node.arguments]
    if atomic.is_open:  # the variables that it protects may follow
        given = given[: len(letters) - 1] if not has_effects(*given[len(letters) - 1 :]) else given
    if len(given) != len(letters) - 1:
        raise unit.error(node, f"{name} has {len(letters) - 1} arguments")
    types: dict[str, CType] = {"v": Void(), "i": unit.int_, "b": unit.model.integer(IntegerKind.BOOL)}
    if "p" in letters:
        given[0] = _scalar(given[0])
        pointer = given[0].type
        element = pointer.target if isinstance(pointer, Pointer) else None
        if not _is_followed(atomic, element):
            return None
        assert element is not None
        types |= {"e": element, "p": pointer}
    type_ = Signature(types[letters[0]], tuple(types[one] for one in letters[1:]), variadic=False, prototype=True)
    arguments = tuple(unit.assigned(one, wanted) for one, wanted in zip(given, type_.parameters, strict=True))
    unit.functions.setdefault(name, FunctionState(name, type_, span))
    return tree.Call(span, type_.result, tree.FunctionAddress(span, Pointer(type_), name), arguments)


def _is_followed(atomic: Atomic, element: CType | None) -> bool:
    """Whether the operation works on a type as its body does."""
    if atomic.is_flag:
        return isinstance(element, Integer) and element.bits <= 8
    if atomic.is_arithmetic:
        return isinstance(element, Integer) and element.bits <= 64
    return isinstance(element, Integer | Pointer)


def _scalar(pointer: tree.Expression) -> tree.Expression:
    """The pointer, or one to the only member of the struct that it leads to, such as an `atomic_flag`."""
    target = pointer.type.target if isinstance(pointer.type, Pointer) else None
    if not isinstance(target, Record) or len(target.layout.fields) != 1:
        return pointer
    field = target.layout.fields[0]
    member = tree.Member(pointer.span, field.type, tree.Dereference(pointer.span, target, pointer), field)
    return tree.AddressOf(pointer.span, Pointer(field.type), member)
