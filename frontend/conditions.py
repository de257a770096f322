"""Formulas about a lowered program as text: conditions that users type, such as `i <= n`, and what is shown.

They are read at a location: names are those of `core/program/naming.py`. Integers are mathematical here, so nothing
wraps around but what is converted, as in `(int)(x + 1)`; floating-point numbers are those of C. Division rounds towards
zero as in C, but for divisors below 0. Law: the text of a formula (`to_readable_c` with these names) is read as an
equivalent one. Conditions are hints: a verdict never rests on what one says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from core.program import Program
from core.program.naming import ENTRY, INPUT, REACHES, SYMBOL, Naming
from core.terms import BOOL, INT, INT_ARRAY, Arena, ArraySort, Term
from core.terms.wraparound import ends_of, plain_sum
from frontend.acsl import syntax
from frontend.acsl.accesses import ObjectAccess, address, behind, named, read
from frontend.acsl.parser import parse_condition
from frontend.acsl.syntax import Formula
from frontend.large_stack import run_on_large_stack
from frontend.source import ParseError, Span
from frontend.typed.ctype import Integer, IntegerKind
from runs.events import Place

if TYPE_CHECKING:
    from frontend.acsl.float_conditions import FloatConditions

NAME = "condition"
"""File name in the spans of errors."""
_LONGEST = 2_000  # characters; formulas are read by recursion
_DEEPEST = 100  # open parentheses


def read_condition(program: Program, place: Place | None, text: str) -> Term:
    """The Boolean term that `text` means at a place (None: over globals). Raises `FrontendError` with a column."""
    _refuse_monsters(text)
    if place is not None and not 0 <= place[1] < len(program.locations):
        raise ParseError(Span(NAME, 1, 1, 1, 1), "the program has no such location")
    formula = parse_condition(text, NAME)
    found = _FormulaReader(Naming(program, place), shown=False).truth(formula)
    if found.is_constant:
        raise ParseError(formula.span, f"this is always {'true' if found.is_true else 'false'}: it tells nothing apart")
    return found


def read_shown(program: Program, place: Place | None, text: str, ghosts: Collection[Term] = ()) -> Term:
    """The same for the text of a formula that is shown, of any length: it may have quantifiers and all operators, and
    speak about symbols that the program does not have.
    """
    reader = _FormulaReader(Naming(program, place), shown=True, ghosts=ghosts)
    return run_on_large_stack(lambda: reader.truth(parse_condition(text, NAME)))


def names_at(program: Program, place: Place | None) -> tuple[str, ...]:
    """The names that a condition may use at a place, in the order of their declaration; the function's own first."""
    return Naming(program, place).names()


def _refuse_monsters(text: str) -> None:
    deepest = depth = 0
    for sign in text:
        depth += (sign in "([!-~") - (sign in ")]")
        deepest = max(deepest, depth)
    if len(text) > _LONGEST or deepest > _DEEPEST:
        raise ParseError(Span(NAME, 1, 1, 1, 1), "this condition is too long")


