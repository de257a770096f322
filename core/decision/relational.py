"""Formulas about addresses as relations between elements, and universal formulas as cubes that no elements satisfy.

An element is an integer term: a symbol, a constant, or what an array has at an index. An atom is a relation between
elements; a cell of an array, at a distance from an element, is a function of that element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from core.dataclass import dataclass
from core.parameters import parameter
from core.terms import Arena, Op, Term, Treatment

OTHER_OPERATORS = Treatment.OPAQUE

MAX_CUBES = parameter("decision.relational.max-cubes")


class Kind(IntEnum):
    """The kind of a relation."""

    EQUAL = 0  # of two elements
    MEMBER = 1  # of one or two elements: an array of truth values has them
    AT_MOST = 2  # a sum of elements is at most a number
    IS = 3  # a sum of elements is a number


class ElementRelation(NamedTuple):
    """A relation between elements."""

    kind: Kind
    array: Term | None = None
    coefficients: tuple[int, ...] = ()
    value: int = 0

    def turned(self) -> ElementRelation:
        """The bound of a difference that fails where this one holds of the same elements turned."""
        return self._replace(value=-self.value - 1)


EQUAL = ElementRelation(Kind.EQUAL)


class CellFunction(NamedTuple):
    """A function from elements to elements: what an array has at a distance from an element."""

    array: Term
    distance: Term


class Applied(NamedTuple):
    """The cell of a variable."""

    cell: CellFunction
    variable: int


Argument = int | Applied | Term
"""A variable of a cube, by its number; a cell of one; or an element."""


class CubeLiteral(NamedTuple):
    """A relation between arguments, or its negation."""

    sign: bool
    relation: ElementRelation
    args: tuple[Argument, ...]

    def variables(self) -> list[int]:
        """The variables that it speaks of."""
        return [x.variable if isinstance(x, Applied) else x for x in self.args if isinstance(x, int | Applied)]


@dataclass(frozen=True)
class DeniedCube:
    """A conjunction of literals that no values of its variables satisfy."""

    variables: int
    literals: tuple[CubeLiteral, ...]


def relation_of(arena: Arena, atom: Term) -> tuple[ElementRelation, tuple[Term, ...]] | None:
    """The relation that an atom is, and its arguments; None of other atoms."""
    if atom.is_select:
        array, *indices = _read(atom)
        if not array.is_symbol or len(indices) > 2:
            return None
        return ElementRelation(Kind.MEMBER, array), tuple(indices)
    if not atom.is_comparison:
        return None
    subject, value = atom.args[0], atom.value
    if atom.is_equation and not subject.is_sum:
        return EQUAL, (subject, arena.integer(value))
    coefficients = subject.coefficients if subject.is_sum else (1,)
    args = subject.args if subject.is_sum else (subject,)
    if atom.is_equation and value == 0 and coefficients == (1, -1):
        return EQUAL, args
    kind = Kind.IS if atom.is_equation else Kind.AT_MOST
    return ElementRelation(kind, None, coefficients, value), args


def cell_of(arena: Arena, element: Term, distances: Sequence[Term] = ()) -> tuple[CellFunction, Term] | None:
    """The cell that an element is, and of what: at one of the distances, or at a constant one; None of others."""
    if not element.is_select or not element.args[0].is_symbol:
        return None
    array, index = element.args
    for distance in distances:
        base = arena.subtract(index, distance)
        if not base.is_sum and not base.is_constant:
            return CellFunction(array, distance), base
    if index.is_constant or (index.is_sum and index.coefficients != (1,)):
        return None
    base = index.args[0] if index.is_sum else index
    return CellFunction(array, arena.subtract(index, base)), base


def denied_cubes(arena: Arena, formula: Term) -> Iterator[DeniedCube]:
    """The cubes that a universal formula denies; none if it says something else than is known here."""
    bound = formula.bound
    numbers = {symbol: number for number, symbol in enumerate(bound)}
    try:
        cubes = [tuple(dict.fromkeys(cube)) for cube in _cubes(arena, formula.args[0], False, numbers)]
    except _NotKnown:
        return
    for cube in cubes:
        if not any(one._replace(sign=not one.sign) in cube for one in cube):
            yield DeniedCube(len(bound), cube)


class _NotKnown(Exception):
    """A formula says something that is no relation between elements."""


def _cubes(arena: Arena, t: Term, sign: bool, numbers: dict[Term, int]) -> list[tuple[CubeLiteral, ...]]:
    """The disjunction of cubes that a formula is, or its negation."""
    if t.is_negation:
        return _cubes(arena, t.args[0], not sign, numbers)
    if not (t.is_conjunction or t.is_disjunction):
        return [] if t.is_constant and t.is_true != sign else [_literal(arena, t, sign, numbers)]
    parts = [_cubes(arena, part, sign, numbers) for part in t.args]
    if t.is_disjunction == sign:
        return [cube for part in parts for cube in part]
    product: list[tuple[CubeLiteral, ...]] = [()]
    for part in parts:
        product = [(*first, *second) for first in product for second in part]
        if len(product) > MAX_CUBES:
            raise _NotKnown
    return product


def _literal(arena: Arena, atom: Term, sign: bool, numbers: dict[Term, int]) -> tuple[CubeLiteral, ...]:
    if atom.is_constant:
        return ()
    found = relation_of(arena, atom)
    if found is None or len(found[1]) > 2:
        raise _NotKnown
    relation, args = found
    return (CubeLiteral(sign, relation, tuple(_argument(arena, t, numbers) for t in args)),)


def _argument(arena: Arena, t: Term, numbers: dict[Term, int]) -> Argument:
    if t in numbers:
        return numbers[t]
    inside = [symbol for symbol in t.symbols() if symbol in numbers]
    if not inside:
        return t
    if t.is_select and t.args[0].is_symbol and len(inside) == 1:
        distance = arena.subtract(t.args[1], inside[0])
        if not any(symbol in numbers for symbol in distance.symbols()):
            return Applied(CellFunction(t.args[0], distance), numbers[inside[0]])
    raise _NotKnown


def _read(atom: Term) -> list[Term]:
    """The array that nested selections read, and the indices, the outermost first."""
    indices: list[Term] = []
    while atom.op is Op.SELECT:
        indices.insert(0, atom.args[1])
        atom = atom.args[0]
    return [atom, *indices]
