"""Inputs of executions that compute with floating-point numbers become those that people would have chosen."""

import pytest

from core.limits import Limits
from core.program import InputKind, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.solver.contract import Solver, SolverFactory
from core.terms import Value
from core.terms.floats import DOUBLE, FLOAT, FORMATS, FloatFormat, of_text, opposite, to_text
from core.verdict import InputValue, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.paths.fewer_rounds import with_fewer_rounds
from methods.paths.smallest import smallest_execution
from tests.support.contexts import solver_for

FILTER = """extern void reach_error(void);
extern double noise(void);
extern int times(void);
int main(void) {
  double y = 0;
  int n = times();
  for (int i = 0; i < n; i++) {
    double u = noise();
    if (!(u >= -1 && u <= 1))
      return 0;
    y = 0.9 * y + 0.3 * u;
    if (y < -0.5)
      reach_error();
  }
  return 0;
}
"""


def program(text: str) -> Program:
    return lower(parse_program(text, "a.c", DataModel.LP64), UnreachCall())


def ordinal(format_: FloatFormat, text: str) -> int:
    value = of_text(format_, text.lstrip("-"))
    return opposite(format_, value) if text[0] == "-" else value


class _NoSolver:
    """Fails where a solver is asked for; implements `SolverFactory`."""

    def __call__(self, effort: int | None = None) -> Solver:
        raise AssertionError(f"an execution that is known needs no solver, with effort {effort}")

    def interrupt(self) -> None:
        pass


def simplified(lowered: Program, given: dict[str, list[int]], *, is_known: bool) -> dict[str, list[Value]]:
    """The inputs of a simple execution of the path of an execution, by the names of functions."""
    spans = {one.name: one.span for one in lowered.inputs.values() if one.kind is InputKind.EXTERN}
    inputs = [
        InputValue(InputKind.EXTERN, name, spans[name], time, value)
        for name, values in given.items()
        for time, value in enumerate(values)
    ]
    expansion = Expansion(lowered, BlockEncoding.STATEMENTS)
    found = with_fewer_rounds(expansion, 0, Unsafe(tuple(inputs), ()), Limits())
    assert found is not None
    steps, known = found
    solvers: SolverFactory = _NoSolver() if is_known else solver_for(lowered)
    simple, is_done = smallest_execution(expansion, steps, solvers, known if is_known else None)
    assert is_done
    assert simple.path == known.path
    by_name: dict[str, list[Value]] = {}
    for one in simple.inputs:
        by_name.setdefault(one.name, []).append(one.value)
    return by_name


@pytest.mark.parametrize("is_known", [True, False])
def test_values_have_few_digits(is_known: bool) -> None:
    noise = [ordinal(DOUBLE, text) for text in ("-0.9999999999964156", "-0.8123456789", "-0.99999912")]
    found = simplified(program(FILTER), {"times": [1234567], "noise": noise}, is_known=is_known)
    assert found["times"] in ([2], [3], [1000000])
    texts = [to_text(DOUBLE, value) for value in found["noise"] if isinstance(value, int)]
    assert all(len(text) <= len("-0.25") for text in texts), texts


def test_a_value_that_must_be_what_it_is_stays() -> None:
    text = """extern void reach_error(void);
    extern float f(void);
    int main(void) {
      float x = f();
      if (x * 4 == 13.4375f && x < 1e30f)
        reach_error();
      return 0;
    }"""
    value = ordinal(FLOAT, "3.359375")
    assert simplified(program(text), {"f": [value]}, is_known=True) == {"f": [value]}


@pytest.mark.parametrize(("condition", "simple"), [("x + 1 == x", "INFINITY"), ("x + 1 != x + 1", "NAN")])
def test_what_is_no_finite_number_stays_where_it_must(condition: str, simple: str) -> None:
    text = f"""extern void reach_error(void);
    extern double f(void);
    int main(void) {{
      double x = f();
      if ({condition} && !(x < 1e300))
        reach_error();
      return 0;
    }}"""
    own = DOUBLE.infinity if simple == "INFINITY" else DOUBLE.nan
    assert simplified(program(text), {"f": [own]}, is_known=True) == {"f": [own]}
    assert to_text(FORMATS["double"], own) == simple
