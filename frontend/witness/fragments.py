"""Expressions of a witness, read in the scope of a place in the program.

They are text of strangers: only operators, constants and names that are in scope are taken. Nothing in them has an
effect, calls a function, or may divide by zero or shift too far; what would be read outside of an array does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.pattern import pattern
from frontend.elaboration.annotations import Annotations
from frontend.elaboration.constants import fold
from frontend.elaboration.definedness import where_defined
from frontend.elaboration.scope import Typedef
from frontend.parsing import syntax
from frontend.parsing.expression import parse_expression
from frontend.source import FrontendError, ParseError, Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Float, Integer, IntegerKind
from frontend.typed.traversal import nodes
from frontend.typed.tree import BinaryOperator, Expression

LONGEST = 200_000  # characters

_WORD = pattern(r"\\?[A-Za-z_]\w*")
_REFUSED = (
    syntax.Assignment
    | syntax.Postfix
    | syntax.CallSyntax
    | syntax.StatementValue
    | syntax.Literal
    | syntax.String
    | syntax.NextArgument
    | syntax.Sequence
)
_DIVISIONS = (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)
_SHIFTS = (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)


def condition(unit: Annotations, text: str, span: Span, names: Mapping[str, tree.Object] | None = None) -> Expression:
    """The truth of an expression in the current scope, in which `names` are declared too.

    Raises ParseError where it is no expression over names in scope, and Unsupported where it may be undefined; both at
    `span`, the place of the text in the witness.
    """
    try:
        return _condition(unit, text, span, names or {})
    except FrontendError as error:
        raise type(error)(span, f"in `{_shortened(text)}`: {error.message}") from None


def _condition(unit: Annotations, text: str, span: Span, names: Mapping[str, tree.Object]) -> Expression:
    if len(text) > LONGEST:
        raise Unsupported(span, f"expressions of more than {LONGEST} characters are not read")
    words = dict.fromkeys(_WORD.findall(text))
    types = [word for word in words if word not in names and isinstance(unit.find(word), Typedef)]
    prepared, node = parse_expression(text, span, types)
    for one in _parts(node):
        if isinstance(one, _REFUSED) or (isinstance(one, syntax.Prefix) and one.operator in ("++", "--")):
            raise ParseError(span, "it must not have effects or call functions")
    outer, unit.prepared = unit.prepared, prepared
    pending = list(unit.pending)
    try:
        with unit.scope():
            unit.scopes[-1].names.update(names)
            found = unit.condition(node)
    finally:
        unit.prepared = outer
    if unit.pending != pending:
        raise Unsupported(span, "it needs statements of its own")
    _refuse_undefined(found, span)
    return where_defined(found, unit.int_)


def _parts(root: syntax.Syntax) -> Iterator[syntax.Syntax]:
    stack: list[object] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, syntax.Syntax):
            yield node
            stack += [getattr(node, name) for name in node.__match_args__]
        elif isinstance(node, tuple):
            stack += node


def _refuse_undefined(root: Expression, span: Span) -> None:
    """Divisors and distances must be constants: where they are not defined, nothing would be claimed.

    Nor would be where a floating-point number does not fit an integer type.
    """
    for node in nodes(root):
        if isinstance(node, tree.Convert) and isinstance(node.operand.type, Float) and fold(node) is None:
            is_truth = isinstance(node.type, Integer) and node.type.kind is IntegerKind.BOOL
            if isinstance(node.type, Integer) and not is_truth:
                raise Unsupported(span, "a conversion of a floating-point number to an integer type is not decided")
        is_partial = isinstance(node, tree.Binary) and node.operator in (*_DIVISIONS, *_SHIFTS)
        if is_partial and isinstance(node, tree.Binary) and isinstance(node.type, Integer):
            value = fold(node.right)
            if value is None or (value == 0 and node.operator in _DIVISIONS):
                raise Unsupported(span, "a divisor or distance that is no constant is not decided")
            if node.operator in _SHIFTS and not 0 <= value < node.type.bits:
                raise ParseError(span, "a shift is out of range")


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 80 else f"{plain[:77]}…"
