"""The generators of the families of `eureka`, and the table."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from benchmarks.eureka.__main__ import MEASURED, table
from benchmarks.eureka.programs import Contents, Variant
from benchmarks.journal import Journal
from core.verdict import Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engines.eureka.engine import EurekaEngine
from tests.support.contexts import RecordingContext, solver_for


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", list(MEASURED))
def test_small_ones_are_right_and_wrong(name: str) -> None:
    for variant, contents in product(Variant, Contents):
        if variant is Variant.WRONG and contents is not Contents.ANY:
            continue  # some contents are sorted all the same
        text = MEASURED[name].text(4, variant, contents)
        program = lower(parse_program(text, "small.c", DataModel.ILP32), UnreachCall())
        outcome = EurekaEngine().run(program, [0], RecordingContext(solver=solver_for(program)))[0]
        assert isinstance(outcome, Safe if variant is Variant.RIGHT else Unsafe)


def test_the_table_names_paper_and_exponent(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "eureka.jsonl", "run")
    for size, variant, verdict in (
        (8, Variant.WRONG, "false"),
        (8, Variant.RIGHT, "true"),
        (12, Variant.RIGHT, "true"),
    ):
        journal.add({"run": f"bubble sort/{size}/{variant}", "verdict": verdict, "cpu": size / 8, "alone": size / 16})
    assert table(journal)[2:] == ["| bubble sort | 8 (91.92) | false (1.0) | 8: 1.00, 12: 1.50 | 0.50, 0.75 | 1.0 |"]
