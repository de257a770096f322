"""Interval analysis against all executions of small programs."""

from __future__ import annotations

import pytest

from core.analysis.intervals import IntervalAnalysis, simplify
from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.limits import Limits
from core.program import Assign, Assume, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.modular import recursive_functions
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import Term, evaluate
from core.verdict import Certificate
from frontend.api import parse_program
from frontend.lowering.unit import lower
from frontend.typed.ctype import DataModel
from tests.support.program_builder import INT32, ProgramBuilder
from tests.support.random_graphs import random_program
from tests.support.reference import Interpreter, failing_checks

SEEDS = [s for s in range(40) if s not in (1, 26)]  # these two have too many configurations


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_hold_in_every_configuration(seed: int) -> None:
    program = random_program(seed, 4)
    simplified = simplify(program)
    expansion = Expansion(simplified.program, BlockEncoding.STATEMENTS)
    known: dict[At, Term] = {}
    for c in Interpreter(program).reachable():
        at = At(c.calls, c.location)
        if at not in known:
            known[at] = simplified.invariant(expansion, At((), c.location))
        assert c.location in simplified.states
        assert evaluate(known[at], c.visible())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_simplified_program_has_the_same_executions(seed: int) -> None:
    program = random_program(seed, 4)
    assert Interpreter(simplify(program).program).reachable() == Interpreter(program).reachable()


@pytest.mark.parametrize("seed", range(12))
def test_bounds_are_inductive(seed: int) -> None:
    """The bounds alone are a certificate (for no check at all), with nothing said about what refutes a guard."""
    program = random_program(seed, 4)
    simplified = simplify(program)
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    invariants = {at: simplified.invariant(expansion, at) for at in _some_locations(expansion)}
    result = check_certificate(program, (), Certificate(invariants), Cvc5Factory(), Limits(), lambda _: None)
    assert isinstance(result, Certified) or "recursion" in getattr(result, "why", ""), result


def _some_locations(expansion: Expansion) -> dict[At, None]:
    found = {expansion.start: None}
    work = [expansion.start]
    while work and len(found) < 400:
        for step in expansion.steps(work.pop()):
            if step.target not in found and len(step.target.stack) < 5:
                found[step.target] = None
                work.append(step.target)
    return found


def loop(limit: int) -> tuple[ProgramBuilder, Term, int, int]:
    """`i = 0; while (i < limit) i = wrap(i + 1);`: the builder, i, the wrapping edge and the location behind."""
    b = ProgramBuilder()
    a, i = b.arena, b.variable("main::i")
    entry, head, body, done = (b.location(loop=k == 1) for k in range(4))
    b.assign(entry, head, (i, a.zero))
    b.assume(head, body, a.lt(i, a.integer(limit)))
    following = a.add(i, a.one)
    high = a.integer(INT32.high)
    edge = b.assign(body, head, (i, a.ite(a.le(following, high), following, a.subtract(following, a.integer(2**32)))))
    b.assume(head, done, a.ge(i, a.integer(limit)))
    b.function("main", entry, done, (), (i,))
    return b, i, edge, done


def test_wrapping_disappears_where_it_cannot_happen() -> None:
    b, i, edge, _ = loop(1000)
    operation = simplify(b.program()).program.edges[edge].operation
    assert operation == Assign(((i, b.arena.add(i, b.arena.one)),))


def test_a_refuted_guard_leads_nowhere_and_its_bounds_are_kept() -> None:
    """The bound of y rests on that of i, though the two are never compared."""
    b, i, _, done = loop(10)
    a, y = b.arena, b.variable("main::y")
    dead, end, error = b.location(), b.location(), b.error()
    refuted = b.assume(done, dead, a.gt(i, a.integer(50)))
    b.assign(dead, end, (y, a.integer(100)))
    middle = b.location()
    b.assume(done, middle, a.le(i, a.integer(50)))
    b.assign(middle, end, (y, a.zero))
    b.assume(end, error, a.gt(y, a.integer(50)))
    program = b.program()
    simplified = simplify(program)
    assert simplified.program.edges[refuted].operation == Assume(a.false)
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    assert simplified.invariant(expansion, At((), dead)).is_false
    assert simplified.invariant(expansion, At((), error)).is_false
    invariants = {At((), n): simplified.invariant(expansion, At((), n)) for n in range(len(program.locations))}
    result = check_certificate(program, (0,), Certificate(invariants), Cvc5Factory(), Limits(), lambda _: None)
    assert isinstance(result, Certified)


