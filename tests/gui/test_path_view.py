"""The panel of the path: what it says of the refinement in which a predicate was born."""

from pytestqt.qtbot import QtBot

from gui.views.path import PathView
from gui.window import MainWindow
from tests.gui.conftest import GOLDEN


def test_the_birth_of_a_predicate_is_shown_where_it_was_learned(qtbot: QtBot, window: MainWindow) -> None:
    window.open_paths([GOLDEN])
    view = window.show_panel("path")
    assert isinstance(view, PathView)
    assert window.model.record is not None
    lemma = window.model.record.attempt().lemmas[-1].event.lemma
    window.focus.go_to_birth(lemma)
    assert view.reasons.toPlainText().count("selected") == 1
    said = view.reasons.toPlainText()
    assert "Now tracked" in said or "Now known about steps" in said
    assert "holds on" not in said  # a predicate that is tracked need not hold
    assert f'name="lemma{lemma}"' in view.reasons.toHtml()
    bar = view.reasons.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() == 0 or bar.value() > 0)
    window.focus.go_to_lemma(window.model.record.attempt().lemmas[0].event.lemma)
    assert view.reasons.toPlainText().count("selected") <= 1
