"""A program without calls: the lazy view in which each call has a copy of its callee's locations.

A location of the expansion is a source location with the stack of calls that lead to it. Without recursion,
copies share symbols and transitions, since no two activations of a function are alive at once; locals of the
k-th simultaneous activation of a function, k ≥ 1, are renamed `f::x#k`.

`BlockEncoding` says how many edges one step composes. A block never crosses a call, a loop head or a check, so every
cycle of the expansion passes through a location that all levels have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.dataclass import dataclass
from core.program.automaton import Call, Check, Edge, Program, Range
from core.program.blocks import Block, BlockEncoding, blocks_from, cuts, route
from core.program.loops import loop_heads
from core.program.semantics import Transition, identity, sequence, transition
from core.terms import Substitution, Term


@dataclass(frozen=True, slots=True)
class At:
    """A location with its calling context: `stack` holds the ids of the call edges that are active, outermost first."""

    stack: tuple[int, ...]
    location: int


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One step of the expansion. `edges` are the program's edges it covers: a call edge for enter and leave.

    The edges of a large block are those of all its paths, in topological order.
    """

    source: At
    target: At
    edges: tuple[Edge, ...]
    transition: Transition


def frame_name(symbol: Term, frame: int) -> str:
    """The name of the copy of a local in an activation of its function."""
    return f"{symbol.name}#{frame}"


