"""The Python text of integer operations on operands given as text, exactly as gcc does them with `-fwrapv`."""

from __future__ import annotations

from frontend.typed.ctype import CType, DataModel, Integer, IntegerKind, Pointer
from frontend.typed.tree import BinaryOperator

COMPARISONS = {
    BinaryOperator.LESS: "<",
    BinaryOperator.GREATER: ">",
    BinaryOperator.LESS_EQUAL: "<=",
    BinaryOperator.GREATER_EQUAL: ">=",
    BinaryOperator.EQUAL: "==",
    BinaryOperator.UNEQUAL: "!=",
}
_BITWISE = {BinaryOperator.AND: "&", BinaryOperator.OR: "|", BinaryOperator.XOR: "^"}
_RING = {BinaryOperator.ADD: "+", BinaryOperator.SUBTRACT: "-", BinaryOperator.MULTIPLY: "*"}


def is_constant(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def wrapped(text: str, bits: int, *, signed: bool) -> str:
    """`text` modulo 2^bits."""
    mask = (1 << bits) - 1
    if not signed:
        return f"({text} & {mask})"
    half = 1 << (bits - 1)
    return f"(({text} + {half} & {mask}) - {half})"


def returned(text: str, type_: CType, model: DataModel) -> str:
    """The result of a function that may be out of the range of the type, as a value of the type."""
    match type_:
        case Integer(kind=IntegerKind.BOOL):
            return f"(1 if {text} else 0)"
        case Integer(bits=bits, signed=signed):
            return wrapped(text, bits, signed=signed)
        case Pointer():
            return f"({text} & {_pointer_mask(model)})"
        case _:
            return text


def converted(text: str, source: CType, target: CType, model: DataModel) -> str:
    """A value of the scalar type `source` as one of `target`; neither is a Float."""
    if isinstance(target, Pointer):
        if isinstance(source, Pointer):
            return text
        return str(int(text) & _pointer_mask(model)) if is_constant(text) else f"({text} & {_pointer_mask(model)})"
    if not isinstance(target, Integer):
        raise TypeError(f"no conversion to {target}")
    if is_constant(text):
        return str(target.convert(int(text)))
    if target.kind is IntegerKind.BOOL:
        return f"(1 if {text} else 0)"
    low, high = _range(source, model)
    if target.minimum <= low and high <= target.maximum:
        return text
    return wrapped(text, target.bits, signed=target.signed)


def _pointer_mask(model: DataModel) -> int:
    return (1 << 8 * model.pointer_size) - 1


def _range(type_: CType, model: DataModel) -> tuple[int, int]:
    match type_:
        case Integer():
            return type_.minimum, type_.maximum
        case _:
            return 0, _pointer_mask(model)


def arithmetic(operator: BinaryOperator, type_: Integer, left: str, right: str, span: int, wraps: bool) -> str:
    """The operation in the computation type `type_`; comparisons are 0 or 1. `wraps` as of `checked`."""
    if operator in COMPARISONS:
        return f"(1 if {left} {COMPARISONS[operator]} {right} else 0)"
    if operator in _BITWISE:
        return f"({left} {_BITWISE[operator]} {right})"
    if operator in _RING:
        return checked(f"{left} {_RING[operator]} {right}", type_, span, wraps)
    match operator:
        case BinaryOperator.DIVIDE:
            return f"div({left}, {right}, {type_.maximum}, {span})"
        case BinaryOperator.REMAINDER:
            return f"rem({left}, {right}, {type_.maximum}, {span})"
        case BinaryOperator.SHIFT_LEFT:
            if type_.signed:
                return f"shl({left}, {right}, {type_.bits}, {span})"
            return wrapped(f"({left} << {_distance(right, type_, span)})", type_.bits, signed=False)
        case _:
            return f"({left} >> {_distance(right, type_, span)})"


def _distance(right: str, type_: Integer, span: int) -> str:
    if is_constant(right) and 0 <= int(right) < type_.bits:
        return right
    return f"distance({right}, {type_.bits}, {span})"


def checked(text: str, type_: Integer, span: int, wraps: bool) -> str:
    """A sum, difference or product of values of `type_`; an overflow of a signed one wraps and is noted.

    Whether an unsigned one `wraps`, or ends the run.
    """
    if not type_.signed and wraps:
        return wrapped(f"({text})", type_.bits, signed=False)
    otherwise = f"overflow(v, {type_.bits}, {span})" if type_.signed else f"wraps(v, {type_.bits}, {span})"
    return f"(v if {type_.minimum} <= (v := {text}) <= {type_.maximum} else {otherwise})"
