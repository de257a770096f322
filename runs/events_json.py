"""Events as JSON lines: a header, then one line per event with its `kind` first and its fields in order.

Law: `decode(encode(e)) == e`, and equal events give equal bytes. Readers skip kinds and fields that they do not know,
so that a newer writer's files still open; a known field of a wrong type is an error.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, fields
from functools import cache
from typing import Union, get_args, get_origin, get_type_hints

from core.verdict import Confirmer
from runs.events import OLDEST_SCHEMA, SCHEMA_VERSION, CheckDecided, Event
from runs.jsondata import (
    Malformed,
    as_bool,
    as_int,
    as_ints,
    as_list,
    as_object,
    as_row,
    as_str,
    compact,
    parse,
    parse_lines,
)

FORMAT = "interplay-events"

_Reader = Callable[[object], object]
_Field = tuple[str, _Reader, object]
"""The name of a field, its reader, and its value where it is left out: `MISSING` if it must not be."""


def header(writer: str) -> str:
    """The first line of a stream; `writer` is the program and its version."""
    return compact({"format": FORMAT, "schema": SCHEMA_VERSION, "writer": writer})


def read_header(line: str | bytes) -> int:
    """The schema version that the first line of a stream states. Raises `Malformed`."""
    found = as_object(parse(line))
    if found.get("format") != FORMAT:
        raise Malformed("not an event stream of interplay")
    return read_schema(found.get("schema"))


def read_schema(value: object) -> int:
    """A schema version. Raises `Malformed` for one that is not read here."""
    version = as_int(value)
    if version < OLDEST_SCHEMA:
        raise Malformed(f"schema version {version} is not read here; the oldest that is read is {OLDEST_SCHEMA}")
    return version


def encode(event: Event) -> str:
    """The line of an event, without its end."""
    data: dict[str, object] = {"kind": event.kind}
    for name in _names(event.kind):
        data[name] = getattr(event, name)
    return compact(data)


def decode(line: str | bytes) -> Event | None:
    """The event of a line; None if its kind is unknown. Raises `Malformed`."""
    return _event(parse(line))


def decode_all(lines: Sequence[bytes]) -> Iterator[Event | None]:
    """The events of lines, as `decode` has them."""
    return map(_event, parse_lines(lines))


def _event(value: object) -> Event | None:
    data = as_object(value)
    kind = as_str(data.get("kind"))
    if kind not in _types():
        return None
    make, readers = _maker(kind)
    if kind == CheckDecided.kind:
        data = _converted(data)
    try:
        return make(*[reader(data[name]) for name, reader, _ in readers])
    except (KeyError, Malformed):
        return make(*_fields(kind, data, readers))


def _fields(kind: str, data: dict[str, object], readers: Sequence[_Field]) -> list[object]:
    """The values of the fields where some are left out, or wrong."""
    values: list[object] = []
    for name, reader, default in readers:
        if name in data:
            try:
                values.append(reader(data[name]))
            except Malformed as error:
                raise Malformed(f"event {kind!r}, field {name!r}: {error}") from None
        elif default is MISSING:
            raise Malformed(f"event {kind!r} lacks {name!r}")
        else:
            values.append(default)
    return values


def _converted(data: dict[str, object]) -> dict[str, object]:
    """The fields of a decision; until schema 7 the words of a confirmation alone said its kind."""
    if "confirmer" in data:
        return data
    words = data.get("confirmed_by")
    kinds = (one for one in Confirmer if isinstance(words, str) and words.startswith(one))
    return {**data, "confirmer": next(kinds, "")}


@cache
def _types() -> dict[str, type[Event]]:
    return {event_type.kind: event_type for event_type in get_args(Event)}


@cache
def _names(kind: str) -> tuple[str, ...]:
    return tuple(field.name for field in fields(_types()[kind]))


@cache
def _maker(kind: str) -> tuple[Callable[..., Event], tuple[_Field, ...]]:
    """The class of a kind, and its fields."""
    event_type = _types()[kind]
    hints = get_type_hints(event_type)
    return event_type, tuple((f.name, _reader(hints[f.name]), f.default) for f in fields(event_type))


def _reader(hint: object) -> _Reader:
    """The reader of JSON values of the annotated type: int, str, bool, X | None, (X, ...), (X, Y, Z)."""
    if hint is int:
        return as_int
    if hint is str:
        return as_str
    if hint is bool:
        return as_bool
    arguments = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return _optional(_reader(next(a for a in arguments if a is not type(None))))
    if get_origin(hint) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        if arguments[0] is int:
            return as_ints
        return _sequence(_reader(arguments[0]))
    if get_origin(hint) is tuple:
        return _row(tuple(map(_reader, arguments)))
    raise TypeError(f"events have no fields of type {hint}")


def _optional(inner: _Reader) -> _Reader:
    return lambda value: None if value is None else inner(value)


def _sequence(inner: _Reader) -> _Reader:
    return lambda value: tuple([inner(item) for item in as_list(value)])


def _pair(first: _Reader, second: _Reader) -> _Reader:
    def read(value: object) -> object:
        one, other = as_row(value, 2)
        return first(one), second(other)

    return read


def _row(inner: tuple[_Reader, ...]) -> _Reader:
    if len(inner) == 2:
        return _pair(*inner)
    return lambda value: tuple([r(item) for r, item in zip(inner, as_row(value, len(inner)), strict=True)])
