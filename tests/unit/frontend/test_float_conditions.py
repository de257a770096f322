"""Formulas about floating-point numbers are shown as C, never with ordinals, and mean the same when they are read."""

import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from core.program import Program
from core.program.naming import Naming
from core.program.told import is_told
from core.terms import Arena, Term
from core.terms.evaluate import evaluate
from core.terms.float_functions import FloatOperation, float_function
from core.terms.floats import DOUBLE, FLOAT, Rounding, of_text
from core.terms.printing import to_readable_c
from frontend.conditions import read_condition
from frontend.source import FrontendError
from interplay.presentation.graphs.operation_text import OperationTexts, SourceTexts
from interplay.presentation.run_text import bounds_in
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request

TEXT = """extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
float x, y;
double d, cells[4];
int i;
int main(void)
{
    x = __VERIFIER_nondet_float();
    y = x * 2.0f;
    d = x + 1.0;
    cells[i] = -d;
    i = (int)d;
    if (x < y || cells[i] == d)
        reach_error();
    return 0;
}
"""


@pytest.fixture(scope="module")
def program() -> Program:
    return DefaultServices().load(Request("task.c"), lambda _: TEXT, lambda _: None).program


def symbol(program: Program, name: str) -> Term:
    return next(one for one in program.variables if one.name == name)


def shown(program: Program, term: Term) -> str:
    assert is_told(term, Naming(program))
    return to_readable_c(term, lambda one: bounds_in(program, one), names=Naming(program))


def single(text: str) -> int:
    return of_text(FLOAT, text)


ENDS = (FLOAT.minimum, FLOAT.minimum + 1, -single("1.5") - 1, -2, -1, 0, 1, single("1.5") - 1, single("1.5"))
ALL = (*ENDS, single("1.5") + 1, FLOAT.infinity - 1, FLOAT.infinity, FLOAT.nan)


def in_c(folder: Path, texts: list[str], names: str) -> list[list[bool]]:
    """The values of conditions in C, as gcc has them, for all values of these numbers; NaN has a sign, too."""
    bits = [FLOAT.to_bits(one) if one != FLOAT.nan else nan for nan in (0x7FC00000, 0xFFC00000) for one in ALL]
    loops = "".join(f"for (int {n}_ = 0; {n}_ < {len(bits)}; {n}_++) " for n in names)
    reads = "".join(f"float {n}; memcpy(&{n}, &bits[{n}_], 4); " for n in names)
    conditions = "".join(f"    puts(\"\"); {loops}{{ {reads}putchar('0' + !!({unchained(one)})); }}\n" for one in texts)
    (folder / "all.c").write_text(
        "#include <math.h>\n#include <stdio.h>\n#include <string.h>\n"
        f"unsigned bits[] = {{{', '.join(map(str, bits))}}};\nint main(void) {{\n{conditions}    return 0;\n}}\n"
    )
    subprocess.run(["gcc", "-O0", "-w", "all.c", "-o", "all", "-lm"], cwd=folder, check=True)
    shown = subprocess.run([folder / "all"], capture_output=True, text=True, check=True).stdout
    return [[sign == "1" for sign in line] for line in shown.split("\n")[1:]]


def unchained(text: str) -> str:
    """`a < x < b` as C has it."""
    return re.sub(r"(\S+) (<=?) (x|y) (<=?) (\S+?)(?=[ )]|$)", r"(\1 \2 \3 && \3 \4 \5)", text)


