"""Control-flow automata as an SVG picture, one below the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.program import Program
from core.program.source import function_title
from interplay.presentation.graphs.automaton import Automaton, LocationKind, ShownEdge, ShownLocation, automata
from interplay.presentation.graphs.dot import edge_lines, node_lines
from interplay.presentation.graphs.svg import document, element, escape, rounded, text_width
from interplay.presentation.layout import Drawing, Link, Point, Route, Size, layered

_FONT = 11.0
_LINE = 14.0  # from one line of text to the next
_PADDING = 7.0
_TITLE = 34.0  # the height of a function's name
_LONGEST = 44  # characters of a line; the whole is in the tooltip

_STYLE = """
text { font: 11px monospace; fill: #1d2733; }
.title { font: bold 15px sans-serif; }
.small { fill: #64748b; }
.node rect { fill: #f4f6f9; stroke: #8793a3; }
.node.loop rect { fill: #e4eefb; stroke: #2f6fc4; stroke-width: 2; }
.node.entry rect, .node.exit rect { fill: #e9f3ea; stroke: #4b8a55; }
.node.error rect { fill: #fbe6e4; stroke: #c23b2e; stroke-width: 2; }
.edge path { fill: none; stroke: #55606e; stroke-width: 1.2; }
.edge.up path { stroke: #2f6fc4; }
.edge polygon { fill: #55606e; }
.edge.up polygon { fill: #2f6fc4; }
"""


def to_svg(program: Program) -> str:
    """The automata of all functions in one picture."""
    parts: list[str] = []
    width, y = 0.0, 0.0
    for one in automata(program):
        drawing = layered([_node_size(at) for at in one.locations], _links(one))
        title = element("text", escape(function_title(one.function)), class_="title", x=12, y=22)
        content = "\n".join([title, *_content(one, drawing)])
        parts.append(element("g", f"\n{content}\n", transform=f"translate(0 {round(y)})"))
        width = max(width, drawing.size.width, 24 + text_width(one.function, 15))
        y += _TITLE + drawing.size.height
    background = element("rect", width="100%", height="100%", fill="white")
    return document(width, y, _STYLE, [background, *parts])


def _node_size(location: ShownLocation) -> Size:
    lines = node_lines(location)
    return Size(max(text_width(line, _FONT) for line in lines) + 2 * _PADDING, len(lines) * _LINE + _PADDING)


def _links(one: Automaton) -> list[Link]:
    index = {location.id: place for place, location in enumerate(one.locations)}
    return [
        Link(index[edge.source], index[edge.target], _label_size(edge_lines(edge, one.function))) for edge in one.edges
    ]


def _label_size(lines: Sequence[str]) -> Size | None:
    if not lines:
        return None
    return Size(max(text_width(_cut(line), _FONT) for line in lines), len(lines) * _LINE)


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _content(automaton: Automaton, drawing: Drawing) -> Iterator[str]:
    """Edges first, so that nodes lie on top."""
    for edge, route in zip(automaton.edges, drawing.routes, strict=True):
        yield _edge(edge, edge_lines(edge, automaton.function), route)
    for location, centre in zip(automaton.locations, drawing.centres, strict=True):
        yield _node(location, Point(centre.x, centre.y + _TITLE))


def _node(location: ShownLocation, centre: Point) -> str:
    size, lines = _node_size(location), node_lines(location)
    left, top = centre.x - size.width / 2, centre.y - size.height / 2
    box = element("rect", x=left, y=top, width=size.width, height=size.height, rx=6)
    words = [
        element(
            "text",
            escape(line),
            x=centre.x,
            y=top + _PADDING / 2 + _LINE * row + _FONT,
            text_anchor="middle",
            **({"class_": "small"} if row else {}),
        )
        for row, line in enumerate(lines)
    ]
    kind = LocationKind.LOOP if location.loop and location.kind is LocationKind.ENTRY else location.kind
    return element("g", "".join([_tooltip(_about(location)), box, *words]), class_=f"node {kind.value}")


def _about(location: ShownLocation) -> str:
    place = location.place
    where = f" at {place.file}:{place.line}:{place.column}" if place else ""
    return f"location {location.id}{where}" + (f" · {location.check}" if location.check else "")


def _edge(edge: ShownEdge, lines: Sequence[str], route: Route) -> str:
    points = [Point(point.x, point.y + _TITLE) for point in route.points]
    up = points[0].y > points[-1].y or edge.source == edge.target
    parts = [_tooltip(" · ".join(lines)), element("path", d=rounded(points)), _arrow(points)]
    if route.label is not None:
        for row, line in enumerate(lines):
            parts.append(
                element(
                    "text",
                    escape(_cut(line)),
                    x=route.label.x,
                    y=route.label.y + _TITLE + _LINE * row + _FONT,
                    **({"class_": "small"} if row else {}),
                )
            )
    return element("g", "".join(parts), class_="edge up" if up else "edge")


def _arrow(points: list[Point]) -> str:
    """The head of the arrow at the end of a polyline."""
    tip, before = points[-1], points[-2]
    length = ((tip.x - before.x) ** 2 + (tip.y - before.y) ** 2) ** 0.5 or 1.0
    dx, dy = (tip.x - before.x) / length, (tip.y - before.y) / length
    back = Point(tip.x - 7 * dx, tip.y - 7 * dy)
    corners = (tip, Point(back.x - 3 * dy, back.y + 3 * dx), Point(back.x + 3 * dy, back.y - 3 * dx))
    return element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners))


def _tooltip(text: str) -> str:
    return element("title", escape(text)) if text else ""
