"""Lengths of lists, and numbers beside them: what is proved of counted lists, what is not, and the updates."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest

from core.certificate.results import Certified
from core.program import Program
from core.solver.contract import Sat, Unsat
from core.terms import Term
from core.verdict import Safe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engines.pdr.affine import AffineHull
from methods.engines.pdr.facts import _Sums
from tests.support.contexts import solver_for
from tests.support.lists import PRELUDE, examined, outcomes
from tests.unit.methods.engines.pdr.test_execution import NODES, Heap, Operation, path, some

pytestmark = pytest.mark.long

COUNTED = """
int n = __VERIFIER_nondet_int(), i;
struct node *a = 0, *p;
for (i = 0; i < n; i++) { p = malloc(sizeof(struct node)); p->n = a; a = p; }
"""
COUNT = "for (p = a; p; p = p->n) k++;"
REMOVE = "while (a) { a = a->n; i--; }"

RIGHT = {
    "as many as were put in": f"int k = 0; {COUNT} if (n > 0 && k != n) reach_error();",
    "one more at the end": "struct node *e = malloc(sizeof(struct node)), *q = 0; int k = 0; e->n = 0;"
    "for (p = a; p; p = p->n) q = p; if (q) q->n = e; else a = e;"
    f"{COUNT} if (n > 0 && k != (int)(n + 1u)) reach_error();",
    "a counter that wraps around": f"unsigned char k = 0; {COUNT} if (n > 0 && k != (unsigned char)n) reach_error();",
    "removed one after the other": "for (; i > 0; i--) a = a->n; if (a) reach_error();",
    "counted down": f"{REMOVE} if (i) reach_error();",
    "the place of a node": """
if (n < 1) return 0;
struct node *q = 0, *x = malloc(sizeof(struct node)); int at = n / 2, k; x->h = 7; x->n = 0;
for (p = a, k = at; k > 0; k--) { q = p; p = p->n; }
if (q) q->n = x; else a = x;
x->n = p;
for (p = a, k = 0; p && k != at; k++) p = p->n;
if (n > 0 && p->h != 7) reach_error();
""",
}
WRONG = {
    "one too few": f"int k = 1; {COUNT} if (n > 0 && k != n) reach_error();",
    "a counter that wraps around": f"unsigned char k = 0; {COUNT} if (n > 0 && k != n) reach_error();",
    "one is left": "for (; i > 1; i--) a = a->n; if (a) reach_error();",
    "another place of a node": """
if (n < 1) return 0;
struct node *q = 0, *x = malloc(sizeof(struct node)); int at = n / 2, k; x->h = 7; x->n = 0;
for (p = a, k = at; k > 0; k--) { q = p; p = p->n; }
if (q) q->n = x; else a = x;
x->n = p;
for (p = a, k = 1; p && k != at; k++) p = p->n;
if (n > 4 && p->h != 7) reach_error();
""",
    "the second is dropped": f"int k = 0; if (a && a->n) a->n = a->n->n; {COUNT} if (n > 0 && k != n) reach_error();",
}


def counted(body: str) -> str:
    return f"{PRELUDE} int main(void) {{ {COUNTED} {body} return 0; }}"


@pytest.mark.sampled
@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_counted_lists_are_proved(body: str) -> None:
    program = lower(parse_program(counted(body), "t.c", DataModel.LP64), UnreachCall())
    (outcome,) = outcomes(program).values()
    assert isinstance(outcome, Safe), outcome
    assert isinstance(examined(program, outcome.certificate), Certified)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if "place" in name else []) for name in WRONG]
)
def test_wrong_counts_are_not_proved(name: str) -> None:
    program = lower(parse_program(counted(WRONG[name]), "t.c", DataModel.LP64), UnreachCall())
    (outcome,) = outcomes(program).values()
    assert not isinstance(outcome, Safe)


class Measured:
    """An operation with the lengths of all nodes before and after it, in a solver for numbers."""

    def __init__(self, statement: str) -> None:
        self.operation = Operation(statement, recorded=True)
        execution, arena = self.operation.execution, self.operation.view.arena
        self.arena = arena
        self.before = [execution.lengths.before[self.operation.field](e) for e in self.operation.elements]
        self.after = [self.operation.after.lengths[self.operation.field](e) for e in self.operation.elements]
        self.solver = solver_for(self.operation.view.program)()
        self.solver.add(*execution.lengths.formulas(execution.universe.elements))
        assert execution.universe.clauses is not None
        for clause in execution.universe.clauses:
            self.solver.add(arena.or_(*(execution.lengths.truth(x) for x in clause)))

    def has(self, lengths: list[Term], heap: Heap) -> Term:
        pairs = ((lengths[x], len(path(heap, x)) - 1) for x in NODES)
        return self.arena.and_(*(self.arena.equals(t, self.arena.integer(length)) for t, length in pairs))

    def follows(self, heap: Heap, after: Heap, variables: Mapping[str, int]) -> bool:
        """Whether the operation can be executed, and gives all nodes their lengths in the heap after it."""
        assumed = [self.operation.execution.lengths.truth(x) for x in self.operation.before(heap, **variables)]
        assumed.append(self.has(self.before, heap))
        possible = isinstance(self.solver.check(assumed), Sat)
        return possible and isinstance(
            self.solver.check([*assumed, self.arena.not_(self.has(self.after, after))]), Unsat
        )


def test_a_store_gives_the_lengths_of_the_new_heap() -> None:
    measured = Measured("p->n = v;")
    for heap in some():
        for p, v in product(NODES, (0, *NODES)):
            if p not in path(heap, v):
                assert measured.follows(heap, {**heap, p: v}, {"p": p, "v": v}), (heap, p, v)


def test_loads_and_allocations_keep_lengths() -> None:
    for statement in ("p = p->n;", "p = malloc(16); p->n = 0;"):
        measured = Measured(statement)
        for heap in some():
            assert measured.follows(heap, heap, {"p": 1}), (statement, heap)


KEPT = {
    "minimum": """
