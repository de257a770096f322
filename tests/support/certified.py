"""Whether certificates hold, which is all that tests of engines ask: the check without its last step, which repeats
proofs over bit-vectors to inform about their precision and costs more than all before it."""

from collections.abc import Collection

from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.decision.prover import Effort
from core.limits import Limits
from core.program import Program
from core.solver.cvc5_solver import Cvc5Factory
from core.verdict import Certificate

_NO_REPETITION = Effort(widened_queries=0)


def is_certified(program: Program, checks: Collection[int], certificate: Certificate) -> bool:
    """Whether the certificate shows that none of the checks can fail."""
    result = check_certificate(
        program, checks, certificate, Cvc5Factory(), Limits(), lambda _: None, effort=_NO_REPETITION
    )
    return isinstance(result, Certified)
