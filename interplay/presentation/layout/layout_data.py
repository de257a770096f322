"""Inputs and outputs of the layout: plain values. Units are those in which sizes are given; y grows downwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from core.dataclass import dataclass

_T = TypeVar("_T")
_SOME = 100  # items between two checks

CancelCheck = Callable[[], None]
"""Called again and again while a drawing is made, at most some milliseconds apart. Who wants it to end raises an
exception; who wants it to pause returns later."""


def unchecked() -> None:
    """The hook for a layout that nothing ends early."""


def checked(items: Iterable[_T], check: CancelCheck) -> Iterator[_T]:
    """The same items, with regular checks."""
    for number, item in enumerate(items):
        if number % _SOME == 0:
            check()
        yield item


class Point(NamedTuple):
    """A point of a drawing."""

    x: float
    y: float


class Size(NamedTuple):
    """The size of a node or of a label."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between nodes, given by their positions in the sequence; `label` is the size of its text."""

    source: int
    target: int
    label: Size | None = None


@dataclass(frozen=True, slots=True)
class Spacing:
    """The least distances between neighbours in a layer and between layers, and the border around everything."""

    between: float = 18
    layers: float = 16
    margin: float = 12


@dataclass(frozen=True, slots=True)
class Route:
    """The polyline of a link, from the border of its source to that of its target; `label` is a top left corner."""

    points: tuple[Point, ...]
    label: Point | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished layout: `centres` is parallel to the nodes, `routes` to the links. Nodes and labels do not overlap."""

    size: Size
    centres: tuple[Point, ...]
    routes: tuple[Route, ...]
