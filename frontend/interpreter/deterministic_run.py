"""The run of a program without inputs: it ends as `Dependent` where what it does depends on anything from outside.

Inputs are the results of functions that nobody defines, the arguments of `main`, objects that are defined elsewhere,
storage that was never written, and addresses: all that a pointer tells is the place in its object. So where a run ends
otherwise, it is the only one, whatever the machine. Output is no input. Pointer arithmetic that leaves an object is
undefined behaviour here, whoever asks about it.
"""

from __future__ import annotations

from dataclasses import replace
from struct import Struct
from typing import NoReturn

from core.dataclass import dataclass
from core.program.indeterminate import Dependent, Indeterminate
from core.program.properties import ASSUMED, CheckKind
from frontend.interpreter import known
from frontend.interpreter.address_text import takes
from frontend.interpreter.image import Image
from frontend.interpreter.library import is_interpreted
from frontend.interpreter.machine import Machine
from frontend.interpreter.memory import PartlyUnset
from frontend.interpreter.outcome import Budget, DependentRun, Inputs, RunOutcome
from frontend.interpreter.storage import FORMATS
from frontend.libc.formats import COUNTS
from frontend.libc.texts import FAILS
from frontend.options import Malloc
from frontend.properties.errors import Effect, ErrorPolicy
from frontend.typed import tree
from frontend.typed.library_table import library_function

SEEN_IF_CLOSED = (CheckKind.BOUNDS, CheckKind.POINTER, CheckKind.LENGTH)
"""The undefined behaviour that ends a run without inputs, whoever asks about it."""
_WITHOUT_INPUT = (Effect.ASSUME, Effect.ASSERT, Effect.VERIFIER_ASSERT, Effect.ASSERT_FAIL, Effect.END, Effect.EXPECT)


@dataclass(frozen=True, slots=True)
class ClosedRun:
    """The end of a run without inputs, after so many basic blocks."""

    outcome: RunOutcome | DependentRun
    steps: int


def deterministic_run(unit: tree.TranslationUnit, policy: ErrorPolicy, budget: Budget) -> ClosedRun:
    """Run `main` of the unit without inputs. Raises Unsupported."""
    kinds = {**dict.fromkeys(SEEN_IF_CLOSED, ASSUMED), **policy.kinds}
    machine = _ClosedMachine(unit, replace(policy, kinds=kinds), budget)
    try:
        outcome: RunOutcome | DependentRun = machine.run()
    except Dependent as error:
        outcome = DependentRun(str(error))
    return ClosedRun(outcome, machine.steps)


