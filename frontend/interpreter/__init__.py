"""The interpreter of typed C, which runs a program on recorded inputs exactly as gcc's `-fwrapv` build would.

It executes the typed tree and knows nothing of the Program that was lowered from it, so that it can confirm what an
engine claims about the latter. Each function becomes Python text, once; see `statements.py` for how.

Limitations, in order of weight: no inline assembly (Unsupported, where control reaches it); reads of memory that was
never written give what was recorded, else 0, and are not reported; a function without body that is not in `library.py`
changes nothing but its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.program.properties import CheckKind
from core.program.span import Span
from frontend.interpreter.deterministic_run import SEEN_IF_CLOSED, ClosedRun, deterministic_run
from frontend.interpreter.evaluated_pieces import Choose, WatchedRun, watched_run
from frontend.interpreter.library import is_interpreted
from frontend.interpreter.machine import Machine
from frontend.interpreter.outcome import (
    ARGUMENT,
    CONTENTS,
    ELSEWHERE,
    ELSEWHERE_AT,
    ELSEWHERE_SIZE,
    ENVIRONMENT,
    Aborted,
    AssumptionViolated,
    Budget,
    DependentRun,
    ErrorReached,
    Exited,
    Inputs,
    LimitExceeded,
    RunOutcome,
    UndefinedBehaviour,
)
from frontend.libc.arguments import with_arguments
from frontend.libc.expansion import with_library
from frontend.libc.names import is_library_function
from frontend.properties.errors import ErrorPolicy
from frontend.source import Unsupported, point
from frontend.typed.named_arrays import with_named_arrays
from frontend.typed.traversal import used
from frontend.typed.tree import TranslationUnit

__all__ = [
    "ARGUMENT",
    "CONTENTS",
    "ELSEWHERE",
    "ELSEWHERE_AT",
    "ELSEWHERE_SIZE",
    "ENVIRONMENT",
    "SEEN_IF_CLOSED",
    "Aborted",
    "AssumptionViolated",
    "Budget",
    "Choose",
    "ClosedRun",
    "DependentRun",
    "ErrorReached",
    "Exited",
    "Inputs",
    "LimitExceeded",
    "RunOutcome",
    "UndefinedBehaviour",
    "WatchedRun",
    "run",
    "run_closed",
    "run_watched",
]


def run(unit: TranslationUnit, policy: ErrorPolicy, inputs: Inputs, budget: Budget | None = None) -> RunOutcome:
    """Run `main` of the unit on the inputs. Raises Unsupported, with the place, for what is not interpreted."""
    return Machine(_complete(unit, policy), policy, inputs, budget or Budget()).run()


def run_closed(unit: TranslationUnit, policy: ErrorPolicy, budget: Budget | None = None) -> ClosedRun:
    """Run `main` of the unit without inputs. Raises Unsupported, with the place, for what is not interpreted."""
    return deterministic_run(_complete(unit, policy), policy, budget or Budget())


def run_watched(
    unit: TranslationUnit,
    policy: ErrorPolicy,
    watched: frozenset[Span],
    inputs: Inputs,
    budget: Budget,
    choices: Iterable[Choose | None] = (None,),
) -> Iterator[WatchedRun]:
    """Run `main` of the unit on the inputs, or once for each of `choices`, and note which of the `watched` pieces of
    the source are evaluated. Raises Unsupported where the unit has no `main`.
    """
    complete = _complete(unit, policy)
    for choose in choices:
        yield watched_run(complete, policy, watched, inputs, budget, choose)


def _complete(unit: TranslationUnit, policy: ErrorPolicy) -> TranslationUnit:
    """The unit with bodies of library functions, which must have a main function."""
    main = unit.functions.get("main")
    if main is None or main.body is None:
        raise Unsupported(point(unit.file, 1, 1), "the program has no main function")
    if CheckKind.BOUNDS in policy.kinds:
        unit = with_named_arrays(unit)
    return with_arguments(with_library(used(unit, "main", is_library_function), is_interpreted, policy.kinds))
