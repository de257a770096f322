"""Serialisation of what the source says about variables (`core/program/source.py`).

Lists of enumerators are written once and referred to by number, since many parts share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.program.source import (
    EscapingArgument,
    IndexStep,
    MemberStep,
    PointerTarget,
    SourceObject,
    SourcePart,
    SourceStep,
    SourceTable,
)
from core.terms import Term
from runs.jsondata import Malformed, as_bool, as_int, as_list, as_object, as_row, as_str
from runs.spans import decode_optional_span, encode_span
from runs.termtable import TermReader, TermTable

_Json = dict[str, object]
_Values = tuple[tuple[int, str], ...]


def encode_source(source: SourceTable, table: TermTable) -> _Json:
    """The JSON value of a table, whose terms get numbers in `table`."""
    sets: dict[_Values, int] = {}

    def part(source_part: SourcePart) -> list[object]:
        number = sets.setdefault(source_part.values, len(sets))
        return [table.id(source_part.variable), [_encode_step(step) for step in source_part.steps], number]

    objects = [
        [
            one.name,
            one.function,
            encode_span(one.span),
            encode_span(one.scope),
            None if one.address is None else table.id(one.address),
            [part(each) for each in one.parts],
            one.hidden,
        ]
        for one in source.objects
    ]
    targets = [[one.type, one.size, [part(each) for each in one.parts]] for one in source.targets]
    return {
        "objects": objects,
        "targets": targets,
        "pointers": [[table.id(x), target] for x, target in source.pointers.items()],
        "values": [[[value, name] for value, name in values] for values in sets],
        **({"handed": _encode_escaping(source, table)} if source.escaping else {}),
    }


def _encode_escaping(source: SourceTable, table: TermTable) -> list[object]:
    return [
        [
            table.id(x),
            [None if one is None else [table.id(one.address), one.is_written, one.size] for one in arguments],
        ]
        for x, arguments in source.escaping.items()
    ]


def _encode_step(step: SourceStep) -> list[object]:
    return [step.name, step.offset] if isinstance(step, MemberStep) else [step.stride, step.length]


def decode_source(value: object, reader: TermReader) -> SourceTable:
    """The table that `encode_source` wrote. Raises `Malformed`."""
    data = as_object(value)
    if not {"objects", "targets", "pointers", "values"} <= data.keys():
        raise Malformed("a field of the source table is missing")
    sets = [tuple(map(_decode_value, as_list(one))) for one in as_list(data["values"])]

    def part(item: object) -> SourcePart:
        variable, steps, number = as_row(item, 3)
        if not 0 <= as_int(number) < len(sets):
            raise Malformed("the source table refers to enumerators that it does not have")
        return SourcePart(reader.term(as_int(variable)), tuple(map(_decode_step, as_list(steps))), sets[as_int(number)])

    def object_(item: object) -> SourceObject:
        name, function, span, scope, address, parts, hidden = as_row(item, 7)
        return SourceObject(
            as_str(name),
            None if function is None else as_str(function),
            decode_optional_span(span),
            decode_optional_span(scope),
            None if address is None else reader.term(as_int(address)),
            tuple(map(part, as_list(parts))),
            as_bool(hidden),
        )

    targets = tuple(
        PointerTarget(as_str(type_), as_int(size), tuple(map(part, as_list(parts))))
        for type_, size, parts in (as_row(item, 3) for item in as_list(data["targets"]))
    )
    pointers = {reader.term(as_int(x)): as_int(to) for x, to in (as_row(item, 2) for item in as_list(data["pointers"]))}
    if any(not 0 <= to < len(targets) for to in pointers.values()):
        raise Malformed("the source table refers to a target that it does not have")
    escaping = dict(_decode_escaping(as_list(data["handed"]) if "handed" in data else (), reader))
    return SourceTable(tuple(map(object_, as_list(data["objects"]))), targets, pointers, escaping)


def _decode_escaping(
    value: Iterable[object], reader: TermReader
) -> Iterator[tuple[Term, tuple[EscapingArgument | None, ...]]]:
    for item in value:
        x, arguments = as_row(item, 2)
        yield reader.term(as_int(x)), tuple(_decode_argument(one, reader) for one in as_list(arguments))


def _decode_argument(item: object, reader: TermReader) -> EscapingArgument | None:
    if item is None:
        return None
    address, is_written, size = as_row(item, 3)
    return EscapingArgument(reader.term(as_int(address)), as_bool(is_written), None if size is None else as_int(size))


def _decode_value(item: object) -> tuple[int, str]:
    value, name = as_row(item, 2)
    return as_int(value), as_str(name)


def _decode_step(item: object) -> SourceStep:
    first, second = as_row(item, 2)
    if isinstance(first, str):
        return MemberStep(first, as_int(second))
    if as_int(first) < 1:
        raise Malformed("elements of an array are at one place")
    return IndexStep(as_int(first), None if second is None else as_int(second))
