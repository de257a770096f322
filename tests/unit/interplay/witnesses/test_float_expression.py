"""Formulas about floating-point numbers in witnesses against gcc: the value in C is that of the formula."""

import subprocess
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from core.terms import INT, INT_ARRAY, Arena, Term, evaluate
from core.terms.float_functions import FloatOperation, float_function
from core.terms.floats import DOUBLE, FLOAT, of_text
from interplay.witnesses.formats.expression import conjuncts
from interplay.witnesses.formats.float_expression import equation
from interplay.witnesses.formats.known import Known

HALF = of_text(FLOAT, "1.5")
VALUES = (
    *(FLOAT.minimum, FLOAT.minimum + 1, -1 - HALF, -2, -1, 0, 1, HALF - 1, HALF, HALF + 1),
    *(FLOAT.infinity - 1, FLOAT.infinity, FLOAT.nan),
)
NUMBERS = ("x", "y")
KNOWN = {
    **{name: Known(name, FLOAT.minimum, FLOAT.nan, None, "float") for name in NUMBERS},
    "i": Known("i", -5, 5),
    "a": Known("a", FLOAT.minimum, FLOAT.nan, 3, "float"),
}


def names(symbol: Term) -> Known | None:
    return KNOWN.get(symbol.name)


def text(arena: Arena, formula: Term) -> str:
    return " && ".join(conjuncts(arena, formula, names)) or "1"


def in_c(folder: Path, texts: Sequence[str]) -> list[list[bool]]:
    """The values of conditions for all pairs of numbers, as gcc has them; NaN has a sign, too."""
    bits = [FLOAT.to_bits(one) if one != FLOAT.nan else nan for nan in (0x7FC00000, 0xFFC00000) for one in VALUES]
    loops = "".join(f"for (int {n}_ = 0; {n}_ < {len(bits)}; {n}_++) " for n in NUMBERS)
    reads = "".join(f"float {n}; memcpy(&{n}, &bits[{n}_], 4); " for n in NUMBERS)
    shown = "".join(f"    puts(\"\"); {loops}{{ {reads}putchar('0' + !!({one})); }}\n" for one in texts)
    (folder / "all.c").write_text(
        "#include <stdio.h>\n#include <string.h>\n"
        f"unsigned bits[] = {{{', '.join(map(str, bits))}}};\nint main(void) {{\n{shown}    return 0;\n}}\n"
    )
    subprocess.run(["gcc", "-O0", "-w", "all.c", "-o", "all"], cwd=folder, check=True)
    output = subprocess.run([folder / "all"], capture_output=True, text=True, check=True).stdout
    return [[sign == "1" for sign in line] for line in output.split("\n")[1:]]


def less(arena: Arena, x: Term, y: Term) -> Term:
    """The order of C, as the lowering has it."""
    zeros = arena.and_(arena.equals(x, arena.integer(-1)), arena.equals(y, arena.zero))
    return arena.and_(arena.lt(x, y), arena.le(y, arena.integer(FLOAT.infinity)), arena.not_(zeros))


def formulas(arena: Arena) -> list[Term]:
    x, y = (arena.symbol(name, INT) for name in NUMBERS)
    found = [less(arena, x, y), arena.not_(less(arena, x, y)), arena.equals(x, y), arena.le(x, y), arena.lt(y, x)]
    twice = arena.compute(float_function(FloatOperation.ADD, FLOAT), x, x)
    wide = arena.compute(float_function(FloatOperation.CONVERT, DOUBLE, FLOAT), x)
    found += [arena.lt(twice, y), arena.le(wide, arena.integer(of_text(DOUBLE, "0.1"))), arena.le(twice, y)]
    for low, high in combinations(VALUES, 2):
        found += [arena.between(low, x, high), arena.not_(arena.between(low, x, high))]
        found += [arena.or_(arena.le(x, arena.integer(low)), arena.le(arena.integer(high), y))]
    found += [arena.equals(x, arena.integer(one)) for one in VALUES]
    found += [arena.ite(arena.le(x, arena.integer(one)), less(arena, x, y), arena.equals(x, y)) for one in VALUES]
    return [one for one in found if not one.is_constant]


@pytest.mark.long
def test_texts_mean_what_formulas_say(tmp_path: Path) -> None:
    arena = Arena()
    asked = formulas(arena)
    texts = [text(arena, one) for one in asked]
    assert not any("(float)" in one or "is" in one or "INF" in one for one in texts)
    symbols = [arena.symbol(name, INT) for name in NUMBERS]
    for formula, shown, values in zip(asked, texts, in_c(tmp_path, texts), strict=True):
        wanted = [evaluate(formula, dict(zip(symbols, (x, y), strict=True))) for x in VALUES * 2 for y in VALUES * 2]
        assert values == wanted, shown


def test_an_equation_is_true_of_one_number(tmp_path: Path) -> None:
    found = in_c(tmp_path, [equation("float", "x", one) for one in VALUES])
    assert found == [[x == one for x in VALUES * 2 for _ in VALUES * 2] for one in VALUES]


def test_numbers_are_no_integers() -> None:
    arena = Arena()
    x, i, a = arena.symbol("x", INT), arena.symbol("i", INT), arena.symbol("a", INT_ARRAY)
    assert text(arena, arena.le(arena.add(x, i), arena.zero)) == "1"
    assert text(arena, arena.le(x, i)) == "1"
    element = arena.select(a, arena.integer(2))
    assert text(arena, arena.le(element, arena.integer(HALF))) == "a[2] <= 1.5f"
    assert text(arena, arena.le(arena.select(a, i), arena.integer(HALF))) == "1"
    of = arena.compute(float_function(FloatOperation.OF_INT, FLOAT), arena.add(i, arena.one))
    assert text(arena, arena.le(of, arena.integer(HALF))) == "i <= 0"
    assert "x < (float)(i + 1)" in text(arena, arena.lt(of, x))
