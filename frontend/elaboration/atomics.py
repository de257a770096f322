"""Atomic operations that gcc has built in (`__atomic_…`, `__sync_…`), as calls with the types of what they work on.

There are no threads here, so their bodies are plain C (`resources/libc/atomic.c`), and memory orders mean nothing.
Limitations: refused are arithmetic on pointers, which gcc counts in bytes, arithmetic of more than 64 bits, and flags
that are not of one byte, of which gcc sets and clears the first byte alone.
"""

from __future__ import annotations

import re

from frontend.elaboration.conversions import Conversions
from frontend.elaboration.scope import FunctionState
from frontend.parsing import syntax
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind, Pointer, Record, Signature, Void
from frontend.typed.traversal import has_effects

_TYPES = {
    "__atomic_load_n": "epi",
    "__atomic_load": "vppi",
    "__atomic_store_n": "vpei",
    "__atomic_store": "vppi",
    "__atomic_exchange_n": "epei",
    "__atomic_exchange": "vpppi",
    "__atomic_compare_exchange_n": "bppeiii",
    "__atomic_compare_exchange": "bpppiii",
    "__atomic_test_and_set": "bpi",
    "__atomic_clear": "vpi",
    "__atomic_thread_fence": "vi",
    "__atomic_signal_fence": "vi",
    "__sync_synchronize": "v",
    "__sync_lock_test_and_set": "epe",
    "__sync_lock_release": "vp",
    "__sync_bool_compare_and_swap": "bpee",
    "__sync_val_compare_and_swap": "epee",
}
"""The result and the parameters: what is worked on (e), a pointer to it (p), bool, int, void."""
_FLAGS = ("__atomic_test_and_set", "__atomic_clear")
_OPERATOR = "(?:add|sub|and|or|xor|nand)"
_ARITHMETIC = {
    re.compile(f"__atomic_(?:fetch_{_OPERATOR}|{_OPERATOR}_fetch)"): "epei",
    re.compile(f"__sync_(?:fetch_and_{_OPERATOR}|{_OPERATOR}_and_fetch)"): "epe",
}


def atomic_call(unit: Conversions, node: syntax.CallSyntax, name: str, span: Span) -> tree.Expression | None:
    """The call of such an operation; None for others, and for types that it does not have here."""
    arithmetic = next((found for pattern, found in _ARITHMETIC.items() if pattern.fullmatch(name)), None)
    letters = arithmetic or _TYPES.get(name)
    if letters is None:
        return None
    given = [unit.value(argument) for argument in node.arguments]
    if name.startswith("__sync_"):  # the variables that it protects may follow
        given = given[: len(letters) - 1] if not has_effects(*given[len(letters) - 1 :]) else given
    if len(given) != len(letters) - 1:
        raise unit.error(node, f"{name} has {len(letters) - 1} arguments")
    types: dict[str, CType] = {"v": Void(), "i": unit.int_, "b": unit.model.integer(IntegerKind.BOOL)}
    if "p" in letters:
        given[0] = _scalar(given[0])
        pointer = given[0].type
        element = pointer.target if isinstance(pointer, Pointer) else None
        if not _is_followed(name, element, is_arithmetic=arithmetic is not None):
            return None
        assert element is not None
        types |= {"e": element, "p": pointer}
    type_ = Signature(types[letters[0]], tuple(types[one] for one in letters[1:]), variadic=False, prototype=True)
    arguments = tuple(unit.assigned(one, wanted) for one, wanted in zip(given, type_.parameters, strict=True))
    unit.functions.setdefault(name, FunctionState(name, type_, span))
    return tree.Call(span, type_.result, tree.FunctionAddress(span, Pointer(type_), name), arguments)


def _is_followed(name: str, element: CType | None, is_arithmetic: bool) -> bool:
    """Whether the operation works on a type as its body does."""
    if name in _FLAGS:
        return isinstance(element, Integer) and element.bits <= 8
    if is_arithmetic:
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
