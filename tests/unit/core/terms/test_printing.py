"""Texts of terms: z3 reads the SMT-LIB form back with the same meaning."""

import z3

from core.terms import BOOL, INT, INT_ARRAY, Arena, ArrayValue, Term, Value, evaluate, to_c, to_math, to_smtlib
from tests.support.random_terms import RandomTerms


def smt_value(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"(- {-value})" if value < 0 else str(value)
    assert isinstance(value, ArrayValue)
    text = f"((as const (Array Int Int)) {smt_value(value.default)})"
    for index, element in value.entries.items():
        text = f"(store {text} {smt_value(index)} {smt_value(element)})"
    return text


def read_by_z3(formula: Term, values: dict[Term, Value]) -> bool:
    """The value of the printed formula where the symbols are defined as `values`."""
    lines = [f"(define-fun |{s.name}| () {s.sort} {smt_value(v)})" for s, v in values.items()]
    assertions = z3.parse_smt2_string("\n".join([*lines, f"(assert {to_smtlib(formula)})"]))
    simplified = z3.simplify(z3.And(*assertions))
    assert z3.is_true(simplified) or z3.is_false(simplified), simplified
    return bool(z3.is_true(simplified))


def test_smtlib_has_the_meaning_of_the_term() -> None:
    for seed in range(150):
        draw = RandomTerms(seed)
        formula = draw.formula(3)
        values = dict(draw.values())
        assert read_by_z3(formula, values) == evaluate(formula, values), (seed, formula)


def test_smtlib_of_shared_subterms_is_small() -> None:
    arena = Arena()
    t = arena.symbol("x", INT)
    for _ in range(60):
        t = arena.multiply(arena.add(t, arena.one), arena.add(t, arena.integer(2)))
    assert len(to_smtlib(arena.le(t, arena.zero))) < 10_000


def test_smtlib_of_quantifiers() -> None:
    arena = Arena()
    i, a = arena.fresh("i", INT), arena.symbol("a", INT_ARRAY)
    formula = arena.forall([i], arena.equals(arena.select(a, i), arena.one))
    for element in (1, 2):
        text = f"(define-fun a () (Array Int Int) ((as const (Array Int Int)) {element}))(assert {to_smtlib(formula)})"
        solver = z3.Solver()
        solver.add(z3.parse_smt2_string(text))
        assert (solver.check() == z3.sat) == (element == 1)


def test_texts_for_people() -> None:
    arena = Arena()
    i, n = arena.symbol("main::i", INT), arena.symbol("n", INT)
    p, q = arena.symbol("p", BOOL), arena.symbol("q", BOOL)
    formula = arena.and_(arena.lt(i, n), arena.or_(p, arena.equals(i, arena.integer(-1))))
    assert to_math(formula) == "main::i < n ∧ (p ∨ main::i = -1)"
    assert to_c(formula) == "i < n && (p || i == -1)"
    half, rest = arena.divide(n, arena.integer(2)), arena.modulo(i, arena.integer(-3))
    assert to_math(arena.equals(half, rest)) == "(n / 2) = (main::i % -3)"
    assert to_c(arena.equals(half, rest), lambda s: s is n) == "(n / 2) == ((i % -3 + 3) % -3)"
    assert to_c(arena.equals(half, rest), lambda s: s is i) == "(n / 2 - (n % 2 < 0)) == (i % -3)"
    assert to_math(arena.and_(p, arena.iff(q, arena.le(n, arena.one)))) == "p ∧ (q ⇔ (n ≤ 1))"
    assert to_c(arena.and_(p, arena.iff(q, arena.le(n, arena.one)))) == "p && q == (n <= 1)"
