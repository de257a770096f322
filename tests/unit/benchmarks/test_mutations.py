"""Broken files: the front end answers with a program or a located message, and with nothing else."""

from pathlib import Path

import pytest

from benchmarks.mutations import LOCATED, find_files, main, mutants, read

PROGRAMS = Path(__file__).parents[2] / "golden" / "programs"
CONSTRUCTS = Path(__file__).parents[1] / "frontend" / "interpreter" / "constructs.c"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_mutants_of_small_files_get_an_answer(seed: int) -> None:
    files = [*find_files(PROGRAMS), CONSTRUCTS]
    for mutant in mutants(files, seed, range(40)):
        outcome, message = read(mutant)
        assert outcome != "failed", f"{mutant.name} of {mutant.source}: {message}"


def test_mutants_depend_on_seed_and_number_only() -> None:
    files = find_files(PROGRAMS)
    first = list(mutants(files, 7, range(10)))
    assert list(mutants(files, 7, [3])) == [first[3]]
    assert len({one.data for one in first}) > 5


def test_a_message_needs_a_place() -> None:
    assert LOCATED.match("a.c:1:2: syntax error")
    assert not LOCATED.match("syntax error")
    assert not LOCATED.match("a.c:1:0: syntax error")


def test_the_run_is_resumed_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "journal.jsonl"
    arguments = ["--tasks", str(PROGRAMS), "--count", "6", "--journal", str(journal)]
    assert main(arguments) == 0
    assert main(arguments) == 0
    assert len(journal.read_text().splitlines()) == 6
    assert capsys.readouterr().out.startswith("6 mutants: ")


def test_a_folder_without_c_files(tmp_path: Path) -> None:
    assert main(["--tasks", str(tmp_path)]) == 2
