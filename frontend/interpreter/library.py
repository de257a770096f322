"""The functions of the C library whose effects the interpreter knows; pure data movement, no input and no output."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, hexdigits, punctuation, whitespace

from core.dataclass import dataclass
from core.program.properties import CheckKind, Kinds
from frontend.interpreter.memory import Fault, Memory
from frontend.libc.texts import ALIGNED, APART, ARGUMENT, FORMATS, READABLE, SEQUENCED, WRITABLE
from frontend.options import START_MALLOC
from frontend.typed import harness_questions
from frontend.typed.ctype import DataModel, IntegerKind


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
    return lambda call: call.model.integer(kind).convert(abs(call.arguments[0]))


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


def _nothing(_call: LibraryCall) -> int:
    return 0


def _sequenced(call: LibraryCall) -> int:
    if not all(call.arguments[1:]):
        raise Fault("one object is changed and used in no order", CheckKind.SEQUENCE)
    return 0


def _first(call: LibraryCall) -> int:
    return call.arguments[0]


_FUNCTIONS: Mapping[str, Callable[[LibraryCall], int]] = {
    "malloc": _malloc,
    START_MALLOC: _malloc,
    ALIGNED: _aligned,
    "alloca": _alloca,
    "calloc": _calloc,
    "realloc": _realloc,
    "free": _free,
    "memcpy": _memcpy,
    "memmove": _memmove,
    "memset": _memset,
    "memcmp": _memcmp,
    "strlen": _strlen,
    "strcmp": _strcmp,
    "strncmp": _strncmp,
    "strcpy": _strcpy,
    "strncpy": _strncpy,
    "strcat": _strcat,
    "strchr": _strchr,
    "strrchr": _strrchr,
    "strstr": _strstr,
    "strnlen": _strnlen,
    "strspn": lambda call: _span(call, inside=True),
    "strcspn": lambda call: _span(call, inside=False),
    "strpbrk": _strpbrk,
    "strncat": _strncat,
    "stpcpy": _stpcpy,
    "strdup": lambda call: _duplicate(call, call.memory.string(call.arguments[0])),
    "strndup": lambda call: _duplicate(call, _limited(call, 0, call.size(1))),
    "strcasecmp": _strcasecmp,
    "strncasecmp": _strncasecmp,
    "memchr": _memchr,
    "abs": _magnitude(IntegerKind.INT),
    "labs": _magnitude(IntegerKind.LONG),
    "llabs": _magnitude(IntegerKind.LLONG),
    "atoi": lambda call: _number(call, IntegerKind.INT),
    "atol": lambda call: _number(call, IntegerKind.LONG),
    "isdigit": _is_one_of(digits),
    "islower": _is_one_of(ascii_lowercase),
    "isupper": _is_one_of(ascii_uppercase),
    "isalpha": _is_one_of(ascii_letters),
    "isalnum": _is_one_of(ascii_letters + digits),
    "isxdigit": _is_one_of(hexdigits),
    "isblank": _is_one_of(" \t"),
    "isspace": _is_one_of(whitespace),
    "iscntrl": _is_one_of("".join(map(chr, (*range(32), 127)))),
    "isprint": _is_one_of("".join(map(chr, range(32, 127)))),
    "isgraph": _is_one_of("".join(map(chr, range(33, 127)))),
    "ispunct": _is_one_of(punctuation),
    "tolower": _mapped(ascii_uppercase, 32),
    "toupper": _mapped(ascii_lowercase, -32),
    APART: _apart,
    READABLE: _present(writes=False),
    WRITABLE: _present(writes=True),
    ARGUMENT: _argument,
    SEQUENCED: _sequenced,
    FORMATS: _nothing,
    "exit": _exit,
    "_exit": _exit,
    "_Exit": _exit,
    "__builtin_expect": _first,
    **dict.fromkeys(("__CPROVER_w_ok", "__CPROVER_rw_ok"), _accessible(writes=True)),
    "__CPROVER_r_ok": _accessible(writes=False),
    harness_questions.OBJECT: _object,
    harness_questions.SAME_OBJECT: lambda call: int(
        call.memory.begin(call.arguments[0]) == call.memory.begin(call.arguments[1])
    ),
    harness_questions.OFFSET: lambda call: call.arguments[0] - call.memory.begin(call.arguments[0]),
    harness_questions.OBJECT_SIZE: _object_size,
    "quick_exit": _exit,
    "__VERIFIER_atomic_begin": _nothing,
    "__VERIFIER_atomic_end": _nothing,
}

LIBRARY: Mapping[str, Callable[[LibraryCall], int]] = {
    **{f"__builtin_{name}": function for name, function in _FUNCTIONS.items()},
    **_FUNCTIONS,
}
"""Each also as gcc's builtin."""

FRESH = frozenset(
    (
        START_MALLOC,
        ALIGNED,
        *(f"{prefix}{name}" for prefix in ("", "__builtin_") for name in ("malloc", "alloca", "realloc")),
    )
)
"""The functions that give an object with contents that are arbitrary, as far as nothing is kept; others fill it."""
