"""The plan of a portfolio: the methods to run on a program, their order, their shares of the time, and the reasons.

A plan is plain data, and so are the rules that make it: the rows of `resources/portfolio/rules.txt`, whose head says
how they are read. They are heuristic: they affect how soon there is an answer, never which.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache

from core.dataclass import dataclass
from core.pattern import pattern
from core.program import Program
from interplay.portfolio.features import Features, features_of
from methods.registry import ENGINES
from resources import resource_text, rows

_FEATURES = frozenset(field.name for field in fields(Features))
_CONDITION = pattern(r"(?P<no>no )?(?P<feature>\w+)(?: (?P<relation>>=|<) (?P<bound>\d+))?")


@dataclass(frozen=True)
class Turn:
    """The time of one engine: `first_slice` CPU seconds in its turn, then a `share` of the rest."""

    engine: str
    first_slice: float
    share: float
    reason: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Plan:
    """The turns in their order, and the engines left out, each with the reason. `features` are the basis of both."""

    turns: tuple[Turn, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    features: tuple[tuple[str, int], ...] = ()


Planner = Callable[[Program], Plan]
"""Decides what the portfolio does about a program."""


@dataclass(frozen=True)
class FeatureCondition:
    """A condition on a feature: at least `low`, and less than `high` where there is one."""

    feature: str
    low: int = 0
    high: int | None = None

    def holds(self, features: Mapping[str, int]) -> bool:
        value = features[self.feature]
        return self.low <= value and (self.high is None or value < self.high)


@dataclass(frozen=True)
class PlanRule:
    """A row of the table; the method is left out where its turn has no share."""

    conditions: tuple[FeatureCondition, ...]
    turn: Turn

    @property
    def leaves_out(self) -> bool:
        return not self.turn.share


@cache
def rules() -> tuple[PlanRule, ...]:
    """The rows of the table, in their order."""
    return read_rules(resource_text("portfolio", "rules.txt"))


def read_rules(text: str) -> tuple[PlanRule, ...]:
    """The rows of a table. Raises `ValueError`."""
    return tuple(map(_rule, rows(text)))


def _rule(line: str) -> PlanRule:
    when, method, first_slice, share, reason = (column.strip() for column in line.split("|"))
    engine, *options = method.split()
    chosen = tuple((name, value) for name, _, value in (option.partition("=") for option in options))
    is_out = first_slice == "-"
    turn = Turn(engine, 0.0 if is_out else float(first_slice), 0.0 if is_out else float(share), reason, chosen)
    return PlanRule(tuple(_condition(word.strip()) for word in when.split(",") if word), turn)


def _condition(text: str) -> FeatureCondition:
    match = _CONDITION.fullmatch(text)
    if match is None or match["feature"] not in _FEATURES:
        raise ValueError(f"no condition on a feature: {text!r}")
    feature, bound = match["feature"], int(match["bound"] or 1)
    if match["no"] or match["relation"] == "<":
        return FeatureCondition(feature, high=bound)
    return FeatureCondition(feature, low=bound)


def plan(features: Features, engines: Collection[str], table: Sequence[PlanRule] | None = None) -> Plan:
    """The turns of those of `engines` that fit a program with these features."""
    chosen = list(_chosen(features, rules() if table is None else table))
    turns = tuple(rule.turn for rule in chosen if not rule.leaves_out and rule.turn.engine in engines)
    left_out = tuple((rule.turn.engine, rule.turn.reason) for rule in chosen if rule.leaves_out)
    named = {rule.turn.engine for rule in chosen}
    unnamed = tuple((engine, "no rule of the plan names it") for engine in engines if engine not in named)
    return Plan(turns, (*(one for one in left_out if one[0] in engines), *unnamed), features.items())


def _chosen(features: Features, table: Sequence[PlanRule]) -> Iterator[PlanRule]:
    """The first row of each method whose conditions hold."""
    values = dict(features.items())
    methods = set[tuple[str, tuple[tuple[str, str], ...]]]()
    for rule in table:
        method = (rule.turn.engine, rule.turn.options)
        if method not in methods and all(condition.holds(values) for condition in rule.conditions):
            methods.add(method)
            yield rule


def plan_for(program: Program) -> Plan:
    """The turns of all engines on `program`."""
    return plan(features_of(program), ENGINES)
