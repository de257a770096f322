"""Reports: complete, inert whatever a run file says, the same from window and command line, and printable."""

import dataclasses
import html
import json
import os
import re
import shlex
import subprocess
import sys
from bisect import bisect_right
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from gui.exporting import every_format
from gui.printing import main as print_pdf
from gui.report.breaks import page_starts
from gui.report.pdf import LIMITS, MAX_PAGES, Pages, short_report, write_pdf
from gui.window import MainWindow
from interplay.commands.cli import _parser
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.summary import OTHER, phase_times, side_by_side
from interplay.presentation.report.assemble import report_of
from interplay.presentation.report.content_security import only
from interplay.presentation.report.document import Report, ReportLimits, Trace, TraceStep
from interplay.presentation.report.markdown import markdown
from interplay.presentation.report.page import page, visible
from interplay.session.reproduction import command_of
from interplay.session.request import Request
from runs.runfile import StoredRun, open_run
from scripts.pictures.__main__ import REPORT, SCENES
from tests.gui.conftest import GOLDEN, ROOT

PAGE = ROOT / "tests" / "golden" / "v3.html"
HOSTILE = "</td></style><script>alert(1)</script>\"'&\u202e\x07{{ 7*7 }}count.c"
TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        *("script", "aside", "button", "input", "label"),
        "body",
        "header",
        "main",
        "section",
        "nav",
        "div",
        "p",
        "span",
        "b",
        "a",
    ),
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "dl",
        "dt",
        "dd",
        "ul",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
        "summary",
    ),
    *("figure", "figcaption", "pre", "svg", "g", "rect", "path", "text"),
}


class Reader(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update((name, value or "") for name, value in attrs)
        self.ids += [value for name, value in attrs if name == "id" and value]


@pytest.fixture(scope="module")
def golden() -> StoredRun:
    return open_run(GOLDEN)


@pytest.fixture(scope="module")
def told(golden: StoredRun) -> Report:
    return report_of(golden, ReportLimits())


def hostile(run: StoredRun) -> StoredRun:
    """The run of a program with an evil name: it is all over the events, the sources and the program."""
    evil = json.dumps(HOSTILE)[1:-1].encode()
    members = {name: re.sub(rb"[A-Za-z0-9_./]*\.c\b", lambda _: evil, data) for name, data in run.members.items()}
    return dataclasses.replace(run, members=members)


def test_page_as_it_was(told: Report) -> None:
    """Without pictures and styles; `INTERPLAY_UPDATE_GOLDEN=1` writes it anew."""
    own = r"<style>.*?</style>|<script>.*?</script>|'sha256-[^']*'"
    plain = re.sub(own, "", page(told), flags=re.DOTALL)
    found = re.sub(r"<svg .*?</svg>", "<svg/>", plain, flags=re.DOTALL)
    if "INTERPLAY_UPDATE_GOLDEN" in os.environ:
        PAGE.write_text(found, encoding="utf-8")
    assert found == PAGE.read_text(encoding="utf-8")


def test_page_has_all_parts(told: Report) -> None:
    read = Reader(page(told))
    parts = {"checks", "refinements", "source", "graphs", "again"}
    assert parts <= set(read.ids)
    assert len(read.ids) == len(set(read.ids))
    links = {value[1:] for name, value in read.attributes if name == "href"}
    assert links <= set(read.ids)
    assert told.graphs[0].sheet is not None
    assert told.command.startswith("interplay verify ")


def test_nothing_in_a_run_file_gets_out_of_its_text(golden: StoredRun) -> None:
    text = page(report_of(hostile(golden), ReportLimits()))
    read = Reader(text)
    assert read.tags <= TAGS
    assert not any(name.startswith("on") or name in ("src", "style", "action") for name, _ in read.attributes)
    assert all(value.startswith("#") for name, value in read.attributes if name in ("href", "xlink:href"))
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, flags=re.DOTALL)
    assert scripts == [(ROOT / "resources" / "report" / "report.js").read_text(encoding="utf-8")]  # ours alone
    assert only(scripts[0]) in html.unescape(text)
    assert "&lt;script&gt;" in text
    assert "{{ 7*7 }}" in text
    assert "\u202e" not in text
    assert "\x07" not in text
    assert "default-src &#39;none&#39;" in text or "default-src 'none'" in text


