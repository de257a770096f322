"""Facts about numbers, lengths, named nodes and disjoint lists at a cut, which all states found so far satisfy.

States are divided by which of the pointers are null, the live ones first. Of each part, an affine hull has the
equations of scalar variables and lengths; other facts are candidates that leave when a state denies them. An equation
that a state denies stays, if it holds there, as one modulo 2^n: that is how wrap-around is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
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


Fact = NumberFact | AtomFact | Division


class CutClaim(NamedTuple):
    """A fact that holds of the states inside of a part."""

    inside: tuple[AtomFact, ...]
    fact: Fact


class StateTerms(Protocol):
    """A state as terms: its numbers and atoms. `made` keeps the formulas that were made of them."""

    made: dict[tuple[CutFacts, CutClaim], Term]

    def value(self, state_number: StateNumber) -> Term: ...

    def atom(self, atom: HeapAtom) -> Term: ...


@dataclass(frozen=True)
class StatePoint:
    """A state as far as facts speak of it: the values of numbers and of atoms, in the order of `CutFacts`."""

    numbers: tuple[int, ...]
    atoms: tuple[bool, ...]


class _PartFacts:
    """The facts of one part of the states of a cut."""

    def __init__(self, facts: CutFacts, point: StatePoint) -> None:
        self._hull = AffineHull(point.numbers)
        self._facts = facts
        self._known: Sequence[Fact] | None = None
        self._weakened: list[NumberFact] = []
        self._bounds = [one for one in facts.bounds() if one.holds(point.numbers)]
        self._atoms = {i: sign for i, sign in enumerate(point.atoms) if sign or facts.atoms[i].relation.is_decided}

    def add(self, point: StatePoint) -> None:
        lost = [one for one in self._hull.equations() if one.at(point.numbers) != 0]
        self._hull.add(point.numbers)
        moduli = [self._facts.modulus(one) for one in lost]
        self._weakened += [NumberFact(one, modulus=m) for one, m in zip(lost, moduli, strict=True) if m]
        self._weakened = [one for one in self._weakened if one.holds(point.numbers)]
        self._bounds = [one for one in self._bounds if one.holds(point.numbers)]
        self._atoms = {i: sign for i, sign in self._atoms.items() if point.atoms[i] == sign}

        self._known = None

    def facts(self) -> Sequence[Fact]:
        if self._known is None:
            equations = [NumberFact(one) for one in self._hull.equations()]
            atoms = [AtomFact(self._facts.atoms[i], sign) for i, sign in self._atoms.items()]
            self._known = (*equations, *self._weakened, *self._strongest(), *atoms)
        return self._known

    def _strongest(self) -> Iterator[NumberFact]:
        """The bounds that neither another bound of the same sum nor an equation implies."""
        found: dict[tuple[int, ...], NumberFact] = {}
        for one in self._bounds:
            known = found.setdefault(one.sum.coefficients, one)
            if one.sum.constant < known.sum.constant:
                found[one.sum.coefficients] = one
        return (one for coefficients, one in found.items() if not self._hull.is_constant(coefficients))


class CutFacts:
    """The facts at a cut. Without a state, it is not reached."""

    def __init__(self, view: HeapView, pointers: KnownPointers, at: At) -> None:
        self._view, self._arena = view, view.arena
        names = view.constants_at(at, pointers)
        scalars = view.scalars_at(at)
        lengths = [StateNumber(None, field, name) for field in view.fields for name in names]
        self.numbers = [*(StateNumber(x) for x in scalars), *lengths]
        self.atoms = [*(HeapAtom(EQUAL, (name, view.arena.zero)) for name in names), *_atoms(view, names)]
        live = view.constants_at(at, KnownPointers.LIVE)
        dividing = dict.fromkeys([*(name for name in live if name in names), *names])
        self._dividing = [names.index(name) for name in dividing][:MAX_DIVIDING]
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
        used = zip(fact.sum.coefficients, self.numbers, strict=True)
        total = arena.linear([(c, state.value(n)) for c, n in used if c], fact.sum.constant)
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
