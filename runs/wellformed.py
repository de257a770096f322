"""The well-formedness of programs that were read: each term has the sort of its place, and symbols of the program."""

from __future__ import annotations

from collections.abc import Iterator

from core.program import Assign, Assume, Call, Edge, Program
from core.terms import BOOL, Sort, Term
from runs.jsondata import Malformed


def check_program(program: Program) -> None:
    """Raises `Malformed` where engines could not read the program."""
    _check_places(program)
    declared = frozenset(program.variables)
    declared_symbols = declared.union(program.inputs)
    for symbol in declared_symbols:
        if not symbol.is_symbol:
            raise Malformed("a variable or an input is no symbol")
    for function in program.functions.values():
        own = (*function.parameters, *function.locals, *(() if function.result is None else (function.result,)))
        if not declared.issuperset(own):
            raise Malformed(f"function {function.name} has a variable that the program does not have")
    for edge in program.edges:
        for term, sort in _terms(program, edge, declared):
            if term.sort != sort:
                raise Malformed(f"edge {edge.id}: a term of sort {term.sort} where one of sort {sort} is needed")
            if not term.symbols() <= declared_symbols:
                raise Malformed(f"edge {edge.id}: a symbol that is neither a variable nor an input")


def _terms(program: Program, edge: Edge, declared: frozenset[Term]) -> Iterator[tuple[Term, Sort]]:
    """The terms of an edge, with the sort that each must have."""
    match edge.operation:
        case Assume(condition):
            yield condition, BOOL
        case Assign(updates):
            targets = [x for x, _ in updates]
            if len(set(targets)) < len(targets) or not declared.issuperset(targets):
                raise Malformed(f"edge {edge.id}: assigns twice, or to what is no variable")
            yield from ((value, x.sort) for x, value in updates)
        case Call(name, arguments):
            parameters = program.functions[name].parameters
            if len(parameters) != len(arguments):
                raise Malformed(f"edge {edge.id}: {len(arguments)} arguments for {len(parameters)} parameters")
            yield from ((value, x.sort) for x, value in zip(parameters, arguments, strict=True))


def _check_places(program: Program) -> None:
    """Raises `Malformed` for locations and functions that the program does not have, and edges between functions."""
    known = range(len(program.locations))
    ends = [i for e in program.edges for i in (e.source, e.target)]
    places = [i for f in program.functions.values() for i in (f.entry, f.exit)]
    if any(i not in known for i in (*ends, *places, *(c.location for c in program.checks))):
        raise Malformed("the program refers to a location that it does not have")
    called = {e.operation.function for e in program.edges if isinstance(e.operation, Call)}
    owner = [at.function for at in program.locations]
    if not {program.start, *called, *owner} <= program.functions.keys():
        raise Malformed("the program refers to a function that it does not have")
    within = all(owner[e.source] == owner[e.target] for e in program.edges)
    if not within or any({owner[f.entry], owner[f.exit]} != {f.name} for f in program.functions.values()):
        raise Malformed("an edge leads to another function, or a function begins or ends in another one")
