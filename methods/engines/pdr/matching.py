"""The search for elements of a model that satisfy a cube with many variables: sets of elements are bits of numbers.

A clause with many variables has too many instances to state them all, so those that a model violates are looked for.
The variables of its cube get values one after the other. Each literal that speaks of the next variable and of earlier
ones is a set of values for it, a row or a column of a relation; the intersection of the sets is what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from methods.engines.pdr.universal_clauses import EQUAL, Cube, ElementName, HeapLiteral, HeapRelation
from methods.engines.pdr.universe import Universe

LiteralValues = Callable[[int], bool]
"""The value of each literal in a model."""


class SatModel:
    """The values of literals in a model; implements `LiteralValues`. A variable beyond the model is false."""

    def __init__(self, model: Sequence[int]) -> None:
        self._model, self._size = model, len(model)

    def __call__(self, literal: int) -> bool:
        variable = abs(literal)
        return (variable <= self._size and self._model[variable - 1] > 0) == (literal > 0)

    def bits(self, literals: Iterable[int]) -> int:
        """The places of the literals that hold, as bits."""
        model, size = self._model, self._size
        return sum(
            [
                1 << i
                for i, x in enumerate(literals)
                if (x <= size and model[x - 1] > 0 if x > 0 else -x > size or model[-x - 1] < 0)
            ]
        )


class ModelElements:
    """A model of the state before a path: classes of equal elements, each a bit, and relations between them."""

    def __init__(self, universe: Universe, value: SatModel) -> None:
        self._universe, self._value = universe, value
        self.members: dict[int, list[int]] = {}
        """The elements of each class, by the first of them."""
        self._number: dict[int, int] = {}
        numbers: dict[int, int] = {}
        for element in universe.elements:
            equal = universe.row(EQUAL, (element,))
            first = next((x for x in self.members if value(equal[x])), element)
            self.members.setdefault(first, []).append(element)
            self._number[element] = numbers.setdefault(first, len(numbers))
        self.first = tuple(self.members)
        """The first element of each class."""
        self.all = (1 << len(self.first)) - 1
        self._rows: dict[HeapRelation, list[int]] = {EQUAL: [1 << i for i in range(len(self.first))]}
        self._columns: dict[HeapRelation, list[int]] = {}
        self._sets: dict[tuple[HeapRelation, int | None, bool], int] = {}

    def class_of(self, element: int) -> int:
        """The number of the class of an element."""
        return self._number[element]

    def rows(self, relation: HeapRelation) -> list[int]:
        """The classes that each class reaches."""
        if relation not in self._rows:
            self._rows[relation] = [self._bits(relation, (a,)) for a in self.first]
        return self._rows[relation]

    def columns(self, relation: HeapRelation) -> list[int]:
        """The classes that reach each class."""
        if relation not in self._columns:
            rows = self.rows(relation)
            self._columns[relation] = [
                sum([1 << i for i, row in enumerate(rows) if row >> b & 1]) for b in range(len(rows))
            ]
        return self._columns[relation]

    def set(self, relation: HeapRelation, element: int | None, *, is_target: bool) -> int:
        """The classes of which a predicate holds, or that an element reaches (`is_target`) or is reached from."""
        key = (relation, element, is_target)
        if key not in self._sets:
            self._sets[key] = self._set(*key)
        return self._sets[key]

    def _set(self, relation: HeapRelation, element: int | None, is_target: bool) -> int:
        if element is None:
            return self._bits(relation, ())
        if is_target or relation is EQUAL:
            return self._bits(relation, (element,))
        return self._value.bits([self._universe.row(relation, (a,))[element] for a in self.first])

    def _bits(self, relation: HeapRelation, before: tuple[int, ...]) -> int:
        row = self._universe.row(relation, before)
        return self._value.bits([row[x] for x in self.first])


class _Restriction(NamedTuple):
    """A literal that speaks of the next variable, and perhaps of another name; `is_target`: as what that reaches."""

    sign: bool
    relation: HeapRelation
    is_target: bool = False
    other: int | None = None  # an earlier variable, or an element

    def related(self, model: ModelElements) -> Sequence[int]:
        """The classes that it allows, for each class of the other name."""
        related = model.rows(self.relation) if self.is_target else model.columns(self.relation)
        return related if self.sign else [~bits for bits in related]


class CubeSearch:
    """The search for values of the variables of a cube, which are numbered from 0. `names` has the constants."""

    def __init__(self, cube: Cube, variables: int, names: Mapping[ElementName, int]) -> None:
        self.closed: Cube = tuple(one for one in cube if not one.atom.variables())
        """The literals without variables: a model must satisfy them, too."""
        self._order = _order(cube, variables)
        """The variables as they get values."""
        self._place = {variable: place for place, variable in enumerate(self._order)}
        self._alone: list[list[_Restriction]] = [[] for _ in range(variables)]
        """The literals of each variable that speak of no other variable."""
        self._paired: list[list[_Restriction]] = [[] for _ in range(variables)]
        """Those that speak of an earlier variable, too."""
        for one in cube:
            if one.atom.variables():
                self._restrict(one, names)

    def _restrict(self, one: HeapLiteral, names: Mapping[ElementName, int]) -> None:
        sign, (relation, args) = one.sign, one.atom
        places = [self._place.get(x, -1) if isinstance(x, int) else -1 for x in args]
        last = max(places)
        if len(args) == 1 or args[0] == args[1]:
            self._alone[last].append(_Restriction(sign, relation))
            return
        is_target = places[1] == last
        other = args[0] if is_target else args[1]
        if isinstance(other, int):
            self._paired[last].append(_Restriction(sign, relation, is_target, self._place[other]))
        else:
            self._alone[last].append(_Restriction(sign, relation, is_target, names[other]))

    def matches(self, model: ModelElements) -> Iterator[tuple[int, ...]]:
        """The tuples of classes, each by its first element, that satisfy the literals with variables."""
        allowed: list[int] = []
        for restrictions in self._alone:
            allowed.append(_allowed(restrictions, model))
            if not allowed[-1]:
                return
        paired = [[(one.related(model), one.other or 0) for one in found] for found in self._paired]
        stack: list[tuple[int, ...]] = [()]
        while stack:
            chosen = stack.pop()
            if len(chosen) == len(allowed):
                yield tuple([model.first[chosen[self._place[x]]] for x in range(len(chosen))])
                continue
            left = allowed[len(chosen)]
            for related, place in paired[len(chosen)]:
                left &= related[chosen[place]]
            while left:
                lowest = left & -left
                stack.append((*chosen, lowest.bit_length() - 1))
                left ^= lowest


def _order(cube: Cube, variables: int) -> list[int]:
    """The variables of a cube, each behind others with which many literals relate it, above all positive ones."""
    order: list[int] = []
    while len(order) < variables:
        known = [one for one in cube if sum(x not in order for x in set(one.atom.variables())) == 1]
        left = (x for x in range(variables) if x not in order)
        order.append(max(left, key=lambda x: sum(1 + 2 * one.sign for one in known if x in one.atom.variables())))
    return order


def _allowed(restrictions: Sequence[_Restriction], model: ModelElements) -> int:
    """The classes that a variable may be, whatever the others are."""
    left = model.all
    for sign, relation, is_target, element in restrictions:
        bits = model.set(relation, element, is_target=is_target)
        left &= bits if sign else ~bits
    return left


__all__ = ["CubeSearch", "LiteralValues", "ModelElements", "SatModel"]
