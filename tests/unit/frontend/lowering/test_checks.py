"""Checks of undefined behaviour: what is checked, where, and what gcc's sanitizer says to the same programs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from core.program import Input, InputKind, Program
from core.program.properties import NO_KINDS, SELECTABLE, UNDEFINED_BEHAVIOUR, CheckKind, Kinds, selected
from core.program.simulate import Reached, simulate
from core.terms import ArraySort, ArrayValue, Value
from core.verdict import InputValue
from frontend import interpreter
from frontend.api import parse_program
from frontend.interpreter import Inputs, UndefinedBehaviour
from frontend.lowering import lower
from frontend.lowering.checks.unchecked import INNER_ARRAYS
from frontend.lowering.context import (
    ARGUMENTS,
    AS_MADE,
    ASSIGNED,
    BOOLEANS,
    FITTING,
    NEVER_RETURN,
    ONE_OBJECT,
    UNREACHED,
)
from frontend.options import ArithmeticChoice
from frontend.properties.errors import NoReach
from frontend.replay.policy import error_policy
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel
from tests.unit.frontend.lowering.undefined_functions import Found, sanitized, undefined_functions

ALL = selected(tuple(UNDEFINED_BEHAVIOUR))
DEFINED = selected(("unsigned", "conversion", "enum"))
EVERY = selected(tuple(SELECTABLE))
MAIN = "\nint main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); F(a, b); return 0; }\n"
Result = tuple[int, CheckKind] | None
"""Line and kind of the undefined behaviour that comes first, if any."""
Sample = tuple[str, list[Found]]
Compared = Callable[[int, int], list[Sample]]
PAIRS = ((0, 0), (7, -1), (-5, 31), (2**31 - 1, 1), (-(2**31), -1), (40, 65536))


def program(text: str, kinds: Kinds = ALL, choice: ArithmeticChoice = ArithmeticChoice.AUTO) -> Program:
    prelude = "int __VERIFIER_nondet_int(void); "
    return lower(parse_program(prelude + text, "test.c", DataModel.LP64), NoReach(), choice, kinds)


def checks(body: str, kinds: Kinds = ALL) -> list[tuple[str, str]]:
    """Property and operation of each check in a function with ints x and y and an array a of 10."""
    text = f"int a[10]; int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); {body} }}"
    found = program(text, kinds).checks
    return [(one.property, one.description.partition(" in ")[2].removesuffix(" in main")) for one in found]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x + y + 1;", [("overflow", "x + y"), ("overflow", "x + y + 1")]),
        ("return x + 1u;", []),
        ("return (signed char)x + (short)y;", []),
        ("return -x;", [("overflow", "-x")]),
        ("return -(x & 7);", []),
        ("x++; return x;", [("overflow", "x++")]),
        ("signed char c = x; c++; return c;", []),
        ("long c = 0; c += x; return c;", [("overflow", "c += x")]),
        ("return x / y;", [("overflow", "x / y"), ("division", "x / y")]),
        ("return x % 7;", []),
        ("return x % -1;", [("overflow", "x % -1")]),
        ("return x / 2u;", []),
        ("return x << 3;", [("overflow", "x << 3")]),
        ("return x >> y;", [("shift", "x >> y")]),
        ("return 1u << y;", [("shift", "1u << y")]),
        ("return a[x];", [("bounds", "a[x]")]),
        ("return a[x & 7] + a[9];", [("overflow", "a[x & 7] + a[9]")]),
        ("return a[10];", [("bounds", "a[10]")]),
        ("return &a[10] == a + x;", [("pointer", "a + x")]),
        ("return &a[11] == a;", [("bounds", "a[11]")]),
        ("struct { int t[2]; int u; } s[3]; s[x].t[y] = 0; return 0;", [("bounds", "s[x]"), ("bounds", "s[x].t[y]")]),
        ("int v[x]; v[y] = 1; return 0;", [("bounds", "v[y]"), ("length", "x")]),
        ("int *p = x ? &y : 0; return *p;", [("dangling", "*p"), ("null", "*p")]),
        ('char *s = "ab"; return s[x];', [("dangling", "s[x]"), ("null", "s[x]"), ("pointer", "s + x")]),
        ("int *p = x ? &y : 0; return &*p == 0;", []),
        ("if (x) __builtin_unreachable(); return 0;", [("unreachable", "__builtin_unreachable()")]),
        ("_Bool b = x; return b;", []),
        ("_Bool b = x, *p = x ? &b : 0; return *p;", [("dangling", "*p"), ("null", "*p")]),
        ("static union { _Bool b; char c; } u; u.c = x; return u.b;", [("boolean", "u.b")]),
        ("return x > 0 && y / x;", [("overflow", "y / x")]),
    ],
)
def test_what_is_checked(body: str, expected: list[tuple[str, str]]) -> None:
    found = checks(body)
    expected = expected if "y / x" not in body else [("division", "y / x"), *expected]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("unsigned u = x; u = u - 1; u *= 3; u--; u = -u;", ["u - 1", "u *= 3", "u--", "-u"]),
        ("unsigned u = x; u = u << 1 | ~u; u = u / 2 + (u >> 1); u %= 5;", []),
        ("unsigned char c = x; c++; c = c + 1; long l = x + 1;", []),
        ("y = 3u - 2u > (x & 7u) * 2;", []),
    ],
)
def test_where_unsigned_numbers_wrap_around(body: str, expected: list[str]) -> None:
    assert [text for _, text in checks(body, selected(("unsigned",)))] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("signed char c = x; c += 1; c++; long l = c; l = x;", ["x", "c += 1", "c++"]),
        ("unsigned u = (unsigned)x; x = (short)u + 1; _Bool b = (_Bool)x; b = x;", ["(unsigned int) x", "(short) u"]),
        ("if (x < sizeof x) x = 'a'; unsigned char c = 200; c = 300;", ["x", "300"]),
        ("struct { int b : 3, c; } s = {x}; s.b = y; s.b++; s.c = y;", ["x", "s.b = y", "s.b++"]),
        ("x += 1u;", ["x += 1", "x += 1"]),
    ],
)
def test_which_conversions_may_change_a_number(body: str, expected: list[str]) -> None:
    assert [text for _, text in checks(body, selected(("conversion",)))] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("enum e { A = 1, B, C = 5 } e = x; e = y; e |= A; x = e;", ["x", "e = y", "e |= A", "e |= A", "e"]),
        ("enum { P, Q } e = Q, f[2] = {P, 1}; f[0] = P;", []),
        ("typedef enum { P, Q } t; struct { t k; } s = {x}; s.k++;", ["x", "s.k++", "s.k++"]),
        ("enum late; int z = 3;", []),
    ],
)
def test_what_enumerated_objects_hold(body: str, expected: list[str]) -> None:
    assert [text for _, text in checks(body, selected(("enum",)))] == expected


@pytest.mark.parametrize(
    ("declared", "body", "expected"),
    [
        ("void f(int *, int, int *) __attribute__((nonnull));", "f(x ? &x : 0, 0, &y);", ["x ? &x : 0"]),
        ("__attribute__((__nonnull__(2))) static void f(int *p, int *q) { }", "f(0, x ? &x : 0);", ["x ? &x : 0"]),
        (
            "int y; __attribute__((returns_nonnull)) int *f(int x) { return x ? &y : 0; }",
            "f(x);",
            ["return x ? &y : 0"],
        ),
        ("void f(int *p), g(int *p); void f(int *p) { }", "f(0); g(0);", []),
        (
            "unsigned long strlen(const char *);",
            "strlen(x ? (char *)&x : 0); strlen((char *)&y);",
            ["x ? (char *) &x : 0"],
        ),
        ("void *memset(void *, int, unsigned long);", "int *p = x ? &x : 0; memset(p, 0, 4); memset(&y, 0, 4);", ["p"]),
        ("void *strlen(int *p) { return p; }", "strlen(0);", []),
    ],
)
def test_what_must_not_be_null(declared: str, body: str, expected: list[str]) -> None:
    text = f"{declared} int main(void) {{ int x = __VERIFIER_nondet_int(), y = 0; {body} return 0; }}"
    found = program(text, selected(("nonnull",))).checks
    assert [one.description.removeprefix("null argument in ").rpartition(" in ")[0] for one in found] == expected


@pytest.mark.parametrize(
    ("body", "call", "line"),
    [
        ("*a = 1;\n*b = 2;", "f(t, t, 0);", 3),
        ("*a = 1;\n*b = 2;", "f(t, t + 1, 0);", None),
        ("*a + *b;", "f(t, t, 0);", None),
        ("while (n-- > 0)\n*a++ = *b++;", "f(t + 3, t, 3);", None),
        ("while (n-- > 0)\n*a++ = *b++;", "f(t, t + 1, 3);", 3),
        ("for (int i = 0; i < n; i++)\na[i] = b[i];", "f(t + 1, t, 2);", 3),
        ("*a += 1; if (a == b) return;\n*b = 1;", "f(t, t, 0);", None),
        ("((char *)a)[3] = 1;\n((char *)b)[3]++;", "f(t, t, 0);", 3),
        ("((char *)a)[3] = 1;\n((char *)b)[2]++;", "f(t, t, 0);", None),
        ("*a = n;\n*c = 2;", "c = t; f(t, t + 1, 0);", None),
    ],
)
def test_what_is_accessed_beside_restrict(body: str, call: str, line: int | None) -> None:
    head = "int *c; static void f(int *restrict a, int *restrict b, int n) {\n"
    text = f"{head}{body} }} int main(void) {{ int t[9] = {{0}}; {call} return 0; }}"
    kinds = selected(("restrict",))
    unit = parse_program(text, "test.c", DataModel.LP64)
    outcome = interpreter.run(unit, error_policy(unit, NoReach(), kinds), Inputs.of(()))
    assert (outcome.span.line if isinstance(outcome, UndefinedBehaviour) else None) == line
    lowered = lower(unit, NoReach(), kinds=kinds)
    found: set[int | None] = set()
    for byte in range(1 << 20, (1 << 20) + 36):

        def supply(asked: Input, byte: int = byte) -> Value:
            if asked.name.startswith("byte!"):
                return byte
            return ArrayValue() if isinstance(asked.symbol.sort, ArraySort) else 0

        result = simulate(lowered, supply, 10_000)
        found |= {result.check.span.line} if isinstance(result, Reached) else set()
    assert found == ({line} if line else set())


def test_what_the_program_does_not_write_is_not_asked() -> None:
    text = (
        "void *memset(void *, int, unsigned long); int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);"
        " int r = __builtin_va_arg(l, int); __builtin_va_end(l); return r; } int strcmp(const char *, const char *);"
        " int main(void) { char b[99]; memset(b, -1, 9); int r; return __builtin_add_overflow(5, 6, &r) + f(1, -1)"
        ' + strcmp(b, "x"); }'
    )
    assert program(text, DEFINED).checks == ()


def test_only_what_is_asked_for() -> None:
    body = "int *p = x ? &y : 0; return a[x] / *p << y + 1;"
    kinds = {"bounds", "overflow", "division", "shift", "null", "dangling"}
    assert {kind for kind, _ in checks(body)} == kinds
    for kind in map(CheckKind, sorted(kinds)):
        assert {one for one, _ in checks(body, selected((kind,)))} == {kind.value}
    assert checks(body, NO_KINDS) == []


_UNION = "struct s { int v[2]; }; union { struct s f; struct { int pad; struct s s; } o; } u = {0};"
NAMED = {
    "unreachable": (UNREACHED, "if (x) __builtin_unreachable();", "if (x) __builtin_abort();"),
    "noreturn": (NEVER_RETURN, "never(x);", "always(x);"),
    "call": (ARGUMENTS, "int (*f)() = (int (*)())of; y = f(1LL);", "int (*f)() = (int (*)())of; y = f(1);"),
    "boolean": (BOOLEANS, "union { _Bool b; char c; } u; u.c = x; y = u.b;", "union { _Bool b; int c; } u; u.c = x;"),
    "float-conversion": (FITTING, "y = (int)3e9;", "y = (int)2e9;"),
    "overlap": (ASSIGNED, f"{_UNION} u.f = u.o.s;", f"{_UNION} u.f = (struct s){{{{1, 2}}}};"),
    "a boolean that nobody wrote": (BOOLEANS, "_Bool b; y = b;", "_Bool b; b = x; y = b;"),
}
"""An assumption, what rests on it, and what does not."""


@pytest.mark.parametrize("name", NAMED)
def test_what_is_assumed_is_named_where_it_could_happen(name: str) -> None:
    assumption, broken, kept = NAMED[name]
    start = "_Noreturn void never(int x) { if (x) __builtin_abort(); } _Noreturn void always(int x) { for (;;) x++; }"
    start += "int of(int i) { return i; } int main(void) { int x = __VERIFIER_nondet_int(), y = 0; "

    def assumed(body: str, kinds: Kinds) -> tuple[str, ...]:
        return program(f"{start} {body} return y; }}", kinds).assumptions

    assert assumption in assumed(broken, NO_KINDS)
    assert assumption not in assumed(kept, NO_KINDS)
    assert assumption not in assumed(broken, ALL)


def test_properties_have_their_own_names() -> None:
    assert checks("return x + 1;", {CheckKind.OVERFLOW: "no-overflow"}) == [("no-overflow", "x + 1")]


def test_checks_discharge_assumptions() -> None:
    text = "int a[10]; int main(void) { int x = __VERIFIER_nondet_int(); return a[x] + 1; }"
    assert len(program(text, NO_KINDS).assumptions) == 2
    assert len(program(text, selected(("overflow",))).assumptions) == 1
    assert program(text, selected(("overflow", "bounds"))).assumptions == ()


def test_accesses_rest_on_little_else() -> None:
    text = "int x, *p; struct {{ int i, j; }} s; int main(void) {{ p = x ? &x : &s.i; {} return *p + (&s)->j; }}"
    assert len(program(text.format(""), NO_KINDS).assumptions) == 2
    assert program(text.format("")).assumptions == ()
    assert program(text.format("p++;")).assumptions == (INNER_ARRAYS, AS_MADE)
    assert program(text.format("x = p - &x;")).assumptions == ()
    assert ONE_OBJECT in program(text.format("x = p - &x;"), selected(("null", "dangling"))).assumptions


def test_what_dereferences_cannot_follow_is_refused() -> None:
    with pytest.raises(Unsupported):
        program("int main(void) { goto l; { int x, *p = &x; l: return *p; } }")


def test_nothing_is_kept_that_nobody_asks_for() -> None:
    text = "int main(void) { int x = 1, *p = &x; { int y = 2; p = &y; } return *p; }"
    names = {one.name for one in program(text, selected(("null", "bounds"))).variables.values()}
    assert not any(name.startswith("memory.") for name in names)
    assert any(one.name == "memory.sizes" for one in program(text).variables.values())


def test_an_input_is_read_once() -> None:
    """What a check reads is what the operation reads."""
    text = "int a[4]; int main(void) { a[__VERIFIER_nondet_int()]++; return __VERIFIER_nondet_int() * 3; }"
    lowered = program(text)
    for edge in lowered.edges:
        assert not (edge.text.startswith("[") and edge.text[1:3] in ("no", "si")) or not any(
            symbol in lowered.inputs for symbol in _symbols(lowered, edge.id)
        )


def _symbols(lowered: Program, edge: int) -> list[object]:
    operation = lowered.edges[edge].operation
    return list(operation.condition.symbols()) if hasattr(operation, "condition") else []


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """So many random functions from a seed, each with what the sanitizer finds for each pair."""

    @cache
    def samples(count: int, seed: int) -> list[Sample]:
        if shutil.which("gcc") is None:
            pytest.skip("needs gcc")
        functions = undefined_functions(count, seed)
        truth = sanitized(functions, PAIRS, tmp_path_factory.mktemp("sanitized"))
        if truth is None:
            pytest.skip("gcc has no sanitizer here")
        assert 0.2 < sum(one is not None for found in truth for one in found) / (count * len(PAIRS)) < 0.95
        return list(zip(functions, truth, strict=True))

    return samples


@pytest.mark.long
@pytest.mark.parametrize("choice", [ArithmeticChoice.AUTO, ArithmeticChoice.BITVECTORS])
def test_random_functions(choice: ArithmeticChoice, compared: Compared) -> None:
    """The program finds what the sanitizer finds, on the same line."""
    for text, truth in compared(7, 4):
        _agree(_simulated(text, choice), truth, text)


@pytest.mark.long
def test_random_functions_in_the_interpreter(compared: Compared) -> None:
    for text, truth in compared(7, 4):
        _agree(_interpreted(text), truth, text)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [4, *range(10, 14)])
@pytest.mark.parametrize("choice", [ArithmeticChoice.AUTO, ArithmeticChoice.BITVECTORS])
def test_many_random_functions(seed: int, choice: ArithmeticChoice, compared: Compared) -> None:
    for text, truth in compared(60, seed):
        _agree(_simulated(text, choice), truth, text)
        _agree(_interpreted(text), truth, text)


def _agree(found: Sequence[Result], truth: Sequence[Found], text: str) -> None:
    for pair, one, expected in zip(PAIRS, found, truth, strict=True):
        message = f"{pair}: {one} instead of {expected} in\n{text}"
        assert (one is None) == (expected is None), message
        assert one is None or expected is None or (one[0] == expected[0] and one[1] in expected[1]), message


@pytest.mark.long
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("choice", [ArithmeticChoice.AUTO, ArithmeticChoice.BITVECTORS])
def test_what_changes_numbers_of_random_functions(choice: ArithmeticChoice, step: int) -> None:
    """The program finds what the interpreter finds."""
    every = [(text, _interpreted(text, EVERY)) for text in undefined_functions(25, 5)[::step]]
    assert {one[1] for _, found in every for one in found if one is not None} >= {"unsigned", "conversion"}
    for text, found in every:
        assert _simulated(text, choice, EVERY) == found, text


def _simulated(text: str, choice: ArithmeticChoice, kinds: Kinds = ALL) -> list[Result]:
    """The checks that the program reaches, for each pair."""
    lowered = program(text + MAIN, kinds, choice)
    return [_reached(lowered, pair) for pair in PAIRS]


def _reached(lowered: Program, pair: tuple[int, int]) -> Result:
    given = list(pair)

    def supply(asked: Input) -> Value:
        if asked.kind is InputKind.NONDET:
            return given.pop(0)
        return ArrayValue() if isinstance(asked.symbol.sort, ArraySort) else 0

    result = simulate(lowered, supply, 10_000)
    if not isinstance(result, Reached):
        return None
    return result.check.span.line, CheckKind(result.check.property)


def _interpreted(text: str, kinds: Kinds = ALL) -> list[Result]:
    """The outcomes of the interpreter, for each pair."""
    unit = parse_program("int __VERIFIER_nondet_int(void); " + text + MAIN, "test.c", DataModel.LP64)
    lowered = lower(unit, NoReach(), kinds=kinds)
    inputs = [one for one in lowered.inputs.values() if one.kind is InputKind.NONDET]
    inputs.sort(key=lambda one: one.span)
    found: list[Result] = []
    for pair in PAIRS:
        recorded = [InputValue(one.kind, one.name, one.span, 0, v) for one, v in zip(inputs, pair, strict=True)]
        outcome = interpreter.run(unit, error_policy(unit, NoReach(), kinds), Inputs.of(recorded))
        if not isinstance(outcome, UndefinedBehaviour):
            found.append(None)
            continue
        assert outcome.kind is not None
        found.append((outcome.span.line, outcome.kind))
    return found


@pytest.mark.parametrize(
    ("use", "is_said"),
    [
        ("p ? *p : 0", True),
        ("p == (int *)1 ? 0 : *p", False),  # a pointer near null that the program knows
        ("p == (int *)-1 ? 0 : *p", False),
        ("(long)p & 1 ? 0 : *p", False),
    ],
)
def test_pointers_from_outside_are_null_or_lead_to_objects(use: str, is_said: bool) -> None:
    text = f"int *get(void); int main(void) {{ int *p = get(); return {use}; }}"
    edges = program(text, selected(("null",))).edges
    assert ("[get() is null or leads to an object]" in [edge.text for edge in edges]) == is_said
    assert not any("leads to an object" in edge.text for edge in program(text, NO_KINDS).edges)


@pytest.mark.parametrize("is_written", [False, True])
def test_first_contents_are_kept_where_others_come_later(is_written: bool) -> None:
    store = "p->next = p;" if is_written else ""
    text = f"struct n {{ struct n *next; }} *get(void); int main(void) {{ struct n *p = get(); {store} p = p->next; }}"
    found = program(text, selected(("null",)))
    assert any(one.name.endswith("!first") for one in found.variables.values()) == is_written


@pytest.mark.parametrize(
    ("text", "is_checked"),
    [
        ("int *q = malloc(8); *q = x;", False),
        ("struct { int a; } s, *q = &s; q->a = x;", False),
        ("const int c = 1; int *q = x ? &y : (int *)&c; *q = 2;", True),
        ("struct { int a; const int b; } s = {1, 2}; int *q = (int *)&s; *q = x;", True),
        ('char *q = x ? (char *)a : "text"; *q = 2;', True),
        ("int *q = outside(&y); *q = 2;", True),
        ("int *q = (int *)(long)x; *q = 2;", True),
    ],
)
def test_what_may_be_constant_is_checked(text: str, is_checked: bool) -> None:
    """Where no constant object may be meant, there is no check."""
    prelude = "void *malloc(unsigned long); int *outside(int *); int a[10];"
    found = program(f"{prelude} int main(void) {{ int x = __VERIFIER_nondet_int(), y = 0; {text} return y; }}")
    assert (CheckKind.CONST.value in {one.property for one in found.checks}) == is_checked
