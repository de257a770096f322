"""Numbers in fields of nodes along a path, as terms: before it a symbol for each element, then choices of writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

from core.terms import INT, Arena, Term
from methods.engines.pdr.universal_clauses import HeapField
from methods.engines.pdr.universe import Universe

ElementNumber = Callable[[int], Term]


class PathContents:
    """The numbers in fields of nodes on one path; `now` has those at its present end."""

    def __init__(
        self, arena: Arena, universe: Universe, fields: Sequence[HeapField], truth: Callable[[int], Term]
    ) -> None:
        self._arena, self._universe, self._truth = arena, universe, truth
        self.before: dict[HeapField, ElementNumber] = {f: self._initial(i) for i, f in enumerate(fields)}
        self.now: dict[HeapField, ElementNumber] = dict(self.before)
        self._facts: list[Callable[[], Term]] = []

    def _initial(self, number: int) -> ElementNumber:
        return lambda a: self._arena.symbol(f"\\number{number}.{a}", INT)

    def write(self, field: HeapField, p: int, number: Term) -> None:
        if field in self.now:
            arena, old = self._arena, self.now[field]
            equal, truth = self._universe.equal, self._truth
            self.now[field] = cache(lambda a: arena.ite(truth(equal(a, p)), number, old(a)))

    def read(self, field: HeapField, p: int, result: Term) -> None:
        """Note that `result` is the number in a field of an element."""
        if field in self.now:
            now = self.now[field]
            self._facts.append(lambda: self._arena.equals(result, now(p)))

    def formulas(self, elements: Sequence[int]) -> Iterator[Term]:
        """The formulas for numbers: of what was read on the path, and that equal elements have equal numbers."""
        arena = self._arena
        yield from (fact() for fact in self._facts)
        for number in self.before.values():
            for a, b in combinations(elements, 2):
                same = self._truth(self._universe.equal(a, b))
                yield arena.implies(same, arena.equals(number(a), number(b)))
