"""Programs that call the C library: gcc with the real one, the interpreter of typed C, and the lowered program."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from core.program import Input, InputKind
from core.program.orders import ORDER
from core.program.simulate import Ended, Reached, simulate
from core.program.span import Span
from core.terms import INT, ArraySort, ArrayValue, Value
from core.verdict import InputValue, Safe, Unsafe
from frontend import interpreter
from frontend.api import parse_program
from frontend.interpreter import CONTENTS, ErrorReached, Inputs
from frontend.lowering import UnreachCall, lower
from frontend.options import SourceFile
from frontend.properties.errors import policy
from frontend.replay.confirm import confirm
from frontend.replay.native import replay
from frontend.replay.results import NotReproduced, Reproduced
from frontend.typed.ctype import DataModel
from methods.engines.bmc.engine import BmcEngine
from tests.support.contexts import RecordingContext
from tests.unit.frontend.lowering.gcc_programs import PRELUDE
from tests.unit.frontend.lowering.test_against_gcc import MAIN, _Environment

_, *_SECTIONS = Path(__file__).with_name("programs.c").read_text(encoding="utf-8").split("//! ")
PROGRAMS = {name: body for name, _, body in (section.partition("\n") for section in _SECTIONS)}
VALUES = ((0, 0), (1, 3), (7, -1), (-5, 3), (300, 200), (65, 97), (48, 9), (-(2**31), 1))
DECLARED = """
typedef __SIZE_TYPE__ size_t;
void *malloc(size_t); void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t); int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t); size_t strlen(const char *); size_t strnlen(const char *, size_t);
char *strcpy(char *, const char *); char *stpcpy(char *, const char *); char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *); char *strncat(char *, const char *, size_t);
int strcmp(const char *, const char *); int strncmp(const char *, const char *, size_t);
int strcasecmp(const char *, const char *); int strncasecmp(const char *, const char *, size_t);
char *strchr(const char *, int); char *strrchr(const char *, int); char *strstr(const char *, const char *);
size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *); char *strdup(const char *); char *strndup(const char *, size_t);
int isdigit(int); int islower(int); int isupper(int); int isalpha(int); int isalnum(int); int isxdigit(int);
int isblank(int); int isspace(int); int iscntrl(int); int isprint(int); int isgraph(int); int ispunct(int);
int tolower(int); int toupper(int); int abs(int); long labs(long); long long llabs(long long);
int atoi(const char *); long atol(const char *); long long atoll(const char *);
void *memrchr(const void *, int, size_t); void *mempcpy(void *, const void *, size_t);
void *memccpy(void *, const void *, int, size_t); void *memmem(const void *, size_t, const void *, size_t);
char *strchrnul(const char *, int); char *strcasestr(const char *, const char *);
int strcoll(const char *, const char *); size_t strxfrm(char *, const char *, size_t);
int isascii(int); int toascii(int);
char *strtok(char *, const char *); char *strtok_r(char *, const char *, char **); char *strsep(char **, const char *);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int);
typedef struct { int quot, rem; } div_t; typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
div_t div(int, int); ldiv_t ldiv(long, long); lldiv_t lldiv(long long, long long);
int snprintf(char *, size_t, const char *, ...); int sprintf(char *, const char *, ...);
int sscanf(const char *, const char *, ...); int vsscanf(const char *, const char *, __builtin_va_list);
int vsnprintf(char *, size_t, const char *, __builtin_va_list); int asprintf(char **, const char *, ...);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
"""
SIZE = {DataModel.ILP32: "unsigned int", DataModel.LP64: "unsigned long"}

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    """The results of the functions with the real library."""
    folder = tmp_path_factory.mktemp("programs")
    flags = ["-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-fno-builtin"]
    main = "int printf(const char *, ...);\nint main(void) {\n"
    for i, (name, body) in enumerate(PROGRAMS.items()):
        own = "#define isdigit own\n" if "int isdigit(int c)" in body else ""
        (folder / f"{name}.c").write_text(f"#define F F{i}\n{own}{DECLARED}{body}")
        calls = (f'printf("%lld\\n", F{i}({a + 1} - 1, {b}));\n' for a, b in VALUES)
        main = f"long long F{i}(int, int);\n{main}{''.join(calls)}"
    (folder / "main.c").write_text(main + "return 0; }\n")
    files = [f"{name}.c" for name in PROGRAMS]
    subprocess.run(["gcc", *flags, "main.c", *files, "-o", "all"], cwd=folder, check=True)
    ran = subprocess.run([folder / "all"], capture_output=True, text=True, check=True)
    results, size = [int(one) for one in ran.stdout.split()], len(VALUES)
    return {name: results[i * size : (i + 1) * size] for i, name in enumerate(PROGRAMS)}


def checked(name: str, results: list[int], model: DataModel) -> str:
    """A program that reaches the error at its end where all results are right, and none before."""
    calls = "".join(
        f"if (F({a + 1} - 1, {b}) != {value}ll) abort();\n" for (a, b), value in zip(VALUES, results, strict=True)
    )
    declared = DECLARED.replace("__SIZE_TYPE__", SIZE[model])
    return f"{PRELUDE}{declared}{PROGRAMS[name]}int main(void) {{ {calls} reach_error(); }}\n"


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_lowered(name: str, expected: dict[str, list[int]]) -> None:
    declared = DECLARED.replace("__SIZE_TYPE__", SIZE[DataModel.LP64])
    program = lower(parse_program(PRELUDE + declared + PROGRAMS[name] + MAIN, "t.c", DataModel.LP64), UnreachCall())
    assert not program.warnings
    for (a, b), value in zip(VALUES, expected[name], strict=True):
        outcome = simulate(program, _Environment(a, b), 50_000)
        match outcome:
            case Ended(values):
                assert values["result"] == value, (a, b)
            case _:
                pytest.fail(f"{outcome} at {a}, {b}")


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64])
@pytest.mark.parametrize("name", PROGRAMS)
def test_interpreted(name: str, model: DataModel, expected: dict[str, list[int]]) -> None:
    unit = parse_program(checked(name, expected[name], model), "t.c", model)
    outcome = interpreter.run(unit, policy(UnreachCall(), frozenset({"reach_error"})), Inputs())
    assert isinstance(outcome, ErrorReached), outcome


# No native replay for an undefined function that returns a struct.
REPLAYED = [name for name, body in PROGRAMS.items() if "div_t d" not in body]


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize("name", REPLAYED)
def test_replayed(name: str, expected: dict[str, list[int]]) -> None:
    text = checked(name, expected[name], DataModel.LP64)
    unit = parse_program(text, "t.c", DataModel.LP64)
    errors = policy(UnreachCall(), frozenset({"reach_error"}))
    span = next(one.span for one in lower(unit, UnreachCall()).checks)
    assert span.line == text.count("\n")
    assert isinstance(replay([SourceFile(unit.file, text)], unit, errors, span, list[InputValue]()), Reproduced)


@pytest.mark.parametrize(
    ("sizes", "reached"),
    [((2, 4), True), ((3, 4), True), ((4, 2), True), ((1, 4), False), ((2, 1), False), ((0, 4), False)],
)
def test_realloc_keeps_what_there_was(sizes: tuple[int, int], reached: bool) -> None:
    """Memory holds ones where nothing was written."""
    text = f"""{PRELUDE}typedef unsigned long size_t; void *malloc(size_t); void *realloc(void *, size_t);
    int main(void) {{ int *p = malloc({sizes[0]} * sizeof(int)); for (int i = 0; i < {sizes[0]}; i++) p[i] = i + 3;
    int *q = realloc(p, {sizes[1]} * sizeof(int));
    if (q[0] == 3 && q[1] == 4 && q != p && realloc(0, 4) != q) reach_error(); }}"""

    def draw(asked: Input) -> Value:
        return ArrayValue(1) if isinstance(asked.symbol.sort, ArraySort) else 0

    found = simulate(lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall()), draw, 1_000)
    assert isinstance(found, Reached) is reached


@pytest.mark.parametrize("call", ["strdup(t)", "realloc(strdup(t), 4)", "calloc(4, 1)"])
def test_contents_recorded_for_an_allocation_inside_replace_nothing(call: str) -> None:
    """What a body reads of its new object before the copy is no input of the real function."""
    text = f"""{PRELUDE}{DECLARED.replace("__SIZE_TYPE__", "unsigned long")}
