"""A counterexample with fewer rounds of loops: rounds are left out as long as the execution still reaches the error.

A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE 28(2), 2002, with rounds of a
loop in the place of parts of an input: the inputs that rounds have read are taken away, and the program is executed
again. From the end backwards, since what an error needs is often near it, and first many rounds at once. No solver is
asked, so that this works where an execution is long.

Limitations: only whole rounds are left out; no proof that there is no shorter one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress

from core.dataclass import dataclass
from core.limits import Limits, NoAnswer
from core.parameters import parameter
from core.program import InputKind
from core.program.expansion import At, Expansion, Step
from core.program.span import Span
from core.terms import NotEvaluable, Term, Value, evaluate
from core.verdict import InputValue, Unsafe
from methods.paths.pathformula import consumed_inputs, value_in_range

LONGEST = parameter("paths.fewer-rounds.longest")
RUNS = parameter("paths.fewer-rounds.runs")

_Place = tuple[InputKind, str, Span]
"""The kind, name and place of an input."""


@dataclass(frozen=True)
class _Use:
    """A value that an input had at one time."""

    place: _Place
    value: Value


@dataclass(frozen=True)
class _ErrorExecution:
    """An execution that reaches the error: `visits` has for each loop head how many inputs had been read there."""

    steps: tuple[Step, ...]
    uses: tuple[_Use, ...]
    visits: dict[At, list[int]]

    def claim(self) -> Unsafe:
        times: Counter[_Place] = Counter()
        inputs: list[InputValue] = []
        for one in self.uses:
            inputs.append(InputValue(*one.place, times[one.place], one.value))
            times[one.place] += 1
        return Unsafe(tuple(inputs), tuple(edge.id for step in self.steps for edge in step.edges))


def with_fewer_rounds(
    expansion: Expansion, check: int, claim: Unsafe, limits: Limits
) -> tuple[tuple[Step, ...], Unsafe] | None:
    """An execution with fewer rounds than that of `claim`, also as steps; None where that is not an execution here.

    `expansion` has a step for each statement. Where `limits` end it, it is the shortest one so far.
    """
    executor = _Executor(expansion, check, limits)
    with suppress(NoAnswer):
        run = executor.run([_Use(_place(one), one.value) for one in claim.inputs], LONGEST)
        while run is not None:
            shorter = (found for head in run.visits if (found := _left_out(executor, run, head)) is not None)
            run = next(shorter, None)
    found = executor.last
    return None if found is None else (found.steps, found.claim())


def _place(value: InputValue) -> _Place:
    return (value.kind, value.name, value.span)


def _left_out(executor: _Executor, run: _ErrorExecution, head: At) -> _ErrorExecution | None:
    """An execution without some of the rounds of a loop; None where each is needed."""
    shortest, size = run, _rounds(run, head) // 2 or 1
    while size:
        tried = (executor.run(uses, len(shortest.steps) - 1) for uses in _without(shortest, head, size))
        found = next((one for one in tried if one is not None), None)
        if found is None:
            size //= 2
        else:
            shortest, size = found, min(size, _rounds(found, head))
    return None if shortest is run else shortest


def _rounds(run: _ErrorExecution, head: At) -> int:
    return max(len(run.visits.get(head, ())) - 1, 0)


def _without(run: _ErrorExecution, head: At, size: int) -> Iterator[tuple[_Use, ...]]:
    """The inputs without those of `size` rounds in a row, of the last ones first."""
    visits = run.visits[head]
    for last in range(len(visits) - 1, size - 1, -size):
        first = last - size
        if visits[first] < visits[last]:
            yield run.uses[: visits[first]] + run.uses[visits[last] :]


class _Executor:
    """Executes a program on given inputs. `last` is the last execution that has reached the error."""

    def __init__(self, expansion: Expansion, check: int, limits: Limits) -> None:
        self._expansion = expansion
        self._check = check
        self._limits = limits
        self._left = RUNS
        self.last: _ErrorExecution | None = None

    def run(self, uses: Sequence[_Use], longest: int) -> _ErrorExecution | None:
        """The execution on these inputs; None where it does not reach the error within so many steps."""
        if not self._left:
            return None
        self._left -= 1
        expansion, at = self._expansion, self._expansion.start
        supply: dict[_Place, deque[Value]] = {}
        for one in uses:
            supply.setdefault(one.place, deque()).append(one.value)
        state: dict[Term, Value] = {}
        steps: list[Step] = []
        read: list[_Use] = []
        visits: dict[At, list[int]] = {}
        while len(steps) <= longest:
            self._limits.check()
            check = expansion.check(at)
            if check is not None:
                if check.id != self._check:
                    return None
                self.last = _ErrorExecution(tuple(steps), tuple(read), visits)
                return self.last
            if expansion.is_loop_head(at):
                visits.setdefault(at, []).append(len(read))
            step = self._step(at, state, supply, read)
            if step is None:
                return None
            steps.append(step)
            at = step.target
        return None

    def _step(
        self, at: At, state: dict[Term, Value], supply: dict[_Place, deque[Value]], read: list[_Use]
    ) -> Step | None:
        """Take the first step that is possible; None if there is none."""
        expansion = self._expansion
        for step in expansion.steps(at):
            own: list[_Use] = []
            values: dict[Term, Value] = {}
            for symbol in consumed_inputs(expansion, step, step.edges):
                known = expansion.program.inputs[symbol]
                place = (known.kind, known.name, known.span)
                values[symbol] = self._next(symbol, supply.get(place), sum(one.place == place for one in own))
                own.append(_Use(place, values[symbol]))
            values.update((s, self._held(s, state)) for s in step.transition.reads if s not in values)
            try:
                if evaluate(step.transition.guard, values) is not True:
                    continue
                state.update([(x, evaluate(value, values)) for x, value in step.transition.updates.items()])
            except NotEvaluable:
                return None
            for one in own:
                if supply.get(one.place):
                    supply[one.place].popleft()
            read += own
            return step
        return None

    def _next(self, symbol: Term, queue: deque[Value] | None, position: int) -> Value:
        if queue is not None and position < len(queue):
            return queue[position]
        return value_in_range(symbol, None, self._expansion.range_of(symbol))

    def _held(self, symbol: Term, state: dict[Term, Value]) -> Value:
        if symbol not in state:
            state[symbol] = value_in_range(symbol, None, self._expansion.range_of(symbol))
        return state[symbol]
