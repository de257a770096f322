"""Intervals that are cut into parts: what they refute has no model, by trying all values, and models are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest

from core.limits import SolverUndecided
from core.solver.contract import Sat, Unsat
from core.solver.subdivision import decided
from core.terms import BOOL, INT, Arena, Term, Value, evaluate
from core.terms.float_functions import FloatOperation, float_function
from core.terms.floats import FLOAT, FloatFormat, of_text

_TINY = FloatFormat("tiny", 3, 3)
"""So few numbers that all can be tried."""
_BINARY = (FloatOperation.ADD, FloatOperation.SUBTRACT, FloatOperation.MULTIPLY, FloatOperation.DIVIDE)


def _never() -> None:
    pass


class _Formulas:
    """Random formulas about numbers of a tiny format, and all their models."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.arena = Arena()
        self.numbers = [self.arena.symbol(name, INT) for name in "xy"[: self.random.randint(1, 2)]]
        self.cases = [self.arena.symbol(name, BOOL) for name in "pq"]
        self.joined = self.arena.symbol("joined", INT)
        self.values: dict[Term, Sequence[int]] = {}
        self.formulas: list[Term] = []
        for x in self.numbers:
            low = self.random.randint(_TINY.minimum, _TINY.maximum)
            self.values[x] = range(low, min(_TINY.maximum, low + self.random.randint(0, 12)) + 1)
            self.formulas.append(self.arena.between(low, x, self.values[x][-1]))
        self.formulas += [self._formula(3, self.numbers) for _ in range(self.random.randint(1, 3))]
        self.sides = [self._number(2, self.numbers) for _ in range(2)]
        if self.random.random() < 0.5:
            self._join()

    def _join(self) -> None:
        """A number that is defined in two cases, one of which is taken."""
        for case, side in zip(self.cases, self.sides, strict=True):
            self.formulas.append(self.arena.implies(case, self.arena.equals(self.joined, side)))
        self.formulas += [
            self.arena.or_(*self.cases),
            self.arena.implies(self.cases[0], self._formula(2, self.numbers)),
            self._formula(2, [self.joined]),
        ]

    def _number(self, depth: int, symbols: Sequence[Term]) -> Term:
        arena, random = self.arena, self.random
        kind = random.randrange(8) if depth else 0
        if kind <= 1:
            is_symbol = random.random() < 0.7
            return random.choice(symbols) if is_symbol else arena.integer(random.randint(_TINY.minimum, _TINY.maximum))
        a = self._number(depth - 1, symbols)
        b = a if random.random() < 0.3 else self._number(depth - 1, symbols)
        if kind <= 4:
            return arena.compute(float_function(random.choice(_BINARY), _TINY), a, b)
        if kind == 5:
            return arena.linear(
                [(random.choice([-2, -1, 1, 2]), a), (random.choice([-1, 1]), b)], random.randint(-5, 5)
            )
        if kind == 6:
            return arena.ite(self._formula(depth - 1, symbols), a, b)
        return arena.compute(float_function(FloatOperation.SQRT, _TINY), a)

    def _formula(self, depth: int, symbols: Sequence[Term]) -> Term:
        arena, random = self.arena, self.random
        kind = random.randrange(7) if depth else 0
        if kind <= 2:
            a = self._number(max(depth - 1, 0), symbols)
            value = arena.integer(random.randint(_TINY.minimum - 3, _TINY.maximum + 3))
            return random.choice([arena.le(a, value), arena.ge(a, value), arena.equals(a, value)])
        a, b = self._formula(depth - 1, symbols), self._formula(depth - 1, symbols)
        return (arena.and_(a, b), arena.or_(a, b), arena.not_(a), arena.iff(a, b))[kind - 3]

    def models(self) -> Iterator[dict[Term, Value]]:
        """All models, as far as a joined number has the value of a side."""
        for numbers in product(*(self.values[x] for x in self.numbers)):
            known: dict[Term, Value] = dict(zip(self.numbers, numbers, strict=True))
            for joined, p, q in product({evaluate(side, known) for side in self.sides}, (False, True), (False, True)):
                model = {**known, self.joined: joined, self.cases[0]: p, self.cases[1]: q}
                if all(evaluate(f, model) is True for f in self.formulas):
                    yield model


