"""Control-flow automata for display: the data that views of a program read, and their JSON form.

docs/cfa-json.md describes the JSON; `VERSION` grows when a field changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum

from core.dataclass import dataclass
from core.program import Edge, Function, Location, Program
from interplay.presentation.graphs.operation_text import OperationTexts, SourceTexts

VERSION = 1


class LocationKind(StrEnum):
    """The kind of a location; the first that fits, in the order error, ends, loop head."""

    ERROR = "error"
    ENTRY = "entry"
    EXIT = "exit"
    LOOP = "loop"
    INNER = "inner"


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """A position in the source; column 0 where only the line is known."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class ShownLocation:
    """A location of an automaton. `place` is its own, else that of an edge after it, else of an edge before it."""

    id: int
    kind: LocationKind
    loop: bool
    place: ShownPosition | None
    check: str
    """The property checked here; empty where nothing is checked."""


@dataclass(frozen=True, slots=True)
class ShownEdge:
    """An edge of an automaton: `text` is the source text, `operation` that of the program; `kind` is assume, assign or
    call.
    """

    id: int
    source: int
    target: int
    kind: str
    text: str
    operation: str
    place: ShownPosition | None


@dataclass(frozen=True, slots=True)
class Automaton:
    """The automaton of one function; the entry is the first location."""

    function: str
    entry: int
    exit: int
    locations: tuple[ShownLocation, ...]
    edges: tuple[ShownEdge, ...]


def automata(program: Program) -> tuple[Automaton, ...]:
    """The automata of the program's functions, that of the start first."""
    texts, start = SourceTexts(program), program.functions[program.start]
    rest = (function for function in program.functions.values() if function is not start)
    return tuple(automaton(program, function, texts) for function in (start, *rest))


def to_json(program: Program) -> str:
    """The automata as a JSON document, one line for each location and edge."""
    functions = ",\n".join(_function_json(one) for one in automata(program))
    return f'{{"format": "interplay-cfa", "version": {VERSION}, "functions": [\n{functions}\n]}}\n'


def _function_json(automaton: Automaton) -> str:
    def rows(items: tuple[ShownLocation, ...] | tuple[ShownEdge, ...]) -> str:
        return ",\n  ".join(json.dumps(asdict(item)) for item in items)

    head = f'{{"function": {json.dumps(automaton.function)}, "entry": {automaton.entry}, "exit": {automaton.exit}'
    return f'{head}, "locations": [\n  {rows(automaton.locations)}\n ], "edges": [\n  {rows(automaton.edges)}\n ]}}'


def automaton(program: Program, function: Function, texts: OperationTexts) -> Automaton:
    """The automaton of one function."""
    own = [one for one in program.locations if one.function == function.name and one.id != function.entry]
    ordered = (program.locations[function.entry], *own)
    locations = tuple(_location(program, function, one) for one in ordered)
    edges = tuple(
        _edge(edge, texts) for edge in program.edges if program.locations[edge.source].function == function.name
    )
    return Automaton(function.name, function.entry, function.exit, locations, edges)


def _location(program: Program, function: Function, location: Location) -> ShownLocation:
    check = program.checks_at.get(location.id)
    description = "" if check is None else f"{check.property}: {check.description}"
    return ShownLocation(
        location.id,
        _kind(function, location, check is not None),
        location.loop,
        next(_places(program, location), None),
        description,
    )


def _places(program: Program, location: Location) -> Iterator[ShownPosition]:
    spans = [location.span, *(edge.span for edge in program.out_edges[location.id])]
    spans += [edge.span for edge in program.in_edges[location.id]]
    yield from (ShownPosition(span.file, span.line, span.column) for span in spans if span is not None)


def _kind(function: Function, location: Location, is_error: bool) -> LocationKind:
    if is_error:
        return LocationKind.ERROR
    if location.id == function.entry:
        return LocationKind.ENTRY
    if location.id == function.exit:
        return LocationKind.EXIT
    return LocationKind.LOOP if location.loop else LocationKind.INNER


def _edge(edge: Edge, texts: OperationTexts) -> ShownEdge:
    span = edge.span
    place = None if span is None else ShownPosition(span.file, span.line, span.column)
    kind = type(edge.operation).__name__.lower()
    return ShownEdge(edge.id, edge.source, edge.target, kind, edge.text, texts.of(edge), place)
