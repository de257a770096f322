"""The two graphs in the real window: they open readable, follow the focus and move it, fold, find, and are saved."""

import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.model.background import Background, InPieces
from gui.views.graphcanvas import READABLE, GraphCanvas
from gui.views.graphtree import GraphRows
from gui.views.programgraph import ProgramGraphView
from gui.views.reachability import ReachabilityView
from gui.window import MainWindow
from interplay.presentation.graphs.block_graph import loops
from interplay.presentation.graphs.picture import Look
from interplay.presentation.graphs.stategraph import Mode
from tests.gui.conftest import GOLDEN

Program = Callable[[str], Path]


@pytest.fixture
def program_graph(qtbot: QtBot, window: MainWindow) -> ProgramGraphView:
    window.open_paths([GOLDEN])
    view = window.show_panel("programgraph")
    assert isinstance(view, ProgramGraphView)
    qtbot.waitUntil(lambda: view.chart is not None)
    return view


@pytest.fixture
def states(qtbot: QtBot, window: MainWindow) -> ReachabilityView:
    window.open_paths([GOLDEN])
    view = window.show_panel("reachability")
    assert isinstance(view, ReachabilityView)
    qtbot.waitUntil(lambda: view.tree is not None)
    return view


def click(canvas: GraphCanvas, box: int) -> None:
    canvas.ensure_visible(box)
    pixel = canvas.pixel_of(box).toPoint()
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=pixel)


def test_without_a_program_they_say_so(window: MainWindow) -> None:
    for name in ("programgraph", "reachability"):
        view = window.show_panel(name)
        assert isinstance(view, ProgramGraphView | ReachabilityView)
        assert view.pane.sheet is None
        assert view.pane.empty.sentence == "No program is open."


def test_the_program_graph_opens_readable(program_graph: ProgramGraphView) -> None:
    canvas = program_graph.pane.canvas
    assert program_graph.functions.currentText() == "main"
    assert canvas.zoom >= READABLE
    entry = canvas.pixel_of(0)
    assert canvas.viewport().rect().contains(entry.toPoint())


def test_a_block_moves_the_focus_and_follows_it(window: MainWindow, program_graph: ProgramGraphView) -> None:
    chart = program_graph.chart
    assert chart is not None
    loop = next(number for number, block in enumerate(chart.graph.blocks) if block.head.loop)
    click(program_graph.pane.canvas, loop)
    place = window.focus.selection.place
    assert place is not None
    assert place[1] == chart.graph.blocks[loop].head.id
    assert window.focus.selection.line is not None
    assert program_graph.pane.canvas.selection == loop
    assert program_graph.pane.details.isVisible()
    window.focus.go_to_place((place[0], chart.graph.blocks[0].head.id))
    assert program_graph.pane.canvas.selection == 0


def test_the_path_is_marked_and_so_is_its_step(
    qtbot: QtBot, window: MainWindow, program_graph: ProgramGraphView
) -> None:
    window.focus.first_round()
    path = window.focus.path
    assert path is not None
    sheet = program_graph.pane.sheet
    assert sheet is not None
    assert any(Look.PATH in look for look in sheet.looks)
    assert sheet.path
    window.focus.go_to_step(len(path.steps) - 1)
    qtbot.waitUntil(lambda: program_graph.pane.canvas.step is not None)


def test_an_error_that_a_proof_excludes_is_none(window: MainWindow, program_graph: ProgramGraphView) -> None:
    sheet, chart = program_graph.pane.sheet, program_graph.chart
    assert sheet is not None
    assert chart is not None
    errors = [number for number, block in enumerate(chart.graph.blocks) if block.head.check]
    assert len(errors) == 2
    for number in errors:
        assert sheet.looks[number] is Look.UNREACHED
        assert sheet.lines(number)[0].text.startswith("✓ no error, line ")
    window.focus.first_round()
    earlier = program_graph.pane.sheet
    assert earlier is not None
    assert all(earlier.lines(number)[0].text.startswith("✗ error, line ") for number in errors)


def test_loops_fold_and_unfold(qtbot: QtBot, program_graph: ProgramGraphView) -> None:
    chart = program_graph.chart
    assert chart is not None
    count = len(chart.graph.blocks)
    loop = next(number for number, block in enumerate(chart.graph.blocks) if block.head.loop)
    program_graph.pane.toggled.emit(loop)
    qtbot.waitUntil(lambda: program_graph.chart is not chart)
    assert program_graph.chart is not None
    assert len(program_graph.chart.graph.blocks) < count
    program_graph.pane.folds.actions()[-1].trigger()
    qtbot.waitUntil(lambda: program_graph.chart is not None and len(program_graph.chart.graph.blocks) == count)
    program_graph.pane.folds.actions()[0].trigger()
    qtbot.waitUntil(lambda: program_graph.chart is not None and len(program_graph.chart.graph.blocks) > count)


