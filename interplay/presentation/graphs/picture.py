"""Drawn graphs as plain values: boxes with positions, wires with polylines, and their looks in a moment of the run.

Canvas and SVG paint the same values. Texts are computed for each box on demand, since few boxes of a large graph are
ever read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import Enum, Flag, StrEnum, auto

from core.dataclass import dataclass
from interplay.presentation.layout import Point, Size


class Role(StrEnum):
    """The role of a box, for its shape and colour."""

    PLAIN = "plain"
    ENTRY = "entry"
    EXIT = "exit"
    LOOP = "loop"
    ERROR = "error"


class WireKind(StrEnum):
    """The kind of a wire. `TRUE` and `FALSE` are branches by the condition in the last row of their source.

    `COVER` leads from a state to one that covers its successor, `PATH` is a step of the path that the graph has not.
    `POINTER` leads from a variable to a record of a heap, `REACH` from a record to one that it reaches in some steps.
    """

    PLAIN = "plain"
    TRUE = "true"
    FALSE = "false"
    BACK = "back"
    COVER = "cover"
    PATH = "path"
    POINTER = "pointer"
    REACH = "reach"


class Look(Flag):
    """The look of a box in a moment of the run. ABSENT boxes are drawn as faint outlines, HIDDEN ones not at all."""

    NONE = 0
    HIDDEN = auto()
    ABSENT = auto()
    UNREACHED = auto()
    NEW = auto()
    CHANGED = auto()
    GONE = auto()
    PATH = auto()


class TextStyle(Enum):
    """The text style of a line of a box."""

    HEAD = "head"
    CODE = "code"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class BoxLine:
    """A line of text in a box. `marked`: part of the contradiction; `condition`: the condition of the branches."""

    text: str
    style: TextStyle = TextStyle.CODE
    marked: bool = False
    condition: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A box with its position and role."""

    left: float
    top: float
    width: float
    height: float
    role: Role = Role.PLAIN

    @property
    def centre(self) -> Point:
        return Point(self.left + self.width / 2, self.top + self.height / 2)


@dataclass(frozen=True, slots=True)
class Wire:
    """A line from box to box, given by their indices. `sign` is written at its start: true or false at branches."""

    source: int
    target: int
    points: tuple[Point, ...]
    kind: WireKind = WireKind.PLAIN
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph with a layout."""

    size: Size
    boxes: tuple[Box, ...]
    wires: tuple[Wire, ...]


@dataclass(frozen=True)
class Sheet:
    """A picture in a moment of the run: `looks` is parallel to the boxes; `path` are the wires on the path.

    `lines` are the texts of a box, `about` its tooltip, `badge` a few signs at its upper right corner. `extra` are
    wires of this moment only; `joined` describes connections of a box that are not wires of the picture.
    """

    picture: Picture
    looks: Sequence[Look]
    lines: Callable[[int], Sequence[BoxLine]]
    about: Callable[[int], str]
    badge: Callable[[int], str]
    path: frozenset[int] = frozenset()
    extra: tuple[Wire, ...] = ()
    joined: Callable[[int], Sequence[str]] = lambda _: ()


@dataclass(frozen=True)
class Outline:
    """A graph as a tree of rows: `parents` has the parent of each box, or -1.

    Without groups it is the tree that is drawn, so rows need not name the targets of their wires. `groups` are the
    uppermost rows, and all boxes are below the group `drawn`; `names` are the texts of groups, where they differ from
    the group.
    """

    parents: Sequence[int]
    groups: tuple[str, ...] = ()
    drawn: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


def signs_to_the_left(picture: Picture) -> frozenset[int]:
    """The wires whose sign is to the left of their start: of those that leave a box the leftmost."""
    first: dict[int, int] = {}
    for number, wire in enumerate(picture.wires):
        if wire.sign:
            known = first.get(wire.source)
            if known is None or wire.points[0].x < picture.wires[known].points[0].x:
                first[wire.source] = number
    return frozenset(first.values())


FONT = 11.0  # pixels
LINE = 15.0  # from one line of text to the next
PADDING = 8.0
CHARACTER = 0.61 * FONT  # width of a character of a monospaced font


def cut(text: str, longest: int) -> str:
    """The text with at most so many characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def signs(look: Look) -> str:
    """The signs of a look, so that no meaning has a colour alone."""
    found = (("+", Look.NEW), ("≠", Look.CHANGED), ("−", Look.GONE))
    return "".join(sign for sign, one in found if one in look)
