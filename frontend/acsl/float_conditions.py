"""Floating-point numbers in conditions about a run: constants, comparisons and operations mean what they do in C.

Operands get the type that C gives them, integers too, so `x <= 0.1` about a `float` compares it as a `double`.
"""

from __future__ import annotations

from collections.abc import Callable

from core.program.naming import Naming
from core.terms import INT, Arena, Term
from core.terms.float_functions import FloatOperation, float_function
from core.terms.float_text import CALLS, INFIX, float_format, is_number
from core.terms.floats import DOUBLE, EXTENDED, FLOAT, FORMATS, FloatFormat, is_zero, of_text, opposite
from frontend.acsl import syntax
from frontend.acsl.syntax import Formula
from frontend.source import ParseError
from frontend.typed.ctype import Integer

_SUFFIXES = {"f": FLOAT, "l": EXTENDED}
_CONSTANTS = {"INFINITY": FLOAT.infinity, "NAN": FLOAT.nan}
_OPERATIONS = {sign: operation for operation, sign in INFIX.items()}

_Number = tuple[Term, FloatFormat]
_Reader = Callable[[Formula], Term]


class FloatConditions:
    """Reads such numbers with names; `read` reads what has a name, `integer` integers and `truth` conditions."""

    def __init__(self, naming: Naming, read: _Reader, integer: _Reader, truth: _Reader) -> None:
        self._naming, self._read, self._integer, self._truth = naming, read, integer, truth
        self._arena: Arena = naming.program.arena
        self._known: dict[Formula, _Number | None] = {}

    def value(self, formula: Formula) -> _Number | None:
        """The ordinal that a formula means, and its format; None for what is no floating-point number."""
        if formula not in self._known:
            self._known[formula] = self._value(formula)
        return self._known[formula]

    def _value(self, formula: Formula) -> _Number | None:
        match formula:
            case syntax.Real(text=text):
                f = _SUFFIXES.get(text[-1].lower(), DOUBLE)  # a hexadecimal constant has an exponent at its end
                return self._arena.integer(of_text(f, text if f == DOUBLE else text[:-1])), f
            case syntax.Name(name="INFINITY" | "NAN" as word) if self._naming.find(word) is None:
                return self._arena.integer(_CONSTANTS[word]), FLOAT
            case syntax.Prefix(operator="-" | "+" as sign, operand=operand):
                number = self.value(operand)
                return number if number is None or sign == "+" else (self._opposite(*number), number[1])
            case syntax.Infix(operator=sign, left=left, right=right) if sign in _OPERATIONS:
                both = self._common(left, right)
                if both is None:
                    return None
                x, y, f = both
                return self._arena.compute(float_function(_OPERATIONS[sign], f), x, y), f
            case syntax.Choice(condition=condition, then=then, otherwise=otherwise):
                both = self._common(then, otherwise)
                return None if both is None else (self._arena.ite(self._truth(condition), *both[:2]), both[2])
            case syntax.Conversion(type=type_, operand=operand):
                target = FORMATS.get(type_.replace(" ", "_"))
                return None if target is None else (self._converted(operand, target), target)
            case syntax.FloatPredicate(word=word) if word in CALLS:
                operation, f, detail = CALLS[word]
                args = (self._converted(one, f) for one in formula.operands)
                return self._arena.compute(float_function(operation, f, *detail), *args), f
            case syntax.Name() | syntax.Selection() | syntax.Subscript() | syntax.Prefix(operator="*") | syntax.Old():
                term = self._read(formula)
                found = float_format(term, self._naming) if term.sort is INT else None
                return None if found is None else (term, found)
            case _:
                return None

    def _common(self, left: Formula, right: Formula) -> tuple[Term, Term, FloatFormat] | None:
        """Two operands in the type that C gives them; None where both are integers."""
        formats = [one[1] for one in (self.value(left), self.value(right)) if one is not None]
        if not formats:
            return None
        f = max(formats, key=lambda one: one.precision)
        return self._converted(left, f), self._converted(right, f), f

    def _converted(self, formula: Formula, f: FloatFormat) -> Term:
        number = self.value(formula)
        if number is None:
            return self._arena.compute(float_function(FloatOperation.OF_INT, f), self._integer(formula))
        term, given = number
        return term if given == f else self._arena.compute(float_function(FloatOperation.CONVERT, f, given), term)

    def _opposite(self, x: Term, f: FloatFormat) -> Term:
        arena = self._arena
        if x.is_constant:
            return arena.integer(opposite(f, x.value))
        other = arena.subtract(arena.integer(-1), x)
        if is_number(x):
            return other
        return arena.ite(arena.equals(x, arena.integer(f.nan)), x, other)

    def truncated(self, formula: Formula, type_: Integer) -> Term | None:
        """A number as an integer; None for what is no number."""
        number = self.value(formula)
        if number is None:
            return None
        function = float_function(FloatOperation.TO_INT, number[1], type_.minimum, type_.maximum)
        return self._arena.compute(function, number[0])

    # Conditions

    def holds(self, formula: Formula) -> Term | None:
        """Whether a number is not zero; None for what is no number."""
        number = self.value(formula)
        return None if number is None else self._arena.not_(self._arena.between(-1, number[0], 0))

    def predicate(self, formula: syntax.FloatPredicate) -> Term:
        """The answer whether a number is NaN, infinite, finite or has a sign. Raises `ParseError`."""
        found = [self.value(one) for one in formula.operands]
        number = found[0] if len(found) == 1 else None
        if number is None:
            raise ParseError(formula.span, f"{formula.word} cannot stand here")
        (x, f), a = number, self._arena
        match formula.word:
            case "isnan" | "\\is_NaN":
                return a.not_(a.le(x, a.integer(f.infinity)))
            case "isinf" | "\\is_infinite":
                return a.or_(a.equals(x, a.integer(f.minimum)), a.equals(x, a.integer(f.infinity)))
            case "isfinite" | "\\is_finite":
                return a.between(f.minimum + 1, x, f.infinity - 1)
            case "signbit":
                return a.lt(x, a.zero)
            case _:
                raise ParseError(formula.span, f"{formula.word} cannot stand in a condition")

    def compared(self, operator: str, left: Formula, right: Formula) -> Term | None:
        """A comparison as C has it; None where both operands are integers."""
        both = self._common(left, right)
        if both is None:
            return None
        x, y, f = both
        match operator:
            case "<":
                return self._less(x, y, f)
            case ">":
                return self._less(y, x, f)
            case "<=":
                return self._less_equal(x, y, f)
            case ">=":
                return self._less_equal(y, x, f)
            case "==":
                return self._equal(x, y, f)
            case _:
                return self._arena.not_(self._equal(x, y, f))

    def _less(self, x: Term, y: Term, f: FloatFormat) -> Term:
        a = self._arena
        if _is_zero(x):
            x = a.zero
        elif _is_zero(y):
            y = a.integer(-1)
        parts = [a.lt(x, y), a.le(y, a.integer(f.infinity))]
        if not (x.is_constant or y.is_constant):
            parts.append(a.not_(a.and_(a.equals(x, a.integer(-1)), a.equals(y, a.zero))))
        return a.and_(*parts)

    def _less_equal(self, x: Term, y: Term, f: FloatFormat) -> Term:
        a = self._arena
        if _is_zero(x):
            x = a.integer(-1)
        elif _is_zero(y):
            y = a.zero
        ordered = a.le(x, y)
        if not (x.is_constant or y.is_constant):
            ordered = a.or_(ordered, a.and_(a.equals(x, a.zero), a.equals(y, a.integer(-1))))
        return a.and_(ordered, a.le(y, a.integer(f.infinity)))

    def _equal(self, x: Term, y: Term, f: FloatFormat) -> Term:
        a = self._arena
        for one, other in ((x, y), (y, x)):
            if _is_zero(one):
                return a.between(-1, other, 0)
        number = a.and_(a.equals(x, y), *(a.le(one, a.integer(f.infinity)) for one in (x, y) if one.is_constant))
        if x.is_constant or y.is_constant:
            return number
        zeros = a.and_(a.between(-1, x, 0), a.between(-1, y, 0))
        return a.or_(a.and_(number, a.le(x, a.integer(f.infinity))), zeros)


def _is_zero(t: Term) -> bool:
    return t.is_constant and is_zero(t.value)
