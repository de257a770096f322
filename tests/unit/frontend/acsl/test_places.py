"""Places of annotations: those where one may stand, and the claims that it becomes there."""

import pytest

from core.program import Program
from core.program.simulate import Ended, Reached, Stuck, simulate
from core.terms import INT, ArrayValue
from frontend import interpreter
from frontend.api import parse_program
from frontend.interpreter import Inputs
from frontend.lowering import lower
from frontend.options import Acsl
from frontend.replay.policy import error_policy
from frontend.source import FrontendError, ParseError, Unsupported
from frontend.typed.ctype import DataModel


def program(text: str) -> Program:
    return lower(parse_program(text, "t.c", DataModel.ILP32, Acsl.READ), None)


def fails(text: str, value: int = 0) -> str:
    """The claims that fail, by the Program and by the interpreter, which must agree; inputs not recorded are 0."""
    unit = parse_program(text, "t.c", DataModel.ILP32, Acsl.READ)
    result = simulate(lower(unit, None), lambda one: value if one.symbol.sort == INT else ArrayValue(), 1000)
    outcome = interpreter.run(unit, error_policy(unit, None), Inputs())
    if isinstance(result, Reached):
        if value == 0:
            assert isinstance(outcome, interpreter.ErrorReached)
            assert (outcome.span.line, outcome.span.column) == (result.check.span.line, result.check.span.column)
        assert result.check.property == "acsl"
        return result.check.description
    assert isinstance(result, Ended | Stuck)
    assert isinstance(outcome, interpreter.Exited | interpreter.AssumptionViolated)
    return ""


BODY = "int main(void) {{ int x = 1; {} }}"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("//@ assert x == 2;\n x = 2;", "assert x == 2 in main"),
        ("x = 2; //@ assert x == 2;\n x = 3;", ""),
        ("x = 2; /*@ assert x == 3; */", "assert x == 3 in main"),
        ("if (x == 2)\n//@ assert \\false;\n x = 3; else x = 4; //@ assert x == 4;\n", ""),
        ("if (x == 1)\n//@ assert x != 1;\n x = 3;", "assert x != 1 in main"),
        ("switch (x) { case 1: /*@ assert x == 0; */ x = 5; }", "assert x == 0 in main"),
        ("switch (x) { /*@ assert \\false; */ case 1: x = 5; /*@ assert x == 5; */ break; default: ; }", ""),
        ("again: /*@ assert x < 3; */ x++; goto again;", "assert x < 3 in main"),
        ("{ int x = 7; /*@ assert x == 7; */ } /*@ assert x == 1; */", ""),
        ("int y = ({ /*@ assert x == 2; */ x = 2; x; });", "assert x == 2 in main"),
        (
            "/*@ assert x == 1; */ static const int y = 3; /*@ assert x == 2; */ unsigned long z = 1;",
            "assert x == 2 in main",
        ),
        ("x++; /*@ assert x == 2; */ typedef int t; /*@ assert x == 3; */ (x)++;", "assert x == 3 in main"),
        (
            "/*@ assert x == 1; */ *(&x) = 4; /*@ assert x == 4; */ (*&x)--; /*@ assert x == 1; */ -x;",
            "assert x == 1 in main",
        ),
        ("//@ loop invariant x < 4;\n while (x < 9) x++;", "loop invariant x < 4 in main"),
        ("//@ loop invariant x <= 9;\n while (x < 9) x++;", ""),
        ("//@ loop invariant x == 1 + i;\n for (int i = 0; ; i++) { if (i == 3) break; x++; }", ""),
        (
            "//@ loop invariant x < 3;\n do { x++; if (x == 3) continue; } while (x < 4);",
            "loop invariant x < 3 in main",
        ),
        ("//@ loop invariant x < 4;\n do x++; while (x < 4); /*@ assert x == 4; */", ""),
        ("//@ check a: x > 1; assert b: x > 0;\n;", "check a: x > 1 in main"),
    ],
)
def test_claims_stand_where_they_are(body: str, wanted: str) -> None:
    assert fails(BODY.format(body)) == wanted


