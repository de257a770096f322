"""The registry of views: the panels of the window, their areas and their classes.

A view is one file `gui/views/NAME.py` with one widget class that takes `(model, focus)`; it is imported and created
when its tab is first shown. To add a view, write the file and name it in a `Panel` here; ARCHITECTURE.md has the rules.
"""

from __future__ import annotations

from enum import Enum
from importlib import import_module

from PySide6.QtWidgets import QWidget

from core.dataclass import dataclass
from gui.model.current import RunModel
from gui.model.focus import Focus


class Area(Enum):
    """The area of a panel. SOURCE and GRAPHS are side by side in the centre."""

    SOURCE = "source"
    GRAPHS = "graphs"
    RIGHT = "details"
    BOTTOM = "progress"


@dataclass(frozen=True)
class Panel:
    """A panel: `name` identifies it, `hint` is the tab's tooltip, `view` is `FILE.Class` below `gui/views`. `help` are
    the first words of what the manual says about it.
    """

    name: str
    title: str
    area: Area
    icon: str
    shortcut: str
    hint: str
    view: str
    help: str = ""

    def make(self, model: RunModel, focus: Focus) -> QWidget:
        """Import the view and create it."""
        if not self.view:
            from gui.views.empty import EmptyView

            return EmptyView(f"Not in this version: {self.hint[:1].lower()}{self.hint[1:]}.")
        file, _, name = self.view.partition(".")
        view = getattr(import_module(f"gui.views.{file}"), name)(model, focus)
        assert isinstance(view, QWidget)
        return view


PANELS: tuple[Panel, ...] = (
    Panel(
        name="source",
        title="Source",
        area=Area.SOURCE,
        icon="file-code",
        shortcut="Alt+1",
        hint="The C text, with verdicts and values",
        view="source.SourceView",
        help="Source.",
    ),
    Panel(
        name="project",
        title="Project",
        area=Area.SOURCE,
        icon="table",
        shortcut="Ctrl+P",
        hint="The files of the folder or project that is open, by property, with each assertion",
        view="project.ProjectView",
        help="Project (Ctrl+P)",
    ),
    Panel(
        name="manual",
        title="Manual",
        area=Area.SOURCE,
        icon="question",
        shortcut="",
        hint="The manual; F1 opens it at the panel with the keyboard",
        view="manual.ManualView",
        help="The workbench",
    ),
    Panel(
        name="programgraph",
        title="Program graph",
        area=Area.GRAPHS,
        icon="graph",
        shortcut="Alt+2",
        hint="The control-flow automaton of each function",
        view="programgraph.ProgramGraphView",
        help="Program graph",
    ),
    Panel(
        name="reachability",
        title="Abstract states",
        area=Area.GRAPHS,
        icon="tree",
        shortcut="Alt+3",
        hint="The abstract reachability graph: which abstract states were found, and how",
        view="reachability.ReachabilityView",
        help="Program graph",
    ),
    Panel(
        name="heap",
        title="Heap",
        area=Area.GRAPHS,
        icon="heap",
        shortcut="Ctrl+H",
        hint="Records and pointers at a step of the counterexample, or what a clause about lists excludes",
        view="heap.HeapGraphView",
        help="Heap.",
    ),
    Panel(
        name="path",
        title="Path",
        area=Area.RIGHT,
        icon="path",
        shortcut="Alt+4",
        hint="The counterexample, or the spurious path of the refinement that is selected",
        view="path.PathView",
        help="Why was this refinement needed?",
    ),
    Panel(
        name="predicates",
        title="Predicates",
        area=Area.RIGHT,
        icon="table",
        shortcut="Alt+5",
        hint="What the abstraction tells apart, location by location",
        view="predicates.PredicatesView",
        help="Where does this predicate come from?",
    ),
    Panel(
        name="evidence",
        title="Evidence",
        area=Area.RIGHT,
        icon="shield",
        shortcut="Alt+6",
        hint="What the verdict rests on: invariants and obligations, or the replay",
        view="evidence.EvidenceView",
        help="Evidence",
    ),
    Panel(
        name="steering",
        title="Steering",
        area=Area.RIGHT,
        icon="sliders",
        shortcut="Alt+7",
        hint="Pause after a refinement, change the predicates, go on",
        view="steering.SteeringView",
        help="Stepping and steering",
    ),
    Panel(
        name="timeline",
        title="Refinements",
        area=Area.BOTTOM,
        icon="timeline",
        shortcut="Alt+8",
        hint="One column for each refinement; the cursor takes every view to that moment",
        view="timeline.TimelineView",
        help="Why was this refinement needed?",
    ),
    Panel(
        name="log",
        title="Messages",
        area=Area.BOTTOM,
        icon="list",
        shortcut="Alt+9",
        hint="Warnings and errors of the run",
        view="log.LogView",
        help="Changed texts.",
    ),
    Panel(
        name="statistics",
        title="Statistics",
        area=Area.BOTTOM,
        icon="chart",
        shortcut="Alt+0",
        hint="Counts, and the time of each phase",
        view="statistics.StatisticsView",
        help="What the views show",
    ),
    Panel(
        name="comparison",
        title="Comparison",
        area=Area.BOTTOM,
        icon="columns",
        shortcut="",
        hint="Two runs side by side",
        view="comparison.ComparisonView",
        help="Two runs side by side",
    ),
    Panel(
        name="batch",
        title="Batch",
        area=Area.BOTTOM,
        icon="table",
        shortcut="",
        hint="The results of a batch; each row opens its run",
        view="batch.BatchView",
        help="Many tasks",
    ),
    Panel(
        name="keys",
        title="Keys",
        area=Area.BOTTOM,
        icon="keyboard",
        shortcut="Shift+F1",
        hint="What the keyboard does",
        view="shortcuts.ShortcutsView",
        help="Keys",
    ),
)
