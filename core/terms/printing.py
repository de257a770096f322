"""Printing of terms: C expressions with ACSL's logic, mathematical notation, SMT-LIB.

The one printer of formulas: windows, command line, reports and steering differ in the names that they give it alone.
What is written in C is read again by `frontend/conditions.py`, as an equivalent term.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.terms.sorts import INT
from core.terms.term import Op, Term, subterms
from core.terms.wraparound import (
    BoundsOf,
    IntegerCast,
    LinearLiteral,
    Sum,
    chosen_literal,
    chosen_sum,
    plain_literal,
    plain_sum,
    residue,
    with_conversions,
)

Pieces = tuple["str | Term | Sum", ...]
"""An expression in pieces: text, what is followed by members or indices, and indices."""


_NUMBERED = re.compile(r"![0-9]+$")


def stem(name: str) -> str:
    """The name that a numbered symbol, as what a quantifier binds, was made with."""
    return _NUMBERED.sub("", name)


@dataclass(frozen=True, slots=True)
class Access:
    """An element of an array as the source writes it. `part` is what the names know of it; `*p` is a prefix."""

    pieces: Pieces
    part: object = None
    is_prefix: bool = False


class SymbolNames(Protocol):
    """The names of symbols in a formula."""

    def symbol(self, symbol: Term) -> str:
        """The text of a symbol; others have other texts."""
        ...

    def element(self, select: Term) -> Access | None:
        """The expression for an element of an array; None where it is the array with an index."""
        ...

    def value(self, of: Term, value: int) -> str | None:
        """A name for a value that is compared with a term."""
        ...


class LastParts:
    """SymbolNames without their functions: `x` for `f::x`. Two variables may have one name."""

    def symbol(self, symbol: Term) -> str:
        return symbol.name.rpartition("::")[2]

    def element(self, select: Term) -> Access | None:
        return None

    def value(self, of: Term, value: int) -> str | None:
        return None


class FullNames(LastParts):
    """The names that terms have."""

    def symbol(self, symbol: Term) -> str:
        return symbol.name


@dataclass(frozen=True, slots=True)
class Notation:
    """The operators of one infix notation.

    `rounds_down` says whether division rounds a term down, as terms do; where it rounds towards zero, more is written.
    With `bounds` it is for display: numbers near powers of two are written with these, wrap-around as a conversion.
    """

    not_: str
    and_: str
    or_: str
    iff: str
    le: str
    lt: str
    ge: str
    gt: str
    eq: str
    ne: str
    times: str
    names: SymbolNames
    rounds_down: Callable[[Term], bool]
    bounds: BoundsOf | None = None
    is_math: bool = False


MATH = Notation(
    "¬", " ∧ ", " ∨ ", " ⇔ ", " ≤ ", " < ", " ≥ ", " > ", " = ", " ≠ ", "·", FullNames(), lambda _: True, is_math=True
)
C = Notation(
    "!",
    " && ",
    " || ",
    " == ",
    " <= ",
    " < ",
    " >= ",
    " > ",
    " == ",
    " != ",
    "*",
    LastParts(),
    lambda _: False,
)

_BITS = {Op.BIT_AND: "&", Op.BIT_OR: "|", Op.BIT_XOR: "^", Op.SHIFT_LEFT: "<<", Op.SHIFT_RIGHT: ">>"}

# Binding strengths: an argument in a context that binds more tightly gets parentheses.
_ITE, _OR, _AND, _COMPARE, _SUM, _PRODUCT, _UNARY, _ATOM = range(8)


TermOrder = Callable[[Sequence[Term]], Sequence[Term]]
"""The ordering of the parts of a conjunction or disjunction; terms themselves are in the order of their creation."""


def to_math(t: Term, order: TermOrder = tuple, names: SymbolNames | None = None) -> str:
    """The text of `t` in mathematical notation; without `names` with those of symbols."""
    return _infix(t, MATH if names is None else replace(MATH, names=names), order)


def to_readable_c(
    t: Term, bounds: BoundsOf = lambda _: None, order: TermOrder = tuple, names: SymbolNames | None = None
) -> str:
    """The text of `t` for display: as `to_c`, but large numbers as `2³² - 1`, what wraps around as a conversion, and
    joined bounds as `0 <= i < n`.

    All is exact over the integers, so `(int)(x + 1)` adds without bounds and converts the sum to an int. `bounds` knows
    symbols; what their values do not show to be a conversion is written as it is.
    """

    return _infix(t, _readable(t, bounds, names), order)


def _readable(t: Term, bounds: BoundsOf, names: SymbolNames | None) -> Notation:
    def never_negative(symbol: Term) -> bool:
        known = bounds(symbol)
        return known is not None and known[0] >= 0

    signs = _signs(t, never_negative)
    return replace(C, rounds_down=lambda part: signs[part], bounds=bounds, names=names or C.names)


def to_readable_conjuncts(
    t: Term, bounds: BoundsOf = lambda _: None, order: TermOrder = tuple, names: SymbolNames | None = None
) -> tuple[str, ...]:
    """The texts of the conjuncts of `t` for display, of which each stands alone."""
    notation = _readable(t, bounds, names)
    if t.op is not Op.AND:
        return (_infix(t, notation, order),)
    texts = _texts(t, notation, order)
    return tuple(_joined(_parts(t, notation, order), _in_context(texts, notation), notation, _ITE))


def to_c(t: Term, never_negative: Callable[[Term], bool] = lambda _: False, order: TermOrder = tuple) -> str:
    """The text of `t` as a C expression over source names: exact over the integers, where no operation overflows.

    `never_negative` knows symbols whose values are not; divisions of what may be negative are longer. Divisors that
    are no constants are taken to be positive there.
    """
    signs = _signs(t, never_negative)
    return _infix(t, replace(C, rounds_down=lambda part: signs[part]), order)


def _signs(t: Term, never_negative: Callable[[Term], bool]) -> Mapping[Term, bool]:
    """Whether each part is shown never to be negative."""
    signs: dict[Term, bool] = {}
    for part in subterms(t):
        signs[part] = never_negative(part) if part.op is Op.SYMBOL else _is_never_negative(part, signs)
    return signs


def _is_never_negative(t: Term, signs: Mapping[Term, bool]) -> bool:
    """Whether the operator of `t` shows that it is never negative, given the same about its arguments."""
    match t.op:
        case Op.CONSTANT:
            return t.sort is INT and t.value >= 0
        case Op.MODULO:
            return True
        case Op.LINEAR:
            summands = zip(t.coefficients, t.args, strict=True)
            return t.constant >= 0 and all(c >= 0 and signs[a] for c, a in summands)
        case Op.BIT_AND:
            return signs[t.args[0]] or signs[t.args[1]]
        case Op.ITE:
            return signs[t.args[1]] and signs[t.args[2]]
        case Op.SELECT:
            return signs[t.args[0]]
        case Op.MULTIPLY | Op.DIVIDE | Op.BIT_OR | Op.BIT_XOR | Op.SHIFT_RIGHT | Op.SHIFT_LEFT:
            return all(signs[a] for a in t.args)
        case _:
            return False


_Text = tuple[str, int]  # with the strength of its binding
_Texts = Callable[[Term | IntegerCast, int], str]  # of a part, in a context that binds as tightly as the number says


def _infix(root: Term, notation: Notation, order: TermOrder) -> str:
    return _texts(root, notation, order)[root][0]


def _texts(root: Term, notation: Notation, order: TermOrder) -> Mapping[Term, _Text]:
    texts: dict[Term, _Text] = {}
    for t in subterms(root):
        texts[t] = _infix_node(t, _in_context(texts, notation), notation, order)
    return texts


def _in_context(texts: Mapping[Term, _Text], n: Notation) -> _Texts:
    def arg(a: Term | IntegerCast, level: int) -> str:
        text, strength = texts[a] if isinstance(a, Term) else _conversion(a, texts, n)
        return text if strength >= level else f"({text})"

    return arg


def _infix_node(t: Term, arg: _Texts, n: Notation, order: TermOrder) -> _Text:
    match t.op:
        case Op.CONSTANT:
            if isinstance(t.payload, bool):
                return (("true" if t.payload else "false") if n.is_math else str(int(t.payload))), _ATOM
            return _number(t.value, n)
        case Op.SYMBOL:
            text = n.names.symbol(t)
            return text, _UNARY if text.startswith("&") else _ATOM
        case Op.NOT:
            return _negation(t, arg, n)
        case Op.AND | Op.OR:
            return _connected(t.op, _parts(t, n, order), arg, n)
        case Op.IFF:
            literal = _literal(t, n)
            if literal is not None:
                return _comparison(literal, arg, n), _COMPARE
            # An equivalence binds weakly in mathematics, as an equality in C.
            return f"{arg(t.args[0], _SUM)}{n.iff}{arg(t.args[1], _SUM)}", _ITE if n.is_math else _COMPARE
        case Op.ITE:
            return _choice(t, arg, n)
        case Op.LINEAR:
            return _sum(plain_sum(t), arg, n)
        case Op.LE | Op.EQ:
            literal = plain_literal(t)
            assert literal is not None
            return _comparison(literal, arg, n), _COMPARE
        case Op.MULTIPLY:
            return n.times.join(arg(a, _UNARY) for a in t.args), _PRODUCT
        case Op.DIVIDE | Op.MODULO:
            return _division(t, arg, n)
        case Op.BIT_AND | Op.BIT_OR | Op.BIT_XOR | Op.SHIFT_LEFT | Op.SHIFT_RIGHT:
            # Weaker than everything, since C lets comparisons bind more tightly than these.
            return f"{arg(t.args[0], _UNARY)} {_BITS[t.op]} {arg(t.args[1], _UNARY)}", _ITE
        case Op.SELECT:
            return _element(t, arg, n)
        case Op.STORE:
            array, index, value = (arg(one, level) for one, level in zip(t.args, (_ATOM, _ITE, _ITE), strict=True))
            written = f"{array}[{index} ↦ {value}]" if n.is_math else f"{{{array} \\with [{index}] = {value}}}"
            return written, _ATOM
        case Op.CONST_ARRAY:
            value = arg(t.args[0], _ITE)
            return f"[{value}…]" if n.is_math else f"\\const({value})", _ATOM
        case Op.FORALL:
            return _universal(t, arg, n)


def _element(t: Term, arg: _Texts, n: Notation) -> _Text:
    """An element of an array: as the source writes it, else with its index."""
    found = n.names.element(t)
    if found is None:
        return f"{arg(t.args[0], _ATOM)}[{arg(t.args[1], _ITE)}]", _ATOM
    text = ""
    for piece in found.pieces:
        match piece:
            case str():
                text += piece
            case Sum():
                text += _sum(piece, arg, n)[0]
            case _:
                text += arg(piece, _UNARY if found.is_prefix else _ATOM)
    return text, _UNARY if found.is_prefix else _ATOM


def _universal(t: Term, arg: _Texts, n: Notation) -> _Text:
    """A quantified formula; `k < 0 || k >= n || a[k] == 0` about all k as `0 <= k < n ==> a[k] == 0`."""
    body = t.args[0]
    if n.is_math:
        return f"∀{', '.join(n.names.symbol(one) for one in t.bound)}. {arg(body, _ITE)}", _ITE
    head = f"\\forall integer {', '.join(n.names.symbol(one) for one in t.bound)}; "
    guards: list[Term | LinearLiteral] = []
    rest: list[Term] = []
    for part in body.args if body.op is Op.OR else ():
        is_guard = not any(s.op is Op.SELECT for s in subterms(part)) and part.symbols() & frozenset(t.bound)
        found = _premises(part) if is_guard else None
        if found is None:
            rest.append(part)
        else:
            guards += found
    if not guards or not rest:
        return f"{head}{arg(body, _ITE)}", _ITE
    guard, claim = _connected(Op.AND, guards, arg, n)[0], _connected(Op.OR, rest, arg, n)
    return f"{head}{guard} ==> {claim[0] if claim[1] >= _OR else f'({claim[0]})'}", _ITE


def _premises(t: Term) -> Sequence[Term | LinearLiteral] | None:
    """The conjuncts that `t` is the negation of; None for other formulas."""
    literal = plain_literal(t)
    if literal is not None:
        return [replace(literal, negated=not literal.negated)]
    return t.args[0].args if t.op is Op.NOT and t.args[0].op is Op.AND else None


def _connected(op: Op, parts: Sequence[Term | LinearLiteral], arg: _Texts, n: Notation) -> _Text:
    """A conjunction or disjunction. Bounds that meet in one sum are written as one: `0 <= i < n`."""
    joins = op is Op.AND and n.bounds is not None
    texts = _joined(parts, arg, n, _COMPARE) if joins else [_one(a, arg, n, _COMPARE) for a in parts]
    if len(texts) == 1:
        return texts[0], _COMPARE
    return (n.and_.join(texts), _AND) if op is Op.AND else (n.or_.join(texts), _OR)


def _one(part: Term | LinearLiteral, arg: _Texts, n: Notation, level: int) -> str:
    return arg(part, level) if isinstance(part, Term) else _comparison(part, arg, n)


def _joined(parts: Sequence[Term | LinearLiteral], arg: _Texts, n: Notation, level: int) -> list[str]:
    """The texts of conjuncts, each once, in which chains of bounds stand where the first of them stood."""
    bounds: list[_Bound | None] = []
    for part in parts:
        literal = part if isinstance(part, LinearLiteral) else _literal(part, n)
        bounds.append(None if literal is None or literal.op is not Op.LE else _ascending(literal, arg, n))
    texts: list[str] = []
    used: set[int] = set()
    for number, part in enumerate(parts):
        if number not in used:
            chain = _chain(number, bounds, used)
            used.update(chain)
            links = [one for one in (bounds[link] for link in chain) if one is not None]
            texts.append(_one(part, arg, n, level) if len(chain) == 1 else _linked(links))
    return list(dict.fromkeys(texts))


@dataclass(frozen=True, slots=True)
class _Bound:
    """A comparison with its smaller side first; `ends` says of both sides whether they are numbers."""

    left: str
    sign: str
    right: str
    ends: tuple[bool, bool]


def _linked(links: Sequence[_Bound]) -> str:
    return "".join(f"{one.left}{one.sign}" for one in links) + links[-1].right


def _ascending(literal: LinearLiteral, arg: _Texts, n: Notation) -> _Bound:
    positive, negative, bound = _sides(literal.body, n)
    if not literal.negated:
        sign = n.lt if bound == -1 else n.le
        bound = 0 if bound == -1 else bound
        to_left = -bound if negative and bound < 0 else 0
        left, right = _terms(positive, to_left, arg, n), _terms(negative, 0 if to_left else bound, arg, n)
        return _Bound(left, sign, right, (not positive, not negative))
    sign = n.lt if bound == 0 or (negative and bound != -1) else n.le
    bound += sign == n.le
    to_right = -bound if negative and bound < 0 else 0
    left, right = _terms(negative, 0 if to_right else bound, arg, n), _terms(positive, to_right, arg, n)
    return _Bound(left, sign, right, (not negative, not positive))


def _chain(first: int, bounds: Sequence[_Bound | None], used: set[int]) -> list[int]:
    """The bounds that make a chain with one of them, in ascending order; numbers stand at its ends alone."""
    chain = [first]
    start = bounds[first]
    if start is None:
        return chain
    left, right, nodes = start, start, {start.left, start.right}
    free = {number: one for number, one in enumerate(bounds) if one is not None and number not in {first, *used}}
    while not left.ends[0]:
        before = [number for number, one in free.items() if one.right == left.left and one.left not in nodes]
        if not before:
            break
        chain.insert(0, before[0])
        left = free.pop(before[0])
        nodes.add(left.left)
    while not right.ends[1]:
        after = [number for number, one in free.items() if one.left == right.right and one.right not in nodes]
        if not after:
            break
        chain.append(after[0])
        right = free.pop(after[0])
        nodes.add(right.right)
    return chain


def _parts(t: Term, n: Notation, order: TermOrder) -> Sequence[Term | LinearLiteral]:
    """The parts of a conjunction or disjunction; for display `a < b || a > b` is one, `a != b`, and so is `a == b`."""
    parts = order(t.args)
    if n.bounds is None:
        return parts
    gap = 0 if t.op is Op.AND else 2  # from the upper bound to the lower one
    found: dict[Term, Term | LinearLiteral] = {part: part for part in parts}
    literals = [(part, literal) for part in parts if (literal := _literal(part, n)) is not None]
    bounds = [(part, literal) for part, literal in literals if literal.op is Op.LE]
    lower = {(one.body.parts, 1 - one.body.constant): part for part, one in bounds if one.negated}
    for part, one in bounds:
        other = None if one.negated else lower.get((one.body.parts, gap - one.body.constant))
        if other in found:
            del found[other]
            same = Sum(one.body.parts, one.body.constant - gap // 2)
            found[part] = LinearLiteral(Op.EQ, t.op is Op.OR, same)
    return tuple(found.values())


def _literal(t: Term, n: Notation) -> LinearLiteral | None:
    """The comparison that `t` is; None for other formulas.

    For display also one that wraps around, and `(a <= b) == (a < b)`, which is `a != b`.
    """
    literal = plain_literal(t)
    if literal is not None or n.bounds is None:
        return literal
    inner = t.args[0] if t.op is Op.NOT else t
    if inner.op is Op.ITE:
        literal = chosen_literal(inner, n.bounds)
    elif inner.op is Op.IFF:
        literal = _equated(inner)
    return literal if literal is None or inner is t else replace(literal, negated=not literal.negated)


def _equated(t: Term) -> LinearLiteral | None:
    """The comparison that an equivalence of two bounds of a sum is, if they differ by 1: it is not the larger one."""
    one, other = (plain_literal(part) for part in t.args)
    if one is None or other is None or one.op is not Op.LE or other.op is not Op.LE:
        return None
    if one.body.parts != other.body.parts or abs(one.body.constant - other.body.constant) != 1:
        return None
    same = Sum(one.body.parts, min(one.body.constant, other.body.constant))
    return LinearLiteral(Op.EQ, one.negated == other.negated, same)


def _choice(t: Term, arg: _Texts, n: Notation) -> _Text:
    literal = _literal(t, n)
    body = None if n.bounds is None else chosen_sum(t, n.bounds)
    if literal is not None:
        return _comparison(literal, arg, n), _COMPARE
    if body is not None:
        return _sum(body, arg, n)
    condition, then, otherwise = (arg(x, _OR) for x in t.args)
    return f"{condition} ? {then} : {otherwise}", _ITE


def _division(t: Term, arg: _Texts, n: Notation) -> _Text:
    """The text of a quotient or remainder.

    Unless the notation rounds down, remainders have the sign of the dividend.
    """
    if n.bounds is not None and with_conversions(plain_sum(t), n.rounds_down) != plain_sum(t):
        return _sum(plain_sum(t), arg, n)
    a, b = arg(t.args[0], _PRODUCT), arg(t.args[1], _UNARY)
    quotient, remainder = f"{a} / {b}", f"{a} % {b}"
    if n.rounds_down(t.args[0]):
        return quotient if t.op is Op.DIVIDE else remainder, _PRODUCT
    negative = t.args[1].op is Op.CONSTANT and t.args[1].value < 0
    if t.op is Op.DIVIDE:
        return f"{quotient} {'+' if negative else '-'} ({remainder} < 0)", _SUM
    size = str(-t.args[1].value) if negative else b
    return f"({remainder} + {size}) % {b}", _PRODUCT


def _negation(t: Term, arg: _Texts, n: Notation) -> _Text:
    literal = _literal(t, n)
    if literal is not None:
        return _comparison(literal, arg, n), _COMPARE
    return f"{n.not_}{arg(t.args[0], _UNARY)}", _UNARY


def _comparison(literal: LinearLiteral, arg: _Texts, n: Notation) -> str:
    """The text of `body ⋈ bound`, negative summands on the other side, so that no minus sign is left in front."""
    positive, negative, bound = _sides(literal.body, n)
    if literal.op is Op.EQ:
        forward = backward = n.ne if literal.negated else n.eq
        named = _named(positive, negative, bound, n)
        if named is not None:
            return f"{arg(named[0], _SUM)}{forward}{named[1]}"
    elif bound == -1 or (n.bounds is not None and _is_large_power(bound + 1)):
        # Over the integers `≤ −1` reads better as `< 0`.
        bound += 1
        forward, backward = (n.ge, n.le) if literal.negated else (n.lt, n.gt)
    else:
        forward, backward = (n.gt, n.lt) if literal.negated else (n.le, n.ge)
    if negative and bound < 0:
        return f"{_terms(negative, 0, arg, n)}{backward}{_terms(positive, -bound, arg, n)}"
    return f"{_terms(positive, 0, arg, n)}{forward}{_terms(negative, bound, arg, n)}"


_Monomials = Sequence[tuple[int, Term | IntegerCast]]


def _sides(body: Sum, n: Notation) -> tuple[_Monomials, _Monomials, int]:
    """The comparison `body ⋈ 0` as `positive ⋈ negative + bound`, without minus signs."""
    body = body if n.bounds is None else with_conversions(body, n.rounds_down)
    positive = [(c, m) for c, m in body.parts if c > 0]
    return positive, [(-c, m) for c, m in body.parts if c < 0], -body.constant


def _named(positive: _Monomials, negative: _Monomials, bound: int, n: Notation) -> tuple[Term, str] | None:
    """The term that an equation compares with a value that has a name, and this name."""
    match (*positive, *negative):
        case ((1, Term() as alone),):
            name = n.names.value(alone, bound if positive else -bound)
            return None if name is None else (alone, name)
        case _:
            return None


def _sum(body: Sum, arg: _Texts, n: Notation) -> _Text:
    body = body if n.bounds is None else with_conversions(body, n.rounds_down)
    if len(body.parts) == 1 and body.parts[0][0] == 1 and not body.constant:
        return arg(body.parts[0][1], _UNARY), _UNARY
    return _terms(body.parts, body.constant, arg, n), _SUM


def _terms(monomials: _Monomials, constant: int, arg: _Texts, n: Notation) -> str:
    if not monomials:
        return _number(constant, n)[0]
    # Positive summands come first, so that `n - i` is not printed as `-i + n`.
    text = ""
    for c, m in sorted(monomials, key=lambda cm: cm[0] < 0):
        alone = abs(c) == 1
        plain = alone and n.bounds is not None and (text or c > 0)  # the sign in front of the first binds tightly
        level = _PRODUCT if plain else _UNARY
        factor = arg(m, level) if alone else f"{_factor(abs(c), n)}{n.times}{arg(m, level)}"
        text += (" - " if c < 0 else " + ") + factor if text else ("-" if c < 0 else "") + factor
    if constant:
        number = _number(constant, n)[0]
        text += f" - {number.removeprefix('-')}" if constant < 0 else f" + {number}"
    return text


# Conversions and large numbers, for people


def _conversion(conversion: IntegerCast, texts: Mapping[Term, _Text], n: Notation) -> _Text:
    """The text of a conversion: its value counts modulo the size of the type, so numbers are the nearest to 0."""
    modulus = conversion.modulus
    inner: dict[Term, _Text] = {}

    def arg(a: Term | IntegerCast, level: int) -> str:
        text, strength = inner[a] if isinstance(a, Term) else _conversion(a, texts, n)
        return text if strength >= level else f"({text})"

    for t in subterms(*(part for _, part in conversion.value.parts if isinstance(part, Term))):
        if t.op is Op.LINEAR:
            parts = tuple((residue(c, modulus), part) for c, part in zip(t.coefficients, t.args, strict=True))
            inner[t] = _terms(parts, residue(t.constant, modulus), arg, n), _SUM
        elif t.op is Op.MULTIPLY:
            inner[t] = n.times.join(arg(a, _UNARY) for a in t.args), _PRODUCT
        else:
            inner[t] = texts[t]
    match conversion.value:
        case Sum(((1, Term() as alone),), 0):
            value = arg(alone, _ATOM)
        case _:
            value = f"({_sum(conversion.value, arg, n)[0]})"
    return f"({conversion.type.name}){value}", _UNARY


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LEAST_POWER = 31
_FROM_POWER = 1 << 12  # how far a number may be from a multiple of a power
_MOST_TIMES = 1 << 10


def _is_large_power(value: int) -> bool:
    return abs(value).bit_count() == 1 and abs(value) >= 1 << _LEAST_POWER


def _number(value: int, n: Notation) -> _Text:
    """The text of a number; for display, one near a small multiple of a large power of two is written with it."""
    size = abs(value)
    near = (size + (1 << (_LEAST_POWER - 1))) >> _LEAST_POWER  # in units of the least power
    rest = size - (near << _LEAST_POWER)
    if n.bounds is None or not near or abs(rest) > _FROM_POWER:
        return str(value), _ATOM if value >= 0 else _UNARY
    exponent = (near & -near).bit_length() - 1
    times = near >> exponent
    if times > _MOST_TIMES:
        return str(value), _ATOM if value >= 0 else _UNARY
    factor = "" if times == 1 else f"{times}{n.times}"
    text = f"{'-' if value < 0 else ''}{factor}2{str(exponent + _LEAST_POWER).translate(_SUPERSCRIPTS)}"
    if not rest:
        return text, _UNARY if value < 0 else _ATOM if times == 1 else _PRODUCT
    return f"{text} {'-' if (rest < 0) != (value < 0) else '+'} {abs(rest)}", _SUM


def _factor(value: int, n: Notation) -> str:
    text, strength = _number(value, n)
    return text if strength >= _PRODUCT else f"({text})"
