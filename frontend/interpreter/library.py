"""The functions of the C library whose effects the interpreter knows; pure data movement, no input and no output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from frontend.ctype import DataModel
from frontend.interpreter.memory import Fault, Memory


class Exit(Exception):
    """The program calls exit."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


@dataclass(frozen=True, slots=True)
class Call:
    """A call: `arguments` as integers. A function that reads a missing one raises IndexError."""

    memory: Memory
    arguments: tuple[int, ...]
    model: DataModel

    def size(self, position: int) -> int:
        """An argument of type size_t."""
        return self.arguments[position] & self.memory.mask


def _malloc(call: Call) -> int:
    return call.memory.allocate(call.size(0), "an object from malloc", heap=True)


def _calloc(call: Call) -> int:
    return call.memory.allocate(call.size(0) * call.size(1), "an object from calloc", heap=True)


def _realloc(call: Call) -> int:
    old, size = call.arguments[0], call.size(1)
    new = call.memory.allocate(size, "an object from realloc", heap=True)
    if old:
        found = call.memory.heap_object(old)
        call.memory.write(new, bytes(found.data[:size]))
        call.memory.release(old)
    return new


def _free(call: Call) -> int:
    if call.arguments[0]:
        call.memory.heap_object(call.arguments[0])
        call.memory.release(call.arguments[0])
    return 0


def _memcpy(call: Call) -> int:
    target, source = call.arguments[:2]
    size = call.size(2)
    if size and target < source + size and source < target + size and source != target:
        raise Fault("the objects overlap")
    return _memmove(call)


def _memmove(call: Call) -> int:
    if call.size(2):
        call.memory.write(call.arguments[0], call.memory.read(call.arguments[1], call.size(2)))
    return call.arguments[0]


def _memset(call: Call) -> int:
    if call.size(2):
        found, offset = call.memory.locate(call.arguments[0], call.size(2))
        found.data[offset : offset + call.size(2)] = bytes([call.arguments[1] & 0xFF]) * call.size(2)
    return call.arguments[0]


def _memcmp(call: Call) -> int:
    size = call.size(2)
    if not size:
        return 0
    return _order(call.memory.read(call.arguments[0], size), call.memory.read(call.arguments[1], size))


def _order(left: bytes, right: bytes) -> int:
    return (left > right) - (left < right)


def _strlen(call: Call) -> int:
    return len(call.memory.string(call.arguments[0]))


def _strcmp(call: Call) -> int:
    return _order(call.memory.string(call.arguments[0]), call.memory.string(call.arguments[1]))


def _strncmp(call: Call) -> int:
    return _order(_bounded(call, 0), _bounded(call, 1))


def _bounded(call: Call, position: int) -> bytes:
    """The string, up to as many characters as the third argument says."""
    found, offset = call.memory.locate(call.arguments[position], 0)
    window = bytes(found.data[offset : offset + call.size(2)])
    if 0 not in window and len(window) < call.size(2):
        raise Fault(f"a string in {found.name} has no end")
    return window.split(b"\0", 1)[0]


def _strcpy(call: Call) -> int:
    call.memory.write(call.arguments[0], call.memory.string(call.arguments[1]) + b"\0")
    return call.arguments[0]


def _strncpy(call: Call) -> int:
    size = call.size(2)
    if size:
        call.memory.write(call.arguments[0], _bounded(call, 1).ljust(size, b"\0"))
    return call.arguments[0]


def _strcat(call: Call) -> int:
    end = call.arguments[0] + len(call.memory.string(call.arguments[0]))
    call.memory.write(end, call.memory.string(call.arguments[1]) + b"\0")
    return call.arguments[0]


def _strchr(call: Call) -> int:
    text = call.memory.string(call.arguments[0]) + b"\0"
    position = text.find(call.arguments[1] & 0xFF)
    return call.arguments[0] + position if position >= 0 else 0


def _exit(call: Call) -> int:
    raise Exit(call.arguments[0] & 0xFF)


def _nothing(_call: Call) -> int:
    return 0


def _first(call: Call) -> int:
    return call.arguments[0]


LIBRARY: Mapping[str, Callable[[Call], int]] = {
    "malloc": _malloc,
    "__builtin_malloc": _malloc,
    "alloca": _malloc,
    "__builtin_alloca": _malloc,
    "calloc": _calloc,
    "realloc": _realloc,
    "free": _free,
    "memcpy": _memcpy,
    "__builtin_memcpy": _memcpy,
    "memmove": _memmove,
    "memset": _memset,
    "__builtin_memset": _memset,
    "memcmp": _memcmp,
    "strlen": _strlen,
    "strcmp": _strcmp,
    "strncmp": _strncmp,
    "strcpy": _strcpy,
    "strncpy": _strncpy,
    "strcat": _strcat,
    "strchr": _strchr,
    "abs": lambda call: abs(call.arguments[0]),
    "labs": lambda call: abs(call.arguments[0]),
    "exit": _exit,
    "_exit": _exit,
    "_Exit": _exit,
    "__builtin_expect": _first,
    "quick_exit": _exit,
    "__builtin_exit": _exit,
    "__VERIFIER_atomic_begin": _nothing,
    "__VERIFIER_atomic_end": _nothing,
}
