"""The check of witnesses, `interplay witness check`: decides whether a witness, ours or another tool's, is correct.

A correctness witness: its invariants, with interval bounds, are tried as the certificate. Where they hold but do not
suffice, an engine proves the task with every invariant as an additional assertion; comparisons in the assertions are
candidates for its predicates. A violation witness: guided execution, then an engine on the restricted program, searches
an execution that passes its waypoints; what is found is replayed on the program alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum, StrEnum
from pathlib import Path

from core.dataclass import dataclass
from core.program.properties import CheckKind
from core.verdict import EXIT_CODES, Status
from frontend.api import read_source
from frontend.source import FrontendError, Unsupported, point
from frontend.witness.reader import Given, GivenProof, MalformedWitness, read_witness
from interplay.session.endings import ExitCode
from interplay.session.request import Request
from interplay.session.verification_task import VerificationTask, read_verification_task
from runs.events import CheckDecided
from runs.runview import RunView

_SHA256 = 64  # characters
FIRST_PART = 1 / 3  # of the time limit, for the certificate or the guided execution


class WitnessVerdict(StrEnum):
    """The verdict on a witness, as printed."""

    CONFIRMED = "confirmed"
    TRIVIAL = "trivial"  # the program is proved, and the witness says nothing about it
    REJECTED = "rejected"
    UNKNOWN = "unknown"


class WitnessExit(IntEnum):
    """Exit codes, beside those of a run that ends without an answer."""

    ACCEPTED = 0
    REJECTED = 10
    UNKNOWN = 5


@dataclass(frozen=True)
class Judgement:
    """The verdict on a witness with its reason, the exit code, and the assumptions that it rests on."""

    word: WitnessVerdict
    reason: str
    code: int
    assumptions: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The lines to print; the last one is the verdict."""
        rests = [f"Assumes: {'; '.join(self.assumptions)}"] if self.assumptions else []
        return [*([self.reason] if self.reason else []), *rests, f"WITNESS: {self.word}"]


Run = Callable[[Request], RunView]
"""Runs a request to its end."""


def check_witness(request: Request, run: Run) -> int:
    """Print the judgement on the witness that `request` names, and return its exit code. Raises `OSError`.

    An empty task is the C file that the witness names.
    """
    try:
        request = request if request.task else replace(request, task=_named_program(request.witness or ""))
        task = read_verification_task(request, lambda name: read_source(Path(name)))
    except FrontendError as error:
        is_judged = error.span.file == request.witness and not isinstance(error, MalformedWitness)
        judgement = _refused(is_judged, error.exit_code, str(error))
    else:
        assert task.witness is not None
        if task.witness.about.specification and not request.property:
            print(f"Property: {' '.join(task.witness.about.specification.split())}")
        judgement = _other_program(task, task.witness) or _examined(task.witness, request, run)
    for line in judgement.lines():
        print(line)
    return judgement.code


def _named_program(witness: str) -> str:
    """The C file that a witness names, relative to the current folder or to the witness. Raises `FrontendError`."""
    files = read_witness(read_source(Path(witness)), witness).about.files
    found = [path for name in files for path in (Path(name), Path(witness).parent / name) if path.is_file()]
    if len(files) != 1 or not found:
        raise Unsupported(point(witness, 1, 1), "the witness does not name one C file that is there: add FILE")
    return str(found[0])


def _other_program(task: VerificationTask, witness: Given) -> Judgement | None:
    """A rejection if the witness is about another program."""
    hashes = {value.lower() for value in witness.about.hashes.values() if len(value) == _SHA256}
    for one in task.inputs if hashes else ():
        own = hashlib.sha256(Path(one.file).read_bytes()).hexdigest()
        if own not in hashes:
            return _rejected(f"{one.file} is not of the program of the witness: its SHA-256 is {own}")
    return None


def _examined(witness: Given, request: Request, run: Run) -> Judgement:
    """The verdict from the witness itself, or, where that does not decide, from an engine with the rest of the time."""

    def judged(view: RunView) -> Judgement:
        return _proof(witness, view, request) if isinstance(witness, GivenProof) else _violation(view, request)

    limit = request.time_limit or 0
    first = "claims" if isinstance(witness, GivenProof) else "guided"
    own = replace(request, engine=first, options=(), time_limit=limit * FIRST_PART or None)
    found = judged(run(own))
    if found.word is not WitnessVerdict.UNKNOWN or found.code != WitnessExit.UNKNOWN:
        return found
    return judged(run(replace(request, time_limit=limit * (1 - FIRST_PART) or None)))


