"""Sampled executions of a program on chosen inputs, for states in which candidate invariants are looked for.

Heuristic throughout: which inputs are tried, which states are kept. An execution whose loop changes the variables by
the same amounts again and again is moved on to the iteration before which a guard changes its truth, so that later
phases of long loops are seen too; such states are reachable unless some other guard changes before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from core.analysis.liveness import Liveness
from core.limits import Limits
from core.parameters import parameter
from core.program import Assume, Program, Range
from core.program.expansion import At, Expansion, Step
from core.program.unwinding import closes_cycle
from core.terms import INT, ArraySort, ArrayValue, NotEvaluable, Term, Value, atoms, evaluate

RUNS = parameter("discovery.executions.runs")
STEPS = parameter("discovery.executions.steps")
FIRST_VISITS = parameter("discovery.executions.first-visits")
MAX_STATES = parameter("discovery.executions.max-states")
SHORTEST_JUMP = parameter("discovery.executions.shortest-jump")


class Executions:
    """The states that sampled executions pass at cut points."""

    def __init__(self, expansion: Expansion, seed: int, limits: Limits) -> None:
        self._expansion = expansion
        self._limits = limits
        self._random = Random(seed)
        self._liveness = Liveness(expansion)
        self._interesting = _interesting(expansion.program)
        self._variables: dict[At, tuple[Term, ...]] = {}
        self._states: dict[At, dict[tuple[int, ...], None]] = {}
        self._thresholds = [atom for atom in guard_atoms(expansion.program) if atom.is_comparison]
        for _ in range(RUNS):
            self._run()

    def at(self, at: At) -> tuple[tuple[Term, ...], list[tuple[int, ...]]]:
        """The variables of a location, and their values in the states that were seen there."""
        return self.variables(at), list(self._states.get(at, ()))

    def variables(self, at: At) -> tuple[Term, ...]:
        """The live integer variables, of the innermost activations first."""
        found = self._variables.get(at)
        if found is None:
            live = self._liveness.locals_at(at)
            chosen = [*sorted(live, key=lambda x: -x.id), *self._expansion.program.globals()]
            found = self._variables[at] = tuple(x for x in chosen if x.sort is INT)
        return found

    def _run(self) -> None:
        expansion = self._expansion
        state: dict[Term, Value] = {}
        at = expansion.start
        visits: dict[At, int] = {}
        history: list[tuple[At, dict[Term, Value]]] = []
        for _ in range(STEPS):
            self._limits.check()
            step = self._step(at, state)
            if step is None:
                return
            at = step.target
            if closes_cycle(expansion, step):
                history = [*history[-2:], (at, dict(state))]
                jumped = self._jump(history)
                if jumped:
                    state.update(jumped)
                    history, visits[at] = [], 0
                number = visits[at] = visits.get(at, 0) + 1
                if number <= FIRST_VISITS or number & (number - 1) == 0:
                    self._keep(at, state)

    def _jump(self, history: Sequence[tuple[At, dict[Term, Value]]]) -> dict[Term, Value]:
        """The variables that change, many iterations later; nothing where the last three differ in what they do."""
        if len(history) < 3 or len({at for at, _ in history}) > 1:
            return {}
        first, second, now = (state for _, state in history)
        if any(isinstance(value, ArrayValue) and value != second.get(x) for x, value in now.items()):
            return {}
        changes = _differences(second, now)
        if not changes or changes != _differences(first, second):
            return {}
        count = self._iterations(now, changes)
        if count < SHORTEST_JUMP:
            return {}
        return {x: self._clipped(_number(now[x]) + count * d, self._expansion.range_of(x)) for x, d in changes.items()}

    def _iterations(self, state: Mapping[Term, Value], changes: Mapping[Term, int]) -> int:
        """The number of iterations that leave all guards over changing variables as they are, but for the last few."""
        counts: list[int] = []
        for atom in self._thresholds:
            if atom.symbols() <= state.keys() and not atom.symbols().isdisjoint(changes):
                values = {x: state[x] for x in atom.symbols()}
                later = {**values, **{x: _number(v) + changes[x] for x, v in values.items() if x in changes}}
                try:
                    value = _number(evaluate(atom.args[0], values))
                    speed = _number(evaluate(atom.args[0], later)) - value
                except NotEvaluable:  # a guard elsewhere, behind a test of its divisor
                    continue
                distance = atom.value - value
                if speed and distance * speed >= -3 * speed * speed:  # ahead, or just behind
                    counts.append(distance // speed - 2)
        return min(counts, default=0)

    def _step(self, at: At, state: dict[Term, Value]) -> Step | None:
        """Take the first step that is possible; None if there is none."""
        for step in self._expansion.steps(at):
            reads = sorted(step.transition.reads, key=lambda s: s.id)
            values = {s: self._supply(s) if self._expansion.is_input(s) else state.get(s, _zero(s)) for s in reads}
            try:
                if evaluate(step.transition.guard, values) is not True:
                    continue
                state.update([(x, evaluate(value, values)) for x, value in step.transition.updates.items()])
            except NotEvaluable:
                return None
            return step
        return None

    def _keep(self, at: At, state: Mapping[Term, Value]) -> None:
        kept = self._states.setdefault(at, {})
        if len(kept) < MAX_STATES:
            values = [state.get(x, 0) for x in self.variables(at)]
            kept[tuple(value for value in values if isinstance(value, int))] = None

    def _supply(self, symbol: Term) -> Value:
        """A value for an input: mostly small, or a constant of the program."""
        bounds = self._expansion.range_of(symbol)
        if isinstance(symbol.sort, ArraySort):
            return ArrayValue(self._clipped(self._random.choice(self._interesting), bounds))
        match self._random.randrange(4):
            case 0:
                return self._clipped(self._random.randrange(2), bounds)
            case 1 | 2:
                return self._clipped(self._random.randrange(-2, 12), bounds)
            case _:
                return self._clipped(self._random.choice(self._interesting), bounds)

    def _clipped(self, value: int, bounds: Range | None) -> int:
        return value if bounds is None else min(max(value, bounds.low), bounds.high)


def _zero(x: Term) -> Value:
    return ArrayValue() if isinstance(x.sort, ArraySort) else 0


def _interesting(program: Program) -> list[int]:
    """The constants of guards and their neighbours."""
    found = {0: None, 1: None}
    for atom in guard_atoms(program):
        if atom.is_comparison:
            found.update(dict.fromkeys((atom.value - 1, atom.value, atom.value + 1)))
    return list(found)


def _differences(before: Mapping[Term, Value], after: Mapping[Term, Value]) -> dict[Term, int]:
    """The amounts by which the integers changed."""
    changes = {x: _number(value) - _number(before.get(x, 0)) for x, value in after.items() if x.sort is INT}
    return {x: change for x, change in changes.items() if change}


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value


def guard_atoms(program: Program) -> Iterator[Term]:
    """The atoms of the guards of a program."""
    for edge in program.edges:
        if isinstance(edge.operation, Assume):
            yield from atoms(edge.operation.condition)
