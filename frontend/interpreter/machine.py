"""The machine that runs compiled functions on an explicit call stack.

The names in `Machine._vocabulary` are what generated text calls; `span` arguments index `Image.spans`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import repeat
from operator import length_hint
from typing import NoReturn

from core.dataclass import dataclass
from core.program import InputKind
from core.program.properties import CheckKind
from core.program.span import Span
from core.terms import ArrayValue
from frontend.interpreter.external_writes import CallWrites, Lead
from frontend.interpreter.image import Image
from frontend.interpreter.library import Exit, LibraryCall, interpreted, is_fresh
from frontend.interpreter.main_arguments import TooManyArguments, strings_of_main
from frontend.interpreter.memory import Fault, MemoryExhausted
from frontend.interpreter.outcome import (
    Aborted,
    AssumptionViolated,
    Budget,
    Exited,
    Inputs,
    LimitExceeded,
    RunOutcome,
    UndefinedBehaviour,
)
from frontend.interpreter.partial_operations import RunEnded
from frontend.interpreter.python_blocks import BlockFunction, Frame
from frontend.interpreter.statements import Compiled, compile_function, compile_initialisers
from frontend.interpreter.storage import ObjectStorage
from frontend.libc.texts import ERRNO, FAILURE, NO_MEMORY
from frontend.properties.errors import Effect, ErrorPolicy
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer
from frontend.typed.library_table import LibraryFunction, library_function
from frontend.typed.nonnull import never_null
from frontend.typed.qualifiers import reads_only

_CALL, _RETURN = -1, -2
_NULL_END = 1 << 12
_KINDS = {Effect.NONDET: InputKind.NONDET, Effect.VOLATILE: InputKind.VOLATILE}
_WRITING = (Effect.UNKNOWN, Effect.NONDET)
_CHUNK = 1 << 16  # steps between looks at the clock


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


class Machine(ObjectStorage):
    """One run of a program. Not reusable."""

    def __init__(
        self,
        unit: tree.TranslationUnit,
        policy: ErrorPolicy,
        inputs: Inputs,
        budget: Budget,
        image: Image | None = None,
    ) -> None:
        super().__init__(unit, image or Image(unit, inputs=inputs), policy, inputs)
        self._budget = budget
        self._state = _State()
        self._routines: dict[str, _Routine] = {}
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
        except RunEnded as stop:
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
                            raise RunEnded(LimitExceeded(f"{self._budget.frames} frames on the call stack"))
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
            raise RunEnded(LimitExceeded(f"{self._budget.steps} steps"))
        if time.process_time() > self._deadline:
            raise RunEnded(LimitExceeded(f"{self._budget.seconds:g} s"))

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
        """The values recorded for the parameters, else those of a program called without arguments."""
        main = self._unit.functions["main"]
        recorded = [self._next(InputKind.INDETERMINATE, one.span, one.name) for one in main.parameters]
        try:
            given = strings_of_main(self._unit, self._inputs, recorded[0] if recorded else None)
        except TooManyArguments as error:
            raise RunEnded(LimitExceeded(str(error))) from None
        arrays = {position: self._string_array(texts) for position, texts in given.arrays.items()}
        values = (arrays.get(k, one if isinstance(one, int) else 0) for k, one in enumerate(recorded))
        is_counted = any(isinstance(one.type, Integer) for one in main.parameters[:1])
        return tuple(given.count if k == 0 and is_counted else one for k, one in enumerate(values))

    def _string_array(self, texts: Sequence[bytes]) -> int:
        """The address of an array of pointers to strings, with null behind them."""
        size, pointers = self._image.model.pointer_size, list[int]()
        array = self._memory.allocate(size * (len(texts) + 1), "an array of arguments", alignment=size)
        for text in texts:
            pointers.append(self._memory.allocate(len(text) + 1, "an argument", alignment=1))
            self._memory.write(pointers[-1], text + b"\0")
        self._memory.write(array, b"".join(one.to_bytes(size, "little") for one in (*pointers, 0)))
        return array

    # The vocabulary of generated text

    def _vocabulary(self) -> dict[str, object]:
        return {
            "g": self._image.slots,
            "result": self._state.result,
            "call": self._call,
            "call_at": self._call_at,
            "give": self._give,
            "extern": self._extern,
            **self._operations(),
            **self._accesses(),
        }

    def _call(self, name: str, after: int, arguments: tuple[object, ...], span: int) -> int:
        routine = self._routine(name)
        if len(arguments) < routine.parameters:
            raise self._undefined(span, f"a call of {name} with too few arguments")
        self._state.pending = _Pending(routine, _frame(routine, arguments), after)
        return _CALL

    def _call_at(
        self, address: int, after: int, arguments: tuple[object, ...], span: int, record: int, number: int
    ) -> int:
        name, place = self._image.function_at(address), self._image.spans[span]
        if name is None and self._may_be_outside(address, place) and not record:
            self._state.result[0] = self._arbitrary(InputKind.EXTERN, "", arguments, place, record)
            return after
        if name is None:
            kind = CheckKind.NULL if address < _NULL_END else CheckKind.DANGLING
            raise self._undefined(span, "a call through a pointer to no function", kind)
        if not self._image.allows(self._image.calls[number], name, self._policy):
            self._mistyped(span)
        if self._policy.is_error(name):
            self._fail(span)
        if CheckKind.NONNULL in self._policy.kinds:
            for position in never_null(self._unit, self._image.calls[number], name):
                self._present(arguments[position], span)
        if self._unit.functions[name].body is not None:
            types = self._unit.functions[name].type.parameters
            arguments = (*map(_passed, arguments, types), *arguments[len(types) :])
            return self._call(name, after, arguments, span)
        self._state.result[0] = self._extern(name, arguments, span, record)
        return after

    def _may_be_outside(self, address: int, place: Span) -> bool:
        """Whether a function that the program does not make may be there: a result was recorded for the call."""
        is_recorded = bool(self._inputs.at(InputKind.EXTERN, place))
        return is_recorded and address != 0 and self._memory.around(address) is None

    def _give(self, value: object) -> int:
        self._state.result[0] = value
        return _RETURN

    # Functions without a body

    def _extern(self, name: str, arguments: tuple[object, ...], span: int, record: int) -> object:
        """The result of a function without body; `record` is the number of its type where that is a Record."""
        place = self._image.spans[span]
        numbers = tuple(one if isinstance(one, int) else 0 for one in arguments)
        effect, truth = self._policy.effect_of(name), any(numbers[:1])
        if library_function(name).never:
            raise self._undefined(span, f"{name}() is reached", CheckKind.UNREACHABLE)
        if effect is Effect.ASSUME and not truth:
            raise RunEnded(AssumptionViolated(place))
        if effect is Effect.ASSERT_FAIL or (effect in (Effect.ASSERT, Effect.VERIFIER_ASSERT) and not truth):
            self._assertion_fails(effect, span)
        known = interpreted(name)
        if known is not None:
            return self._known(known, name, numbers, span)
        if effect is Effect.END or (effect is Effect.UNKNOWN and name in self._unit.no_return):
            raise RunEnded(Aborted(place))
        kind = _KINDS.get(effect, InputKind.EXTERN)
        writes = effect in _WRITING and name not in self._unit.assumed.harmless
        return self._arbitrary(kind, name, arguments if writes else (), place, record)

    def _arbitrary(self, kind: InputKind, name: str, arguments: tuple[object, ...], place: Span, record: int) -> object:
        """The recorded result of a function that may write to what the arguments lead to."""
        declared = self._unit.functions.get(name)
        for position, one in enumerate(arguments) if self._marks_unset else ():
            if isinstance(one, int) and not (declared and reads_only(declared.type, position)):
                self._memory.settle(one)
        pointer = self._write_out(arguments, place)
        if record:
            return self._record(kind, place, name, self._image.records[record - 1])
        value = self._next(kind, place, name) if pointer is None else pointer
        return value if isinstance(value, int) else 0

    def _write_out(self, arguments: tuple[object, ...], place: Span) -> int | None:
        """Write what was recorded for this execution of the call through its arguments; returns the pointer into what
        they lead to that is its result, if it is one.
        """
        writes = CallWrites.of(self._inputs.at(InputKind.INDETERMINATE, place))
        addresses = {lead: self._led(lead, arguments) for lead in writes.leads}  # before anything is written
        for name, lead in writes.places.items():
            content = self._next(InputKind.INDETERMINATE, place, name)
            for distance, byte in content.entries.items() if isinstance(content, ArrayValue) else ():
                self._write_to(addresses[lead], distance, bytes((byte,)))
        size = self._image.model.pointer_size
        for name, one in writes.pointers.items():
            pointer = self._pointer_to(addresses[one.target], place, name)
            if pointer is not None:
                self._write_to(addresses[one.lead], one.distance, pointer.to_bytes(size, "little"))
        returned = [self._pointer_to(addresses[lead], place, name) for name, lead in writes.results.items()]
        return next((one for one in returned if one is not None), None)

    def _pointer_to(self, address: int | None, place: Span, name: str) -> int | None:
        """The address that the recorded distance leads to."""
        distance = self._next(InputKind.INDETERMINATE, place, name)
        if address is None or not isinstance(distance, int):
            return None
        return (address + distance) & self._memory.mask

    def _led(self, lead: Lead, arguments: tuple[object, ...]) -> int | None:
        """The address to which arguments lead; None where they lead to nothing."""
        address = arguments[lead.argument] if lead.argument < len(arguments) else None
        if not isinstance(address, int):
            return None
        try:
            for step in lead.steps:
                found = self._memory.read(address + step, self._image.model.pointer_size)
                address = int.from_bytes(found, "little")
        except Fault:
            return None
        return address

    def _write_to(self, address: int | None, distance: int, data: bytes) -> None:
        """Write where that can be written: what was recorded may be of another execution."""
        try:
            if address is not None:
                self._memory.write(address + distance, data)
        except Fault:
            pass

    def _known(self, row: Callable[[LibraryCall], int], name: str, numbers: tuple[int, ...], span: int) -> int:
        """The result of a function of the library; what an allocation does not fill holds what was recorded."""
        function = library_function(name)
        if function.fails is not None and self._fails(function, span):
            if function.fails == 0:
                self._set_errno(NO_MEMORY)
            return function.fails
        kept = b""
        if function.moves_object and any(numbers[:1]):
            found = self._memory.pages.get(numbers[0] >> 12)
            kept = b"" if found is None else bytes(found.data)
        if self._image.is_placed:
            self._choose_place(self._image.spans[span])
        result = self._library(row, name, numbers, span)
        if is_fresh(name) and self._contents(result, self._image.spans[span]):
            found, _ = self._memory.locate(result, 0)
            found.data[: len(kept)] = kept[: found.size]
        return result

    def _set_errno(self, value: int) -> None:
        for declaration in self._unit.globals:
            one = declaration.object
            if one.source_name != ERRNO:
                continue
            if self._image.in_slot(one):
                self._image.slots[int(self._image.place(one)[2:-1])] = value
            else:
                self._memory.write(int(self._image.place(one)), value.to_bytes(4, "little"))

    def _fails(self, function: LibraryFunction, span: int) -> bool:
        """Whether it was recorded that this call fails to allocate."""
        place, failure = self._image.spans[span], function.name + FAILURE
        if failure not in self._inputs.at(InputKind.EXTERN, place):
            return False
        return self._next(InputKind.EXTERN, place, failure) == 1

    def _assertion_fails(self, effect: Effect, span: int) -> NoReturn:
        if effect is Effect.VERIFIER_ASSERT or self._policy.asserts is Effect.ASSERT:
            self._fail(span)
        raise RunEnded(Aborted(self._image.spans[span]))

    def _library(self, known: Callable[[LibraryCall], int], name: str, numbers: tuple[int, ...], span: int) -> int:
        try:
            return known(LibraryCall(self._memory, numbers, self._image.model, self._policy.kinds))
        except Fault as fault:
            raise self._undefined(span, f"{name}: {fault}", fault.kind) from None
        except IndexError:
            raise self._undefined(span, f"a call of {name} with too few arguments") from None
        except Exit as ended:
            self._check_cleanup(self._image.spans[span])
            raise RunEnded(Exited(ended.code)) from None

    def _check_cleanup(self, place: Span) -> None:
        if CheckKind.CLEANUP in self._policy.kinds and self._memory.held():
            raise RunEnded(UndefinedBehaviour(place, "memory is not released", CheckKind.CLEANUP))


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
