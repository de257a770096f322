"""Ghost arrays of a certificate: what going through an array gives, element by element.

A sum over unknown contents has no closed form, but the sums of all beginnings of an array make an array themselves,
and what a loop adds up is an element of it. Such arrays are defined by primitive recursion (`core.verdict.Fold`); as
in I. Dillig, T. Dillig, A. Aiken, "Precise reasoning for programs using containers", POPL 2011, and in ghost code,
they may be added to a program, for they change nothing in it.

*Required*: an array as defined exists for all values of the variables, because `first` and `step` are terms, without
quantifiers, that say nothing of the array but its element before. It gets its value when certain edges lead to an
annotated location, and keeps it elsewhere: no path of the check passes that location. So an execution of the program
is one with the ghost arrays, and by induction over it, invariants about them hold. `bound` is shown by induction over
the index, for all values of the variables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from core.certificate.walk import PathSegment
from core.dataclass import dataclass
from core.decision.instances import has_quantifier
from core.terms import BOOL, INT, INT_ARRAY, Arena, Substitution, Term
from core.verdict import Certificate, Fold


def wrong_folds(certificate: Certificate) -> str | None:
    """The defect of the ghost arrays of a certificate; None if there is none."""
    folds = certificate.folds
    own = [s for fold in folds for s in fold.symbols]
    if folds and certificate.contracts:
        return "contracts of functions cannot speak about ghost arrays"
    for fold in folds:
        if (fold.symbol.sort, fold.result.sort, fold.index.sort) != (INT_ARRAY, INT, INT):
            return "a ghost array is no array of numbers"
        if (fold.first.sort, fold.step.sort, fold.bound.sort) != (INT, INT, BOOL):
            return "the definition of a ghost array is no number"
        if has_quantifier((fold.first, fold.step, fold.bound)):
            return "the definition of a ghost array has a quantifier"
        if not _is_defined_by_variables(fold, own):
            return "the definition of a ghost array speaks about more than variables"
        if fold.at not in certificate.invariants:
            return "a ghost array gets its value at a location without an invariant"
    spoken = (s for formula in certificate.invariants.values() for s in formula.symbols())
    if not {s for fold in folds for s in (fold.result, fold.index)}.isdisjoint(spoken):
        return "an invariant speaks about the index of a ghost array"
    return None


def _is_defined_by_variables(fold: Fold, own: Collection[Term]) -> bool:
    """Whether a definition uses none of the certificate's `own` symbols but the result and the index of a step."""
    others = {s for s in own if s not in (fold.result, fold.index)}
    parts = fold.first.symbols() | fold.step.symbols() | fold.bound.symbols()
    return others.isdisjoint(parts) and fold.first.symbols().isdisjoint((fold.result, fold.index))


def bound_obligations(arena: Arena, fold: Fold) -> Iterator[tuple[tuple[Term, ...], Term]]:
    """The obligations that show the bound of a ghost array by induction, as hypotheses and goal."""
    begin = Substitution(arena, {fold.result: fold.first, fold.index: arena.zero})
    after = Substitution(arena, {fold.result: fold.step, fold.index: arena.add(fold.index, arena.one)})
    yield (), begin(fold.bound)
    yield (fold.bound, arena.le(arena.zero, fold.index)), after(fold.bound)


@dataclass(frozen=True)
class GhostGoal:
    """The goal at the end of a path, about the ghost arrays that get their values there, and what is known of these."""

    known: tuple[Term, ...]
    goal: Term


def arrival(arena: Arena, folds: Sequence[Fold], path: PathSegment, goal: Term) -> GhostGoal:
    """The goal to be shown where a path ends; `goal` is over the values before it."""
    made = [fold for fold in folds if fold.at == path.at and path.edges and path.edges[-1].id in fold.edges]
    new = {fold.symbol: arena.fresh(fold.symbol.name, INT_ARRAY) for fold in made}
    known = [fact for fold in made for fact in _facts(arena, fold, path, new[fold.symbol])]
    return GhostGoal(tuple(known), Substitution(arena, new)(goal) if new else goal)


def _facts(arena: Arena, fold: Fold, path: PathSegment, symbol: Term) -> Iterator[Term]:
    """The facts about the array that a fold gives at the end of a path."""
    after, k = path.transition.after, arena.fresh(fold.index.name, INT)
    here = Substitution(arena, {fold.result: arena.select(symbol, k), fold.index: k})
    inside = arena.le(arena.zero, k)
    following = arena.select(symbol, arena.add(k, arena.one))
    yield arena.equals(arena.select(symbol, arena.zero), after(fold.first))
    yield arena.forall((k,), arena.implies(inside, arena.equals(following, here(after(fold.step)))))
    yield arena.forall((k,), arena.implies(inside, here(after(fold.bound))))
