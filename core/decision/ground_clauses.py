"""Clauses about elements in a SAT solver: literals of relations, and formulas over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from core.decision.relational import EQUAL, CellFunction, ElementRelation, Kind, cell_of, relation_of
from core.terms import Arena, Op, Term, Treatment, lift_choices
from sat.solver import SatSolver

OTHER_OPERATORS = Treatment.OPAQUE

TRUE = 1

_NOTHING: frozenset[int] = frozenset()


class Encoded(NamedTuple):
    """The literal of a formula, and the elements that it speaks of."""

    literal: int
    elements: frozenset[int]


class GroundClauses:
    """Elements, the atoms about them that have literals, and the clauses. Close it: it holds native memory."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self.solver = SatSolver([[TRUE]])
        self._last = TRUE
        self.elements: list[Term] = []
        self._numbers: dict[Term, int] = {}
        self._with_base: list[frozenset[int]] = []  # each element, and those of which it is a cell
        self.cells: dict[CellFunction, dict[int, int]] = {}
        """The elements that are cells, by what they are cells of."""
        self.atoms: dict[ElementRelation, dict[tuple[int, ...], int]] = {EQUAL: {}}
        """The literals of atoms, by relation and elements."""
        self.addresses: set[int] = set()
        """The elements that formulas treat as addresses."""
        self._distances: dict[Term, dict[Term, None]] = {}
        self._encoded: dict[Term, Encoded] = {}
        self.zero = self.element(arena.zero)
        """The number of the null pointer."""

    def close(self) -> None:
        self.solver.close()

    def know(self, cell: CellFunction) -> None:
        """Take note of a cell of variables, before there are elements."""
        self._distances.setdefault(cell.array, {})[cell.distance] = None

    def add(self, clause: Sequence[int]) -> None:
        if TRUE not in clause:
            self.solver.add([x for x in clause if x != -TRUE])

    def _variable(self) -> int:
        self._last += 1
        return self._last

    # Elements

    def element(self, t: Term) -> int:
        """The number of an element."""
        known = self._numbers.get(t)
        if known is not None:
            return known
        found = cell_of(self._arena, t, tuple(self._distances.get(t.args[0], ())) if t.is_select else ())
        base = None if found is None else self.element(found[1])
        number = self._numbers[t] = len(self.elements)
        self.elements.append(t)
        inside = _NOTHING
        if found is not None and base is not None:
            cell = found[0]
            self.cells.setdefault(cell, {})[base] = number
            inside = self._with_base[base]
            self.addresses.add(base)
            if cell.distance in self._distances.get(cell.array, ()):
                self.addresses.add(number)
        self._with_base.append(inside | {number})
        return number

    def with_bases(self, element: int) -> frozenset[int]:
        """An element, and those of which it is a cell, or the cell of a cell."""
        return self._with_base[element]

    def constant(self, element: int) -> int | None:
        """The number that an element is, if it is a constant."""
        t = self.elements[element]
        return t.value if t.is_constant else None

    # Literals

    def literal(self, relation: ElementRelation, args: tuple[int, ...]) -> int:
        """The literal of a relation between elements."""
        if relation.kind is Kind.EQUAL:
            a, b = args
            if a == b:
                return TRUE
            if self.constant(a) is not None and self.constant(b) is not None:
                return -TRUE
            args = (a, b) if a < b else (b, a)
        elif relation.kind is Kind.AT_MOST and relation.coefficients == (1, -1):
            a, b = args
            if a == b:
                return TRUE if relation.value >= 0 else -TRUE
            if a > b:
                return -self.literal(relation.turned(), (b, a))
        known = self.atoms.setdefault(relation, {})
        if args not in known:
            known[args] = self._variable()
        return known[args]

    def formula(self, t: Term) -> Encoded:
        """The literal of a formula, which is defined by clauses."""
        return self._formula(lift_choices(self._arena, t))

    def _formula(self, t: Term) -> Encoded:
        known = self._encoded.get(t)
        if known is None:
            known = self._encoded[t] = self._encode(t)
        return known

    def _encode(self, t: Term) -> Encoded:
        if t.is_constant:
            return Encoded(TRUE if t.is_true else -TRUE, _NOTHING)
        if t.is_negation:
            literal, elements = self._formula(t.args[0])
            return Encoded(-literal, elements)
        if t.is_conjunction or t.is_disjunction:
            parts = [self._formula(part) for part in t.args]
            sign = 1 if t.is_conjunction else -1
            literal = sign * self._conjunction([sign * one.literal for one in parts])
            return Encoded(literal, _NOTHING.union(*(one.elements for one in parts)))
        if t.op is Op.IFF or t.is_choice:
            parts = [self._formula(part) for part in t.args]
            c, yes, no = (*(one.literal for one in parts), *(-one.literal for one in parts[1:]))[:3]
            literal = -self._conjunction([-self._conjunction([c, yes]), -self._conjunction([-c, no])])
            return Encoded(literal, _NOTHING.union(*(one.elements for one in parts)))
        return self._atom(t)

    def _atom(self, t: Term) -> Encoded:
        found = relation_of(self._arena, t)
        if found is None:
            return Encoded(self._variable(), _NOTHING)
        relation, terms = found
        args = tuple([self.element(one) for one in terms])
        if relation.kind is Kind.MEMBER or (relation is EQUAL and not self.addresses.isdisjoint(args)):
            self.addresses.update(args)
        return Encoded(self.literal(relation, args), _NOTHING.union(*(self._with_base[x] for x in args)))

    def _conjunction(self, parts: Iterable[int]) -> int:
        args = {x for x in parts if x != TRUE}
        if -TRUE in args or any(-x in args for x in args):
            return -TRUE
        if len(args) < 2:
            return next(iter(args), TRUE)
        gate = self._variable()
        for x in args:
            self.solver.add([-gate, x])
        self.solver.add([gate, *(-x for x in args)])
        return gate

    def atoms_of(self, elements: frozenset[int]) -> Iterator[tuple[ElementRelation, dict[tuple[int, ...], int]]]:
        """The atoms about some elements alone, by relation."""
        for relation, known in self.atoms.items():
            yield relation, {args: x for args, x in known.items() if elements.issuperset(args)}
