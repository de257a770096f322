"""Contracts that speak of memory and ghosts: of lists, with snapshots of these, and of ghost arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import CertificateResult, Certified
from core.decision.prover import Effort
from core.limits import LimitReached, Limits, cpu_used
from core.program import Program
from core.program.expansion import At
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import INT, INT_ARRAY, Arena, Term
from core.verdict import Certificate, Contract, Fold, HeapGhosts, Safe
from interplay.session.session import check_references
from runs.evidence_json import decode_evidence, encode_evidence
from runs.jsondata import Malformed, compact, parse
from runs.serialize import decode_program, encode_program
from tests.seeded_bugs.forging import Forger, names_of
from tests.support.program_builder import ProgramBuilder
from tests.support.pushing import PUSHING, Pushing, pushing


def examined(program: Program, certificate: Certificate, seconds: float | None = None) -> CertificateResult:
    checks = [check.id for check in program.checks]
    little = Effort(query=100)
    return check_certificate(program, checks, certificate, Cvc5Factory(), Limits(seconds), lambda _: None, little)


@pytest.mark.long
def test_a_contract_speaks_of_lists_and_of_what_was_allocated_before() -> None:
    case = pushing()
    assert isinstance(examined(case.program, case.certificate()), Certified)


@pytest.mark.long
def test_a_call_knows_what_was_allocated_on_the_path_to_it() -> None:
    case = pushing(PUSHING.replace("while (__VERIFIER_nondet_int())", ""))
    straight = replace(case.described_at(case.entry, case.exit), invariants={})
    assert isinstance(examined(case.program, straight), Certified)


def _wrong() -> Mapping[str, Callable[[Pushing], Certificate]]:
    return {
        "nothing of what was": lambda case: case.with_contract(case.all_ones(), case.all_ones()),
        "another value": lambda case: case.with_contract(
            case.all_ones(), case.arena.and_(case.all_ones(2), case.kept())
        ),
        "more than is known before": lambda case: case.with_contract(
            case.arena.and_(case.all_ones(), case.arena.equals(case.list, case.arena.zero)),
            case.arena.and_(case.all_ones(), case.kept()),
        ),
        "nothing was allocated before": lambda case: case.with_contract(
            case.all_ones(), case.arena.and_(case.all_ones(), nothing_before(case))
        ),
        "not described at the return": lambda case: case.described_at(case.head, case.entry),
        "not described at the call": lambda case: case.described_at(case.head, case.exit),
        "not described at the loop": lambda case: case.described_at(case.entry, case.exit),
    }


def nothing_before(case: Pushing) -> Term:
    x = case.arena.proof_symbol("x", INT)
    return case.arena.forall((x,), case.arena.not_(case.arena.select(case.before, x)))


@pytest.mark.long
@pytest.mark.parametrize("name", _wrong())
def test_wrong_contracts_about_lists_are_not_accepted(name: str) -> None:
    case = pushing()
    assert not isinstance(examined(case.program, _wrong()[name](case)), Certified)


@pytest.mark.long
def test_a_wrong_program_has_no_contract() -> None:
    case = pushing(PUSHING.replace("new->h = 1", "new->h = 2"))
    assert not isinstance(examined(case.program, case.certificate()), Certified)
    case = pushing(PUSHING.replace("list = new;", "list = new; new->n = new;"))
    assert not isinstance(examined(case.program, case.certificate()), Certified)


@pytest.mark.long
@pytest.mark.parametrize("change", ["new->h = 2", "new->h = 1; list->h = 4", "new->h = __VERIFIER_nondet_int()"])
def test_no_forgery_is_accepted_for_a_wrong_program(change: str) -> None:
    right, wrong = pushing(), pushing(PUSHING.replace("new->h = 1", change))
    document: Any = parse(compact(encode_evidence({0: Safe(right.certificate())})))
    forger = Forger(Random(change), names_of(wrong.program))
    for _ in range(20):
        arena = Arena()
        program = decode_program(encode_program(wrong.program), arena)
        with suppress(Malformed, LimitReached):
            evidence = decode_evidence(forger.forged(document), arena)
            check_references(program, evidence)
            for certificate in evidence.certificates.values():
                assert not isinstance(examined(program, certificate, cpu_used() + 1), Certified)


@pytest.mark.long
def test_all_kinds_of_ghosts_stand_in_one_certificate_with_contracts_and_lemmas() -> None:
    case = pushing()
    t, proof = case.arena, case.certificate()
    own, result, index = (t.proof_symbol(x, sort) for x, sort in (("s", INT_ARRAY), ("r", INT), ("i", INT)))
    edges = frozenset(e.id for e in case.program.edges if e.target == case.head.location)
    fold = Fold(own, case.head, edges, result, index, t.zero, t.add(result, t.one), t.le(t.zero, result))
    head = t.and_(proof.invariants[case.head], t.equals(t.select(own, t.zero), t.zero))
    lemma = t.implies(t.equals(case.list, t.one), t.not_(t.equals(case.list, t.zero)))
    whole = replace(proof, ghosts=(*proof.ghosts, fold), invariants={case.head: head}, lemmas=(lemma,))
    assert isinstance(examined(case.program, whole), Certified)
    wrong = t.and_(head, t.equals(t.select(own, t.one), t.zero))
    assert not isinstance(examined(case.program, replace(whole, invariants={case.head: wrong})), Certified)


def summing(changes_between: bool = False) -> tuple[Program, Certificate]:
    """`main: f()` and `f: y = x; s is made of x; g(); assert(y == x)`, where `g` may change x and call `f`."""
    b = ProgramBuilder()
    t = b.arena
    x, y = b.variable("x"), b.variable("y")
    entry, done = b.location(), b.location()
    b.call(entry, done, "f")
    top, made, back, leave = (b.location("f") for _ in range(4))
    edge = b.assign(top, made, (y, x))
    b.call(made, back, "g")
    error = b.error("f")
    b.assume(back, error, t.not_(t.equals(y, x)))
    b.assume(back, leave, t.equals(y, x))
    inner, outer = b.location("g"), b.location("g")
    if changes_between:
        changed = b.location("g")
        b.assign(inner, changed, (x, t.ite(t.lt(x, t.integer(9)), t.add(x, t.one), x)))
        b.call(changed, outer, "f")
    b.assume(inner, outer, t.true)
    b.function("main", entry, done)
    b.function("f", top, leave)
    b.function("g", inner, outer)
    own, result, index = (t.proof_symbol(n, sort) for n, sort in (("s", INT_ARRAY), ("r", INT), ("i", INT)))
    fold = Fold(own, At((), made), frozenset({edge}), result, index, x, result, t.true)
    first = t.select(own, t.zero)
    claims = {
        At((), made): t.and_(t.equals(first, x), t.equals(first, y)),
        At((), back): t.and_(t.equals(first, y), t.equals(x, y)),
    }
    contracts = {"f": Contract(t.true, t.true), "g": Contract(t.true, t.true)}
    return b.program(), Certificate(claims, (), contracts, (fold,))


def test_a_ghost_array_that_a_callee_may_make_anew_has_any_value_behind_the_call() -> None:
    assert isinstance(examined(*summing()), Certified)
    program, certificate = summing(changes_between=True)
    assert not isinstance(examined(program, certificate), Certified)


def test_the_definition_of_a_ghost_array_speaks_of_its_activation() -> None:
    case = pushing()
    t, proof = case.arena, case.certificate()
    own, result, index = (t.proof_symbol(x, sort) for x, sort in (("s", INT_ARRAY), ("r", INT), ("i", INT)))
    local = next(s for s, x in case.program.variables.items() if x.name.startswith("push::"))
    fold = Fold(own, case.head, frozenset(), result, index, local, result, t.true)
    result_ = examined(case.program, replace(proof, ghosts=(*proof.ghosts, fold)))
    assert not isinstance(result_, Certified)
    assert "another activation" in result_.why


def test_ghosts_have_no_names_of_snapshots() -> None:
    case = pushing()
    proof = case.certificate()
    other = HeapGhosts(case.before, (case.field,), frozenset())
    result = examined(case.program, replace(proof, ghosts=(other,)))
    assert not isinstance(result, Certified)
    assert "snapshot" in result.why
