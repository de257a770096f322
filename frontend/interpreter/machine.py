"""The machine that runs compiled functions on an explicit call stack, with the functions that generated code calls.

The names in `Machine.environment` are the vocabulary of the generated text; `span` arguments index `Image.spans`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import repeat
from operator import length_hint
from struct import Struct
from typing import NoReturn, TypeVar

from core.dataclass import dataclass
from core.program import InputKind
from core.program.properties import CheckKind
from core.program.span import Span
from core.terms import ArrayValue
from frontend.interpreter.access import checked_loader, checked_storer, loader, storer
from frontend.interpreter.blocks import BlockFunction, Frame
from frontend.interpreter.image import Image
from frontend.interpreter.library import FRESH, LIBRARY, Exit, LibraryCall
from frontend.interpreter.memory import Fault, MemoryExhausted, NoRecord, NoResult, PartlyUnset, Unset, unset
from frontend.interpreter.outcome import (
    CONTENTS,
    ELSEWHERE,
    ELSEWHERE_AT,
    ELSEWHERE_SIZE,
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
from frontend.interpreter.parts import scalar_parts
from frontend.interpreter.statements import Compiled, compile_function, compile_initialisers
from frontend.properties.errors import Effect, ErrorPolicy
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind, Record

_CALL, _RETURN = -1, -2
_NULL_END = 1 << 12
_CHUNK = 1 << 16  # steps between looks at the clock
FORMATS = {8: "b", 16: "h", 32: "i", 64: "q"}

Accessed = TypeVar("Accessed")


class _Stop(Exception):
    """The run is over."""

    def __init__(self, outcome: RunOutcome) -> None:
        super().__init__()
        self.outcome = outcome


@dataclass(slots=True)
class _Routine:
    """A function ready to run."""

    steps: list[BlockFunction]
    parameters: int
    rest: list[object]  # the initial slots after the parameters


@dataclass(slots=True)
class _Pending:
    """The call that a block asked for."""

    routine: _Routine
    frame: Frame
    after: int


@dataclass(slots=True)
class _State:
    result: list[object] = field(default_factory=lambda: [0])
    pending: _Pending | None = None
    overflow: Span | None = None


class Machine:
    """One run of a program. Not reusable."""

    def __init__(
        self,
        unit: tree.TranslationUnit,
        policy: ErrorPolicy,
        inputs: Inputs,
        budget: Budget,
        image: Image | None = None,
    ) -> None:
        self._unit = unit
        self._policy = policy
        self._inputs = inputs
        self._budget = budget
        self._image = image or Image(unit)
        self._memory = self._image.memory
        self._memory.fill = inputs.fill
        if CheckKind.CONST in policy.kinds and CheckKind.DANGLING not in policy.kinds:
            self._memory.literal_kind = CheckKind.CONST
        self._memory.marks_unset = self._marks_unset = CheckKind.UNINITIALIZED in policy.kinds
        self._state = _State()
        self._routines: dict[str, _Routine] = {}
        self._occurrences: dict[tuple[InputKind, Span, str], int] = {}
        self._environment = self._vocabulary()
        self._deadline = time.process_time() + budget.seconds
        self.steps = 0
        """The basic blocks that were run."""

    def run(self) -> RunOutcome:
        """Run `main`. Raises Unsupported where the run meets a construct that is not interpreted."""
        try:
            self._fill_externals()
            self._execute(self._ready(compile_initialisers(self._image, self._policy)), ())
            self._seal_globals()
            self._execute(self._routine("main"), self._main_arguments())
            self._check_cleanup(self._unit.functions["main"].span)
        except _Stop as stop:
            return stop.outcome
        except MemoryExhausted as error:
            return LimitExceeded(f"memory: {error}")
        code = self._state.result[0]
        return Exited(code & 0xFF if isinstance(code, int) else 0)

    # The loop

    def _execute(self, routine: _Routine, arguments: Sequence[object]) -> None:
        state, stack = self._state, list[tuple[list[BlockFunction], int, Frame]]()
        steps, frame, position = routine.steps, _frame(routine, arguments), 0
        while True:
            self._look_at_clock()
            chunk = repeat(None, _CHUNK)
            try:
                for _ in chunk:
                    position = steps[position](frame)
                    if position >= 0:
                        continue
                    if position == _CALL and state.pending is not None:
                        call = state.pending
                        stack.append((steps, call.after, frame))
                        if len(stack) > self._budget.frames:
                            raise _Stop(LimitExceeded(f"{self._budget.frames} frames on the call stack"))
                        steps, frame, position = call.routine.steps, call.frame, 0
                    else:
                        self._release(frame)
                        if not stack:
                            return
                        steps, position, frame = stack.pop()
            finally:
                self.steps += _CHUNK - length_hint(chunk)

    def _look_at_clock(self) -> None:
        if self.steps > self._budget.steps:
            raise _Stop(LimitExceeded(f"{self._budget.steps} steps"))
        if time.process_time() > self._deadline:
            raise _Stop(LimitExceeded(f"{self._budget.seconds:g} s"))

    def _release(self, frame: Frame) -> None:
        owned = frame[0]
        if isinstance(owned, list):
            for address in owned:
                self._memory.release(address)

    def _routine(self, name: str) -> _Routine:
        found = self._routines.get(name)
        if found is None:
            function = self._unit.functions[name]
            found = self._routines[name] = self._ready(compile_function(self._image, self._policy, function))
        return found

    def _ready(self, compiled: Compiled) -> _Routine:
        names: dict[str, object] = {}
        exec(compiled.code, self._environment | compiled.tables, names)
        steps = [_step(names[f"b{index}"]) for index in range(compiled.blocks)]
        return _Routine(steps, compiled.parameters, [0] * (compiled.slots - 1 - compiled.parameters))

    def _main_arguments(self) -> tuple[object, ...]:
        """The values recorded for the parameters, else `argc` and `argv` of a program called without arguments."""
        size = self._image.model.pointer_size
        name = self._memory.allocate(8, "argv[0]")
        arguments = self._memory.allocate(2 * size, "argv")
        self._memory.write(name, b"program\0")
        self._memory.write(arguments, name.to_bytes(size, "little"))
        parameters = self._unit.functions["main"].parameters
        defaults = (1, arguments, arguments + size, *[0] * len(parameters))
        found = [self._next(InputKind.INDETERMINATE, one.span, one.name) for one in parameters]
        return tuple(given if isinstance(given, int) else other for given, other in zip(found, defaults, strict=False))

    # The vocabulary of generated text

    def _vocabulary(self) -> dict[str, object]:
        names: dict[str, object] = {
            "g": self._image.slots,
            "result": self._state.result,
            "call": self._call,
            "call_at": self._call_at,
            "give": self._give,
            "extern": self._extern,
            "fail": self._fail,
            "excluded": self._excluded,
            "div": self._divide,
            "rem": self._remainder,
            "distance": self._distance,
            "shl": self._shift_left,
            "overflow": self._overflow,
            "outside": self._outside,
            "moved": self._moved,
            "gap": self._gap,
            "positive": self._positive,
            "no_floats": self._no_floats,
            "unsupported": self._unsupported,
            "local": self._local,
            "renew": self._renew,
            "end": self._end,
            "zero": self._zero,
            "load_bytes": self._load_part,
            "store_bytes": self._store_bytes,
            "load_bits": self._load_bits,
            "store_bits": self._store_bits,
            "load128s": lambda address, span: int.from_bytes(self._load_set(address, 16, span), "little", signed=True),
            "load128u": lambda address, span: int.from_bytes(self._load_set(address, 16, span), "little"),
            "used": self._used,
            "seal": self._memory.seal,
            "aligned": self._aligned,
            "missing": self._missing,
            "needed": self._needed,
            "store128": lambda address, value, span: self._store_bytes(
                address, (value & (1 << 128) - 1).to_bytes(16, "little"), span
            ),
            "scalar": self._scalar,
            "storage": self._storage,
        }
        make_loader, make_storer = (checked_loader, checked_storer) if self._marks_unset else (loader, storer)
        for bits, letter in FORMATS.items():
            names[f"load{bits}s"] = make_loader(self._memory, Struct(f"<{letter}"), self._faulty)
            names[f"load{bits}u"] = make_loader(self._memory, Struct(f"<{letter.upper()}"), self._faulty)
            names[f"store{bits}"] = make_storer(self._memory, Struct(f"<{letter.upper()}"), self._faulty)
        names["load_byte"] = loader(self._memory, Struct("<B"), self._faulty)
        return names

    def _call(self, name: str, after: int, arguments: tuple[object, ...], span: int) -> int:
        routine = self._routine(name)
        if len(arguments) < routine.parameters:
            raise self._undefined(span, f"a call of {name} with too few arguments")
        self._state.pending = _Pending(routine, _frame(routine, arguments), after)
        return _CALL

    def _call_at(self, address: int, after: int, arguments: tuple[object, ...], span: int, record: int) -> int:
        name = self._image.function_at(address)
        if name is None:
            kind = CheckKind.NULL if address < _NULL_END else CheckKind.DANGLING
            raise self._undefined(span, "a call through a pointer to no function", kind)
        if self._policy.is_error(name):
            self._fail(span)
        if self._unit.functions[name].body is not None:
            types = self._unit.functions[name].type.parameters
            arguments = (*map(_passed, arguments, types), *arguments[len(types) :])
            return self._call(name, after, arguments, span)
        self._state.result[0] = self._extern(name, arguments, span, record)
        return after

    def _give(self, value: object) -> int:
        self._state.result[0] = value
        return _RETURN

    def _extern(self, name: str, arguments: tuple[object, ...], span: int, record: int) -> object:
        """The result of a function without body; `record` is the number of its type where that is a Record."""
        place = self._image.spans[span]
        numbers = tuple(one if isinstance(one, int) else 0 for one in arguments)
        effect, truth = self._policy.effect_of(name), any(numbers[:1])
        if effect is Effect.ASSUME and not truth:
            raise _Stop(AssumptionViolated(place))
        if effect is Effect.ASSERT_FAIL or (effect in (Effect.ASSERT, Effect.VERIFIER_ASSERT) and not truth):
            self._assertion_fails(effect, span)
        known = LIBRARY.get(name)
        if known is not None:
            return self._known(known, name, numbers, span)
        if effect is Effect.END or (effect is Effect.UNKNOWN and name in self._unit.no_return):
            raise _Stop(Aborted(place))
        kind = InputKind.NONDET if effect is Effect.NONDET else InputKind.EXTERN
        if self._marks_unset and effect in (Effect.UNKNOWN, Effect.NONDET):
            for one in numbers:
                self._memory.settle(one)
        if record:
            return self._record(kind, place, name, self._image.records[record - 1])
        value = self._next(kind, place, name)
        return value if isinstance(value, int) else 0

    def _known(self, known: Callable[[LibraryCall], int], name: str, numbers: tuple[int, ...], span: int) -> int:
        """The result of a function of the library; what an allocation does not fill holds what was recorded."""
        kept = b""
        if name.removeprefix("__builtin_") == "realloc" and any(numbers[:1]):
            found = self._memory.pages.get(numbers[0] >> 12)
            kept = b"" if found is None else bytes(found.data)
        result = self._library(known, name, numbers, span)
        if known is LIBRARY.get("abs") or name.endswith("labs"):
            self._check_magnitude(name, result, span)
        if name in FRESH and self._contents(result, self._image.spans[span]):
            found, _ = self._memory.locate(result, 0)
            found.data[: len(kept)] = kept[: found.size]
        return result

    def _check_magnitude(self, name: str, result: int, span: int) -> None:
        """A number without magnitude in its type is the only one whose magnitude is negative here."""
        if result < 0 and CheckKind.OVERFLOW in self._policy.kinds:
            raise self._undefined(span, f"{name}({result})", CheckKind.OVERFLOW)

    def _record(self, kind: InputKind, place: Span, name: str, type_: Record) -> bytes:
        """A result of Record type, from what was recorded for its parts."""
        data = bytearray(type_.layout.size)
        for part in scalar_parts(name, type_, len(data), self._image.model):
            part.fill(data, self._next(kind, place, part.name))
        return bytes(data)

    def _assertion_fails(self, effect: Effect, span: int) -> NoReturn:
        if effect is Effect.VERIFIER_ASSERT or self._policy.asserts is Effect.ASSERT:
            self._fail(span)
        raise _Stop(Aborted(self._image.spans[span]))

    def _library(self, known: Callable[[LibraryCall], int], name: str, numbers: tuple[int, ...], span: int) -> int:
        try:
            return known(LibraryCall(self._memory, numbers, self._image.model, self._policy.kinds))
        except Fault as fault:
            raise self._undefined(span, f"{name}: {fault}", fault.kind) from None
        except IndexError:
            raise self._undefined(span, f"a call of {name} with too few arguments") from None
        except Exit as ended:
            self._check_cleanup(self._image.spans[span])
            raise _Stop(Exited(ended.code)) from None

    def _check_cleanup(self, place: Span) -> None:
        if CheckKind.CLEANUP in self._policy.kinds and self._memory.held():
            raise _Stop(UndefinedBehaviour(place, "memory is not released", CheckKind.CLEANUP))

    def _fail(self, span: int) -> NoReturn:
        raise _Stop(ErrorReached(self._image.spans[span], self._state.overflow))

    def _excluded(self, span: int) -> NoReturn:
        raise _Stop(AssumptionViolated(self._image.spans[span]))

    def _undefined(self, span: int, what: str, kind: CheckKind | None = None) -> _Stop:
        return _Stop(UndefinedBehaviour(self._image.spans[span], what, kind))

    def _faulty(self, address: int, size: int, span: int) -> _Stop:
        fault = self._memory.fault(address, size)
        found = self._memory.around(address)
        if found is not None and found.alive and found.unset is not None:
            offset = address - found.base
            if 0 <= offset <= found.size - size and any(found.unset[offset : offset + size]):
                fault = unset(found.name)
        return self._undefined(span, str(fault), fault.kind)

    def _divide(self, left: int, right: int, maximum: int, span: int) -> int:
        if right == 0:
            raise self._undefined(span, "division by zero", CheckKind.DIVISION)
        quotient = abs(left) // abs(right)
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        if quotient > maximum:
            raise self._undefined(span, "overflow in a division", CheckKind.OVERFLOW)
        return quotient

    def _remainder(self, left: int, right: int, maximum: int, span: int) -> int:
        return left - right * self._divide(left, right, maximum, span)

    def _distance(self, distance: int, bits: int, span: int) -> int:
        if not 0 <= distance < bits:
            raise self._undefined(span, f"a shift by {distance} of a value of {bits} bits", CheckKind.SHIFT)
        return distance

    def _shift_left(self, left: int, distance: int, bits: int, span: int) -> int:
        """Of a signed value: not defined for a negative one and where the product leaves the type, but wraps."""
        value, half = left << self._distance(distance, bits, span), 1 << (bits - 1)
        if not 0 <= value < half:
            self._check_overflow(f"{left} << {distance}", bits, span)
        return (value + half & (1 << bits) - 1) - half

    def _check_overflow(self, value: object, bits: int, span: int) -> None:
        if CheckKind.OVERFLOW in self._policy.kinds:
            raise self._undefined(span, f"{value} in {bits} bits", CheckKind.OVERFLOW)

    def _overflow(self, value: int, bits: int, span: int) -> int:
        self._check_overflow(value, bits, span)
        if self._state.overflow is None:
            self._state.overflow = self._image.spans[span]
        half = 1 << (bits - 1)
        return (value + half & (1 << bits) - 1) - half

    def _outside(self, index: int, length: int, span: int) -> NoReturn:
        raise self._undefined(span, f"index {index} of an array of {length} elements", CheckKind.BOUNDS)

    def _moved(self, address: int, distance: int, span: int) -> int:
        moved = address + distance
        found = self._memory.around(address)
        if not (moved == address if found is None else found.alive and 0 <= moved - found.base <= found.size):
            where = "no object" if found is None else found.name
            raise self._undefined(span, f"a pointer into {where} is moved out of it", CheckKind.POINTER)
        return moved

    def _aligned(self, address: int, alignment: int, span: int) -> int:
        found = self._memory.around(address)
        if found is not None and ((address - found.base) % alignment or found.alignment < alignment):
            what = f"a pointer into {found.name} is not aligned to {alignment} bytes"
            raise self._undefined(span, what, CheckKind.ALIGNMENT)
        return address

    def _gap(self, left: int, right: int, span: int) -> int:
        if self._memory.around(left) is not self._memory.around(right):
            raise self._undefined(span, "pointers into two objects are put in order", CheckKind.POINTER)
        return left - right

    def _positive(self, length: int, span: int) -> int:
        if length <= 0:
            raise self._undefined(span, f"the length of an array is {length}", CheckKind.LENGTH)
        return length

    def _no_floats(self, span: int) -> NoReturn:
        raise Unsupported(self._image.spans[span], "floating point is not interpreted")

    def _unsupported(self, span: int, reason: str) -> NoReturn:
        raise Unsupported(self._image.spans[span], f"not interpreted: {reason}")

    # Memory

    def _local(self, frame: Frame, size: int, name: str, alignment: int = 16) -> int:
        address = self._memory.allocate(size, name, alignment=alignment)
        owned = frame[0]
        if isinstance(owned, list):
            owned.append(address)
        return address

    def _renew(self, frame: Frame, old: int, size: int, name: str, alignment: int) -> int:
        """A variable-length array in place of the one that was declared here before."""
        self._end(frame, old)
        return self._local(frame, size, name, alignment)

    def _end(self, frame: Frame, address: int) -> int:
        """End the life of a local object, if it has begun; returns the address of nothing."""
        owned = frame[0]
        if address and isinstance(owned, list):
            owned.remove(address)
            self._memory.release(address)
        return 0

    def _zero(self, address: int, size: int, span: int) -> None:
        self._store_bytes(address, bytes(size), span)

    def _load_bytes(self, address: int, size: int, span: int) -> bytes:
        return self._accessed(span, lambda: self._memory.read(address, size))

    def _load_part(self, address: int, size: int, span: int) -> bytes:
        return self._accessed(span, lambda: self._memory.part(address, size))

    def _store_bytes(self, address: int, data: bytes, span: int) -> None:
        self._accessed(span, lambda: self._memory.write(address, data))

    def _accessed(self, span: int, access: Callable[[], Accessed]) -> Accessed:
        """The result of an access to memory, which may be undefined."""
        try:
            return access()
        except Fault as fault:
            raise self._undefined(span, str(fault), fault.kind) from None

    def _load_set(self, address: int, size: int, span: int) -> bytes:
        data = self._load_bytes(address, size, span)
        if isinstance(data, PartlyUnset):
            raise self._faulty(address, size, span)
        return data

    def _used(self, value: object, span: int) -> object:
        """The contents of a variable: a value."""
        if isinstance(value, Unset):
            what = "a read of a variable to which nothing was written"
            raise self._undefined(span, what, CheckKind.UNINITIALIZED)
        return value

    def _missing(self, value: object) -> object:
        """The result of a function that ends without one."""
        if isinstance(value, bytes):
            return NoRecord(value)
        return NoResult(value) if isinstance(value, int) else value

    def _needed(self, value: object, span: int) -> object:
        """The result of a call, which is used."""
        if isinstance(value, NoResult | NoRecord):
            raise self._undefined(span, "the use of a result that was not returned", CheckKind.RETURN)
        return value

    def _load_bits(self, address: int, low: int, width: int, signed: bool, span: int) -> int:
        data = self._load_bytes(address, (low + width + 7) // 8, span)
        if isinstance(data, PartlyUnset) and int.from_bytes(data.unset, "little") >> low & (1 << width) - 1:
            raise self._faulty(address, len(data), span)
        value = int.from_bytes(data, "little") >> low & (1 << width) - 1
        return value - (1 << width) if signed and value >> (width - 1) else value

    def _store_bits(self, address: int, low: int, width: int, value: int, span: int) -> None:
        size = (low + width + 7) // 8
        mask = (1 << width) - 1
        data = self._load_bytes(address, size, span)
        after = (int.from_bytes(data, "little") & ~(mask << low) | (value & mask) << low).to_bytes(size, "little")
        if isinstance(data, PartlyUnset):
            after = PartlyUnset(after)
            after.unset = (int.from_bytes(data.unset, "little") & ~(mask << low)).to_bytes(size, "little")
        self._store_bytes(address, after, span)

    # Inputs

    def _next(self, kind: InputKind, span: Span, name: str) -> int | ArrayValue | None:
        """The value recorded for this execution of the input; None where none was."""
        recorded = self._inputs.at(kind, span)
        if not recorded:
            return None
        values = recorded.get(name)
        if values is None and len(recorded) == 1:
            values = next(iter(recorded.values()))  # a name of another form
        key = (kind, span, name)
        occurrence = self._occurrences.get(key, 0)
        self._occurrences[key] = occurrence + 1
        return None if values is None else values.get(occurrence)

    def _scalar(self, number: int, span: int) -> object:
        one = self._image.objects[number]
        value = self._next(InputKind.INDETERMINATE, self._image.spans[span], one.name)
        if not isinstance(value, int):
            value = int.from_bytes(bytes([self._inputs.fill]) * 16, "little")
            if isinstance(one.type, Integer) and one.type.kind is IntegerKind.BOOL:
                value &= 1
        found = one.type.convert(value) if isinstance(one.type, Integer) else value & self._memory.mask
        return Unset(found) if self._marks_unset and one.storage is not tree.Storage.EXTERNAL else found

    def _storage(self, number: int, address: int, span: int) -> None:
        """Fill an object in memory with what was recorded for it and its parts."""
        one, place = self._image.objects[number], self._image.spans[span]
        found, _ = self._memory.locate(address, 0)
        found.data[:] = bytes([self._inputs.fill]) * found.size
        if one.storage is not tree.Storage.EXTERNAL:
            self._memory.forget(address)
        if not self._inputs.at(InputKind.INDETERMINATE, place) or self._contents(address, place):
            return
        for part in scalar_parts(one.name, one.type, found.size, self._image.model):
            value = self._next(InputKind.INDETERMINATE, place, part.name)
            part.fill(found.data, value)

    def _contents(self, address: int, place: Span) -> bool:
        """Fill an object with the bytes that were recorded for it, if any."""
        if CONTENTS not in self._inputs.at(InputKind.INDETERMINATE, place):
            return False
        value = self._next(InputKind.INDETERMINATE, place, CONTENTS)
        found, _ = self._memory.locate(address, 0)
        if isinstance(value, ArrayValue):
            for offset, byte in value.entries.items():
                if 0 <= offset < found.size:
                    found.data[offset] = byte & 0xFF
        return True

    def _seal_globals(self) -> None:
        """Constant objects keep their first values, where writes are checked."""
        if CheckKind.CONST in self._policy.kinds:
            for declaration in self._unit.globals:
                one = declaration.object
                if one.name in self._unit.constant and not self._image.in_slot(one):
                    self._memory.seal(int(self._image.place(one)), True)

    def _fill_externals(self) -> None:
        """Objects that the unit only declares hold what was recorded at their declaration."""
        elsewhere = self._inputs.elsewhere()
        if elsewhere is not None:
            found = self._memory.place(ELSEWHERE_AT, ELSEWHERE_SIZE, ELSEWHERE)
            for at, byte in elsewhere.items():
                found.data[at] = byte
        for declaration in self._unit.globals:
            one = declaration.object
            if one.storage is not tree.Storage.EXTERNAL:
                continue
            if not self._inputs.at(InputKind.INDETERMINATE, declaration.span):
                continue  # zeros
            number = self._image.number(one)
            self._image.spans.append(declaration.span)
            span = len(self._image.spans) - 1
            if self._image.in_slot(one):
                slot = int(self._image.place(one)[2:-1])
                self._image.slots[slot] = self._scalar(number, span)
            else:
                self._storage(number, int(self._image.place(one)), span)


def _passed(argument: object, parameter: CType) -> object:
    """The argument of a call through a pointer as the function takes it, which may be of another type."""
    if isinstance(parameter, Integer) and isinstance(argument, int):
        return parameter.convert(argument)
    return argument


def _frame(routine: _Routine, arguments: Sequence[object]) -> Frame:
    return [[], *arguments[: routine.parameters], *routine.rest]


def _step(value: object) -> BlockFunction:
    if not callable(value):
        raise TypeError("a block is a function")
    return value
