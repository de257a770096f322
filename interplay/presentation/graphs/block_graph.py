"""A control-flow automaton as basic blocks: chains of locations with their operations, row by row.

A branching condition is the last row of its block, and the wires that leave are marked with its value. Loops can be
folded into their heads. Only `drawn`, which lays out the picture, is about drawing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum

from core.dataclass import dataclass
from interplay.presentation.graphs.automaton import Automaton, LocationKind, ShownEdge, ShownLocation
from interplay.presentation.graphs.picture import CHARACTER, LINE, PADDING, Box, Picture, Role, Wire, WireKind, cut
from interplay.presentation.layout import CancelCheck, Link, Point, Size, Spacing, layered, unchecked
from interplay.presentation.layout.ranks import backward

LONGEST_ROW = 46  # characters
MAX_ROWS = 14
_SPACING = Spacing(between=26, layers=34, margin=24)
_NARROWEST = 76.0


class BlockDetail(Enum):
    """The size of blocks: basic blocks, or single locations."""

    BLOCKS = "blocks"
    LOCATIONS = "locations"


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A row of a block: an operation with its edges. `condition`: the branching condition at the end of the block."""

    text: str
    edges: tuple[int, ...]
    condition: bool = False


@dataclass(frozen=True)
class BasicBlock:
    """A basic block. `locations` are those of its chain and of all blocks folded into it, whose number is `folded`."""

    head: ShownLocation
    locations: tuple[int, ...]
    rows: tuple[BlockRow, ...]
    calls: tuple[str, ...]
    folded: int = 0

    @property
    def role(self) -> Role:
        return Role.LOOP if self.head.loop else _ROLES[self.head.kind]

    @property
    def title(self) -> str:
        """The title of a block: its role and its first line."""
        place = self.head.place
        where = f"line {place.line}" if place else f"location {self.head.id}"
        if self.head.kind is LocationKind.ERROR:
            return f"✗ error, {where}"
        word = "loop" if self.head.loop else _WORDS.get(self.head.kind, "")
        return f"{word} · {where}" if word else where


_ROLES = {
    LocationKind.ERROR: Role.ERROR,
    LocationKind.ENTRY: Role.ENTRY,
    LocationKind.EXIT: Role.EXIT,
    LocationKind.LOOP: Role.LOOP,
    LocationKind.INNER: Role.PLAIN,
}
_WORDS = {LocationKind.ENTRY: "entry", LocationKind.EXIT: "exit"}


@dataclass(frozen=True, slots=True)
class Flow:
    """Control flow from block to block."""

    source: int
    target: int
    edges: tuple[int, ...]
    kind: WireKind


@dataclass(frozen=True)
class BlockGraph:
    """The blocks of a function, its entry first; `block_of` maps locations to blocks."""

    function: str
    blocks: tuple[BasicBlock, ...]
    flows: tuple[Flow, ...]
    block_of: Mapping[int, int]


def blocks_of(automaton: Automaton, detail: BlockDetail = BlockDetail.BLOCKS) -> BlockGraph:
    """The blocks, each in the order of its locations."""
    leaving: dict[int, list[ShownEdge]] = {location.id: [] for location in automaton.locations}
    entering: dict[int, list[ShownEdge]] = {location.id: [] for location in automaton.locations}
    for edge in automaton.edges:
        leaving[edge.source].append(edge)
        entering[edge.target].append(edge)
    by_id = {location.id: location for location in automaton.locations}

    def goes_on(location: int) -> ShownEdge | None:
        """The only edge by which a chain continues from a location."""
        if detail is BlockDetail.LOCATIONS or len(leaving[location]) != 1:
            return None
        edge = leaving[location][0]
        target = by_id[edge.target]
        ends = target.loop or target.kind in (LocationKind.ERROR, LocationKind.EXIT) or len(entering[edge.target]) != 1
        return None if ends or edge.target == location else edge

    continued = {edge.target for edge in map(goes_on, by_id) if edge is not None}
    blocks: list[BasicBlock] = []
    block_of: dict[int, int] = {}
    for location in automaton.locations:
        if location.id not in continued:
            chain, edges = [location.id], list[ShownEdge]()
            while (following := goes_on(chain[-1])) is not None:
                edges.append(following)
                chain.append(following.target)
            block_of.update(dict.fromkeys(chain, len(blocks)))
            rows = _rows(automaton.function, edges, leaving[chain[-1]])
            after = [*edges, *leaving[chain[-1]]]
            blocks.append(BasicBlock(_placed(location, after), tuple(chain), rows, _calls(after)))
    return BlockGraph(automaton.function, tuple(blocks), tuple(_flows(blocks, block_of, leaving)), block_of)


