"""Printing of terms: mathematical notation, C expressions, SMT-LIB."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class Notation:
    """The operators of one infix notation. `name` spells symbols.

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
    name: Callable[[str], str]
    rounds_down: Callable[[Term], bool]
    bounds: BoundsOf | None = None


_NUMBERED = re.compile(r"![0-9]+$")


def _source_name(name: str) -> str:
    """The name in the source: `x` for `f::x`; `k` for a symbol `k!7` that is bound."""
    return _NUMBERED.sub("", name.rsplit("::", 1)[-1])


MATH = Notation("¬", " ∧ ", " ∨ ", " ⇔ ", " ≤ ", " < ", " ≥ ", " > ", " = ", " ≠ ", "·", str, lambda _: True)
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
    _source_name,
    lambda _: False,
)

_BITS = {Op.BIT_AND: "&", Op.BIT_OR: "|", Op.BIT_XOR: "^", Op.SHIFT_LEFT: "<<", Op.SHIFT_RIGHT: ">>"}

# Binding strengths: an argument in a context that binds more tightly gets parentheses.
_ITE, _OR, _AND, _COMPARE, _SUM, _PRODUCT, _UNARY, _ATOM = range(8)


TermOrder = Callable[[Sequence[Term]], Sequence[Term]]
"""The ordering of the parts of a conjunction or disjunction; terms themselves are in the order of their creation."""


def to_math(t: Term, order: TermOrder = tuple) -> str:
    """The text of `t` in mathematical notation, with full symbol names."""
    return _infix(t, MATH, order)


def to_readable_c(t: Term, bounds: BoundsOf = lambda _: None, order: TermOrder = tuple) -> str:
    """The text of `t` for display: as `to_c`, but large numbers as `2³² - 1`, and what wraps around as a conversion.

    All is exact over the integers, so `(int)(x + 1)` adds without bounds and converts the sum to an int. `bounds` knows
    symbols; what their values do not show to be a conversion is written as it is.
    """

    def never_negative(symbol: Term) -> bool:
        known = bounds(symbol)
        return known is not None and known[0] >= 0

    signs = _signs(t, never_negative)
    return _infix(t, replace(C, rounds_down=lambda part: signs[part], bounds=bounds), order)


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
        case Op.MULTIPLY | Op.DIVIDE | Op.BIT_OR | Op.BIT_XOR | Op.SHIFT_RIGHT | Op.SHIFT_LEFT:
            return all(signs[a] for a in t.args)
        case _:
            return False


_Text = tuple[str, int]  # with the strength of its binding
_Texts = Callable[[Term | IntegerCast, int], str]  # of a part, in a context that binds as tightly as the number says


def _infix(root: Term, notation: Notation, order: TermOrder) -> str:
    texts: dict[Term, _Text] = {}
    for t in subterms(root):
        texts[t] = _infix_node(t, texts, notation, order)
    return texts[root][0]


def _infix_node(t: Term, texts: Mapping[Term, _Text], n: Notation, order: TermOrder) -> _Text:
    def arg(a: Term | IntegerCast, level: int) -> str:
        text, strength = texts[a] if isinstance(a, Term) else _conversion(a, texts, n)
        return text if strength >= level else f"({text})"

    match t.op:
        case Op.CONSTANT:
            if isinstance(t.payload, bool):
                return (("true" if t.payload else "false") if n is MATH else str(int(t.payload))), _ATOM
            return _number(t.value, n)
        case Op.SYMBOL:
            return n.name(t.name), _ATOM
        case Op.NOT:
            return _negation(t, arg, n)
        case Op.AND | Op.OR:
            parts = [arg(a, _COMPARE) if isinstance(a, Term) else _comparison(a, arg, n) for a in _parts(t, n, order)]
            if len(parts) == 1:
                return parts[0], _COMPARE
            return (n.and_.join(parts), _AND) if t.op is Op.AND else (n.or_.join(parts), _OR)
        case Op.IFF:
            literal = _literal(t, n)
            if literal is not None:
                return _comparison(literal, arg, n), _COMPARE
            # An equivalence binds weakly in mathematics, as an equality in C.
            return f"{arg(t.args[0], _SUM)}{n.iff}{arg(t.args[1], _SUM)}", _ITE if n is MATH else _COMPARE
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
            return f"{arg(t.args[0], _ATOM)}[{arg(t.args[1], _ITE)}]", _ATOM
        case Op.STORE:
            array, index, value = t.args
            return f"{arg(array, _ATOM)}[{arg(index, _ITE)} ↦ {arg(value, _ITE)}]", _ATOM
        case Op.CONST_ARRAY:
            return f"[{arg(t.args[0], _ITE)}…]", _ATOM
        case Op.FORALL:
            return _quantified(t, arg, n), _ITE


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


def _quantified(t: Term, arg: _Texts, n: Notation) -> str:
    """The text of a quantifier: in C that of ACSL, with conditions on indices in front of what they imply."""
    bound, body = ", ".join(n.name(s.name) for s in t.bound), t.args[0]
    if n is MATH:
        return f"∀{bound}. {arg(body, _ITE)}"
    parts = body.args if body.op is Op.OR else (body,)
    told = [part for part in parts if any(u.op is Op.SELECT for u in subterms(part))]
    conditions = [text for part in parts if part not in told for text in _refuted(part, arg, n)]
    if not told or not conditions:
        return f"\\forall integer {bound}; {arg(body, _ITE)}"
    then = n.or_.join(arg(part, _OR if len(told) == 1 else _AND) for part in told)
    return f"\\forall integer {bound}; {n.and_.join(conditions)} ==> {then}"


