"""Executions that come to places of the program: on recorded inputs, or on such as are chosen on the way.

They need not end there. What they do is what C says until then, and no result is made up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.program import InputKind
from core.program.span import Span
from core.verdict import InputValue
from frontend.interpreter import Budget, Choose, Inputs, WatchedRun, run_watched
from frontend.properties.errors import Effect, ErrorPolicy
from frontend.replay.confirm import strict
from frontend.replay.determined import made_up
from frontend.source import Unsupported
from frontend.typed import tree


def passed(
    unit: tree.TranslationUnit,
    policy: ErrorPolicy,
    watched: frozenset[Span],
    inputs: Sequence[InputValue],
    budget: Budget,
) -> frozenset[Span]:
    """The `watched` pieces of the source that the execution on these inputs evaluates."""
    if made_up(unit, inputs) is not None:
        return frozenset()
    try:
        (run,) = run_watched(unit, strict(policy), watched, Inputs.of(inputs), budget)
    except Unsupported:
        return frozenset()
    return run.seen


def tried(
    unit: tree.TranslationUnit, policy: ErrorPolicy, watched: frozenset[Span], budget: Budget, choices: Iterable[Choose]
) -> Iterator[WatchedRun]:
    """An execution for each of `choices`; those are left out that rest on what functions of the library cannot do."""
    try:
        for run in run_watched(unit, strict(policy), watched, Inputs(), budget, choices):
            called = [one for one in run.chosen if _is_arbitrary(one, policy)]
            written = (replace(one, kind=InputKind.INDETERMINATE, name="") for one in called)  # what they might write
            if made_up(unit, (*called, *written)) is None:
                yield run
    except Unsupported:
        return


def _is_arbitrary(one: InputValue, policy: ErrorPolicy) -> bool:
    """Whether an input is the result of a function of which nothing is known but its name."""
    return one.kind is InputKind.EXTERN and policy.effect_of(one.name.partition(".")[0]) is Effect.UNKNOWN
