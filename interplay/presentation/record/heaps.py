"""The heap at a step of a counterexample: records with their fields, and the variables that point to them.

Everything is read from the changes of the trace and the table of the source, so the counterexample of any engine has
such states. What no step has written is not known, and shown as `?`. A record is found through a pointer: its type is
that of the first pointer that is followed, variables first.

Limitation: a union is shown as its first member.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from core.pattern import pattern
from core.program import Assign, Program
from core.program.naming import SYMBOL, Naming
from core.program.objects import OTHERS, ExecutionObject
from core.program.source import MemberStep, PointerTarget, SourceObject, SourcePart, extent, path_at
from core.terms import ArraySort, Term
from interplay.presentation.record.paths import variables_at
from interplay.presentation.record.run import RunRecord
from interplay.presentation.trace_values import ChangedVariables, TraceValues, active_functions
from runs.events import Place, TraceShown

if TYPE_CHECKING:
    from interplay.presentation.lifetimes import MemoryFault

MAX_RECORDS = 40
_MAX_FIELDS = 8


@dataclass(frozen=True)
class RecordField:
    """A field of a record. `target` is the position of the record that it points to; `text` is its value in words."""

    name: str
    text: str
    target: int | None = None
    changed: bool = False


@dataclass(frozen=True)
class HeapRecord:
    """An object. `is_new`: the step made it; `released`: it is dead. `more` counts fields that are left out. `fate`
    says what became of it, and what the error at the end is about it.
    """

    name: str
    type: str
    fields: tuple[RecordField, ...]
    is_new: bool = False
    released: bool = False
    more: int = 0
    fate: tuple[str, ...] = ()


@dataclass(frozen=True)
class HeapPath:
    """A record reaches another over pointers of a field, in any number of steps."""

    source: int
    target: int
    field: str


@dataclass(frozen=True)
class HeapState:
    """Variables, and the records that they lead to. `paths` is empty for concrete heaps, `facts` is what else holds.

    `left_out` counts records beyond the limit. A variable is a field without a record.
    """

    variables: tuple[RecordField, ...] = ()
    records: tuple[HeapRecord, ...] = ()
    paths: tuple[HeapPath, ...] = ()
    facts: tuple[str, ...] = ()
    left_out: int = 0


def has_heap(record: RunRecord) -> bool:
    """Whether the program has pointers to something that can be drawn."""
    program = record.program
    source = None if program is None else program.source
    return source is not None and any(source.targets[number].parts for number in source.pointers.values())


def heap_at(record: RunRecord, check: int, step: int | None) -> HeapState | None:
    """The heap after a step of a counterexample (None: at its end); None where there is no counterexample."""
    trace, program = record.view.traces.get(check), record.program
    if trace is None or program is None or not trace.steps:
        return None
    index = len(trace.steps) - 1 if step is None else min(step, len(trace.steps) - 1)

    def make() -> HeapState:
        state = _Heap(record, program, trace, index).state()
        fault = record.text.lifetimes(trace).fault if index == len(trace.steps) - 1 else None
        array = None if fault is None else _outside(record, check, fault)
        return state if array is None else replace(state, records=(*state.records, array))

    return record.memo.get(("heap", check, index), make)


def _outside(record: RunRecord, check: int, fault: MemoryFault) -> HeapRecord | None:
    """The array of an index that leaves it, with the elements that are known; None where its name is not."""
    failing = record.view.checks.get(check)
    named = None if failing is None else _INDEXED.search(failing.description)
    if named is None or fault.index is None or fault.last is None:
        return None
    values = {row.name: row.after for row in variables_at(record, check, None) if row.after is not None}
    known = {place: values.get(f"{named[1]}[{place}]") for place in range(min(fault.last + 1, _LARGE))}
    shown = [place for place, value in known.items() if value is not None or place in (0, fault.last)][-_MAX_FIELDS:]
    fields = tuple(RecordField(f"[{place}]", known[place] or "…") for place in shown)
    fate = f"✗ [{fault.index}]: the error"
    return HeapRecord(named[1], f"{fault.last + 1} elements", fields, more=fault.last + 1 - len(shown), fate=(fate,))


_INDEXED = pattern(r" in ([A-Za-z_]\w*)\[")
_LARGE = 1000  # elements


@dataclass(frozen=True)
class _Object:
    """An object with the end of what is known of it."""

    object: ExecutionObject
    end: int
    target: PointerTarget

    @property
    def base(self) -> int:
        return self.object.base

    @property
    def declared(self) -> SourceObject | None:
        return None if self.object.declared is None else self.object.declared.object


class _Heap:
    """Reads the heap of one step."""

    def __init__(self, record: RunRecord, program: Program, trace: TraceShown, index: int) -> None:
        self._program, self._trace = program, trace
        places = record.places_on(edge for edge, _ in trace.steps[: index + 1])
        self._place: Place = places[-1] if places else ((), 0)
        self._active = active_functions(program, self._place)
        self._naming = Naming(program, self._place)
        told = record.text.told(trace)
        assert told is not None
        self._all = told.objects
        self._lives, self._index, self._is_last = record.text.lifetimes(trace), index, index == len(trace.steps) - 1
        names = ChangedVariables(program, self._active)
        self._values = TraceValues()
        self._seen_by: dict[int, Term] = {}  # the first pointer to each address
        for _, changes in trace.steps[:index]:
            self._take(names, changes)
        self._known_before = self._addresses()
        self._changed = {one[:2] for change in trace.steps[index][1] for one in names.written(*change)}
        self._take(names, trace.steps[index][1])
        self._others = dict(_others(program, trace))
        self._met = self._addresses()
        self._objects: dict[int, _Object] = {}  # by base, in the order in which they are found

    def _take(self, names: ChangedVariables, changes: Sequence[tuple[str, str]]) -> None:
        for change in changes:
            for one, index, value in names.written(*change):
                self._values.put(one, index, value)
                if value and one in self._program.source.pointers:
                    self._seen_by.setdefault(value, one)

    def _addresses(self) -> set[int]:
        """The addresses that anything lies at or points to."""
        pointers = self._program.source.pointers
        found = {value for x, value in self._values.scalars.items() if x in pointers}
        for array, elements in self._values.elements.items():
            if array in pointers:
                found.update(elements.values())
            if array in self._all.memory:
                found.update(elements)
        return found - {0}

    # Variables

    def state(self) -> HeapState:
        pointers = list(self._pointers())
        for _, x, value in pointers:
            self._find(value, self._target(x))
        for base in self._lost & self._seen_by.keys():
            self._find(base, self._target(self._seen_by[base]))
        done = 0
        while done < len(self._objects) and len(self._objects) <= MAX_RECORDS:
            one = list(self._objects.values())[done]
            for array, index, _ in self._elements(one):
                self._find(self._values.elements[array][index], self._target(array))
            done += 1
        kept = sorted(list(self._objects)[:MAX_RECORDS])
        numbers = {base: number for number, base in enumerate(kept)}
        variables = tuple(self._field(name, x, None, value, numbers) for name, x, value in pointers)
        records = tuple(self._record(self._objects[base], numbers) for base in kept)
        return HeapState(variables, records, left_out=len(self._objects) - len(kept))

    @property
    def _lost(self) -> Set[int]:
        """The objects that are not released at the end of the trace, where that is the error."""
        fault = self._lives.fault
        return frozenset(() if fault is None or not self._is_last else fault.lost)

    def _pointers(self) -> Iterator[tuple[str, Term, int]]:
        """The pointer variables that can be named where the step ends, with their values."""
        source, program = self._program.source, self._program
        for x in source.pointers:
            known = program.variables.get(x)
            if known is None or isinstance(x.sort, ArraySort) or known.hidden:
                continue
            for frame in range(1 if known.scope is None else self._active.count(known.scope)):
                one = self._naming.in_frame(x, frame)
                name, value = self._naming.symbol(one), self._values.scalars.get(one)
                if value is not None and not name.startswith((SYMBOL, "\\")):
                    yield name, x, value

    def _target(self, pointer: Term) -> PointerTarget | None:
        number = self._program.source.pointers.get(pointer)
        return None if number is None else self._program.source.targets[number]

    # Objects

    def _find(self, address: int, target: PointerTarget | None) -> None:
        """Remember the object that lies at an address, as the first pointer sees it."""
        known = self._all.at(address) if address else None
        if known is not None and address != known.base and known.base in self._seen_by:  # it leads into the object
            whole = self._target(self._seen_by[known.base])
            target = whole if whole is not None and whole.parts else target
        if known is None or target is None or known.base in self._objects:
            return
        if known.declared is not None:
            end = known.base + extent(known.declared.object.parts)
        else:
            end = max((one + 1 for one in self._met if known.base <= one <= known.end), default=known.base)
        self._objects[known.base] = _Object(known, max(end, known.base + max(target.size, 1)), target)

    def _elements(self, owner: _Object) -> Iterator[tuple[Term, int, str]]:
        """The scalars of an object that are known, with their names in it."""
        if owner.declared is not None:
            parts, size = owner.declared.parts, owner.end - owner.base
        else:
            parts, size = owner.target.parts, max(owner.target.size, 1)
        several = owner.end - owner.base > size
        for index in sorted({i for part in parts for i in self._written(part.variable, owner)}):
            number, distance = divmod(index - owner.base, size)
            for part in parts:
                path = path_at(part.steps, distance) if index in self._written(part.variable, owner) else None
                if path is not None:
                    yield part.variable, index, f"{f'[{number}]' if several else ''}{path}"

    def _written(self, array: Term, one: _Object) -> Sequence[int]:
        return [index for index in self._values.elements.get(array, ()) if one.base <= index < one.end]

    # As they are shown

    def _record(self, owner: _Object, numbers: Mapping[int, int]) -> HeapRecord:
        read = [
            self._field(name.removeprefix("."), array, index, self._values.elements[array][index], numbers)
            for array, index, name in self._elements(owner)
        ]
        if owner.declared is None and owner.end - owner.base <= owner.target.size:
            read = list(self._with_unwritten(read, owner, owner.target.parts, numbers))
        name = self._all.name(owner.object, self._naming)
        addresses = range(owner.base, owner.end)
        is_new = owner.declared is None and not any(start in addresses for start in self._known_before)
        shown = sorted(read, key=lambda each: not each.changed)[:_MAX_FIELDS] if len(read) > _MAX_FIELDS else read
        fields = tuple(each for each in read if each in shown)
        fate, released = tuple(self._fate(owner)), self._is_released(owner)
        return HeapRecord(name, owner.target.type, fields, is_new, released, len(read) - len(fields), fate)

    def _fate(self, owner: _Object) -> Iterator[str]:
        """The end of the life of an object, and at the end of the trace the error in it."""
        ends = [one for one in self._lives.of_object(owner.base) if one.position <= self._index]
        if ends and ends[-1].is_end:
            yield f"✗ released in {ends[-1].line}" if owner.declared is None else "✗ gone: its block has ended"
        fault = self._lives.fault
        if fault is not None and fault.base == owner.base and self._is_last and not (ends and ends[-1].is_end):
            yield f"✗ byte {fault.offset}: the error"
        if owner.base in self._lost:
            yield "✗ not released"

    def _with_unwritten(
        self, known: Sequence[RecordField], one: _Object, parts: Sequence[SourcePart], numbers: Mapping[int, int]
    ) -> Iterator[RecordField]:
        """The fields of a record in the order of its type, also those that no step has written."""
        written = {each.name: each for each in known}
        for part in parts:
            if all(isinstance(step, MemberStep) for step in part.steps):
                name = "".join(f".{step.name}" for step in part.steps if isinstance(step, MemberStep) and step.name)
                name = name.removeprefix(".")
                index = one.base + sum(step.offset for step in part.steps if isinstance(step, MemberStep))
                other = self._others.get(part.variable)
                unknown = RecordField(name, "?")
                if other is not None:
                    here = self._field(name, part.variable, index, other, numbers)
                    never = self._is_fresh(one, part.variable)  # so the counterexample has chosen the value
                    unknown = replace(here, text=f"? (here {here.text})", target=None) if never else here
                yield written.pop(name, unknown)
        yield from written.values()

    def _is_fresh(self, owner: _Object, array: Term) -> bool:
        """Whether no step since the allocation of an object writes what it has in an array."""
        made = next((one.position for one in self._lives.of_object(owner.base) if not one.is_end), -1)
        operations = (
            self._program.edges[number].operation for number, _ in self._trace.steps[made + 1 : self._index + 1]
        )
        updates = (update for one in operations if isinstance(one, Assign) for update in one.updates)
        return not any(x is array and value not in self._program.inputs for x, value in updates)

    def _is_released(self, owner: _Object) -> bool:
        alive = None if self._program.memory is None else self._program.memory.lifetimes
        if alive is None or not alive.block:
            return False
        return self._values.elements.get(alive.sizes, {}).get(owner.base // alive.block) == 0

    def _field(self, name: str, of: Term, index: int | None, value: int, numbers: Mapping[int, int]) -> RecordField:
        changed = (of, index) in self._changed or any(x is of and at == index for x, at in self._changed)
        if self._target(of) is None:
            arena = self._program.arena
            term = of if index is None else arena.select(of, arena.integer(index))
            return RecordField(name, self._naming.value(term, value) or str(value), None, changed)
        known = self._all.at(value) if value else None
        target = None if known is None else numbers.get(known.base)
        return RecordField(name, self._all.pointer(value, self._naming), target, changed)


def _others(program: Program, trace: TraceShown) -> Iterator[tuple[Term, int]]:
    """The values that storage has where no step writes it, by the array: inputs of the counterexample."""
    arrays = {known.name: x for x, known in program.variables.items()}
    for _, name, *_, value in trace.inputs:
        found = OTHERS.search(value)
        if name in arrays and found is not None:
            yield arrays[name], int(found[1])
