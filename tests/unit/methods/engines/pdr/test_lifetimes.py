"""Accesses, releases and leaks of lists of any length: right programs are proved, wrong twins have an execution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.decision.prover import Effort
from core.limits import Limits
from core.program import Program
from core.program.properties import UNDEFINED_BEHAVIOUR, CheckKind, PropertyKind, kinds_of
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import Op, Term, literals, subterms
from core.verdict import Certificate, Safe, Unknown, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.options import ArithmeticChoice
from frontend.typed.ctype import DataModel
from methods.engine import Supported
from methods.engines.pdr.engine import PdrEngine
from tests.support.lists import PRELUDE, are_certified, outcomes

BUILD = """
extern void free(void *);
int main(void) {
  struct node *h = 0, *p, *q, *i, *j = 0;
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof(struct node)); p->h = __VERIFIER_nondet_int(); p->n = h; h = p; }
"""
RELEASE = "while (h) { q = h->n; free(h); h = q; }"
FILTER = "i = h; while (i) { q = i->n; if (i->h) { if (j) j->n = q; else h = q; free(i); } else j = i; i = q; }"

DIVIDE = """
struct node *g = 0;
i = h;
while (i) { q = i->n; if (i->h) { if (j) j->n = q; else h = q; i->n = g; g = i; } else j = i; i = q; }
"""

RIGHT = {
    "released one after the other": RELEASE,
    "some are released, then the rest": FILTER + RELEASE,
    "turned around and released": "i = 0; while (h) { q = h->n; h->n = i; i = h; h = q; } h = i;" + RELEASE,
    "divided into two lists, then both are released": DIVIDE + RELEASE + "h = g;" + RELEASE,
    "null is released": "free(j);" + RELEASE,
}
INVALID = {
    "read after its release": "while (h) { free(h); h = h->n; }",
    "written after its release": "if (h) { q = h->n; free(h); h->n = 0; h = q; }" + RELEASE,
    "the node before was released": FILTER.replace("else j = i", "j = i") + RELEASE,
    "released twice": "while (h) { q = h->n; free(h); if (!q) free(h); h = q; }",
    "the end of a node is released": "if (h) free(h + 1);",
    "too few bytes": "h = malloc(8); h->n = 0;",
}
LEAKING = {
    "the first is left": "if (h) h = h->n;" + RELEASE,
    "of two lists one is left": DIVIDE + RELEASE,
    "one that was taken out is left": FILTER.replace("free(i);", "") + RELEASE,
}


def program(body: str, *properties: PropertyKind) -> Program:
    kinds: dict[CheckKind, str] = {kind: one.value for one in properties for kind in kinds_of(one)}
    unit = parse_program(f"{PRELUDE}{BUILD}{body} return 0; }}", "list.c", DataModel.LP64)
    return lower(unit, UnreachCall(), ArithmeticChoice.AUTO, kinds)


def undefined(text: str) -> Program:
    """A program with checks of all undefined behaviour."""
    unit = parse_program(f"{PRELUDE}extern void free(void *);{text}", "list.c", DataModel.LP64)
    kinds: dict[CheckKind, str] = {kind: kind.value for kind in UNDEFINED_BEHAVIOUR}
    return lower(unit, UnreachCall(), ArithmeticChoice.AUTO, kinds)


def safety(body: str) -> Program:
    return program(body, PropertyKind.VALID_DEREF, PropertyKind.VALID_FREE)


def cleanup(body: str) -> Program:
    return program(body, PropertyKind.VALID_MEMCLEANUP)


ALL = (PropertyKind.VALID_DEREF, PropertyKind.VALID_FREE, PropertyKind.VALID_MEMCLEANUP)


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize("asked", [ALL[:2], ALL[2:], ALL], ids=["accesses and releases", "leaks", "all"])
@pytest.mark.parametrize("name", RIGHT)
def test_what_holds_of_memory_is_proved(name: str, asked: tuple[PropertyKind, ...]) -> None:
    given = program(RIGHT[name], *asked)
    assert isinstance(PdrEngine().supports(given), Supported)
    found = outcomes(given)
    assert found
    assert all(isinstance(one, Safe) for one in found.values()), found
    assert are_certified(given, found)


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_access_or_release_has_an_execution(name: str) -> None:
    assert any(isinstance(one, Unsafe) for one in outcomes(safety(INVALID[name])).values())


@pytest.mark.parametrize("name", LEAKING)
def test_a_leak_is_not_proved_absent(name: str) -> None:
    (outcome,) = outcomes(cleanup(LEAKING[name])).values()
    assert isinstance(outcome, Unsafe | Unknown)


def is_certified_without(given: Program, certificate: Certificate, is_left_out: Callable[[Term], bool]) -> bool:
    """Whether a certificate is accepted after some conjuncts of its invariants were left out."""
    invariants = {
        at: given.arena.and_(*(c for c in literals(formula) if not is_left_out(c)))
        for at, formula in certificate.invariants.items()
    }
    assert invariants != certificate.invariants
    weaker = replace(certificate, invariants=invariants)
    checks = [check.id for check in given.checks]
    found = check_certificate(given, checks, weaker, Cvc5Factory(), Limits(), lambda _: None, Effort(query=100))
    return isinstance(found, Certified)


@pytest.mark.long
def test_a_certificate_needs_each_part_that_speaks_of_lifetimes() -> None:
    given = safety(RELEASE)
    memory, outcome = given.memory, outcomes(given)[0]
    assert isinstance(outcome, Safe)
    assert memory is not None
    assert memory.lifetimes is not None
    lives = memory.lifetimes
    assert is_certified_without(given, outcome.certificate, lambda c: c.op is Op.EQ)  # no object has the null pointer
    assert not is_certified_without(given, outcome.certificate, lambda c: lives.sizes in c.symbols())
    assert not is_certified_without(given, outcome.certificate, lambda c: lives.releasable in c.symbols())
    assert not is_certified_without(
        given, outcome.certificate, lambda c: any(t.op is Op.MODULO for t in subterms(c))
    )  # that nodes are starts of blocks


QUEUE = """
struct queue { struct node *first, *last; };
static void put(struct queue *q, int v) {
  struct node *p = malloc(sizeof(struct node));
  if (!p) return;
  p->h = v; p->n = 0;
  if (q->last) q->last->n = p; else q->first = p;
  q->last = p;
}
static int get(struct queue *q) {
  struct node *p = q->first;
  int v = p->h;
  q->first = p->n;
  if (!q->first) q->last = 0;
  free(p);
  return v;
}
int main(void) {
  struct queue q = {0, 0};
  while (__VERIFIER_nondet_int()) if (__VERIFIER_nondet_int()) put(&q, 7); else if (q.first) get(&q);
  while (q.first) if (get(&q) != 7) reach_error();
  return 0;
}
"""


@pytest.mark.long
def test_a_queue_behind_a_pointer_is_proved_with_all_checks() -> None:
    """Numbers at constant addresses, here the size of the queue, are known, and which fields have values."""
    given = undefined(QUEUE)
    kinds = {check.property for check in given.checks}
    assert {CheckKind.UNINITIALIZED.value, CheckKind.DANGLING.value} <= kinds
    assert CheckKind.CONST.value not in kinds  # nothing there is constant
    found = outcomes(given)
    assert all(isinstance(one, Safe) for one in found.values()), found
    assert are_certified(given, found)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("if (!q->first) q->last = 0;", ""),
        ("  q->first = p->n;", "  free(p); q->first = p->n;"),
    ],
)
def test_an_undefined_queue_is_not_proved(right: str, wrong: str) -> None:
    assert QUEUE.count(right) == 1
    assert not all(isinstance(one, Safe) for one in outcomes(undefined(QUEUE.replace(right, wrong))).values())


RING = """
int main(void) {
  struct node *first = malloc(sizeof(struct node)), *p, *q;
  first->n = first;
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof(struct node)); p->n = first->n; first->n = p; }
  for (p = first->n; p != first; p = q) { q = p->n; free(p); }
  free(first);
  return 0;
}
"""


@pytest.mark.long
def test_a_ring_is_released() -> None:
    """That a pointer into a ring leads to the start of an object is part of what must hold."""
    given = undefined(RING)
    found = outcomes(given)
    assert all(isinstance(one, Safe) for one in found.values()), found
    assert are_certified(given, found)
