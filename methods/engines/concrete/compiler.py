"""A compiler of programs to Python: one Python function for each tree of locations, made when it is first run.

A *block* begins at the entry of a function, after a call, or where paths meet, and covers the locations after it up
to the next such place. Its code runs one way through the tree and returns a `Leaf`, which says where that way ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from itertools import chain
from typing import cast

from core.analysis.liveness import Liveness
from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Assign, Assume, Call, Check, Edge, Function, InputKind, Program, terms_of
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.loops import loop_heads
from core.terms import Arena, ArraySort, Op, Term, Treatment, called_functions
from methods.engines.concrete.expressions import HELPERS, ConcreteArray, NoExpression, expression

OTHER_OPERATORS = Treatment.EXACT

DEEPEST = parameter("concrete.compiler.deepest")
LARGEST = parameter("concrete.compiler.largest")

Data = bool | int | ConcreteArray
Draw = Callable[[Term], Data]
Drawn = list[tuple[Term, Data]]
"""Inputs with their values, in the order in which they were read."""


@dataclass(eq=False, slots=True)
class CompiledBlock:
    """A compiled block: the tree from `location`. `head` marks loop heads."""

    location: int
    head: bool
    run: Callable[[list[Data], list[Data], Draw, Drawn], Leaf] | None = None


class Stop(Enum):
    """The end of a way that leads to no block, call or error."""

    RETURN = "return"
    STUCK = "stuck"  # an assumption fails


@dataclass(eq=False, slots=True)
class Leaf:
    """The end of one way through a block, over `edges`, with what follows."""

    edges: tuple[int, ...]
    next: CompiledBlock | CallSite | Check | Stop


@dataclass(eq=False, slots=True)
class CallStep:
    """A part of a call, over `edges`, by which the stack grows by `depth`."""

    edges: tuple[int, ...]
    depth: int


Trail = Sequence[Leaf | CallStep]
"""The ways of an execution, in order."""


@dataclass(eq=False, slots=True)
class CallSite:
    """A compiled call edge. `arguments` evaluates what is passed, `behind` is the block to which the call returns."""

    edge: Edge
    callee: Callee
    arguments: Callable[[list[Data], list[Data], Draw, Drawn], list[Data]]
    behind: CompiledBlock
    entered: CallStep
    left: CallStep
    skipped: CallStep  # entered and left at once


@dataclass(eq=False, slots=True)
class Callee:
    """A compiled function.

    `locals` are the first values of what is no parameter; `result` is the position of its global.
    """

    function: Function
    entry: CompiledBlock
    locals: tuple[type[ConcreteArray] | type[int], ...]
    result: int | None
    pure: bool


class ProgramCompiler:
    """Compiles the blocks of a program on demand."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.globals = {x: position for position, x in enumerate(program.globals())}
        self._locals = {
            f.name: {x: position for position, x in enumerate((*f.parameters, *f.locals))}
            for f in program.functions.values()
        }
        self.functions = called_functions(chain.from_iterable(map(terms_of, program.edges)))
        self._heads = loop_heads(program)
        self._idle = idle_edges(program)
        self._pure = pure_functions(program, self._idle)
        self._blocks: dict[int, CompiledBlock] = {}
        self._callees: dict[str, Callee] = {}
        self._sites: dict[int, CallSite] = {}

    def callee(self, name: str) -> Callee:
        if name not in self._callees:
            f = self.program.functions[name]
            first = tuple(ConcreteArray if isinstance(x.sort, ArraySort) else int for x in f.locals)
            result = None if f.result is None else self.globals.get(f.result)
            self._callees[name] = Callee(f, self.block(f.entry), first, result, name in self._pure)
        return self._callees[name]

    def block(self, location: int) -> CompiledBlock:
        if location not in self._blocks:
            self._blocks[location] = CompiledBlock(location, location in self._heads)
        return self._blocks[location]

    def compile(self, block: CompiledBlock) -> None:
        writer = _EdgeWriter(self, self._locals[self.program.locations[block.location].function])
        writer.tree(block.location)
        run = writer.function("run", ["return STUCK"], STUCK=Leaf((), Stop.STUCK))
        block.run = cast(Callable[[list[Data], list[Data], Draw, Drawn], Leaf], run)

    def is_idle(self, edge: Edge) -> bool:
        return edge.id in self._idle

    def ends_block(self, location: int) -> bool:
        return len(self.program.in_edges[location]) != 1 or location in self._heads

    def site(self, edge: Edge) -> CallSite:
        """The call site of an edge."""
        if edge.id not in self._sites:
            assert isinstance(edge.operation, Call)
            writer = _EdgeWriter(self, self._locals[self.program.locations[edge.source].function])
            arguments = writer.function("arguments", writer.passed(edge))
            self._sites[edge.id] = CallSite(
                edge,
                self.callee(edge.operation.function),
                cast(Callable[[list[Data], list[Data], Draw, Drawn], list[Data]], arguments),
                self.block(edge.target),
                CallStep((edge.id,), 1),
                CallStep((edge.id,), -1),
                CallStep((edge.id, edge.id), 0),
            )
        return self._sites[edge.id]


