"""The tree of abstract states over made-up runs: slots stand still, differences are told, branches fold."""

from gui.views.reachability import why_none
from interplay.presentation.graphs.picture import Look, WireKind
from interplay.presentation.graphs.stategraph import (
    Folds,
    Looks,
    Mode,
    TreeSlots,
    all_nodes,
    moment,
    path_jumps,
    path_slots,
    path_wires,
    shown,
    side_wires,
    slots_of,
    tree,
)
from interplay.presentation.graphs.statesheet import sheet
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.session.request import Request
from runs.events import (
    AttemptStarted,
    Event,
    NodeAdded,
    NodeChanged,
    NodeCovered,
    NodesRemoved,
    PathFound,
    Place,
    RoundStarted,
    TermDefined,
)
from runs.runview import RunView
from tests.support.small_programs import counting_loop

ROOT: Place = ((), 0)
HEAD: Place = ((0,), 4)
BODY: Place = ((0,), 5)
AFTER: Place = ((0,), 6)
ERROR: Place = ((0,), 7)

EVENTS: tuple[Event, ...] = (
    AttemptStarted(0, "transition", (), (0,)),
    TermDefined(0, "constant", (), "true", "Bool"),
    TermDefined(1, "constant", (), "false", "Bool"),
    RoundStarted(0, "start"),
    NodeAdded(0, -1, ROOT, (), 0),
    NodeAdded(1, 0, HEAD, (0, 1, 2), 0),
    NodeAdded(2, 1, BODY, (3,), 0),
    NodeAdded(3, 1, AFTER, (5,), 0),
    NodeAdded(4, 3, ERROR, (6,), 0),
    PathFound(0, (0, 1, 2, 5, 6), "spurious"),
    NodesRemoved((1, 2, 3, 4)),
    RoundStarted(1, "refined"),
    NodeAdded(5, 0, HEAD, (0, 1, 2), 0),
    NodeAdded(6, 5, BODY, (3,), 1),
    NodeCovered(6, (4,), HEAD, 5),
    NodeAdded(7, 5, AFTER, (5,), 1),
    NodeChanged(5, 6, (4,), 1),
)


def record(*more: Event) -> RunRecord:
    view = RunView()
    for event in (*EVENTS, *more):
        view.add(event)
    found = RunRecord(Request("small.c"), view)
    found.program = counting_loop(11)
    return found


def slots(one: RunRecord) -> TreeSlots:
    attempt = one.attempt()
    return slots_of(all_nodes(attempt), attempt.states.covers)


def test_what_is_found_again_takes_its_place_again() -> None:
    found = slots(record())
    assert found.parents == (-1, 0, 1, 1, 3)
    assert found.places == (ROOT, HEAD, BODY, AFTER, ERROR)


def test_slots_of_a_run_that_grows_keep_their_numbers() -> None:
    whole = record(NodeAdded(8, 7, ERROR, (6,), 0), NodeAdded(9, 5, HEAD, (4,), 0))
    nodes = sorted(all_nodes(whole.attempt()), key=lambda node: node.alive.born)
    last = slots_of(nodes)
    for count in range(len(nodes) + 1):
        first = slots_of(nodes[:count])
        assert last.parents[: len(first.parents)] == first.parents
        assert all(last.of[born] == slot for born, slot in first.of.items())


def test_a_moment_says_what_has_changed_since_the_round_before() -> None:
    one = record()
    first = moment(one, LATEST, 0, slots(one))
    assert (first.count, first.differences, first.path) == (5, {}, (0, 1, 3, 4))
    second = moment(one, LATEST, 1, slots(one))
    assert second.count == 4
    assert second.differences == {1: Look.CHANGED, 2: Look.CHANGED, 3: Look.CHANGED, 4: Look.GONE}
    end = moment(one, LATEST, None, slots(one))
    assert end.differences == {}
    grown = record(RoundStarted(2, "refined"), NodeAdded(8, 7, ERROR, (6,), 0))
    assert moment(grown, LATEST, 2, slots(grown)).differences == {4: Look.NEW}


