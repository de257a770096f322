"""Literals and integer constant expressions (C11 6.4.4, 6.4.5, 6.6)."""

from __future__ import annotations

import re

from core.pattern import pattern
from frontend.typed import tree
from frontend.typed.ctype import DataModel, Float, FloatKind, Integer, IntegerKind
from frontend.typed.floats import learns

_ESCAPE = pattern(r"\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|[^\\]", re.DOTALL)
_SIMPLE = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "e": 27, "E": 27}
_SUFFIX_KINDS = {
    "": (IntegerKind.INT, IntegerKind.UINT, IntegerKind.LONG, IntegerKind.ULONG, IntegerKind.LLONG, IntegerKind.ULLONG),
    "u": (IntegerKind.UINT, IntegerKind.ULONG, IntegerKind.ULLONG),
    "l": (IntegerKind.LONG, IntegerKind.ULONG, IntegerKind.LLONG, IntegerKind.ULLONG),
    "lu": (IntegerKind.ULONG, IntegerKind.ULLONG),
    "ll": (IntegerKind.LLONG, IntegerKind.ULLONG),
    "llu": (IntegerKind.ULLONG,),
}

LONGEST_INTEGER = 200  # characters; more are refused before anything reads them


def integer_literal(text: str, model: DataModel) -> tuple[int, Integer]:
    """The value and the type of an integer constant; ValueError where no type holds it."""
    if len(text) > LONGEST_INTEGER:
        raise ValueError(f"it has {len(text)} characters")
    digits = text.rstrip("uUlL")
    suffix = "".join(sorted(text[len(digits) :].lower()))
    lowered = digits.lower()
    if lowered.startswith("0x"):
        value, decimal = int(lowered[2:], 16), False
    elif lowered.startswith("0b"):
        value, decimal = int(lowered[2:], 2), False
    elif lowered.startswith("0"):
        value, decimal = int(lowered, 8), False
    else:
        value, decimal = int(lowered), True
    may_be_unsigned = not decimal or "u" in suffix
    for type_ in map(model.integer, _SUFFIX_KINDS[suffix]):
        if type_.holds(value) and (type_.signed or may_be_unsigned):
            return value, type_
    raise ValueError(f"{text} is too large for its type")


def float_literal(text: str) -> tuple[str, Float]:
    """The literal without its suffix, and its type."""
    if text[-1] in "lL":
        return text[:-1], Float(FloatKind.LONG_DOUBLE)
    if text[-1] in "fF" and not text.lower().startswith("0x"):
        return text[:-1], Float(FloatKind.FLOAT)
    if text[-1] in "fF" and "p" in text.lower():
        return text[:-1], Float(FloatKind.FLOAT)
    return text, Float(FloatKind.DOUBLE)


def _code(unit: str) -> tuple[int, bool]:
    """The code of a character or escape sequence, and whether it is one code unit however large."""
    if unit[0] != "\\":
        return ord(unit), False
    letter = unit[1]
    if letter == "x":
        return int(unit[2:], 16), True
    if letter in "uU" and len(unit) > 2:
        return int(unit[2:], 16), False
    if letter in "01234567":
        return int(unit[1:], 8), True
    return _SIMPLE.get(letter, ord(letter)), True


def _encoded(code: int, bits: int) -> list[int]:
    """A character in code units of the given size: UTF-8, UTF-16 or UTF-32."""
    if bits == 8 and code >= 128:
        return list(chr(code).encode("utf-8", "replace"))
    if bits == 16 and code > 0xFFFF:
        return [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code & 0x3FF)]
    return [code]


def _units(body: str, character: Integer) -> list[int]:
    """The code units of the text between quotes: values of the character type."""
    codes: list[int] = []
    for unit in _ESCAPE.findall(body):
        code, single = _code(unit)
        encoded = [code] if single else _encoded(code, character.bits)
        codes.extend(character.convert(part) for part in encoded)
    return codes


def _character_type(prefix: str, model: DataModel) -> Integer:
    kinds = {"L": model.wide, "u": IntegerKind.USHORT, "U": IntegerKind.UINT}
    return model.integer(kinds.get(prefix, IntegerKind.CHAR))


