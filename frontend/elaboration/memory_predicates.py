"""Predicates of annotations about memory: whether elements may be accessed, and whether parts of memory are apart.

Both are questions about the objects that are alive. Of a parameter that a start (`--entry`) has made, it is known how
many elements it leads to; of some, that they lead into different objects unless they are equal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import combinations

from core.dataclass import dataclass
from core.program.own_steps import BEFORE, COUNT
from frontend.acsl import syntax
from frontend.acsl.syntax import Formula, Quantor
from frontend.elaboration.bounds import ValueInterval
from frontend.elaboration.conversions import Conversions
from frontend.elaboration.definedness import definedness
from frontend.elaboration.harness import undefined_call
from frontend.options import STARTER
from frontend.source import ParseError, Span
from frontend.typed import tree
from frontend.typed.ctype import CType, IntegerKind, Pointer, Signature, Void
from frontend.typed.library_table import HarnessQuestion, asking
from frontend.typed.tree import BinaryOperator, Expression, LogicalOperator, UnaryOperator

_UNSPECIFIED = "__VERIFIER_nondet_unspecified"


@dataclass(frozen=True, slots=True)
class BoundedValue:
    """A scalar: an integer within `bounds`, or a pointer."""

    expression: Expression
    bounds: ValueInterval


@dataclass(frozen=True, slots=True)
class _ElementRange:
    """The elements of memory from `low` to `high` behind a pointer; of a range there may be none."""

    formula: syntax.Elements
    pointer: Expression
    type: Pointer
    low: BoundedValue
    high: BoundedValue
    is_range: bool


class MemoryPredicates(ABC):
    """The layer of `frontend.elaboration.predicates.Predicates` that reads predicates about memory."""

    def __init__(self, unit: Conversions) -> None:
        self._unit = unit
        self._wide = unit.model.integer(IntegerKind.INT128)

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

    def validity(self, f: syntax.Valid) -> Expression:
        """Whether elements lie in one living object; of what a start has made, by their number."""
        part = self._part(f.elements)
        made = self._made(part) if self._is_start else None
        made = self._asked(f, part) if made is None else made
        return self.disjunction(self._empty(part), made, f.span) if part.is_range else made

    def separation(self, f: syntax.Separated) -> Expression:
        """Whether no two of some parts of memory have a byte in common."""
        found: Expression = self.constant(f.span, 1)
        for one, other in combinations(map(self._part, f.parts), 2):
            found = self.conjunction(found, self._apart(one, other, f.span), f.span)
        return found

    def _part(self, f: syntax.Elements) -> _ElementRange:
        pointer = self.value(f.pointer).expression
        if not isinstance(pointer.type, Pointer) or isinstance(pointer.type.target, Void | Signature):
            raise ParseError(f.pointer.span, f"a value of type {pointer.type} leads to no object")
        zero = BoundedValue(self.constant(f.span, 0), (0, 0))
        low, high = (zero if one is None else self.value(one) for one in (f.low, f.high))
        self._unit.complete_target(pointer.type, f.span)
        return _ElementRange(f, pointer, pointer.type, low, high, is_range=f.low is not f.high)

    def _empty(self, part: _ElementRange) -> Expression:
        return self.compare(BinaryOperator.LESS, part.high, part.low, part.formula.span)

    def _apart(self, left: _ElementRange, other: _ElementRange, span: Span) -> Expression:
        """Whether one of two parts is empty, they lie in different objects, or one ends before the other begins."""
        is_made = self._are_made_apart(left, other)
        disjoint = self._elsewhere(left, other, span, is_made)
        for first, second in ((left, other), (other, left)):
            end = self._distance(first, first.high, is_made)
            last = tree.Binary(span, self._wide, BinaryOperator.ADD, end, self._size(first))
            begin = self._distance(second, second.low, is_made)
            ends = tree.Binary(span, self._unit.int_, BinaryOperator.LESS_EQUAL, last, begin)
            disjoint = self.disjunction(disjoint, ends, span)
        for part in (left, other):
            disjoint = self.disjunction(self._empty(part), disjoint, span) if part.is_range else disjoint
        return disjoint

    def _elsewhere(self, left: _ElementRange, other: _ElementRange, span: Span, is_made: bool) -> Expression:
        """Whether pointers lead to different objects; those that a start has made so lead to their beginnings."""
        if is_made:
            if left.type != other.type:
                return self.constant(span, 1)
            return self._unit.binary(BinaryOperator.UNEQUAL, left.pointer, other.pointer, span)
        types = (Pointer(Void()), Pointer(Void()))
        same = self._question(HarnessQuestion.SAME_OBJECT, IntegerKind.BOOL, types, (left.pointer, other.pointer), span)
        return tree.Unary(span, self._unit.int_, UnaryOperator.NOT, same)

    def _are_made_apart(self, one: _ElementRange, other: _ElementRange) -> bool:
        """Whether a start has made pointers to lead to different objects, unless they are equal."""
        pointers = [part.formula.pointer for part in (one, other)]
        names = frozenset(pointer.name for pointer in pointers if isinstance(pointer, syntax.Name))
        return self._is_start and names in self._unit.program.apart

    def _distance(self, part: _ElementRange, place: BoundedValue, is_made: bool) -> Expression:
        """The bytes to an element from the beginning of the object, or, where a start has made it, from the pointer."""
        span, wide = part.formula.span, self._wide
        index = self._unit.converted(place.expression, wide)
        moved = tree.Binary(span, wide, BinaryOperator.MULTIPLY, index, self._size(part))
        if is_made:
            return moved
        kind, anywhere = self._unit.model.difference_type.kind, Pointer(Void())
        offset = self._question(HarnessQuestion.OFFSET, kind, (anywhere,), (part.pointer,), span)
        return tree.Binary(span, wide, BinaryOperator.ADD, self._unit.converted(offset, wide), moved)

    def _size(self, part: _ElementRange) -> Expression:
        return tree.IntegerConstant(part.formula.span, self._wide, self._unit.model.size_of(part.type.target))

    @property
    def _is_start(self) -> bool:
        return self._unit.body is not None and self._unit.body.name == STARTER

    def _number_of(self, prefix: str, part: _ElementRange) -> BoundedValue | None:
        """The number of the elements that a start has made behind, or before, what a parameter leads to."""
        pointer, span = part.formula.pointer, part.formula.span
        found = self._unit.find(prefix + pointer.name) if isinstance(pointer, syntax.Name) else None
        bounds = (0, self._unit.model.size_type.maximum)
        return BoundedValue(loaded(found, span), bounds) if isinstance(found, tree.Object) else None

    def _made(self, part: _ElementRange) -> Expression | None:
        """Of a parameter that a start has made: whether it leads to so many elements."""
        f = part.formula
        if not isinstance(f.pointer, syntax.Name):
            return None
        count, before = self._number_of(COUNT, part), self._number_of(BEFORE, part)
        if count is None:
            given = self._unit.find(f.pointer.name)
            if not isinstance(given, tree.Object) or given.storage is not tree.Storage.PARAMETER:
                return None
            null = self.value(syntax.Null(f.span))
            return None if f.low else self.compare(BinaryOperator.UNEQUAL, self.value(f.pointer), null, f.span)
        first = part.low if before is None else self._sum(before, part.low, f.span)
        zero = BoundedValue(self.constant(f.span, 0), (0, 0))
        within = self.compare(BinaryOperator.LESS, part.high, count, f.span)
        return self.conjunction(self.compare(BinaryOperator.LESS_EQUAL, zero, first, f.span), within, f.span)

    def _sum(self, left: BoundedValue, right: BoundedValue, span: Span) -> BoundedValue:
        values = (self._unit.converted(one.expression, self._wide) for one in (left, right))
        (low, high), (lower, higher) = left.bounds, right.bounds
        return BoundedValue(tree.Binary(span, self._wide, BinaryOperator.ADD, *values), (low + lower, high + higher))

    def _asked(self, f: syntax.Valid, part: _ElementRange) -> Expression:
        """The question about memory that decides it."""
        unit, span, wide = self._unit, f.span, self._wide
        size = unit.model.size_of(part.type.target)
        first, last = (unit.converted(one.expression, wide) for one in (part.low, part.high))
        distance = tree.Binary(span, wide, BinaryOperator.SUBTRACT, last, first)
        number = tree.Binary(span, wide, BinaryOperator.ADD, distance, tree.IntegerConstant(span, wide, 1))
        most = tree.IntegerConstant(span, wide, unit.model.difference_type.maximum // max(size, 1))
        fits = tree.Binary(span, unit.int_, BinaryOperator.LESS_EQUAL, number, most)
        bytes_ = tree.Binary(span, wide, BinaryOperator.MULTIPLY, number, tree.IntegerConstant(span, wide, size))
        start = part.pointer if part.formula.low is None else unit.offset(BinaryOperator.ADD, part.pointer, first, span)
        question = HarnessQuestion.WRITABLE if f.is_written else HarnessQuestion.READABLE
        types = (Pointer(Void()), unit.model.size_type)
        return self.conjunction(fits, self._question(question, IntegerKind.BOOL, types, (start, bytes_), span), span)

    def _question(
        self,
        question: HarnessQuestion,
        result: IntegerKind,
        types: tuple[CType, ...],
        values: Sequence[Expression],
        span: Span,
    ) -> Expression:
        """A question about memory, with arguments of these types."""
        unit = self._unit
        signature = Signature(unit.model.integer(result), types, variadic=False, prototype=True)
        arguments = tuple(unit.converted(one, type_) for one, type_ in zip(values, types, strict=True))
        return undefined_call(unit, asking(question), signature, arguments, span)

    def where_inside(self, e: Expression, span: Span) -> Expression:
        """A condition, with any truth value where evaluating it would leave an array."""
        within = definedness(e, self._unit.int_)
        return e if within is None else self.unless_unspecified(within, e, self._unit.int_, span)

    def unless_unspecified(self, condition: Expression, value: Expression, type_: CType, span: Span) -> Expression:
        """A value under a condition, and any without it."""
        signature = Signature(type_, (), variadic=False, prototype=True)
        unknown = undefined_call(self._unit, _UNSPECIFIED, signature, (), span)
        return tree.Conditional(span, type_, condition, value, unknown)

    def constant(self, span: Span, value: int) -> Expression:
        return tree.IntegerConstant(span, self._unit.int_, value)


def loaded(object_: tree.Object, span: Span) -> Expression:
    """The value of an object."""
    return tree.Load(span, object_.type, tree.Variable(span, object_.type, object_))
