"""Indices with two strides, such as `m·k + l`: rows and columns of arrays of two dimensions, which are stored by rows.

Heuristic: which row and which column an index means is read from its monomials. What is read so are instances of
hypotheses that hold for all rows and columns; any other would be as sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.dataclass import dataclass
from core.terms import INT, Arena, Op, Term, Treatment, rebuild, subterms

OTHER_OPERATORS = Treatment.EXACT

_SMALLEST_TYPE = 1 << 8


@dataclass(frozen=True)
class Stride:
    """The distance of two neighbours: `coefficient` times the product of `factors`."""

    coefficient: int
    factors: tuple[Term, ...] = ()


def stride(pattern: Term, symbol: Term) -> Stride | None:
    """The stride of an index in a symbol; None if it is not linear in this."""
    found = [(t, c) for t, c in monomials(pattern) if symbol in t.symbols()]
    if len(found) != 1:
        return None
    t, c = found[0]
    others = [factor for factor in factors(t) if factor is not symbol]
    if len(others) != len(factors(t)) - 1 or any(symbol in factor.symbols() for factor in others):
        return None
    return Stride(c, tuple(others))


def monomials(t: Term) -> Iterator[tuple[Term, int]]:
    """The monomials of a term with their coefficients, without its constant."""
    if t.op is Op.LINEAR:
        yield from zip(t.args, t.coefficients, strict=True)
    elif t.op is not Op.CONSTANT:
        yield t, 1


def factors(t: Term) -> tuple[Term, ...]:
    """The factors of a monomial."""
    return t.args if t.op is Op.MULTIPLY else (t,)


def row_and_column(arena: Arena, pattern: Term, first: Term, second: Term, index: Term) -> tuple[Term, Term] | None:
    """The values of two symbols for which `pattern` is `index`, where that can be read from it."""
    strides = {symbol: stride(pattern, symbol) for symbol in (first, second)}
    ordered = sorted(strides, key=lambda s: _size(strides[s]))
    small, large = strides[ordered[0]], strides[ordered[1]]
    if small is None or large is None or small.factors or _size(small) == _size(large):
        return None
    parts = {symbol: _times(arena, symbol, one) for symbol, one in zip(ordered, (small, large), strict=True)}
    rest = arena.linear([(1, pattern), *((-1, part) for part in parts.values())])
    found = _split(arena, arena.subtract(without_wraps(arena, index), rest), large, small.coefficient)
    if found is None:
        return None
    row, column = found
    return (row, column) if ordered[1] is first else (column, row)


def without_wraps(arena: Arena, index: Term) -> Term:
    """An index as it is where nothing wraps around."""
    if all(t.op not in (Op.ITE, Op.MODULO) for t in subterms(index)):
        return index
    plain: dict[Term, Term] = {}
    for t in subterms(index):
        args = tuple(plain[a] for a in t.args)
        if t.op is Op.ITE and t.sort is INT:
            plain[t] = min(args[1:], key=lambda a: abs(constant_part(a)))  # the others differ by the size of a type
        elif t.op is Op.MODULO and args[1].op is Op.CONSTANT and args[1].value >= _SMALLEST_TYPE:
            plain[t] = args[0]
        else:
            plain[t] = t if args == t.args else rebuild(arena, t, args)
    return plain[index]


def constant_part(t: Term) -> int:
    """The constant of a term."""
    return t.value if t.op is Op.CONSTANT else t.constant if t.op is Op.LINEAR else 0


def _size(one: Stride | None) -> tuple[int, int]:
    return (len(one.factors), abs(one.coefficient)) if one is not None else (-1, 0)


def _times(arena: Arena, t: Term, one: Stride) -> Term:
    for factor in one.factors:
        t = arena.multiply(factor, t)
    return arena.linear([(one.coefficient, t)])


def _without(product: Iterable[Term], divisor: Iterable[Term]) -> tuple[Term, ...] | None:
    """The factors of a product that are left where it is divided; None if the divisor does not divide it."""
    left = list(product)
    for factor in divisor:
        if factor not in left:
            return None
        left.remove(factor)
    return tuple(left)


def _split(arena: Arena, offset: Term, row: Stride, column: int) -> tuple[Term, Term] | None:
    """The row and the column of an offset from the first element; None where columns are no whole ones."""
    rows: list[tuple[int, Term]] = []
    columns: list[tuple[int, Term]] = []
    for t, c in monomials(offset):
        left = _without(factors(t), row.factors) if row.factors and c % row.coefficient == 0 else None
        if left is not None:
            rows.append((c // row.coefficient, _times(arena, arena.one, Stride(1, left))))
            continue
        whole = 0 if row.factors else abs(c) // abs(row.coefficient) * (1 if c * row.coefficient > 0 else -1)
        rows.append((whole, t))
        columns.append((c - whole * row.coefficient, t))
    constant = constant_part(offset)
    columns = [(c, t) for c, t in columns if c != 0]
    whole = 0
    if not row.factors:  # a[i][j - 1] is nearer than the end of the row before
        whole = (constant + (abs(row.coefficient) // 2 if columns else 0)) // row.coefficient
    rest = constant - whole * row.coefficient
    if any(c % column for c, _ in columns) or rest % column:
        return None
    return arena.linear(rows, whole), arena.linear([(c // column, t) for c, t in columns], rest // column)
