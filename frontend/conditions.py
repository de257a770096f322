"""Conditions that users type about a lowered program, such as `i <= n`: C expressions to terms.

They are read in the scope of a location: the variables of its function, and globals. Integers are mathematical here,
so nothing wraps around but what is converted, as in `(int)(x + 1)`; division rounds towards zero as in C. What formulas
are shown with is understood: also `2³¹`, and bit operators where the program has some. Deviation: a condition is read
against the variables of the program, not its text, so what memory holds has no name here (`p->x` where `p` may point
anywhere). Conditions are hints: a verdict never rests on what one says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from core.program import Program, Variable, terms_of
from core.run.events import Place
from core.terms import BOOL, INT, Arena, ArraySort, Op, Term
from core.terms.wraparound import ends_of, plain_sum
from frontend.acsl import syntax
from frontend.acsl.parser import parse_condition
from frontend.acsl.syntax import Formula
from frontend.source import ParseError, Span
from frontend.typed.ctype import Integer, IntegerKind

NAME = "condition"
"""What stands for the file in the spans of errors."""
_LONGEST = 2_000  # characters; formulas are read by recursion
_DEEPEST = 100  # open parentheses

_MARKS = {"~": "\N{MODIFIER LETTER TRIANGULAR COLON}", "!": "\N{LATIN LETTER RETROFLEX CLICK}"}
"""Letters that stand for the signs in names (`i~2`, renamed; `tmp!0`, a temporary) while they are read."""


def read_condition(program: Program, place: Place | None, text: str) -> Term:
    """The Boolean term that `text` means at a place (None: over globals). Raises `FrontendError` with a column."""
    _refuse_monsters(text)
    if place is not None and not 0 <= place[1] < len(program.locations):
        raise ParseError(Span(NAME, 1, 1, 1, 1), "the program has no such location")
    formula = parse_condition(_with_marked_names(text), NAME)
    found = _Reader(program, place).truth(formula)
    if found.op is Op.CONSTANT:
        raise ParseError(formula.span, f"this is always {'true' if found.is_true else 'false'}: it tells nothing apart")
    return found


def names_at(program: Program, place: Place | None) -> tuple[str, ...]:
    """The names that a condition may use at a place, in the order of their declaration; the function's own first."""
    return tuple(_visible(program, place))


def _refuse_monsters(text: str) -> None:
    deepest = depth = 0
    for sign in text:
        depth += (sign in "([!-~") - (sign in ")]")
        deepest = max(deepest, depth)
    if len(text) > _LONGEST or deepest > _DEEPEST:
        raise ParseError(Span(NAME, 1, 1, 1, 1), "this condition is too long")


def _with_marked_names(text: str) -> str:
    """The text with `i~2` and `tmp!0` as words of the same length."""
    letters = list(text)
    for position in range(1, len(text) - 1):
        if text[position] in _MARKS and text[position - 1].isalnum() and text[position + 1].isdigit():
            letters[position] = _MARKS[text[position]]
    return "".join(letters)


def _without_marks(name: str) -> str:
    for sign, letter in _MARKS.items():
        name = name.replace(letter, sign)
    return name


def _visible(program: Program, place: Place | None) -> Mapping[str, Term]:
    """The variables by name at a place: those of the function hide globals. Renamed ones have both of their names."""
    function = program.locations[place[1]].function if place is not None else None
    own = [one for one in program.variables.values() if one.scope is not None and one.scope == function]
    others = [one for one in program.variables.values() if one.scope is None]
    found: dict[str, Term] = {}
    for variable in (*own, *others):
        found.setdefault(_short(variable.symbol.name), variable.symbol)
    for name, candidates in _by_source_name(own).items():
        if len(candidates) > 1 and place is not None:
            found[name] = _nearest(program, place[1], candidates)
    return found


def _by_source_name(variables: list[Variable]) -> dict[str, list[Term]]:
    found: dict[str, list[Term]] = {}
    for variable in variables:
        found.setdefault(_short(variable.symbol.name).partition("~")[0], []).append(variable.symbol)
    return found


def _short(name: str) -> str:
    return name.rpartition("::")[2]


def _nearest(program: Program, location: int, candidates: list[Term]) -> Term:
    """Of variables with one name in the source, the one that the next steps talk about.

    Heuristic: which declarations are in scope at a location is not known any more.
    """
    wanted = frozenset(candidates)
    waiting, seen = deque([location]), {location}
    while waiting:
        for edge in program.out_edges[waiting.popleft()]:
            for term in terms_of(edge):
                for symbol in sorted(term.symbols() & wanted, key=lambda s: s.name):
                    return symbol
            if edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return candidates[0]


