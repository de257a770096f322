"""Calls of undefined functions: the objects that they reach, to which they may return pointers."""

from __future__ import annotations

from collections.abc import Iterator

from frontend.lowering.pointsto.classes import Class, PointeeOf, find, join, new_mixed
from frontend.typed import tree
from frontend.typed.casts import is_null
from frontend.typed.ctype import Float, Pointer, Record
from frontend.typed.traversal import nodes


class Undefined:
    """The calls that may be of undefined functions: `calls`, by identity. Grows with the analysis."""

    def __init__(self) -> None:
        self.calls: dict[int, tree.Call] = {}

    def escaping(self, call: tree.Call, value: PointeeOf, read_only: frozenset[int] = frozenset()) -> tuple[Class, ...]:
        """The classes that a call reaches through its arguments; of `read_only` ones, only what lies behind those to
        which they lead.
        """
        classes: dict[int, Class] = {}
        stack: list[Class] = []
        for position, argument in enumerate(call.arguments):
            for one in _pointers_in(argument):
                known = value(one)
                if known is not None:
                    is_below = isinstance(one.type, Record) or position in read_only
                    stack.extend(known.targets.values() if is_below else (known,))
        while stack:
            node = find(stack.pop())
            if id(node) not in classes:
                classes[id(node)] = node
                stack.extend(node.targets.values())
        return tuple(classes.values())

    def give_back(self, value: PointeeOf) -> bool:
        """Let results point to what escapes, seen in any way; returns whether classes had to be joined."""
        changed = False
        for call in self.calls.values():
            for one in self._results(call, value):
                for other in self.escaping(call, value):
                    changed |= find(one).step != 1
                    find(one).step = 1  # to any byte
                    if find(one) is not find(other):
                        join(one, other)
                        join(one, new_mixed())
                        changed = True
        return changed

    def exchange(self, value: PointeeOf) -> bool:
        """Let the pointers that escape point to all that does, seen in any way, and to what is outside.

        Returns whether classes have changed. What points to its own class only keeps its types: another address there
        would be of another type.
        """
        changed = False
        for call in self.calls.values():
            escaping = self.escaping(call, value)
            for one in [below for node in escaping for below in node.targets.values()]:
                changed |= not find(one).opaque
                find(one).opaque = True
                for other in escaping:
                    if find(one) is not find(other):
                        join(one, other)
                        join(one, new_mixed(step=1))
                        changed = True
        return changed

    def _results(self, call: tree.Call, value: PointeeOf) -> list[Class]:
        """The classes that the pointers in the result of a call point to."""
        found = value(call)
        if found is None:
            return []
        return list(found.targets.values()) if isinstance(call.type, Record) else [found]


def _pointers_in(argument: tree.Expression) -> Iterator[tree.Expression]:
    """The parts of an argument that may hold an address, also one that is passed as an integer; no constants."""
    if isinstance(argument.type, Float):
        return
    if isinstance(argument.type, Pointer) and (is_null(argument) or _is_literal(argument)):
        return
    yield argument
    if not isinstance(argument.type, Pointer | Record):
        for node in nodes(argument):
            if isinstance(node, tree.Convert) and isinstance(node.operand.type, Pointer):
                yield from _pointers_in(node.operand)


def _is_literal(e: tree.Expression) -> bool:
    while isinstance(e, tree.Convert):
        e = e.operand
    return isinstance(e, tree.Decay) and isinstance(e.lvalue, tree.StringLiteral)
