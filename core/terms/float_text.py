"""The text of floating-point numbers in formulas: C, never their ordinals.

Law: the text means in C what the term says of the ordinals, whatever sign NaN has: comparisons are false for NaN, and
the zeros, which C has equal, are told apart by `signbit`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.dataclass import dataclass
from core.terms.float_functions import Detail, FloatFunction, FloatOperation
from core.terms.floats import DOUBLE, EXTENDED, FLOAT, FloatFormat, Rounding, format_named, to_text
from core.terms.notation import AND, ATOM, COMPARE, ITE, OR, PRODUCT, SUM, UNARY, InfixText, InfixTexts, SymbolNames
from core.terms.operators import Treatment
from core.terms.sorts import INT
from core.terms.term import Op, Term
from core.terms.wraparound import LinearLiteral, Sum, plain_literal

OTHER_OPERATORS = Treatment.EXACT

_SUFFIXES = {FLOAT: "f", DOUBLE: "", EXTENDED: "l"}
INFIX = {
    FloatOperation.ADD: "+",
    FloatOperation.SUBTRACT: "-",
    FloatOperation.MULTIPLY: "*",
    FloatOperation.DIVIDE: "/",
}
_OPERATIONS: Mapping[str, tuple[FloatOperation, tuple[Detail, ...]]] = {
    "sqrt": (FloatOperation.SQRT, ()),
    "remainder": (FloatOperation.REMAINDER, ()),
    "fma": (FloatOperation.FMA, ()),
    "rint": (FloatOperation.ROUND, (Rounding.EVEN,)),
    "round": (FloatOperation.ROUND, (Rounding.AWAY,)),
    "floor": (FloatOperation.ROUND, (Rounding.DOWN,)),
    "ceil": (FloatOperation.ROUND, (Rounding.UP,)),
    "trunc": (FloatOperation.ROUND, (Rounding.ZERO,)),
}
CALLS: Mapping[str, tuple[FloatOperation, FloatFormat, tuple[Detail, ...]]] = {
    f"{name}{suffix}": (operation, format_, detail)
    for name, (operation, detail) in _OPERATIONS.items()
    for format_, suffix in _SUFFIXES.items()
}
"""The functions of math.h that are operations."""
_NAMES: Mapping[object, str] = {key: name for name, key in CALLS.items()}
_TYPES: Mapping[tuple[Detail, ...], str] = {
    ((-1 << (bits - 1)) if signed else 0, (1 << (bits - signed)) - 1): one if signed else other
    for bits, one, other in (
        (8, "signed char", "unsigned char"),
        (16, "short", "unsigned short"),
        (32, "int", "unsigned int"),
        (64, "long long", "unsigned long long"),
    )
    for signed in (True, False)
}
"""Types of integers by their ends."""


def spelled(f: FloatFormat) -> str:
    """The type of C."""
    return f.name.replace("_", " ")


_DEEPEST = 8  # choices in choices


def float_format(t: Term, names: SymbolNames, depth: int = 0) -> FloatFormat | None:
    """The format of the number that a term is; None for an integer, and where that is not known."""
    if depth > _DEEPEST:
        return None
    match t.op:
        case Op.SYMBOL | Op.SELECT:
            type_ = names.float_type(t) if t.sort is INT else None
            return None if type_ is None else format_named(type_)
        case Op.FLOAT:
            function = t.function
            assert isinstance(function, FloatFunction)
            return None if function.operation is FloatOperation.TO_INT else function.format
        case Op.ITE if t.sort is INT:
            found = [float_format(one, names, depth + 1) for one in t.args[1:]]
            if found[0] is not None and _is_opposite(t, found[0]):
                return found[0]
            known = next((one for one in found if one is not None), None)
            agree = all(f is known or one.is_constant for f, one in zip(found, t.args[1:], strict=True))
            return known if agree else None
        case Op.LINEAR:
            return float_format(t.args[0], names, depth + 1) if _is_opposite_result(t) else None
        case _:
            return None


def negated_number(t: Term, names: SymbolNames) -> Term | None:
    """The `x` of `-x`, which is -1 - `x` but for NaN."""
    if t.is_sum:
        return t.args[0] if _is_opposite_result(t) else None
    f = float_format(t.args[1], names) if t.is_choice else None
    return t.args[1] if f is not None and _is_opposite(t, f) else None


def _is_opposite_sum(t: Term) -> bool:
    return t.is_sum and t.constant == -1 and t.coefficients == (-1,)


def _is_opposite_result(t: Term) -> bool:
    """Whether it is -1 - `x` of a result that is never NaN."""
    return _is_opposite_sum(t) and is_number(t.args[0])


def is_number(t: Term) -> bool:
    """Whether a term is the result of an operation that is never NaN."""
    function = t.function if t.op is Op.FLOAT else None
    high = function.range.high if isinstance(function, FloatFunction) else None
    return isinstance(function, FloatFunction) and high is not None and high <= function.format.infinity


def _is_opposite(choice: Term, f: FloatFormat) -> bool:
    """Whether it is NaN of NaN, else -1 - `x`."""
    condition, then, otherwise = choice.args
    is_guarded = condition.is_equation and condition.args[0] is then and condition.value == f.nan
    return is_guarded and _is_opposite_sum(otherwise) and otherwise.args[0] is then


def is_told_operation(t: Term, names: SymbolNames) -> bool:
    """Whether the operands of an operation are numbers of its type, or an integer, and C has a word for it."""
    function = t.function
    assert isinstance(function, FloatFunction)
    if function.operation is FloatOperation.TO_INT and function.detail not in _TYPES:
        return False
    is_of_source = (one.is_constant or float_format(one, names) == function.source for one in t.args)
    return all(is_of_source) if function.source is not None else float_format(t.args[0], names) is None


def number_in(f: FloatFormat | None, t: Term, arg: InfixTexts, level: int) -> str:
    """The text of an operand, of a constant as a number of the format."""
    if f is None or not t.is_constant:
        return arg(t, level)
    text = to_text(f, t.value)
    return f"({text})" if text.startswith("-") and level > UNARY else text


def operation_text(t: Term, arg: InfixTexts) -> InfixText:
    """The text of an operation."""
    function = t.function
    assert isinstance(function, FloatFunction)
    source = function.source
    if function.operation in INFIX:
        sign = INFIX[function.operation]
        level = SUM if sign in "+-" else PRODUCT
        left, right = (number_in(source, one, arg, level + at) for at, one in enumerate(t.args))
        return f"{left} {sign} {right}", level
    match function.operation:
        case FloatOperation.OF_INT | FloatOperation.CONVERT:
            return f"({spelled(function.format)}){arg(t.args[0], ATOM)}", UNARY
        case FloatOperation.TO_INT if function.detail in _TYPES:
            return f"({_TYPES[function.detail]}){arg(t.args[0], ATOM)}", UNARY
        case _:
            name = _NAMES.get((function.operation, function.format, function.detail), function.name)
            return f"{name}({', '.join(number_in(source, one, arg, ITE) for one in t.args)})", ATOM


# Comparisons


@dataclass(frozen=True, slots=True)
class FloatRange:
    """The condition that the ordinal of a number is between two, or, if negated, that it is not."""

    term: Term
    format: FloatFormat
    low: int
    high: int
    negated: bool = False

    def opposite(self) -> FloatRange:
        """The negation, without the sign of negation where that is a range."""
        f = self.format
        if not self.negated and self.low <= f.minimum:
            return FloatRange(self.term, f, self.high + 1, f.nan)
        if not self.negated and self.high >= f.nan:
            return FloatRange(self.term, f, f.minimum, self.low - 1)
        return FloatRange(self.term, f, self.low, self.high, not self.negated)

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.term,)

    def text(self, arg: InfixTexts, and_: str) -> InfixText:
        f = self.format
        return _inside(self, max(self.low, f.minimum), min(self.high, f.nan), self.negated, arg, and_)

    def meet(self, other: FloatRange) -> FloatRange:
        """Both, which are not negated."""
        return FloatRange(self.term, self.format, max(self.low, other.low), min(self.high, other.high))


@dataclass(frozen=True, slots=True)
class FloatComparison:
    """A comparison of two numbers as C has it."""

    left: Term
    sign: str
    right: Term
    negated: bool = False

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.left, self.right

    def opposite(self) -> FloatComparison:
        """The negation."""
        return FloatComparison(self.left, self.sign, self.right, not self.negated)

    def text(self, arg: InfixTexts, _and: str) -> InfixText:
        if self.negated and self.sign != "==":
            return f"!({arg(self.left, SUM)} {self.sign} {arg(self.right, SUM)})", UNARY
        sign = "!=" if self.negated else self.sign
        return f"{arg(self.left, SUM)} {sign} {arg(self.right, SUM)}", COMPARE


def range_of(literal: LinearLiteral, names: SymbolNames) -> FloatRange | None:
    """The range that a comparison with a constant is about; None for other comparisons."""
    match literal.body:
        case Sum(((1 | -1 as factor, Term() as t),), constant):
            f = float_format(t, names)
        case _:
            return None
    if f is None:
        return None
    end = -factor * constant
    low, high = (f.minimum if factor > 0 else end), (end if factor > 0 else f.nan)
    found = FloatRange(t, f, low, high) if literal.op is Op.LE else FloatRange(t, f, end, end)
    return found.opposite() if literal.negated else found


def order_of(literal: LinearLiteral, names: SymbolNames) -> tuple[Term, str, Term] | None:
    """The order of two numbers that a comparison is about: `<=`, `<`, `==` or `!=` of their ordinals."""
    match literal.body:
        case Sum(((1, Term() as x), (-1, Term() as y)), constant):
            pass
        case Sum(((-1, Term() as y), (1, Term() as x)), constant):
            pass
        case _:
            return None
    f = float_format(x, names)
    if f is None or float_format(y, names) != f:
        return None
    if literal.op is Op.EQ:
        return None if constant else (x, "!=" if literal.negated else "==", y)
    if constant not in (0, 1):
        return None
    if literal.negated:
        return y, "<=" if constant else "<", x
    return x, "<" if constant else "<=", y


def _inside(r: FloatRange, low: int, high: int, negated: bool, arg: InfixTexts, and_: str) -> InfixText:
    f, x = r.format, r.term
    not_, is_not = ("!", "") if negated else ("", "!")
    if low > high or (low, high) == (f.minimum, f.nan):
        return str(int((low <= high) != negated)), ATOM
    if low == f.nan:
        return f"{not_}isnan({arg(x, ITE)})", UNARY
    if high == f.nan:
        return _inside(r, f.minimum, low - 1, not negated, arg, and_)
    if (low, high) == (f.minimum, f.infinity):
        return f"{is_not}isnan({arg(x, ITE)})", UNARY
    if (low, high) == (f.minimum + 1, f.infinity - 1):
        return f"{not_}isfinite({arg(x, ITE)})", UNARY
    sign = f"{'!' if low == 0 else ''}signbit({arg(x, ITE)})" if low == 0 or high == -1 else ""
    first, last = -1 if low == 0 else low, 0 if high == -1 else high
    if first == last or (first, last) == (-1, 0):
        equal = "!=" if negated and not sign else "=="
        text, negated = f"{arg(x, SUM)} {equal} {_number(f, last)}", negated and bool(sign)
    else:
        text = _between(f, arg(x, SUM), first, last, bool(sign))
    if negated:
        return f"!({text}{and_ if sign else ''}{sign})", UNARY
    return (f"{text}{and_}{sign}", AND) if sign else (text, COMPARE)


def _between(f: FloatFormat, x: str, low: int, high: int, is_signed: bool) -> str:
    """A number between two, of which no end is a zero where another one would be inside, as comparisons of C.

    Where its sign is given, an end at zero is needed only to exclude NaN.
    """
    has_low = low != f.minimum and not (is_signed and low == -1 and high < f.infinity)
    has_high = high != f.infinity and not (is_signed and high == 0 and low > f.minimum)
    below, above = (_number(f, low), "<="), (_number(f, high), "<=")
    if len(_number(f, low - 1)) < len(below[0]):
        below = _number(f, low - 1), "<"
    if len(_number(f, high + 1)) < len(above[0]):
        above = _number(f, high + 1), "<"
    if has_low and has_high:
        return f"{below[0]} {below[1]} {x} {above[1]} {above[0]}"
    return f"{x} {above[1]} {above[0]}" if has_high else f"{x} {below[1].replace('<', '>')} {below[0]}"


def _number(f: FloatFormat, ordinal: int) -> str:
    return to_text(f, 0 if ordinal == -1 else ordinal)


def literal_text(literal: LinearLiteral, arg: InfixTexts, and_: str, names: SymbolNames) -> InfixText | None:
    """The text of a comparison of numbers; None where it is none, or cannot be said in C."""
    known = range_of(literal, names)
    if known is not None:
        return known.text(arg, and_)
    order = order_of(literal, names)
    return None if order is None else _order_text(*order, arg)


def is_told_comparison(literal: LinearLiteral, names: SymbolNames) -> bool:
    """Whether a comparison is none of numbers, or can be said in C."""
    parts = [part for _, part in literal.body.parts if isinstance(part, Term)]
    is_known = range_of(literal, names) is not None or order_of(literal, names) is not None
    return is_known or all(float_format(part, names) is None for part in parts)


def _order_text(left: Term, sign: str, right: Term, arg: InfixTexts) -> InfixText:
    """The order of two ordinals, where NaN is last and equal to itself, and -0 is before +0, in C."""
    x, y = arg(left, SUM), arg(right, SUM)
    a, b = arg(left, ITE), arg(right, ITE)
    match sign:
        case "==":
            text = f"(isnan({a}) && isnan({b})) || ({x} == {y} && !signbit({a}) == !signbit({b}))"
            return text, OR
        case "<=":
            return f"isnan({b}) || {x} < {y} || ({x} == {y} && !signbit({a}) <= !signbit({b}))", OR
        case "!=":
            return f"!({_order_text(left, '==', right, arg)[0]})", UNARY
        case _:
            return f"!({_order_text(right, '<=', left, arg)[0]})", UNARY


# Conjunctions and disjunctions

FloatPart = Term | FloatRange | FloatComparison


def joined_parts(parts: Sequence[Term], names: SymbolNames, *, is_conjunction: bool) -> list[FloatPart]:
    """The parts, with one for all ranges of a number, and with comparisons of C."""
    ranges: dict[Term, FloatRange] = {}
    place: dict[Term, int] = {}
    found: list[FloatPart | None] = list(parts)
    for number, part in enumerate(parts):
        literal = plain_literal(part)
        one = None if literal is None else range_of(literal, names)
        if one is not None and not is_conjunction:
            one = one.opposite()
        if one is None or one.negated:
            continue
        known = ranges.get(one.term)
        ranges[one.term] = one if known is None else known.meet(one)
        place.setdefault(one.term, number)
        found[number] = None
    for x, number in place.items():
        is_all = ranges[x].low <= ranges[x].format.minimum and ranges[x].high >= ranges[x].format.nan
        if not is_all or not any(found):
            found[number] = ranges[x] if is_conjunction else ranges[x].opposite()
    if is_conjunction:
        _compare(found, ranges, place, names)
    else:
        _equate(found, names)
    return [one for one in found if one is not None]


def opposite_of(t: Term, names: SymbolNames) -> FloatRange | FloatComparison | None:
    """The negation of a conjunction or disjunction that is one range, or one comparison of C; None for others."""
    match joined_parts(t.args, names, is_conjunction=t.is_conjunction):
        case [FloatRange() | FloatComparison() as alone]:
            return alone.opposite()
        case _:
            return None


def _equate(found: list[FloatPart | None], names: SymbolNames) -> None:
    """Replaces equality of ordinals that are no NaN, or both zeros, by that of C."""
    zeros: dict[frozenset[Term], int] = {}
    equal: list[tuple[int, Term, Term]] = []
    for number, part in enumerate(found):
        if not isinstance(part, Term) or not part.is_conjunction or len(part.args) > 4:
            continue
        match joined_parts(part.args, names, is_conjunction=True):
            case [FloatRange(low=-1, high=0) as one, FloatRange(low=-1, high=0) as other]:
                zeros[frozenset((one.term, other.term))] = number
            case [Term() as same, FloatRange() as one] | [FloatRange() as one, Term() as same]:
                literal = plain_literal(same)
                order = None if literal is None else order_of(literal, names)
                is_number = (one.low, one.high) == (one.format.minimum, one.format.infinity)
                if order is not None and order[1] == "==" and is_number and one.term in (order[0], order[2]):
                    equal.append((number, order[0], order[2]))
            case _:
                pass
    for number, x, y in equal:
        where = zeros.get(frozenset((x, y)))
        if where is not None:
            found[number], found[where] = FloatComparison(x, "==", y), None


def _compare(
    found: list[FloatPart | None], ranges: dict[Term, FloatRange], place: dict[Term, int], names: SymbolNames
) -> None:
    """Replaces the order of ordinals, but for zeros and NaN, by a comparison of C: parts that say it together."""
    denied = ((number, part) for number, part in enumerate(found) if isinstance(part, Term) and part.is_negation)
    equal = {_zeros(part.args[0], "<"): number for number, part in denied}
    for number, part in enumerate(list(found)):
        order = _order(part, names)
        if order is None:
            continue
        x, sign, y = order
        known = ranges.get(y)
        if known is None or known.high > known.format.infinity or (sign == "<" and (x, y) not in equal):
            continue
        found[number] = FloatComparison(x, sign, y)
        if sign == "<":
            found[equal[(x, y)]] = None
        if known.low <= known.format.minimum and known.high == known.format.infinity:
            found[place[y]] = None


def _order(part: FloatPart | None, names: SymbolNames) -> tuple[Term, str, Term] | None:
    """The order that a part says, `<=` with the zeros that C has equal."""
    if not isinstance(part, Term):
        return None
    if part.is_disjunction and len(part.args) == 2:
        for one, other in (part.args, part.args[::-1]):
            literal = plain_literal(one)
            order = None if literal is None else order_of(literal, names)
            if order is not None and order[1] == "<=" and _zeros(other, "<=") == (order[0], order[2]):
                return order
        return None
    literal = plain_literal(part)
    order = None if literal is None else order_of(literal, names)
    return order if order is not None and order[1] == "<" else None


def _zeros(part: Term, sign: str) -> tuple[Term, Term] | None:
    """The `x` and `y` of `x == -0.0 && y == 0.0`, by which `<` differs, or of the converse, by which `<=` does."""
    if not part.is_conjunction or len(part.args) != 2 or not all(one.is_equation for one in part.args):
        return None
    values = {one.value: one.args[0] for one in part.args}
    if values.keys() != {-1, 0}:
        return None
    return (values[-1], values[0]) if sign == "<" else (values[0], values[-1])
