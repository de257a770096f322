"""Locations behind which nothing fails, and that complete unrollings do not go there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.program import Program
from core.program.endings import endings
from core.verdict import Outcome, Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engines.bmc.engine import BmcEngine
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext

HEAD = "int any(void); void reach_error(void) {}\n"
ROUNDS = """
int main(void) {
  int n = 0;
  for (int i = 0; i < 3; i++) { if (any()) hang(); n += 2; }
  if (n != %d) reach_error();
}"""
LOOP = "void hang(void) { for (;;) any(); }"
LOOPS = "void hang(void) { if (any()) for (;;); for (;;) for (int i = 0; i < 3; i++); }"
HANGING = {
    "a loop": (LOOP, True),
    "loops": (LOOPS, True),
    "a recursion": ("void hang(void) { hang(); }", False),
    "a way out": ("void hang(void) { for (;;) if (any()) return; }", False),
}
FAILING = {
    "an error": "void hang(void) { for (;;) if (any()) reach_error(); }",
    "an error below": "void deep(int n) { if (n > 4) reach_error(); } void hang(void) { for (;;) deep(any()); }",
}


def program_of(text: str) -> Program:
    return lower(parse_program(HEAD + text, "t.c", DataModel.LP64), UnreachCall())


def unrolled(program: Program) -> Mapping[int, Outcome]:
    context = RecordingContext(seconds=20, options={"induction": "off"})
    return BmcEngine().run(program, [check.id for check in program.checks], context)


@pytest.mark.parametrize("name", HANGING)
def test_what_leads_to_an_error_or_a_return_is_no_ending(name: str) -> None:
    text, has_endings = HANGING[name]
    program = program_of(text + ROUNDS % 6)
    found = endings(program)
    assert bool({one.id for one in program.locations if one.function == "hang"} & found) == has_endings
    assert program.functions["main"].entry not in found


@pytest.mark.parametrize("hang", [LOOP, LOOPS])
def test_endless_loops_do_not_keep_an_unrolling_from_its_end(hang: str) -> None:
    program = program_of(hang + ROUNDS % 6)
    (found,) = unrolled(program).values()
    assert isinstance(found, Safe)
    assert is_certified(program, [0], found.certificate)
    assert isinstance(unrolled(program_of(hang + ROUNDS % 4))[0], Unsafe)


@pytest.mark.parametrize("name", FAILING)
def test_errors_within_endless_loops_are_found(name: str) -> None:
    outcomes = unrolled(program_of(FAILING[name] + ROUNDS % 4)).values()
    assert [isinstance(outcome, Unsafe) for outcome in outcomes] == [True, True]
