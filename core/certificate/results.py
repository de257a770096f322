"""The results of the check of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.dataclass import dataclass
from core.decision.prover import Reading
from core.evidence_steps import EvidenceRepeated, EvidenceStep
from core.program.expansion import At
from core.terms import Term

OnStep = Callable[[EvidenceStep | EvidenceRepeated], None]


@dataclass(frozen=True)
class StatedObligation:
    """An obligation that was proved, as a question for another solver: its `formulas` have no model.

    It is about `subject`, a step along `edges`. Numbers are integers, or bit-vectors of `width` bits where the formulas
    have bit operators.
    """

    subject: str
    edges: tuple[int, ...]
    formulas: Sequence[Term]
    width: int | None
    tool: str
    reading: Reading


OnObligation = Callable[[StatedObligation], None]


def not_stated(_: StatedObligation) -> None:
    """The receiver of obligations where nobody wants them."""


@dataclass(frozen=True)
class Certified:
    """The certificate holds. `edges` gives the reading of the proofs in which each edge of the program took part.

    `tools` has the number of questions that each tool decided.
    """

    edges: Mapping[int, Reading]
    lemmas: int  # that were shown valid
    tools: Mapping[str, int]


@dataclass(frozen=True)
class Rejected:
    """The certificate is wrong at `where` (None: as a whole), because of `why`; `edges` is the path of the step."""

    where: At | None
    why: str
    edges: tuple[int, ...] = ()


@dataclass(frozen=True)
class Inconclusive:
    """The step to `where` could not be decided."""

    where: At | None
    why: str
    edges: tuple[int, ...] = ()


CertificateResult = Certified | Rejected | Inconclusive
