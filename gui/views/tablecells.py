"""Cells and rows of tables, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import overload

from core.dataclass import dataclass


class CellStyle(Enum):
    """The style of a cell; its text has a sign of the same meaning."""

    PLAIN = ""
    NEW = "new"
    CORE = "core_back"
    QUIET = "quiet"


@dataclass(frozen=True)
class TableCell:
    """A cell: `words` is the tooltip; `code` is shown in the font of source text."""

    text: str
    look: CellStyle = CellStyle.PLAIN
    words: str = ""
    code: bool = False


TableRow = tuple[TableCell, ...]
TableHeader = tuple[str, str]  # title, tooltip


class LazyRows(Sequence[TableRow]):
    """Rows that are computed when they become visible. Rows of equal items are equal."""

    def __init__(self, count: int, make: Callable[[int], TableRow], made_of: object = None) -> None:
        self._count = count
        self._make = make
        self._made_of = made_of
        self._made: dict[int, TableRow] = {}  # a table asks for each cell many times

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> TableRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TableRow]: ...
    def __getitem__(self, index: int | slice) -> TableRow | Sequence[TableRow]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(*index.indices(self._count))]
        row = self._made.get(index)
        if row is None:
            row = self._made[index] = self._make(index)
        return row

    def __eq__(self, other: object) -> bool:
        if self._made_of is None or not isinstance(other, LazyRows):
            return self is other
        return self._count == other._count and self._made_of == other._made_of

    __hash__ = None  # type: ignore[assignment] # as other sequences whose items may change