class _ClosedMachine(Machine):
    """A machine to which everything from outside is indeterminate."""

    def __init__(self, unit: tree.TranslationUnit, policy: ErrorPolicy, budget: Budget) -> None:
        self._objects = known.KnownMemory(8 * unit.data_model.pointer_size)
        super().__init__(unit, policy, Inputs(), budget, Image(unit, self._objects))

    def _vocabulary(self) -> dict[str, object]:
        names = super()._vocabulary()
        for bits, letter in FORMATS.items():
            names[f"load{bits}s"] = known.loader(self._objects, Struct(f"<{letter}"), self._faulty)
            names[f"load{bits}u"] = known.loader(self._objects, Struct(f"<{letter.upper()}"), self._faulty)
            names[f"store{bits}"] = known.storer(self._objects, Struct(f"<{letter.upper()}"), self._faulty)
        address = Struct(f"<{FORMATS[8 * self._image.model.pointer_size].upper()}")
        return names | {
            "load_pointer": known.pointer_loader(self._objects, address, self._faulty),
            "store_pointer": known.pointer_storer(self._objects, address, self._faulty),
            "load_byte": names["load8u"],
            "cast": self._cast,
            "fits": self._fits,
        }

    # Inputs

    def _main_arguments(self) -> tuple[object, ...]:
        parameters = self._unit.functions["main"].parameters
        return tuple(Indeterminate(f"{one.source_name}, which the caller of main chooses") for one in parameters)

    def _fill_externals(self) -> None:
        for declaration in self._unit.globals:
            one = declaration.object
            if one.storage is tree.Storage.EXTERNAL and self._image.in_slot(one):
                value = Indeterminate(f"{one.source_name}, which is defined elsewhere")
                self._image.slots[int(self._image.place(one)[2:-1])] = value
            elif one.storage is tree.Storage.EXTERNAL:
                self._objects.forget(int(self._image.place(one)))

    def _scalar(self, number: int, span: int) -> object:
        name, place = self._image.objects[number].source_name, self._image.spans[span]
        return Indeterminate(f"{name}, which has no value at {place}")

    def _storage(self, number: int, address: int, span: int) -> None:
        self._objects.forget(address)

    def _missing(self, value: object) -> object:
        return known.unknown_bytes(len(value)) if isinstance(value, bytes) else super()._missing(value)

    def _used(self, value: object, span: int) -> object:
        if isinstance(value, Indeterminate):
            raise Dependent(value.name)
        return value

    def _truth(self, value: object, span: int) -> object:
        return value if isinstance(value, Indeterminate) else super()._truth(value, span)

    def _needed(self, value: object, span: int) -> object:
        if isinstance(value, PartlyUnset) and all(value.unset):
            self._depends("a result that was not returned", span)
        return self._used(value, span)

    def _extern(self, name: str, arguments: tuple[object, ...], span: int, record: int) -> object:
        if name == FAILS or library_function(name).fails is not None:
            if self._unit.malloc is Malloc.MAY_FAIL:
                self._depends("whether memory is out", span)
            if name == FAILS:
                return 0
        effect = self._policy.effect_of(name)
        if effect is Effect.OUTPUT and not self._counts(name, arguments):
            return Indeterminate(f"the result of {name}")
        if not is_interpreted(name) and effect not in _WITHOUT_INPUT:
            self._depends(f"{name}()", span)
        for one in arguments:
            if isinstance(one, Indeterminate):
                raise Dependent(one.name)
        return super()._extern(name, arguments, span, record)

    def _counts(self, name: str, arguments: tuple[object, ...]) -> bool:
        """Whether an output function may write the number of characters so far, as `%n` does."""
        format_ = library_function(name).format
        if format_ is None or format_.is_list:
            return format_ is not None
        text = arguments[format_.position] if format_.position < len(arguments) else None
        if text == 0:  # a body that knows the format does not hand it over
            return False
        return not isinstance(text, int) or COUNTS.search(self._objects.string(text).decode("latin-1")) is not None

    # Addresses

    def _depends(self, what: str, span: int) -> NoReturn:
        raise Dependent(f"{what} at {self._image.spans[span]}")

    def _cast(self, value: int, span: int) -> int:
        """A conversion between an address and a number, of which null is known."""
        if value != 0:
            self._depends("the number of an address", span)
        return value

    def _apart(self, left: int, right: int, span: int) -> int:
        """Whether two pointers are unequal, where that does not depend on where objects lie."""
        if not left or not right:
            return int(left != right)
        a, b = self._objects.around(left), self._objects.around(right)
        if left == right:
            if a is not None and a.literals > 1:
                self._depends("the comparison of equal string literals", span)
            return 0
        if a is None or a is not b:
            for found, address in ((a, left), (b, right)):
                if found is None or found.is_literal or not (found.writable or found.constant):
                    self._depends("the comparison of pointers", span)
                if address - found.base == found.size and self._image.function_at(address) is None:
                    self._depends("the comparison of a pointer behind an object", span)
        return 1

    def _gap(self, left: int, right: int, span: int) -> int:
        if left != right and self._objects.around(left) is None:
            self._depends("the order of pointers", span)
        return super()._gap(left, right, span)

    def _fits(self, address: int, kinds: tuple[bool, ...], span: int) -> None:
        """Check that a function takes and returns what its caller thinks: addresses or others."""
        name = self._image.function_at(address)
        if name is not None and not takes(self._unit.functions[name], kinds):
            self._depends(f"a call of {name} as of another type", span)

    # Memory

    def _load_bits(self, address: int, low: int, width: int, signed: bool, span: int) -> int:
        value = self._accessed(span, lambda: self._objects.bits(address, low, width))
        return value - (1 << width) if signed and value >> (width - 1) else value

    def _store_bits(self, address: int, low: int, width: int, value: int, span: int) -> None:
        self._accessed(span, lambda: self._objects.set_bits(address, low, width, value))
