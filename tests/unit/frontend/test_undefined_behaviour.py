"""The table of all undefined behaviour that C11 J.2 lists: whole, and true of what is decided here."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from core.program.properties import SELECTABLE, UNDEFINED_BEHAVIOUR, CheckKind, selected
from frontend import interpreter
from frontend.api import parse_program
from frontend.interpreter import Inputs, UndefinedBehaviour
from frontend.lowering import lower
from frontend.lowering.checks.unchecked import UNCHECKED
from frontend.lowering.context import ALLOCATES, UNDEFINED
from frontend.lowering.sequencing.rewriting import with_orders
from frontend.properties.errors import NoReach
from frontend.replay.policy import error_policy
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel
from tests.unit.frontend.undefined_programs import ASSUMED, CHECKED, REFUSED, REJECTED

TEXT = (Path(__file__).parents[3] / "docs" / "undefined-behaviour.md").read_text()
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if re.match(r"\| \d", line)]
STATUS = {int(number): status for number, _, _, status in ROWS}
KINDS = selected(tuple(SELECTABLE))
CLAUSES = """
4; 5.1.1.2; 5.1.1.2; 5.1.2.2.1; 5.1.2.4; 5.2.1; 5.2.1.2; 6.2.2; 6.2.4; 6.2.4; 6.2.4, 6.7.9, 6.8; 6.2.6.1; 6.2.6.1;
6.2.6.2; 6.2.7; 6.2.7; 6.3.1.4; 6.3.1.5; 6.3.2.1; 6.3.2.1; 6.3.2.1; 6.3.2.1; 6.3.2.2; 6.3.2.3; 6.3.2.3; 6.3.2.3; 6.4;
6.4.1; 6.4.2.1; 6.4.2.1; 6.4.2.1; 6.4.2.2; 6.4.5; 6.4.7; 6.5; 6.5; 6.5; 6.5.2.2; 6.5.2.2; 6.5.2.2; 6.5.2.2; 6.5.2.3;
6.5.3.2; 6.5.4; 6.5.5; 6.5.6; 6.5.6; 6.5.6; 6.5.6; 6.5.6; 6.5.7; 6.5.7; 6.5.8; 6.5.16.1; 6.6; 6.6; 6.6; 6.6; 6.7;
6.7.1; 6.7.2.1; 6.7.2.1; 6.7.2.3; 6.7.3; 6.7.3; 6.7.3; 6.7.3; 6.7.3.1; 6.7.3.1; 6.7.4; 6.7.4; 6.7.5; 6.7.5; 6.7.6.1;
6.7.6.2; 6.7.6.2; 6.7.6.3; 6.7.6.3; 6.7.6.3; 6.7.9; 6.7.9; 6.7.9; 6.7.9; 6.9; 6.9.1; 6.9.1; 6.9.1; 6.9.1; 6.9.2;
6.10.1; 6.10.2; 6.10.2; 6.10.3; 6.10.3.2; 6.10.3.3; 6.10.4; 6.10.6; 6.10.6; 6.10.8; 7; 7.1.2; 7.1.2; 7.1.2; 7.1.2;
7.1.2; 7.1.3; 7.1.3; 7.1.4; 7.1.4; 7.2; 7.2; 7.3.4, 7.6.1, 7.12.2; 7.4; 7.5; 7.6.1; 7.6.2; 7.6.2.4; 7.6.4.3, 7.6.4.4;
7.8.2.1, 7.8.2.2, 7.8.2.3, 7.8.2.4, 7.22.6.1, 7.22.6.2, 7.22.1; 7.11.1.1; 7.11.2.1; 7.12; 7.12.3, 7.12.14; 7.13;
7.13.2.1; 7.13.2.1; 7.13.2.1; 7.14.1.1; 7.14.1.1; 7.14.1.1; 7.14.1.1; 7.14.1.1; 7.14.1.1; 7.14.1.1; 7.16, 7.16.1.1,
7.16.1.4; 7.16; 7.16.1; 7.16.1, 7.16.1.2, 7.16.1.3, 7.16.1.4; 7.16.1.1; 7.16.1.1; 7.16.1.2, 7.16.1.4; 7.16.1.4; 7.19;
7.20.4; 7.21.2; 7.21.2; 7.21.3; 7.21.5.2; 7.21.5.3; 7.21.5.3; 7.21.5.6; 7.21.6.1, 7.21.6.2, 7.29.2.1, 7.29.2.2;
7.21.6.1, 7.21.6.2, 7.27.3.5, 7.29.2.1, 7.29.2.2, 7.29.5.1; 7.21.6.1, 7.29.2.1; 7.21.6.1, 7.29.2.1; 7.21.6.1,
7.29.2.1; 7.21.6.1, 7.21.6.2, 7.29.2.1, 7.29.2.2; 7.21.6.1, 7.29.2.1; 7.21.6.1, 7.21.6.2, 7.29.2.1, 7.29.2.2;
7.21.6.1, 7.21.6.2, 7.29.2.1, 7.29.2.2; 7.21.6.1, 7.21.6.2, 7.27.3.5, 7.29.2.1, 7.29.2.2, 7.29.5.1; 7.21.6.1,
7.29.2.1; 7.21.6.2, 7.29.2.2; 7.21.6.2, 7.29.2.2; 7.21.6.2, 7.29.2.2; 7.21.6.2, 7.29.2.2; 7.21.6.8, 7.21.6.9,
7.21.6.10, 7.21.6.11, 7.21.6.12, 7.21.6.13, 7.21.6.14, 7.29.2.5, 7.29.2.6, 7.29.2.7, 7.29.2.8, 7.29.2.9, 7.29.2.10;
7.21.7.2, 7.29.3.2; 7.21.7.10; 7.21.8.1, 7.21.8.2; 7.21.8.1; 7.21.9.2; 7.21.9.3; 7.22.3; 7.22.3; 7.22.3.1; 7.22.3.3,
7.22.3.5; 7.22.3.4; 7.22.3.5; 7.22.4.4, 7.22.4.7; 7.22.4.4, 7.22.4.7; 7.22.4.6, 7.24.6.2; 7.22.4.7; 7.22.4.8; 7.22.5;
7.22.5; 7.22.5.1; 7.22.7; 7.24.1, 7.29.4; 7.24.1, 7.29.4; 7.24.4.5, 7.27.3.5, 7.29.4.4.4, 7.29.5.1; 7.24.5.8,
7.29.4.5.7; 7.25; 7.25; 7.27.3.1; 7.29.2.11; 7.29.4.5.7; 7.29.6; 7.30.1; 7.30.2.2.1; 7.30.3.2.1
"""
"""The clauses that J.2 names, in its order."""


def test_all_rows_are_there() -> None:
    assert [int(number) for number, *_ in ROWS] == [*range(1, len(ROWS) + 1)]
    assert "; ".join(clauses for _, clauses, *_ in ROWS) == " ".join(CLAUSES.split())


@pytest.mark.parametrize("number", STATUS)
def test_a_row_says_what_becomes_of_it(number: int) -> None:
    status = STATUS[number]
    assert re.match(r"(\*checked\*|\*assumed\*|\*cannot occur\*|\*falls short\*)", status)
    assert ("*checked*" in status) == any(row == number for row, _ in CHECKED)
    assert ("*assumed*" in status) == (number in ASSUMED)
    assert ("refused" in status) == (number in REFUSED)
    assert ("gcc gives an error" in status) == (number in REJECTED)
    kinds = set(re.findall(r"`([\w-]+)`", "".join(re.findall(r"\*checked\* \([^)]*\)", status))))
    assert kinds <= {*UNDEFINED_BEHAVIOUR}
    assert {kind for row, kind in CHECKED if row == number} <= kinds
    for quoted in re.findall("“(.*?)”", status):
        assert quoted in UNCHECKED | UNDEFINED | {ALLOCATES} or quoted == "undefined functions: …"


def test_every_kind_of_undefined_behaviour_has_a_row() -> None:
    beyond = TEXT.partition("## Beyond")[2]
    assert {kind for _, kind in CHECKED} | {"unreachable"} == {*UNDEFINED_BEHAVIOUR}
    assert all(f"`{kind}`" in beyond for kind in SELECTABLE if kind not in {kind for _, kind in CHECKED})


@pytest.mark.long
@pytest.mark.parametrize(("number", "kind"), CHECKED)
def test_what_is_checked_is_found(number: int, kind: str) -> None:
    unit = parse_program(CHECKED[number, kind], "row.c", DataModel.ILP32)
    asked = selected((kind,))
    program = lower(unit, NoReach(), kinds=asked)
    assert any(one.property == kind for one in program.checks)
    unit = with_orders(unit, program.orders.conflicts, asked)
    outcome = interpreter.run(unit, error_policy(unit, NoReach(), asked), Inputs.of(()))
    assert isinstance(outcome, UndefinedBehaviour)
    assert outcome.kind in asked, outcome


@pytest.mark.long
@pytest.mark.parametrize("number", ASSUMED)
def test_what_is_assumed_is_named(number: int) -> None:
    kinds = selected(tuple(kind for kind in SELECTABLE if kind != "float-conversion" or (number, kind) not in CHECKED))
    program = lower(parse_program(ASSUMED[number], "row.c", DataModel.ILP32), NoReach(), kinds=kinds)
    quoted = re.findall("“(.*?)”", STATUS[number])
    assert quoted
    assert all(any(one.startswith(text.removesuffix("…")) for one in program.assumptions) for text in quoted)


@pytest.mark.long
@pytest.mark.parametrize("number", REFUSED)
def test_what_is_refused_is_no_program(number: int) -> None:
    with pytest.raises(FrontendError):
        lower(parse_program(REFUSED[number], "row.c", DataModel.ILP32), NoReach(), kinds=KINDS)


@pytest.mark.parametrize("number", REJECTED)
def test_what_gcc_rejects_is_no_program(number: int) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    call = ["gcc", "-std=gnu11", "-fsyntax-only", "-w", "-xc", "-"]
    assert subprocess.run(call, input=REJECTED[number], text=True, capture_output=True, check=False).returncode == 1


def test_kinds_are_values_of_checks() -> None:
    assert {CheckKind(kind) for _, kind in CHECKED} <= {*CheckKind}
