"""Programs with floating-point numbers, decided bit by bit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import interplay
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.lowering.context import FITTING
from frontend.replay.native import machine, sse
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel
from tests.support import prepared
from tests.unit.interplay.session.float_programs import MAIN, WHOLE

HEAD = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
void reach_error(void) {}
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
struct reading { double value; int count; float parts[2]; };
union bits { double number; unsigned char bytes[8]; };
double half(int x) { return x / 2.0; }
"""

PROVED = {
    "one character": 'float f = 0; scanf("%1f", &f); if (!(f >= 0 && f <= 9)) reach_error();',
    "large": "if (!((long double) n < 1e4900L) || n + 1.0L > 1e4000L) reach_error();",
    "comparison": "int r = d < 1.5; if (r < 0 || r > 1) reach_error();",
    "condition": "if (d) n = 1; else n = 2; if (n != 1 && n != 2) reach_error();",
    "negation": "n = !d + !!d; if (n > 2) reach_error();",
    "operators": "n = d && n ? 3 : d || n; if (n > 3 || n < 0) reach_error();",
    "loop": "n = 0; for (double x = 0; x < 3 && n < 5; x += 0.5) n++; if (n > 5) reach_error();",
    "member": "struct reading a = {1.5, n}, b = a; b.parts[1] = a.value; if (b.count != n) reach_error();",
    "effects": "n = 1; int r = half(n++) > 0; if (n != 2) reach_error();",
    "narrow": "unsigned char c = d; if (c > 255) reach_error();",
    "update": "unsigned char c = 1; c *= d; c += 0.5; if (c > 255) reach_error();",
    "copy": "struct open { int n; double d; int data[]; } *p = malloc(sizeof(struct open) + 8), q; "
    "p->n = n; p->data[0] = 7; q = *p; *p = q; if (p->data[0] != 7 || q.n != n) reach_error();",
    "beside": "union bits u; u.number = d; u.bytes[0] = 1; if (u.bytes[0] != 1) reach_error();",
}
VIOLATED = {
    "comparison": "if (d > 0.5) reach_error();",
    "conversion": "if ((int) d == 7) reach_error();",
    "update": "n = 1; n += d; if (n == 7) reach_error();",
    "call": "if (half(n) == 3) reach_error();",
    "not a number": "if (d != d) reach_error();",
    "infinite": "if (d > 1 && d == 2 * d) reach_error();",
    "scanned": 'float f = 1; scanf("%lf %f", &d, &f); if (f == 0.25f) reach_error();',
    "read": "float f = 1; fread(&f, sizeof f, 1, stdin); if (f == 0.25f) reach_error();",
    "negative zero": "union bits u; u.number = d; if (d == 0 && u.bytes[7] == 0x80) reach_error();",
    "rounding": "float f = d; if (f != d && d == d) reach_error();",
    "array": "double a[2]; if (a[1] == 0.25) reach_error();",
    "heap": "double *p = malloc(sizeof *p); if (p && *p == -1.5) reach_error();",
}


def verdict(body: str, folder: Path, **options: object) -> interplay.RunVerdict:
    text = (
        f"{HEAD}int main(void) {{ double d = __VERIFIER_nondet_double(); int n = __VERIFIER_nondet_int(); {body} }}\n"
    )
    (folder / "t.c").write_text(text)
    return prepared.verify(folder / "t.c", time_limit=30, **options)


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", PROVED)
def test_what_holds_of_all_numbers_is_proved(name: str, tmp_path: Path) -> None:
    assert verdict(PROVED[name], tmp_path, engine="bmc").status == "true"


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", VIOLATED)
def test_a_violation_has_the_number(name: str, tmp_path: Path) -> None:
    assert verdict(VIOLATED[name], tmp_path, engine="bmc").status == "false"


PROGRAMS = {**WHOLE, **{name: f"int main(void) {{ {body} return 0; }}" for name, body in MAIN.items()}}
MACHINES = {str(one): (*machine(one), *sse(one)) for one in (DataModel.LP64, DataModel.ILP32)}


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("model", MACHINES)
def test_programs_do_what_gcc_makes_them_do(name: str, model: str, tmp_path: Path) -> None:
    source, program = tmp_path / "t.c", tmp_path / "program"
    source.write_text(f"#include <assert.h>\n{PROGRAMS[name]}\n")
    flags = [*MACHINES[model], "-w", "-O0", "-ffp-contract=off"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(program), "-lm"], check=True)
    subprocess.run([str(program)], check=True)
    engine = "bmc" if name in BY_PROOF else "concrete"
    assert prepared.verify(source, engine=engine, data_model=model, time_limit=30).status == "true"


BY_PROOF = ("zeros are equal", "bytes of a double", "the bits of a NaN", "structs", "comparisons as numbers")
"""Programs for which an invariant is sought, too, instead of the execution."""


def test_a_replay_rounds_what_is_converted_twice(tmp_path: Path) -> None:
    body = "long long w = n; if (n > 16777216 && (long double) (float) w == w + 1.0L) reach_error();"
    found = verdict(body, tmp_path, engine="bmc", data_model="ILP32")
    assert (found.status, found.confirmed_by) == ("false", "native replay (gcc -m32)")


