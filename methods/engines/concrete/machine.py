"""Execution of a compiled program: blocks one after the other, calls with stack frames, pure functions memoised.

A *pure* function (see `compiler.pure_functions`) that is called again with the same arguments is not run again, so
that a recursion whose calls repeat costs as much as it has different calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import Protocol

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Check
from core.terms import ArraySort, Term
from methods.engines.concrete.compiler import (
    Callee,
    CallSite,
    CallStep,
    CompiledBlock,
    Data,
    Draw,
    Drawn,
    Leaf,
    ProgramCompiler,
    Stop,
)
from methods.engines.concrete.expressions import ConcreteArray, NoExpression

LARGEST_MEMO = parameter("concrete.machine.largest-memo")
DEEPEST_STACK = parameter("concrete.machine.deepest-stack")
NEAR = parameter("concrete.machine.near")


class End(Enum):
    """The state of an execution that has reached no error."""

    RETURNED = "returned"
    STUCK = "stuck"  # an assumption fails: the execution is none
    RUNNING = "running"


@dataclass(eq=False, slots=True)
class StackFrame:
    """A stack frame. `arguments` are kept for functions whose results are remembered, and for watchers."""

    callee: Callee
    site: CallSite | None
    values: list[Data]
    arguments: tuple[Data, ...]
    globals_before: tuple[Data, ...] = ()
    begin: int = 0  # the blocks of the execution before it

    def variables(self) -> tuple[Term, ...]:
        """The variables that `values` are the values of."""
        return (*self.callee.function.parameters, *self.callee.function.locals)


class Watcher(Protocol):
    """An observer of calls and loop heads; `frames` are the activations, the outermost first."""

    def entered(self, frames: Sequence[StackFrame], globals_: list[Data]) -> None: ...

    def returns(self, frames: Sequence[StackFrame], globals_: list[Data]) -> None: ...

    def passes(self, location: int, frames: Sequence[StackFrame], globals_: list[Data]) -> None: ...


@dataclass(frozen=True, slots=True)
class Leap:
    """Rounds left out before `position` of a trail: they lead from `block` to itself, in the same activations.

    `numbers` are the values behind them.
    """

    position: int
    block: CompiledBlock
    activations: tuple[CallSite | None, ...]
    numbers: Mapping[Term, int]


@dataclass(eq=False)
class Execution:
    """An execution of a program from its start. `trail` are the ways taken, `drawn` the inputs consumed."""

    compiler: ProgramCompiler
    draw: Draw
    watcher: Watcher | None = None
    drawn: Drawn = field(default_factory=list)
    trail: list[Leaf | CallStep] = field(default_factory=list)
    frames: list[StackFrame] = field(default_factory=list)
    leaps: list[Leap] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._globals: list[Data] = [
            ConcreteArray() if isinstance(x.sort, ArraySort) else 0 for x in self.compiler.globals
        ]
        self._memo: dict[tuple[object, ...], tuple[Data, int]] = {}  # results, and blocks that led to them
        self._left_out = 0
        start = self.compiler.callee(self.compiler.program.start)
        self.block = self._enter(start, None, [])  # that runs next

    @property
    def blocks(self) -> int:
        """The blocks of the execution so far, with those that were left out."""
        return len(self.trail) + self._left_out

    def run(self, blocks: int) -> Check | End:
        """Run at most `blocks` more blocks."""
        block, watcher = self.block, self.watcher
        for _ in range(blocks):
            if block.run is None:
                self.compiler.compile(block)
                assert block.run is not None
            if watcher is not None and block.head:
                watcher.passes(block.location, self.frames, self._globals)
            leaf = block.run(self.frames[-1].values, self._globals, self.draw, self.drawn)
            self.trail.append(leaf)
            end = leaf.next
            if isinstance(end, CompiledBlock):
                block = self.block = end
                continue
            if isinstance(end, Check):
                return end
            following = self._call(end) if isinstance(end, CallSite) else self._stop(end)
            if following is None:
                return End.RETURNED if not self.frames else End.STUCK
            block = self.block = following
        return End.RUNNING

    def run_to_head(self, blocks: int) -> Check | End:
        """Run `blocks` more blocks, and then to a loop head if one is near."""
        end = self.run(blocks)
        for _ in range(NEAR):
            if end is not End.RUNNING or self.block.head:
                break
            end = self.run(1)
        return end

    def numbers(self) -> dict[Term, int]:
        """The values of the visible variables, but for arrays."""
        frame = self.frames[-1]
        values = [*zip(frame.variables(), frame.values, strict=True)]
        values += zip(self.compiler.globals, self._globals, strict=True)
        return {x: value for x, value in values if isinstance(value, int)}

    def leap(self, numbers: Mapping[Term, int], blocks: int) -> None:
        """Leave out rounds from the next block to itself, of so many `blocks`, after which the visible variables have
        these values.
        """
        self._left_out += blocks
        frame = self.frames[-1]
        for variables, values in ((frame.variables(), frame.values), (self.compiler.globals, self._globals)):
            values[:] = [numbers.get(x, value) for x, value in zip(variables, values, strict=True)]
        self.leaps.append(Leap(len(self.trail), self.block, tuple(one.site for one in self.frames), numbers))

    def _call(self, site: CallSite) -> CompiledBlock | None:
        callee = site.callee
        frame = self.frames[-1]
        if len(self.frames) > DEEPEST_STACK:
            return None
        try:
            arguments = site.arguments(frame.values, self._globals, self.draw, self.drawn)
        except NoExpression:
            return None
        if callee.pure:
            known = self._memo.get((callee, *arguments))
            if known is not None:
                result, blocks = known
                self._left_out += blocks
                if callee.result is not None:
                    self._globals[callee.result] = result
                self.trail.append(site.skipped)
                return site.behind
        self.trail.append(site.entered)
        return self._enter(callee, site, arguments)

    def _enter(self, callee: Callee, site: CallSite | None, arguments: list[Data]) -> CompiledBlock:
        kept = tuple(arguments) if callee.pure or self.watcher is not None else ()
        values = [*arguments, *(kind() for kind in callee.locals)]
        frame = StackFrame(callee, site, values, kept, begin=self.blocks)
        self.frames.append(frame)
        if self.watcher is not None:
            frame.globals_before = tuple(self._globals)
            self.watcher.entered(self.frames, self._globals)
        return callee.entry

    def _stop(self, stop: Stop) -> CompiledBlock | None:
        match stop:
            case Stop.RETURN:
                return self._return()
            case Stop.STUCK:
                return None

    def _return(self) -> CompiledBlock | None:
        if self.watcher is not None:
            self.watcher.returns(self.frames, self._globals)
        frame = self.frames.pop()
        callee, site = frame.callee, frame.site
        if callee.pure and len(self._memo) < LARGEST_MEMO:
            result = 0 if callee.result is None else self._globals[callee.result]
            self._memo[(callee, *frame.arguments)] = result, self.blocks - frame.begin
        if site is None:
            return None
        self.trail.append(site.left)
        return site.behind
