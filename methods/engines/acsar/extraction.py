"""Predicates of conjunctions about arrays: their conjuncts, and the order of the indices that they keep apart.

Seghir, Podelski, Wies, "Abstraction refinement for quantified array assertions", SAS 2009, section 6: `extract1`, the
conjuncts of the *saturation* of a conjunction by the disjunctions of inequalities between indices that it entails.

| here | there |
| --- | --- |
| `extracted` | extract1: conjuncts, after saturation |
| `_apart` | disjunctions of disequalities that are entailed, of one or two pairs, of indices of one array |

Deviations: cases decide reads of updates before (`methods.engines.acsar.cubes`), so most disjunctions have
one disjunct.
An equation between indices is split into two inequalities, too, since widening needs its sides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from core.decision.instances import reads_of
from core.parameters import parameter
from core.solver.contract import Sat, Solver
from core.terms import Arena, Term
from methods.engines.acsar.cubes import reads

MAX_PAIRS = parameter("acsar.extraction.max-pairs")
MAX_TOGETHER = parameter("acsar.extraction.max-together")


def extracted(arena: Arena, solver: Solver, cube: Sequence[Term], visible: Collection[Term]) -> Iterator[Term]:
    """The predicates of a conjunction over `visible` symbols. The solver knows no more than it. Raises what it does."""
    for literal in cube:
        if not literal.symbols() <= frozenset(visible):
            continue
        if literal.is_equation and not reads(literal):
            yield arena.le(literal.args[0], arena.integer(literal.value))
            yield arena.le(arena.integer(literal.value), literal.args[0])
        else:
            yield literal
    for s, t in _apart(arena, solver, _pairs(cube, frozenset(visible))):
        yield arena.lt(s, t)
        yield arena.lt(t, s)


def _pairs(cube: Sequence[Term], visible: frozenset[Term]) -> list[tuple[Term, Term]]:
    """The pairs of indices at which one array is read."""
    found: dict[tuple[Term, Term], None] = {}
    for indices in reads_of(cube).values():
        for s, t in combinations([i for i in indices if i.symbols() <= visible], 2):
            if not (s.is_constant and t.is_constant):
                found[s, t] = None
    return list(found)[:MAX_PAIRS]


def _apart(arena: Arena, solver: Solver, pairs: Sequence[tuple[Term, Term]]) -> Iterator[tuple[Term, Term]]:
    """The pairs in disjunctions of disequalities that hold, none of which has another in it."""
    equal = {pair: arena.equals(*pair) for pair in pairs}
    single = [pair for pair in pairs if not isinstance(solver.check([equal[pair]]), Sat)]
    yield from single
    open_pairs = [pair for pair in pairs if pair not in single]
    if len(open_pairs) <= MAX_TOGETHER:
        for two in combinations(open_pairs, 2):
            if not isinstance(solver.check([equal[pair] for pair in two]), Sat):
                yield from two