# Judgements


def _proof(witness: GivenProof, view: RunView, request: Request) -> Judgement:
    refused = _refusal(view, request)
    if refused is not None:
        return refused
    wrong = next((check for check in view.checks.values() if check.status == Status.FALSE), None)
    if wrong is not None:
        return _rejected(_why(wrong, request), view)
    assert view.verdict is not None
    if view.verdict.verdict != Status.TRUE:
        return _unknown(view)
    by = view.verdict.confirmed_by or view.verdict.reason
    if all(one.value.strip() in ("", "1", "true", "(1)") for one in witness.invariants):
        text = f"The witness has no invariant; the program is proved without it: {by}"
        return Judgement(WitnessVerdict.TRIVIAL, text, WitnessExit.ACCEPTED, view.verdict.assumptions)
    count = len(witness.invariants)
    text = f"{count} invariant{'' if count == 1 else 's'} and the program: {by}"
    return Judgement(WitnessVerdict.CONFIRMED, text, WitnessExit.ACCEPTED, view.verdict.assumptions)


def _why(wrong: CheckDecided, request: Request) -> str:
    where = f"{wrong.file}:{wrong.line}" + (f":{wrong.column}" if wrong.column else "")
    if wrong.property == CheckKind.WITNESS:
        return f"{where}: the invariant does not hold: {wrong.description} ({wrong.confirmed_by})"
    if wrong.file == request.witness:
        return f"{where}: the invariant has undefined behaviour: {wrong.description} ({wrong.confirmed_by})"
    return f"{where}: the program violates its property: {wrong.description} ({wrong.confirmed_by})"


def _violation(view: RunView, request: Request) -> Judgement:
    refused = _refusal(view, request)
    if refused is not None:
        return refused
    assert view.verdict is not None
    reached = next((check for check in view.checks.values() if check.status == Status.FALSE), None)
    if reached is not None:
        text = f"{reached.file}:{reached.line}: {reached.description}: reached, confirmed by {reached.confirmed_by}"
        return Judgement(WitnessVerdict.CONFIRMED, text, WitnessExit.ACCEPTED, view.verdict.assumptions)
    if view.verdict.verdict == Status.TRUE and view.checks:
        return _rejected(
            f"no execution that follows the witness violates the property: {view.verdict.confirmed_by}", view
        )
    return _unknown(view)


def _refusal(view: RunView, request: Request) -> Judgement | None:
    """The verdict where the input was rejected: an error in the witness itself counts against it."""
    assert view.verdict is not None
    if view.verdict.exit_code not in (ExitCode.NOT_PARSED, ExitCode.UNSUPPORTED, ExitCode.INTERNAL):
        return None
    in_witness = any(one.severity == "error" and one.file == request.witness for one in view.messages)
    return _refused(in_witness, view.verdict.exit_code, view.verdict.reason)


def _refused(in_witness: bool, code: int, reason: str) -> Judgement:
    if in_witness and code == ExitCode.NOT_PARSED:
        return _rejected(reason)
    return Judgement(WitnessVerdict.UNKNOWN, reason, code)


def _rejected(reason: str, view: RunView | None = None) -> Judgement:
    assumptions = view.verdict.assumptions if view is not None and view.verdict is not None else ()
    return Judgement(WitnessVerdict.REJECTED, reason, WitnessExit.REJECTED, assumptions)


def _unknown(view: RunView) -> Judgement:
    """The unknown verdict; a first attempt that ran out of its part of the time leaves the rest to the second."""
    assert view.verdict is not None
    code = view.verdict.exit_code
    decided = (EXIT_CODES[Status.TRUE], EXIT_CODES[Status.FALSE], EXIT_CODES[Status.TIMEOUT])
    return Judgement(WitnessVerdict.UNKNOWN, view.verdict.reason, WitnessExit.UNKNOWN if code in decided else code)
