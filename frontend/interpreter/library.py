"""The functions of the C library whose effects the interpreter knows; pure data movement, no input and no output."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, hexdigits, punctuation, whitespace
from typing import cast

from core.dataclass import dataclass
from core.program.properties import CheckKind, Kinds
from frontend.interpreter.memory import Fault, Memory
from frontend.libc.texts import APART, ARGUMENT, FORMATS, READABLE, SEQUENCED, WRITABLE
from frontend.typed.ctype import DataModel, IntegerKind
from frontend.typed.library_table import Allocated, library_function


class Exit(Exception):
    """The program calls exit."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """A call: `arguments` as integers. A function that reads a missing one raises IndexError."""

    memory: Memory
    arguments: tuple[int, ...]
    model: DataModel
    kinds: Kinds

    def check_apart(self, first: int, size: int, second: int, other: int) -> None:
        """Raises Fault where two pieces of an object overlap; equal ones are let pass where nobody asks."""
        is_one = self.memory.begin(first) == self.memory.begin(second)  # no size makes pieces of two objects overlap
        overlap = is_one and size and other and first < second + other and second < first + size
        if overlap and (first != second or CheckKind.OVERLAP in self.kinds):
            raise Fault("the objects overlap", CheckKind.OVERLAP)

    def size(self, position: int) -> int:
        """An argument of type size_t."""
        return self.arguments[position] & self.memory.mask


def _malloc(call: LibraryCall) -> int:
    new = call.memory.allocate(call.size(0), "an object from malloc", heap=True)
    call.memory.forget(new)
    return new


def _aligned(call: LibraryCall) -> int:
    new = call.memory.allocate(call.size(1), "an object that was allocated", heap=True, alignment=call.size(0))
    call.memory.forget(new)
    return new


def _alloca(call: LibraryCall) -> int:
    new = call.memory.allocate(call.size(0), "an object from alloca")
    call.memory.forget(new)
    return new


def _calloc(call: LibraryCall) -> int:
    size = call.size(0) * call.size(1)
    new = call.memory.allocate(size, "an object from calloc", heap=True)
    call.memory.write(new, bytes(size))
    return new


def _realloc(call: LibraryCall) -> int:
    old, size = call.arguments[0], call.size(1)
    if old and size == 0:  # as glibc does it
        return _free(call)
    new = call.memory.allocate(size, "an object from realloc", heap=True)
    call.memory.forget(new)
    if old:
        found = call.memory.heap_object(old)
        call.memory.write(new, call.memory.part(old, min(size, found.size)))
        call.memory.release(old)
    return new


def _free(call: LibraryCall) -> int:
    if call.arguments[0]:
        call.memory.heap_object(call.arguments[0])
        call.memory.release(call.arguments[0])
    return 0


def _memcpy(call: LibraryCall) -> int:
    call.check_apart(call.arguments[0], call.size(2), call.arguments[1], call.size(2))
    return _memmove(call)


def _memmove(call: LibraryCall) -> int:
    if call.size(2):
        call.memory.write(call.arguments[0], call.memory.part(call.arguments[1], call.size(2)))
    return call.arguments[0]


def _memset(call: LibraryCall) -> int:
    if call.size(2):
        call.memory.write(call.arguments[0], bytes([call.arguments[1] & 0xFF]) * call.size(2))
    return call.arguments[0]


def _memcmp(call: LibraryCall) -> int:
    size = call.size(2)
    if not size:
        return 0
    return _order(call.memory.read(call.arguments[0], size), call.memory.read(call.arguments[1], size))


def _order(left: bytes, right: bytes) -> int:
    return (left > right) - (left < right)


def _strlen(call: LibraryCall) -> int:
    return len(call.memory.string(call.arguments[0]))


def _strcmp(call: LibraryCall) -> int:
    return _order(call.memory.string(call.arguments[0]), call.memory.string(call.arguments[1]))


def _strncmp(call: LibraryCall) -> int:
    return _order(_bounded(call, 0), _bounded(call, 1))


def _bounded(call: LibraryCall, position: int) -> bytes:
    """The string, up to as many characters as the third argument says."""
    return _limited(call, position, call.size(2))


def _limited(call: LibraryCall, position: int, size: int) -> bytes:
    return call.memory.up_to(call.arguments[position], 0, size)[0]


def _strcpy(call: LibraryCall) -> int:
    text = call.memory.string(call.arguments[1]) + b"\0"
    call.check_apart(call.arguments[0], len(text), call.arguments[1], len(text))
    call.memory.write(call.arguments[0], text)
    return call.arguments[0]


def _strncpy(call: LibraryCall) -> int:
    size = call.size(2)
    if size:
        text = _bounded(call, 1)
        call.check_apart(call.arguments[0], size, call.arguments[1], min(len(text) + 1, size))
        call.memory.write(call.arguments[0], text.ljust(size, b"\0"))
    return call.arguments[0]


def _strcat(call: LibraryCall) -> int:
    return _appended(call, call.memory.string(call.arguments[1]))


def _appended(call: LibraryCall, text: bytes) -> int:
    end = call.arguments[0] + len(call.memory.string(call.arguments[0]))
    call.check_apart(end, len(text) + 1, call.arguments[1], len(text) + 1)
    call.memory.write(end, text + b"\0")
    return call.arguments[0]


def _strchr(call: LibraryCall) -> int:
    text = call.memory.string(call.arguments[0]) + b"\0"
    position = text.find(call.arguments[1] & 0xFF)
    return call.arguments[0] + position if position >= 0 else 0


def _strrchr(call: LibraryCall) -> int:
    text = call.memory.string(call.arguments[0]) + b"\0"
    position = text.rfind(call.arguments[1] & 0xFF)
    return call.arguments[0] + position if position >= 0 else 0


def _strstr(call: LibraryCall) -> int:
    position = call.memory.string(call.arguments[0]).find(call.memory.string(call.arguments[1]))
    return call.arguments[0] + position if position >= 0 else 0


def _strnlen(call: LibraryCall) -> int:
    return len(_limited(call, 0, call.size(1)))


def _span(call: LibraryCall, inside: bool) -> int:
    """The number of characters at the begin of the first string that are in the second, or are not."""
    text, others = (call.memory.string(one) for one in call.arguments[:2])
    return next((k for k, one in enumerate(text) if (one in others) is not inside), len(text))


def _strpbrk(call: LibraryCall) -> int:
    position = _span(call, inside=False)
    return call.arguments[0] + position if position < _strlen(call) else 0


def _strncat(call: LibraryCall) -> int:
    return _appended(call, _bounded(call, 1))


def _stpcpy(call: LibraryCall) -> int:
    return _strcpy(call) + len(call.memory.string(call.arguments[1]))


def _duplicate(call: LibraryCall, text: bytes) -> int:
    new = call.memory.allocate(len(text) + 1, "an object from strdup", heap=True)
    call.memory.write(new, text + b"\0")
    return new


def _strdup(call: LibraryCall) -> int:
    return _duplicate(call, call.memory.string(call.arguments[0]))


def _strndup(call: LibraryCall) -> int:
    return _duplicate(call, _limited(call, 0, call.size(1)))


def _strcasecmp(call: LibraryCall) -> int:
    return _order(call.memory.string(call.arguments[0]).lower(), call.memory.string(call.arguments[1]).lower())


def _strncasecmp(call: LibraryCall) -> int:
    return _order(_bounded(call, 0).lower(), _bounded(call, 1).lower())


def _memchr(call: LibraryCall) -> int:
    text, is_found = call.memory.up_to(call.arguments[0], call.arguments[1] & 0xFF, call.size(2))
    return call.arguments[0] + len(text) if is_found else 0


def _number(call: LibraryCall, kind: IntegerKind) -> int:
    """The decimal number at the begin of a string."""
    match = re.match(rb"[ \t-\r]*([-+]?[0-9]+)", call.memory.string(call.arguments[0]))
    return call.model.integer(kind).convert(int(match[1])) if match else 0


def _magnitude(kind: IntegerKind) -> Callable[[LibraryCall], int]:
    def magnitude(call: LibraryCall) -> int:
        found = call.model.integer(kind).convert(abs(call.arguments[0]))
        if found < 0 and CheckKind.OVERFLOW in call.kinds:
            raise Fault(f"{found} has no magnitude in its type", CheckKind.OVERFLOW)
        return found

    return magnitude


def _is_one_of(characters: str) -> Callable[[LibraryCall], int]:
    codes = frozenset(map(ord, characters))
    return lambda call: int(call.arguments[0] in codes)


def _mapped(source: str, distance: int) -> Callable[[LibraryCall], int]:
    codes = frozenset(map(ord, source))
    return lambda call: call.arguments[0] + (distance if call.arguments[0] in codes else 0)


def _exit(call: LibraryCall) -> int:
    raise Exit(call.arguments[0] & 0xFF)


def _apart(call: LibraryCall) -> int:
    call.check_apart(call.arguments[0], call.size(1), call.arguments[2], call.size(3))
    return 0


def _present(writes: bool) -> Callable[[LibraryCall], int]:
    """The check that so many bytes behind a pointer may be read, or written."""

    def check(call: LibraryCall) -> int:
        address, size = call.arguments[0], call.size(1)
        if size:
            found, _ = call.memory.locate(address, size)
            if writes and not found.lets(address, size):
                raise call.memory.fault(address, size)
        return 0

    return check


def _argument(call: LibraryCall) -> int:
    if not call.arguments[0]:
        raise Fault("va_arg finds no argument of its type", CheckKind.ARGUMENTS)
    return 0


def _accessible(writes: bool) -> Callable[[LibraryCall], int]:
    """The answer whether so many bytes behind a pointer may be read, or written."""

    def answer(call: LibraryCall) -> int:
        try:
            found, _ = call.memory.locate(call.arguments[0], call.size(1))
        except Fault:
            return 0
        return int(not writes or found.writable or found.constant)

    return answer


def _object(call: LibraryCall) -> int:
    """The address where the object of a pointer begins."""
    return call.memory.begin(call.arguments[0])


def _object_size(call: LibraryCall) -> int:
    try:
        return call.memory.locate(call.arguments[0], 0)[0].size
    except Fault:
        return 0


def _same_object(call: LibraryCall) -> int:
    return int(call.memory.begin(call.arguments[0]) == call.memory.begin(call.arguments[1]))


def _offset(call: LibraryCall) -> int:
    return call.arguments[0] - call.memory.begin(call.arguments[0])


def _nothing(_call: LibraryCall) -> int:
    return 0


def _sequenced(call: LibraryCall) -> int:
    if not all(call.arguments[1:]):
        raise Fault("one object is changed and used in no order", CheckKind.SEQUENCE)
    return 0


def _expect(call: LibraryCall) -> int:
    return call.arguments[0]


_strspn = partial(_span, inside=True)
_strcspn = partial(_span, inside=False)
_abs = _magnitude(IntegerKind.INT)
_labs = _magnitude(IntegerKind.LONG)
_llabs = _magnitude(IntegerKind.LLONG)
_atoi = partial(_number, kind=IntegerKind.INT)
_atol = partial(_number, kind=IntegerKind.LONG)
_isdigit = _is_one_of(digits)
_islower = _is_one_of(ascii_lowercase)
_isupper = _is_one_of(ascii_uppercase)
_isalpha = _is_one_of(ascii_letters)
_isalnum = _is_one_of(ascii_letters + digits)
_isxdigit = _is_one_of(hexdigits)
_isblank = _is_one_of(" \t")
_isspace = _is_one_of(whitespace)
_iscntrl = _is_one_of("".join(map(chr, (*range(32), 127))))
_isprint = _is_one_of("".join(map(chr, range(32, 127))))
_isgraph = _is_one_of("".join(map(chr, range(33, 127))))
_ispunct = _is_one_of(punctuation)
_tolower = _mapped(ascii_uppercase, 32)
_toupper = _mapped(ascii_lowercase, -32)
_readable = _accessible(writes=False)
_writable = _accessible(writes=True)

_OWN: Mapping[str, Callable[[LibraryCall], int]] = {
    APART: _apart,
    READABLE: _present(writes=False),
    WRITABLE: _present(writes=True),
    ARGUMENT: _argument,
    SEQUENCED: _sequenced,
    FORMATS: _nothing,
}
"""Functions that bodies call."""


def interpreted(name: str) -> Callable[[LibraryCall], int] | None:
    """The effect of a function here, which the table names without the first character; None where there is none."""
    run = library_function(name).run
    if not run:
        return _OWN.get(name)
    function = globals()[f"_{run}"]
    assert callable(function)
    return cast(Callable[[LibraryCall], int], function)


def is_interpreted(name: str) -> bool:
    """Whether the interpreter knows the effect of the function."""
    return interpreted(name) is not None


def is_fresh(name: str) -> bool:
    """Whether it gives an object whose contents are arbitrary, as far as nothing is kept; others fill it."""
    function = library_function(name)
    return bool(function.run) and function.allocates in (Allocated.MEMORY, Allocated.ALIGNED, Allocated.STACK)
