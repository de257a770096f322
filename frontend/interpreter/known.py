"""Memory that knows which of its bits are determined: those of indeterminate storage and of addresses are not.

These bits are marked as `unset`. What reads one raises `Dependent`; copying gives it to the copy. Addresses are read as
what they were stored as, and as nothing else: `pointers` has those of an object by offset, which count as long as all
of their bytes are marked and read as they. No address is given out twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from struct import Struct

from core.program.indeterminate import Dependent
from frontend.interpreter.access import Failure
from frontend.interpreter.memory import PAGE, PAGE_BITS, Memory, MemoryObject, PartlyUnset

_ALL = 0xFF  # the mark of a byte none of whose bits is determined


def unknown_bytes(size: int) -> PartlyUnset:
    """Bytes that nothing determines."""
    new = PartlyUnset(size)
    new.unset = bytes([_ALL]) * size
    return new


class KnownMemory(Memory):
    """Memory whose objects are indeterminate when they begin; static objects are zero."""

    def __init__(self, pointer_bits: int) -> None:
        super().__init__(pointer_bits)
        self._width = pointer_bits // 8
        self._guard = PAGE  # pointers do not leave their objects

    def allocate(self, size: int, name: str, *, heap: bool = False, alignment: int = 16) -> int:
        address = super().allocate(size, name, heap=heap, alignment=alignment)
        self.forget(address)
        return address

    def forget(self, address: int) -> None:
        found, _ = self.locate(address, 0)
        found.unset = bytearray([_ALL]) * found.size
        found.pointers.clear()

    def release(self, address: int) -> None:
        found = self.pages[address >> PAGE_BITS]
        super().release(address)
        for page in range(found.base >> PAGE_BITS, (found.base + max(found.size, 1) + PAGE - 1) >> PAGE_BITS):
            del self.pages[page]

    def _reuse(self, extent: int) -> int | None:
        self._dead.clear()
        return None

    def check_set(self, target: MemoryObject, offset: int, size: int) -> None:
        if target.unset is not None and any(target.unset[offset : offset + size]):
            held = any(offset - self._width < at < offset + size for at in target.pointers)
            what = "the bytes of an address" if held else "what was never written"
            raise Dependent(f"{what}, at offset {offset} of {target.name}")

    def read(self, address: int, size: int) -> bytes:
        self.check_set(*self.locate(address, size), size)
        return super().read(address, size)

    def part(self, address: int, size: int) -> bytes:
        data = super().read(address, size)
        if isinstance(data, PartlyUnset):
            found, first = self.locate(address, size)
            last = first + size - self._width
            places: Iterable[int] = range(first, last + 1) if size < len(found.pointers) else found.pointers
            inside = (at for at in places if first <= at <= last and at in found.pointers)
            data.pointers = {at - first: found.pointers[at] for at in inside}
        return data

    def write(self, address: int, data: bytes) -> None:
        super().write(address, data)
        if isinstance(data, PartlyUnset):
            found, offset = self.locate(address, len(data))
            self.drop_pointers(found, offset, len(data))
            found.pointers.update({offset + at: value for at, value in data.pointers.items()})

    def drop_pointers(self, target: MemoryObject, offset: int, size: int) -> None:
        """Drop the addresses that overlap a part."""
        for at in [at for at in target.pointers if offset - self._width < at < offset + size]:
            del target.pointers[at]

    def bits(self, address: int, low: int, width: int) -> int:
        """The bits of a bit-field, all of which must be determined."""
        size = (low + width + 7) // 8
        found, offset = self.locate(address, size)
        mask = (1 << width) - 1 << low
        if found.unset is not None and _number(found.unset, offset, size) & mask:
            self.check_set(found, offset, size)
        return (_number(found.data, offset, size) & mask) >> low

    def set_bits(self, address: int, low: int, width: int, value: int) -> None:
        """Store a bit-field; the bits around it stay as determined as they are."""
        size = (low + width + 7) // 8
        found, offset = self.locate(address, size)
        mask = (1 << width) - 1 << low
        new = PartlyUnset((_number(found.data, offset, size) & ~mask | value << low & mask).to_bytes(size, "little"))
        unset = 0 if found.unset is None else _number(found.unset, offset, size) & ~mask
        new.unset = unset.to_bytes(size, "little")
        self.write(address, new)


def _number(data: bytearray, offset: int, size: int) -> int:
    return int.from_bytes(data[offset : offset + size], "little")


def loader(memory: KnownMemory, format_: Struct, failure: Failure) -> Callable[[int, int], int]:
    """A function that loads a number from an address."""
    pages, size, unpack = memory.pages, format_.size, format_.unpack_from
    known = bytes(size)

    def load(address: int, span: int) -> int:
        found = pages.get(address >> PAGE_BITS)
        if found is not None and found.alive:
            offset = address - found.base
            if 0 <= offset <= found.size - size:
                if found.unset is not None and found.unset[offset : offset + size] != known:
                    memory.check_set(found, offset, size)
                value: int = unpack(found.data, offset)[0]
                return value
        raise failure(address, size, span)

    return load


def storer(memory: KnownMemory, format_: Struct, failure: Failure) -> Callable[[int, int, int], None]:
    """A function that stores a number at an address."""
    pages, size, pack = memory.pages, format_.size, format_.pack_into
    mask = (1 << 8 * size) - 1
    zeros = bytes(size)

    def store(address: int, value: int, span: int) -> None:
        found = pages.get(address >> PAGE_BITS)
        if found is not None and found.alive and (found.writable or found.lets(address, size)):
            offset = address - found.base
            if 0 <= offset <= found.size - size:
                pack(found.data, offset, value & mask)
                if found.unset is not None:
                    found.unset[offset : offset + size] = zeros
                return
        raise failure(address, size, span)

    return store


def pointer_loader(memory: KnownMemory, format_: Struct, failure: Failure) -> Callable[[int, int], int]:
    """A function that loads an address: what was stored as one, or null."""
    pages, size, unpack = memory.pages, format_.size, format_.unpack_from
    zeros, whole = bytes(size), bytes([_ALL]) * size

    def load(address: int, span: int) -> int:
        target = pages.get(address >> PAGE_BITS)
        if target is not None and target.alive:
            offset = address - target.base
            if 0 <= offset <= target.size - size:
                value: int = unpack(target.data, offset)[0]
                part = zeros if target.unset is None else target.unset[offset : offset + size]
                if part == zeros and value:
                    raise Dependent(f"an address that was put together, at offset {offset} of {target.name}")
                if part != zeros and (part != whole or target.pointers.get(offset) != value):
                    raise Dependent(f"a pointer that was never written, at offset {offset} of {target.name}")
                return value
        raise failure(address, size, span)

    return load


def pointer_storer(memory: KnownMemory, format_: Struct, failure: Failure) -> Callable[[int, int, int], None]:
    """A function that stores an address."""
    pages, size, pack = memory.pages, format_.size, format_.pack_into
    zeros, whole = bytes(size), bytes([_ALL]) * size

    def store(address: int, value: int, span: int) -> None:
        target = pages.get(address >> PAGE_BITS)
        if target is not None and target.alive and (target.writable or target.lets(address, size)):
            offset = address - target.base
            if 0 <= offset <= target.size - size:
                pack(target.data, offset, value)
                if target.unset is None:
                    target.unset = bytearray(target.size)
                if offset % size:
                    memory.drop_pointers(target, offset, size)
                target.unset[offset : offset + size] = whole if value else zeros
                target.pointers[offset] = value
                return
        raise failure(address, size, span)

    return store
