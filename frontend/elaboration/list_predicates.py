"""Predicates of annotations about lists: reachability, and quantifiers over their nodes.

A quantifier over nodes names the list of each: `\\forall struct node *x; \\reach(next, h, x) && x != \\null ==> …`.
Where a witness may stand for it, that is any node of the list; else the list is gone through before the claim. What
was reached before, in `\\old`, is decided, or chosen, where the function begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from core.dataclass import dataclass
from frontend.acsl import syntax
from frontend.acsl.syntax import Formula, Quantor
from frontend.elaboration.conversions import Conversions
from frontend.elaboration.memory_predicates import BoundedValue, MemoryPredicates, loaded
from frontend.elaboration.scope import Scope, Typedef
from frontend.elaboration.walks import ListWalk, NodeChoice
from frontend.source import ParseError, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import CType, Pointer
from frontend.typed.tree import Expression, Statement, UnaryOperator


@dataclass(frozen=True, slots=True)
class Before:
    """Access of a claim to the state in which its function began: a way to keep a value, with statements in front of
    it, and the object that keeps a parameter; `choose` keeps what was chosen there, with the statements that do it.
    """

    result: tree.Object | None
    keep: Callable[[Formula, Expression, Sequence[Statement]], tree.Object]
    parameter: Callable[[tree.Object], tree.Object]
    choose: Callable[[syntax.Node, Callable[[], tuple[tree.Object, Sequence[Statement]]]], tree.Object]
    scopes: list[Scope]
    changed: frozenset[str]
    """The names that the function may change where the claim stands: those of the parameters of a postcondition keep
    their first values.
    """
    is_after: bool
    """Whether the claim is a postcondition."""


class ListPredicates(MemoryPredicates):
    """The layer of `frontend.elaboration.predicates.Predicates` that reads predicates about lists."""

    def __init__(self, unit: Conversions, before: Before | None) -> None:
        super().__init__(unit)
        self._before = before
        self._bound: Mapping[str, BoundedValue] = {}
        self._in_old = False
        self.statements: list[Statement] = []
        """Statements before the claim: declarations of witnesses, walks along lists."""
        self._walks: dict[int, ListWalk] = {}
        """By the identities of the formulas that they decide."""
        self._given: set[int] = set()
        """The identities of guards that hold because a node was chosen so."""
        self._chosen_before: frozenset[str] = frozenset()
        """The bound variables whose values were chosen where the function began."""
        self._chosen_now: Mapping[str, syntax.Binder] = {}
        """The bound variables whose values were chosen where the claim stands."""
        self._guesses: dict[str, tree.Object] = {}
        """The pointers that were guessed for them where the function began: any."""

    # Reachability

    def reached(self, f: syntax.LeadsTo) -> Expression:
        """Whether pointers lead from one node to another: the result of a walk before the claim."""
        if id(f) in self._given:
            return self.constant(f.span, 1)
        if id(f) not in self._walks:
            end = None if isinstance(f.end, syntax.Null) else self._guessed(f.end) or self._pointed(f.end)
            walk = self._walks[id(f)] = ListWalk(self._unit, f, self._pointed(f.start), end)
            self.statements += walk.statements
        return loaded(self._walks[id(f)].reached, f.span)

    def _guessed(self, f: Formula) -> Expression | None:
        """The pointer that was guessed for a node where the function began; None of what is known there."""
        if not (self._in_old and isinstance(f, syntax.Name) and f.name in self._chosen_now):
            return None
        binder, type_ = self._chosen_now[f.name], self._bound[f.name].expression.type
        assert self._before is not None

        def make() -> tuple[tree.Object, Sequence[Statement]]:
            guess = self._unit.local(f"{binder.name}!", type_, tree.Storage.AUTOMATIC, binder.span)
            return guess, [tree.Declaration(binder.span, guess, None)]

        guess = self._guesses[f.name] = self._before.choose(binder, make)
        return loaded(guess, f.span)

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
            return self.constant(f.span, 1)
        copy = self.before(f)
        if self._in_old:
            return self.predicate(f.operand, None)
        outer, self.statements = self.statements, []
        with self.at_begin(copy):
            condition = self.predicate(f.operand, None)
        before, self.statements = self.statements, outer
        truth = tree.Conditional(f.span, self._unit.int_, condition, self.constant(f.span, 1), self.constant(f.span, 0))
        return loaded(copy.keep(f.operand, truth, before), f.span)

    def before(self, f: syntax.Old) -> Before:
        """The state in which the function began."""
        if self._before is None or (f.is_for_contracts and not self._before.is_after):
            raise ParseError(f.span, "\\old is for ensures")
        return self._before

    @contextmanager
    def at_begin(self, before: Before) -> Iterator[None]:
        """Names mean what they do where the function begins."""
        scopes, self._unit.scopes, self._in_old = self._unit.scopes, before.scopes, True
        try:
            yield
        finally:
            self._unit.scopes, self._in_old = scopes, False

    # Quantifiers over nodes

    def node_quantifier(self, f: syntax.Quantified, free: Quantor | None) -> Expression:
        """A quantifier over the nodes of lists; a witness stands for one of the kind `free`."""
        if len(f.binders) > 1 and f.quantor is not free:
            raise Unsupported(f.span, "give each of these nodes a quantifier of its own")
        guards, outer, walks = list(self._guards(f)), self._bound, self._walks
        chosen_before, chosen_now, names = self._chosen_before, self._chosen_now, {one.name for one in f.binders}
        hidden = {name: self._guesses.pop(name) for name in names if name in self._guesses}
        self._walks = {}  # this formula may be read again, with another node
        self._chosen_before -= names
        self._chosen_now = {name: one for name, one in self._chosen_now.items() if name not in names}
        try:
            for binder in f.binders:
                start = self._list_of(binder, guards)
                self._given.add(id(start.operand if isinstance(start, syntax.Old) else start))
                if f.quantor is not free:
                    return self._visited(f, binder, start)
                self._bound = {**self._bound, binder.name: self._chosen(binder, start)}
            return self._where_guessed(f, self.predicate(f.body, free))
        finally:
            self._bound, self._walks = outer, walks
            self._chosen_before, self._chosen_now = chosen_before, chosen_now
            self._guesses.update(hidden)

    def _where_guessed(self, f: syntax.Quantified, truth: Expression) -> Expression:
        """The claim about nodes, where what was guessed of each is right: any pointer is guessed, so all nodes are."""
        is_universal = f.quantor is Quantor.FORALL
        same, join = (
            (tree.BinaryOperator.UNEQUAL, tree.LogicalOperator.OR)
            if is_universal
            else (tree.BinaryOperator.EQUAL, tree.LogicalOperator.AND)
        )
        for binder in f.binders:
            guess = self._guesses.pop(binder.name, None)
            if guess is not None:
                node = self._bound[binder.name].expression
                compared = self._unit.binary(same, node, loaded(guess, f.span), f.span)
                truth = tree.Logical(f.span, self._unit.int_, join, compared, truth)
        return truth

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
            if self._before is not None:
                self._chosen_now = {**self._chosen_now, binder.name: binder}
            return BoundedValue(loaded(choice.node, binder.span), (0, 0))
        f = guard.operand
        assert isinstance(f, syntax.LeadsTo)
        before = self.before(guard)

        def make() -> tuple[tree.Object, Sequence[Statement]]:
            with self.at_begin(before):
                found = NodeChoice(self._unit, f, self._start(binder, f), binder.name)
            return found.node, found.statements

        chosen = before.choose(f, make)
        self._chosen_before |= {binder.name}
        return BoundedValue(loaded(chosen, binder.span), (0, 0))

    def _visited(self, f: syntax.Quantified, binder: syntax.Binder, guard: syntax.LeadsTo | syntax.Old) -> Expression:
        """The result of going through all of a list."""
        if isinstance(guard, syntax.Old):
            raise Unsupported(guard.span, "what holds of all nodes that were reached before is only decided of ensures")
        is_universal = f.quantor is Quantor.FORALL
        result = self._unit.local(".found", self._unit.int_, tree.Storage.AUTOMATIC, f.span)
        first = tree.InitialiserEntry((), self.constant(f.span, int(is_universal)))
        declared = tree.Declaration(f.span, result, tree.Initialiser(f.span, (first,), zero_fill=False))

        def visit(node: tree.Object) -> Sequence[Statement]:
            outer, walks = self.statements, self._walks
            self.statements, self._walks = [], {}
            self._bound = {**self._bound, binder.name: BoundedValue(loaded(node, binder.span), (0, 0))}
            condition = self.predicate(f.body, None)
            if is_universal:
                condition = tree.Unary(f.span, self._unit.int_, UnaryOperator.NOT, condition)
            place = tree.Variable(f.span, result.type, result)
            change = tree.Assign(f.span, result.type, place, self.constant(f.span, int(not is_universal)))
            step = tree.If(f.span, condition, tree.ExpressionStatement(f.span, change), None)
            inner, self.statements, self._walks = self.statements, outer, walks
            return *inner, step

        walk = ListWalk(self._unit, guard, self._start(binder, guard), None, visit)
        self.statements += [declared, *walk.statements]
        return loaded(result, f.span)


def _is_name(f: Formula, name: str) -> bool:
    return isinstance(f, syntax.Name) and f.name == name
