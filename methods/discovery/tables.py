"""Constant tables: arrays some elements of which are known numbers when a loop is entered, and that it leaves alone.

Heuristic. A loop that goes through a table up to an element which marks its end has a bound that no guard names, and
interpolants of its unrollings count towards it. It follows from the table: few indices are those at which a guard has
another truth value than everywhere else.

Limitation: guards that read one element, at an index that is linear in one variable, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from core.parameters import parameter
from core.program.expansion import Step
from core.terms import (
    INT,
    Arena,
    ArraySort,
    ArrayValue,
    NotEvaluable,
    Term,
    Treatment,
    atoms,
    evaluate,
    lift_choices,
    substitute,
    subterms,
)

OTHER_OPERATORS = Treatment.OPAQUE

MOST_TURNING_POINTS = parameter("discovery.tables.most-turning-points")

_Elements = Mapping[int, int]
"""The known elements of an array by their indices."""


def known_tables(steps: Sequence[Step]) -> dict[Term, _Elements]:
    """The arrays with known elements after `steps`."""
    known: dict[Term, _Elements] = {}
    for step in steps:
        written = {x: value for x, value in step.transition.updates.items() if isinstance(x.sort, ArraySort)}
        after = {x: _elements(value, known) for x, value in written.items()}
        known = {
            **{x: table for x, table in known.items() if x not in written},
            **{x: t for x, t in after.items() if t},
        }
    return known


def _elements(array: Term, known: Mapping[Term, _Elements]) -> _Elements:
    """The known elements of an array that was written."""
    written: list[tuple[Term, Term]] = []
    while array.is_store:
        array, index, value = array.args
        written.append((index, value))
    elements = dict(known.get(array, {}))
    for index, value in reversed(written):
        if not index.is_constant:
            return {}
        elements.pop(index.value, None)
        if value.is_constant:
            elements[index.value] = value.value
    return elements


def turning_points(arena: Arena, tables: Mapping[Term, _Elements], condition: Term) -> Iterator[tuple[Term, int, Term]]:
    """The values of variables at which an atom of a condition has the rarer truth value because of an element.

    Each comes as the variable, its value, and the atom there, which is about the element alone.
    """
    for atom in atoms(lift_choices(arena, condition)):
        reads = [t for t in subterms(atom) if t.is_select]
        others = [x for x in atom.symbols() if x.sort is INT]
        if len(reads) != 1 or len(others) != 1 or len(atom.symbols()) != 2 or reads[0].args[0] not in tables:
            continue
        [x], (array, index) = others, reads[0].args
        elements = ArrayValue(0, tables[array])
        by_truth: dict[bool, list[int]] = {True: [], False: []}
        for value in _values(arena, x, index, tables[array]):
            with suppress(NotEvaluable):
                by_truth[evaluate(atom, {x: value, array: elements}) is True].append(value)
        rarer = min(by_truth.values(), key=len)
        if len(rarer) <= MOST_TURNING_POINTS:
            yield from ((x, value, substitute(arena, atom, {x: arena.integer(value)})) for value in rarer)


def _values(arena: Arena, x: Term, index: Term, table: _Elements) -> Iterator[int]:
    """The values of a variable at which an index that is linear in it is that of a known element."""
    zero, one = (substitute(arena, index, {x: n}) for n in (arena.zero, arena.one))
    slope = arena.subtract(one, zero)
    if not zero.is_constant or not slope.is_constant or not slope.value:
        return
    if arena.linear([(slope.value, x)], zero.value) is index:
        differences = (place - zero.value for place in table)
        yield from (d // slope.value for d in differences if d % slope.value == 0)
