"""`re.compile` of the standard library for patterns of modules: compiles a pattern when it is first used.

To compile all that is imported took a twentieth of a short run. Type checkers see the standard one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

__all__ = ["compiled_later", "pattern"]

_compile = re.compile

if TYPE_CHECKING:
    from re import compile as pattern
else:

    class pattern:  # noqa: N801 - stands for a function
        """A regular expression, which has the methods of a compiled one."""

        def __init__(self, text: str, flags: int = 0) -> None:
            self._text, self._flags = text, flags

        def __getattr__(self, name: str) -> Any:
            """Called for what is not there yet."""
            found = getattr(_compile(self._text, self._flags), name)
            setattr(self, name, found)
            return found


@contextmanager
def compiled_later() -> Iterator[None]:
    """A block that imports a library, whose patterns are compiled when they are first used, too."""
    re.compile = pattern
    try:
        yield
    finally:
        re.compile = _compile
