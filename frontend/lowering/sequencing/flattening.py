"""Flattening of a full expression: its evaluations become statements, which may be put in another order.

What conflicts with nothing stays in the expression that is left over, or in the statement that needs its value. A part
that may not be evaluated becomes statements that depend on its condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from typing import TypeVar, cast

from core.dataclass import dataclass
from frontend.lowering.sequencing.evaluation_order import STORES, EvaluationOrder, Root
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import DataModel, IntegerKind, Record, Void
from frontend.typed.lvalues import in_union, root
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import nodes
from frontend.typed.tree import LogicalOperator, UnaryOperator

_N = TypeVar("_N", bound=tree.Node)
_NOTHING: frozenset[int] = frozenset()

Premise = tuple[tree.Object, bool]
"""A variable that holds the value of a condition, and whether the condition must hold."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenEvaluation:
    """An evaluation: statements that do it, and the numbers of the events that precede it.

    `node` is None where it conflicts with nothing, and is there to be in order. `lvalue` is what it accesses, with
    indices and pointers that stay as they are, where that is asked for.
    """

    node: tree.Node | None
    statements: tuple[tree.Statement, ...]
    after: frozenset[int]
    guards: tuple[Premise, ...]
    lvalue: tree.Lvalue | None = None

    def guarded(self) -> tuple[tree.Statement, ...]:
        """The statements, where the event happens."""
        return guarded(self.statements, self.guards, self.statements[0].span)


def guarded(
    statements: tuple[tree.Statement, ...], guards: tuple[Premise, ...], span: Span
) -> tuple[tree.Statement, ...]:
    """Statements that are executed where all guards hold."""
    for variable, wanted in reversed(guards):
        value: tree.Expression = load(variable, span)
        if not wanted:
            value = tree.Unary(span, variable.type, UnaryOperator.NOT, value)
        statements = (tree.If(span, value, tree.Compound(span, statements), None),)
    return statements


def load(variable: tree.Object, span: Span) -> tree.Load:
    return tree.Load(span, variable.type, tree.Variable(span, variable.type, variable))


