"""The text that `to_smtlib` writes is read back; everything else is refused, and never read wrongly."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.terms import INT, INT_ARRAY, Arena, NotEvaluable, Term, evaluate, to_smtlib
from core.terms.smtlib import NotReadable, SmtlibReader
from tests.support.random_terms import RandomTerms


def reader(arena: Arena, *symbols: Term) -> SmtlibReader:
    return SmtlibReader(arena, {s.name: s for s in symbols})


@given(st.integers(0, 2**32))
def test_a_term_is_read_back_as_itself(seed: int) -> None:
    draw = RandomTerms(seed)
    for t in (draw.formula(4), draw.integer(3), draw.array(3)):
        read = reader(draw.arena, *draw.symbols).read(to_smtlib(t))
        # Reading makes choices again in normal form, which may combine them further than the first time.
        assert read is t or _agree(draw, read, t)


def _agree(draw: RandomTerms, a: Term, b: Term) -> bool:
    for _ in range(20):
        values = draw.values()
        try:
            if evaluate(a, values) != evaluate(b, values):
                return False
        except NotEvaluable:
            continue
    return True


Make = Callable[[Arena, Term, Term], Term]


def _all_differ(a: Arena, *terms: Term) -> Term:
    return a.and_(*(a.not_(a.equals(s, t)) for s, t in combinations(terms, 2)))


CASES: list[tuple[str, Make]] = [
    ("(let ((a x) (b y)) (let ((a b) (b a)) (<= a b)))", lambda a, x, y: a.le(y, x)),  # bindings are simultaneous
    ("(< x y 5)", lambda a, x, y: a.and_(a.lt(x, y), a.lt(y, a.integer(5)))),
    ("(= x y)", lambda a, x, y: a.equals(x, y)),
    ("(distinct x y 3)", lambda a, x, y: _all_differ(a, x, y, a.integer(3))),
    ("(=> (<= x 0) (<= y 0) false)", lambda a, x, y: a.or_(a.gt(x, a.zero), a.gt(y, a.zero))),
    ("(<= (- x) (- 3))", lambda a, x, _: a.ge(x, a.integer(3))),
    ("(<= (- x y 1) (* 2 x))", lambda a, x, y: a.le(a.linear([(1, x), (-1, y)], -1), a.linear([(2, x)]))),
    ("(= (mod x 4) (div y (- 2)))", lambda a, x, y: a.equals(a.modulo(x, a.integer(4)), a.divide(y, a.integer(-2)))),
    ("(<= |x| 1)", lambda a, x, _: a.le(x, a.one)),
    ("(xor (<= x 0) (<= y 0) true)", lambda a, x, y: a.iff(a.le(x, a.zero), a.le(y, a.zero))),
]


@pytest.mark.parametrize(("text", "make"), CASES, ids=[text for text, _ in CASES])
def test_what_solvers_write(text: str, make: Make) -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    assert reader(arena, x, y).read(text) is make(arena, x, y)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        "(<= x 1))",
        "(<= x 1) true",
        "()",
        "(<= unknown 1)",
        "(f x)",
        "((_ extract 1 0) x)",
        "(forall ((i Int)) (<= i x))",
        "(exists ((i Int) (j Int)) (<= i j))",
        "(lambda ((i Int)) i)",
        "(= a ((as const (Array Int Int)) 0))",
        "(distinct a a)",
        "(<= x 1.5)",
    ],
)
def test_anything_else_is_not_readable(text: str) -> None:
    arena = Arena()
    with pytest.raises(NotReadable):
        reader(arena, arena.symbol("x", INT), arena.symbol("a", INT_ARRAY)).read(text)


def test_deep_terms_need_no_recursion() -> None:
    arena = Arena()
    x = arena.symbol("x", INT)
    text = "(<= " + "(+ 1 " * 20_000 + "x" + ")" * 20_000 + " 0)"
    assert reader(arena, x).read(text) is arena.le(x, arena.integer(-20_000))
