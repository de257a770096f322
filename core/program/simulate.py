"""A reference interpreter: runs a program on given inputs, edge by edge.

The tests of lowering and of engines compare with it. It is slow on purpose: each step evaluates terms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from core.dataclass import dataclass
from core.program.automaton import Assign, Assume, Call, Check, Edge, Function, Input, Program
from core.terms import ArraySort, ArrayValue, Term, Value, evaluate

Supply = Callable[[Input], Value]
Watch = Callable[[Edge, Callable[[Term], Value]], None]
"""Is told each edge before it is taken, with the values that terms have there."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The run reaches the error location of `check`."""

    check: Check
    globals: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Ended:
    """The start function returns."""

    globals: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Stuck:
    """No edge can be taken at `location`: the path ends there, or an assumption fails."""

    location: int
    globals: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class BudgetExceeded:
    """The run was given up after the steps allowed."""

    globals: Mapping[str, Value]


SimulationResult = Reached | Ended | Stuck | BudgetExceeded


def simulate(
    program: Program, supply: Supply, steps: int, watch: Watch = lambda _edge, _value: None
) -> SimulationResult:
    """Run from the start for at most `steps` edges.

    `supply` is asked once for each execution of an edge that mentions the input. Variables that were never assigned
    are 0. Where several edges can be taken, the first one is.
    """
    run = _Simulation(program, supply, watch)
    for _ in range(steps):
        result = run.step()
        if result is not None:
            return result
    return BudgetExceeded(run.named_globals())


@dataclass(slots=True)
class _Frame:
    function: Function
    location: int
    values: dict[Term, Value]


@dataclass(slots=True)
class _Simulation:
    program: Program
    supply: Supply
    watch: Watch
    globals: dict[Term, Value] = field(default_factory=dict)
    frames: list[_Frame] = field(default_factory=list)

    def __post_init__(self) -> None:
        start = self.program.functions[self.program.start]
        self.frames.append(self._frame(start, {}))
        self.globals.update((x, _zero(x)) for x in self.program.globals())

    def named_globals(self) -> dict[str, Value]:
        return {self.program.variables[x].name: value for x, value in self.globals.items()}

    def _frame(self, function: Function, arguments: dict[Term, Value]) -> _Frame:
        values = {x: _zero(x) for x in (*function.parameters, *function.locals)}
        return _Frame(function, function.entry, {**values, **arguments})

    def step(self) -> SimulationResult | None:
        """Execute one edge or one return; gives the result where there is none."""
        frame = self.frames[-1]
        check = self.program.checks_at.get(frame.location)
        if check is not None:
            return Reached(check, self.named_globals())
        if frame.location == frame.function.exit:
            self.frames.pop()
            return None if self.frames else Ended(self.named_globals())
        for edge in self.program.out_edges[frame.location]:
            if self._take(frame, edge):
                return None
        return Stuck(frame.location, self.named_globals())

    def _take(self, frame: _Frame, edge: Edge) -> bool:
        inputs: dict[Term, Value] = {}
        if isinstance(edge.operation, Assume) and not self._value(frame, inputs, edge.operation.condition):
            return False
        self.watch(edge, lambda term: self._value(frame, inputs, term))
        match edge.operation:
            case Assume():
                pass
            case Assign(updates):
                new = [(x, self._value(frame, inputs, value)) for x, value in updates]
                for x, value in new:
                    (frame.values if x in frame.values else self.globals)[x] = value
            case Call(name, terms):
                function = self.program.functions[name]
                arguments = [self._value(frame, inputs, one) for one in terms]
                self.frames.append(self._frame(function, dict(zip(function.parameters, arguments, strict=True))))
        frame.location = edge.target
        return True

    def _value(self, frame: _Frame, inputs: dict[Term, Value], term: Term) -> Value:
        """The value of a term; `inputs` are those that this execution of the edge has asked for."""
        needed: dict[Term, Value] = {}
        for symbol in sorted(term.symbols(), key=lambda s: s.id):
            if symbol in self.program.inputs:
                if symbol not in inputs:
                    inputs[symbol] = self.supply(self.program.inputs[symbol])
                needed[symbol] = inputs[symbol]
            else:
                needed[symbol] = frame.values[symbol] if symbol in frame.values else self.globals[symbol]
        return evaluate(term, needed)


def _zero(x: Term) -> Value:
    return ArrayValue() if isinstance(x.sort, ArraySort) else 0
