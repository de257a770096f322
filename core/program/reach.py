"""The places at which executions come to a check, and the question whether any does.

A check that no execution comes to says nothing about the program: assumptions before it contradict each other, a loop
before it never ends, the code is dead. An execution comes to a check where the last choice before its error is made:
behind that only the error follows. Where that choice is a part of a condition (`a || f()`), it comes there where the
condition begins: what comes first may decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from core.program.automaton import Assume, Call, Check, Edge, Location, Program
from core.program.span import Span

_Calls = Mapping[int, Sequence[Edge]]
"""The calls that lead to the entry of a function, by its location."""


def places_of(program: Program, conditions: Iterable[Span] = ()) -> tuple[frozenset[int], ...]:
    """The locations at which executions come to each check, by check: none where no edge leads to it.

    `conditions` are the pieces of the source of which a part may decide so that the others are not evaluated.
    """
    calls: dict[str, list[Edge]] = {}
    for edge in program.edges:
        if isinstance(edge.operation, Call):
            calls.setdefault(edge.operation.function, []).append(edge)
    entries = {one.entry: calls.get(one.name, []) for one in program.functions.values()}
    last = [frozenset(_places(program, entries, check)) for check in program.checks]
    by_line: dict[tuple[str, int], list[Span]] = {}
    for span in conditions:
        for line in range(span.line, span.end_line + 1):
            by_line.setdefault((span.file, line), []).append(span)
    return tuple(
        frozenset(begin for place in last[check.id] for begin in _beginnings(program, entries, by_line, check, place))
        for check in program.checks
    )


def stands_for_calls(program: Program) -> frozenset[int]:
    """The checks in bodies that stand for functions of a library: their place is that of a call, which may be run."""
    calls = [edge for edge in program.edges if isinstance(edge.operation, Call)]
    places = {(one.operation.function, _begin(one.span)) for one in calls if isinstance(one.operation, Call)}
    named = ((one, program.locations[one.location].function) for one in program.checks)
    return frozenset(one.id for one, name in named if (name, _begin(one.span)) in places)


def _begin(span: Span | None) -> tuple[str, int, int] | None:
    return None if span is None else (span.file, span.line, span.column)


def spans_at(program: Program, place: int) -> frozenset[Span]:
    """The pieces of the source of which one is run where an execution goes on from a place.

    None in a body that stands for a function of the library: all of it has the place of its call.
    """
    if "!" in program.locations[place].function:
        return frozenset()
    return frozenset(edge.span for edge in program.out_edges[place] if edge.span is not None)


def functions_of_spans(program: Program) -> Mapping[Span, frozenset[str]]:
    """The functions in which each piece of the source is run: several have the text of a header in common."""
    found: dict[Span, set[str]] = {}
    for edge in program.edges:
        if edge.span is not None:
            found.setdefault(edge.span, set()).add(program.locations[edge.source].function)
    return {span: frozenset(names) for span, names in found.items()}


def probed(program: Program, places: Sequence[int]) -> Program:
    """The program that asks of each place whether an execution comes there: these are its checks, in their order."""
    first, number, goes_on = len(program.locations), len(program.edges), Assume(program.arena.true)
    locations, edges, checks = list(program.locations), list(program.edges), list[Check]()
    for i, place in enumerate(places):
        span = next(iter(sorted(spans_at(program, place))), None) or program.checks[0].span
        locations.append(Location(first + i, program.locations[place].function, span))
        edges.append(Edge(number + i, place, first + i, goes_on, span, ""))
        checks.append(Check(i, "unreach-call", first + i, span, ""))
    return replace(program, locations=tuple(locations), edges=tuple(edges), checks=tuple(checks))


def _places(program: Program, entries: _Calls, check: Check) -> Iterator[int]:
    if not program.in_edges[check.location]:  # nothing leads there, or what is claimed is true whatever happens
        yield from () if check.begins is None else (check.begins,)
        return
    doomed = _doomed(program, entries, check.location)
    start = program.functions[program.start].entry
    for at in doomed:
        if at == start:
            yield at
        for edge in _into(program, entries, at):
            if _is_assumption(program, edge):
                yield at
            elif edge.source not in doomed:
                yield edge.source


def _beginnings(
    program: Program, entries: _Calls, conditions: Mapping[tuple[str, int], Sequence[Span]], check: Check, place: int
) -> Iterable[int]:
    """The place at which the condition begins of which a place decides the last part; itself where it is part of none.

    What is around the check itself is no condition of it: there it is one of the parts.
    """
    spans = spans_at(program, place)
    near = {one for span in spans for one in conditions.get((span.file, span.line), ())}
    around = [one for one in near if not _is_within(check.span, one) and any(_is_within(span, one) for span in spans)]

    def is_inside(edge: Edge) -> bool:
        span = edge.span
        return span is not None and any(_is_within(span, one) for one in around)

    inside, pending, begins = {place}, [place], set[int]()
    while pending:
        at = pending.pop()
        before = [edge.source for edge in program.in_edges[at] if is_inside(edge)]
        if len(before) < len(program.in_edges[at]) or not before or at in entries:
            begins.add(at)
        pending += [one for one in before if one not in inside]
        inside.update(before)
    return begins or {place}


def _is_within(inner: Span, outer: Span) -> bool:
    is_behind = (outer.line, outer.column) <= (inner.line, inner.column)
    ends_before = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    return inner.file == outer.file and is_behind and ends_before


def _doomed(program: Program, entries: _Calls, error: int) -> set[int]:
    """The locations from which every way leads to an error."""
    doomed, pending = {error}, [error]
    while pending:
        for edge in _into(program, entries, pending.pop()):
            at = edge.source
            if at not in doomed and all(
                _leads_into(program, doomed, one) and not _is_assumption(program, one) for one in program.out_edges[at]
            ):
                doomed.add(at)
                pending.append(at)
    return doomed


def _leads_into(program: Program, doomed: set[int], edge: Edge) -> bool:
    operation = edge.operation
    is_entered = isinstance(operation, Call) and program.functions[operation.function].entry in doomed
    return edge.target in doomed or is_entered


def _into(program: Program, entries: _Calls, at: int) -> Iterator[Edge]:
    """The edges that lead to a location, calls among them where it is an entry."""
    yield from program.in_edges[at]
    yield from entries.get(at, ())


def _is_assumption(program: Program, edge: Edge) -> bool:
    """Whether an edge is the only way on, which not all executions take."""
    operation = edge.operation
    is_open = isinstance(operation, Assume) and not operation.condition.is_true
    return is_open and len(program.out_edges[edge.source]) == 1