def _refuted(t: Term, arg: _Texts, n: Notation) -> list[str]:
    """The texts of the conjuncts of the negation of a formula."""
    if t.op is Op.NOT:
        inner = t.args[0]
        return [arg(part, _COMPARE) for part in (inner.args if inner.op is Op.AND else (inner,))]
    literal = _literal(t, n)
    if literal is not None:
        return [_comparison(replace(literal, negated=not literal.negated), arg, n)]
    return [f"{n.not_}{arg(t, _UNARY)}"]


def _negation(t: Term, arg: _Texts, n: Notation) -> _Text:
    literal = _literal(t, n)
    if literal is not None:
        return _comparison(literal, arg, n), _COMPARE
    return f"{n.not_}{arg(t.args[0], _UNARY)}", _UNARY


def _comparison(literal: LinearLiteral, arg: _Texts, n: Notation) -> str:
    """The text of `body ⋈ bound`, negative summands on the other side, so that no minus sign is left in front."""
    body = literal.body if n.bounds is None else with_conversions(literal.body, n.rounds_down)
    bound = -body.constant
    if literal.op is Op.EQ:
        forward = backward = n.ne if literal.negated else n.eq
    elif bound == -1 or (n.bounds is not None and _is_large_power(bound + 1)):
        # Over the integers `≤ −1` reads better as `< 0`.
        bound += 1
        forward, backward = (n.ge, n.le) if literal.negated else (n.lt, n.gt)
    else:
        forward, backward = (n.gt, n.lt) if literal.negated else (n.le, n.ge)
    positive = [(c, m) for c, m in body.parts if c > 0]
    negative = [(-c, m) for c, m in body.parts if c < 0]
    if negative and bound < 0:
        return f"{_terms(negative, 0, arg, n)}{backward}{_terms(positive, -bound, arg, n)}"
    return f"{_terms(positive, 0, arg, n)}{forward}{_terms(negative, bound, arg, n)}"


def _sum(body: Sum, arg: _Texts, n: Notation) -> _Text:
    body = body if n.bounds is None else with_conversions(body, n.rounds_down)
    if len(body.parts) == 1 and body.parts[0][0] == 1 and not body.constant:
        return arg(body.parts[0][1], _UNARY), _UNARY
    return _terms(body.parts, body.constant, arg, n), _SUM


def _terms(monomials: Sequence[tuple[int, Term | IntegerCast]], constant: int, arg: _Texts, n: Notation) -> str:
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


_SMT = {
    Op.NOT: "not",
    Op.AND: "and",
    Op.OR: "or",
    Op.IFF: "=",
    Op.ITE: "ite",
    Op.MULTIPLY: "*",
    Op.DIVIDE: "div",
    Op.MODULO: "mod",
    Op.SELECT: "select",
    Op.STORE: "store",
    # SMT-LIB has no bits of integers: these are functions of our own, which its reader here knows.
    Op.BIT_AND: "bit.and",
    Op.BIT_OR: "bit.or",
    Op.BIT_XOR: "bit.xor",
    Op.SHIFT_LEFT: "shift.left",
    Op.SHIFT_RIGHT: "shift.right",
}


def to_smtlib(root: Term) -> str:
    """The SMT-LIB 2.6 text of `root`; shared subterms are named by nested `let`s."""
    uses: dict[Term, int] = {}
    order = list(subterms(root))
    for t in order:
        for a in t.args:
            uses[a] = uses.get(a, 0) + 1
    free_to_share = not any(t.op is Op.FORALL for t in order)
    texts: dict[Term, str] = {}
    bindings: list[tuple[str, str]] = []
    for t in order:
        text = _smt_node(t, [texts[a] for a in t.args])
        if free_to_share and t.args and uses.get(t, 0) > 1:
            name = f"?{len(bindings)}"
            bindings.append((name, text))
            text = name
        texts[t] = text
    opening = "".join(f"(let (({name} {text})) " for name, text in bindings)
    return opening + texts[root] + ")" * len(bindings)


_PREDEFINED = frozenset({"true", "false", "abs", "distinct", "xor", "is_int", "to_int", "to_real", "const", "implies"})


def smt_symbol(name: str) -> str:
    """The symbol of a name; bars alone do not tell it from a symbol of the language."""
    predefined = name in _PREDEFINED or name in _SMT.values()
    return f"|{name}'|" if predefined else f"|{name}|"


def _smt_integer(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _smt_node(t: Term, args: list[str]) -> str:
    match t.op:
        case Op.CONSTANT:
            return str(t.payload).lower() if isinstance(t.payload, bool) else _smt_integer(t.value)
        case Op.SYMBOL:
            return smt_symbol(t.name)
        case Op.LINEAR:
            parts = [a if c == 1 else f"(* {_smt_integer(c)} {a})" for c, a in zip(t.coefficients, args, strict=True)]
            parts += [_smt_integer(t.constant)] if t.constant else []
            return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0]
        case Op.LE | Op.EQ:
            return f"({'<=' if t.op is Op.LE else '='} {args[0]} {_smt_integer(t.value)})"
        case Op.CONST_ARRAY:
            return f"((as const {t.sort}) {args[0]})"
        case Op.FORALL:
            bound = " ".join(f"({smt_symbol(s.name)} {s.sort})" for s in t.bound)
            return f"(forall ({bound}) {args[0]})"
        case _:
            return f"({_SMT[t.op]} {' '.join(args)})"
