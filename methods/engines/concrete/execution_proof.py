"""Proofs from the one execution of a program without inputs, which has passed every reachable state.

The certificate is modular (C. A. R. Hoare, 1971; `core.program.modular`): the precondition of a recursive function is
the set of arguments with which it was called, its postcondition the table of arguments and results, the invariant of a
loop head the set of states there, each as a decision diagram (`methods.domains.explicit.union`). The execution is the
only one, so all that is inductive; the certificate checker shows it again.

Limitations: what arrays hold is not in the tables; an execution with many different calls or states has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.analysis.liveness import Liveness
from core.parameters import parameter
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.modular import ModularView, recursive_functions, touched_globals
from core.terms import BOOL, INT, Term
from core.verdict import Certificate, Contract
from methods.domains.explicit.union import union
from methods.engines.concrete.compiler import Data
from methods.engines.concrete.machine import StackFrame

MAX_ROWS = parameter("concrete.execution-proof.max-rows")

_Row = tuple[tuple[Term, Data], ...]


class TooManyRows(Exception):
    """Raised when the execution has too many different states for a proof."""


class Tables:
    """Tables of calls with their results, and of the states at loop heads; implements `Watcher`."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._expansion = Expansion(program, BlockEncoding.STATEMENTS)
        self._view = ModularView(self._expansion, recursive_functions(program))
        self._liveness = Liveness(self._expansion)
        positions = {x: position for position, x in enumerate(program.globals())}
        results = {f.result for f in program.functions.values()}
        touched = touched_globals(program)
        self._kept = {
            name: [(x, i) for x, i in positions.items() if x in touched[name] and _fits(x) and x not in results]
            for name in program.functions
        }
        self._returned = {
            name: [
                (x, positions[x])
                for x in self._view.globals
                if x in self._view.changed[name] | touched[name] and _fits(x) and (x not in results or x is f.result)
            ]
            for name, f in program.functions.items()
        }
        self._pre: dict[str, dict[_Row, None]] = {name: {} for name in self._view.contracted}
        self._post: dict[str, dict[_Row, None]] = {name: {} for name in self._view.contracted}
        self._heads: dict[At, dict[_Row, None]] = {}
        self._rows = 0

    # The watcher

    def entered(self, frames: Sequence[StackFrame], globals_: list[Data]) -> None:
        frame = frames[-1]
        name = frame.callee.function.name
        if name in self._pre:
            self._note(self._pre[name], (*_arguments(frame), *((x, globals_[i]) for x, i in self._kept[name])))

    def returns(self, frames: Sequence[StackFrame], globals_: list[Data]) -> None:
        name = frames[-1].callee.function.name
        if name in self._post:
            after = ((x, globals_[i]) for x, i in self._returned[name])
            self._note(self._post[name], (*self._snapshots(frames[-1]), *after))

    def passes(self, location: int, frames: Sequence[StackFrame], globals_: list[Data]) -> None:
        first = next((i for i in range(len(frames) - 1, -1, -1) if self._name(frames[i]) in self._pre), 0)
        active = frames[first:]
        sites = [frame.site.edge for frame in active[1:] if frame.site is not None]
        stack = tuple(edge.id for edge in sites)
        at = At(stack, location)
        row: list[tuple[Term, Data]] = []
        places = [*(At(stack[:depth], edge.source) for depth, edge in enumerate(sites)), at]
        live = self._liveness.locals_at(at)
        for frame, place in zip(active, places, strict=True):
            rename = self._expansion.in_frame(place)
            pairs = zip(frame.variables(), frame.values, strict=True)
            row += [(rename(x), value) for x, value in pairs if _fits(x) and rename(x) in live]
        root = self._name(active[0])
        if root in self._pre:
            row += self._snapshots(active[0])
        row += [(x, globals_[i]) for x, i in self._kept[root]]
        self._note(self._heads.setdefault(at, {}), tuple(row))

    def _name(self, frame: StackFrame) -> str:
        return frame.callee.function.name

    def _snapshots(self, frame: StackFrame) -> Iterator[tuple[Term, Data]]:
        """The values of snapshots: parameters and globals when an activation began."""
        changed = self._view.changed[self._name(frame)]
        for x, value in _arguments(frame):
            yield self._view.snapshot(x), value
        for x, i in self._kept[self._name(frame)]:
            if x in changed:
                yield self._view.snapshot(x), frame.globals_before[i]

    def _note(self, table: dict[_Row, None], row: _Row) -> None:
        if row not in table:
            table[row] = None
            self._rows += 1
            if self._rows > MAX_ROWS:
                raise TooManyRows

    # The proof

    def certificate(self) -> Certificate:
        invariants = {at: self._any(rows) for at, rows in self._heads.items()}
        contracts = {name: Contract(self._any(self._pre[name]), self._any(self._post[name])) for name in self._pre}
        return Certificate(invariants, contracts=contracts)

    def _any(self, rows: Mapping[_Row, None]) -> Term:
        arena = self._program.arena
        return union(arena, ((dict(_explicit(row)), arena.true) for row in rows))


def _explicit(row: _Row) -> Iterator[tuple[Term, int | bool]]:
    for x, value in row:
        assert isinstance(value, int)
        yield x, value


def _arguments(frame: StackFrame) -> Iterator[tuple[Term, Data]]:
    return ((x, v) for x, v in zip(frame.callee.function.parameters, frame.arguments, strict=True) if _fits(x))


def _fits(x: Term) -> bool:
    return x.sort is INT or x.sort is BOOL
