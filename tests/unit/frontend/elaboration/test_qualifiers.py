"""Types carry the qualifiers of the text, which read values do not have."""

from __future__ import annotations

import pytest

from frontend.api import parse_program, parse_sources
from frontend.options import SourceFile
from frontend.typed import tree
from frontend.typed.ctype import DataModel, Qualifiers
from frontend.typed.qualifiers import all_qualifiers, qualifiers_of
from frontend.typed.traversal import unit_nodes

NONE, CONST, VOLATILE = Qualifiers.NONE, Qualifiers.CONST, Qualifiers.VOLATILE
TYPES = """
typedef volatile unsigned word; typedef int row[4];
struct part { int a; word r; volatile struct { int q; } in; volatile int line[2]; volatile int b : 3; };
struct part plain, *p; volatile struct part whole, *vp; struct unit { int z; } volatile first, second;
volatile int v, *to, *volatile both; const volatile int cv = 1; int volatile grid[2][3]; volatile row named;
__volatile__ int old; int i;
"""


def program(body: str) -> tree.TranslationUnit:
    return parse_program(f"{TYPES} int main(void) {{ {body} return 0; }}", "p.c", DataModel.ILP32)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("v", (VOLATILE,)),
        ("to", (NONE, VOLATILE)),
        ("both", (VOLATILE, VOLATILE)),
        ("cv", (CONST | VOLATILE,)),
        ("grid", (VOLATILE,)),
        ("named", (VOLATILE,)),
        ("first", (VOLATILE,)),
        ("second", (VOLATILE,)),
        ("plain", (NONE,)),
        ("vp", (NONE, VOLATILE)),
        ("old", (VOLATILE,)),
    ],
)
def test_declared_types_are_qualified(name: str, expected: tuple[Qualifiers, ...]) -> None:
    objects = {one.object.name: one.object for one in program("").globals}
    assert all_qualifiers(objects[name].type) == expected


@pytest.mark.parametrize(
    ("lvalue", "expected"),
    [
        ("v", VOLATILE),
        ("*to", VOLATILE),
        ("plain.a", NONE),
        ("plain.r", VOLATILE),
        ("plain.in.q", VOLATILE),
        ("p->line[i]", VOLATILE),
        ("p->b", VOLATILE),
        ("whole.a", VOLATILE),
        ("vp->a", VOLATILE),
        ("grid[i][i]", VOLATILE),
        ("named[1]", VOLATILE),
        ("*(volatile int *)&i", VOLATILE),
        ("*(int *)&v", NONE),
        ("*(word *)0x40000000", VOLATILE),
        ("*(i ? to : &i)", VOLATILE),
        ("*(i ? &i : to)", VOLATILE),
        ("cv", CONST | VOLATILE),
    ],
)
def test_lvalues_are_qualified_and_their_values_are_not(lvalue: str, expected: Qualifiers) -> None:
    loads = [node for node in unit_nodes(program(f"i = {lvalue};")) if isinstance(node, tree.Load)]
    assert qualifiers_of(loads[0].lvalue.type) == expected
    assert all(qualifiers_of(one.type) is NONE for one in loads)


def test_values_of_assignments_and_casts_are_not_qualified() -> None:
    unit = program("i = (v = 3) + (v += 1) + v++ + (volatile int)i;")
    found = [
        node for node in unit_nodes(unit) if isinstance(node, tree.TypedNode) and not isinstance(node, tree.Lvalue)
    ]
    assert all(qualifiers_of(one.type) is NONE for one in found)


def test_structs_of_two_files_whose_members_are_qualified_otherwise_are_two_types() -> None:
    first = "struct s { int r; }; struct s *a; int main(void) { return 0; }"
    second = "struct s { volatile int r; }; int f(struct s *b) { return b->r; }"
    unit = parse_sources([SourceFile("a.c", first), SourceFile("b.c", second)], DataModel.ILP32)
    (member,) = [node for node in unit_nodes(unit) if isinstance(node, tree.Member)]
    assert qualifiers_of(member.type) is VOLATILE
