"""Reading of untrusted JSON: every access states the type that it expects, and raises `Malformed` for others."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

_T = TypeVar("_T")
_MANY = 1000


class Malformed(ValueError):
    """Stored data is not what its format says. The message is one line for display, and begins with the place."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.args[0]}" if self.path else str(self.args[0])


def parse(text: str | bytes) -> object:
    """The value of a JSON text. Raises `Malformed`."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON: {str(error)[:200]}") from None
    return value


def parse_lines(lines: Sequence[bytes]) -> Iterator[object]:
    """The values of JSON texts of one line each. Many are parsed at once, which takes a third of the time."""
    for first in range(0, len(lines), _MANY):
        some = lines[first : first + _MANY]
        try:
            values = as_row(parse(b"[" + b",".join(some) + b"]"), len(some))
        except Malformed:
            yield from map(parse, some)  # which says where
        else:
            yield from values


def compact(value: object) -> str:
    """The JSON text of `value` as one line of ASCII without blanks; equal values give equal bytes."""
    return json.dumps(value, separators=(",", ":"))


def as_int(value: object) -> int:
    """The value as an integer, which a Boolean is not."""
    if type(value) is int:  # JSON gives no subclasses, and this is asked millions of times
        return value
    raise Malformed(f"expected an integer, found {_shown(value)}")


def as_bool(value: object) -> bool:
    """The value as a Boolean."""
    if isinstance(value, bool):
        return value
    raise Malformed(f"expected true or false, found {_shown(value)}")


def as_number(value: object) -> float:
    """The value as a number, which a Boolean is not."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise Malformed(f"expected a number, found {_shown(value)}")


def as_str(value: object) -> str:
    """The value as a string."""
    if isinstance(value, str):
        return value
    raise Malformed(f"expected a text, found {_shown(value)}")


def as_list(value: object) -> list[object]:
    """The value as a list."""
    if isinstance(value, list):
        return value
    raise Malformed(f"expected a list, found {_shown(value)}")


def as_row(value: object, length: int) -> list[object]:
    """The value as a list of exactly `length` values."""
    row = as_list(value)
    if len(row) != length:
        raise Malformed(f"expected {length} values, found {len(row)}")
    return row


def as_ints(value: object) -> tuple[int, ...]:
    """The value as integers."""
    items = as_list(value)
    for item in items:
        if type(item) is not int:
            as_int(item)
    return tuple(items)  # type: ignore[arg-type]  # all are


def as_object(value: object) -> dict[str, object]:
    """The value as a JSON object."""
    if isinstance(value, dict):
        return value
    raise Malformed(f"expected an object, found {_shown(value)}")


class Fields:
    """The fields of a JSON object: those that are asked for must be there, and others than `names` must not."""

    def __init__(self, value: object, names: Collection[str] = ()) -> None:
        self._data = as_object(value)
        strange = next((name for name in self._data if name not in names), None) if names else None
        if strange is not None:
            raise Malformed(f"there is no field {_shown(strange)} here, but {', '.join(names)}")

    def __getitem__(self, name: str) -> object:
        if name not in self._data:
            raise Malformed(f"{name!r} is missing")
        return self._data[name]

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def get(self, name: str) -> object:
        """The field, an empty list where it is left out."""
        return self._data.get(name, [])


def each(values: object, name: str, read: Callable[[int, object], _T]) -> list[_T]:
    """Each value of the list with this name, read by `read` from its position and itself; errors say which it was."""
    made: list[_T] = []
    try:
        for index, value in enumerate(as_list(values)):
            made.append(read(index, value))
    except Malformed as error:
        position = f"[{len(made)}]" if isinstance(values, list) else ""
        error.path = (f"{name}{position}", *error.path)
        raise
    return made


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
