"""Translation of formulas to C expressions that have the same value in C.

Integers of terms are mathematical, those of C wrap around, convert and divide in their own way. So each comparison is
computed in one type that holds the value of every part of it, as the ranges of the variables show: `int` where that is
enough, else `long long` or `unsigned long long` with casts. What has no such form, might be undefined (an index, a
divisor or a distance that varies too much), or speaks about what C does not name there, is left out: of a conjunction,
the other parts remain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from core.terms import BOOL, INT, Arena, Op, Term, Treatment, atoms, literals, replace_subterms, subterms
from interplay.witnesses.formats.known import Known, Names

if TYPE_CHECKING:
    from core.terms.float_text import FloatComparison, FloatPart, FloatRange
    from interplay.witnesses.formats.float_expression import FloatWriter

OTHER_OPERATORS = Treatment.OPAQUE

LARGEST = 3_000  # operators of one conjunct, as a tree
LONGEST = 16_000  # characters of one conjunct
MAX_FORGOTTEN = 4  # atoms without a form, for each of which a conjunct is doubled


def _unnamed(_: Term) -> Known | None:
    return None


@dataclass(frozen=True, slots=True)
class _Type:
    """A type that an expression is computed in."""

    cast: str
    suffix: str
    low: int
    high: int

    def holds(self, low: int, high: int) -> bool:
        return self.low <= low and high <= self.high


_TYPES = (
    _Type("", "", -(1 << 31), (1 << 31) - 1),
    _Type("(long long)", "LL", -(1 << 63), (1 << 63) - 1),
    _Type("(unsigned long long)", "ULL", 0, (1 << 64) - 1),
)

# Binding strengths.
_CHOICE, _OR, _AND, _EQUALITY, _RELATION, _SUM, _PRODUCT, _UNARY, _ATOM = range(9)


@dataclass(frozen=True, slots=True)
class _TypedText:
    """The text of an integer term in one type, and the bounds of its value."""

    text: str
    strength: int
    low: int
    high: int

    def at(self, strength: int) -> str:
        return self.text if self.strength >= strength else f"({self.text})"


_Truth = tuple[str, int]
_Forms = tuple[_TypedText | None, ...]  # one for each of _TYPES
_NONE: _Forms = (None,) * len(_TYPES)


def conjuncts(arena: Arena, formula: Term, names: Names, elements: Names = _unnamed) -> tuple[str, ...]:
    """The conjuncts of a formula that C can express, to be joined by `&&` as they are.

    `elements` has the names of elements of arrays that have none as a whole.
    """
    found: dict[str, None] = {}
    parts = _telling(formula) if formula.is_conjunction else list(literals(formula))
    writer = _TermWriter(names, elements)
    writer.look(parts)
    for part in writer.joined(parts, is_conjunction=True):
        if isinstance(part, Term):
            written = [truth(one, names, elements) for one in _sayable(arena, part, names, elements)]
        else:
            writer.write(part.terms)
            written = [writer.part(part)]
        found.update((_at(one, _EQUALITY), None) for one in written if one is not None and one[0] != "1")
    return tuple(found)


def _sayable(arena: Arena, part: Term, names: Names, elements: Names) -> tuple[Term, ...]:
    """Conjuncts that `part` implies, in which each atom has a form, if few have none: either value of these will do."""
    if part.size > LARGEST:
        return ()
    writer = _TermWriter(names, elements)
    writer.truth(part)
    lost = [atom for atom in atoms(part) if writer.truth_of(atom) is None]
    if len(lost) > MAX_FORGOTTEN:
        return _weaker(arena, part, frozenset(lost))
    for atom in lost:
        part = arena.or_(*(replace_subterms(arena, part, {atom: value}) for value in (arena.true, arena.false)))
    return literals(part)


def constant(value: int) -> str:
    """An integer of at most 64 bits as a C constant expression of a type that holds it."""
    found = next((part for part in (_number(value, type_) for type_ in _TYPES) if part is not None), None)
    if found is None:
        raise ValueError(f"{value} has more than 64 bits")
    return found.text


def _weaker(arena: Arena, part: Term, lost: Collection[Term]) -> tuple[Term, ...]:
    """Conjuncts that `part` implies without the atoms that are lost: conjunctions leave them out, disjunctions end."""
    implied: dict[Term, Term | None] = {}
    for t in subterms(part):
        if t.sort is not BOOL:
            continue
        parts = [implied.get(one) for one in t.args]
        if t.is_conjunction:
            kept = [one for one in parts if one is not None]
            implied[t] = arena.and_(*kept) if kept else None
        elif t.is_disjunction:
            kept = [one for one in parts if one is not None]
            implied[t] = arena.or_(*kept) if len(kept) == len(parts) else None
        else:
            implied[t] = t if all(atom not in lost for atom in atoms(t)) else None
    found = implied[part]
    return () if found is None or found.is_true else literals(found)


def disjunction(parts: Iterable[Sequence[str]]) -> str | None:
    """A disjunction of conjunctions as an expression; None where it says nothing."""
    texts: dict[str, None] = {}
    for conjunction in parts:
        if not conjunction:
            return None
        texts[" && ".join(conjunction)] = None
    if len(texts) <= 1:
        return next(iter(texts), None)
    return " || ".join(f"({text})" if " && " in text else text for text in texts)


def truth(formula: Term, names: Names, elements: Names = _unnamed) -> _Truth | None:
    """A formula as a C condition with its binding strength; None where it has no form."""
    if formula.size > LARGEST:
        return None
    return _TermWriter(names, elements).truth(formula)


class _TermWriter:
    """Writes the subterms of a formula, arguments first."""

    def __init__(self, names: Names, elements: Names) -> None:
        self._names, self._elements = names, elements
        self._truths: dict[Term, _Truth | None] = {}
        self._forms: dict[Term, _Forms] = {}
        self._has_floats = False

    @cached_property
    def _floats(self) -> FloatWriter:
        from interplay.witnesses.formats.float_expression import (
            FloatWriter,  # what only formulas with such numbers need
        )

        return FloatWriter(self._known, self._integer_text)

    def truth(self, formula: Term) -> _Truth | None:
        self.write((formula,))
        return self._truths[formula]

    def write(self, terms: Iterable[Term]) -> None:
        """Write all subterms."""
        for t in subterms(*terms):
            if t.sort is BOOL:
                found = self._truth(t)
                self._truths[t] = found if found is None or len(found[0]) <= LONGEST else None
            else:
                forms = tuple(self._form(t, i) for i in range(len(_TYPES)))
                self._forms[t] = tuple(one if one is None or len(one.text) <= LONGEST else None for one in forms)
                self._has_floats = self._has_floats or self._is_float(t)

    def truth_of(self, part: Term) -> _Truth | None:
        """The form of a part of a formula that has been written."""
        return self._truths.get(part)

    # Truth values

    def _truth(self, t: Term) -> _Truth | None:
        match t.op:
            case Op.CONSTANT:
                return ("1" if t.is_true else "0"), _ATOM
            case Op.LE | Op.EQ:
                return self._float_comparison(t) or self._comparison(t, negated=False)
            case Op.NOT if t.args[0].is_comparison:
                return self._float_comparison(t) or self._comparison(t.args[0], negated=True)
            case Op.AND | Op.OR:
                joined = self.joined(_telling(t), is_conjunction=t.is_conjunction)
                parts = [self._truths[a] if isinstance(a, Term) else self.part(a) for a in joined]
                known = [part for part in parts if part is not None]
                return _connected(t.op, known) if len(known) == len(parts) else None
            case Op.NOT | Op.IFF | Op.ITE:
                parts = [self._truths[a] for a in t.args]
                known = [part for part in parts if part is not None]
                return _connected(t.op, known) if len(known) == len(parts) else None
            case _:
                return None

    def _comparison(self, t: Term, *, negated: bool) -> _Truth | None:
        """Write a comparison in the first type that holds every part of both sides."""
        body = t.args[0]
        monomials = list(zip(body.coefficients, body.args, strict=True)) if body.is_sum else [(1, body)]
        left = [(c, m) for c, m in monomials if c > 0]
        right = [(-c, m) for c, m in monomials if c < 0]
        for i, type_ in enumerate(_TYPES):
            found = self._compared(t, left, right, i, type_, negated)
            if found is not None:
                return found
        return None

    def _compared(
        self,
        t: Term,
        left: list[tuple[int, Term]],
        right: list[tuple[int, Term]],
        i: int,
        type_: _Type,
        negated: bool,
    ) -> _Truth | None:
        """Write `left ⋈ right + bound`, with the bound on the side where it is positive."""
        bound = t.value
        strict = t.is_bound and bound == -1
        if strict:
            bound = 0
        to_left = -bound if bound < 0 and right else 0
        a = self._sum(left, to_left, i, type_)
        b = self._sum(right, 0 if to_left else bound, i, type_)
        if a is None or b is None:
            return None
        decided = _decided(t.op, strict, a, b)
        if decided is not None:
            return ("1" if decided != negated else "0"), _ATOM
        if t.is_equation:
            return f"{a.at(_RELATION)} {'!=' if negated else '=='} {b.at(_RELATION)}", _EQUALITY
        sign = (">=" if negated else "<") if strict else (">" if negated else "<=")
        return f"{a.at(_SUM)} {sign} {b.at(_SUM)}", _RELATION

    # Integers

    def _form(self, t: Term, i: int) -> _TypedText | None:
        """An integer term in the type of this number; None where the type does not hold it."""
        found, type_ = self._value(t, i, _TYPES[i]), _TYPES[i]
        return found if found is not None and type_.holds(found.low, found.high) else None

    def _value(self, t: Term, i: int, type_: _Type) -> _TypedText | None:
        parts = [self._forms.get(a, _NONE)[i] for a in t.args]
        match t.op:
            case Op.CONSTANT:
                return _number(t.value, type_)
            case Op.SYMBOL:
                known = self._names(t)
                is_integer = known is not None and known.extent is None and not known.floating
                return _leaf(known.text, known, type_) if known is not None and is_integer else None
            case Op.LINEAR:
                return self._sum(list(zip(t.coefficients, t.args, strict=True)), t.constant, i, type_)
            case Op.ITE:
                return self._choice(t, parts)
            case Op.SELECT:
                return self._element(t, type_)
            case Op.MULTIPLY | Op.DIVIDE | Op.MODULO | Op.BIT_AND | Op.BIT_OR | Op.BIT_XOR:
                known_parts = [part for part in parts if part is not None]
                return _operation(t, known_parts, type_) if len(known_parts) == len(parts) else None
            case _:
                return None

    def _sum(self, monomials: list[tuple[int, Term]], constant: int, i: int, type_: _Type) -> _TypedText | None:
        """A sum whose every partial sum the type holds; positive summands come first."""
        if not monomials:
            return _number(constant, type_)
        total: _TypedText | None = None
        for c, m in sorted(monomials, key=lambda one: one[0] < 0):
            part = self._forms.get(m, _NONE)[i]
            scaled = None if part is None else _scaled(abs(c), part, type_)
            if scaled is None:
                return None
            total = _added(total, "-" if c < 0 else "+", scaled, type_)
            if total is None:
                return None
        if constant:
            number = _number(abs(constant), type_)
            if number is None:
                return None
            return _added(total, "-" if constant < 0 else "+", number, type_)
        return total

    def _choice(self, t: Term, parts: list[_TypedText | None]) -> _TypedText | None:
        condition, then, otherwise = self._truths.get(t.args[0]), parts[1], parts[2]
        if condition is None or then is None or otherwise is None:
            return None
        text = f"{_at(condition, _OR)} ? {then.at(_OR)} : {otherwise.at(_OR)}"
        return _TypedText(text, _CHOICE, min(then.low, otherwise.low), max(then.high, otherwise.high))

    def _element(self, t: Term, type_: _Type) -> _TypedText | None:
        known = self._element_known(t)
        return None if known is None or known.floating else _leaf(known.text, known, type_)

    def _element_known(self, t: Term) -> Known | None:
        """An element whose index cannot leave the array, or one of memory that has a name."""
        array, index = t.args
        member = self._elements(t)
        if member is not None:
            return member
        known = self._names(array) if array.is_symbol else None
        if known is None or known.extent is None:
            return None
        for form in self._forms.get(index, _NONE):
            if form is not None and form.low >= 0 and form.high < known.extent:
                return replace(known, text=f"{known.text}[{form.text}]", extent=None)
        return None

    # Floating-point numbers

    def look(self, terms: Iterable[Term]) -> None:
        """Learn whether there are such numbers, before `joined`."""
        self._has_floats = any(self._is_float(t) for t in subterms(*terms) if t.sort is not BOOL)

    def _is_float(self, t: Term) -> bool:
        known = self._known(t) if t.sort is INT else None
        return known is not None and bool(known.floating)

    def joined(self, parts: Sequence[Term], *, is_conjunction: bool) -> Sequence[FloatPart]:
        """The parts of a conjunction or disjunction, with those about floating-point numbers as C has them."""
        return self._floats.parts(parts, is_conjunction=is_conjunction) if self._has_floats else parts

    def part(self, part: FloatRange | FloatComparison) -> _Truth | None:
        """The text of a part that is about floating-point numbers."""
        return _float_truth(self._floats.part(part))

    def _float_comparison(self, t: Term) -> _Truth | None:
        return _float_truth(self._floats.comparison(t)) if self._has_floats else None

    def _known(self, t: Term) -> Known | None:
        if t.is_select:
            return self._element_known(t)
        return self._names(t) if t.is_symbol else None

    def _integer_text(self, t: Term) -> str | None:
        return next((form.at(_ATOM) for form in self._forms.get(t, _NONE) if form is not None), None)


def _telling(t: Term) -> list[Term]:
    """The arguments of a conjunction or disjunction without bounds that another bound of the same sum makes idle."""
    pick = min if t.is_conjunction else max
    upper: dict[Term, int] = {}
    lower: dict[Term, int] = {}
    for a in t.args:
        if a.is_bound:
            upper[a.args[0]] = pick(a.value, upper.get(a.args[0], a.value))
        elif a.is_negation and a.args[0].is_bound:
            body, value = a.args[0].args[0], a.args[0].value
            lower[body] = -pick(-value, -lower.get(body, value))

    def is_idle(a: Term) -> bool:
        if a.is_bound:
            return a.value != upper[a.args[0]]
        atom = a.args[0] if a.is_negation else a
        if not a.is_negation or not atom.is_comparison:
            return False
        body, value = atom.args[0], atom.value
        if atom.is_bound:
            return value != lower[body]
        return t.is_conjunction and not lower.get(body, value - 1) < value <= upper.get(body, value)

    return [a for a in t.args if not is_idle(a)]


def _decided(op: Op, strict: bool, a: _TypedText, b: _TypedText) -> bool | None:
    """The truth value of a comparison that the bounds of both sides decide; None where they do not."""
    if op is Op.EQ:
        return False if a.high < b.low or b.high < a.low else None
    if a.high < b.low + (not strict):
        return True
    return False if a.low >= b.high + (not strict) else None


def _connected(op: Op, parts: list[_Truth]) -> _Truth:
    match op:
        case Op.NOT:
            return f"!{_at(parts[0], _UNARY)}", _UNARY
        case Op.AND:
            return " && ".join(_at(part, _EQUALITY) for part in parts), _AND
        case Op.OR:
            # `&&` within `||` gets parentheses too: compilers warn without them.
            return " || ".join(_at(part, _EQUALITY) for part in parts), _OR
        case Op.IFF:
            return f"{_at(parts[0], _UNARY)} == {_at(parts[1], _UNARY)}", _EQUALITY
        case _:
            return f"{_at(parts[0], _OR)} ? {_at(parts[1], _OR)} : {_at(parts[2], _OR)}", _CHOICE


def _float_truth(text: str | None) -> _Truth | None:
    if text is None or "&&" in text or "||" in text:
        return None if text is None else (f"({text})", _ATOM)
    return text, _UNARY if text.startswith("!") else _ATOM if text in "01" else _EQUALITY


def _at(part: _Truth, strength: int) -> str:
    return part[0] if part[1] >= strength else f"({part[0]})"


def _number(value: int, type_: _Type) -> _TypedText | None:
    if not type_.holds(value, value):
        return None
    if value == type_.low and value:  # its absolute value is no constant of the type
        return _TypedText(f"(-{-value - 1}{type_.suffix} - 1)", _ATOM, value, value)
    return _TypedText(f"{value}{type_.suffix}", _ATOM if value >= 0 else _UNARY, value, value)


def _leaf(text: str, known: Known, type_: _Type) -> _TypedText | None:
    return _TypedText(f"{type_.cast}{text}", _UNARY if type_.cast else _ATOM, known.low, known.high)


def _scaled(factor: int, part: _TypedText, type_: _Type) -> _TypedText | None:
    if factor == 1:
        return part
    number = _number(factor, type_)
    low, high = factor * part.low, factor * part.high
    if number is None or not type_.holds(low, high):
        return None
    return _TypedText(f"{number.text} * {part.at(_UNARY)}", _PRODUCT, low, high)


def _added(total: _TypedText | None, sign: str, part: _TypedText, type_: _Type) -> _TypedText | None:
    minus = sign == "-"
    low, high = (-part.high, -part.low) if minus else (part.low, part.high)
    if total is None:
        if not minus:
            return part
        return _TypedText(f"-{part.at(_ATOM)}", _UNARY, low, high) if type_.holds(low, high) else None
    low, high = total.low + low, total.high + high
    if not type_.holds(low, high):
        return None
    return _TypedText(f"{total.at(_SUM)} {sign} {part.at(_PRODUCT)}", _SUM, low, high)


def _operation(t: Term, parts: list[_TypedText], type_: _Type) -> _TypedText | None:
    a, b = parts[0], parts[-1]
    match t.op:
        case Op.MULTIPLY:
            return _product(parts, type_)
        case Op.DIVIDE | Op.MODULO if not t.args[1].is_constant or t.args[1].value <= 0:
            return None
        case Op.DIVIDE:
            return _quotient(a, b)
        case Op.MODULO:
            return _remainder(a, b, type_)
        case _:
            return _bits(t.op, a, b)


def _product(parts: list[_TypedText], type_: _Type) -> _TypedText | None:
    low, high = parts[0].low, parts[0].high
    for part in parts[1:]:
        corners = [x * y for x in (low, high) for y in (part.low, part.high)]
        low, high = min(corners), max(corners)
        if not type_.holds(low, high):
            return None
    return _TypedText(" * ".join(part.at(_UNARY) for part in parts), _PRODUCT, low, high)


def _quotient(a: _TypedText, b: _TypedText) -> _TypedText:
    """The quotient by a positive constant, rounded down, where C rounds towards zero."""
    text = f"{a.at(_PRODUCT)} / {b.at(_UNARY)}"
    low, high = a.low // b.low, a.high // b.low
    if a.low >= 0:
        return _TypedText(text, _PRODUCT, low, high)
    return _TypedText(f"{text} - ({a.at(_PRODUCT)} % {b.at(_UNARY)} < 0)", _SUM, low, high)


def _remainder(a: _TypedText, b: _TypedText, type_: _Type) -> _TypedText | None:
    """The remainder that is never negative, where that of C has the sign of the dividend."""
    text = f"{a.at(_PRODUCT)} % {b.at(_UNARY)}"
    if a.low >= 0:
        return _TypedText(text, _PRODUCT, 0, min(a.high, b.low - 1))
    if 2 * b.low - 1 > type_.high:
        return None
    return _TypedText(f"({text} + {b.text}) % {b.at(_UNARY)}", _PRODUCT, 0, b.low - 1)


def _bits(op: Op, a: _TypedText, b: _TypedText) -> _TypedText:
    sign = {Op.BIT_AND: "&", Op.BIT_OR: "|", Op.BIT_XOR: "^"}[op]
    size = max(n.bit_length() for n in (a.low, a.high, b.low, b.high))
    low, high = -(1 << size), (1 << size) - 1
    if a.low >= 0 and b.low >= 0:
        low = 0
    if op is Op.BIT_AND:
        tops = [part.high for part in (a, b) if part.low >= 0]
        low, high = (0, min(tops)) if tops else (low, high)
    return _TypedText(f"({a.at(_UNARY)} {sign} {b.at(_UNARY)})", _ATOM, low, high)
