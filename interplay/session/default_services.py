"""The services that a run uses: front end, engines and solvers, each imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.program import Program
from core.solver.contract import SolverFactory
from frontend.options import ArithmeticChoice
from interplay.session.request import Request
from interplay.session.services import ReadFile
from interplay.session.task import LoadedTask
from interplay.session.verification_task import read_verification_task
from methods.engine import Engine

if TYPE_CHECKING:
    from interplay.session.obligations import ObligationFiles


class DefaultServices:
    """The services of ordinary runs (`Services`)."""

    def load(self, request: Request, files: ReadFile, phase: Callable[[str], None]) -> LoadedTask:
        from interplay.session.lowered import lowered

        phase("parse")
        task, asked = read_verification_task(request, files), None
        assumptions: tuple[str, ...] = ()
        premises: tuple[str, ...] = ()
        if request.entry not in (None, "", "main"):
            from interplay.session.function_tasks import started

            start = started(task, request.entry, request.aliasing)
            task, asked, premises, assumptions = start.task, start.question, start.premises, start.assumptions
        if task.witness is not None:
            from interplay.session.witness_task import load

            return load(task, task.witness, request, phase)
        unit = task.parsed()
        phase("lower")
        program = lowered(task, unit, request.arithmetic)
        if request.buffer is not None:
            bound = f"the input of LLVMFuzzerTestOneInput has at most {request.buffer} bytes"
            assumptions = (*assumptions, bound)
        if assumptions:
            program = replace(program, assumptions=(*assumptions, *program.assumptions))
        files_ = _files(request, program)
        return LoadedTask(task, unit, program, request.seed, start=asked, told=premises, obligations=files_)

    def engine(self, name: str) -> Engine:
        from methods.registry import create_engine

        return create_engine(name)

    def solver(self, request: Request, program: Program) -> SolverFactory:
        from core.solver.z3_solver import Z3Factory

        if request.arithmetic is not ArithmeticChoice.BITVECTORS and not program.uses_bits:
            return Z3Factory(request.seed)
        return Z3Factory(request.seed, lambda symbol: program.range_of(program.arena.original(symbol)))


def _files(request: Request, program: Program) -> ObligationFiles | None:
    """The files for obligations, where the request wants them."""
    if request.obligations is None:
        return None
    from interplay.session.obligations import ObligationFiles

    return ObligationFiles(Path(request.obligations), program)
