"""Pointers to fields: their distances from addresses of records, and the programs that can be read with them."""

from __future__ import annotations

import pytest

from core.limits import Limits
from core.program import Program
from core.program.linked_fields import linked_fields
from core.program.properties import PropertyKind, kinds_of
from core.verdict import Safe, Unknown, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.options import ArithmeticChoice
from frontend.typed.ctype import DataModel
from methods.engines.pdr.view import HeapView
from tests.support.lists import PRELUDE, are_certified, outcomes

FILTER = """while (*pp) { if ((*pp)->h == 0) *pp = (*pp)->n; else pp = &(*pp)->n; }
for (i = h; i; i = i->n) if (i->h == 0) reach_error();"""
BUILD = "while (__VERIFIER_nondet_int()) { i = malloc(16); i->h = __VERIFIER_nondet_int(); i->n = h; h = i; }"


def program(body: str, before: str = "", *properties: PropertyKind) -> Program:
    text = f"{PRELUDE}{before}int main(void) {{ {body} return 0; }}"
    kinds = {kind: one for one in properties for kind in kinds_of(one)}
    return lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall(), ArithmeticChoice.AUTO, kinds)


def test_a_pointer_to_a_field_keeps_its_distance() -> None:
    given = program(f"struct node *h = 0, *i, **pp = &h; {BUILD} {FILTER}")
    assert given.memory is not None
    view = HeapView(given, given.memory, Limits())
    named = {given.variables[x].name: distance for x, distance in view.interior.distances.items()}
    assert named["main::pp"] == 8
    ((address, record),) = view.interior.roots.items()
    assert address - record == 8
    assert [field.offset for field in view.fields] == [8]


@pytest.mark.long
@pytest.mark.parametrize(
    "declared", ["struct node *h = 0, *i, **pp = &h;", "struct node *i, **pp = &h;"], ids=["local", "global"]
)
def test_a_list_is_filtered_through_a_pointer_to_a_field(declared: str) -> None:
    given = program(f"{declared} {BUILD} {FILTER}", "" if "*h" in declared else "struct node *h; ")
    found = outcomes(given)
    assert [type(outcome) for outcome in found.values()] == [Safe]
    assert are_certified(given, found)


@pytest.mark.long
def test_a_pointer_to_a_field_of_a_record_alone() -> None:
    body = "struct node *h = malloc(16), *i, **pp = &h->n; h->h = 1; h->n = 0; while (__VERIFIER_nondet_int()) {"
    body += "i = malloc(16); i->h = 1; i->n = 0; *pp = i; pp = &i->n; }"
    given = program(f"{body} for (i = h; i; i = i->n) if (i->h != 1) reach_error();")
    found = outcomes(given)
    assert [type(outcome) for outcome in found.values()] == [Safe]
    assert are_certified(given, found)


def test_what_a_pointer_to_a_variable_writes_is_seen() -> None:
    found = outcomes(
        program("struct node *h = 0, *i = malloc(16), **pp = &h; i->n = 0; *pp = i; if (h) reach_error();")
    )
    assert [type(outcome) for outcome in found.values()] == [Unsafe]


def test_a_pointer_of_several_distances_is_not_read() -> None:
    before = "struct two { struct node *a, *b; }; "
    body = "struct node *h = malloc(16), **pp; struct two *t = malloc(16); t->a = h; t->b = h; h->n = 0;"
    body += "pp = __VERIFIER_nondet_int() ? &t->b : &h->n; while (__VERIFIER_nondet_int()) pp = &t->a;"
    (outcome,) = outcomes(program(f"{body} *pp = h; if (t->b != h) reach_error();", before)).values()
    assert not isinstance(outcome, Safe)


def test_lifetimes_of_variables_are_not_followed() -> None:
    given = program(f"struct node *h = 0, *i, **pp = &h; {BUILD} {FILTER}", "", PropertyKind("valid-deref"))
    assert {type(outcome) for outcome in outcomes(given).values()} == {Unknown}


def test_links_are_counted_where_variables_lie_beside_fields() -> None:
    assert linked_fields(program(f"struct node *h = 0, *i, **pp = &h; {BUILD} {FILTER}")) == 1
    assert linked_fields(program("int x, *p = &x, **q = &p; **q = 1; if (x != 1) reach_error();")) == 0
