"""Loops that end by what they read: it is assumed to lie in an object, where the objects are known."""

from __future__ import annotations

import pytest

from core.program import Assume
from core.program.properties import CheckKind, selected
from frontend.api import parse_program
from frontend.lowering import lower
from frontend.typed.ctype import DataModel

HEAD = "extern void *malloc(unsigned); extern int __VERIFIER_nondet_int(void); extern char s[]; int a[9], b[4]; "


def assumed(text: str, *checks: str) -> list[str]:
    """What is assumed to be read in objects."""
    program = lower(parse_program(HEAD + text, "small.c", DataModel.ILP32), None, kinds=selected(checks))
    edges = [edge for edge in program.edges if isinstance(edge.operation, Assume) and edge.text.endswith("is read]")]
    return [str(edge.text) for edge in edges]


READ = {
    "an element": ("int main() { int i = 0; while (a[i] != 3) i++; }", ["[a[i] is read]"]),
    "an element of an array that nothing points to": (
        "int main() { int c[3] = {0}, i = 0; do i++; while (c[i] < 1); }",
        ["[c[i] is read]"],
    ),
    "through a pointer": ("int main() { int *p = a; while (*p) p++; }", ["[*p is read]"]),
    "through a pointer to one of two objects": (
        "int main() { int *p = __VERIFIER_nondet_int() ? a : b; while (p[1]) p++; }",
        ["[p[1] is read]"],
    ),
    "first of all": ("int main() { int i = 0; while (a[i] && a[i + 1]) i++; }", ["[a[i] is read]"]),
}


@pytest.mark.parametrize("name", list(READ))
def test_what_a_loop_reads_is_inside(name: str) -> None:
    text, expected = READ[name]
    assert assumed(text) == expected


NOT_ASSUMED = {
    "after another condition": "int main() { int i = 0; while (i < 9 && a[i] != 3) i++; }",
    "in a choice": "int main() { int i = 0; while (i < 9 ? a[i] : 0) i++; }",
    "in a branch": "int main() { int i = __VERIFIER_nondet_int(); if (a[i] != 3) return 1; }",
    "after an effect": "int main() { int i = 0; while (a[i++] != 3); }",
    "on the heap": "int main() { int *p = malloc(9); while (*p) p++; }",
    "on the heap or elsewhere": "int main() { int *p = __VERIFIER_nondet_int() ? malloc(9) : a; while (*p) p++; }",
    "of a literal": 'int main() { const char *p = "abc"; while (*p) p++; }',
    "of another file": "int main() { char *p = s; while (*p) p++; }",
    "where nothing is known": "int f(int *p) { while (*p) p++; return 0; } int main(int argc, char **argv) { "
    "char *p = argv[0]; while (*p) p++; }",
    "at a known place": "int main() { while (a[2]) a[2]--; }",
}


@pytest.mark.parametrize("name", list(NOT_ASSUMED))
def test_nothing_else_is_assumed(name: str) -> None:
    assert assumed(NOT_ASSUMED[name]) == []


@pytest.mark.parametrize("kind", [CheckKind.BOUNDS, CheckKind.NULL, CheckKind.DANGLING])
def test_what_is_asked_is_not_assumed(kind: CheckKind) -> None:
    assert assumed(READ["an element"][0], kind.value) == []
    assert assumed(READ["through a pointer"][0], kind.value) == []


def test_an_address_may_wrap_around() -> None:
    program = lower(
        parse_program(HEAD + "int main() { unsigned n = 0; int *p = a; while (p[n]) n++; }", "s.c", DataModel.ILP32),
        None,
    )
    assert assumed("int main() { unsigned n = 0; int *p = a; while (p[n]) n++; }") == ["[p[n] is read]"]
    (guard,) = [
        e.operation.condition for e in program.edges if e.text.endswith("is read]") and isinstance(e.operation, Assume)
    ]
    assert guard.op.name == "OR"
