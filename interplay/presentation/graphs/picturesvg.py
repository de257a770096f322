"""A drawn graph as an SVG file, on white paper: the same boxes, wires and signs that the window shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interplay.presentation.graphs.picture import (
    FONT,
    LINE,
    PADDING,
    Look,
    Role,
    Sheet,
    TextStyle,
    Wire,
    signs,
    signs_to_the_left,
)
from interplay.presentation.graphs.svg import document, element, escape, number, rounded, text_width
from interplay.presentation.layout import Point

# Written out in full: Qt, which prints it, does not know the short form of `font`.
_STYLE = """
text { font-family: monospace; font-size: 11px; fill: #1d2329; }
.head { font-family: sans-serif; font-weight: bold; fill: #5a6472; }
.quiet { fill: #5a6472; }
.condition { fill: #9c2a5f; }
.marked { fill: #fddcc9; }
.badge { fill: #f1f3f6; stroke: #5a6472; }
.box { fill: #ffffff; stroke: #5a6472; stroke-width: 1.2; }
.entry, .exit { fill: #e0effa; stroke: #005b96; }
.loop { fill: #e9ebee; stroke: #00627a; stroke-width: 2; }
.error { fill: #fde8dd; stroke: #b03a00; stroke-width: 2; }
.path { fill: #f3eefb; stroke: #6a3d9a; stroke-width: 2.4; }
.new, .changed { stroke: #0072b2; stroke-width: 2.2; }
.gone { stroke: #7a5200; stroke-dasharray: 5 3; }
.absent { stroke: #d3d8de; stroke-dasharray: 4 3; }
.unreached { fill: #f1f3f6; stroke: #d3d8de; stroke-dasharray: 4 3; }
.wire { fill: none; stroke: #5a6472; stroke-width: 1.3; }
.wire.true { stroke: #005b96; }
.wire.false { stroke: #7a5200; }
.wire.back { stroke: #00627a; stroke-dasharray: 5 3; }
.wire.cover { stroke: #00684f; stroke-dasharray: 5 3; }
.wire.pointer { stroke: #005b96; }
.wire.reach { stroke: #00627a; stroke-dasharray: 5 3; }
.wire.path { stroke: #6a3d9a; stroke-width: 2.6; }
"""
_WORDS = {
    Look.NEW: "new",
    Look.CHANGED: "changed",
    Look.GONE: "gone",
    Look.ABSENT: "absent",
    Look.UNREACHED: "unreached",
    Look.PATH: "path",
}


def to_svg(sheet: Sheet) -> str:
    """The visible part of a sheet, as an SVG file."""
    return whole(sheet, parts_of(sheet))


def inline(sheet: Sheet, name: str) -> str:
    """The sheet as an element of a page that has its own styles for the same classes; `name` is its description. Boxes
    have their numbers as `data-box`.
    """
    width, height = number(sheet.picture.size.width + PADDING), number(sheet.picture.size.height)
    box = f"0 0 {width} {height}"
    parts = "\n".join(parts_of(sheet, numbered=True))
    return element("svg", parts, viewBox=box, width=width, height=height, role="img", aria_label=name)


def whole(sheet: Sheet, parts: Iterable[str]) -> str:
    """An SVG file around parts, for callers that make the parts of a large picture in steps."""
    size = sheet.picture.size
    background = element("rect", width="100%", height="100%", fill="white")
    return document(size.width + PADDING, size.height, _STYLE, [background, *parts])


def parts_of(sheet: Sheet, *, numbered: bool = False) -> Iterator[str]:
    """The elements of a sheet: wires first, so that boxes are on top."""
    looks, on_left = sheet.looks, signs_to_the_left(sheet.picture)
    for place, wire in enumerate(sheet.picture.wires):
        if Look.HIDDEN not in looks[wire.source] | looks[wire.target]:
            yield _wire(wire, place in sheet.path, place in on_left)
    for wire in sheet.extra:
        yield _wire(wire, False, False)
    for box, look in enumerate(looks):
        if Look.HIDDEN not in look:
            yield _box(sheet, box, {"data_box": box} if numbered else {})


def _wire(wire: Wire, on_path: bool, on_left: bool) -> str:
    kind = f"wire {wire.kind.value}{' path' if on_path else ''}"
    parts = [element("path", d=rounded(wire.points)), element("path", d=_head(wire.points), stroke_dasharray="none")]
    if wire.sign:
        first, word = wire.points[0], wire.sign
        x = first.x - text_width(word, FONT) - 4 if on_left else first.x + 5
        words = element("text", word, x=x, y=first.y + FONT, class_="head", stroke="none")
        parts.append(words)
    return element("g", "".join(parts), class_=kind)


def _head(points: tuple[Point, ...]) -> str:
    """The arrow head at the end of a polyline: two strokes."""
    tip, before = points[-1], points[-2]
    length = ((tip.x - before.x) ** 2 + (tip.y - before.y) ** 2) ** 0.5 or 1.0
    dx, dy = (tip.x - before.x) / length * 6, (tip.y - before.y) / length * 6
    x, y = tip.x - dx, tip.y - dy
    return f"M{x - dy * 0.6:.1f} {y + dx * 0.6:.1f}L{tip.x:.1f} {tip.y:.1f}L{x + dy * 0.6:.1f} {y - dx * 0.6:.1f}"


def _box(sheet: Sheet, place: int, more: Mapping[str, float]) -> str:
    box, look = sheet.picture.boxes[place], sheet.looks[place]
    kinds = ["box", "" if box.role is Role.PLAIN else box.role.value]
    kinds += [word for one, word in _WORDS.items() if one in look]
    parts = [element("title", escape(sheet.about(place)))]
    parts.append(
        element(
            "rect",
            x=box.left,
            y=box.top,
            width=box.width,
            height=box.height,
            rx=5,
            class_=" ".join(kind for kind in kinds if kind),
        )
    )
    y = box.top + PADDING / 2
    for line in sheet.lines(place):
        if line.marked:
            parts.append(element("rect", x=box.left + 2, y=y, width=box.width - 4, height=LINE, class_="marked"))
        kind = (
            "condition"
            if line.condition
            else {TextStyle.HEAD: "head", TextStyle.QUIET: "quiet"}.get(line.style, "code")
        )
        parts.append(element("text", escape(line.text), x=box.left + PADDING, y=y + LINE - 4, class_=kind))
        y += LINE
    badge = signs(look) + sheet.badge(place)
    if badge:
        width = text_width(badge, FONT) + 10
        left = box.left + box.width - width + 5
        parts.append(element("rect", x=left, y=box.top - 7, width=width, height=LINE, rx=7, class_="badge"))
        parts.append(element("text", escape(badge), x=left + 5, y=box.top + 4, class_="head"))
    return element("g", "".join(parts), **more)