def test_steps_name_their_lines_and_boxes(golden: StoredRun) -> None:
    """Each step of a counterexample leads to a line of the annotated source, and to a box that is drawn."""
    steps = tuple(TraceStep("3", "main", "x = 1", ("x = 1",), "t.c", (0, 2)) for _ in range(2))
    report = report_of(golden, ReportLimits())
    trace = Trace("Counterexample", "t.c:9", "", steps, 0, (), 0)
    text = page(dataclasses.replace(report, traces=(trace,)))
    assert text.count('data-at="t.c:3"') == 2
    assert 'data-graph="0" data-box="2"' in text
    assert '<g data-box="2">' in text
    assert 'id="stepper"' in text
    assert 'id="stepper"' not in page(dataclasses.replace(report, traces=()))


def test_markdown_has_the_verdict_and_no_markup_of_the_program(golden: StoredRun) -> None:
    text = markdown(report_of(hostile(golden), ReportLimits()))
    assert text.startswith("# ✓ TRUE")
    assert "## Checks" in text
    assert "<script>" not in text.partition("```")[0]
    assert r"script\>" in text


def test_reports_are_small(golden: StoredRun) -> None:
    assert len(page(report_of(golden, ReportLimits())).encode()) < 2 << 20
    assert Pages(short_report(golden)).count <= MAX_PAGES


def test_what_cannot_be_seen_becomes_visible() -> None:
    assert visible("a\tb\n‹é› \u00a0∀") == "a\tb\n‹é› \u00a0∀"
    assert visible("a\x00\u202eb\u200b") == "a��b�"


def test_large_runs_are_cut_with_a_word(golden: StoredRun) -> None:
    small = report_of(golden, ReportLimits(refinements=2, lines=4, steps=2, rows=1, locations=1, states=1))
    text = page(small)
    whole = report_of(golden, ReportLimits())
    assert sum(len(history.rounds) + history.left_out for history in small.histories) == sum(
        len(history.rounds) for history in whole.histories
    )
    assert all(len(history.rounds) <= 2 for history in small.histories)
    assert all(graph.sheet is None for graph in small.graphs)
    assert "too many for a report" in text
    assert "say nothing about this run are left out" in text


def test_pdf_has_pages(told: Report, tmp_path: Path, qapp: QApplication) -> None:
    assert qapp is not None
    target = tmp_path / "report.pdf"
    count = write_pdf(told, target)
    data = target.read_bytes()
    assert data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) == count
    assert count >= 2


def test_every_page_shows_something(golden: StoredRun, qapp: QApplication) -> None:
    assert qapp is not None
    pages = Pages(report_of(golden, LIMITS))
    for number in range(pages.count):
        image = QImage(1100, 1100, QImage.Format.Format_RGB32)
        image.fill(0xFFFFFFFF)
        painter = QPainter(image)
        pages.paint(number, painter, 1.0)
        painter.end()
        shown = image.copy(QRectF(0, 0, 680, 400).toRect())
        dark = sum(shown.pixelColor(x, y).lightness() < 128 for x in range(0, 680, 2) for y in range(0, 400, 2))
        assert dark > 50, number


@pytest.mark.usefixtures("qapp")
def test_no_row_and_no_line_goes_over_the_end_of_a_page() -> None:
    """Rows of many lines, on pages that a third of them would be cut by; titles and heads of tables stay with rows."""
    words = "a long cell with many words " * 12
    rows = "".join(f"<tr><td>{row}</td><td>{words}</td></tr>" for row in range(30))
    table = f"<table cellpadding='4'><tr><td>head</td><td>head</td></tr>{rows}</table>"
    document = QTextDocument()
    document.setHtml(f"<h2>first</h2><p>{words * 6}</p><p>about the table</p>{table}<h2>second</h2>{table}")
    document.setTextWidth(500)
    height = 310.0
    starts = page_starts(document, height)
    assert len(starts) > 10
    assert all(0 < later - earlier <= height for earlier, later in pairwise(starts))
    assert starts[-1] + height >= document.size().height()
    tops: dict[str, float] = {}
    block = document.begin()
    while block.isValid():
        rect = document.documentLayout().blockBoundingRect(block)
        tops.setdefault(block.text(), rect.top())
        in_table = QTextCursor(block).currentTable() is not None
        cut = [start for start in starts if rect.top() < start < rect.bottom()]
        assert not (in_table and cut), block.text()
        for number in range(block.layout().lineCount()):
            line = block.layout().lineAt(number)
            top = rect.top() + line.y()
            assert not any(top < start < top + line.height() for start in cut)
        block = block.next()
    page_of = {text: bisect_right(starts, top) for text, top in tops.items()}
    assert page_of["about the table"] == page_of["head"] == page_of["0"]


