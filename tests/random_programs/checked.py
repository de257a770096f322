"""The whole checker on random programs, each in a forked child, compared with the truth."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from core.run.events import CheckDecided, Event, RoundStarted, VerdictReached
from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request
from interplay.session.session import Session
from interplay.session.storage import NoStorage
from tests.random_programs.enumeration import RandomProgram

_WALL_FACTOR, _WALL_GRACE = 6, 30  # a child may wait for a processor, but not for ever


@dataclass(frozen=True)
class Answer:
    """The answer of the checker: the verdict, why, and the status of the checks on each line."""

    verdict: str
    reason: str = ""
    lines: dict[int, tuple[str, ...]] = field(default_factory=dict)
    rounds: int = 0
    cpu: float = 0.0  # seconds

    @property
    def decided(self) -> bool:
        return self.verdict == "true" or self.verdict.startswith("false")


def contradictions(program: RandomProgram, answer: Answer) -> list[str]:
    """The contradictions of the answer to the truth, for the program as a whole and for the checks of each line."""
    found: list[str] = []
    if answer.verdict == "true" and not program.safe:
        found.append(f"true, but the errors of lines {sorted(program.reached)} are reached")
    if answer.verdict.startswith("false") and program.safe:
        found.append("false, but no error is reached")
    for line, statuses in answer.lines.items():
        if line not in program.error_lines:
            found.append(f"line {line} has a check, but no error")
        elif line in program.reached and set(statuses) == {"true"}:
            found.append(f"line {line} is called safe, but its error is reached")
        elif line not in program.reached and "false" in statuses:
            found.append(f"line {line} is called unsafe, but its error is not reached")
    return found


def answers(
    programs: Iterable[RandomProgram], folder: Path, how: Request, jobs: int
) -> Iterator[tuple[RandomProgram, Answer]]:
    """The answer to each program, as it comes. The text of each is written to `folder`, and removed afterwards.

    `how` is the request, with a time limit, but for the task.
    """
    _import_everything()
    running: list[_Child] = []
    for program in programs:
        while len(running) >= jobs:
            yield from _finished(running)
        running.append(_Child(program, folder / f"{program.name}.c", how))
    while running:
        yield from _finished(running)


def _import_everything() -> None:
    """Import what a run imports when it first needs it, once for all children."""
    for name in ("core.engines.transition", "core.solver.z3_solver", "interplay.session.examiners", "frontend.replay"):
        import_module(name)


def _finished(running: list[_Child]) -> Iterator[tuple[RandomProgram, Answer]]:
    """Wait for a child, and end those whose time is up."""
    wait([child.receiver for child in running], timeout=1)
    for child in list(running):
        answer = child.answer()
        if answer is not None:
            running.remove(child)
            yield child.program, answer


class _Child:
    """A process that checks one program. Forked, so that what was imported is there."""

    def __init__(self, program: RandomProgram, file: Path, how: Request) -> None:
        self.program = program
        self._file = file
        self._file.write_text(program.text)
        self._deadline = time.monotonic() + _WALL_FACTOR * (how.time_limit or 0) + _WALL_GRACE
        self.receiver, sender = multiprocessing.Pipe(duplex=False)
        self._process: ForkProcess = multiprocessing.get_context("fork").Process(
            target=_check, args=(replace(how, task=str(file), property="unreach-call"), sender)
        )
        self._process.start()
        sender.close()

    def answer(self) -> Answer | None:
        """The answer if there is one yet."""
        late = time.monotonic() > self._deadline
        if not self.receiver.poll() and not late:
            return None
        try:
            result: Answer = Answer("TIMEOUT", "killed") if late else self.receiver.recv()
        except EOFError:
            result = Answer("ERROR (crash)")
        self._process.kill()
        self._process.join()
        self._process.close()
        self.receiver.close()
        self._file.unlink()
        return result


def _check(request: Request, sender: Connection) -> None:
    seen: list[Event] = []
    Session(request, DefaultServices(), seen.append, Steering(), NoStorage()).run()
    sender.send(_answer(seen))
    sender.close()


def _answer(seen: list[Event]) -> Answer:
    last = seen[-1]
    assert isinstance(last, VerdictReached)
    lines: dict[int, tuple[str, ...]] = {}
    for event in seen:
        if isinstance(event, CheckDecided):
            lines[event.line] = (*lines.get(event.line, ()), event.status)
    rounds = sum(isinstance(event, RoundStarted) for event in seen)
    return Answer(last.verdict, last.reason, lines, rounds, round(time.process_time(), 2))
