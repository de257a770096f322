"""The engine `explicit`: the examples of the paper, its algorithms 3 and 4, and what its configurations may answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from core.limits import Limits
from core.program import Assign, Assume, Program, Range
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion, Step
from core.terms import INT, Arena, Term
from core.verdict import Executed, Outcome, Safe, Unknown, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.domains.explicit import Cells, Explicit, ExplicitDomain, Precision
from methods.domains.options import TrackingScope
from methods.engine import Edit, EditAction
from methods.engines.explicit import interpolation
from methods.engines.explicit.adjustment import multiplying
from methods.engines.explicit.engine import ExplicitEngine
from methods.engines.explicit.finite import finite_variables
from methods.engines.explicit.interpolation import Interpolation, ValueInterpolants
from methods.engines.explicit.options import ExplicitConfiguration, RefinementSelection
from methods.engines.explicit.refiner import PATIENCE
from methods.engines.transition.engine import predicate_refinement
from runs.events import Counter, LemmaAdded, Level, PathFound, RoundStarted
from tests.contract.test_engines import PROGRAMS, Replay
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext, solver_for
from tests.support.program_builder import ProgramBuilder
from tests.support.reference import failing_checks

NAMES = ("straight", "counting", "swapping", "calling", "recursive", "lowest bits", "random 12", "random 21")


def figure_1() -> Program:
    """The example of section I: `flag` proves it, and `ticks` must not be tracked.

    So that intervals alone do not prove it, `flag` is 0 or 2, and 1 in an error.
    """
    b = ProgramBuilder()
    a = b.arena
    x, flag, ticks, result = (b.variable(f"main::{name}") for name in ("x", "flag", "ticks", "result"))
    entry, head, body, test, after, done, choice, two = (b.location(loop=k == 1) for k in range(8))
    b.assign(entry, choice, (x, b.input("x")), (flag, a.zero), (ticks, a.zero))
    b.assume(choice, head, a.gt(x, a.zero))
    b.assume(choice, two, a.le(x, a.zero))
    b.assign(two, head, (flag, a.integer(2)))
    b.assign(head, body, (ticks, a.modulo(a.add(ticks, a.one), a.integer(2**31))))
    b.assign(body, test, (result, b.input("system_call")))
    leave = a.or_(a.equals(result, a.zero), a.gt(ticks, x))
    b.assume(test, after, leave)
    b.assume(test, head, a.not_(leave))
    b.assume(after, b.error(), a.equals(flag, a.one))
    b.assume(after, done, a.not_(a.equals(flag, a.one)))
    b.function("main", entry, done, (), (x, flag, ticks, result))
    return b.program()


def run(
    program: Program,
    configuration: ExplicitConfiguration,
    level: Level = Level.SUMMARY,
    extent: TrackingScope = TrackingScope.SCOPE,
    selection: RefinementSelection = RefinementSelection.LATEST,
) -> tuple[Mapping[int, Outcome], RecordingContext]:
    options = {"configuration": configuration.value, "precision": extent.value, "selection": selection.value}
    context = RecordingContext(level, solver=solver_for(program), options=options)
    checks = [check.id for check in program.checks]
    return ExplicitEngine(predicate_refinement).run(program, checks, context), context


class TestPaper:
    @pytest.mark.parametrize("configuration", [ExplicitConfiguration.EXPLICIT, ExplicitConfiguration.PREDICATES])
    def test_figure_1_needs_one_variable_and_one_refinement(self, configuration: ExplicitConfiguration) -> None:
        program = figure_1()
        outcomes, context = run(program, configuration, Level.STATES)
        outcome = outcomes[0]
        assert isinstance(outcome, Safe)
        assert is_certified(program, [0], outcome.certificate)
        [path] = [e for e in context.events if isinstance(e, PathFound)]
        [tracked] = [e for e in context.events if isinstance(e, LemmaAdded)]
        assert tracked.role == "value"
        assert tracked.formula == context.term(program.arena.symbol("main::flag", INT))
        flag = program.arena.symbol("main::flag", INT)
        values = {context.term(program.arena.equals(flag, program.arena.integer(k))) for k in (0, 2)}
        assert set(path.interpolants[1:-1]) - {-1} < values
        setting, asking = (program.edges[path.edges[position]].operation for position in path.core)
        assert isinstance(setting, Assign)
        assert flag in dict(setting.updates)
        assert asking == Assume(program.arena.equals(flag, program.arena.one))

    def test_figure_1_with_all_variables_is_unrolled_until_predicates_take_over(self) -> None:
        outcomes, _ = run(figure_1(), ExplicitConfiguration.PLAIN_PREDICATES)
        assert isinstance(outcomes[0], Safe)


class Path:
    """A straight line of operations, and its interpolants."""

    def __init__(self, *names: str) -> None:
        self.builder = ProgramBuilder()
        self.arena = self.builder.arena
        self.variables = [self.builder.variable(f"main::{name}") for name in names]
        self.array = self.builder.array("a")
        self.at = self.builder.location()

    def assign(self, *updates: tuple[Term, Term | int]) -> Path:
        target = self.builder.location()
        pairs = [(x, self.arena.integer(v) if isinstance(v, int) else v) for x, v in updates]
        self.builder.assign(self.at, target, *pairs)
        self.at = target
        return self

    def assume(self, condition: Term) -> Path:
        target = self.builder.location()
        self.builder.assume(self.at, target, condition)
        self.at = target
        return self

    def steps(self) -> tuple[Expansion, list[Step]]:
        self.builder.function("main", 0, self.at, (), self.variables)
        expansion = Expansion(self.builder.program(), BlockEncoding.STATEMENTS)
        steps: list[Step] = []
        at = expansion.start
        while found := expansion.steps(at):
            steps.append(found[0])
            at = found[0].target
        return expansion, steps

    def interpolants(self) -> ValueInterpolants | None:
        """Those of the latest contradiction."""
        return next(iter(self.all_interpolants()), None)

    def all_interpolants(self) -> list[ValueInterpolants]:
        expansion, steps = self.steps()
        precision = Precision(expansion, TrackingScope.SCOPE)
        return list(Interpolation(ExplicitDomain(expansion), precision, Limits()).interpolate(steps))


def shown(interpolants: ValueInterpolants | None) -> Sequence[Mapping[str, Explicit]]:
    assert interpolants is not None
    return [{x.name.removeprefix("main::"): v for x, v in values.items()} for values in interpolants.after]


class TestInterpolation:
    def test_only_what_the_contradiction_needs_is_kept(self) -> None:
        path = Path("x", "y", "z")
        a, (x, y, z) = path.arena, path.variables
        path.assign((x, 1)).assign((y, 5)).assign((z, a.add(x, a.one))).assign((x, 7))
        path.assume(a.equals(y, a.integer(5))).assume(a.equals(z, a.integer(3)))
        found = path.interpolants()
        assert shown(found) == [{"x": 1}, {"x": 1}, {"z": 2}, {"z": 2}, {"z": 2}, {}]
        assert found is not None
        assert (found.first, found.last, found.core) == (0, 5, (0, 2, 5))

    def test_the_interpolants_are_inductive_and_refute_the_rest(self) -> None:
        path = Path("x", "y")
        a, (x, y) = path.arena, path.variables
        path.assign((x, 1)).assign((y, x)).assign((x, a.add(x, y))).assume(a.le(x, a.integer(1)))
        found = path.interpolants()
        assert shown(found) == [{"x": 1}, {"x": 1, "y": 1}, {"x": 2}, {}]

    def test_the_latest_contradiction_is_taken(self) -> None:
        """Nothing is tracked before the last step from which the path is contradicting; the others come after it."""
        path = Path("x", "y")
        a, (x, y) = path.arena, path.variables
        path.assign((x, 1)).assume(a.equals(x, a.integer(2))).assign((y, 3)).assume(a.equals(y, a.zero))
        first, second = map(shown, path.all_interpolants())
        assert first == [{}, {}, {"y": 3}, {}]
        assert second == [{"x": 1}, {}, {}, {}]

    def test_each_contradiction_ends_a_prefix_without_the_assumptions_that_contradict_before(self) -> None:
        """The later contradiction depends on the beginning, and so encloses the earlier one."""
        path = Path("x", "y")
        a, (x, y) = path.arena, path.variables
        path.assign((x, 1)).assign((y, 3)).assume(a.equals(y, a.zero)).assume(a.equals(x, a.integer(2)))
        first, second = map(shown, path.all_interpolants())
        assert first == [{"x": 1}, {"x": 1}, {"x": 1}, {}]
        assert second == [{}, {"y": 3}, {}, {}]

    def test_only_so_many_of_the_longest_prefixes_are_looked_at(self, monkeypatch: pytest.MonkeyPatch) -> None:
        path = Path("x")
        a, [x] = path.arena, path.variables
        for value in range(5):
            path.assign((x, value)).assume(a.equals(x, a.integer(9)))
        everything = path.all_interpolants()
        assert len(everything) == 5
        monkeypatch.setattr(interpolation, "MOST", 2)
        assert path.all_interpolants() == everything[:2]

    def test_nothing_is_sought_behind_a_value_that_is_out_of_range(self) -> None:
        path = Path("x")
        a, [x] = path.arena, path.variables
        small = path.builder.variable("main::small", Range(0, 9))
        path.assign((x, 10)).assign((small, x)).assume(a.equals(x, a.zero))
        assert list(map(shown, path.all_interpolants())) == [[{"x": 10}, {}, {}]]

    def test_assumptions_give_values(self) -> None:
        path = Path("x", "y")
        a, (x, y) = path.arena, path.variables
        path.assume(a.equals(x, a.integer(4))).assign((y, x)).assume(a.gt(y, a.integer(4)))
        assert shown(path.interpolants()) == [{"x": 4}, {"y": 4}, {}]

    def test_a_feasible_path_has_none(self) -> None:
        path = Path("x")
        a, [x] = path.arena, path.variables
        path.assign((x, 1)).assume(a.equals(x, a.one))
        assert path.interpolants() is None

    def test_cells_are_deleted_like_variables(self) -> None:
        path = Path("i")
        a, [i] = path.arena, path.variables
        path.assign((path.array, a.const_array(path.array.sort, a.zero)))  # type: ignore[arg-type]
        path.assign((path.array, a.store(path.array, a.integer(3), a.integer(7)))).assign((i, 2))
        path.assume(a.equals(a.select(path.array, a.add(i, a.one)), a.zero))
        cell = Cells(None, {3: 7})
        assert shown(path.interpolants()) == [{}, {"a": cell}, {"a": cell, "i": 2}, {}]


def test_finite_variables_are_those_that_are_only_given_constants() -> None:
    b = ProgramBuilder()
    a = b.arena
    flag, copy, choice, counter, after = (b.variable(name) for name in ("flag", "copy", "choice", "counter", "after"))
    entry, middle, exit_ = (b.location() for _ in range(3))
    b.assign(entry, middle, (flag, a.one), (copy, flag), (choice, a.ite(a.le(counter, a.zero), flag, a.zero)))
    b.assign(middle, exit_, (counter, a.add(counter, a.one)), (after, counter))
    b.function("main", entry, exit_)
    assert finite_variables(b.program()) == {flag, copy, choice}


class TestConfigurations:
    @pytest.mark.long
    @pytest.mark.parametrize("configuration", list(ExplicitConfiguration))
    @pytest.mark.parametrize("name", NAMES)
    def test_what_is_claimed_is_right(self, name: str, configuration: ExplicitConfiguration) -> None:
        self.outcomes_are_right(PROGRAMS[name](), configuration)

    @pytest.mark.long
    @pytest.mark.parametrize("extent", [TrackingScope.LOCATION, TrackingScope.PATH])
    @pytest.mark.parametrize("name", NAMES)
    def test_precision_by_location_and_by_path(self, name: str, extent: TrackingScope) -> None:
        self.outcomes_are_right(PROGRAMS[name](), ExplicitConfiguration.PREDICATES, extent)

    @pytest.mark.long
    @pytest.mark.parametrize("configuration", [ExplicitConfiguration.EXPLICIT, ExplicitConfiguration.PREDICATES])
    @pytest.mark.parametrize("name", NAMES)
    def test_the_simplest_refinement(self, name: str, configuration: ExplicitConfiguration) -> None:
        self.outcomes_are_right(PROGRAMS[name](), configuration, selection=RefinementSelection.SIMPLEST)

    @staticmethod
    def outcomes_are_right(
        program: Program,
        configuration: ExplicitConfiguration,
        extent: TrackingScope = TrackingScope.SCOPE,
        selection: RefinementSelection = RefinementSelection.LATEST,
    ) -> None:
        outcomes, _ = run(program, configuration, Level.SUMMARY, extent, selection)
        failing = failing_checks(program)
        decided = configuration in (ExplicitConfiguration.PREDICATES, ExplicitConfiguration.PLAIN_PREDICATES)
        for check, outcome in outcomes.items():
            match outcome:
                case Safe(certificate):
                    assert check not in failing
                    assert is_certified(program, [check], certificate)
                case Unsafe(inputs, path):
                    assert Replay(program, inputs).ends_at(path) == program.checks[check].location
                case Unknown() | Executed():
                    assert not decided

    def test_an_impossible_path_beyond_values_is_set_aside_and_others_are_found(self) -> None:
        """`if (x < y && y < x) error; else if (nondet) error` with one error for both."""
        b = ProgramBuilder()
        a = b.arena
        x, y, z = (b.variable(f"main::{name}", Range(0, 9)) for name in "xyz")
        entry, read, less, other, done = (b.location() for _ in range(5))
        error = b.error()
        b.assign(entry, read, *((v, b.input(v.name, Range(0, 9))) for v in (x, y, z)))
        b.assume(read, other, a.true)
        b.assume(read, less, a.lt(x, y))
        b.assume(less, error, a.lt(y, x))
        b.assume(other, error, a.equals(z, a.integer(7)))
        b.assume(other, done, a.not_(a.equals(z, a.integer(7))))
        b.function("main", entry, done, (), (x, y, z))
        outcomes, _ = run(b.program(), ExplicitConfiguration.EXPLICIT)
        assert isinstance(outcomes[0], Unsafe)

    def test_only_impossible_paths_beyond_values_leave_the_check_open(self) -> None:
        b = ProgramBuilder()
        a = b.arena
        x, y = b.variable("main::x"), b.variable("main::y")
        entry, less, done = (b.location() for _ in range(3))
        b.assume(entry, less, a.lt(x, y))
        b.assume(less, b.error(), a.lt(y, x))
        b.assume(less, done, a.true)
        b.function("main", entry, done, (), (x, y))
        program = b.program()
        for configuration in (ExplicitConfiguration.PLAIN, ExplicitConfiguration.EXPLICIT):
            assert isinstance(run(program, configuration)[0][0], Unknown)
        assert isinstance(run(program, ExplicitConfiguration.PREDICATES)[0][0], Safe)


def test_what_is_behind_recursion_is_reached_before_it_is_unfolded() -> None:
    """`f() { if (nondet) f(); }` then an error behind its call."""
    b = ProgramBuilder()
    a, more = b.arena, b.variable("f::more", Range(0, 1))
    entry, back = b.location(), b.location()
    read, again, last, exit_ = (b.location("f") for _ in range(4))
    b.call(entry, back, "f")
    b.assume(back, b.error(), a.true)
    b.assign(read, again, (more, b.input("nondet", Range(0, 1))))
    b.assume(again, exit_, a.equals(more, a.zero))
    b.assume(again, last, a.equals(more, a.one))
    b.call(last, exit_, "f")
    b.function("main", entry, back)
    b.function("f", read, exit_, (), (more,))
    outcomes, _ = run(b.program(), ExplicitConfiguration.EXPLICIT)
    assert isinstance(outcomes[0], Unsafe)


@pytest.mark.long
def test_an_error_is_found_beside_a_loop_that_is_only_unrolled() -> None:
    source = """
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error() {}
int main() {
  unsigned i = 0, n, j;
  if (__VERIFIER_nondet_uint()) n = 0; else n = 1023;
  j = __VERIFIER_nondet_uint();
  if (j > 10000) return 0;
  while (i <= n) { i++; j += 2; }
  if (j >= 1025) reach_error();
}"""
    outcomes, context = run(
        lower(parse_program(source, "small.c", DataModel.ILP32), UnreachCall()), ExplicitConfiguration.PREDICATES
    )
    assert isinstance(outcomes[0], Unsafe)
    assert sum(isinstance(event, RoundStarted) for event in context.events) < 2 * PATIENCE


def test_a_person_may_track_a_variable_before_it_is_found() -> None:
    program = figure_1()
    a, flag = program.arena, program.arena.symbol("main::flag", INT)
    edits = {0: [Edit(EditAction.ADD_PREDICATE, a.equals(flag, a.zero), None)]}
    context = RecordingContext(Level.STATES, edits=edits, options={"configuration": "explicit"})
    outcomes = ExplicitEngine(predicate_refinement).run(program, [0], context)
    assert isinstance(outcomes[0], Safe)
    assert [e.origin for e in context.events if isinstance(e, LemmaAdded)] == ["user"]
    assert not any(isinstance(e, PathFound) for e in context.events)


def test_a_path_that_is_impossible_is_refuted_before_all_that_would_follow_it() -> None:
    """Behind a branch that is never taken, ten flags that a person tracks make a thousand states at each location."""
    b = ProgramBuilder()
    a = b.arena
    never = b.variable("main::never", Range(0, 2))
    flags = [b.variable(f"main::flag{k}", Range(0, 1)) for k in range(10)]
    entry, test, at, done = (b.location() for _ in range(4))
    start, two = b.location(), b.location()
    b.assume(start, entry, a.equals(flags[0], a.zero))
    b.assume(start, two, a.equals(flags[0], a.one))
    b.assign(entry, test, (never, a.zero))
    b.assign(two, test, (never, a.integer(2)))
    b.assume(test, at, a.equals(never, a.one))
    b.assume(test, done, a.not_(a.equals(never, a.one)))
    for flag in flags:
        zero, one, following = (b.location() for _ in range(3))
        b.assume(at, zero, a.equals(flag, a.zero))
        b.assume(at, one, a.equals(flag, a.one))
        b.assign(zero, following)
        b.assign(one, following)
        at = following
    b.assume(at, b.error(), a.and_(*(a.equals(flag, a.one) for flag in flags)))
    b.assume(at, done, a.not_(a.and_(*(a.equals(flag, a.one) for flag in flags))))
    b.function("main", start, done, (), (never, *flags))
    program = b.program()
    edits = {0: [Edit(EditAction.ADD_PREDICATE, a.and_(*(a.equals(flag, a.zero) for flag in flags)), None)]}
    context = RecordingContext(Level.STATES, edits=edits, options={"configuration": "explicit"})
    outcome = ExplicitEngine(predicate_refinement).run(program, [0], context)[0]
    assert isinstance(outcome, Safe)
    assert is_certified(program, [0], outcome.certificate)
    assert [e.value for e in context.events if isinstance(e, Counter) and e.name == "early refinements"] == [1]


def pairs(n: int) -> Program:
    """`n` pairs of flags that are set together, one pair after the other, and then compared."""
    b = ProgramBuilder()
    a = b.arena
    flags = [(b.variable(f"main::a{k}", Range(0, 1)), b.variable(f"main::b{k}", Range(0, 1))) for k in range(n)]
    entry = at = b.location()
    for x, y in flags:
        following = b.location()
        for value in (a.zero, a.one):
            b.assign(at, following, (x, value), (y, value))
        at = following
    error = b.error()
    for x, y in flags:
        following = b.location()
        b.assume(at, error, a.not_(a.equals(x, y)))
        b.assume(at, following, a.equals(x, y))
        at = following
    b.function("main", entry, at, (), tuple(x for pair in flags for x in pair))
    return b.program()


def flagged_and_counted() -> Program:
    """`flag` is 0 or 2; `if (flag == 1) { for (i = 0; i < 15; i += 2); error }`: flag and i each refute a path."""
    b = ProgramBuilder()
    a = b.arena
    i, flag = b.variable("main::i"), b.variable("main::flag", Range(0, 2))
    start, two, entry, before, head, turn, done = (b.location(loop=k == 4) for k in range(7))
    b.assign(start, entry, (flag, a.zero))
    b.assign(start, two, (flag, a.integer(2)))
    b.assign(two, entry)
    b.assume(entry, before, a.equals(flag, a.one))
    b.assume(entry, done, a.not_(a.equals(flag, a.one)))
    b.assign(before, head, (i, a.zero))
    b.assume(head, turn, a.lt(i, a.integer(15)))
    b.assign(turn, head, (i, a.add(i, a.integer(2))))
    b.assume(head, b.error(), a.le(a.integer(15), i))
    b.function("main", start, done, (), (i, flag))
    return b.program()


@pytest.mark.parametrize(
    ("selection", "names"),
    [(RefinementSelection.LATEST, {"i", "flag"}), (RefinementSelection.SIMPLEST, {"flag"})],
)
def test_the_simplest_of_several_reasons_unrolls_no_loop(selection: RefinementSelection, names: set[str]) -> None:
    program = flagged_and_counted()
    outcomes, context = run(program, ExplicitConfiguration.EXPLICIT, Level.STATES, selection=selection)
    outcome = outcomes[0]
    assert isinstance(outcome, Safe)
    assert is_certified(program, [0], outcome.certificate)
    tracked = {e.formula for e in context.events if isinstance(e, LemmaAdded)}
    assert tracked == {context.term(program.arena.symbol(f"main::{name}", INT)) for name in names}


def test_where_values_change_in_loops_predicates_come_first() -> None:
    """`for (i = 0; i < 15; i++); if (i < 15) error`: one predicate, or fifteen values."""
    b = ProgramBuilder()
    a, i = b.arena, b.variable("main::i")
    entry, head, turn, after, done = (b.location(loop=k == 1) for k in range(5))
    b.assign(entry, head, (i, a.zero))
    b.assume(head, turn, a.lt(i, a.integer(15)))
    b.assume(head, after, a.le(a.integer(15), i))
    b.assign(turn, head, (i, a.add(i, a.one)))
    b.assume(after, b.error(), a.lt(i, a.integer(15)))
    b.assume(after, done, a.le(a.integer(15), i))
    b.function("main", entry, done, (), (i,))
    outcomes, context = run(
        b.program(), ExplicitConfiguration.PREDICATES, Level.STATES, selection=RefinementSelection.SIMPLEST
    )
    assert isinstance(outcomes[0], Safe)
    assert not any(e.role == "value" for e in context.events if isinstance(e, LemmaAdded))


def test_precision_of_paths_is_that_of_one_branch_alone() -> None:
    """The flag is tracked behind the branch whose path needs it, not behind the other."""
    b = ProgramBuilder()
    a = b.arena
    flag, side = b.variable("main::flag", Range(0, 2)), b.variable("main::side", Range(0, 1))
    entry, left, right, test, done = (b.location() for _ in range(5))
    b.assign(entry, left, (flag, a.zero), (side, a.zero))
    b.assign(entry, right, (flag, a.integer(2)), (side, a.one))
    b.assume(left, test, a.true)
    b.assume(right, done, a.true)
    b.assume(test, b.error(), a.equals(flag, a.one))
    b.assume(test, done, a.not_(a.equals(flag, a.one)))
    b.function("main", entry, done, (), (flag, side))
    outcomes, _ = run(b.program(), ExplicitConfiguration.EXPLICIT, extent=TrackingScope.PATH)
    assert isinstance(outcomes[0], Safe)


def test_variables_that_multiply_states_are_left_to_predicates() -> None:
    program = pairs(8)
    outcomes, context = run(program, ExplicitConfiguration.PREDICATES)
    outcome = outcomes[0]
    assert isinstance(outcome, Safe)
    assert is_certified(program, [0], outcome.certificate)
    left = [e.value for e in context.events if isinstance(e, Counter) and e.name == "variables left to predicates"]
    assert 0 < left[-1] <= 16


def test_what_does_not_tell_states_apart_stays_explicit() -> None:
    a = Arena()
    x, y, z = (a.symbol(name, INT) for name in "xyz")
    many: list[Mapping[Term, Explicit]] = [{x: k % 7, y: 1, z: Cells(k)} for k in range(30)]
    assert multiplying([many]) == [x]
    assert multiplying([[*many, {x: 0}]]) == [x, y]
    assert multiplying([many[:20], many[5:25]]) == []