@pytest.mark.usefixtures("qapp")
def test_a_row_longer_than_a_page_goes_on_at_a_line() -> None:
    document = QTextDocument()
    document.setHtml(f"<table><tr><td>{'many words ' * 900}</td></tr></table>")
    document.setTextWidth(400)
    starts = page_starts(document, 200.0)
    assert len(starts) > 5
    block = document.begin()
    while not block.text():
        block = block.next()
    top, lines = document.documentLayout().blockBoundingRect(block).top(), block.layout()
    begins = {round(top + lines.lineAt(number).y(), 3) for number in range(lines.lineCount())}
    assert {round(start, 3) for start in starts[1:]} <= begins


def test_times_of_a_report_add_up(golden: StoredRun) -> None:
    record = RunRecord.of(open_run(GOLDEN.with_name("lock.interplay")))
    times = phase_times(record)
    assert times[OTHER] > 0
    assert sum(times.values()) == pytest.approx(record.view.seconds)
    assert not side_by_side(record)
    assert side_by_side(RunRecord.of(golden))  # a portfolio


def test_pdf_into_nowhere_is_an_error(told: Report, tmp_path: Path, qapp: QApplication) -> None:
    assert qapp is not None
    with pytest.raises(OSError, match="No such file"):
        write_pdf(told, tmp_path / "missing" / "report.pdf")


def test_a_steered_run_names_its_run_file() -> None:
    words = shlex.split(command_of(Request("t.c"), "my run.interplay"))
    assert _parser().parse_args(words[1:]).edits_of == "my run.interplay"


@pytest.mark.long
def test_the_window_exports(qtbot: QtBot, window: MainWindow, tmp_path: Path, told: Report) -> None:
    window.open_paths([GOLDEN])
    target = tmp_path / "report.html"
    with qtbot.waitSignal(window.files.exporter.written):
        window.files.exporter.write(GOLDEN, target)
    assert target.read_text(encoding="utf-8") == page(told)
    assert "report.html" in window.statusBar().currentMessage()


@pytest.mark.long
def test_one_format_that_fails_loses_no_other(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """The run is a proof, of which there is no test suite."""
    window.open_paths([GOLDEN])
    with qtbot.waitSignal(window.files.exporter.ended) as ended:
        window.files.exporter.write(GOLDEN, *every_format(tmp_path / "report.html"))
    written, reasons = ended.args
    assert [path.suffix for path in written] == [".html", ".pdf", ".md", ".sarif", ".yml"]
    assert all(path.is_file() for path in written)
    assert len(reasons) == 1
    assert "Test suite of a violation could not be written" in window.error_bar.sentence
    assert window.error_bar.open.isVisible()


@pytest.mark.long
def test_an_export_that_fails_is_told_in_place(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    with qtbot.waitSignal(window.files.exporter.failed):
        window.files.exporter.write(GOLDEN, tmp_path / "missing" / "report.html")
    assert "could not be written" in window.error_bar.sentence


def test_the_question_where_to_holds_nothing_up(qtbot: QtBot, window: MainWindow) -> None:
    window.toolbar.commands["report"].trigger()
    assert "verify a program first" in window.error_bar.sentence
    window.open_paths([GOLDEN])
    window.toolbar.commands["report"].trigger()
    dialogs = window.findChildren(QFileDialog)
    assert len(dialogs) == 1
    assert not dialogs[0].isModal()
    dialogs[0].reject()
    qtbot.waitUntil(lambda: not window.findChildren(QFileDialog))


@pytest.mark.long
def test_the_command_line_prints_without_a_screen(tmp_path: Path) -> None:
    target = tmp_path / "report.pdf"
    words = ["-m", "interplay", "export", str(GOLDEN), "--pdf", str(target)]
    environment = {name: value for name, value in os.environ.items() if name not in ("QT_QPA_PLATFORM", "DISPLAY")}
    subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, check=True, timeout=600)
    assert target.read_bytes().startswith(b"%PDF-")


def test_the_manual_has_its_pictures() -> None:
    """Every picture that the manual shows is there, and is one that the script takes; none is left over."""
    docs = ROOT / "docs"
    shown = set(re.findall(r"\]\(pictures/(\w+)\.png\)", (docs / "manual.md").read_text(encoding="utf-8")))
    assert shown == {path.stem for path in (docs / "pictures").glob("*.png")}
    assert shown <= {REPORT, *(scene.name for scene in SCENES)}


def test_a_library_that_is_missing_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("gui.printing.obstacle", lambda: "a library of the system is missing (libGL.so.1)")
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert print_pdf([str(GOLDEN), str(tmp_path / "report.pdf")]) == 1
    assert capsys.readouterr().err == (
        "no PDF can be written: a library of the system is missing (libGL.so.1); --html needs none of it\n"
    )