def test_states_stand_still_while_the_rounds_go_by(window: MainWindow, states: ReachabilityView) -> None:
    tree = states.tree
    seen = []
    window.focus.first_round()
    while window.focus.selection.round is not None:
        assert states.tree is tree
        sheet = states.pane.sheet
        assert sheet is not None
        seen.append([look is Look.HIDDEN for look in sheet.looks])
        window.focus.next_round()
    assert len({tuple(one) for one in seen}) > 1


def test_a_state_moves_the_focus(window: MainWindow, states: ReachabilityView) -> None:
    assert states.tree is not None
    sheet = states.pane.sheet
    assert sheet is not None
    box = max(box for box, look in enumerate(sheet.looks) if look is not Look.HIDDEN)
    click(states.pane.canvas, box)
    assert states.pane.canvas.selection == box
    assert window.focus.selection.place == states.tree.slots.places[states.tree.shown.slots[box]]
    assert states.pane.canvas.accessibleDescription()


def test_the_error_path_alone(qtbot: QtBot, window: MainWindow, states: ReachabilityView) -> None:
    window.focus.first_round()
    states.mode.setCurrentIndex(states.mode.findData(Mode.PATH))
    qtbot.waitUntil(lambda: states.tree is not None and states.tree.shown.folded == {} and _is_path(states))
    states.mode.setCurrentIndex(states.mode.findData(Mode.ALL))
    qtbot.waitUntil(lambda: states.tree is not None and not _is_path(states))
    window.focus.first_round()
    sheet = states.pane.sheet
    assert sheet is not None
    assert any(Look.ABSENT in look for look in sheet.looks)


def _is_path(states: ReachabilityView) -> bool:
    sheet = states.pane.sheet
    return sheet is not None and all(Look.PATH in look for look in sheet.looks)


def test_below_a_state_everything_folds(qtbot: QtBot, states: ReachabilityView) -> None:
    tree = states.tree
    assert tree is not None
    states.pane.toggled.emit(0)
    qtbot.waitUntil(lambda: states.tree is not tree)
    assert states.tree is not None
    assert len(states.tree.shown.slots) == 1
    states.pane.toggled.emit(0)
    qtbot.waitUntil(lambda: states.tree is not None and len(states.tree.shown.slots) == len(tree.shown.slots))


def rows_of(model: GraphRows, parent: QModelIndex | None = None) -> list[QModelIndex]:
    """All rows below one, in their order."""
    above = QModelIndex() if parent is None else parent
    found = []
    for number in range(model.rowCount(above)):
        index = model.index(number, 0, above)
        assert model.parent(index) == above
        found += [index, *rows_of(model, index)]
    return found


def test_states_as_a_tree(qtbot: QtBot, window: MainWindow, states: ReachabilityView) -> None:
    """Each state lies below the one that it was found from; what covers a successor has its name."""
    window.activateWindow()
    states.setFocus()
    qtbot.waitUntil(states.pane.canvas.hasFocus)
    QTest.keyClick(states.pane.canvas, Qt.Key.Key_L)
    twin, tree, sheet = states.pane.twin, states.tree, states.pane.sheet
    assert tree is not None
    assert sheet is not None
    assert twin.isVisible()
    rows = rows_of(twin.rows)
    shown = [box for box, look in enumerate(sheet.looks) if look is not Look.HIDDEN]
    assert sorted(twin.rows.box_of(index) or 0 for index in rows) == shown
    for index in rows:
        above = twin.rows.box_of(twin.rows.parent(index))
        assert tree.shown.parents[twin.rows.box_of(index) or 0] == (-1 if above is None else above)
    covered = [box for box in shown if "⊂" in sheet.badge(box)]
    assert covered
    told = twin.rows.index_of(covered[0], 2).data()
    assert re.search(r"covered by .*line \d+.* \(state \d+\)", told)


