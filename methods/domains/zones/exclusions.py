"""Exclusions: values that places do not have, between the bounds that a zone has for them.

A guard `x != c` excludes a value. No zone says so while the value lies between the bounds of `x`; it does as soon as
the value is one of these bounds.

Limitations, by weight: distances of two places are not excluded, and of one place only `MAX_VALUES` values are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.parameters import parameter
from core.terms import INT, Term
from methods.domains.zones.zone import Zone

Exclusions = Mapping[Term, frozenset[int]]
NONE: Exclusions = {}
MAX_VALUES = parameter("domains.zones.exclusions.max-values")


def excluding(exclusions: Exclusions, x: Term, value: int) -> Exclusions:
    """The exclusions with one more, unless there are many."""
    known = exclusions.get(x, frozenset())
    return exclusions if len(known) >= MAX_VALUES else {**exclusions, x: known | {value}}


def excludes(zone: Zone, exclusions: Exclusions, x: Term, value: int) -> bool:
    """Whether `x` does not have a value in a zone with exclusions."""
    low, high = zone.interval(x)
    outside = (low is not None and value < low) or (high is not None and value > high)
    return outside or value in exclusions.get(x, ())


def sharpened(zone: Zone, exclusions: Exclusions) -> Zone | None:
    """A zone in which no bound of a place is excluded; None if it is empty."""
    result: Zone | None = zone
    for x, values in exclusions.items():
        if result is None:
            return None
        low, high = result.interval(x)
        if low is not None and low in values:
            while low in values:
                low += 1
            result = result.constrained(None, x, -low)
        if result is not None and high is not None and high in values:
            while high in values:
                high -= 1
            result = result.constrained(x, None, high)
    return result


def common(a: Zone, excluded_by_a: Exclusions, b: Zone, excluded_by_b: Exclusions) -> Exclusions:
    """The exclusions of one or the other that hold in both."""
    result: dict[Term, frozenset[int]] = {}
    for x in dict.fromkeys((*excluded_by_a, *excluded_by_b)):
        either = excluded_by_a.get(x, frozenset()) | excluded_by_b.get(x, frozenset())
        both = (v for v in sorted(either) if excludes(a, excluded_by_a, x, v) and excludes(b, excluded_by_b, x, v))
        values = frozenset(list(both)[:MAX_VALUES])
        if values:
            result[x] = values
    return result


def together(a: Exclusions, b: Exclusions) -> Exclusions:
    """All exclusions of both."""
    result = a
    for x, values in b.items():
        for value in sorted(values):
            result = excluding(result, x, value)
    return result


def without(exclusions: Exclusions, places: Collection[Term]) -> Exclusions:
    """The exclusions of other places."""
    return {x: values for x, values in exclusions.items() if x not in places} if exclusions else exclusions


def assigned(exclusions: Exclusions, updates: Mapping[Term, Term]) -> Exclusions:
    """The exclusions after a simultaneous assignment; those of a place go to its copies, also with a constant added.

    Of elements of an array that is written, nothing is excluded.
    """
    if not exclusions:
        return exclusions
    result = {x: v for x, v in exclusions.items() if (x if x.is_symbol else x.args[0]) not in updates}
    for x, value in updates.items():
        if x.sort is INT:
            base, distance = _shifted(value)
            values = exclusions.get(base)
            if values is not None:
                result[x] = frozenset(v + distance for v in values)
    return result


def _shifted(t: Term) -> tuple[Term, int]:
    """A term as another one and a number that are added."""
    return (t.args[0], t.constant) if t.is_sum and t.coefficients == (1,) else (t, 0)