@dataclass(frozen=True, slots=True)
class _Place:
    """A location of the tree, how deep its conditions are nested, and the edges that lead there."""

    location: int
    depth: int
    edges: tuple[int, ...]


class _EdgeWriter:
    """Writes one Python function.

    `f` and `g` are the locals and globals, `draw` supplies inputs, `drawn` has them.
    """

    def __init__(self, compiler: ProgramCompiler, locals_: Mapping[Term, int]) -> None:
        self._compiler = compiler
        self._program = compiler.program
        self._locals = locals_
        self._lines: list[str] = []
        self._constants: dict[str, object] = {}
        self._inputs: dict[Term, str] = {}
        self._depth = 0
        self._names = 0

    def function(self, name: str, end: Sequence[str], **constants: object) -> object:
        body = "".join(f"\n{line}" for line in [*self._lines, *(f" {line}" for line in end)])
        namespace: dict[str, object] = {**HELPERS, **self._compiler.functions, "NoExpression": NoExpression}
        namespace |= {**self._constants, **constants}
        exec(f"def {name}(f, g, draw, drawn):{body}", namespace)  # the text is built here from terms, not from input
        return namespace[name]

    def tree(self, root: int) -> None:
        work: list[_Place | tuple[str, int]] = [_Place(root, 1, ())]
        written = 0
        while work:
            place = work.pop()
            if not isinstance(place, _Place):
                self._depth = place[1]
                self._line(place[0])
                continue
            self._depth = place.depth
            full = place.depth > DEEPEST or written > LARGEST
            ends = full or self._compiler.ends_block(place.location)
            if place.edges and ends and not self._is_end(place.location):
                self._leave(Leaf(place.edges, self._compiler.block(place.location)))
                continue
            written += 1
            work += reversed(self._follow(place))

    def _is_end(self, location: int) -> bool:
        function = self._program.functions[self._program.locations[location].function]
        return location == function.exit or location in self._program.checks_at

    def _follow(self, place: _Place) -> list[_Place | tuple[str, int]]:
        """Write what happens at a place; returns what has to be written next."""
        check = self._program.checks_at.get(place.location)
        out = self._program.out_edges[place.location]
        if check is not None or self._is_end(place.location):
            self._leave(Leaf(place.edges, check or Stop.RETURN))
        elif not out:
            self._leave(Leaf(place.edges, Stop.STUCK))
        elif isinstance(out[0].operation, Call):
            self._leave(Leaf(place.edges, self._compiler.site(out[0])))
        elif isinstance(out[0].operation, Assign):
            try:
                self._assign(out[0], out[0].operation.updates)
            except NoExpression:
                self._line("return STUCK")
                return []
            return [_Place(out[0].target, place.depth, (*place.edges, out[0].id))]
        else:
            return self._branch(place, out)
        return []

    def _branch(self, place: _Place, out: Sequence[Edge]) -> list[_Place | tuple[str, int]]:
        branches: list[_Place | tuple[str, int]] = []
        for edge in out:
            if not isinstance(edge.operation, Assume):
                break
            edges = (*place.edges, edge.id)
            condition = edge.operation.condition
            certain = edge is out[-1] and decides(self._program.arena, out) and not self._inputs_in([condition])
            if condition.is_true or certain:
                return [*branches, _Place(edge.target, place.depth, edges)]
            try:
                guard = self._guard(condition, place.depth)
            except NoExpression:
                break
            branches += [*guard, _Place(edge.target, place.depth + 1, edges)]
        return [*branches, ("return STUCK", place.depth)]

    def _guard(self, condition: Term, depth: int) -> list[_Place | tuple[str, int]]:
        """Write a condition, whose names and inputs are read just before it; inputs of none do not count."""
        before, self._lines = self._lines, []
        inputs = self._inputs_in([condition])
        if inputs:
            self._line("mark = len(drawn)")
        self._draw(inputs)
        text = expression(condition, self._symbol, self._name)
        lines, self._lines = self._lines, before
        head: list[_Place | tuple[str, int]] = [(line.strip(), depth) for line in lines]
        if not inputs:
            return [*head, (f"if {text}:", depth)]
        return [*head, (f"holds = {text}", depth), ("if not holds: del drawn[mark:]", depth), ("if holds:", depth)]

    def passed(self, edge: Edge) -> list[str]:
        assert isinstance(edge.operation, Call)
        self._depth = 1
        self._draw(self._inputs_in(edge.operation.arguments))
        try:
            values = [self._own(self._value(a), a) for a in edge.operation.arguments]
        except NoExpression:
            return ["raise NoExpression"]
        return [f"return [{', '.join(values)}]"]

    def _assign(self, edge: Edge, updates: Sequence[tuple[Term, Term]]) -> None:
        if self._compiler.is_idle(edge):
            updates = [(x, v) for x, v in updates if v not in self._program.inputs]
        self._draw(self._inputs_in([value for _, value in updates]))
        late: list[str] = []
        for x, value in updates:
            if value is x:
                continue  # an array would be copied
            stores = _stores(x, value)
            for index, element in stores:
                late.append(f"{self._symbol(x)}[{self._kept(index)}] = {self._kept(element)}")
            if not stores:
                text = self._own(self._value(value), value)
                late.append(f"{self._symbol(x)} = {text if len(updates) == 1 else self._name(text)}")
        for line in late:
            self._line(line)

    def _kept(self, value: Term) -> str:
        return self._name(self._value(value))

    def _own(self, text: str, value: Term) -> str:
        """The text of a value to keep: a copy of an array, since arrays are changed in place."""
        shared = isinstance(value.sort, ArraySort) and value.op not in (Op.STORE, Op.CONST_ARRAY)
        return f"copied({text})" if shared else text

    def _value(self, value: Term) -> str:
        return expression(value, self._symbol, self._name)

    def _symbol(self, x: Term) -> str:
        if x in self._locals:
            return f"f[{self._locals[x]}]"
        if x in self._compiler.globals:
            return f"g[{self._compiler.globals[x]}]"
        if x not in self._inputs:
            raise NoExpression
        return self._inputs[x]

    def _inputs_in(self, terms: Iterable[Term]) -> list[Term]:
        """The inputs of terms, in the order in which an execution consumes them."""
        found = frozenset[Term]().union(*(t.symbols() for t in terms))
        return sorted((x for x in found if x in self._program.inputs), key=lambda x: x.id)

    def _draw(self, inputs: Sequence[Term]) -> None:
        """Write that each input gets one value, for one edge."""
        self._inputs = {}
        for x in inputs:
            constant = self._constant(x)
            self._inputs[x] = self._name(f"draw({constant})")
            self._line(f"drawn.append(({constant}, {self._inputs[x]}))")

    def _leave(self, leaf: Leaf) -> None:
        self._line(f"return {self._constant(leaf)}")

    def _constant(self, value: object) -> str:
        name = f"K{len(self._constants)}"
        self._constants[name] = value
        return name

    def _name(self, text: str) -> str:
        self._names += 1
        self._line(f"t{self._names} = {text}")
        return f"t{self._names}"

    def _line(self, text: str) -> None:
        self._lines.append(" " * self._depth + text)


