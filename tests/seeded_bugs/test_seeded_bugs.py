"""Every seeded bug must be noticed, but for those that cannot do harm; without a bug nothing is to be noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.seeded_bugs.evidence import PROPERTIES
from tests.seeded_bugs.mutations import CAUGHT, NOT_CAUGHT, Bug
from tests.seeded_bugs.suite import PROGRAMS, said


def _noticed(bug: Bug, folder: Path) -> bool:
    return any(
        not PROPERTIES[name]()
        if name in PROPERTIES
        else said(PROGRAMS[name], folder).verdict != PROGRAMS[name].expected
        for name in bug.noticed_by
    )


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_verdicts_are_right_without_a_bug(name: str, tmp_path: Path) -> None:
    assert said(PROGRAMS[name], tmp_path).verdict == PROGRAMS[name].expected


@pytest.mark.parametrize("name", PROPERTIES)
def test_evidence_is_examined_well_without_a_bug(name: str) -> None:
    assert PROPERTIES[name]()


@pytest.mark.long
@pytest.mark.parametrize("name", CAUGHT)
def test_bug_is_noticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CAUGHT[name].patch(monkeypatch)
    assert _noticed(CAUGHT[name], tmp_path)


@pytest.mark.parametrize("name", NOT_CAUGHT)
def test_harmless_bug(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug, reason = NOT_CAUGHT[name]
    bug.patch(monkeypatch)
    assert not _noticed(bug, tmp_path), reason
