"""Parameters that stand for an array with a name are indexed like it; whatever else they may be is left alone."""

import pytest

from core.program.properties import CheckKind, selected
from frontend import interpreter
from frontend.api import parse_program
from frontend.interpreter import Inputs
from frontend.lowering.unit import lower
from frontend.properties.errors import UnreachCall
from frontend.replay.policy import error_policy
from frontend.typed import tree
from frontend.typed.ctype import DataModel
from frontend.typed.named_arrays import with_named_arrays
from frontend.typed.traversal import unit_nodes

NAMED = {
    "a local array": "int f(int a[], int i) { return a[i]; } int main(void) { int x[3]; return f(x, 3); }",
    "a global array": "int x[3]; int f(int *a) { return *(a + 3); } int main(void) { return f(x); }",
    "handed on": "int x[3]; int g(int *b) { return b[3]; } int f(int *a) { return g(a); } "
    "int main(void) { return f(x); }",
    "recursion": "int x[3]; int f(int *a, int i) { return i < 3 ? f(a, i + 1) : a[i]; } "
    "int main(void) { return f(x, 0); }",
    "two arrays of one length": "int x[3], y[3]; int f(int *a) { return a[3]; } int main(void) { return f(x) + f(y); }",
    "rows": "int x[3][2]; int f(int (*a)[2]) { return a[3][1]; } int main(void) { return f(x); }",
    "a member of an element": "struct s { int b; } x[3]; int f(struct s *a) { return a[3].b; } "
    "int main(void) { return f(x); }",
    "a write": "int x[3]; void f(int *a) { a[3] = 1; } int main(void) { f(x); return 0; }",
}
OTHERS = {
    "another length": "int x[3], y[4]; int f(int *a) { return a[2]; } int main(void) { return f(x) + f(y); }",
    "an element": "int x[3]; int f(int *a) { return a[2]; } int main(void) { return f(x) + f(&x[1]); }",
    "the heap": "void *malloc(unsigned); int f(int *a) { return a[2]; } int main(void) { return f(malloc(12)); }",
    "a parameter that moves": "int x[3]; int f(int *a) { a++; return a[2]; } int main(void) { return f(x); }",
    "one whose address is taken": "int x[3]; int f(int *a) { int **p = &a; return (*p)[2] + a[2]; } "
    "int main(void) { return f(x); }",
    "a function with an address": "int x[3]; int f(int *a) { return a[2]; } int (*g)(int *) = f; "
    "int main(void) { return f(x); }",
    "another type": "char x[12]; int f(int *a) { return a[2]; } int main(void) { return f((int *) x); }",
    "a row": "int x[3][2]; int f(int *a) { return a[5]; } int main(void) { return f(x[0]); }",
    "no call": "int f(int *a) { return a[2]; } int main(void) { return 0; }",
}


def indexed(text: str) -> int:
    unit = with_named_arrays(parse_program(text, "a.c", DataModel.ILP32))
    found = [one for one in unit_nodes(unit) if isinstance(one, tree.Index)]
    return sum(isinstance(one.array, tree.Dereference) for one in found)


@pytest.mark.parametrize("name", NAMED)
def test_it_is_indexed_like_the_array(name: str) -> None:
    assert indexed(NAMED[name])
    unit, kinds = parse_program(NAMED[name], "a.c", DataModel.ILP32), selected(("bounds",))
    outcome = interpreter.run(unit, error_policy(unit, UnreachCall(), kinds), Inputs())
    assert isinstance(outcome, interpreter.UndefinedBehaviour)
    assert (outcome.kind, outcome.what) == (CheckKind.BOUNDS, "index 3 of an array of 3 elements")
    places = [check.span for check in lower(unit, UnreachCall(), kinds=kinds).checks if check.property == "bounds"]
    assert outcome.span in places


@pytest.mark.parametrize("name", OTHERS)
def test_what_may_be_something_else_is_left_alone(name: str) -> None:
    assert not indexed(OTHERS[name])


def test_an_access_is_shown_as_it_is_written() -> None:
    text = """int x[3]; void *malloc(unsigned);
    int f(int *a, int i) { return a[i]; }
    int g(int *p, int i) { return p[i] + *(p + i); }
    int main(void) { return f(x, 1) + g(malloc(8), 1); }"""
    program = lower(parse_program(text, "a.c", DataModel.ILP32), UnreachCall(), kinds=selected(("bounds", "dangling")))
    shown = [check.description.partition(" in f")[0].partition(" in g")[0] for check in program.checks]
    assert shown == [
        "index out of bounds in a[i]",
        "invalid access in a[i]",
        "invalid access in p[i]",
        "invalid access in *(p + i)",
    ]


def test_a_deep_tree_is_no_harm() -> None:
    text = f"int x[3]; int f(int *a) {{ return a[0]{' + 1' * 5000}; }} int main(void) {{ return f(x); }}"
    assert indexed(text)
