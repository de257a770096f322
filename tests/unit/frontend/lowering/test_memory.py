"""Memory of lowered programs: objects from outside, sizes, and the targets of pointers."""

from __future__ import annotations

import pytest

from core.analysis.bounds import Intervals
from core.program import Assign, Call, Input, InputKind, Program, Range, Variable
from core.program.properties import NO_KINDS, Kinds, selected
from core.program.simulate import Reached, Stuck, simulate
from core.terms import ArraySort, ArrayValue, Value
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.lowering.context import ARGUMENTS, BOUNDED, NUMBERS, OUTSIDE
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel


def program(text: str, model: DataModel = DataModel.ILP32) -> Program:
    return lower(parse_program("void reach_error(void);\n" + text, "t.c", model), UnreachCall())


def outcome(of: Program, *externs: int) -> str:
    """The end of the run that draws `externs` from undefined functions, and ones elsewhere."""
    rest = list(externs)

    def draw(asked: Input) -> Value:
        if asked.kind in (InputKind.EXTERN, InputKind.NONDET):
            return rest.pop(0)
        return ArrayValue(1) if isinstance(asked.symbol.sort, ArraySort) else 1

    found = simulate(of, draw, 10_000)
    return "error" if isinstance(found, Reached) else "ended" if isinstance(found, Stuck) else "returned"


def test_pointers_from_outside_point_to_stable_memory_or_are_null() -> None:
    text = """struct s { int x; struct s *next; }; struct s *get(void);
    int main(void) { struct s *p = get(), *q = get(); if (!p) return 0; p->x = 7;
    if (q == p && q->x != 7) reach_error(); if (q != p && q->x == 1 && p->next == (struct s *) 1) reach_error(); }"""
    of = program(text)
    assert OUTSIDE in of.assumptions
    assert any("get is not defined" in one for one in of.warnings)
    assert outcome(of, 0, 5) == "returned"
    assert outcome(of, 400, 400) == "returned"
    assert outcome(of, 400, 900) == "error"


@pytest.mark.parametrize(
    "text",
    [
        "int *a(void), *b(void); int main(void) { int *p = a(), *q = b(); *p = 1; *q = 2; if (*p == 2) ",
        "void *a(void); int main(void) { int *p = a(), *q = a(); *p = 1; *q = 2; if (p == q && *p == 2) ",
        "struct s { int x; struct s *n; }; struct s *a(void);"
        "int main(void) { struct s *p = a(), *q = (struct s *) a()->n; p->x = 1; q->x = 2; if (p->x == 2) ",
        "extern int *p, *q; int main(void) { *p = 1; *q = 2; if (*p == 2) ",
        "struct s { int x; }; extern struct s *p, *t[2]; int main(void) { p->x = 1; t[1]->x = 2; if (p->x == 2) ",
        "extern int *p, *a(void); int main(void) { int *q = a(); *p = 1; *q = 2; if (*p == 2) ",
        "void *a(void), *b(void); int main(void) { int *p = a(), *q = b(); *p = 1; *q = 2; if (*p == 2) ",
    ],
)
def test_pointers_from_outside_may_meet(text: str) -> None:
    assert outcome(program(text + "reach_error(); }"), 1, 1) == "error"


@pytest.mark.parametrize(
    ("elements", "expected"),
    [((1 << 40, 0), Reached), ((0, 0), Stuck), ((9000, 0), Stuck), ((1 << 40, 1 << 40), Stuck)],
    ids=["as C has them", "an element is null", "an element leads to no string", "no null at the end"],
)
def test_arguments_of_main_are_strings(elements: tuple[int, int], expected: type[Reached] | type[Stuck]) -> None:
    of = program("int main(int c, char **v) { if (c == 1 && v[0][0] == 1 && !v[1]) reach_error(); }")
    (array,) = (term for edge in of.edges if isinstance(edge.operation, Call) for term in edge.operation.arguments[1:])
    pointers = {array.value + 4 * k: pointer for k, pointer in enumerate(elements)}

    def draw(asked: Input) -> Value:
        if isinstance(asked.symbol.sort, ArraySort):
            return ArrayValue(1) if asked.range else ArrayValue(0, pointers)
        return 1

    assert isinstance(simulate(of, draw, 10_000), expected)


