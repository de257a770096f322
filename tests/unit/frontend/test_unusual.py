"""Valid C that is rarely written: the value that gcc gives it, or a message that says where what is not supported."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.program import Input
from core.program.simulate import Ended, simulate
from core.terms import ArraySort, ArrayValue, Value
from frontend.api import parse_program
from frontend.interpreter import Exited, Inputs, run
from frontend.lowering import lower
from frontend.properties.errors import UnreachCall, policy
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel

MAIN = "\nint result;\nint main(void) { result = f(); return 0; }\n"
CHECK = "\nint result;\nvoid reach_error(void);\nint main(void) { if (f() != @) reach_error(); return 0; }\n"
PRINT = '\n__attribute__((destructor)) static void print_result(void) { __builtin_printf("%d", result); }\n'
OPTIONS = ["-std=gnu11", "-w", "-fwrapv", "-fno-strict-aliasing"]


@dataclass(frozen=True)
class Case:
    """C text with a function `f` or `main`; its value, or what is said of it."""

    name: str
    text: str
    value: int | None
    message: str

    def program(self, main: str = MAIN) -> str:
        return self.text if " main(" in self.text else self.text + main


def _cases() -> list[Case]:
    """The parts of `unusual.c`, each under `//// name = value` or `//// name: message`."""
    found = []
    parts = re.split(
        r"^//// (\w+)(?: = (-?\d+)|: (.+))\n", Path(__file__).with_name("unusual.c").read_text(), flags=re.M
    )
    for name, value, message, text in zip(parts[1::4], parts[2::4], parts[3::4], parts[4::4], strict=True):
        found.append(Case(name, text, None if value is None else int(value), message))
    return found


CASES = _cases()
VALUED = [case for case in CASES if case.value is not None]
NOT_INTERPRETED = ("floats_without_effect", "float128", "generic_selection_is_not_evaluated")
"""What the interpreter refuses, though it has no effect."""


def _storage(asked: Input) -> Value:
    value = 1 if asked.range else 1 << 16  # an address
    return ArrayValue(value) if isinstance(asked.symbol.sort, ArraySort) else value


@pytest.mark.long
@pytest.mark.parametrize("case", VALUED, ids=lambda case: case.name)
def test_value(case: Case) -> None:
    unit = parse_program(case.program(), "a.c", DataModel.LP64)
    match simulate(lower(unit, UnreachCall()), _storage, 20_000):
        case Ended(values):
            assert values["result"] == case.value
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize(
    "case", [case for case in VALUED if case.name not in NOT_INTERPRETED], ids=lambda case: case.name
)
def test_value_in_the_interpreter(case: Case) -> None:
    unit = parse_program(case.program(CHECK.replace("@", str(case.value))), "a.c", DataModel.LP64)
    outcome = run(unit, policy(UnreachCall(), frozenset({"reach_error"})), Inputs())
    assert isinstance(outcome, Exited)


@pytest.mark.parametrize("case", [case for case in CASES if case.value is None], ids=lambda case: case.name)
def test_message(case: Case) -> None:
    with pytest.raises(Unsupported, match=r"^a\.c:\d+:[1-9]\d*: ") as caught:
        lower(parse_program(case.program(), "a.c", DataModel.LP64), UnreachCall())
    assert case.message in caught.value.message


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_gcc_has_these_values(case: Case, tmp_path: Path) -> None:
    """gcc accepts all of them, and finds the values."""
    (tmp_path / "a.c").write_text(case.program() + PRINT)
    subprocess.run(["gcc", *OPTIONS, "a.c", "-o", "a"], cwd=tmp_path, check=True, capture_output=True)
    if case.value is not None:
        done = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=False)
        assert done.stdout == str(case.value)


def test_an_empty_unit_has_no_main() -> None:
    with pytest.raises(Exception, match=r"^a\.c:1:1: ") as caught:
        lower(parse_program("", "a.c", DataModel.LP64), UnreachCall())
    assert "main" in str(caught.value)
