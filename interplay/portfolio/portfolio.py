"""The portfolio: engines side by side on one task, until each check has an answer whose evidence was confirmed.

This process reads the task, chooses (`plan`), and gives each engine a process of its own (`fork`) in which the engine
runs and its evidence is examined. It takes no part in that: it passes events and orders on, lets run whose turn it is
(`schedule`), keeps the limits of the run over all of them together, and ends all when nothing is left to decide. An
attempt that crashes, hangs or takes too much memory is a failed attempt and no more.

It has one thread and loads no solver, so that a fork of it is sound.

Limitations: which engine decides depends on how fast each is, so runs repeat only in their verdicts; orders wait while
the task is read; an attempt that is examined while the time runs out has the last tenth of it, not a fifth.
"""

from __future__ import annotations

import gc
import os
import selectors
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.program import Check, Program
from core.run.events import (
    RUN,
    AttemptContinued,
    AttemptEnded,
    AttemptStarted,
    CheckDecided,
    Event,
    PhaseStarted,
    PlanMade,
)
from core.run.events_json import decode, encode
from core.run.jsondata import Malformed, as_int, as_object, compact, parse
from core.run.serialize import decode_evidence, encode_evidence
from core.verdict import CheckResult, Outcome, Safe, Status
from interplay.portfolio import fork
from interplay.portfolio.fork import Fork
from interplay.portfolio.plan import Planner
from interplay.portfolio.schedule import ScheduledTurn, next_turns
from interplay.process.monitor import StallDetector
from interplay.process.pipe import write_all
from interplay.process.process_tree import Usage, available_memory, usable_cores
from interplay.session.endings import INTERRUPTED, TIME_IS_UP
from interplay.session.examination import decision, result_of
from interplay.session.request import Request, Start
from interplay.session.services import PreparedTask, Services
from interplay.session.storage import MemberStorage

EXPLORING = 0.9  # the part of the time limit after which only evidence is examined
TICK, LONGEST_TICK = 0.1, 2.0  # seconds on the clock between two looks at the attempts
GROWTH = 0.03  # of the time that has passed: a look costs milliseconds, and all looks together next to nothing
FIRST_LOOK = 0.3  # seconds: the first answer often comes before, and a look loads a library
LEAST = 0.02  # CPU seconds: an attempt that uses less for long waits for nothing
SPARED = 0.2  # the part of the memory that is left, since who watches from outside ends the whole run

OUT_OF_MEMORY = "out of memory"
NOT_NEEDED = "another engine decided"

_ANSWERS = (Status.TRUE, Status.FALSE)
_EXAMINATIONS = ("certify", "replay")
_READ_HERE = (b'{"kind":"check"', b'{"kind":"phase"')


class Orders(Protocol):
    """A binary stream that does not block: `read` gives what is there, None if nothing is, b"" at the end."""

    def fileno(self) -> int: ...

    def read(self) -> bytes | None: ...


@dataclass(eq=False)
class _Attempt(ScheduledTurn):
    """A scheduled turn with its process, once it has begun. `decided` are its own decisions, by check."""

    number: int = RUN
    fork: Fork | None = None
    checks: tuple[Check, ...] = ()
    decided: dict[int, CheckDecided] = field(default_factory=dict)
    memory: float = 0.0  # megabytes
    stall: StallDetector = field(default_factory=lambda: StallDetector(LEAST))
    end: AttemptEnded | None = None

    def answer(self, check: int) -> CheckDecided | None:
        found = self.decided.get(check)
        return found if found is not None and found.status in _ANSWERS else None

    @property
    def is_successful(self) -> bool:
        return all(self.answer(check.id) for check in self.checks)


