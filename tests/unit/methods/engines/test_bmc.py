"""The engine `bmc`: which method proves what, and what it reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pytest

from core.analysis.intervals import simplify
from core.limits import LimitReached, SolverUndecided
from core.program import Program, Range
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.program.loops import loop_heads
from core.verdict import Outcome, Safe, Unknown, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engines.bmc import complete_unrolling, engine
from methods.engines.bmc.complete_unrolling import READABLE
from methods.engines.bmc.engine import CHEAP, BmcEngine
from methods.engines.bmc.induction import Induction, cut_points
from methods.engines.bmc.search import EFFORT, BoundedSearch
from runs.events import NOT_KNOWN, LemmaAdded, Level, PhaseStarted, Progress, RoundStarted
from tests.contract.test_engines import Hopeless, counting, recursive, swapping
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext
from tests.support.program_builder import ProgramBuilder
from tests.support.small_programs import counting_loop

WIDE = Range(-(2**31), 2**31 - 1)


def forgetting() -> Program:
    """`k = nondet; x = y = z = k; while (nondet) { assert x == k; x = y; y = z; }`: inductive with three layers."""
    b = ProgramBuilder()
    a = b.arena
    x, y, z, k = (b.variable(f"main::{name}", WIDE) for name in "xyzk")
    again = b.variable("main::again", WIDE)
    entry, read, head, body, moved, done = (b.location(loop=i == 2) for i in range(6))
    b.assign(entry, read, (k, b.input("nondet", WIDE)))
    b.assign(read, head, (x, k), (y, k), (z, k), (again, b.input("some", WIDE)))
    b.assume(head, done, a.equals(again, a.zero))
    b.assume(head, body, a.not_(a.equals(again, a.zero)))
    b.assume(body, b.error(), a.not_(a.equals(x, k)))
    b.assume(body, moved, a.equals(x, k))
    b.assign(moved, head, (x, y), (y, z), (again, b.input("more", WIDE)))
    b.function("main", entry, done, (), (x, y, z, k, again))
    return b.program()


@dataclass
class Ran:
    """The outcomes of the engine for a program, and the events."""

    outcomes: Mapping[int, Outcome]
    context: RecordingContext

    def proves(self, program: Program, checks: Sequence[int]) -> bool:
        proofs = [self.outcomes[check] for check in checks]
        return all(isinstance(proof, Safe) and is_certified(program, checks, proof.certificate) for proof in proofs)


def run(program: Program, options: Mapping[str, str] | None = None, seconds: float = 20) -> Ran:
    context = RecordingContext(Level.STATES, seconds, options=options)
    return Ran(BmcEngine().run(program, [c.id for c in program.checks], context), context)


@pytest.mark.parametrize("make", [lambda: counting_loop(10), counting])
def test_a_bounded_program_is_proved_by_unrolling(make: Callable[[], Program]) -> None:
    program = make()
    assert run(program, {"induction": "off"}).proves(program, [0])


def test_an_unbounded_program_needs_induction() -> None:
    program = swapping()
    with pytest.raises(LimitReached):
        run(program, {"induction": "off"}, seconds=0.5)
    assert run(program).proves(program, [0])


def test_induction_over_several_layers_gives_an_ordinary_invariant() -> None:
    program = forgetting()
    simplified = simplify(program)
    large, basic = (Expansion(simplified.program, blocks) for blocks in (BlockEncoding.LARGE, BlockEncoding.BASIC))
    roots = cut_points(large)
    assert roots is not None
    induction = Induction(large, basic, simplified, roots, {}, RecordingContext())
    assert [induction.prove([0]) for _ in range(3)] == [None, None, None]
    proof = induction.prove([0])
    assert proof is not None
    assert proof[0] == [0]
    assert is_certified(program, [0], proof[1])


def test_what_executions_show_becomes_a_lemma() -> None:
    program = forgetting()
    ran = run(program)
    assert ran.proves(program, [0])
    lemmas = [event for event in ran.context.events if isinstance(event, LemmaAdded)]
    assert {(lemma.role, lemma.origin) for lemma in lemmas} == {("invariant", "candidate")}


def test_induction_does_not_try_calls_without_end() -> None:
    assert cut_points(Expansion(recursive(), BlockEncoding.LARGE)) is None


@pytest.mark.parametrize(("make", "expected"), [(lambda: counting_loop(10_000_000), True), (forgetting, False)])
def test_the_only_execution_that_a_bound_cuts_off(make: Callable[[], Program], expected: bool) -> None:
    search = BoundedSearch(Expansion(make(), BlockEncoding.LARGE), 1, RecordingContext(), CHEAP)
    assert search.is_determined() is expected


@pytest.mark.parametrize("is_ending", [False, True])
def test_induction_waits_once_for_a_search_that_is_ending(monkeypatch: pytest.MonkeyPatch, is_ending: bool) -> None:
    """The bound grows once more before induction begins."""
    monkeypatch.setattr(BoundedSearch, "is_ending", lambda _: is_ending)
    events = run(swapping()).context.events
    first = events.index(PhaseStarted("induction"))
    expensive = [e.reason for e in events[:first] if isinstance(e, RoundStarted)][-2:]
    assert expensive == (["bound 16", "bound 25"] if is_ending else ["bound 8", "bound 16"])


def test_a_search_says_how_far_it_is() -> None:
    """Nothing is left where all executions are unrolled; the cost of a step is known from the second on."""
    told = [event for event in run(counting_loop(9)).context.events if isinstance(event, Progress)]
    assert [one.growth == NOT_KNOWN for one in told] == [True, *(False for _ in told[1:])]
    assert all(one.left > 0 for one in told[:-1])


def test_a_violation_is_found_at_its_depth() -> None:
    ran = run(counting_loop(9))
    assert isinstance(ran.outcomes[0], Unsafe)
    assert len(ran.context.rounds) < 10


def test_a_solver_that_never_knows_leaves_checks_unknown() -> None:
    context = RecordingContext(solver=Hopeless())
    assert isinstance(BmcEngine().run(counting(), [1], context)[1], Unknown)


@pytest.mark.parametrize(
    ("size", "is_hard", "is_invariant"),
    [(complete_unrolling.READABLE, False, True), (0, False, False), (complete_unrolling.READABLE, True, False)],
)
def test_large_invariants_and_hard_questions_give_way_to_another_unrolling(
    size: int, is_hard: bool, is_invariant: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(complete_unrolling, "READABLE", size)
    monkeypatch.setattr(BoundedSearch, "is_hard", lambda _: is_hard)
    text = "void reach_error(void); int main(void) { int i = 0; while (i < 3) i++; if (i != 3) reach_error(); }"
    program = lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall())
    (found,) = BmcEngine().run(program, [0], RecordingContext(options={"induction": "off"})).values()
    assert isinstance(found, Safe)
    assert (found.certificate.rounds is None) is is_invariant


def copying() -> Program:
    """`x = nondet; y = x; assert(y == x);`"""
    b = ProgramBuilder()
    x, y = (b.variable(f"main::{name}", WIDE) for name in "xy")
    entry, read, moved, done = (b.location() for _ in range(4))
    b.assign(entry, read, (x, b.input("nondet", WIDE)))
    b.assign(read, moved, (y, x))
    b.assume(moved, b.error(), b.arena.not_(b.arena.equals(x, y)))
    b.assume(moved, done, b.arena.equals(x, y))
    b.function("main", entry, done, (), (x, y))
    return b.program()


@pytest.mark.parametrize(("make", "efforts"), [(copying, [EFFORT]), (lambda: counting_loop(1), [CHEAP])])
def test_code_without_loops_is_unrolled_at_once(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], Program], efforts: list[int]
) -> None:
    asked: list[int] = []

    def search(expansion: Expansion, bound: int, context: RecordingContext, effort: int, before: int) -> BoundedSearch:
        asked.append(effort)
        return BoundedSearch(expansion, bound, context, effort, before)

    monkeypatch.setattr(engine, "BoundedSearch", search)
    assert isinstance(run(make()).outcomes[0], Safe | Unsafe)
    assert asked[:1] == efforts


def test_an_invariant_about_which_the_solver_has_no_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate is then the unrolling itself."""

    def undecided(*_: object) -> None:
        raise SolverUndecided("too hard")

    monkeypatch.setattr(complete_unrolling._Requirements, "_used", undecided)
    program = copying()
    ran = run(program)
    proof = ran.outcomes[0]
    assert isinstance(proof, Safe)
    assert proof.certificate.rounds == ()
    assert ran.proves(program, [0])


