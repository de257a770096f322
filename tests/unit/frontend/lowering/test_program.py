"""The parts of a lowered program beside its terms: checks, inputs, ranges, locations, assumptions and refusals."""

from __future__ import annotations

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.limits import Limits
from core.program import InputKind, Program, Range
from core.program.simulate import BudgetExceeded, Ended, Reached, Stuck, simulate
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import Term
from core.verdict import Certificate
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.lowering.control_flow import symbols_of
from frontend.options import ArithmeticChoice
from frontend.source import ParseError, Unsupported
from frontend.typed.ctype import DataModel
from runs.serialize import encode_program

REACH = UnreachCall()


def program(text: str, property_: UnreachCall | None = REACH) -> Program:
    return lower(parse_program(text, "t.c", DataModel.ILP32), property_)


def variable(of: Program, name: str) -> Term:
    return next(symbol for symbol, one in of.variables.items() if one.name == name)


def test_calls_that_set_what_nobody_reads_have_no_order() -> None:
    text = "int e; int f(void) {{ e = 1; return 1; }} int g(void) {{ e = 2; return 2; }} \
int h(int a, int b) {{ return a; }} int main(void) {{ h(f(), g()); return {}; }}"
    assert not program(text.format("0")).orders.expressions
    assert list(program(text.format("e")).orders.expressions.values()) == [("f(), then g()", "g(), then f()")]


# Checks


def checks(text: str, property_: UnreachCall | None = REACH) -> list[tuple[str, str, int]]:
    return [(one.property, one.description, one.span.line) for one in program(text, property_).checks]


ASSERTING = """void reach_error(void) {}
void check(int c) { if (!c) { ERROR: reach_error(); } }
int main(void) { int x; check(x); check(x > 1); }
"""


def test_a_call_of_the_error_function_is_one_check_and_its_label_none() -> None:
    assert checks(ASSERTING) == [("unreach-call", "call of reach_error() in check", 2)]


def test_the_property_names_the_error_function() -> None:
    text = "void fail(void);\nint main(void) { fail(); }"
    assert checks(text, UnreachCall("fail")) == [("unreach-call", "call of fail() in main", 2)]
    assert checks(text) == []


def test_labels_count_where_reachable_code_calls_no_error_function() -> None:
    dead = "void reach_error(void);\nvoid dead(void) { reach_error(); }\n"
    text = dead + "int main(void) { int x; if (x)\nERROR: ; error: ; }"
    assert checks(text) == [("unreach-call", "label ERROR in main", 4)]


def test_assertions_are_checks_without_a_property_and_ends_with_one() -> None:
    text = "int main(void) { int x; assert(x > 0);\n__assert_fail(); }"
    assert checks(text, None) == [
        ("assertion", "assert(x > 0) in main", 1),
        ("assertion", "call of __assert_fail() in main", 2),
    ]
    assert checks(text) == []
    assert isinstance(simulate(program(text), lambda _: 0, 100), Stuck)


def test_a_function_that_only_sounds_like_a_failed_assertion_may_return() -> None:
    text = "void assert_fail(void);\nint main(void) { assert_fail(); goto ERROR;\nERROR: ; }"
    assert checks(text) == [("unreach-call", "label ERROR in main", 3)]
    assert isinstance(simulate(program(text), lambda _: 0, 100), Reached)
    assert checks(text, None)[0] == ("assertion", "call of assert_fail() in main", 2)


def test_verifier_assert_without_a_body_is_a_check_always() -> None:
    text = "void __VERIFIER_assert(int);\nint main(void) { int x; __VERIFIER_assert(x); }"
    assert checks(text) == [("unreach-call", "__VERIFIER_assert(x) in main", 2)]


def test_error_locations_have_no_way_out() -> None:
    made = program(ASSERTING)
    assert all(not made.out_edges[check.location] for check in made.checks)


def test_a_user_function_wins_over_a_known_name() -> None:
    text = "int n; void exit(int x) { n = x; } int main(void) { exit(3); return 0; }"
    result = simulate(program(text), lambda _: 0, 100)
    assert isinstance(result, Ended)
    assert result.globals["n"] == 3