def test_the_tree_moves_the_focus_and_follows_it(window: MainWindow, states: ReachabilityView) -> None:
    states.pane.twin_button.click()
    twin = states.pane.twin
    for _ in range(3):
        QTest.keyClick(twin, Qt.Key.Key_Down)
    box = twin.rows.box_of(twin.currentIndex())
    assert box is not None
    assert states.pane.canvas.selection == box
    assert states.tree is not None
    assert window.focus.selection.place == states.tree.slots.places[states.tree.shown.slots[box]]
    deepest = max(range(len(states.tree.shown.slots)), key=lambda one: twin.rows.index_of(one).isValid() and one)
    twin.collapse(twin.rows.index(0, 0))
    window.focus.go_to_place(states.tree.slots.places[states.tree.shown.slots[deepest]])
    selected = states.pane.canvas.selection
    assert twin.currentIndex() == twin.rows.index_of(selected, twin.currentIndex().column())
    assert twin.visualRect(twin.currentIndex()).isValid()


def test_rows_that_were_closed_stay_so(window: MainWindow, states: ReachabilityView) -> None:
    states.pane.twin_button.click()
    twin = states.pane.twin
    assert twin.isExpanded(twin.rows.index_of(1))
    twin.collapse(twin.rows.index_of(1))
    window.focus.first_round()
    window.focus.next_round()
    assert not twin.isExpanded(twin.rows.index_of(1))
    assert twin.isExpanded(twin.rows.index_of(0))


def test_blocks_as_a_tree(qtbot: QtBot, program_graph: ProgramGraphView) -> None:
    """Functions, in the one that is drawn its loops, in these their blocks."""
    program_graph.pane.twin_button.click()
    twin, chart = program_graph.pane.twin, program_graph.chart
    assert chart is not None
    functions = [twin.rows.index(number, 0) for number in range(twin.rows.rowCount())]
    assert [index.data() for index in functions] == ["main", "start of the program"]
    blocks = chart.graph.blocks
    loop = next(number for number, block in enumerate(blocks) if block.head.loop)
    inside = [twin.rows.box_of(index) for index in rows_of(twin.rows, twin.rows.index_of(loop))]
    assert set(inside) == loops(chart.graph)[loop]
    outside = next(number for number in range(len(blocks)) if number != loop and number not in inside)
    assert twin.rows.parent(twin.rows.index_of(outside)) == functions[0]
    twin.setCurrentIndex(functions[1])
    QTest.keyClick(twin, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: program_graph.chart is not None and program_graph.chart is not chart)
    assert twin.rows.rowCount(twin.rows.index(1, 0)) > 0
    assert twin.rows.rowCount(twin.rows.index(0, 0)) == 0


def test_a_text_is_found(qtbot: QtBot, program_graph: ProgramGraphView) -> None:
    QTest.keyClicks(program_graph.pane.canvas, "/")
    program_graph.pane.search.setText("loop")
    program_graph.pane.find_next()
    qtbot.waitUntil(lambda: program_graph.pane.canvas.selection is not None)
    selected = program_graph.pane.canvas.selection
    assert selected is not None
    assert "loop" in program_graph.pane.canvas.words(selected)
    program_graph.pane.search.setText("no such text")
    program_graph.pane.find_next()
    qtbot.waitUntil(lambda: "no such text" in program_graph.pane.details.toPlainText())


def test_the_picture_is_saved(qtbot: QtBot, states: ReachabilityView, tmp_path: Path) -> None:
    file = tmp_path / "states.svg"
    states.pane.save(file)
    qtbot.waitUntil(file.is_file)
    assert "<svg" in file.read_text("utf-8")
    states.pane.save(tmp_path)
    qtbot.waitUntil(lambda: "cannot be saved" in states.pane.details.toPlainText())


def test_keys_and_wheel_move_zoom_and_selection(states: ReachabilityView) -> None:
    canvas = states.pane.canvas
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(canvas, key)
    assert canvas.selection not in (None, 0)
    QTest.keyClick(canvas, Qt.Key.Key_Up)
    assert canvas.selection == 0
    zoom = canvas.zoom
    QTest.keyClicks(canvas, "+")
    assert canvas.zoom > zoom
    QTest.keyClicks(canvas, "1")
    assert canvas.zoom == 1
    QTest.keyClicks(canvas, "0")
    whole = canvas.sheet
    assert whole is not None
    assert canvas.zoom * whole.picture.size.height <= canvas.viewport().height() + 1