def test_looks_follow_moment_and_mode() -> None:
    one = record()
    drawing = tree(slots(one), Folds(), {})
    now = moment(one, LATEST, 0, drawing.slots)
    path = Look.PATH
    assert list(Looks(drawing, now, Mode.MOMENT)) == [path, path, Look.NONE, path, path]
    assert path_wires(drawing, now) == {0, 2, 3}
    end = moment(one, LATEST, None, drawing.slots)
    assert Looks(drawing, end, Mode.MOMENT)[4] == Look.HIDDEN | Look.PATH or end.path
    assert Looks(drawing, end, Mode.ALL)[4] & Look.ABSENT


def test_covers_and_merges_are_wires_of_what_is_selected() -> None:
    one = record()
    drawing = tree(slots(one), Folds(), {})
    now = moment(one, LATEST, 1, drawing.slots)
    assert now.covered_by(2) == [1]
    assert now.covers(1) == [2]
    wires = side_wires(drawing, now, 1)
    assert {(wire.source, wire.target, wire.kind) for wire in wires} == {
        (2, 1, WireKind.COVER),
        (2, 1, WireKind.BACK),
    }
    assert side_wires(drawing, now, 3) == ()
    assert path_jumps(drawing, now) == ()


def test_chains_calls_and_branches_fold() -> None:
    inner: Place = ((0, 3), 5)
    more = [NodeAdded(8 + n, 7 + n if n else 6, inner if n < 4 else BODY, (n,), 0) for n in range(6)]
    one = record(*more)
    found = slots(one)
    assert len(found.parents) == 11
    whole = shown(found, Folds())
    assert (len(whole.slots), whole.folded) == (11, {})
    closed = shown(found, Folds(closed=frozenset({2})))
    assert closed.folded == {closed.slots.index(2): len(whole.slots) - len(closed.slots)}
    calls = shown(found, Folds(calls=True))
    assert all(len(found.places[slot][0]) <= 1 for slot in calls.slots)
    chains = shown(found, Folds(chains=True))
    assert len(chains.slots) < len(whole.slots)
    opened = shown(found, Folds(chains=True, opened=frozenset(chains.slots)))
    assert opened.slots == whole.slots
    only = shown(found, Folds(), (0, 3, 4))
    assert only.slots == (0, 3, 4)
    assert only.parents == (-1, 0, 1)


def test_the_texts_of_a_box() -> None:
    one = record()
    drawing = tree(slots(one), Folds(), {})
    at_first = sheet(one, LATEST, moment(one, LATEST, 0, drawing.slots), drawing, Mode.MOMENT, None)
    assert [line.text for line in at_first.lines(1)] == ["loop · line 5", "true"]
    assert at_first.badge(1) == ""
    now = sheet(one, LATEST, moment(one, LATEST, 1, drawing.slots), drawing, Mode.MOMENT, 1)
    assert [line.text for line in now.lines(2)][1] == "false"
    assert [line.text for line in now.lines(4)] == ["✗ error, line 6", "not at this moment"]
    assert now.badge(1) == "⊇1"
    assert now.badge(2) == "⊂1"
    assert "found in round 2" in now.about(1)
    assert len(now.extra) == 2


def test_the_path_goes_from_state_to_state_where_several_are_at_a_place() -> None:
    """Two states at the head and two in the body; the path enters the body from the second."""
    view = RunView()
    for event in (
        *EVENTS[:4],
        NodeAdded(0, -1, ROOT, (), 0),
        NodeAdded(1, 0, HEAD, (0, 1, 2), 0),
        NodeAdded(2, 1, BODY, (3,), 0),
        NodeAdded(3, 2, HEAD, (4,), 1),
        NodeAdded(4, 3, BODY, (3,), 1),
        PathFound(0, (0, 1, 2, 3, 4, 3), "spurious"),
    ):
        view.add(event)
    one = RunRecord(Request("small.c"), view)
    one.program = counting_loop(11)
    assert path_slots(one, LATEST, 0, slots(one)) == (0, 1, 2, 3, 4)


def test_an_engine_that_explores_says_that_this_run_has_nothing_to_show() -> None:
    def sentence(engine: str) -> str:
        view = RunView()
        view.add(AttemptStarted(0, engine, (), (0,)), 0.0)
        return why_none(RunRecord(Request("x.c", engine=engine), view), LATEST)

    assert sentence("eureka").startswith("has recorded no zones")
    assert sentence("bmc") == "has no abstract states: it does not explore a graph of them."
