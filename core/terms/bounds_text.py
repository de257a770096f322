"""Conjuncts and disjuncts for display, in which bounds that meet in one sum are joined: `0 <= i < n`, `a != b`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.dataclass import dataclass
from core.terms.linear_text import comparison_text, monomials_text, sides
from core.terms.notation import COMPARE, FormulaPart, InfixText, InfixTexts, Notation, TermOrder
from core.terms.operators import Treatment
from core.terms.term import Op, Term
from core.terms.wraparound import LinearLiteral, Sum, chosen_literal, plain_literal

OTHER_OPERATORS = Treatment.EXACT


def literal_text(literal: LinearLiteral, arg: InfixTexts, n: Notation) -> InfixText:
    """The text of a comparison."""
    if n.has_floats:
        from core.terms import float_text  # what only programs with such numbers need

        found = float_text.literal_text(literal, arg, n.and_, n.names)
        if found is not None:
            return found
    return comparison_text(literal, arg, n), COMPARE


def one_text(part: FormulaPart, arg: InfixTexts, n: Notation, level: int) -> str:
    """The text of a part in a context that binds as tightly as the level says."""
    if isinstance(part, Term):
        return arg(part, level)
    text, strength = literal_text(part, arg, n) if isinstance(part, LinearLiteral) else part.text(arg, n.and_)
    return text if strength >= level else f"({text})"


def joined_texts(parts: Sequence[FormulaPart], arg: InfixTexts, n: Notation, level: int) -> list[str]:
    """The texts of conjuncts, each once, in which chains of bounds stand where the first of them stood."""
    bounds: list[_Bound | None] = []
    for part in parts:
        literal = part if isinstance(part, LinearLiteral) else literal_of(part, n) if isinstance(part, Term) else None
        is_bound = literal is not None and literal.op is Op.LE and not _is_of_floats(literal, n)
        bounds.append(_ascending(literal, arg, n) if literal is not None and is_bound else None)
    texts: list[str] = []
    used: set[int] = set()
    for number, part in enumerate(parts):
        if number not in used:
            chain = _chain(number, bounds, used)
            used.update(chain)
            links = [one for one in (bounds[link] for link in chain) if one is not None]
            texts.append(one_text(part, arg, n, level) if len(chain) == 1 else _linked(links))
    return list(dict.fromkeys(texts))


def _is_of_floats(literal: LinearLiteral, n: Notation) -> bool:
    if not n.has_floats:
        return False
    from core.terms.float_text import order_of, range_of  # what only programs with such numbers need

    return range_of(literal, n.names) is not None or order_of(literal, n.names) is not None


@dataclass(frozen=True, slots=True)
class _Bound:
    """A comparison with its smaller side first; `ends` says of both sides whether they are numbers."""

    left: str
    sign: str
    right: str
    ends: tuple[bool, bool]


def _linked(links: Sequence[_Bound]) -> str:
    return "".join(f"{one.left}{one.sign}" for one in links) + links[-1].right


def _ascending(literal: LinearLiteral, arg: InfixTexts, n: Notation) -> _Bound:
    positive, negative, bound = sides(literal.body, n)
    if not literal.negated:
        sign = n.lt if bound == -1 else n.le
        bound = 0 if bound == -1 else bound
        to_left = -bound if negative and bound < 0 else 0
        left, right = (
            monomials_text(positive, to_left, arg, n),
            monomials_text(negative, 0 if to_left else bound, arg, n),
        )
        return _Bound(left, sign, right, (not positive, not negative))
    sign = n.lt if bound == 0 or (negative and bound != -1) else n.le
    bound += sign == n.le
    to_right = -bound if negative and bound < 0 else 0
    left, right = monomials_text(negative, 0 if to_right else bound, arg, n), monomials_text(positive, to_right, arg, n)
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


def parts_of(t: Term, n: Notation, order: TermOrder) -> Sequence[FormulaPart]:
    """The parts of a conjunction or disjunction; for display `a < b || a > b` is one, `a != b`, and so is `a == b`."""
    parts = order(t.args)
    if n.bounds is None:
        return parts
    if n.has_floats:
        from core.terms.float_text import joined_parts  # what only programs with such numbers need

        found = joined_parts(parts, n.names, is_conjunction=t.is_conjunction)
        parts = [one for one in found if isinstance(one, Term)]
        return (*_joined(t, parts, n), *(one for one in found if not isinstance(one, Term)))
    return _joined(t, parts, n)


def _joined(t: Term, parts: Sequence[Term], n: Notation) -> Sequence[FormulaPart]:
    gap = 0 if t.is_conjunction else 2  # from the upper bound to the lower one
    written: dict[Term, FormulaPart] = {part: part for part in parts}
    literals = [(part, literal) for part in parts if (literal := literal_of(part, n)) is not None]
    bounds = [(part, literal) for part, literal in literals if literal.op is Op.LE]
    lower = {(one.body.parts, 1 - one.body.constant): part for part, one in bounds if one.negated}
    for part, one in bounds:
        other = None if one.negated else lower.get((one.body.parts, gap - one.body.constant))
        if other in written:
            del written[other]
            same = Sum(one.body.parts, one.body.constant - gap // 2)
            written[part] = LinearLiteral(Op.EQ, t.is_disjunction, same)
    return tuple(written.values())


def literal_of(t: Term, n: Notation) -> LinearLiteral | None:
    """The comparison that `t` is; None for other formulas.

    For display also one that wraps around, and `(a <= b) == (a < b)`, which is `a != b`.
    """
    literal = plain_literal(t)
    if literal is not None or n.bounds is None:
        return literal
    inner = t.args[0] if t.is_negation else t
    if inner.is_choice:
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
