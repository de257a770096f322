"""Loads and stores of scalars for generated code, at the cost of one look-up where nothing is wrong."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct

from frontend.interpreter.memory import Memory

Failure = Callable[[int, int, int], Exception]


def loader(memory: Memory, format_: Struct, failure: Failure) -> Callable[[int, int], int]:
    """A function that loads a scalar from an address."""
    pages, size, unpack = memory.pages, format_.size, format_.unpack_from

    def load(address: int, span: int) -> int:
        found = pages.get(address >> 12)
        if found is not None and found.alive:
            offset = address - found.base
            if 0 <= offset <= found.size - size:
                value: int = unpack(found.data, offset)[0]
                return value
        raise failure(address, size, span)

    return load


def checked_loader(memory: Memory, format_: Struct, failure: Failure) -> Callable[[int, int], int]:
    """A function that loads a scalar from an address, where something was written to all of it."""
    pages, size, unpack = memory.pages, format_.size, format_.unpack_from

    def load(address: int, span: int) -> int:
        found = pages.get(address >> 12)
        if found is not None and found.alive:
            offset = address - found.base
            if 0 <= offset <= found.size - size and not (found.unset and any(found.unset[offset : offset + size])):
                value: int = unpack(found.data, offset)[0]
                return value
        raise failure(address, size, span)

    return load


def checked_storer(memory: Memory, format_: Struct, failure: Failure) -> Callable[[int, int, int], None]:
    """A function that stores a scalar at an address, which has a value then."""
    store, pages, size = storer(memory, format_, failure), memory.pages, format_.size

    def store_and_mark(address: int, value: int, span: int) -> None:
        store(address, value, span)
        found = pages[address >> 12]
        if found.unset is not None:
            found.unset[address - found.base : address - found.base + size] = bytes(size)

    return store_and_mark


def storer(memory: Memory, format_: Struct, failure: Failure) -> Callable[[int, int, int], None]:
    """A function that stores a scalar at an address."""
    pages, size, pack = memory.pages, format_.size, format_.pack_into
    mask = (1 << 8 * size) - 1

    def store(address: int, value: int, span: int) -> None:
        found = pages.get(address >> 12)
        if found is not None and found.alive and (found.writable or found.lets(address, size)):
            offset = address - found.base
            if 0 <= offset <= found.size - size:
                pack(found.data, offset, value & mask)
                return
        raise failure(address, size, span)

    return store
