"""Lowering of a task, whose compiler may have flags that change what arithmetic does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.program import Program
from core.program.properties import CheckKind, Kinds
from core.program.span import Span
from frontend.lowering.arithmetic import SIGNED_WRAP
from frontend.lowering.effects import DIVISIONS
from frontend.lowering.unit import lower
from frontend.options import ArithmeticChoice
from frontend.preprocessing.compiler_flags import CompilerFlags
from frontend.source import FrontendError, Unsupported, point
from frontend.typed import tree
from frontend.typed.ctype import DataModel, Float, Integer
from frontend.typed.differences import differ
from frontend.typed.floats import learns
from frontend.typed.traversal import nodes
from interplay.session.verification_task import VerificationTask

QUOTIENTS = "no division of the least number of its type by -1 overflows"
WRAPS = "not decided with -fwrapv: overflow, which it defines but for divisions"


def lowered(task: VerificationTask, unit: tree.TranslationUnit, arithmetic: ArithmeticChoice) -> Program:
    """The program of a unit, with what flags assume and warn of. Raises `FrontendError`."""
    return _under(lower(unit, task.property, arithmetic, task.kinds), unit, task.flags, task.kinds)


def _under(program: Program, unit: tree.TranslationUnit, flags: CompilerFlags, kinds: Kinds) -> Program:
    if flags.traps and CheckKind.OVERFLOW not in kinds:
        raise Unsupported(
            point("-ftrapv", 1, 0), "an overflow aborts under -ftrapv; add --check overflow, which makes it an error"
        )
    if flags.floats:
        span = next(_computed(unit, program), None)
        if span is not None:
            raise Unsupported(span, f"floating-point arithmetic under {', '.join(flags.floats)} is not supported")
    assumptions = list(program.assumptions)
    if flags.wraps and SIGNED_WRAP in assumptions:
        assumptions.remove(SIGNED_WRAP)
        assumptions += [QUOTIENTS] * any(_divides(node) for node in _reached(unit, program))
    if flags.wraps and CheckKind.QUOTIENT in kinds and CheckKind.OVERFLOW not in kinds:
        assumptions.append(WRAPS)
    warnings = list(program.warnings)
    if flags.unknown:
        several = "s" * (len(flags.unknown) > 1)
        told = f"the flag{several} {', '.join(flags.unknown)}"
        assumptions.append(f"{told} {'change' if several else 'changes'} nothing that the program means")
        warnings.append(f"{told} {'are' if several else 'is'} not known")
    return replace(program, assumptions=tuple(assumptions), warnings=tuple(warnings))


def depends_on_sizes(task: VerificationTask, unit: tree.TranslationUnit, program: Program) -> bool:
    """Whether reachable code of a task for ILP32 may mean anything else under LP64."""
    inputs = task.inputs
    if len(inputs) == 1:  # where there are more, names of functions may depend on what the others define
        unread = {name for name, one in unit.functions.items() if one.body is not None} - program.functions.keys()
        inputs = (replace(inputs[0], removed=inputs[0].removed | unread),)
    try:
        other = replace(task, inputs=inputs, data_model=DataModel.LP64).parsed()
    except FrontendError:
        return True
    return differ(unit, other, program.functions)


def _computed(unit: tree.TranslationUnit, program: Program) -> Iterator[Span]:
    """The places where reachable code computes with floating-point numbers."""
    for node in _reached(unit, program):
        if learns(node) or (isinstance(node, tree.Binary | tree.Unary) and isinstance(node.type, Float)):
            yield node.span


def _divides(node: tree.Node) -> bool:
    """Whether the node is a division of a signed type."""
    is_signed = isinstance(node, tree.TypedNode) and isinstance(node.type, Integer) and node.type.signed
    return is_signed and isinstance(node, tree.Binary | tree.CompoundAssign) and node.operator in DIVISIONS


def _reached(unit: tree.TranslationUnit, program: Program) -> Iterator[tree.Node]:
    """The nodes of the functions that are reached."""
    bodies = [one.body for name, one in unit.functions.items() if one.body is not None and name in program.functions]
    return nodes(*bodies)
