"""Drawn graphs as plain values: boxes with places, wires with their polylines, and how each of them looks at a moment.

Canvas and SVG paint the same values. Texts are asked for box by box, since of a large graph few are ever read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, Flag, StrEnum, auto

from core.layout import Point, Size


class Role(StrEnum):
    """What a box stands for, for its shape and colour."""

    PLAIN = "plain"
    ENTRY = "entry"
    EXIT = "exit"
    LOOP = "loop"
    ERROR = "error"


class WireKind(StrEnum):
    """What a wire means. `TRUE` and `FALSE` are branches by the condition in the last row of their source.

    `COVER` leads from a state to one that covers its successor, `PATH` is a step of the path that the graph has not.
    """

    PLAIN = "plain"
    TRUE = "true"
    FALSE = "false"
    BACK = "back"
    COVER = "cover"
    PATH = "path"


class Look(Flag):
    """How a box looks at a moment. What is ABSENT is drawn as a faint outline, what is HIDDEN not at all."""

    NONE = 0
    HIDDEN = auto()
    ABSENT = auto()
    UNREACHED = auto()
    NEW = auto()
    CHANGED = auto()
    GONE = auto()
    PATH = auto()


class TextStyle(Enum):
    """How a line of a box is written."""

    HEAD = "head"
    CODE = "code"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class BoxLine:
    """A line of a box. `marked`: it is part of the contradiction; `condition`: branches leave by it."""

    text: str
    style: TextStyle = TextStyle.CODE
    marked: bool = False
    condition: bool = False


@dataclass(frozen=True, slots=True)
class Box:
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
    """A line from box to box, given by their positions. `sign` stands where it begins: which way a branch goes."""

    source: int
    target: int
    points: tuple[Point, ...]
    kind: WireKind = WireKind.PLAIN
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph that was laid out."""

    size: Size
    boxes: tuple[Box, ...]
    wires: tuple[Wire, ...]


@dataclass(frozen=True)
class Sheet:
    """A picture at a moment: `looks` is parallel to the boxes; `path` are the wires that the path takes.

    `lines` are the texts of a box, `about` its tooltip, `badge` a few signs at its upper right corner.
    `extra` are wires that are drawn for this moment only; `joined` says in words how a box is joined with others beside
    the wires of the picture.
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
    """A graph as a tree of rows: `parents` has for each box the box above it, or -1.

    Without groups it is the tree that is drawn, so that no row has to say where its wires lead. If there are `groups`,
    they are the uppermost rows, and all boxes lie below the one that is `drawn`; `names` are what stands there, where
    it is not the group itself.
    """

    parents: Sequence[int]
    groups: tuple[str, ...] = ()
    drawn: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


def signs_to_the_left(picture: Picture) -> frozenset[int]:
    """The wires whose sign stands to the left of their beginning: of those that leave a box the one furthest left."""
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
    """The look in signs, so that no colour stands alone."""
    found = (("+", Look.NEW), ("≠", Look.CHANGED), ("−", Look.GONE))
    return "".join(sign for sign, one in found if one in look)
