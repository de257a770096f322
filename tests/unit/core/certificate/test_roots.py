"""Roots: variables that certificates count among the nodes, since pointers to fields lead to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.limits import Limits
from core.program import Program
from core.solver.cvc5_solver import Cvc5Factory
from core.verdict import Certificate, HeapGhosts, Safe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from runs.evidence_json import decode_evidence, encode_evidence
from runs.jsondata import compact, parse
from tests.support.lists import outcomes

EXAMPLE = Path(__file__).parents[4] / "resources" / "examples" / "lists" / "field_pointer.c"
PROGRAM = lower(parse_program(EXAMPLE.read_text(), EXAMPLE.name, DataModel.ILP32), UnreachCall())
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    (outcome,) = outcomes(PROGRAM).values()
    assert isinstance(outcome, Safe)
    return outcome.certificate


def is_accepted(given: Certificate, program: Program = PROGRAM) -> bool:
    result = check_certificate(program, (0,), given, Cvc5Factory(), Limits(), lambda _: None)
    return isinstance(result, Certified)


def with_roots(certificate: Certificate, roots: tuple[int, ...]) -> Certificate:
    (ghosts,) = certificate.ghosts
    assert isinstance(ghosts, HeapGhosts)
    return replace(certificate, ghosts=(replace(ghosts, roots=roots),))


def roots_of(certificate: Certificate) -> tuple[int, ...]:
    (ghosts,) = certificate.ghosts
    assert isinstance(ghosts, HeapGhosts)
    return ghosts.roots


def test_a_variable_is_a_field_of_a_root(certificate: Certificate) -> None:
    assert len(roots_of(certificate)) == 1
    assert is_accepted(certificate)


def test_what_is_no_root_is_no_node(certificate: Certificate) -> None:
    assert not is_accepted(with_roots(certificate, ()))


@pytest.mark.parametrize("wrong", [0, -4, 1 << 40, 1 << 90])
def test_roots_lie_below_all_that_is_allocated(certificate: Certificate, wrong: int) -> None:
    assert not is_accepted(with_roots(certificate, (*roots_of(certificate), wrong)))


def test_roots_survive_a_run_file(certificate: Certificate) -> None:
    stored = parse(compact(encode_evidence({0: Safe(certificate)})))
    again = decode_evidence(stored, PROGRAM.arena).certificates[0]
    assert roots_of(again) == roots_of(certificate)
    assert is_accepted(again)
