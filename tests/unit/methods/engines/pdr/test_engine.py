"""The engine `pdr`: answers about small programs with lists, and the evidence for them."""

from __future__ import annotations

import pytest

from core.certificate.results import Certified
from core.verdict import Safe, Unknown, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.options import ArithmeticChoice
from frontend.typed.ctype import DataModel
from methods.engine import NotSupported, Supported
from methods.engines.pdr.engine import PdrEngine
from runs.events import Level
from tests.support.contexts import RecordingContext, solver_for
from tests.support.lists import BUILD, PRELUDE, are_certified, examined, list_program, outcomes

WALK = "for (p = a; p; p = p->n) "

SAFE = {
    "all nodes keep their number": WALK + "if (p->h != 1) reach_error();",
    "a node is put in front": "p = malloc(sizeof(struct node)); p->h = 1; p->n = a; a = p;"
    + WALK
    + "if (p->h != 1) reach_error();",
    "the last node is special": "p->h = 2; " + WALK + "if (p->h != 1 && p->n) reach_error();",
    "turned around": "struct node *r = 0, *t; while (a) { t = a->n; a->n = r; r = a; a = t; }"
    "for (p = r; p; p = p->n) if (p->h != 1) reach_error();",
    "without the first": "if (a->n) { a = a->n; " + WALK + "if (p->h != 1) reach_error(); }",
    "the end is reached": "while (p->n) p = p->n; if (p->n) reach_error();",
}

UNSAFE = {
    "reached always": "reach_error();",
    "the last node": "p->h = 2; " + WALK + "if (p->h != 1) reach_error();",
    "the second of two": "if (a->n) { a->n->h = 0; " + WALK + "if (p->h != 1) reach_error(); }",
    "turned around, but the first": "a->h = 3; struct node *r = 0, *t; while (a) { t = a->n; a->n = r; r = a; a = t; }"
    "for (p = r; p; p = p->n) if (p->h != 1) reach_error();",
}


@pytest.mark.long
@pytest.mark.parametrize("name", SAFE)
def test_a_safe_program_is_proved_with_a_certificate(name: str) -> None:
    program = list_program(SAFE[name])
    (outcome,) = outcomes(program).values()
    assert isinstance(outcome, Safe)
    assert isinstance(examined(program, outcome.certificate), Certified)


@pytest.mark.parametrize("name", UNSAFE)
def test_an_unsafe_program_has_an_execution(name: str) -> None:
    program = list_program(UNSAFE[name])
    found = outcomes(program)
    assert any(isinstance(outcome, Unsafe) for outcome in found.values())
    assert not any(isinstance(outcome, Safe) for outcome in found.values())
    for check, outcome in found.items():
        assert isinstance(outcome, Unsafe)
        assert program.edges[outcome.path[-1]].target == program.checks[check].location


def test_checks_are_decided_one_by_one() -> None:
    found = outcomes(
        list_program("p->h = 2; " + WALK + "{ if (p->h > 2) reach_error(); if (p->h != 1) reach_error(); }")
    )
    assert [type(outcome) for outcome in found.values()] == [Safe, Unsafe]


def test_a_cycle_is_cut() -> None:
    program = list_program("p->n = a; if (p->n->h != 1) reach_error();")
    found = outcomes(program)
    assert [type(outcome) for outcome in found.values()] == [Safe]
    assert are_certified(program, found)


def test_no_pointer_leads_to_what_is_no_node() -> None:
    body = "struct node *w; p->n = w; if (a->h != 1) reach_error();"
    (outcome,) = outcomes(list_program(body)).values()
    assert isinstance(outcome, Unknown)
    assert "list.c:" in outcome.reason
    assert "lead to no record" in outcome.reason


def test_numbers_are_known_by_comparisons_only() -> None:
    body = "int k = 0; " + WALK + "k++; int m = 0; " + WALK + "m++; if (k != m) reach_error();"
    (outcome,) = outcomes(list_program(body)).values()
    assert isinstance(outcome, Unknown)
    assert "numbers" in outcome.reason


def test_what_is_not_about_lists_is_not_supported() -> None:
    def supports(text: str) -> Supported | NotSupported:
        return PdrEngine().supports(lower(parse_program(PRELUDE + text, "t.c", DataModel.LP64), UnreachCall()))

    assert supports("int main(void) { int x = 1; if (x != 1) reach_error(); return 0; }") == NotSupported(
        "it has no records with fields for pointers alone"
    )
    recursive = """int f(struct node *p) { return p ? f(p->n) : 0; }
    int main(void) { struct node *p = malloc(16); p->n = 0; if (f(p)) reach_error(); return 0; }"""
    assert supports(recursive) == NotSupported("it has functions that call themselves")
    assert isinstance(PdrEngine().supports(list_program("")), Supported)


def test_two_runs_have_the_same_events() -> None:
    def events() -> list[object]:
        program = list_program(SAFE["the last node is special"])
        context = RecordingContext(Level.STATES, solver=solver_for(program))
        PdrEngine().run(program, [0], context)
        return list(context.events)

    assert events() == events()


def test_a_comparison_that_is_not_about_nodes_leaves_other_checks_their_proof() -> None:
    """Which of two nodes has the larger address is not told by elements."""
    text = f"{PRELUDE}int main(void) {{ {BUILD} {SAFE['all nodes keep their number']} if (a > p) reach_error(); }}"
    program = lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall(), ArithmeticChoice.AUTO)
    found = outcomes(program)
    assert len(found) == 2
    assert isinstance(found[0], Safe)
