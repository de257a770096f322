"""C programs with lists, and what the engine `pdr` says about them."""

from __future__ import annotations

from collections.abc import Mapping

from core.certificate import CertificateResult, check_certificate
from core.engines.pdr.engine import PdrEngine
from core.limits import Limits
from core.program import Program
from core.solver.cvc5_solver import Cvc5Factory
from core.verdict import Certificate, Outcome
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
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


def examined(program: Program, certificate: Certificate) -> CertificateResult:
    """The result of the check of a certificate."""
    checks = [check.id for check in program.checks]
    return check_certificate(program, checks, certificate, Cvc5Factory(), Limits(), lambda _: None)