class _Reader:
    """Turns one formula into a term."""

    def __init__(self, program: Program, place: Place | None) -> None:
        self._program = program
        self._arena: Arena = program.arena
        self._names = _visible(program, place)

    def truth(self, formula: Formula) -> Term:
        found = self._term(formula)
        return found if found.sort == BOOL else self._arena.not_(self._arena.equals(found, self._arena.zero))

    def _integer(self, formula: Formula) -> Term:
        found = self._term(formula)
        return self._arena.ite(found, self._arena.one, self._arena.zero) if found.sort == BOOL else found

    def _term(self, formula: Formula) -> Term:
        a = self._arena
        match formula:
            case syntax.Number(value=value):
                return a.integer(value)
            case syntax.Truth(value=value):
                return a.boolean(value)
            case syntax.Null():
                return a.zero
            case syntax.Name() | syntax.Selection() | syntax.Subscript():
                return self._read(formula)
            case syntax.Comparison(operators=operators, operands=operands):
                values = [self._integer(one) for one in operands]
                pairs = zip(operators, values, values[1:], strict=False)
                return a.and_(*(_COMPARISONS[operator](a, left, right) for operator, left, right in pairs))
            case syntax.Choice(condition=condition, then=then, otherwise=otherwise):
                parts = [self._term(then), self._term(otherwise)]
                if any(part.sort != BOOL for part in parts):
                    parts = [self._integer(then), self._integer(otherwise)]
                return a.ite(self.truth(condition), *parts)
            case syntax.Conversion():
                return self._converted(formula)
            case syntax.Prefix():
                return self._prefix(formula)
            case syntax.Infix():
                return self._infix(formula)
            case _:
                raise ParseError(formula.span, "quantifiers and other logic cannot stand here: write a C condition")

    def _read(self, formula: syntax.Name | syntax.Selection | syntax.Subscript) -> Term:
        found = self._object(formula)
        if found.sort != INT:
            raise ParseError(formula.span, "this is an array: write one element of it, such as x[0]")
        return found

    def _object(self, formula: Formula) -> Term:
        """A variable, a member or an element, which may be an array."""
        match formula:
            case syntax.Subscript(base=base, index=index):
                array = self._object(base)
                if not isinstance(array.sort, ArraySort):
                    raise ParseError(base.span, "this is no array that has a name")
                return self._arena.select(array, self._integer(index))
            case syntax.Name() | syntax.Selection():
                name = _name_of(formula)
                if name is None or name not in self._names:
                    raise ParseError(formula.span, self._unknown(name))
                return self._names[name]
            case _:
                raise ParseError(formula.span, "this is no array that has a name")

    def _unknown(self, name: str | None) -> str:
        if name is None:
            return "what memory holds has no name here: use variables"
        known = ", ".join(one for one in self._names if one.isidentifier() and one != "return")
        return f"there is no variable {name} here" + (f"; there are {known}" if known else "")

    def _converted(self, formula: syntax.Conversion) -> Term:
        """As lowering wraps it around, so that it is the term of the program where that has it."""
        from frontend.lowering.arithmetic import (
            BoundedTerm,  # with these comes the parser of C, which a window may not need
        )
        from frontend.lowering.linear_bits import LinearBits

        type_ = _TYPES.get(formula.type)
        if type_ is None:
            known = ", ".join(_TYPES)
            raise ParseError(formula.span, f"the size of ({formula.type}) is not known here; there are {known}")
        value = self._integer(formula.operand)
        ends = ends_of(plain_sum(value), self._bounds) or (-_FAR, _FAR)
        return LinearBits(self._arena, lambda _: None).settle(BoundedTerm(value, *ends), type_).term

    def _bounds(self, symbol: Term) -> tuple[int, int] | None:
        known = self._program.range_of(symbol)
        return None if known is None else (known.low, known.high)

    def _prefix(self, formula: syntax.Prefix) -> Term:
        a, operand = self._arena, formula.operand
        match formula.operator:
            case "!":
                return a.not_(self.truth(operand))
            case "-":
                return a.negate(self._integer(operand))
            case "+":
                return self._integer(operand)
            case "~":
                return a.subtract(a.negate(self._integer(operand)), a.one)
            case _:
                raise ParseError(formula.span, "what memory holds has no name here: use variables")

    def _infix(self, formula: syntax.Infix) -> Term:
        a = self._arena
        connective = _CONNECTIVES.get(formula.operator)
        if connective is not None:
            return connective(a, self.truth(formula.left), self.truth(formula.right))
        operation = _ARITHMETIC.get(formula.operator)
        if formula.operator in _BITS:
            if not self._program.uses_bits:
                words = f"the program is read without bits: the operator {formula.operator} cannot stand in a condition"
                raise ParseError(formula.span, words)
            operation = _BITS[formula.operator]
        if operation is None:
            raise ParseError(formula.span, f"the operator {formula.operator} cannot stand in a condition")
        left, right = self._integer(formula.left), self._integer(formula.right)
        inner = _shown_remainder(formula)
        if inner is not None and right.op is Op.CONSTANT and right.value > 0:
            return a.modulo(self._integer(inner), right)
        if formula.operator in ("/", "%") and (right.op is not Op.CONSTANT or right.value <= 0):
            raise ParseError(formula.right.span, "divide by a positive number")
        if formula.operator in ("<<", ">>") and not (right.op is Op.CONSTANT and 0 <= right.value < _WIDEST):
            raise ParseError(formula.right.span, f"shift by a number from 0 to {_WIDEST - 1}")
        return operation(a, left, right)


