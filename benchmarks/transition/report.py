"""Tables and plots of the measurements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.transition.configurations import COMPARISONS, CONFIGURATIONS, Comparison
from benchmarks.transition.scatter import Plot, Point, svg

QUICKEST = 0.001  # CPU seconds; the resolution of a measurement
NOTHING = 1.0  # refinements are counted exactly
NOISE = 1.25  # times that differ by less than this factor are the same
NOTICEABLE = 0.1  # CPU seconds


@dataclass(frozen=True)
class Measured:
    """One run. `verdict` is `true` or `false` where it was confirmed; `cpu` is in seconds."""

    verdict: str
    refinements: int
    cpu: float

    @property
    def decided(self) -> bool:
        return self.verdict in ("true", "false")


@dataclass(frozen=True)
class Results:
    """All runs, by program and configuration; `truth` says of each program whether its assertions hold."""

    truth: Mapping[str, bool]
    runs: Mapping[tuple[str, str], Measured]

    def wrong(self) -> list[str]:
        """The runs whose verdict contradicts the truth."""
        return [
            f"{program} ({configuration}): {run.verdict}"
            for (program, configuration), run in self.runs.items()
            if run.decided and program in self.truth and (run.verdict == "true") != self.truth[program]
        ]

    def pairs(self, comparison: Comparison) -> list[tuple[str, Measured, Measured]]:
        """(program, horizontal, vertical) where both were run."""
        return [
            (program, self.runs[program, comparison.horizontal], self.runs[program, comparison.vertical])
            for program in self.truth
            if (program, comparison.horizontal) in self.runs and (program, comparison.vertical) in self.runs
        ]


def write_report(results: Results, folder: Path) -> list[str]:
    """Write the plots and `tables.md` into `folder`; returns the lines of the latter."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [*comparison_table(results), "", "Losses:", "", *losses(results), "", *program_table(results)]
    (folder / "tables.md").write_text("\n".join([*lines, ""]), encoding="utf-8")
    for comparison in COMPARISONS:
        if results.pairs(comparison):
            (folder / f"{comparison.name}.svg").write_text(svg(plots(results, comparison)), encoding="utf-8")
    return lines


def plots(results: Results, comparison: Comparison) -> list[Plot]:
    """Refinements and time. A refinement more is counted on both sides, as none has no logarithm."""
    pairs = results.pairs(comparison)
    across, up = comparison.horizontal, comparison.vertical
    refinements = [Point(n, x.refinements + 1, y.refinements + 1, _cut_off(x, y)) for n, x, y in pairs]
    seconds = [Point(n, max(x.cpu, QUICKEST), max(y.cpu, QUICKEST), _cut_off(x, y)) for n, x, y in pairs]
    return [
        Plot(f"{comparison.title}: refinements + 1", across, up, refinements),
        Plot(f"{comparison.title}: CPU seconds", across, up, seconds),
    ]


def _cut_off(*runs: Measured) -> bool:
    return not all(run.decided for run in runs)


def comparison_table(results: Results) -> Iterator[str]:
    """The factors by which the vertical configuration of each figure needs fewer refinements, and less time."""
    yield "| | decided by both, one, the other | refinements: median, best, worst | fewer, same, more |" + (
        " time: median, best, worst | less, same, more |"
    )
    yield "| --- |" + " --- |" * 5
    for comparison in COMPARISONS:
        pairs = results.pairs(comparison)
        if any(x.decided and y.decided for _, x, y in pairs):
            yield f"| {_label(comparison)} | {' | '.join(_comparison_cells(pairs))} |"


def _label(comparison: Comparison) -> str:
    return f"{comparison.vertical} against {comparison.horizontal}"


def _comparison_cells(pairs: Sequence[tuple[str, Measured, Measured]]) -> Iterator[str]:
    both = [(x, y) for _, x, y in pairs if x.decided and y.decided]
    one = sum(x.decided and not y.decided for _, x, y in pairs)
    other = sum(y.decided and not x.decided for _, x, y in pairs)
    yield f"{len(both)}, {one}, {other}"
    yield from _factors([max(x.refinements, 1) / max(y.refinements, 1) for x, y in both], NOTHING)
    yield from _factors([max(x.cpu, QUICKEST) / max(y.cpu, QUICKEST) for x, y in both], NOISE)


def _factors(factors: Sequence[float], same: float) -> Iterator[str]:
    """The distribution, and how often a factor is better than, within and worse than a tolerance."""
    yield f"{median(factors):.1f} ×, {max(factors):.1f} ×, {min(factors):.2f} ×"
    better, worse = sum(f > same for f in factors), sum(f < 1 / same for f in factors)
    yield f"{better}, {len(factors) - better - worse}, {worse}"


def losses(results: Results) -> Iterator[str]:
    """The programs for which the vertical configuration of a figure needs more refinements, or noticeably more time."""
    for comparison in COMPARISONS:
        for program, x, y in results.pairs(comparison):
            slower = y.cpu > NOISE * x.cpu and y.cpu - x.cpu > NOTICEABLE
            if x.decided and (not y.decided or y.refinements > x.refinements or slower):
                yield f"- {_label(comparison)}, {program}: {_cell(y)} against {_cell(x)}"


def program_table(results: Results) -> Iterator[str]:
    configurations = [c for c in CONFIGURATIONS if any(key[1] == c for key in results.runs)]
    yield f"| program | holds | {' | '.join(configurations)} |"
    yield "| --- |" + " --- |" * (len(configurations) + 1)
    for program, holds in results.truth.items():
        cells = [_cell(results.runs.get((program, c))) for c in configurations]
        yield f"| {program} | {'yes' if holds else 'no'} | {' | '.join(cells)} |"


def _cell(run: Measured | None) -> str:
    if run is None:
        return ""
    note = "" if run.decided else f" {run.verdict}"
    return f"{run.refinements} / {run.cpu:.2f} s{note}"
