"""Confirmation of a proof by execution: the interpreter repeats the one execution of a program without inputs."""

from __future__ import annotations

from collections.abc import Sequence

from core.program import Check
from core.verdict import Confirmer
from frontend import interpreter
from frontend.interpreter import Budget
from frontend.properties.errors import ErrorPolicy
from frontend.replay.confirm import strict, told_of, violates
from frontend.replay.results import NotAvailable, NotReproduced, ReplayResult, Reproduced
from frontend.source import Unsupported
from frontend.typed import tree


def repeat(
    unit: tree.TranslationUnit,
    policy: ErrorPolicy,
    checks: Sequence[Check],
    others: Sequence[Check],
    budget: Budget | None = None,
) -> ReplayResult:
    """Whether the program has one execution, whatever is outside of it, and that ends without violating `checks`.

    It may end in the violation of one of the `others`. Raises nothing.
    """
    try:
        run = interpreter.run_closed(unit, strict(policy), budget)
    except Unsupported as error:
        return NotAvailable(str(error))
    match run.outcome:
        case interpreter.Exited() | interpreter.Aborted() | interpreter.AssumptionViolated():
            return Reproduced(_by(run), Confirmer.EXECUTION)
        case interpreter.ErrorReached() | interpreter.UndefinedBehaviour() as end:
            violated = [one for one in (*checks, *others) if violates(end, policy, one)]
            if violated and not any(one in checks for one in violated):
                return Reproduced(_by(run), Confirmer.EXECUTION)
            if isinstance(end, interpreter.UndefinedBehaviour):
                return told_of(end, policy)
            return NotReproduced(f"the error at {end.span} is reached")
        case interpreter.DependentRun(what):
            return NotReproduced(f"the execution depends on {what}")
        case interpreter.LimitExceeded(what):
            return NotReproduced(f"the execution exceeds the limit of {what}")


def _by(run: interpreter.ClosedRun) -> str:
    return (
        f"{Confirmer.EXECUTION}, which reads no input, repeated by the interpreter of typed C "
        f"({run.steps} steps without undefined behaviour)"
    )
