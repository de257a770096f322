"""Evaluation order: expressions that must be sequenced, and evaluations whose order matters (C11 6.5).

An expression *steps* if its evaluation changes something, may end the path or makes a choice of control flow; all
others are terms. Two evaluations *conflict* if one changes what the other one reads or changes, or if one may end the
program and the other one may be an error. Where C leaves the order of such two open, the program makes a choice
(`frontend/lowering/sequencing/`); what is lowered goes from left to right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Protocol

from core.dataclass import dataclass
from core.program.orders import Conflicts
from core.program.properties import CheckKind, Kinds
from frontend.elaboration.constants import fold
from frontend.libc.texts import ANY_ERRNO, OPERAND
from frontend.lowering.accesses import Accesses, common
from frontend.lowering.call_graph import CallGraph, Touches
from frontend.lowering.sequencing.ending_functions import Endings
from frontend.lowering.sequencing.evaluation_order import (
    EVALUATIONS,
    STORES,
    WHOLE,
    EvaluationOrder,
    Root,
    Sequencing,
    full_expressions,
    is_volatile_read,
    last_of,
)
from frontend.lowering.sequencing.sameness import same_object
from frontend.properties.errors import ErrorPolicy
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.alignment import needed_alignment
from frontend.typed.changes import may_change
from frontend.typed.ctype import Array, DataModel, Float, Integer, Pointer
from frontend.typed.floats import truncates
from frontend.typed.lvalues import containers, root
from frontend.typed.traversal import callee, children, nodes
from frontend.typed.tree import BinaryOperator, UnaryOperator

_NONE: frozenset[str] = frozenset()
_NO_ACCESS: Accesses = frozenset()
DIVISIONS = (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)
OVERFLOWING = (
    BinaryOperator.ADD,
    BinaryOperator.SUBTRACT,
    BinaryOperator.MULTIPLY,
    BinaryOperator.SHIFT_LEFT,
    *DIVISIONS,
)
"""The operators whose result may lie outside of its type."""
WRAPPING = (BinaryOperator.ADD, BinaryOperator.SUBTRACT, BinaryOperator.MULTIPLY)
"""Operators by which unsigned numbers wrap around; a shift of bits out of a number is meant."""
_SHIFTS = (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)
_CHANGING = (*STORES, *WHOLE)


def is_partial(operator: BinaryOperator, right: tree.Expression, left_type: Integer | None) -> bool:
    """Whether the operation may have no value, judged by the form of the right operand."""
    if operator in DIVISIONS:
        return not _constant(right)
    if operator in _SHIFTS:
        distance = _constant(right)
        return distance is None or left_type is None or not 0 <= distance < left_type.bits
    return False


def may_fail(node: tree.Node, kinds: Kinds, model: DataModel) -> bool:
    """Whether the node itself may show undefined behaviour of the kinds, judged by its form."""
    match node:
        case tree.PointerOffset() | tree.PointerDifference():
            return CheckKind.POINTER in kinds
        case tree.AddressOf() | tree.Decay():
            is_aligned = CheckKind.ALIGNMENT not in kinds or needed_alignment(node, model) <= 1
            return not is_aligned or any(may_fail(one, kinds, model) for one in containers(node.lvalue))
        case tree.Convert() if isinstance(node.type, Pointer):
            return CheckKind.ALIGNMENT in kinds and needed_alignment(node, model) > 1
        case tree.Convert(operand=operand):
            if truncates(node):
                return CheckKind.FLOAT_CONVERSION in kinds
            if isinstance(node.type, Float):
                return CheckKind.FLOAT_OVERFLOW in kinds and isinstance(operand.type, Float)
            value = _constant(operand)
            holds = isinstance(node.type, Integer) and value is not None and node.type.holds(value)
            return CheckKind.CONVERSION in kinds and not holds and may_change(node)
        case tree.Binary(type=Float()):
            return not {CheckKind.FLOAT_DIVISION, CheckKind.FLOAT_OVERFLOW, CheckKind.NAN}.isdisjoint(kinds)
        case tree.Binary(operator=operator, left=left) if isinstance(left.type, Pointer):
            return CheckKind.POINTER in kinds and operator not in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL)
        case tree.Binary(operator=operator, right=right, type=Integer(signed=True)):
            if operator in DIVISIONS:
                return CheckKind.QUOTIENT in kinds and _constant(right) in (None, -1)
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
            accesses = not {CheckKind.NULL, CheckKind.DANGLING, CheckKind.RESTRICT}.isdisjoint(kinds)
            is_checked = accesses and isinstance(root(lvalue), tree.Dereference | tree.StringLiteral)
            return is_checked or any(may_fail(one, kinds, model) for one in containers(lvalue))
        case _:
            return False


def is_evaluation(node: tree.Node, kinds: Kinds, model: DataModel) -> bool:
    """Whether the node may conflict with others: it has accesses, or is an expression that is checked."""
    return isinstance(node, EVALUATIONS) or (isinstance(node, tree.Expression) and may_fail(node, kinds, model))


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
    """The reads and writes of one evaluation, apart from those of its operands."""

    reads: Accesses = _NO_ACCESS
    writes: Accesses = _NO_ACCESS


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two evaluations that conflict, because of these variables, and whether C leaves their order open."""

    nodes: tuple[tree.Node, tree.Node]
    variables: frozenset[str]
    is_open: bool


