"""Arguments and results that must not be null: by attributes of GNU C, or by what the library declares."""

from __future__ import annotations

from collections.abc import Iterator

from core.program.source import source_function
from frontend.typed import tree
from frontend.typed.ctype import Pointer
from frontend.typed.library_table import library_function
from frontend.typed.promises import promises
from frontend.typed.traversal import callee


def never_null(unit: tree.TranslationUnit, call: tree.Call, function: str | None = None) -> Iterator[int]:
    """The positions of arguments that must not be null, as the pointer says, or the function that is called."""
    name = source_function(callee(call) or function or "")
    known = promises(call.function.type)
    is_defined = name in unit.functions and unit.functions[name].body is not None
    library = () if is_defined else library_function(name).nonnull
    places = (*(() if known is None else known.nonnull), *unit.nonnull.get(name, ()), *library)
    for position, argument in enumerate(call.arguments):
        if isinstance(argument.type, Pointer) and (0 in places or position + 1 in places):
            yield position


def returns_no_null(unit: tree.TranslationUnit, function: str) -> bool:
    """Whether the result of a function must not be null."""
    return -1 in unit.nonnull.get(source_function(function), ())
