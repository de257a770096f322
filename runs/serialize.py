"""Serialisation of programs as JSON values. What is read is checked, and nothing of it is executed.

Law: equal programs give equal values, so `encode_program` also compares two lowerings of one source.
"""

from __future__ import annotations

from core.program import (
    Assign,
    Assume,
    Call,
    Cell,
    Check,
    Edge,
    Function,
    Input,
    InputKind,
    LifetimeVariables,
    Location,
    MemoryLayout,
    Operation,
    Program,
    Range,
    Variable,
)
from core.program.source import SourceTable, SourceType
from core.terms import Arena, Term
from runs.jsondata import Fields, Malformed, as_bool, as_int, as_ints, as_list, as_object, as_row, as_str, each
from runs.source_json import decode_source, encode_source
from runs.spans import decode_optional_span, decode_span, encode_span
from runs.termtable import TermReader, TermTable, read_table
from runs.wellformed import check_program

_Json = dict[str, object]


# Programs


def encode_program(program: Program) -> _Json:
    """The JSON value of a program, with everything that a view or an engine reads of it."""
    table = TermTable()
    encode = table.id
    return {
        "functions": [_encode_function(f, table) for f in program.functions.values()],
        "locations": [[at.function, encode_span(at.span), at.loop] for at in program.locations],
        "edges": [
            [e.source, e.target, _encode_operation(e.operation, table), encode_span(e.span), e.text]
            for e in program.edges
        ],
        "variables": [
            [encode(v.symbol), v.name, v.scope, str(v.c_type), _encode_range(v.range), v.extent, v.hidden]
            for v in program.variables.values()
        ],
        "inputs": [
            [encode(i.symbol), i.kind.value, i.name, encode_span(i.span), _encode_range(i.range)]
            for i in program.inputs.values()
        ],
        "checks": [[c.property, c.location, encode_span(c.span), c.description, c.begins] for c in program.checks],
        "start": program.start,
        "assumptions": list(program.assumptions),
        "warnings": list(program.warnings),
        **({} if program.memory is None else {"memory": _encode_memory(program.memory, table)}),
        "source": encode_source(program.source, table),
        "terms": table.rows,
    }


def decode_program(value: object, arena: Arena) -> Program:
    """The program that `encode_program` wrote, its terms made in `arena`. Raises `Malformed`."""
    data = Fields(value)
    reader = read_table(data["terms"], arena)
    functions = each(data["functions"], "functions", lambda _, item: _decode_function(item, reader))
    variables = each(data["variables"], "variables", lambda _, item: _decode_variable(item, reader))
    inputs = each(data["inputs"], "inputs", lambda _, item: _decode_input(item, reader))
    edges = each(data["edges"], "edges", lambda number, item: _decode_edge(number, item, reader))
    program = Program(
        arena=arena,
        functions={f.name: f for f in functions},
        locations=tuple(each(data["locations"], "locations", _decode_location)),
        edges=tuple(edges),
        variables={v.symbol: v for v in variables},
        inputs={i.symbol: i for i in inputs},
        checks=tuple(each(data["checks"], "checks", _decode_check)),
        start=as_str(data["start"]),
        assumptions=tuple(map(as_str, as_list(data["assumptions"]))),
        warnings=tuple(map(as_str, as_list(data["warnings"]))),
        memory=_decode_memory(data["memory"], reader) if "memory" in as_object(value) else None,
        source=decode_source(data["source"], reader) if "source" in as_object(value) else SourceTable(),
    )
    check_program(program)
    return program


def _encode_memory(memory: MemoryLayout, table: TermTable) -> _Json:
    encode, lives = table.id, memory.lifetimes
    return {
        "cells": [
            [encode(array), [[c.record, c.field, c.offset] for c in cells]] for array, cells in memory.cells.items()
        ],
        "pointers": [encode(x) for x in sorted(memory.pointers, key=lambda x: x.name)],
        "counter": encode(memory.counter),
        "fresh": encode(memory.fresh),
        "lifetimes": None
        if lives is None
        else [lives.block, encode(lives.sizes), encode(lives.releasable), encode(lives.count)],
    }


