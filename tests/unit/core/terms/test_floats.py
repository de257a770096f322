"""Floating-point numbers as ordinals: operations against gcc, intervals and inverses over all of a small format."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from core.terms import INT, Arena, Term
from core.terms import floats as f
from core.terms.float_functions import FloatFunction, FloatOperation, float_function, float_function_named
from core.terms.floats import DOUBLE, EXTENDED, FLOAT, FORMATS, FloatFormat, Rounding
from core.terms.interval import Interval

TINY, SMALL = FloatFormat("tiny", 4, 3), FloatFormat("small", 5, 4)
ROUNDED = {f"round_{mode.value}": (lambda g, x, mode=mode: f.round_to_integer(g, x, mode)) for mode in Rounding}
UNARY: dict[str, Callable[..., int]] = {"sqrt": f.square_root, **ROUNDED}
BINARY: dict[str, Callable[..., int]] = {
    "add": f.add,
    "subtract": f.subtract,
    "multiply": f.multiply,
    "divide": f.divide,
    "remainder": f.remainder,
    "less": f.less,
    "equal": f.equal,
}


def _bits(g: FloatFormat, x: int) -> int:
    if x == g.nan:
        x = g.infinity + (1 << (g.precision - 2))
    bits = g.to_bits(x)
    if g is EXTENDED:  # the first bit is stored
        sign_and_exponent, fraction = divmod(bits, 1 << 63)
        return sign_and_exponent << 64 | (sign_and_exponent % (1 << 15) != 0) << 63 | fraction
    return bits


def _ordinal(g: FloatFormat, bits: int) -> int:
    return g.of_bits(bits >> 64 << 63 | bits & (1 << 63) - 1 if g is EXTENDED else bits)


def _operand(g: FloatFormat, random: Random) -> int:
    """A number that is hard: subnormal, near 1, near the last integers, near ∞, or any."""
    one = g.rounded(False, 1)
    near = random.choice((0, one, g.rounded(False, 1 << g.precision), g.infinity, 1 << (g.precision - 1)))
    x = random.choice(
        (near + random.randint(-9, 9), near + random.randint(-one // 64, one // 64), random.randrange(g.nan))
    )
    return random.choice((1, -1)) * max(0, min(g.nan, x)) if x != g.nan else x


def _lines(g: FloatFormat, count: int) -> Iterator[tuple[str, list[int], int, FloatFormat]]:
    random = Random(g.precision)
    for _ in range(count):
        x, y, z = (max(g.minimum, min(g.nan, _operand(g, random))) for _ in range(3))
        bits = [_bits(g, one) for one in (x, y, z)]
        for name, function in UNARY.items():
            yield name, bits, function(g, x), g
        for name, function in BINARY.items():
            yield name, bits, int(function(g, x, y)), g
        yield "fma", bits, f.fused(g, x, y, z), g
        for other in FORMATS.values():
            yield f"convert_{other.name}", bits, f.convert(other, g, x), other
        number = random.getrandbits(64) >> random.randrange(64)
        signed = number - (number >> 63 << 64)
        yield "of_int", [number, 0, 0], f.of_integer(g, signed), g
        yield "of_unsigned", [number, 0, 0], f.of_integer(g, number), g


@pytest.mark.long
@pytest.mark.parametrize("g", FORMATS.values(), ids=lambda g: g.name)
def test_operations_are_those_of_gcc(g: FloatFormat, tmp_path: Path) -> None:
    program = tmp_path / "program"
    source = Path(__file__).with_name("float_operations.c")
    flags = ["-O0", "-ffp-contract=off", "-fno-builtin"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(program), "-lm"], check=True)
    lines = list(_lines(g, 1000))
    text = "".join(f"{g.name} {name} {' '.join(f'{one:x}' for one in bits)}\n" for name, bits, _, _ in lines)
    output = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=True).stdout.split()
    for (name, bits, expected, target), found in zip(lines, output, strict=True):
        number = int(found, 16)
        if name not in ("less", "equal"):
            number = _ordinal(target, number)
        assert number == expected, (name, [hex(one) for one in bits])


@pytest.mark.parametrize("g", FORMATS.values(), ids=lambda g: g.name)
def test_texts_are_read_back(g: FloatFormat) -> None:
    random = Random(0)
    for _ in range(100):
        x = f.absolute(max(g.minimum, min(g.infinity - 1, _operand(g, random)))) % g.infinity
        assert f.of_text(g, f.to_text(g, x).rstrip("fL")) == x
        assert f.of_text(g, f.to_hexadecimal(g, x)) == x
    assert f.to_text(g, g.nan) == "NAN"
    assert f.to_text(g, g.minimum) == "-INFINITY"


def test_texts_are_the_shortest() -> None:
    assert f.to_text(FLOAT, f.of_text(FLOAT, "0.1")) == "0.1f"
    assert f.to_text(DOUBLE, f.of_text(DOUBLE, "1e22")) == "1e+22"
    assert f.to_text(DOUBLE, -1) == "-0.0"
    assert f.to_text(EXTENDED, f.of_text(EXTENDED, "123.25")) == "123.25L"
    assert f.to_text(DOUBLE, 1) == "5e-324"


def test_a_literal_is_rounded_once() -> None:
    text = "1.00000017881393421514957253748434595763683319091796875001"
    assert FLOAT.to_bits(f.of_text(FLOAT, text)) == 0x3F800001
    through_double = f.convert(FLOAT, DOUBLE, f.of_text(DOUBLE, text))
    assert FLOAT.to_bits(through_double) == 0x3F800002
    assert f.of_text(FLOAT, "1e999999999999") == FLOAT.infinity
    assert f.of_text(FLOAT, "1e-999999999999") == 0
    assert f.of_text(FLOAT, "0x1.fffffep+127") == FLOAT.infinity - 1
    assert f.of_text(FLOAT, "0x1.ffffffp+127") == FLOAT.infinity
    for wrong in ("", ".", "1f", "0x", "nan", "--1"):
        with pytest.raises(ValueError, match="no floating-point number"):
            f.of_text(FLOAT, wrong)


DETAILS: dict[FloatOperation, list[tuple[Rounding | FloatFormat | int, ...]]] = {
    FloatOperation.ROUND: [(mode,) for mode in Rounding],
    FloatOperation.TO_INT: [(-3, 5), (0, 255)],
    FloatOperation.CONVERT: [(SMALL,)],
}
FUNCTIONS = [
    FloatFunction(operation, TINY, detail, f"{operation}{detail}")
    for operation in FloatOperation
    for detail in DETAILS.get(operation, [()])
]


def _numbers(function: FloatFunction) -> list[int]:
    source = function.source
    return list(range(-40, 41)) if source is None else list(range(source.minimum, source.maximum + 1))


@pytest.mark.long
@pytest.mark.parametrize("function", FUNCTIONS, ids=str)
def test_an_interval_has_all_values(function: FloatFunction) -> None:
    random, numbers = Random(1), _numbers(function)
    for _ in range(40):
        boxes = []
        for _ in range(function.arity):
            low, high = sorted(random.choices(numbers, k=2))
            boxes.append(Interval(low, min(high, low + 8) if function.arity == 3 else high))
        found = function.interval(*boxes)
        assert found.low is not None
        assert found.high is not None
        for corner in product(*(range(one.low or 0, (one.high or 0) + 1) for one in boxes)):
            assert found.low <= function.value(*corner) <= found.high


@pytest.mark.long
@pytest.mark.parametrize("function", FUNCTIONS, ids=str)
def test_a_preimage_is_exact(function: FloatFunction) -> None:
    random, numbers = Random(2), _numbers(function)
    for _ in range(60):
        constants = [random.choice((None, random.choice(numbers))) for _ in range(function.arity)]
        low, high = sorted(random.choices(range(-62, 62), k=2))
        values = Interval(random.choice((low, None)), random.choice((high, low, None)))
        found = function.preimage(constants, values)
        if found is None or constants.count(None) != 1 or values.is_empty:
            continue
        for x in range(-200, 200):
            value = function.value(*(x if one is None else one for one in constants))
            assert _holds(values, value) == _holds(found, x), (constants, values, found, x)


def test_an_integer_that_has_thousands_of_digits_stands_for_no_number() -> None:
    large, of_int = f.of_text(EXTENDED, "1e4900"), float_function(FloatOperation.OF_INT, EXTENDED)
    assert of_int.preimage((None,), Interval(None, large)) is None
    assert of_int.preimage((None,), Interval(None, f.of_text(EXTENDED, "1e300"))) is not None


def _holds(interval: Interval, x: int) -> bool:
    return (interval.low is None or interval.low <= x) and (interval.high is None or x <= interval.high)


def test_names_are_read_back() -> None:
    functions = [
        float_function(FloatOperation.FMA, EXTENDED),
        float_function(FloatOperation.ROUND, FLOAT, Rounding.EVEN),
        float_function(FloatOperation.TO_INT, DOUBLE, -(1 << 31), (1 << 31) - 1),
        float_function(FloatOperation.CONVERT, FLOAT, EXTENDED),
    ]
    for function in functions:
        assert float_function_named(function.name) == function
    for wrong in ("float_add", "float_add__half", "float_none__float", "float_add__float__even", "float_round__float"):
        with pytest.raises(ValueError, match="no"):
            float_function_named(wrong)


def test_comparisons_of_an_operation_with_one_unknown_have_none() -> None:
    arena = Arena()
    x, add = arena.symbol("x", INT), float_function(FloatOperation.ADD, FLOAT)
    tenth = arena.integer(f.of_text(FLOAT, "0.1"))
    t: Term = x
    for _ in range(1500):
        t = arena.compute(add, t, tenth)
    atom = arena.le(t, arena.integer(f.of_text(FLOAT, "10")))
    assert atom.is_bound
    assert atom.args[0] is x


def test_normal_forms() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)

    def term(operation: FloatOperation, *args: Term, to: FloatFormat = DOUBLE) -> Term:
        return arena.compute(float_function(operation, to), *args)

    def number(text: str) -> Term:
        return arena.integer(f.of_text(DOUBLE, text))

    assert term(FloatOperation.ADD, x, y) is term(FloatOperation.ADD, y, x)
    assert term(FloatOperation.ADD, x, arena.integer(-1)) is x
    assert term(FloatOperation.ADD, x, arena.zero) is not x  # of -0
    assert term(FloatOperation.SUBTRACT, x, arena.zero) is x
    assert term(FloatOperation.SUBTRACT, x, x).op.name == "FLOAT"  # of infinity
    assert term(FloatOperation.DIVIDE, x, number("4")) is term(FloatOperation.MULTIPLY, x, number("0.25"))
    assert term(FloatOperation.DIVIDE, x, number("3")) is not term(
        FloatOperation.MULTIPLY, x, number("0.3333333333333333")
    )
    assert term(FloatOperation.MULTIPLY, x, number("1")) is x
    wide = arena.compute(float_function(FloatOperation.CONVERT, DOUBLE, FLOAT), x)
    assert arena.compute(float_function(FloatOperation.CONVERT, FLOAT, DOUBLE), wide) is x