def test_zooming_keeps_what_is_under_the_pointer(program_graph: ProgramGraphView) -> None:
    canvas = program_graph.pane.canvas
    canvas.set_zoom(2.5)
    pixel = QPointF(60, 80)
    before = canvas.at(pixel)
    canvas.set_zoom(2.8, pixel)
    after = canvas.at(pixel)
    assert (after - before).manhattanLength() < 2
    start = canvas.sight.topLeft()
    viewport = canvas.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
    QTest.mouseMove(viewport, QPoint(60, 60))
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
    assert canvas.sight.topLeft() != start


def test_every_control_has_a_name(program_graph: ProgramGraphView, states: ReachabilityView) -> None:
    for pane in (program_graph.pane, states.pane):
        for part in (pane.canvas, pane.twin, pane.search, pane.canvas.map):
            assert part.accessibleName()


def test_of_the_jobs_that_wait_the_last_one_counts(qtbot: QtBot) -> None:
    found: list[int] = []
    background: Background[int] = Background(found.append)
    for number in range(5):
        background.submit(lambda _, number=number: number)  # type: ignore[misc]
    qtbot.waitUntil(lambda: not background.busy and bool(found))
    assert found == [4]
    background.submit(lambda _: 7)
    background.forget()
    qtbot.waitUntil(lambda: not background.busy)
    assert found == [4]


def test_a_job_ends_when_nobody_wants_its_result(qtbot: QtBot) -> None:
    """A newer job, another run or the end of the application cancels it."""
    found: list[str] = []
    ended: list[str] = []
    background: Background[str] = Background(found.append)

    def job(check: Callable[[], None]) -> str:
        try:
            while True:
                check()
        finally:
            ended.append("endless")

    background.submit(job)
    background.submit(lambda _: "newer")
    qtbot.waitUntil(lambda: found == ["newer"])
    assert ended == ["endless"]
    background.submit(job)
    background.forget()
    qtbot.waitUntil(lambda: not background.busy)
    assert (found, ended) == (["newer"], ["endless", "endless"])


def test_a_job_collects_no_garbage(qtbot: QtBot) -> None:
    """It may be a widget, which only the thread of the window may delete; and whoever allocates would collect."""
    found: list[list[list[int]]] = []
    deleted_in: list[str] = []

    class Garbage:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            deleted_in.append(threading.current_thread().name)

    Garbage()
    background: Background[list[list[int]]] = Background(found.append)
    background.submit(lambda _: [[number] for number in range(20_000)])
    qtbot.waitUntil(lambda: bool(found))
    qtbot.waitUntil(lambda: bool(deleted_in))
    assert deleted_in == ["MainThread"]


def test_pieces_come_together(qtbot: QtBot) -> None:
    found: list[list[int]] = []
    pieces: InPieces[int] = InPieces(found.append)
    pieces.start(iter(range(1000)))
    qtbot.waitUntil(lambda: bool(found))
    assert found == [list(range(1000))]


def test_what_is_selected_stays_in_sight(qtbot: QtBot, window: MainWindow, program_graph: ProgramGraphView) -> None:
    """The words about it take room from the picture; the map stands elsewhere."""
    window.resize(1900, 920)  # half of the largest box has room
    canvas, details = program_graph.pane.canvas, program_graph.pane.details
    canvas.set_zoom(2.0)
    assert program_graph.chart is not None
    for box in range(len(program_graph.chart.graph.blocks)):
        program_graph.pane.chosen.emit(box)
        selected = canvas.selection
        assert selected is not None
        qtbot.waitUntil(lambda at=selected: canvas.viewport().rect().contains(canvas.pixel_of(at).toPoint()))  # type: ignore[misc]
        corner = canvas.pixel_of(selected)
        assert not (canvas.map.isVisible() and canvas.map.geometry().contains(corner.toPoint()))
        assert details.viewport().height() % details.fontMetrics().lineSpacing() <= 1
    canvas.set_zoom(0.1)
    assert canvas.map.isHidden()


def test_zoom_keys_work_in_the_whole_pane(window: MainWindow, program_graph: ProgramGraphView) -> None:
    pane = program_graph.pane
    window.activateWindow()
    pane.canvas.set_zoom(3.0)
    pane.map_button.setFocus()
    QTest.keyClick(pane.map_button, Qt.Key.Key_0)
    sight, sheet = pane.canvas.sight, pane.sheet
    assert sheet is not None
    assert sight.width() >= sheet.picture.size.width
    assert sight.height() >= sheet.picture.size.height
    zoom = pane.canvas.zoom
    pane.search.setFocus()
    QTest.keyClicks(pane.search, "10")
    assert pane.search.text() == "10", "digits are typed where one types"
    assert pane.canvas.zoom == zoom
