"""Steps of certificates that need products modulo powers of two."""

from __future__ import annotations

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import CertificateResult, Certified
from core.decision.prover import Reading
from core.limits import Limits
from core.program import Range
from core.program.expansion import At
from core.solver.evidence import EvidenceFactory
from core.terms import Arena, Term
from core.verdict import Certificate
from runs.events import EvidenceRepeated, EvidenceStep
from tests.support.program_builder import ProgramBuilder

INT64 = Range(-(1 << 63), (1 << 63) - 1)
HEAD = 1


def wrapped(arena: Arena, t: Term, bits: int = 64) -> Term:
    low = arena.integer(-(1 << (bits - 1)))
    return arena.add(arena.modulo(arena.subtract(t, low), arena.integer(1 << bits)), low)


def squares(added: int = 1, bits: int = 64) -> tuple[CertificateResult, list[str]]:
    """`s = n = 0; for (;;) { assert(s == n * n); s += 2 * n + added; n++; }` over 64 bits, s over fewer."""
    b = ProgramBuilder()
    a = b.arena
    n, s = b.variable("n", INT64), b.variable("s", INT64)
    start, head, body, done = (b.location(loop=k == HEAD) for k in range(4))
    error = b.error()
    holds = a.equals(s, wrapped(a, a.multiply(n, n)))
    b.assign(start, head, (n, a.zero), (s, a.zero))
    b.assume(head, body, holds)
    b.assume(head, error, a.not_(holds))
    sum_ = wrapped(a, a.linear([(1, s), (2, n)], added), bits)
    b.assign(body, head, (s, sum_), (n, wrapped(a, a.add(n, a.one))))
    b.function("main", start, done)
    steps: list[EvidenceStep | EvidenceRepeated] = []
    certificate = Certificate({At((), head): holds})
    result = check_certificate(b.program(), [0], certificate, EvidenceFactory(), Limits(), steps.append)
    return result, [step.tool for step in steps if isinstance(step, EvidenceStep)]


def test_a_step_of_squares_is_proved_for_machine_integers() -> None:
    result, tools = squares()
    assert isinstance(result, Certified)
    assert set(result.edges.values()) == {Reading.BIT_PRECISE}
    assert "equations" in tools


@pytest.mark.parametrize(("added", "bits"), [(0, 64), (-1, 64), (1, 63), (1, 32)])
def test_a_wrong_step_is_not(added: int, bits: int) -> None:
    result, _ = squares(added, bits)
    assert not isinstance(result, Certified)