def test_extern_objects_hold_anything_and_keep_it() -> None:
    text = "struct s { int x[4]; }; extern struct s e; int main(void) { struct s *p = &e; int i = p->x[2];"
    of = program(text + " p->x[1] = 9; if (i != e.x[2] || p->x[1] != 9) for (;;) ; if (i == 1) reach_error(); }")
    assert outcome(of) == "error"


def test_a_call_through_a_pointer_from_outside_may_be_of_a_function_of_the_program() -> None:
    text = """int one(int x) { return x + 1; } int (*get(void))(int);
    int main(void) { int (*f)(int) = get(); int (*g)(int) = one; if (f == 0) f = g; if (f(4) == 5) reach_error(); }"""
    of = program(text)
    assert outcome(of, 0) == "error"
    assert outcome(of, 77, 5) == "error"
    assert outcome(of, 77, 6) == "returned"


def test_a_pointer_from_outside_may_have_the_name_of_a_function_that_it_calls() -> None:
    text = """int f(void) { return 1; } int (*get(void))(void); int (*kept)(void) = f;
    int main(void) { int (*f)(void) = get(); if (f == 0) f = kept; if (f() == 2) reach_error(); }"""
    assert outcome(program(text), 77, 2) == "error"


def test_functions_of_more_parameters_than_arguments_are_not_called() -> None:
    text = """int one(int x) { return x; } int two(int x, int y) { return y; } int nondet(void);
    int main(void) { int (*f)(int) = nondet() ? one : (int (*)(int)) two; if (f(4)) reach_error(); }"""
    of = program(text)
    assert ARGUMENTS in of.assumptions
    assert outcome(of, 1) == "error"
    assert outcome(of, 0) == "ended"


def test_a_call_through_a_pointer_to_nothing_ends_the_path() -> None:
    of = program("int main(void) { void (*f)(void) = 0; if (f) f(); reach_error(); }")
    assert outcome(of) == "error"
    assert any("f points to no function" in one for one in of.warnings)


def test_a_call_that_no_function_fits_is_refused() -> None:
    text = "struct s { int i; }; int of(struct s a) { return a.i; } int main(void) { return ((int (*)(char *))of)(0); }"
    with pytest.raises(Unsupported, match="functions of other types alone"):
        program(text)


@pytest.mark.parametrize("size", ["int", "unsigned", "long long"])
def test_allocations_of_negative_size_do_not_overlap(size: str) -> None:
    text = f"void *malloc({size}); int main(void) {{ int *p = malloc(-64), *q = malloc(4), *r = malloc(-4);"
    of = program(
        text + " int *t = malloc(4); *p = 1; *q = 2; *r = 3; *t = 4; if (*p + *q + *r + *t != 10) reach_error(); }"
    )
    assert outcome(of) == "returned"


def test_a_kept_address_stays_in_the_range_of_addresses() -> None:
    """The certificate check requires it of every assignment, whatever is known of the object there."""
    of = program(
        "int nondet(void); struct s { int a[2]; char b[4]; } *seen; int last(int n) { struct s w; seen = &w; if (!n) "
        "return 0; w.b[1] = nondet(); w.a[n]++; return last(n - 1); } int main(void) { last(2); return (int) seen; }"
    )
    intervals = Intervals(lambda x: of.variables[x].range if x in of.variables else of.inputs[x].range)
    kept = [one for edge in of.edges if isinstance(edge.operation, Assign) for one in edge.operation.updates]
    found = [(of.variables[x].range, intervals(value)) for x, value in kept if "!" in of.variables[x].name]
    assert Range(0, 2**32 - 1) in [bounds for bounds, _ in found]
    assert all(bounds is not None and values.within(bounds) for bounds, values in found)


