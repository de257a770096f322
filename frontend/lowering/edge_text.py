"""Source-like text of expressions, for the edges of a program."""

from __future__ import annotations

from collections.abc import Mapping

from core.program.characters import character
from core.program.orders import ORDER
from core.program.source import source_function
from frontend.elaboration.volatile import read_before, read_of
from frontend.libc.texts import OPERAND
from frontend.lowering.enumerators import is_character
from frontend.properties.errors import VOLATILE_READ
from frontend.typed import tree
from frontend.typed.ctype import CType, Float, FloatKind, Integer, Pointer, Void
from frontend.typed.lvalues import COMPARISONS
from frontend.typed.tree import BinaryOperator, LogicalOperator, Position

_LIMIT = 120
"""Characters that the text of an edge may have."""
_LONGEST_LITERAL = 20
"""Characters of a string literal that are shown."""

_SUFFIXES: Mapping[CType, str] = {Float(FloatKind.FLOAT): "f", Float(FloatKind.LONG_DOUBLE): "L"}
_SHIFTS = frozenset({BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT})
_COMMA, _ASSIGN, _CONDITIONAL, _UNARY, _POSTFIX, _ATOM = 0, 1, 2, 13, 14, 15
_LEVELS = {
    "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "<": 9, ">": 9, "<=": 9, ">=": 9,
    "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12,
}  # fmt: skip


def show(node: tree.Expression | tree.Lvalue) -> str:
    """The expression as C has it, without implicit conversions; cut where it is long."""
    return _cut(_show(node)[0])


def show_condition(node: tree.Expression) -> str:
    return f"[{show(node)}]"


def show_negated(node: tree.Expression) -> str:
    return f"[!({show(node)})]"


def show_declaration(declared: str, initialiser: tree.Initialiser) -> str:
    """A declaration, as C spells it, with its initialiser; of one with many parts only that it has one."""
    entries = initialiser.entries
    alone = entries[0].value if len(entries) == 1 and not entries[0].path else None
    return _cut(f"{declared} = {'{…}' if alone is None else _at(alone, _ASSIGN)}")


def show_literal(literal: tree.StringLiteral) -> str:
    """The text of a literal; of a long one the beginning."""
    text = "".join(map(chr, (value % 0x110000 for value in literal.values[:-1][:_LONGEST_LITERAL])))
    more = "…" if len(literal.values) - 1 > _LONGEST_LITERAL else ""
    return f'"{text.encode("unicode_escape").decode("ascii")}{more}"'


def _cut(text: str) -> str:
    return text if len(text) <= _LIMIT else text[: _LIMIT - 1] + "…"


def _at(node: tree.Expression | tree.Lvalue, level: int) -> str:
    text, own = _show(node)
    return text if own >= level else f"({text})"


def _show(node: tree.Expression | tree.Lvalue) -> tuple[str, int]:
    """The text and its precedence."""
    match node:
        case tree.Load(lvalue=inner) | tree.Decay(lvalue=inner):
            return _show(inner)
        case tree.Convert(operand=tree.Binary(operator=operator, left=left), is_modular=True) if (
            target := _changed(left)
        ) is not None:
            return f"{_at(target, _POSTFIX)}{'--' if operator is BinaryOperator.ADD else '++'}", _POSTFIX
        case tree.Convert(operand=tree.IntegerConstant(value=0), explicit=True, type=Pointer(target=Void())):
            return "NULL", _ATOM
        case tree.Convert(operand=operand, explicit=explicit, type=type_):
            if not explicit or isinstance(type_, Void):
                return _show(operand)
            return f"({type_}) {_at(operand, _UNARY)}", _UNARY
        case tree.Unary(operator=operator, operand=operand):
            return f"{operator.value}{_at(operand, _UNARY)}", _UNARY
        case tree.Binary(operator=operator, left=left, right=right):
            return _binary(operator, left, right)
        case tree.Logical(operator=operator, left=left, right=right):
            return _binary(operator, left, right)
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            parts = (_at(condition, 3), _at(then, _COMMA), _at(otherwise, _CONDITIONAL))
            return f"{parts[0]} ? {parts[1]} : {parts[2]}", _CONDITIONAL
        case tree.Assign(target=target, value=value):
            return f"{_at(target, _UNARY)} = {_at(value, _ASSIGN)}", _ASSIGN
        case tree.CompoundAssign(operator=operator, target=target, value=value):
            return f"{_at(target, _UNARY)} {operator.value}= {_at(value, _ASSIGN)}", _ASSIGN
        case tree.Increment(operator=operator, position=position, target=target):
            if position is Position.PREFIX:
                return f"{operator.value * 2}{_at(target, _UNARY)}", _UNARY
            return f"{_at(target, _POSTFIX)}{operator.value * 2}", _POSTFIX
        case tree.Comma(left=left, right=right) if read_of(right) is not None:
            return _show(left)
        case tree.Comma(left=left, right=right):
            return f"{_at(left, _ASSIGN)}, {_at(right, _ASSIGN)}", _COMMA
        case _:
            return _primary(node)


