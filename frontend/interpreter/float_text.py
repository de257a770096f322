"""The Python text of operations on floating-point numbers, which are ordinals; `compute` and `truncated` run them."""

from __future__ import annotations

from collections.abc import Sequence

from frontend.typed import tree
from frontend.typed.ctype import CType, Float, Integer, IntegerKind
from frontend.typed.tree import BinaryOperator


def _name(type_: Float) -> str:
    """The name of the format of a type."""
    return type_.kind.value.replace(" ", "_")


def _operation(operator: BinaryOperator) -> str:
    """The name of the operation of an operator."""
    from frontend.typed.float_formats import OPERATIONS  # what only programs with floating-point numbers need

    return OPERATIONS[operator].value


def constant(e: tree.FloatConstant) -> str | None:
    """The ordinal of a constant; None for one that is not read."""
    from core.terms.floats import of_text  # what only programs with floating-point numbers need
    from frontend.typed.float_formats import format_of

    assert isinstance(e.type, Float)
    try:
        return str(of_text(format_of(e.type), e.text))
    except ValueError:
        return None


def one(type_: Float) -> str:
    """The number 1."""
    return f"compute('float_of_int__{_name(type_)}', 1)"


def truth(text: str) -> str:
    """Whether a number is not zero."""
    return f"({text} not in (0, -1))"


def opposite(type_: Float, text: str) -> str:
    return f"compute('opposite__{_name(type_)}', {text})"


def result(operator: BinaryOperator, type_: Float, left: str, right: str) -> str:
    """The result of an operation."""
    return f"compute('float_{_operation(operator)}__{_name(type_)}', {left}, {right})"


def checked(operator: BinaryOperator, type_: Float, left: str, right: str, span: int) -> str:
    """The result of an operation of which somebody asks whether it divides by zero, overflows or is NaN."""
    return f"float_result({_operation(operator)!r}, {_name(type_)!r}, {left}, {right}, {span})"


def narrowed(text: str, source: Float, target: Float, span: int) -> str:
    """A number in another format, of which somebody asks whether it overflows."""
    if source.kind is target.kind:
        return text
    return f"float_narrowed({_name(source)!r}, {_name(target)!r}, {text}, {span})"


def step(name: str, arguments: Sequence[str]) -> str:
    """The result of a function with a name such as `sqrt__double`, which bodies of the library call."""
    return f"int(compute('float_{name}', {', '.join(arguments)}))"


def comparison(operator: BinaryOperator, type_: Float, left: str, right: str) -> str:
    """The truth of a comparison."""
    if operator in (BinaryOperator.GREATER, BinaryOperator.GREATER_EQUAL):
        left, right = right, left
    match operator:
        case BinaryOperator.LESS | BinaryOperator.GREATER:
            return f"compute('less__{_name(type_)}', {left}, {right})"
        case BinaryOperator.LESS_EQUAL | BinaryOperator.GREATER_EQUAL:
            return f"compute('less_equal__{_name(type_)}', {left}, {right})"
        case BinaryOperator.EQUAL:
            return f"compute('equal__{_name(type_)}', {left}, {right})"
        case _:
            return f"(not compute('equal__{_name(type_)}', {left}, {right}))"


def converted(text: str, source: CType, target: CType, span: int) -> str:
    """A value of an arithmetic type as one of another, one of both a floating type."""
    match source, target:
        case Float(kind), Float(other) if kind is other:
            return text
        case Float(), Float():
            return f"compute('float_convert__{_name(target)}__{_name(source)}', {text})"
        case _, Float():
            return f"compute('float_of_int__{_name(target)}', {text})"
        case Float(), Integer(kind=IntegerKind.BOOL):
            return f"(1 if {truth(text)} else 0)"
        case Float(), Integer(minimum=low, maximum=high):
            return f"truncated('{_name(source)}', {text}, {low}, {high}, {span})"
        case _:
            return text
