"""Byte-addressed memory of an interpreted program: objects far apart in one address space.

An address is an integer of the width of a pointer, so that casts between pointers and integers, unions and copies of
bytes mean what they mean on the machine. Every object lies on pages of its own with a guard behind them, so that a
pointer that leaves its object seldom meets another one; every access must lie within one living object.

Limitations: a pointer that jumps over the guard into another object is not noticed, nor is a read of bytes that were
never written.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from core.program.properties import CheckKind

_PAGE_BITS = 12
_PAGE = 1 << _PAGE_BITS
_FIRST = 1 << 20  # nothing lies near the null pointer
_QUARANTINE = 20_000  # dead objects whose addresses are not given out again


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


class Fault(Exception):
    """An access that C does not define; the message says why, and `kind` which check finds it."""

    def __init__(self, message: str, kind: CheckKind = CheckKind.DANGLING) -> None:
        super().__init__(message)
        self.kind = kind


class Memory:
    """The objects of one run. `pages` maps page numbers to the object that lies there, dead ones included."""

    def __init__(self, pointer_bits: int, largest_object: int = 1 << 27) -> None:
        self.fill = 0  # what the bytes of new objects on the heap hold
        self.pages: dict[int, MemoryObject] = {}
        self.mask = (1 << pointer_bits) - 1
        self._next = _FIRST
        self._end = 1 << min(pointer_bits, 47)
        self._guard = 16 * _PAGE if pointer_bits <= 32 else 1 << 33
        self._largest = largest_object
        self._dead: deque[MemoryObject] = deque()

    def allocate(self, size: int, name: str, *, heap: bool = False) -> int:
        """The address of a new object of `size` bytes, zero but on the heap. Raises MemoryExhausted."""
        if not 0 <= size <= self._largest:
            raise MemoryExhausted(f"an object of {size} bytes")
        extent = -(-max(size, 1) // _PAGE) * _PAGE
        return self.place(self._reuse(extent) or self._fresh(extent), size, name, heap=heap).base

    def place(self, base: int, size: int, name: str, *, heap: bool = False) -> MemoryObject:
        """A new object at an address where none is: the begin of a page."""
        found = MemoryObject(base, size, bytearray([self.fill if heap else 0]) * size, name, heap)
        for page in range(base >> _PAGE_BITS, (base + max(size, 1) + _PAGE - 1) >> _PAGE_BITS):
            self.pages[page] = found
        return found

    def _fresh(self, extent: int) -> int:
        base = self._next
        self._next += extent + self._guard
        if self._next > self._end:
            raise MemoryExhausted("no addresses are left")
        return base

    def _reuse(self, extent: int) -> int | None:
        """The address of the object that died longest ago, where it lay on as many pages."""
        if len(self._dead) <= _QUARANTINE:
            return None
        oldest = self._dead.popleft()
        same = -(-max(oldest.size, 1) // _PAGE) * _PAGE == extent
        return oldest.base if same else None

    def release(self, address: int) -> None:
        """End the life of the object at `address`; later accesses to it are faults."""
        found = self.pages[address >> _PAGE_BITS]
        found.alive = False
        found.data = bytearray()
        self._dead.append(found)

    def heap_object(self, address: int) -> MemoryObject:
        """The heap object that begins at `address`. Raises Fault."""
        found = self.pages.get(address >> _PAGE_BITS)
        if found is None or found.base != address or not found.heap:
            raise Fault("free of something that malloc did not return", CheckKind.FREE)
        if not found.alive:
            raise Fault("free of memory that was freed before", CheckKind.FREE)
        return found

    def around(self, address: int) -> MemoryObject | None:
        """The object that has the byte at the address, or ends there; living or dead."""
        for page in (address >> _PAGE_BITS, (address - 1) >> _PAGE_BITS):
            found = self.pages.get(page)
            if found is not None and 0 <= address - found.base <= found.size:
                return found
        return None

    def locate(self, address: int, size: int) -> tuple[MemoryObject, int]:
        """The living object that holds `size` bytes at `address`, and the offset in it. Raises Fault."""
        found = self.pages.get(address >> _PAGE_BITS)
        if found is not None and found.alive:
            offset = address - found.base
            if 0 <= offset <= found.size - size:
                return found, offset
        raise self.fault(address, size)

    def fault(self, address: int, size: int) -> Fault:
        """The reason why `size` bytes at `address` cannot be accessed."""
        found = self.pages.get(address >> _PAGE_BITS)
        if address < _PAGE or address > self.mask - _PAGE:
            return Fault("dereference of a null pointer", CheckKind.NULL)
        if found is None:
            return Fault("dereference of a pointer to no object")
        if not found.alive:
            return Fault(f"access to {found.name} after the end of its life")
        if not found.writable:
            return Fault(f"a write to {found.name}")
        return Fault(f"access of {size} bytes at offset {address - found.base} of {found.name}, which has {found.size}")

    def read(self, address: int, size: int) -> bytes:
        found, offset = self.locate(address, size)
        return bytes(found.data[offset : offset + size])

    def write(self, address: int, data: bytes) -> None:
        found, offset = self.locate(address, len(data))
        if not found.writable and data:
            raise self.fault(address, len(data))
        found.data[offset : offset + len(data)] = data

    def protect(self, address: int) -> None:
        """Forbid writing to the object at the address from now on."""
        self.pages[address >> _PAGE_BITS].writable = False

    def held(self) -> bool:
        """Whether an object from the heap is alive."""
        return any(one.heap and one.alive for one in self.pages.values())

    def string(self, address: int) -> bytes:
        """The bytes from `address` up to the first 0. Raises Fault where there is none in the object."""
        found, offset = self.locate(address, 1)
        end = found.data.find(0, offset)
        if end < 0:
            raise Fault(f"a string in {found.name} has no end")
        return bytes(found.data[offset:end])
