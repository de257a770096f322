"""A queue of the parts of a witness that wait until the elaboration comes to their place."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Generic, TypeVar

from frontend.elaboration.annotations import Annotations
from frontend.parsing import syntax
from frontend.source import ParseError, Span
from frontend.witness.reader import WitnessLocation

T = TypeVar("T")


class Waiting(Generic[T]):
    """Items by the line of their place; without a column, the first place on the line is theirs."""

    def __init__(self, items: Iterable[tuple[WitnessLocation, T]]) -> None:
        self._by_line: dict[int, list[tuple[WitnessLocation, T]]] = {}
        for location, item in items:
            self._by_line.setdefault(location.line, []).append((location, item))

    def taken(self, place: Span, function: str) -> list[T]:
        """The items whose place this is; they wait no longer."""
        here = self._by_line.get(place.line)
        if not here:
            return []
        found = [one for one in here if _is_at(one[0], place, function)]
        self._by_line[place.line] = [one for one in here if one not in found]
        return [item for _, item in found]

    def refuse_missed(self, what: str) -> None:
        """Complain about the first item that still waits: the program has nothing of the kind at its place."""
        for items in self._by_line.values():
            for location, _ in items:
                raise ParseError(location.span, f"there is no {what} at {location}")


def _is_at(location: WitnessLocation, place: Span, function: str) -> bool:
    return (
        location.column in (None, place.column)
        and location.function in ("", function)
        and (not location.file or PurePath(location.file).name == PurePath(place.file).name)
    )


def start_of(unit: Annotations, node: syntax.StatementSyntax) -> Span:
    """The first token of a statement or a declaration."""
    first = unit.declared_from(node) if isinstance(node, syntax.DeclarationSyntax) else node.first
    return unit.prepared.span(first, first)


def function_of(unit: Annotations) -> str:
    return unit.body.name if unit.body else ""