def set_by_any_round() -> Program:
    """`h = 0; while (nondet) h = 1; assert(!h);`: after a round, the loop is left to fail alone."""
    b = ProgramBuilder()
    a = b.arena
    h, again = (b.variable(f"main::{name}", WIDE) for name in ("h", "again"))
    entry, head, read, turn, after, done = (b.location(loop=i == 1) for i in range(6))
    b.assign(entry, head, (h, a.zero))
    b.assign(head, read, (again, b.input("more", Range(0, 1))))
    b.assume(read, after, a.equals(again, a.zero))
    b.assume(read, turn, a.not_(a.equals(again, a.zero)))
    b.assign(turn, head, (h, a.integer(1)))
    b.assume(after, b.error(), a.not_(a.equals(h, a.zero)))
    b.assume(after, done, a.equals(h, a.zero))
    b.function("main", entry, done, (), (h, again))
    return b.program()


def test_rounds_after_which_a_loop_is_left_to_fail_count_against_the_bound() -> None:
    search = BoundedSearch(Expansion(set_by_any_round(), BlockEncoding.LARGE), 2, RecordingContext(), CHEAP)
    assert search.failures([0])
    assert len(search.unrolling.instances) < 10


RECOMPUTED = """
extern double __VERIFIER_nondet_double(void); void reach_error(void) {}
static double sum, least, last;
int main(void) {
  while (1) {
    last = sum;
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (!(x >= -1e9 && x <= 1e9 && y >= 1e-9 && y <= 1e9)) return 0;
    sum = x + y; least = sum < y ? sum : y;
    if (!(sum == x + y && %s)) reach_error();
  }
}"""


