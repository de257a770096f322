"""The results of the check of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.certificate.obligations import Reading
from core.dataclass import dataclass
from core.program.expansion import At
from core.run.events import EvidenceRepeated, EvidenceStep

OnStep = Callable[[EvidenceStep | EvidenceRepeated], None]


@dataclass(frozen=True)
class Certified:
    """The certificate holds. `edges` gives the reading of the proofs in which each edge of the program took part."""

    edges: Mapping[int, Reading]
    lemmas: int  # that were shown valid


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