def answer_of(seed: int) -> str:
    """What is said of random formulas, which all values confirm."""
    one = _Formulas(seed)
    try:
        answer = decided(one.formulas, one.random.choice([1, 50, 400]), _never)
    except SolverUndecided:
        return "undecided"
    if isinstance(answer, Sat):
        assert all(answer.model.value(f) is True for f in one.formulas), seed
        return "satisfiable"
    assert next(one.models(), None) is None, seed
    return "refuted"


def test_answers_are_right() -> None:
    answers = Counter(map(answer_of, range(40)))
    assert min(answers["satisfiable"], answers["refuted"]) > 4


@pytest.mark.long
def test_answers_are_right_on_many() -> None:
    answers = Counter(map(answer_of, range(100, 400)))
    assert min(answers["satisfiable"], answers["refuted"]) > 40


def _float(arena: Arena, text: str) -> Term:
    return arena.integer(of_text(FLOAT, text) if text[0] != "-" else -1 - of_text(FLOAT, text[1:]))


def _computed(arena: Arena, operation: FloatOperation, a: Term, b: Term) -> Term:
    return arena.compute(float_function(operation, FLOAT), a, b)


def _cubic() -> tuple[Arena, Term, list[Term], Term]:
    """x in [-1, 1], and x - x³ / 4."""
    arena = Arena()
    x = arena.symbol("x", INT)
    cube = _computed(arena, FloatOperation.MULTIPLY, _computed(arena, FloatOperation.MULTIPLY, x, x), x)
    quarter = _computed(arena, FloatOperation.DIVIDE, cube, _float(arena, "4"))
    bounds = [arena.le(_float(arena, "-1"), x), arena.le(x, _float(arena, "1"))]
    return arena, x, bounds, _computed(arena, FloatOperation.SUBTRACT, x, quarter)


def test_parts_prove_what_the_whole_does_not() -> None:
    arena, _, bounds, value = _cubic()
    question = [*bounds, arena.gt(value, _float(arena, "0.8"))]
    assert isinstance(decided(question, 100, _never), Unsat)
    with pytest.raises(SolverUndecided):
        decided(question, 1, _never)


def test_a_model_is_found_in_a_part() -> None:
    arena, x, bounds, value = _cubic()
    question = [*bounds, arena.gt(value, _float(arena, "0.7"))]
    answer = decided(question, 100, _never)
    assert isinstance(answer, Sat)
    assert of_text(FLOAT, "0.75") <= int(answer.model.value(x)) <= of_text(FLOAT, "1")  # type: ignore[arg-type]


def test_a_square_has_no_sign() -> None:
    arena = Arena()
    x = arena.symbol("x", INT)
    square = _computed(arena, FloatOperation.MULTIPLY, x, x)
    question = [arena.between(FLOAT.minimum, x, FLOAT.infinity), arena.lt(square, arena.zero)]
    assert isinstance(decided(question, 1, _never), Unsat)


def test_conditions_of_many_steps_are_followed_to_the_first() -> None:
    """Each step was taken under the condition of the one before it, as in a loop that was unrolled."""
    arena, rounds = Arena(), 30
    taken = [arena.symbol(f"taken{i}", BOOL) for i in range(rounds + 1)]
    inputs = [arena.symbol(f"input{i}", INT) for i in range(rounds)]
    total, formulas = _float(arena, "0"), [taken[-1]]
    for i, x in enumerate(inputs):
        in_range = arena.between(of_text(FLOAT, "0"), x, of_text(FLOAT, "1"))
        formulas.insert(1, arena.implies(taken[i + 1], arena.and_(taken[i], in_range)))
        total = _computed(arena, FloatOperation.ADD, total, x)
    formulas.append(arena.not_(arena.le(total, _float(arena, str(rounds)))))
    assert isinstance(decided(formulas, None, _never), Unsat)
