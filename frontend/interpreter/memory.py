"""Byte-addressed memory of an interpreted program: objects far apart in one address space.

An address is an integer of the width of a pointer, so that casts between pointers and integers, unions and copies of
bytes mean what they mean on the machine. Every object lies on pages of its own with a guard behind them, so that a
pointer that leaves its object seldom meets another one; every access must lie within one living object. Where that is
asked for, objects know which of their bits were never written; bytes that are copied keep it.

Limitation: a pointer that jumps over the guard into another object is not noticed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from core.dataclass import dataclass
from core.program.properties import CheckKind
from frontend.typed.const_parts import ConstantParts

PAGE_BITS = 12
PAGE = 1 << PAGE_BITS
_FIRST = 1 << 20  # nothing lies near the null pointer
_QUARANTINE = 20_000  # dead objects whose addresses are not given out again
_MAX_BYTES = 1 << 28  # of all living objects
_MAX_PAGES = 1 << 20  # that are occupied, by dead objects too


class MemoryExhausted(Exception):
    """No addresses are left, or an object is larger than is reasonable to interpret."""


@dataclass(slots=True, eq=False)
class MemoryObject:
    """An object of `size` bytes at `base`; `name` is for messages. Functions are objects of size 0."""

    base: int
    size: int
    data: bytearray
    name: str
    heap: bool
    alive: bool = True
    writable: bool = True
    constant: bool = False
    """An object that is declared so, not a literal."""
    constant_bytes: bytes = b""
    """1 for each byte of a part that is declared constant, where not the whole object is."""
    literals: int = 0
    """The string literals that the object stands for: equal ones are one object here."""
    shares: bool = False
    """A compound literal of constant type, which need not be distinct from other literals (C11 6.5.2.5p7)."""
    alignment: int = 16
    """The address of the object is a multiple of this, wherever it lies."""
    is_placed: bool = False
    """Whether it was chosen where the object lies, which then decides about its alignment."""
    unset: bytearray | None = None
    """The bits to which nothing was written; None where all have values."""
    pointers: dict[int, int] = field(default_factory=dict)
    """The addresses that were stored, by offset, where these have no value but as addresses (`known`)."""

    def misaligned(self, address: int, alignment: int) -> bool:
        """Whether the address within the object is no multiple where this lies, or where it may lie."""
        if self.is_placed:
            return address % alignment != 0
        return (address - self.base) % alignment != 0 or self.alignment < alignment

    def lets(self, address: int, size: int) -> bool:
        """Whether bytes of the object may be written to."""
        start = address - self.base
        return self.writable or (bool(self.constant_bytes) and not any(self.constant_bytes[start : start + size]))

    @property
    def is_literal(self) -> bool:
        return self.literals > 0 or self.shares


class Unset(int):
    """The number that a variable without a value holds."""


class NoResult(int):
    """The number that a function returns which ends without a result."""


class NoRecord(bytes):
    """The bytes of a struct that a function returns which ends without a result."""


class PartlyUnset(bytes):
    """Bytes of which those bits that are 1 in `unset` have no value, but for those of `pointers` by offset."""

    unset: bytes = b""
    pointers: Mapping[int, int] = MappingProxyType({})


class Fault(Exception):
    """An access that C does not define; the message says why, and `kind` which check finds it."""

    def __init__(self, message: str, kind: CheckKind = CheckKind.DANGLING) -> None:
        super().__init__(message)
        self.kind = kind


class Memory:
    """The objects of one run. `pages` maps page numbers to the object that lies there, dead ones included."""

    def __init__(self, pointer_bits: int, largest_object: int = 1 << 27) -> None:
        self.fill = 0  # what the bytes of new objects on the heap hold
        self.literal_kind = CheckKind.DANGLING  # of writes to literals
        self.marks_unset = False  # whether objects know what was never written
        self.wanted: int | None = None  # where the next object is to lie, if it can
        self.pages: dict[int, MemoryObject] = {}
        self.mask = (1 << pointer_bits) - 1
        self._next = _FIRST
        self._end = 1 << min(pointer_bits, 47)
        self._guard = 16 * PAGE if pointer_bits <= 32 else 1 << 33
        self._largest = largest_object
        self._used = 0
        self._dead: deque[MemoryObject] = deque()

    def allocate(self, size: int, name: str, *, heap: bool = False, alignment: int = 16) -> int:
        """The address of a new object of `size` bytes, zero but on the heap. Raises MemoryExhausted."""
        return self.static(size, name, heap=heap, alignment=alignment)

    def static(self, size: int, name: str, *, heap: bool = False, alignment: int = 16) -> int:
        """The address of a new object that is there from the start. Raises MemoryExhausted."""
        if not 0 <= size <= self._largest:
            raise MemoryExhausted(f"an object of {size} bytes")
        extent, wanted = -(-max(size, 1) // PAGE) * PAGE, self.wanted
        self.wanted = None
        is_placed = wanted is not None and self._has_room(wanted, size)
        if wanted is None or not is_placed:
            wanted = self._reuse(extent) or self._fresh(extent)
        found = self.place(wanted, size, name, heap=heap)
        found.alignment, found.is_placed = alignment, is_placed
        return found.base

    def _has_room(self, base: int, size: int) -> bool:
        """Whether an object can lie there, on pages where none ever was."""
        pages = range(base >> PAGE_BITS, (base + max(size, 1) - 1 >> PAGE_BITS) + 1)
        return base >= PAGE and base + size < self.mask and not any(page in self.pages for page in pages)

    def place(self, base: int, size: int, name: str, *, heap: bool = False) -> MemoryObject:
        """A new object on pages where none is. Raises MemoryExhausted."""
        self._used += size
        if self._used > _MAX_BYTES or len(self.pages) > _MAX_PAGES:
            raise MemoryExhausted(f"{self._used} bytes on {len(self.pages)} pages")
        found = MemoryObject(base, size, bytearray([self.fill if heap else 0]) * size, name, heap)
        for page in range(base >> PAGE_BITS, (base + max(size, 1) + PAGE - 1) >> PAGE_BITS):
            self.pages[page] = found
        return found

    def _fresh(self, extent: int) -> int:
        while True:
            base = self._next
            self._next += extent + self._guard
            if self._next > self._end:
                raise MemoryExhausted("no addresses are left")
            if self._has_room(base - PAGE, extent + 2 * PAGE):
                return base

    def _reuse(self, extent: int) -> int | None:
        """The address of the object that died longest ago, where it lay on as many pages."""
        if len(self._dead) <= _QUARANTINE:
            return None
        oldest = self._dead.popleft()
        same = -(-max(oldest.size, 1) // PAGE) * PAGE == extent
        return oldest.base if same else None

    def release(self, address: int) -> None:
        """End the life of the object at `address`; later accesses to it are faults."""
        found = self.pages[address >> PAGE_BITS]
        found.alive = False
        found.data = bytearray()
        self._used -= found.size
        self._dead.append(found)

    def heap_object(self, address: int) -> MemoryObject:
        """The heap object that begins at `address`. Raises Fault."""
        found = self.pages.get(address >> PAGE_BITS)
        if found is None or found.base != address or not found.heap:
            raise Fault("free of something that malloc did not return", CheckKind.FREE)
        if not found.alive:
            raise Fault("free of memory that was freed before", CheckKind.FREE)
        return found

    def around(self, address: int) -> MemoryObject | None:
        """The object that has the byte at the address, or ends there; living or dead."""
        for page in (address >> PAGE_BITS, (address - 1) >> PAGE_BITS):
            found = self.pages.get(page)
            if found is not None and 0 <= address - found.base <= found.size:
                return found
        return None

    def locate(self, address: int, size: int) -> tuple[MemoryObject, int]:
        """The living object that holds `size` bytes at `address`, and the offset in it. Raises Fault."""
        found = self.pages.get(address >> PAGE_BITS)
        if found is not None and found.alive:
            offset = address - found.base
            if 0 <= offset <= found.size - size:
                return found, offset
        raise self.fault(address, size)

    def begin(self, address: int) -> int:
        """The address where the object begins that lies there, or lay there; 0 elsewhere."""
        found = self.pages.get(address >> PAGE_BITS)
        return 0 if found is None else found.base

    def fault(self, address: int, size: int) -> Fault:
        """The reason why `size` bytes at `address` cannot be accessed."""
        target = self.pages.get(address >> PAGE_BITS)
        if address < PAGE or address > self.mask - PAGE:
            return Fault("dereference of a null pointer", CheckKind.NULL)
        if target is None:
            return Fault("dereference of a pointer to no object")
        if not target.alive:
            return Fault(f"access to {target.name} after the end of its life")
        if 0 <= address - target.base <= target.size - size and not target.lets(address, size):
            return Fault(f"a write to {target.name}", CheckKind.CONST if target.constant else self.literal_kind)
        return Fault(
            f"access of {size} bytes at offset {address - target.base} of {target.name}, which has {target.size}"
        )

    def read(self, address: int, size: int) -> bytes:
        found, offset = self.locate(address, size)
        data = bytes(found.data[offset : offset + size])
        if found.unset is None or not any(found.unset[offset : offset + size]):
            return data
        part = PartlyUnset(data)
        part.unset = bytes(found.unset[offset : offset + size])
        return part

    def forget(self, address: int) -> None:
        """Nothing was written to the object at the address, where objects know that."""
        if self.marks_unset:
            found, _ = self.locate(address, 0)
            found.unset = bytearray(b"\xff") * found.size

    def part(self, address: int, size: int) -> bytes:
        """Bytes to be stored elsewhere."""
        return self.read(address, size)

    def write(self, address: int, data: bytes) -> None:
        target, offset = self.locate(address, len(data))
        if not target.lets(address, len(data)) and data:
            raise self.fault(address, len(data))
        target.data[offset : offset + len(data)] = data
        if target.unset is not None:
            kept = data.unset if isinstance(data, PartlyUnset) else bytes(len(data))
            target.unset[offset : offset + len(data)] = kept
        elif isinstance(data, PartlyUnset):
            target.unset = bytearray(target.size)
            target.unset[offset : offset + len(data)] = data.unset

    def settle(self, address: int) -> None:
        """Everything in the objects that a pointer leads to has a value from now on."""
        size, stack = self.mask.bit_length() // 8, [address]
        while stack:
            found = self.around(stack.pop())
            if found is not None and found.alive and found.unset is not None:
                found.unset = None
                starts = range(0, found.size - size + 1, size)
                stack += [int.from_bytes(found.data[k : k + size], "little") for k in starts]

    def protect(self, address: int) -> None:
        """Forbid writing to the object at the address from now on."""
        self.pages[address >> PAGE_BITS].writable = False

    def share(self, address: int) -> None:
        """Let the object at the address be one with other literals."""
        self.pages[address >> PAGE_BITS].shares = True

    def seal(self, address: int, is_constant: bool, parts: ConstantParts | None = None) -> None:
        """Forbid writing to a constant object, or to parts of one, or allow that it is initialised."""
        found = self.pages[address >> PAGE_BITS]
        found.constant, found.writable = is_constant, not is_constant
        if parts is not None and parts.stride:
            element = bytearray(parts.stride)
            for place, size in parts.parts:
                element[place : place + size] = b"\1" * size
            found.constant_bytes = bytes(element) * (found.size // parts.stride)

    def held(self) -> bool:
        """Whether an object from the heap is alive."""
        return any(one.heap and one.alive for one in self.pages.values())

    def string(self, address: int) -> bytes:
        """The bytes from `address` up to the first 0. Raises Fault where there is none in the object."""
        self.locate(address, 1)
        return self.up_to(address, 0)[0]

    def check_set(self, target: MemoryObject, offset: int, size: int) -> None:
        """Raise Fault unless something was written to all of a part."""
        if target.unset is not None and any(target.unset[offset : offset + size]):
            raise unset(target.name)

    def up_to(self, address: int, byte: int, most: int | None = None) -> tuple[bytes, bool]:
        """The bytes from `address`, at most so many, up to the first that is `byte`; and whether there is one. Raises
        Fault where the object ends before.
        """
        found, offset = self.locate(address, 0)
        last = found.size if most is None else min(found.size, offset + most)
        end = found.data.find(byte, offset, last)
        self.check_set(found, offset, (end + 1 if end >= 0 else last) - offset)
        if end < 0 and (most is None or last < offset + most):
            raise Fault(f"a string in {found.name} has no end")
        return bytes(found.data[offset : last if end < 0 else end]), end >= 0


def unset(name: str) -> Fault:
    """The fault of a read of an object without a value."""
    return Fault(f"a read of {name}, to which nothing was written", CheckKind.UNINITIALIZED)