void *realloc(void *, size_t); void *calloc(size_t, size_t);
int main(void) {{ char t[] = "ab"; char *p = {call}; if (p[0] != 'a' && p[0] != 0) reach_error(); }}\n"""
    unit = parse_program(text, "t.c", DataModel.LP64)
    errors = policy(UnreachCall(), frozenset({"reach_error"}))
    check = lower(unit, UnreachCall()).checks[0]
    lines = text.split("\n")
    line = next(i for i, one in enumerate(lines) if call in one)
    column = lines[line].index(call) + 1
    place = Span("t.c", line + 1, column, line + 1, column)
    recorded = [InputValue(InputKind.INDETERMINATE, CONTENTS, place, 0, ArrayValue(0, {0: 120}))]
    assert isinstance(confirm([SourceFile(unit.file, text)], unit, errors, check, recorded), NotReproduced)


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize(
    ("statements", "is_confirmed"),
    [
        ("if (fgets(t, 4, stdin) && t[0] == 'a' && t[2] == 'c') reach_error();", True),
        ("if (fgets(t, 4, stdin) && strlen(t) > 3) reach_error();", None),
        ("if (getline(&p, &n, stdin) == 2 && p[1] == 'x' && n > 2) reach_error();", True),
        ("if (read(0, t, 3) == 2 && t[1] == 'x' && t[2] == 0) reach_error();", True),
        ("if (read(0, t, 2) > 2 || t[2] || t[3]) reach_error();", None),
        ("if (read(0, t, 3) == 2 && t[2]) reach_error();", None),
        ("if (recv(0, &n, sizeof n, 0) == sizeof n && n == 300) reach_error();", True),
        ("if (fread(t, 2, 2, stdin) == 1 && t[1] == 'x' && t[3] == 0) reach_error();", True),
        ("if (fread(t, 1, 3, stdin) > 3 || t[3]) reach_error();", None),
        ("if (strlen(strerror(1)) > 2) reach_error();", False),
        ("if (strlen(strerror(1)) > 63) reach_error();", None),
        ('sprintf(t, "%.1f", 2.5); if (t[0] != 50) reach_error();', False),
        ('snprintf(t, 4, "%p", t); if (t[3] != 0) reach_error();', None),
    ],
)
def test_input_is_arbitrary_text(statements: str, is_confirmed: bool | None) -> None:
    """What comes from outside is confirmed, what only the C library knows is not."""
    text = f"""#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
{PRELUDE}int main(void) {{ char t[4] = "", *p = 0; size_t n = 0; {statements} }}\n"""
    unit = parse_program(text, "t.c", DataModel.LP64)
    program = lower(unit, UnreachCall())
    (found,) = BmcEngine().run(program, [0], RecordingContext()).values()
    assert isinstance(found, Unsafe) is (is_confirmed is not None)
    if isinstance(found, Unsafe):
        errors = policy(UnreachCall(), frozenset({"reach_error"}))
        confirmed = confirm([SourceFile(unit.file, text)], unit, errors, program.checks[0], found.inputs)
        assert isinstance(confirmed, Reproduced) is is_confirmed, confirmed


def test_calls_that_leave_any_errno_have_the_order_of_calls() -> None:
    """What they do to errno is a part of the call; a read of errno beside it comes before or after it."""
    text = """#include <errno.h>
