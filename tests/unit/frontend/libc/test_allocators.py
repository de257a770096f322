"""Functions that allocate or release memory of any type, and their copies."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.program import Program
from frontend.api import parse_program
from frontend.libc.allocators import with_own_allocators
from frontend.lowering import UnreachCall, lower
from frontend.typed import tree
from frontend.typed.ctype import DataModel
from frontend.typed.traversal import nodes
from tests.support import prepared

ALLOCATES = """void *malloc(unsigned long n); void free(void *p); void abort(void); void reach_error(void);
static void *get(unsigned long n) { void *p = malloc(n); if (!p) abort(); return p; }
static void *once_more(unsigned long n) { return get(n); }
static void put(void *p) { free(p); }
struct node { int x; struct node *next; };
"""


def program(text: str) -> Program:
    return lower(parse_program(f"{ALLOCATES}{text}\n", "t.c", DataModel.LP64), UnreachCall())


def is_mixed(of: Program) -> bool:
    """Whether objects of several types lie in one region, as bytes."""
    return any("mixed" in one.name for one in of.variables.values())


@pytest.mark.parametrize("allocate", ["get", "once_more"])
def test_types_stay_apart(allocate: str) -> None:
    of = program(
        f"int main(void) {{ struct node *a = {allocate}(sizeof *a); long *b = {allocate}(8); a->x = 1; a->next = 0;"
        " *b = 2; if (a->x + *b != 3) reach_error(); put(a); put(b); return 0; }"
    )
    assert not is_mixed(of)


def test_calls_for_the_same_types_share_a_copy() -> None:
    text = "int main(void) { long *a = get(8), *b = get(8); char *c = get(1); *a = 1; *b = 2; *c = 3; return 0; }"
    unit = with_own_allocators(parse_program(ALLOCATES + text, "t.c", DataModel.LP64))
    assert [name for name in unit.functions if name.startswith("get...")] == ["get...1", "get...2"]


@pytest.mark.parametrize(
    "function",
    [
        "static void *f(int n) { return n ? f(n - 1) : malloc(4); }",  # calls itself
        "static int *f(int n) { return malloc(n); }",  # of one type
        "static void *f(void *p) { return p; }",  # has nothing to do with memory
        "static void *f(int n) { again: if (n++ < 3) goto again; return malloc(n); }",
    ],
)
def test_other_functions_have_no_copies(function: str) -> None:
    unit = parse_program(f"{ALLOCATES}{function} int main(void) {{ int *p = f(1); return *p; }}", "t.c", DataModel.LP64)
    assert "f...1" not in with_own_allocators(unit).functions


def test_a_copy_has_nodes_and_objects_of_its_own() -> None:
    text = "int main(void) { long *a = get(8); char *c = get(1); *a = *c = 3; return 0; }"
    unit = with_own_allocators(parse_program(ALLOCATES + text, "t.c", DataModel.LP64))
    own = [{id(one) for one in _nodes(unit.functions[name])} for name in ("get", "get...1", "get...2")]
    assert len(set.union(*own)) == sum(map(len, own))
    assert {one.name for one in unit.functions["get...1"].parameters} == {"get...1::n"}


def _nodes(function: tree.FunctionDeclaration) -> list[object]:
    assert function.body is not None
    every = list(nodes(function.body))
    return [*every, *(one.object for one in every if isinstance(one, tree.Declaration)), *function.parameters]


@pytest.mark.long
def test_static_objects_are_those_of_all_copies(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        "#include <stdlib.h>\nvoid reach_error(void) {}\n"
        "static void *get(size_t n) { static int count; if (++count == 2) reach_error(); return malloc(n); }\n"
        "int main(void) { long *a = get(sizeof *a); char *b = get(1); return a && b; }\n"
    )
    found = prepared.verify(str(path), engine="bmc", time_limit=60)
    assert (found.status, found.property) == ("false", "unreach-call")
