"""A heap as a drawing: records as boxes, variables as smaller ones that point to them, from left to right.

Variables that are equal share a box. An arrow leaves a record at the row of its field; a dashed one stands for any
number of steps. It is a layered drawing on its side: the layout works from top to bottom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.dataclass import dataclass
from interplay.presentation.graphs.picture import (
    CHARACTER,
    LINE,
    PADDING,
    Box,
    BoxLine,
    Look,
    Outline,
    Picture,
    Role,
    Sheet,
    TextStyle,
    Wire,
    WireKind,
    cut,
)
from interplay.presentation.layout import CancelCheck, Link, Point, Size, Spacing, layered, unchecked
from interplay.presentation.record.heaps import HeapRecord, HeapState, RecordField

_LONGEST = 34  # characters of a line
_SPACING = Spacing(between=22, layers=34, margin=14)
_JOG = 8.0  # from a box to the bend of an arrow


@dataclass(frozen=True)
class HeapDrawing:
    """The drawing of a state: `boxes` has for each box the variables that it stands for, or the record."""

    state: HeapState
    boxes: tuple[tuple[RecordField, ...] | HeapRecord, ...]
    picture: Picture
    path: frozenset[int]
    """The wires whose pointers the step has changed."""

    @property
    def outline(self) -> Outline:
        return Outline((-1,) * len(self.boxes))


@dataclass(frozen=True)
class _Arrow:
    """An arrow between boxes, from a row of its source; None: from the middle."""

    source: int
    target: int
    row: int | None
    kind: WireKind
    changed: bool


def heap_drawing(state: HeapState, check: CancelCheck = unchecked) -> HeapDrawing:
    """Lay out a heap."""
    groups = list(_groups(state.variables))
    boxes: tuple[tuple[RecordField, ...] | HeapRecord, ...] = (*groups, *state.records)
    arrows = list(_arrows(state, groups))
    sizes = [_size(_lines(one)) for one in boxes]
    drawing = layered(
        [Size(size.height, size.width) for size in sizes],
        [Link(one.source, one.target) for one in arrows],
        _SPACING,
        check,
    )
    shown = tuple(
        Box(centre.y - size.width / 2, centre.x - size.height / 2, size.width, size.height, _role(one))
        for one, centre, size in zip(boxes, drawing.centres, sizes, strict=True)
    )
    wires = tuple(
        _wire(one, tuple(Point(point.y, point.x) for point in route.points), shown)
        for one, route in zip(arrows, drawing.routes, strict=True)
    )
    picture = Picture(Size(drawing.size.height, drawing.size.width), shown, wires)
    return HeapDrawing(state, boxes, picture, frozenset(i for i, one in enumerate(arrows) if one.changed))


def _groups(variables: Sequence[RecordField]) -> Iterator[tuple[RecordField, ...]]:
    """The variables that are drawn as one: those that point to the same place."""
    found: dict[tuple[int | None, str], list[RecordField]] = {}
    for one in variables:
        found.setdefault((one.target, one.text), []).append(one)
    yield from map(tuple, found.values())


def _arrows(state: HeapState, groups: Sequence[Sequence[RecordField]]) -> Iterator[_Arrow]:
    first = len(groups)
    for number, group in enumerate(groups):
        if group[0].target is not None:
            changed = any(one.changed for one in group)
            yield _Arrow(number, first + group[0].target, None, WireKind.POINTER, changed)
    for number, one in enumerate(state.records):
        for row, each in enumerate(one.fields):
            if each.target is not None:
                yield _Arrow(first + number, first + each.target, row + 1, WireKind.PLAIN, each.changed)
    for path in state.paths:
        yield _Arrow(first + path.source, first + path.target, None, WireKind.REACH, False)


def _wire(arrow: _Arrow, points: tuple[Point, ...], boxes: Sequence[Box]) -> Wire:
    """A wire that leaves its box at the row of the field."""
    box, start = boxes[arrow.source], points[0]
    if arrow.row is not None and abs(start.x - (box.left + box.width)) < 1:
        y = box.top + PADDING / 2 + (arrow.row + 0.5) * LINE
        points = (Point(start.x, y), Point(start.x + _JOG, y), Point(start.x + _JOG, start.y), *points[1:])
    return Wire(arrow.source, arrow.target, points, arrow.kind)


def _role(one: tuple[RecordField, ...] | HeapRecord) -> Role:
    return Role.PLAIN if isinstance(one, HeapRecord) else Role.ENTRY


def _lines(record: tuple[RecordField, ...] | HeapRecord) -> tuple[BoxLine, ...]:
    if isinstance(record, HeapRecord):
        head = BoxLine(cut(f"{record.name} {record.type}".strip(), _LONGEST), TextStyle.HEAD)
        rows = [BoxLine(cut(_field(each), _LONGEST), marked=each.changed) for each in record.fields]
        if record.more:
            rows.append(BoxLine(f"⋯ {record.more} more", TextStyle.QUIET))
        rows += [BoxLine(cut(line, _LONGEST), marked=True) for line in record.fate]
        return head, *rows
    names = ", ".join(each.name for each in record)
    changed = any(each.changed for each in record)
    ends = record[0].target is None
    inside = ends or (" + " in record[0].text)
    return (BoxLine(cut(f"{names} = {record[0].text}" if inside else names, _LONGEST), marked=changed),)


def _field(one: RecordField) -> str:
    sign = "→" if one.target is not None else "="
    return f"{one.name} {sign} {one.text}" if one.name else one.text


def _size(lines: Sequence[BoxLine]) -> Size:
    longest = max(len(line.text) for line in lines)
    return Size(longest * CHARACTER + 2 * PADDING, len(lines) * LINE + PADDING)


def heap_sheet(drawing: HeapDrawing) -> Sheet:
    """The drawing with its texts, and marks of what the step has changed."""
    boxes = drawing.boxes

    def about(box: int) -> str:
        return "\n".join(_about(boxes[box], drawing, box))

    return Sheet(
        drawing.picture,
        tuple(_look(one) for one in boxes),
        lambda box: _lines(boxes[box]),
        about,
        lambda _: "",
        drawing.path,
    )


def _look(record: tuple[RecordField, ...] | HeapRecord) -> Look:
    if isinstance(record, HeapRecord):
        if record.released:
            return Look.GONE
        changed = any(each.changed for each in record.fields)
        return Look.NEW if record.is_new else Look.CHANGED if changed else Look.NONE
    return Look.CHANGED if any(each.changed for each in record) else Look.NONE


def _about(record: tuple[RecordField, ...] | HeapRecord, drawing: HeapDrawing, box: int) -> Iterator[str]:
    """A box in sentences."""
    if not isinstance(record, HeapRecord):
        yield from (f"{each.name} {_leads(each)}{', changed by this step' if each.changed else ''}" for each in record)
        return
    words = f"{record.name}, {record.type}" if record.type else record.name
    yield f"{words}{': released' if record.released else ': made by this step' if record.is_new else ''}"
    yield from record.fate
    yield from (
        f"{each.name or 'its value'} {_leads(each)}{', changed by this step' if each.changed else ''}"
        for each in record.fields
    )
    number = box - sum(not isinstance(each, HeapRecord) for each in drawing.boxes)
    records = drawing.state.records
    for path in drawing.state.paths:
        if path.source == number:
            yield f"reaches {records[path.target].name} over {path.field}, in any number of steps"


def _leads(one: RecordField) -> str:
    return f"points to {one.text}" if one.target is not None else f"is {one.text}"
