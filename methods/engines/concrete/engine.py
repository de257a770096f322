"""Concrete execution on chosen inputs: an execution that reaches an error is a violation.

Random testing with values that the program suggests (`inputs`), of code that is compiled to Python (`compiler`), with
the results of pure functions remembered (`machine`; D. Michie, "Memo functions and machine learning", 1968) and with
rounds of loops left out that are like the ones before (`leaps`).

First comes the execution in which all inputs are indeterminate (`core.program.indeterminate`): where nothing depends on
them it is the only one, and decides the program. What it has seen of recursive functions is a proof
(`execution_proof`), or the execution is itself, if it is short enough for others to repeat.

Rounds: the first has that execution, each of the others allows executions to be longer than the last. A round has as
many executions as fit into a number of steps, and one that may be much longer, since loops with known bounds may be
long. The engine gives up after the last round.

Limitations, by weight: with inputs nothing is ever proved; rare inputs are not found; nothing that is learned from one
execution helps the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis.liveness import Liveness
from core.limits import Interrupted
from core.parameters import parameter
from core.program import Assume, Check, Edge, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.indeterminate import Dependent
from core.program.modular import recursive_functions
from core.terms import ArraySort
from core.verdict import Executed, Outcome, Safe, Unknown
from methods.engine import Context, EditAction, Supported
from methods.engines.concrete.compiler import ProgramCompiler
from methods.engines.concrete.execution_proof import Tables, TooManyRows
from methods.engines.concrete.inputs import InputGenerator, indeterminate, unread
from methods.engines.concrete.leaps import leap
from methods.engines.concrete.machine import End, Execution
from methods.engines.concrete.trail import counterexample
from methods.options import EngineOptions, read_options
from runs.events import Counter, PathFound, PhaseStarted, RoundStarted

SLICE = parameter("concrete.engine.slice")
FIRST_LENGTH = parameter("concrete.engine.first-length")
FIRST_ROUND = parameter("concrete.engine.first-round")
GROWTH = parameter("concrete.engine.growth")
MUCH_LONGER = parameter("concrete.engine.much-longer")
ROUNDS = parameter("concrete.engine.rounds")
LONGEST = parameter("concrete.engine.longest")
MAX_REPEATED = parameter("concrete.engine.max-repeated")


class ConcreteEngine:
    """The engine `concrete`; implements `methods.engine.Engine`."""

    name = "concrete"

    def supports(self, program: Program) -> Supported:
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        read_options(EngineOptions, context.options)
        context.limits.check()
        return _Execution(program, checks, context).run()


class _Execution:
    """One run: what is decided so far."""

    def __init__(self, program: Program, checks: Sequence[int], context: Context) -> None:
        self._program = program
        self._context = context
        self._compiler = ProgramCompiler(program)
        self._inputs = InputGenerator(program, context.seed)
        self._undecided = dict.fromkeys(checks)
        self._outcomes: dict[int, Outcome] = {}
        self._executions = 0

    def run(self) -> dict[int, Outcome]:
        self._begin(0, "the execution without inputs")
        if self._is_decided_alone():
            return self._outcomes
        length, blocks = FIRST_LENGTH, FIRST_ROUND
        for number in range(1, ROUNDS + 1):
            self._begin(number, f"executions of up to {length} blocks")
            self._round(length, blocks)
            if self._undecided:
                self._execute(number, min(MUCH_LONGER * length, LONGEST))
            if not self._undecided or self._outcomes:
                break
            length, blocks = GROWTH * length, GROWTH * blocks
        return {**self._outcomes, **dict.fromkeys(self._undecided, Unknown("no execution that was tried violates it"))}

    def _begin(self, number: int, reason: str) -> None:
        self._context.emit(RoundStarted(number, reason))
        for edit in self._context.between_rounds(number):
            if edit.action is EditAction.STOP:
                raise Interrupted("stopped between rounds")
        self._context.emit(PhaseStarted("explore"))

    def _decide(self, check: int, outcome: Outcome) -> None:
        if check in self._undecided:
            del self._undecided[check]
            self._outcomes[check] = outcome
            self._context.decided({check: outcome})

    def _round(self, length: int, blocks: int) -> None:
        while blocks > 0 and self._undecided:
            blocks -= self._execute(self._executions, length)
        self._context.emit(Counter("executions", self._executions))

    def _execute(self, style: int, length: int) -> int:
        """Run an execution of at most `length` blocks, its inputs in one of the styles; returns how many it had."""
        self._inputs.begin(style)
        execution = Execution(self._compiler, self._inputs.draw)
        self._executions += 1
        end = self._follow(execution, length)
        if isinstance(end, Check) and end.id in self._undecided:
            self._fail(end, execution)
        return len(execution.trail) + 1

    def _follow(self, execution: Execution, length: int) -> Check | End:
        """Run an execution until it has `length` blocks."""
        end: Check | End = End.RUNNING
        patience = wait = 1  # slices to the next attempt to leap; attempts that fail become rare
        while end is End.RUNNING and len(execution.trail) < length:
            self._context.limits.check()
            end = execution.run_to_head(SLICE)
            wait -= 1
            if end is End.RUNNING and wait <= 0 and execution.watcher is None:
                patience = 1 if leap(execution) else 2 * patience
                wait = patience
        return end

    def _fail(self, check: Check, execution: Execution) -> None:
        claim = counterexample(execution)
        if claim is not None:
            self._context.emit(PathFound(check.id, claim.path, "feasible"))
            self._decide(check.id, claim)

    def _is_decided_alone(self) -> bool:
        """Decide all checks by the only execution, if there is but one."""
        if any(_is_free(out) for out in self._program.out_edges):
            return False
        execution = Execution(self._compiler, indeterminate)
        try:
            end = self._follow(execution, LONGEST)
        except Dependent:
            return False
        reason = "the program has one execution, which "
        if isinstance(end, Check):
            execution.drawn = [(x, unread(value)) for x, value in execution.drawn]
            self._fail(end, execution)
            self._decide(end.id, Unknown(reason + "reaches it on a path that is too long to be told"))
        if end is End.RUNNING:
            self._give_up(reason + "goes on and on")
        elif not execution.leaps and not execution.drawn and self._suits_tables():
            self._prove(reason, execution.blocks)
        else:
            self._claim(reason, execution.blocks)
        return True

    def _claim(self, reason: str, blocks: int) -> None:
        """Claim that the execution is a proof."""
        if blocks > MAX_REPEATED:
            self._give_up(reason + "does not reach it, but is too long to be repeated")
            return
        for check in list(self._undecided):
            self._decide(check, Executed())

    def _give_up(self, reason: str) -> None:
        for check in list(self._undecided):
            self._decide(check, Unknown(reason))

    def _suits_tables(self) -> bool:
        """Whether there is recursion, but no array, and no read of what was not written."""
        has_arrays = any(isinstance(x.sort, ArraySort) for x in self._program.variables)
        if has_arrays or not recursive_functions(self._program):
            return False
        expansion = Expansion(self._program, BlockEncoding.STATEMENTS)
        liveness = Liveness(expansion)
        functions = self._program.functions
        return not liveness.at(expansion.start) and all(
            liveness.locals_at(At((), f.entry)) <= set(f.parameters) for f in functions.values()
        )

    def _prove(self, reason: str, blocks: int) -> None:
        """Run the execution, of so many blocks, once more, recording tables for a proof."""
        self._context.emit(PhaseStarted("prove"))
        tables = Tables(self._program)
        try:
            self._follow(Execution(self._compiler, self._inputs.draw, tables), LONGEST)
        except TooManyRows:
            self._claim(reason, blocks)
            return
        safe = Safe(tables.certificate())
        for check in list(self._undecided):
            self._decide(check, safe)


def _is_free(out: Sequence[Edge]) -> bool:
    """Whether a choice of edges may be free. Heuristic: guards of branches are taken to exclude each other."""
    return len(out) > 1 and not all(
        isinstance(one.operation, Assume) and not one.operation.condition.is_true for one in out
    )
