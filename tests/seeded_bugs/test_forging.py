"""Forged evidence of each kind is not accepted; `python -m benchmarks.forgeries` tries ten thousand."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.seeded_bugs.forging import SUBJECTS, evidence_of, forgeries, twins_of


@pytest.mark.long
@pytest.mark.parametrize("count", [2, pytest.param(8, marks=pytest.mark.slow)])  # for each unit of weight
@pytest.mark.parametrize("kind", SUBJECTS)
def test_no_forgery_is_accepted(kind: str, count: int, tmp_path: Path) -> None:
    subject = SUBJECTS[kind]
    evidence, twins, random = evidence_of(subject, tmp_path), twins_of(subject, tmp_path), Random(kind)
    for twin, document in forgeries(evidence, twins, random, count * subject.weight):
        assert not twin.accepts(document)
