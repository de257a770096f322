"""Typed expressions from typed operands: conversions, promotions and the operators (C11 6.3, 6.5)."""

from __future__ import annotations

from dataclasses import replace

from frontend.elaboration.constants import fold
from frontend.elaboration.types import Types
from frontend.parsing import syntax
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import (
    Array,
    CType,
    Float,
    FloatKind,
    Integer,
    IntegerKind,
    Pointer,
    Record,
    RecordKind,
    Signature,
    Void,
    is_arithmetic,
    is_scalar,
)
from frontend.typed.qualifiers import qualified, qualifiers_of, unqualified
from frontend.typed.tree import BinaryOperator, Expression, Lvalue

COMPARISONS = frozenset(
    (
        BinaryOperator.LESS,
        BinaryOperator.GREATER,
        BinaryOperator.LESS_EQUAL,
        BinaryOperator.GREATER_EQUAL,
        BinaryOperator.EQUAL,
        BinaryOperator.UNEQUAL,
    )
)
SHIFTS = frozenset((BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT))
INTEGERS_ONLY = SHIFTS | {BinaryOperator.REMAINDER, BinaryOperator.AND, BinaryOperator.OR, BinaryOperator.XOR}


class Conversions(Types):
    """Conversions of expressions that are built already."""

    def decayed(self, node: Expression | Lvalue) -> Expression:
        """The value of an operand: an object is read, an array becomes a pointer."""
        if not isinstance(node, Lvalue):
            return node
        if isinstance(node.type, Array):
            return tree.Decay(node.span, Pointer(node.type.element), node)
        if self.is_open(node.type):
            raise self.error(node.span, f"{node.type} is incomplete")
        if isinstance(node.type, Void):
            raise self.error(node.span, "a value of type void cannot be used")
        return tree.Load(node.span, unqualified(node.type), node)

    def converted(self, value: Expression, type_: CType) -> Expression:
        """An implicit conversion that the rules of the language insert."""
        if value.type == type_:
            return value
        if isinstance(value, tree.IntegerConstant) and isinstance(type_, Integer) and type_.holds(value.value):
            return replace(value, type=type_)
        return tree.Convert(value.span, unqualified(type_), value, explicit=False)

    def assigned(self, value: Expression, type_: CType) -> Expression:
        """The conversion of assignments, arguments and results (C11 6.5.16.1)."""
        if value.type == type_:
            return value
        if isinstance(type_, Record) and type_.kind is RecordKind.UNION:
            raise Unsupported(value.span, f"a value of type {value.type} as {type_} is not supported")
        if isinstance(type_, Record) or isinstance(value.type, Record | Void) or isinstance(type_, Void):
            self.refuse_numbers(value.span, value.type, type_)
            raise self.error(value.span, f"a value of type {value.type} cannot become {type_}")
        if isinstance(type_, Array | Signature):
            raise self.error(value.span, f"{type_} cannot be assigned")
        if (isinstance(type_, Pointer) and isinstance(value.type, Float)) or (
            isinstance(type_, Float) and isinstance(value.type, Pointer)
        ):
            raise self.error(value.span, f"a value of type {value.type} cannot become {type_}")
        self._warn_of_pointers(value, type_)
        return self.converted(value, type_)

    def _warn_of_pointers(self, value: Expression, type_: CType) -> None:
        mixed = isinstance(type_, Pointer) != isinstance(value.type, Pointer)
        boolean = isinstance(type_, Integer) and type_.kind is IntegerKind.BOOL
        if mixed and not boolean and fold(value) != 0:
            self.diagnostics.warn(value.span, f"{value.type} becomes {type_} without a cast")

    def promoted(self, value: Expression) -> Expression:
        """Integer promotion, which depends on the width of a bit-field; other types stay."""
        if not isinstance(value.type, Integer):
            return value
        return self.converted(value, self.model.promote(value.type, _bit_field_width(value)))

    def argument(self, value: Expression) -> Expression:
        """The default argument promotions: `float` becomes `double`."""
        if value.type == Float(FloatKind.FLOAT):
            return self.converted(value, Float(FloatKind.DOUBLE))
        if isinstance(value.type, Void):
            raise self.error(value.span, "a value of type void cannot be an argument")
        return self.promoted(value)

    def condition_value(self, value: Expression) -> Expression:
        if not is_scalar(value.type):
            self.refuse_numbers(value.span, value.type)
            raise self.error(value.span, f"a value of type {value.type} cannot be a condition")
        if isinstance(value.type, Float):
            zero = tree.IntegerConstant(value.span, self.int_, 0)
            return self.binary(BinaryOperator.UNEQUAL, value, zero, value.span)
        return value

    def truth(self, value: Expression) -> Expression:
        """An int that is 1 where the value is not zero, and 0 elsewhere."""
        self.condition_value(value)
        boolean = isinstance(value, tree.Logical) or (isinstance(value, tree.Binary) and value.operator in COMPARISONS)
        if boolean or (isinstance(value, tree.Unary) and value.operator is tree.UnaryOperator.NOT):
            return value
        value = self.promoted(value)
        return self.binary(BinaryOperator.UNEQUAL, value, tree.IntegerConstant(value.span, self.int_, 0), value.span)

    # Pointers

    def complete_target(self, pointer: Pointer, span: Span) -> None:
        target = pointer.target
        if self.is_open(target) or (isinstance(target, Array) and target.length is None):
            raise self.error(span, f"{target} is incomplete")

    def offset(self, operator: BinaryOperator, pointer: Expression, offset: Expression, span: Span) -> Expression:
        assert isinstance(pointer.type, Pointer)
        self.complete_target(pointer.type, span)
        return tree.PointerOffset(span, pointer.type, operator, pointer, self.promoted(offset))

    def dereference(self, pointer: Expression, span: Span) -> Expression | Lvalue:
        """The object that a pointer leads to, in the normal forms of the tree; a function stays a pointer."""
        if not isinstance(pointer.type, Pointer):
            raise self.error(span, f"a value of type {pointer.type} cannot be dereferenced")
        target = pointer.type.target
        match pointer:
            case _ if isinstance(target, Signature):
                return pointer
            case tree.AddressOf(lvalue=lvalue):
                return lvalue
            case tree.Convert(operand=tree.AddressOf(lvalue=lvalue)) if lvalue.type == target and qualifiers_of(
                lvalue.type
            ) in qualifiers_of(target):
                return replace(lvalue, span=span, type=target)
            case tree.Decay(lvalue=lvalue):
                return tree.Index(span, target, lvalue, tree.IntegerConstant(span, self.int_, 0))
            case tree.PointerOffset(operator=BinaryOperator.ADD, pointer=tree.Decay(lvalue=lvalue), offset=index):
                return tree.Index(span, target, lvalue, index)
            case _:
                return tree.Dereference(span, target, pointer)

    def address(self, node: Expression | Lvalue, span: Span) -> Expression:
        match node:
            case tree.FunctionAddress():
                return node
            case tree.Dereference(pointer=pointer):
                return pointer
            case tree.Member(field=field) if field.width is not None:
                raise self.error(span, "a bit-field has no address")
            case _ if isinstance(node, Lvalue) and not isinstance(node, tree.Temporary):
                return tree.AddressOf(span, Pointer(node.type), node)
            case _ if not isinstance(node, Lvalue) and _is_function(node.type):
                return node
            case _:
                raise self.error(span, "only objects and functions have addresses")

    # Operators

    def binary(self, operator: BinaryOperator, left: Expression, right: Expression, span: Span) -> Expression:
        if operator in COMPARISONS:
            return self._comparison(operator, left, right, span)
        if operator in (BinaryOperator.ADD, BinaryOperator.SUBTRACT):
            pointed = self._pointer_arithmetic(operator, left, right, span)
            if pointed is not None:
                return pointed
        left, right = self._arithmetic_operands(operator, left, right, span)
        return tree.Binary(span, left.type, operator, left, right)

    def _pointer_arithmetic(
        self, operator: BinaryOperator, left: Expression, right: Expression, span: Span
    ) -> Expression | None:
        if isinstance(left.type, Pointer) and isinstance(right.type, Integer):
            return self.offset(operator, left, right, span)
        if isinstance(left.type, Integer) and isinstance(right.type, Pointer) and operator is BinaryOperator.ADD:
            return self.offset(operator, right, left, span)
        if isinstance(left.type, Pointer) and isinstance(right.type, Pointer) and operator is BinaryOperator.SUBTRACT:
            self.complete_target(left.type, span)
            return tree.PointerDifference(span, self.model.difference_type, left, right)
        return None

    def _arithmetic_operands(
        self, operator: BinaryOperator, left: Expression, right: Expression, span: Span
    ) -> tuple[Expression, Expression]:
        left, right = self.promoted(left), self.promoted(right)
        fits = isinstance(left.type, Integer) and isinstance(right.type, Integer)
        if not (fits or (operator not in INTEGERS_ONLY and is_arithmetic(left.type) and is_arithmetic(right.type))):
            self.refuse_numbers(span, left.type, right.type)
            raise self.error(span, f"{operator.value} cannot have operands of types {left.type} and {right.type}")
        if operator in SHIFTS:
            return left, right
        common = self.common(left.type, right.type)
        return self.converted(left, common), self.converted(right, common)

    def common(self, left: CType, right: CType) -> Integer | Float:
        assert isinstance(left, Integer | Float)
        assert isinstance(right, Integer | Float)
        return self.model.common(left, right)

    def _comparison(self, operator: BinaryOperator, left: Expression, right: Expression, span: Span) -> Expression:
        if is_arithmetic(left.type) and is_arithmetic(right.type):
            left, right = self._arithmetic_operands(operator, left, right, span)
        elif isinstance(left.type, Pointer) and isinstance(right.type, Integer):
            self._warn_of_pointers(right, left.type)
            right = self.converted(right, left.type)
        elif isinstance(left.type, Integer) and isinstance(right.type, Pointer):
            self._warn_of_pointers(left, right.type)
            left = self.converted(left, right.type)
        elif not (isinstance(left.type, Pointer) and isinstance(right.type, Pointer)):
            self.refuse_numbers(span, left.type, right.type)
            raise self.error(span, f"{left.type} and {right.type} cannot be compared")
        return tree.Binary(span, self.int_, operator, left, right)

    def choice(self, condition: Expression, then: Expression, otherwise: Expression, span: Span) -> Expression:
        type_ = self._choice_type(then, otherwise, span)
        become = self.discarded if isinstance(type_, Void) else lambda part: self.converted(part, type_)
        return tree.Conditional(span, type_, self.condition_value(condition), become(then), become(otherwise))

    def discarded(self, value: Expression) -> Expression:
        return value if value.type == Void() else tree.Convert(value.span, Void(), value, explicit=False)

    def _choice_type(self, then: Expression, otherwise: Expression, span: Span) -> CType:
        left, right = then.type, otherwise.type
        if is_arithmetic(left) and is_arithmetic(right):
            return self.common(self.promoted(then).type, self.promoted(otherwise).type)
        if isinstance(left, Void) or isinstance(right, Void):
            return Void()
        if isinstance(left, Pointer) and isinstance(right, Pointer):
            if _is_null(then):
                return right
            if _is_null(otherwise):
                return left
            chosen = right.target if isinstance(right.target, Void) else left.target
            return Pointer(qualified(chosen, qualifiers_of(left.target) | qualifiers_of(right.target)))
        if isinstance(left, Pointer) and isinstance(right, Integer):
            return left
        if isinstance(left, Integer) and isinstance(right, Pointer):
            return right
        if left == right:
            return left
        raise self.error(span, f"the branches have the types {left} and {right}")

    def constant(self, node: syntax.ExpressionSyntax) -> int | None:
        return fold(self.value(node))


def _bit_field_width(value: Expression) -> int | None:
    """The width of the bit-field whose type, as gcc has it, is that of `value`; None where there is no bit-field."""
    inner: Expression | None = value
    while isinstance(inner, tree.Comma | tree.StatementExpression):
        inner = inner.right if isinstance(inner, tree.Comma) else inner.value
    match inner:
        case tree.Load(lvalue=tree.Member(field=field)):
            return field.width
        case tree.Assign(target=tree.Member(field=field)) | tree.CompoundAssign(target=tree.Member(field=field)):
            return field.width
        case tree.Increment(target=tree.Member(field=field)):
            return field.width
        case _:
            return None


def _is_function(type_: CType) -> bool:
    return isinstance(type_, Pointer) and isinstance(type_.target, Signature)


def _is_null(value: Expression) -> bool:
    """Whether this is a null pointer constant: zero cast to `void *`."""
    return (
        isinstance(value, tree.Convert)
        and value.type == Pointer(Void())
        and isinstance(value.operand.type, Integer)
        and fold(value.operand) == 0
    )
