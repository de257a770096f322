"""The C texts in `resources/libc`, and the functions that each of them defines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.resources import files

_FILES = {
    "memory.c": (
        "memcpy memmove memset memcmp compare memchr memrchr mempcpy memccpy realloc klee_make_symbolic read recv fread"
    ),
    "sort.c": "qsort bsearch",
    "string.c": (
        "strlen strnlen strcpy stpcpy strncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strchr strrchr "
        "strstr strspn strcspn strpbrk strdup strndup strcoll strxfrm strchrnul strcasestr memmem strlcpy strlcat "
        "strtok_r strtok strsep strerror"
    ),
    "allocate.c": "aligned_alloc memalign valloc posix_memalign",
    "ctype.c": (
        "isdigit islower isupper isalpha isalnum isxdigit isblank isspace iscntrl isprint isgraph ispunct "
        "tolower toupper isascii toascii"
    ),
    "stdlib.c": "abs labs llabs atoi atol atoll",
    "convert.c": "strtol strtoll strtoul strtoull strtod strtof strtold atof",
    "network.c": "htonl ntohl htons ntohs",
    "division.c": "div ldiv lldiv",
    "print.c": "vsnprintf vsprintf snprintf sprintf vasprintf asprintf",
    "scan.c": "vsscanf sscanf",
    "input.c": "fgets getline",
    "signal.c": "signal raise",
}
_WORD = re.compile(r"\w+")
_COUNTS = ("popcount", "parity", "clz", "ctz", "ffs")
BUILTIN = frozenset(
    (
        *(f"__builtin_{name}{suffix}" for name in _COUNTS for suffix in ("", "l", "ll")),
        *(f"__builtin_bswap{bits}" for bits in (16, 32, 64)),
    )
)
"""Functions of bits.c, which have their meaning by these names alone."""
_OPERATORS = ("add", "sub", "and", "or", "xor", "nand")
ATOMIC = frozenset(
    (
        *(f"__atomic_{name}" for name in ("load_n", "load", "store_n", "store", "exchange_n", "exchange")),
        *(f"__atomic_{name}" for name in ("compare_exchange_n", "compare_exchange", "test_and_set", "clear")),
        *("__atomic_thread_fence", "__atomic_signal_fence", "__sync_synchronize", "__sync_lock_test_and_set"),
        *("__sync_lock_release", "__sync_bool_compare_and_swap", "__sync_val_compare_and_swap"),
        *(f"__atomic_{form}" for name in _OPERATORS for form in (f"fetch_{name}", f"{name}_fetch")),
        *(f"__sync_{form}" for name in _OPERATORS for form in (f"fetch_and_{name}", f"{name}_and_fetch")),
    )
)
"""Functions of atomic.c, which have their meaning by these names alone; they work on an `element`."""
FILE_OF = {
    **{name: file for file, names in _FILES.items() for name in names.split()},
    **dict.fromkeys(BUILTIN, "bits.c"),
    **dict.fromkeys(ATOMIC, "atomic.c"),
}

RECORDS = frozenset(_FILES["division.c"].split())
"""Functions that return a struct, `result` in their text."""
PLAIN_FILES = tuple(file for file in _FILES if file not in ("memory.c", "sort.c", "division.c"))
PLAIN = frozenset(name for name, file in FILE_OF.items() if file in PLAIN_FILES)
"""Functions of fixed type. Those of memory.c and sort.c work on `element`s; `compare` is memcmp of integers of several
bytes."""

OBJECTS = {
    "errno": "int",
    "interplay_strtok": "char *",
    "interplay_message": "char[64]",
    "signal_handlers": "handler[65]",
}
"""The objects that texts refer to, with their types: errno, the place where strtok goes on, the result of strerror, the
handlers of signals."""

ALLOCATED = "__interplay_allocated"
"""A function that bodies call: the size, in bytes, of the object on the heap whose address it is given."""

ALIGNED = "__interplay_aligned"
"""A function that bodies call for a new object on the heap, of an alignment and a size."""

FAILS = "__interplay_fails"
"""A function that bodies call where they allocate: whether that fails."""

FAILURE = " fails"
"""How the names of the inputs end that say whether a call of the function before it fails to allocate."""

FAILURES = {
    **dict.fromkeys(("malloc", "calloc", "realloc", "strdup", "strndup", "aligned_alloc", "memalign", "valloc"), 0),
    "posix_memalign": 12,
    "asprintf": -1,
    "vasprintf": -1,
}
"""The functions that may fail to allocate, with what they return then."""

APART = "__interplay_apart"
"""A function that bodies call before they copy: that the first bytes behind two pointers do not overlap."""

READABLE = "__interplay_readable"
WRITABLE = "__interplay_writable"
"""Functions that bodies call before a function outside reads, or writes: that so many bytes are behind a pointer."""

OPERAND = ".operand "
"""How the variables are called that hold the values of operands then; what the text has there follows."""

SEQUENCED = "unsequenced effects"
"""A function that is called after two accesses without an order: whether they are to two objects, if that is known."""

ARGUMENT = "__interplay_argument"
"""A function that `va_arg` calls: whether the next variable argument is there, and of the type that is asked for."""

CONVERSION = "__interplay_conversion"
"""A function that bodies call for what only the C library knows, such as the characters of a floating-point number."""

ANY_ERRNO = "__VERIFIER_nondet_errno"
"""A function whose result is in errno after a call of a function without a model."""

INPUTS = (
    *("__VERIFIER_nondet_input", "__VERIFIER_nondet_length", "__VERIFIER_nondet_element"),
    *(f"__VERIFIER_nondet_number{bits}" for bits in (8, 16, 32, 64)),
)
"""Functions that bodies call for what comes from outside: a character, the number of them, an element of memory, a
number of so many bits.
"""

FORMATS = "__interplay_formats"
"""A function that is called before a body reads a format that is not in the text of the program."""


def plain_files(texts: Iterable[str]) -> Sequence[str]:
    """The files of functions of fixed type that these C texts may call, themselves or through one another."""
    found: set[str] = set()
    pending = list(texts)
    while pending:
        names = {word.removeprefix("__builtin_") for text in pending for word in _WORD.findall(text)} & PLAIN
        new = {FILE_OF[name] for name in names} - found
        found |= new
        pending = [text_of(file) for file in new]
    return [file for file in PLAIN_FILES if file in found]


def text_of(file: str) -> str:
    """The text of a file of `resources/libc`, as it stands there."""
    return files("resources").joinpath("libc", file).read_text(encoding="utf-8")
