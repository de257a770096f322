"""Changes of counterexamples: events have the names of the program, people read those of the source at a step."""

from functools import cache

import pytest

from core.program import Edge, Program
from core.program.changes import SourceChanges
from core.program.naming import Naming
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request

TEXT = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
enum mode { IDLE, BUSY };
struct node { int v; struct node *next; };
struct ring { int count; enum mode mode; };
int m[3][4];
void fill(struct ring *r, int i) { r->count = i; r->mode = BUSY; }
int main(void)
{
    struct ring r = {0, IDLE};
    struct node *list = malloc(sizeof *list);
    list->v = 1;
    int i = 1, *p = &r.count;
    for (int i = 0; i < 3; i++)
        m[i][2] = i;
    fill(&r, i);
    if (*p == 1 && m[1][2] == 1 && list->v == 1)
        reach_error();
    return 0;
}
"""


@cache
def program() -> Program:
    return DefaultServices().load(Request("changes.c"), lambda _: TEXT, lambda _: None).program


def edge(text: str) -> Edge:
    return next(one for one in program().edges if one.text == text)


def variable(end: str) -> str:
    return next(known.name for known in program().variables.values() if known.name.endswith(end))


def address(name: str) -> int:
    found = next(one for one in program().source.objects if one.name == name and one.address is not None)
    assert found.address is not None
    return found.address.value


def shown(text: str, *changes: tuple[str, str]) -> list[str]:
    found = SourceChanges(Naming(program()), [(edge(text).id, changes)]).of_step(0)
    return [f"{name} = {value}" for name, value in found]


def test_scalars_and_elements_have_the_names_of_the_source() -> None:
    assert shown("int i = 0", (variable("i#2"), "0")) == ["i = 0"]
    assert shown("int i = 1", (variable("i"), "1")) == ["i = 1"]
    assert shown("m[i][2] = i", ("m[6]", "1")) == ["m[1][2] = 1"]
    assert shown("m[i][2] = i", ("m", "{[6] = 1, others = 0}")) == ["m = {[1][2] = 1, others = 0}"]
    assert shown("m[i][2] = i", ("m[6]", "1 (rounds later)")) == ["m[1][2] = 1 (rounds later)"]


def test_memory_has_the_names_of_its_objects() -> None:
    count, mode, v = variable("int32"), variable("ring.mode"), variable("node.v")
    first = address("r")
    assert shown("r->count = i", (f"{count}[{first}]", "1")) == ["main::r.count = 1"]
    assert shown("r->mode = BUSY", (f"{mode}[{first + 4}]", "1")) == ["main::r.mode = BUSY"]
    assert shown("int *p = &r.count", (variable("::p"), str(first))) == ["p = &r"]
    assert shown("fill(&r, i)", (variable("fill::r"), str(first))) == ["fill::r = &r"]
    assert shown("list->v = 1", (f"{v}[{1 << 40}]", "1")) == ["list->v = 1"]
    change = f"{v}[{1 << 40}]", "1"
    step = edge("list->v = 1").id, (change,)
    assert SourceChanges(Naming(program()), [step]).of_variable(0, *change) == ("#1.v", "1")


def test_what_the_source_does_not_name_is_left_out() -> None:
    count = variable("int32")
    assert shown("int i = 1", (count, "{others = 0}")) == []
    assert shown("int i = 1", ("elsewhere", "1")) == ["elsewhere = 1"]


def test_inputs_say_what_they_are() -> None:
    changes = SourceChanges(Naming(program()))
    assert changes.of_input("__VERIFIER_nondet_int", "3") == ("__VERIFIER_nondet_int", "3")
    assert changes.of_input(variable("node.v"), "{others = 0}") == ("storage of struct node.v", "{others = 0}")


@pytest.mark.parametrize("number", [-1, 10_000])
def test_steps_of_another_program_stay_as_they_are(number: int) -> None:
    assert SourceChanges(Naming(program()), [(number, (("x", "1"),))]).of_step(0) == (("x", "1"),)
