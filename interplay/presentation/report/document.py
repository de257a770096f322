"""The report on a run as plain data: the verdict, its evidence, and the history of the refinements.

`page.py` writes it as HTML, the workbench prints it. Texts are not escaped; writers of documents escape them. The
number of entries left out of a long list is in a field of its own, so that every document can state it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from core.dataclass import dataclass
from interplay.presentation.graphs.picture import Sheet
from interplay.presentation.record.evidence import CheckRow
from interplay.presentation.record.proof import ToolRow

Pairs = tuple[tuple[str, str], ...]
"""Names with texts, in order."""


@dataclass(frozen=True)
class ShownInvariant:
    """An invariant of the proof: a line for each conjunct, and all of it where some lines are abridged."""

    place: str
    lines: tuple[str, ...]
    whole: str = ""


@dataclass(frozen=True)
class ReportLimits:
    """The largest numbers of entries of a run in a document.

    `steps` are those of a counterexample, `path` those of a spurious path, `learned` the lemmas of one refinement,
    `slowest` the obligations of a proof that are listed.
    """

    refinements: int = 200
    path: int = 60
    learned: int = 40
    lines: int = 10_000
    steps: int = 400
    rows: int = 300
    slowest: int = 8
    locations: int = 1_500
    states: int = 120


@dataclass(frozen=True)
class Note:
    """A note beside a source line: `kind` is `predicate`, `invariant` or `value` (of a counterexample)."""

    kind: str
    text: str


@dataclass(frozen=True)
class SourceLine:
    """A source line with its marks.

    `check` is the value of a `Mark` or empty; `reached` is `reached`, `never` or empty (no step there).
    """

    number: int
    text: str
    check: str = ""
    description: str = ""
    reached: str = ""
    loop: bool = False
    path: bool = False
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Listing:
    """A file as blocks of consecutive lines, with `left_out` lines between them that have no marks."""

    file: str
    blocks: tuple[tuple[SourceLine, ...], ...]
    left_out: int = 0


@dataclass(frozen=True)
class PathRow:
    """A step of an abstract path: `holds` is known before it; `against`: it is part of the contradiction."""

    where: str
    text: str
    holds: str
    against: bool


@dataclass(frozen=True)
class LearnedRow:
    """A lemma with its kind, origin and place."""

    formula: str
    kind: str
    origin: str
    where: str


@dataclass(frozen=True)
class ReportRound:
    """A round. `why` are the statements that contradict each other, each in words, `conclusion` the end of the
    sentence.
    """

    title: str
    words: str
    path: tuple[PathRow, ...]
    path_left_out: int
    why: tuple[str, ...]
    conclusion: str
    learned: tuple[LearnedRow, ...]
    learned_left_out: int
    edits: tuple[str, ...]


@dataclass(frozen=True)
class EngineHistory:
    """The history of one engine. `opening` summarises its work and result; `counters` are its counts at the end.

    `decided`: its answer counts, or none has an answer, and its last path says most of why.
    """

    engine: str
    decided: bool
    opening: str
    rounds: tuple[ReportRound, ...]
    left_out: int
    counters: Pairs
    truncated: Pairs


@dataclass(frozen=True)
class TraceStep:
    """A step of a counterexample that changes something relevant. `box` is its graph and box there, if it is drawn."""

    where: str
    function: str
    text: str
    changes: tuple[str, ...]
    file: str = ""
    box: tuple[int, int] | None = None


@dataclass(frozen=True)
class TraceInput:
    """An input of a counterexample."""

    where: str
    name: str
    value: str


@dataclass(frozen=True)
class Trace:
    """A counterexample at source level. Inputs without influence are only counted."""

    heading: str
    goal: str
    confirmed_by: str
    steps: tuple[TraceStep, ...]
    steps_left_out: int
    inputs: tuple[TraceInput, ...]
    inputs_left_out: int


@dataclass(frozen=True)
class StepRow:
    """One obligation: the statements from one invariant to the next, which must hold."""

    place: str
    text: str
    result: str
    tool: str
    time: str


@dataclass(frozen=True)
class Examination:
    """The examination of an engine's proof: a sentence, the tools, the steps that failed, and the slowest steps."""

    engine: str
    words: str
    tools: tuple[ToolRow, ...]
    failed: tuple[StepRow, ...]
    slowest: tuple[StepRow, ...]


@dataclass(frozen=True)
class ReportGraph:
    """A picture with a description, or, where it would be too large to be read, the description only. `boxes` are the
    boxes of locations.
    """

    title: str
    sheet: Sheet | None
    words: str
    boxes: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """The whole report, in the order of its parts. Empty parts are left out."""

    title: str
    tone: str
    headline: str
    inputs: str
    """A sentence about the inputs that make the check of the headline fail."""
    rests_on: str
    checked: str
    """A sentence about the time of the examination, with the command that repeats it."""
    untested: str
    assumes: str
    advice: str
    missing: Pairs
    facts: Pairs
    checks: tuple[CheckRow, ...]
    checks_left_out: int
    traces: tuple[Trace, ...]
    invariants: tuple[ShownInvariant, ...]
    examinations: tuple[Examination, ...]
    plan: Pairs
    histories: tuple[EngineHistory, ...]
    listings: tuple[Listing, ...]
    graphs: tuple[ReportGraph, ...]
    messages: Pairs
    options: Pairs
    versions: Pairs
    files: tuple[tuple[str, int, str], ...]
    """Name, lines, SHA-256."""
    command: str
    steered: tuple[str, ...]


SIGNS: Mapping[str, str] = {"true": "✓", "false": "✗", "unknown": "?", "error": "!", "running": "…", "not run": "–"}
"""The sign that stands beside the colour of each tone."""

CHECK_SIGNS: Mapping[str, str] = {"verified": "✓", "untested": "∅", "failing": "✗", "open": "?", "": ""}
