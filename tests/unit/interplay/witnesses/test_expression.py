"""Expressions for witnesses against gcc: the value in C is that of the term, and nothing in them is undefined."""

import subprocess
from pathlib import Path
from random import Random

import pytest

from core.terms import INT, Arena, ArrayValue, Term, Value, evaluate, substitute
from interplay.witnesses.formats.expression import conjuncts, constant, disjunction, truth
from interplay.witnesses.formats.known import Known
from tests.support.random_terms import RandomTerms

INT_MAX, UINT_MAX, LLONG_MAX = (1 << 31) - 1, (1 << 32) - 1, (1 << 63) - 1
KNOWN = {
    "x": Known("x", -INT_MAX - 1, INT_MAX),
    "y": Known("y", 0, UINT_MAX),
    "z": Known("z", -LLONG_MAX - 1, LLONG_MAX),
    "u": Known("u", 0, (1 << 64) - 1),
    "c": Known("c", -128, 127),
    "a": Known("a", -INT_MAX - 1, INT_MAX, 6),
}
TYPES = {"x": "int", "y": "unsigned", "z": "long long", "u": "unsigned long long", "c": "signed char"}


def names(symbol: Term) -> Known | None:
    return KNOWN.get(symbol.name)


def text(formula: Term) -> str | None:
    found = truth(formula, names)
    return None if found is None else found[0]


@pytest.fixture
def arena() -> Arena:
    return Arena()


def test_quotients_and_remainders_are_rounded_as_those_of_terms(arena: Arena) -> None:
    c, y = arena.symbol("c", INT), arena.symbol("y", INT)
    seven = arena.integer(7)
    assert text(arena.equals(arena.modulo(c, seven), arena.integer(3))) == "(c % 7 + 7) % 7 == 3"
    assert text(arena.le(arena.divide(c, seven), arena.integer(3))) == "c / 7 - (c % 7 < 0) <= 3"
    assert (
        text(arena.equals(arena.modulo(y, seven), arena.integer(3))) == "(long long)y % 7LL == 3LL"
    )  # nothing is negative


def test_a_type_that_holds_every_part_is_chosen(arena: Arena) -> None:
    x, y, z, u, c = (arena.symbol(name, INT) for name in "xyzuc")
    assert text(arena.le(x, c)) == "x <= c"
    assert text(arena.le(arena.add(x, c), arena.zero)) == "(long long)x + (long long)c <= 0LL"
    assert text(arena.le(x, y)) == "(long long)x <= (long long)y"
    assert text(arena.le(u, arena.integer(5))) == "(unsigned long long)u <= 5ULL"
    assert text(arena.le(z, u)) is None
    assert text(arena.le(arena.add(z, c), arena.zero)) is None
    assert text(arena.equals(x, arena.integer(-INT_MAX - 1))) == "x == (-2147483647 - 1)"
    assert text(arena.lt(z, arena.add(y, arena.integer(1 << 40)))) == "(long long)y + 1099511627776LL > (long long)z"


def test_an_element_must_exist_for_every_index(arena: Arena) -> None:
    a, x, c = arena.symbol("a", RandomTerms(0).arrays[0].sort), arena.symbol("x", INT), arena.symbol("c", INT)
    zero = arena.zero
    assert text(arena.le(arena.select(a, arena.integer(5)), zero)) == "a[5] <= 0"
    assert text(arena.le(arena.select(a, arena.integer(6)), zero)) is None
    assert text(arena.le(arena.select(a, x), zero)) is None
    assert text(arena.le(arena.select(a, arena.modulo(x, arena.integer(6))), zero)) == "a[(x % 6 + 6) % 6] <= 0"
    assert text(arena.le(c, arena.integer(200))) == "1"


def test_of_a_conjunction_what_has_a_form_remains(arena: Arena) -> None:
    x, c, hidden = arena.symbol("x", INT), arena.symbol("c", INT), arena.symbol("hidden", INT)
    positive, secret = arena.lt(arena.zero, x), arena.le(hidden, arena.zero)
    assert conjuncts(arena, arena.and_(positive, secret), names) == ("x > 0",)
    either = arena.ite(secret, arena.equals(c, arena.one), arena.equals(c, arena.integer(2)))
    assert conjuncts(arena, either, names) == ("(c == 1 || c == 2)",)
    bounds = [arena.le(x, arena.integer(k)) for k in (9, 5, 7)] + [arena.le(arena.integer(k), x) for k in (0, 3)]
    assert set(conjuncts(arena, arena.and_(*bounds), names)) == {"x <= 5", "x > 2"}


