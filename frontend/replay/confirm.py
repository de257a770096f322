"""Confirmation of a counterexample by native replay or, failing that, by the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from core.program import Check
from core.program.orders import ORDER
from core.program.properties import ASSUMED, CheckKind, Confirmation, Kinds, kind_of
from core.program.span import Span
from core.verdict import Confirmer, InputValue
from frontend import interpreter
from frontend.api import parse_sources
from frontend.interpreter import SEEN_IF_CLOSED, Budget, Inputs
from frontend.options import SourceFile
from frontend.properties.errors import ErrorPolicy
from frontend.replay.determined import made_up
from frontend.replay.results import NotAvailable, NotReproduced, ReplayResult, Reproduced
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.casts import PLACE

if TYPE_CHECKING:
    from frontend.preprocessing.preprocess import ReadHeader
    from frontend.replay.native import ProcessLimits


class Native(Enum):
    """Whether a counterexample may be built and run on this machine."""

    ALLOWED = "allowed"
    REFUSED = "refused"


def confirm(
    sources: Sequence[SourceFile],
    unit: tree.TranslationUnit,
    policy: ErrorPolicy,
    check: Check,
    inputs: Sequence[InputValue],
    native: Native = Native.ALLOWED,
    limits: ProcessLimits | None = None,
    budget: Budget | None = None,
    read: ReadHeader | None = None,
) -> ReplayResult:
    """Whether the program reaches `check` on `inputs`; the unit was made of `sources`. Raises nothing.

    Where the program itself runs and does not reach the check, the interpreter only tells why. `limits` are those of
    the native replay, `budget` that of the interpreter. Undefined behaviour is for the interpreter alone, and so is an
    order of evaluation that gcc does not take, and places of objects that it does not choose.
    """
    unknown = made_up(unit, inputs)
    if unknown is not None:
        return NotAvailable(str(unknown))
    inputs = tuple(inputs)
    confirmation = _confirmation(check)
    if confirmation is Confirmation.INTERPRETER:
        return interpret(unit, policy, check, inputs, budget)
    ordinary = [one for one in inputs if one.name not in (ORDER, PLACE)]  # gcc chooses orders and places of its own
    first: ReplayResult = NotAvailable("native replay is switched off")
    if native is Native.ALLOWED and confirmation is Confirmation.CLAIM:
        first = NotAvailable("a claim is no code")
    elif native is Native.ALLOWED:
        from frontend.replay.native import replay

        is_changed = unit.annotations or ORDER in unit.functions
        plain = parse_sources(sources, unit.data_model, read=read, volatile=unit.volatile) if is_changed else unit
        first = replay(sources, plain, policy, check.span, ordinary, limits, read)
    if isinstance(first, Reproduced):
        return _unless_denied(first, unit, policy, check, inputs, budget)
    second = interpret(unit, policy, check, inputs, budget)
    match second:
        case Reproduced(by, _) if isinstance(first, NotReproduced) and len(ordinary) == len(inputs):
            return NotReproduced(f"only the {by} reaches the error; native replay: {first.reason}")
        case Reproduced(by, confirmer):
            missing = "no native replay" if isinstance(first, NotAvailable) else "native replay"
            told = f"{by}; {missing}: {_reason(first)}" if native is Native.ALLOWED else by
            return Reproduced(told, confirmer)
        case NotReproduced(undefined=undefined) if undefined:
            return second
        case NotReproduced(reason):
            return NotReproduced(f"interpreter: {reason}; native replay: {_reason(first)}")
        case NotAvailable(reason):
            both = f"interpreter: {reason}; native replay: {_reason(first)}"
            return NotReproduced(both) if isinstance(first, NotReproduced) else NotAvailable(both)


def _confirmation(check: Check) -> Confirmation:
    kind = kind_of(check.property)
    return Confirmation.NATIVE if kind is None else kind.row.confirmation


def _unless_denied(
    reproduced: Reproduced,
    unit: tree.TranslationUnit,
    policy: ErrorPolicy,
    check: Check,
    inputs: Sequence[InputValue],
    budget: Budget | None,
) -> ReplayResult:
    """The native replay, which knows the line, unless the interpreter comes to another end.

    That is another error of this line, undefined behaviour before the error, which verdicts assume not to occur, or an
    end without an error: then the text is read in two ways, and which of them is meant is not decided here.
    """
    try:
        outcome = interpreter.run(unit, strict(policy), Inputs.of(inputs), budget)
    except Unsupported:
        return reproduced
    match outcome:
        case interpreter.UndefinedBehaviour():
            return _undefined(outcome, policy.kinds)
        case interpreter.ErrorReached(span) if _is_same(span, check):
            return reproduced
        case interpreter.ErrorReached():
            return NotReproduced(_ended(outcome))
        case interpreter.LimitExceeded():
            return reproduced
        case _:
            return NotReproduced(f"only the {reproduced.by} reaches the error; interpreter: {_ended(outcome)}")


def strict(policy: ErrorPolicy) -> ErrorPolicy:
    """The policy under which indices outside of declared arrays are seen, whoever asks about accesses."""
    if CheckKind.DANGLING in policy.kinds:
        return policy
    return replace(policy, kinds={CheckKind.BOUNDS: ASSUMED, **policy.kinds})


def told_of(outcome: interpreter.UndefinedBehaviour, policy: ErrorPolicy) -> NotReproduced:
    """An execution with undefined behaviour, which may be more than the verdict assumes not to occur."""
    broken = _undefined(outcome, policy.kinds)
    is_assumed = outcome.kind is None or outcome.kind in strict(policy).kinds or outcome.kind not in SEEN_IF_CLOSED
    return broken if is_assumed else replace(broken, undefined="")


def _undefined(outcome: interpreter.UndefinedBehaviour, kinds: Kinds) -> NotReproduced:
    """An execution that breaks an assumption of the verdict."""
    told = f"undefined behaviour at {outcome.span}: {outcome.what}"
    name = "" if outcome.kind is None else outcome.kind.row.selected_by
    if not name or _is_asked(outcome.kind, kinds):
        return NotReproduced(f"it runs into {told}", told)
    return NotReproduced(f"it runs into {told}; `--check {name}` decides it", told, f"add `--check {name}`")


def _is_asked(kind: CheckKind | None, kinds: Kinds) -> bool:
    """Whether a question is about the kind; an access through null is none through a pointer to an object."""
    return kind in kinds or (kind is CheckKind.NULL and CheckKind.DANGLING in kinds)


def _reason(outcome: ReplayResult) -> str:
    return outcome.by if isinstance(outcome, Reproduced) else outcome.reason


def _is_same(span: Span, check: Check) -> bool:
    """Whether this is the place of the check."""
    return (span.file, span.line, span.column) == (check.span.file, check.span.line, check.span.column)


def interpret(
    unit: tree.TranslationUnit,
    policy: ErrorPolicy,
    check: Check,
    inputs: Sequence[InputValue],
    budget: Budget | None = None,
) -> ReplayResult:
    """Whether the interpreter reaches `check` on `inputs`."""
    try:
        outcome = interpreter.run(unit, strict(policy), Inputs.of(inputs), budget)
    except Unsupported as error:
        return NotAvailable(str(error))
    match outcome:
        case interpreter.UndefinedBehaviour() | interpreter.ErrorReached() if violates(outcome, policy, check):
            return Reproduced(Confirmer.INTERPRETER, Confirmer.INTERPRETER)
        case interpreter.UndefinedBehaviour():
            return _undefined(outcome, policy.kinds)
        case _:
            return NotReproduced(_ended(outcome))


def _ended(
    outcome: interpreter.ErrorReached
    | interpreter.Exited
    | interpreter.Aborted
    | interpreter.AssumptionViolated
    | interpreter.LimitExceeded,
) -> str:
    """The end of a run that did not reach what was claimed."""
    match outcome:
        case interpreter.ErrorReached(span):
            return f"the error at {span} is reached first"
        case interpreter.Exited():
            return "the program ends without the error"
        case interpreter.Aborted(span):
            return f"the program aborts at {span}"
        case interpreter.AssumptionViolated(span):
            return f"the assumption at {span} is violated"
        case interpreter.LimitExceeded(what):
            return f"the run exceeds its limit of {what}"


def violates(
    outcome: interpreter.UndefinedBehaviour | interpreter.ErrorReached, policy: ErrorPolicy, check: Check
) -> bool:
    """Whether a run ends in the violation of the check."""
    if isinstance(outcome, interpreter.ErrorReached):
        return _is_same(outcome.span, check)
    return _is_claimed(outcome, policy.kinds, check)


def _is_claimed(outcome: interpreter.UndefinedBehaviour, kinds: Kinds, check: Check) -> bool:
    """Whether the behaviour is what the check is about: of its kind, and at its place."""
    kind, span = outcome.kind, check.span
    if kind is CheckKind.NULL and kind not in kinds:
        kind = CheckKind.DANGLING
    at = (outcome.span.file, outcome.span.line, outcome.span.column)
    return kind is not None and kinds.get(kind) == check.property and at == (span.file, span.line, span.column)
