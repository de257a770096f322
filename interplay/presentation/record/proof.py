"""The proof obligations of a certificate check: the tools that discharged them, and their times.

The time of an obligation is that between events (see `runs.runview.ExaminationStep`): it is on the clock, and
includes side conditions such as ranges that need no solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from core.dataclass import dataclass
from interplay.presentation.plurals import counted
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.summary import BEGINNING, HINTS, EvidenceRow, evidence, proof_steps

_READINGS = {
    "bit-precise": ("bit-precise", "Proved for the machine integers of C, with their wrap-around"),
    "integers": (
        "integers",
        "Proved over mathematical integers, with the ranges of all variables and the wrap-around that the program has",
    ),
    "refuted": ("refuted", "The checker found values for which the step leaves the invariant"),
    "undecided": ("undecided", "The checker could neither prove nor refute the step"),
    "dropped": ("not used", "The checker could not prove this hint, and did without it"),
}
_TOOLS = {
    "syntax": "What is to be shown is literally what is known, or has no state to be shown for",
    "intervals": "The ranges of the variables suffice",
    "differences": "Sums of bounds of differences suffice, in each of the cases of the invariant",
    "sat": "A small propositional argument; no theory of numbers was needed",
    "equations": "Equations modulo a power of two suffice, in each of the cases of the step",
    "bitwuzla": "The solver Bitwuzla, which no engine uses, over bit-vectors that hold every value",
    "cvc5": "The solver cvc5, which no engine uses",
    "z3": "The solver z3",
}


WITHOUT_SOLVER = ("syntax", "intervals", "differences", "sat", "equations")
_CHEAP = (*WITHOUT_SOLVER, "bitwuzla", "cvc5")


def reading_in_words(result: str) -> tuple[str, str]:
    """A short and a long text for a result of the checker."""
    return _READINGS.get(result, (result, result))


def tool_in_words(tool: str) -> str:
    return _TOOLS.get(tool, tool)


@dataclass(frozen=True)
class ToolRow:
    """The work of one tool: the number of obligations that it discharged, and the seconds."""

    tool: str
    words: str
    count: int
    seconds: float

    @property
    def time(self) -> str:
        """The seconds with their unit."""
        return duration(self.seconds)


def tool_rows(record: RunRecord, attempt: int = LATEST) -> tuple[ToolRow, ...]:
    """The tools that discharged the obligations, from cheap to expensive."""
    rows = proof_steps(record, attempt)
    tools = sorted({row.tool for row in rows}, key=lambda tool: (_CHEAP.index(tool) if tool in _CHEAP else 9, tool))
    shown = {tool: [row for row in rows if row.tool == tool] for tool in tools}
    return tuple(
        ToolRow(tool, tool_in_words(tool), len(some), sum(row.seconds for row in some)) for tool, some in shown.items()
    )


def slowest(rows: Sequence[EvidenceRow]) -> tuple[EvidenceRow, ...]:
    """The rows by their times, the longest first."""
    return tuple(sorted(rows, key=lambda row: -row.seconds))


def duration(seconds: float) -> str:
    """Seconds with their unit."""
    if seconds < 0.9995:
        return f"{1000 * seconds:.0f} ms" if seconds >= 0.0005 else "< 1 ms"
    return f"{seconds:.2f} s" if seconds < 100 else f"{seconds:.0f} s"


def tally(record: RunRecord, attempt: int = LATEST) -> str:
    """A summary of the obligations: their number, their readings, the tools and the times."""
    rows, seconds = proof_steps(record, attempt), seconds_of(record, attempt, "certify")
    if not rows:
        return ""
    readings = Counter(reading_in_words(row.result)[0] for row in rows)
    results = ", ".join(f"{count} {word}" for word, count in readings.items())
    by = ", ".join(
        f"{one.tool} {one.count}{' in ' + duration(one.seconds) if one.seconds else ''}"
        for one in tool_rows(record, attempt)
    )
    others = {row.subject: row for row in evidence(record, attempt)}
    words = "" if HINTS not in others else f"; of the engine's hints {_with_time(others[HINTS])}"
    took = "" if seconds is None else f"; {seconds:.2f} s in all"
    if BEGINNING in others and others[BEGINNING].seconds:
        took += f", of it {duration(others[BEGINNING].seconds)} to begin"
    return f"{counted(len(rows), 'obligation')}: {results} (by {by}){words}{took}"


def _with_time(row: EvidenceRow) -> str:
    return f"{row.result} in {duration(row.seconds)}" if row.seconds else row.result


def seconds_of(record: RunRecord, attempt: int, phase: str) -> float | None:
    """The seconds of the phases with this name in an attempt; None if there was none."""
    found = [one for one in record.attempt(attempt).phases if one.name == phase]
    now = record.view.seconds
    return sum((now if one.end is None else one.end) - one.start for one in found) if found else None


def left_to_the_solver(record: RunRecord, attempt: int = LATEST) -> str:
    """A sentence about the tools and their shares of the work; empty without a proof."""
    rows = proof_steps(record, attempt)
    if not rows:
        return ""
    left = sum(row.tool not in WITHOUT_SOLVER for row in rows)
    return (
        "Each step was proved by the first means that sufficed: the text alone (syntax), the ranges of variables "
        "(intervals), sums of bounds case by case (differences), a SAT solver (sat), equations modulo powers of two "
        f"(equations); Bitwuzla and cvc5 decide what remains: {left} of {len(rows)}. "
        f"{_meaning({row.result for row in rows})}"
    ).rstrip()


def _meaning(results: Set[str]) -> str:
    """The meanings of the readings that a proof has: one over the integers is not called bit-precise."""
    said = ["Bit-precise: for machine integers."] if "bit-precise" in results else []
    if "integers" in results:
        said.append("Over the integers: for mathematical ones, with the wrap-around that the program has.")
    return " ".join(said)
