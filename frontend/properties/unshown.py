"""Undefined behaviour that no check is about, and that a program may have, by the form of its code.

A proof that no check can fail says nothing about these, so the property `def-behavior` is shown only where there are
none. Each finder may see what cannot happen, and must see all that can. What no finder is about is
an assumption (`frontend/lowering/checks/unchecked.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from core.dataclass import dataclass
from core.program.span import Span
from frontend.typed import tree
from frontend.typed.ctype import Array
from frontend.typed.traversal import nodes


@dataclass(frozen=True, slots=True)
class Unshown:
    """Undefined behaviour that may be at a place."""

    what: str
    span: Span

    def __str__(self) -> str:
        return f"{self.what} ({self.span.file}:{self.span.line})"


def unshown(unit: tree.TranslationUnit, reachable: Collection[str]) -> tuple[Unshown, ...]:
    """The undefined behaviour that reachable functions may have: one finding of each kind, with the first place."""
    bodies = [one.body for name, one in unit.functions.items() if one.body is not None and name in reachable]
    found: dict[str, Unshown] = {}
    for one in _arithmetic([*nodes(*unit.globals), *nodes(*bodies)]):
        found.setdefault(one.what, one)
    return tuple(found.values())


def _arithmetic(every: list[tree.Node]) -> Iterator[Unshown]:
    """Addresses of elements of arrays without length; other moved pointers are checked."""
    for node in every:
        lvalue = node.lvalue if isinstance(node, tree.AddressOf | tree.Decay) else None
        while isinstance(lvalue, tree.Index | tree.Member):
            if isinstance(lvalue, tree.Index) and isinstance(lvalue.array.type, Array) and not lvalue.array.type.length:
                yield Unshown("a pointer may be moved out of its object", node.span)
            lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base
