"""Questions about addresses by instances: nothing that holds somewhere is refuted, and what lists need is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import product

import pytest

from core.certificate.check import check_certificate
from core.decision import ground_clauses
from core.decision.class_models import ClassModel
from core.decision.ground_clauses import GroundClauses
from core.decision.grounding import GroundProver
from core.decision.quantified import QuantifiedProver
from core.decision.relational import CellFunction, cell_of
from core.limits import Limits
from core.solver.contract import Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import INT, INT_ARRAY, Arena, Op, Term
from core.verdict import RELATION, SET, Safe
from tests.support.lists import list_program, outcomes

ARENA = Arena()
A, B, C = (ARENA.symbol(name, INT) for name in "abc")
R, S, N = ARENA.symbol("r", RELATION), ARENA.symbol("s", SET), ARENA.symbol("n", INT_ARRAY)
X, Y, Z = (ARENA.proof_symbol(name, INT) for name in "xyz")
POINTS = range(-3, 14)  # beyond these nothing differs
BLOCK = 4


def r(a: Term, b: Term) -> Term:
    return ARENA.select(ARENA.select(R, a), b)


def s(a: Term) -> Term:
    return ARENA.select(S, a)


def n(a: Term, distance: int = 0) -> Term:
    return ARENA.select(N, ARENA.add(a, ARENA.integer(distance)))


def refuted(hypotheses: Sequence[Term], *formulas: Term) -> bool:
    with closing(GroundProver(ARENA, hypotheses, lambda: None)) as prover:
        return prover.refutes(formulas)


LISTS = (
    ARENA.forall((X,), r(X, X)),
    ARENA.forall((X, Y, Z), ARENA.implies(ARENA.and_(r(X, Y), r(Y, Z)), r(X, Z))),
    ARENA.forall((X, Y), ARENA.implies(ARENA.and_(r(X, Y), r(Y, X)), ARENA.equals(X, Y))),
    ARENA.forall((X, Y, Z), ARENA.implies(ARENA.and_(r(X, Y), r(X, Z)), ARENA.or_(r(Y, Z), r(Z, Y)))),
    ARENA.forall((X,), ARENA.implies(s(X), r(X, n(X, 4)))),
)


@pytest.mark.parametrize(
    "formulas",
    [
        (r(A, B), r(B, C), ARENA.not_(r(A, C))),
        (r(A, B), r(A, C), ARENA.not_(r(B, C)), ARENA.not_(r(C, B))),
        (ARENA.equals(A, B), s(A), ARENA.not_(s(B))),
        (ARENA.equals(A, B), ARENA.lt(n(A), n(B))),
        (s(A), r(n(A, 4), A), ARENA.not_(ARENA.equals(n(A, 4), A))),
        (s(A), ARENA.equals(A, B), ARENA.equals(C, n(B, 4)), ARENA.not_(r(B, C))),
        (ARENA.equals(n(A, 8), ARENA.integer(3)), ARENA.equals(A, B), ARENA.lt(n(B, 8), ARENA.integer(3))),
        (ARENA.le(n(A), ARENA.integer(2)), ARENA.not_(ARENA.le(n(B), ARENA.integer(5))), ARENA.equals(A, B)),
        (s(ARENA.ite(s(A), A, B)), ARENA.not_(s(A)), ARENA.not_(s(B))),
    ],
)
def test_what_lists_need_is_refuted(formulas: tuple[Term, ...]) -> None:
    assert refuted(LISTS, *formulas)
    for left_out in range(len(formulas)):
        assert not refuted(LISTS, *formulas[:left_out], *formulas[left_out + 1 :])


WHOLE, SIZE = ARENA.integer(BLOCK), ARENA.integer(2)


def size(a: Term) -> Term:
    return ARENA.select(N, ARENA.divide(a, WHOLE))


BLOCKS = (
    ARENA.forall((X,), ARENA.implies(s(X), ARENA.equals(ARENA.modulo(X, WHOLE), ARENA.zero))),
    ARENA.forall((X,), ARENA.implies(s(X), ARENA.or_(ARENA.le(SIZE, size(X)), ARENA.equals(X, C)))),
    ARENA.forall((X,), ARENA.implies(s(X), ARENA.lt(ARENA.zero, X))),
)


@pytest.mark.parametrize(
    "formulas",
    [
        (s(A), ARENA.not_(ARENA.equals(A, C)), ARENA.lt(size(A), SIZE)),
        (s(A), ARENA.not_(ARENA.equals(A, C)), ARENA.lt(size(ARENA.add(A, ARENA.one)), SIZE)),
        (s(A), ARENA.le(SIZE, ARENA.modulo(ARENA.add(A, ARENA.one), WHOLE))),
        (s(A), ARENA.lt(A, WHOLE)),
        (ARENA.equals(ARENA.divide(A, WHOLE), ARENA.divide(B, WHOLE)), ARENA.lt(size(A), size(B))),
        (s(A), s(B), ARENA.equals(ARENA.divide(A, WHOLE), ARENA.divide(B, WHOLE)), ARENA.not_(ARENA.equals(A, B))),
        (ARENA.equals(ARENA.divide(A, WHOLE), B), ARENA.lt(A, ARENA.linear([(BLOCK, B)]))),
        (ARENA.equals(ARENA.divide(A, WHOLE), B), ARENA.lt(size(A), ARENA.select(N, B))),
        (ARENA.equals(A, ARENA.linear([(BLOCK, B)])), ARENA.not_(ARENA.equals(ARENA.divide(A, WHOLE), B))),
    ],
)
def test_what_blocks_need_is_refuted(formulas: tuple[Term, ...]) -> None:
    assert refuted(BLOCKS, *formulas)
    for left_out in range(len(formulas)):
        assert not refuted(BLOCKS, *formulas[:left_out], *formulas[left_out + 1 :])


# Nothing that has a model is refuted.


class Model:
    """Values of all symbols: arrays have their default beyond what is listed."""

    def __init__(self, rng: random.Random) -> None:
        self.elements = rng.sample(range(-1, 10), 4)
        self.symbols: dict[Term, int] = {x: rng.choice(self.elements) for x in (A, B, C)}
        self.related = {(a, b) for a in self.elements for b in self.elements if rng.random() < 0.5}
        self.members = {a for a in self.elements if rng.random() < 0.5}
        self.cells = {i: rng.choice(self.elements) for i in POINTS}

    def holds(self, formula: Term) -> bool:
        if formula.is_quantified:
            return all(
                self._truth(formula.args[0], {**self.symbols, **dict(zip(formula.bound, values, strict=True))})
                for values in product(POINTS, repeat=len(formula.bound))
            )
        return self._truth(formula, self.symbols)

    def _truth(self, t: Term, symbols: dict[Term, int]) -> bool:
        if t.is_constant:
            return t.is_true
        if t.is_negation:
            return not self._truth(t.args[0], symbols)
        if t.is_conjunction or t.is_disjunction:
            values = [self._truth(part, symbols) for part in t.args]
            return all(values) if t.is_conjunction else any(values)
        if t.is_choice:
            return self._truth(t.args[1 if self._truth(t.args[0], symbols) else 2], symbols)
        if t.is_comparison:
            value = self._number(t.args[0], symbols)
            return value == t.value if t.is_equation else value <= t.value
        if t.is_select:
            array, index = t.args
            if array is S:
                return self._number(index, symbols) in self.members
            return (self._number(array.args[1], symbols), self._number(index, symbols)) in self.related
        a, b = (self._truth(part, symbols) for part in t.args)
        return a == b

    def _number(self, t: Term, symbols: dict[Term, int]) -> int:
        if t.is_constant:
            return t.value
        if t.is_sum:
            parts = zip(t.coefficients, t.args, strict=True)
            return t.constant + sum(c * self._number(x, symbols) for c, x in parts)
        if t.is_choice:
            return self._number(t.args[1 if self._truth(t.args[0], symbols) else 2], symbols)
        if t.is_select:
            return self.cells.get(self._number(t.args[1], symbols), 0)
        if t.op in (Op.DIVIDE, Op.MODULO):
            quotient, rest = divmod(self._number(t.args[0], symbols), t.args[1].value)
            return quotient if t.op is Op.DIVIDE else rest
        return symbols[t]


def element(rng: random.Random, names: Sequence[Term]) -> Term:
    one = rng.choice(names)
    return n(one, rng.choice((0, 4))) if rng.random() < 0.3 else one


def divided(rng: random.Random, names: Sequence[Term]) -> Term:
    """A number that is made of an address by division by `BLOCK`, or a multiple of that."""
    address = ARENA.add(rng.choice(names), ARENA.integer(rng.choice((0, 0, 1, 2, 3, -1))))
    quotient = ARENA.divide(address, ARENA.integer(BLOCK))
    makers = (
        lambda: quotient,
        lambda: ARENA.modulo(address, ARENA.integer(BLOCK)),
        lambda: ARENA.select(N, quotient),
        lambda: n(rng.choice(names)),
        lambda: ARENA.linear([(BLOCK, rng.choice(names))]),
        lambda: ARENA.select(N, ARENA.integer(rng.randrange(3))),
        lambda: address,
    )
    return rng.choice(makers)()


def division(rng: random.Random, names: Sequence[Term]) -> Term:
    a, b = divided(rng, names), divided(rng, names)
    found = rng.choice(
        (
            ARENA.equals(a, b),
            ARENA.le(a, b),
            ARENA.equals(a, ARENA.integer(rng.randrange(3))),
            ARENA.le(a, ARENA.integer(rng.randrange(-2, 8))),
            s(a),
        )
    )
    return ARENA.not_(found) if rng.random() < 0.5 else found


def atom(rng: random.Random, names: Sequence[Term]) -> Term:
    a, b = element(rng, names), element(rng, names)
    makers: tuple[Callable[[], Term], ...] = (
        lambda: r(a, b),
        lambda: s(a),
        lambda: ARENA.equals(a, b),
        lambda: ARENA.le(a, ARENA.add(b, ARENA.integer(rng.randrange(-2, 3)))),
        lambda: ARENA.le(a, ARENA.integer(rng.randrange(0, 8))),
        lambda: ARENA.equals(a, ARENA.integer(rng.randrange(0, 4))),
        lambda: s(ARENA.ite(s(b), a, b)),
    )
    found = rng.choice(makers)()
    return ARENA.not_(found) if rng.random() < 0.5 else found


def formulas(rng: random.Random, count: int, names: Sequence[Term], *, with_divisions: bool = False) -> Iterator[Term]:
    for _ in range(count):
        join = rng.choice((ARENA.or_, ARENA.or_, ARENA.and_, ARENA.iff))
        makers = [division if with_divisions and rng.random() < 0.6 else atom for _ in range(3)]
        parts = [make(rng, names) for make in makers[: 2 if join == ARENA.iff else rng.randrange(1, 4)]]
        yield join(*parts)


def wrong_refutations(seed: int, *, with_divisions: bool = False) -> tuple[int, int]:
    """How often what has a model is refuted, and what is denied."""
    rng, wrong, right = random.Random(seed), 0, 0
    for _ in range(25):
        model = Model(rng)
        bound = (X, Y)[: rng.randrange(1, 3)]
        some = formulas(rng, 12, (A, *bound, *bound), with_divisions=with_divisions)
        universal = [ARENA.forall(bound, one) for one in some]
        ground = list(formulas(rng, 40, (A, B, C), with_divisions=with_divisions))
        hypotheses = [one for one in universal if model.holds(one)]
        facts = [one for one in ground if model.holds(one)]
        wrong += refuted(hypotheses, *facts)
        denied = next(one for one in facts if not one.is_constant)
        right += refuted(hypotheses, *facts, ARENA.not_(denied))
    return wrong, right


SEEDS = [*range(5), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 12))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.long
def test_nothing_that_has_a_model_is_refuted(seed: int) -> None:
    wrong, right = wrong_refutations(seed)
    assert not wrong
    assert right


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.long
def test_nothing_about_quotients_that_has_a_model_is_refuted(seed: int) -> None:
    wrong, right = wrong_refutations(seed, with_divisions=True)
    assert not wrong
    assert right


def all_cells_at_once(arena: Arena, element: Term, _: Sequence[Term]) -> tuple[CellFunction, Term] | None:
    found = cell_of(arena, element)
    return None if found is None else (CellFunction(found[0].array, arena.zero), found[1])


@pytest.mark.parametrize(
    ("owner", "name", "fault"),
    [
        (ClassModel, "_path", lambda *_: []),
        (GroundClauses, "constant", lambda self, x: 0 if self.elements[x].is_constant else None),
        (ground_clauses, "cell_of", all_cells_at_once),
    ],
)
@pytest.mark.long
def test_mistakes_are_noticed(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str, fault: Callable[..., object]
) -> None:
    monkeypatch.setattr(owner, name, fault)
    assert any(wrong_refutations(seed)[0] for seed in range(12))


@pytest.mark.long
def test_a_solver_with_quantifiers_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[tuple[Term, ...], tuple[Term, ...]]] = []
    plain = QuantifiedProver._asked

    def noted(self: QuantifiedProver, facts: tuple[Term, ...], goal: Term) -> object:
        found = plain(self, facts, goal)
        if found == "sat":
            asked.append((self._known, (*facts, self._arena.not_(goal))))
        return found

    monkeypatch.setattr(QuantifiedProver, "_asked", noted)
    program = list_program("p->h = 2; for (p = a; p; p = p->n) if (p->h != 1 && p->n) reach_error();")
    (outcome,) = outcomes(program).values()
    assert isinstance(outcome, Safe)
    check_certificate(program, (0,), outcome.certificate, Cvc5Factory(), Limits(), lambda _: None)
    assert len(asked) > 20
    for known, formulas_ in asked:
        solver = Cvc5Factory()(10_000)
        solver.add(*known, *formulas_)
        assert isinstance(solver.check(), Unsat)
