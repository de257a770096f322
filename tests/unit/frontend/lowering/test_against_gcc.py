"""Every construct, lowered and simulated, against what gcc makes of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.program import Input, InputKind
from core.program.simulate import BudgetExceeded, Ended, Reached, Stuck, simulate
from core.terms import ArraySort, ArrayValue, Value
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.options import ArithmeticChoice
from frontend.typed.ctype import DataModel
from tests.unit.frontend.lowering.gcc_programs import PRELUDE, run
from tests.unit.frontend.lowering.random_functions import WIDE_BITS, random_functions
from tests.unit.frontend.lowering.snippets import snippets

VALUES = (
    (0, 0),
    (1, 3),
    (7, -1),
    (-5, 3),
    (6, 6),
    (2**31 - 1, 1),
    (-(2**31), -1),
    (123456, -98765),
    (300, 13),
)

MAIN = """
long long result;
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  result = F(a, b);
  return 0;
}
"""

SNIPPETS = snippets()

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    folder: Path = tmp_path_factory.mktemp("snippets")
    return dict(zip(SNIPPETS, run(list(SNIPPETS.values()), VALUES, folder), strict=True))


class _Environment:
    """The inputs of one run: first the arguments, then the sequence of the harness; storage holds odd values."""

    def __init__(self, a: int, b: int) -> None:
        self._first = [a, b]
        self._seed, self._draws = a * 31 + b * 17, 0

    def __call__(self, asked: Input) -> Value:
        if asked.kind is InputKind.NONDET and self._first:
            return self._first.pop(0)
        if asked.kind is InputKind.NONDET:
            value = self._seed + 7919 * self._draws
            self._draws += 1
            return _within(value, asked)
        return ArrayValue(1) if isinstance(asked.symbol.sort, ArraySort) else 1


def _within(value: int, asked: Input) -> int:
    assert asked.range is not None
    size = asked.range.high - asked.range.low + 1
    return (value - asked.range.low) % size + asked.range.low


def outcomes(text: str, name: str, choice: ArithmeticChoice) -> list[str]:
    """For each pair of arguments: the result of the lowered program, "error" or "ended"."""
    program = lower(parse_program(PRELUDE + text + MAIN, f"{name}.c", DataModel.LP64), UnreachCall(), choice)
    found = []
    for a, b in VALUES:
        match simulate(program, _Environment(a, b), 20_000):
            case Reached():
                found.append("error")
            case Stuck():
                found.append("ended")
            case Ended(values):
                found.append(str(values["result"]))
            case BudgetExceeded():
                found.append("budget")
    return found


@pytest.mark.long
@pytest.mark.parametrize("choice", [ArithmeticChoice.AUTO, ArithmeticChoice.BITVECTORS])
@pytest.mark.parametrize("name", SNIPPETS)
def test_snippet(name: str, choice: ArithmeticChoice, expected: dict[str, list[str]]) -> None:
    assert outcomes(SNIPPETS[name], name, choice) == expected[name]


COUNTS = [10, pytest.param(40, marks=pytest.mark.slow)]


@pytest.mark.long
@pytest.mark.parametrize("count", COUNTS)
def test_random_functions(count: int, tmp_path: Path) -> None:
    functions = random_functions(count, seed=3)
    for text, right in zip(functions, run(functions, VALUES, tmp_path), strict=True):
        assert outcomes(text, "random", ArithmeticChoice.INTEGERS) == right, text
        assert outcomes(text, "random", ArithmeticChoice.BITVECTORS) == right, text


@pytest.mark.long
@pytest.mark.parametrize("count", COUNTS)
def test_random_functions_with_bits(count: int, tmp_path: Path) -> None:
    functions = random_functions(count, seed=5, more=WIDE_BITS)
    for text, right in zip(functions, run(functions, VALUES, tmp_path), strict=True):
        assert outcomes(text, "random", ArithmeticChoice.AUTO) == right, text
