"""Runs of nodes in run files: what is read later is what would be read at once."""

import random
from pathlib import Path

import pytest

from runs.events import (
    Event,
    LemmaAdded,
    NodeAdded,
    NodeChanged,
    NodeCovered,
    NodesRemoved,
    PathFound,
    Paused,
    PhaseStarted,
    Place,
    RoundStarted,
)
from runs.events_json import encode
from runs.packed_nodes import PackedNodes, packed
from runs.runfile import Journal, journal_of, open_run
from runs.runview import RunView


def _events(seed: int) -> list[Event]:
    """Long runs of nodes, some with numbers that were given before, and between them what else nodes do."""
    chosen = random.Random(seed)
    made: list[Event] = [PhaseStarted("explore"), RoundStarted(0, "start")]
    for round in range(1, 8):
        for _ in range(chosen.choice((1, 5, 200, 400))):
            stack = tuple(chosen.sample(range(9), chosen.randrange(3)))
            place: Place = (stack, chosen.randrange(20))
            edges = tuple(chosen.sample(range(50), chosen.randrange(3)))
            made.append(NodeAdded(chosen.randrange(900), chosen.randrange(-1, 900), place, edges, chosen.randrange(9)))
        made += [
            NodeChanged(chosen.randrange(900), 1, (2,), 3),
            NodeCovered(chosen.randrange(900), (60,), ((), 1), chosen.randrange(900)),
            LemmaAdded(round, "predicate", "core", 1, (), None),
            PathFound(0, (70, 71), "spurious"),
            *([Paused(round)] if chosen.random() < 0.5 else []),
            *([NodesRemoved(tuple(chosen.sample(range(900), 300)))] if chosen.random() < 0.8 else []),
            *([RoundStarted(round, "refined")] if chosen.random() < 0.8 else []),
        ]
    return made


@pytest.mark.parametrize("seed", range(6))
def test_the_fold_of_a_file_is_that_of_its_events(tmp_path: Path, seed: int) -> None:
    view, events = RunView(), _events(seed)
    journal = Journal(journal_of(tmp_path / "a.interplay"), "test")
    for position, event in enumerate(events):
        view.add(event, seconds := position // 7 / 10)
        journal.append(encode(event).encode(), position, seconds)
    journal.finish(tmp_path / "a.interplay")
    read = open_run(tmp_path / "a.interplay").view()
    mine, other = view.attempts[0].states, read.attempts[0].states
    assert (other.births, other.deaths, other.edges) == (mine.births, mine.deaths, mine.edges)
    assert list(other.places) == list(mine.places)
    assert (read.position, read.seconds) == (view.position, view.seconds)
    assert other.nodes == mine.nodes
    assert (other.removed, other.covers) == (mine.removed, mine.covers)
    assert read == view


def test_only_lines_as_they_are_written_are_packed() -> None:
    node = encode(NodeAdded(1, -1, ((2, 3), 4), (5,), 6)).encode() + b"\n"
    many = node * 200
    assert [len(part) for part in packed(many)] == [200]
    for strange in (node.replace(b"6", b"06"), node.replace(b":1", b": 1"), node.replace(b"[5]", b"[5,]"), b"x\n"):
        first, between, last = packed(many + strange + many)
        assert isinstance(first, PackedNodes)
        assert between == strange
        assert isinstance(last, PackedNodes)


def test_few_nodes_are_read_at_once() -> None:
    text = encode(NodeAdded(1, -1, ((), 4), (), 6)).encode() + b"\n"
    assert list(packed(text * 3)) == [text * 3]