@dataclass(slots=True, eq=False)
class Flattening:
    """The events of one full expression, in an order that C allows. `events` and `pinned` are identities of nodes: of
    those that become events, and of those of which it must be known which object they access.
    """

    relation: EvaluationOrder
    events: frozenset[int]
    pinned: frozenset[int]
    model: DataModel
    variable: Callable[[tree.Expression], tree.Object]
    evaluations: list[OpenEvaluation] = field(default_factory=list)
    _guards: list[tuple[Premise, int]] = field(default_factory=list)
    _spine: frozenset[int] = frozenset()

    def root(self, root: Root) -> Root:
        """The rest of the full expression, to be evaluated after all events."""
        for node in self.relation.nodes():
            if isinstance(node, tree.CompoundLiteral):
                raise Unsupported(node.span, "the order of evaluation beside a compound literal is not decided")
            if isinstance(node, tree.StatementExpression) and any(isinstance(one, tree.Labeled) for one in nodes(node)):
                raise Unsupported(node.span, "the order of evaluation beside a label is not decided")
        self._spine = self.relation.above(self.events)
        return self._flat(root)[0]

    # Each of these returns what is left of a node, and the numbers of the events that precede its value.

    def _flat(self, node: _N) -> tuple[_N, frozenset[int]]:
        if id(node) not in self._spine:
            return node, _NOTHING
        begun = len(self.evaluations)
        left: tree.Node
        match node:
            case tree.Logical() | tree.Conditional() if self._is_split(node):
                left, after = self._choice(node, begun)
            case tree.Comma() if id(node.right) in self._spine:
                left, after = self._comma(node, begun)
            case tree.StatementExpression():
                left, after = self._event(node, node, _NOTHING)
            case tree.Assign() if (id(node) in self.events or _may_overlap(node)) and not _is_bit_field(node.target):
                left, after = self._assigned(node)
            case _:
                left, after = self._parts(node)
                if isinstance(node, tree.Call | tree.Logical | tree.Conditional | tree.Comma):
                    after = frozenset(range(begun, len(self.evaluations)))  # there is a sequence point
                if id(node) in self.events:
                    left, after = self._event(node, cast(tree.Expression, left), after)
        return cast(_N, left), after

    def _parts(self, node: _N) -> tuple[_N, frozenset[int]]:
        """A node whose operands are flattened."""
        after: set[int] = set()

        def change(part: tree.Node) -> tree.Node:
            left, before = self._flat(part)
            after.update(before)
            return left

        return with_parts(node, change), frozenset(after)

    def _is_split(self, node: tree.Logical | tree.Conditional) -> bool:
        """Whether there are events in what may not be evaluated."""
        parts = (node.right,) if isinstance(node, tree.Logical) else (node.then, node.otherwise)
        return any(id(one) in self._spine for one in parts)

    def _choice(self, node: tree.Logical | tree.Conditional, begun: int) -> tuple[tree.Expression, frozenset[int]]:
        span, int_ = node.span, self.model.integer(IntegerKind.INT)
        first = node.left if isinstance(node, tree.Logical) else node.condition
        condition, after = self._flat(first)
        truth: tree.Expression = tree.Unary(span, int_, UnaryOperator.NOT, condition)
        truth = tree.Unary(span, int_, UnaryOperator.NOT, truth)
        decided, _ = self._event(None, truth, after | frozenset(range(begun, len(self.evaluations))))
        assert isinstance(decided, tree.Load)
        assert isinstance(decided.lvalue, tree.Variable)
        variable, index = decided.lvalue.object, len(self.evaluations) - 1
        left: tree.Expression
        if isinstance(node, tree.Logical):
            with self._under((variable, node.operator is LogicalOperator.AND), index):
                right, after = self._flat(node.right)
            left = replace(node, left=decided, right=right)
        else:
            with self._under((variable, True), index):
                then, after = self._flat(node.then)
            with self._under((variable, False), index):
                otherwise, others = self._flat(node.otherwise)
            after |= others
            left = replace(node, condition=decided, then=then, otherwise=otherwise)
        after |= {index}
        return self._event(node, left, after) if id(node) in self.events else (left, after)

    @contextmanager
    def _under(self, guard: Premise, number: int) -> Iterator[None]:
        self._guards.append((guard, number))
        yield
        self._guards.pop()

    def _comma(self, node: tree.Comma, begun: int) -> tuple[tree.Expression, frozenset[int]]:
        left, _ = self._flat(node.left)
        every = frozenset(range(begun, len(self.evaluations)))
        self._add(None, (tree.ExpressionStatement(left.span, left),), every)
        number = len(self.evaluations) - 1
        with self._behind(number):
            right, after = self._flat(node.right)
        return right, after | {number}

    @contextmanager
    def _behind(self, number: int) -> Iterator[None]:
        """A block in which all events that are added come after this one."""
        begun = len(self.evaluations)
        yield
        for i in range(begun, len(self.evaluations)):
            self.evaluations[i] = replace(self.evaluations[i], after=self.evaluations[i].after | {number})

    def _assigned(self, node: tree.Assign) -> tuple[tree.Expression, frozenset[int]]:
        """The value of an assignment is known before the store happens."""
        target, after = self._flat(node.target)
        if _may_overlap(node):
            return self._copied(node, target, after)
        value, known = self._flat(node.value)
        kept, number = self._event(None, value, known)
        after |= number
        lvalue, statements = self._pinned(target) if id(node) in self.pinned else (target, ())
        store = replace(node, target=lvalue, value=kept)
        self._add(node, (*statements, tree.ExpressionStatement(node.span, store)), after, lvalue)
        return kept, after

    def _copied(
        self, node: tree.Assign, target: tree.Lvalue, after: frozenset[int]
    ) -> tuple[tree.Expression, frozenset[int]]:
        """The same for two objects that may overlap: before the store, one from the source shows whether they do."""
        value, known = self._parts(node.value)
        assert isinstance(value, tree.Load)
        source, begun = self._pinned(value.lvalue)
        value = replace(value, lvalue=source)
        is_event = id(node.value) in self.events
        kept, number = self._event(node.value if is_event else None, value, known, begun)
        after |= number
        lvalue, statements = self._pinned(target)
        copies = (replace(node, target=lvalue, value=one) for one in (value, kept))
        statements += tuple(tree.ExpressionStatement(node.span, one) for one in copies)
        self._add(node, statements, after, lvalue)
        return kept, after

    def _event(
        self,
        node: tree.Node | None,
        value: tree.Expression,
        after: frozenset[int],
        statements: tuple[tree.Statement, ...] = (),
    ) -> tuple[tree.Expression, frozenset[int]]:
        """A new event, behind statements that belong to it, and a load of its value."""
        lvalue: tree.Lvalue | None = None
        begun: tuple[tree.Statement, ...] = ()
        if id(node) in self.pinned and isinstance(value, STORES):
            lvalue, begun = self._pinned(value.target)
            value = replace(value, target=lvalue)
        elif id(node) in self.pinned and isinstance(value, tree.Load):
            lvalue, begun = self._pinned(value.lvalue)
            value = replace(value, lvalue=lvalue)
        span = value.span
        left: tree.Expression
        if isinstance(value.type, Void):
            last: tree.Expression = value
            zero = tree.IntegerConstant(span, self.model.integer(IntegerKind.INT), 0)
            left = tree.Convert(span, value.type, zero, explicit=False)
        else:
            variable = self.variable(value)
            last = tree.Assign(span, value.type, tree.Variable(span, value.type, variable), value)
            left = load(variable, span)
        self._add(node, (*statements, *begun, tree.ExpressionStatement(span, last)), after, lvalue)
        return left, frozenset((len(self.evaluations) - 1,))

    def _add(
        self,
        node: tree.Node | None,
        statements: tuple[tree.Statement, ...],
        after: frozenset[int],
        lvalue: tree.Lvalue | None = None,
    ) -> None:
        guards = tuple(guard for guard, _ in self._guards)
        after |= {number for _, number in self._guards}
        self.evaluations.append(OpenEvaluation(node, statements, after, guards, lvalue))

    def _pinned(self, lvalue: tree.Lvalue) -> tuple[tree.Lvalue, tuple[tree.Statement, ...]]:
        """The lvalue with indices and pointers in variables, so that it is known what it denotes."""
        statements: list[tree.Statement] = []

        def kept(e: tree.Expression) -> tree.Expression:
            if isinstance(e, tree.IntegerConstant):
                return e
            variable = self.variable(e)
            store = tree.Assign(e.span, e.type, tree.Variable(e.span, e.type, variable), e)
            statements.append(tree.ExpressionStatement(e.span, store))
            return load(variable, e.span)

        def pin(lvalue: tree.Lvalue) -> tree.Lvalue:
            match lvalue:
                case tree.Index(array=array, index=index):
                    return replace(lvalue, array=pin(array), index=kept(index))
                case tree.Member(base=base):
                    return replace(lvalue, base=pin(base))
                case tree.Dereference(pointer=pointer):
                    return replace(lvalue, pointer=kept(pointer))
                case _:
                    return lvalue

        return pin(lvalue), tuple(statements)


def _may_overlap(node: tree.Assign) -> bool:
    """Whether a struct is copied between places in memory that may overlap in part (C11 6.5.16.1p3)."""
    if node.moves or not isinstance(node.type, Record) or not isinstance(node.value, tree.Load):
        return False
    lvalues = (node.target, node.value.lvalue)
    return all(in_union(one) is not None or isinstance(root(one), tree.Dereference) for one in lvalues)


def _is_bit_field(lvalue: tree.Lvalue) -> bool:
    return isinstance(lvalue, tree.Member) and lvalue.field.width is not None
