"""Lists whose cycles are cut, compared with all small heaps: what describes them, and what a store makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product

import pytest

from core.certificate.ghosts import GhostReading
from core.certificate.lists import Links, RelationFormula, SetFormula, StoreUpdate, described
from core.terms import INT_ARRAY, Arena, Substitution, Term, literals
from core.verdict import RELATION, SET
from tests.support.cut_lists import Heap, Pairs, around, cut_after, cut_heaps, reached

OFFSET = 8
STRIDE = 16
ARENA = Arena()


def related(pairs: Pairs) -> RelationFormula:
    return lambda a, b: ARENA.true if a is b or (node(a), node(b)) in pairs else ARENA.false


def led(pairs: Pairs) -> RelationFormula:
    return lambda a, b: ARENA.true if (node(a), node(b)) in pairs else ARENA.false


def members(nodes: range) -> SetFormula:
    return lambda a: ARENA.true if node(a) in nodes else ARENA.false


def node(address: Term) -> int:
    return int(address.value) // STRIDE


def address(number: int) -> Term:
    return ARENA.integer(number * STRIDE)


def pairs_of(relation: RelationFormula, count: int) -> Pairs:
    every = product(range(count + 1), repeat=2)
    found = frozenset((a, b) for a, b in every if relation(address(a), address(b)).is_true)
    assert all(relation(address(a), address(b)).is_constant for a, b in product(range(count + 1), repeat=2))
    return found


@pytest.mark.long
def test_a_store_gives_what_the_new_heap_has() -> None:
    count, cases = 3, 0
    nodes = range(1, count + 1)
    for heap, cut in cut_heaps(count):
        before, behind = reached(heap, cut), around(heap, cut)
        for p, v in product(nodes, (0, *nodes)):
            update = StoreUpdate(ARENA, related(before), members(nodes), address(p), address(v), may_cycle=True)
            new, new_cut = {**heap, p: v}, cut_after(heap, cut, p, v)
            assert pairs_of(update.reaches, count) == reached(new, new_cut), (heap, cut, p, v)
            assert pairs_of(update.around(led(behind)), count) == around(new, new_cut), (heap, cut, p, v)
            assert update.demand().is_true
            cases += 1
    assert cases > 2000


def test_a_store_to_no_node_changes_nothing() -> None:
    for heap, cut in cut_heaps(2):
        update = StoreUpdate(ARENA, related(reached(heap, cut)), members(range(1, 3)), address(3), address(1), True)
        assert pairs_of(update.reaches, 2) == reached(heap, cut)
        assert pairs_of(update.around(led(around(heap, cut))), 2) == around(heap, cut)


class Description:
    """The formulas that say that ghosts describe a heap, for each tuple of addresses."""

    def __init__(self, count: int) -> None:
        self.nodes = range(1, count + 1)
        symbol = ARENA.symbol
        self._reaches, self._around = symbol("\\path", RELATION), symbol("\\around", RELATION)
        self._written, self._array = symbol("\\written", SET), symbol("array", INT_ARRAY)
        select = ARENA.select
        links = Links(
            lambda a, b: select(select(self._reaches, a), b),
            lambda a: select(self._written, a),
            around=lambda a, b: select(select(self._around, a), b),
        )
        formulas = described(ARENA, links, members_or_symbols(self.nodes), self._array, ARENA.integer(OFFSET))
        self._instances = list(dict.fromkeys(one for f in formulas for one in self._instantiated(f)))

    def _instantiated(self, formula: Term) -> Iterator[Term]:
        for values in product((0, *self.nodes), repeat=len(formula.bound)):
            chosen = {x: address(value) for x, value in zip(formula.bound, values, strict=True)}
            yield from literals(Substitution(ARENA, chosen)(formula.args[0]))

    def holds(self, heap: Heap, pairs: Pairs, behind: Pairs) -> bool:
        cells: Term = ARENA.const_array(INT_ARRAY, ARENA.zero)
        for x, target in heap.items():
            cells = ARENA.store(cells, ARENA.integer(x * STRIDE + OFFSET), address(target))
        readings: Mapping[Term, Callable[..., Term]] = {
            self._reaches: related(pairs),
            self._around: led(behind),
            self._written: members(self.nodes),
        }
        now = GhostReading(ARENA, {self._array: cells}, readings)
        return all(now(one).is_true for one in self._instances)


def members_or_symbols(nodes: range) -> SetFormula:
    """The nodes, said of a variable by its values."""
    return lambda a: ARENA.or_(*(ARENA.equals(a, address(x)) for x in nodes))


@pytest.mark.long
def test_what_describes_lists_holds_of_all_heaps() -> None:
    description = Description(3)
    assert all(description.holds(heap, reached(heap, cut), around(heap, cut)) for heap, cut in cut_heaps(3))


@pytest.mark.long
def test_what_describes_lists_holds_of_nothing_else() -> None:
    """Of relations over two nodes, those are described that some choice of cut pointers gives."""
    description, nodes = Description(2), (1, 2)
    every: list[tuple[int, int]] = [(a, b) for a in nodes for b in nodes]
    relations: list[Pairs] = [frozenset(chosen) for size in range(5) for chosen in combinations(every, size)]
    right: dict[tuple[tuple[int, int], ...], set[tuple[Pairs, Pairs]]] = {}
    for heap, cut in cut_heaps(2):
        pairs = frozenset((a, b) for a, b in reached(heap, cut) if a != b)
        right.setdefault(tuple(heap.items()), set()).add((pairs, around(heap, cut)))
    partial = [pairs for pairs in relations if not any(a == b for a, b in pairs)]
    for heap_items, expected in right.items():
        heap = dict(heap_items)
        found = {(p, a) for p, a in product(partial, relations) if description.holds(heap, p, a)}
        assert found == expected, heap
