"""Recovery of wrap-around: what lowering wrote as a choice or a remainder is shown as a conversion to a C type.

`x ≤ 2³¹ - 2 ? x + 1 : x + 1 - 2³²` is `(int)(x + 1)` for every `x` in the range of an int. Law: what is found here has
the same value as the term, for all values of symbols within `bounds`; where bounds do not show it, nothing is found.
It is for display: no verdict rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.dataclass import dataclass
from core.terms.operators import Treatment
from core.terms.sorts import INT
from core.terms.term import Op, Term

OTHER_OPERATORS = Treatment.EXACT

BoundsOf = Callable[[Term], tuple[int, int] | None]
"""The least and the largest value of a symbol (of an array: of its elements); None where they are not known."""

_FARTHEST = 1 << 12  # from the end of a type: constants that are added in programs are that small


@dataclass(frozen=True, slots=True)
class IntegerType:
    """An integer type by its width in bits."""

    name: str
    bits: int
    signed: bool

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return self.low + (1 << self.bits) - 1

    @property
    def farthest(self) -> int:
        """The distance up to which a constant may lead from an end of the type."""
        return min(_FARTHEST, 1 << (self.bits - 3))


_TYPES = tuple(
    IntegerType(name, bits, signed)
    for bits, names in (
        (32, ("int", "unsigned")),
        (64, ("int64_t", "uint64_t")),
        (16, ("short", "unsigned short")),
        (8, ("signed char", "unsigned char")),
    )
    for name, signed in zip(names, (True, False), strict=True)
)


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of `coefficient · part` for each part, and a constant."""

    parts: tuple[tuple[int, Term | IntegerCast], ...]
    constant: int


@dataclass(frozen=True, slots=True)
class IntegerCast:
    """An integer converted to a type: the one value of the type that is equal to it modulo 2^bits."""

    type: IntegerType
    value: Sum

    @property
    def modulus(self) -> int:
        return 1 << self.type.bits


@dataclass(frozen=True, slots=True)
class LinearLiteral:
    """A comparison `body ≤ 0` or `body = 0` (by the operator), or its negation."""

    op: Op
    negated: bool
    body: Sum


def plain_sum(t: Term) -> Sum:
    """The sum that an Int term is, as it is built."""
    if t.is_sum:
        return Sum(tuple(zip(t.coefficients, t.args, strict=True)), t.constant)
    return Sum((), t.value) if t.is_constant else Sum(((1, t),), 0)


def plain_literal(t: Term) -> LinearLiteral | None:
    """The comparison that a formula is, as it is built; None for other formulas."""
    atom = t.args[0] if t.is_negation else t
    if not atom.is_comparison:
        return None
    body = plain_sum(atom.args[0])
    return LinearLiteral(atom.op, atom is not t, Sum(body.parts, body.constant - atom.value))


