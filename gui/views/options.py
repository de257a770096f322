"""The options panel: six options in plain language, the rest behind "Advanced". The choice is a `Request`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from frontend.options import Acsl, ArithmeticChoice
from gui.icons import icon
from interplay.presentation.run_options import ALL_CHECKS, AUTOMATIC, EngineOption, engines, options_of
from interplay.session.request import LARGEST_SEED, ReplayMode, Request

_LARGEST = 2**30


class OptionsPanel(QScrollArea):
    """`changed(request)` comes with every choice; its task is empty and its engine may be `Automatic`.

    An engine may be borrowed for one program; the one that a person has chosen comes back with the next program.
    """

    changed = Signal(object)

    def __init__(self, chosen: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self._chosen = chosen
        self._by_hand = chosen.engine != AUTOMATIC
        self._borrowed = ""
        self._engine_options: dict[str, QComboBox | QLineEdit] = {}
        inside = QWidget()
        self._layout = QVBoxLayout(inside)
        self._layout.setContentsMargins(12, 10, 12, 10)
        self._layout.setSpacing(3)
        self._add_usual()
        self._toggle = QToolButton()
        self._toggle.setText("Advanced")
        self._toggle.setIcon(icon("sliders"))
        self._toggle.setCheckable(True)
        self._toggle.setToolButtonStyle(self._toggle.toolButtonStyle().ToolButtonTextBesideIcon)
        self._layout.addSpacing(8)
        self._layout.addWidget(self._toggle)
        self._advanced = QWidget()
        self._advanced_layout = QVBoxLayout(self._advanced)
        self._advanced_layout.setContentsMargins(0, 4, 0, 0)
        self._advanced_layout.setSpacing(3)
        self._layout.addWidget(self._advanced)
        self._layout.addStretch(1)
        self._toggle.toggled.connect(self._advanced.setVisible)
        self._add_advanced()
        self._advanced.hide()
        self.setWidget(inside)

    @property
    def chosen(self) -> Request:
        """What the next run is asked for with."""
        return replace(self._chosen, engine=self._borrowed or self._chosen.engine)

    @property
    def kept(self) -> Request:
        """What a person has chosen, for all programs."""
        return self._chosen

    def choose_engine(self, name: str) -> None:
        """A person has chosen the engine, here or elsewhere in the window."""
        self._by_hand = True
        self._borrowed = ""
        self._take(engine=name)
        self._show_engine()

    def borrow_engine(self, name: str) -> None:
        """Use an engine until another program is looked at or a person chooses one. Empty: none is borrowed."""
        self._borrowed = name
        self.changed.emit(self.chosen)
        self._show_engine()

    def suggest_engine(self, name: str) -> None:
        """Another program is looked at, which is about an engine, or about none (empty). Who chose one keeps it."""
        self.borrow_engine("" if self._by_hand else name)

    # The six

    def _add_usual(self) -> None:
        c = self._chosen
        self.engine = QComboBox()
        self.engine.addItems(list(engines()))
        self.engine.setCurrentText(c.engine)
        self._add("Engine", self.engine, engines()[AUTOMATIC] + ". One engine can be watched round by round.")
        self.engine.textActivated.connect(self.choose_engine)
        time = _number(c.time_limit or 0, " s", "no limit")
        time.valueChanged.connect(lambda value: self._take(time_limit=float(value) if value else None))
        self._add("Time limit", time, "Processor time; the proof check has a fifth of it.")
        memory = _number(c.memory_limit or 0, " MB", "no limit")
        memory.valueChanged.connect(lambda value: self._take(memory_limit=value or None))
        self._add("Memory limit", memory, "A run that needs more ends without a verdict.")
        model = _combo(("of the task, else 32 bits", "ILP32", "LP64"), c.data_model or "")
        model.currentTextChanged.connect(
            lambda text: self._take(data_model=text if text in ("ILP32", "LP64") else None)
        )
        self._add("Sizes of C types", model, "ILP32: long and pointers have 32 bits. LP64: they have 64.")
        native = QCheckBox("Run counterexamples natively")
        native.setChecked(c.replay is ReplayMode.NATIVE)
        native.toggled.connect(lambda on: self._take(replay=ReplayMode.NATIVE if on else ReplayMode.INTERPRETER))
        self._add(
            "", native, "The program is compiled and run, shut off from files and network. Else it is interpreted."
        )
        undefined = QCheckBox("Also find undefined behaviour")
        undefined.setChecked(bool(c.checks))
        undefined.toggled.connect(lambda on: self._take(checks=ALL_CHECKS if on else ()))
        self._add("", undefined, "Overflow, bounds, division by zero, shifts, null and dangling pointers.")

    # The rest

    def _add_advanced(self) -> None:
        c, to = self._chosen, self._advanced_layout
        arithmetic = _combo([choice.value for choice in ArithmeticChoice], c.arithmetic.value)
        arithmetic.currentTextChanged.connect(lambda text: self._take(arithmetic=ArithmeticChoice(text)))
        self._add("Arithmetic", arithmetic, "How machine integers are computed with; always exactly.", to)
        acsl = _combo(("where no property is asked for", *(a.value for a in Acsl)), c.acsl.value if c.acsl else "")
        acsl.currentTextChanged.connect(lambda text: self._take(acsl=Acsl(text) if text in list(Acsl) else None))
        self._add("ACSL annotations", acsl, "Whether comments `//@ …` are claims that are checked.", to)
        seed = _number(c.seed, "", "0")
        seed.setMaximum(min(LARGEST_SEED, 2**31 - 1))
        seed.valueChanged.connect(lambda value: self._take(seed=value))
        self._add("Seed", seed, "Another seed may lead solvers another way.", to)
        self._of_engine = QVBoxLayout()
        self._of_engine.setSpacing(3)
        to.addLayout(self._of_engine)
        self._fill_engine_options()

    def _fill_engine_options(self) -> None:
        """The options of the engine that is chosen now."""
        while self._of_engine.count():
            self._of_engine.takeAt(0).widget().deleteLater()
        self._engine_options.clear()
        known = dict(self._chosen.options)
        for option in options_of(self.chosen.engine):
            widget = _editor(option, known.get(option.name, option.default))
            signal = widget.currentTextChanged if isinstance(widget, QComboBox) else widget.textChanged
            signal.connect(self._take_engine_options)
            self._engine_options[option.name] = widget
            self._add(option.title, widget, option.sentence, self._of_engine)

    def _show_engine(self) -> None:
        self.engine.setCurrentText(self.chosen.engine)
        self._fill_engine_options()

    def _take_engine_options(self) -> None:
        given = {
            name: widget.currentText() if isinstance(widget, QComboBox) else widget.text()
            for name, widget in self._engine_options.items()
        }
        defaults = {option.name: option.default for option in options_of(self.chosen.engine)}
        self._take(options=tuple((name, value) for name, value in given.items() if value != defaults[name]))

    def _take(self, **changes: object) -> None:
        self._chosen = replace(self._chosen, **changes)  # type: ignore[arg-type]
        self.changed.emit(self.chosen)

    def _add(self, title: str, widget: QWidget, words: str, to: QVBoxLayout | None = None) -> None:
        layout = to or self._layout
        if title:
            label = QLabel(title)
            label.setProperty("role", "heading")
            label.setBuddy(widget)
            label.setContentsMargins(0, 8, 0, 0)
            layout.addWidget(label)
            widget.setAccessibleName(title)
        widget.setAccessibleDescription(words)
        layout.addWidget(widget)
        if words:
            help_text = QLabel(words)
            help_text.setWordWrap(True)
            help_text.setProperty("role", "quiet")
            layout.addWidget(help_text)


def _number(value: float, suffix: str, for_zero: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(0, _LARGEST)
    box.setSuffix(suffix)
    box.setSpecialValueText(for_zero)
    box.setValue(int(value))
    return box


def _combo(values: Iterable[str], chosen: str) -> QComboBox:
    """A box of values; one that is not among them stands for the first."""
    box = QComboBox()
    box.addItems(list(values))
    box.setCurrentText(chosen)
    return box


def _editor(option: EngineOption, value: str) -> QComboBox | QLineEdit:
    return _combo(option.values, value) if option.values else QLineEdit(value)