# Inputs, variables, ranges


def test_inputs_say_where_they_come_from() -> None:
    made = program(
        "short __VERIFIER_nondet_short(void); unsigned ext(void);\n"
        "int main(void) { int x; char a[4];\n x = __VERIFIER_nondet_short() + ext(); }"
    )
    found = {(one.kind, one.name, one.span.line, one.range) for one in made.inputs.values()}
    assert found == {
        (InputKind.INDETERMINATE, "main::x", 2, Range(-(2**31), 2**31 - 1)),
        (InputKind.INDETERMINATE, "main::a", 2, Range(-128, 127)),
        (InputKind.NONDET, "__VERIFIER_nondet_short", 3, Range(-(2**15), 2**15 - 1)),
        (InputKind.EXTERN, "ext", 3, Range(0, 2**32 - 1)),
    }


def test_every_input_is_mentioned_by_one_edge() -> None:
    made = program(
        "int __VERIFIER_nondet_int(void); int f(int a, int b) { return a; }\n"
        "int main(void) { int x = 1; while (__VERIFIER_nondet_int()) x = x / __VERIFIER_nondet_int();\n"
        "switch (__VERIFIER_nondet_int()) { case 1: x = 3; default: x++; }\n"
        "return f(__VERIFIER_nondet_int(), f(x, 1)) << (__VERIFIER_nondet_int() % 40); }"
    )
    for symbol in made.inputs:
        assert len([edge for edge in made.edges if symbol in symbols_of(edge.operation)]) == 1


def test_structs_are_split_and_arrays_of_structs_too() -> None:
    made = program("struct p { char x; _Bool y[3]; }; int main(void) { struct p s, t[2]; }")
    found = {one.name: (one.range, one.extent) for one in made.variables.values() if one.scope == "main"}
    assert found == {
        "main::s.x": (Range(-128, 127), None),
        "main::s.y": (Range(0, 1), 3),
        "main::t.x": (Range(-128, 127), 2),
        "main::t.y": (Range(0, 1), 6),
    }


def test_a_second_object_of_a_name_is_no_frame_copy_of_the_first() -> None:
    made = program("int main(void) { { int x = 1; } { int x = 2; } }")
    names = {one.name: symbol.name for symbol, one in made.variables.items() if one.scope == "main"}
    assert names == {"main::x": "main::x", "main::x#2": "main::x~2"}


def test_a_jump_past_a_declaration_leaves_the_object_indeterminate() -> None:
    made = program("int main(void) { int c; if (c) goto in; { int x = 3; in: c = x; } return c; }")
    entry = made.out_edges[made.functions["main"].entry]
    assert [edge.text for edge in entry] == ["int x"]


def test_only_what_is_reachable_is_lowered() -> None:
    made = program("int used, unused; void dead(int *p) { *p = unused; } int main(void) { return used; }")
    assert list(made.functions) == ["<start>", "main"]
    assert {one.name for one in made.variables.values()} == {"used", "main::return"}


# Locations and texts


def test_loop_heads_have_the_place_of_their_keyword() -> None:
    made = program("int main(void) {\n int i;\n for (i = 0; i < 3; i++) ;\n do i--;\n while (i);\n while (i) i++; }")
    heads = [location.span for location in made.locations if location.loop]
    assert [(span.line, span.column, span.end_column) for span in heads if span] == [(3, 2, 5), (4, 2, 4), (6, 2, 7)]


def test_edges_read_like_the_source() -> None:
    made = program("int f(int x) { return x; }\nint main(void) { int a[2]; if (f(a[0]) > 1) a[1] += -2; }")
    texts = [edge.text for edge in made.edges if edge.text]
    assert texts == [
        "main()",
        "int a[2]",
        "f(a[0])",
        "[f(a[0]) > 1]",
        "[!(f(a[0]) > 1)]",
        "a[1] += -2",
        "return 0",
        "return x",
    ]


def test_every_location_is_reachable_in_its_function() -> None:
    made = program("int main(void) { return 1; for (;;) ; }")
    assert len(made.locations) == 4


