"""Contracts that speak of memory and ghosts: of lists, with snapshots of these, and of ghost arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from core.certificate import CertificateResult, Certified, Effort, check_certificate
from core.certificate.contracts import ContractedView
from core.limits import Limits
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import INT, INT_ARRAY, Term
from core.verdict import RELATION, SET, Certificate, Contract, Fold, GhostField, HeapGhosts
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from tests.support.lists import PRELUDE
from tests.support.program_builder import ProgramBuilder

PUSHING = """
static struct node *list;
static void push(void) {
    struct node *new = malloc(sizeof *new);
    new->h = 1;
    new->n = list;
    list = new;
}
int main(void) {
    struct node *first = malloc(sizeof *first);
    first->h = 1;
    first->n = 0;
    list = first;
    while (__VERIFIER_nondet_int())
        push();
    if (first->h != 1) reach_error();
    if (list && list->h != 1) reach_error();
    return 0;
}
"""


def examined(program: Program, certificate: Certificate) -> CertificateResult:
    checks = [check.id for check in program.checks]
    little = Effort(query=100)
    return check_certificate(program, checks, certificate, Cvc5Factory(), Limits(), lambda _: None, little)


class Pushing:
    """The program, and a certificate in which `push` has a contract."""

    def __init__(self, text: str = PUSHING) -> None:
        self.program = lower(parse_program(f"{PRELUDE}{text}", "push.c", DataModel.ILP32), UnreachCall())
        self.arena = arena = self.program.arena
        memory = self.program.memory
        assert memory is not None
        cells = {cell.field: (array, cell.offset) for array, own in memory.cells.items() for cell in own}
        self._values, next_array = cells["h"], cells["n"]
        symbol = arena.symbol
        self.field = GhostField(*next_array, symbol("\\reaches", RELATION), symbol("\\written", SET))
        self.allocated = symbol("\\allocated", SET)
        self.before = symbol("\\allocated@entry", SET)
        named = {x.name: s for s, x in self.program.variables.items()}
        self.list, self.first = named["list"], named["main::first"]
        nothing = Contract(arena.true, arena.true)
        view = ContractedView(Expansion(self.program, BlockEncoding.STATEMENTS), {"push": nothing})
        call = next(edge.id for edge in self.program.edges if edge.text == "main()")
        heads = [at.id for at in self.program.locations if at.loop and at.function == "main"]
        loop = heads[0] if heads else self.program.functions["main"].exit
        self.head, self.entry, self.exit = At((call,), loop), view.entry("push"), view.exit("push")

    def all_ones(self, value: int = 1) -> Term:
        """All records are written and hold a value, and `list` is one of them or null."""
        arena, x = self.arena, self.arena.proof_symbol("x", INT)
        array, offset = self._values
        held = arena.equals(arena.select(array, arena.add(x, arena.integer(offset))), arena.integer(value))
        known = arena.and_(held, arena.select(self.field.written, x))
        return arena.and_(
            arena.forall((x,), arena.implies(arena.select(self.allocated, x), known)),
            arena.or_(arena.equals(self.list, arena.zero), arena.select(self.allocated, self.list)),
        )

    def kept(self) -> Term:
        """What was allocated is allocated."""
        arena, x = self.arena, self.arena.proof_symbol("x", INT)
        return arena.forall((x,), arena.implies(arena.select(self.before, x), arena.select(self.allocated, x)))

    def certificate(self) -> Certificate:
        arena, ones = self.arena, self.all_ones()
        heap = HeapGhosts(self.allocated, (self.field,), frozenset({self.head, self.entry, self.exit}))
        head = arena.and_(ones, arena.select(self.allocated, self.first))
        return Certificate({self.head: head}, (), {"push": Contract(ones, arena.and_(ones, self.kept()))}, (heap,))

    def with_contract(self, pre: Term, post: Term) -> Certificate:
        return replace(self.certificate(), contracts={"push": Contract(pre, post)})

    def described_at(self, *places: At) -> Certificate:
        heap = HeapGhosts(self.allocated, (self.field,), frozenset(places))
        return replace(self.certificate(), ghosts=(heap,))


@pytest.mark.long
def test_a_contract_speaks_of_lists_and_of_what_was_allocated_before() -> None:
    case = Pushing()
    assert isinstance(examined(case.program, case.certificate()), Certified)


@pytest.mark.long
def test_a_call_knows_what_was_allocated_on_the_path_to_it() -> None:
    case = Pushing(PUSHING.replace("while (__VERIFIER_nondet_int())", ""))
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
    case = Pushing()
    assert not isinstance(examined(case.program, _wrong()[name](case)), Certified)


@pytest.mark.long
def test_a_wrong_program_has_no_contract() -> None:
    case = Pushing(PUSHING.replace("new->h = 1", "new->h = 2"))
    assert not isinstance(examined(case.program, case.certificate()), Certified)
    case = Pushing(PUSHING.replace("list = new;", "list = new; new->n = new;"))
    assert not isinstance(examined(case.program, case.certificate()), Certified)


@pytest.mark.long
def test_all_kinds_of_ghosts_stand_in_one_certificate_with_contracts_and_lemmas() -> None:
    case = Pushing()
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
    case = Pushing()
    t, proof = case.arena, case.certificate()
    own, result, index = (t.proof_symbol(x, sort) for x, sort in (("s", INT_ARRAY), ("r", INT), ("i", INT)))
    local = next(s for s, x in case.program.variables.items() if x.name.startswith("push::"))
    fold = Fold(own, case.head, frozenset(), result, index, local, result, t.true)
    result_ = examined(case.program, replace(proof, ghosts=(*proof.ghosts, fold)))
    assert not isinstance(result_, Certified)
    assert "another activation" in result_.why


def test_ghosts_have_no_names_of_snapshots() -> None:
    case = Pushing()
    proof = case.certificate()
    other = HeapGhosts(case.before, (case.field,), frozenset())
    result = examined(case.program, replace(proof, ghosts=(other,)))
    assert not isinstance(result, Certified)
    assert "snapshot" in result.why
