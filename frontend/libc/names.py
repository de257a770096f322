"""The names of the functions that a C library or the compiler defines, whether there is a model of them here or not."""

from __future__ import annotations

from functools import cache

from frontend.typed.library_table import BUILTIN
from resources import resource_text, rows

_BUILTIN = (BUILTIN, "__sync_", "__atomic_", "__CPROVER_", "__interplay_")


def is_library_function(name: str) -> bool:
    """Whether C11, POSIX, glibc, gcc or CBMC says what the function does."""
    return name.startswith(_BUILTIN) or name in _names()


@cache
def _names() -> frozenset[str]:
    return frozenset(" ".join(rows(resource_text("libc", "names.txt"))).split())
