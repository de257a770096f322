"""Compatible types (C11 6.2.7), up to qualifiers."""

from __future__ import annotations

from frontend.typed.ctype import Array, CType, Pointer, Signature


def compatible(a: CType, b: CType) -> bool:
    """Whether two declarations of one function or object may have these types."""
    while isinstance(a, Pointer) and isinstance(b, Pointer):
        a, b = a.target, b.target
    match a, b:
        case Array(), Array():
            lengths = [one for one in (a.length, b.length) if isinstance(one, int)]
            return len(set(lengths)) <= 1 and compatible(a.element, b.element)
        case Signature(), Signature():
            return compatible(a.result, b.result) and _parameters_agree(a, b)
        case _:
            return a == b


def _parameters_agree(a: Signature, b: Signature) -> bool:
    if not (a.prototype and b.prototype):
        return True
    if len(a.parameters) != len(b.parameters) or a.variadic != b.variadic:
        return False
    return all(compatible(one, other) for one, other in zip(a.parameters, b.parameters, strict=True))
