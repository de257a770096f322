"""The kernel accepts what is right, and rejects what is wrong: of each rule, and of nonsense."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from core.decision.justification import (
    Abstracted,
    Answered,
    Axiom,
    Branched,
    Cases,
    Congruent,
    Contradiction,
    Cut,
    Deduced,
    Deduction,
    Derived,
    InInterval,
    Instantiated,
    Justification,
    Lifted,
    Multiple,
    Ordered,
    Propagated,
    Rewritten,
    SumOfBounds,
    ValidClause,
    Witnessed,
)
from core.decision.kernel import Kernel, Wrong, cases_of
from core.decision.solver_record import SolverRecord
from core.program import Range
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import BOOL, INT, INT_ARRAY, Arena, Term, branched, evaluate, subterms
from tests.support.random_terms import RandomTerms

T = Arena()
P, Q = (T.symbol(name, BOOL) for name in "pq")
X, Y, Z, N, M = (T.symbol(name, INT) for name in "xyznm")
A = T.symbol("a", INT_ARRAY)
K, J, FRESH, OTHER = (T.proof_symbol(name, INT) for name in "ijfo")
FLAG = T.proof_symbol("flag", BOOL)
FALSE = Contradiction(T.false)
WIDE = Range(-1000, 1000)


def number(k: int) -> Term:
    return T.integer(k)


def at_most(t: Term, k: int) -> Term:
    return T.le(t, number(k))


def equal(t: Term, k: int) -> Term:
    return T.equals(t, number(k))


def range_of(symbol: Term) -> Range | None:
    """The range of `n` and `m`, and of nothing else."""
    return Range(0, 9) if symbol in (N, M) else None


NUMBERS = Kernel(T, range_of, SolverRecord(Cvc5Factory()))
"""Kernels of tests have its numbers of atoms."""

Claim = tuple[Justification, tuple[Term, ...], Term]  # with hypotheses and goal


def kernel(record: SolverRecord | None = None) -> Kernel:
    one = Kernel(T, range_of, record or SolverRecord(Cvc5Factory()))
    for atom in NUMBERS.atoms:
        one.literal(atom)
    return one


def accepts(claim: Claim) -> bool:
    """Whether a kernel accepts a claim, after all clauses on which it rests."""
    one = kernel()
    if isinstance(claim[0], Propagated):
        _accept(one, claim[0].clause)
    return one.check(*claim)


def _accept(one: Kernel, clause: ValidClause) -> None:
    for antecedent in clause.antecedents if isinstance(clause, Derived) else ():
        _accept(one, antecedent)
    with suppress(Wrong):
        one.accept(clause)


def by_rules(*rules: Deduction) -> Justification:
    return Deduced(rules, FALSE)


def giving(formula: Term, rule: Deduction) -> Justification:
    """By a rule that gives `formula`, which is denied."""
    return Deduced((rule,), Contradiction(formula))


def by_sum(*parts: tuple[int, Term]) -> Justification:
    return by_rules(SumOfBounds(parts))


APART = T.not_(T.equals(X, Y))
EACH = T.forall([K], T.ge(T.select(A, K), T.zero))
SOME = T.not_(EACH)
DIAGONAL = T.forall([K], T.equals(T.select(A, K), K))
LARGE = T.forall([K], T.or_(at_most(K, 9), equal(T.select(A, K), 7)))
FEW = at_most(X, 9)
OF_FEW = T.forall((X,), T.or_(T.not_(FEW), at_most(T.select(A, X), 5)))
OF_ALL = T.forall((X,), at_most(T.select(A, X), 5))
NESTED = T.forall([J], at_most(T.select(A, J), 1))
CHOICE = T.ite(P, X, Y)
CHOSEN = at_most(CHOICE, 3)


def derived(denied: tuple[Term, ...], *antecedents: ValidClause) -> Derived:
    """The clause that denies formulas."""
    return Derived(tuple(-NUMBERS.literal(f) for f in denied), antecedents)


def propagated(formulas: tuple[Term, ...], *antecedents: ValidClause) -> Propagated:
    return Propagated(formulas, derived(formulas, *antecedents))


EITHER, BOTH = T.or_(P, Q), T.and_(P, Q)
BRANCHES = at_most(T.ite(P, X, Y), 3)
SQUARE, PRODUCT = T.multiply(N, N), T.multiply(N, M)
SAME = T.equals(N, M)
X_IS_M = T.equals(X, M)


def multiple(number: int, *factors: Term, coefficient: int = 1) -> Multiple:
    return {factors: coefficient}, number


BACK = multiple(0, N)  # n times the first equation


def congruent(
    formula: Term,
    *lines: tuple[Multiple, ...],
    given: tuple[Term, ...] = (),
    equations: tuple[Term, ...] = (SAME,),
    bits: int = 8,
) -> Justification:
    return giving(formula, Congruent(formula, equations, given, bits, lines))


RIGHT: dict[str, Claim] = {
    "a contradiction": (Contradiction(P), (P,), P),
    "a conjunction": (Contradiction(T.and_(P, Q)), (P, Q), T.and_(P, Q)),
    "a disjunct": (Contradiction(T.or_(P, Q)), (P,), T.or_(P, Q)),
    "a range": (Contradiction(at_most(N, 9)), (), at_most(N, 9)),
    "cases": (Cases(T.or_(P, Q), (Contradiction(P), Contradiction(Q))), (T.or_(P, Q), T.not_(Q)), P),
    "a cut": (Cut(((P, Contradiction(P)),), Contradiction(P)), (P,), P),
    "a sum": (by_sum((1, T.le(X, Y)), (1, T.le(Y, Z)), (1, T.lt(Z, X))), (T.le(X, Y), T.le(Y, Z)), T.le(X, Z)),
    "a sum with factors": (by_sum((3, at_most(X, 1)), (-3, equal(X, 2))), (at_most(X, 1), equal(X, 2)), T.false),
    "an equation": (
        Cases(
            T.not_(T.equals(X, Y)),
            tuple(
                by_sum((1, one), (1, case))
                for one, (case,) in zip((T.ge(X, Y), T.le(X, Y)), cases_of(T, APART), strict=True)
            ),
        ),
        (T.ge(X, Y), T.le(X, Y)),
        T.equals(X, Y),
    ),
    "values": (by_rules(Rewritten((T.lt(Y, X),), (equal(X, 1), equal(Y, 1)))), (equal(X, 1), equal(Y, 1)), T.le(X, Y)),
    "elements": (
        by_rules(Rewritten((at_most(T.select(A, X), 3),), (equal(X, 1), equal(T.select(A, T.one), 4)))),
        (equal(X, 1), equal(T.select(A, T.one), 4)),
        T.not_(at_most(T.select(A, X), 3)),
    ),
    "an interval": (
        giving(at_most(T.add(N, X), 12), InInterval(at_most(T.add(N, X), 12), (at_most(X, 3),))),
        (at_most(X, 3),),
        at_most(T.add(N, X), 12),
    ),
    "a branch": (giving(at_most(X, 3), Branched((BRANCHES,), (P,), ())), (BRANCHES, P), at_most(X, 3)),
    "the other branch": (
        giving(at_most(Y, 3), Branched((BRANCHES,), (T.not_(P),), ())),
        (BRANCHES, T.not_(P)),
        at_most(Y, 3),
    ),
    "a branch by intervals": (
        giving(at_most(X, 3), Branched((at_most(T.ite(at_most(Z, 5), X, Y), 3),), (at_most(Z, 5),), (at_most(Z, 4),))),
        (at_most(T.ite(at_most(Z, 5), X, Y), 3), at_most(Z, 4)),
        at_most(X, 3),
    ),
    "a congruence": (congruent(T.equals(SQUARE, PRODUCT), (BACK,)), (SAME,), T.equals(SQUARE, PRODUCT)),
    "two lines": (
        congruent(T.equals(SQUARE, T.multiply(M, M)), (BACK,), (multiple(1), multiple(0, M))),
        (SAME,),
        T.equals(SQUARE, T.multiply(M, M)),
    ),
    "no solution": (
        congruent(
            T.false, (multiple(0), multiple(1, coefficient=255)), equations=(equal(PRODUCT, 1), equal(PRODUCT, 3))
        ),
        (equal(PRODUCT, 1), equal(PRODUCT, 3)),
        T.false,
    ),
    "an instance": (
        giving(T.ge(T.select(A, X), T.zero), Instantiated(EACH, (X,))),
        (EACH,),
        T.ge(T.select(A, X), T.zero),
    ),
    "a witness": (
        Deduced((Witnessed(SOME, (FRESH,)),), giving(T.ge(T.select(A, FRESH), T.zero), Instantiated(EACH, (FRESH,)))),
        (EACH,),
        EACH,
    ),
    "an abstraction": (
        Abstracted(
            (at_most(T.multiply(X, Y), 1), T.not_(at_most(T.multiply(X, Y), 2))),
            ((T.multiply(X, Y), FRESH),),
            by_sum((1, at_most(FRESH, 1)), (1, T.not_(at_most(FRESH, 2)))),
        ),
        (at_most(T.multiply(X, Y), 1),),
        at_most(T.multiply(X, Y), 2),
    ),
    "clauses": (
        propagated(
            (EITHER, T.not_(P), T.not_(Q)), derived((EITHER, T.not_(P), T.not_(Q)), Axiom(EITHER, 2)), Axiom(BOTH, 2)
        ),
        (EITHER, T.not_(Q)),
        P,
    ),
    "an order": (
        propagated((at_most(X, 1), T.not_(at_most(X, 2))), Ordered(at_most(X, 1), at_most(X, 2))),
        (at_most(X, 1),),
        at_most(X, 2),
    ),
    "a range in clauses": (propagated((T.not_(at_most(N, 9)),), Axiom(at_most(N, 9))), (), at_most(N, 9)),
    "a specialised atom": (
        propagated((CHOSEN, P, T.not_(at_most(X, 3))), Lifted(CHOSEN, is_implied=False, conditions=(P,))),
        (CHOSEN, P),
        at_most(X, 3),
    ),
    "a specialised atom, backwards": (
        propagated(
            (T.not_(CHOSEN), T.not_(P), at_most(Y, 3)), Lifted(CHOSEN, is_implied=True, conditions=(T.not_(P),))
        ),
        (at_most(Y, 3), T.not_(P)),
        CHOSEN,
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_justifications_are_accepted(name: str) -> None:
    assert accepts(RIGHT[name])


def test_an_answer_counts_if_the_solver_gave_it() -> None:
    record = SolverRecord(Cvc5Factory())
    formulas = (at_most(X, 1), T.not_(at_most(X, 2)))
    answered = Answered(formulas), formulas[:1], at_most(X, 2)
    assert not kernel(record).check(*answered)
    assert record.refutes(formulas, 100)
    assert kernel(record).check(*answered)
    assert not kernel(record).check(Answered(formulas, 8), *answered[1:])
    assert not kernel(record).check(answered[0], (), at_most(X, 2))


def test_an_answer_counts_if_the_width_holds_all_values() -> None:
    record = SolverRecord(Cvc5Factory())
    small, large = (at_most(N, 3), T.not_(at_most(N, 4))), (T.le(X, Y), T.lt(Y, X))
    for formulas, width, is_accepted in ((small, 8, True), (small, 4, False), (large, 8, False)):
        assert record.refutes_widened(formulas, width, 100)
        answered = Answered(formulas, width), formulas[:1], T.not_(formulas[1])
        assert kernel(record).check(*answered) is is_accepted


def test_lemmas_are_facts_once_they_are_shown() -> None:
    one = kernel()
    lemma = T.or_(P, T.not_(T.and_(P, Q)))
    assert not one.learn(FALSE, lemma)
    assert not one.check(Contradiction(lemma), (), lemma)
    by = Propagated((T.not_(lemma),), clause := Axiom(lemma))
    with suppress(Wrong):
        one.accept(clause)
    assert not one.check(by, (), lemma)
    shown = Cases(T.not_(lemma), (Cases(T.and_(P, Q), (Contradiction(P),)),))
    assert one.learn(shown, lemma)
    assert one.check(Contradiction(lemma), (), lemma)
    assert not one.check(by, (), lemma)
    one.accept(clause)
    assert one.check(by, (), lemma)
    assert not one.check(by, (), P)


def test_conditions_are_put_in_where_they_hold() -> None:
    for seed in range(200):
        draw = RandomTerms(seed)
        formula, values = draw.formula(3), draw.values()
        conditions = [t for t in subterms(formula) if t.sort is BOOL and t.id % 3]
        holding = {t if evaluate(t, values) else draw.arena.not_(t) for t in conditions}
        assert evaluate(branched(draw.arena, formula, holding), values) == evaluate(formula, values), seed


def test_a_literal_stays_where_it_is_put_in_elsewhere() -> None:
    for literal in (FEW, T.not_(FEW), P, T.not_(P)):
        assert branched(T, literal, {literal}) is literal
        assert branched(T, literal, {T.not_(literal)}) is literal
    assert branched(T, T.or_(Q, T.not_(FEW)), {FEW}) is Q
    assert branched(T, T.not_(T.and_(Q, FEW)), {FEW}) is T.not_(Q)


def test_conditions_on_bound_symbols_are_not_put_in() -> None:
    """The bound one may have the name of a free one of which facts speak."""
    every = T.forall((X,), T.or_(T.not_(FEW), at_most(T.select(A, X), 5), P))
    assert branched(T, every, {FEW}) is every
    assert branched(T, every, {FEW, T.not_(P)}) is OF_FEW


def test_what_was_accepted_closes_the_facts_that_it_closed_and_no_others() -> None:
    one = kernel()
    assert one.check(Contradiction(P), (P,), P)
    assert not one.check(Contradiction(P), (Q,), P)
    assert one.check(Contradiction(P), (P, Q), P)
    by = Cut((), Contradiction(P))
    assert one.check(by, (P,), P)
    assert not one.check(by, (Q,), P)
    assert one.check(Cut(((P, by),), Contradiction(Q)), (P, Q), Q)


WRONG: dict[str, Claim] = {
    "contradiction: no fact": (Contradiction(P), (Q,), P),
    "contradiction: without negation": (Contradiction(P), (P,), Q),
    "contradiction: one conjunct": (Contradiction(T.and_(P, Q)), (P,), T.and_(P, Q)),
    "contradiction: outside of the range": (Contradiction(at_most(N, 8)), (), at_most(N, 8)),
    "cases: no fact": (Cases(T.or_(P, Q), (Contradiction(P), Contradiction(Q))), (T.not_(Q),), P),
    "cases: one is missing": (Cases(T.or_(P, Q), (Contradiction(P),)), (T.or_(P, Q),), P),
    "cases: one is open": (Cases(T.or_(P, Q), (Contradiction(P), FALSE)), (T.or_(P, Q),), P),
    "cases: those of another formula": (Cases(T.and_(P, Q), (Contradiction(P), Contradiction(Q))), (T.or_(P, Q),), P),
    "cases: of a disequality": (
        Cases(APART, (by_sum((1, T.ge(X, Y)), (1, T.lt(X, Y))),) * 2),
        (T.ge(X, Y),),
        T.equals(X, Y),
    ),
    "cut: not shown": (Cut(((P, FALSE),), Contradiction(P)), (), P),
    "cut: shown of the other": (Cut(((Q, Contradiction(P)),), Contradiction(P)), (P,), Q),
    "cut: shown by itself": (Cut(((P, Contradiction(P)), (Q, Contradiction(P))), Contradiction(Q)), (), Q),
    "sum: no fact": (by_sum((1, at_most(X, 1)), (1, T.not_(at_most(X, 2)))), (), at_most(X, 2)),
    "sum: negative factor": (by_sum((-1, at_most(X, 5)), (-1, T.not_(at_most(X, 2)))), (at_most(X, 5),), at_most(X, 2)),
    "sum: of a disequality": (by_sum((1, APART), (1, T.equals(X, Y))), (APART,), APART),
    "sum: not enough": (by_sum((1, at_most(X, 3)), (1, T.not_(at_most(X, 2)))), (at_most(X, 3),), at_most(X, 2)),
    "sum: of something else": (by_sum((1, P)), (P,), T.false),
    "sum: nothing": (by_sum(), (), T.false),
    "values: no equation": (by_rules(Rewritten((T.lt(Y, X),), (equal(X, 1), equal(Y, 1)))), (equal(X, 1),), T.le(X, Y)),
    "values: no fact": (
        by_rules(Rewritten((T.lt(Y, X),), (equal(X, 1), equal(Y, 1)))),
        (equal(X, 1), equal(Y, 1)),
        T.le(Y, X),
    ),
    "values: of a bound": (
        by_rules(Rewritten((T.not_(at_most(X, 1)),), (at_most(X, 2),))),
        (at_most(X, 2),),
        at_most(X, 1),
    ),
    "values: of a denied equation": (
        by_rules(Rewritten((equal(X, 2),), (T.not_(equal(X, 1)),))),
        (T.not_(equal(X, 1)),),
        T.not_(equal(X, 2)),
    ),
    "values: an element at an unknown index": (
        by_rules(Rewritten((equal(T.select(A, Y), 5),), (equal(T.select(A, X), 4),))),
        (equal(T.select(A, X), 4),),
        T.not_(equal(T.select(A, Y), 5)),
    ),
    "interval: no fact": (giving(at_most(X, 3), InInterval(at_most(X, 3), (at_most(X, 3),))), (), at_most(X, 3)),
    "interval: undecided": (giving(at_most(N, 5), InInterval(at_most(N, 5))), (), at_most(N, 5)),
    "interval: false": (giving(T.not_(at_most(N, 9)), InInterval(T.not_(at_most(N, 9)))), (), T.not_(at_most(N, 9))),
    "interval: no comparison": (giving(P, InInterval(P)), (), P),
    "branch: no fact": (giving(at_most(X, 3), Branched((BRANCHES,), (P,), ())), (P,), at_most(X, 3)),
    "branch: the condition is open": (
        giving(at_most(X, 3), Branched((BRANCHES,), (P,), ())),
        (BRANCHES,),
        at_most(X, 3),
    ),
    "branch: the other condition": (
        giving(at_most(X, 3), Branched((BRANCHES,), (T.not_(P),), ())),
        (BRANCHES, T.not_(P)),
        at_most(X, 3),
    ),
    "branch: by what is not given": (
        giving(at_most(X, 3), Branched((at_most(T.ite(at_most(Z, 5), X, Y), 3),), (at_most(Z, 5),), (at_most(Z, 4),))),
        (at_most(T.ite(at_most(Z, 5), X, Y), 3),),
        at_most(X, 3),
    ),
    "branch: a condition on what a quantifier binds": (
        giving(OF_ALL, Branched((OF_FEW,), (FEW,), ())),
        (OF_FEW, FEW),
        OF_ALL,
    ),
    "congruence: no fact": (congruent(T.equals(SQUARE, PRODUCT), (BACK,)), (), T.equals(SQUARE, PRODUCT)),
    "congruence: not equal": (congruent(equal(SQUARE, 1), (BACK,)), (SAME,), equal(SQUARE, 1)),
    "congruence: of a bound": (
        congruent(T.equals(SQUARE, PRODUCT), (BACK,), equations=(T.le(N, M),)),
        (T.le(N, M),),
        T.equals(SQUARE, PRODUCT),
    ),
    "congruence: less bits than the difference": (
        congruent(equal(PRODUCT, 16), (multiple(0),), equations=(equal(PRODUCT, 0),), bits=4),
        (equal(PRODUCT, 0),),
        equal(PRODUCT, 16),
    ),
    "congruence: without bounds": (
        congruent(equal(X, 256), (multiple(0),), equations=(equal(X, 0),)),
        (equal(X, 0),),
        equal(X, 256),
    ),
    "congruence: within bounds that are not given": (
        congruent(T.equals(X, M), (multiple(0),), given=(at_most(X, 9), T.ge(X, T.zero)), equations=(X_IS_M,)),
        (X_IS_M,),
        T.or_(P, X_IS_M),
    ),
    "congruence: of a bound that is shown": (
        congruent(at_most(N, 5), (multiple(0),), equations=(equal(N, 5),)),
        (equal(N, 5),),
        at_most(N, 5),
    ),
    "congruence: of nothing": (congruent(T.equals(SQUARE, PRODUCT), equations=()), (), T.equals(SQUARE, PRODUCT)),
    "congruence: by a number that is no equation": (
        congruent(T.equals(SQUARE, PRODUCT), (multiple(1, N),)),
        (SAME,),
        T.equals(SQUARE, PRODUCT),
    ),
    "congruence: by a negative number": (
        congruent(T.equals(SQUARE, PRODUCT), (multiple(-1, N),)),
        (SAME,),
        T.equals(SQUARE, PRODUCT),
    ),
    "congruence: modulo one": (congruent(equal(N, 5), (multiple(0),), bits=0), (SAME,), equal(N, 5)),
    "congruence: modulo nothing": (congruent(equal(N, 5), (multiple(0),), bits=-1), (SAME,), equal(N, 5)),
    "congruence: nothing is added": (congruent(T.equals(SQUARE, PRODUCT)), (SAME,), T.equals(SQUARE, PRODUCT)),
    "congruence: a multiple of the modulus": (
        congruent(T.false, (multiple(0, coefficient=128),), equations=(equal(PRODUCT, 2),)),
        (equal(PRODUCT, 2),),
        T.false,
    ),
    "instance: no fact": (
        giving(T.ge(T.select(A, X), T.zero), Instantiated(EACH, (X,))),
        (),
        T.ge(T.select(A, X), T.zero),
    ),
    "instance: too many values": (
        giving(T.ge(T.select(A, X), T.zero), Instantiated(EACH, (X, Y))),
        (EACH,),
        T.ge(T.select(A, X), T.zero),
    ),
    "instance: of another sort": (
        giving(T.ge(T.select(A, P), T.zero), Instantiated(EACH, (P,))),
        (EACH,),
        T.ge(T.select(A, P), T.zero),
    ),
    "instance: of a quantifier inside": (
        giving(T.or_(at_most(X, 1), NESTED), Instantiated(T.forall([K], T.or_(at_most(K, 1), NESTED)), (X,))),
        (T.forall([K], T.or_(at_most(K, 1), NESTED)),),
        T.or_(at_most(X, 1), NESTED),
    ),
    "instance: no quantifier": (by_rules(Instantiated(P, ())), (P,), T.not_(P)),
    "instance: not of what is denied": (
        giving(T.lt(T.select(A, X), T.zero), Instantiated(SOME, (X,))),
        (SOME,),
        T.lt(T.select(A, X), T.zero),
    ),
    "witness: no fact": (
        Deduced((Witnessed(SOME, (FRESH,)),), giving(T.ge(T.select(A, FRESH), T.zero), Instantiated(EACH, (FRESH,)))),
        (EACH,),
        P,
    ),
    "witness: known": (
        Deduced((Witnessed(SOME, (X,)),), Contradiction(T.ge(T.select(A, X), T.zero))),
        (T.ge(T.select(A, X), T.zero),),
        EACH,
    ),
    "witness: with a range": (
        Deduced(
            (Witnessed(T.not_(LARGE), (N,)),),
            Cases(T.not_(T.or_(at_most(N, 9), equal(T.select(A, N), 7))), (Contradiction(at_most(N, 9)),)),
        ),
        (),
        LARGE,
    ),
    "witness: no symbol": (
        Deduced((Witnessed(SOME, (T.zero,)),), Contradiction(T.ge(T.select(A, T.zero), T.zero))),
        (T.ge(T.select(A, T.zero), T.zero),),
        EACH,
    ),
    "witness: of a symbol": (Deduced((Witnessed(P, ()),), FALSE), (P,), Q),
    "witness: of what holds for all": (Deduced((Witnessed(EACH, (FRESH,)),), FALSE), (EACH,), P),
    "witness: one for two": (
        Deduced(
            (
                Witnessed(
                    T.not_(T.forall([K, J], T.not_(T.and_(equal(T.select(A, K), 1), equal(T.select(A, J), 2))))),
                    (FRESH, FRESH),
                ),
            ),
            Cases(
                T.and_(equal(T.select(A, FRESH), 1), equal(T.select(A, FRESH), 2)),
                (by_sum((1, equal(T.select(A, FRESH), 1)), (-1, equal(T.select(A, FRESH), 2))),),
            ),
        ),
        (),
        T.forall([K, J], T.not_(T.and_(equal(T.select(A, K), 1), equal(T.select(A, J), 2)))),
    ),
    "abstraction: no fact": (
        Abstracted((at_most(X, 1), T.not_(at_most(X, 1))), ((X, FRESH),), Contradiction(at_most(FRESH, 1))),
        (),
        at_most(X, 1),
    ),
    "abstraction: known": (Abstracted((T.lt(X, Y),), ((X, Y),), FALSE), (), T.ge(X, Y)),
    "abstraction: one for two": (Abstracted((T.lt(X, Y),), ((X, FRESH), (Y, FRESH)), FALSE), (), T.ge(X, Y)),
    "abstraction: with a range": (
        Abstracted((T.not_(at_most(X, 9)),), ((X, N),), Contradiction(at_most(N, 9))),
        (),
        at_most(X, 9),
    ),
    "abstraction: no symbol": (Abstracted((at_most(X, 1),), ((X, number(2)),), FALSE), (at_most(X, 1),), P),
    "abstraction: of another sort": (
        Abstracted((at_most(X, 1), T.not_(at_most(X, 1))), ((X, FLAG),), Contradiction(at_most(FLAG, 1))),
        (at_most(X, 1),),
        at_most(X, 1),
    ),
    "abstraction: under a quantifier": (
        Abstracted(
            (DIAGONAL,),
            ((T.select(A, K), OTHER),),
            Deduced(
                tuple(Instantiated(T.forall([K], T.equals(OTHER, K)), (number(k),)) for k in (0, 1)),
                by_sum((1, equal(OTHER, 0)), (-1, equal(OTHER, 1))),
            ),
        ),
        (DIAGONAL,),
        T.false,
    ),
    "abstraction: the facts before": (Abstracted((P,), (), Contradiction(Q)), (P,), Q),
    "answer: never given": (Answered((T.not_(P),)), (), P),
    "answer: never given at this width": (Answered((T.not_(at_most(N, 8)),), 8), (), at_most(N, 8)),
    "answer: about nothing": (Answered(()), (), P),
    "clauses: no lemma": (propagated((), Axiom(P), Axiom(T.not_(P))), (), P),
    "clauses: no such definition": (propagated((T.not_(P),), Axiom(P, 0)), (), P),
    "clauses: negative number": (
        propagated((EITHER, T.not_(P), T.not_(Q)), Axiom(EITHER, -1)),
        (EITHER, T.not_(Q)),
        P,
    ),
    "clauses: no facts": (Propagated((BOTH, T.not_(P)), Axiom(BOTH, 0)), (), P),
    "clauses: a literal is left": (Propagated((BOTH,), Axiom(BOTH, 0)), (BOTH,), T.and_(P, X_IS_M)),
    "clauses: never accepted": (Propagated((), derived(())), (), P),
    "clauses: no conflict": (propagated((EITHER, T.not_(P)), Axiom(EITHER, 2)), (EITHER,), P),
    "specialised: on the other side": (
        propagated((CHOSEN, P, T.not_(at_most(Y, 3))), Lifted(CHOSEN, is_implied=False, conditions=(P,))),
        (CHOSEN, P),
        at_most(Y, 3),
    ),
    "specialised: the condition is no fact": (
        propagated((CHOSEN, T.not_(at_most(X, 3))), Lifted(CHOSEN, is_implied=False, conditions=(P,))),
        (CHOSEN,),
        at_most(X, 3),
    ),
    "specialised: the other way": (
        propagated((T.not_(CHOSEN), P, at_most(X, 3)), Lifted(CHOSEN, is_implied=False, conditions=(P,))),
        (at_most(X, 3), P),
        CHOSEN,
    ),
    "order: the other way": (
        propagated((at_most(X, 2), T.not_(at_most(X, 1))), Ordered(at_most(X, 2), at_most(X, 1))),
        (at_most(X, 2),),
        at_most(X, 1),
    ),
    "order: of different sums": (
        propagated((at_most(X, 1), T.not_(at_most(Y, 2))), Ordered(at_most(X, 1), at_most(Y, 2))),
        (at_most(X, 1),),
        at_most(Y, 2),
    ),
    "order: of equations": (
        propagated((equal(X, 1), T.not_(equal(X, 2))), Ordered(equal(X, 1), equal(X, 2))),
        (equal(X, 1),),
        equal(X, 2),
    ),
}


ANSWERS: tuple[Callable[[], None], ...] = (
    test_an_answer_counts_if_the_solver_gave_it,
    test_an_answer_counts_if_the_width_holds_all_values,
    test_lemmas_are_facts_once_they_are_shown,
    test_what_was_accepted_closes_the_facts_that_it_closed_and_no_others,
)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_justifications_are_rejected(name: str) -> None:
    assert not accepts(WRONG[name])


def test_each_rule_has_three_wrong_uses() -> None:
    kinds = [name.partition(":")[0] for name in WRONG]
    assert all(kinds.count(kind) >= 3 for kind in kinds)


def test_justifications_may_be_deep() -> None:
    by: Justification = Contradiction(P)
    for _ in range(3_000):
        by = Cut(((P, Contradiction(P)),), Cases(T.and_(P, Q), (by,)))
    assert kernel().check(by, (T.and_(P, Q),), P)


class Nonsense:
    """Draws justifications and formulas without any sense, over facts that have a model."""

    def __init__(self, seed: int) -> None:
        self.terms = RandomTerms(seed)
        self.arena, self.random = self.terms.arena, Random(seed)
        self.values = self.terms.values()
        self.given: list[ValidClause] = []  # the clauses that were drawn
        drawn = [self.terms.formula(2) for _ in range(5)]
        self.facts = [f if evaluate(f, self.values) else self.arena.not_(f) for f in drawn]
        x = self.terms.integers[0]
        self.facts.append(self.arena.equals(x, self.arena.integer(int(self.values[x]))))  # type: ignore[arg-type]

    def formula(self) -> Term:
        draw = self.random
        one = draw.choice(self.facts) if draw.random() < 0.8 else self.terms.formula(1)
        if draw.random() < 0.4 and one.args:
            part = draw.choice(one.args)
            one = part if part.sort is BOOL else one
        return self.arena.not_(one) if draw.random() < 0.2 else one

    def formulas(self) -> tuple[Term, ...]:
        return tuple(self.formula() for _ in range(self.random.randrange(4)))

    def rule(self) -> Deduction:
        draw = self.random
        symbols = tuple(draw.choice(self.terms.integers) for _ in range(draw.randrange(3)))
        rules: list[Callable[[], Deduction]] = [
            lambda: SumOfBounds(tuple((draw.choice((1, 1, 2, -1)), f) for f in self.formulas())),
            lambda: Rewritten(self.formulas(), self.formulas()),
            lambda: InInterval(self.formula(), self.formulas()),
            lambda: Instantiated(self.formula(), symbols),
            lambda: Witnessed(self.formula(), symbols),
        ]
        return draw.choice(rules)()

    def clauses(self) -> Propagated:
        draw = self.random
        given = [Axiom(self.formula(), draw.choice((None, 0, 1, 2))) for _ in range(draw.randrange(5))]
        known = tuple(draw.choice(self.given) for _ in range(2) if self.given)
        literals = tuple(draw.randrange(-9, 10) for _ in range(draw.randrange(3)))
        self.given += [*given, Derived(literals, (*given, *known))]
        return Propagated(self.formulas(), self.given[-1])

    def justification(self, depth: int = 4) -> Justification:
        draw = self.random
        kinds: list[Callable[[], Justification]] = [
            lambda: Contradiction(self.formula()),
            lambda: Answered(self.formulas(), draw.choice((None, 8))),
            self.clauses,
            lambda: Cases(
                one := self.formula(), tuple(self.justification(depth - 1) for _ in cases_of(self.arena, one))
            ),
            lambda: Cut(
                tuple((f, self.justification(depth - 1)) for f in self.formulas()), self.justification(depth - 1)
            ),
            lambda: Deduced(tuple(self.rule() for _ in range(2)), self.justification(depth - 1)),
            lambda: Abstracted(
                self.formulas(),
                ((draw.choice(self.terms.integers), self.arena.fresh("n", INT)),),
                self.justification(depth - 1),
            ),
        ]
        return draw.choice(kinds if depth else kinds[:3])()


@pytest.mark.parametrize("seed", range(30))
def test_nonsense_proves_nothing_that_is_false(seed: int) -> None:
    nonsense = Nonsense(seed)
    one = Kernel(nonsense.arena, lambda _: None, SolverRecord(Cvc5Factory()))
    for _ in range(150):
        by = nonsense.justification()
        for clause in nonsense.given:
            with suppress(Wrong):
                one.accept(clause)
        *hypotheses, denied = nonsense.facts
        assert not one.check(by, hypotheses, nonsense.arena.not_(denied))
        assert not one.check(by, nonsense.facts, nonsense.arena.false)
