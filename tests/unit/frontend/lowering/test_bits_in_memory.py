"""Bit operations on elements of arrays: solvers know their ranges also where paths meet, and so does the check."""

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.limits import Limits
from core.solver.cvc5_solver import Cvc5Factory
from core.verdict import Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering.unit import lower
from frontend.typed.ctype import DataModel
from methods.engines.bmc.engine import BmcEngine
from tests.support.contexts import RecordingContext, solver_for

TEXT = """extern unsigned char __VERIFIER_nondet_uchar(void);
static int put(char *out, unsigned n) { out[0] = n < 10 ? '0' + n : 'a' + n - 10; return 1; }
static unsigned get(const char *in) { return *in <= '9' ? *in - '0' : *in - 'a' + 10; }
int main(void) { char out[2]; unsigned char x = __VERIFIER_nondet_uchar(), bytes[2];
  int n = put(out, x >> 4); if (x & 1) n += put(out + 1, x & 15); else out[1] = '0' + (x & 8);
  bytes[0] = get(out) << 4 | get(out + 1); bytes[1] = bytes[0] ^ x;
  __CPROVER_assert(CLAIM, ""); return n; }"""


@pytest.mark.parametrize(("claim", "holds"), [("(bytes[1] & 0xf9) == 0", True), ("bytes[1] == 0", False)])
def test_elements_have_their_ranges(claim: str, holds: bool) -> None:
    program = lower(parse_program(TEXT.replace("CLAIM", claim), "a.c", DataModel.LP64), None)
    assert program.uses_bits
    (found,) = BmcEngine().run(program, [0], RecordingContext(solver=solver_for(program))).values()
    assert isinstance(found, Safe if holds else Unsafe)
    if isinstance(found, Safe):
        checked = check_certificate(program, [0], found.certificate, Cvc5Factory(), Limits(), lambda _: None)
        assert isinstance(checked, Certified)