CONTRACT = """int g = 1, h = 5;
struct p { int a, b; };
/*@ requires x >= 0;
  @ ensures \\result == \\old(g) + x && g == \\old(g) + 1 && h == 5; */
int f(int x) { int r = g + x; g++; x = 0; { int h = 9; if (h == 9) return r; } return x; }
/*@ ensures *p == \\old(*p) + 1; */
void up(int *p) { (*p)++; p = 0; }
/*@ ensures \\result.a == x && \\result.b == 2; */
struct p make(int x) { struct p r = {x, 2}; return r; }
"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("int x = f(3); /*@ assert x == 4 && g == 2; */", ""),
        ("f(-1);", "requires x >= 0 in f"),
        ("h = 4; f(1);", "ensures \\result == \\old(g) + x && g == \\old(g) + 1 && h == 5 in f"),
        ("int x = 5; up(&x); /*@ assert x == 6; */", ""),
        ("struct p s = make(4); /*@ assert s.a + s.b == 6; */", ""),
    ],
)
def test_contracts(body: str, wanted: str) -> None:
    assert fails(f"{CONTRACT}int main(void) {{ {body} }}") == wanted


def test_postcondition_where_the_end_is_reached() -> None:
    assert fails("int g; /*@ ensures g == 2; */ void f(void) { g = 1; } int main(void) { f(); }").startswith("ensures")
    assert fails("/*@ ensures \\result == 0; */ int main(void) { }") == ""
    assert fails("/*@ ensures \\result == 1; */ int main(void) { }").startswith("ensures")


def test_a_claim_about_what_null_leads_to_does_not_hold() -> None:
    text = """struct n { int v; struct n *next; };
/*@ ensures \\result->v == k; */
struct n *find(struct n *h, int k) { while (h) { if (h->v == k) return h; h = h->next; } return 0; }
int main(void) { struct n b = { 2, 0 }, a = { 1, &b }; find(&a, K); }"""
    assert fails(text.replace("K", "2")) == ""
    assert fails(text.replace("K", "3")).startswith("ensures")
    assert fails(text.replace("K", "3").replace("\\result->", "\\result != \\null ==> \\result->")) == ""
    assert fails("int main(void) { int *p = 0; /*@ assert p == \\null || p[1] == 0; */ }") == ""
    assert fails("int main(void) { int *p = 0; /*@ assert p[1] == p[1]; */ }").startswith("assert")


def test_postconditions_have_the_first_values_of_arrays_in_parameters() -> None:
    text = """struct s { int a[2]; }; void put(int *p) { *p = 7; }
