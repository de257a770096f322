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


def storer(memory: Memory, format_: Struct, failure: Failure) -> Callable[[int, int, int], None]:
    """A function that stores a scalar at an address."""
    pages, size, pack = memory.pages, format_.size, format_.pack_into
    mask = (1 << 8 * size) - 1

    def store(address: int, value: int, span: int) -> None:
        found = pages.get(address >> 12)
        if found is not None and found.alive and found.writable:
            offset = address - found.base
            if 0 <= offset <= found.size - size:
                pack(found.data, offset, value & mask)
                return
        raise failure(address, size, span)

    return store
