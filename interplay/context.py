"""The context in which an engine runs: where events go, what steers the run, and what stops it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from core.engine import Edit, EditAction
from core.events import Edited, Event, Level, Paused, Place
from core.limits import Limits
from core.solver.contract import SolverFactory
from core.terms import Term
from core.termtable import TermWriter

Emit = Callable[[Event], None]


class Steering:
    """What a person does to a run from another thread: cancel, pause, resume, edit."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._paused = False
        self._cancelled = False
        self._edits: list[tuple[EditAction, int, Place | None]] = []
        self._stops: list[Callable[[], None]] = []

    def on_cancel(self, stop: Callable[[], None]) -> None:
        """Have `stop` called when the run is cancelled; at once if it was."""
        with self._changed:
            self._stops.append(stop)
            cancelled = self._cancelled
        if cancelled:
            stop()

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def cancel(self) -> None:
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()
            stops = tuple(self._stops)
        for stop in stops:
            stop()

    def pause(self) -> None:
        with self._changed:
            self._paused = True

    def resume(self) -> None:
        with self._changed:
            self._paused = False
            self._changed.notify_all()

    def edit(self, action: EditAction, formula: int, place: Place | None) -> None:
        """Change the precision before the next round; `formula` is a number of the event stream, or -1."""
        with self._changed:
            self._edits.append((action, formula, place))

    def wait(self, on_pause: Callable[[], None]) -> list[tuple[EditAction, int, Place | None]]:
        """Block while paused (`on_pause` is called once, before), then take the edits that have come."""
        with self._changed:
            if self._paused and not self._cancelled:
                on_pause()
                self._changed.wait_for(lambda: not self._paused or self._cancelled)
            edits, self._edits = self._edits, []
            return edits


class RunContext:
    """Implements `core.engine.Context`. Blocking uses no CPU time, so a pause stops the limits by itself."""

    def __init__(
        self,
        emit: Emit,
        level: Level,
        limits: Limits,
        seed: int,
        solver: SolverFactory,
        options: Mapping[str, str],
        steering: Steering,
    ) -> None:
        self.limits = limits
        self.seed = seed
        self.solver = solver
        self.options = options
        self._emit = emit
        self._level = level
        self._steering = steering
        self._writer = TermWriter(emit)
        self._by_number: dict[int, Term] = {}

    def wants(self, level: Level) -> bool:
        return level is Level.SUMMARY or self._level is Level.STATES

    def emit(self, event: Event) -> None:
        self._emit(event)

    def term(self, term: Term) -> int:
        number = self._writer.number(term)
        self._by_number[number] = term
        return number

    def between_rounds(self, round: int) -> Sequence[Edit]:
        """Wait while paused, then the edits. Raises `Interrupted` if the run was cancelled meanwhile."""
        taken = self._steering.wait(lambda: self._emit(Paused(round)))
        self.limits.check()
        edits: list[Edit] = []
        for action, formula, place in taken:
            self._emit(Edited(round, action.value, formula, place))
            edits.append(Edit(action, self._by_number.get(formula), place))
        return edits


class Watchdog:
    """Interrupts a solver when the limits are used up, since a check may last longer than an engine can see.

    A context manager; it sleeps in a thread of its own and ends with its block.
    """

    _SHORTEST = 0.05  # seconds between two looks at the clock

    def __init__(self, limits: Limits, interrupt: Callable[[], None]) -> None:
        self._limits = limits
        self._interrupt = interrupt
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> None:
        if self._limits.cpu_seconds is not None:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._limits.cpu_seconds is not None:
            self._thread.join()

    def _watch(self) -> None:
        # CPU time never runs faster than the clock of this single-threaded work, so sleeping what is left is safe.
        while not self._done.wait(max(self._SHORTEST, self._limits.remaining())):
            if self._limits.remaining() <= 0:
                self._interrupt()
                return