def residue(value: int, modulus: int) -> int:
    """The number nearest to 0 that is equal modulo an even number."""
    return (value + modulus // 2) % modulus - modulus // 2


def with_conversions(body: Sum, is_natural: Callable[[Term], bool]) -> Sum:
    """The sum with remainders by sizes of types as conversions. `is_natural`: whether a term is never negative."""
    parts: list[tuple[int, Term | IntegerCast]] = []
    constant = body.constant
    for factor, part in body.parts:
        found = _remainder(part, is_natural) if isinstance(part, Term) else None
        parts.append((factor, part if found is None else found))
        if found is not None:
            constant -= factor * found.type.low  # the remainder of `x - low` is the conversion of x, less `low`
    return Sum(tuple(parts), constant)


def _remainder(t: Term, is_natural: Callable[[Term], bool]) -> IntegerCast | None:
    """The conversion to an unsigned type that `t` is, or one to a signed type with its least value subtracted.

    Small remainders of what is never negative stay: programs have `x % 256` themselves.
    """
    if t.op is not Op.MODULO or not t.args[1].is_constant:
        return None
    for type_ in _TYPES:
        modulus = 1 << type_.bits
        stays = type_.bits < 32 and not type_.signed and is_natural(t.args[0])
        if t.args[1].value == modulus and not stays:
            value = plain_sum(t.args[0])
            constant = residue(value.constant + type_.low, modulus)
            if not type_.signed or abs(constant) <= type_.farthest:
                parts = tuple((residue(factor, modulus), part) for factor, part in value.parts)
                return IntegerCast(type_, Sum(parts, constant))
    return None


def chosen_literal(t: Term, bounds: BoundsOf) -> LinearLiteral | None:
    """The one comparison that a choice between comparisons is, where it says whether something wraps around."""
    condition, then, otherwise = t.args
    first, second = plain_literal(then), plain_literal(otherwise)
    if first is None or second is None or (first.op, first.negated) != (second.op, second.negated):
        return None
    body = _chosen(condition, first.body, second.body, bounds)
    return None if body is None else LinearLiteral(first.op, first.negated, body)


def chosen_sum(t: Term, bounds: BoundsOf) -> Sum | None:
    """The sum that a choice between integers is, where it wraps something around; None for others."""
    condition, then, otherwise = t.args
    return _chosen(condition, plain_sum(then), plain_sum(otherwise), bounds) if t.sort is INT else None


def _chosen(condition: Term, then: Sum, otherwise: Sum, bounds: BoundsOf) -> Sum | None:
    if condition.op is not Op.LE or then.parts != otherwise.parts:
        return None
    base, limit, turned = plain_sum(condition.args[0]), condition.value, then.constant - otherwise.constant
    for type_, shift, is_upper in _ends(limit):
        factor, rest = divmod(turned, 1 << type_.bits)
        wrapped = Sum(base.parts, base.constant + shift)
        if factor and not rest and _turns_at_most_once(wrapped, type_, is_upper, bounds):
            found = _replaced(then if is_upper else otherwise, factor, base, IntegerCast(type_, wrapped), shift)
            if found is not None:
                return found
    return None


def _ends(limit: int) -> Iterator[tuple[IntegerType, int, bool]]:
    """The types that end near a limit, how far the end is from it, and whether it is the upper end."""
    for type_ in _TYPES:
        for end, is_upper in ((type_.high, True), (type_.low - 1, False)):
            if abs(end - limit) <= type_.farthest:
                yield type_, end - limit, is_upper


def _turns_at_most_once(value: Sum, type_: IntegerType, is_upper: bool, bounds: BoundsOf) -> bool:
    """Whether the choice is the conversion: the value is in the type, or beyond its one end by less than its size."""
    ends = ends_of(value, bounds)
    span = 1 << type_.bits
    low, high = (type_.low, type_.high + span) if is_upper else (type_.low - span, type_.high)
    return ends is not None and low <= ends[0] and ends[1] <= high


def ends_of(value: Sum, bounds: BoundsOf) -> tuple[int, int] | None:
    """The least and the largest value of a sum of symbols and elements of arrays; None where they are not known."""
    low = high = value.constant
    for factor, part in value.parts:
        if isinstance(part, IntegerCast):
            return None
        is_read = part.is_select and part.args[0].is_symbol
        known = bounds(part.args[0] if is_read else part) if is_read or part.is_symbol else None
        if known is None:
            return None
        low += min(factor * end for end in known)
        high += max(factor * end for end in known)
    return low, high


def _replaced(whole: Sum, factor: int, base: Sum, conversion: IntegerCast, shift: int) -> Sum | None:
    """The sum `whole` with `factor · base` as the conversion of `base + shift`.

    None where it does not become simpler.
    """
    left = {part: c for c, part in whole.parts}
    for c, part in base.parts:
        left[part] = left.get(part, 0) - factor * c
    rest = tuple((c, part) for part, c in left.items() if c)
    if len(rest) >= max(len(whole.parts), 1) and whole.parts:
        return None
    constant = whole.constant - factor * (shift + base.constant)
    return Sum(((factor, conversion), *rest), constant)
