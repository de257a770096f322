"""Functions that end the program unless their argument holds: a call of one is an assumption where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.program.properties import NO_KINDS, CheckKind, Kinds
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from tests.support import prepared

HEAD = "extern void abort(void), exit(int); extern int __VERIFIER_nondet_int(void); void reach_error(void) {}\n"
MAIN = "int main(void) { int x = __VERIFIER_nondet_int(); f(x > 3); if (x <= LEAST) reach_error(); }"


def functions(text: str, kinds: Kinds = NO_KINDS) -> set[str]:
    return set(lower(parse_program(HEAD + text, "t.c", DataModel.ILP32), UnreachCall(), kinds=kinds).functions)


GUARDS = [
    "void f(int c) { if (!c) { abort(); } }",
    "static void f(_Bool c) { if (c == 0) exit(1); return; }",
    "void f(unsigned long c) { if (!c) abort(); else ; }",
]
OTHERS = [
    "void f(int c) { if (c) abort(); }",
    "void f(int c) { if (!(char) c) abort(); }",
    "void f(int c) { if (!c) abort(); c++; }",
    "void f(int c) { return; if (!c) abort(); }",
    "void f(int c) { if (!c) return; abort(); }",
    "void f(int c) { if (!c) { reach_error(); abort(); } }",
    "int f(int c) { if (!c) abort(); return 0; }",
    "int n; void f(int c) { if (!c) exit(n++); }",
    "void f(int c) { if (!c) abort(); } void (*p)(int) = f; int g(void) { p(0); return 0; }",
]


@pytest.mark.parametrize("guard", GUARDS)
def test_a_guard_is_no_function(guard: str, tmp_path: Path) -> None:
    assert "f" not in functions(guard + MAIN.replace("LEAST", "3"))
    for least, status in ((3, "true"), (4, "false")):
        (tmp_path / "t.c").write_text(HEAD + guard + MAIN.replace("LEAST", str(least)))
        assert prepared.verify(tmp_path / "t.c", engine="bmc", time_limit=30).status == status


@pytest.mark.parametrize("other", OTHERS)
def test_what_does_anything_else_is_one(other: str) -> None:
    assert "f" in functions(other + MAIN.replace("LEAST", "g()" if "g(" in other else "3"))


def test_where_undefined_behaviour_is_asked_for_all_functions_are_lowered() -> None:
    text = GUARDS[0] + MAIN.replace("LEAST", "3")
    assert "f" in functions(text, {CheckKind.OVERFLOW: "no-overflow"})


def test_a_guard_that_is_called_was_examined(tmp_path: Path) -> None:
    text = "#include <assert.h>\nvoid abort(void); void f(int c) { if (!c) abort(); } int g(void);\n"
    (tmp_path / "t.c").write_text(text + "int main(void) { int x = g(); f(x > 3); assert(x); return 0; }")
    assert "not examined" not in prepared.run("verify", tmp_path / "t.c").stdout


def test_a_program_may_start_with_a_guard() -> None:
    assert "main" in functions("void main(int c) { if (!c) abort(); }")
