"""Tasks that start in a function: the program with a `main` that calls it on every heap that its `requires` admits."""

from __future__ import annotations

from dataclasses import replace

from core.dataclass import dataclass
from core.program.properties import NO_KINDS, CheckKind
from frontend.elaboration.entry import start_of
from frontend.options import STARTED, Acsl, Aliasing, EntryPoint, SourceFile
from frontend.properties.errors import NoReach, UnreachCall
from frontend.source import Unsupported, point
from frontend.typed import tree
from frontend.typed.library_table import library_function
from frontend.typed.traversal import unit_nodes, used
from interplay.session.verification_task import VerificationTask

_OF_CALLERS = (CheckKind.UNINITIALIZED, CheckKind.CLEANUP)
"""Checks about what a caller did before, or does afterwards."""


@dataclass(frozen=True)
class StartedTask:
    """A task that starts in a function, and the task whether anything starts it.

    `premises` are what is assumed of arguments and objects, and belong to the first lines of an answer.
    """

    task: VerificationTask
    question: VerificationTask
    premises: tuple[str, ...]
    assumptions: tuple[str, ...]


def _asks_of_memory(unit: tree.TranslationUnit, function: str) -> bool:
    """Whether annotations of the function, or of what it may call, speak of the extent of objects."""
    run = used(unit, function, lambda name: name.partition("#")[0] == function)
    named = (node.function for node in unit_nodes(run) if isinstance(node, tree.FunctionAddress))
    return any(library_function(name).question is not None for name in named)


def started(task: VerificationTask, function: str, aliasing: Aliasing = Aliasing.ANY) -> StartedTask:
    """The task that starts in a function.

    Raises `FrontendError` where the function, or the type of an argument, does not fit.
    """
    left_out = [kind for kind in _OF_CALLERS if kind in task.kinds]
    kinds = {kind: name for kind, name in task.kinds.items() if kind not in left_out}
    if left_out and not kinds and isinstance(task.property, NoReach):
        faults = " and ".join(kind.row.fault for kind in left_out)
        raise Unsupported(point("--entry", 1, 0), f"{faults}: no question with --entry, but one to the caller")
    task = replace(task, kinds=kinds, asked_acsl=task.asked_acsl or Acsl.READ)
    unit = replace(task, inputs=_with(task, "", EntryPoint())).parsed()
    are_sizes_seen = any(kind.row.needs_sizes for kind in task.kinds) or _asks_of_memory(unit, function)
    start = start_of(unit, function, are_sizes_seen, aliasing)
    names = ", ".join(kind.value for kind in left_out)
    undecided = (f"not decided with --entry: {names}",) if left_out else ()
    task = replace(task, sources={**task.sources, start.start.file: start.start.text})
    question = replace(task, property=UnreachCall(STARTED), kinds=NO_KINDS)
    return StartedTask(
        replace(task, inputs=_with(task, start.file, start.start)),
        replace(question, inputs=_with(task, start.file, start.question)),
        tuple(f"assumes that {one}" for one in start.assumptions),
        (*undecided, f"it starts in {function}, with all arguments and objects that it admits"),
    )


def _with(task: VerificationTask, file: str, start: EntryPoint) -> tuple[SourceFile, ...]:
    """The files with a start behind one of them; none has a `main` of its own."""
    return tuple(replace(one, start=start if one.file == file else EntryPoint()) for one in task.inputs)
