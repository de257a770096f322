"""Tasks that start in a function: the program with a `main` that calls it on every heap that its `requires` admits."""

from __future__ import annotations

from dataclasses import replace

from core.program.properties import NO_KINDS, CheckKind
from frontend.api import parse_sources
from frontend.elaboration.entry import start_of
from frontend.options import STARTED, Acsl, EntryPoint, SourceFile
from frontend.properties.errors import UnreachCall
from frontend.source import Unsupported, point
from frontend.typed.questions import QUESTIONS
from interplay.session.verification_task import VerificationTask

_OF_CALLERS = (CheckKind.UNINITIALIZED, CheckKind.CLEANUP)
"""Checks about what a caller did before, or does afterwards."""


def started(task: VerificationTask, function: str) -> tuple[VerificationTask, VerificationTask, tuple[str, ...]]:
    """The task that starts in a function, the task whether anything starts it, and assumptions of both.

    Raises `FrontendError` where the function, or the type of an argument, does not fit.
    """
    for kind in _OF_CALLERS:
        if kind in task.kinds:
            raise Unsupported(point("--entry", 1, 0), f"whether {kind.row.fault} is a question to the caller: no start")
    task = replace(task, asked_acsl=task.asked_acsl or Acsl.READ)
    unit = parse_sources(_with(task, "", EntryPoint()), task.data_model, task.acsl(), read=task.header)
    are_sizes_seen = any(kind.row.needs_sizes for kind in task.kinds) or not QUESTIONS.isdisjoint(unit.functions)
    found = start_of(unit, function, are_sizes_seen)
    task = replace(task, sources={**task.sources, found.start.file: found.start.text})
    question = replace(task, property=UnreachCall(STARTED), kinds=NO_KINDS)
    return (
        replace(task, inputs=_with(task, found.file, found.start)),
        replace(question, inputs=_with(task, found.file, found.question)),
        (f"it starts in {function}, with all arguments and objects that it admits", *found.assumptions),
    )


def _with(task: VerificationTask, file: str, start: EntryPoint) -> tuple[SourceFile, ...]:
    """The files with a start behind one of them; none has a `main` of its own."""
    return tuple(replace(one, start=start if one.file == file else EntryPoint()) for one in task.inputs)