def ranges(arena: Arena, x: Term) -> list[Term]:
    """Comparisons with all ends, both of them, and negations."""
    found = []
    for end in ALL:
        bound, same = arena.le(x, arena.integer(end)), arena.equals(x, arena.integer(end))
        found += [bound, arena.not_(bound), same, arena.not_(same)]
    for low, high in product(ALL, ALL):
        if low <= high:
            inside = arena.between(low, x, high)
            found += [inside, arena.not_(inside)]
            found.append(arena.or_(arena.lt(x, arena.integer(low)), arena.lt(arena.integer(high), x)))
    return found


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_ranges_mean_the_same_in_c_and_when_they_are_read(program: Program, tmp_path: Path) -> None:
    x = symbol(program, "x")
    terms = [one for one in ranges(program.arena, x) if not one.is_constant]
    texts = [shown(program, one) for one in terms]
    for term, text, found in zip(terms, texts, in_c(tmp_path, texts, "x"), strict=True):
        values = [bool(evaluate(term, {x: value})) for value in ALL]
        assert found == values * 2, (term, text)
        if len(set(values)) == 2:  # a condition that is always true is refused
            again = read_condition(program, None, text)
            assert [evaluate(again, {x: value}) for value in ALL] == values, (term, text)


def orders(program: Program) -> list[Term]:
    """Orders of two numbers, and what the program asks of them."""
    arena, x, y = program.arena, symbol(program, "x"), symbol(program, "y")
    asked = [read_condition(program, None, f"x {sign} y") for sign in ("<", "<=", ">", ">=", "==", "!=")]
    plain = [arena.le(x, y), arena.lt(x, y), arena.equals(x, y)]
    number = arena.le(y, arena.integer(FLOAT.infinity))
    found = [*asked, *plain, *(arena.and_(one, number) for one in plain)]
    return [*found, *map(arena.not_, found)]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_orders_mean_the_same_in_c_and_when_they_are_read(program: Program, tmp_path: Path) -> None:
    x, y = symbol(program, "x"), symbol(program, "y")
    terms = orders(program)
    texts = [shown(program, one) for one in terms]
    for term, text, found in zip(terms, texts, in_c(tmp_path, texts, "xy"), strict=True):
        again = read_condition(program, None, text)
        pairs = [{x: first, y: second} for first, second in product(ALL * 2, ALL * 2)]
        assert found == [evaluate(term, one) for one in pairs], text
        assert found == [evaluate(again, one) for one in pairs], text


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("x <= 1.5f", "x <= 1.5f"),
        ("x < 1.5", "x < 1.5f"),
        ("x > 0", "x > 0.0f"),
        ("x <= 0.1", "x < 0.1f"),
        ("x == 0.0f", "x == 0.0f"),
        ("x != 0.0f", "x != 0.0f"),
        ("x", "x != 0.0f"),
        ("isnan(x)", "isnan(x)"),
        ("!isnan(d)", "!isnan(d)"),
        ("isfinite(d)", "isfinite(d)"),
        ("x == -INFINITY", "x == -INFINITY"),
        ("0.0f <= x <= 1.5f", "0.0f <= x <= 1.5f"),
        ("x >= 0.0f", "x >= 0.0f"),
        ("!(x < 0.0f)", "!(x < 0.0f)"),
        ("x < y", "x < y"),
        ("y >= x", "x <= y"),
        ("!(x <= y)", "!(x <= y)"),
        ("cells[i] <= 1e300", "cells[i] <= 1e+300"),
        ("x * y <= 2.0f", "x * y <= 2.0f"),
        ("x - y * 2 < 0", "x - y * 2.0f < 0.0f"),
        ("d - (d - 1) >= 0.5", "d - (d - 1.0) >= 0.5"),
        ("x == y", "x == y"),
        ("x != y", "x != y"),
        ("sqrt(d * d) * d <= 2", "d * sqrt(d * d) <= 2.0"),
        ("fma(d, d, 1) <= 2", "fma(d, d, 1.0) <= 2.0"),
        ("!isnan(floor(d) * y) && i > 0", None),
        ("i + (int)d <= 3", "i + (int)d <= 3"),
        ("x * x + i <= 3", "x * x + (float)i <= 3.0f"),
        ("(double)x * d <= 3", "d * (double)x <= 3.0"),
        ("(i > 0 ? x : 1.0f) * y < 2", None),
    ],
)
def test_what_is_typed_is_shown_as_c_and_read_as_the_same_term(program: Program, text: str, again: str | None) -> None:
    term = read_condition(program, None, text)
    written = shown(program, term)
    assert again is None or written == again
    assert read_condition(program, None, written) is term


