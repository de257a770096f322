"""Unsatisfiable cores of tagged clauses: the origins of clauses that a refutation needs.

For core-based transition interpolants (Jhala and McMillan, "Interpolant-based transition relation approximation",
sections 4 and 6): clauses carry the step of the path that implies them, and the steps outside the core get no
interpolant. Where every lemma comes from one step, the lemmas of a step in a core are an interpolant of that step in
conjunctive normal form.

Each tag gets one selector variable; the solver's core is then minimised by deletion, within a budget of conflicts.

Limitations: the core is minimal by inclusion, not by number, and only as far as the budget goes; which of several
minimal cores is found depends on the order of the clauses (tags that occur later are tried for deletion first).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Generic, TypeVar

from sat.solver import Clause, ConflictLimitReached, Satisfiable, SatSolver, Unsatisfiable

Tag = TypeVar("Tag", bound=Hashable)


class Minimality(Enum):
    """The extent to which deletion made a core minimal."""

    MINIMAL = auto()  # without any one of its tags the rest is satisfiable
    BUDGET = auto()  # some query ended undecided, and its tag was kept


@dataclass(frozen=True, slots=True)
class Core(Generic[Tag]):
    """Tags, in order of first occurrence, whose clauses together are unsatisfiable."""

    tags: tuple[Tag, ...]
    minimality: Minimality


@dataclass(frozen=True, slots=True)
class Consistent:
    """All clauses together are satisfiable; `answer.model` covers the variables of the clauses, then the selectors."""

    answer: Satisfiable


def tagged_core(
    clauses: Sequence[tuple[Tag, Clause]], conflicts_per_query: int | None = None
) -> Core[Tag] | Consistent:
    """A core of `clauses`, each with the tag of its origin; deletion queries get `conflicts_per_query` each.

    The first query has no budget. Raises `ValueError` for the literal 0.
    """
    first = 1 + max((abs(literal) for _, clause in clauses for literal in clause), default=0)
    selectors = {tag: first + i for i, tag in enumerate(dict.fromkeys(tag for tag, _ in clauses))}
    with SatSolver([*clause, -selectors[tag]] for tag, clause in clauses) as solver:
        answer = solver.solve(tuple(selectors.values()))
        if isinstance(answer, Satisfiable):
            return Consistent(answer)
        kept, minimality = _minimised(solver, answer, conflicts_per_query)
    return Core(tuple(tag for tag, selector in selectors.items() if selector in kept), minimality)


def _minimised(solver: SatSolver, refuted: Unsatisfiable, conflicts: int | None) -> tuple[frozenset[int], Minimality]:
    """Delete one assumption after the other, each time falling to the core of the answer."""
    minimality = Minimality.MINIMAL
    candidates, needed = list(refuted.core), list[int]()
    while candidates:
        tried = candidates.pop()
        try:
            answer = solver.solve((*candidates, *needed), conflicts)
        except ConflictLimitReached:
            minimality = Minimality.BUDGET
            needed.append(tried)
            continue
        match answer:
            case Satisfiable():
                needed.append(tried)
            case Unsatisfiable(core):
                candidates = [c for c in candidates if c in core]
                # What an undecided query kept may turn out to be superfluous.
                needed = [n for n in needed if n in core]
    return frozenset(needed), minimality
