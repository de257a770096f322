"""The whole checker on random programs, each in a forked child, compared with the truth."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from struct import calcsize
from typing import Any, Generic, Protocol, TypeVar

from core.limits import Limits
from core.verdict import Certificate, Unsafe
from frontend.options import Malloc
from interplay.session.context import Emit, Steering
from interplay.session.default_services import DefaultServices
from interplay.session.member_storage import NoStorage
from interplay.session.request import ReplayMode, Request
from interplay.session.services import EvidenceRejected, EvidenceVerdict, ReadFile
from interplay.session.session import Session
from interplay.session.task import LoadedTask
from runs.events import CheckDecided, Event, RoundStarted, VerdictReached
from tests.random_programs.memory_scope import MAY_FAIL
from tests.random_programs.volatile_texts import with_volatile

_WALL_FACTOR, _WALL_GRACE = 6, 30  # a child may wait for a processor, but not for ever


Place = tuple[str, int]
"""A property and a line."""


class Judged(Protocol):
    """A program with what is asked of it and the truth.

    `kinds` are checked beside `unreach-call`. `violations` are the properties that an answer may call violated, with
    the lines where; of each of `certain` at least one is violated. `places` are those that may have a check, None where
    that is not known.
    """

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def kinds(self) -> tuple[str, ...]: ...

    @property
    def violations(self) -> frozenset[Place]: ...

    @property
    def certain(self) -> frozenset[frozenset[Place]]: ...

    @property
    def places(self) -> frozenset[Place] | None: ...


P = TypeVar("P", bound=Judged)


@dataclass(frozen=True)
class Answer:
    """The answer of the checker: the verdict, why, and the status of the checks at each place.

    `rejected` and `unconfirmed` say what is wrong with the certificates and counterexamples of the engine.
    """

    verdict: str
    reason: str = ""
    statuses: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    rounds: int = 0
    cpu: float = 0.0  # seconds
    rejected: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()

    @property
    def decided(self) -> bool:
        return self.verdict == "true" or self.verdict.startswith("false")


def contradictions(program: Judged, answer: Answer) -> list[str]:
    """The contradictions of the answer to the truth, for the program as a whole and for the checks at each place."""
    found: list[str] = []
    if answer.verdict == "true" and program.certain:
        found.append(f"true, but there are violations: {_sorted(program.certain)}")
    if answer.verdict.startswith("false") and not program.violations:
        found.append("false, but there is no violation")
    for place, statuses in answer.statuses.items():
        if program.places is not None and place not in program.places:
            found.append(f"{place} has a check, but no error")
        elif "false" in statuses and place not in program.violations:
            found.append(f"{place} is called violated, but is not")
    for one in _sorted(program.certain):
        if {status for place in one for status in answer.statuses.get(place, ())} == {"true"}:
            found.append(f"{' or '.join(map(str, one))} is called safe, but is violated")
    return found


def _sorted(groups: Iterable[Iterable[Place]]) -> list[list[Place]]:
    return sorted(map(sorted, groups))


def answers(tasks: Iterable[tuple[P, Request]], folder: Path, jobs: int) -> Iterator[tuple[P, Request, Answer]]:
    """The answer to each program, as it comes. The text of each is written to `folder`, and removed afterwards.

    The requests have a time limit, but lack the task, the property and the kinds.
    """
    _import_everything()
    running: list[_Child[P]] = []
    for program, how in tasks:
        while len(running) >= jobs:
            yield from _finished(running)
        running.append(_Child(program, folder, how))
    while running:
        yield from _finished(running)


def _import_everything() -> None:
    """Import what a run imports when it first needs it, once for all children."""
    for name in (
        "methods.engines.transition",
        "core.solver.z3_solver",
        "interplay.session.examiners",
        "frontend.replay",
    ):
        import_module(name)


def _finished(running: list[_Child[P]]) -> Iterator[tuple[P, Request, Answer]]:
    """Wait for a child, and end those whose time is up."""
    wait([child.receiver for child in running], timeout=1)
    for child in list(running):
        answer = child.answer()
        if answer is not None:
            running.remove(child)
            yield child.program, child.how, answer


class _Child(Generic[P]):
    """A process that checks one program. Forked, so that what was imported is there."""

    def __init__(self, program: P, folder: Path, how: Request) -> None:
        self.program, self.how = program, how
        self._file = folder / f"{program.name} {how.engine} {hash(how.options)}.c"
        self._file.write_text(program.text if how.volatile is None else with_volatile(program.text, how.volatile))
        self._deadline = time.monotonic() + _WALL_FACTOR * (how.time_limit or 0) + _WALL_GRACE
        self.receiver, sender = multiprocessing.Pipe(duplex=False)
        self._process: ForkProcess = multiprocessing.get_context("fork").Process(
            target=_check, args=(asked(how, program, self._file), sender)
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


NATIVE = "LP64" if calcsize("P") == 8 else "ILP32"
"""The data model of native runs, from which the truth is."""


def asked(how: Request, program: Judged, file: Path) -> Request:
    """The whole request for a program that is in a file."""
    how = replace(how, malloc=Malloc.MAY_FAIL if MAY_FAIL in program.text else Malloc.SUCCEEDS)
    wanted = replace(how, property="unreach-call", checks=program.kinds, data_model=NATIVE)
    return replace(wanted, task=str(file), vacuity=0.0)  # verdicts alone are compared


def _check(request: Request, sender: Connection) -> None:
    sender.send(answer_to(request))
    sender.close()


def answer_to(request: Request) -> Answer:
    """The answer to a request, found in this process."""
    seen: list[Event] = []
    heard = Listening()
    Session(request, heard, seen.append, Steering(), NoStorage()).run()
    last = seen[-1]
    assert isinstance(last, VerdictReached)
    statuses: dict[Place, tuple[str, ...]] = {}
    for event in seen:
        if isinstance(event, CheckDecided):
            place = event.property, event.line
            statuses[place] = (*statuses.get(place, ()), event.status)
    rounds = sum(isinstance(event, RoundStarted) for event in seen)
    cpu = round(time.process_time(), 2)
    return Answer(last.verdict, last.reason, statuses, rounds, cpu, tuple(heard.rejected), tuple(heard.unconfirmed))


class Listening(DefaultServices):
    """The real toolbox, which notes why evidence was not accepted."""

    def __init__(self) -> None:
        self.rejected: list[str] = []
        self.unconfirmed: list[str] = []

    def load(self, request: Request, files: ReadFile, phase: Callable[[str], None]) -> LoadedTask:
        return _HeardTask(**_fields_of(super().load(request, files, phase)), heard=self)


@dataclass(frozen=True)
class _HeardTask(LoadedTask):
    heard: Listening = field(default_factory=Listening)

    def certify(self, certificate: Certificate, checks: Sequence[int], limits: Limits, emit: Emit) -> EvidenceVerdict:
        result = super().certify(certificate, checks, limits, emit)
        self.heard.rejected += [result.reason] if isinstance(result, EvidenceRejected) else []
        return result

    def replay(self, check: int, claim: Unsafe, how: ReplayMode, limits: Limits, emit: Emit) -> EvidenceVerdict:
        result = super().replay(check, claim, how, limits, emit)
        self.heard.unconfirmed += [result.reason] if isinstance(result, EvidenceRejected) else []
        return result


def _fields_of(task: LoadedTask) -> dict[str, Any]:
    """The fields of a task."""
    return {one.name: getattr(task, one.name) for one in fields(task)}
