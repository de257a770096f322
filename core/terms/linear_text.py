"""The text of sums, comparisons, conversions and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.terms.notation import ATOM, PRODUCT, SUM, UNARY, InfixText, InfixTexts, Notation
from core.terms.operators import Treatment
from core.terms.term import Op, Term, subterms
from core.terms.wraparound import IntegerCast, LinearLiteral, Sum, residue, with_conversions

OTHER_OPERATORS = Treatment.EXACT


def comparison_text(literal: LinearLiteral, arg: InfixTexts, n: Notation) -> str:
    """The text of `body ⋈ bound`, negative summands on the other side, so that no minus sign is left in front."""
    positive, negative, bound = sides(literal.body, n)
    if literal.op is Op.EQ:
        forward = backward = n.ne if literal.negated else n.eq
        named = _named(positive, negative, bound, n)
        if named is not None:
            return f"{arg(named[0], SUM)}{forward}{named[1]}"
    elif bound == -1 or (n.bounds is not None and _is_large_power(bound + 1)):
        # Over the integers `≤ −1` reads better as `< 0`.
        bound += 1
        forward, backward = (n.ge, n.le) if literal.negated else (n.lt, n.gt)
    else:
        forward, backward = (n.gt, n.lt) if literal.negated else (n.le, n.ge)
    if negative and bound < 0:
        return f"{monomials_text(negative, 0, arg, n)}{backward}{monomials_text(positive, -bound, arg, n)}"
    return f"{monomials_text(positive, 0, arg, n)}{forward}{monomials_text(negative, bound, arg, n)}"


_Monomials = Sequence[tuple[int, Term | IntegerCast]]


def sides(body: Sum, n: Notation) -> tuple[_Monomials, _Monomials, int]:
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


def sum_text(body: Sum, arg: InfixTexts, n: Notation) -> InfixText:
    """The text of a sum."""
    body = body if n.bounds is None else with_conversions(body, n.rounds_down)
    if len(body.parts) == 1 and body.parts[0][0] == 1 and not body.constant:
        return arg(body.parts[0][1], UNARY), UNARY
    return monomials_text(body.parts, body.constant, arg, n), SUM


def monomials_text(monomials: _Monomials, constant: int, arg: InfixTexts, n: Notation) -> str:
    """The text of summands and a constant, positive ones first."""
    if not monomials:
        return number_text(constant, n)[0]
    # So that `n - i` is not printed as `-i + n`.
    text = ""
    for c, m in sorted(monomials, key=lambda cm: cm[0] < 0):
        alone = abs(c) == 1
        plain = alone and n.bounds is not None and (text or c > 0)  # the sign in front of the first binds tightly
        level = PRODUCT if plain else UNARY
        factor = arg(m, level) if alone else f"{_factor(abs(c), n)}{n.times}{arg(m, level)}"
        text += (" - " if c < 0 else " + ") + factor if text else ("-" if c < 0 else "") + factor
    if constant:
        number = number_text(constant, n)[0]
        text += f" - {number.removeprefix('-')}" if constant < 0 else f" + {number}"
    return text


# Conversions and large numbers, for people


def conversion_text(conversion: IntegerCast, texts: Mapping[Term, InfixText], n: Notation) -> InfixText:
    """The text of a conversion: its value counts modulo the size of the type, so numbers are the nearest to 0."""
    modulus = conversion.modulus
    inner: dict[Term, InfixText] = {}

    def arg(a: Term | IntegerCast, level: int) -> str:
        text, strength = inner[a] if isinstance(a, Term) else conversion_text(a, texts, n)
        return text if strength >= level else f"({text})"

    for t in subterms(*(part for _, part in conversion.value.parts if isinstance(part, Term))):
        if t.is_sum:
            parts = tuple((residue(c, modulus), part) for c, part in zip(t.coefficients, t.args, strict=True))
            inner[t] = monomials_text(parts, residue(t.constant, modulus), arg, n), SUM
        elif t.op is Op.MULTIPLY:
            inner[t] = n.times.join(arg(a, UNARY) for a in t.args), PRODUCT
        else:
            inner[t] = texts[t]
    match conversion.value:
        case Sum(((1, Term() as alone),), 0):
            value = arg(alone, ATOM)
        case _:
            value = f"({sum_text(conversion.value, arg, n)[0]})"
    return f"({conversion.type.name}){value}", UNARY


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LEAST_POWER = 31
_FROM_POWER = 1 << 12  # how far a number may be from a multiple of a power
_MAX_TIMES = 1 << 10


def _is_large_power(value: int) -> bool:
    return abs(value).bit_count() == 1 and abs(value) >= 1 << _LEAST_POWER


def number_text(value: int, n: Notation) -> InfixText:
    """The text of a number; for display, one near a small multiple of a large power of two is written with it."""
    size = abs(value)
    near = (size + (1 << (_LEAST_POWER - 1))) >> _LEAST_POWER  # in units of the least power
    rest = size - (near << _LEAST_POWER)
    if n.bounds is None or not near or abs(rest) > _FROM_POWER:
        return str(value), ATOM if value >= 0 else UNARY
    exponent = (near & -near).bit_length() - 1
    times = near >> exponent
    if times > _MAX_TIMES:
        return str(value), ATOM if value >= 0 else UNARY
    factor = "" if times == 1 else f"{times}{n.times}"
    text = f"{'-' if value < 0 else ''}{factor}2{str(exponent + _LEAST_POWER).translate(_SUPERSCRIPTS)}"
    if not rest:
        return text, UNARY if value < 0 else ATOM if times == 1 else PRODUCT
    return f"{text} {'-' if (rest < 0) != (value < 0) else '+'} {abs(rest)}", SUM


def _factor(value: int, n: Notation) -> str:
    text, strength = number_text(value, n)
    return text if strength >= PRODUCT else f"({text})"
