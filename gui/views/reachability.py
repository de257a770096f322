"""The abstract reachability graph at the moment of the focus: a tree with one layout for all refinements."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from PySide6.QtCore import QPointF, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QWidget

from core.dataclass import dataclass
from gui.model.background import Background, Leaving
from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus, FocusState
from gui.views.graphpane import GraphPane
from gui.views.graphtiles import Tiles, tiles_of
from gui.views.layouts import column_layout
from gui.views.relayout import RelayoutBoundary
from interplay.presentation.graphs.picture import Role
from interplay.presentation.graphs.stategraph import (
    Folds,
    Mode,
    Tree,
    TreeSlots,
    all_nodes,
    moment,
    path_slots,
    slots_of,
    tree,
)
from interplay.presentation.graphs.statesheet import roles_of, sheet
from interplay.presentation.layout import CancelCheck
from interplay.presentation.record.engine_words import EngineWord, engine_words, is_known, noun
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Action
from interplay.presentation.record.timeline import columns, place_words

_LEGEND = (
    "Purple: the path · orange frame: its step · since the round before: + new, ≠ changed, − gone · "
    "⊂ covered by, ⊇ covers other states (lines when selected)"
)
_WORDS = {
    Mode.PATH: "Only the states of the path of this moment",
    Mode.MOMENT: "The graph as it was at this moment, with what the refinement before has changed",
    Mode.ALL: "The states of all moments; those that are not there at this one are faint",
}
_FEW = 200  # states, of which one is looked for in sight
_PATIENCE = 4  # times the duration of the last layout until a run that grows is laid out again


@dataclass(frozen=True)
class TreeRequest:
    """The input of a layout: an attempt at an event position."""

    attempt: int
    position: int
    folds: Folds
    only: tuple[int, ...] | None


@dataclass(frozen=True)
class TreeLayout:
    """A finished layout with its tiles and the time that it took."""

    wish: TreeRequest
    tree: Tree
    tiles: Tiles
    seconds: float


class ReachabilityView(QWidget):
    """The view of the reachability graph; follows moment, path and location. Selecting a state moves the focus."""

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._background: Background[TreeLayout] = Background(self._laid_out)
        self._wish: TreeRequest | None = None
        self._layout: TreeLayout | None = None
        self._drawn: TreeLayout | None = None  # what is in sight, or was before the last run came
        self._leaving = Leaving()
        self._slots: TreeSlots | None = None  # of the last layout
        self._folds = Folds()
        self._slot: int | None = None  # what is selected
        self._next = 0.0  # when a growing run may be laid out again
        self._opened = False
        self.pane = GraphPane("Abstract states", _LEGEND)
        self.mode = QComboBox()
        self.mode.setAccessibleName("Which states")
        for one in Mode:
            self.mode.addItem(one.value, one)
            self.mode.setItemData(self.mode.count() - 1, _WORDS[one], 3)
        self.mode.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.mode.setMinimumContentsLength(12)
        self.mode.setCurrentIndex(self.mode.findData(Mode.MOMENT))
        self.mode.currentIndexChanged.connect(lambda _: self._mode_chosen())
        self._moment = QLabel()
        self._moment.setProperty("role", "quiet")
        self._moment.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.pane.choices.addWidget(QLabel("Show"))
        self.pane.choices.addWidget(self.mode)
        self.pane.choices.addWidget(RelayoutBoundary(self._moment), 1)
        self._chains = self.pane.add_fold(
            "Fold chains", "Of states in a row draw the first and the last", self._fold_chains, checkable=True
        )
        self._calls = self.pane.add_fold(
            "Fold calls", "Draw no states inside of called functions", self._fold_calls, checkable=True
        )
        self.pane.add_fold("Unfold everything", "Draw all states", lambda _: self._unfold(), checkable=False)
        layout = column_layout(self)
        layout.addWidget(self.pane)
        self.setFocusProxy(self.pane.canvas)
        self.pane.chosen.connect(self._choose)
        self.pane.toggled.connect(self._toggle)
        self.pane.entered.connect(self._toggle)
        model.replaced.connect(self._replaced)
        model.advanced.connect(self._update)
        model.decided.connect(self._decided)
        focus.changed.connect(self._follow)
        self._replaced()

    @property
    def tree(self) -> Tree | None:
        """The tree that is drawn; None during its first layout."""
        return None if self._layout is None else self._layout.tree

    # What happens to the run

    def _replaced(self) -> None:
        self._background.forget()
        self._forget()
        self._update()

    def _forget(self) -> None:
        self._wish = self._layout = self._slots = self._slot = None
        self._folds = Folds(self._chains.isChecked(), self._calls.isChecked())
        self._next, self._opened = 0.0, False
        self.pane.canvas.selection = self.pane.canvas.step = None

    def _decided(self) -> None:
        self._next = 0.0
        self._update()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._update()

    def _update(self) -> None:
        """Show the moment, after a layout if necessary."""
        record = self._model.record
        if not self.isVisible() or record is None or not _has_nodes(record, self._focus.selection.attempt):
            self._say_nothing(record)
            return
        wish = self._wanted(record)
        if self._wish is None or wish.attempt != self._wish.attempt:
            self._forget()
        grown_only = self._wish is not None and replace(wish, position=self._wish.position) == self._wish
        if wish != self._wish and not (grown_only and (self._background.busy or time.monotonic() < self._next)):
            self._wish = wish
            if self._layout is None:
                self.pane.empty.offer_nothing()
                self.pane.show_nothing("The graph is being laid out…")
            self._background.submit(self._job(wish, record))
        if self._layout is not None and self._layout.wish.attempt == wish.attempt:
            self._show_moment()

    def _job(self, wish: TreeRequest, record: RunRecord) -> Callable[[CancelCheck], TreeLayout]:
        """The background job of a layout, with a copy of the data of a run that may grow meanwhile."""
        roles = roles_of(record)
        if self._layout is not None and self._layout.wish.position == wish.position:
            slots = self._layout.tree.slots
            return lambda check: _lay_out(wish, slots, roles, check)
        attempt = record.attempt(self._focus.selection.attempt)
        nodes, covers = all_nodes(attempt), list(attempt.states.covers)
        return lambda check: _lay_out(wish, slots_of(nodes, covers, check), roles, check)

    def _say_nothing(self, record: RunRecord | None) -> None:
        if record is None:
            self.pane.empty.offer(Action.OPEN.value, lambda: self.asked.emit(Action.OPEN))
            self.pane.show_nothing("No program is open.")
        elif not record.begun:
            self.pane.empty.offer(Action.VERIFY.value, lambda: self.asked.emit(Action.VERIFY))
            self.pane.show_nothing("Abstract states appear here while a program is verified.")
        elif not _has_nodes(record, self._focus.selection.attempt):
            started = record.attempt(self._focus.selection.attempt).event
            name = f"The engine {started.engine}" if started is not None else "This run"
            self.pane.empty.offer_nothing()
            self.pane.show_nothing(f"{name} {why_none(record, self._focus.selection.attempt)}")

    def _wanted(self, record: RunRecord) -> TreeRequest:
        selection = self._focus.selection
        attempt = record.attempt(selection.attempt)
        position = record.view.position
        only = None
        if self.mode.currentData() is Mode.PATH and self._slots is not None:
            only = path_slots(record, selection.attempt, selection.round, self._slots)
        return TreeRequest(attempt.number, position, self._folds, only)

    def _laid_out(self, layout: TreeLayout) -> None:
        record = self._model.record
        if record is None or record.attempt(self._focus.selection.attempt).number != layout.wish.attempt:
            return
        old, canvas = self._layout, self.pane.canvas
        anchor = canvas.anchor() if old is not None else None
        keep = None
        if old is not None and anchor is not None:
            slot = layout.tree.shown.into[old.tree.shown.slots[anchor]]
            box = layout.tree.boxes.get(slot)
            keep = None if box is None else (box, canvas.pixel_of(anchor))
        first = self._slots is None
        self._layout, self._slots = layout, layout.tree.slots
        self._next = time.monotonic() + _PATIENCE * layout.seconds
        canvas.selection = None
        self._show_moment(keep)
        if self._drawn is not None:
            self._leaving.take(_parts(self._drawn))
        self._drawn = layout
        if first and self.mode.currentData() is Mode.PATH:
            self._update()  # the path is known only now
        if keep is None:
            canvas.open_at_selection()
            self._show_any_state()

    def _show_moment(self, keep: tuple[int, QPointF] | None = None) -> None:
        record, layout = self._model.record, self._layout
        if record is None or layout is None:
            return
        selection, path = self._focus.selection, self._focus.path
        now = moment(record, selection.attempt, selection.round, layout.tree.slots)
        found = now.at(selection.place)
        if self._slot not in found:
            self._slot = next((slot for slot in found if slot in now.path), found[0] if found else None)
        box = None if self._slot is None else layout.tree.boxes.get(layout.tree.shown.into[self._slot])
        step = path.steps[selection.step] if path is not None and selection.step is not None else None
        places = layout.tree.slots.places
        at_step = None if step is None else next((slot for slot in now.path if places[slot] == step.source), None)
        moved = box is not None and box != self.pane.canvas.selection
        self.pane.canvas.step = None if at_step is None else layout.tree.boxes.get(layout.tree.shown.into[at_step])
        self.pane.canvas.selection = box
        shown = sheet(record, selection.attempt, now, layout.tree, self.mode.currentData(), self._slot)
        if not now.count and not now.differences and self.mode.currentData() is not Mode.ALL:
            self.pane.empty.offer_nothing()
            self.pane.show_nothing(_none_now(record, selection))
        else:
            self.pane.show_sheet(shown, layout.tiles, layout.tree.outline, keep=keep)
        self.pane.select(box)
        self._moment.setText(_counted(now.count, record, selection))
        self._moment.setToolTip(engine_words(record, selection.attempt, EngineWord.STATE))
        if moved and box is not None and keep is None:
            self.pane.canvas.ensure_visible(box)
        elif box is None and keep is None:
            self._show_any_state()

    def _show_any_state(self) -> None:
        """Scroll to a state of the moment, unless one is in sight; of many, one is likely to be."""
        record, layout, canvas = self._model.record, self._layout, self.pane.canvas
        if record is None or layout is None or canvas.selection is not None:
            return
        now = moment(record, self._focus.selection.attempt, self._focus.selection.round, layout.tree.slots)
        if now.count <= _FEW:
            boxes = (layout.tree.boxes.get(layout.tree.shown.into[slot]) for slot in sorted(now.taken))
            canvas.bring_into_sight([box for box in boxes if box is not None])

    # What a person does

    def _choose(self, box: int) -> None:
        record, layout = self._model.record, self._layout
        if record is None or layout is None:
            return
        self._slot = slot = layout.tree.shown.slots[box]
        place, selection = layout.tree.slots.places[slot], self._focus.selection
        node = moment(record, selection.attempt, selection.round, layout.tree.slots).node(slot)
        number = None if node is None else node.node
        if (place, number) != (selection.place, selection.node):
            self._focus.go_to_place(place, number)
        else:
            self._show_moment()
        self.pane.select(box)
        self.pane.canvas.ensure_visible(box)

    def _toggle(self, box: int) -> None:
        """Unfold the states folded into a state, else fold those below it."""
        layout = self._layout
        if layout is None:
            return
        slot = layout.tree.shown.slots[box]
        folds = self._folds
        if slot in folds.closed:
            self._folds = replace(folds, closed=folds.closed - {slot})
        elif box in layout.tree.shown.folded:
            self._folds = replace(folds, opened=folds.opened | {slot})
        elif slot in folds.opened:
            self._folds = replace(folds, opened=folds.opened - {slot})
        else:
            self._folds = replace(folds, closed=folds.closed | {slot})
        self._update()

    def _fold_chains(self, fold: bool) -> None:
        self._folds = replace(self._folds, chains=fold, opened=frozenset())
        self._update()

    def _fold_calls(self, fold: bool) -> None:
        self._folds = replace(self._folds, calls=fold, opened=frozenset())
        self._update()

    def _unfold(self) -> None:
        self._chains.setChecked(False)
        self._calls.setChecked(False)
        self._folds = Folds()
        self._update()

    def _mode_chosen(self) -> None:
        self.mode.setToolTip(_WORDS[self.mode.currentData()])
        self._update()

    # What happens to the focus

    def _follow(self, aspects: Aspect) -> None:
        if aspects & (Aspect.MOMENT | Aspect.PATH | Aspect.STEP | Aspect.PLACE):
            self._update()


def why_none(record: RunRecord, attempt: int) -> str:
    """The end of a sentence about the engine of an attempt without abstract states."""
    states = noun(record, attempt, EngineWord.STATE, 2)
    if is_known(record, attempt, EngineWord.STATE):
        return f"has recorded no {states}: this run was decided without any that a view could show."
    return f"has no {states}: it does not explore a graph of them."


def _has_nodes(record: RunRecord, attempt: int) -> bool:
    one = record.attempt(attempt)
    return bool(one.states.births)


def _counted(count: int, record: RunRecord, selection: FocusState) -> str:
    states = f"{count:,} {noun(record, selection.attempt, EngineWord.STATE, count)}".replace(",", " ")
    known = columns(record, selection.attempt)
    if not known:
        return states
    index = next((i for i, one in enumerate(known) if one.row.round == selection.round), None)
    return f"{states}, {place_words(known, index)}"


def _none_now(record: RunRecord, selection: FocusState) -> str:
    """A sentence about a moment without states: they were not found yet, or there are none any more."""
    words = noun(record, selection.attempt, EngineWord.STATE, 2)
    rows = [one.row for one in columns(record, selection.attempt)]
    shown = [one.round for one in rows if one.states and (selection.round is None or one.round > selection.round)]
    return f"There are no {words} at this moment{f': they come in round {shown[0] + 1}' if shown else ''}."


def _lay_out(wish: TreeRequest, slots: TreeSlots, roles: Mapping[int, Role], check: CancelCheck) -> TreeLayout:
    begin = time.perf_counter()
    one = tree(slots, wish.folds, roles, wish.only, check)
    return TreeLayout(wish, one, tiles_of(one.picture, check), time.perf_counter() - begin)


def _parts(layout: TreeLayout) -> list[list[object]]:
    """The parts of a layout, as lists, for piecewise release from the end: what holds many things, then these."""
    tree, slots, tiles = layout.tree, layout.tree.slots, layout.tiles
    picture = tree.picture
    many: tuple[Collection[object], ...] = (
        *(tiles.rects, picture.boxes, picture.wires, slots.births, slots.changes, slots.occupants),
        *(table.values() for table in (tiles.cells, slots.there, slots.numbered, slots.children)),
    )
    tables = (tiles.cells, slots.there, slots.numbered, slots.children, tree.boxes, tree.wire_to, slots.of)
    rest = (*many, *tables, tree.shown, slots.deaths, slots.places)
    return [*map(list, many), *([one] for one in rest)]
