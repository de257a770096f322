"""The C texts in `resources/libc`, and the functions that each of them defines."""

from __future__ import annotations

from importlib.resources import files

_FILES = {
    "memory.c": "memcpy memmove memset memcmp compare memchr realloc",
    "string.c": (
        "strlen strnlen strcpy stpcpy strncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strchr strrchr "
        "strstr strspn strcspn strpbrk strdup strndup"
    ),
    "ctype.c": (
        "isdigit islower isupper isalpha isalnum isxdigit isblank isspace iscntrl isprint isgraph ispunct "
        "tolower toupper"
    ),
    "stdlib.c": "abs labs llabs atoi atol",
}
FILE_OF = {name: file for file, names in _FILES.items() for name in names.split()}

PLAIN_FILES = tuple(file for file in _FILES if file != "memory.c")
PLAIN = frozenset(name for name, file in FILE_OF.items() if file in PLAIN_FILES)
"""Functions of fixed type. Those of memory.c work on `element`s; `compare` is memcmp of integers of several bytes."""

ALLOCATED = "__interplay_allocated"
"""A function that bodies call: the size, in bytes, of the object on the heap whose address it is given."""


def text_of(file: str) -> str:
    """The text of a file of `resources/libc`, as it stands there."""
    return files("resources").joinpath("libc", file).read_text(encoding="utf-8")
