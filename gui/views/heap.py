"""The heap as boxes and arrows: at the step of a counterexample, what the selected clause about lists excludes, and the
diagram of the selected abstract state.
"""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QWidget

from gui.model.background import Background
from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus
from gui.views.graphpane import GraphPane
from gui.views.graphtiles import Tiles, tiles_of
from gui.views.layouts import column_layout
from gui.views.relayout import RelayoutBoundary
from interplay.presentation.graphs.heapgraph import HeapDrawing, heap_drawing, heap_sheet
from interplay.presentation.plurals import counted
from interplay.presentation.record.diagrams import described_by, excluded_by, state_of_step
from interplay.presentation.record.heaps import HeapState, has_heap, heap_at
from interplay.presentation.record.moments import lemma_numbered, position, state
from interplay.presentation.record.paths import counterexample
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Action

_LEGEND = (
    "Blue: variables · → a pointer · dashed: reaches in any number of steps · ? never written · "
    "by this step: + new, ≠ changed (its pointers are purple) · − released"
)


_MAX_FACTS = 1  # that are written out


class HeapSubject(Enum):
    """The subjects of a picture."""

    STEP = "The step"
    CLAUSE = "The clause"
    STATE = "The abstract state"


_WORDS = {
    HeapSubject.STEP: "The heap after the step of the counterexample",
    HeapSubject.CLAUSE: "The heaps that the selected clause excludes, as one diagram",
    HeapSubject.STATE: "The diagram of the selected abstract state; of pdr, of a proof obligation",
}


