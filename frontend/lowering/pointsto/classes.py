"""Classes of objects, joined by unification (Steensgaard), with one pointer class for each field.

A *class* stands for objects whose addresses may meet in one pointer. Its contents are split by the fields of structs
whose address nobody takes; the other scalars of a class are told apart by their type. That holds while no part of the
class is seen through two types: where casts may do that, the class is *mixed*, and is not split at all.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd, lcm

from frontend.typed import tree
from frontend.typed.ctype import CType, Record, same_representation
from frontend.typed.tree import Object

FieldKey = tuple[Record, str] | None
"""A field of a struct; None for scalars that are told apart by their type only."""


class Class:
    """A set of objects, as one node of a union-find forest."""

    __slots__ = (
        "anonymous",
        "copied",
        "defined",
        "exposed",
        "functions",
        "mixed",
        "numbers",
        "objects",
        "opaque",
        "parent",
        "step",
        "targets",
        "unknown",
        "views",
        "volatile",
    )

    def __init__(self) -> None:
        self.parent: Class | None = None
        self.targets: dict[FieldKey, Class] = {}
        self.functions: dict[str, None] = {}
        self.objects: dict[str, Object] = {}
        self.views: list[CType] = []
        """The types that the class is converted from and to, through `void *`."""
        self.mixed = False
        self.opaque = False
        """Objects that the program does not make may be in it."""
        self.defined = False
        """Objects that the program makes, or functions, are in it."""
        self.numbers = False
        """A pointer to it is made of a number."""
        self.unknown = False
        """A pointer to it is made of a number that is not constant."""
        self.exposed = False
        """A number is made of a pointer to it."""
        self.anonymous = False
        """Objects without a declaration are in it: from the heap, literals, temporaries."""
        self.volatile = False
        """Objects with contents that are not zero from the start: heap objects and automatic ones."""
        self.step = 0
        """Each pointer lies a multiple of so many bytes away from the start of its object; 0: at the start."""
        self.copied = 1
        """The step that the elements need that functions such as memcpy copy."""

    @property
    def is_crossed(self) -> bool:
        """Whether copies may begin within elements of others, and overlap these in part."""
        return self.step % self.copied != 0


PointeeOf = Callable[[tree.Expression], Class | None]
"""Maps a pointer to the class that it points to, and a struct to a class with its contents; None for all else."""


def find(node: Class) -> Class:
    """The representative of a class."""
    while node.parent is not None:
        if node.parent.parent is not None:
            node.parent = node.parent.parent
        node = node.parent
    return node


def target_of(node: Class, key: FieldKey) -> Class:
    """The class that the pointers in the field `key` of a class point to."""
    node = find(node)
    if node.mixed:
        key = None
    if key not in node.targets:
        node.targets[key] = Class()
        node.targets[key].mixed = node.mixed
    return find(node.targets[key])


def join(left: Class, right: Class) -> None:
    """Unify two classes and, recursively, their targets."""
    stack = [(left, right)]
    while stack:
        a, b = (find(one) for one in stack.pop())
        if a is b:
            continue
        b.parent = a
        a.functions.update(b.functions)
        a.objects.update(b.objects)
        for view in b.views:
            add_view(a, view)
        a.opaque, a.volatile = a.opaque or b.opaque, a.volatile or b.volatile
        a.anonymous = a.anonymous or b.anonymous
        a.defined, a.numbers = a.defined or b.defined, a.numbers or b.numbers
        a.unknown, a.exposed = a.unknown or b.unknown, a.exposed or b.exposed
        a.step, a.copied = gcd(a.step, b.step), lcm(a.copied, b.copied)
        below = [*a.targets.items(), *b.targets.items()]
        a.mixed, a.targets = a.mixed or b.mixed, {}
        for key, inner in below:
            held = a.targets.setdefault(None if a.mixed else key, inner)
            stack.append((held, inner))
            if a.mixed and not find(inner).mixed:
                stack.append((inner, new_mixed()))


def new_mixed(step: int = 0) -> Class:
    """A new class that is mixed, with pointers at multiples of `step`."""
    node = Class()
    node.mixed, node.step = True, step
    return node


def add_view(node: Class, type_: CType) -> None:
    if not any(same_representation(type_, one) for one in node.views):
        node.views.append(type_)


__all__ = ["Class", "FieldKey", "PointeeOf", "add_view", "find", "join", "new_mixed", "target_of"]
