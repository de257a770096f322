"""The real toolbox: the front end, the engines and the solvers, each imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable

from core.engine import Engine
from core.program import Program
from core.solver.contract import SolverFactory
from frontend.options import ArithmeticChoice
from interplay.session.question import read_question
from interplay.session.request import Request
from interplay.session.services import Files
from interplay.session.task import LoadedTask


class Installed:
    """Implements `Toolbox`."""

    def load(self, request: Request, files: Files, phase: Callable[[str], None]) -> LoadedTask:
        from frontend.api import parse_program
        from frontend.lowering.unit import lower

        phase("parse")
        question = read_question(request, files)
        if question.witness is not None:
            from interplay.session.witness_task import load

            return load(question, question.witness, request, phase)
        unit = parse_program(question.text, question.file, question.data_model, question.acsl())
        phase("lower")
        program = lower(unit, question.property, request.arithmetic, question.kinds)
        return LoadedTask(question, unit, program, request.seed)

    def engine(self, name: str) -> Engine:
        from core.registry import create_engine

        return create_engine(name)

    def solver(self, request: Request, program: Program) -> SolverFactory:
        from core.solver.z3_solver import Z3Factory

        if request.arithmetic is not ArithmeticChoice.BITVECTORS and not program.uses_bits:
            return Z3Factory(request.seed)
        return Z3Factory(request.seed, lambda symbol: program.range_of(program.arena.original(symbol)))
