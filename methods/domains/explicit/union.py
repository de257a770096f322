"""The union of many valuations as one formula that shares what they have in common: a decision diagram.

Places are decided one after the other, in the order of their creation; equal subterms are one (as in T. Kam et al.,
"Multi-valued decision diagrams", 1998, with unknown values as one more branch). A set of k independent places with n
values each has k · n atoms, not n^k cubes: certificates of thousands of states stay small enough to be checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.terms import BOOL, Arena, Term
from methods.domains.explicit.cells import Cells, Explicit

_Branches = dict[int | bool | None, Term]


def facts(arena: Arena, values: Mapping[Term, Explicit]) -> list[Term]:
    """The equation `place = value` for every place whose value is known."""
    return [_one_of(arena, _term(arena, place), [value]) for place, value in _places(values)]


def union(arena: Arena, parts: Iterable[tuple[Mapping[Term, Explicit], Term]]) -> Term:
    """The disjunction over `parts` of `⋀ place = value` and the formula that comes with it."""
    flat = [(dict(_places(values)), rest) for values, rest in parts]
    order = sorted({place for known, _ in flat for place in known}, key=lambda place: (place[0].id, place[1] or 0))
    level: dict[tuple[int | bool | None, ...], Term] = {}
    for known, rest in flat:
        prefix = tuple(map(known.get, order))
        level[prefix] = arena.or_(level[prefix], rest) if prefix in level else rest
    for variable, index in reversed(order):
        place = _term(arena, (variable, index))
        branches: dict[tuple[int | bool | None, ...], _Branches] = {}
        for prefix, child in level.items():
            branches.setdefault(prefix[:-1], {})[prefix[-1]] = child
        level = {prefix: _decide(arena, place, children) for prefix, children in branches.items()}
    return level.get((), arena.false)


_Place = tuple[Term, int | None]  # a variable, or a cell of an array


def _term(arena: Arena, place: _Place) -> Term:
    variable, index = place
    return variable if index is None else arena.select(variable, arena.integer(index))


def _places(values: Mapping[Term, Explicit]) -> Iterator[tuple[_Place, int | bool]]:
    for x, value in values.items():
        if isinstance(value, Cells):
            yield from (((x, index), element) for index, element in value.known_entries())
        else:
            yield (x, None), value


def _decide(arena: Arena, place: Term, branches: _Branches) -> Term:
    """Branch on the value of `place`; the branch for None counts whatever the value is."""
    values: dict[Term, list[int | bool]] = {}
    for value, child in branches.items():
        if value is not None:
            values.setdefault(child, []).append(value)
    cases = [arena.and_(_one_of(arena, place, sorted(vs)), child) for child, vs in values.items()]
    return arena.or_(branches.get(None, arena.false), *cases)


def _one_of(arena: Arena, place: Term, values: Sequence[int | bool]) -> Term:
    """The formula that `place` has one of these values, given in ascending order."""
    if place.sort is BOOL:
        return arena.or_(*(place if value else arena.not_(place) for value in values))
    runs: list[tuple[int, int]] = []
    for value in values:
        if runs and runs[-1][1] == value - 1:
            runs[-1] = runs[-1][0], value
        else:
            runs.append((value, value))
    return arena.or_(*(_between(arena, place, low, high) for low, high in runs))


def _between(arena: Arena, place: Term, low: int, high: int) -> Term:
    if low == high:
        return arena.equals(place, arena.integer(low))
    return arena.and_(arena.le(arena.integer(low), place), arena.le(place, arena.integer(high)))