class Portfolio:
    """`decide` is what a session has instead of one engine. `output` is where events go."""

    def __init__(
        self,
        request: Request,
        services: Services,
        planner: Planner,
        orders: Orders,
        output: int,
        storage: MemberStorage,
        start: Start = Start.AT_ONCE,
    ) -> None:
        self._request = request
        self._services = services
        self._planner = planner
        self._orders = orders
        self._output = output
        self._storage = storage
        self._selector = selectors.DefaultSelector()
        self._cores = usable_cores()
        self._attempts: list[_Attempt] = []  # in the order of the plan
        self._begun: list[_Attempt] = []  # by number
        self._undecided: dict[int, Check] = {}
        self._speaker = RUN
        self._stop: tuple[Status, str] | None = None  # why nothing more is tried
        self._memory_limit = 0.0  # megabytes
        self._started = time.monotonic()
        self._next_look = 0.0
        self._unread = b""
        self._next_starts = start  # paused where those that run are, or were a round ago

    def decide(self, task: PreparedTask) -> tuple[CheckResult, ...]:
        """One result for each check of the task, emitted at the end, when all attempts have ended."""
        self._prepare(task)
        try:
            self._obey()  # what came with the request is in a buffer, and no descriptor says so
            while self._undecided and self._stop is None and self._alive():
                self._let_run(task)
                self._listen()
                self._look()
        finally:
            for attempt in self._alive():
                self._end(attempt, "stopped", NOT_NEEDED if self._stop is None else self._stop[1])
        self._keep_what_counts(task.program)
        self._speak(RUN)
        results = tuple(self._result(check) for check in task.program.checks)
        for result in results:
            self._emit(decision(result))
        return results

    def _prepare(self, task: PreparedTask) -> None:
        plan = self._planner(task.program)
        self._emit(PlanMade(plan.features, tuple((turn.engine, turn.reason) for turn in plan.turns), plan.left_out))
        self._attempts = [_Attempt(turn) for turn in plan.turns]
        self._undecided = {check.id: check for check in task.program.checks}
        os.set_blocking(self._orders.fileno(), False)
        self._selector.register(self._orders, selectors.EVENT_READ, None)
        self._next_look = time.monotonic() + FIRST_LOOK
        gc.freeze()  # what is shared with the attempts stays shared

    def _alive(self) -> list[_Attempt]:
        return [attempt for attempt in self._attempts if not attempt.ended]

    # Whose turn it is

    def _let_run(self, task: PreparedTask) -> None:
        due = next_turns(self._attempts, self._cores)
        for position, attempt in enumerate(self._attempts):
            if position in due and not attempt.running:
                self._run(attempt, task)
            elif position not in due and attempt.running and attempt.fork is not None:
                attempt.fork.suspend()
                attempt.running = False

    def _run(self, attempt: _Attempt, task: PreparedTask) -> None:
        attempt.running = True
        attempt.stall.begin(attempt.used, time.monotonic())
        if attempt.fork is None:
            self._begin(attempt, task)
        else:
            attempt.fork.resume()

    def _begin(self, attempt: _Attempt, task: PreparedTask) -> None:
        turn = attempt.turn
        attempt.number, attempt.checks = len(self._begun), tuple(self._undecided.values())
        self._begun.append(attempt)
        self._emit(AttemptStarted(attempt.number, turn.engine, turn.options, tuple(self._undecided)))
        self._speaker = attempt.number
        request = replace(self._request, engine=turn.engine, options=turn.options, time_limit=self._left())
        try:
            storage = self._storage.beside(attempt.number)
            attempt.fork = fork.start(
                request, self._services, task, attempt.checks, storage, self._next_starts, self._descriptors()
            )
        except OSError as error:
            self._end(attempt, "failed", f"no process: {error.strerror}")
            return
        self._selector.register(attempt.fork.events, selectors.EVENT_READ, attempt)

    def _descriptors(self) -> Iterator[int]:
        """What the next attempt must not hold open."""
        yield self._output
        for other in self._alive():
            if other.fork is not None:
                yield from (other.fork.events, other.fork.orders)

    # What comes in

    def _listen(self) -> None:
        for key, _ in self._selector.select(TICK):
            if key.data is None:
                self._obey()
            elif not key.data.ended:
                self._hear(key.data)

    def _hear(self, attempt: _Attempt) -> None:
        assert attempt.fork is not None
        lines = attempt.fork.lines()
        if lines is None:
            self._finish(attempt)
            return
        self._speak(attempt.number)
        for line in lines:
            write_all(self._output, line + b"\n")
            if line.startswith(_READ_HERE):
                self._note(attempt, decode(line))

    def _note(self, attempt: _Attempt, event: Event | None) -> None:
        match event:
            case PhaseStarted(name):
                attempt.examining = name in _EXAMINATIONS
            case CheckDecided(check):
                attempt.decided[check] = event
                if attempt.answer(check):
                    self._refuse_contradiction(event)
                    self._undecided.pop(check, None)
                if event.status == Status.FALSE:
                    self._end_others(attempt)
            case _:
                pass

    def _refuse_contradiction(self, event: CheckDecided) -> None:
        """Two answers, both confirmed: then something that confirms is wrong."""
        for other in self._begun:
            known = other.answer(event.check)
            if known is not None and known.status != event.status:
                raise RuntimeError(f"engines contradict each other: {other.turn.engine} has {known}, against {event}")

    def _end_others(self, attempt: _Attempt) -> None:
        """The verdict is known; this attempt may yet say what it knows of other checks."""
        for other in self._alive():
            if other is not attempt:
                self._end(other, "stopped", NOT_NEEDED)

    def _obey(self) -> None:
        data = self._orders.read()
        if data is None:
            return
        if not data:
            for attempt in self._alive():
                self._end(attempt, "stopped", INTERRUPTED)
            os._exit(130)  # who gave orders is gone
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            try:
                self._pass_on(as_object(parse(line)))
            except Malformed as error:
                print(f"interplay worker: {error}", file=sys.stderr)

    def _pass_on(self, order: dict[str, object]) -> None:
        match order.get("command"):
            case "cancel":
                self._stop = (Status.UNKNOWN, INTERRUPTED)
            case "pause" | "resume" | "step" as word:
                self._next_starts = Start.AT_ONCE if word == "resume" else Start.PAUSED
                self._tell(self._alive(), order)
            case "edit":
                number = as_int(order.get("attempt"))
                self._tell([attempt for attempt in self._alive() if attempt.number == number], order)
            case other:
                raise Malformed(f"unknown command {other!r}")

    def _tell(self, attempts: Sequence[_Attempt], order: dict[str, object]) -> None:
        for attempt in attempts:
            attempt.stall.begin(attempt.used, time.monotonic())
            if attempt.fork is not None:
                attempt.fork.tell(compact(order).encode() + b"\n")

    # Limits

    def _used(self) -> float:
        """CPU seconds of this process and all attempts."""
        return time.process_time() + sum(attempt.used for attempt in self._attempts)

    def _left(self) -> float | None:
        limit = self._request.time_limit
        return None if limit is None else max(0.0, limit - self._used())

    def _look(self) -> None:
        """Take note of what the attempts use, and end those that use too much, or nothing."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + max(TICK, min(LONGEST_TICK, GROWTH * (now - self._started), (self._left() or 1e9) / 4))
        for attempt in self._alive():
            if attempt.running and attempt.fork is not None:
                self._measure(attempt, attempt.fork.usage(), now)
        self._keep_memory_limit()
        self._keep_time_limit()

    def _measure(self, attempt: _Attempt, usage: Usage, now: float) -> None:
        attempt.used, attempt.memory = max(attempt.used, usage.cpu), usage.memory
        if self._next_starts is Start.PAUSED:
            attempt.stall.begin(attempt.used, now)
        elif attempt.stall.has_stalled(attempt.used, now):
            self._end(attempt, "failed", "it waits for something that does not come")

    def _keep_memory_limit(self) -> None:
        """The limit is for all together; where they exceed it, the largest ends."""
        if not self._memory_limit:
            self._memory_limit = (1 - SPARED) * (self._request.memory_limit or available_memory())
        alive = self._alive()
        if sum(attempt.memory for attempt in alive) > self._memory_limit:
            self._end(max(alive, key=lambda attempt: attempt.memory), "failed", OUT_OF_MEMORY)

    def _keep_time_limit(self) -> None:
        limit = self._request.time_limit
        if limit is None:
            return
        used = self._used()
        for attempt in self._alive():
            if used >= limit or (used >= EXPLORING * limit and not attempt.examining):
                self._end(attempt, "stopped", TIME_IS_UP)

    # Ends

    def _finish(self, attempt: _Attempt) -> None:
        """An attempt has closed its events: it has ended, or is about to."""
        assert attempt.fork is not None
        self._selector.unregister(attempt.fork.events)
        attempt.used = max(attempt.used, attempt.fork.wait())
        if attempt.fork.failure is not None:
            self._ended(attempt, "failed", attempt.fork.failure)
        elif attempt.is_successful:
            self._ended(attempt, "decided", "")
        else:
            open_ = [one.reason for one in attempt.decided.values() if one.status not in _ANSWERS]
            self._ended(attempt, "undecided", (open_ or ["it says nothing"])[0])

    def _end(self, attempt: _Attempt, result: str, reason: str) -> None:
        """End an attempt with all its processes; one that has not begun gets no turn."""
        if attempt.fork is not None:
            self._selector.unregister(attempt.fork.events)
            if attempt.is_successful:
                result, reason = "decided", ""
            used = attempt.fork.dismiss() if attempt.is_successful else attempt.fork.kill()
            attempt.used = max(attempt.used, used)
        if attempt.number == RUN:
            attempt.ended = True
        else:
            self._ended(attempt, result, reason)

    def _ended(self, attempt: _Attempt, result: str, reason: str) -> None:
        attempt.ended, attempt.running, attempt.examining = True, False, False
        attempt.end = AttemptEnded(attempt.number, result, reason, round(1000 * attempt.used))
        self._emit(attempt.end)

    def _keep_what_counts(self, program: Program) -> None:
        """The evidence for each answer, by whoever gave it; and the traces of failures."""
        outcomes: dict[int, Outcome] = {}
        for attempt in self._begun:
            found = self._storage.beside(attempt.number).read("evidence.json")
            if found is not None and any(map(attempt.answer, attempt.decided)):
                evidence = decode_evidence(parse(found), program.arena)
                brought: dict[int, Outcome] = {check: Safe(one) for check, one in evidence.certificates.items()}
                brought.update(evidence.counterexamples)
                outcomes.update({check: one for check, one in brought.items() if attempt.answer(check)})
        if outcomes:
            self._storage.document("evidence.json", lambda: encode_evidence(outcomes))
        kept = ((attempt, self._storage.beside(attempt.number)) for attempt in self._begun)
        troubles = [f"{one.turn.engine}:\n{text}" for one, storage in kept if (text := storage.read("trouble.txt"))]
        if troubles:
            self._storage.text("trouble.txt", "\n".join(troubles))

    def _result(self, check: Check) -> CheckResult:
        """The answer of an attempt, or why there is none."""
        for attempt in self._begun:
            found = attempt.answer(check.id)
            if found is not None:
                return result_of(check, Status(found.status), found.confirmed_by, found.reason)
        return result_of(check, *self._why_open(check))

    def _why_open(self, check: Check) -> tuple[Status, str, str]:
        """The reason that a person can do something about comes first."""
        reasons = [(attempt, *_reason(attempt, check.id)) for attempt in self._begun]
        if self._stop is not None:
            return self._stop[0], "", self._stop[1]
        statuses = [status for _, status, _ in reasons]
        if Status.TIMEOUT in statuses:
            return Status.TIMEOUT, "", TIME_IS_UP
        texts = "; ".join(f"{attempt.turn.engine}: {text}" for attempt, _, text in reasons)
        if Status.OUT_OF_MEMORY in statuses:
            return Status.OUT_OF_MEMORY, "", texts
        return Status.UNKNOWN, "", texts or "no engine takes the program"

    # Events

    def _speak(self, number: int) -> None:
        """What follows belongs to this attempt."""
        if number != self._speaker:
            self._emit(AttemptContinued(number))
            self._speaker = number

    def _emit(self, event: Event) -> None:
        write_all(self._output, encode(event).encode() + b"\n")


def _reason(attempt: _Attempt, check: int) -> tuple[Status, str]:
    """Why an attempt has no answer."""
    assert attempt.end is not None
    own = attempt.decided.get(check)
    if attempt.end.result in ("failed", "stopped") or own is None:
        status = {TIME_IS_UP: Status.TIMEOUT, OUT_OF_MEMORY: Status.OUT_OF_MEMORY}
        return status.get(attempt.end.reason, Status.UNKNOWN), attempt.end.reason
    return Status(own.status), own.reason
