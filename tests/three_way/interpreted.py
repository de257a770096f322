"""Runs in the interpreter of typed C and in the simulation of the Program, with what they did on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.program import Program
from core.program.span import Span
from core.terms import ArrayValue, Value
from frontend.interpreter import (
    Aborted,
    AssumptionViolated,
    Budget,
    ErrorReached,
    Exited,
    Inputs,
    LimitExceeded,
    RunOutcome,
    UndefinedBehaviour,
)
from frontend.interpreter.library import LibraryCall
from frontend.interpreter.machine import Machine
from frontend.interpreter.parts import Part, scalar_parts
from frontend.properties.errors import ErrorPolicy
from frontend.typed import tree
from frontend.typed.ctype import Array, Integer, Record, RecordKind
from tests.support.compiled import Compiled, Supply
from tests.three_way.run import MAX_CALLS, End, Run


class _Traced(Machine):
    """Notes the functions that are called, and whether exit was."""

    def __init__(self, unit: tree.TranslationUnit, policy: ErrorPolicy, inputs: Inputs, budget: Budget) -> None:
        self.calls: list[str] = ["main"]
        self.exited = False
        super().__init__(unit, policy, inputs, budget)

    def _call(self, name: str, after: int, arguments: tuple[object, ...], span: int) -> int:
        if len(self.calls) < MAX_CALLS:
            self.calls.append(name)
        return super()._call(name, after, arguments, span)

    def _library(self, known: Callable[[LibraryCall], int], name: str, numbers: tuple[int, ...], span: int) -> int:
        self.exited = name.lstrip("_").removeprefix("builtin_") in ("exit", "Exit", "quick_exit")
        return super()._library(known, name, numbers, span)

    def contents(self, one: tree.Object, size: int) -> bytes:
        """The bytes of a global."""
        if self._image.in_slot(one):
            value = self._image.slots[int(self._image.place(one)[2:-1])]
            return ((value if isinstance(value, int) else 0) & (1 << 8 * size) - 1).to_bytes(size, "little")
        return self._memory.read(int(self._image.place(one)), size)


def interpret(unit: tree.TranslationUnit, policy: ErrorPolicy, inputs: Inputs, budget: Budget) -> Run:
    """Raises Unsupported."""
    machine = _Traced(unit, policy, inputs, budget)
    outcome = machine.run()
    end, line, detail = _ended(outcome, machine.exited)
    contents = {one.name: machine.contents(one, size) for one, size in listed(unit)}
    return Run(end, line, tuple(machine.calls), globals_of(unit, contents), detail)


def _ended(outcome: RunOutcome, exited: bool) -> tuple[End, int, str]:
    match outcome:
        case ErrorReached(span):
            return End.ERROR, span.line, ""
        case Exited():
            return (End.STOPPED if exited else End.RETURNED), 0, ""
        case Aborted(span) | AssumptionViolated(span):
            return End.STOPPED, 0, f"line {span.line}"
        case UndefinedBehaviour(span, what):
            return End.UNDEFINED, 0, f"line {span.line}: {what}"
        case LimitExceeded(what):
            return End.CUT, 0, what


def simulate(program: Compiled, unit: tree.TranslationUnit, supply: Supply, steps: int) -> Run:
    found = program.run(supply, steps, MAX_CALLS)
    values = _simulated_globals(unit, found.globals)
    calls = tuple(name for name in found.calls if _is_own(unit, name))
    if found.check is not None:
        return Run(End.ERROR, found.check.span.line, calls, values, steps=found.steps)
    if found.ended:
        return Run(End.RETURNED, 0, calls, values, steps=found.steps)
    if found.stuck is not None:
        place = _place(program.program, found.stuck)
        return Run(End.STOPPED, 0, calls, values, f"line {place.line}" if place else "", found.steps)
    return Run(End.CUT, 0, calls, {}, steps=found.steps)


def _is_own(unit: tree.TranslationUnit, name: str) -> bool:
    """Whether the program defines the function: the lowering brings some of the library along."""
    return name in unit.functions and unit.functions[name].body is not None


def _place(program: Program, location: int) -> Span | None:
    return program.locations[location].span


def _simulated_globals(unit: tree.TranslationUnit, values: Mapping[str, Value]) -> dict[str, int | tuple[int, ...]]:
    found: dict[str, int | tuple[int, ...]] = {}
    for one, size in listed(unit):
        for part in scalar_parts(one.name, one.type, size, unit.data_model):
            value = values.get(part.name)
            if isinstance(value, ArrayValue) and part.arrays:
                found[part.name] = tuple(value[index] for index in range(count_of(part)))
            elif value is not None and not isinstance(value, ArrayValue) and not part.arrays:
                found[part.name] = int(value)
    return {name: value for name, value in found.items() if name in _integers(unit)}


# Globals


def listed(unit: tree.TranslationUnit) -> list[tuple[tree.Object, int]]:
    """The file-scope objects of known size that hold integers, once each, with their sizes."""
    found: dict[str, tuple[tree.Object, int]] = {}
    for declaration in unit.globals:
        one = declaration.object
        if one.storage is tree.Storage.EXTERNAL or one.function is not None or one.name != one.source_name:
            continue
        try:
            size = unit.data_model.size_of(one.type)
        except ValueError:
            continue
        if 0 < size <= 1 << 15 and not _is_array_of_unknown_length(one):
            found[one.name] = one, size
    return list(found.values())


def _is_array_of_unknown_length(one: tree.Object) -> bool:
    return isinstance(one.type, Array) and not isinstance(one.type.length, int)


def _integers(unit: tree.TranslationUnit) -> frozenset[str]:
    return frozenset(
        part.name
        for one, size in listed(unit)
        for part in scalar_parts(one.name, one.type, size, unit.data_model)
        if isinstance(part.type, Integer)
    )


def globals_of(unit: tree.TranslationUnit, contents: Mapping[str, bytes]) -> dict[str, int | tuple[int, ...]]:
    """The integers in the bytes of globals, under the names of the lowering."""
    found: dict[str, int | tuple[int, ...]] = {}
    for one, size in listed(unit):
        data = contents.get(one.name)
        if data is None or (isinstance(one.type, Record) and one.type.kind is RecordKind.UNION):
            continue
        for part in scalar_parts(one.name, one.type, size, unit.data_model):
            if isinstance(part.type, Integer):
                numbers = tuple(_number(data, part, index) for index in range(count_of(part)))
                found[part.name] = numbers if part.arrays else numbers[0]
    return found


def count_of(part: Part) -> int:
    count = 1
    for length, _ in part.arrays:
        count *= length
    return count


def _number(data: bytes, part: Part, index: int) -> int:
    start = part.low
    for length, stride in reversed(part.arrays):
        index, position = divmod(index, max(1, length))
        start += 8 * position * stride
    value = int.from_bytes(data, "little") >> start & (1 << part.width) - 1
    signed = isinstance(part.type, Integer) and part.type.signed
    return value - (1 << part.width) if signed and value >> (part.width - 1) else value
