"""What the layout takes and gives: plain values. Units are whatever sizes are given in; y grows downwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

CancelCheck = Callable[[], None]
"""Called again and again while a drawing is made, some milliseconds apart. Who wants it to end raises an exception."""


def unchecked() -> None:
    """Nobody wants the drawing to end early."""


class Point(NamedTuple):
    x: float
    y: float


class Size(NamedTuple):
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
    """`centres` is parallel to the nodes and `routes` to the links. Nodes and labels do not overlap each other."""

    size: Size
    centres: tuple[Point, ...]
    routes: tuple[Route, ...]
