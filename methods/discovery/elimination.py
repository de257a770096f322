"""Elimination of universal quantifiers over inputs: what must hold before a step for every value that it may read.

R. Loos, V. Weispfenning, "Applying linear quantifier elimination", The Computer Journal 36(5), 1993, for integers and
unit coefficients: the atoms that mention x split its range into regions, and one value of each, its lowest, is enough.

Limitations, by weight: None where an input occurs in a product, a remainder, an index, or with another factor than
one (unless it has few values); inputs that are arrays are not eliminated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.parameters import parameter
from core.program import Range
from core.program.semantics import range_fact
from core.terms import BOOL, INT, Arena, Term, atoms, lift_choices, literals, replace_subterms, substitute

MAX_VALUES = parameter("discovery.elimination.max-values")
MAX_POINTS = parameter("discovery.elimination.max-points")
LARGEST = parameter("discovery.elimination.largest")


def for_all(arena: Arena, formula: Term, inputs: Sequence[tuple[Term, Range | None]]) -> Term | None:
    """The formula without inputs that holds where `formula` does for all their values; None if none is found."""
    for x, bounds in inputs:
        parts: list[Term] = []
        for part in literals(formula):
            without = part if x not in part.symbols() else _for_all(arena, part, x, bounds)
            if without is None:
                return None
            parts.append(without)
        formula = arena.and_(*parts)
    return formula


def _for_all(arena: Arena, formula: Term, x: Term, bounds: Range | None) -> Term | None:
    if x.sort is BOOL:
        return arena.and_(*(substitute(arena, formula, {x: arena.boolean(value)}) for value in (False, True)))
    if x.sort is not INT or formula.size > LARGEST:
        return None
    if bounds is not None and bounds.high - bounds.low < MAX_VALUES:
        values = range(bounds.low, bounds.high + 1)
        return arena.and_(*(substitute(arena, formula, {x: arena.integer(value)}) for value in values))
    value = _assumed(arena, formula, x)
    if value is not None:
        return _at(arena, formula, x, value, bounds)
    return _by_regions(arena, lift_choices(arena, formula), x, bounds)


def _at(arena: Arena, formula: Term, x: Term, value: Term, bounds: Range | None) -> Term:
    """`formula` for one value of `x`, where that is in range."""
    at = substitute(arena, formula, {x: value})
    return at if bounds is None else arena.implies(range_fact(arena, value, bounds), at)


def _assumed(arena: Arena, formula: Term, x: Term) -> Term | None:
    """The value of `x` in an equation that `formula`, an implication, assumes."""
    for assumed in _premises(arena, formula):
        if assumed.is_equation and x in assumed.symbols():
            solved = _solved(arena, assumed, x)
            if solved is not None:
                return solved[1]
    return None


def _premises(arena: Arena, formula: Term) -> Iterator[Term]:
    for part in formula.args if formula.is_disjunction else (formula,):
        yield from literals(arena.not_(part))


def _by_regions(arena: Arena, formula: Term, x: Term, bounds: Range | None) -> Term | None:
    """`formula` at the lowest value of each region of `x`."""
    points: dict[Term, None] = {} if bounds is None else {arena.integer(bounds.low): None}
    lowest: dict[Term, Term] = {}  # an atom -> its truth for very small values
    for atom in atoms(formula):
        if x not in atom.symbols():
            continue
        solved = _solved(arena, atom, x)
        if solved is None:
            return None
        sign, value = solved
        above = arena.add(value, arena.one)
        points.update(dict.fromkeys((value, above) if atom.is_equation else (above,) if sign > 0 else (value,)))
        lowest[atom] = arena.boolean(atom.is_bound and sign > 0)
    if len(points) > MAX_POINTS:
        return None
    results = [_at(arena, formula, x, point, bounds) for point in points]
    if bounds is None:
        results.append(replace_subterms(arena, formula, lowest))
    return arena.and_(*results)


def _solved(arena: Arena, atom: Term, x: Term) -> tuple[int, Term] | None:
    """(1, v) for `x ≤ v` or `x = v`, (-1, v) for `x ≥ v`; None for an atom of another form."""
    if not atom.is_comparison:
        return None
    body = atom.args[0]
    parts = list(zip(body.coefficients, body.args, strict=True)) if body.is_sum else [(1, body)]
    own = [c for c, t in parts if t is x]
    if own not in ([1], [-1]) or any(x in t.symbols() for _, t in parts if t is not x):
        return None
    # c·x + rest ≤ k
    rest = arena.linear([(c, t) for c, t in parts if t is not x], -atom.value)
    return own[0], arena.linear([(-own[0], rest)])
