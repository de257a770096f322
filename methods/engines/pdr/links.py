"""Reachability along a path: what stores, loads and allocations make of the links between nodes.

The formulas are those of `core.certificate.lists`, over literals; what is loaded or allocated is an element of its own.
"""

from __future__ import annotations

from functools import cache

from core.terms import Arena
from methods.engines.pdr.lengths import PathLengths
from methods.engines.pdr.universal_clauses import ALLOCATED, HeapField, HeapRelation, RelationKind
from methods.engines.pdr.universe import NULL, TRUE, BinaryLiteral, UnaryLiteral, Universe


class PathLinks:
    """The links of all fields at the present end of a path; `predicates` are those of nodes, which it keeps, too."""

    def __init__(self, arena: Arena, universe: Universe, predicates: dict[HeapRelation, UnaryLiteral]) -> None:
        self._universe, self._predicates = universe, predicates
        self.lengths = PathLengths(arena, universe)
        self.reaches: dict[HeapField, BinaryLiteral] = {f: self._reached_before(f) for f in universe.fields}
        self.around: dict[HeapField, BinaryLiteral] = {f: self._around_before(f) for f in universe.cyclic}

    def _reached_before(self, field: HeapField) -> BinaryLiteral:
        relation = HeapRelation(RelationKind.REACHES, field)
        return lambda a, b: self._universe.reaches(relation, a, b)

    def _around_before(self, field: HeapField) -> BinaryLiteral:
        relation = HeapRelation(RelationKind.AROUND, field)
        return lambda a, b: self._universe.around(relation, a, b)

    def allocate(self) -> int:
        """A new node, to which nothing leads."""
        universe, new = self._universe, self._universe.element()
        allocated = self._predicates[ALLOCATED]
        universe.add([-universe.equal(new, NULL)])
        universe.add([-allocated(new)])
        for reaches in self.reaches.values():
            universe.forall(1, lambda a, r=reaches: [[-r(x, y), universe.equal(x, y)] for x, y in ((new, a), (a, new))])
        self.lengths.allocate(new)
        self._predicates[ALLOCATED] = cache(lambda a: universe.disjunction(allocated(a), universe.equal(a, new)))
        return new

    # Stores

    def store(self, field: HeapField, p: int, v: int) -> int:
        """Have `p` lead to `v`; returns the literal that the links are wrong then, since this must not be stored."""
        universe, old = self._universe, self.reaches[field]
        both, either, equal = universe.conjunction, universe.disjunction, universe.equal
        allocated = self._predicates[ALLOCATED]
        valid, something = allocated(p), -equal(v, NULL)

        @cache
        def without(a: int, b: int) -> int:
            return TRUE if a == b else both(old(a, b), either(-valid, -old(a, p), old(b, p)))

        closes, may_cycle = without(v, p), field in self.around
        is_pointer, is_cut = both(valid, something), closes if may_cycle else -TRUE

        @cache
        def joined(a: int, b: int) -> int:
            return TRUE if a == b else either(without(a, b), both(is_pointer, -is_cut, without(a, p), without(v, b)))

        self.lengths.store(field, p, v, cache(lambda a: both(valid, old(a, p))), is_cut)
        if may_cycle:
            self.around[field] = self._turned(field, p, v, without, is_cut)
        self.reaches[field] = joined
        written = HeapRelation(RelationKind.WRITTEN, field)
        if written in self._predicates:
            before = self._predicates[written]
            self._predicates[written] = cache(lambda a: either(before(a), both(valid, equal(a, p))))
        return both(is_pointer, either(-TRUE if may_cycle else closes, -allocated(v)))

    def _turned(self, field: HeapField, p: int, v: int, without: BinaryLiteral, is_cut: int) -> BinaryLiteral:
        """The nodes to which cut pointers lead after a store; `without` is reachability without that of `p`."""
        universe, reaches, around = self._universe, self.reaches[field], self.around[field]
        both, either = universe.conjunction, universe.disjunction
        valid = self._predicates[ALLOCATED](p)
        is_pointer = both(valid, -universe.equal(v, NULL))

        @cache
        def left(a: int, b: int) -> int:
            kept = both(-reaches(a, p), either(-around(a, p), reaches(b, p)))
            return both(around(a, b), either(-valid, kept))

        @cache
        def turned(a: int, b: int) -> int:
            onward = universe.choice(is_cut, without(v, b), left(v, b))
            return either(left(a, b), both(is_pointer, without(a, p), onward))

        return cache(lambda a, b: either(turned(a, b), both(is_pointer, -is_cut, turned(a, p), without(v, b))))

    # Loads

    def next(self, field: HeapField, p: int) -> int:
        """A new element: where the pointer of `p` leads to, if it has one."""
        universe, reaches = self._universe, self.reaches[field]
        written = HeapRelation(RelationKind.WRITTEN, field)
        allocated = self._predicates[written if written in self._predicates else ALLOCATED](p)
        result = universe.element()
        equal, is_null = universe.equal, universe.equal(result, NULL)
        is_cut = self._is_cut(field, p, result, allocated, is_null)
        ends = universe.disjunction(is_null, is_cut)
        universe.add([-allocated, ends, reaches(p, result)])
        universe.add([-allocated, ends, -equal(p, result)])
        universe.forall(
            1, lambda z: [[-allocated, -reaches(p, z), equal(z, p), universe.conjunction(-ends, reaches(result, z))]]
        )
        self.lengths.load(field, p, result, allocated, ends)
        return result

    def _is_cut(self, field: HeapField, p: int, result: int, allocated: int, is_null: int) -> int:
        """The literal that the pointer of `p`, which is `result` if it is `allocated`, is cut."""
        if field not in self.around:
            return -TRUE
        universe, reaches, around = self._universe, self.reaches[field], self.around[field]
        is_cut = universe.variable()
        universe.add([-is_cut, -is_null])
        universe.add([-allocated, -is_cut, around(p, result)])
        universe.forall(
            1,
            lambda z: [
                [-allocated, -is_null, -around(p, z)],
                [-allocated, -is_cut, -around(p, z), reaches(result, z)],
            ],
        )
        return is_cut


__all__ = ["PathLinks"]
