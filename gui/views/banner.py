"""The verdict banner above the source: the verdict, its place, its evidence, and the next action."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gui.model.current import RunModel
from gui.model.focus import Aspect, Focus
from gui.views.labels import HtmlLabel, Sentence
from gui.views.relayout import RelayoutBoundary
from gui.views.toned import TonedBar
from interplay.presentation.record.evidence import offer
from interplay.presentation.record.reexamination import NotAsked
from interplay.presentation.record.summary import Action, Banner, Tone, banner
from interplay.presentation.record.timeline import moment_words

_BY_KEYBOARD = Qt.TextInteractionFlag.LinksAccessibleByKeyboard
_MAX = 12  # failing checks by name: more would hide the source


class VerdictBanner(TonedBar):
    """The banner. `asked(action)` is emitted when the button is pressed; a click on the headline goes to the failing
    line.
    """

    asked = Signal(object)

    def __init__(self, model: RunModel, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(Tone.IDLE, 22, parent)
        self._model = model
        self._focus = focus
        self._shown: Banner | None = None
        self._headline = Sentence()
        self.tint(self._headline)
        self.failing = HtmlLabel()
        self.failing.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse | _BY_KEYBOARD)
        self.failing.setAccessibleName("Checks that can fail")
        self.failing.linkActivated.connect(lambda number: self._show_check(int(number)))
        self._inputs = Sentence()
        self._inputs.setToolTip("What the program must get from outside to fail; the tab Inputs has all values")
        self._rests, self._assumes, self._untested = Sentence(), Sentence(), Sentence()
        self._to_try = Sentence()
        self.action = QPushButton()
        self.action.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.action.clicked.connect(self._act)
        self._moment = Sentence()
        self._moment.setWordWrap(False)
        self.back = QPushButton("Back to the end")
        self.back.setToolTip("The banner tells the end of the run; the views show an earlier moment (Alt+End)")
        self.back.clicked.connect(focus.last_round)
        lines = QVBoxLayout()
        lines.setSpacing(1)
        found = self._headline, self.failing, self._untested, self._inputs
        for label in (*found, self._rests, self._assumes, self._to_try):
            lines.addWidget(label)
        past = QHBoxLayout()
        past.setSpacing(10)
        past.addWidget(RelayoutBoundary(self._moment))
        past.addWidget(self.back)
        past.addStretch(1)
        lines.addLayout(past)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(10)
        layout.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(lines, 1)
        layout.addWidget(self.action, 0, Qt.AlignmentFlag.AlignVCenter)
        model.replaced.connect(self._update)
        model.advanced.connect(self._update)
        model.decided.connect(self._update)
        if model.recheck is not None:
            model.recheck.changed.connect(self._update)
        focus.changed.connect(self._follow)
        self._update()

    @property
    def headline(self) -> str:
        return self._headline.text()

    @property
    def inputs(self) -> str:
        """The inputs that make the check fail; empty where none does."""
        return self._inputs.text()

    @property
    def untested(self) -> str:
        """The places to which no execution comes; empty where there are none."""
        return self._untested.text()

    @property
    def assumes(self) -> str:
        return self._assumes.text()

    @property
    def moment(self) -> str:
        """The earlier moment that the views show; empty at the end."""
        return self._moment.text()

    def _update(self) -> None:
        shown = banner(self._model.record)
        if shown != self._shown:
            self._shown = shown
            self._show(shown)
            self.set_tone(shown.tone)
        self._show_rests_on(shown)
        self._show_moment()

    def _show_rests_on(self, shown: Banner) -> None:
        """Show the evidence of the verdict; that of a stored run is not examined here before the user asks for it."""
        record, recheck = self._model.record, self._model.recheck
        asked = recheck is not None and not isinstance(recheck.outcome, NotAsked)
        again = offer(record) if record is not None and record.stored and not asked else ""
        is_stored = bool(shown.rests_on and again)
        self._rests.setText(f"{shown.rests_on}{' (stored run, not checked again here)' if is_stored else ''}")
        self._rests.setToolTip(f"“{again}” in the panel on the right checks it here" if is_stored else "")
        self._rests.setVisible(bool(shown.rests_on))

    def _follow(self, aspects: Aspect) -> None:
        if aspects & Aspect.MOMENT:
            self._show_moment()

    def _show_moment(self) -> None:
        """Show the earlier moment that the views show, since the headline is about the end."""
        record, chosen = self._model.record, self._focus.selection
        words = "" if record is None else moment_words(record, chosen.attempt, chosen.round)
        self._moment.setText(f"Shown: {words}" if words else "")
        self._moment.setVisible(bool(words))
        self.back.setVisible(bool(words))

    def _show(self, shown: Banner) -> None:
        self._headline.setText(shown.headline)
        self.failing.setText(_links(shown.failing))
        self.failing.setToolTip("\n".join(words for _, words in shown.failing))
        self.failing.setVisible(bool(shown.failing))
        self._untested.setText(shown.untested)
        self._untested.setVisible(bool(shown.untested))
        self._inputs.setText(shown.inputs)
        self._inputs.setVisible(bool(shown.inputs))
        self._assumes.setText(shown.assumes)
        self._assumes.setVisible(bool(shown.assumes))
        self._to_try.setText(shown.to_try)
        self._to_try.setVisible(bool(shown.to_try))
        self.action.setText(shown.action.value)
        self.action.setVisible(shown.action is not Action.NONE)
        self.setAccessibleName(shown.headline)

    def mousePressEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        if self._shown is not None and self._shown.place is not None:
            self._focus.go_to_line(*self._shown.place)

    def _show_check(self, check: int) -> None:
        """Show the counterexample of one of several checks, at its line."""
        self._focus.go_to_check(check)
        decided = None if self._model.record is None else self._model.record.view.checks.get(check)
        if decided is not None:
            self._focus.go_to_line(decided.file, decided.line)

    def _act(self) -> None:
        if self._shown is not None:
            self.asked.emit(self._shown.action)


def _links(failing: Sequence[tuple[int, str]]) -> str:
    """The checks as links; of many, the first ones."""
    links = [f'<a href="{number}">{escape(words)}</a>' for number, words in failing[:_MAX]]
    more = f", and {len(failing) - _MAX} more under Evidence" if len(failing) > _MAX else ""
    return f"{' · '.join(links)}{more}"