#include <math.h>
int main(void) {{ double d = errno; d = sin(d) + {}; return errno; }}"""
    chosen = []
    for other in ("cos(d)", "errno"):
        program = lower(parse_program(text.format(other), "t.c", DataModel.LP64), UnreachCall())
        chosen.append(any(one.name == ORDER for one in program.inputs.values()))
    assert chosen == [False, True]


def test_what_math_h_tells_of_numbers_is_what_they_are() -> None:
    text = """#include <math.h>
extern void reach_error(void); int main(void) {{ double d = HUGE_VAL; float f = INFINITY; if ({}) reach_error(); }}"""
    conditions = {
        "isnan(d) || signbit(f) > 1": Safe,
        "__builtin_isinf(d)": Unsafe,
        "isless(d, f)": Safe,
        "fpclassify(f) == FP_NAN": Safe,
        "sin(d) > 1 || exp(f) < 0": Safe,
        "log(d) > 1": Unsafe,  # any value
    }
    for condition, expected in conditions.items():
        program = lower(parse_program(text.format(condition), "t.c", DataModel.LP64), UnreachCall())
        (found,) = BmcEngine().run(program, [0], RecordingContext()).values()
        assert isinstance(found, expected), condition


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("", 0),
        ('strtol("99999999999999999999999", 0, 10);', 34),
        ('strtol("7", 0, 1);', 22),
        ('errno = 5; strtol("7", 0, 10); strlen("a");', 5),
        ('fopen("f", "r");', None),
    ],
)
def test_errno_is_what_functions_leave(statement: str, expected: int | None) -> None:
    """It is zero at first (C11 7.5); a function without body leaves any value."""
    text = f"""{PRELUDE}extern int errno; typedef unsigned long size_t; size_t strlen(const char *);
    long strtol(const char *, char **, int); void *fopen(const char *, const char *);
    int main(void) {{ {statement} if (errno == {33 if expected is None else expected}) reach_error(); }}"""

    def draw(asked: Input) -> Value:
        return 33 if asked.name == "__VERIFIER_nondet_errno" else ArrayValue(1) if asked.symbol.sort != INT else 1

    found = simulate(lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall()), draw, 1_000)
    assert isinstance(found, Reached)
