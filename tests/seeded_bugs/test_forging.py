"""Forged evidence of each kind is not accepted; `python -m benchmarks.forgeries` tries ten thousand."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.seeded_bugs.forging import SUBJECTS, Forger, evidence_of, names_of, twins_of

FORGERIES = 8  # for each unit of weight


@pytest.mark.long
@pytest.mark.parametrize("kind", SUBJECTS)
def test_no_forgery_is_accepted(kind: str, tmp_path: Path) -> None:
    subject = SUBJECTS[kind]
    evidence, twins, random = evidence_of(subject, tmp_path), twins_of(subject, tmp_path), Random(kind)
    for number in range(FORGERIES * subject.weight):
        twin = twins[number % len(twins)]
        assert not twin.accepts(Forger(random, names_of(twin.task.program)).forged(evidence))