def _binary(
    operator: BinaryOperator | LogicalOperator, left: tree.Expression, right: tree.Expression
) -> tuple[str, int]:
    level = _LEVELS[operator.value]
    first, second = (left, right) if operator in COMPARISONS else (None, None)
    constant = _character(left, second) or (_shifted(left) if operator in _SHIFTS else None)
    texts = constant or _at(left, level), _character(right, first) or _at(right, level + 1)
    return f"{texts[0]} {operator.value} {texts[1]}", level


def _character(constant: tree.Expression, other: tree.Expression | None) -> str | None:
    """The text of a constant that a `char` is compared with."""
    while isinstance(other, tree.Convert) and not other.explicit:
        other = other.operand
    if other is None or not isinstance(constant, tree.IntegerConstant) or constant.text:
        return None
    return character(constant.value) if is_character(other.type) else None


def _shifted(constant: tree.Expression) -> str | None:
    """The text of a constant that is shifted: its type, which no conversion has changed, says how far it may be."""
    if not isinstance(constant, tree.IntegerConstant) or not isinstance(constant.type, Integer) or constant.text:
        return None
    size = "l" * constant.type.kind.value.count("long")
    return f"{constant.value}{'' if constant.type.signed else 'u'}{size}" if constant.value >= 0 else None


def _changed(e: tree.Expression) -> tree.Lvalue | None:
    """The volatile object that the expression changes, if it is a sum that `++` or `--` stores."""
    while isinstance(e, tree.Convert):
        e = e.operand
    return e.target if isinstance(e, tree.Assign) and read_before(e) is not None else None


def _is_ordered(items: tuple[tree.Statement, ...]) -> bool:
    """Whether these statements choose an order of evaluation, and the value behind them is what the text has."""
    return any(isinstance(one, tree.Declaration) and one.object.source_name.startswith(OPERAND) for one in items[:1])


def _primary(node: tree.Expression | tree.Lvalue) -> tuple[str, int]:
    match node:
        case tree.IntegerConstant(text=text) if text:
            return text, _ATOM
        case tree.IntegerConstant(value=value):
            return str(value), _ATOM if value >= 0 else _UNARY
        case tree.FloatConstant(text=text, type=type_):
            return f"{text}{_SUFFIXES.get(type_, '')}", _ATOM
        case tree.FunctionAddress(function=name):
            return source_function(name), _ATOM
        case tree.Variable(object=object_):
            return object_.source_name.removeprefix(OPERAND), _ATOM
        case tree.Dereference(
            span=span, pointer=tree.PointerOffset(operator=BinaryOperator.ADD, pointer=pointer, offset=index) as moved
        ) if moved.span == span:  # written `p[i]`: the sum of `*(p + i)` has a place of its own
            return f"{_at(pointer, _POSTFIX)}[{_at(index, _COMMA)}]", _POSTFIX
        case tree.Index(array=tree.Dereference(span=span, pointer=pointer), index=index) if pointer.span == span:
            return f"{_at(pointer, _POSTFIX)}[{_at(index, _COMMA)}]", _POSTFIX
        case tree.Index(array=array, index=index):
            return f"{_at(array, _POSTFIX)}[{_at(index, _COMMA)}]", _POSTFIX
        case tree.Member(base=tree.Dereference(pointer=pointer), field=field):
            return f"{_at(pointer, _POSTFIX)}->{field.name}", _POSTFIX
        case tree.Member(base=base, field=field):
            return f"{_at(base, _POSTFIX)}.{field.name}", _POSTFIX
        case tree.Call(function=tree.FunctionAddress(function=name)) if name == ORDER:
            return name, _ATOM
        case tree.Call(function=tree.FunctionAddress(function=name)) if name.startswith(VOLATILE_READ):
            return name.removeprefix(VOLATILE_READ).partition("#")[0], _ATOM
        case tree.Call(function=function, arguments=arguments):
            listed = ", ".join(_at(one, _ASSIGN) for one in arguments)
            return f"{_at(function, _POSTFIX)}({listed})", _POSTFIX
        case tree.AddressOf(lvalue=inner):
            return f"&{_at(inner, _UNARY)}", _UNARY
        case tree.Dereference(pointer=pointer):
            return f"*{_at(pointer, _UNARY)}", _UNARY
        case tree.PointerOffset(operator=operator, pointer=pointer, offset=offset):
            return _binary(operator, pointer, offset)
        case tree.PointerDifference(left=left, right=right):
            return _binary(BinaryOperator.SUBTRACT, left, right)
        case tree.Temporary(value=value):
            return _show(value)
        case tree.StringLiteral():
            return show_literal(node), _ATOM
        case tree.CompoundLiteral(type=type_):
            return f"({type_}){{…}}", _POSTFIX
        case tree.StatementExpression(body=tree.Compound(items=items), value=value) if _is_ordered(items) and value:
            return _show(value)
        case tree.StatementExpression():
            return "({…})", _ATOM
        case _:
            return "…", _ATOM