def _placed(location: ShownLocation, edges: Iterable[ShownEdge]) -> ShownLocation:
    """A location with the place of what is done there, if it has none itself."""
    places = (location.place, *(edge.place for edge in edges))
    return replace(location, place=next((one for one in places if one is not None), None))


def _rows(function: str, edges: Sequence[ShownEdge], last: Sequence[ShownEdge]) -> tuple[BlockRow, ...]:
    rows = [BlockRow(text, (edge.id,)) for edge in edges if (text := _text(function, edge))]
    if len(last) == 1:
        rows += [BlockRow(text, (last[0].id,)) for text in (_text(function, last[0]),) if text]
    elif last:
        question = _question(function, last)
        # A value that is kept only to be asked for is read once: `f() > 0`, then `f() > 0 ?`.
        kept = rows.pop().edges if rows and question == f"{rows[-1].text} ?" else ()
        rows.append(BlockRow(question, (*kept, *(edge.id for edge in last)), condition=True))
    return tuple(rows)


def _text(function: str, edge: ShownEdge) -> str:
    """The source text of an edge, else its operation; empty for an edge without effect."""
    quiet = edge.operation in ("assume true", "skip")
    return edge.text or ("" if quiet else edge.operation.replace(f"{function}::", ""))


def _question(function: str, edges: Sequence[ShownEdge]) -> str:
    """The condition at which control branches; for more than two branches all conditions."""
    positive = [_text(function, edge) for edge in edges if _way(edge) is WireKind.TRUE]
    if len(edges) == 2 and len(positive) == 1:
        return f"{_bare(positive[0])} ?"
    texts = dict.fromkeys(_bare(_text(function, edge)) for edge in edges)
    return " | ".join(text for text in texts if text) or "either way"


def _bare(text: str) -> str:
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _way(edge: ShownEdge) -> WireKind:
    """The kind of a branch, true or false, where the source determines it."""
    if edge.kind != "assume" or not edge.text.startswith("["):
        return WireKind.PLAIN
    return WireKind.FALSE if edge.text.startswith(("[!(", "[no ")) else WireKind.TRUE


def _calls(edges: Sequence[ShownEdge]) -> tuple[str, ...]:
    """The names of the called functions."""
    called = (edge.operation for edge in edges if edge.kind == "call")
    return tuple(dict.fromkeys(text.removeprefix("call ").partition("(")[0] for text in called))


def _flows(
    blocks: Sequence[BasicBlock], block_of: Mapping[int, int], leaving: Mapping[int, Sequence[ShownEdge]]
) -> Iterator[Flow]:
    for number, block in enumerate(blocks):
        edges = leaving[block.locations[-1]]
        for edge in edges:
            kind = _way(edge) if len(edges) == 2 else WireKind.PLAIN
            yield Flow(number, block_of[edge.target], (edge.id,), kind)


# Folding


def loops(graph: BlockGraph) -> Mapping[int, frozenset[int]]:
    """The blocks of each loop by its head, without the head: the natural loop of its back edges."""
    before: list[list[int]] = [[] for _ in graph.blocks]
    back: dict[int, list[int]] = {}
    links = [Link(flow.source, flow.target) for flow in graph.flows]
    for flow, upwards in zip(graph.flows, backward(len(graph.blocks), links), strict=True):
        before[flow.target].append(flow.source)
        if upwards and graph.blocks[flow.target].head.loop:
            back.setdefault(flow.target, []).append(flow.source)
    found = {head: _around(head, ends, _after(head, graph), before) for head, ends in sorted(back.items())}
    return {head: inside for head, inside in found.items() if inside}


def innermost(graph: BlockGraph) -> tuple[int, ...]:
    """For each block the head of its innermost loop, without cycles; -1 outside of loops."""
    result = [-1] * len(graph.blocks)
    for head, inside in sorted(loops(graph).items(), key=lambda found: -len(found[1])):
        around, above = {head}, result[head]
        while above >= 0:
            around.add(above)
            above = result[above]
        for block in inside - around:  # gotos make loops that lie in each other
            result[block] = head
    return tuple(result)


def _after(head: int, graph: BlockGraph) -> set[int]:
    """The blocks that can be reached from a block."""
    following: list[list[int]] = [[] for _ in graph.blocks]
    for flow in graph.flows:
        following[flow.source].append(flow.target)
    seen = {head}
    waiting = [head]
    while waiting:
        for other in following[waiting.pop()]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def _around(head: int, ends: Sequence[int], after: set[int], before: Sequence[Sequence[int]]) -> frozenset[int]:
    """The blocks between a loop head and its back edges: they reach the back edges without passing the head."""
    inside: set[int] = set()
    waiting = list(ends)
    while waiting:
        one = waiting.pop()
        if one != head and one not in inside:
            inside.add(one)
            waiting.extend(other for other in before[one] if other in after)
    return frozenset(inside)


