"""The window, reports and SARIF tell of the checks to which no execution comes; read from a run file."""

import json
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.verdict import Reachability
from gui.views.evidence import EvidenceView
from gui.window import MainWindow
from interplay.presentation.record.evidence import check_rows, executions
from interplay.presentation.record.marks import Mark, marks
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import banner
from interplay.presentation.report.assemble import report
from interplay.presentation.report.document import ReportLimits
from interplay.presentation.report.markdown import markdown
from interplay.presentation.sarif import Invocation, to_sarif
from runs.runfile import open_run

RUN = Path(__file__).parents[1] / "golden" / "v6.interplay"
TOLD = "No execution reaches guarded.c:7: what stands there was not tested"


def record() -> RunRecord:
    return RunRecord.of(open_run(RUN))


def test_the_banner_and_the_rows_say_it() -> None:
    one = record()
    assert banner(one).untested == TOLD
    assert executions(one) == "Reached by executions (1 of 2 checks); no execution: guarded.c:7."
    by_line = {row.place[1]: row.reached for row in check_rows(one)}
    assert by_line[7].startswith("no execution (an inductive invariant")
    assert by_line[10] == "an execution with __VERIFIER_nondet_int() = 0 (line 5)"


def test_the_line_has_a_mark_of_its_own() -> None:
    found = marks(record(), "guarded.c")
    assert (found[7].check, found[10].check) == (Mark.UNTESTED, Mark.VERIFIED)


def test_a_report_and_sarif_say_it() -> None:
    one = record()
    text = markdown(report(one, ReportLimits()))
    assert TOLD in text
    assert "no execution (an inductive invariant" in text
    results = json.loads(to_sarif(one.view, one.program, Invocation("0", "", {})))["runs"][0]["results"]
    assert [r["properties"]["reach"] for r in results] == [Reachability.UNREACHED, Reachability.REACHED]
    assert [r["kind"] for r in results] == ["pass", "pass"]
    assert "so it was not tested" in results[0]["message"]["text"]


def test_the_window_shows_it(qtbot: QtBot, window: MainWindow) -> None:
    window.open_paths([RUN])
    qtbot.waitUntil(lambda: window.model.record is not None and window.model.record.view.verdict is not None)
    assert window.banner.untested == TOLD
    view = window.show_panel("evidence")
    assert isinstance(view, EvidenceView)
    assert view.reached.text().startswith("Reached by executions (1 of 2 checks)")
