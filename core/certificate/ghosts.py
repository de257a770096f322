"""Ghost variables: what a certificate adds to the states of a program, so that invariants can speak about it.

Each kind has a rule (`walk.GhostRule`) with its values at first and its update for each step: `heap`, `folds`. They are
total functions of the state and the inputs, and the program never reads a ghost. So ghosts neither block an execution
nor change one: an inductive invariant of the program with ghosts holds of the program (auxiliary variables, S. Owicki,
D. Gries, "An axiomatic proof technique for parallel programs I", 1976).

A ghost is an array. On a path its value is a term, or a *reading*: a function from indices to formulas over the state
in which the path begins, for values that no term of the arena denotes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field

from core.dataclass import dataclass
from core.terms import Arena, ArraySort, Op, Substitution, Term, Treatment, rebuild, subterms

OTHER_OPERATORS = Treatment.EXACT

ElementReading = Callable[..., Term]
"""A value of a ghost: the element at one index, or of a relation at two."""

GhostValues = Mapping[Term, ElementReading]


@dataclass(frozen=True)
class Demand:
    """A formula that must hold before the last of `edges`, wherever `facts` hold, or else `reason`."""

    facts: tuple[Term, ...]
    formula: Term
    edges: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class GhostState:
    """The ghosts of a rule at a place on a path.

    They have the readings in `values`, or else are what they were. The last step has `made` others: terms, of which
    `facts` are known. What is known of the ghosts at annotated places holds if `is_described` and all `demands` hold.
    """

    values: GhostValues = field(default_factory=dict)
    is_described: bool = True
    demands: tuple[Demand, ...] = ()
    made: Mapping[Term, Term] = field(default_factory=dict)
    facts: tuple[Term, ...] = ()


class GhostReading(Substitution):
    """The substitution that also reads elements of ghosts."""

    def __init__(self, arena: Arena, replacements: Mapping[Term, Term], values: GhostValues) -> None:
        handles = {ghost: arena.fresh(ghost.name, ghost.sort) for ghost in values}
        super().__init__(arena, {**replacements, **handles})
        self._readings = {handles[ghost]: reading for ghost, reading in values.items()}

    def rebuilt(self, t: Term, args: tuple[Term, ...]) -> Term:
        """The term over new arguments; elements of ghosts by their readings."""
        if t.op is Op.SELECT:
            array, index = args
            if array in self._readings and not isinstance(t.sort, ArraySort):
                return self._readings[array](index)
            if array.op is Op.SELECT and array.args[0] in self._readings:
                return self._readings[array.args[0]](array.args[1], index)
        return rebuild(self._arena, t, args)


def reads_elements_only(formulas: Iterable[Term], ghosts: Collection[Term]) -> bool:
    """Whether ghosts occur only where elements of them are read."""
    for t in subterms(*formulas):
        inner = t.args[1:] if t.op is Op.SELECT else t.args
        if any(isinstance(a.sort, ArraySort) and not a.symbols().isdisjoint(ghosts) for a in inner):
            return False
    return True
