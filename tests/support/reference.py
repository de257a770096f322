"""A reference interpreter of programs: an explicit stack of calls, nothing of `core.program.semantics` or
`core.program.expansion`.

A local that was not written holds 0; generated programs write before they read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from core.program import Assign, Assume, Call, Edge, Function, Input, Operation, Program
from core.program.simulate import Ended, Stuck, simulate
from core.terms import INT, ArraySort, ArrayValue, Sort, Term, Value, evaluate


@dataclass(frozen=True)
class Activation:
    """One activation of a function: values of its parameters and locals, and the call edge it came by (-1: none)."""

    function: str
    values: tuple[tuple[Term, Value], ...]
    call: int


@dataclass(frozen=True)
class Configuration:
    """A state of an execution: the globals, the stack of activations (innermost last), and where control is."""

    globals: tuple[tuple[Term, Value], ...]
    stack: tuple[Activation, ...]
    location: int

    @property
    def calls(self) -> tuple[int, ...]:
        """The ids of the active call edges, outermost first."""
        return tuple(a.call for a in self.stack[1:])

    def visible(self) -> dict[Term, Value]:
        """The variables that the current activation can name."""
        return {**dict(self.globals), **dict(self.stack[-1].values)}


class Interpreter:
    """All executions of a program, step by step."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._locals = {x for f in program.functions.values() for x in (*f.parameters, *f.locals)}

    def start(self) -> Configuration:
        function = self.program.functions[self.program.start]
        globals_ = {x: _zero(x.sort) for x in self.program.variables if x not in self._locals}
        return Configuration(_frozen(globals_), (_activation(function, {}, -1),), function.entry)

    def steps(self, c: Configuration) -> Iterator[tuple[Edge, Mapping[Term, Value], Configuration]]:
        """Every step with its edge (of a return: the call edge) and the inputs it consumes."""
        if c.location in self.program.checks_at:
            return
        function = self.program.functions[c.stack[-1].function]
        if c.location == function.exit and len(c.stack) > 1:
            call = self.program.edges[c.stack[-1].call]
            yield call, {}, Configuration(c.globals, c.stack[:-1], call.target)
        for edge in self.program.out_edges[c.location]:
            for inputs in self._inputs(edge):
                after = self._execute(c, edge, inputs)
                if after is not None:
                    yield edge, inputs, after

    def _inputs(self, edge: Edge) -> Iterator[dict[Term, Value]]:
        symbols = [s for s in self.program.inputs if any(s in t.symbols() for t in _terms(edge.operation))]
        ranges = [self.program.inputs[s].range for s in symbols]
        domains: list[Sequence[Value]] = [range(r.low, r.high + 1) if r is not None else (0,) for r in ranges]
        for values in product(*domains):
            yield dict(zip(symbols, values, strict=True))

    def _execute(self, c: Configuration, edge: Edge, inputs: Mapping[Term, Value]) -> Configuration | None:
        now = {**c.visible(), **inputs}
        match edge.operation:
            case Assume(condition):
                return Configuration(c.globals, c.stack, edge.target) if evaluate(condition, now) else None
            case Assign(updates):
                return self._assigned(c, {x: evaluate(t, now) for x, t in updates}, edge.target)
            case Call(name, arguments):
                callee = self.program.functions[name]
                given = {p: evaluate(a, now) for p, a in zip(callee.parameters, arguments, strict=True)}
                return Configuration(c.globals, (*c.stack, _activation(callee, given, edge.id)), callee.entry)

    def _assigned(self, c: Configuration, new: Mapping[Term, Value], target: int) -> Configuration:
        own, globals_ = dict(c.stack[-1].values), dict(c.globals)
        for x, value in new.items():
            (own if x in self._locals else globals_)[x] = value
        top = Activation(c.stack[-1].function, _frozen(own), c.stack[-1].call)
        return Configuration(_frozen(globals_), (*c.stack[:-1], top), target)

    def reachable(self, limit: int = 200_000) -> set[Configuration]:
        """Every reachable configuration. Raises `OverflowError` beyond `limit`."""
        start = self.start()
        seen, work = {start}, [start]
        while work:
            for _, _, after in self.steps(work.pop()):
                if after not in seen:
                    if len(seen) >= limit:
                        raise OverflowError("too many configurations")
                    seen.add(after)
                    work.append(after)
        return seen


def failing_checks(program: Program, limit: int = 200_000) -> set[int]:
    """The checks that some execution fails."""
    at = program.checks_at
    return {at[c.location].id for c in Interpreter(program).reachable(limit) if c.location in at}


def _terms(operation: Operation) -> tuple[Term, ...]:
    match operation:
        case Assume(condition):
            return (condition,)
        case Assign(updates):
            return tuple(t for _, t in updates)
        case Call(_, arguments):
            return arguments


def _activation(function: Function, given: Mapping[Term, Value], call: int) -> Activation:
    values = {x: given.get(x, _zero(x.sort)) for x in (*function.parameters, *function.locals)}
    return Activation(function.name, _frozen(values), call)


def _zero(sort: Sort) -> Value:
    return 0 if sort is INT else ArrayValue()


def _frozen(values: Mapping[Term, Value]) -> tuple[tuple[Term, Value], ...]:
    return tuple(sorted(values.items(), key=lambda item: item[0].id))


def ends_without_error(program: Program) -> bool:
    """Whether the one execution of a program whose inputs nothing reads ends, and not in an error."""

    def supply(one: Input) -> Value:
        return ArrayValue(0) if isinstance(one.symbol.sort, ArraySort) else 0

    return isinstance(simulate(program, supply, 100_000), Ended | Stuck)