def _stores(x: Term, value: Term) -> list[tuple[Term, Term]]:
    """The writes, in order, where `value` is `x` after some writes to it; else none."""
    writes: list[tuple[Term, Term]] = []
    while value.is_store:
        value, index, element = value.args
        writes.append((index, element))
    return writes[::-1] if value is x else []


def decides(arena: Arena, out: Sequence[Edge]) -> bool:
    """Whether exactly one of these edges can be taken in every state."""
    match [edge.operation for edge in out]:
        case [Assume(first), Assume(second)]:
            return arena.not_(first) is second
        case [Assume(only)]:
            return only.is_true
        case operations:
            return len(operations) == 1


def idle_edges(program: Program) -> frozenset[int]:
    """The assignments of indeterminate values to locals that are never read before they are assigned again."""
    liveness = Liveness(Expansion(program, BlockEncoding.STATEMENTS))
    edges: set[int] = set()
    for edge in program.edges:
        if isinstance(edge.operation, Assign):
            fresh = [x for x, value in edge.operation.updates if _is_indeterminate(program, value)]
            owner = program.functions[program.locations[edge.source].function]
            live = liveness.locals_at(At((), edge.target))
            if fresh and all(x in (*owner.parameters, *owner.locals) and x not in live for x in fresh):
                edges.add(edge.id)
    return frozenset(edges)


