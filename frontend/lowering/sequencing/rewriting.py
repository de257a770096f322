"""Rewriting of a unit, so that each order of evaluation that C leaves open is a choice that the text of the tree makes.

A full expression with evaluations that conflict becomes a statement expression: a `switch` on an input, with a case for
each order that can be told apart, and then what is left of the expression. The lowering makes an input of the
program of that, so that engines try all orders; the interpreter takes the one that a counterexample chose.

Limitation: more than `MAX_ORDERS` orders are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import cast

from core.dataclass import dataclass
from core.program.orders import ORDER, Conflicts
from core.program.properties import CheckKind, Kinds
from core.program.span import Span
from frontend.libc.texts import OPERAND, SEQUENCED
from frontend.lowering.edge_text import show
from frontend.lowering.effects import is_evaluation
from frontend.lowering.sequencing.enumeration import orders
from frontend.lowering.sequencing.evaluation_order import (
    STORES,
    EvaluationOrder,
    Root,
    Sequencing,
    full_expressions,
    last_of,
)
from frontend.lowering.sequencing.flattening import Flattening, OpenEvaluation, guarded
from frontend.lowering.sequencing.sameness import same_object
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.ctype import IntegerKind, Pointer, Signature, Void
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import nodes
from frontend.typed.tree import FunctionDeclaration, Storage, TranslationUnit, UnaryOperator

MAX_ORDERS = 120
_MAX_TOLD = 4
"""Evaluations that a message names."""


def with_orders(unit: TranslationUnit, conflicts: Conflicts, kinds: Kinds) -> TranslationUnit:
    """The unit in which the order of such evaluations is chosen. Raises Unsupported.

    It recurses as deep as the expressions that have them.

    The evaluations are found by their places, so that trees agree in which different library calls have bodies.
    """
    if not conflicts:
        return unit
    functions = dict(unit.functions)
    places = {one for one, _ in conflicts}
    for name, one in unit.functions.items():
        if one.body is not None and any(node.span in places for node in nodes(one.body)):
            body = _Rewriting(unit, name, conflicts, kinds).changed(one.body)
            functions[name] = replace(one, body=body)
    for name in (ORDER, SEQUENCED):
        type_ = Signature(unit.data_model.integer(IntegerKind.INT), (), variadic=False, prototype=False)
        first = next(iter(unit.functions.values()))
        functions[name] = FunctionDeclaration(first.span, name, type_, (), None)
    return replace(unit, functions=functions)


@dataclass(frozen=True, slots=True, eq=False)
class _Check:
    """Statements that check two events when both have happened."""

    events: frozenset[int]
    statements: tuple[tree.Statement, ...]


class _Rewriting:
    """Rewrites the body of one function."""

    def __init__(self, unit: TranslationUnit, function: str, conflicts: Conflicts, kinds: Kinds) -> None:
        self._model, self._function = unit.data_model, function
        self._conflicts, self._kinds = conflicts, kinds
        self._places = {one for one, _ in conflicts}
        self._count = 0
        self._declared: list[tree.Object] = []

    def changed(self, body: tree.Compound) -> tree.Compound:
        """The body with its full expressions rewritten, those inside of others first."""
        full = {id(one) for one in full_expressions(body)}
        changed: dict[int, tree.Node] = {}
        for node in reversed(list(nodes(body))):
            new = with_parts(node, lambda part: changed.get(id(part), part))
            if id(node) in full:
                new = self._full(cast(Root, new))
            if new is not node:
                changed[id(node)] = new
        return cast(tree.Compound, changed.get(id(body), body))

    def _full(self, root: Root) -> Root:
        if not any(one.span in self._places for one in nodes(root)):
            return root
        relation = EvaluationOrder(root)
        events, unsequenced = self._events(root, relation)
        if not events:
            return root
        self._declared = []
        pinned = frozenset(id(one) for pair in unsequenced for one in pair)
        flat = Flattening(relation, frozenset(map(id, events)), pinned, self._model, self._variable)
        left = flat.root(root)
        checks = list(self._checks(root, flat.evaluations, unsequenced))
        statements = self._ordered(root.span, flat.evaluations, checks, relation)
        declared = (tree.Declaration(one.span, one, tree.Initialiser(one.span, (), True)) for one in self._declared)
        return _with_statements(left, (*declared, *statements))

    def _variable(self, e: tree.Expression) -> tree.Object:
        self._count += 1
        name, type_ = f"{self._function}::{OPERAND.strip()}#{self._count}", e.type
        found = tree.Object(name, f"{OPERAND}{show(e)}", type_, Storage.AUTOMATIC, self._function, e.span)
        self._declared.append(found)
        return found

    def _conflict(self, one: tree.Node | None, other: tree.Node | None) -> bool:
        return one is not None and other is not None and (one.span, other.span) in self._conflicts

    def _events(
        self, root: Root, relation: EvaluationOrder
    ) -> tuple[list[tree.Expression], list[tuple[tree.Expression, tree.Expression]]]:
        """The evaluations that conflict with one whose order is open, and the pairs whose order is undefined."""
        nodes: list[tree.Expression] = [
            cast(tree.Expression, one)
            for one in relation.nodes()
            if one.span in self._places and is_evaluation(one, self._kinds, self._model)
        ]
        pairs = [(one, other) for one, other in combinations(nodes, 2) if self._conflict(one, other)]
        events = {id(one) for pair in pairs if relation.between(*pair) is not Sequencing.ORDERED for one in pair}
        unsequenced = [pair for pair in pairs if relation.are_unsequenced(*pair)]
        last = last_of(root)
        while True:
            others = {
                id(one)
                for pair in pairs
                for one in pair
                if one is not last and any(id(other) in events for other in pair)
            }
            if others <= events:
                return [one for one in nodes if id(one) in events], unsequenced
            events |= others

    def _ordered(
        self, span: Span, events: Sequence[OpenEvaluation], checks: Sequence[_Check], relation: EvaluationOrder
    ) -> Iterator[tree.Statement]:
        """The events in each order that can be told apart, with each check where both of its events have happened."""
        before = _transitive([self._before(i, events, relation) for i in range(len(events))])
        sequences = orders(before, lambda i, j: self._conflict(events[i].node, events[j].node), MAX_ORDERS)
        if sequences is None:
            nodes_ = [cast(tree.Expression, one.node) for one in events if one.node is not None]
            several = f"more than {MAX_ORDERS} orders of evaluation ({_listed(nodes_)})"
            raise Unsupported(span, f"this expression has {several}; keep some of these values in variables before it")
        written = [[_done(events, checks, order[: i + 1]) for i in range(len(order))] for order in sequences]
        first, last = _common(sequences), _common([one[::-1] for one in sequences])
        last = len(events) - min(last, len(events) - first)
        yield from chain(*written[0][:first])
        if len(sequences) > 1:
            middle = [
                (order[first:last], tuple(chain(*one[first:last])))
                for order, one in zip(sequences, written, strict=True)
            ]
            yield self._choice(span, events, middle)
        yield from chain(*written[0][last:])

    def _before(self, number: int, events: Sequence[OpenEvaluation], relation: EvaluationOrder) -> frozenset[int]:
        """The events that come before one, also those that conflict with it in an order that C gives."""
        one = events[number].node
        return events[number].after | {
            i
            for i, other in enumerate(event.node for event in events[:number])
            if one is not None and other is not None
            if self._conflict(other, one) and relation.between(other, one) is Sequencing.ORDERED
        }

    def _choice(
        self,
        span: Span,
        events: Sequence[OpenEvaluation],
        sequences: Sequence[tuple[tuple[int, ...], tuple[tree.Statement, ...]]],
    ) -> tree.Statement:
        """A choice between orders of events, each with the statements for it."""
        model = self._model
        type_ = model.integer(IntegerKind.BOOL if len(sequences) == 2 else IntegerKind.UCHAR)
        signature = Signature(type_, (), variadic=False, prototype=True)
        call = tree.Call(span, type_, tree.FunctionAddress(span, Pointer(signature), ORDER), ())
        value = tree.Convert(span, model.integer(IntegerKind.INT), call, explicit=False)
        cases: list[tree.Statement] = []
        for number, (order, statements) in enumerate(sequences):
            body = tree.Compound(span, statements)
            told = [events[i].node for i in order if any(self._conflict(events[i].node, events[j].node) for j in order)]
            text = _told([cast(tree.Expression, one) for one in told])
            cases.append(tree.Case(span, number, body, order=text) if number else tree.Default(span, body, text))
            cases.append(tree.Break(span))
        return tree.Switch(span, value, tree.Compound(span, tuple(cases)))

    def _checks(
        self,
        root: Root,
        events: Sequence[OpenEvaluation],
        unsequenced: Sequence[tuple[tree.Expression, tree.Expression]],
    ) -> Iterator[_Check]:
        """Checks that accesses without an order are to two objects."""
        by_node = {id(one.node): i for i, one in enumerate(events) if one.lvalue is not None}
        for node, other in unsequenced:
            pair = by_node[id(node)], by_node[id(other)]
            left, right = (events[i] for i in pair)
            store = node if isinstance(node, STORES) else other
            assert left.lvalue is not None
            assert right.lvalue is not None
            same = same_object(left.lvalue, right.lvalue, self._model)
            if same is None and CheckKind.SEQUENCE in self._kinds:
                raise Unsupported(store.span, f"whether {show(node)} and {show(other)} meet is not decided")
            span, int_ = store.span, self._model.integer(IntegerKind.INT)
            what = tree.IntegerConstant(span, int_, 0, show(store if isinstance(root, tree.Initialiser) else root))
            apart = tree.Unary(span, int_, UnaryOperator.NOT, same) if same is not None else None
            type_ = Signature(Void(), (), variadic=False, prototype=False)
            address = tree.FunctionAddress(span, Pointer(type_), SEQUENCED)
            arguments = (what,) if apart is None else (what, apart)
            call = tree.Call(span, Void(), address, arguments)
            check = guarded((tree.ExpressionStatement(span, call),), (*left.guards, *right.guards), span)
            yield _Check(frozenset(pair), check)


def _done(
    events: Sequence[OpenEvaluation], checks: Sequence[_Check], begun: tuple[int, ...]
) -> Iterator[tree.Statement]:
    """The statements of the last of the events that have happened, and the checks that are due then."""
    yield from events[begun[-1]].guarded()
    for check in checks:
        if begun[-1] in check.events and check.events.issubset(begun):
            yield from check.statements


def _listed(evaluations: Sequence[tree.Expression]) -> str:
    """The first of many evaluations."""
    texts = list(dict.fromkeys(map(show, evaluations)))
    return ", ".join(texts[:_MAX_TOLD]) + (", …" if len(texts) > _MAX_TOLD else "")


def _told(order: Sequence[tree.Expression]) -> str:
    """The evaluations in this order; those that read alike with their places."""
    texts = [show(one) for one in order]
    is_alike = len(set(texts)) < len(texts)
    return ", then ".join(
        f"{text} at {one.span.line}:{one.span.column}" if is_alike else text
        for text, one in zip(texts, order, strict=True)
    )


def _with_statements(root: Root, statements: tuple[tree.Statement, ...]) -> Root:
    """The rest of a full expression, behind statements."""
    if isinstance(root, tree.Initialiser):
        first, *others = root.entries
        value = _with_statements(first.value, statements)
        return replace(root, entries=(replace(first, value=cast(tree.Expression, value)), *others))
    if isinstance(root.type, Void):
        body = tree.Compound(root.span, (*statements, tree.ExpressionStatement(root.span, root)))
        return tree.StatementExpression(root.span, root.type, body, None)
    return tree.StatementExpression(root.span, root.type, tree.Compound(root.span, statements), root)


def _transitive(before: list[frozenset[int]]) -> list[frozenset[int]]:
    """The events that precede each event, also by way of others; each stands behind those that precede it."""
    found: list[frozenset[int]] = []
    for one in before:
        found.append(one.union(*(found[i] for i in one)))
    return found


def _common(found: Sequence[tuple[int, ...]]) -> int:
    """The number of events that all orders have in common at their beginning."""
    count = 0
    for column in zip(*found, strict=True):
        if len(set(column)) > 1:
            return count
        count += 1
    return count
