"""Dependences of values in one execution: what a value was computed from, element by element of arrays.

With known values only the part that counted is a dependence: the branch of a conditional, the operand that decides a
conjunction, the element that was read. A dependence on *which* element that is, is told apart from one on its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.dataclass import dataclass
from core.terms import ArraySort, NotEvaluable, Op, Term, Treatment, Value, evaluate

OTHER_OPERATORS = Treatment.EXACT

KnownValues = Mapping[Term, Value]


@dataclass(frozen=True, slots=True)
class Dependence:
    """A use of a variable or input: of one element of an array, or of all of it where `element` is None.

    `places` says that it only decides which element is read or written.
    """

    symbol: Term
    element: int | None = None
    places: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """The writing of a variable: of one element, or of all. `kept`: others, or all if it is unknown which, may stay."""

    symbol: Term
    element: int | None
    value: Term
    place: Term | None = None
    kept: bool = False

    def uses(self, values: KnownValues, element: int | None = None) -> Iterator[Dependence]:
        """The dependences of what is written: of one element of it, where an array is written as a whole."""
        yield from uses(self.value, values, element if self.element is None else None)
        if self.place is not None:
            yield from (Dependence(one.symbol, one.element, True) for one in uses(self.place, values))


def uses(term: Term, values: KnownValues, element: int | None = None) -> Iterator[Dependence]:
    """The dependences of a term, or of one element of an array."""
    seen: set[tuple[Term, int | None, bool]] = set()
    pending: list[tuple[Term, int | None, bool]] = [(term, element, False)]
    while pending:
        one = pending.pop()
        if one in seen:
            continue
        seen.add(one)
        t, at, places = one
        if t.is_symbol:
            yield Dependence(t, at, places)
        else:
            pending += ((a, e, places or decides) for a, e, decides in _parts(t, at, values))


def _parts(t: Term, element: int | None, values: KnownValues) -> Iterator[tuple[Term, int | None, bool]]:
    """The arguments that a term depends on, with the element of each, and whether it only decides which element."""
    match t.op:
        case Op.SELECT:
            array, index = t.args
            yield array, None if isinstance(t.sort, ArraySort) else number(index, values), False
            yield index, None, True
        case Op.STORE:
            array, index, value = t.args
            at = number(index, values)
            if element is None or at is None or at == element:
                yield value, None, False
                yield index, None, True
            if element is None or at != element:
                yield array, element, False
        case Op.ITE:
            condition, *sides = t.args
            holds = evaluated(condition, values)
            yield condition, None, False
            yield from ((side, element, False) for side in (sides if holds is None else [sides[not holds]]))
        case Op.AND | Op.OR:
            deciding = next((a for a in t.args if evaluated(a, values) is (t.is_disjunction)), None)
            yield from ((a, None, False) for a in (t.args if deciding is None else [deciding]))
        case _:
            yield from ((a, None, False) for a in t.args)


def written(x: Term, value: Term, values: KnownValues) -> Iterator[Written]:
    """The parts of a variable that an assignment writes."""
    stores: list[Written] = []
    layer = value
    while layer.is_store:
        array, index, new = layer.args
        at = number(index, values)
        stores.append(Written(x, at, new, index, kept=True))
        layer = array
    if stores and layer is x and len({one.element for one in stores}) == len(stores):
        yield from stores
    else:
        yield Written(x, None, value)


def number(term: Term, values: KnownValues) -> int | None:
    """The value of a number; None where it is not known."""
    found = evaluated(term, values)
    return found if isinstance(found, int) else None


def evaluated(term: Term, values: KnownValues) -> Value | None:
    """The value of a term; None where it is not known."""
    try:
        return evaluate(term, values)
    except (KeyError, NotEvaluable):
        return None
