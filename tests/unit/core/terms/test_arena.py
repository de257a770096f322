"""The arena's normal forms keep the meaning of what was built, and are normal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd

import pytest

from core.terms import BOOL, INT, INT_ARRAY, Arena, ArrayValue, Op, Term, Value, evaluate, rebuild, subterms
from tests.support.random_terms import RandomTerms

Meaning = Callable[[Mapping[Term, Value]], int]


@dataclass(frozen=True)
class Meant:
    """A term, and what it is supposed to mean, said without the arena."""

    term: Term
    value: Meaning


class MeantTerms:
    """Draws terms together with their meanings."""

    def __init__(self, draw: RandomTerms) -> None:
        self._draw = draw
        self._arena = draw.arena
        self._random = draw.random

    def integer(self, depth: int) -> Meant:
        arena, random = self._arena, self._random
        if depth == 0:
            return self._leaf()
        a, b, c = self.integer(depth - 1), self.integer(depth - 1), self.formula(depth - 1)
        k, m = random.randint(-3, 3), random.choice((-3, -2, -1, 1, 2, 3))
        kind = random.randrange(8)
        if kind == 0:
            return Meant(arena.add(a.term, b.term), lambda v: a.value(v) + b.value(v))
        if kind == 1:
            return Meant(arena.subtract(a.term, b.term), lambda v: a.value(v) - b.value(v))
        if kind == 2:
            return Meant(arena.linear([(k, a.term), (m, b.term)], k), lambda v: k * a.value(v) + m * b.value(v) + k)
        if kind == 3:
            return Meant(arena.multiply(a.term, b.term), lambda v: a.value(v) * b.value(v))
        if kind == 4:
            return Meant(arena.modulo(a.term, arena.integer(m)), lambda v: a.value(v) % abs(m))
        if kind == 5:
            return Meant(arena.divide(a.term, arena.integer(m)), lambda v: (a.value(v) - a.value(v) % abs(m)) // m)
        if kind == 6:
            return Meant(arena.ite(c.term, a.term, b.term), lambda v: a.value(v) if c.value(v) else b.value(v))
        return self._read(a, b)

    def formula(self, depth: int) -> Meant:
        arena, random = self._arena, self._random
        if depth == 0:
            symbol = random.choice(self._draw.booleans)
            return Meant(symbol, lambda v: bool(v[symbol]))
        p, q, r = (self.formula(depth - 1) for _ in range(3))
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        cases: list[Callable[[], Meant]] = [
            lambda: Meant(arena.not_(p.term), lambda v: not p.value(v)),
            lambda: Meant(arena.and_(p.term, q.term, r.term), lambda v: p.value(v) and q.value(v) and r.value(v)),
            lambda: Meant(arena.or_(p.term, q.term, r.term), lambda v: p.value(v) or q.value(v) or r.value(v)),
            lambda: Meant(arena.iff(p.term, q.term), lambda v: p.value(v) == q.value(v)),
            lambda: Meant(arena.implies(p.term, q.term), lambda v: not p.value(v) or q.value(v)),
            lambda: Meant(arena.ite(p.term, q.term, r.term), lambda v: q.value(v) if p.value(v) else r.value(v)),
            lambda: Meant(arena.le(a.term, b.term), lambda v: a.value(v) <= b.value(v)),
            lambda: Meant(arena.lt(a.term, b.term), lambda v: a.value(v) < b.value(v)),
            lambda: Meant(arena.ge(a.term, b.term), lambda v: a.value(v) >= b.value(v)),
            lambda: Meant(arena.gt(a.term, b.term), lambda v: a.value(v) > b.value(v)),
            lambda: Meant(arena.equals(a.term, b.term), lambda v: a.value(v) == b.value(v)),
            lambda: Meant(arena.equals(p.term, q.term), lambda v: p.value(v) == q.value(v)),
        ]
        return random.choice(cases)()

    def _leaf(self) -> Meant:
        if self._random.random() < 0.3:
            k = self._random.randint(-3, 3)
            return Meant(self._arena.integer(k), lambda _: k)
        x = self._random.choice(self._draw.integers)
        return Meant(x, lambda v: _integer(v[x]))

    def _read(self, a: Meant, b: Meant) -> Meant:
        """A read at `b` from an array in which `b` was written at `a`, perhaps."""
        arena, random = self._arena, self._random
        one, two = self._draw.arrays
        c = self.formula(1)
        stored = arena.store(arena.store(one, a.term, b.term), b.term, a.term)
        constant = random.random() < 0.5
        array = arena.ite(c.term, stored, arena.const_array(INT_ARRAY, a.term) if constant else two)

        def value(v: Mapping[Term, Value]) -> int:
            first, second = a.value(v), b.value(v)
            if c.value(v):
                return _array(v[one]).updated(first, second).updated(second, first)[second]
            return first if constant else _array(v[two])[second]

        return Meant(arena.select(array, b.term), value)


def _integer(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _array(value: Value) -> ArrayValue:
    assert isinstance(value, ArrayValue)
    return value


def test_terms_mean_what_was_built() -> None:
    for seed in range(400):
        draw = RandomTerms(seed)
        meant = MeantTerms(draw)
        for one in (meant.integer(3), meant.formula(3)):
            for _ in range(4):
                values = draw.values()
                assert evaluate(one.term, values) == one.value(values), (seed, one.term)


def is_normal(t: Term) -> bool:
    """Whether the root of `t` has the form that `core.terms.term` states."""
    match t.op:
        case Op.LINEAR:
            plain = all(a.op not in (Op.LINEAR, Op.CONSTANT) for a in t.args)
            single = len(t.args) == 1 and t.coefficients == (1,) and t.constant == 0
            return plain and ascending(t.args) and 0 not in t.coefficients and not single
        case Op.LE | Op.EQ:
            body = t.args[0]
            if body.op is not Op.LINEAR:
                return body.op is not Op.CONSTANT
            return body.constant == 0 and body.coefficients[0] > 0 and gcd(*body.coefficients) == 1
        case Op.AND | Op.OR:
            flat = all(a.op not in (t.op, Op.CONSTANT) for a in t.args)
            clash = any(a.op is Op.NOT and a.args[0] in t.args for a in t.args)
            return flat and len(t.args) > 1 and ascending(t.args) and not clash
        case Op.NOT:
            return t.args[0].op not in (Op.NOT, Op.CONSTANT)
        case Op.SELECT:
            return t.args[0].op not in (Op.STORE, Op.ITE, Op.CONST_ARRAY)
        case _:
            return True


def ascending(terms: tuple[Term, ...]) -> bool:
    ids = [t.id for t in terms]
    return ids == sorted(set(ids))


def test_terms_are_in_normal_form() -> None:
    for seed in range(300):
        draw = RandomTerms(seed)
        for t in subterms(draw.formula(4), draw.integer(4)):
            assert is_normal(t), t


def test_rebuilding_changes_nothing() -> None:
    for seed in range(200):
        draw = RandomTerms(seed)
        for t in subterms(draw.formula(4)):
            assert rebuild(draw.arena, t, t.args) is t


def test_symbols_are_those_below() -> None:
    for seed in range(50):
        t = RandomTerms(seed).formula(4)
        assert t.symbols() == {u for u in subterms(t) if u.op is Op.SYMBOL}


def test_equal_formulas_are_one_term() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    p, q = arena.symbol("p", BOOL), arena.symbol("q", BOOL)
    two = arena.integer(2)
    assert arena.add(x, y) is arena.add(y, x)
    assert arena.lt(x, y) is arena.not_(arena.ge(x, y))
    assert arena.le(arena.multiply(two, x), arena.integer(5)) is arena.le(x, two)
    assert arena.equals(arena.subtract(y, x), arena.zero) is arena.equals(x, y)
    assert arena.and_(p, arena.and_(q, p)) is arena.and_(q, p)
    assert arena.iff(p, arena.not_(q)) is arena.not_(arena.iff(q, p))
    assert arena.and_(p, arena.not_(p)) is arena.false
    assert arena.equals(arena.multiply(two, x), arena.one) is arena.false


def test_fresh_symbols_differ() -> None:
    arena = Arena()
    assert len({arena.fresh("x", INT) for _ in range(5)} | {arena.symbol("x", INT)}) == 6
    known = {arena.symbol(f"y!{number}", INT) for number in (0, 1, 3)}
    assert known.isdisjoint({arena.fresh("y", INT) for _ in range(5)})


def test_quantifiers_bind() -> None:
    arena = Arena()
    i, x = arena.fresh("i", INT), arena.symbol("x", INT)
    t = arena.forall([i], arena.le(i, x))
    assert t.symbols() == {x}
    assert arena.forall([i], arena.le(x, arena.zero)) is arena.le(x, arena.zero)


def test_arrays_have_no_equality() -> None:
    arena = Arena()
    a, b = arena.symbol("a", INT_ARRAY), arena.symbol("b", INT_ARRAY)
    with pytest.raises(TypeError, match="extensional"):
        arena.equals(a, b)


def test_deep_terms_need_no_recursion() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    t = y
    for k in range(5000):
        t = arena.ite(arena.le(t, arena.integer(k)), arena.add(t, x), x)
    assert evaluate(t, {x: 1, y: 0}) == 5000
    assert t.symbols() == {x, y}


@pytest.mark.parametrize("is_first", [True, False])
def test_choices_in_one_another_may_be_as_many_as_a_table_has_entries(is_first: bool) -> None:
    t = Arena()
    x = t.symbol("x", INT)
    nest = t.zero
    for k in range(2000):
        same, value = t.equals(x, t.integer(k)), t.integer(k % 100)
        nest = t.ite(same, value, nest) if is_first else t.ite(t.not_(same), nest, value)
    assert t.le(nest, t.integer(99)).is_true
    assert t.equals(nest, t.integer(100)).is_false
    over = t.lt(t.integer(98), nest)
    assert [evaluate(over, {x: k}) for k in (98, 99, 1999, 2000)] == [False, True, True, False]


def test_that_a_remainder_of_c_is_zero_is_said_without_its_sign() -> None:
    t = Arena()
    x = t.symbol("x", INT)
    for m in (2, 5, 6):
        divisor = t.integer(m)
        negative = t.linear([(-1, t.modulo(t.linear([(-1, x)]), divisor))])
        rest = t.ite(t.lt(x, t.zero), negative, t.modulo(x, divisor))
        assert t.equals(rest, t.zero) is t.equals(t.modulo(x, divisor), t.zero)
        assert t.equals(rest, t.one) is not t.equals(t.modulo(x, divisor), t.one)
        for number in range(-13, 14):
            assert evaluate(t.equals(rest, t.zero), {x: number}) is (number % m == 0)
