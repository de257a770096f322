"""One program under one configuration of the engine: prints a row as JSON. Started by `benchmarks.transition`.

The time is that of the engine alone, in CPU seconds of this process and its children. Its evidence is examined
afterwards, so that a verdict in the tables is a confirmed one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bdd import best_manager
from benchmarks.transition.configurations import CONFIGURATIONS, Predicates
from benchmarks.transition.programs import predicates
from core.limits import Limits, NoAnswer
from core.verdict import Outcome, Safe, Unsafe
from interplay.session.context import RunContext, Steering, Watchdog, reader
from interplay.session.default_services import DefaultServices
from interplay.session.request import ReplayMode, Request
from interplay.session.services import EvidenceAccepted
from interplay.session.task import LoadedTask
from methods.engine import EditAction
from runs.events import Event, Level, PathFound
from sat.solver import SatSolver

SECONDS_FOR_EVIDENCE = 60


def main(arguments: Sequence[str]) -> int:
    path, configuration, seconds = arguments
    print(json.dumps(measured(Path(path), configuration, float(seconds))))
    return 0


def measured(path: Path, configuration: str, seconds: float) -> dict[str, object]:
    """Run the engine and examine what it claims."""
    chosen = CONFIGURATIONS[configuration]
    request = Request(str(path))
    services = DefaultServices()
    task = services.load(request, lambda name: Path(name).read_text(encoding="utf-8"), lambda _: None)
    events: list[Event] = []
    steering, solver = Steering(), services.solver(request, task.program)
    _load_libraries()
    before = spent()
    limits = Limits(before + seconds)
    context = RunContext(
        events.append, Level.SUMMARY, limits, 0, solver, chosen.options, steering, reader(task.program)
    )
    if chosen.predicates is Predicates.GIVEN:
        for predicate in predicates(path.read_text(encoding="utf-8"), task.program):
            steering.edit(EditAction.ADD_PREDICATE, context.term(predicate), None)
    checks = [check.id for check in task.program.checks]
    verdict, reason = "timeout", ""
    try:
        with Watchdog(limits, solver.interrupt):
            outcomes = services.engine("transition").run(task.program, checks, context)
        cost = spent() - before
        verdict, reason = _verdict(task, outcomes)
    except NoAnswer as error:
        cost, reason = spent() - before, str(error)
    return {"verdict": verdict, "reason": reason, "cpu": round(cost, 3), **_counts(events)}


def _load_libraries() -> None:
    """So that loading them is not measured."""
    best_manager()
    with SatSolver([[1]]) as solver:
        solver.solve()


def spent() -> float:
    """CPU seconds of this process and of the children that have ended."""
    return -Limits(0.0).remaining()


def _counts(events: Sequence[Event]) -> dict[str, int]:
    """Refinements, and among them those that had to find predicates."""
    paths = [event for event in events if isinstance(event, PathFound)]
    return {"refinements": len(paths), "discoveries": sum(path.result == "spurious" for path in paths)}


def _verdict(task: LoadedTask, outcomes: Mapping[int, Outcome]) -> tuple[str, str]:
    limits = Limits(spent() + SECONDS_FOR_EVIDENCE)
    for number, outcome in outcomes.items():
        if isinstance(outcome, Unsafe):
            examined = task.replay(number, outcome, ReplayMode.NATIVE, limits, lambda _: None)
            return ("false", "") if isinstance(examined, EvidenceAccepted) else ("unconfirmed", examined.reason)
    safe = {number: outcome for number, outcome in outcomes.items() if isinstance(outcome, Safe)}
    if len(safe) < len(outcomes):
        return "unknown", "; ".join(str(o) for o in outcomes.values() if not isinstance(o, Safe))[:200]
    certificate = next(iter(safe.values())).certificate
    examined = task.certify(certificate, list(safe), limits, lambda _: None)
    return ("true", "") if isinstance(examined, EvidenceAccepted) else ("unconfirmed", examined.reason)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
