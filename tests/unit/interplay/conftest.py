"""Fixtures of the tests of runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.runfile import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "run.journal", "test")
    yield journal
    journal.close()
