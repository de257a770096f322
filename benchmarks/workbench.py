"""The fluency of the workbench: opening and scrubbing a large run, and the event loop while a run comes in.

    python -m benchmarks.workbench [--nodes 20000] [--rounds 200] [--only latency]

Everything runs offscreen, in the real window with every panel made. The run is made up: a program of many loops that
is lowered for real, and events of a run that adds nodes and predicates in each round and prunes some. Opening is from
the file to the painted window. Scrubbing moves the cursor through all rounds, after each of which the window paints
what has changed, with the source and the graph of all states in sight, and beside them other views in turn; panning
moves that graph by some pixels and paints it, at three levels of detail. The latency is what a timer of 5 ms is late by
while a worker sends the same events as fast as it can.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.program import Program
from interplay.session.request import Request
from runs.events import (
    AttemptStarted,
    CheckDecided,
    Counter,
    Event,
    LemmaAdded,
    NodeAdded,
    NodesRemoved,
    PathFound,
    PhaseStarted,
    RoundStarted,
    TermDefined,
    VerdictReached,
)
from runs.events_json import encode, header
from runs.runfile import Journal, journal_of, put_document
from runs.serialize import encode_program

if TYPE_CHECKING:
    from gui.window import MainWindow

LOOPS = 150


def source() -> str:
    """A C program with many loops in a row."""
    lines = ["extern int __VERIFIER_nondet_int(void);", "extern void reach_error(void);", "int main(void)", "{"]
    lines.append("    int n = __VERIFIER_nondet_int(), x = 0;")
    for number in range(LOOPS):
        lines += [f"    for (int i{number} = 0; i{number} < n; i{number}++)", f"        x = x + {number};"]
    lines += ["    if (x < 0)", "        reach_error();", "    return 0;", "}"]
    return "\n".join(lines) + "\n"


def lowered(file: Path) -> Program:
    from frontend.api import read_source
    from frontend.lowering.unit import lower
    from interplay.session.verification_task import read_verification_task

    request = Request(str(file))
    task = read_verification_task(request, lambda name: read_source(Path(name)))
    unit = task.parsed()
    return lower(unit, task.property, request.arithmetic, task.kinds)


def events(program: Program, nodes: int, rounds: int) -> Iterator[Event]:
    """A run that finds `nodes` nodes in `rounds` rounds; each refinement prunes a tenth of what its round found."""
    yield PhaseStarted("parse")
    yield PhaseStarted("lower")
    yield AttemptStarted(0, "transition", (), (0,))
    yield TermDefined(0, "symbol", (), "main::x", "Int")
    for number in range(1, 200):
        yield TermDefined(number, "le", (0,), str(number), "Bool")
    main = next(edge for edge in program.edges if program.locations[edge.source].function == program.start)
    places = [location.id for location in program.locations if location.function == "main"]
    path = (main.id, *(edge.id for edge in program.edges if program.locations[edge.source].function == "main"))[:400]
    node, each = 0, nodes // rounds
    for number in range(rounds):
        yield RoundStarted(number, "refined" if number else "start")
        yield PhaseStarted("explore")
        first = node
        for _ in range(each):
            location = places[(node * 7) % len(places)]
            leaving = tuple(edge.id for edge in program.out_edges[location][:1])
            yield NodeAdded(
                node, max(0, node - 1 - node % 3) if node else -1, ((main.id,), location), leaving, 1 + node % 199
            )
            node += 1
        yield PhaseStarted("refine")
        yield Counter("refinements", number + 1)
        for lemma in range(3):
            place = ((main.id,), places[(number * 3 + lemma) % len(places)])
            yield LemmaAdded(number * 3 + lemma, "predicate", "core", 1 + (number + lemma) % 199, (), place)
        yield Counter("predicates", number * 3 + 3)
        yield PathFound(0, path, "spurious", (0, len(path) // 2))
        yield NodesRemoved(tuple(range(node - each // 10, node)) if node > first else ())
    yield CheckDecided(0, "unreach-call", "call of reach_error() in main", "many.c", 1, 1, "unknown", "", "made up")
    yield VerdictReached("unknown", 5, (), "", "made up", "")


def made_up_run(folder: Path, nodes: int, rounds: int) -> tuple[Path, list[bytes]]:
    """The run file, and the lines of its events."""
    file = folder / "many.c"
    file.write_text(source())
    program = lowered(file)
    lines = [encode(event).encode() for event in events(program, nodes, rounds)]
    target = folder / "many.interplay"
    journal = Journal(journal_of(target), "benchmark")
    put_document(journal.directory, "options.json", Request(str(file)).to_json())
    put_document(journal.directory, "sources.json", [[str(file), file.read_text()]])
    put_document(journal.directory, "program.json", encode_program(program))
    for position, line in enumerate(lines):
        journal.append(line, position, position / 10_000)
    journal.finish(target)
    return target, lines


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.workbench", description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--only", choices=("scrubbing", "panning", "latency"))
    options = parser.parse_args(arguments)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory() as name:
        _measure(Path(name), options.nodes, options.rounds, options.only)
    return 0


def _measure(folder: Path, nodes: int, rounds: int, only: str | None) -> None:
    from gui.app import make_application
    from gui.panels import PANELS
    from gui.settings import Settings
    from gui.window import MainWindow

    run, lines = made_up_run(folder, nodes, rounds)
    application = make_application()
    command = worker(folder, lines)
    window = MainWindow(Settings(folder / "settings.ini"), command, folder / "runs")
    window.resize(1500, 920)
    window.show()
    for panel in PANELS:
        window.show_panel(panel.name)
    application.processEvents()
    print(f"{nodes} nodes, {rounds} rounds, {len(lines)} events, {run.stat().st_size / 1e6:.1f} MB")

    begin = time.process_time()
    window.open_paths([run])
    window.grab()
    print(f"opened and painted in {time.process_time() - begin:.2f} s CPU (bar: 3 s)")

    _wait_for_graph(window)
    window.show_panel("source")
    if only in (None, "scrubbing"):
        for name, speed in _scrubbing(window, rounds):
            print(f"scrubbed with {name} in sight at {speed:.0f} rounds a CPU second (bar: 20)")
    if only in (None, "panning"):
        for name, frames in _panning(window):
            print(f"panned {name} at {frames:.0f} frames a CPU second (bar: 30)")
    if only in (None, "latency"):
        _say_latency(window, folder)
    window.close()


def _say_latency(window: MainWindow, folder: Path) -> None:
    for name in ("predicates", "timeline"):
        window.show_panel(name)
    late, held = _latency(window, folder)
    for what, values in (("clock: late by", late), ("CPU: held for", held)):
        parts = statistics.median(values), statistics.quantiles(values, n=100)[98], max(values)
        print(f"event loop, {what} median {parts[0]:.1f} ms, 99 % {parts[1]:.1f} ms, most {parts[2]:.1f} ms (bar: 50)")


def _wait_for_graph(window: MainWindow) -> None:
    """The graph of states, which is laid out beside the event loop."""
    from PySide6.QtTest import QTest

    from gui.views.reachability import ReachabilityView

    view = window.show_panel("reachability")
    assert isinstance(view, ReachabilityView)
    while view.tree is None:
        QTest.qWait(5)


def _scrubbing(window: MainWindow, rounds: int) -> Iterator[tuple[str, float]]:
    """Rounds a second of CPU time while the cursor goes through all of them."""
    from PySide6.QtWidgets import QApplication

    for panels in (("evidence", "keys"), ("path", "timeline"), ("predicates", "timeline")):
        for name in panels:
            window.show_panel(name)
        window.focus.last_round()
        QApplication.processEvents()
        begin = time.process_time()
        for number in range(rounds):
            window.focus.go_to_round(number)
            QApplication.processEvents()
        yield " and ".join(panels), rounds / (time.process_time() - begin)


def _panning(window: MainWindow) -> Iterator[tuple[str, float]]:
    """Frames a second of CPU time while the graph of states is moved by some pixels and painted, frame after frame."""
    from PySide6.QtWidgets import QApplication

    from gui.views.reachability import ReachabilityView

    view = window.views["reachability"]
    assert isinstance(view, ReachabilityView)
    canvas = view.pane.canvas
    assert canvas.sheet is not None
    count = len(canvas.sheet.looks)
    for zoom in (1.0, 0.3, 0.05):
        canvas.set_zoom(zoom)
        canvas.verticalScrollBar().setValue(canvas.verticalScrollBar().maximum() // 3)
        canvas.grab()
        frames = 200
        begin = time.process_time()
        for number in range(frames):
            canvas.pan(7 if number % 60 < 30 else -7, 23)
            QApplication.processEvents()
            canvas.grab()
        yield f"a graph of {count} nodes at zoom {zoom:g}", frames / (time.process_time() - begin)


def worker(folder: Path, lines: Sequence[bytes]) -> list[str]:
    """The command of a worker that takes the run command, stores the documents and sends the events."""
    stream = folder / "stream.jsonl"
    stream.write_bytes(b"\n".join([header("benchmark").encode(), *lines, b""]))
    script = (
        "import json, shutil, sys, zipfile\n"
        "journal = json.loads(sys.stdin.readline())['journal']\n"
        f"run = zipfile.ZipFile({str(folder / 'many.interplay')!r})\n"
        "for name in ('sources.json', 'program.json'):\n"
        "    open(f'{journal}/{name}', 'wb').write(run.read(name))\n"
        f"shutil.copyfileobj(open({str(stream)!r}, 'rb'), sys.stdout.buffer)\n"
        "sys.stdout.flush()\n"
    )
    return [sys.executable, "-c", script]


def _latency(window: object, folder: Path) -> tuple[list[float], list[float]]:
    """The delays of a timer of 5 ms during a run, and the CPU time between its calls, in milliseconds.

    The second is free of what other processes of the machine take, and of the thread that lays graphs out.
    """
    from PySide6.QtCore import QTimer
    from PySide6.QtTest import QTest

    from gui.model.current import RunState
    from gui.window import MainWindow

    assert isinstance(window, MainWindow)
    late: list[float] = []
    held: list[float] = []
    last = [0.0, 0.0]

    def tick() -> None:
        now = [time.perf_counter(), time.thread_time()]
        late.append((now[0] - last[0]) * 1000 - 5)
        held.append((now[1] - last[1]) * 1000)
        last[:] = now

    timer = QTimer(interval=5)
    timer.timeout.connect(tick)
    window.open_paths([folder / "many.c"])
    last[:] = [time.perf_counter(), time.thread_time()]
    timer.start()
    window.verify(window.tasks.selected_properties())
    while window.runner.state is not RunState.IDLE:
        QTest.qWait(5)
    timer.stop()
    return late, held


if __name__ == "__main__":
    sys.exit(main())
