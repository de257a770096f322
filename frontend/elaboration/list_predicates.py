"""Predicates of annotations about memory: reachability, quantifiers over the nodes of lists, validity of accesses.

A quantifier over nodes names the list of each: `\\forall struct node *x; \\reach(next, h, x) && x != \\null ==> …`.
Where a witness may stand for it, that is any node of the list; else the list is gone through before the claim. What
was reached before, in `\\old`, is decided, or chosen, where the function begins.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence

from core.dataclass import dataclass
from frontend.acsl import syntax
from frontend.acsl.syntax import Formula, Quantor
from frontend.elaboration.bounds import ValueInterval
from frontend.elaboration.conversions import Conversions
from frontend.elaboration.entry import COUNT
from frontend.elaboration.harness import undefined_call
from frontend.elaboration.scope import Typedef
from frontend.elaboration.walks import ListWalk, NodeChoice
from frontend.options import STARTER
from frontend.source import ParseError, Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import CType, IntegerKind, Pointer, Signature, Void
from frontend.typed.tree import BinaryOperator, Expression, LogicalOperator, Statement, UnaryOperator


@dataclass(frozen=True, slots=True)
class BoundedValue:
    """A scalar: an integer within `bounds`, or a pointer."""

    expression: Expression
    bounds: ValueInterval


@dataclass(frozen=True, slots=True)
class Before:
    """Access of a postcondition to the state before: a way to keep a value, with statements in front of it, and the
    object that keeps a parameter; `choose` keeps a node that was chosen there.
    """

    result: tree.Object | None
    keep: Callable[[Formula, Expression, Sequence[Statement]], tree.Object]
    parameter: Callable[[tree.Object], tree.Object]
    choose: Callable[[Formula, Callable[[], NodeChoice]], tree.Object]


class ListPredicates(ABC):
    """The layer of `frontend.elaboration.predicates.Predicates` that reads predicates about memory."""

    def __init__(self, unit: Conversions, before: Before | None) -> None:
        self._unit = unit
        self._before = before
        self._bound: Mapping[str, BoundedValue] = {}
        self._in_old = False
        self.statements: list[Statement] = []
        """What is to stand before the claim: declarations of witnesses, walks along lists."""
        self._walks: dict[int, ListWalk] = {}
        """By the identities of the formulas that they decide."""
        self._given: set[int] = set()
        """The identities of guards that hold because a node was chosen so."""
        self._old_nodes: frozenset[str] = frozenset()
        """The bound variables that lead to nodes of before."""

    @abstractmethod
    def predicate(self, f: Formula, free: Quantor | None) -> Expression: ...

    @abstractmethod
    def value(self, f: Formula) -> BoundedValue: ...

    @abstractmethod
    def compare(self, operator: BinaryOperator, left: BoundedValue, right: BoundedValue, span: Span) -> Expression: ...

    def conjunction(self, left: Expression, right: Expression, span: Span) -> Expression:
        return tree.Logical(span, self._unit.int_, LogicalOperator.AND, left, right)

    def disjunction(self, left: Expression, right: Expression, span: Span) -> Expression:
        return tree.Logical(span, self._unit.int_, LogicalOperator.OR, left, right)

    # Reachability

    def reached(self, f: syntax.LeadsTo) -> Expression:
        """Whether pointers lead from one node to another: the result of a walk before the claim."""
        if id(f) in self._given:
            return self._number(f.span, 1)
        if id(f) not in self._walks:
            end = None if isinstance(f.end, syntax.Null) else self._pointed(f.end)
            walk = self._walks[id(f)] = ListWalk(self._unit, f, self._pointed(f.start), end)
            self.statements += walk.statements
        return loaded(self._walks[id(f)].reached, f.span)

    def _pointed(self, f: Formula) -> Expression:
        """The value of a pointer, which can be read whether or not other parts of the formula hold."""
        inner = f.operand if isinstance(f, syntax.Old) else f
        if not isinstance(inner, syntax.Name | syntax.Result):
            raise Unsupported(f.span, "in \\reach and \\list, pointers must be variables, \\result or \\null")
        value = self.value(f).expression
        if not isinstance(value.type, Pointer):
            raise ParseError(f.span, f"a pointer is expected, not {value.type}")
        return value

    def old_predicate(self, f: syntax.Old) -> Expression:
        """Whether a predicate held where the function began."""
        if id(f.operand) in self._given:
            return self._number(f.span, 1)
        if self._before is None:
            raise ParseError(f.span, "\\old is for ensures")
        if self._in_old:
            return self.predicate(f.operand, None)
        outer, self.statements = self.statements, []
        self._in_old = True
        condition = self.predicate(f.operand, None)
        self._in_old = False
        before, self.statements = self.statements, outer
        truth = tree.Conditional(f.span, self._unit.int_, condition, self._number(f.span, 1), self._number(f.span, 0))
        return loaded(self._before.keep(f.operand, truth, before), f.span)

    # Quantifiers over nodes

    def node_quantifier(self, f: syntax.Quantified, free: Quantor | None) -> Expression:
        """A quantifier over the nodes of lists; a witness stands for one of the kind `free`."""
        if len(f.binders) > 1 and f.quantor is not free:
            raise Unsupported(f.span, "give each of these nodes a quantifier of its own")
        guards, outer, old_nodes, walks = list(self._guards(f)), self._bound, self._old_nodes, self._walks
        self._walks = {}  # this formula may be read again, with another node
        try:
            for binder in f.binders:
                start = self._list_of(binder, guards)
                self._given.add(id(start.operand if isinstance(start, syntax.Old) else start))
                if f.quantor is not free:
                    return self._visited(f, binder, start)
                self._bound = {**self._bound, binder.name: self._chosen(binder, start)}
            return self.predicate(f.body, free)
        finally:
            self._bound, self._old_nodes, self._walks = outer, old_nodes, walks

    def _guards(self, f: syntax.Quantified) -> Iterator[Formula]:
        """The conjuncts that the nodes satisfy."""
        body = f.body
        if f.quantor is Quantor.FORALL:
            if not (isinstance(body, syntax.Infix) and body.operator == "==>"):
                return
            body = body.left
        stack = [body]
        while stack:
            one = stack.pop()
            if isinstance(one, syntax.Infix) and one.operator == "&&":
                stack += [one.right, one.left]
            else:
                yield one

    def _list_of(self, binder: syntax.Binder, guards: Sequence[Formula]) -> syntax.LeadsTo | syntax.Old:
        """The guard that says in which list a node is; another says that it is not null."""
        is_node = any(
            isinstance(one, syntax.Comparison)
            and one.operators == ("!=",)
            and _is_name(one.operands[0], binder.name)
            and isinstance(one.operands[1], syntax.Null)
            for one in guards
        )
        for one in guards:
            inner = one.operand if isinstance(one, syntax.Old) else one
            if is_node and isinstance(inner, syntax.LeadsTo) and _is_name(inner.end, binder.name):
                return one if isinstance(one, syntax.Old) else inner
        name = binder.name
        raise Unsupported(
            binder.span,
            f"the list of {name} is not named: write \\reach(FIELD, …, {name}) && {name} != \\null before the rest",
        )

    def _start(self, binder: syntax.Binder, f: syntax.LeadsTo) -> Expression:
        """The pointer with which the list of a node begins, of the type of the node."""
        start = self._pointed(f.start)
        words = binder.type.removesuffix("*").strip()
        known = self._unit.find(words)
        type_: CType | str = Pointer(known.type) if isinstance(known, Typedef) else f"{words} *"
        if str(start.type) != str(type_):
            raise ParseError(binder.span, f"{binder.name} is of type {type_}, but its list of type {start.type}")
        return start

    def _chosen(self, binder: syntax.Binder, guard: syntax.LeadsTo | syntax.Old) -> BoundedValue:
        """Any node of a list, as it is now, or was where the function began."""
        if isinstance(guard, syntax.LeadsTo):
            choice = NodeChoice(self._unit, guard, self._start(binder, guard), binder.name)
            self.statements += choice.statements
            return BoundedValue(loaded(choice.node, binder.span), (0, 0))
        f = guard.operand
        assert isinstance(f, syntax.LeadsTo)
        if self._before is None:
            raise ParseError(guard.span, "\\old is for ensures")

        def make() -> NodeChoice:
            self._in_old = True
            found = NodeChoice(self._unit, f, self._start(binder, f), binder.name)
            self._in_old = False
            return found

        chosen = self._before.choose(f, make)
        self._old_nodes |= {binder.name}
        return BoundedValue(loaded(chosen, binder.span), (0, 0))

    def _visited(self, f: syntax.Quantified, binder: syntax.Binder, guard: syntax.LeadsTo | syntax.Old) -> Expression:
        """The result of going through all of a list."""
        if isinstance(guard, syntax.Old):
            raise Unsupported(guard.span, "what holds of all nodes that were reached before is only decided of ensures")
        is_universal = f.quantor is Quantor.FORALL
        found = self._unit.local(".found", self._unit.int_, tree.Storage.AUTOMATIC, f.span)
        first = tree.InitialiserEntry((), self._number(f.span, int(is_universal)))
        declared = tree.Declaration(f.span, found, tree.Initialiser(f.span, (first,), zero_fill=False))

        def visit(node: tree.Object) -> Sequence[Statement]:
            outer, walks = self.statements, self._walks
            self.statements, self._walks = [], {}
            self._bound = {**self._bound, binder.name: BoundedValue(loaded(node, binder.span), (0, 0))}
            condition = self.predicate(f.body, None)
            if is_universal:
                condition = tree.Unary(f.span, self._unit.int_, UnaryOperator.NOT, condition)
            place = tree.Variable(f.span, found.type, found)
            change = tree.Assign(f.span, found.type, place, self._number(f.span, int(not is_universal)))
            step = tree.If(f.span, condition, tree.ExpressionStatement(f.span, change), None)
            inner, self.statements, self._walks = self.statements, outer, walks
            return *inner, step

        walk = ListWalk(self._unit, guard, self._start(binder, guard), None, visit)
        self.statements += [declared, *walk.statements]
        return loaded(found, f.span)

    # Validity

    def validity(self, f: syntax.Valid) -> Expression:
        """Whether elements lie in one living object; of what a start has made, by their number."""
        pointer = self.value(f.pointer).expression
        if not isinstance(pointer.type, Pointer) or isinstance(pointer.type.target, Void | Signature):
            raise ParseError(f.pointer.span, f"a value of type {pointer.type} leads to no object")
        zero = BoundedValue(self._number(f.span, 0), (0, 0))
        low = zero if f.low is None else self.value(f.low)
        high = zero if f.high is None else self.value(f.high)
        empty = self.compare(BinaryOperator.LESS, high, low, f.span)
        made = self._made(f, low, high) if self._unit.body and self._unit.body.name == STARTER else None
        if made is not None:
            return made if f.low is None or f.low is f.high else self.disjunction(empty, made, f.span)
        self._unit.complete_target(pointer.type, f.span)
        asked = self._asked(f, pointer, low, high)
        return asked if f.low is None or f.low is f.high else self.disjunction(empty, asked, f.span)

    def _made(self, f: syntax.Valid, low: BoundedValue, high: BoundedValue) -> Expression | None:
        """Of a parameter that a start has made: whether it leads to so many elements."""
        if not isinstance(f.pointer, syntax.Name):
            return None
        count = self._unit.find(COUNT + f.pointer.name)
        if not isinstance(count, tree.Object):
            null = self.value(syntax.Null(f.span))
            return None if f.low else self.compare(BinaryOperator.UNEQUAL, self.value(f.pointer), null, f.span)
        zero = BoundedValue(self._number(f.span, 0), (0, 0))
        bound = BoundedValue(loaded(count, f.span), (0, self._unit.model.size_type.maximum))
        within = self.compare(BinaryOperator.LESS, high, bound, f.span)
        return self.conjunction(self.compare(BinaryOperator.LESS_EQUAL, zero, low, f.span), within, f.span)

    def _asked(self, f: syntax.Valid, pointer: Expression, low: BoundedValue, high: BoundedValue) -> Expression:
        """The question about memory that decides it."""
        unit, span = self._unit, f.span
        assert isinstance(pointer.type, Pointer)
        size = unit.model.size_of(pointer.type.target)
        wide = unit.model.integer(IntegerKind.INT128)
        first, last = (unit.converted(one.expression, wide) for one in (low, high))
        distance = tree.Binary(span, wide, BinaryOperator.SUBTRACT, last, first)
        number = tree.Binary(span, wide, BinaryOperator.ADD, distance, tree.IntegerConstant(span, wide, 1))
        most = tree.IntegerConstant(span, wide, unit.model.difference_type.maximum // max(size, 1))
        fits = tree.Binary(span, unit.int_, BinaryOperator.LESS_EQUAL, number, most)
        bytes_ = tree.Binary(span, wide, BinaryOperator.MULTIPLY, number, tree.IntegerConstant(span, wide, size))
        start = pointer if f.low is None else unit.offset(BinaryOperator.ADD, pointer, first, span)
        types = (Pointer(Void()), unit.model.size_type)
        arguments = unit.converted(start, types[0]), unit.converted(bytes_, types[1])
        name = "__CPROVER_w_ok" if f.is_written else "__CPROVER_r_ok"
        signature = Signature(unit.model.integer(IntegerKind.BOOL), types, variadic=False, prototype=True)
        return self.conjunction(fits, undefined_call(unit, name, signature, arguments, span), span)

    def _number(self, span: Span, value: int) -> Expression:
        return tree.IntegerConstant(span, self._unit.int_, value)


def loaded(object_: tree.Object, span: Span) -> Expression:
    """The value of an object."""
    return tree.Load(span, object_.type, tree.Variable(span, object_.type, object_))


def _is_name(f: Formula, name: str) -> bool:
    return isinstance(f, syntax.Name) and f.name == name
