"""C programs with lists, and what the engine `pdr` says about them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.certificate.check import check_certificate
from core.certificate.results import CertificateResult, Certified
from core.limits import Limits
from core.program import Program
from core.solver.cvc5_solver import Cvc5Factory
from core.verdict import Certificate, Outcome, Safe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engines.pdr.engine import PdrEngine
from tests.support.contexts import RecordingContext, solver_for

PRELUDE = """
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int h; struct node *n; };
"""

BUILD = """
struct node *a = malloc(sizeof(struct node)), *p = a;
a->h = 1;
while (__VERIFIER_nondet_int()) {
  p->n = malloc(sizeof(struct node));
  p = p->n;
  p->h = 1;
}
p->n = 0;
"""


def list_program(body: str, before: str = "") -> Program:
    """The program whose main has this body, after the list `a`, whose nodes all hold 1, was built."""
    text = f"{PRELUDE}{before}int main(void) {{ {BUILD} {body} return 0; }}"
    return lower(parse_program(text, "list.c", DataModel.LP64), UnreachCall())


def outcomes(program: Program) -> Mapping[int, Outcome]:
    """The outcome of each check, from the engine."""
    checks = [check.id for check in program.checks]
    return PdrEngine().run(program, checks, RecordingContext(solver=solver_for(program)))


def examined(program: Program, certificate: Certificate, checks: Collection[int] | None = None) -> CertificateResult:
    """The result of the check of a certificate, for all checks if none are given."""
    asked = [check.id for check in program.checks] if checks is None else checks
    return check_certificate(program, asked, certificate, Cvc5Factory(), Limits(), lambda _: None)


def are_certified(program: Program, found: Mapping[int, Outcome]) -> bool:
    """Whether the certificate of each check that is proved is accepted."""
    certificates = {id(one.certificate): one.certificate for one in found.values() if isinstance(one, Safe)}
    return all(
        isinstance(examined(program, certificate, _proved_by(found, certificate)), Certified)
        for certificate in certificates.values()
    )


def _proved_by(found: Mapping[int, Outcome], certificate: Certificate) -> list[int]:
    return [check for check, one in found.items() if isinstance(one, Safe) and one.certificate is certificate]
