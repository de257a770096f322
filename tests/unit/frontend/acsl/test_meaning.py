"""The meaning of annotations: random formulas against a reading of our own, on the Program and in the interpreter."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from itertools import product

import pytest

from core.program import Input, InputKind, Program
from core.program.simulate import Ended, Reached, simulate
from core.verdict import InputValue
from frontend import interpreter
from frontend.api import parse_program
from frontend.interpreter import Inputs
from frontend.lowering import lower
from frontend.options import Acsl
from frontend.replay.policy import error_policy
from frontend.source import FrontendError, Unsupported
from frontend.typed.ctype import DataModel

Environment = Mapping[str, int]
Meaning = Callable[[Environment], int]
VALUES = range(-2, 4)  # what witnesses are tried with: all values that a quantifier may range over
ARRAY = (2, 0, 1, 2)


class Formulas:
    """Random formulas over x, y, a[4] and bound variables: each as text and as a function."""

    def __init__(self, rnd: random.Random) -> None:
        self._rnd = rnd
        self._bound: list[str] = []

    def term(self, depth: int) -> tuple[str, Meaning]:
        kind = self._rnd.randrange(6 if depth else 3)
        if kind == 0:
            number = self._rnd.choice((-1, 0, 1, 2, 2147483647))
            return f"({number})", lambda _: number
        if kind < 3:
            name = self._rnd.choice(["x", "y", *self._bound, *self._bound])
            return name, lambda env: env[name]
        if kind == 3:
            name = self._rnd.choice(["x", *self._bound])
            return f"a[{name} & 3]", lambda env: ARRAY[env[name] & 3]
        (left, a), (right, b) = self.term(depth - 1), self.term(depth - 1)
        sign = self._rnd.choice("+-*")
        if sign == "+":
            return f"({left} + {right})", lambda env: a(env) + b(env)
        if sign == "-":
            return f"({left} - {right})", lambda env: a(env) - b(env)
        return f"({left} * {right} % 7)", lambda env: remainder(a(env) * b(env), 7)

    def formula(self, depth: int) -> tuple[str, Meaning]:
        kind = self._rnd.randrange(7) if depth else 0
        if kind == 0:
            return self._comparison()
        if kind == 1:
            inner, m = self.formula(depth - 1)
            return f"!({inner})", lambda env: not m(env)
        if kind >= 5 and len(self._bound) < 2:
            return self._quantified(depth)
        (left, a), (right, b) = self.formula(depth - 1), self.formula(depth - 1)
        sign = self._rnd.choice(["&&", "||", "==>", "<==>", "?"])
        match sign:
            case "&&":
                return f"({left} && {right})", lambda env: a(env) and b(env)
            case "||":
                return f"({left} || {right})", lambda env: a(env) or b(env)
            case "==>":
                return f"({left} ==> {right})", lambda env: not a(env) or b(env)
            case "<==>":
                return f"({left} <==> {right})", lambda env: bool(a(env)) == bool(b(env))
            case _:
                third, t = self.formula(depth - 1)
                return f"({left} ? {right} : {third})", lambda env: b(env) if a(env) else t(env)

    def _comparison(self) -> tuple[str, Meaning]:
        (left, a), (middle, m), (right, b) = self.term(1), self.term(1), self.term(1)
        match self._rnd.randrange(3):
            case 0:
                return f"{left} <= {middle} < {right}", lambda env: a(env) <= m(env) < b(env)
            case 1:
                return f"{left} == {middle}", lambda env: a(env) == m(env)
            case _:
                return f"{left} > {middle}", lambda env: a(env) > m(env)

    def _quantified(self, depth: int) -> tuple[str, Meaning]:
        name = f"i{len(self._bound)}"
        low, high = self._rnd.choice((-1, 0)), self._rnd.choice(("2", "3", "x"))
        top: Meaning = lambda env: env["x"] if high == "x" else int(high)  # noqa: E731
        self._bound.append(name)
        inner, m = self.formula(depth - 1)
        self._bound.pop()
        guard = f"{low} <= {name} < {high}"
        if self._rnd.random() < 0.5:
            return f"(\\forall integer {name}; {guard} ==> {inner})", lambda env: all(
                m({**env, name: i}) for i in range(low, top(env))
            )
        return f"(\\exists integer {name}; {guard} && {inner})", lambda env: any(
            m({**env, name: i}) for i in range(low, top(env))
        )


def remainder(a: int, b: int) -> int:
    """As C has it, for a positive divisor."""
    return a % b if a >= 0 else -(-a % b)


def failing_inputs(program: Program) -> Mapping[str, int] | None:
    """Values of the witnesses with which the claim fails."""
    names = [one.name for one in program.inputs.values()]
    for values in product(VALUES, repeat=len(names)):
        supply = dict(zip(names, values, strict=True))
        if isinstance(simulate(program, lambda one, s=supply: s[one.name], 200), Reached):  # type: ignore[misc]
            return supply
    return None


@pytest.mark.long
@pytest.mark.parametrize("count", [40, pytest.param(160, marks=pytest.mark.slow)])
def test_random_formulas(count: int) -> None:
    decided = {True: 0, False: 0}
    for seed in range(count):
        rnd = random.Random(seed)
        text, meaning = Formulas(rnd).formula(3)
        x, y = rnd.randrange(-2, 4), rnd.randrange(-2, 4)
        source = (
            f"int a[4] = {{2, 0, 1, 2}};\nint main(void) {{ int x = {x}, y = {y};\n//@ assert {text};\nreturn 0; }}"
        )
        try:
            unit = parse_program(source, "t.c", DataModel.ILP32, Acsl.READ)
        except Unsupported:
            continue  # a quantifier that is neither witnessed nor over constants
        program = lower(unit, None)
        if len(program.inputs) > 3:
            continue
        truth = bool(meaning({"x": x, "y": y}))
        failing = failing_inputs(program)
        assert (failing is None) == truth, source
        inputs = [
            InputValue(InputKind.INDETERMINATE, one.name, one.span, 0, (failing or {}).get(one.name, 0))
            for one in program.inputs.values()
        ]
        outcome = interpreter.run(unit, error_policy(unit, None), Inputs.of(inputs))
        assert isinstance(outcome, interpreter.Exited if truth else interpreter.ErrorReached), source
        decided[truth] += 1
    assert min(decided.values()) > count // 6


def test_integers_are_mathematical() -> None:
    source = """int main(void) { int x = 2147483647; long long y = 9223372036854775807;
    //@ assert x + 1 == 2147483648 && x * x == 4611686014132420609 && y + y > y && -x - 2 < -x && ~x == -x - 1;
    //@ assert (x << 3) == 17179869176 && (-x >> 1) == -1073741824 && x / -2 == -1073741823 && (x | 1 << 31) > x;
    }"""
    unit = parse_program(source, "t.c", DataModel.ILP32, Acsl.READ)
    assert isinstance(simulate(lower(unit, None), lambda _: 0, 100), Ended)
    assert interpreter.run(unit, error_policy(unit, None), Inputs()) == interpreter.Exited(0)


def _constant(value: int, _: Input) -> int:
    return value


@pytest.mark.parametrize(
    ("formula", "truth"),
    [
        ("\\forall unsigned char c; 0 <= c <= 255", True),
        ("\\forall short s; -32768 <= s <= 32767", True),
        ("\\forall unsigned u; u >= 0", True),
        ("\\forall _Bool q; q == 0 || q == 1", True),
        ("\\forall unsigned char c; 0 <= c < 300 ==> c != 256", True),
        ("\\forall unsigned char c; c != 255", False),
        ("\\forall int i; i < 2147483647", False),
        ("\\forall unsigned u; u <= 4294967294", False),
        ("!(\\exists signed char c; c == 128)", True),
        ("!(\\exists signed char c; c == -128)", False),
    ],
)
def test_bound_variables_have_the_values_of_their_type(formula: str, truth: bool) -> None:
    source = f"int main(void) {{\n//@ assert {formula};\n}}"
    unit = parse_program(source, "t.c", DataModel.ILP32, Acsl.READ)
    program = lower(unit, None)
    edges = (-129, -128, -1, 0, 1, 255, 256, 32768, 65535, 2147483647, 4294967295)
    within = [
        v for v in edges if all(one.range and one.range.low <= v <= one.range.high for one in program.inputs.values())
    ]
    ends = [simulate(program, partial(_constant, v), 100) for v in within]
    assert any(isinstance(end, Reached) for end in ends) != truth


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x / y == 1", "2:16: in annotations, divisors must be constants other than 0"),
        ("x << y == 1", "2:17: in annotations, distances of shifts must be constants"),
        ("\\forall integer i; i > x ==> a[0]", "2:28: the range of i is not bounded: write low <= i < high ==> …"),
        ("z == 1", "2:12: 'z' is not declared here"),
        ("x == a", "2:12: a pointer is compared with an integer"),
        ("x[0] == 1", "2:12: a value of type int leads to no object"),
        ("x.v == 1", "2:12: a value of type int has no members"),
        ("d == 0.1", "2:17: 0.1 is a real that is no number of type double"),
        ("d + 1 > d", "2:12: arithmetic on floating-point numbers is that of reals here, which is not decided"),
        ("(x == 1 ? d : 0) == 1", "2:13: a choice between floating-point numbers is not decided in an annotation"),
        ("\\is_NaN(x)", "2:12: \\is_NaN is about floating-point numbers, not int"),
        ("d == a", "2:12: a floating-point number is compared with a value of type int *"),
        ("f == 1", "2:12: the function f is not decided in an annotation"),
        ("\\result == 1", "2:12: \\result is for ensures"),
        ("\\old(x) == 1", "2:12: \\old is for ensures"),
        ("x * x * x * x * x == 1", "2:12: numbers of more than 128 bits are not decided"),
        ("(x == 1) + 1 == 2", "2:13: a predicate is used as a term"),
        ("\\list(n, x)", "2:21: a pointer is expected, not int"),
        ("\\list(n, a[0])", "2:21: in \\reach and \\list, pointers must be variables, \\result or \\null"),
        ("\\list(n, a)", "2:21: a value of type int * leads to no record"),
    ],
)
def test_what_is_refused_is_located(text: str, message: str) -> None:
    source = f"double d; int f(void); int a[4]; int main(void) {{ int x = 0, y = 0;\n/*@ assert {text}; */ }}"
    with pytest.raises(FrontendError) as caught:
        parse_program(source, "t.c", DataModel.ILP32, Acsl.READ)
    assert str(caught.value) == f"t.c:{message}"


FLOATS = {
    "-1.5 <= f <= 2 && \\is_finite(f) && \\le_float(f, 2.5f) && f < 0x1p10": True,
    "\\is_NaN(n) && !\\is_finite(n) && !\\eq_double(n, n) && \\ne_double(n, n) && !(n <= 1) && !(n > 1)": True,
    "\\is_plus_infinity(i) && \\is_minus_infinity(-i) && \\is_infinite(-i) && i > 0x1p1000": True,
    "f > 0.09375 && f == 0.1f && x == 3.0": True,
    "f > 0.1f": False,
    "f != 0.1f": False,
    "z == -z && !\\lt_double(-z, z)": True,
}


@pytest.mark.parametrize("text", FLOATS)
def test_comparisons_of_floating_point_numbers_are_those_of_reals(text: str) -> None:
    head = "int main(void) { float f = 0.1f; double z = 0, n = z / z, i = 1 / z; int x = 3;"
    unit = parse_program(f"{head}\n//@ assert {text};\n}}", "t.c", DataModel.LP64, Acsl.READ)
    assert (
        isinstance(interpreter.run(unit, error_policy(unit, None), Inputs.of([])), interpreter.Exited) is FLOATS[text]
    )
    assert isinstance(simulate(lower(unit, None), lambda _: 0, 100), Reached) is not FLOATS[text]
