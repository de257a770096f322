"""A violation witness as a restriction of the program: a counter of passed waypoints, and no error before the last.

The counter stands at k until the follow waypoint of segment k is passed: control is at its place and its constraint
holds. Then it moves on, once for each visit. A waypoint to avoid ends the path where it is met in its segment. The
first match is taken: whatever follows a later match can follow the first one too, unless the next segment has
waypoints to avoid; then moving on is an arbitrary choice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.dataclass import dataclass
from core.program.witness_marks import PROGRESS
from frontend.elaboration.annotations import Annotations
from frontend.elaboration.instrumentation import Instrumentation, LoopSyntax
from frontend.parsing import syntax
from frontend.source import ParseError, Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Pointer, Signature, Void
from frontend.typed.tree import BinaryOperator, Expression, LogicalOperator, Statement, Storage
from frontend.witness.fragments import condition
from frontend.witness.reader import GivenWaypoint, Segment
from frontend.witness.waiting import Waiting, function_of, start_of

_Constraint = Callable[[GivenWaypoint], Expression | None]
"""What a waypoint asks for as a condition; None where it asks for nothing."""

_RESULT = "__witness_result"
_ABORT, _CHOOSE = "__builtin_abort", "__VERIFIER_nondet_choice"


@dataclass(frozen=True)
class _Step:
    """A waypoint of the segment with the index `segment`."""

    segment: int
    waypoint: GivenWaypoint
    chooses: bool


class Waypoints(Instrumentation):
    """Adds the counter. Raises FrontendError at the place of a waypoint that cannot be one."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        steps = [
            _Step(number, waypoint, chooses=bool(following and following.avoid))
            for number, (segment, following) in enumerate(zip(segments, [*segments[1:], None], strict=True))
            for waypoint in (*segment.avoid, segment.follow)
        ]
        self._target = steps[-1]
        self._assumptions = _waiting(steps, "assumption")
        self._branches = _waiting(steps, "branching")
        self._returns = _waiting(steps, "function_return")
        self._calls = _waiting(steps, "function_enter")
        self._targets = _waiting(steps, "target")
        self._counter: tree.Object | None = None

    def refuse_missed(self) -> None:
        """After the elaboration: every waypoint must have found its place."""
        for waiting, what in (
            (self._assumptions, "statement"),
            (self._branches, "`if` or loop"),
            (self._returns, "call that ends"),
            (self._calls, "call that ends"),
            (self._targets, "statement"),
        ):
            waiting.refuse_missed(what)

    # Where the elaboration is

    def before(self, unit: Annotations, node: syntax.StatementSyntax) -> Sequence[Statement]:
        place, function = start_of(unit, node), function_of(unit)
        found = self._steps(unit, self._assumptions.taken(place, function), lambda w: condition(unit, w.value, w.span))
        for step in self._targets.taken(place, function):
            missed = self._compared(unit, BinaryOperator.UNEQUAL, step.segment, step.waypoint.span)
            found.append(tree.If(step.waypoint.span, missed, _ended(unit, step.waypoint.span), None))
        return found

    def branched(self, unit: Annotations, node: syntax.IfSyntax | LoopSyntax, value: Expression) -> Expression:
        here = self._branches.taken(start_of(unit, node), function_of(unit))
        if not here:
            return value
        for step in here:
            if step.waypoint.value not in ("true", "false"):
                raise Unsupported(step.waypoint.span, f"a branch {step.waypoint.value!r} is not decided")
        ways = []
        for truth in ("true", "false"):
            steps = [step for step in here if step.waypoint.value == truth]
            done = tree.Compound(value.span, tuple(self._steps(unit, steps, lambda _: None)))
            constant = tree.IntegerConstant(value.span, unit.int_, int(truth == "true"))
            ways.append(tree.StatementExpression(value.span, unit.int_, done, constant))
        return tree.Conditional(value.span, unit.int_, value, *ways)

    def called(self, unit: Annotations, node: syntax.CallSyntax, call: Expression) -> Expression:
        end, function = unit.prepared.span(node.last, node.last), function_of(unit)
        entered, returned = self._calls.taken(end, function), self._returns.taken(end, function)
        if not entered and not returned:
            return call
        first = self._steps(unit, entered, lambda _: None)
        if isinstance(call.type, Void):
            if returned:
                raise ParseError(returned[0].waypoint.span, "the function has no result")
            body = tree.Compound(call.span, (*first, tree.ExpressionStatement(call.span, call)))
            return tree.StatementExpression(call.span, call.type, body, None)
        result = unit.local(".returned", call.type, Storage.AUTOMATIC, call.span)
        entry = tree.Initialiser(call.span, (tree.InitialiserEntry((), call),), zero_fill=False)
        names = {_RESULT: result}
        then = self._steps(unit, returned, lambda w: condition(unit, _with_result(w.value), w.span, names))
        body = tree.Compound(call.span, (*first, tree.Declaration(call.span, result, entry), *then))
        value = tree.Load(call.span, call.type, tree.Variable(call.span, call.type, result))
        return tree.StatementExpression(call.span, call.type, body, value)

    # What is added

    def _steps(self, unit: Annotations, steps: Sequence[_Step], constraint: _Constraint) -> list[Statement]:
        """Waypoints of one place: those to avoid, then one step of the counter."""
        statements: list[Statement] = []
        follow: list[tuple[int, Statement]] = []
        for step in steps:
            span, held = step.waypoint.span, constraint(step.waypoint)
            if step.waypoint.follow:
                follow.append((step.segment, self._passed(unit, step, held)))
                continue
            here = self._compared(unit, BinaryOperator.EQUAL, step.segment, span)
            statements.append(
                tree.If(span, here if held is None else _both(unit, here, held), _ended(unit, span), None)
            )
        if follow:
            statements.append(self._chosen(unit, sorted(follow, key=lambda one: one[0])))
        return statements

    def _chosen(self, unit: Annotations, steps: list[tuple[int, Statement]]) -> Statement:
        """The statement whose number the counter has, found in a few comparisons."""
        if len(steps) == 1:
            number, only = steps[0]
            here = self._compared(unit, BinaryOperator.EQUAL, number, only.span)
            return tree.If(only.span, here, only, None)
        half = len(steps) // 2
        number, first = steps[half]
        below = self._compared(unit, BinaryOperator.LESS, number, first.span)
        return tree.If(first.span, below, self._chosen(unit, steps[:half]), self._chosen(unit, steps[half:]))

    def _passed(self, unit: Annotations, step: _Step, held: Expression | None) -> Statement:
        span = step.waypoint.span
        counter = self._counted(unit, span)
        value = tree.IntegerConstant(span, unit.int_, step.segment + 1)
        moved = tree.ExpressionStatement(span, tree.Assign(span, unit.int_, counter, value))
        conditions = [one for one in (held, _choice(unit, span) if step.chooses else None) if one is not None]
        if not conditions:
            return moved
        whole = conditions[0] if len(conditions) == 1 else _both(unit, *conditions)
        return tree.If(span, whole, moved, None)

    def _compared(self, unit: Annotations, operator: BinaryOperator, number: int, span: Span) -> Expression:
        value = tree.Load(span, unit.int_, self._counted(unit, span))
        return tree.Binary(span, unit.int_, operator, value, tree.IntegerConstant(span, unit.int_, number))

    def _counted(self, unit: Annotations, span: Span) -> tree.Variable:
        if self._counter is None:
            self._counter = tree.Object(PROGRESS, PROGRESS, unit.int_, Storage.STATIC, None, span)
            unit.globals[PROGRESS] = tree.Declaration(span, self._counter, None)
        return tree.Variable(span, unit.int_, self._counter)


def _waiting(steps: Sequence[_Step], kind: str) -> Waiting[_Step]:
    return Waiting((step.waypoint.location, step) for step in steps if step.waypoint.kind == kind)


def _both(unit: Annotations, left: Expression, right: Expression) -> Expression:
    return tree.Logical(left.span, unit.int_, LogicalOperator.AND, left, right)


def _ended(unit: Annotations, span: Span) -> Statement:
    """The path ends here."""
    return tree.ExpressionStatement(
        span, _call(unit, _ABORT, Signature(Void(), (), variadic=False, prototype=True), span)
    )


def _choice(unit: Annotations, span: Span) -> Expression:
    return _call(unit, _CHOOSE, Signature(unit.int_, (), variadic=False, prototype=True), span)


def _call(unit: Annotations, name: str, type_: Signature, span: Span) -> Expression:
    unit.known_function(name, type_, span)
    return tree.Call(span, type_.result, tree.FunctionAddress(span, Pointer(type_), name), ())


def _with_result(text: str) -> str:
    return re.sub(r"\\(result|return)\b", _RESULT, text)
