"""Random programs with memory notice bugs that were seeded in pointers, lifetimes, unions and calls."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.random_programs.enumeration import gcc_is_there
from tests.random_programs.memory_truth import memory_programs
from tests.seeded_bugs.generated import SEED, Sample

pytestmark = pytest.mark.skipif(not gcc_is_there(), reason="needs gcc")

NOTICED_BY: Mapping[str, int] = {
    "copied_pointers_are_not_followed": 67,
    "arguments_are_not_bound": 4,
    "results_are_not_bound": 63,
    "casts_change_nothing": 115,
    "exposed_fields_stay_apart": 25,
    "initialisers_hold_no_pointers": 2,
    "blocks_end_nothing": 6,
    "returns_end_nothing": 110,
    "goto_ends_nothing": 266,
    "bytes_are_stored_backwards": 11,
    "last_bytes_are_not_stored": 46,
    "nothing_overlaps": 7,
    "bit_fields_are_whole": 93,
    "only_one_function_is_called": 27,
    "functions_have_one_address": 2,
}
"""The number of a program that notices the bug, as far as known; `python -m benchmarks.seeded_bugs` searches."""


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTICED_BY)
def test_a_random_program_notices_the_bug(name: str, tmp_path: Path) -> None:
    (program,) = memory_programs(SEED, NOTICED_BY[name], 1)
    assert Sample(program, tmp_path).notices(name) is not None
