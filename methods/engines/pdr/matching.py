"""The search for elements of a model that satisfy a cube with many variables: sets of elements are bits of numbers.

A clause with many variables has too many instances to state them all, so those that a model violates are looked for.
The variables of its cube get values one after the other. Each literal that speaks of the next variable and of earlier
ones is a set of values for it, a row or a column of a relation; the intersection of the sets is what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from methods.engines.pdr.universal_clauses import Cube, ElementName, HeapLiteral, HeapRelation, RelationKind
from methods.engines.pdr.universe import Universe

LiteralValues = Callable[[int], bool]
"""The value of each literal in a model."""


class ModelElements:
    """A model of the state before a path: classes of equal elements, each a bit, and relations between them."""

    def __init__(self, universe: Universe, value: LiteralValues) -> None:
        self._universe, self._value = universe, value
        self.members: dict[int, list[int]] = {}
        """The elements of each class, by the first of them."""
        self._number: dict[int, int] = {}
        numbers: dict[int, int] = {}
        for element in universe.elements:
            first = next((x for x in self.members if value(universe.equal(element, x))), element)
            self.members.setdefault(first, []).append(element)
            self._number[element] = numbers.setdefault(first, len(numbers))
        self.first = tuple(self.members)
        """The first element of each class."""
        self.all = (1 << len(self.first)) - 1
        self._rows: dict[HeapRelation, list[int]] = {}
        self._columns: dict[HeapRelation, list[int]] = {}
        self._sets: dict[HeapRelation, int] = {}

    def class_of(self, element: int) -> int:
        """The number of the class of an element."""
        return self._number[element]

    def rows(self, relation: HeapRelation) -> list[int]:
        """The classes that each class reaches."""
        if relation not in self._rows:
            self._rows[relation] = [self._bits(relation, (a,), ()) for a in self.first]
        return self._rows[relation]

    def columns(self, relation: HeapRelation) -> list[int]:
        """The classes that reach each class."""
        if relation not in self._columns:
            self._columns[relation] = [self._bits(relation, (), (b,)) for b in self.first]
        return self._columns[relation]

    def set(self, predicate: HeapRelation) -> int:
        """The classes of which a predicate holds."""
        if predicate not in self._sets:
            self._sets[predicate] = self._bits(predicate, (), ())
        return self._sets[predicate]

    def _bits(self, relation: HeapRelation, before: tuple[int, ...], behind: tuple[int, ...]) -> int:
        literal = self._universe.literal
        values = (self._value(literal(relation, (*before, x, *behind))) for x in self.first)
        return sum(1 << i for i, holds in enumerate(values) if holds)


class _Restriction(NamedTuple):
    """A literal that speaks of a variable, and perhaps of an earlier variable, or of a constant: of an element."""

    sign: bool
    relation: HeapRelation
    is_target: bool = False  # the variable is what the other name reaches
    variable: int | None = None
    element: int | None = None


class CubeSearch:
    """The search for values of the variables of a cube, which are numbered from 0. `names` has the constants."""

    def __init__(self, cube: Cube, variables: int, names: Mapping[ElementName, int]) -> None:
        self.closed: Cube = tuple(one for one in cube if not one.atom.variables())
        """The literals without variables: a model must satisfy them, too."""
        self._restrictions: list[list[_Restriction]] = [[] for _ in range(variables)]
        for one in cube:
            if one.atom.variables():
                variable = max(one.atom.variables())
                self._restrictions[variable].append(_restriction(one, variable, names))

    def matches(self, model: ModelElements) -> Iterator[tuple[int, ...]]:
        """The tuples of classes, each by its first element, that satisfy the literals with variables."""
        stack: list[tuple[int, ...]] = [()]
        while stack:
            chosen = stack.pop()
            if len(chosen) == len(self._restrictions):
                yield tuple(model.first[i] for i in chosen)
                continue
            left = _allowed(self._restrictions[len(chosen)], chosen, model)
            while left:
                lowest = left & -left
                stack.append((*chosen, lowest.bit_length() - 1))
                left ^= lowest


def _restriction(one: HeapLiteral, variable: int, names: Mapping[ElementName, int]) -> _Restriction:
    sign, (relation, args) = one.sign, one.atom
    if len(args) == 1 or args[0] == args[1]:
        return _Restriction(sign, relation)
    is_target = args[1] == variable
    other = args[0] if is_target else args[1]
    if isinstance(other, int):
        return _Restriction(sign, relation, is_target, variable=other)
    return _Restriction(sign, relation, is_target, element=names[other])


def _allowed(restrictions: Sequence[_Restriction], chosen: Sequence[int], model: ModelElements) -> int:
    """The classes that a variable may be."""
    left = model.all
    for sign, relation, is_target, variable, element in restrictions:
        if variable is not None:
            bits = _related(model, relation, chosen[variable], is_target)
        elif element is not None:
            bits = _related(model, relation, model.class_of(element), is_target)
        else:
            bits = model.set(relation)
        left &= bits if sign else ~bits
        if not left:
            break
    return left


def _related(model: ModelElements, relation: HeapRelation, other: int, is_target: bool) -> int:
    if relation.kind is RelationKind.EQUAL:
        return 1 << other
    return (model.rows(relation) if is_target else model.columns(relation))[other]


__all__ = ["CubeSearch", "LiteralValues", "ModelElements"]
