"""The source view: what is decorated where, finding, and that many lines stay fluent."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.model.current import RunModel
from gui.model.focus import Focus
from gui.theme import LIGHT
from gui.views.inlayhints import HiddenHintsStrip
from gui.views.source import SourceView
from gui.views.sourcetext import Decoration, SourceText
from gui.window import MainWindow
from interplay.presentation.record.marks import Coverage, InlayHint, LineMarks, Mark, marks
from interplay.presentation.record.run import LATEST, RunRecord
from tests.gui.conftest import GOLDEN
from tests.support.effort import effort


def view_of(qtbot: QtBot, run: Path) -> tuple[SourceView, Focus, RunRecord]:
    focus = Focus()
    model = RunModel(focus)
    view = SourceView(model, focus)
    qtbot.addWidget(view)
    record = model.open(run)
    view.resize(700, 500)
    view.show()
    return view, focus, record


def test_marks_of_a_verified_program(qtbot: QtBot) -> None:
    view, _, record = view_of(qtbot, GOLDEN)
    assert record.program is not None
    text = view.current
    assert text is not None
    check = record.program.checks[0].span.line
    found = text.decoration.marks[check]
    assert found.check is Mark.VERIFIED
    assert any(one.loop for one in marks(record, view.file).values())
    assert any(one.coverage is Coverage.REACHED for one in marks(record, view.file).values())


def test_the_view_follows_the_focus_and_moves_it(qtbot: QtBot) -> None:
    view, focus, record = view_of(qtbot, GOLDEN)
    text = view.current
    assert text is not None
    assert record.program is not None
    loop = next(one.span.line for one in record.program.locations if one.loop and one.span)
    focus.go_to_line(view.file, loop)
    assert text.textCursor().blockNumber() + 1 == loop
    assert text.decoration.current == loop
    QTest.keyClick(text, Qt.Key.Key_Down)
    assert focus.selection.line == (view.file, loop + 1)


def test_predicates_stand_at_the_selected_location(qtbot: QtBot) -> None:
    view, focus, record = view_of(qtbot, GOLDEN.with_name("lock.interplay"))  # whose predicates have places
    lemma = next(one.event for one in record.view.attempt.lemmas if one.event.role == "predicate" and one.event.place)
    focus.go_to_lemma(lemma.lemma)
    assert view.current is not None
    assert focus.selection.line is not None
    hints = view.current.decoration.hints[focus.selection.line[1]]
    assert InlayHint("predicate", record.formula(LATEST, lemma.formula)) in hints


def test_find_and_go_to_line(window: MainWindow) -> None:
    window.open_paths([GOLDEN])
    view = window.views["source"]
    assert isinstance(view, SourceView)
    text = view.current
    assert text is not None
    bar = view.find_bar
    bar.open_for_text()
    bar.field.setText("main")
    bar.forward()
    assert text.textCursor().selectedText() == "main"
    bar.field.setText("no such text")
    bar.forward()
    assert bar.answer == "Not found"
    bar.open_for_line()
    bar.field.setText("99999")
    bar.forward()
    assert bar.answer.startswith("Lines go from 1 to")
    bar.field.setText("3")
    bar.forward()
    assert window.focus.selection.line == (view.file, 3)
    assert bar.isHidden()


@pytest.mark.long
def test_ten_thousand_lines_stay_fluent(qtbot: QtBot) -> None:
    lines = [f'    if (x{n} > {n}) {{ y = x{n} /* note */ + "text"; }} // line' for n in range(10_000)]
    with effort() as loaded:
        text = SourceText("\n".join(lines))
        qtbot.addWidget(text)
        text.resize(900, 800)
        text.show()
    everywhere = range(1, 10_001)
    frames = 40
    with effort() as painted:
        text.decorate(
            Decoration(
                dict.fromkeys(everywhere, LineMarks(Mark.OPEN, "check", Coverage.REACHED)),
                dict.fromkeys(everywhere, 3),
                dict.fromkeys(everywhere, (InlayHint("value", "x = 3"), InlayHint("predicate", "x <= y"))),
                dict.fromkeys(everywhere, True),
            )
        )
        for number in range(frames):
            text.go_to(number * 250 + 1)
            text.grab()
    assert loaded.calls < 60_000
    assert painted.calls / frames < 15_000


def test_a_comment_that_goes_on_stays_a_comment(qtbot: QtBot) -> None:
    text = SourceText('/* one\n "two" */ int x; // three\nchar *s = "/* no comment";\nint y;')
    qtbot.addWidget(text)
    colours = []
    for number in range(4):
        formats = text.document().findBlockByNumber(number).layout().formats()
        colours.append([str(one.format.foreground().color().name()) for one in formats])  # type: ignore[attr-defined]
    assert colours[0] == [LIGHT.comment]
    assert colours[1] == [LIGHT.comment, LIGHT.kind, LIGHT.comment]
    assert LIGHT.text in colours[2]
    assert colours[3] == [LIGHT.kind]


def test_the_gutter_explains_its_marks(qtbot: QtBot) -> None:
    text = SourceText("a;\nb;\n")
    qtbot.addWidget(text)
    text.decorate(Decoration({1: LineMarks(Mark.FAILING, "call of reach_error()", Coverage.NEVER, True)}, {1: 2}))
    words = text.explain(1)
    for part in ("fails", "head of a loop", "never reached", "2 predicates"):
        assert part in words
    assert text.explain(2) == ""
    assert isinstance(text.grab(), QPixmap)


def shown_with(qtbot: QtBot, source: str, decoration: Decoration) -> SourceText:
    text = SourceText(source)
    qtbot.addWidget(text)
    text.setCursorWidth(0)  # it blinks in one of two
    text.resize(400, 200)
    text.show()
    text.decorate(decoration)
    return text


def test_hints_never_hide_code(qtbot: QtBot) -> None:
    """What does not fit behind a line is counted at the edge, and a click there scrolls to it."""
    lines = [f"{'x' * 60}+{'y' * 60};", "short;"]
    hints = {1: (InlayHint("value", "i = 3"), InlayHint("value", "j = 14")), 2: (InlayHint("value", "k = 1"),)}
    plain = shown_with(qtbot, "\n".join(lines), Decoration())
    text = shown_with(qtbot, "\n".join(lines), Decoration(hints=hints))
    first = text.cursorRect()
    narrow = text.viewport().rect().adjusted(0, 0, 0, first.bottom() - text.viewport().height())
    assert text.viewport().grab(narrow).toImage() == plain.viewport().grab(narrow).toImage()
    strip = text.findChild(HiddenHintsStrip)
    assert strip is not None
    assert strip.isVisible()
    assert not strip.geometry().intersects(text.viewport().geometry())
    assert "j = 14" in strip.explain(first.center())
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=first.center())
    assert strip.explain(first.center()) == ""
    far = text.horizontalScrollBar().maximum()
    text.decorate(Decoration())
    assert strip.isHidden()
    assert text.horizontalScrollBar().maximum() < far


def test_hints_wider_than_the_view_are_counted_and_reached(qtbot: QtBot) -> None:
    long = tuple(InlayHint("predicate", f"{name} <= " + " + ".join("xyz" * 9)) for name in "abc")
    text = shown_with(qtbot, "short;", Decoration(hints={1: long}))
    strip = text.findChild(HiddenHintsStrip)
    assert strip is not None
    at = text.cursorRect().center()
    for left in ("abc", "bc", "c"):
        words = strip.explain(at)
        assert [name for name in "abc" if f"{name} <= " in words] == list(left)
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=at)
    assert strip.explain(at) == ""


def test_hints_that_fit_need_no_strip(qtbot: QtBot) -> None:
    text = shown_with(qtbot, "short;", Decoration(hints={1: (InlayHint("value", "i = 3"),)}))
    strip = text.findChild(HiddenHintsStrip)
    assert strip is not None
    assert strip.isHidden()


def test_large_counts_have_room_beside_the_line_number(qtbot: QtBot) -> None:
    text = shown_with(qtbot, "a;\n", Decoration())
    before = text.gutter_width()
    text.decorate(Decoration(predicates={1: 1711}))
    assert text.gutter_width() > before


def test_a_line_comes_into_sight_while_the_cursor_stays(qtbot: QtBot) -> None:
    text = SourceText("int x;\n" * 300)
    qtbot.addWidget(text)
    text.resize(400, 300)
    text.show()
    text.look_at(200)
    first, last = text.visible_lines()
    assert first < 200 < last
    assert text.textCursor().blockNumber() == 0
    text.look_at(first + 1)
    assert text.visible_lines() == (first, last), "it is in sight already"
