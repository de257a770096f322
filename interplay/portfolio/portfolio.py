"""The portfolio: runs engines in parallel on one task, until each check has an answer with confirmed evidence.

This process reads the task, makes a plan (`plan`), and gives each engine a process of its own (`fork`) in which the
engine runs and its evidence is examined. It takes no part in either: it forwards events and orders, runs the attempts
that are scheduled (`schedule`), enforces the limits of the run over all of them together (`limits`), ends all when
nothing is left to decide, and combines their answers (`results`). An attempt that crashes, hangs or takes too much
memory is a failed attempt and no more.

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
from dataclasses import replace
from typing import Protocol

from core.analysis.intervals import simplify
from core.parameters import real_parameter
from core.program import Check
from core.verdict import CheckResult, Status
from interplay.portfolio import attempt_ends, fork
from interplay.portfolio.attempt import PortfolioAttempt
from interplay.portfolio.attempt_ends import AttemptEnd
from interplay.portfolio.limits import LimitWatch
from interplay.portfolio.plan import Planner
from interplay.portfolio.results import keep_evidence, keep_traces_of_failures, results_for
from interplay.portfolio.schedule import next_turns
from interplay.process.pipe import write_all
from interplay.process.process_tree import usable_cores
from interplay.session.examination import decision
from interplay.session.member_storage import MemberStorage
from interplay.session.request import Request, Start
from interplay.session.services import PreparedTask, Services
from runs.events import (
    RUN,
    AttemptContinued,
    AttemptEnded,
    AttemptStarted,
    CheckDecided,
    Event,
    PhaseStarted,
    PlanMade,
    Progress,
)
from runs.events_json import encode
from runs.jsondata import Malformed, as_int, as_object, compact, parse

SEARCH = real_parameter("portfolio.portfolio.search")
EXAMINATIONS = ("certify", "repeat", "shorten", "replay")


class Orders(Protocol):
    """A binary stream that does not block: `read` gives what is there, None if nothing is, b"" at the end."""

    def fileno(self) -> int: ...

    def read(self) -> bytes | None: ...


class Portfolio:
    """Runs a portfolio: a session calls `decide` instead of one engine. Events are written to `output`."""

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
        self._attempts: list[PortfolioAttempt] = []  # in the order of the plan
        self._begun: list[PortfolioAttempt] = []  # by number
        self._undecided: dict[int, Check] = {}
        self._undefined: dict[int, float] = {}  # checks, with the time when a counterexample met undefined behaviour
        self._limits = LimitWatch(request, self._attempts)
        self._current_attempt = RUN
        self._stop: AttemptEnd | None = None  # why nothing more is tried
        self._concluding = False
        self._unread = b""
        self._next_starts = start  # paused where those that run are, or were a round ago

    def decide(self, task: PreparedTask) -> tuple[CheckResult, ...]:
        """One result for each check of the task, emitted at the end, when all attempts have ended."""
        self._prepare(task)
        try:
            self._handle_commands()  # what came with the request is in a buffer, and no descriptor says so
            while self._undecided and self._stop is None and self._alive():
                self._let_run(task)
                self._wait_for_input()
                self._give_up_on_undefined()
                for attempt, end in self._limits.exceeded(self._is_paused):
                    self._end(attempt, end)
                self._conclude()
        finally:
            for attempt in self._alive():
                self._end(attempt, self._stop or attempt_ends.NOT_NEEDED)
        keep_evidence(self._storage, self._begun, task.program)
        keep_traces_of_failures(self._storage, self._begun)
        self._switch_attempt(RUN)
        results = results_for(task.program.checks, self._begun, self._stop)
        for result in results:
            self._emit(decision(result))
        return results

    def _prepare(self, task: PreparedTask) -> None:
        plan = self._planner(task.program)
        self._emit(PlanMade(plan.features, tuple((turn.engine, turn.reason) for turn in plan.turns), plan.left_out))
        self._attempts += [PortfolioAttempt(turn) for turn in plan.turns]
        self._undecided = {check.id: check for check in task.program.checks}
        os.set_blocking(self._orders.fileno(), False)
        self._selector.register(self._orders, selectors.EVENT_READ, None)
        simplify(task.scalars.program)  # before the attempts are made, which share it
        gc.freeze()  # what is shared with the attempts stays shared

    @property
    def _is_paused(self) -> bool:
        return self._next_starts is Start.PAUSED

    def _alive(self) -> list[PortfolioAttempt]:
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

    def _run(self, attempt: PortfolioAttempt, task: PreparedTask) -> None:
        attempt.running = True
        attempt.stall.begin(attempt.used, time.monotonic())
        if attempt.fork is None:
            self._begin(attempt, task)
        else:
            attempt.fork.resume()

    def _begin(self, attempt: PortfolioAttempt, task: PreparedTask) -> None:
        turn = attempt.turn
        attempt.id, attempt.checks = len(self._begun), tuple(self._undecided.values())
        self._begun.append(attempt)
        self._emit(AttemptStarted(attempt.id, turn.engine, turn.options, tuple(self._undecided)))
        self._current_attempt = attempt.id
        request = replace(self._request, engine=turn.engine, options=turn.options, time_limit=self._limits.left())
        try:
            storage = self._storage.beside(attempt.id)
            attempt.fork = fork.start(
                request, self._services, task, attempt.checks, storage, self._next_starts, self._descriptors()
            )
        except OSError as error:
            self._end(attempt, attempt_ends.failed(f"no process: {error.strerror}"))
            return
        self._selector.register(attempt.fork.events, selectors.EVENT_READ, attempt)

    def _descriptors(self) -> Iterator[int]:
        """The file descriptors that the next attempt must close."""
        yield self._output
        for other in self._alive():
            if other.fork is not None:
                yield from (other.fork.events, other.fork.orders)

    # What comes in

    def _wait_for_input(self) -> None:
        for key, _ in self._selector.select(self._limits.wait(self._is_paused)):
            if key.data is None:
                self._handle_commands()
            elif not key.data.ended:
                self._read_events(key.data)

    def _read_events(self, attempt: PortfolioAttempt) -> None:
        assert attempt.fork is not None
        new_events = attempt.fork.new_events()
        if new_events is None:
            self._finish(attempt)
            return
        self._switch_attempt(attempt.id)
        for one in new_events:
            write_all(self._output, one.line + b"\n")
            if one.event is not None:
                self._apply(attempt, one.event)

    def _apply(self, attempt: PortfolioAttempt, event: Event) -> None:
        match event:
            case PhaseStarted(name):
                attempt.examining = name in EXAMINATIONS
            case Progress():
                attempt.progress = event.after(attempt.progress)
            case CheckDecided(check):
                attempt.decided[check] = event
                if attempt.answer(check):
                    self._refuse_contradiction(event)
                    self._undecided.pop(check, None)
                if event.undefined:
                    self._undefined.setdefault(check, self._limits.used())
                if event.status == Status.FALSE and self._request.ends_at_first() and self._undecided:
                    self._stop = attempt_ends.FIRST_VIOLATION
            case _:
                pass

    def _conclude(self) -> None:
        """Have a violation confirmed rather than made shorter, as the time runs out."""
        if not self._concluding and self._limits.is_concluding():
            self._concluding = True
            self._send(self._alive(), {"command": "conclude"})

    def _give_up_on_undefined(self) -> None:
        """Stop where undefined behaviour leaves no proof, and a while of search has found no other counterexample."""
        if self._undecided and self._undecided.keys() <= self._undefined.keys():
            known = max(self._undefined[check] for check in self._undecided)
            if self._limits.used() > 2 * known + SEARCH:
                self._stop = attempt_ends.UNDEFINED

    def _refuse_contradiction(self, event: CheckDecided) -> None:
        """Raise an error for two answers that contradict each other, both confirmed: then a checker is wrong."""
        for other in self._begun:
            known = other.answer(event.check)
            if known is not None and known.status != event.status:
                raise RuntimeError(f"engines contradict each other: {other.turn.engine} has {known}, against {event}")

    def _handle_commands(self) -> None:
        data = self._orders.read()
        if data is None:
            return
        if not data:
            for attempt in self._alive():
                self._end(attempt, attempt_ends.INTERRUPTED)
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
                self._stop = attempt_ends.INTERRUPTED
            case "pause" | "resume" | "step" as word:
                self._next_starts = Start.AT_ONCE if word == "resume" else Start.PAUSED
                self._send(self._alive(), order)
            case "edit":
                number = as_int(order.get("attempt"))
                self._send([attempt for attempt in self._alive() if attempt.id == number], order)
            case other:
                raise Malformed(f"unknown command {other!r}")

    def _send(self, attempts: Sequence[PortfolioAttempt], order: dict[str, object]) -> None:
        for attempt in attempts:
            attempt.stall.begin(attempt.used, time.monotonic())
            if attempt.fork is not None:
                attempt.fork.tell(compact(order).encode() + b"\n")

    # Ends

    def _finish(self, attempt: PortfolioAttempt) -> None:
        """Finish an attempt that has closed its events: it has ended, or is about to."""
        assert attempt.fork is not None
        self._selector.unregister(attempt.fork.events)
        attempt.spend(attempt.fork.wait())
        self._ended(attempt, attempt.fork.failure or attempt.own_end())

    def _end(self, attempt: PortfolioAttempt, end: AttemptEnd) -> None:
        """End an attempt with all its processes; one that has not begun never starts."""
        if attempt.fork is not None:
            self._selector.unregister(attempt.fork.events)
            if attempt.is_successful or (end is attempt_ends.FIRST_VIOLATION and attempt.has_found_violation):
                end = attempt_ends.DECIDED
            used = attempt.fork.dismiss() if attempt.is_successful else attempt.fork.kill()
            attempt.spend(used)
        if attempt.id == RUN:
            attempt.ended = True
        else:
            self._ended(attempt, end)

    def _ended(self, attempt: PortfolioAttempt, end: AttemptEnd) -> None:
        attempt.ended, attempt.running, attempt.examining = True, False, False
        attempt.end = end
        self._emit(AttemptEnded(attempt.id, end.result.value, end.reason, round(1000 * attempt.used)))

    # Events

    def _switch_attempt(self, number: int) -> None:
        """Attribute the events that follow to this attempt."""
        if number != self._current_attempt:
            self._emit(AttemptContinued(number))
            self._current_attempt = number

    def _emit(self, event: Event) -> None:
        write_all(self._output, encode(event).encode() + b"\n")
