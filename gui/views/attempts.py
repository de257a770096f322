"""The engines of a run as a row of tabs, where there are several; all views follow the selected one.

Without a selection the views follow the run, and at the end the engine that decided.
"""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTabBar, QWidget

from gui.icons import icon
from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus
from gui.theme import SIGNS, tint_of
from interplay.presentation.record.evidence import result_of_attempt, tone_of_attempt
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Tone, attempt_sentence, phase_words
from runs.runview import AttemptView


class AttemptBar(QWidget):
    """The row of tabs; hidden unless the run has more than one attempt."""

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._focus = focus
        self._shown: list[tuple[str, Tone, str]] = []
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Engines of this run")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.currentChanged.connect(self._choose)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 0, 8, 0)
        layout.addWidget(QLabel("Engines, views follow:"))
        layout.addWidget(self.tabs, 1)
        model.replaced.connect(self._update)
        model.advanced.connect(self._update)
        focus.changed.connect(self._follow)
        self._update()

    def _update(self) -> None:
        record = self._model.record
        attempts = record.view.attempts[1:] if record is not None else []
        rows = [_row(record, one) for one in attempts if record is not None]
        with QSignalBlocker(self.tabs):
            if rows != self._shown:
                self._fill(rows)
            self._select()
        self.setVisible(len(rows) > 1)

    def _fill(self, rows: list[tuple[str, Tone, str]]) -> None:
        self._shown = rows
        while self.tabs.count() > len(rows):
            self.tabs.removeTab(self.tabs.count() - 1)
        while self.tabs.count() < len(rows):
            self.tabs.addTab("")
        for index, (text, tone, words) in enumerate(rows):
            self.tabs.setTabText(index, text)
            self.tabs.setTabIcon(index, icon(SIGNS[tone], tint_of(tone)))
            self.tabs.setTabToolTip(index, words)

    def _select(self) -> None:
        record = self._model.record
        if record is not None and self._shown:
            chosen = self._focus.selection.attempt
            looked_at = record.attempt(chosen)
            index = next(number for number, one in enumerate(record.view.attempts) if one is looked_at)
            self.tabs.setCurrentIndex(index - 1)

    def _choose(self, index: int) -> None:
        if index >= 0:
            self._focus.go_to_attempt(index + 1)

    def _follow(self, aspects: Aspect) -> None:
        if aspects & Aspect.MOMENT:
            with QSignalBlocker(self.tabs):
                self._select()


def _row(record: RunRecord, attempt: AttemptView) -> tuple[str, Tone, str]:
    """The tab of an attempt: its text, its sign, and the reasons for its choice and its end."""
    assert attempt.event is not None
    engine = attempt.event.engine
    plan = dict(record.view.plan.engines) if record.view.plan is not None else {}
    why = f"Why it was tried: {plan[engine]}" if engine in plan else ""
    ended = attempt.ended
    if ended is not None:
        how = f"{ended.result} after {ended.milliseconds / 1000:.1f} s of processor time"
        words = "\n".join(part for part in (why, ended.reason, how) if part)
        return f"{engine}: {result_of_attempt(attempt)}", tone_of_attempt(attempt), words
    if record.view.verdict is not None:
        return engine, tone_of_attempt(attempt), why
    words = "\n".join(part for part in (attempt_sentence(attempt), why) if part)
    return f"{engine}: {phase_words(attempt.phase) or 'running'}", Tone.RUNNING, words
