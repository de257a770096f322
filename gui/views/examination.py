"""A strip for the re-examination of evidence: a button, and beside it the result with a sign."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gui.model.current import RunModel
from gui.views.labels import Sentence
from gui.views.toned import TonedBar
from interplay.presentation.record.evidence import offer, outcome_in_words
from interplay.presentation.record.reexamination import Examining, NotAsked
from interplay.presentation.record.summary import Tone

_HINT = (
    "The stored C text is lowered anew and compared with the stored program. A counterexample is compiled with gcc and "
    "run in a child process with limits; a proof is checked step by step. No engine takes part."
)


class ExaminationStrip(TonedBar):
    """The strip; follows `model.recheck`. `before` is the result of the run itself, shown until a re-examination is
    requested.

    `check` is the check that the sentence is about, or None for the whole run.
    """

    def __init__(
        self,
        model: RunModel,
        before: Callable[[], tuple[Tone, str]],
        check: Callable[[], int | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Tone.IDLE, 18, parent)
        self._model = model
        self._before = before
        self._check = check
        self.button = QPushButton()
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self._start)
        self._words = Sentence()
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.addWidget(self._words)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addLayout(column, 1)
        if model.recheck is not None:
            model.recheck.changed.connect(self.update_words)
        if model.control is not None:
            model.control.changed.connect(self.update_words)

    @property
    def sentence(self) -> str:
        return self._words.text()

    def update_words(self) -> None:
        """Show the current result."""
        record, recheck = self._model.record, self._model.recheck
        if record is None or recheck is None:
            return
        outcome = recheck.outcome
        asked = not isinstance(outcome, NotAsked)
        tone, words = outcome_in_words(outcome, self._check()) if asked else self._before()
        self._words.setText(words)
        self._words.setAccessibleName(words)
        text = offer(record)
        self.button.setText("Stop" if isinstance(outcome, Examining) else text)
        self.button.setVisible(bool(text))
        obstacle = outcome.obstacle if isinstance(outcome, NotAsked) else ""
        self.button.setEnabled(not obstacle)
        self.button.setToolTip(obstacle or _HINT)
        self.set_tone(tone)

    def _start(self) -> None:
        recheck = self._model.recheck
        if recheck is None:
            return
        if isinstance(recheck.outcome, Examining):
            recheck.cancel()
        else:
            recheck.start()
