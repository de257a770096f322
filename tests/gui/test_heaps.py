"""Pictures of heaps: records at each step of a counterexample, what clauses exclude, diagrams of obligations."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.program.source import IndexStep, MemberStep, path_at
from gui.views.heap import HeapGraphView, HeapSubject
from gui.window import MainWindow
from interplay.presentation.graphs.heapgraph import heap_drawing, heap_sheet
from interplay.presentation.graphs.picture import Look, WireKind
from interplay.presentation.graphs.picturesvg import to_svg
from interplay.presentation.record.diagrams import described_by, excluded_by, state_of_step
from interplay.presentation.record.heaps import HeapPath, HeapRecord, HeapState, RecordField, heap_at
from interplay.presentation.record.lemmas import LemmaKind, kind_words, origin_words, table
from interplay.presentation.record.moments import path_of, state
from interplay.presentation.record.paths import abstract_path, counterexample
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.timeline import columns
from runs.events import ALL_FRAMES
from runs.runfile import open_run
from tests.support import prepared

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples" / "lists"
TREE = """
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);
struct tree { int key; struct tree *left, *right; };
struct tree *root;
int table[3];
int main(void)
{
    struct tree leaf = {5, 0, 0};
    int *p = table;
    root = malloc(sizeof *root);
    root->key = 4;
    root->left = 0;
    root->right = &leaf;
    p[1] = 7;
    p++;
    if (root->right->key + *p == 12)
        reach_error();
    return 0;
}
"""


def run_of(source: Path, folder: Path, engine: str) -> Path:
    target = folder / f"{source.stem}.{engine}.interplay"
    prepared.run("verify", source, "--engine", engine, "--output", target)
    return target


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(EXAMPLES / "reverse_wrong.c", tmp_path_factory.mktemp("wrong"), "pdr")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(EXAMPLES / "shared_tail.c", tmp_path_factory.mktemp("shared"), "pdr")


def described(one: HeapState) -> list[tuple[str, dict[str, str]]]:
    return [(record.name, {field.name: field.text for field in record.fields}) for record in one.records]


def test_each_step_of_a_counterexample_has_its_heap(wrong: Path) -> None:
    record = RunRecord.of(open_run(wrong))
    check = next(iter(record.view.traces))
    path = counterexample(record, check)
    assert path is not None
    texts = [step.text for step in path.steps]
    cut = heap_at(record, check, texts.index("i->n = r"))
    assert cut is not None
    assert described(cut) == [("#1", {"c": "3", "n": "null"}), ("#2", {"c": "2", "n": "null"})]
    assert {one.name: one.text for one in cut.variables} == {
        "last": "#1",
        "next": "#1",
        "first": "#2",
        "i": "#2",
        "r": "null",
    }
    assert [(one.name, field.name) for one in cut.records for field in one.fields if field.changed] == [("#2", "n")]
    inside = heap_at(record, check, texts.index("p->n = n"))
    assert inside is not None
    assert "p" in {one.name for one in inside.variables}, "a local is there as long as its function is active"
    assert "p" not in {one.name for one in cut.variables}
    first = heap_at(record, check, 0)
    assert first is not None
    assert not first.records
    assert heap_at(record, check + 1_000, None) is None


def test_records_of_any_engine_with_members_objects_and_arrays(tmp_path: Path) -> None:
    source = tmp_path / "tree.c"
    source.write_text(TREE)
    record = RunRecord.of(open_run(run_of(source, tmp_path, "bmc")))
    check = next(iter(record.view.traces))
    heap = heap_at(record, check, None)
    assert heap is not None
    by_name = dict(described(heap))
    assert by_name["#1" if "#1" in by_name else "#3"]["key"] == "4"
    root = next(one for one in heap.records if one.type == "struct tree" and one.name.startswith("#"))
    right = next(field for field in root.fields if field.name == "right")
    assert right.target is not None
    assert heap.records[right.target].name == "leaf"
    assert by_name["leaf"]["key"] == "5"
    p = next(one for one in heap.variables if one.name == "p")
    assert p.text == "&table[1]"
    assert by_name["table"]["[1]"] == "7"


def test_a_clause_is_drawn_as_what_it_excludes(wrong: Path) -> None:
    record = RunRecord.of(open_run(wrong))
    drawn = {
        record.formula(LATEST, one.event.formula, one.event.place): excluded_by(record, LATEST, one)
        for one in record.attempt().lemmas
    }
    heap = drawn["last->c != 2"]
    assert heap is not None
    assert [one.name for one in heap.variables] == ["last"]
    assert described(heap) == [("#1", {"": "c == 2"})]
    parts = {frozenset(text.split(" || ")): heap for text, heap in drawn.items()}
    equal = parts[frozenset(("first == i", "!\\reach(n, first, i)"))]
    assert equal is not None
    assert {one.name: one.text for one in equal.variables} == {"first": "#2", "i": "#1"}
    assert [(path.source, path.target, path.field) for path in equal.paths] == [(1, 0, "n")]
    assert drawn["false"] is None, "it excludes everything, and says nothing about a heap"


def test_the_trace_without_invariant_has_a_diagram_at_each_step(shared: Path) -> None:
    record = RunRecord.of(open_run(shared))
    attempt = record.attempt()
    last = attempt.paths[-1]
    steps = abstract_path(record, LATEST, last).steps
    assert path_of(record, LATEST, last.round) is last
    found = [state_of_step(record, LATEST, last.round, step.index) for step in steps]
    assert found[0] is None, "it is the start of the program"
    assert all(node is not None for node in found[1:])
    for node, step in zip(found[1:], steps[1:], strict=True):
        assert node is not None
        assert node.place == step.source
        assert described_by(record, LATEST, node, record.view.position) is not None
    frames = [one.sentence for one in columns(record, LATEST)]
    assert "proof obligation" in frames[-1]
    assert "clauses now" in frames[-1]
    assert "frame" in columns(record, LATEST)[1].heading
    alive = state(record, LATEST, last.round).nodes
    assert len({node.node for node in alive}) == len(alive)


def test_drawing_and_its_words() -> None:
    state = HeapState(
        (RecordField("p", "#1", 0, changed=True), RecordField("q", "#1", 0), RecordField("r", "null")),
        (
            HeapRecord(
                "#1", "struct node", (RecordField("c", "3"), RecordField("n", "#2", 1, changed=True)), is_new=True
            ),
            HeapRecord("#2", "struct node", (RecordField("c", "?"),), released=True, more=2),
        ),
        (HeapPath(1, 0, "n"),),
    )
    drawing = heap_drawing(state)
    sheet = heap_sheet(drawing)
    lines = [[line.text for line in sheet.lines(box)] for box in range(4)]
    assert lines == [
        ["p, q"],
        ["r = null"],
        ["#1 struct node", "c = 3", "n → #2"],
        ["#2 struct node", "c = ?", "⋯ 2 more"],
    ]
    kinds = [(wire.source, wire.target, wire.kind) for wire in sheet.picture.wires]
    assert kinds == [(0, 2, WireKind.POINTER), (2, 3, WireKind.PLAIN), (3, 2, WireKind.REACH)]
    assert sheet.path == {0, 1}, "what the step changes"
    assert [sheet.looks[box] for box in (1, 2, 3)] == [Look.NONE, Look.NEW, Look.GONE]
    assert "n points to #2, changed by this step" in sheet.about(2)
    assert "reaches #1 over n, in any number of steps" in sheet.about(3)
    assert "released" in sheet.about(3)
    boxes = sheet.picture.boxes
    assert boxes[0].left < boxes[2].left < boxes[3].left, "from left to right"
    assert "wire reach" in to_svg(sheet)


def test_paths_within_records() -> None:
    steps = (MemberStep("rows", 4), IndexStep(8, 3), MemberStep("x", 4))
    assert path_at(steps, 4 + 8 * 2 + 4) == ".rows[2].x"
    assert path_at(steps, 4 + 8 * 3 + 4) is None, "behind the last"
    assert path_at(steps, 9) is None


def test_the_view_follows_step_clause_and_state(window: MainWindow, qtbot: QtBot, wrong: Path, shared: Path) -> None:
    view = window.show_panel("heap")
    assert isinstance(view, HeapGraphView)
    window.open_paths([wrong])
    qtbot.waitUntil(lambda: window.focus.path is not None)
    window.focus.first_step()
    window.focus.go_to_step(len(window.focus.path.steps) - 1 if window.focus.path else 0)
    qtbot.waitUntil(lambda: view.drawing is not None and len(view.drawing.state.records) == 2)
    assert view.subject.currentData() is HeapSubject.STEP
    record = window.model.record
    assert record is not None
    clause = next(one.event for one in record.attempt().lemmas if excluded_by(record, LATEST, one) is not None)
    window.focus.go_to_lemma(clause.lemma)
    assert view.subject.currentData() is HeapSubject.CLAUSE
    qtbot.waitUntil(lambda: view.drawing is not None and len(view.drawing.state.records) == 1)

    window.open_paths([shared])
    qtbot.waitUntil(lambda: window.model.record is not record)
    window.focus.last_path()
    window.focus.go_to_step(3)
    assert view.subject.currentData() is HeapSubject.STATE
    qtbot.waitUntil(lambda: view.drawing is not None and len(view.drawing.state.paths) > 0)
    view.pane.twin_button.click()
    assert view.pane.twin.model().rowCount() == len(view.drawing.boxes if view.drawing else ())


def test_clauses_say_how_far_they_were_pushed(shared: Path, tmp_path: Path) -> None:
    record = RunRecord.of(open_run(shared))
    assert kind_words(record, LATEST, LemmaKind.INVARIANTS) == "Clauses"
    rows = table(record, LATEST, None, LemmaKind.INVARIANTS).rows
    assert {row.frames for row in rows} >= {"1"}
    assert all(row.level is not None and row.level != ALL_FRAMES for row in rows), "nothing is proved"
    words = origin_words(record, LATEST, rows[0])
    assert words.startswith("Clause ")
    assert "It was pushed as far as frame" in words
    proved = RunRecord.of(open_run(run_of(EXAMPLES / "create.c", tmp_path, "pdr")))
    ends = table(proved, LATEST, None, LemmaKind.INVARIANTS).rows
    assert any(row.frames == "all" for row in ends)
    first = proved.attempt().rounds[0].number
    assert all(row.frames != "all" for row in table(proved, LATEST, first, LemmaKind.INVARIANTS).rows)


FRESH = """#include <stdlib.h>
#include <assert.h>
struct node { int key; struct node *next; };
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b) return 0;
    a->next = b;
    assert(a->next == 0);
    return 0;
}
"""


def test_memory_that_nothing_has_written_is_not_known(tmp_path: Path) -> None:
    source = tmp_path / "fresh.c"
    source.write_text(FRESH)
    record = RunRecord.of(open_run(run_of(source, tmp_path, "bmc")))
    check = next(iter(record.view.traces))
    path = counterexample(record, check)
    assert path is not None
    made, written = (next(step for step in path.steps if step.text.startswith(text)) for text in ("[!", "a->next"))
    before, after = (heap_at(record, check, step.index) for step in (made, written))
    assert before is not None
    assert after is not None
    assert dict(described(before))["#1"]["next"].startswith("? (here ")
    assert dict(described(after))["#1"]["next"] == "#2"
