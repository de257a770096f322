"""Harnesses of other tools: assumptions, assertions, and what asks about memory."""

import pytest

from frontend.api import parse_program, parse_sources
from frontend.interpreter import AssumptionViolated, ErrorReached, Exited, Inputs, run
from frontend.lowering.unit import lower
from frontend.options import SourceFile
from frontend.replay.policy import error_policy
from frontend.typed.ctype import DataModel
from frontend.typed.tree import TranslationUnit


def outcome(text: str) -> type:
    unit = parse_program(text, "a.c", DataModel.LP64)
    lower(unit, None)
    return type(run(unit, error_policy(unit, None), Inputs.of([])))


@pytest.mark.parametrize("name", ["__CPROVER_assume", "klee_assume"])
def test_assumptions(name: str) -> None:
    assert outcome(f"int main(void) {{ int *p = 0; {name}(p); return 0; }}") is AssumptionViolated
    assert outcome(f"int main(void) {{ int x = 3; {name}(x > 2); return 0; }}") is Exited
    assert outcome(f"static void {name}(int x) {{ }} int main(void) {{ {name}(0); return 0; }}") is Exited


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