def test_endless_loops_exceed_the_budget() -> None:
    assert isinstance(simulate(program("int main(void) { while (1) ; }"), lambda _: 0, 50), BudgetExceeded)


def test_the_simulator_reaches_errors() -> None:
    result = simulate(program(ASSERTING), lambda _: 1, 100)
    assert isinstance(result, Reached)
    assert result.check.description == "call of reach_error() in check"


def test_equal_texts_give_equal_programs() -> None:
    assert encode_program(program(ASSERTING)) == encode_program(program(ASSERTING))


# Assumptions, warnings, refusals


def test_assumptions_are_those_that_the_program_needs() -> None:
    assert program("int main(void) { char c = 3; return c + c; }").assumptions == ()
    assert program("int main(void) { int x, y; return x / 3 + (y >> 4); }").assumptions == ()
    assert program("int main(void) { int x, y; x %= y; return x << (y & 63); }").assumptions == (
        "divisors are not zero",
        "shifts are by less than the width of the type, and not by negative numbers",
        "signed overflow wraps around (as with -fwrapv)",
    )
    assert program("int f(void); int main(void) { int x, a[2]; return a[0] + x + f(); }").assumptions == (
        "array accesses are within bounds",
        "signed overflow wraps around (as with -fwrapv)",
        "undefined functions: f returns any int",
    )


def test_warnings_say_where() -> None:
    made = program(
        "extern int e; int f(void); void g(int *); int h(void) { return f(); }\n"
        "int main(void) { int x = h(); g(&x); g(0); return f() + e; }"
    )
    assert made.warnings == (
        "t.c:1:12: warning: e is defined nowhere; its first value is arbitrary",
        "t.c:2:31: warning: g is not defined (called by main); it changes at most what its arguments lead to, "
        "when it is called, or is taken to have no effect",
        "t.c:2:51: warning: f is not defined (called by main, h); it returns any int",
    )


def test_objects_of_the_library_are_no_reason_for_a_warning() -> None:
    made = program("#include <stdio.h>\nint main(void) { char t[4]; return fgets(t, 4, stdin) != 0; }")
    assert made.warnings == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "int n; int f(void) { return n++; } int main(void) { return f() + f() + f() + f() + f() + f(); }",
            "t.c:1:60: this expression has more than 120 orders of evaluation",
        ),
        (
            "int n; int f(void) { return n++; } int main(void) { return f() + *(int[]){f()}; }",
            "t.c:1:67: the order of evaluation beside a compound literal",
        ),
        ('int main(void) { asm("nop"); }', "t.c:1:18: inline assembly in main is not decided"),
        ('int printf(const char *, ...); int main(void) { int x; printf("%d%n", x, &x); }', "t.c:1:56: printf"),
        ('int printf(const char *, ...); int main(void) { int x; printf("%1$n", &x); }', "t.c:1:56: printf"),
        ("int printf(const char *, ...); int main(void) { char f[9]; int x; printf(f, 1, &x); }", "t.c:1:67: printf"),
        ("int main(void) { __VERIFIER_assume(); }", "t.c:1:18: __VERIFIER_assume is called without an argument"),
    ],
)
def test_refusals_are_located(text: str, message: str) -> None:
    with pytest.raises(Unsupported) as refused:
        program(text)
    assert str(refused.value).startswith(message)


def test_formats_that_cannot_write_are_not_refused() -> None:
    program(
        """int printf(const char *, ...);
        int main(void) { char f[9] = "%s%d", *p = f; int x = 1; return printf("%p", &x) + printf(f, p, x) + printf(p); }
        """
    )


def test_an_undefined_assume_abort_if_not_is_an_assumption() -> None:
    declared = "void assume_abort_if_not(int); void reach_error(void);\n"
    of = program(declared + "int main(void) { assume_abort_if_not(0); reach_error(); }")
    assert of.warnings == ()
    assert isinstance(simulate(of, lambda _: 0, 100), Stuck)


