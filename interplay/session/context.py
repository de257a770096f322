"""The context in which an engine runs: its output of events, its steering, and its limits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

from core.dataclass import dataclass
from core.limits import Limits
from core.program import Program
from core.solver.contract import SolverFactory
from core.terms import Term
from core.verdict import Outcome, Unknown
from frontend.source import FrontendError
from interplay.session.request import Start
from methods.engine import Edit, EditAction
from runs.events import Edited, Event, Level, Message, Paused, PhaseStarted, Place
from runs.termtable import TermWriter

Emit = Callable[[Event], None]
Examine = Callable[[Mapping[int, Outcome]], bool]
"""Examines outcomes of checks; tells whether any check is left to decide. Raises `NoAnswer` to end the engine."""
ReadCondition = Callable[[Place | None, str], Term]
"""Reads a C condition at a place. Raises `FrontendError`."""


@dataclass(frozen=True)
class Change:
    """An edit requested by a user: `formula` is a number of the event stream, or -1; `text` is C instead of it."""

    action: EditAction
    formula: int
    place: Place | None
    text: str = ""


def reader(program: Program) -> ReadCondition:
    """Reads conditions about a program."""
    from frontend.conditions import read_condition

    return lambda place, text: read_condition(program, place, text)


class _Signal:
    """Something that happens once, in another thread; those who wait for it are called, at once if it has happened."""

    def __init__(self) -> None:
        self.has_happened = False
        self._lock = threading.Lock()
        self._waiting: list[Callable[[], None]] = []

    def on(self, call: Callable[[], None]) -> None:
        with self._lock:
            self._waiting.append(call)
            has_happened = self.has_happened
        if has_happened:
            call()

    def happen(self) -> None:
        with self._lock:
            self.has_happened = True
            waiting = tuple(self._waiting)
        for call in waiting:
            call()


class Steering:
    """Control of a run from another thread: cancel, conclude, pause, resume, edit."""

    def __init__(self, start: Start = Start.AT_ONCE) -> None:
        self._changed = threading.Condition()
        self._paused = start is Start.PAUSED
        self._one_round = False  # whether a paused run may go on for a round
        self._edits: list[Change] = []
        self._cancelled, self._concluding = _Signal(), _Signal()

    def on_cancel(self, stop: Callable[[], None]) -> None:
        """Call `stop` when the run is cancelled; at once if it was."""
        self._cancelled.on(stop)

    @property
    def cancelled(self) -> bool:
        return self._cancelled.has_happened

    def cancel(self) -> None:
        self._cancelled.happen()
        with self._changed:
            self._changed.notify_all()

    def on_conclude(self, stop: Callable[[], None]) -> None:
        """Call `stop` when no time is left for what an answer can do without; at once if there is none."""
        self._concluding.on(stop)

    def conclude(self) -> None:
        self._concluding.happen()

    def pause(self) -> None:
        with self._changed:
            self._paused = True

    def resume(self) -> None:
        with self._changed:
            self._paused = False
            self._changed.notify_all()

    def step(self) -> None:
        """Let a paused run go on for one round."""
        with self._changed:
            self._paused = self._one_round = True
            self._changed.notify_all()

    def edit(self, action: EditAction, formula: int, place: Place | None, text: str = "") -> None:
        """Change the precision before the next round; see `Change`."""
        with self._changed:
            self._edits.append(Change(action, formula, place, text))

    def wait(self, on_pause: Callable[[], None]) -> list[Change]:
        """Block while paused (`on_pause` is called once, before), then take the edits that have come."""
        with self._changed:
            if self._paused and not self.cancelled and not self._one_round:
                on_pause()
                self._changed.wait_for(lambda: not self._paused or self.cancelled or self._one_round)
            self._one_round = False
            edits, self._edits = self._edits, []
            return edits


class RunContext:
    """The context of a run (`methods.engine.Context`). Blocking uses no CPU time, so a pause stops its limits."""

    def __init__(
        self,
        emit: Emit,
        level: Level,
        limits: Limits,
        seed: int,
        solver: SolverFactory,
        options: Mapping[str, str],
        steering: Steering,
        read: ReadCondition,
        script: Sequence[Edited] = (),
        shown: Callable[[Term], Term] = lambda term: term,
    ) -> None:
        """Create the context. `script` has recorded edits, which are made before their rounds.

        `shown` makes of a term of the engine what is shown of it.
        """
        self._read, self._shown = read, shown
        self._script = script
        self.limits = limits
        self.seed = seed
        self.solver = solver
        self.options = options
        self._emit = emit
        self._level = level
        self._steering = steering
        self._writer = TermWriter(emit)
        self._by_number: dict[int, Term] = {}
        self._phase: PhaseStarted | None = None
        self._examine: Examine = lambda _: False

    def wants(self, level: Level) -> bool:
        return level is Level.SUMMARY or self._level is Level.STATES

    def emit(self, event: Event) -> None:
        if isinstance(event, PhaseStarted):
            self._phase = event
        self._emit(event)

    def report_to(self, examine: Examine) -> None:
        """Have outcomes examined as soon as they are reported."""
        self._examine = examine

    def decided(self, outcomes: Mapping[int, Outcome]) -> None:
        claims = {check: outcome for check, outcome in outcomes.items() if not isinstance(outcome, Unknown)}
        if claims and self._examine(claims) and self._phase is not None:
            self._emit(self._phase)

    def term(self, term: Term) -> int:
        number = self._writer.id(self._shown(term))
        self._by_number[number] = term
        return number

    def between_rounds(self, round: int) -> Sequence[Edit]:
        """Wait while paused, then the edits. Raises `Interrupted` if the run was cancelled meanwhile."""
        taken = self._steering.wait(lambda: self._emit(Paused(round)))
        self.limits.check()
        recorded = [Change(EditAction(e.action), e.formula, e.place, e.text) for e in self._script if e.round == round]
        return list(self._edits((*recorded, *taken), round))

    def _edits(self, changes: Sequence[Change], round: int) -> Iterator[Edit]:
        """Yield the changes as edits, each after its event; an invalid condition gives a message instead."""
        for change in changes:
            formula_id, formula = change.formula, self._by_number.get(change.formula)
            if change.text:
                try:
                    formula = self._read(change.place, change.text)
                except FrontendError as error:
                    self._emit(_refusal(change, error))
                    continue
                formula_id = self.term(formula)
            self._emit(Edited(round, change.action.value, formula_id, change.place, change.text))
            yield Edit(change.action, formula, change.place)


_REFUSED = "condition `"


def _refusal(change: Change, error: FrontendError) -> Message:
    return Message("error", f"{_REFUSED}{change.text}`, column {error.span.column}: {error.message}")


def is_refusal(message: Message) -> bool:
    """Whether a message says what is wrong with the condition of a change."""
    return message.text.startswith(_REFUSED)


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
