"""The real window with real engines in child processes, driven by mouse and keys from an example to its saved run.

`scripts.pictures.walkthroughs` says at each step what must be seen; here is what a walkthrough must leave behind.
"""

import re
from pathlib import Path

import pytest

from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import banner
from runs.runfile import open_run
from scripts.pictures.walkthroughs import REFINEMENT, WALKTHROUGHS, Shot, Walkthrough, take
from tests.gui.conftest import ROOT

PICTURES = ROOT / "docs" / "pictures" / "walkthrough"


@pytest.mark.long
@pytest.mark.parametrize("walkthrough", WALKTHROUGHS, ids=lambda walkthrough: walkthrough.name)
def test_a_walk_from_the_example_to_its_saved_run(walkthrough: Walkthrough, tmp_path: Path) -> None:
    names: list[str] = []

    def show(name: str, shot: Shot) -> None:
        names.append(name)
        assert not shot().isNull()

    take(walkthrough, tmp_path, show)
    assert names == list(walkthrough.pictures())
    record = RunRecord.of(open_run(tmp_path / f"{walkthrough.example}.interplay"))
    page = (tmp_path / f"{walkthrough.example}.html").read_text(encoding="utf-8")
    for words in (banner(record).headline.partition(":")[0], f"Refinement {REFINEMENT}", f"{walkthrough.example}.c"):
        assert words in page
    assert (tmp_path / f"{walkthrough.example}.pdf").read_bytes().startswith(b"%PDF-")


def test_the_walkthrough_shows_each_step_in_order() -> None:
    shown = re.findall(
        r"\]\(pictures/walkthrough/([\w-]+)\.png\)", (ROOT / "docs" / "walkthrough.md").read_text(encoding="utf-8")
    )
    assert shown == [name for walkthrough in WALKTHROUGHS for name in walkthrough.pictures()]
    assert set(shown) == {path.stem for path in PICTURES.glob("*.png")}
