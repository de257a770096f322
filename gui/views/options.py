"""The options panel: six options in plain language, the rest under "Advanced". The choice is a `Request`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.icons import icon
from interplay.presentation.run_options import AUTOMATIC, EngineOption, engines, options_of
from interplay.session.options import ChoiceFormat, NamesFormat, NumberFormat, RequestOption, SwitchFormat, TextFormat
from interplay.session.request import DEFAULTS, REQUEST_OPTIONS, Request, read_request

_NARROWEST = 120  # pixels of a field
_LONGEST = 24  # letters of a field
_LARGEST = 10**9 - 1  # in a spin box


_ADDED = {
    "include_path": "headers in {}",
    "remove_body": "without the body of {}",
    "changes_nothing": "{} is assumed to change nothing",
    "never_returns": "{} is assumed never to return",
}
"""The fields of a request that buttons add to, in words."""


class AddedChoices(QWidget):
    """The choices that buttons beside the source and its messages have added: folders of headers, and assumptions about
    functions, each a field of a request and one of its values; out of sight while there are none. `changed`: some
    were added or removed.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._choices: tuple[tuple[str, str], ...] = ()
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self.hide()

    def add(self, field: str, value: str) -> None:
        """Add a choice; those that are there stay."""
        self._choices = tuple(dict.fromkeys((*self._choices, (field, value))))
        self._show()

    def fields(self) -> dict[str, tuple[str, ...]]:
        """The values that were added, by their fields."""
        return {name: tuple(value for field, value in self._choices if field == name) for name in _ADDED}

    def _remove(self, choice: tuple[str, str]) -> None:
        self._choices = tuple(one for one in self._choices if one != choice)
        self._show()

    def _show(self) -> None:
        while self._rows.count():
            row = self._rows.takeAt(0).widget()
            row.hide()
            row.deleteLater()
        if self._choices:
            heading = QLabel("For this window")
            heading.setProperty("role", "heading")
            self._rows.addWidget(heading)
        for choice in self._choices:
            self._rows.addWidget(self._row(choice, _ADDED[choice[0]].format(choice[1])))
        self.setVisible(bool(self._choices))
        self.changed.emit()

    def _row(self, choice: tuple[str, str], words: str) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        label = QLabel(words)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        button = QPushButton("Remove")
        button.setAccessibleName(f"Remove: {words}")
        button.clicked.connect(partial(self._remove, choice))
        layout.addWidget(label, 1)
        layout.addWidget(button)
        return row