/*@ ensures s.a[0] == 7; */ void f(struct s s) { put(s.a); } int main(void) { struct s s = {{1, 2}}; f(s); }"""
    assert fails(text).startswith("ensures")
    assert fails(text.replace("== 7; *", "== 1; *")) == ""


def test_precondition_of_main_is_assumed() -> None:
    text = "/*@ requires argc > 3; */ int main(int argc) { /*@ assert argc > 2; */ return 0; }"
    assert fails(text, value=4) == ""
    assert fails(text, value=3) == ""
    assert program(text).assumptions == ("requires argc > 3 (annotation of main)",)
    assert [check.description for check in program(text).checks] == ["assert argc > 2 in main"]


def test_witnesses_stand_for_quantifiers() -> None:
    text = (
        "int a[9]; int main(void) { int n = 5; a[7] = 1;\n//@ assert \\forall integer i; 0 <= i < n ==> a[i] == 0;\n}"
    )
    assert len(program(text).inputs) == 1
    assert fails(text) == ""
    assert fails(text.replace("n = 5", "n = 9"), value=7).startswith("assert")
    assert fails(text.replace("n = 5", "n = 9"), value=6) == ""
    text = "/*@ requires \\exists integer i; 3 <= i < n; */ int main(int n) { /*@ assert n > 3; */ }"
    assert program(text).inputs


def test_without_claims_annotations_are_comments() -> None:
    text = "int main(void) { /*@ nonsense */ int x = /*@ assert \\false; */ 1; return x; }"
    unit = parse_program(text, "t.c", DataModel.ILP32)
    assert unit.annotations == ()
    assert lower(unit, None).checks == ()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("int main(void) { int x = /*@ assert 1; */ 1; }", ParseError, "1:26: an annotation must stand before a"),
        ("int main(void) { return ({ int x = 2; /*@ assert x; */ x; }); }", ParseError, "1:39: an annotation must"),
        ("int main(void) { for (;; /*@ assert 1; */) ; }", ParseError, "1:26: an annotation must stand before a"),
        ("int main(void) { while (1 /*@ assert 1; */) ; }", ParseError, "1:27: an annotation must stand before a"),
        ("int main(void) { do ; /*@ assert 1; */ while (0); }", ParseError, "1:23: an annotation must stand before a"),
        ("int main(void) { if (/*@ assert 1; */ 1) ; }", ParseError, "1:22: an annotation must stand before a"),
        ("int main(void) { } /*@ assert 1; */", ParseError, "1:20: an annotation must stand before a"),
        ("/*@ assert 1; */ int main(void) { }", ParseError, "1:5: `assert` must stand in a function"),
        ("int main(int /*@ assert 1; */ x) { }", ParseError, "1:14: an annotation must stand before a"),
        ("/*@ requires 1; */ int x; int main(void) { }", Unsupported, "1:5: an annotation outside of functions"),
        ("/*@ requires x; */ int f(int x); int main(void) { }", Unsupported, "1:5: an annotation outside of functions"),
        (
            "int main(void) { /*@ loop invariant 1; */ ; }",
            ParseError,
            "1:22: a loop invariant must stand before a loop",
        ),
        ("int main(void) { /*@ loop invariant 1; */ }", ParseError, "1:22: a loop invariant must stand before a loop"),
        ("int main(void) { /*@ requires 1; */ ; }", Unsupported, "1:22: contracts of statements"),
        (
            "/*@ ensures \\result; */ void f(void) { } int main(void) { }",
            ParseError,
            "1:13: the function has no result",
        ),
        ("#define X 1\nint main(void) { /*@ assert 1; */ }", Unsupported, "2:18: with directives in the text"),
        ("#if 1\n//@ assert 1;\n#endif\nint main(void) { }", Unsupported, "2:1: an annotation in a directive"),
        ("#define X \\\n //@ assert 1;\nint main(void) { }", Unsupported, "2:2: an annotation in a directive"),
    ],
)
def test_annotations_elsewhere_are_refused(text: str, error: type[FrontendError], message: str) -> None:
    with pytest.raises(error) as caught:
        program(text)
    assert str(caught.value).startswith(f"t.c:{message}")


def test_annotations_on_lines_of_their_own_go_with_directives() -> None:
    text = "#define N 3\nint main(void) { int x = N;\n//@ assert x == 3;\nx++;\n/*@ assert\n x == 5; */\nreturn 0; }"
    assert fails(text) == "assert x == 5 in main"


def test_frames_are_not_decided() -> None:
    """What is read and not decided is part of what the verdict rests on: it is said wherever the verdict is."""
    text = (
        "int g; /*@ assigns \\nothing; decreases 1; */ void f(void) { g = 1; }\n"
        "/*@ assigns \\nothing; */ void h(void) {}\n"
        "int main(void) { f(); h();\n/*@ loop assigns g; loop variant 3 - g; */ while (g < 3) g++; }"
    )
    read = program(text)
    assert read.warnings == ()
    assert [one for one in read.assumptions if one.startswith("not decided")] == [
        "not decided: assigns at t.c:1, t.c:2",
        "not decided: decreases at t.c:1",
        "not decided: loop assigns at t.c:4",
        "not decided: loop variant at t.c:4",
    ]


def test_macros_are_expanded_as_they_are_defined_there() -> None:
    text = """
#include <limits.h>
#define N 3
#define LAST (N - 1)
//@ requires 0 <= i <= LAST && INT_MIN < i < INT_MAX;
//@ ensures \\result == N;
int f(int i) {
#undef N
#define N 5
  //@ assert N == 5 && LAST == 4;
  return LAST - 1;
}
int main(void) {
  %s
  return f(1);
}
"""
    assert fails(text % "") == ""
    assert fails(text % "//@ assert N == 3;") != ""


def test_a_macro_that_is_no_formula_is_told() -> None:
    with pytest.raises(ParseError, match='the macro TEXT is "x", which means nothing in this annotation'):
        program('#define TEXT "x"\nint main(void) {\n//@ assert TEXT == 0;\nreturn 0; }')
    with pytest.raises(ParseError, match="'TWICE' is not declared"):
        program("#define TWICE(x) (2 * (x))\nint main(void) {\n//@ assert TWICE == 0;\nreturn 0; }")
