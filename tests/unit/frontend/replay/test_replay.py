"""Counterexamples on the real program: native replay, the interpreter behind it, and what must not happen."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from core.program import Check, InputKind
from core.program.properties import CheckKind
from core.program.span import Span
from core.terms import ArrayValue, Value
from core.verdict import Confirmer, InputValue
from frontend.api import parse_program
from frontend.interpreter import ARGUMENT, ELSEWHERE, ELSEWHERE_AT
from frontend.interpreter.outcome import CONTENTS
from frontend.options import SourceFile
from frontend.properties.errors import UnreachCall
from frontend.replay.confirm import Native, confirm
from frontend.replay.native import ProcessLimits, replay
from frontend.replay.policy import error_policy
from frontend.replay.results import NotAvailable, NotReproduced, ReplayResult, Reproduced
from frontend.source import point
from frontend.typed.ctype import DataModel

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
NONDET = "extern int __VERIFIER_nondet_int(void); void reach_error(void) { }\n"


def place(text: str, at: str) -> Span:
    """The first place of `at`."""
    before = text[: text.index(at)]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Span("a.c", line, column, line, column + len(at))


def values(kind: InputKind, name: str, text: str, at: str, recorded: Sequence[Value]) -> list[InputValue]:
    span = place(text, at)
    return [InputValue(kind, name, span, number, value) for number, value in enumerate(recorded)]


def natively(
    text: str,
    error: str,
    inputs: Sequence[InputValue] = (),
    model: DataModel = DataModel.ILP32,
    limits: ProcessLimits | None = None,
) -> ReplayResult:
    """The native replay of `text`, claimed to reach the error at the line of `error`."""
    unit = parse_program(text, "a.c", model)
    return replay(
        [SourceFile(unit.file, text)], unit, error_policy(unit, UnreachCall()), place(text, error), inputs, limits
    )


def either(text: str, error: str, inputs: Sequence[InputValue] = (), native: Native = Native.ALLOWED) -> ReplayResult:
    unit = parse_program(text, "a.c", DataModel.ILP32)
    check = Check(0, "unreach-call", 0, place(text, error), "")
    return confirm([SourceFile(unit.file, text)], unit, error_policy(unit, UnreachCall()), check, inputs, native)


@needs_gcc
@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64])
def test_confirmed_and_not(model: DataModel) -> None:
    text = NONDET + "int main(void) { int s = 0;\n for (int i = 0; i < 3; i++) s = 10 * s + __VERIFIER_nondet_int();\n"
    text += "if (s == 123)\n reach_error(); return 0; }"
    inputs = values(InputKind.NONDET, "__VERIFIER_nondet_int", text, "__VERIFIER_nondet_int();", [1, 2, 3])
    flag = "-m32" if model == DataModel.ILP32 else "-m64"
    assert natively(text, "reach_error();", inputs, model) == Reproduced(
        f"native replay (gcc {flag})", Confirmer.NATIVE_REPLAY
    )
    assert natively(text, "reach_error();", inputs[:2], model) == NotReproduced("the program ends without the error")


@needs_gcc
def test_another_error_first() -> None:
    text = NONDET + "int main(void) {\n reach_error();\n reach_error(); /* second */ return 0; }"
    result = natively(text, "/* second */")
    assert isinstance(result, NotReproduced)
    assert "reaches the error at a.c:3:2 first" in result.reason


@needs_gcc
@pytest.mark.parametrize("native", Native)
def test_another_error_of_the_same_line(native: Native) -> None:
    text = NONDET + "int main(void) { if (__VERIFIER_nondet_int()) reach_error(); else  (reach_error)(); return 0; }"
    inputs = values(InputKind.NONDET, "__VERIFIER_nondet_int", text, "__VERIFIER_nondet_int())", [1])
    assert isinstance(either(text, "reach_error(); else", inputs, native), Reproduced)
    other = either(text, "(reach_error)();", inputs, native)
    assert isinstance(other, NotReproduced)
    assert "is reached first" in other.reason


def test_missing_values_do_not_shift_the_others() -> None:
    text = NONDET + "int main(void) { int a = __VERIFIER_nondet_int();\n int b = __VERIFIER_nondet_int();\n"
    text += "if (a == 0 && b == 7)\n reach_error(); return 0; }"
    inputs = values(InputKind.NONDET, "__VERIFIER_nondet_int", text, "__VERIFIER_nondet_int();\nif", [7])
    assert isinstance(natively(text, "reach_error();", inputs), Reproduced)


@needs_gcc
def test_indeterminate_locals_and_parts() -> None:
    text = NONDET + "struct s { char c; int v[2]; unsigned f : 3; };\nint main(void) {\n"
    text += "int x, *p, y = 1, a[3];\n struct s q;\n for (int i = 0; i < 2; i++) { int z; y = 10 * y + z; }\n"
    text += "if (x == -5 && a[2] == 8 && q.v[1] == 9 && q.f == 5 && y == 134)\n reach_error(); return 0; }"
    kind = InputKind.INDETERMINATE
    inputs = [
        *values(kind, "main::x", text, "x, *p", [-5]),
        *values(kind, "main::a", text, "a[3]", [ArrayValue(0, {2: 8})]),
        *values(kind, "main::q.v", text, "q;", [ArrayValue(0, {1: 9})]),
        *values(kind, "main::q.f", text, "q;", [5]),
        *values(kind, "main::z", text, "z;", [3, 4]),
    ]
    assert isinstance(natively(text, "reach_error();", inputs), Reproduced)
    assert isinstance(natively(text, "reach_error();", inputs[1:]), NotReproduced)


@needs_gcc
def test_extern_functions_and_objects() -> None:
    text = NONDET + "extern unsigned char other(int, char *); extern int table[3]; extern int *where(void);\n"
    text += 'int main(void) { if (other(1, 0) == 200 && table[1] == 6 && !where()\n && printf("x") == 0)\n'
    text += " reach_error(); return 0; }"
    inputs = values(InputKind.EXTERN, "other", text, "other(1", [200])
    inputs += values(InputKind.INDETERMINATE, "table", text, "table[3]", [ArrayValue(0, {1: 6})])
    assert isinstance(natively(text, "reach_error();", inputs), Reproduced)


def test_arguments_of_main_and_results_that_no_return_gives() -> None:
    text = NONDET + "int f(int n) { if (n) return 1;\n }\nint main(int count, char **names) {\n"
    text += "if (count == 4 && f(0) == 6 && f(1) == 1 && f(0) == 7)\n reach_error(); return 0; }"
    inputs = values(InputKind.INDETERMINATE, "f::return", text, "}\nint main", [6, 7])
    inputs += values(InputKind.INDETERMINATE, "main::count", text, "count, char", [4])
    assert isinstance(either(text, "reach_error();", inputs), Reproduced)
    assert isinstance(either(text, "reach_error();", inputs, Native.REFUSED), Reproduced)
    assert isinstance(either(text, "reach_error();", inputs[1:]), NotReproduced)


def test_declarations_that_a_jump_passes_are_for_the_interpreter() -> None:
    text = NONDET + "int main(void) { switch (2) {\n int x; case 2: if (x == 8)\n reach_error(); } return 0; }"
    inputs = values(InputKind.INDETERMINATE, "main::x", text, "x; case", [8])
    result = either(text, "reach_error();", inputs)
    assert isinstance(result, Reproduced)
    assert result.by.startswith("interpreter of typed C")


def test_undefined_functions_that_return_structs_are_for_the_interpreter() -> None:
    text = NONDET + "struct s { char c; int n; }; struct s other(void);\nint main(void) { struct s v = other();\n"
    text += " if (v.c == 3 && v.n == -4)\n reach_error(); return 0; }"
    inputs = values(InputKind.EXTERN, "other.c", text, "other();", [3])
    inputs += values(InputKind.EXTERN, "other.n", text, "other();", [-4])
    assert isinstance(either(text, "reach_error();", inputs), Reproduced)


def test_an_object_that_its_own_initialiser_reads() -> None:
    text = NONDET + "int main(void) { int x = x + 1; if (x == 8)\n reach_error(); return 0; }"
    inputs = values(InputKind.INDETERMINATE, "main::x", text, "x = x", [7])
    assert isinstance(either(text, "reach_error();", inputs), Reproduced)


@needs_gcc
def test_error_labels_where_statements_stand_alone() -> None:
    text = (
        "int main(void) { int x = 3;\n if (x == 4)\nERROR: x = 9; else if (x == 3) { x = 4; goto ERROR; }\n return 0; }"
    )
    assert isinstance(natively(text, "ERROR:"), Reproduced)
    assert isinstance(natively(text.replace("x == 3)", "x == 5)"), "ERROR:"), NotReproduced)


@needs_gcc
def test_assertions() -> None:
    text = "#include <assert.h>\nint main(void) { long long x = 1LL << 40;\n assert(x);\n assert(!x); return 0; }"
    unit = parse_program(text, "a.c", DataModel.ILP32)
    result = replay([SourceFile(unit.file, text)], unit, error_policy(unit, None), place(text, "assert(!x)"), [])
    assert isinstance(result, Reproduced)
    assert natively(text, "assert(!x)") == NotReproduced("the program aborts before the error")


@needs_gcc
def test_macros() -> None:
    text = "#define FAIL(c) if (c) reach_error()\n#define INPUT __VERIFIER_nondet_int()\n" + NONDET
    text += "int main(void) { int a = INPUT + 1;\n FAIL(a == 8); return 0; }"
    unit = parse_program(text, "a.c", DataModel.ILP32)
    span = Span("a.c", 4, 26, 4, 49)
    inputs = [InputValue(InputKind.NONDET, "__VERIFIER_nondet_int", span, 0, 7)]
    result = replay(
        [SourceFile(unit.file, text)], unit, error_policy(unit, UnreachCall()), place(text, "FAIL(a"), inputs
    )
    assert isinstance(result, Reproduced)


@needs_gcc
def test_wide_division_and_library_without_a_library() -> None:
    text = (
        NONDET
        + "void *malloc(unsigned long); char *strcpy(char *, const char *); unsigned long strlen(const char *);\n"
    )
    text += "int main(void) { volatile long long n = -1234567890123LL, d = 1000003;\n"
    text += 'struct { int a[50]; } s = {{4}}, t; t = s; char *p = malloc(10); strcpy(p, "abc");\n'
    text += "if (n / d == -1234564 && n % d < 0 && strlen(p) == 3 && t.a[0] == 4)\n"
    text += " reach_error(); return 0; }"
    assert isinstance(natively(text, "reach_error();"), Reproduced)


@needs_gcc
@pytest.mark.parametrize("question", ["isnan", "isinf", "isinf_sign", "isfinite", "isnormal", "signbit"])
@pytest.mark.parametrize("type_", ["float", "double", "long double"])
def test_questions_about_numbers_that_gcc_answers_are_no_functions_of_a_name(question: str, type_: str) -> None:
    expected = "1" if question in ("isfinite", "isnormal") else "0"
    text = NONDET + f"int main(void) {{ {type_} x = 1;\n"
    text += f"if (!__builtin_{question}(x) == !{expected})\n reach_error(); return 0; }}"
    assert isinstance(natively(text, "reach_error();"), Reproduced)


@needs_gcc
@pytest.mark.parametrize(
    "text",
    [
        "extern int errno; int main(void) { errno = 4; if (errno == 4) reach_error(); return 0; }",
        "extern int signal_handlers(int); int main(void) { signal_handlers(1); reach_error(); return 0; }",
        "extern char interplay_heap[8]; int main(void) { if (!interplay_heap[0]) reach_error(); return 0; }",
        "int memcpy; int main(void) { if (!memcpy) reach_error(); return 0; }",
    ],
)
def test_names_of_the_harness_are_free(text: str) -> None:
    assert isinstance(natively(NONDET + text, "reach_error(); return"), Reproduced)


@needs_gcc
def test_the_compiler_may_divide_and_copy() -> None:
    text = NONDET + "struct s { int a[90]; }; long long rest(long long n, long long d) { return n % d; }\n"
    text += "int main(void) { struct s s = {{1}}, t; t = s; if (rest(-7000000001LL, 10) == -1 && t.a[0])\n"
    text += " reach_error(); return 0; }"
    assert isinstance(natively(text, "reach_error(); return"), Reproduced)


@needs_gcc
def test_nothing_but_the_program_runs(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    text = NONDET + f'int main(void) {{ system("touch {victim}"); fopen("{victim}", "w"); unlink("/");\n'
    text += "reach_error(); return 0; }"
    assert isinstance(natively(text, "reach_error();"), Reproduced)
    assert not victim.exists()


@needs_gcc
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('int main(void) { __asm__("nop");\n ERROR: return 0; }', "inline assembly"),
        (
            "struct s { int a[9]; }; struct s f(void);\nint main(void) { struct s x = f(); ERROR: return 0; }",
            "returns a struct",
        ),
        ("int main(void) { int n = 2; goto in; { int a[n]; in: a[0] = 1; } ERROR: return 0; }", "gcc refuses"),
    ],
)
def test_refused(text: str, reason: str) -> None:
    result = natively(text, "ERROR:")
    assert isinstance(result, NotAvailable)
    assert reason in result.reason


@needs_gcc
def test_an_error_function_behind_a_pointer_is_left_to_the_interpreter() -> None:
    text = NONDET + "int main(void) { void (*f)(void) = reach_error;\n (*f)(); return 0; }"
    result = either(text, "(*f)();")
    assert isinstance(result, Reproduced)
    assert result.by == "interpreter of typed C; no native replay: a.c:2:36: a pointer leads to reach_error"


@needs_gcc
def test_assembler_names_of_functions_are_dropped() -> None:
    text = NONDET + 'extern int other(void) __asm__("" "__isoc99_other") __attribute__((__nothrow__));\n'
    text += "int main(void) { if (other() == 0)\n reach_error(); return 0; }"
    assert isinstance(natively(text, "reach_error();"), Reproduced)


@pytest.mark.long
@needs_gcc
def test_limits() -> None:
    text = NONDET + "int main(void) { for (;;);\n reach_error(); }"
    assert natively(text, "reach_error();", limits=ProcessLimits(seconds=1)) == NotReproduced(
        "the replay does not end within its time limit"
    )
    text = NONDET + "void *malloc(unsigned); int main(void) { for (;;) malloc(1 << 20);\n reach_error(); }"
    assert natively(text, "reach_error();") == NotReproduced("the program asks for more memory than a replay has")
    text = NONDET + "int f(int n) { int a[1000]; a[n % 1000] = n; return f(n + 1) + a[0]; }\n"
    text += "int main(void) { f(0);\n reach_error(); }"
    result = natively(text, "reach_error();", limits=ProcessLimits(stack=10_000))
    assert result == NotReproduced("the program is killed by SIGSEGV before the error")


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    text = NONDET + "int main(void) {\n reach_error(); return 0; }"
    assert natively(text, "reach_error();") == NotAvailable("gcc is not installed")
    by = "interpreter of typed C; no native replay: gcc is not installed"
    assert either(text, "reach_error();") == Reproduced(by, Confirmer.INTERPRETER)


def test_limits_that_are_lower_already_are_no_errors_of_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "gcc").write_text("#!/bin/sh\necho 'error: it is tired' >&2; exit 1\n")
    (tmp_path / "gcc").chmod(0o755)
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (40, 40))\n"
        "from tests.unit.frontend.replay.test_replay import NONDET, natively\n"
        "print(natively(NONDET + 'int main(void) {\\n reach_error(); return 0; }', 'reach_error();'))"
    )
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PYTHONPATH": str(Path.cwd())}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert "gcc refuses the program: error: it is tired" in ran.stdout


def test_interpreter_alone() -> None:
    text = NONDET + "int main(void) {\n if (__VERIFIER_nondet_int() == 7)\n reach_error(); return 0; }"
    inputs = values(InputKind.NONDET, "__VERIFIER_nondet_int", text, "__VERIFIER_nondet_int() ==", [7])
    assert either(text, "reach_error();", inputs, Native.REFUSED) == Reproduced(
        "interpreter of typed C", Confirmer.INTERPRETER
    )
    result = either(text, "reach_error();", [], Native.REFUSED)
    assert isinstance(result, NotReproduced)
    assert "ends without the error" in result.reason


@needs_gcc
def test_native_comes_first() -> None:
    text = NONDET + "int main(void) {\n reach_error(); return 0; }"
    assert either(text, "reach_error();") == Reproduced("native replay (gcc -m32)", Confirmer.NATIVE_REPLAY)


@needs_gcc
def test_neither_confirms() -> None:
    text = NONDET + "int main(void) { double d = 1.5; if (d > 2)\n reach_error(); return 0; }"
    result = either(text, "reach_error();")
    assert isinstance(result, NotReproduced)
    assert "interpreter: the program ends without the error" in result.reason
    assert "native replay: the program ends without the error" in result.reason


@pytest.mark.parametrize(
    ("use", "is_confirmed"),
    [("if (atexit(s) == 7)\n reach_error();", False), ("(void) atexit(s);\n reach_error();", True)],
    ids=["used", "passed over"],
)
def test_no_violation_rests_on_a_result_that_c_determines(use: str, is_confirmed: bool) -> None:
    text = f'{NONDET}int atexit(const char *);\nint main(void) {{ const char *s = "1"; {use} return 0; }}'
    result = either(text, "reach_error();", values(InputKind.EXTERN, "atexit", text, "atexit(s)", [7]), Native.REFUSED)
    assert isinstance(result, Reproduced if is_confirmed else NotAvailable)


@needs_gcc
@pytest.mark.parametrize(
    ("count", "is_reached"),
    [(3, True), (2, False), (4, False), (100_000, False)],
)
def test_arguments_of_main(count: int, is_reached: bool) -> None:
    """`argv` leads to as many strings as `argc` says, those that were recorded among them, and to null behind them."""
    text = (
        "void reach_error(void);\nint main(int argc, char **argv) {\n"
        " if (argc == 3 && argv[0][0] && argv[1][1] == 'n' && !argv[2][0] && !argv[argc]) reach_error(); }"
    )
    argc = parse_program(text, "a.c", DataModel.ILP32).functions["main"].parameters[0]
    string = ArrayValue(0, dict(enumerate(b"-n")))
    inputs = [
        InputValue(InputKind.INDETERMINATE, argc.name, argc.span, 0, count),
        InputValue(InputKind.INDETERMINATE, ARGUMENT, point("", 0, 0), 1, string),
    ]
    assert isinstance(either(text, "reach_error(); }", inputs), Reproduced) is is_reached


@pytest.mark.parametrize(
    ("call", "returned", "is_made_up"),
    [
        ('printf("abc")', 7, True),
        ("fgets(b, 4, 0)", 0, False),
        ("fgets(b, 4, 0)", 16, True),
        ("time(b)", 3, True),
        ("time((void *) 0)", 3, False),
        ("read(0, b, 4)", 3, False),
        ("read(0, b, n)", 3, True),
        ("read(0, b, n)", -1, False),
        ("wcstol(b, 0, 0)", 3, True),
        ("getpid()", 3, True),
        ("__builtin_popcount(n)", 3, True),
        ("__fpclassify(n)", 3, True),
        ("rand()", 3, False),
        ("getchar()", 3, False),
        ("driver_state()", 3, False),
    ],
)
def test_results_of_the_library_are_not_made_up(call: str, returned: int, is_made_up: bool) -> None:
    name = call.partition("(")[0]
    type_ = "char *" if name == "fgets" else "long "
    text = f"void reach_error(void); {type_}{name}();\nint main(void) {{ char b[4]; int n = 4;\n"
    text += f"if ({call} == ({type_}) {returned})\n reach_error(); }}"
    inputs = values(InputKind.EXTERN, name, text, call, [returned])
    outcome = either(text, "reach_error(); }", inputs, Native.REFUSED)
    told = isinstance(outcome, NotAvailable) and outcome.reason
    assert bool(told and re.match(rf"what {name} does at a.c:\d+:\d+ is determined", told)) == is_made_up


@pytest.mark.parametrize(
    ("call", "is_made_up"),
    [("sprintf(b, 0)", True), ("fgets(b, 4, 0)", False), ("memset(b, 1, 0)", False), ("driver_fills(b)", False)],
)
def test_effects_of_the_library_are_not_made_up(call: str, is_made_up: bool) -> None:
    """A replay leaves out what the function writes."""
    text = f'void reach_error(void); void {call.partition("(")[0]}();\nint main(void) {{ char b[4] = "a";\n{call};'
    text += "\nif (b[0] == 'a')\n reach_error(); }"
    inputs = values(InputKind.INDETERMINATE, "memory1.int8", text, call, [0])
    outcome = either(text, "reach_error(); }", inputs, Native.REFUSED)
    assert isinstance(outcome, Reproduced) != is_made_up


@needs_gcc
def test_sections_are_left_out() -> None:
    """Data in a section for code could not be written to."""
    text = NONDET + 'int x __attribute__((unused, section(".text"))) = 1;\n'
    text += "int main(void) { x = __VERIFIER_nondet_int(); if (x == 7)\n reach_error(); return 0; }"
    inputs = values(InputKind.NONDET, "__VERIFIER_nondet_int", text, "__VERIFIER_nondet_int(); if", [7])
    assert isinstance(natively(text, "reach_error(); return", inputs), Reproduced)


@pytest.mark.parametrize(
    ("argv", "element", "is_confirmed"),
    [(1, None, False), (1, 0, True), (ELSEWHERE_AT + 64, 0, True), (ELSEWHERE_AT + 64, 5, False)],
    ids=["nowhere", "nowhere, and null", "null at the end", "an element that is no pointer"],
)
def test_null_pointers_are_not_those_that_main_gets(argv: int, element: int | None, is_confirmed: bool) -> None:
    """`argv[argc]` is null; `argv` and the elements before are not, and a replay makes what was not read so."""
    count = 0 if element == 0 else 1
    text = "int main(int argc, char **argv) {\n return argv[0][0]; }"
    main = parse_program(text, "a.c", DataModel.ILP32).functions["main"]
    inputs = [
        InputValue(InputKind.INDETERMINATE, one.name, one.span, 0, value)
        for one, value in zip(main.parameters, (count, argv), strict=True)
    ]
    if element is not None:
        bytes_ = {64 + k: element if k == 0 else 0 for k in range(4)}
        inputs.append(InputValue(InputKind.INDETERMINATE, ELSEWHERE, point("", 0, 0), 0, ArrayValue(0, bytes_)))
    unit, kinds = parse_program(text, "a.c", DataModel.ILP32), {CheckKind.NULL: "null"}
    check = Check(0, "null", 0, place(text, "argv[0][0]"), "")
    policy = error_policy(unit, UnreachCall(), kinds)
    result = confirm([SourceFile(unit.file, text)], unit, policy, check, inputs)
    assert isinstance(result, Reproduced if is_confirmed else NotReproduced)


@needs_gcc
def test_realloc_keeps_what_there_was_and_what_is_new_is_as_recorded() -> None:
    text = "void *malloc(unsigned), *realloc(void *, unsigned); int main(void) {\n"
    text += "int *h = malloc(8); h[1] = 11; h = realloc(h, 16);\n"
    text += "if (h[1] == 11 && h[3] == 77) reach_error(); return 0; }"
    inputs = values(InputKind.INDETERMINATE, CONTENTS, text, "realloc(h", [ArrayValue(0, {12: 77})])
    assert isinstance(natively(text, "reach_error();", inputs), Reproduced)


CHEATS = {
    "the start behind the start": ("int interplay_main(void) { reach_error(); return 0; }", ""),
    "the start of the process": ("void _start(void) { reach_error(); } void interplay_begin(void) { _start(); }", ""),
    "a report": ("void interplay_1(void) { reach_error(); }", "if (n == 1) reach_error();"),
    "a copy": ("void *memcpy(void *to, void *from, __SIZE_TYPE__ n) { reach_error(); return to; }", "copy = one;"),
    "a filling": ("void *memset(void *to, int c, __SIZE_TYPE__ n) { reach_error(); return to; }", ""),
    "a division": ("long long __divdi3(long long a, long long b) { reach_error(); return a; }", "n = n / (n + 3);"),
    "an assertion": (
        "void __assert_fail(const char *, const char *, unsigned, const char *); void abort(void) { reach_error(); }",
        '__assert_fail("", "", 1, "");',
    ),
    "a macro of gcc": ("#if !__STDC_HOSTED__\nint f = 1;\n#else\nint f;\n#endif\n", "if (f) reach_error();"),
    "a value of gcc": ("int g(void) { return __STDC_HOSTED__; }", "if (!g()) reach_error();"),
}
"""Definitions, and statements of main, by which a replay might reach an error that the program does not reach."""


@needs_gcc
@pytest.mark.parametrize("name", CHEATS)
def test_a_program_does_not_cheat_the_replay(name: str) -> None:
    before, statement = CHEATS[name]
    main = f"int main(void) {{ struct large copy = {{0}}; long long n = copy.c[1]; {statement} return 0; }}"
    text = f"{NONDET}struct large {{ char c[400]; }} one;\n{before}\n{main}\n"
    error = "reach_error(); " if "reach_error(); " in text else "reach_error();"
    found = natively(text, error)
    assert isinstance(found, NotReproduced)
    assert found.reason in ("the program ends without the error", "the program aborts before the error")


@needs_gcc
def test_two_readings_confirm_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        import_module("frontend.replay.native"),
        "replay",
        lambda *_: Reproduced("native replay", Confirmer.NATIVE_REPLAY),
    )
    found = either(f"{NONDET}int main(void) {{ if (__VERIFIER_nondet_int()) reach_error(); }}", "reach_error(); }")
    reason = "only the native replay reaches the error; interpreter: the program ends without the error"
    assert found == NotReproduced(reason)
