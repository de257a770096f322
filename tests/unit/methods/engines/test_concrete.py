"""The engine `concrete`: executions find errors, and one execution without inputs proves what recursion does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.limits import Interrupted, LimitReached
from core.program import Assume, Program
from core.program.simulate import Reached, simulate
from core.terms import INT, Arena, ArrayValue, NotEvaluable, Value, evaluate
from core.terms.floats import DOUBLE, of_integer
from core.verdict import Executed, Outcome, Safe, Unknown, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engines.concrete.compiler import Data, ProgramCompiler, idle_edges, pure_functions
from methods.engines.concrete.engine import ConcreteEngine
from methods.engines.concrete.expressions import HELPERS, ConcreteArray, NoExpression, expression
from methods.engines.concrete.inputs import InputGenerator, constants_for
from methods.engines.concrete.machine import End, Execution
from methods.engines.concrete.trail import path_of
from tests.contract.test_engines import counting, straight
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext
from tests.support.random_graphs import random_program
from tests.support.random_terms import RandomTerms
from tests.support.reference import ends_without_error, failing_checks

HEAD = """
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error() {}
"""


def program(source: str) -> Program:
    return lower(parse_program(HEAD + source, "small.c", DataModel.ILP32), UnreachCall())


def decided(p: Program) -> Outcome:
    return ConcreteEngine().run(p, [0], RecordingContext())[0]


def confirmed(p: Program, outcome: Outcome) -> bool:
    """Whether the evidence holds: of a proof by the checker, of a violation by running the inputs."""
    match outcome:
        case Safe(certificate):
            return is_certified(p, [0], certificate)
        case Executed():
            return ends_without_error(p)
        case Unsafe(inputs, path):
            values = {(i.name, i.span, i.occurrence): i.value for i in inputs}
            used: dict[object, int] = {}

            def supply(one: object) -> object:
                key = (one.name, one.span)  # type: ignore[attr-defined]
                used[key] = used.get(key, -1) + 1
                return values[(*key, used[key])]

            end = simulate(p, supply, 1_000_000)  # type: ignore[arg-type]
            return isinstance(end, Reached) and p.edges[path[-1]].target == end.check.location
        case Unknown():
            return False


FALSE = {
    "one execution": "int main() { if (t(20) == 21891) reach_error(); }",
    "two functions": "int b(int n); int a(int n) { return n < 1 ? 0 : b(n - 1) + b(n - 2) + 1; } "
    "int b(int n) { return n < 1 ? 0 : a(n - 1) + a(n - 2) + 1; } int main() { if (a(18) > 0) reach_error(); }",
    "deep": "unsigned d(unsigned n) { return n == 0 ? 0 : d(n - 1) + 1; } "
    "int main() { if (d(__VERIFIER_nondet_uint()) == 700) reach_error(); }",
    "events": "int main() { int s = 0; while (1) { int e = __VERIFIER_nondet_int(); if (e < 1 || e > 5) return 0; "
    "if (s == 0 && e == 3) s = 1; else if (s == 1 && e == 5) s = 2; else if (s == 2 && e == 2) reach_error(); "
    "else s = 0; } }",
    "arrays": "int main() { int a[900]; for (int i = 0; i < 900; i++) a[i] = __VERIFIER_nondet_int(); "
    "if (a[450] == 37) reach_error(); }",
    "globals": "int c; void walk(int n) { if (n == 0) return; c++; walk(n - 1); walk(n - 1); } "
    "int main() { walk(9); if (c == 511) reach_error(); }",
}
TRUE = {
    "one execution": "int main() { if (t(24) != 150049) reach_error(); }",
    "globals": "int c; void walk(int n) { if (n == 0) return; c++; walk(n - 1); walk(n - 1); } "
    "int main() { walk(4); if (c != 15) reach_error(); }",
    "globals that are read": "int k; int f(int n) { return n < 1 ? k : f(n - 1); } "
    "int main() { k = 1; int a = f(2); k = 2; if (a != 1 || f(2) != 2) reach_error(); }",
    "loops": "int s(int n) { int r = 0; for (int i = 0; i < n; i++) r = r + s(i); return r + 1; } "
    "int main() { int x = 0; for (int i = 0; i < 3; i++) x += s(i); if (x != 7) reach_error(); }",
}
T = "int t(int n) { return n < 2 ? 1 : t(n - 1) + t(n - 2) + 1; } "


@pytest.mark.long
@pytest.mark.parametrize("name", list(FALSE))
def test_executions_find_errors(name: str) -> None:
    p = program(T + FALSE[name])
    outcome = decided(p)
    assert isinstance(outcome, Unsafe)
    assert confirmed(p, outcome)
    assert len(outcome.path) < 20_000


@pytest.mark.parametrize("name", list(TRUE))
def test_one_execution_is_a_proof(name: str) -> None:
    p = program(T + TRUE[name])
    outcome = decided(p)
    assert isinstance(outcome, Safe)
    assert confirmed(p, outcome)


EXECUTED = {
    "a loop": "int main() { unsigned n = 27; int c = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; c++; } "
    "if (c != 111) reach_error(); }",
    "rounds that are left out": "int main() { int s = 0; for (int i = 0; i < 9000; i++) s += 2; "
    "if (s != 18000) reach_error(); }",
    "recursion over arrays": "int a[4]; int f(int n) { a[n & 3]++; if (n < 1) return a[0]; int x = f(n - 1); "
    "return x + f(n - 2); } "
    "int main() { if (f(5) == 0) reach_error(); }",
    "indeterminate values on which nothing depends": "int main() { int x, a[3]; a[1] = 4; int *p = a; "
    "x = p[1] + 1; if (x != 5) reach_error(); }",
    "choices of many": "int main() { int c = 0; for (int i = 0; i < 9; i++) switch (i % 3) "
    "{ case 0: c++; break; case 1: c += 2; break; default: c += 3; } if (c != 18) reach_error(); }",
}


@pytest.mark.parametrize("name", list(EXECUTED))
def test_one_execution_is_its_own_proof(name: str) -> None:
    p = program(EXECUTED[name])
    outcome = decided(p)
    assert isinstance(outcome, Executed)
    assert confirmed(p, outcome)


def test_an_execution_that_is_too_long_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("methods.engines.concrete.engine.MAX_REPEATED", 20_000)
    text = "int main() { int s = 0; for (int i = 0; i < %d; i++) s += 2; if (s == 1) reach_error(); }"
    assert isinstance(decided(program(text % 10_000)), Executed)
    assert isinstance(decided(program(text % 50_000)), Unknown)
    calls = "int main() { unsigned char a[2]; a[0] = t(%d); if (a[0] > 255) reach_error(); }"
    assert isinstance(decided(program(T + calls % 10)), Executed)
    assert isinstance(decided(program(T + calls % 30)), Unknown)


DEPENDENT = {
    "an input": "int main() { int x = __VERIFIER_nondet_int(); if (x == 2) return 1; "
    "if (x > 2 && x < 2) reach_error(); }",
    "a local": "int main() { int x; if (x == 2) return 1; if (x > 2 && x < 2) reach_error(); }",
    "an element": "int main() { int a[3]; a[0] = 1; if (a[1] == 2) return 1; if (a[0] == 2) reach_error(); }",
    "an index": "int main() { int i, a[3] = {0}; a[i & 1] = 1; if (a[2] == 2) reach_error(); }",
    "an argument": "int main(int argc, char **argv) { if (argc > 9) return 1; int a = 1; if (a == 2) reach_error(); }",
}


@pytest.mark.parametrize("name", list(DEPENDENT))
def test_an_execution_that_depends_on_something_is_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("methods.engines.concrete.engine.ROUNDS", 1)
    assert isinstance(decided(program(DEPENDENT[name])), Unknown)


@pytest.mark.parametrize("seed", range(30, 41))
def test_no_claim_about_random_programs_is_wrong(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("methods.engines.concrete.engine.LONGEST", 5_000)
    monkeypatch.setattr("methods.engines.concrete.engine.ROUNDS", 1)
    p = random_program(seed, 4)
    checks = [check.id for check in p.checks]
    outcomes = ConcreteEngine().run(p, checks, RecordingContext())
    assert sorted(outcomes) == checks
    failing = failing_checks(p)
    for check, outcome in outcomes.items():
        assert not isinstance(outcome, Safe | Executed) or check not in failing
        assert not isinstance(outcome, Unsafe) or check in failing


def test_a_function_with_an_effect_or_an_input_is_not_pure() -> None:
    p = program(
        "int g, k = 3; int pure(int x) { int y; y = x + k; return y; } int reads(void) { return g; } "
        "int asks(void) { return __VERIFIER_nondet_int(); } int through(void) { return reads(); } "
        "int main() { g = pure(asks()) + through(); if (g == 5) reach_error(); }"
    )
    assert pure_functions(p, idle_edges(p)) & {"pure", "reads", "asks", "through"} == {"pure"}


@pytest.mark.parametrize(
    ("body", "expected"), [("k = 1; f(0); k = 2; f(0);", False), ("k = 1; f(0); f(k);", True), ("k = f(0);", False)]
)
def test_a_start_that_sets_a_global_behind_a_call(body: str, expected: bool) -> None:
    """A program that starts in main itself."""
    p = program(f"int k; int f(int x) {{ return x + k; }} int main() {{ {body} if (k == 5) reach_error(); }}")
    skip = Assume(p.arena.true)
    places = [location.function for location in p.locations]
    edges = (replace(edge, operation=skip) if places[edge.source] == "<start>" else edge for edge in p.edges)
    p = replace(p, start="main", edges=tuple(edges))
    assert ("f" in pure_functions(p, idle_edges(p))) is expected


def test_inputs_have_the_constants_with_which_they_are_compared() -> None:
    p = program(
        "void f(int x) { if (x == 41) reach_error(); } "
        "int main() { int y = __VERIFIER_nondet_int(); int z = __VERIFIER_nondet_int(); f(z + 1); "
        "if (y > 7) return 1; }"
    )
    found = {p.inputs[symbol].span.column: values for symbol, values in constants_for(p).items()}
    assert [7 in values for values in found.values()] == [True, False]
    assert [41 in values for values in found.values()] == [False, True]


def test_a_long_path_leaves_out_what_leads_back() -> None:
    p = program("int main() { int s = 0; for (int i = 0; i < 90000; i++) s += i % 3; if (s == 90000) reach_error(); }")
    outcome = decided(p)
    assert isinstance(outcome, Unsafe)
    [gap] = outcome.gaps
    before, after = (p.edges[outcome.path[gap.position - i]] for i in (1, 0))
    assert before.target == after.source
    assert p.edges[outcome.path[-1]].target == p.checks[0].location


def test_loops_one_after_the_other_are_each_left_out() -> None:
    p = program(
        "int a[60000]; int main() { int i; for (i = 0; i < 60000; i++) a[i] = i; "
        "for (i = 0; i < 60000; i++) { a[i] = 2 * a[i]; } if (a[59999] == 119998) reach_error(); }"
    )
    outcome = decided(p)
    assert isinstance(outcome, Unsafe)
    assert len(outcome.gaps) == 2
    assert all(
        p.edges[outcome.path[gap.position - 1]].target == p.edges[outcome.path[gap.position]].source
        for gap in outcome.gaps
    )
    assert p.edges[outcome.path[-1]].target == p.checks[0].location


def test_a_program_that_goes_on_and_on_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("methods.engines.concrete.engine.LONGEST", 5_000)
    p = program("int main() { int i = 0; while (1) i = 1 - i; if (i == 3) reach_error(); }")
    assert isinstance(decided(p), Unknown)


def test_too_many_states_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("methods.engines.concrete.execution_proof.MAX_ROWS", 20)
    monkeypatch.setattr("methods.engines.concrete.engine.MAX_REPEATED", 20_000)
    assert isinstance(decided(program(T + TRUE["one execution"])), Unknown)


def test_the_same_run_twice_gives_the_same_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("methods.engines.concrete.engine.ROUNDS", 1)
    first, second = RecordingContext(), RecordingContext()
    for context in (first, second):
        ConcreteEngine().run(counting(), [0, 1], context)
    assert first.events == second.events


def test_limits_end_a_run() -> None:
    with pytest.raises(LimitReached):
        ConcreteEngine().run(straight(), [0, 1], RecordingContext(seconds=0))
    stopped = RecordingContext()
    stopped.limits.stop()
    with pytest.raises(Interrupted):
        ConcreteEngine().run(straight(), [0, 1], stopped)


def test_an_execution_goes_on_where_it_was() -> None:
    p = program("int main() { int s = 0; for (int i = 0; i < 50; i++) s += i; if (s == 1225) reach_error(); }")
    execution = Execution(ProgramCompiler(p), InputGenerator(p, 0).draw)
    assert execution.run(10) is End.RUNNING
    assert execution.run(1_000) == p.checks[0]
    assert path_of(execution.trail)[1] == ()


@pytest.mark.parametrize("seed", range(25))
def test_expressions_have_the_values_of_their_terms(seed: int) -> None:
    terms = RandomTerms(seed)
    for t in (terms.formula(3), terms.integer(4)):
        values = terms.values()
        try:
            expected = evaluate(t, values)
        except NotEvaluable:
            continue
        namespace: dict[str, object] = {**HELPERS, "values": {s.name: python(v) for s, v in values.items()}}

        def name(text: str, namespace: dict[str, object] = namespace) -> str:
            fresh = f"t{len(namespace)}"
            namespace[fresh] = eval(text, namespace)
            return fresh

        assert eval(expression(t, lambda s: f"values[{s.name!r}]", name), namespace) == expected


def python(value: Value) -> Data:
    return ConcreteArray(value.default, value.entries) if isinstance(value, ArrayValue) else value


def test_a_quantified_formula_has_no_expression() -> None:
    arena = Arena()
    x = arena.symbol("x", INT)
    every = arena.forall([x], arena.le(x, arena.multiply(x, x)))
    with pytest.raises(NoExpression):
        expression(every, str, str)


def test_a_table_that_is_read_at_an_input_is_computed() -> None:
    """Its initialisation is one term, deeper than Python's brackets may nest."""
    numbers = ", ".join(str(i * 7 % 256) for i in range(256))
    p = program(
        f"unsigned char table[256] = {{ {numbers} }};"
        "int main(void) { unsigned i = __VERIFIER_nondet_uint() % 256;"
        "  table[i] = table[i] + 1; if (table[i] == 9) reach_error(); return 0; }"
    )
    outcome = decided(p)
    assert isinstance(outcome, Unsafe)
    assert confirmed(p, outcome)


def test_inputs_of_floating_types_are_integers_of_any_size_too() -> None:
    p = program("double f(void); int main() { double x = f(); if (x > 0.5) return 1; }")
    (symbol,) = p.inputs
    generator, drawn = InputGenerator(p, 0), set()
    for style in range(4_000):
        generator.begin(style)
        value = generator.draw(symbol)
        assert isinstance(value, int)
        drawn.add(value)
    assert {of_integer(DOUBLE, n) for n in range(-2, 12)} <= drawn
    assert any(of_integer(DOUBLE, 2**52) < value < of_integer(DOUBLE, 2**56) for value in drawn)
