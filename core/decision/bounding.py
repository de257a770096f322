"""The part of formulas that has a width: what bit-vectors can hold, where not all of it can be held.

Addresses often have no bounds, and index arrays. One that can be a single number becomes it. Elements at other such
indices become symbols, which forgets that equal indices have equal elements. Comparisons of what still has no bounds
become propositions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from core.analysis.bounds import Intervals
from core.dataclass import dataclass
from core.decision.justification import Abstracted, Deduced, InInterval, Justification, Rewritten
from core.decision.kernel import Rewriter
from core.decision.widening import width
from core.terms import BOOL, INT, Arena, Term, replace_subterms, subterms


@dataclass(frozen=True)
class Bounded:
    """Formulas that follow from others, with the width that they need, if any.

    `closed` makes a justification that closes the others of one that closes these.
    """

    formulas: Sequence[Term]
    width: int | None
    closed: Callable[[Justification], Justification]


def bounded_part(arena: Arena, formulas: Sequence[Term], intervals: Intervals) -> Bounded:
    """Formulas that follow from `formulas` and have a width: if they are refuted, so are `formulas`."""
    bounds = intervals.assuming(formulas)
    single = {s: low for s in _integers(formulas) if (low := bounds(s).low) is not None and low == bounds(s).high}
    equations = [arena.equals(s, arena.integer(low)) for s, low in single.items()]
    weaker = [*map(Rewriter(arena, equations), formulas)]
    bounds = intervals.assuming(weaker)
    reads = (t for t in subterms(*weaker) if t.is_select and t.sort is INT)
    elements = {t: arena.fresh("element", INT) for t in reads if bounds(t.args[1]).magnitude is None}
    named = [replace_subterms(arena, formula, elements) for formula in weaker]
    bounds = intervals.assuming(named)
    comparisons = (t for t in subterms(*named) if t.is_comparison)
    unbounded = {t: arena.fresh("comparison", BOOL) for t in comparisons if width([t], bounds) is None}
    bounded = [replace_subterms(arena, formula, unbounded) for formula in named]

    def closed(by: Justification) -> Justification:
        by = Abstracted(tuple(named), tuple(unbounded.items()), by)
        by = Abstracted(tuple(weaker), tuple(elements.items()), by)
        numbers = Rewritten(tuple(formulas), tuple(equations))
        return Deduced(tuple(InInterval(one, tuple(formulas)) for one in equations), Deduced((numbers,), by))

    return Bounded(bounded, width(bounded, intervals.assuming(bounded)), closed)


def _integers(formulas: Iterable[Term]) -> Iterator[Term]:
    return (t for t in subterms(*formulas) if t.is_symbol and t.sort is INT)
