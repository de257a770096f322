"""The control-flow automaton of a function at a moment of the run: reached blocks, blocks on the path, predicates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from core.dataclass import dataclass
from core.program import Call, Program
from core.program.own_steps import is_own, is_start
from core.program.source import function_title
from core.verdict import Status
from interplay.presentation.graphs.automaton import automaton
from interplay.presentation.graphs.block_graph import (
    BasicBlock,
    BlockDetail,
    BlockGraph,
    blocks_of,
    drawn,
    folded,
    innermost,
    shown_rows,
)
from interplay.presentation.graphs.operation_text import SourceTexts
from interplay.presentation.graphs.picture import BoxLine, Look, Outline, Picture, Sheet, TextStyle, cut
from interplay.presentation.layout import CancelCheck, unchecked
from interplay.presentation.record.moments import predicates
from interplay.presentation.record.paths import ShownPath
from interplay.presentation.record.run import RunRecord
from runs.events import Place

_LONGEST = 46  # characters
_MAX_TOLD = 8  # predicates in a tooltip


class Viewed(Protocol):
    """The moment that is shown: an attempt, and one of its rounds or its end."""

    @property
    def attempt(self) -> int: ...
    @property
    def round(self) -> int | None: ...


@dataclass(frozen=True)
class Chart:
    """The drawing of a function: its blocks, their layout, an outline with each block below the head of its loop."""

    graph: BlockGraph
    picture: Picture
    outline: Outline


def functions(program: Program) -> tuple[str, ...]:
    """The functions by name: first `main`, or the one that a written start leads to, then its own; last the starts."""
    starts = [name for name in program.functions if is_start(program, name)]
    calls = ((edge.operation, program.locations[edge.source].function) for edge in program.edges)
    first = {one.function for one, caller in calls if isinstance(one, Call) and caller in (*starts, program.start)}
    names = [name for name in program.functions if name != program.start and name not in starts]
    return (*sorted(names, key=lambda name: (not is_own(program, name), name not in first)), *starts, program.start)


def chart(
    program: Program, function: str, detail: BlockDetail, folds: frozenset[int], check: CancelCheck = unchecked
) -> Chart:
    """Lay a function out. `folds` are the locations of the loops that are folded."""
    graph = folded(blocks_of(automaton(program, program.functions[function], SourceTexts(program)), detail), folds)
    names = {program.start: "start of the program"}
    return Chart(graph, drawn(graph, check), Outline(innermost(graph), functions(program), function, names))


def sheet(record: RunRecord, selection: Viewed, path: ShownPath | None, chart: Chart) -> Sheet:
    """The chart at a moment."""
    moment = _Moment(record, selection, path, chart)
    return Sheet(chart.picture, moment.looks(), moment.lines, moment.about, moment.badge, moment.wires())


class _Moment:
    """The source of the texts of boxes at a moment."""

    def __init__(self, record: RunRecord, selection: Viewed, path: ShownPath | None, chart: Chart) -> None:
        self._record = record
        self._selection = selection
        self._chart = chart
        steps = path.steps if path is not None else ()
        self._edges = {edge for step in steps for edge in step.edges}
        self._core = {edge for step in steps for edge in step.core}
        self._passed = {place[1] for step in steps for place in (step.source, step.target)}
        self._safe = _safe(record) if selection.round is None else frozenset()
        self.predicates = _predicates(record, selection, chart.graph)

    def looks(self) -> tuple[Look, ...]:
        reached = self._record.attempt(self._selection.attempt).states
        locations = {place[1] for place in reached.places}
        edges = reached.edges if reached.follows_edges else set[int]()
        return tuple(self._look(block, locations, edges) for block in self._chart.graph.blocks)

    def _look(self, block: BasicBlock, locations: set[int], edges: set[int]) -> Look:
        own = {edge for row in block.rows for edge in row.edges}
        if own & self._edges or any(location in self._passed for location in block.locations):
            return Look.PATH
        met = bool(own & edges) or any(location in locations for location in block.locations)
        return Look.UNREACHED if self._is_safe(block) or (edges and not met) else Look.NONE

    def _is_safe(self, block: BasicBlock) -> bool:
        return any(location in self._safe for location in block.locations)

    def wires(self) -> frozenset[int]:
        """The wires on the path."""
        return frozenset(
            number
            for number, flow in enumerate(self._chart.graph.flows)
            if any(edge in self._edges for edge in flow.edges)
        )

    def lines(self, box: int) -> Sequence[BoxLine]:
        block = self._chart.graph.blocks[box]
        named = block.title.replace("✗ error", "✓ no error", 1) if self._is_safe(block) else block.title
        title = BoxLine(named, TextStyle.HEAD)
        if block.folded:
            return title, BoxLine(f"⋯ {block.folded} blocks folded", TextStyle.QUIET)
        if block.head.check and not block.rows:
            return title, BoxLine(cut(block.head.check.partition(": ")[2], _LONGEST))
        rows = [
            BoxLine(
                cut(row.text, _LONGEST), TextStyle.CODE, any(edge in self._core for edge in row.edges), row.condition
            )
            for row in shown_rows(block)
        ]
        return title, *rows

    def badge(self, box: int) -> str:
        found = self.predicates.get(box)
        return f"◇{len(found)}" if found else ""

    def about(self, box: int) -> str:
        return "\n".join(self._about(self._chart.graph.blocks[box], box))

    def _about(self, block: BasicBlock, box: int) -> Iterator[str]:
        place = block.head.place
        where = f" at {place.file.rpartition('/')[2]}:{place.line}" if place else ""
        yield f"{'loop' if block.head.loop else 'block'} of {function_title(self._chart.graph.function)}{where}"
        if block.head.check:
            yield f"must never be reached: {block.head.check}"
        if block.folded:
            yield f"{block.folded} blocks of the loop are folded away: Space shows them"
        if any(edge in self._core for row in block.rows for edge in row.edges):
            yield "marked rows are part of the contradiction: no execution can do all of them"
        known = self.predicates.get(box, ())
        for text in known[:_MAX_TOLD]:
            yield f"predicate: {text}"
        if len(known) > _MAX_TOLD:
            yield f"and {len(known) - _MAX_TOLD} more predicates"
        for call in block.calls:
            yield f"calls {function_title(call)}: Enter shows it"


def _safe(record: RunRecord) -> frozenset[int]:
    """The error locations that a proof excludes."""
    decided = record.view.checks
    proved = {number for number, check in decided.items() if check.status == Status.TRUE}
    checks = record.program.checks if record.program is not None else ()
    return frozenset(check.location for check in checks if check.id in proved)


def _predicates(record: RunRecord, selection: Viewed, graph: BlockGraph) -> Mapping[int, tuple[str, ...]]:
    """The predicates at the locations of each block at a moment; different ones may have equal texts."""
    shown: dict[int, dict[int, str]] = {}
    for place, lemmas in predicates(record, selection.attempt, selection.round).items():
        block = None if place is None else graph.block_of.get(place[1])
        if block is not None:
            for lemma in lemmas:
                if lemma.event.role == "predicate":
                    formula = lemma.event.formula
                    shown.setdefault(block, {})[formula] = record.formula(selection.attempt, formula, place)
    return {block: tuple(texts.values()) for block, texts in shown.items()}


def place_of(record: RunRecord, selection: Viewed, path: ShownPath | None, location: int) -> Place:
    """The location of the expansion for one of the program: that on the path, else the first one reached."""
    for step in path.steps if path is not None else ():
        for place in (step.source, step.target):
            if place[1] == location:
                return place
    reached = record.attempt(selection.attempt).states.places
    return next((place for place in reached if place[1] == location), ((), location))