@pytest.mark.parametrize("text", ["cells[x] < 1.0", "x % 2 == 0", "x & 1", "isnan(i)", "sqrt(x, y) < 1", "-isnan(x"])
def test_what_c_does_not_have_is_refused(program: Program, text: str) -> None:
    with pytest.raises(FrontendError):
        read_condition(program, None, text)


def test_what_c_has_no_words_for_is_left_out(program: Program) -> None:
    arena, naming = program.arena, Naming(program)
    x, y, d, i = (symbol(program, name) for name in ("x", "y", "d", "i"))
    for term in (
        arena.le(x, arena.add(y, arena.integer(5))),
        arena.le(x, d),
        arena.le(x, i),
        arena.le(arena.multiply(arena.integer(2), x), i),
        arena.equals(arena.modulo(x, arena.integer(2)), arena.zero),
        arena.le(arena.compute(float_function(FloatOperation.TO_INT, DOUBLE, -5, 5), d), i),
        arena.le(arena.compute(float_function(FloatOperation.ADD, FLOAT), x, d), y),
        arena.le(arena.ite(arena.lt(i, arena.zero), x, i), y),
    ):
        assert not is_told(term, naming), term


def test_functions_of_other_types_have_their_suffixes(program: Program) -> None:
    arena, x, y = program.arena, symbol(program, "x"), symbol(program, "y")
    rounded = arena.compute(
        float_function(FloatOperation.ROUND, FLOAT, Rounding.ZERO),
        arena.compute(float_function(FloatOperation.DIVIDE, FLOAT), x, y),
    )
    term = arena.le(rounded, arena.integer(single("1.0")))
    assert read_condition(program, None, shown(program, term)) is term


def test_assignments_have_numbers_of_c(program: Program) -> None:
    texts = SourceTexts(program)
    shown_texts = {texts.of(edge) for edge in program.edges if edge.span}
    assert {"x := any value", "y := x * 2.0f", "d := (double)x + 1.0", "cells[i] := -d", "i := (int)d"} <= shown_texts
    assert "assume x < y || d == cells[i]" in shown_texts
    assert "assume -2147483649.0 < d < 2147483648.0" in shown_texts


def test_a_choice_between_constants_and_statements_have_numbers_of_the_type() -> None:
    text = """float f; double d; int i;
int main(void) { f = i ? 1.0f : 2.f; d = i > 3 ? .25 : i ? -1 : 0x1p-1; f += 1e2F; }
"""
    program = DefaultServices().load(Request("task.c"), lambda _: text, lambda _: None).program
    texts = {(edge.text, SourceTexts(program).of(edge)) for edge in program.edges}
    assert ("f = i ? 1.0f : 2.f", "f := i == 0 ? 2.0f : 1.0f") in texts
    assert ("f += 1e2f", "f := f + 100.0f") in texts
    (choice,) = (value for source, value in texts if source.startswith("d ="))
    assert all(one in choice for one in ("-1.0", "0.25", "0.5"))


def test_the_elements_of_a_new_array_are_numbers_of_the_type() -> None:
    text = "struct s { int n; double d[2]; } g; int main(void) { struct s l = {1, {0.1, -0.0}}; g = l; return 0; }"
    program = DefaultServices().load(Request("task.c"), lambda _: text, lambda _: None).program
    initialised = next(edge for edge in program.edges if edge.text.startswith("struct s l"))
    assert "d[0] := 0.1; l.d[1] := -0.0" in OperationTexts(program).of(initialised)


def test_bits_of_numbers_are_no_numbers() -> None:
    text = """union both { float f; unsigned i; };
int main(void)
{
    union both u;
    u.f = 1.0f;
    return u.i == 0;
}
"""
    program = DefaultServices().load(Request("task.c"), lambda _: text, lambda _: None).program
    assert "u.i := 1065353216" in map(SourceTexts(program).of, program.edges)
    with pytest.raises(FrontendError):
        read_condition(program, None, "u.f == 1.0f")
