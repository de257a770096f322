"""The program graph: the control-flow automaton of one function, laid out in layers, as blocks of statements."""

from __future__ import annotations

from dataclasses import field

from PySide6.QtCore import QPointF, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from core.dataclass import dataclass
from core.program import Program
from core.program.source import function_title
from gui.model.background import Background
from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus
from gui.views.graphpane import GraphPane
from gui.views.graphtiles import Tiles, tiles_of
from gui.views.layouts import column_layout
from interplay.presentation.graphs.block_graph import BlockDetail
from interplay.presentation.graphs.programgraph import Chart, chart, functions, place_of, sheet
from interplay.presentation.layout import CancelCheck
from interplay.presentation.record.summary import Action
from runs.events import Place

_LEGEND = (
    "Purple: the path · orange frame: its step · dashed line: back to a loop head · dashed box: never reached · "
    "◇n: n predicates"
)


@dataclass(frozen=True)
class ChartRequest:
    """The input of a layout."""

    program: Program = field(compare=False)
    function: str
    detail: BlockDetail
    folds: frozenset[int]


class ProgramGraphView(QWidget):
    """The view of the program graph; follows the location. Selecting a block moves the focus to its start."""

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._background: Background[tuple[ChartRequest, Chart, Tiles]] = Background(self._laid_out)
        self._wish: ChartRequest | None = None
        self._shown: ChartRequest | None = None
        self._chart: Chart | None = None
        self._tiles: Tiles | None = None
        self._function = ""
        self._folds: frozenset[int] = frozenset()
        self._detail = BlockDetail.BLOCKS
        self._followed: Place | None = None  # the location whose function was shown last
        self.pane = GraphPane("Program graph", _LEGEND)
        self.functions = QComboBox()
        self.functions.setAccessibleName("Function")
        self.functions.setToolTip("The function whose automaton is drawn")
        self.functions.activated.connect(self._choose_function)
        self.pane.choices.addWidget(QLabel("Function"))
        self.pane.choices.addWidget(self.functions, 1)
        self._every = self.pane.add_fold(
            "Every location on its own", "Do not join statements into blocks", self._set_detail, checkable=True
        )
        self.pane.add_fold("Fold all loops", "Draw each loop as its head", lambda _: self._fold_all(), checkable=False)
        self.pane.add_fold("Unfold everything", "Draw all blocks", lambda _: self._unfold(), checkable=False)
        layout = column_layout(self)
        layout.addWidget(self.pane)
        self.setFocusProxy(self.pane.canvas)
        self.pane.chosen.connect(self._choose)
        self.pane.toggled.connect(self._toggle)
        self.pane.entered.connect(self._enter)
        self.pane.twin.asked.connect(self._go_to_function)
        model.replaced.connect(self._replaced)
        model.advanced.connect(self._advanced)
        model.decided.connect(self._advanced)
        focus.changed.connect(self._follow)
        self._replaced()

    @property
    def chart(self) -> Chart | None:
        """The chart that is drawn; None during its layout."""
        return self._chart

    # What happens to the run

    def _replaced(self) -> None:
        self._background.forget()
        self._wish = self._shown = self._chart = self._tiles = None
        self._function, self._folds, self._followed = "", frozenset(), None
        self.functions.clear()
        self.pane.canvas.selection = self.pane.canvas.step = None
        self._advanced()

    def _advanced(self) -> None:
        record = self._model.record
        if record is None or record.program is None:
            running = record is not None and record.begun
            self._say_nothing(record is not None, running)
            return
        if not self.functions.count():
            self.functions.setEnabled(True)
            for name in functions(record.program):
                self.functions.addItem(
                    "start of the program" if name == record.program.start else function_title(name), name
                )
            self._function = self.functions.itemData(0)
        self._update()

    def _say_nothing(self, is_open: bool, running: bool) -> None:
        self.functions.setEnabled(False)
        if running:
            self.pane.empty.offer_nothing()
            self.pane.show_nothing("This run has no program: it ended, or is, before the C text was understood.")
            return
        action = Action.VERIFY if is_open else Action.OPEN
        self.pane.empty.offer(action.value, lambda: self.asked.emit(action))
        self.pane.show_nothing(
            "The graph of the program is drawn when it is verified." if is_open else "No program is open."
        )

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._update()

    # What is drawn

    def _update(self) -> None:
        """Show the moment, after a layout if necessary."""
        record = self._model.record
        if record is None or record.program is None or not self.isVisible():
            return
        if self._function not in record.program.functions:
            return  # it became visible before it heard of this run
        self._follow_function(record.program)
        wish = ChartRequest(record.program, self._function, self._detail, self._folds)
        if wish != self._wish:
            self._wish = wish
            if self._chart is None:
                self.pane.empty.offer_nothing()
                self.pane.show_nothing("The graph is being laid out…")
            self._background.submit(lambda check: _lay_out(wish, check))
        if self._shown == wish:
            self._show_moment()

    def _follow_function(self, program: Program) -> None:
        """Show the function of the selected location, once it is another one."""
        place = self._focus.selection.place
        if place is None or not 0 <= place[1] < len(program.locations) or place == self._followed:
            return
        self._followed = place
        function = program.locations[place[1]].function
        if function != self._function:
            self._function = function
            self.functions.setCurrentIndex(self.functions.findData(function))

    def _laid_out(self, result: tuple[ChartRequest, Chart, Tiles]) -> None:
        wish, chart, tiles = result
        record = self._model.record
        if record is None or record.program is not wish.program:
            return
        before, old = self._shown, self._chart
        self._shown, self._chart, self._tiles = wish, chart, tiles
        keep = None
        if old is not None and before is not None and before.function == wish.function:
            anchor = self.pane.canvas.anchor()
            if anchor is not None:
                pixel = self.pane.canvas.pixel_of(anchor)
                keep = chart.graph.block_of[old.graph.blocks[anchor].head.id], pixel
        self.pane.canvas.selection = None
        self._show_moment(keep)
        if keep is None:
            self.pane.canvas.open_at_selection()

    def _show_moment(self, keep: tuple[int, QPointF] | None = None) -> None:
        record, chart, tiles = self._model.record, self._chart, self._tiles
        if record is None or chart is None or tiles is None:
            return
        selection, path = self._focus.selection, self._focus.path
        step = path.steps[selection.step] if path is not None and selection.step is not None else None
        self.pane.canvas.step = None if step is None else chart.graph.block_of.get(step.source[1])
        place = selection.place
        box = None if place is None else chart.graph.block_of.get(place[1])
        moved = box is not None and box != self.pane.canvas.selection
        self.pane.canvas.selection = box
        self.pane.show_sheet(sheet(record, selection, path, chart), tiles, chart.outline, keep=keep)
        self.pane.select(box)
        if moved and box is not None and keep is None:
            self.pane.canvas.ensure_visible(box)

    # What a person does

    def _choose(self, box: int) -> None:
        record, one = self._model.record, self._chart
        if record is not None and one is not None:
            location = one.graph.blocks[box].head.id
            self._focus.go_to_place(place_of(record, self._focus.selection, self._focus.path, location))
            self.pane.canvas.ensure_visible(box)

    def _toggle(self, box: int) -> None:
        """Fold a loop into its head, or unfold it."""
        if self._chart is not None:
            head = self._chart.graph.blocks[box].head
            if head.loop:
                self._folds = self._folds ^ {head.id}
                self._update()

    def _enter(self, box: int) -> None:
        """Go into the called function, else fold or unfold."""
        record, one = self._model.record, self._chart
        if record is None or record.program is None or one is None:
            return
        block = one.graph.blocks[box]
        called = next((name for name in block.calls if name in record.program.functions), None)
        if called is not None and not block.folded:
            self._go_to_function(called)
        else:
            self._toggle(box)

    def _go_to_function(self, name: str) -> None:
        self.functions.setCurrentIndex(self.functions.findData(name))
        self._choose_function()

    def _choose_function(self) -> None:
        self._function = self.functions.currentData()
        self._followed = self._focus.selection.place  # it may lie elsewhere
        self._update()

    def _set_detail(self, every: bool) -> None:
        self._detail = BlockDetail.LOCATIONS if every else BlockDetail.BLOCKS
        self._update()

    def _fold_all(self) -> None:
        record = self._model.record
        if record is not None and record.program is not None and self._function:
            own = (one for one in record.program.locations if one.function == self._function)
            self._folds = frozenset(location.id for location in own if location.loop)
            self._update()

    def _unfold(self) -> None:
        self._folds = frozenset()
        self._update()

    # What happens to the focus

    def _follow(self, aspects: Aspect) -> None:
        if aspects & (Aspect.MOMENT | Aspect.PATH | Aspect.STEP | Aspect.PLACE):
            self._update()


def _lay_out(wish: ChartRequest, check: CancelCheck) -> tuple[ChartRequest, Chart, Tiles]:
    one = chart(wish.program, wish.function, wish.detail, wish.folds, check)
    return wish, one, tiles_of(one.picture, check)
