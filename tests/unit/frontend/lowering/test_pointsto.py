"""Classes of objects, and the regions that memory is cut into."""

from __future__ import annotations

import pytest

from frontend.api import parse_program
from frontend.lowering.arithmetic import ADDRESS
from frontend.lowering.memory.regions import Regions
from frontend.lowering.pointsto.analysis import PointsTo
from frontend.lowering.pointsto.classes import Class
from frontend.typed.ctype import DataModel


def analysed(text: str) -> tuple[PointsTo, Regions]:
    unit = parse_program(text, "t.c", DataModel.ILP32)
    points = PointsTo(unit, "main", frozenset())
    return points, Regions(unit, points)


def content(points: PointsTo, name: str) -> Class:
    return points.content(points.escaped[name])


def regions(text: str) -> list[str]:
    """The names of the regions, in the order of the accesses."""
    return [region.name.partition(".")[2] for region, _ in analysed(text)[1].every()]


def test_objects_that_meet_in_one_pointer_are_one_class() -> None:
    points, _ = analysed("int main(void) { int a, b, c; int *p = &a, *q = &c; if (a) p = &b; *q = *p; }")
    assert content(points, "main::a") is content(points, "main::b")
    assert content(points, "main::a") is not content(points, "main::c")


def test_pointers_that_were_never_set_may_be_equal_to_what_they_are_compared_with() -> None:
    start = "int main(void) { int a, b, *p, *q = &a, *r = &b; "
    assert len(regions(start + "if (*p == *q) return 1; }")) == 2
    assert len(regions(start + "if (p == q && *p == *q) return 1; }")) == 1
    assert len(regions(start + "if (r == q && *r == *q) return 1; }")) == 2  # objects of the program are apart


def test_objects_whose_address_nobody_takes_are_not_in_memory() -> None:
    points, _ = analysed("int main(void) { int a, b[3], c; int *p = b; b[0] = a; return *p + c; }")
    assert list(points.escaped) == ["main::b"]


def test_fields_are_regions_and_those_whose_address_is_taken_are_told_apart_by_type() -> None:
    start = "struct s { int x, y; char c; }; int main(void) { struct s m, *p = &m; p->x = p->y = p->c = 1; "
    assert regions(start + "}") == ["s.x", "s.y", "s.c"]
    assert regions(start + "int *q = &p->y; *q = 2; }") == ["s.x", "int32", "s.c"]


@pytest.mark.parametrize(
    ("text", "mixed"),
    [
        ("int a; int *p = &a; void *v = p; int *q = v; *q = 1;", False),
        ("int a; unsigned *p = (unsigned *) &a; *p = 1;", False),
        ("int a; char *p = (char *) &a; *p = 1;", True),
        ("int a; void *v = &a; char *p = v; *p = 1;", True),
        ("int a; unsigned n = (unsigned) &a; short *p = (short *) n; *p = 1;", True),
        ("union { int *p; char *c; } u; int a; u.p = &a; *u.c = 1;", True),
        ("int a; union { int *p; char *c; } u = {&a}; *u.c = 1;", True),
        ("int a; struct s { union { int *p; char *c; } u; } m = {{&a}}; *m.u.c = 1;", True),
        ("int a; struct p { int *p; } n = {&a}; union { struct p p; char *c; } u; u.p = n; *u.c = 1;", True),
        ("int a; struct s { union { int *p, *q; } u; } m; m.u.p = &a; *m.u.q = 1;", False),
    ],
)
def test_objects_that_are_seen_through_two_types_are_mixed(text: str, mixed: bool) -> None:
    points, found = analysed(f"int main(void) {{ {text} a = 2; }}")
    assert content(points, "main::a").mixed == mixed
    region = next(region for region, owner in found.every() if owner is content(points, "main::a"))
    assert (region.split, region.overlaps) == (mixed, mixed)


def test_scalars_of_one_size_are_elements_also_where_they_overlap() -> None:
    text = "int main(void) { int *p; int x; p = &x; unsigned *n = (unsigned *) &p; *n = *n + 0; *p = 1; }"
    points, found = analysed(text)
    region = next(region for region, owner in found.every() if owner is content(points, "main::p"))
    assert (region.size, region.split, region.overlaps, region.addresses) == (4, False, True, True)
    assert found.address != ADDRESS


def test_a_function_is_called_through_every_pointer_that_may_lead_to_it() -> None:
    text = """int f(int x) { return x; } int g(int x) { return 2; } int h(int x) { return 3; }
    struct s { int (*a)(int), (*b)(int); };
    int main(void) { struct s m = {f, g}, *p = &m; if (p->a(1)) p->b = h; return p->b(2); }"""
    assert sorted(analysed(text)[0].indirect.values()) == [("f",), ("g", "h")]


def test_what_memory_from_outside_leads_to_is_outside() -> None:
    text = "struct s { struct s *next; int *v; }; struct s *get(void); int main(void) { int a; int *p = &a; *p = 1;"
    points, found = analysed(text + " return *get()->next->v; }")
    assert not content(points, "main::a").opaque
    assert [owner.opaque for region, owner in found.every()] == [False, True, True, True]
