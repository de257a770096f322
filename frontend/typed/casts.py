"""Casts between pointers and numbers, as far as the text shows what they do."""

from __future__ import annotations

from frontend.typed import tree
from frontend.typed.ctype import Integer, IntegerKind, Pointer
from frontend.typed.traversal import nodes
from frontend.typed.tree import BinaryOperator

_WIDE = (IntegerKind.LONG, IntegerKind.ULONG, IntegerKind.LLONG, IntegerKind.ULLONG)
"""Types that hold every pointer, in both data models."""
NEVER = 1 << 12
"""No object has an address below this, nor as far below the end of the address space."""


LAYOUT = "where objects lie"
"""The name of the inputs that say whether two pointers are equal, where C leaves that open."""


PLACE = "where an object lies"
"""The name of the inputs that are addresses of objects as numbers."""


def constant(e: tree.Expression) -> int | None:
    """The constant below conversions, also below a minus sign."""
    sign = 1
    while isinstance(e, tree.Convert) or (isinstance(e, tree.Unary) and e.operator is tree.UnaryOperator.NEGATE):
        sign, e = -sign if isinstance(e, tree.Unary) else sign, e.operand
    return sign * e.value if isinstance(e, tree.IntegerConstant) else None


def is_null(e: tree.Expression) -> bool:
    """Whether the expression is a constant near 0, which is the address of nothing."""
    number = constant(e)
    return number is not None and -NEVER <= number < NEVER


def one(e: tree.Increment) -> tree.IntegerConstant:
    """The operand of `++` and `--`."""
    type_ = e.computation if isinstance(e.computation, Integer) else Integer(IntegerKind.INT, 32, signed=True)
    return tree.IntegerConstant(e.span, type_, 1)


def uses_numbers(*roots: tree.Node) -> bool:
    """Whether addresses become numbers, or numbers addresses, other than to compare them with one another."""
    compared: set[int] = set()
    for node in nodes(*roots):
        if isinstance(node, tree.Binary) and as_pointers(node) is not None:
            for operand in (node.left, node.right):
                while isinstance(operand, tree.Convert) and isinstance(operand.type, Integer):
                    compared.add(id(operand))
                    operand = operand.operand
        elif isinstance(node, tree.Convert) and id(node) not in compared and _mixes(node):
            return True
    return False


def _mixes(e: tree.Convert) -> bool:
    source, target = e.operand.type, e.type
    if isinstance(source, Pointer) and isinstance(target, Integer):
        return target.kind is not IntegerKind.BOOL
    return isinstance(source, Integer) and isinstance(target, Pointer) and not is_null(e)


def as_pointers(e: tree.Binary) -> tuple[tree.Expression, tree.Expression] | None:
    """The operands of a comparison of pointers, also where both are compared as numbers of their size."""
    if isinstance(e.left.type, Pointer) and isinstance(e.right.type, Pointer):
        return e.left, e.right
    if e.operator not in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
        return None
    left, right = _below_cast(e.left), _below_cast(e.right)
    if left is None and right is None:
        return None
    left, right = left or _null(e.left), right or _null(e.right)
    return None if left is None or right is None else (left, right)


def _below_cast(e: tree.Expression) -> tree.Expression | None:
    """The pointer that is cast to a number without loss."""
    while isinstance(e, tree.Convert) and isinstance(e.type, Integer):
        if isinstance(e.operand.type, Pointer):
            return e.operand if e.type.kind in _WIDE else None
        if not isinstance(e.operand.type, Integer) or e.operand.type.bits > e.type.bits:
            return None
        e = e.operand
    return None


def _null(e: tree.Expression) -> tree.Expression | None:
    while isinstance(e, tree.Convert):
        e = e.operand
    return e if isinstance(e, tree.IntegerConstant) and e.value == 0 else None
