"""Models of clauses about elements: classes of equal elements, relations between these, and the laws that they violate.

Sets of classes are bits of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from core.decision.ground_clauses import GroundClauses
from core.decision.relational import EQUAL, ElementRelation, Kind

ClassKey = tuple[int, ...]


class _Difference(NamedTuple):
    """An element less another one is at most a number, or one of the literals `denials` holds."""

    left: int
    right: int
    value: int
    denials: tuple[int, ...]


class ClassModel:
    """A model of clauses, as far as it speaks of some elements.

    An atom without literal is false, unless bounds of numbers say that it holds.
    """

    def __init__(self, ground: GroundClauses, model: Sequence[int], elements: frozenset[int]) -> None:
        self._ground, self._model = ground, model
        self._atoms = dict(ground.atoms_of(elements))
        self._links: dict[int, list[tuple[int, int]]] = {x: [] for x in elements}  # equal ones, with the literal
        for (a, b), literal in self._atoms[EQUAL].items():
            if self._holds(literal):
                self._links[a].append((b, literal))
                self._links[b].append((a, literal))
        self.class_of: dict[int, int] = {}
        """The class of each element."""
        self.first: list[int] = []
        """An element of each class: an address, if it has one."""
        self._constants: dict[int, int] = {}  # of classes: the element
        for x in sorted(elements):
            if x not in self.class_of:
                self._make_class(x)
        is_address = ground.addresses
        self.addresses = sum([1 << i for i, x in enumerate(self.first) if x in is_address])
        """The classes of addresses."""
        self.cells = {cell: self._values(known) for cell, known in ground.cells.items()}
        """The cells of classes: the element that has it, and the class of the cell."""
        self._truth = {relation: self._by_class(atoms) for relation, atoms in self._atoms.items()}
        self._rows: dict[ElementRelation, list[int]] = {}
        self._columns: dict[ElementRelation, list[int]] = {}
        self._sets: dict[ElementRelation, int] = {}

    def _holds(self, literal: int) -> bool:
        variable = abs(literal)
        return (variable <= len(self._model) and self._model[variable - 1] > 0) == (literal > 0)

    def _make_class(self, element: int) -> None:
        number, members = len(self.first), [element]
        self.class_of[element] = number
        for x in members:
            for other, _ in self._links[x]:
                if other not in self.class_of:
                    self.class_of[other] = number
                    members.append(other)
        addresses = self._ground.addresses
        self.first.append(next((x for x in members if x in addresses), element))
        constant = next((x for x in members if self._ground.constant(x) is not None), None)
        if constant is not None:
            self._constants[number] = constant

    def _values(self, known: dict[int, int]) -> dict[int, tuple[int, int]]:
        of = self.class_of
        return {of[base]: (base, of[cell]) for base, cell in known.items() if base in of and cell in of}

    def _by_class(self, atoms: dict[tuple[int, ...], int]) -> dict[ClassKey, bool]:
        return {tuple([self.class_of[x] for x in args]): self._holds(literal) for args, literal in atoms.items()}

    # Relations between classes

    def holds(self, relation: ElementRelation, classes: ClassKey) -> bool:
        """Whether a relation holds between classes."""
        if relation.kind is Kind.EQUAL:
            return classes[0] == classes[1]
        decided = self._decided(relation, classes)
        if decided is not None:
            return decided
        known = self._truth.get(relation, {}).get(classes)
        if known is None and relation.kind is Kind.AT_MOST and relation.coefficients == (1, -1):
            return not self._truth.get(relation.turned(), {}).get(classes[::-1], False)
        if known is None and relation.kind is Kind.AT_MOST and relation.coefficients == (1,):
            return self._largest[classes[0]] <= relation.value
        return bool(known)

    @cached_property
    def _largest(self) -> list[float]:
        """The largest number that each class may be by the bounds of numbers and of differences in the model."""
        bounds = [(self.class_of[one.left], self.class_of[one.right], one.value) for one in self._bounds()]
        found = [math.inf] * len(self.first)
        found[self.class_of[self._ground.zero]] = 0
        for _ in self.first:
            changed = False
            for left, right, value in bounds:
                if found[right] + value < found[left]:
                    found[left], changed = found[right] + value, True
            if not changed:
                break
        return found

    def _decided(self, relation: ElementRelation, classes: ClassKey) -> bool | None:
        """Whether a sum of classes has a bound or value, if constants and differences of equal elements tell."""
        if relation.kind is Kind.MEMBER:
            return None
        if relation.coefficients == (1, -1) and classes[0] == classes[1]:
            total = 0
        elif all(x in self._constants for x in classes):
            constants = [self._ground.constant(self._constants[x]) or 0 for x in classes]
            total = sum(c * x for c, x in zip(relation.coefficients, constants, strict=True))
        else:
            return None
        return total <= relation.value if relation.kind is Kind.AT_MOST else total == relation.value

    def rows(self, relation: ElementRelation) -> list[int]:
        """The classes to which each class is related."""
        if relation not in self._rows:
            count = len(self.first)
            if relation.kind is Kind.MEMBER:
                rows = [0] * count
                for (a, b), value in self._truth.get(relation, {}).items():
                    rows[a] |= value << b
            else:
                rows = [sum([self.holds(relation, (a, b)) << b for b in range(count)]) for a in range(count)]
            self._rows[relation] = rows
        return self._rows[relation]

    def columns(self, relation: ElementRelation) -> list[int]:
        """The classes that are related to each class."""
        if relation not in self._columns:
            columns = [0] * len(self.first)
            for a, row in enumerate(self.rows(relation)):
                while row:
                    lowest = row & -row
                    columns[lowest.bit_length() - 1] |= 1 << a
                    row ^= lowest
            self._columns[relation] = columns
        return self._columns[relation]

    def set(self, relation: ElementRelation) -> int:
        """The classes of which a relation holds."""
        if relation not in self._sets:
            self._sets[relation] = sum([self.holds(relation, (a,)) << a for a in range(len(self.first))])
        return self._sets[relation]

    # Laws

    def violated(self) -> Iterator[list[int]]:
        """Clauses that hold of all elements, by laws of equality and of numbers, and that the model violates."""
        yield from self._equalities()
        yield from self._cells()
        for relation, atoms in self._atoms.items():
            if relation is not EQUAL:
                yield from self._alike(relation, atoms)
        yield from self._differences()

    def _equalities(self) -> Iterator[list[int]]:
        for (a, b), literal in self._atoms[EQUAL].items():
            if self.class_of[a] == self.class_of[b] and not self._holds(literal):
                yield [*self._path(a, b), literal]
        for x, number in self.class_of.items():
            other = self._constants.get(number, x)
            if other != x and self._ground.constant(x) is not None:
                yield self._path(x, other)

    def _cells(self) -> Iterator[list[int]]:
        for cell, known in self._ground.cells.items():
            for base, value in known.items():
                if base in self.class_of and value in self.class_of:
                    other, number = self.cells[cell][self.class_of[base]]
                    if self.class_of[value] != number:
                        equal = self._ground.literal(EQUAL, (value, known[other]))
                        yield [*self._path(base, other), equal]

    def _alike(self, relation: ElementRelation, atoms: dict[tuple[int, ...], int]) -> Iterator[list[int]]:
        seen: dict[ClassKey, tuple[tuple[int, ...], int]] = {}
        for args, literal in atoms.items():
            key = tuple([self.class_of[x] for x in args])
            value, decided = self._holds(literal), self._decided(relation, key)
            if decided is not None:
                if decided != value:
                    pairs = [args] if relation.coefficients == (1, -1) and key[0] == key[1] else []
                    pairs = pairs or [(x, self._constants[c]) for x, c in zip(args, key, strict=True)]
                    yield [*self._paths(pairs), literal if decided else -literal]
                continue
            others, other = seen.setdefault(key, (args, literal))
            if self._holds(other) != value:
                pairs = list(zip(args, others, strict=True))
                yield [*self._paths(pairs), literal if not value else -literal, other if value else -other]

    def _differences(self) -> Iterator[list[int]]:
        """Bounds of numbers and of differences that add up to less than none around a cycle (R. Bellman, 1958)."""
        bounds, least = list(self._bounds()), [0] * len(self.first)
        last: dict[int, _Difference] = {}
        changed: int | None = None
        for _ in range(len(self.first) + 1):
            changed = None
            for one in bounds:
                a, b = self.class_of[one.left], self.class_of[one.right]
                if least[b] + one.value < least[a]:
                    least[a], last[a], changed = least[b] + one.value, one, a
            if changed is None:
                return
        assert changed is not None
        for _ in self.first:
            changed = self.class_of[last[changed].right]
        cycle = [last[changed]]
        while (following := self.class_of[cycle[-1].right]) != changed:
            cycle.append(last[following])
        joined = zip(cycle, (*cycle[1:], cycle[0]), strict=True)
        yield [x for one, other in joined for x in (*one.denials, *self._path(one.right, other.left))]

    def _bounds(self) -> Iterator[_Difference]:
        """The bounds of differences of two elements in the model; a number is its difference from zero."""
        zero = self._ground.zero
        for x, number in self.class_of.items():
            constant = self._ground.constant(x)
            if constant is not None and x != zero and self.first[number] != zero:
                yield _Difference(x, zero, constant, ())
                yield _Difference(zero, x, -constant, ())
        for relation, atoms in self._atoms.items():
            if relation.kind is Kind.AT_MOST and relation.coefficients in ((1,), (1, -1)):
                for args, literal in atoms.items():
                    a, b = (*args, zero)[:2]
                    if self._holds(literal):
                        yield _Difference(a, b, relation.value, (-literal,))
                    else:
                        yield _Difference(b, a, -relation.value - 1, (literal,))

    def _paths(self, pairs: Sequence[tuple[int, ...]]) -> list[int]:
        return [x for a, b in pairs for x in self._path(a, b)]

    def _path(self, a: int, b: int) -> list[int]:
        """The denials of equations that make two elements of a class equal."""
        before: dict[int, tuple[int, int]] = {a: (a, 0)}
        reached = [a]
        for x in reached:
            if x == b:
                break
            for other, literal in self._links[x]:
                if other not in before:
                    before[other] = (x, literal)
                    reached.append(other)
        path: list[int] = []
        while b != a:
            b, literal = before[b]
            path.append(-literal)
        return path
