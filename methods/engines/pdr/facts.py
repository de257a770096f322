"""Facts about numbers, lengths, named nodes and disjoint lists at a cut, which all states found so far satisfy.

Where the facts are asked to, they also speak of all nodes of the list at a name: the number in a field of each node is
what an affine hull has of it, from its position (`length` behind it) and from the numbers of the state.

States are divided by which of the pointers are null, the live ones first. Of each part, an affine hull has the
equations of scalar variables and lengths; other facts are candidates that leave when a state denies them. An equation
that a state denies stays, if it holds there, as one modulo 2^n: that is how wrap-around is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field as attribute
from itertools import combinations, permutations, product
from math import gcd
from typing import NamedTuple, Protocol

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Range
from core.program.expansion import At
from core.terms import Term
from methods.engines.pdr.affine import AffineHull, Equation
from methods.engines.pdr.universal_clauses import EQUAL, ElementName, HeapAtom, HeapField, HeapRelation, RelationKind
from methods.engines.pdr.view import HeapView, KnownPointers

MAX_DIVIDING = parameter("pdr.facts.max-dividing")
MAX_CONSTANTS = parameter("pdr.facts.max-constants")
FEW_CONSTANTS = parameter("pdr.facts.few-constants")


class StateNumber(NamedTuple):
    """A number of a state: a scalar variable, or the length of the list at a name."""

    scalar: Term | None
    field: HeapField | None = None
    name: ElementName = 0


class NumberFact(NamedTuple):
    """The sum of numbers with coefficients is at least 0; or 0, or divisible by a `modulus`."""

    sum: Equation
    is_bound: bool = False
    modulus: int = 0

    def holds(self, numbers: Sequence[int]) -> bool:
        value = self.sum.at(numbers)
        if self.is_bound:
            return value >= 0
        return (value % self.modulus if self.modulus else value) == 0


class AtomFact(NamedTuple):
    """An atom over names holds, or does not."""

    atom: HeapAtom
    sign: bool


class Division(NamedTuple):
    """Each state is in one of the parts; in none, if there are none."""

    parts: tuple[tuple[AtomFact, ...], ...]


ListKey = tuple[HeapField, ElementName, HeapField]
"""The link and the name of a list, and a field with numbers of its nodes."""


class ListFact(NamedTuple):
    """A sum is 0, or divisible, for each node of the list at `name`: its last numbers are length and content."""

    field: HeapField
    name: ElementName
    content: HeapField
    sum: NumberFact


Fact = NumberFact | AtomFact | Division | ListFact


class CutClaim(NamedTuple):
    """A fact that holds of the states inside of a part."""

    inside: tuple[AtomFact, ...]
    fact: Fact


class StateTerms(Protocol):
    """A state as terms: its numbers and atoms. `made` keeps the formulas that were made of them."""

    made: dict[tuple[CutFacts, CutClaim], Term]

    def value(self, state_number: StateNumber) -> Term: ...

    def atom(self, atom: HeapAtom) -> Term: ...

    def each(self, fact: ListFact, holds: Callable[[Term, Term], Term]) -> Term:
        """The formula that `holds` of the length at each node of the list of a fact, and of its content."""
        ...


@dataclass(frozen=True)
class StatePoint:
    """A state as far as facts speak of it: the values of numbers and of atoms, in the order of `CutFacts`."""

    numbers: tuple[int, ...]
    atoms: tuple[bool, ...]
    nodes: Mapping[ListKey, Sequence[tuple[int, int]]] = attribute(default_factory=dict)
    """Of lists, the lengths at some nodes, and the contents of these."""


class _Sums:
    """The sums of numbers that are 0 at all points so far, or divisible, or at least 0."""

    def __init__(
        self, point: Sequence[int], bounds: Iterator[NumberFact], modulus: Callable[[Equation], int] | None
    ) -> None:
        self._hull, self._modulus = AffineHull(point), modulus
        self._weakened: dict[Equation, int] = {}
        self._bounds = [one for one in bounds if one.holds(point)]

    def add(self, point: Sequence[int]) -> None:
        """Add a point. What it denies stays modulo `modulus`; without one, modulo what divides all values of it."""
        lost = [one for one in self._hull.equations() if one.at(point) != 0]
        self._hull.add(point)
        moduli = {**self._weakened, **{one: self._modulus(one) if self._modulus else 0 for one in lost}}
        left = {one: gcd(m, one.at(point)) for one, m in moduli.items()}
        self._weakened = {one: m for one, m in left.items() if m > 1 and (self._modulus is None or m == moduli[one])}
        self._bounds = [one for one in self._bounds if one.holds(point)]

    def facts(self) -> Iterator[NumberFact]:
        yield from map(NumberFact, self._hull.equations())
        yield from (NumberFact(one, modulus=m) for one, m in self._weakened.items())
        yield from self._strongest()

    def _strongest(self) -> Iterator[NumberFact]:
        """The bounds that neither another bound of the same sum nor an equation implies."""
        found: dict[tuple[int, ...], NumberFact] = {}
        for one in self._bounds:
            known = found.setdefault(one.sum.coefficients, one)
            if one.sum.constant < known.sum.constant:
                found[one.sum.coefficients] = one
        return (one for coefficients, one in found.items() if not self._hull.is_constant(coefficients))


class _PartFacts:
    """The facts of one part of the states of a cut."""

    def __init__(self, facts: CutFacts, point: StatePoint) -> None:
        self._facts = facts
        self._modulus = None if facts.with_nodes else facts.modulus
        self._sums = _Sums(point.numbers, facts.bounds(), self._modulus)
        self._lists: dict[ListKey, _Sums] = {}
        self._known: Sequence[Fact] | None = None
        self._atoms = {i: sign for i, sign in enumerate(point.atoms) if sign or facts.atoms[i].relation.is_decided}
        self._add_nodes(point)

    def add(self, point: StatePoint) -> None:
        self._sums.add(point.numbers)
        self._atoms = {i: sign for i, sign in self._atoms.items() if point.atoms[i] == sign}
        self._add_nodes(point)
        self._known = None

    def _add_nodes(self, point: StatePoint) -> None:
        for key, nodes in point.nodes.items():
            for node in nodes:
                numbers = (*point.numbers, *node)
                if key in self._lists:
                    self._lists[key].add(numbers)
                else:
                    self._lists[key] = _Sums(numbers, self._facts.content_bounds(key), self._modulus)

    def facts(self) -> Sequence[Fact]:
        if self._known is None:
            atoms = [AtomFact(self._facts.atoms[i], sign) for i, sign in self._atoms.items()]
            self._known = (*self._sums.facts(), *self._list_facts(), *atoms)
        return self._known

    def _list_facts(self) -> Iterator[ListFact]:
        """The facts about contents: an equation without them is about lengths alone."""
        for key, sums in self._lists.items():
            yield from (ListFact(*key, one) for one in sums.facts() if one.sum.coefficients[-1])


class CutFacts:
    """The facts at a cut. Without a state, it is not reached."""

    def __init__(self, view: HeapView, pointers: KnownPointers, at: At, *, with_nodes: bool = False) -> None:
        self._view, self._arena, self.with_nodes = view, view.arena, with_nodes
        names = view.constants_at(at, pointers)
        scalars = view.scalars_at(at)
        lengths = [StateNumber(None, field, name) for field in view.fields for name in names]
        self.numbers = [*(StateNumber(x) for x in scalars), *lengths]
        self.atoms = [*(HeapAtom(EQUAL, (name, view.arena.zero)) for name in names), *_atoms(view, names)]
        live = view.constants_at(at, KnownPointers.LIVE)
        dividing = dict.fromkeys([*(name for name in live if name in names), *names])
        self._dividing = [names.index(name) for name in dividing][:MAX_DIVIDING]
        self.lists: list[ListKey] = list(product(view.fields, names, view.numbers)) if with_nodes else []
        self._parts: dict[tuple[bool, ...], _PartFacts] = {}

    @property
    def is_reached(self) -> bool:
        return bool(self._parts)

    def add(self, point: StatePoint) -> None:
        key = tuple(point.atoms[i] for i in self._dividing)
        if key in self._parts:
            self._parts[key].add(point)
        else:
            self._parts[key] = _PartFacts(self, point)

    # Candidates

    def bounds(self) -> Iterator[NumberFact]:
        """Bounds of numbers by constants, and of scalar variables by other numbers."""
        unit = [tuple(int(i == j) for j in range(len(self.numbers))) for i in range(len(self.numbers))]
        for number, bound in zip(self.numbers, unit, strict=True):
            known = None if number.scalar is None else self._view.program.range_of(number.scalar)
            for k in self._constants(known):
                yield NumberFact(Equation(bound, -k), is_bound=True)
                yield NumberFact(Equation(tuple(-c for c in bound), k), is_bound=True)
        for (number, bound), (second, other) in permutations(zip(self.numbers, unit, strict=True), 2):
            if number.scalar is None and second.scalar is None:
                continue
            difference = tuple(c - d for c, d in zip(bound, other, strict=True))
            for k in (0, 1):
                yield NumberFact(Equation(difference, -k), is_bound=True)

    def content_bounds(self, key: ListKey) -> Iterator[NumberFact]:
        """Bounds of the contents of nodes by the range of their type."""
        known = self._view.program.range_of(key[2].array)
        if known is not None:
            others = (0,) * (len(self.numbers) + 1)
            yield NumberFact(Equation((*others, 1), -known.low), is_bound=True)
            yield NumberFact(Equation((*others, -1), known.high), is_bound=True)

    def _constants(self, known: Range | None) -> list[int]:
        compared = {k + d for k in self._view.compared_constants() for d in (-1, 0, 1)} | {0, 1}
        near = sorted(compared, key=abs)[: MAX_CONSTANTS if known else FEW_CONSTANTS]
        return near if known is None else [*near, known.low, known.high]

    def modulus(self, equation: Equation) -> int:
        """The number of values that the least of the scalars in an equation can have; lengths alone have none."""
        used = [number.scalar for number, c in zip(self.numbers, equation.coefficients, strict=True) if c]
        ranges = [self._view.program.range_of(x) for x in used if x is not None]
        sizes = [one.high - one.low + 1 for one in ranges if one is not None]
        return min(sizes, default=0)

    # Claims

    def claims(self) -> Iterator[CutClaim]:
        """The claims that hold of all states: they are in one of the parts, and in each of these its facts hold."""
        insides = [self._inside(key) for key in self._parts]
        facts = [dict.fromkeys(part.facts()) for part in self._parts.values()]
        common = [one for one in facts[0] if all(one in other for other in facts)] if facts else []
        yield CutClaim((), Division(tuple(insides)))
        yield from (CutClaim((), fact) for fact in common)
        for inside, part in zip(insides, facts, strict=True):
            yield from (CutClaim(inside, fact) for fact in part if fact not in common)

    def _inside(self, key: Sequence[bool]) -> tuple[AtomFact, ...]:
        return tuple(AtomFact(self.atoms[i], sign) for i, sign in zip(self._dividing, key, strict=True))

    def term(self, claim: CutClaim, state: StateTerms) -> Term:
        """A claim about a state as a formula."""
        key = self, claim
        if key not in state.made:
            arena = self._arena
            inside = arena.and_(*(self._fact(one, state) for one in claim.inside))
            fact = self._fact(claim.fact, state)
            bound, body = (fact.bound, fact.args[0]) if fact.is_quantified else ((), fact)
            state.made[key] = arena.forall(bound, arena.implies(inside, body))
        return state.made[key]

    def _fact(self, fact: Fact, state: StateTerms) -> Term:
        arena = self._arena
        if isinstance(fact, Division):
            return arena.or_(*(arena.and_(*(self._fact(one, state) for one in part)) for part in fact.parts))
        if isinstance(fact, AtomFact):
            atom = state.atom(fact.atom)
            return atom if fact.sign else arena.not_(atom)
        if isinstance(fact, ListFact):
            sum_of = fact.sum
            return state.each(fact, lambda length, content: self._sum(sum_of, state, (length, content)))
        return self._sum(fact, state, ())

    def _sum(self, fact: NumberFact, state: StateTerms, of_node: Sequence[Term]) -> Term:
        arena = self._arena
        values = [*map(state.value, self.numbers), *of_node]
        total = arena.linear(
            [(c, value) for c, value in zip(fact.sum.coefficients, values, strict=True) if c], fact.sum.constant
        )
        if fact.is_bound:
            return arena.ge(total, arena.zero)
        return arena.equals(arena.modulo(total, arena.integer(fact.modulus)) if fact.modulus else total, arena.zero)


def _atoms(view: HeapView, names: Sequence[ElementName]) -> Iterator[HeapAtom]:
    for one, other in combinations(names, 2):
        yield HeapAtom(EQUAL, (one, other))
        yield from (HeapAtom(HeapRelation(RelationKind.DISJOINT, field), (one, other)) for field in view.fields)
    for field, (one, other) in product(view.fields, permutations(names, 2)):
        yield HeapAtom(HeapRelation(RelationKind.REACHES, field), (one, other))
    for field, (one, other) in product(
        sorted(view.cyclic.intersection(view.fields), key=view.fields.index), product(names, repeat=2)
    ):
        yield HeapAtom(HeapRelation(RelationKind.AROUND, field), (one, other))
    for predicate in view.predicates:
        if predicate.kind in (RelationKind.ALLOCATED, RelationKind.WRITTEN):
            yield from (HeapAtom(predicate, (name,)) for name in names)


__all__ = ["CutClaim", "CutFacts", "StateNumber", "StatePoint", "StateTerms"]
