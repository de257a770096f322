"""Operators and conversions for pairs of integer types at boundary values, against gcc."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest

from core.program import Assign, Assume, Program, Range
from core.terms import INT, Arena, Term, Value, evaluate
from frontend.api import parse_program
from frontend.lowering import lower
from frontend.lowering.arithmetic import ADDRESS, BoundedTerm, MakeArithmetic, Undecided
from frontend.lowering.bit_operations import BitOperations
from frontend.lowering.linear_bits import LinearBits
from frontend.options import ArithmeticChoice
from frontend.typed.ctype import DataModel, Integer, IntegerKind
from frontend.typed.tree import BinaryOperator

KINDS = (
    IntegerKind.BOOL,
    IntegerKind.CHAR,
    IntegerKind.UCHAR,
    IntegerKind.SHORT,
    IntegerKind.USHORT,
    IntegerKind.INT,
    IntegerKind.UINT,
    IntegerKind.LONG,
    IntegerKind.ULONG,
    IntegerKind.LLONG,
    IntegerKind.ULLONG,
)
MODEL = DataModel.LP64
BINARY = ("+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "<<", ">>")
FORMS = (*(f"x {op} y" for op in BINARY), "x + y - x", "(T) (x + y)", "~x - -y", "x - y < 0", "x & 12", "y | 3")
BITS = ("x & y", "x | y", "x ^ y", "~(x | y) & 0x5a5a5a5a5a5aLL", "(x ^ y) - (x & -y)")  # not for integers


def boundary(type_: Integer) -> list[int]:
    near = (type_.minimum, type_.minimum + 1, -1, 0, 1, 7, type_.maximum)
    return sorted({value for value in near if type_.holds(value)})


def pairs(s: Integer, t: Integer, form: str) -> list[tuple[int, int]]:
    """The operands for which the form has a value in C (the quotient of the least number by -1 traps)."""
    result = MODEL.common(MODEL.promote(s), MODEL.promote(t))
    assert isinstance(result, Integer)
    found = []
    for x, y in itertools.product(boundary(s), boundary(t)):
        if form in ("x / y", "x % y") and (y == 0 or (y == -1 and x == result.minimum and result.signed)):
            continue
        if form in ("x << y", "x >> y") and not 0 <= y < MODEL.promote(s).bits:
            continue
        found.append((x, y))
    return found


def table() -> list[tuple[str, Integer, Integer, str]]:
    """A function for each pair of types; every form for each pair would take long, so the forms rotate."""
    types = [MODEL.integer(kind) for kind in KINDS]
    cells: list[tuple[str, Integer, Integer, str]] = []
    for i, (s, t) in enumerate(itertools.product(types, types)):
        forms = [FORMS[(5 * i + k + i // 11) % len(FORMS)] for k in range(5)]
        forms += [BITS[(2 * i + k + i // 11) % len(BITS)] for k in range(2)]
        cells.extend((f"f{len(cells) + k}", s, t, form) for k, form in enumerate(forms))
    return cells


def definition(cell: tuple[str, Integer, Integer, str]) -> str:
    name, s, t, form = cell
    return f"unsigned long long {name}({s} x, {t} y) {{ return {form.replace('(T)', f'({t})')}; }}"


def literal(value: int) -> str:
    return f"({value + 1}LL - 1)" if value < -(2**63) + 1 else f"{value}ULL" if value >= 2**63 else f"({value}LL)"


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    folder: Path = tmp_path_factory.mktemp("arithmetic")
    lines = ["#include <stdio.h>", *map(definition, table())]
    for name, s, t, form in table():
        values = ", ".join(f"{{{literal(x)}, {literal(y)}}}" for x, y in pairs(s, t, form))
        lines.append(f"static const struct {{ {s} x; {t} y; }} v_{name}[] = {{ {values} }};")
    lines.append("int main(void) {")
    for name, *_ in table():
        lines.append(f"  for (unsigned i = 0; i < sizeof v_{name} / sizeof *v_{name}; i++)")
        lines.append(f'    printf("%llu\\n", {name}(v_{name}[i].x, v_{name}[i].y));')
    source = folder / "table.c"
    source.write_text("\n".join([*lines, "}"]))
    subprocess.run(["gcc", "-O0", "-w", "-fwrapv", "-o", folder / "table", source], check=True)
    output = subprocess.run([folder / "table"], capture_output=True, text=True, check=True).stdout
    numbers = map(int, output.split())
    return {name: list(itertools.islice(numbers, len(pairs(s, t, form)))) for name, s, t, form in table()}


def apply(program: Program, name: str, x: int, y: int) -> Value:
    """The result of a function without choices."""
    function = program.functions[name]
    values: dict[Term, Value] = dict(zip(function.parameters, (x, y), strict=True))
    at = function.entry
    while at != function.exit:
        (edge,) = program.out_edges[at]
        match edge.operation:
            case Assume(condition):
                assert evaluate(condition, values) is True
            case Assign(updates):
                values.update({target: evaluate(value, values) for target, value in updates})
            case _:
                pytest.fail(f"{edge.text}: a call")
        at = edge.target
    assert function.result is not None
    return values[function.result]


@pytest.mark.long
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.sampled
@pytest.mark.parametrize("choice", [ArithmeticChoice.INTEGERS, ArithmeticChoice.BITVECTORS])
@pytest.mark.parametrize("part", range(4))
def test_operators_on_all_pairs_of_types(part: int, choice: ArithmeticChoice, expected: dict[str, list[int]]) -> None:
    cells = [cell for cell in table()[part::4] if choice is ArithmeticChoice.BITVECTORS or cell[3] not in BITS]
    calls = " ".join(f"{name}(0, 0);" for name, *_ in cells)
    text = "\n".join([*map(definition, cells), f"int main(void) {{ {calls} }}"])
    program = lower(parse_program(text, "table.c", MODEL), None, choice)
    wrong = []
    for cell in cells:
        for (x, y), right in zip(pairs(*cell[1:]), expected[cell[0]], strict=True):
            value = apply(program, cell[0], x, y)
            if value != right:
                wrong.append((definition(cell), x, y, value, right))
    assert wrong == []


@pytest.mark.parametrize("make", [LinearBits, BitOperations])
def test_a_constant_may_have_wide_bounds(make: MakeArithmetic) -> None:
    """`u - u` is 0 whatever `u` is, and so is `(u - u) & 31`; its bounds are those of a difference."""
    arena = Arena()
    arithmetic, type_ = make(arena, lambda _: None, ADDRESS), MODEL.integer(IntegerKind.INT)
    u = arithmetic.of_type(arena.symbol("u", INT), type_)
    zero = arithmetic.binary(BinaryOperator.SUBTRACT, u, u, type_)
    cases = ((BinaryOperator.AND, 31, 0), (BinaryOperator.OR, 31, 31), (BinaryOperator.XOR, 5, 5))
    for operator, other, result in cases:
        for left, right in ((zero, arithmetic.constant(other)), (arithmetic.constant(other), zero)):
            assert arithmetic.binary(operator, left, right, type_).constant == result


@pytest.mark.parametrize(
    ("operator", "right", "is_linear"),
    [
        (BinaryOperator.AND, 0x18, True),
        (BinaryOperator.XOR, 0x66, True),
        (BinaryOperator.XOR, 0x2D, False),  # three runs of ones
        (BinaryOperator.OR, Range(0, 3), True),
        (BinaryOperator.XOR, Range(0, 255), False),  # as in checksums
    ],
)
def test_what_is_left_to_bit_vectors(operator: BinaryOperator, right: int | Range, is_linear: bool) -> None:
    arena = Arena()
    arithmetic, type_ = LinearBits(arena, lambda _: None, ADDRESS), MODEL.integer(IntegerKind.INT)
    byte = BoundedTerm(arena.symbol("a", INT), 0, 255)
    other = (
        arithmetic.constant(right)
        if isinstance(right, int)
        else BoundedTerm(arena.symbol("b", INT), right.low, right.high)
    )
    with nullcontext() if is_linear else pytest.raises(Undecided):
        arithmetic.binary(operator, byte, other, type_)
