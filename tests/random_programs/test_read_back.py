"""Invariants that certificates print, read again as equivalent formulas: of bundled examples, of random programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.runfile import open_run
from tests.random_programs.enumeration import gcc_is_there, random_programs
from tests.random_programs.memory_truth import memory_programs
from tests.support import prepared
from tests.support.read_back import Judgement, ReadBack, read_back

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "resources" / "examples"
FOLDERS = [FOLDER, FOLDER / "arrays", FOLDER / "lists"]
EXAMPLES = [one for folder in FOLDERS for one in sorted(folder.glob("*.c")) if not one.stem.endswith("_wrong")]
FINE = {Judgement.SAME, Judgement.EQUIVALENT, Judgement.TOO_LONG}  # of the last only parts are printed
SHORT, LONG = ["--time-limit", "10"], ["--time-limit", "30"]


def printed(file: Path, folder: Path, *options: str) -> Iterator[ReadBack]:
    """The invariants that the run of a program prints."""
    run = folder / f"{file.stem}.interplay"
    prepared.run("verify", file, "--quiet", "--no-native-replay", *options, "--output", run)
    yield from read_back(open_run(run))


@pytest.mark.long
def test_invariants_of_an_example_are_read_again(tmp_path: Path) -> None:
    found = list(printed(FOLDER / "lock.c", tmp_path, *LONG))
    assert found
    assert [one for one in found if one.judgement not in FINE] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "file",
    EXAMPLES,
    ids=lambda file: f"{file.parent.name}-{file.stem}",
)
def test_invariants_of_all_examples_are_read_again(file: Path, tmp_path: Path) -> None:
    assert [one for one in printed(file, tmp_path, *LONG) if one.judgement not in FINE] == []


@pytest.mark.slow
@pytest.mark.skipif(not gcc_is_there(), reason="needs gcc")
def test_invariants_of_random_programs_are_read_again(tmp_path: Path) -> None:
    texts = [one.text for one in random_programs(21, 0, 60) if one.safe]
    texts += [one.text for one in memory_programs("read back", 0, 60) if one.safe]
    found: list[ReadBack] = []
    for number, text in enumerate(texts):
        file = tmp_path / f"p{number}.c"
        file.write_text(text)
        found += printed(file, tmp_path, *SHORT)
    assert len(found) > len(texts) // 4
    assert [one for one in found if one.judgement not in FINE] == []