def _name_of(formula: Formula) -> str | None:
    """`x` or `s.a.b` as the program names it."""
    parts: list[str] = []
    while isinstance(formula, syntax.Selection) and not formula.arrow:
        parts.append(formula.field)
        formula = formula.base
    if not isinstance(formula, syntax.Name):
        return None
    return ".".join((_without_marks(formula.name), *reversed(parts)))


def _shown_remainder(formula: Formula) -> Formula | None:
    """The `x` of `(x % 3 + 3) % 3`, as a remainder that is never negative is shown in C."""
    match formula:
        case syntax.Infix(
            operator="%",
            left=syntax.Infix(
                operator="+",
                left=syntax.Infix(operator="%", left=inner, right=syntax.Number(value=first)),
                right=syntax.Number(value=second),
            ),
            right=syntax.Number(value=third),
        ) if first == second == third:
            return inner
        case _:
            return None


def _quotient(a: Arena, left: Term, right: Term) -> Term:
    """Rounded towards zero, by a positive number."""
    negative = a.lt(left, a.zero)
    return a.ite(negative, a.negate(a.divide(a.negate(left), right)), a.divide(left, right))


def _remainder(a: Arena, left: Term, right: Term) -> Term:
    return a.subtract(left, a.multiply(right, _quotient(a, left, right)))


_Operation = Callable[[Arena, Term, Term], Term]
_COMPARISONS: Mapping[str, _Operation] = {
    "<": lambda a, x, y: a.lt(x, y),
    "<=": lambda a, x, y: a.le(x, y),
    ">": lambda a, x, y: a.gt(x, y),
    ">=": lambda a, x, y: a.ge(x, y),
    "==": lambda a, x, y: a.equals(x, y),
    "!=": lambda a, x, y: a.not_(a.equals(x, y)),
}
_CONNECTIVES: Mapping[str, _Operation] = {
    "&&": lambda a, x, y: a.and_(x, y),
    "||": lambda a, x, y: a.or_(x, y),
    "==>": lambda a, x, y: a.implies(x, y),
    "<==>": lambda a, x, y: a.iff(x, y),
}
_ARITHMETIC: Mapping[str, _Operation] = {
    "+": lambda a, x, y: a.add(x, y),
    "-": lambda a, x, y: a.subtract(x, y),
    "*": lambda a, x, y: a.multiply(x, y),
    "/": _quotient,
    "%": _remainder,
}
_BITS: Mapping[str, _Operation] = {
    "&": lambda a, x, y: a.bit_and(x, y),
    "|": lambda a, x, y: a.bit_or(x, y),
    "^": lambda a, x, y: a.bit_xor(x, y),
    "<<": lambda a, x, y: a.shift_left(x, y),
    ">>": lambda a, x, y: a.shift_right(x, y),
}
_TYPES: Mapping[str, Integer] = {
    name: Integer(kind, bits, signed)
    for kind, bits, signed, names in (
        (IntegerKind.INT, 32, True, ("int", "int32_t")),
        (IntegerKind.UINT, 32, False, ("unsigned", "unsigned int", "uint32_t")),
        (IntegerKind.SHORT, 16, True, ("short", "int16_t")),
        (IntegerKind.USHORT, 16, False, ("unsigned short", "uint16_t")),
        (IntegerKind.SCHAR, 8, True, ("signed char", "int8_t")),
        (IntegerKind.UCHAR, 8, False, ("unsigned char", "uint8_t")),
        (IntegerKind.LLONG, 64, True, ("long long", "int64_t")),
        (IntegerKind.ULLONG, 64, False, ("unsigned long long", "uint64_t")),
    )
    for name in names
}
"""Types whose size does not depend on the data model, by their names."""
_FAR = 1 << 512
_WIDEST = 128
