"""The places whose numbers a program compares with each other: fields of nodes and scalar variables, in groups.

Two places are in one group if their numbers are compared, or if one is copied to the other and compared there. Groups
without a field are left out: clauses about lists are not for what holds of scalar variables alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from core.dataclass import dataclass
from core.terms import Term, leaves_of_choices, subterms
from methods.engines.pdr.universal_clauses import HeapField, NumberTest, OrderedPlace

PlaceOf = Callable[[Term], OrderedPlace | None]
"""The place that a term reads, or writes in the end; None of anything else."""


@dataclass(frozen=True)
class OrderedGroup:
    """Places whose numbers are compared with each other, and the tests of them with the constants of the program."""

    places: tuple[OrderedPlace, ...]
    tests: tuple[NumberTest, ...]


def ordered_groups(
    guards: Iterable[Term], updates: Iterable[tuple[Term, Term]], place_of: PlaceOf
) -> tuple[OrderedGroup, ...]:
    """The groups of a program with these guards and updates of variables."""
    copies = [copy for x, value in updates for copy in _copies(x, value)]
    atoms = [t for t in subterms(*guards, *(part for _, part in copies)) if t.is_comparison]
    groups = _Groups()
    for one, other in ((place_of(a), place_of(b)) for atom in atoms for a, b in _sides(atom)):
        if one is not None and other is not None:
            groups.join(one, other)
    moved = [(place_of(target), place_of(part)) for target, part in copies]
    while any(groups.join(x, source) for x, source in moved if x in groups.of and x and source):
        pass
    tests = [
        (place_of(part), test) for atom in atoms for part in leaves_of_choices(atom.args[0]) for test in _tests(atom)
    ]
    tests += [
        (place_of(target), NumberTest(False, part.value - d))
        for target, part in copies
        if part.is_constant
        for d in (0, 1)
    ]
    return tuple(
        OrderedGroup(tuple(group), tuple(sorted({test for place, test in tests if place in group})))
        for group in groups.all()
        if any(isinstance(place, HeapField) for place in group)
    )


class _Groups:
    """Disjoint groups of places."""

    def __init__(self) -> None:
        self.of: dict[OrderedPlace, dict[OrderedPlace, None]] = {}

    def join(self, place: OrderedPlace, other: OrderedPlace) -> bool:
        """Make one group of two; returns whether they were different."""
        first, second = (self.of.setdefault(x, {x: None}) for x in (place, other))
        if first is second:
            return False
        first.update(second)
        self.of.update(dict.fromkeys(second, first))
        return True

    def all(self) -> Iterator[dict[OrderedPlace, None]]:
        yield from {id(group): group for group in self.of.values()}.values()


def _copies(x: Term, value: Term) -> Iterator[tuple[Term, Term]]:
    """The variable or the term of the store that is written, with each number that it may get."""
    if not value.is_store:
        yield from ((x, part) for part in leaves_of_choices(value))
    while value.is_store:
        yield from ((value, part) for part in leaves_of_choices(value.args[2]))
        value = value.args[0]


def _sides(atom: Term) -> Iterator[tuple[Term, Term]]:
    """The numbers that an atom compares."""
    subject = atom.args[0]
    if subject.is_sum and subject.coefficients == (1, -1) and atom.value in (0, -1):
        yield from product(*map(leaves_of_choices, subject.args))


def _tests(atom: Term) -> Iterator[NumberTest]:
    """The bounds by which an atom is known."""
    yield NumberTest(False, atom.value)
    if atom.is_equation:
        yield NumberTest(False, atom.value - 1)
