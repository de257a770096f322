"""Initialisers that override others for the same part (C11 6.7.9, paragraph 19), and their order, as gcc has it.

The last one counts, and one for a whole part ends all that came before it for what is inside. Those that do not count
are not evaluated; the others are in the order of the parts, whatever the order of their designators.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.dataclass import dataclass
from frontend.source import Unsupported
from frontend.typed.ctype import Array, CType, Field, Record, RecordKind
from frontend.typed.tree import InitialiserEntry, Path


@dataclass(frozen=True, slots=True)
class Emptied:
    """The begin of braces or a string: nothing of the part has a value any more."""

    path: Path


_Parts = dict[int | Field, "_Parts | InitialiserEntry"]


def counting(type_: CType, given: Sequence[InitialiserEntry | Emptied]) -> tuple[InitialiserEntry, ...]:
    """The entries for an object of the type that count, of those in the order of the text.

    Raises Unsupported where a part of a struct or union is initialised after it was copied whole.
    """
    root: _Parts = {}
    for definition in given:
        if not definition.path:
            if isinstance(definition, InitialiserEntry):
                return (definition,)
            continue
        parts, within = root, type_
        for step in definition.path[:-1]:
            inner = _only(parts, within, step).setdefault(step, {})
            if isinstance(inner, InitialiserEntry):
                raise Unsupported(inner.value.span, "a value that is overridden in part is not supported")
            parts, within = inner, _type_of(within, step)
        _only(parts, within, definition.path[-1])[definition.path[-1]] = (
            definition if isinstance(definition, InitialiserEntry) else {}
        )
    return tuple(_in_order(root))


def _only(parts: _Parts, within: CType, step: int | Field) -> _Parts:
    """The parts; of a union only the member that the step leads to."""
    if isinstance(within, Record) and within.kind is RecordKind.UNION:
        for other in [member for member in parts if member != step]:
            del parts[other]
    return parts


def _type_of(within: CType, step: int | Field) -> CType:
    if isinstance(step, Field):
        return step.type
    assert isinstance(within, Array)
    return within.element


def _in_order(root: _Parts) -> Iterator[InitialiserEntry]:
    waiting: list[_Parts | InitialiserEntry] = [root]
    while waiting:
        part = waiting.pop()
        if isinstance(part, InitialiserEntry):
            yield part
        else:
            waiting += [part[step] for step in sorted(part, key=_position, reverse=True)]


def _position(step: int | Field) -> tuple[int, int]:
    return (step.offset, step.bit_offset) if isinstance(step, Field) else (step, 0)