@pytest.mark.parametrize(
    "declared",
    [
        "_Noreturn void die(int);",
        "void die(int) __attribute__((__noreturn__));",
        "struct s { int a; }; struct s v; extern void __attribute__((noreturn)) die(int n);",
        "struct s { int a; } die(int) __attribute__((noreturn));",
        "void other(int), die(int) __attribute__((noreturn));",
        "_Noreturn void other(int), die(int);",
        "__attribute__((noreturn)) void die(int), other(int);",
    ],
)
def test_an_undefined_function_that_never_returns_ends_the_path(declared: str) -> None:
    of = program(f"void reach_error(void); void f(void) {{ }} {declared} int main(void) {{ die(1); reach_error(); }}")
    assert isinstance(simulate(of, lambda _: 0, 100), Stuck)


@pytest.mark.parametrize(
    "declared",
    [
        "void other(void) __attribute__((noreturn)); void die(int);",
        "_Noreturn void other(void) { while (1) ; } void die(int);",
        "void die(int), other(void) __attribute__((noreturn));",
        "void die(int (*f)(void) __attribute__((noreturn)));",
        "void other(void) { extern void die(int); void (*p)(void) __attribute__((noreturn)) = 0; } void die(int);",
    ],
)
def test_others_return(declared: str) -> None:
    of = program(f"void reach_error(void); {declared} int main(void) {{ die(1); reach_error(); }}")
    assert isinstance(simulate(of, lambda _: 0, 100), Reached)


def test_bit_operations_are_chosen_where_integers_do_not_express_them() -> None:
    unit = parse_program("int main(void) { int a, b; return a & b; }", "t.c", DataModel.ILP32)
    with pytest.raises(Unsupported, match=r"t\.c:1:35: this bit operation is not decided on integers: &"):
        lower(unit, REACH, ArithmeticChoice.INTEGERS)
    assert lower(unit, REACH).uses_bits
    masked = parse_program("int main(void) { int a; return a & 12; }", "t.c", DataModel.ILP32)
    assert not lower(masked, REACH).uses_bits
    assert lower(masked, REACH, ArithmeticChoice.BITVECTORS).uses_bits


@pytest.mark.parametrize(("words", "bits"), [(4, False), (5, True)])
def test_many_words_that_are_packed_are_bit_vectors(words: int, bits: bool) -> None:
    packed = "".join(f"unsigned w{i} = (x % 32u) << {i + 6} | (y & 63u); " for i in range(words))
    unit = parse_program(f"int main(void) {{ unsigned x, y; {packed} return 0; }}", "t.c", DataModel.ILP32)
    assert lower(unit, REACH).uses_bits is bits


def test_refusals_concern_reachable_code_only() -> None:
    program('void dead(int *p) { *p = 1; asm("nop"); } int main(void) { float unread = 1.5f; int *p = 0; }')


def test_a_program_without_main() -> None:
    with pytest.raises(
        ParseError, match=r"t\.c:1:1: the program has no function main; `--entry FUNCTION` starts .*: f$"
    ):
        program("int g(void); int f(void) { return g(); }")
    with pytest.raises(ParseError, match=r"no function main$"):
        program("int g(void);")


def test_a_division_by_a_constant_that_becomes_zero_ends_the_path() -> None:
    made = program("int main(void) { int x; return x / (unsigned char) 256; }")
    assert isinstance(simulate(made, lambda _: 1, 100), Stuck)


@pytest.mark.long
def test_long_chains_are_no_problem() -> None:
    chain = " else ".join(f"if (x == {i}) y = {i};" for i in range(3000))
    total = " + ".join(["x"] * 2000)
    program(f"int main(void) {{ int x, y; {chain} y = {total}; return y; }}")


