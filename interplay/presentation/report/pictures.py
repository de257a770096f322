"""The pictures of a report, as the window draws them: the functions, and the abstract states at the end."""

from __future__ import annotations

from collections.abc import Iterator

from core.dataclass import dataclass
from core.program import Program
from core.program.own_steps import is_own
from core.program.source import function_title
from interplay.presentation.graphs import programgraph, statesheet
from interplay.presentation.graphs.block_graph import BlockDetail
from interplay.presentation.graphs.stategraph import Folds, Mode, all_nodes, moment, slots_of, tree
from interplay.presentation.record.paths import counterexample
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.report.document import ReportGraph, ReportLimits

_LARGE = 250  # blocks of one function: more cannot be read on a page


@dataclass(frozen=True)
class _End:
    """The moment that is drawn: the end of the attempt that decided."""

    attempt: int = LATEST
    round: int | None = None


def graphs(record: RunRecord, limits: ReportLimits) -> Iterator[ReportGraph]:
    """The pictures that are small enough to be read; each other has a sentence instead."""
    if record.program is not None:
        yield from _functions(record, record.program, limits)
    yield from _states(record, limits)


def _functions(record: RunRecord, program: Program, limits: ReportLimits) -> Iterator[ReportGraph]:
    path = next((counterexample(record, check) for check in record.view.traces), None)
    left = limits.locations
    for name in programgraph.functions(program):
        size = sum(1 for location in program.locations if location.function == name)
        if name == program.start or size <= 2 or not is_own(program, name):  # nothing that the source says
            continue
        title = f"Control-flow automaton of {function_title(name)}"
        if size > left:
            yield ReportGraph(title, None, f"{size} locations, too many for a report: the workbench draws them")
            continue
        left -= size
        chart = programgraph.chart(program, name, BlockDetail.BLOCKS, frozenset())
        count = len(chart.graph.blocks)
        if count > _LARGE:
            yield ReportGraph(title, None, f"{count} blocks, too many for a report: the workbench draws them")
        else:
            sheet = programgraph.sheet(record, _End(), path, chart)
            words = "; ◇ counts predicates" if any(map(sheet.badge, range(count))) else ""
            blocks = f"{count} {'block' if count == 1 else 'blocks'}{words}"
            yield ReportGraph(title, sheet, blocks, chart.graph.block_of)


def _states(record: RunRecord, limits: ReportLimits) -> Iterator[ReportGraph]:
    title, attempt = "Abstract states at the end", record.attempt()
    slots = slots_of(all_nodes(attempt), attempt.states.covers)
    now = moment(record, LATEST, None, slots)
    alive = [slot for slot in range(len(slots.parents)) if now.node(slot) is not None]
    if len(alive) > limits.states:
        yield ReportGraph(title, None, f"{len(alive)} states, too many for a report: the workbench draws them")
    elif alive:
        one = tree(slots, Folds(), statesheet.roles_of(record), alive)
        sheet = statesheet.sheet(record, LATEST, now, one, Mode.MOMENT, None)
        words = f"{len(alive)} {'state' if len(alive) == 1 else 'states'}"
        yield ReportGraph(
            title, sheet, f"{words}; ⊂ counts the ways on that other states cover, ⊇ those that the state covers"
        )