def test_of_many_states_what_has_a_form_remains_of_each(arena: Arena) -> None:
    x, hidden = arena.symbol("x", INT), arena.symbol("hidden", INT)
    states = [
        arena.and_(arena.equals(x, arena.integer(k)), arena.equals(hidden, arena.integer(7 * k))) for k in range(6)
    ]
    (found,) = conjuncts(arena, arena.or_(*states), names)
    assert all(f"x == {k}" in found for k in range(6))
    assert "hidden" not in found
    assert conjuncts(arena, arena.or_(*states, arena.equals(hidden, arena.one)), names) == ()


def test_disjunctions_say_nothing_where_a_part_does() -> None:
    assert disjunction([("x > 0",), ("x > 0",)]) == "x > 0"
    assert disjunction([("x > 0", "c == 1"), ("x < 0",)]) == "(x > 0 && c == 1) || x < 0"
    assert disjunction([("x > 0",), ()]) is None


def test_constants_have_the_suffix_that_they_need() -> None:
    assert [constant(n) for n in (5, -5, -(1 << 31), 1 << 31, 1 << 63)] == [
        "5",
        "-5",
        "(-2147483647 - 1)",
        "2147483648LL",
        "9223372036854775808ULL",
    ]
    with pytest.raises(ValueError, match="64 bits"):
        constant(1 << 64)


@pytest.mark.long
def test_random_formulas_against_gcc(tmp_path: Path) -> None:
    """Undefined behaviour of the expressions would trap."""
    terms, draw = RandomTerms(7), Random(11)
    arena, (x, y, z) = terms.arena, terms.integers
    atoms = dict(zip(terms.booleans, (arena.lt(x, z), arena.equals(y, arena.integer(3))), strict=True))
    written = [(f, text(f)) for f in (substitute(arena, terms.formula(3), atoms) for _ in range(900))]
    formulas = [(f, t) for f, t in written if t is not None and t not in ("0", "1")]
    assert len(formulas) > 100
    values = [_values(terms, draw) for _ in range(20)]
    program = tmp_path / "test.c"
    program.write_text(_program([t for _, t in formulas], values))
    command = ["gcc", "-w", "-O0", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", str(program)]
    subprocess.run([*command, "-o", str(tmp_path / "test")], check=True, timeout=600)
    printed = subprocess.run([str(tmp_path / "test")], check=True, capture_output=True, text=True, timeout=600).stdout
    results = iter(printed.split())
    for value in values:
        for formula, written_text in formulas:
            assert int(next(results)) == int(bool(evaluate(formula, value))), (written_text, value)


def _values(terms: RandomTerms, draw: Random) -> dict[Term, Value]:
    """Small values, and the ends of the types."""
    found: dict[Term, Value] = dict(terms.values())
    for symbol in terms.integers:
        known = KNOWN[symbol.name]
        edges = [known.low, known.low + 1, known.high, known.high - 1, known.low // 2, known.high // 2]
        small = min(max(draw.randint(-5, 5), known.low), known.high)
        found[symbol] = draw.choice([small, small, draw.choice(edges)])
    for symbol in terms.arrays:
        found[symbol] = ArrayValue(0, {i: draw.randint(-5, 5) for i in range(6)})
    return found


def _program(texts: list[str], values: list[dict[Term, Value]]) -> str:
    parameters = ", ".join(f"{TYPES[name]} {name}" for name in "xyz")
    lines = ["#include <stdio.h>"]
    lines += [f"static int f{i}({parameters}, const int *a) {{ return !!({t}); }}" for i, t in enumerate(texts)]
    lines.append("int main(void) {")
    for value in values:
        by_name = {symbol.name: one for symbol, one in value.items()}
        array = by_name["a"]
        assert isinstance(array, ArrayValue)
        elements = ", ".join(str(array[i]) for i in range(6))
        scalars = ", ".join(constant(int(by_name[name])) for name in "xyz")  # type: ignore[arg-type]
        lines.append(f"  {{ int a[6] = {{{elements}}};")
        lines += [f'    printf("%d\\n", f{i}({scalars}, a));' for i in range(len(texts))]
        lines.append("  }")
    return "\n".join([*lines, "  return 0;", "}", ""])