@pytest.mark.parametrize(
    ("claim", "holds"), [("(x + y < y ? least == x + y : least == y)", True), ("least - last <= 1.5e9", False)]
)
def test_steps_of_floating_point_numbers_are_decided(claim: str, holds: bool) -> None:
    program = lower(parse_program(RECOMPUTED % claim, "t.c", DataModel.LP64), UnreachCall())
    (outcome,) = run(program).outcomes.values()
    if holds:
        assert isinstance(outcome, Safe)
        assert is_certified(program, [0], outcome.certificate)
    else:
        assert isinstance(outcome, Unsafe)


def test_preconditions_of_many_branches_are_left_out_of_a_certificate() -> None:
    """The precondition of a step with n branches has up to 2^n parts, where the check of a certificate merges paths."""
    outputs = [f"o{k}" for k in range(12)]
    cases = [(f"o{k - 1} < o{k - 2}", f"o{k - 1} + i", f"o{k - 2} - {k}") for k in range(2, 12)]
    step = "".join(f"if ({c}) o{k} = {a}; else o{k} = {b};\n" for k, (c, a, b) in enumerate(cases, 2))
    claim = " && ".join(f"({c} ? o{k} == {a} : o{k} == {b})" for k, (c, a, b) in enumerate(cases, 2))
    text = f"""
extern short __VERIFIER_nondet_short(void); void reach_error(void) {{}}
extern double __VERIFIER_nondet_double(void);
double {", ".join(outputs)};
int main(void) {{
  while (1) {{
    double i = __VERIFIER_nondet_double(); o0 = i; o1 = __VERIFIER_nondet_short();
    if (!(i >= -1e9 && i <= 1e9)) return 0;
    {step} if (!({claim})) reach_error();
  }}
}}"""
    program = lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall())
    ran = run(program)
    assert ran.proves(program, [0])
    (outcome,) = ran.outcomes.values()
    assert isinstance(outcome, Safe)
    invariants = outcome.certificate.invariants
    assert all(formula.size <= 2 * READABLE for formula in invariants.values())
    heads = [at for at in invariants if at.location in loop_heads(program)]
    read = {symbol.name for at in heads for symbol in invariants[at].symbols()}
    assert heads
    assert read.isdisjoint(outputs)  # each is written before it is read again


AVERAGES = """
extern float __VERIFIER_nondet_float(void); void reach_error(void) {} extern void abort(void);
static void assume(int c) { if (!c) abort(); }
int main(void) {
  float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float(), c = __VERIFIER_nondet_float();
  int k = 0;
  assume(a >= -100.f && a <= 100.f); assume(b >= -100.f && b <= 100.f); assume(c >= -100.f && c <= 100.f);
  while (k < 100) {
    a = (a + b) / 2.f;
    b = (b + c) / 2.f;
    c = (c + a) / 2.f;
    k++;
    if (!(a >= -100.f && a <= 100.f)) reach_error();
  }
  return 0;
}"""


def test_many_rounds_of_floating_point_numbers_have_invariants_before_they_are_searched() -> None:
    program = lower(parse_program(AVERAGES, "t.c", DataModel.ILP32), UnreachCall())
    ran = run(program)
    assert ran.proves(program, [0])
    phases = [e.name for e in ran.context.events if isinstance(e, PhaseStarted)]
    assert phases == ["induction"]
