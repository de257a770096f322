"""A counterexample for display: the steps of its path with the variables that change, and its inputs.

The values come from executing the path's operations on the inputs. This displays a counterexample; it confirms nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from core.pattern import pattern
from core.program import Assign, Assume, Call, Check, Edge, Function, Program, Variable
from core.program.naming import Naming
from core.program.objects import LEFT_OUT
from core.program.orders import ORDER
from core.program.source import SourceTable
from core.program.span import Span
from core.terms import ArraySort, ArrayValue, NotEvaluable, Term, Value, evaluate
from core.verdict import Gap, InputValue, Unsafe
from frontend.libc.texts import FAILURE
from runs.events import TraceShown

_Changes = tuple[tuple[str, str], ...]
_SHOWN_ELEMENTS = 8
_SHOWN_INPUTS = 2_000


LATER = " (rounds later)"  # stands behind a value that a variable has behind a part that was left out
NOT_MINIMAL = "not minimal: the effort to shorten it ran out"


def trace_event(program: Program, check: Check, claim: Unsafe, note: str = "") -> TraceShown:
    """The trace of `claim`. Steps that change nothing that the source names have an empty list of changes."""
    inputs = tuple(
        (i.kind.value, i.name, i.span.file, i.span.line, i.span.column, i.occurrence, _chosen(program, i))
        for i in claim.inputs[:_SHOWN_INPUTS]
    )
    if len(inputs) < len(claim.inputs):
        said = f"the first {len(inputs)} of {len(claim.inputs)} inputs"
        note = f"{note}; {said}" if note else said
    steps = tuple(TraceExecution(program, claim.inputs).steps(claim.path, claim.gaps))
    return TraceShown(check.id, steps, inputs, note)


def _chosen(program: Program, value: InputValue) -> str:
    if value.name == ORDER:
        return program.orders.taken(value.span, value.value)
    if value.name.endswith(FAILURE):
        return "yes" if value.value else "no"
    return _value_text(value.value)


class TraceExecution:
    """Executes the edges of a path. Unknown values, and all that depend on them, are left out.

    `values` are the values that variables and inputs had when the last edge was taken.
    """

    def __init__(self, program: Program, inputs: Iterable[InputValue]) -> None:
        self.values: Mapping[Term, Value] = {}
        self._program = program
        self._named = _named(program)
        self._inputs = {(i.kind, i.name, i.span, i.occurrence): i.value for i in inputs}
        self._occurrences: dict[tuple[object, str, Span], int] = {}
        self._globals: dict[Term, Value] = {}
        self._frames: list[dict[Term, Value]] = [{}]
        self._calls: list[tuple[object, ...]] = []  # the active ones, as functions with their arguments
        self._results: dict[tuple[object, ...], Value] = {}
        self._location = program.functions[program.start].entry

    def steps(self, path: Iterable[int], gaps: Iterable[Gap]) -> Iterator[tuple[int, _Changes]]:
        behind = {gap.position: gap for gap in gaps}
        for position, number in enumerate(path, 1):
            changes = self.step(self._program.edges[number])
            if position in behind:
                changes = list({**dict(changes), **self.skip(behind[position].values)}.items())
            yield number, tuple(changes)

    def skip(self, values: Mapping[Term, Value]) -> dict[str, str]:
        """Skip a part of the path that was left out: variables with values get these, all others are unknown."""
        known = {x: value for x, value in values.items() if x in self._globals or x in self._frames[-1]}
        changes = {name: f"{text}{LATER}" for name, text in self._write(known.keys(), known.values())}
        self._inputs, self._results, self._globals = {}, {}, {}
        self._frames, self._calls = [{} for _ in self._frames], [(None,) for _ in self._calls]
        self._write(known.keys(), known.values())
        return changes

    def step(self, edge: Edge) -> list[tuple[str, str]]:
        """Take an edge; returns the changes of named variables as texts."""
        before, self._location = self._location, edge.target
        match edge.operation:
            case Assume(condition):
                self._look((condition,))
                return []
            case Assign(updates):
                return self._assign(updates)
            case Call(function, arguments) if before == edge.source:
                self._location = self._program.functions[function].entry
                return self._enter(function, arguments)
            case Call(function) if len(self._frames) > 1:
                return self._leave(self._program.functions[function], before)
            case Call():
                return []

    def _enter(self, function: str, arguments: tuple[Term, ...]) -> list[tuple[str, str]]:
        values = self._evaluate(arguments)
        self._frames.append({})
        self._calls.append((function, *map(str, values)))
        return self._write(self._program.functions[function].parameters, values)

    def _leave(self, function: Function, location: int) -> list[tuple[str, str]]:
        """Return to the caller; a call that was left out returns what the same call returned before."""
        self._frames.pop()
        call, result = self._calls.pop(), function.result
        if result is not None and location == function.entry != function.exit:
            self._write((result,), (self._results.get(call),))
        elif result is not None and result in self._globals:
            self._results[call] = self._globals[result]
        return []

    def _assign(self, updates: tuple[tuple[Term, Term], ...]) -> list[tuple[str, str]]:
        values = self._evaluate(tuple(value for _, value in updates))
        return self._write((x for x, _ in updates), values)

    def _write(self, variables: Iterable[Term], values: Iterable[Value | None]) -> list[tuple[str, str]]:
        """Store the known values; returns the changes of named variables as texts."""
        changes: list[tuple[str, str]] = []
        for x, value in zip(variables, values, strict=True):
            range_ = self._program.variables.get(x)
            scope = self._globals if range_ is None or range_.scope is None else self._frames[-1]
            old = scope.get(x)
            if value is None:
                scope.pop(x, None)
                continue
            scope[x] = value
            if range_ is not None and old != value and self._is_told(x, range_, old is None):
                changes.extend(_change(range_.name, old, value))
        return changes

    def _is_told(self, x: Term, known: Variable, is_first: bool) -> bool:
        """Whether a change is part of the trace: hidden arrays are told once they are known."""
        return not known.hidden or (x in self._named and not (is_first and isinstance(x.sort, ArraySort)))

    def _evaluate(self, terms: tuple[Term, ...]) -> list[Value | None]:
        state = self._look(terms)
        values: list[Value | None] = []
        for t in terms:
            try:
                values.append(evaluate(t, state))
            except (KeyError, NotEvaluable):
                values.append(None)
        return values

    def _look(self, terms: tuple[Term, ...]) -> Mapping[Term, Value]:
        self.values = {**self._globals, **self._frames[-1], **self._input_values(terms)}
        return self.values

    def _input_values(self, terms: tuple[Term, ...]) -> dict[Term, Value]:
        """The values of the inputs that one execution of an edge reads."""
        values: dict[Term, Value] = {}
        read = {s for t in terms for s in t.symbols() if s in self._program.inputs}
        for symbol in sorted(read, key=lambda s: s.id):
            one = self._program.inputs[symbol]
            key = (one.kind, one.name, one.span)
            occurrence = self._occurrences.get(key, 0)
            self._occurrences[key] = occurrence + 1
            if (*key, occurrence) in self._inputs:
                values[symbol] = self._inputs[(*key, occurrence)]
        return values


def named_arrays(source: SourceTable) -> frozenset[Term]:
    """The arrays of memory that have parts of objects of the source."""
    parts = [part for one in source.objects for part in one.parts]
    parts += [part for one in source.targets for part in one.parts]
    return frozenset(part.variable for part in parts if isinstance(part.variable.sort, ArraySort))


def _named(program: Program) -> frozenset[Term]:
    """The arrays of memory that have parts of objects of the source, and the variables that say where objects lie."""
    naming, layout = Naming(program), program.memory
    found = {*named_arrays(naming.source), *naming.moving}
    found |= set() if naming.counter is None else {naming.counter}
    found |= set() if layout is None or layout.lifetimes is None else {layout.lifetimes.sizes}
    return frozenset(found)


def _change(name: str, old: Value | None, new: Value) -> Iterator[tuple[str, str]]:
    """The changes of a scalar, or of the elements of an array that was known before."""
    if isinstance(new, ArrayValue) and isinstance(old, ArrayValue) and old.default == new.default:
        changed = [i for i in sorted({*old.entries, *new.entries}) if old[i] != new[i]]
        for i in changed[:_SHOWN_ELEMENTS]:
            yield f"{name}[{i}]", str(new[i])
    else:
        yield name, _value_text(new)


def value_in(text: str) -> Value | None:
    """The value that a trace shows; None where it leaves something out, or is no number."""
    if _INTEGER.fullmatch(text):
        return int(text)
    found = _ARRAY.fullmatch(text)
    return None if found is None else ArrayValue(int(found[2]), {int(i): int(v) for i, v in _ITEM.findall(found[1])})


_INTEGER = pattern(r"-?\d+")
_ITEM = pattern(r"\[(-?\d+)\] = (-?\d+), ")
_ARRAY = pattern(r"\{((?:\[-?\d+\] = -?\d+, )*)others = (-?\d+)\}")


def _value_text(value: Value) -> str:
    if isinstance(value, ArrayValue):
        items = [f"[{i}] = {v}" for i, v in sorted(value.entries.items())[:_SHOWN_ELEMENTS]]
        if len(value.entries) > _SHOWN_ELEMENTS:
            items.append(LEFT_OUT)
        return "{" + ", ".join([*items, f"others = {value.default}"]) + "}"
    return str(int(value))
