"""Objects of a run: accesses to memory, the lives of local objects, and what storage holds at first.

`span` arguments index `Image.spans`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from struct import Struct
from typing import TypeVar

from core.program import InputKind
from core.program.properties import CheckKind
from core.program.span import Span
from core.terms import ArrayValue
from frontend.elaboration.registers import address_of, is_made_for_registers
from frontend.interpreter.access import checked_loader, checked_storer, loader, storer
from frontend.interpreter.arrangement import Arrangement
from frontend.interpreter.image import Image
from frontend.interpreter.memory import PAGE, PAGE_BITS, Fault, MemoryObject, PartlyUnset, Unset
from frontend.interpreter.outcome import CONTENTS, ELSEWHERE, ELSEWHERE_AT, ELSEWHERE_SIZE, Inputs
from frontend.interpreter.partial_operations import Operations
from frontend.interpreter.parts import scalar_parts
from frontend.interpreter.python_blocks import Frame
from frontend.options import Volatile
from frontend.properties.errors import ErrorPolicy
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.casts import LAYOUT, PLACE, uses_numbers
from frontend.typed.ctype import Float, FloatKind, Integer, IntegerKind, Record
from frontend.typed.floats import NAN_BITS
from frontend.typed.traversal import unit_nodes, unit_roots

_LONGEST = 10
"""Bytes of a floating-point number; behind them in memory is padding."""
FORMATS = {8: "b", 16: "h", 32: "i", 64: "q"}

Accessed = TypeVar("Accessed")


class ObjectStorage(Operations):
    """The objects of a program and the inputs that were recorded for them and for functions without bodies."""

    def __init__(self, unit: tree.TranslationUnit, image: Image, policy: ErrorPolicy, inputs: Inputs) -> None:
        super().__init__(image, policy)
        self._unit = unit
        self._inputs = inputs
        self._arrangement = Arrangement()
        self._occurrences: dict[tuple[InputKind, Span, str], int] = {}
        self._memory.fill = inputs.fill
        if CheckKind.CONST in policy.kinds and CheckKind.DANGLING not in policy.kinds:
            self._memory.literal_kind = CheckKind.CONST
        self._memory.marks_unset = self._marks_unset = CheckKind.UNINITIALIZED in policy.kinds

    def _accesses(self) -> dict[str, object]:
        """The part of the vocabulary of generated text that is here."""
        names: dict[str, object] = {
            "local": self._local,
            "renew": self._renew,
            "end": self._end,
            "zero": self._zero,
            "load_bytes": self._load_part,
            "store_bytes": self._store_bytes,
            "load_float": self._load_float,
            "store_float": self._store_float,
            "load_bits": self._load_bits,
            "store_bits": self._store_bits,
            "load128s": lambda address, span: int.from_bytes(self._load_set(address, 16, span), "little", signed=True),
            "load128u": lambda address, span: int.from_bytes(self._load_set(address, 16, span), "little"),
            "store128": lambda address, value, span: self._store_bytes(
                address, (value & (1 << 128) - 1).to_bytes(16, "little"), span
            ),
            "seal": self._seal,
            "share": self._memory.share,
            "leads": self._leads,
            "scalar": self._scalar,
            "storage": self._storage,
            "apart": self._apart,
        }
        make_loader, make_storer = (checked_loader, checked_storer) if self._marks_unset else (loader, storer)
        for bits, letter in FORMATS.items():
            names[f"load{bits}s"] = make_loader(self._memory, Struct(f"<{letter}"), self._faulty)
            names[f"load{bits}u"] = make_loader(self._memory, Struct(f"<{letter.upper()}"), self._faulty)
            names[f"store{bits}"] = make_storer(self._memory, Struct(f"<{letter.upper()}"), self._faulty)
        names["load_byte"] = loader(self._memory, Struct("<B"), self._faulty)
        return names

    # Accesses

    def _local(self, frame: Frame, size: int, name: str, alignment: int = 16, span: int | None = None) -> int:
        if span is not None:
            self._choose_place(self._image.spans[span])
        address = self._memory.allocate(size, name, alignment=alignment)
        owned = frame[0]
        if isinstance(owned, list):
            owned.append(address)
        return address

    def _choose_place(self, span: Span) -> None:
        """Have the next object lie where that was recorded."""
        is_recorded = PLACE in self._inputs.at(InputKind.EXTERN, span)
        wanted = self._next(InputKind.EXTERN, span, PLACE) if is_recorded else None
        self._memory.wanted = wanted if isinstance(wanted, int) else None

    def _renew(self, frame: Frame, old: int, size: int, name: str, alignment: int, span: int | None = None) -> int:
        """A variable-length array in place of the one that was declared here before."""
        self._end(frame, old)
        return self._local(frame, size, name, alignment, span)

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

    def _load_float(self, address: int, type_: str, span: int) -> int:
        """The ordinal of a floating-point number in memory."""
        from frontend.interpreter.floats import number_of  # what only programs with such numbers need
        from frontend.typed.float_formats import format_of

        kind = Float(FloatKind(type_))
        data = self._load_set(address, self._image.model.size_of(kind), span)
        return number_of(format_of(kind), int.from_bytes(data[:_LONGEST], "little"))

    def _store_float(self, address: int, number: int, type_: str, span: int) -> None:
        from frontend.interpreter.floats import bits_of  # what only programs with such numbers need
        from frontend.typed.float_formats import format_of

        kind = Float(FloatKind(type_))
        format_ = format_of(kind)
        if number == format_.nan and self._inputs.has(NAN_BITS):
            raise Unsupported(self._image.spans[span], "the bits of a NaN are open, and the program may read them")
        size = self._image.model.size_of(kind)
        self._store_bytes(address, bits_of(format_, number).to_bytes(size, "little"), span)

    def _leads(self, address: int, size: int, span: int) -> None:
        """Check that a pointer leads to so many bytes, where accesses are checked."""
        try:
            self._memory.locate(address, size)
        except Fault as fault:
            if fault.kind in self._policy.kinds:
                raise self._undefined(span, str(fault), fault.kind) from None

    # Comparisons

    def _apart(self, left: int, right: int, span: int) -> int:
        """Whether two pointers are unequal; where that depends on where objects lie, what was recorded."""
        place = self._image.spans[span]
        is_recorded = LAYOUT in self._inputs.at(InputKind.EXTERN, place)
        wanted = self._next(InputKind.EXTERN, place, LAYOUT) if is_recorded else 0
        left, right = left & self._memory.mask, right & self._memory.mask
        a, b = self._memory.around(left), self._memory.around(right)
        if a is None or b is None or a is b or not (a.alive and b.alive and self._lies_anywhere):
            return int(left != right)
        if self._image.function_at(a.base) is not None or self._image.function_at(b.base) is not None:
            return int(left != right)
        places = (a, left - a.base), (b, right - b.base)
        return int(not self._arrangement.are_equal(*places, wanted=wanted == 1))

    @cached_property
    def _lies_anywhere(self) -> bool:
        """Whether it was recorded where objects lie, in a program that sees of addresses only how they compare."""
        return self._inputs.has(LAYOUT) and not uses_numbers(*unit_roots(self._unit))

    # What storage holds at first

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
            value = 0 if isinstance(one.type, Float) else int.from_bytes(bytes([self._inputs.fill]) * 16, "little")
            if isinstance(one.type, Integer) and one.type.kind is IntegerKind.BOOL:
                value &= 1
        if isinstance(one.type, Integer):
            found = one.type.convert(value)
        else:
            found = value if isinstance(one.type, Float) else value & self._memory.mask
        return Unset(found) if self._marks_unset and one.storage is not tree.Storage.EXTERNAL else found

    def _storage(self, number: int, address: int, span: int) -> None:
        """Fill an object in memory with what was recorded for it and its parts."""
        one, place = self._image.objects[number], self._image.spans[span]
        target, _ = self._memory.locate(address, 0)
        target.data[:] = bytes([self._inputs.fill]) * target.size
        if one.storage is not tree.Storage.EXTERNAL:
            self._memory.forget(address)
        if not self._inputs.at(InputKind.INDETERMINATE, place) or self._contents(address, place):
            return
        for part in scalar_parts(one.name, one.type, target.size, self._image.model):
            value = self._next(InputKind.INDETERMINATE, place, part.name)
            part.fill(target.data, value)

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

    def _record(self, kind: InputKind, place: Span, name: str, type_: Record) -> bytes:
        """A result of Record type, from what was recorded for its parts."""
        data = bytearray(type_.layout.size)
        for part in scalar_parts(name, type_, len(data), self._image.model):
            part.fill(data, self._next(kind, place, part.name))
        return bytes(data)

    def _seal(self, address: int, is_constant: bool, number: int) -> None:
        self._memory.seal(address, is_constant, self._image.constants[number])

    def _seal_globals(self) -> None:
        """Constant objects keep their first values, where writes are checked."""
        if CheckKind.CONST in self._policy.kinds:
            for declaration in self._unit.globals:
                one = declaration.object
                if number := self._image.constancy(one):
                    self._seal(int(self._image.place(one)), True, number)

    def _place_registers(self, contents: Mapping[int, int]) -> None:
        """There are objects at the constant addresses of the program; what reads of volatile ones give is recorded."""
        is_checked = CheckKind.DANGLING in self._policy.kinds  # then there are only those that the types tell
        nodes = (node for node in unit_nodes(self._unit) if not is_checked or is_made_for_registers(node))
        addresses = map(address_of, nodes)
        pages = {(address & self._memory.mask) >> PAGE_BITS for address in addresses if address is not None}
        for page in sorted(pages - self._memory.pages.keys()):
            found = self._memory.place(page << PAGE_BITS, PAGE, "the objects at constant addresses")
            _fill(found, contents, found.base)

    def _fill_externals(self) -> None:
        """Objects that the unit only declares hold what was recorded at their declaration."""
        elsewhere = self._inputs.elsewhere()
        if elsewhere is not None:
            found = self._memory.place(ELSEWHERE_AT, ELSEWHERE_SIZE, ELSEWHERE)
            _fill(found, elsewhere, 0)
        if self._unit.volatile is Volatile.ARBITRARY or CheckKind.DANGLING not in self._policy.kinds:
            self._place_registers(elsewhere or {})
        for declaration in self._unit.globals:
            variable = declaration.object
            if variable.storage is not tree.Storage.EXTERNAL:
                continue
            if not self._inputs.at(InputKind.INDETERMINATE, declaration.span):
                continue  # zeros
            number = self._image.add_object(variable)
            self._image.spans.append(declaration.span)
            span = len(self._image.spans) - 1
            if self._image.in_slot(variable):
                slot = int(self._image.place(variable)[2:-1])
                self._image.slots[slot] = self._scalar(number, span)
            else:
                self._storage(number, int(self._image.place(variable)), span)


def _fill(target: MemoryObject, contents: Mapping[int, int], origin: int) -> None:
    """Give an object the bytes whose addresses lie in it, from `origin` on."""
    for address, byte in contents.items():
        if 0 <= address - origin < target.size:
            target.data[address - origin] = byte