class _FormulaReader:
    """Turns one formula into a term. `shown`: it is one that is shown, not one that a user types."""

    def __init__(self, naming: Naming, *, shown: bool, ghosts: Collection[Term] = ()) -> None:
        self._naming, self._program, self._shown = naming, naming.program, shown
        self._ghosts = {one.name: one for one in ghosts}
        self._arena: Arena = naming.program.arena
        self._bound: dict[str, Term] = {}

    @cached_property
    def _floats(self) -> FloatConditions | None:
        """Reads floating-point numbers; None where the program has none."""
        if not self._naming.has_floats:
            return None
        from frontend.acsl.float_conditions import FloatConditions  # what only programs with such numbers need

        return FloatConditions(self._naming, self._read, self._integer, self.truth)

    def truth(self, formula: Formula) -> Term:
        number = self._floats.holds(formula) if self._floats else None
        if number is not None:
            return number
        found = self._term(formula)
        return found if found.sort == BOOL else self._arena.not_(self._arena.equals(found, self._arena.zero))

    def _integer(self, formula: Formula) -> Term:
        if self._floats and self._floats.value(formula) is not None:
            raise ParseError(formula.span, "a floating-point number cannot stand here")
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
            case syntax.Name(name="true" | "false" as word) if self._naming.find(word) is None:
                return a.boolean(word == "true")
            case syntax.Name(name="null" | "NULL" as word) if self._naming.find(word) is None:
                return a.zero
            case syntax.Name() | syntax.Selection() | syntax.Subscript():
                return self._read(formula)
            case syntax.Prefix(operator="*") | syntax.Prefix(operator="&"):
                return self._read(formula)
            case syntax.Result():
                return self._read(syntax.Name(formula.span, "\\result"))
            case syntax.Old():
                return self._read(formula)
            case syntax.Comparison(operators=operators, operands=operands):
                pairs = zip(operators, operands, operands[1:], strict=False)
                return a.and_(*(self._compared(operator, left, right) for operator, left, right in pairs))
            case syntax.FloatPredicate() if self._floats:
                return self._floats.predicate(formula)
            case syntax.Real():
                raise ParseError(formula.span, "the program has no floating-point numbers")
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
            case syntax.LeadsTo(field=field, start=start, end=end) if f"{REACHES}{field}" in self._ghosts:
                reached = self._arena.select(self._ghosts[f"{REACHES}{field}"], self._integer(start))
                return self._arena.select(reached, self._integer(end))
            case syntax.Quantified() if self._shown:
                return self._quantified(formula)
            case _:
                raise ParseError(formula.span, "quantifiers and other logic cannot stand here: write a C condition")

    def _compared(self, operator: str, left: Formula, right: Formula) -> Term:
        found = self._floats.compared(operator, left, right) if self._floats else None
        return found or _COMPARISONS[operator](self._arena, self._integer(left), self._integer(right))

    def _quantified(self, formula: syntax.Quantified) -> Term:
        before = dict(self._bound)
        bound = {one.name: self._arena.symbol(one.name, INT) for one in formula.binders}
        self._bound.update(bound)
        body = self.truth(formula.body)
        self._bound = before
        if formula.quantor is syntax.Quantor.FORALL:
            return self._arena.forall(tuple(bound.values()), body)
        return self._arena.not_(self._arena.forall(tuple(bound.values()), self._arena.not_(body)))

    # Objects

    def _read(self, formula: Formula) -> Term:
        found = self._value(formula)
        if isinstance(found.sort, ArraySort):
            raise ParseError(formula.span, "this is an array: write one element of it, such as x[0]")
        return found

    def _value(self, formula: Formula) -> Term:
        """The value of a name, a member, an element or an address; it may be an array."""
        plain = self._plain(formula)
        if plain is not None:
            return plain
        if isinstance(formula, syntax.Prefix) and formula.operator == "&":
            found = address(self._naming, self._access(formula.operand))
            if found is None:
                raise ParseError(formula.span, "this has no address in the program")
            return found
        value = read(self._naming, self._access(formula))
        if value is None:
            raise ParseError(formula.span, "this has no value of its own: write a scalar member or element of it")
        return value

    def _plain(self, formula: Formula) -> Term | None:
        """Values that are no parts of objects: quantified variables, enumerators, symbols, elements of other arrays."""
        match formula:
            case syntax.Name(name=name) if name in self._bound:
                return self._bound[name]
            case syntax.Name(name=name) if name in self._ghosts:
                return self._ghosts[name]
            case syntax.Name(name=name) if name.startswith((SYMBOL, INPUT)):
                return self._symbol(formula, name.partition("(")[2].removesuffix(")"))
            case syntax.Old(operand=copied) if (value := self._value(copied)) in self._program.variables:
                return self._arena.symbol(f"{value.name}{ENTRY}", value.sort)
            case syntax.Name(name=name) if self._naming.find(name) is None and name in self._naming.enumerators:
                return self._arena.integer(self._naming.enumerators[name])
            case syntax.Update(array=array, index=index, value=value):
                return self._arena.store(self._value(array), self._integer(index), self._integer(value))
            case syntax.Filled(value=value):
                return self._arena.const_array(INT_ARRAY, self._integer(value))
            case syntax.Choice() if not self._is_scalar(formula):
                parts = [self._value(formula.then), self._value(formula.otherwise)]
                return self._arena.ite(self.truth(formula.condition), *parts)
            case syntax.Subscript(base=base, index=index):
                whole = self._array(base)
                return None if whole is None else self._arena.select(whole, self._integer(index))
            case _:
                return None

    def _is_scalar(self, choice: syntax.Choice) -> bool:
        return not isinstance(choice.then, syntax.Name | syntax.Update | syntax.Filled) or (
            isinstance(choice.then, syntax.Name) and self._value(choice.then).sort == INT
        )

    def _symbol(self, formula: Formula, name: str) -> Term:
        """A variable or an input by the name that the program has for it; also copies of variables."""
        if name in self._ghosts:
            return self._ghosts[name]
        known = (*self._program.variables, *self._program.inputs)
        found = [one for one in known if name == one.name or name.startswith((f"{one.name}#", f"{one.name}!"))]
        if not found:
            raise ParseError(formula.span, f"the program has no symbol {name}")
        return self._arena.symbol(name, max(found, key=lambda one: len(one.name)).sort)

    def _array(self, formula: Formula) -> Term | None:
        """An array that is written as a whole; None for what is a part of an object."""
        is_plain = isinstance(formula, syntax.Name | syntax.Update | syntax.Filled | syntax.Subscript)
        is_choice = isinstance(formula, syntax.Choice) and not self._is_scalar(formula)
        found = self._plain(formula) if is_plain or is_choice else None
        return found if found is not None and isinstance(found.sort, ArraySort) else None

    def _access(self, formula: Formula) -> ObjectAccess:
        match formula:
            case syntax.Name(name=name):
                found = named(self._naming, name)
                if found is None:
                    raise ParseError(formula.span, self._unknown(name))
                return found
            case syntax.Selection(base=base, arrow=False, field=field):
                return self._access(base).member(field)
            case syntax.Selection(base=base, field=field):
                return self._pointed(base, self._arena.zero).member(field)
            case syntax.Prefix(operator="*", operand=operand):
                return self._pointed(operand, self._arena.zero)
            case syntax.Subscript(base=base, index=index):
                position, pointer = self._integer(index), self._pointer(base)
                return self._access(base).element(position) if pointer is None else self._pointed(base, position)
            case _:
                raise ParseError(formula.span, "this is no object that has a name")

    def _pointer(self, formula: Formula) -> Term | None:
        """The value of a pointer; None for arrays, and for what has no value of its own."""
        if isinstance(formula, syntax.Conversion):
            return None
        value = self._plain(formula) or read(self._naming, self._access(formula))
        return value if value is not None and value.sort == INT else None

    def _pointed(self, formula: Formula, index: Term) -> ObjectAccess:
        """The target of a pointer."""
        if isinstance(formula, syntax.Conversion):
            pointer, target = self._integer(formula.operand), self._naming.typed.get(_target_of(formula.type))
        else:
            found = self._pointer(formula)
            if found is None:
                raise ParseError(formula.span, "this is no pointer")
            pointer, target = found, self._naming.target(found)
        if target is None:
            raise ParseError(formula.span, "it is not known what this points to")
        return behind(pointer, target, index, self._arena)

    def _unknown(self, name: str) -> str:
        known = ", ".join(one for one in self._naming.names() if one.isidentifier())
        return f"there is no variable {name} here" + (f"; there are {known}" if known else "")

    def _converted(self, formula: syntax.Conversion) -> Term:
        """The sum as lowering wraps it around, so that it is the term of the program where that has it."""
        from frontend.lowering.arithmetic import (
            BoundedTerm,  # with these comes the parser of C, which a window may not need
        )
        from frontend.lowering.linear_bits import LinearBits

        type_ = _TYPES.get(formula.type)
        if type_ is None:
            known = ", ".join(_TYPES)
            raise ParseError(formula.span, f"the size of ({formula.type}) is not known here; there are {known}")
        number = self._floats.truncated(formula.operand, type_) if self._floats else None
        if number is not None:
            return number
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
                raise ParseError(formula.span, f"the operator {formula.operator} cannot stand in a condition")

    def _infix(self, formula: syntax.Infix) -> Term:
        a = self._arena
        connective = _CONNECTIVES.get(formula.operator)
        if connective is not None:
            return connective(a, self.truth(formula.left), self.truth(formula.right))
        operation = _ARITHMETIC.get(formula.operator)
        if formula.operator in _BITS:
            if not (self._shown or self._program.uses_bits):
                words = f"the program is read without bits: the operator {formula.operator} cannot stand in a condition"
                raise ParseError(formula.span, words)
            operation = _BITS[formula.operator]
        if operation is None:
            raise ParseError(formula.span, f"the operator {formula.operator} cannot stand in a condition")
        left, right = self._integer(formula.left), self._integer(formula.right)
        inner = _shown_remainder(formula)
        if inner is not None and right.is_constant and right.value > 0:
            return a.modulo(self._integer(inner), right)
        if self._shown:
            return operation(a, left, right)
        if formula.operator in ("/", "%") and (not right.is_constant or right.value <= 0):
            raise ParseError(formula.right.span, "divide by a positive number")
        if formula.operator in ("<<", ">>") and not (right.is_constant and 0 <= right.value < _WIDEST):
            raise ParseError(formula.right.span, f"shift by a number from 0 to {_WIDEST - 1}")
        return operation(a, left, right)


def _target_of(pointer: str) -> str:
    """`struct node` for `struct node *`."""
    return pointer.removesuffix("*").rstrip()


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
    """Rounded towards zero where the divisor is positive."""
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
