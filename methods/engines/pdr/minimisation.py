"""Minimisation of invariants: clauses that the others at the same cut imply are left out, the longest first.

Every clause that is left out follows from those that remain, so the invariant stays inductive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import groupby

from methods.engines.pdr.query import PathQuery
from methods.engines.pdr.universal_clauses import UniversalClause
from methods.engines.pdr.view import HeapView, KnownPointers


def minimised(
    view: HeapView, pointers: KnownPointers, clauses: Sequence[UniversalClause], tick: Callable[[], None]
) -> list[UniversalClause]:
    """The clauses without those that the others imply."""
    found: list[UniversalClause] = []
    for at, group in groupby(sorted(clauses, key=lambda one: (one.at.stack, one.at.location)), lambda one: one.at):
        kept = sorted(group, key=lambda one: (-one.variables, -len(one.cube), one.id))
        with closing(PathQuery(view, pointers, at, (), None)) as query:
            for clause in list(kept):
                tick()
                others = [one for one in kept if one is not clause]
                if query.denies(others, clause.cube):
                    kept = others
        found += kept
    return found