class Readable(Protocol):
    """The objects whose reads are checked to find a value."""

    def includes(self, lvalue: tree.Lvalue) -> bool: ...


class BooleanMemory(Protocol):
    """Answers about the scalars that share places in memory."""

    def may_hold_no_boolean(self, lvalue: tree.Lvalue) -> bool: ...


class Order:
    """Answers for the expressions of one program; `unset` are the objects whose reads are checked to find a value.

    `chooses` says of a node by itself whether C leaves its value open.

    Which of two calls writes last to an object that nobody reads, such as errno, does not matter.
    """

    def __init__(
        self,
        unit: tree.TranslationUnit,
        calls: CallGraph,
        touches: Touches,
        indirect: Mapping[int, tuple[str, ...]],
        policy: ErrorPolicy,
        unset: Readable | None = None,
        memory: BooleanMemory | None = None,
        chooses: Callable[[tree.Node], bool] = lambda _: False,
    ) -> None:
        self._summaries = calls.summaries
        self._unread = calls.globals.difference(read.variable for one in calls.summaries.values() for read in one.reads)
        self._kinds, self._model = policy.kinds, unit.data_model
        self._unset, self._chooses = unset, chooses
        self._memory = memory if CheckKind.BOOLEAN in policy.kinds else None
        self.touches = touches
        self._indirect = indirect
        self._endings = Endings(unit, calls.reachable, indirect, policy, self._may_be_error, self._accesses)
        self._bodies = [body for name in calls.reachable if (body := unit.functions[name].body) is not None]
        self._steps: dict[int, bool] = {}
        self.rests_on_types = False  # whether `UNORDERED` is assumed

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

    def _may_be_error(self, node: tree.Node) -> bool:
        """Whether undefined behaviour of the node itself is checked."""
        return bool(self._kinds) and not isinstance(node, (*STORES, *WHOLE)) and self._is_step(node)

    def steps_inside(self, e: tree.Logical | tree.Conditional) -> bool:
        """Whether the part that may not be evaluated steps."""
        if isinstance(e, tree.Logical):
            return self.steps(e.right)
        return self.steps(e.then) or self.steps(e.otherwise)

    def _is_step(self, node: tree.Node) -> bool:
        if self.may_fail(node) or truncates(node) or self._chooses(node):
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

    def conflicts(self) -> Conflicts:
        """The evaluations that conflict, in full expressions in which C leaves the order of such two open."""
        found: set[tuple[Span, Span]] = set()
        for body in self._bodies:
            for expression in full_expressions(body):
                pairs = self._conflicting(expression)
                if any(one.is_open for one in pairs):
                    found.update((one.span, other.span) for pair in pairs for one, other in permutations(pair.nodes))
        return frozenset(found)

    def refuse_open(self) -> None:
        """Raises Unsupported where an order is open that no choice decides."""
        for body in self._bodies:
            for expression in full_expressions(body):
                for pair in self._conflicting(expression):
                    variables = [one for one in pair.variables if OPERAND.strip() not in one]
                    if pair.is_open and (variables or not pair.variables):
                        name = min(variables, default="").rpartition("::")[2] or "whether it ends"
                        message = f"the order in which this expression reads and writes {name} is not defined"
                        raise Unsupported(expression.span, message)

    def _conflicting(self, expression: Root) -> list[_Pair]:
        """The pairs of evaluations in a full expression that conflict."""
        last = last_of(expression)
        every = nodes(expression)
        if not any((isinstance(one, _CHANGING) and one is not last) or self._is_side_effect(one) for one in every):
            return []
        relation = EvaluationOrder(expression)
        evaluations = [
            (one, self._effects(one)) for one in relation.nodes() if is_evaluation(one, self._kinds, self._model)
        ]
        endings = {id(one) for one, _ in evaluations if isinstance(one, WHOLE) and self._endings.ends(one)}
        pairs: list[_Pair] = []
        for i, (node, own) in enumerate(evaluations):
            ends = id(node) in endings
            if not own.writes and not ends:
                continue
            for j, (other, others) in enumerate(evaluations):
                if i == j or (j < i and others.writes) or self._are_apart(node, other):
                    continue
                variables, is_apart = self._meeting(node, own, other, others)
                is_end = ends and self._endings.fails(other)
                if not (variables or is_apart or is_end):
                    continue
                is_open = relation.between(node, other) is not Sequencing.ORDERED
                self.rests_on_types |= is_open and is_apart
                if variables or is_end:
                    pairs.append(_Pair((node, other), variables, is_open))
        if CheckKind.SEQUENCE in self._kinds and endings:
            pairs += self._checked_beside_endings(
                pairs, [one for one, _ in evaluations if id(one) in endings], relation
            )
        return pairs

    def _checked_beside_endings(
        self, pairs: Sequence[_Pair], endings: Sequence[tree.Node], relation: EvaluationOrder
    ) -> Iterator[_Pair]:
        """Accesses without an order are checked when both have happened, which may be before the program ends."""
        for one in dict.fromkeys(
            node for pair in pairs if relation.are_unsequenced(*pair.nodes) for node in pair.nodes
        ):
            for end in endings:
                if relation.between(one, end) is not Sequencing.ORDERED:
                    yield _Pair((end, one), _NONE, True)

    def _is_side_effect(self, node: tree.Node) -> bool:
        """Whether the node reads a volatile object, where side effects without an order are checked."""
        return CheckKind.SEQUENCE in self._kinds and is_volatile_read(node)

    def _are_apart(self, node: tree.Node, other: tree.Node) -> bool:
        """Whether two reads of volatile objects are seen to be of different ones, such as elements of an array."""
        if not (isinstance(node, tree.Load) and isinstance(other, tree.Load)):
            return False
        same = same_object(node.lvalue, other.lvalue, self._model) if is_volatile_read(node) else None
        return same is not None and fold(same) == 0

    def _effects(self, node: tree.Node) -> Effects:
        if isinstance(node, tree.StatementExpression):
            inside = [
                Effects(self.touches.read(one), self.touches.written(one))
                if isinstance(one, tree.StatementExpression)
                else self._effects(one)
                for one in nodes(node)
            ]
            return Effects(
                frozenset(access.in_call() for one in inside for access in one.reads),
                frozenset(access.in_call() for one in inside for access in one.writes),
            )
        reads, writes = self.touches.read(node), self.touches.written(node)
        if self._is_side_effect(node):
            writes |= reads
        if isinstance(node, tree.Call):
            name = callee(node)
            names = self._indirect.get(id(node), ()) if name is None else (name,)
            known = [self._summaries[one] for one in names if one in self._summaries]
            reads, writes = reads.union(*(one.reads for one in known)), writes.union(*(one.writes for one in known))
        return Effects(reads, writes)

    def _accesses(self, node: tree.Node) -> tuple[Accesses, Accesses]:
        found = self._effects(node)
        return found.reads, found.writes

    def _meeting(self, node: tree.Node, own: Effects, other: tree.Node, others: Effects) -> tuple[frozenset[str], bool]:
        """The variables to which two evaluations have accesses that may meet, and whether others are apart."""
        found = [common(own.writes, others.reads), common(own.reads, others.writes)]
        if not (_leaves_any(node) and _leaves_any(other)):
            found.append(common(own.writes, others.writes))
        variables = _NONE.union(*(names for names, _ in found))
        if isinstance(node, WHOLE) and isinstance(other, WHOLE):
            variables -= self._unread
        return variables, any(is_apart for _, is_apart in found)


def _leaves_any(node: tree.Node) -> bool:
    """Whether this is how a call of a library leaves any errno."""
    return isinstance(node, tree.Assign) and isinstance(node.value, tree.Call) and callee(node.value) == ANY_ERRNO