class HeapGraphView(QWidget):
    """The view of heaps; follows the step and the selected lemma. Selecting a box describes it."""

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._focus = model, focus
        self._background: Background[tuple[HeapDrawing, Tiles]] = Background(self._laid_out)
        self._wish: HeapState | None = None
        self.drawing: HeapDrawing | None = None
        """The drawing that is shown."""
        self.pane = GraphPane("Heap", _LEGEND)
        self.subject = QComboBox()
        self.subject.setAccessibleName("Which heap")
        for one in HeapSubject:
            self.subject.addItem(one.value, one)
            self.subject.setItemData(self.subject.count() - 1, _WORDS[one], 3)
        self.subject.currentIndexChanged.connect(lambda _: self._update())
        self._words = QLabel()
        self._words.setProperty("role", "quiet")
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.pane.choices.addWidget(QLabel("Show"))
        self.pane.choices.addWidget(self.subject)
        self.pane.choices.addWidget(RelayoutBoundary(self._words), 1)
        self.pane.chosen.connect(self.pane.select)
        layout = column_layout(self)
        layout.addWidget(self.pane)
        self.setFocusProxy(self.pane.canvas)
        model.replaced.connect(self._replaced)
        model.advanced.connect(self._update)
        model.decided.connect(self._update)
        focus.changed.connect(self._follow)
        self._replaced()

    def _replaced(self) -> None:
        self._background.forget()
        self._wish = self.drawing = None
        self.pane.canvas.selection = None
        self.subject.setCurrentIndex(0)
        self._update()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._update()

    def _follow(self, aspects: Aspect) -> None:
        """Show what was selected last: a clause, or a step."""
        if aspects & Aspect.LEMMA and self._focus.selection.lemma is not None:
            self.subject.setCurrentIndex(self.subject.findData(HeapSubject.CLAUSE))
        elif aspects & Aspect.STEP and self._focus.selection.step is not None:
            path, record = self._focus.path, self._model.record
            is_run = path is not None and record is not None and path is counterexample(record, path.check)
            self.subject.setCurrentIndex(self.subject.findData(HeapSubject.STEP if is_run else HeapSubject.STATE))
        elif aspects & Aspect.PLACE and self._focus.selection.node is not None:
            self.subject.setCurrentIndex(self.subject.findData(HeapSubject.STATE))
        self._update()

    def _update(self) -> None:
        record = self._model.record
        if record is None or not self.isVisible():
            self._say_nothing(record)
            return
        self._offer(record)
        wish = self._wanted(record)
        if wish is None:
            self._wish = None
            self._say_nothing(record)
        elif wish != self._wish:
            self._wish = wish
            self._background.submit(lambda check: _laid(heap_drawing(wish, check)))
        elif self.drawing is not None and self.drawing.state == wish:
            self._show()

    def _offer(self, record: RunRecord) -> None:
        """Without a counterexample, begin with clauses."""
        if self.subject.currentData() is HeapSubject.STEP and not record.view.traces and record.view.verdict:
            self.subject.setCurrentIndex(self.subject.findData(HeapSubject.CLAUSE))
        self.subject.setToolTip(_WORDS[self.subject.currentData()])

    def _wanted(self, record: RunRecord) -> HeapState | None:
        chosen, path = self._focus.selection, self._focus.path
        if self.subject.currentData() is HeapSubject.STEP:
            if path is None or path.check not in record.view.traces:
                return None
            heap = heap_at(record, path.check, chosen.step)
            return heap if has_heap(record) or (heap is not None and heap.records) else None
        if self.subject.currentData() is HeapSubject.STATE:
            alive = state(record, chosen.attempt, chosen.round).nodes
            here = [node for node in alive if node.place == chosen.place]
            on_path = None
            if chosen.node is None and chosen.step is not None:
                on_path = state_of_step(record, chosen.attempt, chosen.round, chosen.step)
            if on_path in here:
                here = [one for one in here if one is on_path]
            node = next((node for node in here if node.node == chosen.node), here[0] if here else None)
            at = position(record, chosen.attempt, chosen.round)
            return None if node is None else described_by(record, chosen.attempt, node, at)
        found = None if chosen.lemma is None else lemma_numbered(record, chosen.attempt, chosen.lemma)
        return None if found is None else excluded_by(record, chosen.attempt, found)

    def _say_nothing(self, record: RunRecord | None) -> None:
        self.pane.empty.offer_nothing()
        self._words.setText("")
        self.pane.show_nothing(self._why_nothing(record))

    def _why_nothing(self, record: RunRecord | None) -> str:
        if record is None:
            self.pane.empty.offer(Action.OPEN.value, lambda: self.asked.emit(Action.OPEN))
            return "No program is open."
        if not record.begun:
            self.pane.empty.offer(Action.VERIFY.value, lambda: self.asked.emit(Action.VERIFY))
            return "The heap of a counterexample comes here, and what clauses about lists exclude."
        if not has_heap(record):
            return "The program has no pointers, so there is no heap to draw."
        if self.subject.currentData() is HeapSubject.CLAUSE:
            return "Choose a clause about lists in the table of predicates: the heaps that it excludes come here."
        if self.subject.currentData() is HeapSubject.STATE:
            return "Choose an abstract state that speaks of pointers: its diagram comes here."
        return "There is no counterexample at this moment. Clauses about lists are drawn when one is selected."

    def _laid_out(self, result: tuple[HeapDrawing, Tiles]) -> None:
        drawing, self._tiles = result
        if drawing.state != self._wish:
            return
        first = self.drawing is None
        self.drawing = drawing
        self._show()
        if first or self.pane.canvas.selection is None:
            self.pane.canvas.fit()

    def _show(self) -> None:
        assert self.drawing is not None
        shown = self.drawing.state
        self.pane.show_sheet(heap_sheet(self.drawing), self._tiles, self.drawing.outline)
        facts = len(shown.facts)
        words = list(shown.facts) if facts <= _MAX_FACTS else [f"{counted(facts, 'fact')} more, in the tooltip"]
        if shown.left_out:
            words.append(f"{counted(shown.left_out, 'record')} more not drawn")
        if not shown.records and not shown.variables:
            words.append("no pointer is set yet")
        text = " and ".join(words)
        self._words.setText(f"and {text}" if shown.facts else text)
        self._words.setToolTip("\n".join(shown.facts))


def _laid(drawing: HeapDrawing) -> tuple[HeapDrawing, Tiles]:
    return drawing, tiles_of(drawing.picture)
