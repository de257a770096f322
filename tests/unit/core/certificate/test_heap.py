"""The check of certificates with ghost variables: right ones pass, and no fault in one, or in its formulas, does."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace

import pytest

from core.certificate import lists
from core.certificate.check import check_certificate
from core.certificate.lists import RelationFormula, SetFormula, StoreUpdate
from core.certificate.results import CertificateResult, Certified, Rejected
from core.decision.prover import Effort
from core.limits import Limits, SolverUndecided
from core.program import Program
from core.program.expansion import At
from core.solver.contract import Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import INT, Arena, Op, Term, literals
from core.verdict import Certificate, HeapGhosts, Safe
from runs.evidence_json import decode_evidence, encode_evidence
from runs.jsondata import compact, parse
from tests.support.lists import list_program, outcomes

PROGRAM = list_program("p->h = 2; for (p = a; p; p = p->n) if (p->h != 1 && p->n) reach_error();")
pytestmark = pytest.mark.long
LITTLE = Effort(query=100)


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    (outcome,) = outcomes(PROGRAM).values()
    assert isinstance(outcome, Safe)
    return outcome.certificate


def examine(given: Certificate, checks: tuple[int, ...] = (0,)) -> CertificateResult:
    return check_certificate(PROGRAM, checks, given, Cvc5Factory(), Limits(), lambda _: None, LITTLE)


def test_a_right_certificate_passes(certificate: Certificate) -> None:
    assert isinstance(examine(certificate), Certified)


def test_a_certificate_survives_a_run_file(certificate: Certificate) -> None:
    stored = parse(compact(encode_evidence({0: Safe(certificate)})))
    again = decode_evidence(stored, PROGRAM.arena).certificates[0]
    assert heap_of(again).fields == heap_of(certificate).fields
    assert heap_of(again).structured == heap_of(certificate).structured
    assert isinstance(examine(again), Certified)


def lemma_holds(given: lists.StatementLemma, arena: Arena) -> bool:
    solver = Cvc5Factory()(100)
    solver.add(*given.hypotheses)
    for goal in given.goals:
        opened = goal.args[0] if goal.op is Op.FORALL else goal
        with solver.scope():
            solver.add(arena.not_(opened))
            try:
                if not isinstance(solver.check(), Unsat):
                    return False
            except SolverUndecided:
                return False
    return True


def lemmas_hold(*, with_cycles: bool = False) -> dict[str, bool]:
    arena = Arena()
    every = lists.statement_lemmas(arena, with_lengths=True, with_cycles=with_cycles)
    return {one.form.partition(",")[0]: lemma_holds(one, arena) for one in every}


@pytest.mark.parametrize("with_cycles", [False, True])
def test_statements_keep_lists(with_cycles: bool) -> None:
    forms = ["a store", "an allocation", "a change of all pointers", "the start"]
    assert lemmas_hold(with_cycles=with_cycles) == dict.fromkeys(forms, True)


def nothing_is_cut(self: StoreUpdate, a: Term, b: Term) -> Term:
    return self._reaches(a, b)


def null_is_joined(self: StoreUpdate, a: Term, b: Term) -> Term:
    arena = self._arena
    through = arena.and_(self.without(a, self.p), self.without(self.v, b))
    return arena.or_(self.without(a, b), arena.and_(self._is_node, through))


def only_the_node_is_joined(self: StoreUpdate, a: Term, b: Term) -> Term:
    arena = self._arena
    through = arena.and_(arena.equals(a, self.p), arena.equals(self.v, b), arena.not_(self._is_null))
    return arena.or_(self.without(a, b), arena.and_(self._is_node, through))


def anything_may_be_stored(self: StoreUpdate) -> Term:
    return self._arena.true


def cycles_may_be_closed(self: StoreUpdate) -> Term:
    arena = self._arena
    return arena.implies(self._is_node, arena.or_(self._is_null, self._allocated(self.v)))


def all_is_written(self: StoreUpdate, _: SetFormula) -> SetFormula:
    return lambda _: self._arena.true


def lengths_stay(_: StoreUpdate, before: SetFormula) -> SetFormula:
    return before


def a_record_more(self: StoreUpdate, before: SetFormula) -> SetFormula:
    return lambda a: self._arena.add(before(a), self._arena.one)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("_without", nothing_is_cut),
        ("_joined", null_is_joined),
        ("_joined", only_the_node_is_joined),
        ("demand", anything_may_be_stored),
        ("demand", cycles_may_be_closed),
        ("written", all_is_written),
        ("length", lengths_stay),
        ("length", a_record_more),
    ],
)
def test_a_fault_in_the_formulas_of_a_store_is_noticed(
    monkeypatch: pytest.MonkeyPatch, name: str, fault: Callable[..., Term]
) -> None:
    monkeypatch.setattr(StoreUpdate, name, fault)
    found = lemmas_hold()
    assert not found.pop("a store")
    assert all(found.values())


def nothing_is_around(self: StoreUpdate, _: RelationFormula) -> RelationFormula:
    return lists._nowhere(self._arena)


def around_stays(_: StoreUpdate, around: RelationFormula) -> RelationFormula:
    return around


def null_is_around(self: StoreUpdate, around: RelationFormula) -> RelationFormula:
    """The formula without the denial that null is stored."""
    without = copy(self)
    without._is_null = self._arena.false
    return right_around(without, around)


def all_joins_what_is_around(self: StoreUpdate, around: RelationFormula) -> RelationFormula:
    """The formula without the cut: what is around goes on behind the new pointer, too."""
    without = copy(self)
    without.is_cut = self._arena.false
    return right_around(without, around)


right_around = StoreUpdate.around


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("_without", nothing_is_cut),
        ("_joined", null_is_joined),
        ("demand", anything_may_be_stored),
        ("written", all_is_written),
        ("length", lengths_stay),
        ("around", nothing_is_around),
        ("around", around_stays),
        ("around", null_is_around),
        ("around", all_joins_what_is_around),
    ],
)
def test_a_fault_in_the_formulas_of_a_store_is_noticed_where_there_may_be_cycles(
    monkeypatch: pytest.MonkeyPatch, name: str, fault: Callable[..., Term]
) -> None:
    monkeypatch.setattr(StoreUpdate, name, fault)
    found = lemmas_hold(with_cycles=True)
    assert not found.pop("a store")
    assert all(found.values())


def test_a_fault_in_the_first_values_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def everything(arena: Arena) -> SetFormula:
        return lambda _: arena.true

    monkeypatch.setattr(lists, "_nothing", everything)
    assert not lemmas_hold()["the start"]


def without(certificate: Certificate, at: At, conjunct: Term) -> Certificate:
    rest = [one for one in literals(certificate.invariants[at]) if one is not conjunct]
    return replace(certificate, invariants={**certificate.invariants, at: PROGRAM.arena.and_(*rest)})


def heap_of(certificate: Certificate) -> HeapGhosts:
    (ghosts,) = certificate.ghosts
    assert isinstance(ghosts, HeapGhosts)
    return ghosts


def structured_head(certificate: Certificate) -> At:
    return next(at for at in certificate.invariants if at in heap_of(certificate).structured)


def test_an_invariant_that_is_too_weak_is_not_accepted(certificate: Certificate) -> None:
    for at in list(certificate.invariants):
        weak = replace(certificate, invariants={**certificate.invariants, at: PROGRAM.arena.true})
        assert not isinstance(examine(weak), Certified)


def test_an_invariant_that_does_not_hold_is_not_accepted(certificate: Certificate) -> None:
    arena, head = PROGRAM.arena, structured_head(certificate)
    x = arena.proof_symbol("any", INT)
    reaches = heap_of(certificate).fields[0].reaches
    for wrong in (
        arena.false,
        arena.forall((x,), arena.select(heap_of(certificate).allocated, x)),
        arena.forall((x,), arena.not_(arena.select(arena.select(reaches, x), x))),
    ):
        invariants = {**certificate.invariants, head: arena.and_(certificate.invariants[head], wrong)}
        assert not isinstance(examine(replace(certificate, invariants=invariants)), Certified)


def test_loop_heads_need_invariants(certificate: Certificate) -> None:
    head = structured_head(certificate)
    rest = {at: formula for at, formula in certificate.invariants.items() if at != head}
    assert not isinstance(examine(replace(certificate, invariants=rest)), Certified)


def test_what_the_ghosts_describe_must_be_claimed_where_it_is_used(certificate: Certificate) -> None:
    less = replace(heap_of(certificate), structured=frozenset[At]())
    assert not isinstance(examine(replace(certificate, ghosts=(less,))), Certified)


def test_what_is_claimed_of_the_start_is_proved(certificate: Certificate) -> None:
    assert PROGRAM.memory is not None
    start = At((), PROGRAM.functions[PROGRAM.start].entry)
    pointer = min((one for one in PROGRAM.memory.pointers if one.sort is INT), key=lambda one: one.name)
    for claim in (PROGRAM.arena.false, PROGRAM.arena.equals(pointer, PROGRAM.arena.one)):
        assert isinstance(examine(replace(certificate, invariants={start: claim})), Rejected)


def malformed(certificate: Certificate) -> dict[str, Certificate]:
    arena, given, head = PROGRAM.arena, heap_of(certificate), structured_head(certificate)
    array, x = given.fields[0].array, arena.proof_symbol("any", INT)
    claim = arena.forall((x,), arena.select(given.allocated, x))
    inside = arena.or_(claim, arena.select(given.allocated, arena.one))

    def claiming(formula: Term) -> Certificate:
        return replace(certificate, invariants={**certificate.invariants, head: formula})

    return {
        "ghost variables are not": replace(certificate, ghosts=(replace(given, allocated=given.fields[0].written),)),
        "a program could have": replace(certificate, ghosts=(replace(given, allocated=array),)),
        "no memory": replace(certificate, ghosts=(replace(given, fields=(replace(given.fields[0], array=x),)),)),
        "conjunct of its own": claiming(inside),
        "which is no variable": claiming(arena.equals(arena.fresh("other", INT), arena.one)),
        "is not a formula": claiming(arena.one),
    }


def test_malformed_certificates_are_rejected(certificate: Certificate) -> None:
    for reason, wrong in malformed(certificate).items():
        result = examine(wrong)
        assert not isinstance(result, Certified)
        assert reason in result.why


def test_checks_must_be_of_the_program(certificate: Certificate) -> None:
    assert not isinstance(examine(certificate, (7,)), Certified)


def test_a_program_without_memory_has_no_ghosts(certificate: Certificate) -> None:
    bare: Program = replace(PROGRAM, memory=None)
    result = check_certificate(bare, (0,), certificate, Cvc5Factory(), Limits(), lambda _: None)
    assert not isinstance(result, Certified)
