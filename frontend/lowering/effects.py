"""Evaluation order: expressions that must be sequenced, and those with effects that conflict (C11 6.5).

An expression *steps* if its evaluation changes something, may end the path or makes a choice of control flow; all
others are terms. Operands are evaluated from left to right, as gcc does; where the order matters because a variable is
modified and also read or modified unsequenced in one full expression, the program is refused. Where a call in one
operand may change what another one reads, both orders are tried (`frontend/lowering/open_order.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeGuard

from core.dataclass import dataclass
from core.program.properties import NO_KINDS, CheckKind, Kinds
from frontend.libc.texts import ANY_ERRNO
from frontend.lowering.accesses import Accesses, common
from frontend.lowering.walk import AccessSummary, Touches
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.alignment import needed_alignment
from frontend.typed.changes import may_change
from frontend.typed.ctype import Array, DataModel, Float, Integer, Pointer
from frontend.typed.floats import learns
from frontend.typed.lvalues import root
from frontend.typed.traversal import callee, children, nodes
from frontend.typed.tree import BinaryOperator, UnaryOperator

_NONE: frozenset[str] = frozenset()
_NO_ACCESS: Accesses = frozenset()
_DIVISIONS = (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)
OVERFLOWING = (
    BinaryOperator.ADD,
    BinaryOperator.SUBTRACT,
    BinaryOperator.MULTIPLY,
    BinaryOperator.SHIFT_LEFT,
    *_DIVISIONS,
)
"""The operators whose result may lie outside of its type."""
WRAPPING = (BinaryOperator.ADD, BinaryOperator.SUBTRACT, BinaryOperator.MULTIPLY)
"""Those by which unsigned numbers wrap around; a shift of bits out of a number is meant."""
_SHIFTS = (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)
_ACTING = (
    *(tree.Assign, tree.CompoundAssign, tree.Increment, tree.Call, tree.StatementExpression, tree.CompoundLiteral),
    *(tree.Temporary, tree.UnsupportedExpression, tree.Logical, tree.Conditional, tree.Comma),
)
"""Nodes that change something, or evaluate only some of what is in them, or in an order."""

_SIGNS = (UnaryOperator.NEGATE, UnaryOperator.COMPLEMENT)
_COMPARISONS = (
    BinaryOperator.LESS,
    BinaryOperator.GREATER,
    BinaryOperator.LESS_EQUAL,
    BinaryOperator.GREATER_EQUAL,
    BinaryOperator.EQUAL,
    BinaryOperator.UNEQUAL,
)


def is_partial(operator: BinaryOperator, right: tree.Expression, left_type: Integer | None) -> bool:
    """Whether the operation may have no value, judged by the form of the right operand."""
    if operator in _DIVISIONS:
        return not _constant(right)
    if operator in _SHIFTS:
        distance = _constant(right)
        return distance is None or left_type is None or not 0 <= distance < left_type.bits
    return False


def _is_rearranged(node: tree.Binary | tree.Unary) -> bool:
    """Whether gcc may turn the operands round, as in `-(a - b)`, `-a + b`, `a - (b - c)` or `~a < ~b`.

    What it leaves alone among sums are those of other terms from left to right.
    """
    if isinstance(node, tree.Unary):
        return node.operator in _SIGNS and _is_sum(_inside(node.operand))
    left, right = _inside(node.left), _inside(node.right)
    if not _is_sum(node):
        return node.operator in _COMPARISONS and (_is_signed(left) or _is_signed(right))
    starts_well = not _is_rearranged(left) if isinstance(left, tree.Binary) and _is_sum(left) else not _is_signed(left)
    return not starts_well or _is_signed(right) or _is_sum(right)


def _terms(node: tree.Node) -> Iterator[tree.Node]:
    """The terms of a sum of sums, and what a comparison compares."""
    waiting: list[tree.Node] = [node]
    while waiting:
        one = waiting.pop()
        if one is node or isinstance(one, tree.Convert) or _is_sum(one) or _is_signed(one):
            waiting += reversed(list(children(one)))
        else:
            yield one


def _inside(e: tree.Expression) -> tree.Expression:
    while isinstance(e, tree.Convert):
        e = e.operand
    return e


def _is_sum(node: tree.Node) -> bool:
    return isinstance(node, tree.Binary) and node.operator in (BinaryOperator.ADD, BinaryOperator.SUBTRACT)


def _is_signed(node: tree.Node) -> bool:
    return isinstance(node, tree.Unary) and node.operator in _SIGNS


def _can_be_held(part: tree.Node) -> bool:
    """Whether the part is a value that a variable can keep, or a floating-point number."""
    return isinstance(part, tree.Expression) and isinstance(part.type, Integer | Pointer | Float)


def may_fail(node: tree.Node, kinds: Kinds, model: DataModel) -> bool:
    """Whether the node itself may show undefined behaviour of the kinds, judged by its form."""
    match node:
        case tree.PointerOffset() | tree.PointerDifference():
            return CheckKind.POINTER in kinds
        case tree.Convert() | tree.AddressOf() | tree.Decay() if isinstance(node.type, Pointer):
            return CheckKind.ALIGNMENT in kinds and needed_alignment(node, model) > 1
        case tree.Convert(operand=operand):
            value = _constant(operand)
            holds = isinstance(node.type, Integer) and value is not None and node.type.holds(value)
            return CheckKind.CONVERSION in kinds and not holds and may_change(node)
        case tree.Binary(operator=operator, left=left) if isinstance(left.type, Pointer):
            return CheckKind.POINTER in kinds and operator not in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL)
        case tree.Binary(operator=operator, right=right, type=Integer(signed=True)):
            if operator in _DIVISIONS:
                return CheckKind.OVERFLOW in kinds and _constant(right) in (None, -1)
            return CheckKind.OVERFLOW in kinds and operator in OVERFLOWING
        case tree.Binary(operator=operator, type=Integer(signed=False)):
            return CheckKind.UNSIGNED in kinds and operator in WRAPPING
        case tree.Unary(operator=UnaryOperator.NEGATE, type=Integer(signed=signed)):
            return (CheckKind.OVERFLOW if signed else CheckKind.UNSIGNED) in kinds
        case tree.Index(index=index, array=array):
            length = array.type.length if isinstance(array.type, Array) else None
            number = _constant(index)
            inside = isinstance(length, int) and number is not None and 0 <= number < length
            return CheckKind.BOUNDS in kinds and not inside
        case tree.Load(lvalue=lvalue):
            if CheckKind.ENUM in kinds and isinstance(node.type, Integer) and node.type.enumerators:
                return True
            accesses = CheckKind.NULL in kinds or CheckKind.DANGLING in kinds
            return accesses and isinstance(root(lvalue), tree.Dereference | tree.StringLiteral)
        case _:
            return False


def _constant(e: tree.Expression) -> int | None:
    """The value of a constant, also below conversions."""
    types: list[Integer] = []
    while isinstance(e, tree.Convert) and isinstance(e.type, Integer):
        types.append(e.type)
        e = e.operand
    if not isinstance(e, tree.IntegerConstant):
        return None
    value = e.value
    for type_ in reversed(types):
        value = type_.convert(value)
    return value


@dataclass(frozen=True, slots=True)
class Effects:
    """The reads and writes of the evaluation of an expression.

    `pending` are the writes that no sequence point inside the expression completes. `called_reads` and
    `called_writes` happen in calls, which are never interleaved with anything.
    """

    reads: Accesses = _NO_ACCESS
    writes: Accesses = _NO_ACCESS
    pending: Accesses = _NO_ACCESS
    called_reads: Accesses = _NO_ACCESS
    called_writes: Accesses = _NO_ACCESS

    def union(self, *others: Effects) -> Effects:
        every = (self, *others)
        return Effects(
            _NO_ACCESS.union(*(one.reads for one in every)),
            _NO_ACCESS.union(*(one.writes for one in every)),
            _NO_ACCESS.union(*(one.pending for one in every)),
            _NO_ACCESS.union(*(one.called_reads for one in every)),
            _NO_ACCESS.union(*(one.called_writes for one in every)),
        )


@dataclass(frozen=True, slots=True)
class OpenOrder:
    """Operands of a node in an order that C leaves open.

    `calls` are those with calls, `others` those whose `reads` these may change; a read comes after those inside it.
    """

    calls: tuple[tree.Expression, ...]
    others: tuple[tree.Expression | tree.Lvalue, ...]
    reads: tuple[tree.Load, ...]


class Readable(Protocol):
    """The objects whose reads are checked to find a value."""

    def includes(self, lvalue: tree.Lvalue) -> bool: ...


class BooleanMemory(Protocol):
    """Answers about the scalars that share places in memory."""

    def may_hold_no_boolean(self, lvalue: tree.Lvalue) -> bool: ...


class Order:
    """Answers for the expressions of one program. `summaries` are those of its functions, `globals_` its objects.

    Which of two calls writes last to an object that nobody reads, such as errno, does not matter.
    """

    def __init__(
        self,
        model: DataModel,
        summaries: Mapping[str, AccessSummary],
        touches: Touches,
        indirect: Mapping[int, tuple[str, ...]],
        kinds: Kinds = NO_KINDS,
        unset: Readable | None = None,
        globals_: frozenset[str] = _NONE,
        memory: BooleanMemory | None = None,
    ) -> None:
        self._summaries = summaries
        self._unread = globals_.difference(read.variable for one in summaries.values() for read in one.reads)
        self._kinds, self._model = kinds, model
        self._unset = unset
        self._memory = memory if CheckKind.BOOLEAN in kinds else None
        self.touches = touches
        self._indirect = indirect
        self._steps: dict[int, bool] = {}
        self._known: dict[int, tuple[tree.Node, Effects]] = {}  # by identity of the node, which stays alive here
        self.rests_on_types = False  # whether `UNORDERED` is assumed
        self.open: dict[int, OpenOrder] = {}  # by identity of the node, for expressions that were checked

    def steps(self, expression: tree.Node) -> bool:
        """Whether the expression must be evaluated by edges of its own."""
        known = self._steps.get(id(expression))
        if known is None:
            known = self._steps[id(expression)] = self._is_step(expression) or any(
                self.steps(child) for child in children(expression)
            )
        return known

    def may_fail(self, node: tree.Node) -> bool:
        """Whether the node itself may show undefined behaviour that is checked."""
        return may_fail(node, self._kinds, self._model)

    def steps_inside(self, e: tree.Logical | tree.Conditional) -> bool:
        """Whether the part that may not be evaluated steps."""
        if isinstance(e, tree.Logical):
            return self.steps(e.right)
        return self.steps(e.then) or self.steps(e.otherwise)

    def _is_step(self, node: tree.Node) -> bool:
        if self.may_fail(node) or learns(node):
            return True
        match node:
            case tree.Load(lvalue=lvalue) if self._unset is not None and self._unset.includes(lvalue):
                return True
            case tree.Load(lvalue=lvalue) if self._memory is not None and self._memory.may_hold_no_boolean(lvalue):
                return True
            case tree.Assign() | tree.CompoundAssign() | tree.Increment() | tree.Call():
                return True
            case tree.StatementExpression() | tree.CompoundLiteral() | tree.Temporary():
                return True
            case tree.UnsupportedExpression():  # which may have effects
                return True
            case tree.Binary():
                type_ = node.left.type
                return is_partial(node.operator, node.right, type_ if isinstance(type_, Integer) else None)
            case _:
                return False

    def check(self, expression: tree.Expression) -> None:
        """Raises Unsupported where a full expression has effects that conflict."""
        if self.steps(expression):
            self._effects(expression)

    def check_initialiser(self, initialiser: tree.Initialiser) -> None:
        """The same for the values of an initialiser, which are indeterminately sequenced."""
        if self.steps(initialiser):
            self._unsequenced([entry.value for entry in initialiser.entries], initialiser.span)

    def _effects(self, node: tree.Node) -> Effects:
        if id(node) not in self._known:
            self._known[id(node)] = node, self._effects_of(node)
        return self._known[id(node)][1]

    def _effects_of(self, node: tree.Node) -> Effects:
        if not self.steps(node):
            return Effects(reads=_NO_ACCESS.union(*(self.touches.read(one) for one in nodes(node))))
        match node:
            case tree.Assign(span, _, target, value):
                self._calls_commute([target, value], span)
                return self._store(node, self._unsequenced([target, value], span, node))
            case tree.CompoundAssign(span, _, _, target, value):
                self._calls_commute([target, value], span)
                operands = self._unsequenced([target, value], span, node)
                own = Effects(reads=self.touches.read(node))
                self._refuse_clash(own, self._effects(value), span)
                self._refuse(self._meeting((own.reads, self._effects(value).called_writes)), span)
                return self._store(node, operands)
            case tree.Increment(_, _, _, _, target):
                return self._store(node, self._effects(target))
            case tree.Comma(left=tree.Assign(value=tree.Call() as value) as own, right=right) if (
                callee(value) == ANY_ERRNO
            ):  # it is a part of the call
                return self._effects(right).union(Effects(called_writes=self.touches.written(own)))
            case tree.Logical(_, _, _, left, right) | tree.Comma(_, _, left, right):
                return self._sequenced([left, right])
            case tree.Conditional(_, _, condition, then, otherwise):
                first, *branches = (self._effects(part) for part in (condition, then, otherwise))
                return replace(first, pending=_NO_ACCESS).union(*branches)
            case tree.Call():
                return self._call(node)
            case tree.Binary() | tree.Unary() if _is_rearranged(node):
                self._calls_commute(list(_terms(node)), node.span)
                return self._evaluated(node)
            case tree.StatementExpression() | tree.Compound():
                return self._statements(node)
            case _:
                return self._evaluated(node)

    def _evaluated(self, node: tree.Node) -> Effects:
        own = Effects(reads=self.touches.read(node))
        return own.union(self._unsequenced(list(children(node)), node.span, node))

    def _store(self, node: tree.Assign | tree.CompoundAssign | tree.Increment, operands: Effects) -> Effects:
        """A store is sequenced after the values of its operands, but not after their effects."""
        own = self.touches.written(node)
        rivals = self._rivals(node) if isinstance(node, tree.Assign) else operands.pending
        self._refuse(self._meeting((own, rivals)), node.span)
        stored = Effects(reads=self.touches.read(node), writes=own, pending=own)
        return operands.union(stored)

    def _rivals(self, node: tree.Assign) -> Accesses:
        """The pending writes of the operands whose order with the store matters.

        That of `b` in `a = b = c` does not where both have one type: they are two objects, or get the same value.
        """
        inner = _inside(node.value)
        if isinstance(inner, tree.Assign) and inner.target.type == node.target.type:
            return self._effects(node.target).pending | self._rivals(inner)
        return self._unsequenced([node.target, node.value], node.span, node).pending

    def _call(self, call: tree.Call) -> Effects:
        arguments = self._unsequenced([call.function, *call.arguments], call.span, call)
        self._calls_commute(call.arguments, call.span)
        return replace(arguments, pending=_NO_ACCESS).union(self._called(call))

    def _called(self, call: tree.Call) -> Effects:
        """The effects of the functions that are called, defined or not."""
        name = callee(call)
        names = self._indirect.get(id(call), ()) if name is None else (name,)
        known = [self._summaries[one] for one in names if one in self._summaries]
        return Effects(
            called_reads=self.touches.read(call).union(*(one.reads for one in known)),
            called_writes=self.touches.written(call).union(*(one.writes for one in known)),
        )

    def _calls_commute(self, parts: Sequence[tree.Node], span: Span) -> None:
        """Calls in two parts must not be related: gcc goes from right to left in arguments and assignments."""
        effects = [self._effects(one) for one in parts if self.steps(one)]
        for i, one in enumerate(effects):
            for other in effects[i + 1 :]:
                meeting = self._meeting(
                    (one.called_writes, other.called_reads | other.called_writes),
                    (other.called_writes, one.called_reads),
                )
                self._refuse(meeting - self._unread, span)

    def _statements(self, node: tree.Node) -> Effects:
        """A statement expression: full expressions of its own, checked when they are lowered."""
        effects = Effects()
        for one in nodes(node):
            effects = effects.union(Effects(reads=self.touches.read(one), writes=self.touches.written(one)))
            if isinstance(one, tree.Call):
                effects = effects.union(self._called(one))
        return effects

    def _sequenced(self, parts: Sequence[tree.Node]) -> Effects:
        effects = [self._effects(part) for part in parts]
        return effects[-1].union(*(replace(one, pending=_NO_ACCESS) for one in effects[:-1]))

    def _unsequenced(self, parts: Sequence[tree.Node], span: Span, node: tree.Node | None = None) -> Effects:
        """The effects of operands, of `node` if it may evaluate some of them first."""
        effects = Effects()
        for part in parts:
            one = self._effects(part)
            self._refuse_clash(effects, one, span)
            effects = effects.union(one)
        if effects.called_writes and effects.reads:
            self._leave_open(node, parts, span)
        return effects

    def _refuse_clash(self, one: Effects, other: Effects, span: Span) -> None:
        """Refuse two unsequenced evaluations whose order matters, so that C does not say what happens."""
        meeting = self._meeting(
            (one.writes, other.reads | other.writes | other.called_reads | other.called_writes),
            (other.writes, one.reads | one.called_reads | one.called_writes),
        )
        self._refuse(meeting, span)

    def _leave_open(self, node: tree.Node | None, parts: Sequence[tree.Node], span: Span) -> None:
        """Note the reads of parts that calls in other parts may change; refuse what cannot be read twice."""
        calls: dict[int, tree.Expression] = {}
        others: list[tree.Expression | tree.Lvalue] = []
        reads: list[tree.Load] = []
        for part in parts:
            own = self._effects(part).reads
            rivals = [one for one in parts if one is not part and self._changes(one, own)]
            changed = _NO_ACCESS.union(*(self._effects(one).called_writes for one in rivals))
            if rivals and (node is None or not all(map(_can_be_held, rivals)) or not self._is_reread(part, changed)):
                self._refuse(self._meeting((own, changed)), span)
            if rivals and isinstance(part, tree.Expression | tree.Lvalue):
                calls.update((id(one), one) for one in rivals if isinstance(one, tree.Expression))
                others.append(part)
                reads += reversed([one for one in nodes(part) if self._is_changed(one, changed)])
        if node is not None and reads:
            self.open[id(node)] = OpenOrder(tuple(calls.values()), tuple(others), tuple(reads))

    def _changes(self, part: tree.Node, reads: Accesses) -> bool:
        return bool(self._meeting((reads, self._effects(part).called_writes)))

    def _is_changed(self, node: tree.Node, changed: Accesses) -> TypeGuard[tree.Load]:
        """Whether the node reads a number that may be changed; floating-point numbers have no values here."""
        is_number = isinstance(node, tree.Load) and not isinstance(node.type, Float)
        return is_number and bool(self._meeting((self.touches.read(node), changed)))

    def _is_reread(self, part: tree.Node, changed: Accesses) -> bool:
        """Whether evaluating the part twice is like evaluating it once, and all that may be changed is scalars."""
        inside = list(nodes(part))
        scalars = all(isinstance(one.type, Integer | Pointer) for one in inside if self._is_changed(one, changed))
        return scalars and not any(isinstance(one, _ACTING) for one in inside)

    def _meeting(self, *pairs: tuple[Accesses, Accesses]) -> frozenset[str]:
        """The variables to which both of a pair have accesses that may meet."""
        found = [common(one, other) for one, other in pairs]
        self.rests_on_types |= any(is_apart for _, is_apart in found)
        return _NONE.union(*(variables for variables, _ in found))

    def _refuse(self, names: frozenset[str], span: Span) -> None:
        if names:
            name = min(names).rpartition("::")[2]
            raise Unsupported(span, f"the order in which this expression reads and writes {name} is not defined")
