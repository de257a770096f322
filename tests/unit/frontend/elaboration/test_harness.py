"""Harnesses of other tools: assumptions, assertions, and what asks about memory."""

import pytest

from core.engines.bmc.engine import BmcEngine
from core.verdict import Safe, Unsafe
from frontend.api import parse_program, parse_sources
from frontend.interpreter import AssumptionViolated, ErrorReached, Exited, Inputs, run
from frontend.lowering.unit import lower
from frontend.options import SourceFile
from frontend.replay.confirm import interpret
from frontend.replay.native import Reproduced
from frontend.replay.policy import error_policy
from frontend.typed.ctype import DataModel
from frontend.typed.tree import TranslationUnit
from tests.support.contexts import RecordingContext


def outcome(text: str) -> type:
    unit = parse_program(text, "a.c", DataModel.LP64)
    lower(unit, None)
    return type(run(unit, error_policy(unit, None), Inputs.of([])))


@pytest.mark.parametrize("name", ["__CPROVER_assume", "klee_assume"])
def test_assumptions(name: str) -> None:
    assert outcome(f"int main(void) {{ int *p = 0; {name}(p); return 0; }}") is AssumptionViolated
    assert outcome(f"int main(void) {{ int x = 3; {name}(x > 2); return 0; }}") is Exited
    assert outcome(f"static void {name}(int x) {{ }} int main(void) {{ {name}(0); return 0; }}") is Exited


@pytest.mark.long
@pytest.mark.parametrize("header", ["", '#include "klee/klee.h"\n'])
@pytest.mark.parametrize(
    ("body", "can_fail"),
    [
        ('int x = 0; klee_make_symbolic(&x, sizeof x, "x"); assert(x != 77);', True),
        (
            'char t[4]; klee_make_symbolic(t, sizeof t, "t"); klee_assume(t[1] > 3); assert(t[1] != 5);',
            True,
        ),
        ('struct s { short a; int b[2]; } s; klee_make_symbolic(&s, sizeof s, "s"); assert(s.b[1] != -7);', True),
        ('int x[3] = {1, 2, 3}; klee_make_symbolic(x, 8, "x"); assert(x[2] == 3);', False),
        ('unsigned char x; klee_make_symbolic(&x, 1, "x"); assert(x < 256);', False),
    ],
)
def test_objects_that_klee_makes_symbolic(header: str, body: str, can_fail: bool) -> None:
    unit = parse_program(f"{header}int main(void) {{ {body} return 0; }}", "a.c", DataModel.LP64)
    program = lower(unit, None)
    (found,) = BmcEngine().run(program, [0], RecordingContext()).values()
    assert isinstance(found, Unsafe if can_fail else Safe)
    if isinstance(found, Unsafe):
        confirmed = interpret(unit, error_policy(unit, None), program.checks[0], found.inputs)
        assert isinstance(confirmed, Reproduced)


@pytest.mark.parametrize("name", ["__CPROVER_assert", "__CPROVER_precondition"])
def test_assertions(name: str) -> None:
    assert outcome(f'int main(void) {{ {name}(1 == 2, "no"); return 0; }}') is ErrorReached
    assert outcome(f'int main(void) {{ {name}(1 == 1, "yes"); return 0; }}') is Exited
    unit = parse_program(f'int main(void) {{ {name}(sizeof(int), "yes"); return 0; }}', "a.c", DataModel.LP64)
    assert [check.property for check in lower(unit, None).checks] == ["assertion"]


def test_questions_about_memory_have_any_answer() -> None:
    text = """int f(const int *p) {
  return __CPROVER_r_ok(p, sizeof *p) && __CPROVER_forall { int i; i > 0 ==> p[i] == 0 }; }
int main(void) { int x = 3; __CPROVER_size_t n = __CPROVER_OBJECT_SIZE(&x); f(&x); return x == 3 ? 0 : n; }"""
    program = lower(parse_program(text, "a.c", DataModel.LP64), None)
    assert {one.name for one in program.inputs.values()} >= {"__CPROVER_r_ok", "__CPROVER_forall"}


def test_static_functions_of_other_files() -> None:
    one = "int __CPROVER_file_local_b_c_half(int x); int main(void) { return __CPROVER_file_local_b_c_half(8) - 4; }"
    two = "static int half(int x) { return x / 2; } int other(void) { return half(2); }"
    unit: TranslationUnit = parse_sources([SourceFile("a.c", one), SourceFile("d/b.c", two)], DataModel.LP64)
    assert unit.functions["__CPROVER_file_local_b_c_half"].body is not None
    assert isinstance(run(unit, error_policy(unit, None), Inputs.of([])), Exited)