def _decode_memory(value: object, reader: TermReader) -> MemoryLayout:
    data = Fields(value)
    cells: dict[Term, tuple[Cell, ...]] = {}
    for item in as_list(data["cells"]):
        array, fields = as_row(item, 2)
        rows = [as_row(row, 3) for row in as_list(fields)]
        cells[reader.term(as_int(array))] = tuple(Cell(as_str(r), as_str(f), as_int(o)) for r, f, o in rows)
    lifetimes = None
    if data["lifetimes"] is not None:
        block, *numbers = (as_int(one) for one in as_row(data["lifetimes"], 4))
        lifetimes = LifetimeVariables(block, *map(reader.term, numbers))
    return MemoryLayout(
        cells,
        frozenset(_terms(data["pointers"], reader)),
        reader.term(as_int(data["counter"])),
        reader.term(as_int(data["fresh"])),
        lifetimes,
    )


def _encode_function(f: Function, table: TermTable) -> _Json:
    return {
        "name": f.name,
        "parameters": [table.id(p) for p in f.parameters],
        "locals": [table.id(x) for x in f.locals],
        "result": None if f.result is None else table.id(f.result),
        "entry": f.entry,
        "exit": f.exit,
        "span": encode_span(f.span),
    }


def _decode_function(value: object, reader: TermReader) -> Function:
    data = Fields(value)
    return Function(
        name=as_str(data["name"]),
        parameters=_terms(data["parameters"], reader),
        locals=_terms(data["locals"], reader),
        result=None if data["result"] is None else reader.term(as_int(data["result"])),
        entry=as_int(data["entry"]),
        exit=as_int(data["exit"]),
        span=decode_optional_span(data["span"]),
    )


def _encode_operation(operation: Operation, table: TermTable) -> list[object]:
    match operation:
        case Assume(condition):
            return ["assume", table.id(condition)]
        case Assign(updates):
            return ["assign", *([table.id(x), table.id(value)] for x, value in updates)]
        case Call(function, arguments):
            return ["call", function, *(table.id(a) for a in arguments)]


def _decode_operation(value: object, reader: TermReader) -> Operation:
    match as_list(value):
        case ["assume", condition]:
            return Assume(reader.term(as_int(condition)))
        case ["assign", *updates]:
            pairs = [_terms(as_row(update, 2), reader) for update in updates]
            return Assign(tuple((x, new) for x, new in pairs))
        case ["call", function, *arguments]:
            return Call(as_str(function), _terms(arguments, reader))
        case _:
            raise Malformed("unknown operation")


def _decode_location(number: int, value: object) -> Location:
    function, span, loop = as_row(value, 3)
    return Location(number, as_str(function), decode_optional_span(span), as_bool(loop))


def _decode_edge(number: int, value: object, reader: TermReader) -> Edge:
    source, target, operation, span, text = as_row(value, 5)
    decoded = _decode_operation(operation, reader)
    return Edge(number, as_int(source), as_int(target), decoded, decode_optional_span(span), as_str(text))


def _decode_variable(value: object, reader: TermReader) -> Variable:
    symbol, name, scope, c_type, bounds, extent, hidden = as_row(value, 7)
    return Variable(
        symbol=reader.term(as_int(symbol)),
        name=as_str(name),
        scope=None if scope is None else as_str(scope),
        c_type=SourceType.read(as_str(c_type)),
        range=_decode_range(bounds),
        extent=None if extent is None else as_int(extent),
        hidden=as_bool(hidden),
    )


def _decode_input(value: object, reader: TermReader) -> Input:
    symbol, kind, name, span, bounds = as_row(value, 5)
    term = reader.term(as_int(symbol))
    return Input(term, input_kind(kind), as_str(name), decode_span(span), _decode_range(bounds))


def _decode_check(number: int, value: object) -> Check:
    row = as_list(value)
    property_, location, span, description, begins = as_row([*row, None] if len(row) == 4 else row, 5)  # 4: schema 5
    known = None if begins is None else as_int(begins)
    return Check(number, as_str(property_), as_int(location), decode_span(span), as_str(description), known)


# Parts that both share


def _encode_range(bounds: Range | None) -> list[int] | None:
    return None if bounds is None else [bounds.low, bounds.high]


def input_kind(value: object) -> InputKind:
    """The kind of an input by its name. Raises `Malformed`."""
    try:
        return InputKind(as_str(value))
    except ValueError:
        raise Malformed(f"unknown kind of input {value!r}") from None


def _decode_range(value: object) -> Range | None:
    if value is None:
        return None
    low, high = map(as_int, as_row(value, 2))
    return Range(low, high)


def _terms(value: object, reader: TermReader) -> tuple[Term, ...]:
    return tuple(reader.term(n) for n in as_ints(value))
