"""Guided execution: symbolic execution of a program that a violation witness restricts.

J. C. King, "Symbolic execution and program testing", CACM 19(7), 1976. The state has terms over the inputs read so far;
a condition that is decided by folding costs no solver. An input that a condition makes equal to a constant is that
constant from then on, so that a witness with all values is followed like a run. Explored first is what has passed the
most waypoints, then what took the fewest free decisions: loops of arbitrary length are unrolled fairly.

Deviations: paths are not merged. The path that is found is decided again, as a whole, by its path formula.
Limitations: never proves anything; gives up after `MAX_STEPS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from heapq import heappop, heappush

from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.program.semantics import range_fact, range_facts
from core.program.witness_marks import PROGRESS
from core.solver.contract import Solver, Unsat
from core.terms import Substitution, Term, literals
from core.verdict import Outcome, Unknown, Unsafe
from methods.engine import Context, NotSupported, Supported
from methods.paths.pathformula import check_path

MAX_STEPS = parameter("guided.max-steps")
EFFORT = parameter("guided.effort")


class GuidedEngine:
    """The engine of guided execution; implements `methods.engine.Engine`."""

    name = "guided"

    def supports(self, program: Program) -> Supported | NotSupported:
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        return _GuidedSearch(program, frozenset(checks), context).run()


@dataclass(frozen=True, slots=True)
class _Trail:
    """The steps to a state, last first; paths share what they have in common."""

    step: Step
    before: _Trail | None


@dataclass(slots=True)
class _State:
    """A symbolic state: `values` that differ from the initial ones of variables, and the `constraints` of the path."""

    at: At
    values: dict[Term, Term]
    constraints: tuple[Term, ...]
    trail: _Trail | None
    decisions: int


@dataclass(order=True, slots=True)
class _Entry:
    """An entry of the queue: a waiting state; of equal ones, the last that came goes first."""

    rank: tuple[int, int, int]
    state: _State = field(compare=False)


class _GuidedSearch:
    def __init__(self, program: Program, checks: frozenset[int], context: Context) -> None:
        self._program = program
        self._arena = program.arena
        self._checks = checks
        self._context = context
        self._expansion = Expansion(program, BlockEncoding.STATEMENTS)
        self._solver: Solver = context.solver(EFFORT)
        self._progress = next((x for x, v in program.variables.items() if v.name == PROGRESS), None)
        self._waiting: list[_Entry] = []
        self._count = 0

    def run(self) -> Mapping[int, Outcome]:
        self._push(_State(self._expansion.start, {}, (), None, 0))
        steps = 0
        while self._waiting and steps < MAX_STEPS:
            state: _State | None = heappop(self._waiting).state
            while state is not None:
                steps += 1
                self._context.limits.check()
                check = self._expansion.check(state.at)
                if check is not None and check.id in self._checks:
                    outcome = self._decided(state)
                    if isinstance(outcome, Unsafe):
                        return {c: outcome if c == check.id else Unknown(_OTHER) for c in self._checks}
                state = self._advance(state) if steps < MAX_STEPS else None
        return {check: Unknown(_NOTHING) for check in self._checks}

    def _decided(self, state: _State) -> Outcome:
        steps: list[Step] = []
        trail = state.trail
        while trail is not None:
            steps.append(trail.step)
            trail = trail.before
        try:
            outcome = check_path(self._expansion, steps[::-1], self._context.solver, None)
        except SolverUndecided:
            return Unknown("the path could not be decided")
        return outcome if isinstance(outcome, Unsafe) else Unknown("the path is infeasible")

    def _push(self, state: _State) -> None:
        self._count += 1
        passed = 0
        if self._progress is not None:
            value = state.values.get(self._progress)
            passed = value.value if value is not None and value.is_constant else 0
        heappush(self._waiting, _Entry((-passed, state.decisions, -self._count), state))

    def _advance(self, state: _State) -> _State | None:
        """The one successor; None where there is none, or several, which wait then."""
        following = [
            after for step in self._expansion.steps(state.at) if (after := self._after(state, step)) is not None
        ]
        if len(following) == 1:
            return following[0]
        for after in reversed(following):
            after.decisions += 1
            self._push(after)
        return None

    def _after(self, state: _State, step: Step) -> _State | None:
        """The state after a step; None where it cannot be taken."""
        arena, transition = self._arena, step.transition
        read = sorted((s for s in transition.reads if self._expansion.is_input(s)), key=lambda s: s.id)
        fresh = {s: arena.copy(s, f"{s.name}@{self._number()}") for s in read}
        now = Substitution(arena, {**state.values, **fresh})
        guard = now(transition.guard)
        if guard.is_false:
            return None
        values, known = dict(state.values), state.constraints
        values.update({x: now(value) for x, value in transition.updates.items()})
        if not guard.is_true:
            if not self._is_feasible((*known, *literals(guard))):
                return None
            values, known = self._with_facts(values, (*known, *literals(guard)))
        return _State(step.target, values, known, _Trail(step, state.trail), state.decisions)

    def _number(self) -> int:
        self._count += 1
        return self._count

    def _is_feasible(self, known: tuple[Term, ...]) -> bool:
        facts = range_facts(self._arena, known, self._expansion.range_of_copy)
        try:
            return not isinstance(self._solver.check([*known, *facts]), Unsat)
        except SolverUndecided:
            return True

    def _with_facts(
        self, values: dict[Term, Term], constraints: tuple[Term, ...]
    ) -> tuple[dict[Term, Term], tuple[Term, ...]]:
        """Replace the symbols that facts fix to constants; gives the new values, and the facts that are left."""
        fixed = {f.args[0]: self._arena.integer(f.value) for f in constraints if f.is_equation and f.args[0].is_symbol}
        if not fixed:
            return values, constraints
        now = Substitution(self._arena, fixed)
        rest = [now(f) for f in constraints if not f.is_equation or f.args[0] not in fixed]
        bounds = {s: self._expansion.range_of_copy(s) for s in fixed}
        kept = [
            range_fact(self._arena, fixed[s], bounds_of) for s, bounds_of in bounds.items() if bounds_of is not None
        ]
        initial = {s: value for s, value in fixed.items() if s in self._program.variables}
        changed = {x: now(value) for x, value in values.items()}
        facts = tuple(dict.fromkeys(f for f in (*rest, *kept) if not f.is_true))
        return {**{s: v for s, v in initial.items() if s not in values}, **changed}, facts


_NOTHING = "no execution was found that follows the witness to a violation"
_OTHER = "another violation was found"