@pytest.mark.parametrize(
    ("engine", "condition", "status"),
    [
        ("bmc", "(int) d != n", "true"),
        ("bmc", "d * d * 0.1 == 1.6", "false"),
        ("transition", "d * d * 0.1 == 1.6", "false"),
    ],
)
def test_arguments_without_bounds_do_not_matter(engine: str, condition: str, status: str, tmp_path: Path) -> None:
    body = f"int n = __VERIFIER_nondet_int(); double d = n; if ({condition}) reach_error(); return 0;"
    (tmp_path / "t.c").write_text(f"{HEAD}int main(int argc, char **argv) {{ {body} }}")
    assert prepared.verify(tmp_path / "t.c", engine=engine, time_limit=30).status == status


def test_conversions_are_assumed_to_fit(tmp_path: Path) -> None:
    assert FITTING in verdict("n = d; if (n != n) reach_error();", tmp_path, engine="bmc").assumptions


def test_the_access_of_a_number_is_checked(tmp_path: Path) -> None:
    body = "double a[3]; a[0] = 1; if (n >= 0 && n < {}) d = a[n]; if (d > 1) n = 2;"
    assert verdict(body.format(3), tmp_path, engine="bmc", check=("bounds",)).status == "true"
    assert verdict(body.format(4), tmp_path, engine="bmc", check=("bounds",)).status == "false"


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("d < 0 && signbit(d) == 1", "unknown"),
        ("d < 0 && signbit(d) == 0", "true"),
        ("d < 0 && signbit(d)", "false"),
        ("scalb(1.5, 2.0) != 6", "unknown"),
        ("significand(12.0) != 1.5", "true"),
        ("sin(d) > 1", "true"),
        ("sin(d) > 0.5", "unknown"),
        ("fmin(-0.0, 0.0) != 0", "true"),
        ("sqrt(d) == 1.5 && floor(d) == 2", "false"),
        ("d > 2 && d < 1e9 && lround(d) < 2", "true"),
    ],
)
def test_no_violation_rests_on_what_libraries_choose(condition: str, status: str, tmp_path: Path) -> None:
    found = verdict(f"if ({condition}) reach_error();", tmp_path, engine="bmc")
    assert found.status.lower() == status


def test_a_function_that_gcc_knows_needs_no_declaration(tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text("void reach_error(void); int main(void) { if (y0(2.0) != 0.5) reach_error(); }")
    assert prepared.verify(tmp_path / "t.c", engine="concrete", time_limit=30).status == "unknown"


WORDS = (
    "union words { double d; unsigned w[2]; }; unsigned low(double x) { union words u; u.d = x; return u.w[0]; } "
    "int twice(double x) { union words u, v; u.d = x; v.d = x; "
    "return (u.w[1] & 0x7fffffff) > 0x7ff00000 - (v.w[0] != 0); } "
)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("if (d != d && !twice(d)) reach_error();", "true"),
        ("while (n-- > 0) { d = __VERIFIER_nondet_double(); if (d != d && !twice(d)) reach_error(); }", "true"),
        ("if (d == d && twice(d)) reach_error();", "true"),
        # Another NaN may have other bits: nothing is proved of both, and none is a violation.
        ("double e = __VERIFIER_nondet_double(); if (d != d && e != e && low(d) != low(e)) reach_error();", "unknown"),
        ("union words u, v; u.d = d; d = __VERIFIER_nondet_double(); v.d = d; if (u.d != u.d && d != d && "
         "u.w[0] != v.w[0]) reach_error();", "unknown"),
    ],
)  # fmt: skip
def test_a_variable_that_is_nan_has_the_same_bits_until_it_is_assigned(body: str, status: str, tmp_path: Path) -> None:
    text = (
        f"{HEAD}{WORDS}int main(void) {{ double d = __VERIFIER_nondet_double(); int n = __VERIFIER_nondet_int(); "
        f"{body} }}\n"
    )
    (tmp_path / "t.c").write_text(text)
    assert prepared.verify(tmp_path / "t.c", engine="bmc", time_limit=30).status.lower() == status


@pytest.mark.parametrize("function", ["fesetround(0x400)", "fesetenv(0)"])
def test_other_roundings_are_refused(function: str) -> None:
    text = f"extern int {function.partition('(')[0]}(); int main(void) {{ return {function}; }}"
    with pytest.raises(Unsupported, match="rounded"):
        lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall())


@pytest.mark.parametrize(("engine", "limit"), [("chc", "knows only bounds"), ("eureka", "no linear relation")])
def test_an_engine_says_what_it_cannot_do_with_arithmetic(engine: str, limit: str, tmp_path: Path) -> None:
    found = verdict("if (d > 1 && d < 4 && d * d == 2) reach_error();", tmp_path, engine=engine)
    assert found.status == "unknown"
    assert limit in found.reason
    found = verdict("if (d > 1 && d < 4 && d + 1 > 6) reach_error();", tmp_path, engine=engine)
    assert found.status == "true"


def test_the_conversion_of_a_number_that_does_not_fit_is_found(tmp_path: Path) -> None:
    found = verdict("unsigned char c = d;", tmp_path, engine="bmc", check=("float-conversion",))
    assert found.status == "false"
    fitting = verdict("if (d > -1 && d < 256) n = (unsigned char) d;", tmp_path, check=("float-conversion",))
    assert fitting.status == "true"
