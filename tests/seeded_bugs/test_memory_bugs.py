"""Random programs with memory notice bugs that were seeded in pointers, lifetimes, unions and calls."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.random_programs.enumeration import gcc_is_there
from tests.random_programs.memory_scope import Feature
from tests.random_programs.memory_truth import memory_programs
from tests.seeded_bugs.generated import SEED, Sample
from tests.seeded_bugs.memory_mutations import MEMORY_BUGS
from tests.seeded_bugs.suite import Small, said

pytestmark = pytest.mark.skipif(not gcc_is_there(), reason="needs gcc")

NOTICED_BY: Mapping[str, int] = {
    "copied_pointers_are_not_followed": 30,
    "arguments_are_not_bound": 29,
    "results_are_not_bound": 45,
    "casts_change_nothing": 37,
    "exposed_fields_stay_apart": 23,
    "initialisers_hold_no_pointers": 0,
    "choices_have_their_first_value": 83,
    "copied_structs_lose_their_pointers": 37,
    "blocks_end_nothing": 2,
    "returns_end_nothing": 2,
    "only_one_object_ends": 2,
    "ends_may_be_accessed": 6,
    "bytes_are_stored_backwards": 11,
    "bytes_make_unsigned_numbers": 77,
    "last_bytes_are_not_stored": 15,
    "nothing_overlaps": 7,
    "members_begin_where_their_union_does": 87,
    "bit_fields_are_whole": 22,
    "only_one_function_is_called": 83,
    "functions_have_one_address": 128,
    "called_pointers_bind_nothing": 128,
    "recursion_reuses_objects": 30,
    "heap_objects_overlap": 30,
    "pointers_only_move_forwards": 20,
    "allocated_zeros_are_forgotten": 170,
    "structs_are_copied_but_for_their_end": 46,
    "rows_have_one_element": 38,
    "cells_at_unknown_places_stay": 43,
}
"""The number of the first program that notices the bug; `python -m benchmarks.seeded_bugs` searches."""

NOTICED_BY_HAND: Mapping[str, Small] = {
    "goto_ends_nothing": Small(
        "int main(void) { int *p, s = 0; { int x = 1; p = &x; goto out; } out: s = *p; return s; }",
        "false(valid-deref)",
        "valid-deref",
    ),
}
"""Programs for bugs that 420 random ones do not notice."""

SILENT = frozenset({"regions_have_the_first_sign"})
"""The bugs that no answer can show.

The sign of a region says which numbers stand for its scalars, modulo a power of two. Every read is wrapped to the type
of its expression (`Arithmetic.settle`), every write to that of the region, whatever these are.
"""


def test_every_bug_is_noticed_or_silent() -> None:
    assert NOTICED_BY.keys() | NOTICED_BY_HAND.keys() | SILENT == MEMORY_BUGS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SILENT))
def test_answers_are_right_with_a_silent_bug(name: str, tmp_path: Path) -> None:
    for program in memory_programs(SEED, 0, 20, frozenset({Feature.CASTS, Feature.UNIONS, Feature.POINTERS})):
        assert Sample(program, tmp_path).notices(name) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTICED_BY)
def test_a_random_program_notices_the_bug(name: str, tmp_path: Path) -> None:
    (program,) = memory_programs(SEED, NOTICED_BY[name], 1)
    assert Sample(program, tmp_path).notices(name) is not None


@pytest.mark.parametrize("name", NOTICED_BY_HAND)
def test_a_small_program_notices_the_bug(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = NOTICED_BY_HAND[name]
    assert said(program, tmp_path).verdict == program.expected
    MEMORY_BUGS[name](monkeypatch)
    assert said(program, tmp_path).verdict != program.expected