class Expansion:
    """The expansion of `program`; every location of it is computed on demand."""

    def __init__(self, program: Program, blocks: BlockEncoding) -> None:
        self.program = program
        self.arena = program.arena
        self.start = At((), program.functions[program.start].entry)
        self._level = blocks
        self._steps: dict[At, tuple[Step, ...]] = {}
        self._transitions: dict[tuple[object, ...], Transition] = {}
        self._blocks: dict[int, tuple[Block, ...]] = {}
        self._renamed: dict[Term, Term] = {}  # a frame's copy of a local -> the local
        self._heads = loop_heads(program)
        self._cuts = cuts(program, self._heads) if blocks is BlockEncoding.LARGE else frozenset[int]()

    def steps(self, at: At) -> tuple[Step, ...]:
        """The steps that leave `at`; none from an error location."""
        found = self._steps.get(at)
        if found is None:
            found = self._steps[at] = tuple(self._expand(at))
        return found

    def reached(self) -> Iterator[At]:
        """The start and all locations that paths lead to from it; without end where calls nest without end."""
        seen = {self.start}
        waiting = [self.start]
        yield self.start
        while waiting:
            for step in self.steps(waiting.pop()):
                if step.target not in seen:
                    seen.add(step.target)
                    waiting.append(step.target)
                    yield step.target

    def check(self, at: At) -> Check | None:
        """The check that fails at `at`, if any."""
        return self.program.checks_at.get(at.location)

    def is_loop_head(self, at: At) -> bool:
        return at.location in self._heads

    def range_of(self, symbol: Term) -> Range | None:
        """The range of a variable (also of a frame's copy of it) or of an input."""
        return self.program.range_of(self._renamed.get(symbol, symbol))

    def range_of_copy(self, symbol: Term) -> Range | None:
        """The range of the variable or input that a symbol is a copy of."""
        return self.range_of(self.arena.original(symbol))

    def is_input(self, symbol: Term) -> bool:
        return symbol in self.program.inputs

    def inputs_of(self, edge: Edge) -> tuple[Term, ...]:
        """The inputs that one execution of `edge` consumes, in order of creation."""
        if isinstance(edge.operation, Call):
            reads = frozenset[Term]().union(*(a.symbols() for a in edge.operation.arguments))
        else:
            reads = transition(self.arena, edge.operation).reads
        return tuple(sorted((s for s in reads if self.is_input(s)), key=lambda s: s.id))

    def function(self, at: At) -> str:
        return self.program.locations[at.location].function

    def frame(self, at: At) -> int:
        """The number of activations of the same function below the current one."""
        if not at.stack:
            return 0
        name = self.function(at)
        return (name == self.program.start) + sum(self._callee(edge) == name for edge in at.stack[:-1])

    def _callee(self, edge: int) -> str:
        operation = self.program.edges[edge].operation
        assert isinstance(operation, Call)
        return operation.function

    def _expand(self, at: At) -> Iterator[Step]:
        program = self.program
        if at.location in program.checks_at:
            return
        function = program.functions[self.function(at)]
        if at.location == function.exit and at.stack:
            call = program.edges[at.stack[-1]]
            yield Step(at, At(at.stack[:-1], call.target), (call,), identity(self.arena))
        for edge in program.out_edges[at.location]:
            if isinstance(edge.operation, Call):
                yield self._enter(at, edge, edge.operation)
        for block in self._blocks_from(at.location):
            yield Step(at, At(at.stack, block.target), block.edges, self._in_frame_of(at, block))

    def _blocks_from(self, location: int) -> tuple[Block, ...]:
        """The call-free blocks that leave a source location."""
        found = self._blocks.get(location)
        if found is None:
            found = self._blocks[location] = tuple(self._composed(location))
        return found

    def _composed(self, location: int) -> Iterator[Block]:
        if self._level is BlockEncoding.LARGE:
            yield from blocks_from(self.program, location, self._cuts)
        else:
            for chain in self.chains(location):
                yield Block(chain[-1].target, chain, sequence(self.arena, chain))

    def _enter(self, at: At, edge: Edge, call: Call) -> Step:
        callee = self.program.functions[call.function]
        target = At((*at.stack, edge.id), callee.entry)
        key = ("call", edge.id, self.frame(at), self.frame(target))
        if key not in self._transitions:
            arguments = [self.in_frame(at)(a) for a in call.arguments]
            parameters = [self.in_frame(target)(p) for p in callee.parameters]
            updates = {p: a for p, a in zip(parameters, arguments, strict=True) if p is not a}
            self._transitions[key] = Transition(self.arena, self.arena.true, updates)
        return Step(at, target, (edge,), self._transitions[key])

    def _in_frame_of(self, at: At, block: Block) -> Transition:
        """The transition of a block at `at`."""
        key = (block.target, tuple(edge.id for edge in block.edges), self.frame(at))
        found = self._transitions.get(key)
        if found is None:
            plain, rename = block.transition, self.in_frame(at)
            updates = {rename(x): rename(value) for x, value in plain.updates.items()}
            found = self._transitions[key] = Transition(self.arena, rename(plain.guard), updates)
        return found

    def route(self, step: Step, holds: Callable[[Term], bool]) -> tuple[Edge, ...]:
        """The edges that one execution of `step` takes; `holds` decides terms over the state before it and inputs."""
        rename = self.in_frame(step.source)

        def chosen(done: Transition, edge: Edge) -> bool:
            return holds(rename(done.after(transition(self.arena, edge.operation).guard)))

        return route(self.arena, step.edges, chosen)

    def in_frame(self, at: At) -> Substitution:
        """The renaming of the locals of the function at `at` to the copies of its frame."""
        frame = self.frame(at)
        if frame == 0:
            return Substitution(self.arena, {})
        function = self.program.functions[self.function(at)]
        copies: dict[Term, Term] = {}
        for x in (*function.parameters, *function.locals):
            copies[x] = self.arena.copy(x, frame_name(x, frame))
            self._renamed[copies[x]] = x
        return Substitution(self.arena, copies)

    def chains(self, location: int) -> Iterator[tuple[Edge, ...]]:
        """The call-free statements or basic blocks that leave a source location."""
        return (chain for chain in self._compose(location) if not isinstance(chain[0].operation, Call))

    def _compose(self, location: int) -> Iterator[tuple[Edge, ...]]:
        stack: list[tuple[Edge, ...]] = [(edge,) for edge in reversed(self.program.out_edges[location])]
        while stack:
            chain = stack.pop()
            if self._ends_block(chain[-1]):
                yield chain
            else:
                stack.extend((*chain, edge) for edge in reversed(self.program.out_edges[chain[-1].target]))

    def _ends_block(self, edge: Edge) -> bool:
        return self._level is BlockEncoding.STATEMENTS or not self._is_inner(edge.target)

    def is_inner(self, at: At) -> bool:
        """Whether a basic block passes through `at`: no invariant is needed there."""
        return self._is_inner(at.location)

    def _is_inner(self, location: int) -> bool:
        program, following = self.program, self.program.out_edges[location]
        entering = program.in_edges[location]
        return (
            len(entering) == 1
            and not isinstance(entering[0].operation, Call)
            and len(following) > 0
            and location not in self._heads
            and location not in program.checks_at
            and not any(isinstance(edge.operation, Call) for edge in following)
        )
