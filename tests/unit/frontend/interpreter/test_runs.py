"""The ends of interpreted runs, and the values that they take from recorded inputs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.program import InputKind
from core.program.properties import CheckKind
from core.program.span import Span
from core.terms import ArrayValue, Value
from core.verdict import InputValue
from frontend.api import parse_program
from frontend.interpreter import (
    Aborted,
    AssumptionViolated,
    Budget,
    ErrorReached,
    Exited,
    Inputs,
    LimitExceeded,
    RunOutcome,
    UndefinedBehaviour,
    run,
)
from frontend.replay.policy import error_policy
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel


def outcome(text: str, inputs: Sequence[InputValue] = (), budget: Budget | None = None) -> RunOutcome:
    unit = parse_program(text, "a.c", DataModel.ILP32)
    return run(unit, error_policy(unit, None), Inputs.of(inputs), budget)


def recorded(kind: InputKind, name: str, text: str, at: str, values: Sequence[Value]) -> list[InputValue]:
    """The values of an input whose place is where `at` first occurs in `text`."""
    before = text[: text.index(at)]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    span = Span("a.c", line, column, line, column + len(at))
    return [InputValue(kind, name, span, number, value) for number, value in enumerate(values)]


def test_exit_code() -> None:
    assert outcome("int main(void) { return 300; }") == Exited(44)
    assert outcome("void exit(int); int main(void) { exit(3); return 1; }") == Exited(3)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("int f(c) char c; { return c; } int main(void) { return f(0x141); }", 0x41),
        (
            "int f(void) { return -1; } int main(void) { unsigned (*g)(void) = (void *) f; return g() > 9; }",
            1,
        ),
        ("int f(char c) { return c; } int main(void) { int (*g)(int) = (int (*)(int)) f; return g(0x141); }", 0x41),
    ],
)
def test_calls_convert_what_they_pass_and_return(text: str, code: int) -> None:
    assert outcome(text) == Exited(code)


def test_error_call_counts_whatever_the_body() -> None:
    result = outcome("void reach_error(void) { }\nint main(void) {\n  reach_error();\n  return 0; }")
    assert isinstance(result, ErrorReached)
    assert (result.span.line, result.span.column) == (3, 3)


def test_error_label_counts_where_no_error_function_is_called() -> None:
    result = outcome("int main(void) { int x = 1;\n if (x)\n  goto ERROR;\n return 0;\nERROR:\n return 1; }")
    assert isinstance(result, ErrorReached)
    assert result.span.line == 5


def test_assert() -> None:
    result = outcome("void assert(int);\nint main(void) { int x = 1; assert(x == 1);\n assert(x > 1); return 0; }")
    assert isinstance(result, ErrorReached)
    assert result.span.line == 3


def test_overflow_on_the_way_is_noted() -> None:
    text = "void reach_error(void);\nint main(void) { int x = 2147483647;\n x = x + 1;\n if (x < 0) reach_error(); }"
    result = outcome(text)
    assert isinstance(result, ErrorReached)
    assert result.overflow is not None
    assert result.overflow.line == 3


def test_abort_and_assume() -> None:
    assert isinstance(outcome("void abort(void); int main(void) { abort(); return 0; }"), Aborted)
    text = "void __VERIFIER_assume(int); int main(void) { __VERIFIER_assume(1); __VERIFIER_assume(0); return 0; }"
    assert isinstance(outcome(text), AssumptionViolated)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("int z = 0; return 1 / z;", "division by zero"),
        ("int z = 0; return 1 % z;", "division by zero"),
        ("int m = -2147483647 - 1, n = -1; return m / n;", "overflow in a division"),
        ("int n = 32; return 1 << n;", "a shift by 32"),
        ("int n = -1; return 1 >> n;", "a shift by -1"),
        ("int a[3], i = 4; a[i] = 1; return 0;", "index 4 of an array of 3"),
        ("int a[3], i = 3; return a[i];", "access of 4 bytes at offset 12 of a"),
        ("int *p = 0; return *p;", "null pointer"),
        ("int *p = malloc(4); free(p); return *p;", "after the end of its life"),
        ("int *p = malloc(4); free(p); free(p); return 0;", "freed before"),
        ("int x; free(&x); return 0;", "malloc did not return"),
        ("int *p = local(); return *p;", "after the end of its life"),
        ('char b[2]; strcpy(b, "abc"); return 0;', "strcpy: access of 4 bytes"),
        ("int (*f)(void) = (int (*)(void))77; return f();", "pointer to no function"),
    ],
)
def test_undefined_behaviour(body: str, what: str) -> None:
    declared = "void *malloc(unsigned); void free(void *); char *strcpy(char *, const char *);"
    result = outcome(
        f"{declared} int *local(void) {{ int x = 1; int *p = &x; return p; }}\nint main(void) {{\n{body} }}"
    )
    assert isinstance(result, UndefinedBehaviour)
    assert what in result.what


def test_where_objects_at_constant_addresses_are_asked_about_there_is_none() -> None:
    unit = parse_program("int main(void) { int *p = (int *)123456; return *p; }", "a.c", DataModel.ILP32)
    assert run(unit, error_policy(unit, None), Inputs.of([])) == Exited(0)  # a premise of such a program
    result = run(unit, error_policy(unit, None, {CheckKind.DANGLING: "valid-deref"}), Inputs.of([]))
    assert isinstance(result, UndefinedBehaviour)
    assert "pointer to no object" in result.what


LIVING = {
    "a round": "for (int i = 0; i < 5; i++) { int a[2] = {i, i}; s += use(a); if (i == 3) continue; s++; }",
    "a goto back": "int k = 0; { int x = 1; int *p = &x; back: *p += ++k; if (k < 3) goto back; s = x + 7; }",
    "a goto out": "int k = 0; again: { int x = 1; s += use(&x); if (++k < 14) goto again; }",
    "an expression": "s = ({ int v = 7; int *p = &v; *p += 7; v; });",
    "a for": "for (int j = 0, *q = &j; j < 5; j++) s += *q + (j < 4);",
    "a switch": "switch (s) { int z; case 0: z = 14; s = use(&z); }",
    "a literal": "for (int i = 0; i < 4; i++) { int *p = i % 2 ? (int[]){9, i} : &(int){5}; s += p[i % 2]; }",
    "a length": "int n = 4; while (n-- > 0) { int v[n + 1]; v[0] = n; s += use(v) + 2; }",
}
"""A body of main that uses local objects as long as they live, and makes s 14."""


@pytest.mark.parametrize("name", LIVING)
def test_objects_live_as_long_as_their_block(name: str) -> None:
    text = f"int use(int *p) {{ return *p; }}\nint main(void) {{ int s = 0; {LIVING[name]} return s; }}"
    assert outcome(text) == Exited(14)


@pytest.mark.parametrize(
    "body",
    [
        "int *p; { int x = 1; p = &x; } return *p;",
        "int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (i) return *p; p = &x; }",
        "int *p; for (;;) { int x[2] = {1}; p = x; break; } return *p;",
        "int *p; { int x = 1; p = &x; goto out; } out: return *p;",
        "int *p, n = 1; while (n) { int v[n]; v[0] = 1; p = v; n = 0; } return *p;",
        "int *p; for (int i = 0; i < 1; i++) p = &i; return *p;",
        "int *p; { p = (int[]){1, 2}; } return *p;",
        "int *p = 0; for (int i = 0; i < 2; i++) { if (i) return *p; p = i ? 0 : &(int){i}; }",
    ],
)
def test_objects_end_with_their_block(body: str) -> None:
    found = outcome(f"int main(void) {{ {body} return 0; }}")
    assert isinstance(found, UndefinedBehaviour)
    assert "after the end of its life" in found.what


def test_budgets() -> None:
    assert isinstance(outcome("int main(void) { for (;;); }", budget=Budget(steps=100_000)), LimitExceeded)
    assert isinstance(outcome("int main(void) { for (;;); }", budget=Budget(seconds=0.05)), LimitExceeded)
    text = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }"
    assert isinstance(outcome(text, budget=Budget(frames=5_000)), LimitExceeded)
    text = "void *malloc(unsigned); int main(void) { malloc(4000000000u); return 0; }"
    assert isinstance(outcome(text), LimitExceeded)


def test_floats() -> None:
    text = "double d = 1.5; int main(void) { int x = 0; if (!x) d = d * 2;\n"
    assert outcome(text + "return d == 3 ? 7 : 0; }") == Exited(7)
    assert outcome(text + "float f = 0.1; f += 0.1; return f == 0.2f && f != 0.2; }") == Exited(1)


def test_assembly_is_unsupported() -> None:
    with pytest.raises(Unsupported, match=r"^a\.c:2:\d+: .*inline assembly"):
        outcome('int main(void) {\n __asm__("nop"); return 0; }')


def test_no_main() -> None:
    with pytest.raises(Unsupported, match="no main function"):
        outcome("int f(void) { return 0; }")


# Inputs


NONDET = "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n"


def test_values_by_place_and_occurrence() -> None:
    text = (
        NONDET
        + "int main(void) { int s = 0; for (int i = 0; i < 3; i++) s = s * 10 + __VERIFIER_nondet_int(); return s; }"
    )
    inputs = recorded(InputKind.NONDET, "__VERIFIER_nondet_int", text, "__VERIFIER_nondet_int();", [1, 2, 3])
    assert outcome(text, inputs) == Exited(123)
    assert outcome(text, inputs[1:]) == Exited(23)
    assert outcome(text) == Exited(0)


def test_values_are_converted_to_the_type() -> None:
    text = NONDET + "int main(void) { return __VERIFIER_nondet_uchar() == 44; }"
    inputs = recorded(InputKind.NONDET, "__VERIFIER_nondet_uchar", text, "__VERIFIER_nondet_uchar()", [300])
    assert outcome(text, inputs[:0]) == Exited(0)
    text = text.replace(
        "extern unsigned char __VERIFIER_nondet_uchar(void);", "extern unsigned char __VERIFIER_nondet_uchar(); "
    )
    place = recorded(InputKind.NONDET, "__VERIFIER_nondet_uchar", text, "__VERIFIER_nondet_uchar() ==", [300])
    assert outcome(text, place) == Exited(1)


def test_extern_functions_and_objects() -> None:
    text = (
        "extern int other(int *);\nextern int table[3];\nint main(void) { int x = 1; return other(&x) + x + table[1]; }"
    )
    inputs = recorded(InputKind.EXTERN, "other", text, "other(&x)", [70])
    inputs += recorded(InputKind.INDETERMINATE, "table", text, "table[3]", [ArrayValue(0, {1: 5})])
    assert outcome(text, inputs) == Exited(76)


def test_indeterminate_locals_each_time_control_passes() -> None:
    text = "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x; s = s * 10 + x; x = 9; } return s; }"
    inputs = recorded(InputKind.INDETERMINATE, "main::x", text, "x;", [1, 0, 2])
    assert outcome(text, inputs) == Exited(102)


def test_indeterminate_parts() -> None:
    text = """
