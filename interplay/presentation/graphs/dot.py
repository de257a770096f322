"""Control-flow automata in DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from core.program import Program
from core.program.source import function_title
from interplay.presentation.graphs.automaton import Automaton, LocationKind, ShownEdge, ShownLocation, automata

_LONGEST = 80  # characters of a line
_STYLE = {
    LocationKind.ERROR: "shape=octagon, color=red",
    LocationKind.ENTRY: "style=bold",
    LocationKind.EXIT: "style=bold",
    LocationKind.LOOP: "peripheries=2",
    LocationKind.INNER: "",
}


def to_dot(program: Program) -> str:
    """The automata as one digraph with a cluster for each function."""
    return "\n".join(_lines(program)) + "\n"


def _lines(program: Program) -> Iterator[str]:
    yield "digraph program {"
    yield '  node [shape=box, style="", fontname="sans-serif", fontsize=11];'
    yield '  edge [fontname="monospace", fontsize=10];'
    for number, one in enumerate(automata(program)):
        yield f"  subgraph cluster_{number} {{"
        yield f"    label={_quoted(function_title(one.function))};"
        yield from (f"    {line}" for line in _automaton(one))
        yield "  }"
    yield "}"


def _automaton(automaton: Automaton) -> Iterator[str]:
    for location in automaton.locations:
        style = _STYLE[location.kind] or ("peripheries=2" if location.loop else "")
        attributes = ", ".join(part for part in (f"label={_quoted(*node_lines(location))}", style) if part)
        yield f"n{location.id} [{attributes}];"
    for edge in automaton.edges:
        yield f"n{edge.source} -> n{edge.target} [label={_quoted(*edge_lines(edge, automaton.function))}];"


def node_lines(location: ShownLocation) -> list[str]:
    """The text of a location: its kind or number, and its line."""
    named = location.kind in (LocationKind.ERROR, LocationKind.ENTRY, LocationKind.EXIT)
    first = f"{location.id} {location.kind.value}" if named else str(location.id)
    return [first, *([f"line {location.place.line}"] if location.place else [])]


def edge_lines(edge: ShownEdge, function: str) -> list[str]:
    """The text of an edge: the source text and the operation, where it has these.

    Locals of the function have their names in the source.
    """
    quiet = edge.operation in ("assume true", "skip")
    return [line for line in (edge.text, "" if quiet else edge.operation.replace(f"{function}::", "")) if line]


def _quoted(*lines: str) -> str:
    """A DOT string; only quotes and backslashes are escaped. Lines are aligned to the left."""
    cut = (line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…" for line in lines)
    escaped = (_plain(line).replace("\\", "\\\\").replace('"', '\\"') for line in cut)
    return '"' + "\\l".join(escaped) + ('\\l"' if len(lines) > 1 else '"')


def _plain(text: str) -> str:
    return "".join(sign if sign.isprintable() else "�" for sign in text)
