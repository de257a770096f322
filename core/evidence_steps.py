"""Steps of an examination of evidence, as the check of certificates tells them, and as events."""

from __future__ import annotations

from typing import ClassVar

from core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class EvidenceStep:
    """One step of the examination of evidence: `subject` (the statements of a path), its `result`, and by which `tool`.

    It is emitted as soon as the result is there, so that its time is known from the arrivals.
    """

    kind: ClassVar[str] = "evidence"
    subject: str
    result: str
    tool: str
    edges: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceRepeated:
    """The proof of an evidence step was repeated over bit-vectors: its result is `result` from now on.

    It is the step that the attempt emitted `back` steps ago; 1 is the last.
    """

    kind: ClassVar[str] = "evidence-repeated"
    back: int
    result: str
