"""Calls of which only the truth of the result is used: whether it is zero."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from frontend.typed import tree
from frontend.typed.casts import constant
from frontend.typed.ctype import Integer, IntegerKind


def truth_calls(nodes: Iterable[tree.Node]) -> frozenset[int]:
    """The identities of these calls."""
    asked = (call for node in nodes for one in _asked(node) for call in _results(one))
    return frozenset(map(id, asked))


def _asked(node: tree.Node) -> Iterator[tree.Expression]:
    """The expressions that a node asks for their truth, or passes over."""
    match node:
        case tree.If() | tree.While() | tree.DoWhile() | tree.Conditional():
            yield node.condition
        case tree.For(condition=tree.TypedNode() as condition):
            yield condition
        case tree.Unary(operator=tree.UnaryOperator.NOT):
            yield node.operand
        case tree.Logical():
            yield from (node.left, node.right)
        case tree.Binary(operator=tree.BinaryOperator.EQUAL | tree.BinaryOperator.UNEQUAL):
            if constant(node.right) == 0:
                yield node.left
            if constant(node.left) == 0:
                yield node.right
        case tree.Convert(type=Integer(kind=IntegerKind.BOOL)):
            yield node.operand
        case tree.ExpressionStatement():
            yield node.expression
        case _:
            pass


def _results(e: tree.Expression) -> Iterator[tree.Call]:
    """The calls whose results are this value, in some type of integers."""
    pending = [e]
    while pending:
        match pending.pop():
            case tree.Call() as call:
                yield call
            case tree.Convert(type=Integer(bits=bits), operand=operand) if bits >= 32:
                pending.append(operand)
            case tree.Comma(right=right):
                pending.append(right)
            case tree.Conditional(then=then, otherwise=otherwise):
                pending += (then, otherwise)
            case _:
                pass
