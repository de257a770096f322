"""The lives of the objects of a counterexample, and the reason for the memory error at its end, in words.

The lifetimes of objects are a variable of the program (`core.program.memory`), so the trace has each allocation, each
release and each end of a block as a step. Which object the failing check is about stands in its condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property

from core.dataclass import dataclass
from core.program import Assign, Assume, Call, Edge, Program
from core.program.changes import SourceChanges
from core.program.memory import LifetimeVariables
from core.program.naming import Naming
from core.program.objects import ExecutionObject, ExecutionObjects
from core.program.own_steps import CallStack
from core.program.properties import CheckKind
from core.terms import ArraySort, ArrayValue, NotEvaluable, Op, Term, Treatment, Value, evaluate, substitute, subterms
from interplay.presentation.plurals import counted
from interplay.presentation.trace_values import ChangedVariables, TraceValues, active_functions
from runs.events import TraceShown

OTHER_OPERATORS = Treatment.EXACT
_MAX = 3  # objects, or values, that are named


class LifetimeEvent(Enum):
    """The kinds of steps in the life of an object."""

    ALLOCATED = "allocated"
    RELEASED = "released"
    ENDED = "ended"


@dataclass(frozen=True)
class LifetimeStep:
    """A step in the life of an object: `block` is the number of its block of addresses, `size` in bytes."""

    position: int
    event: LifetimeEvent
    name: str
    block: int
    size: int
    line: str

    @property
    def is_end(self) -> bool:
        return self.event is not LifetimeEvent.ALLOCATED

    def __str__(self) -> str:
        match self.event:
            case LifetimeEvent.ALLOCATED:
                return f"makes {self.name} ({counted(self.size, 'byte')})"
            case LifetimeEvent.RELEASED:
                return f"releases {self.name}"
            case LifetimeEvent.ENDED:
                return f"{self.name} is gone"


@dataclass(frozen=True)
class MemoryFault:
    """The reason for a memory error, in words. `base` is the address of its object, `offset` the byte that is accessed;
    both are None where no single object is meant. `lost` are the addresses of objects that were not released. `index`
    is one outside of an array, `last` the last one inside.
    """

    words: str
    base: int | None = None
    offset: int | None = None
    lost: tuple[int, ...] = ()
    index: int | None = None
    last: int | None = None


class ObjectLives:
    """The lives of the objects of one counterexample."""

    def __init__(self, program: Program | None, told: SourceChanges | None, trace: TraceShown) -> None:
        memory = None if program is None else program.memory
        self._program, self._told, self._trace = program, told, trace
        self._alive = None if memory is None or told is None else memory.lifetimes
        self.steps: tuple[LifetimeStep, ...] = ()
        if program is not None and told is not None and self._alive is not None:
            self.steps = tuple(self._read(program, self._alive, told.objects))

    def of_object(self, base: int) -> tuple[LifetimeStep, ...]:
        """The steps in the life of the object at an address."""
        return () if self._alive is None else self._of_block(base // self._alive.block)

    @cached_property
    def fault(self) -> MemoryFault | None:
        """The reason for the error at the end, where it is one about an object."""
        program, told, alive = self._program, self._told, self._alive
        if program is None or told is None or not self._trace.steps:
            return None
        end = _FailingCheck(program, self._trace)
        if end.condition is None:
            return None
        if 0 <= self._trace.check < len(program.checks):
            check = program.checks[self._trace.check]
            if check.description.startswith(CheckKind.BOUNDS.row.fault):
                return _outside(program, check.description, end)
            if check.description.startswith(CheckKind.UNINITIALIZED.row.fault):
                return self._unwritten(program, told.objects, end)
        if alive is None:
            return None
        if alive.count in end.condition.symbols():
            return self._leak(program, alive, told.objects)
        for asked in subterms(end.condition):
            if asked.op is Op.SELECT and asked.args[0] in (alive.sizes, alive.releasable):
                index = asked.args[1]
                address = end.number(index.args[0] if index.op is Op.DIVIDE else index)
                one = None if address is None else told.objects.at(address)
                if address is not None and one is not None:
                    return self._access(one, address - one.base, asked.args[0] is alive.releasable)
        return None

    # Steps

    def _read(self, program: Program, alive: LifetimeVariables, objects: ExecutionObjects) -> Iterator[LifetimeStep]:
        array = f"{program.variables[alive.sizes].name}["
        for position, (edge, changes) in enumerate(self._trace.steps):
            for name, value in changes:
                if not name.startswith(array) or not name[len(array) : -1].isdecimal():
                    continue
                block = int(name[len(array) : -1])
                one = objects.at(block * alive.block)
                if one is None or (one.declared is not None and value != "0"):
                    continue
                ends = LifetimeEvent.RELEASED if one.declared is None else LifetimeEvent.ENDED
                event = ends if value == "0" else LifetimeEvent.ALLOCATED
                said = objects.name(one, Naming(program))
                yield LifetimeStep(position, event, said, block, int(value), self._line(edge, position))

    def _line(self, edge: int, position: int) -> str:
        assert self._told is not None
        assert self._program is not None
        shown, here = self._told.own.at(position), self._program.edges[self._trace.steps[-1][0]].span
        span = self._program.edges[edge].span if shown is None else shown.span
        if span is None:
            return ""
        same = here is not None and here.file == span.file
        return f"line {span.line}" if same else f"{span.file.rpartition('/')[2]}:{span.line}"

    def _of_block(self, block: int) -> tuple[LifetimeStep, ...]:
        return tuple(step for step in self.steps if step.block == block)

    # Words

    def _access(self, one: ExecutionObject, offset: int, releases: bool) -> MemoryFault | None:
        assert self._told is not None
        assert self._program is not None
        name, life = self._told.objects.name(one, Naming(self._program)), self.of_object(one.base)
        last = life[-1] if life else None
        made = next((step for step in life if step.event is LifetimeEvent.ALLOCATED), None)
        said: str | None = None
        if last is not None and last.event is LifetimeEvent.RELEASED:
            said = f"{name} was released in {last.line}"
        elif last is not None and last.event is LifetimeEvent.ENDED:
            said = f"{name} is gone: its block, which begins in {last.line}, has ended"
        elif releases:
            said = f"{name} + {offset} is not where {name} begins" if offset else f"{name} was not allocated"
        elif made is not None:
            said = f"byte {offset} of {name}, which has {counted(made.size, 'byte')}, allocated in {made.line}"
        return None if said is None else MemoryFault(said, one.base, offset)

    def _unwritten(self, program: Program, objects: ExecutionObjects, end: _FailingCheck) -> MemoryFault | None:
        """The bytes that were read before anything was written to them, or the lines that write to the variable."""
        asked = next((one for one in subterms(end.failing) if one.op is Op.SELECT and _is_mark(one.args[0])), None)
        if asked is None:
            marks = [x for x in end.failing.symbols() if _is_mark(x)]
            return self._passed_over(program, marks[0]) if len(marks) == 1 else None
        address = end.number(asked.args[1])
        one = None if address is None else objects.at(address)
        if address is None or one is None:
            return None
        name = objects.name(one, Naming(program))
        made = [step for step in self.of_object(one.base) if step.event is LifetimeEvent.ALLOCATED]
        where = f", allocated in {made[0].line}," if made else ""
        offset = address - one.base
        return MemoryFault(f"byte {offset} of {name}{where} was never written", one.base, offset)

    def _passed_over(self, program: Program, mark: Term) -> MemoryFault:
        """The lines that write to a variable, none of which is on the path."""
        passed = {number for number, _ in self._trace.steps}
        writing = [edge for edge in program.edges if isinstance(edge.operation, Assign) and _sets(edge.operation, mark)]
        lines = sorted({edge.span.line for edge in writing if edge.id not in passed and edge.span is not None})
        said = "nothing was written to it"
        if lines and len(lines) <= _MAX and not any(edge.id in passed for edge in writing):
            some = f"line{'' if len(lines) == 1 else 's'} {', '.join(map(str, lines))}"
            said += f": this execution does not come to {some}"
        return MemoryFault(said)

    def _leak(self, program: Program, alive: LifetimeVariables, objects: ExecutionObjects) -> MemoryFault | None:
        living = [step for step in self.steps if self._of_block(step.block)[-1] is step and step.size]
        parts = [
            f"{step.name}, allocated in {step.line}, is not released{self._lost(program, alive, objects, step)}"
            for step in living[:_MAX]
        ]
        parts += [f"and {len(living) - _MAX} more"] if len(living) > _MAX else []
        return MemoryFault("; ".join(parts), lost=tuple(step.block * alive.block for step in living)) if parts else None

    def _lost(self, program: Program, alive: LifetimeVariables, objects: ExecutionObjects, made: LifetimeStep) -> str:
        """The places that still point to an object at the end, or the one at which the last pointer to it went."""
        one = objects.at(made.block * alive.block)
        assert one is not None
        held = _Holders(program, alive, one)
        gone = ""
        for position, (edge, changes) in enumerate(self._trace.steps):
            had = bool(held.places)
            held.take(edge, changes)
            if had and not held.places:
                gone = self._line(edge, position)
        names = [program.variables[x].name for x, index in held.places if index is None]
        if held.places:
            return f": {' and '.join(names[:_MAX]) or 'another object'} still points to it"
        return f": the last pointer to it went in {gone}" if gone else ""


def _is_mark(x: Term) -> bool:
    """Whether a variable says what of another one was written."""
    return x.op is Op.SYMBOL and x.name.endswith("!set")


def _sets(operation: Assign, mark: Term) -> bool:
    """Whether an assignment says that a variable was written."""
    return any(x is mark and value.op is Op.CONSTANT and value.value != 0 for x, value in operation.updates)


def _outside(program: Program, description: str, end: _FailingCheck) -> MemoryFault | None:
    """The index that leaves its array, and the last one that it has: where the index is a variable.

    Of any other index conditions have what is left of it: `i <= 3` says that `2 * i` is at most 7.
    """
    assert end.condition is not None
    known = {x: end.number(x) for x in end.condition.symbols() if f"[{_name(program, x)}]" in description}
    limits = [atom.value for atom in subterms(end.condition) if atom.op is Op.LE and atom.args[0] in known]
    index = next(iter(known.values()), None)
    if len(known) != 1 or index is None or not limits:
        return None
    return MemoryFault(f"the index is {index}, the last one is {max(limits)}", index=index, last=max(limits))


def _name(program: Program, x: Term) -> str:
    """A variable as the function names it that it is in."""
    return program.variables[x].name.rpartition("::")[2] if x in program.variables else ""


class _Holders:
    """The places that hold a pointer into an object, step by step: variables, and elements of memory."""

    def __init__(self, program: Program, alive: LifetimeVariables, target: ExecutionObject) -> None:
        self._program, self._alive, self._target = program, alive, target
        self._calls = CallStack(program)
        self._names = ChangedVariables(program, ())
        self.places: set[tuple[Term, int | None]] = set()

    def take(self, edge: int, changes: Iterable[tuple[str, str]]) -> None:
        for change in changes:
            for x, index, value in self._names.written(*change):
                if x is self._alive.sizes and value == 0 and index is not None:
                    self.places -= {one for one in self.places if one[1] is not None and self._lies_in(one[1], index)}
                elif x in self._program.source.pointers and (
                    index is not None or not self._program.variables[x].hidden
                ):
                    place = x, index
                    inside = self._target.base <= value < self._target.end
                    self.places = self.places | {place} if inside else self.places - {place}
        self._calls.take(edge)
        operations = (self._program.edges[number].operation for number in self._calls.stack)
        active = {one.function for one in operations if isinstance(one, Call)} | {self._program.start}
        scopes = {place: self._program.variables[place[0]].scope for place in self.places if place[1] is None}
        self.places -= {place for place, scope in scopes.items() if scope is not None and scope not in active}

    def _lies_in(self, address: int, block: int) -> bool:
        return address // self._alive.block == block


class _FailingCheck:
    """The condition under which a trace ends in its error, and the values that it has there.

    Temporaries are replaced by what they were computed from, as far back as needed; `failing` has them.
    """

    def __init__(self, program: Program, trace: TraceShown) -> None:
        self._program = program
        steps = trace.steps
        edges = [program.edges[number] for number, _ in steps if 0 <= number < len(program.edges)]
        failing = edges[-1].operation if len(edges) == len(steps) else None
        self.condition = failing.condition if isinstance(failing, Assume) else None
        self.failing = program.arena.true if self.condition is None else self.condition
        at = len(steps) - 1
        while self.condition is not None and at > 0 and any(map(self._is_temporary, self.condition.symbols())):
            operation = edges[at - 1].operation
            if isinstance(operation, Call):
                break
            at -= 1
            if isinstance(operation, Assign):
                self.condition = substitute(program.arena, self.condition, dict(operation.updates))
        self._values = self._read(trace, edges, at) if self.condition is not None else {}

    def number(self, term: Term) -> int | None:
        """The value of a number there; None where the trace does not tell it."""
        try:
            value = evaluate(term, self._values)
        except (KeyError, NotEvaluable):
            return None
        return value if isinstance(value, int) else None

    def _is_temporary(self, x: Term) -> bool:
        known = self._program.variables.get(x)
        return known is not None and known.hidden and known.scope is not None

    def _read(self, trace: TraceShown, edges: list[Edge], at: int) -> Mapping[Term, Value]:
        program, calls, values = self._program, CallStack(self._program), TraceValues()
        for edge in edges[:at]:
            calls.take(edge.id)
        active = active_functions(program, (calls.stack, calls.at))
        names = ChangedVariables(program, active)
        for _, changes in trace.steps[:at]:
            for change in changes:
                for x, index, value in names.written(*change):
                    values.put(x, index, value)
        naming, found = Naming(program), dict[Term, Value]()
        for x, known in program.variables.items():
            frames = active.count(known.scope) if known.scope is not None else 1
            here = naming.in_frame(x, frames - 1) if frames > 1 else x
            if isinstance(x.sort, ArraySort):
                found[x] = ArrayValue(0, values.elements.get(here, {}))
            elif here in values.scalars:
                found[x] = values.scalars[here]
        return found
