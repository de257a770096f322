"""Paths and marks over made-up runs: steps, cores, interpolants, values, and what strangers' files may hold."""

from core.verdict import Confirmer
from gui.model.focus import FocusState
from interplay.presentation.graphs.block_graph import BlockDetail
from interplay.presentation.graphs.programgraph import chart, sheet
from interplay.presentation.record.marks import Coverage, InlayHint, Mark, marks, path_lines, value_hints
from interplay.presentation.record.moments import graph, rounds
from interplay.presentation.record.paths import Fate, call_stack, counterexample, path_shown, variables_at
from interplay.presentation.record.reasons import contradiction, sentence
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.summary import Tone, banner
from interplay.session.counterexample import NOT_MINIMAL
from interplay.session.request import Request
from runs.events import (
    AttemptStarted,
    CheckDecided,
    Event,
    InterpolantsFound,
    NodeAdded,
    PathFound,
    RoundStarted,
    TermDefined,
    TraceShown,
    VerdictReached,
)
from runs.runview import RunView
from tests.support.small_programs import counting_loop

FILE = "small.c"
PATH = (0, 1, 2, 3, 4, 5, 6)


def record(*events: Event) -> RunRecord:
    view = RunView()
    for event in (
        AttemptStarted(0, "transition", (), (0,)),
        TermDefined(0, "constant", (), "true", "Bool"),
        RoundStarted(0, "start"),
        NodeAdded(0, -1, ((), 0), (), 0),
        NodeAdded(1, 0, ((0,), 4), (0, 1, 2), 0),
        *events,
    ):
        view.add(event)
    found = RunRecord(Request(FILE), view)
    found.program = counting_loop(11)
    return found


def test_steps_end_where_nodes_are() -> None:
    one = record(PathFound(0, PATH, "refuted", (3, 5), (0, -1, -1, 0, -1, 0, 0, 0)))
    path = path_shown(one, LATEST, 0, None)
    assert path is not None
    assert path.fate is Fate.SPURIOUS
    assert path.heading.startswith("Spurious path of refinement 1")
    assert [step.edges for step in path.steps] == [(0, 1, 2), (3, 4), (5, 6)]
    assert [step.in_core for step in path.steps] == [False, True, True]
    assert [step.before for step in path.steps] == [0, 0, 0]
    assert path.steps[1].text == "i < bound; i++"


def test_weak_and_strong_forms_stand_at_their_steps() -> None:
    weak, strong = InterpolantsFound("weak", (3,), (0,)), InterpolantsFound("strong", (3,), (0,))
    path = path_shown(record(weak, strong, PathFound(0, PATH, "refuted")), LATEST, 0, None)
    assert path is not None
    assert [(step.weak, step.strong) for step in path.steps] == [(None, None), (0, 0), (None, None)]


def test_a_feasible_path_is_its_counterexample() -> None:
    trace = TraceShown(0, tuple((edge, (("i", str(edge)),) if edge == 2 else ()) for edge in PATH), ())
    confirmer = Confirmer.NATIVE_REPLAY
    words = ("assertion", "assertion i == 10", FILE, 7, 1, "false", "native replay (gcc -m32)", "")
    check = CheckDecided(0, *words, confirmer=confirmer)
    one = record(PathFound(0, PATH, "feasible"), trace, check, VerdictReached("false(assertion)", 10, (), "", "", ""))
    for moment in (0, None):
        path = path_shown(one, LATEST, moment, None)
        assert path is not None
        assert path.heading == "Counterexample, replayed natively"
        assert len(path.steps) == len(PATH)
    shown = counterexample(one, 0)
    assert shown is not None
    assert value_hints(shown, 2, FILE) == {4: (InlayHint("value", "i = 2"),)}
    assert [(row.name, row.before, row.after) for row in variables_at(one, 0, 2)] == [("i", None, "2")]
    assert [row.changed for row in variables_at(one, 0, 3)] == [False]
    assert marks(one, FILE)[6].check is Mark.FAILING
    assert 4 in path_lines(shown, FILE)


def test_a_counterexample_that_is_not_minimal_says_so() -> None:
    one = record(TraceShown(0, tuple((edge, ()) for edge in PATH), (), NOT_MINIMAL))
    shown = counterexample(one, 0)
    assert shown is not None
    assert shown.heading == f"Counterexample, not confirmed ({NOT_MINIMAL})"


def test_a_proof_has_no_path_in_the_end() -> None:
    one = record(PathFound(0, PATH, "refuted"), VerdictReached("true", 0, (), "", "", ""))
    assert path_shown(one, LATEST, None, None) is None
    assert path_shown(one, LATEST, 0, None) is not None


def test_what_is_reached_and_what_never() -> None:
    one = record()
    found = marks(one, FILE)
    assert found[3].coverage is Coverage.REACHED
    assert found[6].coverage is Coverage.NEVER
    assert any(mark.loop for mark in found.values())


def test_the_graph_of_a_moment() -> None:
    one = record(PathFound(0, PATH, "refuted"), RoundStarted(1, "refined"), NodeAdded(2, 1, ((0,), 6), (5,), 0))
    assert [row.states for row in rounds(one)] == [2, 3]
    assert graph(one, LATEST, 1).born == {2}
    assert graph(one, LATEST, 0).path == {0, 1}


def test_a_strangers_run_names_what_is_not_there() -> None:
    one = record(
        PathFound(9, (0, 99, 1), "refuted", (50,), (7, 8, 9, 10)),
        TraceShown(3, ((77, (("x", "1"),)),), ()),
        NodeAdded(5, 4, ((88,), 700), (600,), 900),
        VerdictReached("unknown", 5, (), "", "", ""),
    )
    assert path_shown(one, LATEST, None, 3) is not None
    assert call_stack(one, ((88,), 700)) == ()
    assert one.span_of_place(((88,), 700)) is None
    assert one.formula(LATEST, 900).startswith("(unreadable")
    assert marks(one, FILE)
    assert banner(one).tone is Tone.UNKNOWN


def test_all_views_mark_the_same_statements() -> None:
    """Those of the core alone, without what gives a variable any value."""
    one = record(PathFound(0, (0, 1, 2, 3, 4, 3, 4, 5, 6), "refuted", (1, 3, 4, 5, 6, 7)))
    path = path_shown(one, LATEST, 0, None)
    program = one.program
    assert path is not None
    assert program is not None
    marked = {edge for step in path.steps for edge in step.core}
    assert marked == {3, 4, 5}
    assert {line for line, against in path_lines(path, FILE).items() if against} == {5}
    words = sentence(contradiction(one, LATEST, 0))
    assert words == "line 5 needs i <= 10 (2 ×), line 5 sets i = i + 1 (2 ×), line 5 needs i > 10: together impossible"
    drawn = chart(program, "main", BlockDetail.LOCATIONS, frozenset())
    shown = sheet(one, FocusState(), path, drawn)
    rows = [line.text for box in range(len(drawn.graph.blocks)) for line in shown.lines(box) if line.marked]
    assert rows == ["i < bound | !(i < bound)", "i++"]
