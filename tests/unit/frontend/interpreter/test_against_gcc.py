"""The interpreter against gcc, on hand-written and on random functions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from frontend.typed.ctype import DataModel
from tests.unit.frontend.interpreter.against_gcc import differing, expected
from tests.unit.frontend.interpreter.constructs import constructs
from tests.unit.frontend.interpreter.random_code import random_cases

FLAGGED = replace(DataModel.ILP32, unsigned_char=True, short_enums=True, pack=1)

pytestmark = pytest.mark.long


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64, FLAGGED], ids=str)
def test_constructs(model: DataModel, tmp_path: Path) -> None:
    cases = constructs()
    values = expected(cases, model, tmp_path)
    if values is None:
        pytest.skip("gcc does not build for this data model here")
    assert differing(cases, values, model) == []


@pytest.mark.parametrize("count", [8, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64, FLAGGED], ids=str)
def test_random_functions(model: DataModel, count: int, tmp_path: Path) -> None:
    cases = random_cases(count, seed=2)
    values = expected(cases, model, tmp_path)
    if values is None:
        pytest.skip("gcc does not build for this data model here")
    assert differing(cases, values, model) == []
