"""Editing in place: what is typed is saved to its file as it is, discarded, or kept while other runs are shown."""

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from gui.model.disk import save_text
from gui.views.source import SourceView
from gui.views.sourcetext import Decoration, SourceText
from gui.window import MainWindow
from tests.gui.conftest import GOLDEN, verified

Program = Callable[[str], Path]


def edited(window: MainWindow) -> tuple[SourceView, SourceText]:
    window.toolbar.commands["edit_here"].trigger()
    view = window.show_panel("source")
    assert isinstance(view, SourceView)
    assert view.current is not None
    return view, view.current


def test_a_text_is_edited_and_saved(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    path = program("true")
    verified(qtbot, window, path)
    view, text = edited(window)
    assert view.editing.isVisible()
    text.insertPlainText("false ")
    assert window.model.texts.unsaved == (str(path),)
    view.editing.save.click()
    assert path.read_text() == "false true\n"
    assert not view.editing.isVisible()
    assert view.current is not None
    assert view.current.toPlainText() == "false true\n"
    assert view.current.isReadOnly()
    assert window.banner.headline == "Not verified yet."


def test_what_is_discarded_is_gone(qtbot: QtBot, window: MainWindow, program: Program) -> None:
    path = program("true")
    verified(qtbot, window, path)
    view, text = edited(window)
    text.insertPlainText("x")
    view.editing.discard.click()
    assert (text.toPlainText(), path.read_text()) == ("true\n", "true\n")
    assert text.isReadOnly()
    assert window.model.texts.unsaved == ()
    assert text.decoration != Decoration()


def test_what_is_not_saved_outlives_another_run(window: MainWindow, program: Program) -> None:
    path = program("true")
    window.open_paths([path])
    view, text = edited(window)
    text.insertPlainText("x")
    window.open_paths([GOLDEN])
    assert not view.editing.isVisible()
    window.open_paths([path])
    assert view.current is not None
    assert view.current.toPlainText() == "xtrue\n"
    assert view.editing.isVisible()
    window.focus.go_to_line(str(path), 1)
    assert view.current.toPlainText() == "xtrue\n"
    window.close()
    assert window.isVisible(), "it warns once"
    window.close()
    assert not window.isVisible()


def test_a_file_keeps_its_form(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_bytes(b"\xef\xbb\xbfint x;\r\nint y;\r\n")
    assert save_text(str(file), "int x;\nint y;\n", "int z;\nint y;\n") == ""
    assert file.read_bytes() == b"\xef\xbb\xbfint z;\r\nint y;\r\n"
    assert "has changed on disk" in save_text(str(file), "int x;\nint y;\n", "")
    file.write_bytes(b'char *s = "\xe4";\n')
    assert "not UTF-8" in save_text(str(file), 'char *s = "\ufffd";\n', "")
    assert file.read_bytes() == b'char *s = "\xe4";\n'
    file.unlink()
    assert "cannot be written" in save_text(str(file), "", "")


def test_there_may_be_no_file(window: MainWindow) -> None:
    window.open_paths([GOLDEN])
    view, text = edited(window)
    assert text.isReadOnly()
    assert not view.editing.isVisible()