@pytest.mark.parametrize(
    ("call", "value", "goes_on"),
    [
        ("rand()", -1, False),
        ("rand()", 0, True),
        ("getc(0)", 256, False),
        ('scanf("%d")', 0, True),
        ('scanf("%d%*d")', 1, False),
        ("read(0, 0, sizeof(int))", 4, True),
        ("read(0, 0, 4)", 5, False),
        ("read(0, 0, main())", 5, True),
    ],
)
def test_functions_of_the_library_return_what_their_names_say(call: str, value: int, goes_on: bool) -> None:
    name = call.partition("(")[0]
    lowered = program(f"int {name}(); int n; int main(void) {{ if (n++) return 9; return {call}; }}")
    assert isinstance(simulate(lowered, lambda _: value, 100), Ended if goes_on else Stuck)
    assert any(one.startswith(f"undefined functions: {name} returns ") for one in lowered.assumptions)


def test_declarations_are_told_with_their_initialisers() -> None:
    made = program("int g = 7; int main(void) { int x = (int) g + 1, a[2] = {1, 2}, y; y = x; return y; }")
    texts = [edge.text for edge in made.edges if edge.text]
    assert texts == ["int g = 7", "main()", "int x = (int) g + 1", "int a[2] = {…}", "int y", "y = x", "return y"]


@pytest.mark.parametrize(
    ("condition", "supplied", "reached"),
    [("argc < 0", -1, False), ("argc == 0", 0, True), ("!argv", 0, False), ("argv != 0", 5000, True)],
)
def test_arguments_of_main_are_as_c_has_them(condition: str, supplied: int, reached: bool) -> None:
    lowered = program(f"void reach_error(void); int main(int argc, char **argv) {{ if ({condition}) reach_error(); }}")
    given = {"main::argc": max(supplied, 0), "main::argv": 5000}
    name = "main::argv" if "argv" in condition else "main::argc"
    outcome = simulate(lowered, lambda one: {**given, name: supplied}[one.name], 100)
    assert isinstance(outcome, Reached if reached else Stuck)


@pytest.mark.parametrize(
    ("value", "ranges"),
    [
        ("__VERIFIER_nondet_uchar() % 5 + (f(), u)", [Range(0, 4)]),
        ("(__VERIFIER_nondet_uchar() > 3 && f())", [Range(0, 1), Range(0, 1)]),
        ("(__VERIFIER_nondet_uchar() > 3 || f())", [Range(0, 1), Range(0, 1)]),
    ],
)
def test_a_saved_value_keeps_its_bounds_as_a_range(value: str, ranges: list[Range]) -> None:
    text = f"""unsigned char __VERIFIER_nondet_uchar(void); unsigned char u;
int f(void) {{ u = __VERIFIER_nondet_uchar(); return 1; }}
int main(void) {{ int k = {value}; return k; }}
"""
    found = program(text, None)
    assert [one.range for one in found.variables.values() if "tmp!" in one.name] == ranges
    # What lies within the range of int is not wrapped: that it does follows from the program alone.
    nothing = Certificate({})
    assert isinstance(check_certificate(found, (), nothing, Cvc5Factory(), Limits(), lambda _: None), Certified)


@pytest.mark.parametrize(
    ("loop", "heads"),
    [
        ("do { x++; } while (0);", 0),
        ("do { if (x) continue; x++; } while (0);", 0),
        ("while (1) { x++; break; }", 0),
        ("for (;;) { if (x++) break; }", 1),
        ("do { while (x) x--; } while (0);", 1),
        ("while (x) { do { if (x % 2) break; x++; } while (0); x--; }", 1),
    ],
)
def test_a_loop_comes_back_to_its_head(loop: str, heads: int) -> None:
    text = f"int main(void) {{ int x = __VERIFIER_nondet_int(); {loop} return x; }}"
    program = lower(parse_program(f"extern int __VERIFIER_nondet_int(void); {text}", "a.c", DataModel.LP64), None)
    assert sum(location.loop for location in program.locations) == heads


def test_characters_and_null_pointers_are_shown_as_they_are_written() -> None:
    text = r"int f(int c); int main(void) { int *p = ((void *)0), *q = 0; int c = '\n'; return f('7') + (p == q) + c; }"
    texts = [edge.text for edge in program(text).edges]
    shown = "; ".join(texts)
    assert "int *p = NULL" in shown
    assert r"int c = '\n'" in shown
    assert "f('7')" in shown
