"""Programs as control-flow automata over terms: the input of every engine, and the subject of every certificate.

A program is a set of functions, each a graph of locations and edges. Variables are symbols; a local of `f` is
named `f::x`. An *input* is a symbol private to one execution of the one edge that mentions it: a havoc is an
assignment from an input. The program starts in the entry of `Program.start`, a function that sets the globals
and calls `main`, with every variable arbitrary within its range. A check fails when its error location is reached.

Laws that the lowering guarantees, engines may use, and certificates establish again:
every value of a variable (of an array: of each element) lies in its range; so does every value of an input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from functools import cached_property

from core.dataclass import dataclass
from core.program.memory import MemoryLayout
from core.program.orders import OpenOrders
from core.program.source import SourceTable, SourceType
from core.program.span import Span
from core.terms import BIT_OPERATORS, Arena, Term, subterms

Place = tuple[tuple[int, ...], int]
"""The active calls, as edges, outermost first; and a location: a `core.program.expansion.At` as plain data."""


@dataclass(frozen=True, slots=True)
class Range:
    """The integers from `low` to `high`, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable. `range` bounds the value, or each element of an array; `scope` is None for globals.

    `extent` is the number of elements of an array object where it is fixed. `hidden` marks what the source
    does not name (results, temporaries).
    """

    symbol: Term
    name: str
    scope: str | None
    c_type: SourceType
    range: Range | None
    extent: int | None = None
    hidden: bool = False


class InputKind(StrEnum):
    """The source of an input."""

    NONDET = "nondet"  # a call of __VERIFIER_nondet_…
    VOLATILE = "volatile"  # a read of a volatile object
    INDETERMINATE = "indeterminate"  # storage that was never written
    EXTERN = "extern"  # the result of an undefined function


@dataclass(frozen=True, slots=True)
class Input:
    """An arbitrary value that the environment supplies at `span`; `name` is the function or the variable.

    Scalars have a value in `range`; arrays have all their elements in it.
    """

    symbol: Term
    kind: InputKind
    name: str
    span: Span
    range: Range | None


@dataclass(frozen=True, slots=True)
class Assume:
    """An assumption: execution continues only where `condition` holds."""

    condition: Term


@dataclass(frozen=True, slots=True)
class Assign:
    """A simultaneous assignment: distinct variables, each paired with a term over the old values and inputs."""

    updates: tuple[tuple[Term, Term], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of `function` with `arguments` for its parameters, in order; its result is then in `Function.result`."""

    function: str
    arguments: tuple[Term, ...]


Operation = Assume | Assign | Call


@dataclass(frozen=True, slots=True)
class Location:
    """A control location. `loop` marks the head of a source loop; `span` is then that of its keyword."""

    id: int
    function: str
    span: Span | None
    loop: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """One operation from `source` to `target` (location ids). `text` is what the source says there."""

    id: int
    source: int
    target: int
    operation: Operation
    span: Span | None
    text: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function. `parameters` and `locals` are disjoint; `result` is None for void. `exit` is where returns lead."""

    name: str
    parameters: tuple[Term, ...]
    locals: tuple[Term, ...]
    result: Term | None
    entry: int
    exit: int
    span: Span | None


@dataclass(frozen=True, slots=True)
class Check:
    """A check: `location` must not be reached. `property` is e.g. `unreach-call` or `assertion`.

    `begins` is where the evaluation begins of what an assertion claims; None where no edge leads there, and of others.
    """

    id: int
    property: str
    location: int
    span: Span
    description: str
    begins: int | None = None


@dataclass(frozen=True)
class Program:
    """A whole program. Ids of locations and edges are their positions in `locations` and `edges`.

    `memory` says what its arrays of memory are; None where it has no such arrays, or computes with addresses. `source`
    says what C calls its variables. `orders` are those of evaluations
    which C leaves open.
    """

    arena: Arena
    functions: Mapping[str, Function]
    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]
    variables: Mapping[Term, Variable]
    inputs: Mapping[Term, Input]
    checks: tuple[Check, ...]
    start: str
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    memory: MemoryLayout | None = None
    source: SourceTable = field(default_factory=SourceTable)
    orders: OpenOrders = field(default_factory=OpenOrders)

    @cached_property
    def out_edges(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges that leave each location, in the order of the source."""
        result: list[list[Edge]] = [[] for _ in self.locations]
        for edge in self.edges:
            result[edge.source].append(edge)
        return tuple(map(tuple, result))

    @cached_property
    def in_edges(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges that enter each location."""
        result: list[list[Edge]] = [[] for _ in self.locations]
        for edge in self.edges:
            result[edge.target].append(edge)
        return tuple(map(tuple, result))

    @cached_property
    def checks_at(self) -> Mapping[int, Check]:
        """The check of each error location."""
        return {check.location: check for check in self.checks}

    @cached_property
    def uses_bits(self) -> bool:
        """Whether an operation has a bit operator, so that solvers must read integers as bit-vectors."""
        return any(map(uses_bits, self.edges))

    def locals(self) -> frozenset[Term]:
        """The parameters and locals of all functions."""
        return frozenset(x for f in self.functions.values() for x in (*f.parameters, *f.locals))

    def globals(self) -> tuple[Term, ...]:
        """The variables that belong to no function, in the order of `variables`."""
        local = self.locals()
        return tuple(x for x in self.variables if x not in local)

    def terms(self) -> Iterator[Term]:
        """The guards, new values and arguments of all edges."""
        for edge in self.edges:
            yield from terms_of(edge)

    def assignments(self) -> Iterator[tuple[Term, Term]]:
        """Each variable with each value that an edge gives it; a call gives parameters the arguments."""
        for edge in self.edges:
            match edge.operation:
                case Assign(updates):
                    yield from updates
                case Call(function, arguments):
                    yield from zip(self.functions[function].parameters, arguments, strict=True)
                case Assume():
                    pass

    def range_of(self, symbol: Term) -> Range | None:
        """The range of a variable or an input."""
        known = self.variables.get(symbol) or self.inputs.get(symbol)
        return known.range if known else None


def uses_bits(edge: Edge) -> bool:
    """Whether the operation of an edge has a bit operator."""
    return any(t.op in BIT_OPERATORS for t in subterms(*terms_of(edge)))


def terms_of(edge: Edge) -> tuple[Term, ...]:
    """The guard, new values or arguments of an edge."""
    match edge.operation:
        case Assume(condition):
            return (condition,)
        case Assign(updates):
            return tuple(value for _, value in updates)
        case Call(_, arguments):
            return arguments
