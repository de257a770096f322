"""The results of functions of the C library that have no body here, as the table has them."""

from __future__ import annotations

from collections.abc import Sequence

from frontend.elaboration.constants import fold
from frontend.typed import tree
from frontend.typed.library_table import LibraryAccesses


def bounds_of(accesses: LibraryAccesses, arguments: Sequence[tree.Expression]) -> tuple[int, int] | None:
    """The least and the greatest result of a call, where constants say it."""
    if accesses.scans:
        return -1, max(0, len(arguments) - len(accesses.arguments))
    if accesses.range is None:
        return None
    low, high = accesses.range
    if not high.startswith("#"):
        return low, int(high)
    position = int(high[1:])
    count = fold(arguments[position - 1]) if len(arguments) >= position else None
    return None if count is None else (low, count)