def character_literal(text: str, model: DataModel) -> tuple[int, Integer]:
    """A narrow character is an int with the value of its char; several are packed as gcc packs them."""
    prefix, _, rest = text.partition("'")
    type_ = _character_type(prefix, model)
    units = _units(rest[:-1], type_)
    int_ = model.integer(IntegerKind.INT)
    if prefix in ("L", "u", "U"):
        return units[-1], type_
    if len(units) == 1:
        return units[0], int_
    packed = 0
    for unit in units:
        packed = packed << 8 | unit & 255
    return int_.convert(packed), int_


def string_literal(text: str, model: DataModel) -> tuple[tuple[int, ...], Integer]:
    """The values of adjacent literals with the final 0, and the type of a character."""
    pieces = re.findall(r'(u8|[uUL])?"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    prefix = next((prefix for prefix, _ in pieces if prefix), "")
    type_ = _character_type(prefix, model)
    values = [unit for _, body in pieces for unit in _units(body, type_)]
    return (*values, 0), type_


def fold(expression: tree.Expression) -> int | None:
    """The value of an integer constant expression, None for any other; it raises nothing and has no side effects."""
    match expression:
        case tree.IntegerConstant(value=value):
            return value
        case tree.Convert() | tree.Binary() | tree.Unary() if learns(expression):
            return _fold_float(expression)
        case tree.Convert(type=Integer() as type_, operand=operand):
            inner = fold(operand)
            return None if inner is None else type_.convert(inner)
        case tree.Unary():
            return _fold_unary(expression)
        case tree.Binary():
            return _fold_binary(expression)
        case tree.Logical(operator=operator, left=left, right=right):
            first = fold(left)
            if first is None:
                return None
            if bool(first) == (operator is tree.LogicalOperator.OR):
                return int(bool(first))
            second = fold(right)
            return None if second is None else int(bool(second))
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            chosen = fold(condition)
            return None if chosen is None else fold(then if chosen else otherwise)
        case _:
            return None


def _fold_float(e: tree.Convert | tree.Binary | tree.Unary) -> int | None:
    """The integer, or the truth, that constants of floating type give."""
    from frontend.elaboration import float_constants  # what only programs with floating-point numbers need

    match e:
        case tree.Convert():
            return float_constants.converted(e, fold)
        case tree.Binary():
            return float_constants.compared(e, fold)
        case tree.Unary():
            is_zero = float_constants.is_zero(e.operand, fold)
            return None if is_zero is None else int(is_zero)


def _fold_unary(expression: tree.Unary) -> int | None:
    value = fold(expression.operand)
    if value is None or not isinstance(expression.type, Integer):
        return None
    match expression.operator:
        case tree.UnaryOperator.NEGATE:
            return expression.type.convert(-value)
        case tree.UnaryOperator.COMPLEMENT:
            return expression.type.convert(~value)
        case tree.UnaryOperator.NOT:
            return int(not value)


def _fold_binary(expression: tree.Binary) -> int | None:
    left, right = fold(expression.left), fold(expression.right)
    if left is None or right is None or not isinstance(expression.type, Integer):
        return None
    result = binary_value(expression.operator, left, right, expression.type.bits)
    return None if result is None else expression.type.convert(result)


def binary_value(operator: tree.BinaryOperator, left: int, right: int, bits: int) -> int | None:
    """On mathematical integers; None where C does not define it."""
    op = tree.BinaryOperator
    match operator:
        case op.ADD:
            return left + right
        case op.SUBTRACT:
            return left - right
        case op.MULTIPLY:
            return left * right
        case op.DIVIDE | op.REMAINDER:
            if right == 0:
                return None
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if operator is op.DIVIDE else left - quotient * right
        case op.SHIFT_LEFT | op.SHIFT_RIGHT:
            if not 0 <= right < bits:
                return None
            return left << right if operator is op.SHIFT_LEFT else left >> right
        case op.AND:
            return left & right
        case op.OR:
            return left | right
        case op.XOR:
            return left ^ right
        case op.LESS:
            return int(left < right)
        case op.GREATER:
            return int(left > right)
        case op.LESS_EQUAL:
            return int(left <= right)
        case op.GREATER_EQUAL:
            return int(left >= right)
        case op.EQUAL:
            return int(left == right)
        case op.UNEQUAL:
            return int(left != right)
