"""Tables of rows paint themselves: what is seen is what the cells say."""

import pytest
from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPalette
from pytestqt.qtbot import QtBot

from gui.theme import colours_of
from gui.views.table import RowsModel, RowsTable
from gui.views.tablecells import CellStyle, TableCell, TableRow

HEADERS = (("First", ""), ("Second", ""), ("Third", ""))
LONG = "a formula that is much longer than the column which it stands in " * 3


def rows() -> list[TableRow]:
    return [
        (TableCell("x <= 1", code=True), TableCell("1 +", CellStyle.NEW), TableCell("")),
        (TableCell(LONG, code=True), TableCell(""), TableCell("")),
        (TableCell("contradicts", CellStyle.CORE), TableCell("quiet", CellStyle.QUIET), TableCell("")),
    ]


@pytest.fixture
def table(qtbot: QtBot) -> RowsTable:
    table = RowsTable("Rows")
    qtbot.addWidget(table)
    table.resize(420, 200)
    table.content.show(HEADERS, rows())
    for column in range(3):
        table.horizontalHeader().resizeSection(column, 120)
    return table


def seen(table: RowsTable, row: int, column: int) -> set[str]:
    """The colours of a cell, without those that are rare: of the edges of letters."""
    image = table.viewport().grab(table.visualRect(table.content.index(row, column))).toImage()
    names = [image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())]
    return {name for name in names if names.count(name) > 4}


def test_cells_have_the_colours_of_their_meaning(table: RowsTable) -> None:
    colours, base = colours_of(table.palette()), table.palette().color(QPalette.ColorRole.Base).name()
    assert base in seen(table, 0, 0)
    assert seen(table, 0, 2) == {base}
    assert colours.named("core_back").name() in seen(table, 2, 0)
    assert base not in seen(table, 2, 0)


def test_the_chosen_row_is_marked_in_all_its_columns(table: RowsTable) -> None:
    table.select(2)
    highlight = table.palette().color(QPalette.ColorRole.Highlight).name()
    assert all(highlight in seen(table, 2, column) for column in range(3))
    assert highlight not in seen(table, 1, 0)
    table.select(None)
    assert highlight not in seen(table, 2, 0)


def test_a_long_text_ends_in_its_column(table: RowsTable) -> None:
    assert seen(table, 1, 1) == {table.palette().color(QPalette.ColorRole.Base).name()}


def test_a_larger_font_is_larger_at_once(table: RowsTable) -> None:
    def height() -> int:
        """The rows of pixels that a text takes."""
        image = table.viewport().grab(table.visualRect(table.content.index(0, 1))).toImage()
        ground = QColor(table.palette().color(QPalette.ColorRole.Base))
        lines = range(image.height())
        return sum(any(image.pixelColor(x, y) != ground for x in range(image.width())) for y in lines)

    before = height()
    font = table.font()
    font.setPointSizeF(font.pointSizeF() * 1.5)
    table.setFont(font)
    assert height() > before


def test_painting_asks_for_rows_and_not_for_roles_of_cells(table: RowsTable, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[QModelIndex] = []
    monkeypatch.setattr(RowsModel, "data", lambda *arguments: asked.append(arguments[1]))
    table.viewport().repaint()
    table.viewport().grab(QRect(0, 0, 300, 60))
    assert not asked
    table.content.index(0, 0).data(Qt.ItemDataRole.DisplayRole)
    assert len(asked) == 1