int m = 2147483647, v; a = 0;
while (__VERIFIER_nondet_int()) {
  v = __VERIFIER_nondet_int(); p = malloc(16); p->h = v; p->n = a; a = p; if (v < m) m = v;
}
for (p = a; p; p = p->n) if (p->h < m) reach_error();
""",
    "positions from the end": """
int k = 0; a = 0;
while (k < 1000 && __VERIFIER_nondet_int()) { p = malloc(16); p->h = k; p->n = a; a = p; k++; }
for (p = a; p && p->n; p = p->n) if (p->h != p->n->h + 1) reach_error();
""",
    "twice the position": """
int k = 0; a = 0;
while (k < 1000 && __VERIFIER_nondet_int()) { p = malloc(16); p->h = 2 * k; p->n = a; a = p; k++; }
for (p = a; p; p = p->n) { k--; if (p->h != 2 * k) reach_error(); }
""",
    "in turns": """
int b = 1; a = 0;
while (__VERIFIER_nondet_int()) { p = malloc(16); p->h = b; p->n = a; a = p; b = 1 - b; }
for (p = a; p && p->n; p = p->n) if (p->h == p->n->h) reach_error();
""",
}
MISSED = {
    "positions from the end": KEPT["positions from the end"].replace("+ 1", "+ 2"),
    "twice the position": KEPT["twice the position"].replace("k--;", "").replace("{  if", "{ if"),
    "in turns": KEPT["in turns"].replace("b = 1 - b", "b = 1 - 2 * b"),
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_numbers_of_nodes_are_computed(body: str) -> None:
    program = numbered(body)
    (outcome,) = outcomes(program).values()
    assert isinstance(outcome, Safe)
    assert isinstance(examined(program, outcome.certificate), Certified)


@pytest.mark.parametrize("body", MISSED.values(), ids=MISSED)
def test_wrong_numbers_of_nodes_are_not_proved(body: str) -> None:
    assert not any(isinstance(outcome, Safe) for outcome in outcomes(numbered(body)).values())


def numbered(body: str) -> Program:
    text = f"{PRELUDE} int main(void) {{ struct node *a, *p; {body} return 0; }}"
    return lower(parse_program(text, "numbers.c", DataModel.LP64), UnreachCall())


def test_sums_of_points_stay_modulo_what_divides_them() -> None:
    sums = _Sums((0, 0), iter(()), None)
    for point in ((1, 1), (0, 2), (1, 3), (0, 6)):
        sums.add(point)
    (fact,) = sums.facts()
    assert fact.modulus == 2
    assert all(fact.holds(point) for point in ((0, 4), (1, 5)))
    assert not fact.holds((0, 1))
    sums.add((0, 1))
    assert list(sums.facts()) == []


def test_the_hull_of_points() -> None:
    hull = AffineHull((0, 3, 5))
    assert len(hull.equations()) == 3
    hull.add((1, 5, 5))
    hull.add((2, 7, 5))
    equations = hull.equations()
    assert len(equations) == 2
    assert all(one.at(point) == 0 for one in equations for point in ((0, 3, 5), (1, 5, 5), (10, 23, 5)))
    assert any(one.at((1, 4, 5)) for one in equations)
    assert any(one.at((0, 3, 6)) for one in equations)
    assert hull.is_constant((2, -1, 0))
    assert hull.is_constant((0, 0, 3))
    assert not hull.is_constant((1, -1, 0))
    hull.add((0, 0, 6))
    hull.add((0, 0, 0))
    assert not hull.equations()