struct in { short k; int v[2]; };
int main(void) {
  struct { int a; struct in b[2]; unsigned f : 3; } s;
  int m[2][3];
  return s.a + s.b[1].k + 10 * s.b[0].v[1] + 100 * s.f + m[1][0]; }
"""
    parts: dict[str, Value] = {
        "main::s.a": 1,
        "main::s.b.k": ArrayValue(0, {1: 2}),
        "main::s.b.v": ArrayValue(0, {1: 3}),
        "main::s.f": 1,
    }
    inputs = [
        one for name, value in parts.items() for one in recorded(InputKind.INDETERMINATE, name, text, "s;", [value])
    ]
    inputs += recorded(InputKind.INDETERMINATE, "main::m", text, "m[2]", [ArrayValue(0, {3: 4})])
    assert outcome(text, inputs) == Exited(137)


# Depth


@pytest.mark.long
def test_deep_programs() -> None:
    chain = "".join(f"else if (x == {i}) y = {i};\n" for i in range(1, 800))
    terms = " + ".join(["x"] * 2_000)
    text = (
        f"int f(int n) {{ return n ? f(n - 1) : 7; }}\nint main(void) {{ int x = 0, y = 0; if (x == -1) y = 1; {chain}"
    )
    assert outcome(f"{text} x = 1; y = {terms}; return f(100000) + (y == 2000); }}") == Exited(8)


def test_deep_calls_in_operands() -> None:
    nested = "f(" * 400 + "0" + ")" * 400
    assert outcome(f"int f(int n) {{ return n + 1; }} int main(void) {{ return {nested} == 400; }}") == Exited(1)


def test_two_runs_are_equal() -> None:
    text = NONDET + "int main(void) { int a[4]; int *p = a; p[1] = 5; return __VERIFIER_nondet_int() + *(p + 1); }"
    assert outcome(text) == outcome(text) == Exited(5)
