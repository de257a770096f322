"""The focus: the selection that all views share, and the rules by which its parts move together.

There are two cursors, never one: the *round* (a moment of the run) and the *step* (of the path of that moment). Views
do not communicate with each other: a view moves the focus, and all views are notified.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Flag, auto
from itertools import chain

from PySide6.QtCore import QObject, Signal

from core.dataclass import dataclass
from interplay.presentation.record.moments import born_in, lemma_numbered, round_of
from interplay.presentation.record.paths import ShownPath, path_shown
from interplay.presentation.record.run import LATEST, RunRecord
from runs.events import Place


@dataclass(frozen=True)
class FocusState:
    """The selection. `attempt` is a position in the fold, `LATEST` follows the run; `round` None is the end, or now.

    `step` is an index into the steps of the path shown; `check` chooses among counterexamples; `line` is (file, line).
    `node` is the abstract state that was chosen at the place, where one was.
    """

    attempt: int = LATEST
    round: int | None = None
    check: int | None = None
    step: int | None = None
    place: Place | None = None
    node: int | None = None
    lemma: int | None = None
    line: tuple[str, int] | None = None


class Aspect(Flag):
    """The parts of the selection that have changed."""

    NOTHING = 0
    MOMENT = auto()  # attempt or round: everything may look different
    PATH = auto()  # another path is shown
    STEP = auto()
    PLACE = auto()
    LEMMA = auto()
    LINE = auto()


class Focus(QObject):
    """Holds the selection. `changed(aspects)` is emitted once after each move that changed something."""

    changed = Signal(object)  # Aspect

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._record: RunRecord | None = None
        self._stops: tuple[int, ...] = ()
        self.selection = FocusState()

    def attach(self, record: RunRecord | None) -> None:
        """Select the end of another run. Called by the model, which notifies the views; `changed` is not emitted."""
        self._record = record
        self._stops = ()
        self.selection = FocusState()

    # What the selection means

    @property
    def path(self) -> ShownPath | None:
        """The path of the moment."""
        if self._record is None:
            return None
        s = self.selection
        return path_shown(self._record, s.attempt, s.round, s.check)

    # Moves

    def go_to_attempt(self, attempt: int) -> None:
        self._move(FocusState(attempt=attempt, line=self.selection.line))

    def go_to_round(self, round: int | None) -> None:
        """Select a moment; the step of the path is reset, the location stays."""
        self._move(replace(self.selection, round=round, step=None))

    def next_round(self) -> None:
        """Go to the next round; after the last one comes the end."""
        numbers = self._rounds()
        if self.selection.round is not None:
            later = [number for number in numbers if number > self.selection.round]
            self.go_to_round(later[0] if later else None)

    def previous_round(self) -> None:
        numbers = self._rounds()
        current = self.selection.round
        earlier = [number for number in numbers if current is None or number < current]
        if earlier:
            self.go_to_round(earlier[-1])

    def first_round(self) -> None:
        numbers = self._rounds()
        if numbers:
            self.go_to_round(numbers[0])

    def last_round(self) -> None:
        self.go_to_round(None)

    def last_path(self) -> None:
        """Go to the round of the last path, where a run without an answer got stuck; to the end if there is none."""
        paths = () if self._record is None else self._record.attempt(self.selection.attempt).paths
        self.go_to_round(paths[-1].round if paths else None)

    def go_to_check(self, check: int) -> None:
        """Show the counterexample of a check."""
        self._move(replace(self.selection, round=None, check=check, step=None))

    def go_to_step(self, step: int) -> None:
        """Select a step of the path shown; its location and line come with it."""
        path = self.path
        if path is None or not path.steps:
            return
        one = path.steps[max(0, min(step, len(path.steps) - 1))]
        line = (one.span.file, one.span.line) if one.span is not None else self.selection.line
        self._move(replace(self.selection, step=one.index, place=one.source, line=line))

    def stop_at(self, steps: Iterable[int]) -> None:
        """Make `next_step` and `previous_step` stop at these steps only, in order, as long as this path is shown."""
        self._stops = tuple(steps)

    def first_step(self) -> None:
        """Go to the first of the steps that `next_step` stops at."""
        self._step_to(next(iter(self._stepped()), None))

    def refuted_step(self) -> None:
        """Go to the step at which the path becomes infeasible, the last of those that contradict each other. A feasible
        path is shown from its first step.
        """
        against = () if self.path is None else tuple(one.index for one in self.path.steps if one.in_core)
        if against:
            self.go_to_step(against[-1])
        else:
            self.first_step()

    def next_step(self) -> None:
        """Go to the next step; at the end nothing happens."""
        step = self.selection.step
        later = (one for one in self._stepped() if step is None or one > step)
        self._step_to(next(later, None))

    def previous_step(self) -> None:
        step = self.selection.step
        earlier = (one for one in reversed(self._stepped()) if step is None or one < step)
        self._step_to(next(earlier, None))

    def go_to_place(self, place: Place | None, node: int | None = None) -> None:
        """Select a location of the expansion, or one of the states there; its line comes with it."""
        self._move(replace(self.selection, place=place, node=node, line=self._line_of(place)))

    def go_to_line(self, file: str, line: int) -> None:
        """Select a line, and the first location on it if there is one."""
        selection = replace(self.selection, line=(file, line))
        place = self._place_on(file, line)
        self._move(selection if place is None else replace(selection, place=place))

    def go_to_lemma(self, lemma: int | None) -> None:
        """Select a lemma, and where it holds."""
        selection = replace(self.selection, lemma=lemma)
        found = None if self._record is None else lemma_numbered(self._record, selection.attempt, lemma)
        if found is not None and found.event.place is not None:
            place = found.event.place
            selection = replace(selection, place=place, line=self._line_of(place))
        self._move(selection)

    def go_to_birth(self, lemma: int) -> None:
        """Go to the round that learned a lemma, with the lemma selected."""
        if self._record is None:
            return
        found = lemma_numbered(self._record, self.selection.attempt, lemma)
        if found is not None:
            born = born_in(self._record, self.selection.attempt, found)
            self._move(replace(self.selection, round=born, step=None))
            self.go_to_lemma(lemma)

    # Helpers

    def _stepped(self) -> Sequence[int]:
        path = self.path
        return () if path is None else self._stops or range(len(path.steps))

    def _step_to(self, step: int | None) -> None:
        if step is not None:
            self.go_to_step(step)

    def _rounds(self) -> list[int]:
        if self._record is None:
            return []
        return [one.number for one in self._record.attempt(self.selection.attempt).rounds]

    def _line_of(self, place: Place | None) -> tuple[str, int] | None:
        span = None if self._record is None or place is None else self._record.span_of_place(place)
        return self.selection.line if span is None else (span.file, span.line)

    def _place_on(self, file: str, line: int) -> Place | None:
        """The first location on a line that has been reached, else the first one at all."""
        record = self._record
        if record is None or record.program is None:
            return None

        there: dict[int, Place] = {}
        for location in record.program.locations:
            span = record.span_of_place(((), location.id))
            if span is not None and (span.file, span.line) == (file, line):
                there[location.id] = (), location.id
        places = record.attempt(self.selection.attempt).states.places
        reached = (place for place in places if place[1] in there)
        return next(chain(reached, there.values()), None)

    def _move(self, selection: FocusState) -> None:
        """Set the selection, restricted to what exists in the run, and emit the changes."""
        record = self._record
        if record is None or round_of(record.attempt(selection.attempt), selection.round) is None:
            selection = replace(selection, round=None)
        if selection.place != self.selection.place and selection.node == self.selection.node:
            selection = replace(selection, node=None)
        before, self.selection = self.selection, selection
        aspects = _difference(before, selection)
        if aspects & Aspect.PATH:
            self._stops = ()
        if aspects:
            self.changed.emit(aspects)


def _difference(a: FocusState, b: FocusState) -> Aspect:
    aspects = Aspect.NOTHING
    if (a.attempt, a.round) != (b.attempt, b.round):
        aspects |= Aspect.MOMENT | Aspect.PATH
    if a.check != b.check:
        aspects |= Aspect.PATH
    if a.step != b.step:
        aspects |= Aspect.STEP
    if (a.place, a.node) != (b.place, b.node):
        aspects |= Aspect.PLACE
    if a.lemma != b.lemma:
        aspects |= Aspect.LEMMA
    if a.line != b.line:
        aspects |= Aspect.LINE
    return aspects