def test_addresses_are_numbers_only_where_the_program_uses_them_as_such() -> None:
    start = "int main(void) { int x; int *p = &x; "
    compared = program(start + "if ((unsigned long) p == (unsigned long) 0) return 1; }")
    assert [one.range for one in pointers_of(compared)] == [None]
    of = program(start + "unsigned n = (unsigned) p; if (n == 0) reach_error(); }")
    assert NUMBERS in of.assumptions
    assert [one.range for one in pointers_of(of)] == [Range(0, 2**32 - 1)]
    assert outcome(of) == "returned"


def pointers_of(of: Program) -> list[Variable]:
    return [one for one in of.variables.values() if one.name == "main::p"]


def test_numbers_carry_addresses() -> None:
    text = "int main(void) { int x = 1, y = 2; unsigned n = (unsigned) &x, m = n + 0; int *p = (int *) m; *p = 5;"
    assert outcome(program(text + " if (x == 5 && y == 2) reach_error(); }")) == "error"


def test_a_number_that_is_no_address_points_outside() -> None:
    of = program("int main(void) { int *p = (int *) 0x10000; if (*p == 1) { *p = 2; if (*p == 2) reach_error(); } }")
    assert OUTSIDE in of.assumptions
    assert outcome(of) == "error"


def test_what_does_not_fit_the_address_space_ends_the_path() -> None:
    text = "void *malloc(unsigned); int main(void) { unsigned n = (unsigned) malloc(%s); if (n) reach_error(); }"
    assert outcome(program(text % "100")) == "error"
    assert outcome(program(text % "4000000000u")) == "ended"


@pytest.mark.parametrize("kinds", [NO_KINDS, selected(("dangling",))])
def test_addresses_beside_bit_operators_have_bounds(kinds: Kinds) -> None:
    text = """void *malloc(unsigned); void __VERIFIER_error(void);
    int f(int n, int *p) { int loc = n; return n <= 0 ? *p ^ loc : f(n - 1, &loc); }
    int main(void) { int x = 2, *q = malloc(4); *q = 1; int r = f(*q, &x);
    if ((r ^ x) == 1) __VERIFIER_error(); return 0; }"""
    of = lower(parse_program(text, "t.c", DataModel.ILP32), None, kinds=kinds)
    assert of.uses_bits
    assert all(one.range is not None for one in of.variables.values())
    assert all(one.range is not None for one in of.inputs.values())
    assert BOUNDED in of.assumptions


def test_only_what_overlaps_is_bytes() -> None:
    text = """struct s { int a; union { int x; char c; } u; union { int x; unsigned y; } v; int b; };
    int main(void) { struct s m, *p = &m; p->a = 1; p->b = 2; p->u.x = 3; p->u.c = 4; p->v.x = 5; p->v.y = 6; }"""
    of = program(text)
    regions = {one.name.partition(".")[2]: one.range for one in of.variables.values() if one.name.startswith("memory")}
    word = Range(-(2**31), 2**31 - 1)
    assert regions == {"s.a": word, "s.b": word, "s.u": Range(0, 255), "s.v": Range(0, 2**32 - 1)}


def test_scalars_that_are_less_aligned_than_wide_are_bytes() -> None:
    text = """union u { struct { int a; long long x; } s; long long y; };
    int main(void) { union u v; v.y = -1; v.s.x = 0; if (v.y != 0xffffffffll) reach_error(); }"""
    assert outcome(program(text)) == "returned"


