"""The variables that an expression of a witness may name."""

from __future__ import annotations

from collections.abc import Callable

from core.dataclass import dataclass
from core.terms import Term


@dataclass(frozen=True, slots=True)
class Known:
    """A variable as C names it. `low` to `high` are its values; of an array, those of its `extent` elements.

    `floating` is the type of floating-point numbers, of which values are ordinals; empty for integers.
    """

    text: str
    low: int
    high: int
    extent: int | None = None
    floating: str = ""


Names = Callable[[Term], Known | None]
"""The C names of symbols, or of elements, in the scope of the expression; None for what has none."""
