"""The independent check of certificates. Imports no engine and no domain: a proof is checked by other code."""

from core.certificate.check import check_certificate
from core.certificate.results import CertificateResult, Certified, Inconclusive, Rejected
from core.decision.prover import Effort, Reading

__all__ = [
    "CertificateResult",
    "Certified",
    "Effort",
    "Inconclusive",
    "Reading",
    "Rejected",
    "check_certificate",
]
