"""Blocks of memory that are a struct with an array of any length at its end: they are copied as bytes."""

import pytest

from core.verdict import Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering.unit import lower
from frontend.replay.confirm import interpret
from frontend.replay.policy import error_policy
from frontend.replay.results import Reproduced
from frontend.typed.ctype import DataModel
from methods.engines.bmc.engine import BmcEngine
from tests.support.contexts import RecordingContext

TEXT = """#include <stdlib.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
struct text { unsigned long length; char t[]; };
int main(void) {
  struct text *a = malloc(sizeof *a + 2), *b;
  char c = __VERIFIER_nondet_char();
  a->length = 1; a->t[0] = 'x'; a->t[1] = c;
  a = realloc(a, sizeof *a + 4);
  a->t[3] = 'z';
  b = malloc(sizeof *a + 4);
  memcpy(b, a, sizeof *a + 4);
  __CPROVER_assert(CLAIM, ""); free(a); free(b); return 0; }"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("a->length == 1 && a->t[0] == 'x' && a->t[1] == c && a->t[3] == 'z'", True),
        ("b->length == 1 && b->t[0] == 'x' && b->t[1] == c && b->t[3] == 'z'", True),
        ("b->t[1] != 5", False),
    ],
)
def test_parts_are_kept(claim: str, holds: bool) -> None:
    unit = parse_program(TEXT.replace("CLAIM", claim), "a.c", DataModel.LP64)
    program = lower(unit, None)
    (found,) = BmcEngine().run(program, [0], RecordingContext()).values()
    assert isinstance(found, Safe if holds else Unsafe)
    if isinstance(found, Unsafe):
        confirmed = interpret(unit, error_policy(unit, None), program.checks[0], found.inputs)
        assert isinstance(confirmed, Reproduced)