def folded(graph: BlockGraph, heads: Collection[int]) -> BlockGraph:
    """The graph with some loops folded into their heads, given by the locations of these."""
    into = list(range(len(graph.blocks)))
    for head, inside in loops(graph).items():
        if graph.blocks[head].head.id in heads:
            for one in inside:
                into[one] = head
    into = [_representative(one, into) for one in range(len(into))]
    kept = [one for one in range(len(into)) if into[one] == one]
    if len(kept) == len(into):
        return graph
    position = {one: index for index, one in enumerate(kept)}
    blocks = [_with(graph, one, [other for other in range(len(into)) if into[other] == one]) for one in kept]
    merged: dict[tuple[int, int], list[Flow]] = {}
    for flow in graph.flows:
        ends = position[into[flow.source]], position[into[flow.target]]
        if ends[0] != ends[1] or flow.source == flow.target:
            merged.setdefault(ends, []).append(flow)
    flows = tuple(
        Flow(*ends, tuple(edge for one in found for edge in one.edges), found[0].kind if len(found) == 1 else _PLAIN)
        for ends, found in merged.items()
    )
    block_of = {location: position[into[one]] for location, one in graph.block_of.items()}
    return BlockGraph(graph.function, tuple(blocks), flows, block_of)


_PLAIN = WireKind.PLAIN
_SIGNS = {WireKind.TRUE: "yes", WireKind.FALSE: "no"}


def _representative(block: int, into: Sequence[int]) -> int:
    """The block that a block is folded into in the end: loops may be folded into folded loops."""
    seen = {block}
    while into[block] != block and into[block] not in seen:
        block = into[block]
        seen.add(block)
    return block


def _with(graph: BlockGraph, head: int, members: Sequence[int]) -> BasicBlock:
    block = graph.blocks[head]
    if len(members) == 1:
        return block
    others = [graph.blocks[one] for one in members if one != head]
    locations = (*block.locations, *(location for one in others for location in one.locations))
    calls = tuple(dict.fromkeys((*block.calls, *(call for one in others for call in one.calls))))
    return replace(block, locations=locations, calls=calls, folded=len(others))


# Drawing


def drawn(graph: BlockGraph, check: CancelCheck = unchecked) -> Picture:
    """The layered picture of the blocks."""
    sizes = [_size(block) for block in graph.blocks]
    drawing = layered(sizes, [Link(flow.source, flow.target) for flow in graph.flows], _SPACING, check)
    boxes = tuple(
        Box(centre.x - size.width / 2, centre.y - size.height / 2, size.width, size.height, block.role)
        for centre, size, block in zip(drawing.centres, sizes, graph.blocks, strict=True)
    )
    wires = tuple(
        Wire(flow.source, flow.target, route.points, _kind(flow, route.points), _SIGNS.get(flow.kind, ""))
        for flow, route in zip(graph.flows, drawing.routes, strict=True)
    )
    return Picture(drawing.size, boxes, wires)


def _kind(flow: Flow, points: Sequence[Point]) -> WireKind:
    """The kind of a drawn wire: back edges are marked as such, even if they are branches."""
    return WireKind.BACK if flow.source == flow.target or points[0].y > points[-1].y else flow.kind


def _size(block: BasicBlock) -> Size:
    texts = lines_of(block)
    width = max(len(text) for text in texts) * CHARACTER + 2 * PADDING
    return Size(max(_NARROWEST, width), len(texts) * LINE + PADDING)


def lines_of(block: BasicBlock) -> list[str]:
    """The title and the rows of a block, as far as they fit. A folded block has a summary."""
    if block.folded:
        return [block.title, f"⋯ {block.folded} blocks folded"]
    if block.head.kind is LocationKind.ERROR and not block.rows:
        return [block.title, cut(block.head.check.partition(": ")[2], LONGEST_ROW)]
    return [block.title, *(cut(row.text, LONGEST_ROW) for row in shown_rows(block))]


def shown_rows(block: BasicBlock) -> list[BlockRow]:
    """The rows that fit; the condition is always among them."""
    rows = list(block.rows)
    if len(rows) > MAX_ROWS:
        left_out = rows[MAX_ROWS - 2 : -1]
        edges = tuple(edge for row in left_out for edge in row.edges)
        rows = [*rows[: MAX_ROWS - 2], BlockRow(f"⋯ {len(left_out)} more", edges), rows[-1]]
    return rows
