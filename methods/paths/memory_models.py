"""Addresses on a path to an error: models in which its pointers lead to memory, as a replay requires.

Any model of the path formula shows an execution of the program; one that dereferences null cannot be replayed.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.limits import SolverUndecided
from core.program.expansion import Expansion
from core.program.memory import OUTSIDE
from core.program.semantics import StaticSingleAssignment
from core.solver.contract import Model, Sat, Solver
from core.terms import INT, ArraySort, Term, subterms


def model_in_memory(
    expansion: Expansion, ssa: StaticSingleAssignment, constraints: Sequence[Term], solver: Solver
) -> Model | None:
    """A model of a path's constraints in which all unknown addresses that it accesses are in memory, if easy."""
    for wanted in in_memory(expansion, ssa, constraints):
        try:
            answer = solver.check([*constraints, *wanted])
        except SolverUndecided:
            return None
        if isinstance(answer, Sat):
            return answer.model
    return None


def in_memory(
    expansion: Expansion, ssa: StaticSingleAssignment, constraints: Sequence[Term]
) -> tuple[Sequence[Term], ...]:
    """Constraints that put all unknown addresses that a path accesses in memory, the best first."""
    arena, addresses = expansion.arena, _addresses(expansion, ssa, constraints)
    lowest, end = map(arena.integer, OUTSIDE)
    above = [arena.le(lowest, one) for one in addresses]
    return ([*above, *(arena.lt(one, end) for one in addresses)], above) if addresses else ()


def _addresses(expansion: Expansion, ssa: StaticSingleAssignment, constraints: Sequence[Term]) -> list[Term]:
    """The indices of array elements that depend on pointers, which are the integers without a range."""
    stored = [value for value in ssa.values.values() if isinstance(value.sort, ArraySort)]
    pointers: set[Term] = set()
    addresses: dict[Term, None] = {}
    for t in subterms(*constraints, *stored):
        if t.sort is INT:
            held_in = _array_of(t)
            computed = not t.is_select and not pointers.isdisjoint(t.args)
            if computed or (held_in is not None and expansion.range_of(ssa.origin.get(held_in, held_in)) is None):
                pointers.add(t)
        if t.is_access and t.args[1] in pointers:
            addresses[t.args[1]] = None
    return list(addresses)


def _array_of(t: Term) -> Term | None:
    """The symbol itself, or the one of the array (before what is stored in it) that an element is read from."""
    while t.is_access:
        t = t.args[0]
    return t if t.is_symbol else None
