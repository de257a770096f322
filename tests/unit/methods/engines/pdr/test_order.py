"""The order of numbers in nodes: its formulas on all heaps of three nodes, what is proved with it, faults in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.decision.prover import Effort
from core.limits import Limits
from core.program import Program
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import Arena, Op, Term, literals, rebuild, subterms
from core.verdict import Certificate, Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engines.pdr.execution import PathExecution
from methods.engines.pdr.universal_clauses import HeapField, HeapRelation
from methods.engines.pdr.values import StateAfter
from methods.engines.pdr.view import HeapView, KnownPointers
from sat.solver import Satisfiable
from tests.support.lists import PRELUDE, examined, outcomes
from tests.unit.methods.engines.pdr.test_execution import holds, term_name

pytestmark = pytest.mark.long

NODES = (1, 2, 3)
NUMBERS = (0, 1, 2)


class State(NamedTuple):
    """Nodes of pointers, numbers of nodes, and the number of the scalar variable `k`."""

    p: int
    v: int
    numbers: tuple[int, ...]
    k: int


def states() -> Iterator[State]:
    for p, v, k, *numbers in product(NODES, NODES, NUMBERS, *(NUMBERS for _ in NODES)):
        yield State(p, v, tuple(numbers), k)


def written(state: State, node: int, number: int) -> State:
    return state._replace(
        numbers=tuple(number if x == node else old for x, old in zip(NODES, state.numbers, strict=True))
    )


def number(state: State, node: int) -> int:
    return state.numbers[node - 1]


OPERATIONS: Mapping[str, Callable[[State], State]] = {
    "p->h = v->h;": lambda s: written(s, s.p, number(s, s.v)),
    "p->h = k;": lambda s: written(s, s.p, s.k),
    "k = p->h;": lambda s: s._replace(k=number(s, s.p)),
    "int t = p->h; p->h = v->h; v->h = t;": lambda s: written(written(s, s.p, number(s, s.v)), s.v, number(s, s.p)),
    "int t = k; k = p->h; v->h = t;": lambda s: written(s, s.v, s.k)._replace(k=number(s, s.p)),
    "if (p->h < v->h) p = v;": lambda s: s._replace(p=s.v) if number(s, s.p) < number(s, s.v) else s,
    "if (p->h == k) p->h = v->h;": lambda s: written(s, s.p, number(s, s.v)) if number(s, s.p) == s.k else s,
    "if (k >= p->h && v->h != k) k = v->h;": lambda s: (
        s._replace(k=number(s, s.v)) if s.k >= number(s, s.p) and number(s, s.v) != s.k else s
    ),
    "k = p->h > k ? p->h : k;": lambda s: s._replace(k=max(s.k, number(s, s.p))),
    "p->h = 1; if (v->h <= 0) k = p->h;": lambda s: (
        written(s, s.p, 1)._replace(k=1) if number(written(s, s.p, 1), s.v) <= 0 else written(s, s.p, 1)
    ),
}


def loop(statement: str) -> Program:
    """The program whose only loop has a statement as its body: all pointers lead to the same nodes, or to none."""
    text = f"""{PRELUDE} int main(void) {{ struct node *p = malloc(sizeof(struct node)), *v = p; int k;
    while (__VERIFIER_nondet_int()) {{ {statement} }}
    if (p->h < v->h && p->h < k && v->h > 0 && p->n == v) reach_error(); return 0; }}"""
    return lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall())


class OrderedPath:
    """A path through a statement in a loop, with the nodes as elements of its universe."""

    def __init__(self, view: HeapView, execution: PathExecution) -> None:
        self.execution, self.universe = execution, execution.universe
        self.elements = [0, *self.universe.pool(len(NODES))]
        self.after: StateAfter = execution.after(view.cuts[1], KnownPointers.LIVE)
        self.relations = view.comparisons_at(view.cuts[1])

    def before(self, state: State) -> list[int]:
        universe, order, elements = self.universe, self.execution.order, self.elements
        assumed = [-universe.equal(a, b) for a, b in product(elements, repeat=2) if a < b]
        for term, element in self.execution.before.items():
            if term_name(term) in ("main::p", "main::v"):
                node = state.p if term_name(term) == "main::p" else state.v
                assumed.append(universe.equal(element, elements[node]))
        for relation, args, holds_ in self.atoms(state):
            literal = order.holds_before(relation, args)
            assumed.append(literal if holds_ else -literal)
        for predicate in universe.predicates:
            if predicate.test is not None:
                for x in NODES:
                    literal = universe.holds(predicate, elements[x])
                    assumed.append(literal if predicate.test.holds(number(state, x)) else -literal)
        for proposition, literal in self.execution.propositions.items():
            assert proposition.test is not None
            assumed.append(literal if proposition.test.holds(state.k) else -literal)
        return assumed

    def atoms(self, state: State) -> Iterator[tuple[HeapRelation, list[int], bool]]:
        """The comparisons of numbers in a state, and whether they hold."""
        for relation in self.relations:
            count = sum(isinstance(place, HeapField) for place in relation.places)
            for nodes in product(NODES, repeat=count):
                one, other = relation.operands(nodes, lambda _, x: number(state, x), lambda _: state.k)
                yield relation, [self.elements[x] for x in nodes], one <= other

    def make_gates(self) -> None:
        """Have literals for the state after, before models are asked for."""
        for relation, args, _ in self.atoms(next(states())):
            self.execution.order.holds_after(relation, args, self.after.scalars)

    def agrees(self, answer: Satisfiable, state: State) -> bool:
        """Whether a model has the numbers and pointers of a state after the path."""
        order, scalars = self.execution.order, self.after.scalars
        found = [holds(answer, order.holds_after(r, args, scalars)) == yes for r, args, yes in self.atoms(state)]
        for name, element in self.after.names.items():
            if term_name(name) in ("main::p", "main::v"):
                node = state.p if term_name(name) == "main::p" else state.v
                found.append(holds(answer, self.universe.equal(element, self.elements[node])))
        return all(found)


def paths(program: Program) -> list[OrderedPath]:
    assert program.memory is not None
    view = HeapView(program, program.memory, Limits()).with_order()
    head = view.cuts[1]
    steps = [one.steps for one in view.paths if one.source == one.target == head]
    return [OrderedPath(view, PathExecution(view, KnownPointers.LIVE, head, one)) for one in steps]


@pytest.mark.parametrize("statement", OPERATIONS)
def test_an_operation_gives_the_order_of_the_new_state(statement: str) -> None:
    found = paths(loop(statement))
    for path in found:
        path.make_gates()
    for state in states():
        answers = [(path, path.universe.solver.solve(path.before(state))) for path in found]
        taken = [(path, answer) for path, answer in answers if isinstance(answer, Satisfiable)]
        assert len(taken) == 1, state
        path, answer = taken[0]
        assert path.agrees(answer, OPERATIONS[statement](state)), state


BUILD = """
struct node *a = 0, *p, *q; int k;
while (__VERIFIER_nondet_int()) {
  p = malloc(sizeof(struct node));
  p->h = __VERIFIER_nondet_int();
  p->n = a;
  if (!a || p->h <= a->h) a = p;
}
"""
SORTED = "for (p = a; p && p->n; p = p->n) if (p->h > p->n->h) reach_error();"

RIGHT = {
    "neighbours": SORTED,
    "with the number before": "k = -2147483647 - 1;for (p = a; p; p = p->n) { if (p->h < k) reach_error(); k = p->h; }",
    "the first is the least": "if (a) { k = a->h; for (p = a; p; p = p->n) if (p->h < k) reach_error(); }",
    "found where it must be": "k = __VERIFIER_nondet_int(); for (p = a; p && p->h < k; p = p->n); q = p;"
    "for (p = a; p; p = p->n) { if (p == q) break; if (p->h == k) reach_error(); }",
    "the greatest": "k = 0; for (p = a; p; p = p->n) if (p == a || p->h > k) k = p->h;"
    "for (p = a; p; p = p->n) if (p->h > k) reach_error();",
    "bounded": "for (p = a; p; p = p->n) if (p->h < 7) p->h = 7;" + SORTED,
}
WRONG = {
    "strictly": "for (p = a; p && p->n; p = p->n) if (p->h >= p->n->h) reach_error();",
    "one is raised": "if (a) a->h = __VERIFIER_nondet_int();" + SORTED,
    "the last is the greatest of all": "k = 0; for (p = a; p; p = p->n) k = p->h;"
    "for (p = a; p; p = p->n) if (p->h == k && p->n) reach_error();",
    "bounded": "for (p = a; p; p = p->n) if (p->h > 7) p->h = 6;" + SORTED,
}


def ordered(body: str, kind: str = "int") -> Program:
    text = f"{PRELUDE} int main(void) {{ {BUILD} {body} return 0; }}".replace("int h;", f"{kind} h;")
    return lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall())


@pytest.mark.parametrize("name", RIGHT)
def test_what_follows_from_the_order_is_proved(name: str) -> None:
    program = ordered(RIGHT[name])
    (outcome,) = outcomes(program).values()
    assert isinstance(outcome, Safe), outcome
    assert isinstance(examined(program, outcome.certificate), Certified)


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_follow_has_an_execution(name: str) -> None:
    (outcome,) = outcomes(ordered(WRONG[name])).values()
    assert isinstance(outcome, Unsafe), outcome


@pytest.mark.parametrize("kind", ["long", "unsigned", "unsigned char", "short"])
def test_numbers_of_other_types_are_ordered(kind: str) -> None:
    program = ordered(SORTED, kind)
    (outcome,) = outcomes(program).values()
    assert isinstance(outcome, Safe), outcome
    assert isinstance(examined(program, outcome.certificate), Certified)


def test_a_check_that_needs_no_order_has_a_proof_without_it() -> None:
    program = ordered(SORTED + "for (p = a; p; p = p->n) if (p->n == p) reach_error();")
    first, second = outcomes(program).values()
    assert isinstance(first, Safe)
    assert isinstance(second, Safe)
    assert first.certificate is not second.certificate


# Faults in certificates


def is_about_order(formula: Term) -> bool:
    return any(t.op is Op.LE and t.args[0].op is Op.LINEAR for t in subterms(formula))


def faulty(program: Program, certificate: Certificate) -> Iterator[Certificate]:
    """The certificate with a clause about the order that says the opposite, or without those of a loop."""
    for at, invariant in certificate.invariants.items():
        clauses = literals(invariant)
        others = [one for one in clauses if not is_about_order(one)]
        if len(others) < len(clauses):
            weaker = program.arena.and_(*others)
            yield replace(certificate, invariants={**certificate.invariants, at: weaker})
        for clause in clauses:
            if is_about_order(clause):
                kept = [one for one in clauses if one is not clause]
                stronger = program.arena.and_(*kept, turned(program.arena, clause))
                yield replace(certificate, invariants={**certificate.invariants, at: stronger})


def turned(arena: Arena, clause: Term) -> Term:
    """A clause whose comparisons of two numbers say the opposite."""
    found: dict[Term, Term] = {}
    for t in subterms(clause):
        again = rebuild(arena, t, tuple(found[a] for a in t.args))
        found[t] = arena.not_(again) if t.op is Op.LE and t.args[0].op is Op.LINEAR else again
    return found[clause]


def test_faults_in_clauses_about_the_order_are_rejected() -> None:
    program = ordered(SORTED)
    (outcome,) = outcomes(program).values()
    assert isinstance(outcome, Safe)
    wrong = list(faulty(program, outcome.certificate))
    assert wrong
    for one in wrong:
        found = check_certificate(program, (0,), one, Cvc5Factory(), Limits(), lambda _: None, Effort(query=20))
        assert not isinstance(found, Certified)


# Groups


def groups(body: str) -> list[tuple[set[str], list[int]]]:
    program = ordered(body)
    assert program.memory is not None
    view = HeapView(program, program.memory, Limits()).with_order()
    return [
        ({one.array.name if isinstance(one, HeapField) else one.name for one in g.places}, [t.value for t in g.tests])
        for g in view.ordered
    ]


def test_places_are_grouped_by_comparisons_and_copies() -> None:
    text = "int m = __VERIFIER_nondet_int(), i = 0; while (i < m) i++; k = a ? 5 : m; if (a && a->h < k) reach_error();"
    ((places, tests),) = groups(text)
    assert {"main::k", "main::m", "main::i"} < places
    assert 5 in tests
    text = "int i = 0, m = __VERIFIER_nondet_int(); while (i < m) i++; if (a && a->h == 3 && i == m) reach_error();"
    assert [places for places, _ in groups(text) if "main::i" in places] == []


@pytest.mark.parametrize(("kind", "is_exact"), [("int", True), ("unsigned char", False)])
def test_numbers_may_have_any_order_if_there_are_many(kind: str, is_exact: bool) -> None:
    text = f"""{PRELUDE} int main(void) {{ struct node *p = malloc(sizeof(struct node)), *v = p;
    while (__VERIFIER_nondet_int()) {{ if (p->h < v->h) p = v; }}
    if (p->n == v) reach_error(); return 0; }}""".replace("int h;", f"{kind} h;")
    for path in paths(lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall())):
        assert is_exact != bool(path.execution.free)
