"""Definedness of claims: indices in one must stay within arrays of declared length, pointers must not be null.

The lowering assumes that of the program's own accesses. Of what a claim reads nothing may be assumed, since nothing in
the program depends on it: a claim about an element that is not there, or about what null leads to, does not hold.

Limitations: pointers in claims that are not null are assumed to be used within objects, as those of the program are;
arrays of variable length are not checked, nor are those in structs behind pointers, whose last may be a window on more
memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial, reduce

from frontend.elaboration.constants import fold
from frontend.typed import tree
from frontend.typed.ctype import Array, Integer, Pointer
from frontend.typed.lvalues import root
from frontend.typed.traversal import children
from frontend.typed.tree import BinaryOperator, Expression, LogicalOperator, UnaryOperator


def where_defined(condition: Expression, int_: Integer) -> Expression:
    """The condition, as an int, false where evaluating it would leave an array or read what null leads to."""
    within = definedness(condition, int_)
    return condition if within is None else _conjunction(int_, within, condition)


def definedness(e: Expression, int_: Integer) -> Expression | None:
    """The condition under which the evaluation of an expression is defined; None where it is anyway."""
    return _Definedness(int_).of(e)


class _Definedness:
    """For each node the condition under which its evaluation is defined; None where it is anyway."""

    def __init__(self, int_: Integer) -> None:
        self._int = int_
        self._known: dict[int, Expression | None] = {}

    def of(self, root: tree.Node) -> Expression | None:
        stack = [root]
        while stack:
            node = stack[-1]
            missing = [child for child in _evaluated(node) if id(child) not in self._known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self._known[id(node)] = self._of(node)
        return self._known[id(root)]

    def _of(self, node: tree.Node) -> Expression | None:
        match node:
            case tree.Logical(left=left, right=right):
                later = self._known[id(right)]
                if later is not None:
                    other = left if node.operator is LogicalOperator.OR else self._negated(left)
                    later = tree.Logical(node.span, self._int, LogicalOperator.OR, other, later)
                return self._both((self._known[id(left)], later))
            case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
                ways = [self._known[id(one)] for one in (then, otherwise)]
                if ways == [None, None]:
                    return self._known[id(condition)]
                first, second = (one or self._number(node, 1, self._int) for one in ways)
                chosen = tree.Conditional(node.span, self._int, condition, first, second)
                return self._both((self._known[id(condition)], chosen))
            case tree.AddressOf(lvalue=tree.Index() as lvalue):
                inner = (self._known[id(one)] for one in (lvalue.array, lvalue.index))
                return self._both((*inner, self._within(lvalue, beyond=1)))
            case tree.Index():
                inner = (self._known[id(one)] for one in (node.array, node.index))
                return self._both((*inner, self._within(node, beyond=0)))
            case tree.Load(lvalue=lvalue):
                return self._both((self._known[id(lvalue)], self._not_null(root(lvalue))))
            case _:
                return self._both(tuple(self._known[id(child)] for child in _evaluated(node)))

    def _within(self, lvalue: tree.Index, beyond: int) -> Expression | None:
        """Condition that the index is one of the array, or of the `beyond` that follow."""
        array, index = lvalue.array, lvalue.index
        length = array.type.length if isinstance(array.type, Array) else None
        if not isinstance(length, int) or not length or _is_member_behind_pointer(array):
            return None
        end, value, type_ = length + beyond, fold(index), index.type
        if value is not None and 0 <= value < end:
            return None
        assert isinstance(type_, Integer)
        first = tree.Binary(lvalue.span, self._int, BinaryOperator.LESS_EQUAL, self._number(lvalue, 0, type_), index)
        if not type_.holds(end):
            return first
        last = tree.Binary(lvalue.span, self._int, BinaryOperator.LESS, index, self._number(lvalue, end, type_))
        return self._both((first, last))

    def _not_null(self, base: tree.Lvalue) -> Expression | None:
        """Condition that the pointer which is read through is not null."""
        pointer = base.pointer if isinstance(base, tree.Dereference) else None
        while isinstance(pointer, tree.PointerOffset | tree.Convert):
            pointer = pointer.pointer if isinstance(pointer, tree.PointerOffset) else pointer.operand
        if pointer is None or isinstance(pointer, tree.AddressOf | tree.Decay) or not isinstance(pointer.type, Pointer):
            return None
        null = tree.Convert(pointer.span, pointer.type, self._number(pointer, 0, self._int), explicit=False)
        return tree.Binary(pointer.span, self._int, BinaryOperator.UNEQUAL, pointer, null)

    def _both(self, parts: tuple[Expression | None, ...]) -> Expression | None:
        known = [part for part in parts if part is not None]
        return reduce(partial(_conjunction, self._int), known) if known else None

    def _negated(self, e: Expression) -> Expression:
        return tree.Unary(e.span, self._int, UnaryOperator.NOT, e)

    def _number(self, node: tree.Node, value: int, type_: Integer) -> Expression:
        return tree.IntegerConstant(node.span, type_, value)


def _evaluated(node: tree.Node) -> Iterable[tree.Node]:
    """The parts of a node; of loops within a claim none, which ask for themselves."""
    return () if isinstance(node, tree.StatementExpression) else children(node)


def _conjunction(int_: Integer, left: Expression, right: Expression) -> Expression:
    return tree.Logical(right.span, int_, LogicalOperator.AND, left, right)


def _is_member_behind_pointer(array: tree.Lvalue) -> bool:
    is_member = False
    while isinstance(array, tree.Member | tree.Index):
        is_member |= isinstance(array, tree.Member)
        array = array.base if isinstance(array, tree.Member) else array.array
    return is_member and isinstance(array, tree.Dereference)
