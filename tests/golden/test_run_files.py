"""Run files of every schema version that is read open and show the same; so does one with invariants for all indices.

`INTERPLAY_UPDATE_GOLDEN=1 pytest tests/golden` writes what is shown anew, never the run files.
"""

from pathlib import Path

import pytest

from interplay.presentation.details import details
from interplay.presentation.run_text import text_of
from interplay.presentation.text import TextReport, TraceExtent
from runs.events import OLDEST_SCHEMA, SCHEMA_VERSION
from runs.runfile import open_run
from tests.golden.test_cli import UPDATE

HERE = Path(__file__).parent
VERSIONS = sorted(HERE.glob("v*.interplay"))
RUNS = [*VERSIONS, HERE / "forall.interplay"]


def shown(path: Path) -> str:
    run = open_run(path)
    view = run.view()
    texts = text_of(run, view)
    lines = [*TextReport(texts).lines(TraceExtent.ALL), *details(run, view, texts)]
    return "\n".join(line.replace(f"{HERE}/", "") for line in lines) + "\n"


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_an_old_run_file_opens_and_shows(path: Path) -> None:
    expected = path.with_suffix(".txt")
    if UPDATE:
        expected.write_text(shown(path))
    assert shown(path) == expected.read_text()


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_an_old_run_file_keeps_everything(path: Path) -> None:
    run = open_run(path)
    view = run.view()
    assert view.verdict is not None
    assert view.verdict.verdict == "true"
    assert run.sources()
    assert view.attempt.rounds
    assert view.attempt.states.nodes
    assert view.attempt.lemmas


def test_every_schema_version_has_a_run_file() -> None:
    assert [path.stem for path in VERSIONS] == [f"v{version}" for version in range(OLDEST_SCHEMA, SCHEMA_VERSION + 1)]
