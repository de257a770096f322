"""Serialisation of programs and evidence as JSON values. What is read is checked, and nothing of it is executed.

Law: equal programs give equal values, so `encode_program` also compares two lowerings of one source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from core.dataclass import dataclass
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
from core.program.expansion import At
from core.program.source import SourceTable, SourceType
from core.program.span import Span
from core.program.unwinding import UnwoundPlace
from core.terms import Arena, ArrayValue, Term, Value
from core.verdict import (
    Certificate,
    Contract,
    Executed,
    Fold,
    Gap,
    Ghost,
    GhostField,
    HeapGhosts,
    InputValue,
    Outcome,
    Safe,
    Unsafe,
)
from runs.jsondata import Malformed, as_bool, as_int, as_ints, as_list, as_object, as_row, as_str
from runs.source_json import decode_source, encode_source
from runs.spans import decode_span, encode_span
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
    data = _Fields(value)
    reader = read_table(data["terms"], arena)
    functions = [_decode_function(item, reader) for item in as_list(data["functions"])]
    variables = [_decode_variable(item, reader) for item in as_list(data["variables"])]
    inputs = [_decode_input(item, reader) for item in as_list(data["inputs"])]
    program = Program(
        arena=arena,
        functions={f.name: f for f in functions},
        locations=tuple(_decode_location(i, item) for i, item in enumerate(as_list(data["locations"]))),
        edges=tuple(_decode_edge(i, item, reader) for i, item in enumerate(as_list(data["edges"]))),
        variables={v.symbol: v for v in variables},
        inputs={i.symbol: i for i in inputs},
        checks=tuple(_decode_check(i, item) for i, item in enumerate(as_list(data["checks"]))),
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
    data = _Fields(value)
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
    data = _Fields(value)
    return Function(
        name=as_str(data["name"]),
        parameters=_terms(data["parameters"], reader),
        locals=_terms(data["locals"], reader),
        result=None if data["result"] is None else reader.term(as_int(data["result"])),
        entry=as_int(data["entry"]),
        exit=as_int(data["exit"]),
        span=_decode_optional_span(data["span"]),
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
    return Location(number, as_str(function), _decode_optional_span(span), as_bool(loop))


def _decode_edge(number: int, value: object, reader: TermReader) -> Edge:
    source, target, operation, span, text = as_row(value, 5)
    decoded = _decode_operation(operation, reader)
    return Edge(number, as_int(source), as_int(target), decoded, _decode_optional_span(span), as_str(text))


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
    return Input(term, _input_kind(kind), as_str(name), decode_span(span), _decode_range(bounds))


def _decode_check(number: int, value: object) -> Check:
    row = as_list(value)
    property_, location, span, description, begins = as_row([*row, None] if len(row) == 4 else row, 5)  # 4: schema 5
    known = None if begins is None else as_int(begins)
    return Check(number, as_str(property_), as_int(location), decode_span(span), as_str(description), known)


# Evidence


@dataclass(frozen=True)
class Evidence:
    """The evidence of an engine for the checks that it decided, by check id."""

    certificates: Mapping[int, Certificate]
    counterexamples: Mapping[int, Unsafe]
    executed: tuple[int, ...] = ()

    def outcomes(self) -> dict[int, Outcome]:
        """The outcomes that the evidence is of."""
        proofs: dict[int, Outcome] = {check: Safe(one) for check, one in self.certificates.items()}
        return {**proofs, **dict.fromkeys(self.executed, Executed()), **self.counterexamples}


def encode_evidence(outcomes: Mapping[int, Outcome]) -> _Json:
    """The JSON value of the evidence in `outcomes`; a certificate that several checks share is written once."""
    table = TermTable()
    shared: dict[int, tuple[Certificate, list[int]]] = {}
    for check, outcome in outcomes.items():
        if isinstance(outcome, Safe):
            shared.setdefault(id(outcome.certificate), (outcome.certificate, []))[1].append(check)
    executed = [check for check, outcome in outcomes.items() if isinstance(outcome, Executed)]
    return {
        "certificates": [_encode_certificate(c, checks, table) for c, checks in shared.values()],
        "counterexamples": [
            {
                "check": check,
                "inputs": [_encode_input_value(i) for i in outcome.inputs],
                "path": list(outcome.path),
                **({"gaps": [_encode_gap(gap, table) for gap in outcome.gaps]} if outcome.gaps else {}),
            }
            for check, outcome in outcomes.items()
            if isinstance(outcome, Unsafe)
        ],
        **({"executed": executed} if executed else {}),
        "terms": table.rows,
    }


def decode_evidence(value: object, arena: Arena) -> Evidence:
    """The evidence that `encode_evidence` wrote, with terms in `arena`. Raises `Malformed`."""
    data = _Fields(value)
    reader = read_table(data["terms"], arena)
    certificates: dict[int, Certificate] = {}
    for item in as_list(data["certificates"]):
        fields = _Fields(item)
        rows = [as_row(row, 3) for row in as_list(fields["invariants"])]
        invariants = {At(as_ints(stack), as_int(at)): reader.term(as_int(formula)) for stack, at, formula in rows}
        contracts, ghosts = _decode_contracts(item, reader), tuple(_decode_ghosts(item, reader))
        lemmas, rounds = _terms(fields["lemmas"], reader), _decode_rounds(item)
        certificate = Certificate(invariants, lemmas, contracts, ghosts, rounds)
        certificates.update(dict.fromkeys(as_ints(fields["checks"]), certificate))
    counterexamples: dict[int, Unsafe] = {}
    for item in as_list(data["counterexamples"]):
        fields = _Fields(item)
        inputs = tuple(_decode_input_value(i) for i in as_list(fields["inputs"]))
        counterexamples[as_int(fields["check"])] = Unsafe(inputs, as_ints(fields["path"]), _decode_gaps(item, reader))
    executed = as_ints(data["executed"]) if "executed" in as_object(value) else ()
    return Evidence(certificates, counterexamples, executed)


def _encode_certificate(certificate: Certificate, checks: list[int], table: TermTable) -> _Json:
    contracts = [[name, table.id(c.pre), table.id(c.post)] for name, c in certificate.contracts.items()]
    return {
        "checks": checks,
        "invariants": [
            [list(at.stack), at.location, table.id(formula)] for at, formula in certificate.invariants.items()
        ],
        "lemmas": [table.id(t) for t in certificate.lemmas],
        **({"contracts": contracts} if contracts else {}),
        **({"ghosts": [_encode_ghost(one, table) for one in certificate.ghosts]} if certificate.ghosts else {}),
        **({"rounds": [_encode_round(one) for one in certificate.rounds]} if certificate.rounds is not None else {}),
    }


def _encode_ghost(ghost: Ghost, table: TermTable) -> list[object]:
    if isinstance(ghost, HeapGhosts):
        return ["heap", _encode_heap(ghost, table)]
    return ["fold", _encode_fold(ghost, table)]


def _decode_ghosts(certificate: object, reader: TermReader) -> Iterator[Ghost]:
    """The ghosts of a certificate; until schema 6 those of the heap and others had fields of their own."""
    data = as_object(certificate)
    heaps = [["heap", data["heap"]]] if "heap" in data else []
    rows = as_list(data.get("ghosts", [])) + heaps + [["fold", fold] for fold in as_list(data.get("folds", []))]
    for row in rows:
        kind, value = as_row(row, 2)
        if kind not in _GHOSTS:
            raise Malformed(f"unknown kind of ghost {kind!r}")
        yield _GHOSTS[as_str(kind)](value, reader)


def _encode_fold(fold: Fold, table: TermTable) -> list[object]:
    terms = (fold.symbol, fold.result, fold.index, fold.first, fold.step, fold.bound)
    return [list(fold.at.stack), fold.at.location, sorted(fold.edges), [table.id(t) for t in terms]]


def _decode_fold(value: object, reader: TermReader) -> Fold:
    stack, location, edges, numbers = as_row(value, 4)
    symbol, *terms = (reader.term(as_int(number)) for number in as_row(numbers, 6))
    return Fold(symbol, At(as_ints(stack), as_int(location)), frozenset(as_ints(edges)), *terms)


def _encode_round(place: UnwoundPlace) -> list[object]:
    return [list(place.at.stack), place.at.location, [list(numbers) for numbers in place.rounds]]


def _decode_rounds(certificate: object) -> tuple[UnwoundPlace, ...] | None:
    """The rounds of a complete unrolling; other certificates do not mention them."""
    stored = as_object(certificate).get("rounds")
    if stored is None:
        return None
    rows = [as_row(row, 3) for row in as_list(stored)]
    return tuple(
        UnwoundPlace(At(as_ints(stack), as_int(at)), tuple(map(as_ints, as_list(rounds)))) for stack, at, rounds in rows
    )


def _decode_contracts(certificate: object, reader: TermReader) -> dict[str, Contract]:
    """The contracts of a certificate; those that have none, as all did once, do not mention them."""
    rows = [as_row(row, 3) for row in as_list(as_object(certificate).get("contracts", []))]
    return {as_str(name): Contract(reader.term(as_int(pre)), reader.term(as_int(post))) for name, pre, post in rows}


def _encode_heap(ghosts: HeapGhosts, table: TermTable) -> _Json:
    number = table.id
    return {
        "allocated": number(ghosts.allocated),
        "fields": [
            [number(g.array), g.offset, *(number(x) for x in (g.reaches, g.written, g.length) if x is not None)]
            for g in ghosts.fields
        ],
        "structured": sorted([list(at.stack), at.location] for at in ghosts.structured),
    }


def _decode_heap(value: object, reader: TermReader) -> HeapGhosts:
    data, term = _Fields(value), reader.term
    fields: list[GhostField] = []
    for item in as_list(data["fields"]):
        row = as_list(item)
        array, offset, reaches, written, *length = map(as_int, as_row(row, 5 if len(row) > 4 else 4))
        fields.append(GhostField(term(array), offset, term(reaches), term(written), *map(term, length)))
    places = [as_row(row, 2) for row in as_list(data["structured"])]
    structured = frozenset(At(as_ints(stack), as_int(at)) for stack, at in places)
    return HeapGhosts(term(as_int(data["allocated"])), tuple(fields), structured)


_GHOSTS: Mapping[str, Callable[[object, TermReader], Ghost]] = {"heap": _decode_heap, "fold": _decode_fold}


def _encode_gap(gap: Gap, table: TermTable) -> list[object]:
    return [gap.position, [[table.id(x), value] for x, value in gap.values.items()]]


def _decode_gaps(item: object, reader: TermReader) -> tuple[Gap, ...]:
    """The gaps of a counterexample; there was one at most once."""
    data = as_object(item)
    rows = as_list(data["gaps"]) if "gaps" in data else [data["gap"]] if "gap" in data else []
    return tuple(_decode_gap(row, reader) for row in rows)


def _decode_gap(value: object, reader: TermReader) -> Gap:
    """A gap; one of which no values are known was written as its position once."""
    if not isinstance(value, list):
        return Gap(as_int(value))
    position, values = as_row(value, 2)
    rows = [as_row(row, 2) for row in as_list(values)]
    return Gap(as_int(position), {reader.term(as_int(x)): as_int(number) for x, number in rows})


def _encode_input_value(i: InputValue) -> list[object]:
    return [i.kind.value, i.name, encode_span(i.span), i.occurrence, _encode_value(i.value)]


def _decode_input_value(value: object) -> InputValue:
    kind, name, span, occurrence, found = as_row(value, 5)
    return InputValue(_input_kind(kind), as_str(name), decode_span(span), as_int(occurrence), _decode_value(found))


def _encode_value(value: Value) -> object:
    if isinstance(value, ArrayValue):
        return [value.default, sorted([i, v] for i, v in value.entries.items())]
    return value


def _decode_value(value: object) -> Value:
    if isinstance(value, bool):
        return value
    if not isinstance(value, list):
        return as_int(value)
    default, entries = as_row(value, 2)
    return ArrayValue(as_int(default), {as_int(i): as_int(v) for i, v in (as_row(e, 2) for e in as_list(entries))})


# Parts that both share


class _Fields:
    """The fields of a JSON object, all of which must be there."""

    def __init__(self, value: object) -> None:
        self._data = as_object(value)

    def __getitem__(self, name: str) -> object:
        if name not in self._data:
            raise Malformed(f"{name!r} is missing")
        return self._data[name]


def _decode_optional_span(value: object) -> Span | None:
    return None if value is None else decode_span(value)


def _encode_range(bounds: Range | None) -> list[int] | None:
    return None if bounds is None else [bounds.low, bounds.high]


def _decode_range(value: object) -> Range | None:
    if value is None:
        return None
    low, high = map(as_int, as_row(value, 2))
    return Range(low, high)


def _input_kind(value: object) -> InputKind:
    try:
        return InputKind(as_str(value))
    except ValueError:
        raise Malformed(f"unknown kind of input {value!r}") from None


def _terms(value: object, reader: TermReader) -> tuple[Term, ...]:
    return tuple(reader.term(n) for n in as_ints(value))
