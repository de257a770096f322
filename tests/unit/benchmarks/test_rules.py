"""The rules of the portfolio, replayed on what engines need alone: in numbers instead of processes."""

from dataclasses import fields, replace

from benchmarks.rules import WORTH, MeasuredTask, cost, fitted, measured, ratio
from interplay.portfolio.features import Features
from interplay.portfolio.plan import PlanRule, Turn, rules

FEATURES = Features(**{field.name: 0 for field in fields(Features)})
TABLE = (
    PlanRule((), Turn("bmc", 1.0, 1.0, "")),
    PlanRule((), Turn("explicit", 2.0, 1.0, "")),
)


def _task(seconds: dict[str, tuple[float, float]], vain: dict[str, float] | None = None) -> MeasuredTask:
    return MeasuredTask("a", FEATURES, 0.25, seconds, vain or {})


def test_an_opening_that_decides_nothing_is_paid_for() -> None:
    assert cost(_task({"explicit": (1.0, 0.5)}), TABLE) == 2.5


def test_an_engine_that_gives_up_uses_no_more() -> None:
    assert cost(_task({"explicit": (1.0, 0.5)}, {"bmc": 0.25}), TABLE) == 1.75


def test_the_ratio_is_to_the_best_engine_with_its_reading() -> None:
    assert ratio([_task({"explicit": (1.5, 0.25), "bmc": (9.0, 0.0)})], TABLE) == (0.25 + 2.75) / 2.0


def test_fitting_shortens_an_opening_in_vain() -> None:
    tasks = [_task({"explicit": (1.5, 0.25)})] * 2  # one of each half
    better = fitted(tasks, TABLE)
    assert better[0].turn.first_slice == 0.0
    assert ratio(tasks, better) < ratio(tasks, TABLE)


def test_the_rules_cost_little_more_than_the_best_engine() -> None:
    tasks = [task for task in measured() if task.seconds]
    assert ratio(tasks, rules()) < 1.3
    assert [task.name for task in tasks if task.whole(rules()) > 9 * task.best + 2] == []


def test_every_opening_pays() -> None:
    """Without an opening, tasks of each half cost more, or at least of one."""
    tasks = [task for task in measured() if task.seconds]
    table = list(rules())
    for position, rule in enumerate(table):
        if rule.turn.first_slice:
            without = replace(rule, turn=replace(rule.turn, first_slice=0.0))
            changed = [*table[:position], without, *table[position + 1 :]]
            assert any(ratio(half, changed) > ratio(half, table) - WORTH for half in (tasks[::2], tasks[1::2])), rule
