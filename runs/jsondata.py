"""Reading of untrusted JSON: every access states the type that it expects, and raises `Malformed` for others."""

from __future__ import annotations

import json


class Malformed(ValueError):
    """Stored data is not what its format says. The message is one line for display."""


def parse(text: str | bytes) -> object:
    """The value of a JSON text. Raises `Malformed`."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON: {str(error)[:200]}") from None
    return value


def compact(value: object) -> str:
    """The JSON text of `value` as one line of ASCII without blanks; equal values give equal bytes."""
    return json.dumps(value, separators=(",", ":"))


def as_int(value: object) -> int:
    """The value as an integer, which a Boolean is not."""
    if isinstance(value, int) and not isinstance(value, bool):
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
    return tuple(as_int(item) for item in as_list(value))


def as_object(value: object) -> dict[str, object]:
    """The value as a JSON object."""
    if isinstance(value, dict):
        return value
    raise Malformed(f"expected an object, found {_shown(value)}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