_COPIES = """void *memcpy(void *, const void *, unsigned); void *malloc(unsigned);
unsigned load(const void *p) { unsigned v; memcpy(&v, p, 4); return v; }
void put(void *p, unsigned v) { memcpy(p, &v, 4); }
struct s { short a; unsigned b[3]; } s;
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("char *p = malloc(12); put(p, 1); put(p + 2, 5); if (load(p) != 0x50001) reach_error();", "returned"),
        ("char *p = malloc(12); put(p, 1); p += 3; put(p--, 5); if (load(p - 2) == 0x5000001) reach_error();", "error"),
        ("unsigned w[3] = {1, 2, 3}; if (load((char *) w + 2) == 0x20000) reach_error();", "error"),
        (
            "unsigned w[3] = {1, 2, 3}; put((char *) w + 3, 5); if (w[1] == 0 && w[0] == 0x5000001) reach_error();",
            "error",
        ),
        ("unsigned w[3] = {1, 2}; if (load((char *) (1 + (unsigned) w)) == 0x2000000) reach_error();", "error"),
        ("s.b[0] = 1; if (load((char *) &s + 2) == 0x10000) reach_error();", "error"),
        ("char b[9] = {0}; put(b, 1); put(&b[2], 5); if (load(b) == 0x50001) reach_error();", "error"),
        (
            "struct t { int a, b; } x = {7, 8}, y[2] = {{1, 2}, {3, 4}};"
            "memcpy((void *) y + 4, &x, sizeof x); if (y[0].b == 7 && y[1].a == 8) reach_error();",
            "error",
        ),
    ],
)
def test_copies_of_words_may_begin_at_any_byte(body: str, expected: str) -> None:
    assert outcome(program(f"{_COPIES} int main(void) {{ {body} return 0; }}")) == expected


@pytest.mark.parametrize(
    "body",
    [
        "unsigned w[3]; w[1] = load((char *) w + 4 * w[0]); put(&w[2], 1);",
        "unsigned *p = malloc(12); put(p + 1, 5); p++; put(p, load(p + 2));",
    ],
)
def test_memory_that_is_copied_in_whole_words_keeps_these(body: str) -> None:
    of = program(f"{_COPIES} int main(void) {{ {body} return 0; }}")
    ranges = {one.range for one in of.variables.values() if one.name.startswith("memory")}
    assert ranges
    assert Range(0, 255) not in ranges


def test_floating_numbers_in_memory_of_other_scalars_are_their_bits() -> None:
    text = "union u { int x; float f; }; int main(void) { union u v; v.f = 2.5f; if (v.x == %d) reach_error(); }"
    assert outcome(program(text % 0x40200000)) == "error"
    assert outcome(program(text % 5)) != "error"
    text = "union u { int x; float f; }; int main(void) { union u v; v.x = %d; if (v.f == 2.5f) reach_error(); }"
    assert outcome(program(text % 0x40200000)) == "error"
    assert outcome(program(text % 5)) != "error"


def test_an_initialiser_is_an_access() -> None:
    text = "int main(void) { int x = 258; char *p = (char *) &x; if (p[0] == 2 && p[1] == 1 && !p[3]) reach_error(); }"
    assert outcome(program(text)) == "error"


@pytest.mark.parametrize(
    ("declared", "body"),
    [
        (
            "union u { int x; struct { int a : 1; int b : 7; } s; };",
            "union u v; v.x = 5; seen = v.s.a + 10 * v.s.b; 19",
        ),
        ("struct s { _Bool a : 1, b : 1; } s;", "*(char *)&s = 2; seen = s.a + 2 * s.b; 2"),
        ("struct s { _Bool a : 1, b : 1; };", "struct s s = {0, 1}; seen = *(char *)&s & 3; 2"),
        (
            "struct s { int a : 3, b : 32; } __attribute__((packed)) s;",
            "*(char *)&s = -8; s.a = 2; ((char *)&s)[4] = 1; seen = s.a + s.b; 536870945",
        ),
    ],
)
def test_bit_fields_share_bytes_with_what_overlaps_them(declared: str, body: str) -> None:
    body, _, value = body.rpartition("; ")
    text = f"{declared} unsigned seen; int main(void) {{ {body}; if (seen == ({value})) reach_error(); }}"
    assert outcome(program(text)) == "error"


_PADDED = "struct s { char c; int i; }; void *memset(void *, int, unsigned); void *memcpy(void *, void *, unsigned);"


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("struct s x, y; memset(&x, 0, sizeof x); p = (char *)&x; x.i = y.i;", 0),
        ("struct s x, y; char *q = (char *)&y; q[1] = 7; memcpy(&x, &y, sizeof x); p = (char *)&x;", 7),
        ("struct s x, y; char *q = (char *)&y; p = (char *)&x; *p = q[1] = 7; x = y;", 1),
        ("again:; struct s x; p = (char *)&x; if (p[1] != 7 && x.i++ < 9) { p[1] = 7; goto again; }", 1),
    ],
)
def test_padding_is_copied_as_bytes_and_lost_with_a_struct(body: str, value: int) -> None:
    """What has no certain value is an input, which is 1 here."""
    of = program(f"{_PADDED} int main(void) {{ char *p; {body} if (p[1] == {value}) reach_error(); }}")
    assert outcome(of) == "error"


def test_a_bit_field_that_fills_its_bytes_is_a_scalar() -> None:
    text = "struct s { char c; int a : 32; } s; int main(void) { ((char *)&s)[4] = 8; if (s.a == 8) reach_error(); }"
    assert outcome(program(text)) == "error"


def test_addresses_in_unions_are_numbers() -> None:
    text = "union u { int *p; char c[4]; }; int main(void) { int x; union u v, w; v.p = &x; w.p = 0; w.c[0] = v.c[0];"
    of = program(text + " w.c[1] = v.c[1]; w.c[2] = v.c[2]; w.c[3] = v.c[3]; *w.p = 9; if (x == 9) reach_error(); }")
    assert outcome(of) == "error"


@pytest.mark.parametrize(
    "text",
    [
        "int f(void) { return -1; } int main(void) { unsigned (*g)(void) = (unsigned (*)(void)) f; if (g() > 9) ",
        "int f(void) { return 300; } int main(void) { char (*g)(void) = (char (*)(void)) f; if (g() == 44) ",
        "void f(void) { } int main(void) { int (*g)(void) = (int (*)(void)) f; if (g() == 1) ",
    ],
)
def test_results_of_calls_through_pointers_are_converted(text: str) -> None:
    assert outcome(program(text + "reach_error(); }"), 1) == "error"


def test_functions_that_return_something_else_do_not_fit_a_call() -> None:
    of = program(
        "struct s { int a; }; struct t { int a, b; }; int x; int *p(void) { return &x; } int n(void) { return 3; }"
        "struct s f(void) { struct s s = { 1 }; return s; } struct t g(void) { struct t t = { 1, 2 }; return t; }"
        "int main(void) { void *u[4] = { (void *) p, (void *) n, (void *) f, (void *) g };"
        "struct t (*h)(void) = (struct t (*)(void)) u[3]; int (*i)(void) = (int (*)(void)) u[1];"
        "if (h().b == 2 && i() == 3) reach_error(); }"
    )
    assert outcome(of) == "error"
    assert ARGUMENTS in of.assumptions


def test_an_address_as_an_offset_from_null_is_a_pointer() -> None:
    text = "int x; int main(void) { *(int *) ((char *) 0 + (unsigned long) &x) = 4; if (x == 4) reach_error(); }"
    assert outcome(program(text)) == "error"


def test_a_difference_leads_from_one_object_to_another() -> None:
    text = "int x, y; int main(void) { long d = (char *) &y - (char *) &x; *(int *) ((char *) &x + d) = 4; if (y == 4) "
    assert outcome(program(text + "reach_error(); }")) == "error"


def test_addresses_read_as_numbers_through_a_union_are_an_assumption() -> None:
    through = "int main(void) { int x; union { int *p; unsigned v; } u; u.p = &x; if (u.v % 64 == 4) reach_error(); }"
    assert NUMBERS in program(through).assumptions
    apart = "int main(void) { int x; struct { int *p; unsigned v; } u; u.p = &x; if (u.v % 64 == 4) reach_error(); }"
    assert NUMBERS not in program(apart).assumptions
