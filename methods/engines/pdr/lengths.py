"""Lengths of lists along a path, as terms: the number of records from an address to the end, for each pointer field.

The updates are those of `core.certificate.lists`, over literals for reachability (A. Bouajjani et al., "Programs with
lists are counter automata", CAV 2006, where a program is translated to counters; here they are one more function of
addresses). The length before a path is a symbol for each element; what orders these is stated for all elements that a
path has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import permutations

from core.terms import BOOL, INT, Arena, Term
from methods.engines.pdr.universal_clauses import ALLOCATED, HeapField, HeapRelation, RelationKind
from methods.engines.pdr.universe import NULL, TRUE, UnaryLiteral, Universe

ElementLength = Callable[[int], Term]


class PathLengths:
    """The lengths of lists on one path; `now` has those at its present end."""

    def __init__(self, arena: Arena, universe: Universe) -> None:
        self._arena, self._universe = arena, universe
        self.before: dict[HeapField, ElementLength] = {f: self._initial(i) for i, f in enumerate(universe.fields)}
        self.now: dict[HeapField, ElementLength] = dict(self.before)
        self._facts: list[Callable[[], Term]] = []
        self._truths = {TRUE: arena.true, -TRUE: arena.false}

    def truth(self, literal: int) -> Term:
        """A literal of the universe as a term: each is made once, since the clauses of a path have thousands."""
        found = self._truths.get(literal)
        if found is None:
            atom = self._arena.symbol(f"\\literal{abs(literal)}", BOOL)
            found = self._truths[literal] = atom if literal > 0 else self._arena.not_(atom)
        return found

    def _initial(self, number: int) -> ElementLength:
        arena = self._arena
        return lambda a: arena.zero if a == NULL else arena.symbol(f"\\length{number}.{a}", INT)

    def store(self, field: HeapField, p: int, v: int, leads: UnaryLiteral, is_cut: int) -> None:
        """`p` now leads to `v`, or ends a list if that is cut; `leads`: an element has led to the node `p`."""
        arena, old = self._arena, self.now[field]
        behind = arena.ite(self.truth(is_cut), arena.zero, old(v))

        @cache
        def after(a: int) -> Term:
            longer = arena.add(old(a), arena.one, behind, arena.negate(old(p)))
            return arena.ite(self.truth(leads(a)), longer, old(a))

        self.now[field] = after

    def load(self, field: HeapField, p: int, result: int, allocated: int, ends: int) -> None:
        """The next node of `p` is `result`, if the pointer is `allocated`; `p` `ends` its list if it is null or cut."""
        arena, length = self._arena, self.now[field]

        def fact() -> Term:
            rest = arena.ite(self.truth(ends), arena.zero, length(result))
            return arena.implies(self.truth(allocated), arena.equals(length(p), arena.add(arena.one, rest)))

        self._facts.append(fact)

    def allocate(self, new: int) -> None:
        """`new` is a record of its own: as nothing knows of it before, its length may be one already then."""
        self._facts += [partial(self._is_single, length, new) for length in self.before.values()]

    def _is_single(self, length: ElementLength, a: int) -> Term:
        return self._arena.equals(length(a), self._arena.one)

    def formulas(self, elements: Sequence[int]) -> Iterator[Term]:
        """The formulas for lengths: of the state before the path, and of what was read and allocated on it."""
        arena, universe = self._arena, self._universe
        yield from (fact() for fact in self._facts)
        for field, length in self.before.items():
            relation = HeapRelation(RelationKind.REACHES, field)
            for a in elements:
                is_node = self.truth(universe.holds(ALLOCATED, a))
                yield arena.implies(is_node, arena.ge(length(a), arena.one))
            for a, b in permutations(elements, 2):
                same, leads = self.truth(universe.equal(a, b)), self.truth(universe.reaches(relation, a, b))
                yield arena.implies(same, arena.equals(length(a), length(b)))
                yield arena.or_(same, arena.not_(leads), arena.lt(length(b), length(a)))
