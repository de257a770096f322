"""A task with a witness: the lowered program, with the witness added so that engines can examine it.

Results about this program hold for the source: claims do not change its paths, and a violation is replayed on the
source alone. The waypoints of a violation restrict the program: a proof covers only executions that follow them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath

from core.program import Check, Program
from frontend.source import ParseError
from frontend.witness.invariant_claims import Claims
from frontend.witness.reader import Given, GivenProof, GivenViolation, WitnessLocation
from frontend.witness.waypoints import Waypoints
from interplay.session.lowered import lowered
from interplay.session.request import Request
from interplay.session.task import LoadedTask
from interplay.session.verification_task import VerificationTask

FOLLOWED = "only executions that follow the witness to its target"


def load(task: VerificationTask, witness: Given, request: Request, phase: Callable[[str], None]) -> LoadedTask:
    """Parse and lower a program with its witness. Raises `FrontendError`, also at places of the witness."""
    instrumentation = _instrumentation(witness)
    unit = task.parsed(instrumentation)
    instrumentation.refuse_missed()
    plain = task.parsed()
    phase("lower")
    program = lowered(task, unit, request.arithmetic)
    if isinstance(witness, GivenViolation):
        program = _with_target(program, witness.segments[-1].follow.location)
    return LoadedTask(task, unit, program, request.seed, plain)


def _instrumentation(witness: Given) -> Claims | Waypoints:
    match witness:
        case GivenProof(invariants=invariants):
            return Claims(invariants)
        case GivenViolation(segments=segments):
            return Waypoints(segments)


def _with_target(program: Program, target: WitnessLocation) -> Program:
    """The program with only the checks on the line of the target."""
    checks = [check for check in program.checks if _is_at(check, target)]
    if not checks:
        raise ParseError(target.span, f"nothing at {target} can violate the property")
    numbered = tuple(replace(check, id=number) for number, check in enumerate(checks))
    return replace(program, checks=numbered, assumptions=(*program.assumptions, FOLLOWED))


def _is_at(check: Check, target: WitnessLocation) -> bool:
    same_file = not target.file or PurePath(target.file).name == PurePath(check.span.file).name
    return same_file and check.span.line == target.line
