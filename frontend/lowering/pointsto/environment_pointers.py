"""Memory from outside of the program: the pointers that may point there, and those that may be equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from frontend.lowering.pointsto.classes import Class, PointeeOf, find, join
from frontend.typed import tree
from frontend.typed.ctype import CType, Pointer, Record, Signature, Void, same_representation


class Outside:
    """The pointers of the program: `pointers` are those that are evaluated, `compared` pairs of them.

    Grows with the analysis.
    """

    def __init__(self) -> None:
        self.pointers: list[tuple[Pointer, Class]] = []
        self.compared: list[tuple[tree.Expression, tree.Expression]] = []
        self._known: list[tuple[CType, Class]] = []
        self._shared_by: dict[Pointer, Class] = {}

    def spread(self, every: Sequence[Class], indirect: Sequence[tree.Call], value: PointeeOf) -> bool:
        """Mark what memory from outside points to as outside, too; returns whether classes had to be joined."""
        stack = [node for node in every if node.opaque]
        done: dict[int, Class] = {}
        while stack:
            node = find(stack.pop())
            if id(node) not in done:
                done[id(node)] = node
                node.opaque = node.volatile = True
                stack.extend(node.targets.values())
            if not stack:
                stack.extend(one for one in self._unknown_results(indirect, value) if not one.opaque)
        pairs = list(self._pairs(list(done.values()), value))
        changed = any(find(one) is not find(other) for one, other in pairs)
        for one, other in pairs:
            join(one, other)
        return changed

    def _unknown_results(self, indirect: Sequence[tree.Call], value: PointeeOf) -> Iterator[Class]:
        """The classes of the results of calls through pointers to functions that may be outside of the program."""
        for call in indirect:
            found, function = value(call), value(call.function)
            if found is not None and (function is None or function.opaque):
                if isinstance(call.type, Pointer):
                    yield found
                elif isinstance(call.type, Record):
                    yield from map(find, found.targets.values())

    def _pairs(self, outside: Sequence[Class], value: PointeeOf) -> Iterator[tuple[Class, Class]]:
        """Pointers of one type in memory from outside may be equal, and so may pointers that are compared.

        A pointer to nothing that the program makes was never set: it may be equal to any other.
        """
        for node in outside:
            for key, target in node.targets.items():
                type_ = None if key is None else next(f.type for f in key[0].layout.fields if f.name == key[1])
                if isinstance(type_, Pointer):
                    yield target, self._shared(type_, target)
        for pointer, found in self.pointers:
            if (found := find(found)).opaque:
                yield found, self._shared(pointer, found)
        for left, right in self.compared:
            one, other = value(left), value(right)
            if one is None or other is None:
                continue
            one, other = find(one), find(other)
            if one.opaque or other.opaque or not (one.defined and other.defined):
                yield one, other

    def _shared(self, type_: Pointer, otherwise: Class) -> Class:
        """The class of all objects outside to which pointers of a type point; `void *` may be any of them."""
        if isinstance(type_.target, Void | Signature):
            return otherwise
        if type_ not in self._shared_by:
            node = next((node for known, node in self._known if same_representation(known, type_.target)), None)
            if node is None:
                node = otherwise
                self._known.append((type_.target, node))
            self._shared_by[type_] = node
        return self._shared_by[type_]
