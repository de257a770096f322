"""Formulas of loads, stores and allocations, compared with heaps of four nodes: every acyclic one, every operation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import product

from core.limits import Limits
from core.terms import Op, Term
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engines.pdr.execution import PathExecution
from methods.engines.pdr.universal_clauses import ALLOCATED, ElementName, HeapRelation, RelationKind
from methods.engines.pdr.values import StateAfter
from methods.engines.pdr.view import HeapView, KnownPointers
from sat.solver import Satisfiable
from tests.support.cut_lists import around, cut_after, cut_heaps, reached
from tests.support.lists import PRELUDE

NODES = (1, 2, 3, 4)
Heap = Mapping[int, int]
"""The next node of each node; 0 is null."""


def heaps() -> Iterator[Heap]:
    for targets in product((0, *NODES), repeat=len(NODES)):
        heap = dict(zip(NODES, targets, strict=True))
        if all(0 in path(heap, x) for x in NODES):
            yield heap


def path(heap: Heap, start: int) -> list[int]:
    """The nodes from `start` on; null at the end, unless there is a cycle."""
    found = [start]
    while found[-1] and heap[found[-1]] not in found:
        found.append(heap[found[-1]])
    return found


class Operation:
    """The path of a statement in a loop, with the nodes as elements of its universe."""

    def __init__(self, statement: str, *, recorded: bool = False, is_cyclic: bool = False) -> None:
        text = f"""{PRELUDE} int main(void) {{ struct node *p, *v; while (__VERIFIER_nondet_int()) {{ {statement} }}
        if (p == v && v->n == 0) reach_error(); return 0; }}"""
        program = lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall())
        assert program.memory is not None
        view = HeapView(program, program.memory, Limits())
        self.view = view = view.with_cycles(view.fields) if is_cyclic else view
        (head,) = [at for at in view.heads() if at in view.cuts]
        (path,) = [one for one in view.paths if one.source == one.target == head]
        self.execution = PathExecution(view, KnownPointers.LIVE, head, path.steps, recorded=recorded)
        self.universe = self.execution.universe
        self.elements = [0, *self.universe.pool(len(NODES))]
        self.after: StateAfter = self.execution.after(head, KnownPointers.LIVE)
        (self.field,) = view.fields
        self.relation = HeapRelation(RelationKind.REACHES, self.field)
        every = list(product(self.elements, repeat=2))
        self.gates = {pair: self.after.reaches[self.field](*pair) for pair in every}
        turned = self.after.around.get(self.field)
        self.turns = {} if turned is None else {pair: turned(*pair) for pair in every}

    def variable(self, name: str, names: Mapping[ElementName, int]) -> int:
        return next(element for term, element in names.items() if term_name(term) == f"main::{name}")

    def before(self, heap: Heap, **variables: int) -> list[int]:
        """The assumptions that describe a heap, in which all nodes are allocated, and the values of variables."""
        universe, elements = self.universe, self.elements
        assumed = [-universe.equal(a, b) for a, b in product(elements, repeat=2) if a < b]
        for x in NODES:
            assumed.append(universe.holds(ALLOCATED, elements[x]))
            for y in NODES:
                literal = universe.reaches(self.relation, elements[x], elements[y])
                if x != y:
                    assumed.append(literal if y in path(heap, x) else -literal)
        for name, node in variables.items():
            assumed.append(universe.equal(self.variable(name, self.execution.before), elements[node]))
        return assumed

    def before_cut(self, heap: Heap, cut: Collection[int], **variables: int) -> list[int]:
        """The assumptions that describe a heap of which some pointers are cut."""
        universe, elements, relation = self.universe, self.elements, HeapRelation(RelationKind.AROUND, self.field)
        linear = {x: 0 if x in cut else target for x, target in heap.items()}
        pairs = around(heap, cut)
        assumed = self.before({**dict.fromkeys(NODES, 0), **linear}, **variables)
        for x, y in product(NODES, repeat=2):
            literal = universe.around(relation, elements[x], elements[y])
            assumed.append(literal if (x, y) in pairs else -literal)
        return assumed

    def turned(self, assumed: list[int]) -> tuple[set[tuple[int, int]], ...] | None:
        """The pairs of nodes that reach each other after the path, and those of which one is around the other."""
        answer = self.universe.solver.solve(assumed)
        if not isinstance(answer, Satisfiable):
            return None
        back = {element: node for node, element in enumerate(self.elements)}
        relations = (self.gates, self.turns)
        return tuple({(back[a], back[b]) for (a, b), gate in one.items() if holds(answer, gate)} for one in relations)

    def reached(self, assumed: list[int]) -> set[tuple[int, int]] | None:
        """The pairs of nodes that reach each other after the path; None if it cannot be taken."""
        answer = self.universe.solver.solve(assumed)
        if not isinstance(answer, Satisfiable):
            return None
        back = {element: node for node, element in enumerate(self.elements)}
        return {(back[a], back[b]) for (a, b), gate in self.gates.items() if holds(answer, gate)}


def term_name(term: ElementName) -> str:
    return term.name if isinstance(term, Term) and term.op is Op.SYMBOL else ""


def holds(answer: Satisfiable, literal: int) -> bool:
    return answer.value(abs(literal)) == (literal > 0)


def closure(heap: Heap) -> set[tuple[int, int]]:
    return {(0, 0)} | {(x, y) for x in NODES for y in path(heap, x) if y}


def test_a_store_gives_the_closure_of_the_new_heap_or_is_refused() -> None:
    operation, cases = Operation("p->n = v;"), 0
    for heap in heaps():
        for p, v in product(NODES, (0, *NODES)):
            found = operation.reached(operation.before(heap, p=p, v=v))
            if p in path(heap, v):
                assert found is None, (heap, p, v)
            else:
                assert found == closure({**heap, p: v}), (heap, p, v)
            cases += 1
    assert cases == 2500


def with_all_nodes(heap: Heap) -> Heap:
    return {**dict.fromkeys(NODES, 0), **heap}


def test_a_store_may_close_a_cycle_where_that_is_cut() -> None:
    operation, cases = Operation("p->n = v;", is_cyclic=True), 0
    for heap, cut in cut_heaps(3):
        for p, v in product(heap, (0, *heap)):
            new, new_cut = with_all_nodes({**heap, p: v}), cut_after(heap, cut, p, v)
            expected = set(reached(new, new_cut)), set(around(new, new_cut))
            assert operation.turned(operation.before_cut(heap, cut, p=p, v=v)) == expected, (heap, cut, p, v)
            cases += 1
    assert cases > 2000


def test_a_load_follows_a_cut_pointer() -> None:
    operation = Operation("p = p->n;", is_cyclic=True)
    result = operation.variable("p", operation.after.names)
    for heap, cut in cut_heaps(3):
        for p in heap:
            assumed = operation.before_cut(heap, cut, p=p)
            for node in (0, *heap):
                same = operation.universe.equal(result, operation.elements[node])
                assert (operation.reached([*assumed, same]) is not None) == (node == heap[p]), (heap, cut, p, node)


def test_a_store_through_null_changes_nothing() -> None:
    operation = Operation("p->n = v;")
    for heap in heaps():
        assert operation.reached(operation.before(heap, p=0, v=2)) == closure(heap)


def test_a_load_gives_the_next_node() -> None:
    operation = Operation("p = p->n;")
    for heap in heaps():
        for p in NODES:
            assumed = operation.before(heap, p=p)
            result = operation.variable("p", operation.after.names)
            for node in (0, *NODES):
                same = operation.universe.equal(result, operation.elements[node])
                assert (operation.reached([*assumed, same]) is not None) == (node == heap[p]), (heap, p, node)


def test_an_allocated_node_is_new_and_alone() -> None:
    operation = Operation("p = malloc(16); p->n = 0;")
    new = operation.variable("p", operation.after.names)
    related = [(operation.after.reaches[operation.field](new, x), x) for x in operation.elements]
    related += [(operation.after.reaches[operation.field](x, new), x) for x in operation.elements]
    allocated = operation.after.predicates[ALLOCATED](new)
    for heap in some():
        assumed = operation.before(heap)
        assert operation.reached(assumed) == closure(heap)
        assert all(operation.reached([*assumed, literal]) is None for literal, _ in related)
        assert operation.reached([*assumed, -allocated]) is None


@cache
def some() -> tuple[Heap, ...]:
    return tuple(heap for i, heap in enumerate(heaps()) if i % 25 == 0)