def test_bounds_on_one_side_are_kept() -> None:
    """A variable without range, such as an address: the simplification rests on its least value."""
    b = ProgramBuilder()
    a, heap, taken = b.arena, b.variable("heap", None), b.variable("main::taken")
    entry, head, done, error = b.location(), b.location(loop=True), b.location(), b.error()
    b.assign(entry, head, (heap, a.integer(100)), (taken, a.zero))
    is_null = a.equals(heap, a.zero)
    edge = b.assign(head, head, (taken, a.ite(is_null, a.one, taken)), (heap, a.add(heap, a.one)))
    b.assume(head, error, a.gt(taken, a.zero))
    b.assume(head, done, a.true)
    b.function("main", entry, done, (), (taken,))
    program = b.program()
    simplified = simplify(program)
    assert simplified.program.edges[edge].operation == Assign(((taken, taken), (heap, a.add(heap, a.one))))
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    bounds = {At((), n): simplified.invariant(expansion, At((), n)) for n in range(len(program.locations))}
    result = check_certificate(program, (0,), Certificate(bounds), Cvc5Factory(), Limits(), lambda _: None)
    assert isinstance(result, Certified), result


def test_a_callee_may_change_globals_that_its_caller_knew() -> None:
    b = ProgramBuilder()
    a, g, x = b.arena, b.variable("g"), b.variable("main::x")
    entry, before, after = b.location(), b.location(), b.location()
    inside, end = b.location("f"), b.location("f")
    b.assign(entry, before, (g, a.zero), (x, a.one))
    call = b.call(before, after, "f")
    b.assign(inside, end, (g, a.integer(7)))
    b.function("main", entry, after, (), (x,))
    b.function("f", inside, end)
    error = b.error("f")
    b.assume(inside, error, a.not_(a.equals(a.add(g, x), a.one)))
    simplified = simplify(b.program())
    expansion = Expansion(simplified.program, BlockEncoding.STATEMENTS)
    assert simplified.invariant(expansion, At((call,), end)) is not a.false
    assert evaluate(simplified.invariant(expansion, At((call,), end)), {g: 7, x: 1})


def test_inputs_are_not_simplified_away() -> None:
    """Replay names every input that a path consumes, so an edge keeps the inputs that it reads."""
    b = ProgramBuilder()
    a, x, given = b.arena, b.variable("main::x"), b.input("nondet")
    at = [b.location() for _ in range(3)]
    b.assign(at[0], at[1], (x, a.zero))
    choice = b.assign(at[1], at[2], (x, a.ite(a.le(x, a.zero), a.one, given)))
    b.function("main", at[0], at[2], (), (x,))
    program: Program = b.program()
    assert simplify(program).program.edges[choice].operation == program.edges[choice].operation


def test_failing_checks_stay_failing() -> None:
    for seed in range(12, 20):
        program = random_program(seed, 4)
        assert failing_checks(simplify(program).program) == failing_checks(program)


def counters(number: int) -> str:
    """Counters that one function counts up, in a loop, and another one resets."""
    each = range(number)
    tick = " ".join(f"if (g{i} < {i % 20 + 1}) g{i}++;" for i in each)
    reset = " ".join(f"g{i} = 0;" for i in each)
    text = f"static int {', '.join(f'g{i}' for i in each)}; void tick(void) {{ {tick} }} void reset(void) {{ {reset} }}"
    return f"int nondet(void); {text} int main(void) {{ while (nondet()) if (nondet()) tick(); else reset(); }}"


def joins(number: int) -> int:
    """The intervals that the analysis of so many counters joins."""
    found = 0

    class Counted(IntervalAnalysis):
        def _join(self, x, a, b):  # type: ignore[no-untyped-def]
            nonlocal found
            found += 1
            return super()._join(x, a, b)

    program = lower(parse_program(counters(number), "a.c", DataModel.ILP32), None)
    states = Counted(program).run()
    at_exit = states[program.functions["tick"].exit]
    assert {x.name: interval for x, interval in at_exit.items()} == {f"g{i}": (1, i % 20 + 1) for i in range(number)}
    return found


def test_joins_grow_with_the_program() -> None:
    small, large = joins(40), joins(160)
    assert large <= 6 * small


@pytest.mark.parametrize("seed", range(40))
def test_states_are_what_edges_make_of_states(seed: int) -> None:
    """Each edge leads from a state into one that contains what it makes of it."""
    analysis = IntervalAnalysis(random_program(seed, 4))
    analysis._ascend(analysis.program.functions[analysis.program.start].entry)
    for location, _ in list(analysis._states.items()):
        for _, target, state in analysis._effects(location):
            known = analysis._states[target]
            assert known.joined(state, analysis._join) == known


def test_functions_that_call_themselves_at_any_depth_are_recursive() -> None:
    text = "void d(void) {} void b(void); void a(void) { b(); d(); } void b(void) { if (nondet()) a(); } "
    program = lower(parse_program(f"int nondet(void); {text} int main(void) {{ a(); }}", "a.c", DataModel.ILP32), None)
    assert recursive_functions(program) == {"a", "b"}


@pytest.mark.parametrize("seed", range(4))
def test_states_have_the_order_of_the_program(seed: int) -> None:
    program = random_program(seed, 4)
    order = [*program.globals(), *(x for x in program.variables if x in program.locals()), *program.inputs]
    for state in IntervalAnalysis(program).run().values():
        assert list(state) == [x for x in order if x in state]
