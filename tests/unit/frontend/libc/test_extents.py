"""Tests of the memory that functions of the C library access: found where it does not suffice, proved where it does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from core.verdict import Verdict
from interplay.session.request import ReplayMode, Request
from tests.support.verdicts import bare_verdict
from tests.unit.frontend.libc.extents import ExtentCase, extent_cases

CASES = tuple(extent_cases())
SOME = tuple(one for one in CASES if one.name in ("scanf %10s", "scanf value", "printf %s", "read", "stat", "time"))
KINDS = ("bounds", "const", "dangling", "null", "uninitialized")
SEEN = tuple(one for one in CASES if one.typed is not None)
OPTIONS = ("-w", "-O0", "-fno-builtin", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def named(case: ExtentCase) -> str:
    return case.name


def verdict(text: str, folder: Path, *kinds: str, engine: str = "bmc") -> Verdict:
    """The verdict about a program, in this process."""
    path = folder / "program.c"
    path.write_text(text)
    request = Request(str(path), None, engine=engine, replay=ReplayMode.INTERPRETER, checks=kinds)
    return bare_verdict(request)


def is_found(case: ExtentCase, folder: Path) -> bool:
    found = verdict(case.program(False), folder, *KINDS, engine=case.engine)
    is_confirmed = found.confirmed_by == "interpreter of typed C"
    return found.status.value == case.wrong_is and is_confirmed is (case.wrong_is == "false")


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("case", SOME, ids=named)
def test_some_that_suffice_and_do_not(case: ExtentCase, tmp_path: Path) -> None:
    assert is_found(case, tmp_path)
    assert str(verdict(case.program(True), tmp_path, *KINDS)) == "true"


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=named)
def test_what_does_not_suffice_is_found(case: ExtentCase, tmp_path: Path) -> None:
    assert is_found(case, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=named)
def test_what_suffices_is_proved(case: ExtentCase, tmp_path: Path) -> None:
    found = verdict(case.program(True), tmp_path, *KINDS, engine=case.engine)
    assert str(found) == "true"


@pytest.mark.slow
@pytest.mark.parametrize("case", SEEN, ids=named)
def test_the_address_sanitizer_agrees(case: ExtentCase, tmp_path: Path) -> None:
    assert case.typed is not None
    for is_right in (True, False):
        source, binary = tmp_path / "program.c", tmp_path / "program"
        source.write_text(case.program(is_right))
        subprocess.run(["gcc", *OPTIONS, "-o", binary, source, "-lm"], check=True)
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:strict_string_checks=1"}
        run = subprocess.run([binary], input=case.typed.encode(), capture_output=True, timeout=60, env=environment)
        reports = b"ERROR: AddressSanitizer" in run.stderr or b"runtime error" in run.stderr
        assert reports is not is_right


def test_functions_that_take_no_pointers_access_nothing(tmp_path: Path) -> None:
    found = verdict("int close(int); int main(void) { close(1); return 0; }", tmp_path, "dangling")
    assert not any("accesses" in one for one in found.assumptions)


@pytest.mark.parametrize(
    "body",
    ["int x; use(&x);", "char b[4]; (*(x ? scanf : scanf))(f, b);", "char b[4]; scanf(f, b);", 'printf(f, "a");'],
)
def test_what_nothing_is_known_of_is_assumed(body: str, tmp_path: Path) -> None:
    declared = "int scanf(const char *, ...), printf(const char *, ...); void use(int *); extern char *f; extern int x;"
    text = f"{declared} int main(void) {{ {body} int *p = &x; return *p; }}"
    found = verdict(text, tmp_path, "dangling")
    assert any("accesses living objects only" in one for one in found.assumptions)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("char b[8]; ssize_t n = read(0, b, 8); if (n > 8) reach_error();", "true"),
        ("char b[8]; int k = getchar(); if (k >= 0 && k < 8 && read(0, b, k) > k) reach_error();", "true"),
        ("int b[8]; if (fread(b, 4, 8, stdin) > 8) reach_error();", "true"),
        ("int b[8]; if (fread(b, 4, 8, stdin) == 8) reach_error();", "false(unreach-call)"),
        ("struct stat s; if (stat(\".\", &s) > 0) reach_error();", "true"),
        ("char b[8]; char *p = getcwd(b, 8); if (p != 0 && p != b) reach_error();", "true"),
        ("int x = 0; if (scanf(\"%d\", &x) < 1 && x != 0) reach_error();", "true"),
        ("int x = 0; if (scanf(\"%d\", &x) == 1 && x == 77) reach_error();", "false(unreach-call)"),
        ("char b[4]; if (scanf(\"%3s\", b) == 1 && b[0] == 'a' && b[1] == 0) reach_error();", "false(unreach-call)"),
        ("int x; if (scanf(\"%1d\", &x) == 1 && (x < 0 || x > 9)) reach_error();", "true"),
        ("int x; if (scanf(\"%2d\", &x) == 1 && x == -9) reach_error();", "false(unreach-call)"),
        ("unsigned x; if (scanf(\"%2x\", &x) == 1 && x > 255 && x < -15u) reach_error();", "true"),
        ("unsigned x; if (scanf(\"%2x\", &x) == 1 && x == -15u) reach_error();", "false(unreach-call)"),
        ("long long x; if (scanf(\"%19llu\", &x) == 1 && x == -1000000000000000000) reach_error();", "unknown"),
        ("double x; if (scanf(\"%5lf\", &x) == 1 && x == 0.1 + 0.2) reach_error();", "unknown"),
        ("float x; if (scanf(\"%2f\", &x) == 1 && !(x >= -9 && x <= 99)) reach_error();", "true"),
        ("char c; if (scanf(\" %c\", &c) == 0) reach_error();", "true"),
        ("char c; int x; if (scanf(\"%d%c\", &x, &c) == 0) reach_error();", "false(unreach-call)"),
        ("char c; int n = 5; if (scanf(\"%c%n\", &c, &n) == 1 && n != 1) reach_error();", "true"),
        ("int x, n = 0; if (scanf(\"%d%n\", &x, &n) == 1 && n < 1) reach_error();", "true"),
        ("int x, n = 0; if (scanf(\"%d,%n\", &x, &n) == 1 && n < 1) reach_error();", "false(unreach-call)"),
        ("int x, n; if (scanf(\"%d%n\", &x, &n) == 1 && x > 99 && n < 3) reach_error();", "unknown"),
        ("int x; char c; if (scanf(\"%d%c\", &x, &c) == 2 && c >= '0' && c <= '9') reach_error();", "true"),
        ("int x; char c; if (scanf(\"%d%c\", &x, &c) == 2 && c == 'x') reach_error();", "false(unreach-call)"),
        ("float x; char c; if (scanf(\"%f%c\", &x, &c) == 2 && c == '7') reach_error();", "unknown"),
        ("char b[4]; if (scanf(\"%3s\", b) == 1 && b[0] == ' ') reach_error();", "true"),
        ("char b[4]; if (scanf(\"%3[0-9]\", b) == 1 && b[0] > '9') reach_error();", "true"),
        ("char b[4]; if (scanf(\" %3[^\\n]\", b) == 1 && b[1] == ' ') reach_error();", "false(unreach-call)"),
    ],
)  # fmt: skip
@pytest.mark.long
def test_results_are_those_of_the_contract(body: str, expected: str, tmp_path: Path) -> None:
    text = "#include <stdio.h>\n#include <unistd.h>\n#include <sys/stat.h>\nvoid reach_error(void);\n"
    assert str(verdict(f"{text}int main(void) {{ {body} return 0; }}", tmp_path, *KINDS)) == expected


def test_output_is_no_input(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint main(void) { char b[2] = "a"; printf("%s\\n", b); puts(b); return 0; }\n'
    found = verdict(text, tmp_path, *KINDS, engine="concrete")
    assert str(found) == "true"


@pytest.mark.parametrize(
    "body",
    [
        "scanf();",
        "printf(p);",
        'printf("%s");',
        'scanf("%d", 5);',
        'scanf("%d%d", &x);',
        'scanf("%", p);',
        'scanf("%[", p);',
        'printf("%", p);',
        'printf("%1$s", p);',
        "read(0);",
        "read(0, p, p);",
        "stat(5);",
        "error(p);",
        "strftime(p);",
        "time();",
        "fread(p, 0, 0, p);",
        "frexp(p, p);",
    ],
)
def test_calls_that_fit_no_row_are_read(body: str, tmp_path: Path) -> None:
    declared = "int scanf(), printf(), read(), stat(), error(), strftime(), time(), fread(), frexp();"
    text = f"{declared} int main(void) {{ int x; char b[2] = {{0}}, *p = b; {body} return 0; }}\n"
    assert str(verdict(text, tmp_path, *KINDS)).partition("(")[0] in ("true", "false", "unknown")
