"""Buttons of the banner: for a run without an answer, and for a text that cannot be read."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from gui.views.log import LogView
from gui.window import MainWindow
from interplay.presentation.record.marks import Mark, marks
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import Action, banner
from interplay.session.request import Request
from runs.events import CheckDecided, Message, VerdictReached
from runs.runview import RunView
from tests.gui.conftest import EXAMPLES
from tests.support import prepared

Program = Callable[[str], Path]


def ended(verdict: str, reason: str, *events: CheckDecided | Message) -> RunRecord:
    view = RunView()
    for event in (*events, VerdictReached(verdict, 5, (), "", reason, "")):
        view.add(event, 1.0)
    return RunRecord(Request("a.c"), view)


def test_undefined_behaviour_can_be_verified_and_is_marked() -> None:
    undefined = "undefined behaviour at a.c:4:7: index 16 of an array of 16 elements"
    check = CheckDecided(0, "unreach-call", "assert(x)", "a.c", 9, 1, "unknown", "", "not confirmed", undefined)
    record = ended("unknown", "not confirmed", check)
    record.sources = {"a.c": "int main(void) { }\n"}
    assert banner(record).action is Action.VERIFY_UNDEFINED


def test_a_missing_header_offers_a_folder() -> None:
    message = Message("error", "cannot include rtos.h: there is no such file", "a.c", 1, 1)
    shown = banner(ended("ERROR (parse error)", "a.c:1:1: cannot include rtos.h: there is no such file", message))
    assert shown.action is Action.ADD_FOLDER
    assert shown.to_try == "What to try: Say in which folder the header lies."


@pytest.mark.parametrize(("function", "action"), [("irq_save", Action.LEAVE_OUT_BODY), ("main", Action.SHOW_LOG)])
def test_inline_assembly_offers_what_can_be_assumed(function: str, action: Action) -> None:
    text = f"inline assembly in {function} is not decided"
    shown = banner(ended("ERROR (unsupported)", f"a.c:1:1: {text}", Message("error", text, "a.c", 1, 1)))
    assert "--remove-body" in shown.to_try
    assert shown.action is action


UNDEFINED = """#include <assert.h>
extern int sensor(int *state);
int main(void) { int state = 3; sensor(&state); assert(state == 3); return 0; }
"""


@pytest.mark.long
def test_an_undefined_function_offers_what_can_be_assumed(window: MainWindow, tmp_path: Path) -> None:
    file, run = tmp_path / "a.c", tmp_path / "a.interplay"
    file.write_text(UNDEFINED)
    verdict = prepared.verify(file, engine="bmc", output=run)
    assert verdict.status == "false"
    window.open_paths([file])
    window.opener.open_run(run)
    assert "Messages offer what else can be assumed of sensor" in banner(window.model.record).to_try
    view = window.show_panel("log")
    assert isinstance(view, LogView)
    button = view.offers["changes_nothing"]
    assert button.isVisible()
    assert button.accessibleName() == "Verify again, and assume that sensor changes nothing"
    button.click()
    assert window.options.chosen.changes_nothing == ("sensor",)
    assert prepared.verify(file, engine="bmc", changes_nothing=["sensor"]).status == "true"


def test_what_was_added_for_this_window_can_be_removed(window: MainWindow, tmp_path: Path) -> None:
    window.open_paths([EXAMPLES / "lock.c"])
    window.options.add_folder(tmp_path)
    window.options.leave_out("irq_save")
    assert "irq_save" in window.options.chosen.remove_body
    window.show_options()
    buttons = [one for one in window.options.added.findChildren(QPushButton) if one.isVisible()]
    assert [one.accessibleName() for one in buttons] == [
        f"Remove: headers in {tmp_path}",
        "Remove: without the body of irq_save",
    ]
    for button in buttons:
        button.click()
    chosen = window.options.chosen
    assert not (*chosen.include_path, *chosen.remove_body)
    assert window.options.added.isHidden()


def test_a_folder_with_headers_is_for_the_next_runs(window: MainWindow, tmp_path: Path) -> None:
    window.open_paths([EXAMPLES / "lock.c"])
    window.options.add_folder(tmp_path)
    assert window.options.chosen.include_path == (str(tmp_path),)
    assert window.options.kept.include_path == ()


def test_messages_of_a_text_mark_it() -> None:
    message = Message("error", "expected a word", "a.c", 3, 1)
    (line,) = marks(ended("ERROR (parse error)", "expected a word", message), "a.c").items()
    assert (line[0], line[1].check) == (3, Mark.FAILING)
