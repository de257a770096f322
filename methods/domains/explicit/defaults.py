"""Cells that a certificate must mention: of arrays whose other cells all have one value, those that some step reads.

A formula without quantifiers cannot say that *every* cell is 0. But a step depends on the cells that it reads, and in
finitely many states it reads finitely many: with these, the formulas of the states imply each other along the steps
as the states do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.program.expansion import At, Expansion
from core.program.semantics import Transition
from core.terms import ArraySort, Term, subterms
from methods.domains.explicit.cells import Cells, Explicit
from methods.domains.explicit.compiler import Values
from methods.domains.explicit.domain import ExplicitDomain


class ReadCells:
    """The cells that steps read in `states`, by array; arrays that are copied to each other share theirs."""

    def __init__(self, expansion: Expansion, states: Mapping[At, Sequence[Values]]) -> None:
        self._parent: dict[Term, Term] = {}
        self._indices: dict[Term, set[int]] = {}
        domain = ExplicitDomain(expansion)
        found: dict[Term, set[int]] = {}
        if any(_has_default(values) for parts in states.values() for values in parts):
            for at, parts in states.items():
                for step in expansion.steps(at):
                    self._link(step.transition)
                    for array, index in _reads(step.transition):
                        for values in parts:
                            known = domain.value(index, values)
                            if isinstance(known, int):
                                found.setdefault(array, set()).add(known)
        for array, indices in found.items():
            self._indices.setdefault(self._root(array), set()).update(indices)

    def of(self, values: Values) -> dict[Term, Explicit]:
        """`values`, in which no array has a value for all its other cells, but one for each cell that is read."""
        return {x: self._explicit(x, v) if isinstance(v, Cells) else v for x, v in values.items()}

    def _explicit(self, array: Term, cells: Cells) -> Cells:
        if cells.default is None:
            return cells
        indices = self._indices.get(self._root(array), set())
        return Cells(None, {index: cells.at(index) for index in sorted({*indices, *cells.entries})})

    def _link(self, step: Transition) -> None:
        for x, value in step.updates.items():
            if isinstance(x.sort, ArraySort):
                for array in _arrays(value):
                    self._parent[self._root(array)] = self._root(x)

    def _root(self, array: Term) -> Term:
        while (parent := self._parent.get(array, array)) is not array:
            array = parent
        return array


def _has_default(values: Values) -> bool:
    return any(isinstance(value, Cells) and value.default is not None for value in values.values())


def _reads(step: Transition) -> Iterable[tuple[Term, Term]]:
    """Each array with the index of a cell that the step may read of it."""
    for t in subterms(step.guard, *step.updates.values()):
        if t.is_select:
            yield from ((array, t.args[1]) for array in _arrays(t.args[0]))


def _arrays(t: Term) -> list[Term]:
    return [s for s in t.symbols() if isinstance(s.sort, ArraySort)]
