"""Work that is cut into pieces, so that the event loop has its turn in between: what comes out is the same."""

import gc
import threading
import weakref
from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gui.model import background
from gui.model.background import Background, GivingWay, InPieces, Leaving
from gui.model.current import Broadcast
from gui.views import graphmap
from gui.views.reachability import ReachabilityView
from gui.window import MainWindow
from tests.gui.conftest import GOLDEN


class Thing:
    """An object that can be seen to be gone."""


def test_each_view_hears_that_the_run_has_grown_also_if_one_before_it_fails() -> None:
    heard: list[str] = []
    advanced = Broadcast()

    def fails() -> None:
        raise ValueError("a view")

    for hear in (lambda: heard.append("first"), fails, lambda: heard.append("last")):
        advanced.connect(hear)
    told = advanced.notify()
    next(told)
    assert heard == ["first"]
    with pytest.raises(ValueError, match="a view"):
        next(told)
    next(told)
    assert heard == ["first", "last"]
    assert next(told, "over") == "over"


def test_large_things_are_let_go_of(qtbot: QtBot) -> None:
    leaving = Leaving()
    things = [[Thing() for _ in range(500)] for _ in range(3)]
    known = [weakref.ref(thing) for some in things for thing in some]
    leaving.take([list(things[0])])
    leaving.take([list(things[1]), list(things[2])])  # the first are still there
    del things
    qtbot.waitUntil(lambda: all(thing() is None for thing in known))


def test_a_job_that_was_cancelled_holds_nothing(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its frames know all that it had computed; only a collection of garbage would find them."""
    monkeypatch.setattr(gc, "collect", lambda *_: 0)
    known: list[weakref.ref[Thing]] = []
    jobs: Background[Thing] = Background(lambda _: None)

    def job(check: Callable[[], None]) -> Thing:
        thing = Thing()
        known.append(weakref.ref(thing))
        while True:
            check()

    jobs.submit(job)
    qtbot.waitUntil(lambda: bool(known))
    jobs.forget()
    qtbot.waitUntil(lambda: not jobs.busy)
    qtbot.waitUntil(lambda: known[0]() is None)


class Receiver(QObject):
    """A widget, as far as results of a job concern it."""

    def __init__(self) -> None:
        super().__init__()
        self.received: list[int] = []

    def receive(self, result: int) -> None:
        self.received.append(result)


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_widget_that_was_closed_gets_no_results(is_closed: bool, qtbot: QtBot) -> None:
    receiver, begun = Receiver(), threading.Event()
    jobs: Background[int] = Background(receiver.receive)

    def job(_: Callable[[], None]) -> int:
        begun.wait()
        return 7

    jobs.submit(job)
    if is_closed:
        shiboken6.delete(receiver)
    begun.set()
    qtbot.waitUntil(lambda: not jobs.busy)
    assert receiver.received == ([] if is_closed else [7])


def test_the_ground_of_the_map_does_not_depend_on_its_pieces(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    grounds: list[QImage] = []
    for piece in (10_000, 10_000, 3):  # the first opening moves what surrounds the map
        monkeypatch.setattr(graphmap, "_PIECE", piece)
        window.open_paths([GOLDEN])
        view = window.show_panel("reachability")
        assert isinstance(view, ReachabilityView)
        qtbot.waitUntil(lambda view=view: view.tree is not None)  # type: ignore[misc]
        view.pane.canvas.set_zoom(3.0)
        shown = view.pane.canvas.map
        qtbot.waitUntil(lambda shown=shown: shown.isVisible() and not shown.drawing)  # type: ignore[misc]
        grounds.append(shown.grab().toImage())
    assert grounds[1] == grounds[2]


def test_a_thread_waits_while_the_event_loop_is_at_work() -> None:
    now = 0.0
    naps: list[float] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        naps.append(seconds)

    giving = GivingWay(lambda: now, sleep)
    giving.give_way()
    assert not naps  # the loop was free a moment ago
    now = 1.0  # a loop at work: it gives no sign
    giving.give_way()
    patience = sum(naps)
    assert 0 < patience < 0.05
    giving.give_way()
    assert sum(naps) == patience  # then it computes for a while
    now += 1.0
    giving.beat()
    giving.give_way()
    assert sum(naps) == patience  # the loop is free again


def test_one_iterator_goes_on_in_a_turn_of_the_event_loop(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_SLICE", 0.0)
    order: list[str] = []
    done: list[list[str]] = []

    def values(name: str) -> Iterator[str]:
        for _ in range(3):
            order.append(name)
            yield name

    first, second, unused = InPieces(done.append), InPieces(done.append), InPieces(done.append)
    first.start(values("a"))
    second.start(values("b"))
    unused.start(values("c"))
    unused.stop()
    qtbot.waitUntil(lambda: len(done) == 2)
    assert order == ["a", "b"] * 3
    assert done == [["a"] * 3, ["b"] * 3]
    assert not first.busy
    assert not unused.busy
