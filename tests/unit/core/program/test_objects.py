"""Pointers of an execution: null, addresses of objects that have names, numbers for the others in their order."""

from functools import cache

import pytest

from core.program import Program
from core.program.naming import Naming
from core.program.objects import ExecutionObjects
from core.program.told import is_told, told_part
from core.terms import Term
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request

TEXT = """#include <stdlib.h>
struct pair { int x, y; };
int a[4];
int twice(int x) { return 2 * x; }
int depth(int n, int *out) { int here = n; *out = 1; return n <= 0 ? 0 : depth(n - 1, &here) + here; }
int main(void)
{
    struct pair s = {1, 2}, *p = &s, *list = malloc(sizeof *list);
    int *q = a, v = 0;
    int (*f)(int) = twice;
    const char *text = "abc";
    list->y = f(p->x) + depth(2, &v) + *text;
    return *q + list->y + v;
}
"""
FIRST = 1 << 40  # where the heap begins


@cache
def program() -> Program:
    return DefaultServices().load(Request("objects.c"), lambda _: TEXT, lambda _: None).program


def address(name: str) -> int:
    found = next(one for one in program().source.objects if one.name == name and one.address is not None)
    assert found.address is not None
    return found.address.value


def named(end: str) -> Term:
    return next(x for x, known in program().variables.items() if known.name.endswith(end))


def allocating() -> list[tuple[int, list[tuple[str, str]]]]:
    """Steps that allocate two objects, the second of which a pointer meets first."""
    second = FIRST + 32
    return [
        (0, [("heap", str(FIRST))]),
        (0, [("heap", str(second))]),
        (0, [("heap", str(second + 64))]),
        (0, [("main::list", str(second + 4))]),
        (0, [("main::p", "65536")]),
    ]


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        (0, "null"),
        (42, "42"),
        (FIRST, "#1"),
        (FIRST + 4, "#1 + 4"),
        (FIRST + 32, "#2"),
        (FIRST + 36, "#2 + 4"),
        (65536, "#3"),
        (65540, "65540"),
    ],
)
def test_objects_without_names_have_numbers_in_the_order_of_the_trace(pointer: int, text: str) -> None:
    naming = Naming(program())
    assert ExecutionObjects(naming, allocating()).pointer(pointer, naming) == text


def test_objects_with_names_have_their_parts() -> None:
    main = program().functions["main"].entry
    naming = Naming(program(), ((), main))
    objects = ExecutionObjects(naming)

    def shown(name: str, distance: int = 0) -> str:
        return objects.pointer(address(name) + distance, naming)

    assert shown("a") == "&a"
    assert shown("a", 8) == "&a[2]"
    assert shown("a", 16) == "&a[4]", "right behind its elements"
    assert shown("a", 3) == "&a + 3"
    assert shown("s", 4) == "&s + 4", "the program has no variable for this member, which nothing reads"
    assert shown("twice") == "&twice"
    assert shown('"abc"', 1) == '"abc" + 1'


def test_elements_of_allocated_objects_have_paths() -> None:
    naming = Naming(program())
    objects = ExecutionObjects(naming, allocating())
    array = next(x for x, known in program().variables.items() if known.name.endswith("pair.y"))
    assert objects.element(array, FIRST + 4, naming) == "#1.y"
    assert objects.element(array, FIRST + 32 + 8 + 4, naming) == "#2[1].y"
    assert objects.element(array, 9, naming) is None


def test_formulas_about_addresses_are_not_told() -> None:
    arena, naming = program().arena, Naming(program(), ((), program().functions["main"].entry))
    p, q = named("main::p"), named("main::q")
    told = arena.not_(arena.equals(p, arena.zero))
    assert is_told(told, naming)
    assert is_told(arena.equals(q, arena.integer(address("a") + 8)), naming)
    other = arena.equals(p, arena.integer(FIRST))
    assert not is_told(other, naming)
    assert not is_told(arena.le(p, arena.integer(FIRST)), naming)
    assert not is_told(arena.le(named("heap"), arena.integer(3)), naming)
    assert is_told(arena.le(arena.subtract(p, q), arena.integer(FIRST)), naming), "a distance is no address"
    assert told_part(arena, arena.and_(told, other), naming) == (told, 1)
    assert told_part(arena, other, naming) == (arena.and_(), 1)
