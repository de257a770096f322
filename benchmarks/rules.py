"""The cost of the portfolio's rules, computed from runs of each engine alone, and a search for better numbers.

    python -m benchmarks.rules                 the ratio of the portfolio to the best engine, and what costs most
    python -m benchmarks.rules fit             the same for the best numbers found, and the rows that change

`benchmarks/alone.csv` (made by `benchmarks.alone`) says what each engine needs alone. The scheduler runs on these
numbers instead of processes, so the result depends on no machine. An engine that decided nothing alone is taken to use
all that it gets, and each claim to hold; what engines expect of their ends is left out.

The table has tasks of the half on which rules may be fitted: those whose path below the folder of the benchmarks has a
SHA-256 that begins with 8 to f. What is claimed of the rules is measured on the other half.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from math import exp, log
from pathlib import Path

from core.dataclass import dataclass
from interplay.portfolio.features import Features
from interplay.portfolio.plan import PlanRule, plan, rules
from interplay.portfolio.schedule import ScheduledTurn, next_turns
from methods.registry import ENGINES

TABLE = Path(__file__).parent / "alone.csv"
STEP = 0.25  # CPU seconds after which the scheduler is asked again
EQUAL = 1e-9
LIMIT = 60.0  # CPU seconds after which a simulated run ends
CORES = 2
SLICES = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
SHARES = (0.5, 1.0, 2.0, 4.0, 8.0, 24.0)
WORTH = 0.001  # what a change must gain on each half, so that no row follows a single task
FARTHEST = 12  # places that a row is moved


@dataclass(frozen=True, eq=False)
class MeasuredTask:
    """A task with its features, the CPU seconds before engines begin, and then those of the engines that decide it."""

    name: str
    features: Features
    reading: float
    seconds: Mapping[str, tuple[float, float]]  # of the search, and of the examination of its answer
    vain: Mapping[str, float]  # of those that give up

    @property
    def best(self) -> float:
        """CPU seconds of the whole run of the best engine alone."""
        return self.reading + min(sum(pair) for pair in self.seconds.values())

    def whole(self, table: Sequence[PlanRule]) -> float:
        """CPU seconds of the whole run of the portfolio with the rules of `table`."""
        return self.reading + cost(self, table)


def measured(path: Path = TABLE) -> Iterator[MeasuredTask]:
    names = [field.name for field in fields(Features)]
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            seconds = {engine: _pair(row[engine]) for engine in ENGINES if "+" in row[engine]}
            vain = {engine: float(row[engine].removeprefix("none")) for engine in ENGINES if "none" in row[engine]}
            features = Features(**{name: int(row[name]) for name in names})
            yield MeasuredTask(row["task"], features, float(row["reading"]), seconds, vain)


def _pair(text: str) -> tuple[float, float]:
    search, _, examination = text.partition("+")
    return float(search), float(examination)


def cost(task: MeasuredTask, table: Sequence[PlanRule]) -> float:
    """CPU seconds until an engine decides the task, with those of the others; `LIMIT` where none does before."""
    turns = [ScheduledTurn(turn) for turn in plan(task.features, ENGINES, table).turns]
    pairs = [task.seconds.get(one.turn.engine, (LIMIT, 0.0)) for one in turns]
    used = 0.0
    while used < LIMIT:
        due = next_turns(turns, CORES)
        if not due:
            return LIMIT
        for position, one in enumerate(turns):
            one.running = position in due
        step = min(min(_left(turns[i], pairs[i], task), turns[i].slice_left, STEP) for i in due)
        for i in due:
            turns[i].spend(turns[i].used + step)
            turns[i].examining = turns[i].used >= pairs[i][0] - EQUAL
            turns[i].ended = turns[i].used >= task.vain.get(turns[i].turn.engine, LIMIT) - EQUAL
        used += step * len(due)
        if any(turns[i].used >= sum(pairs[i]) - EQUAL for i in due):
            return used
    return LIMIT


def _left(turn: ScheduledTurn, pair: tuple[float, float], task: MeasuredTask) -> float:
    """CPU seconds until its engine gives up or claims an answer, or else until the answer is examined."""
    search, examination = pair
    end = search if turn.used < search - EQUAL else search + examination
    return min(end, task.vain.get(turn.turn.engine, LIMIT)) - turn.used


def ratio(tasks: Sequence[MeasuredTask], table: Sequence[PlanRule]) -> float:
    """The geometric mean of the portfolio's whole cost to that of the best engine alone."""
    return exp(sum(log(one.whole(table) / one.best) for one in tasks) / len(tasks))


def fitted(tasks: Sequence[MeasuredTask], table: Sequence[PlanRule]) -> list[PlanRule]:
    """A table of which no single change makes the ratio better by `WORTH` on each of two halves of the tasks."""
    halves = tasks[::2], tasks[1::2]
    best, least = list(table), [ratio(half, table) for half in halves]
    improves = True
    while improves:
        improves = False
        for changed in _neighbours(best):
            now = [ratio(half, changed) for half in halves]
            if all(new < old - WORTH for new, old in zip(now, least, strict=True)):
                best, least, improves = changed, now, True
    return best


def _neighbours(table: Sequence[PlanRule]) -> Iterator[list[PlanRule]]:
    """The tables that differ in a first slice, a share, or the place of a row."""
    for position, rule in enumerate(table):
        if rule.leaves_out:
            continue
        others = [*table[:position], *table[position + 1 :]]
        for first_slice in SLICES:
            yield _with(others, position, rule, first_slice, rule.turn.share)
        for share in SHARES:
            yield _with(others, position, rule, rule.turn.first_slice, share)
        for place in range(max(0, position - FARTHEST), min(len(table), position + FARTHEST + 1)):
            yield _with(others, place, rule, rule.turn.first_slice, rule.turn.share)


def _with(others: Sequence[PlanRule], place: int, rule: PlanRule, first_slice: float, share: float) -> list[PlanRule]:
    turn = replace(rule.turn, first_slice=first_slice, share=share)
    return [*others[:place], replace(rule, turn=turn), *others[place:]]


def main(arguments: Sequence[str]) -> int:
    tasks = [one for one in measured() if one.seconds]
    table: Sequence[PlanRule] = rules()
    if arguments == ["fit"]:
        before, table = table, fitted(tasks, table)
        for old, new in zip(before, table, strict=True):
            if old != new:
                print(f"{new.turn.engine:12} {new.turn.first_slice:5} {new.turn.share:5}  {new.turn.reason}")
    print(f"{len(tasks)} tasks, ratio to the best engine {ratio(tasks, table):.2f}")
    costs = {one: one.whole(table) for one in tasks}
    for one in sorted(tasks, key=lambda one: costs[one] / one.best, reverse=True)[:20]:
        decider = min(one.seconds, key=lambda engine: sum(one.seconds[engine]))
        print(f"{costs[one]:6.1f} {one.best:6.1f} {decider:10} {one.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