def _is_indeterminate(program: Program, value: Term) -> bool:
    return value in program.inputs and program.inputs[value].kind is InputKind.INDETERMINATE


def pure_functions(program: Program, idle: frozenset[int]) -> frozenset[str]:
    """The functions whose results depend on their arguments alone, and that change nothing but their results.

    Globals that are only set before the first call do not count. Functions with arrays as arguments are left out.
    """
    results = {f.result for f in program.functions.values() if f.result is not None}
    owned = {name: {*f.parameters, *f.locals} | results for name, f in program.functions.items()}
    first = _before_calls(program)
    written = {x for edge in program.edges for x in _written(edge) if edge.id not in first}
    impure = {name for name, f in program.functions.items() if any(isinstance(x.sort, ArraySort) for x in f.parameters)}
    for edge in program.edges:
        name = _function(program, edge)
        read = frozenset[Term]().union(*(t.symbols() for t in _read(edge, idle)))
        strange = {x for x in read - owned[name] if x in program.inputs or x in written}
        if strange or not set(_written(edge)) <= owned[name]:
            impure.add(name)
    changed = True
    while changed:
        calls = ((_function(program, e), e.operation.function) for e in program.edges if isinstance(e.operation, Call))
        new = {caller for caller, callee in calls if callee in impure} - impure
        impure |= new
        changed = bool(new)
    return frozenset(program.functions.keys() - impure - {program.start})


def _before_calls(program: Program) -> frozenset[int]:
    """The edges of the start function that no call comes before."""
    own = [edge for edge in program.edges if _function(program, edge) == program.start]
    calls = [edge.operation.function for edge in program.edges if isinstance(edge.operation, Call)]
    behind = {edge.target for edge in own if isinstance(edge.operation, Call)}
    waiting = [*behind]
    while waiting:
        new = {edge.target for edge in program.out_edges[waiting.pop()]} - behind
        behind |= new
        waiting += new
    return frozenset(edge.id for edge in own if edge.source not in behind and program.start not in calls)


def _function(program: Program, edge: Edge) -> str:
    return program.locations[edge.source].function


def _written(edge: Edge) -> list[Term]:
    return [x for x, _ in edge.operation.updates] if isinstance(edge.operation, Assign) else []


def _read(edge: Edge, idle: frozenset[int]) -> Sequence[Term]:
    match edge.operation:
        case Assume(condition):
            return (condition,)
        case Assign(updates):
            return [] if edge.id in idle else [value for _, value in updates]
        case Call(_, arguments):
            return arguments
