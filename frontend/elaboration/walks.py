"""Walks along lists, and through ranges of integers, which decide what annotations say about all of these.

A walk through ranges is loops around the predicate, where it stands. A walk along a list is code before the claim, as
any other code to engines and to the interpreter. It goes from node to node, with a second pointer behind it that goes
half as fast: where they meet, the list is cyclic, and every node of it was passed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.dataclass import dataclass
from frontend.acsl import syntax
from frontend.elaboration.conversions import Conversions
from frontend.elaboration.expressions import member_path
from frontend.elaboration.harness import undefined_call
from frontend.source import ParseError, Span
from frontend.typed import tree
from frontend.typed.ctype import CType, Field, Pointer, Record, Signature
from frontend.typed.tree import BinaryOperator, Expression, LogicalOperator, Lvalue, Statement, UnaryOperator

_CHOICE = "__VERIFIER_nondet_node"
NodeVisit = Callable[[tree.Object], Sequence[Statement]]
"""Statements about the node that a variable leads to."""


class _Code:
    """Statements for an annotation at a place."""

    def __init__(self, unit: Conversions, span: Span) -> None:
        self._unit, self._span = unit, span

    def _local(self, name: str, type_: CType) -> tree.Object:
        return self._unit.local(f".{name}", type_, tree.Storage.AUTOMATIC, self._span)

    def _number(self, value: int) -> Expression:
        return tree.IntegerConstant(self._span, self._unit.int_, value)

    def _value(self, object_: tree.Object) -> Expression:
        return tree.Load(self._span, object_.type, tree.Variable(self._span, object_.type, object_))

    def _declared(self, object_: tree.Object, value: Expression) -> Statement:
        entry = tree.InitialiserEntry((), value)
        return tree.Declaration(self._span, object_, tree.Initialiser(self._span, (entry,), zero_fill=False))

    def _set(self, object_: tree.Object, value: Expression) -> Statement:
        target = tree.Variable(self._span, object_.type, object_)
        return tree.ExpressionStatement(self._span, tree.Assign(self._span, object_.type, target, value))

    def _equal(self, left: Expression, right: Expression) -> Expression:
        return self._unit.binary(BinaryOperator.EQUAL, left, right, self._span)

    def _not(self, e: Expression) -> Expression:
        return tree.Unary(self._span, self._unit.int_, UnaryOperator.NOT, e)

    def _and(self, left: Expression, right: Expression) -> Expression:
        return tree.Logical(self._span, self._unit.int_, LogicalOperator.AND, left, right)


class _ListCode(_Code):
    """Statements about pointers that go along the field of `f`, where `start` leads."""

    def __init__(self, unit: Conversions, f: syntax.LeadsTo, start: Expression) -> None:
        super().__init__(unit, f.span)
        self._type = start.type
        self._path = self._links(f, start)

    def _links(self, f: syntax.LeadsTo, start: Expression) -> tuple[Field, ...]:
        record = start.type.target if isinstance(start.type, Pointer) else None
        if not isinstance(record, Record) or not record.is_complete:
            raise ParseError(f.start.span, f"a value of type {start.type} leads to no record")
        path = member_path(record, f.field)
        if not path or path[-1].type != start.type:
            raise ParseError(f.span, f"{record} has no member {f.field!r} that points to {record}")
        return path

    @property
    def _zero(self) -> Expression:
        return self._number(0)

    def _next(self, node: tree.Object) -> Expression:
        place = self._unit.dereference(self._value(node), self._span)
        assert isinstance(place, Lvalue)
        for field in self._path:
            place = tree.Member(self._span, field.type, place, field)
        return self._unit.decayed(place)


class ListWalk(_ListCode):
    """The walk from `start` along a field until `end` or, if `end` is None, null; `reached` is 1 if it gets there.

    It visits each node that it meets, before it goes on.
    """

    def __init__(
        self,
        unit: Conversions,
        f: syntax.LeadsTo,
        start: Expression,
        end: Expression | None,
        visit: NodeVisit = lambda _: (),
    ) -> None:
        super().__init__(unit, f, start)
        self._node, self._behind = (self._local(name, start.type) for name in ("node", "behind"))
        self._turn, self._is_cyclic, self.reached = (
            self._local(name, unit.int_) for name in ("turn", "cyclic", "reached")
        )
        self._end = None if end is None else self._local("end", end.type)
        objects = [(self._node, start), (self._behind, start), (self._turn, self._zero), (self._is_cyclic, self._zero)]
        if self._end is not None and end is not None:
            objects.append((self._end, end))
        declared = [self._declared(*one) for one in objects]
        result = self._declared(self.reached, self._at_end())
        visited = tuple(visit(self._node))
        self.statements: tuple[Statement, ...] = (
            *declared,
            tree.While(f.span, self._goes_on(), self._round(visited)),
            result,
        )

    def _goes_on(self) -> Expression:
        is_node = self._not(self._equal(self._value(self._node), self._zero))
        searching = is_node if self._end is None else self._and(is_node, self._not(self._at_end()))
        return self._and(searching, self._not(self._value(self._is_cyclic)))

    def _at_end(self) -> Expression:
        return self._equal(self._value(self._node), self._zero if self._end is None else self._value(self._end))

    def _round(self, visited: tuple[Statement, ...]) -> Statement:
        follow = tree.If(self._span, self._value(self._turn), self._set(self._behind, self._next(self._behind)), None)
        met = self._equal(self._value(self._node), self._value(self._behind))
        steps = (
            *visited,
            self._set(self._node, self._next(self._node)),
            follow,
            self._set(self._turn, self._not(self._value(self._turn))),
            self._set(self._is_cyclic, met),
        )
        return tree.Compound(self._span, steps)


class NodeChoice(_ListCode):
    """A choice of any node that a field leads to from `start`, or of null; `node` leads to it."""

    def __init__(self, unit: Conversions, f: syntax.LeadsTo, start: Expression, name: str) -> None:
        super().__init__(unit, f, start)
        self.node = unit.local(f"{name}!", start.type, tree.Storage.AUTOMATIC, f.span)
        is_node = self._not(self._equal(self._value(self.node), self._zero))
        choice = undefined_call(unit, _CHOICE, Signature(unit.int_, (), variadic=False, prototype=True), (), f.span)
        step = self._set(self.node, self._next(self.node))
        self.statements: tuple[Statement, ...] = (
            self._declared(self.node, start),
            tree.While(f.span, self._and(is_node, choice), step),
        )


@dataclass(frozen=True, slots=True)
class RangeLoop:
    """A variable that takes all values from `low` to `high`."""

    variable: tree.Object
    low: Expression
    high: Expression


class RangeWalk(_Code):
    """Loops, one within the other, around a predicate, until the truth of the quantifier over it is known."""

    def __init__(
        self,
        unit: Conversions,
        f: syntax.Quantified,
        loops: Sequence[RangeLoop],
        before: tuple[Statement, ...],
        condition: Expression,
    ) -> None:
        super().__init__(unit, f.span)
        is_universal = f.quantor is syntax.Quantor.FORALL
        result = self._local("found", unit.int_)
        self._unknown = self._value(result) if is_universal else self._not(self._value(result))
        told = tree.If(
            f.span,
            self._not(condition) if is_universal else condition,
            self._set(result, self._number(int(not is_universal))),
            None,
        )
        body: tuple[Statement, ...] = (*before, told)
        for loop in reversed(loops):
            body = self._repeated(loop, body)
        block = tree.Compound(f.span, (self._declared(result, self._number(int(is_universal))), *body))
        self.expression = tree.StatementExpression(f.span, unit.int_, block, self._value(result))

    def _repeated(self, loop: RangeLoop, body: Sequence[Statement]) -> tuple[Statement, ...]:
        type_, span = loop.variable.type, self._span
        following = tree.Binary(
            span, type_, BinaryOperator.ADD, self._value(loop.variable), tree.IntegerConstant(span, type_, 1)
        )
        tried = self._unit.converted(self._value(loop.variable), loop.high.type)
        inside = tree.Binary(span, self._unit.int_, BinaryOperator.LESS_EQUAL, tried, loop.high)
        block = tree.Compound(span, (*body, self._set(loop.variable, following)))
        first = self._declared(loop.variable, self._unit.converted(loop.low, type_))
        return first, tree.While(span, self._and(self._unknown, inside), block)