class OptionsPanel(QScrollArea):
    """The panel. `changed(request)` is emitted with every choice; its task is empty and its engine may be `Automatic`.

    A program may set an engine temporarily; that chosen by the user returns with the next program.
    """

    changed = Signal(object)

    def __init__(self, chosen: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self._chosen = chosen
        self._by_hand = chosen.engine != AUTOMATIC
        self._borrowed = ""
        self.added = AddedChoices()
        self._engine_options: dict[str, QComboBox | QLineEdit] = {}
        inside = QWidget()
        self._layout = QVBoxLayout(inside)
        self._layout.setContentsMargins(12, 10, 12, 10)
        self._layout.setSpacing(3)
        self._layout.addWidget(self.added)
        self.added.changed.connect(lambda: self.changed.emit(self.chosen))
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
        """The options of the next run."""
        engine = self._borrowed or self._chosen.engine
        added = self.added.fields()
        return replace(
            self._chosen,
            engine=engine,
            include_path=(*self._chosen.include_path, *added["include_path"]),
            remove_body=added["remove_body"],
            changes_nothing=added["changes_nothing"],
            never_returns=added["never_returns"],
        )

    @property
    def kept(self) -> Request:
        """The options chosen by the user, for all programs."""
        return self._chosen

    def choose_engine(self, name: str) -> None:
        """Set the engine chosen by the user, here or elsewhere in the window."""
        self._by_hand = True
        self._borrowed = ""
        self._take("engine", name)
        self._show_engine()

    def borrow_engine(self, name: str) -> None:
        """Use an engine until another program is shown or the user chooses one. Empty: return to the chosen one."""
        self._borrowed = name
        self.changed.emit(self.chosen)
        self._show_engine()

    def add_folder(self, folder: Path) -> None:
        """Look for headers in one more folder, as long as the window is open."""
        self.added.add("include_path", str(folder))

    def leave_out(self, function: str) -> None:
        """Take a function to be undefined, as long as the window is open."""
        self.added.add("remove_body", function)

    def assume(self, field: str, function: str) -> None:
        """Assume more of a function without a body, as long as the window is open."""
        self.added.add(field, function)

    def suggest_engine(self, name: str) -> None:
        """Suggest the engine of another program that is shown, empty for none. A choice of the user has precedence."""
        self.borrow_engine("" if self._by_hand else name)

    # The six

    def _add_usual(self) -> None:
        self.engine = QComboBox()
        self.engine.addItems(list(engines()))
        self.engine.setCurrentText(self._chosen.engine)
        described = REQUEST_OPTIONS["engine"]
        self._add(described.title, self.engine, described.sentence)
        self.engine.textActivated.connect(self.choose_engine)
        self._add_described(self._layout, advanced=False)

    # The rest

    def _add_advanced(self) -> None:
        self._add_described(self._advanced_layout, advanced=True)
        self._of_engine = QVBoxLayout()
        self._of_engine.setSpacing(3)
        self._advanced_layout.addLayout(self._of_engine)
        self._fill_engine_options()

    def _add_described(self, to: QVBoxLayout, *, advanced: bool) -> None:
        """The options that the description of a request has a title for; of the engine there are two boxes."""
        for name, option in REQUEST_OPTIONS.items():
            if option.title and option.advanced is advanced and name != "engine":
                widget = self._described(name, option)
                usual = f" Usual: {option.unset}." if _is_long(option) else ""
                self._add(
                    "" if isinstance(widget, QCheckBox) else option.title, widget, f"{option.sentence}{usual}", to
                )

    def _described(self, name: str, option: RequestOption) -> QWidget:
        """The widget of an option, which shows the value chosen and takes another."""
        value, default = getattr(self._chosen, name), DEFAULTS[name]
        match option.format:
            case SwitchFormat(flagged):
                usual = option.format.write(default)
                return self._switch(name, option.title, value != flagged, usual, flagged.value)
            case NamesFormat(_, group):
                return self._switch(name, option.title, bool(value), list(group), [])
            case NumberFormat(unit):
                # The number that stands for no choice.
                unset = -1 if option.format.allowed(0) and default is None else 0
                shown = "as usual" if _is_long(option) else option.unset
                number = _number(unset if value is None else value, f" {unit}" if unit else "", shown, unset)
                number.valueChanged.connect(lambda chosen: self._take(name, default if chosen == unset else chosen))
                return number
            case ChoiceFormat(values):
                words = [option.unset, *values] if default is None else list(values)
                combo = _combo(words, option.shown(value))
                combo.currentTextChanged.connect(lambda text: self._take(name, text if text in values else None))
                return combo
            case TextFormat():
                line = QLineEdit(value or "")
                line.setPlaceholderText(option.unset)
                line.editingFinished.connect(lambda: self._take(name, line.text().strip() or None))
                return line
            case _:
                raise AssertionError(f"{name} has no widget")

    def _switch(self, name: str, title: str, is_on: bool, on: object, off: object) -> QCheckBox:
        box = QCheckBox(title)
        box.setChecked(is_on)
        box.toggled.connect(lambda now: self._take(name, on if now else off))
        return box

    def _fill_engine_options(self) -> None:
        """Show the options of the current engine."""
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
        self._take("options", {name: value for name, value in given.items() if value != defaults[name]})

    def _take(self, name: str, value: object) -> None:
        """Take a choice, as JSON."""
        self._chosen = read_request({**self._chosen.to_json(), name: value})
        self.changed.emit(self.chosen)

    def _add(self, title: str, widget: QWidget, words: str, to: QVBoxLayout | None = None) -> None:
        layout = to or self._layout
        if title:
            label = QLabel(title)
            label.setProperty("role", "heading")
            label.setBuddy(widget)
            label.setWordWrap(True)
            label.setContentsMargins(0, 8, 0, 0)
            layout.addWidget(label)
            widget.setAccessibleName(title)
        widget.setAccessibleDescription(words)
        widget.setMinimumWidth(_NARROWEST)  # its texts may be longer than the panel is wide
        widget.setSizePolicy(QSizePolicy.Policy.Ignored, widget.sizePolicy().verticalPolicy())
        layout.addWidget(widget)
        if words:
            help_text = QLabel(words)
            help_text.setWordWrap(True)
            help_text.setProperty("role", "quiet")
            layout.addWidget(help_text)


def _is_long(option: RequestOption) -> bool:
    """Whether the words for no choice of a number have no room in its field."""
    return isinstance(option.format, NumberFormat) and len(option.unset) > _LONGEST


def _number(value: float, suffix: str, for_least: str, least: int = 0) -> QSpinBox:
    box = QSpinBox()
    box.setRange(least, _LARGEST)
    box.setSuffix(suffix)
    box.setSpecialValueText(for_least)  # none if that is empty
    box.setValue(int(value))
    return box


def _combo(values: Iterable[str], chosen: str) -> QComboBox:
    """A combo box of values; an unknown value selects the first."""
    box = QComboBox()
    box.addItems(list(values))
    box.setCurrentText(chosen)
    return box


def _editor(option: EngineOption, value: str) -> QComboBox | QLineEdit:
    return _combo(option.values, value) if option.values else QLineEdit(value)
