"""Ghost arrays of a certificate: what going through an array gives, element by element.

A sum over unknown contents has no closed form, but the sums of all beginnings of an array make an array themselves,
and what a loop adds up is an element of it. Such arrays are defined by primitive recursion (`core.verdict.Fold`); as
in I. Dillig, T. Dillig, A. Aiken, "Precise reasoning for programs using containers", POPL 2011, and in ghost code,
they may be added to a program, for they change nothing in it.

*Required*: an array as defined exists for all values of the variables, because `first` and `step` are terms, without
quantifiers, that say nothing of the array but its element before. It gets its value when certain edges lead to an
annotated location, and keeps it elsewhere: no path of the check passes that location. `bound` is shown by induction
over the index, for all values of the variables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from core.certificate.ghosts import GhostState
from core.certificate.walk import InductionPath
from core.decision.quantifiers import Quantifiers
from core.program import Program
from core.program.expansion import At, Step
from core.program.modular import ModularView, callers_of
from core.program.semantics import Transition
from core.terms import BOOL, INT, INT_ARRAY, Arena, Substitution, Term
from core.verdict import Certificate, Fold


def wrong_fold(program: Program, certificate: Certificate, fold: Fold, own: Collection[Term]) -> str | None:
    """The defect of a ghost array of a certificate, whose `own` symbols are given; None if there is none."""
    if (fold.symbol.sort, fold.result.sort, fold.index.sort) != (INT_ARRAY, INT, INT):
        return "a ghost array is no array of numbers"
    if (fold.first.sort, fold.step.sort, fold.bound.sort) != (INT, INT, BOOL):
        return "the definition of a ghost array is no number"
    if Quantifiers().are_in((fold.first, fold.step, fold.bound)):
        return "the definition of a ghost array has a quantifier"
    if not _is_defined_by_variables(fold, own):
        return "the definition of a ghost array speaks about more than variables"
    if fold.at not in certificate.invariants:
        return "a ghost array gets its value at a location without an invariant"
    if fold.at.location not in range(len(program.locations)) or not set(fold.at.stack) <= set(
        range(len(program.edges))
    ):
        return "a ghost array gets its value at a location that the program does not have"
    contracts = (formula for one in certificate.contracts.values() for formula in (one.pre, one.post))
    spoken = (s for formula in (*certificate.invariants.values(), *contracts) for s in formula.symbols())
    if not {fold.result, fold.index}.isdisjoint(spoken):
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


class FoldRule:
    """The rule of a ghost array that sums up arrays; implements `GhostRule`."""

    def __init__(self, view: ModularView, fold: Fold) -> None:
        self._view, self._arena, self.fold = view, view.arena, fold

    @property
    def symbols(self) -> tuple[Term, ...]:
        return (self.fold.symbol,)

    @property
    def changed_by(self) -> frozenset[str]:
        """The functions in whose calls the location may be reached at which the array gets its value."""
        root = self._view.root(self.fold.at)
        return callers_of(self._view.program, root) | {root}

    def first(self) -> GhostState:
        return GhostState()

    def begin(self, at: At) -> GhostState:
        return GhostState()

    def facts(self, at: At) -> Sequence[Term]:
        return ()

    def after(
        self, state: GhostState, path: InductionPath, step: Step, last: Transition, longer: InductionPath
    ) -> GhostState:
        if longer.target != self.fold.at or not step.edges or step.edges[-1].id not in self.fold.edges:
            return GhostState()
        new = self._arena.fresh(self.fold.symbol.name, INT_ARRAY)
        return GhostState(made={self.fold.symbol: new}, facts=tuple(self._facts(longer, new)))

    def _facts(self, path: InductionPath, symbol: Term) -> Iterator[Term]:
        """The facts about the array that a fold gives at the end of a path."""
        arena, fold, after = self._arena, self.fold, path.after
        k = arena.fresh(fold.index.name, INT)
        here = Substitution(arena, {fold.result: arena.select(symbol, k), fold.index: k})
        inside = arena.le(arena.zero, k)
        following = arena.select(symbol, arena.add(k, arena.one))
        yield arena.equals(arena.select(symbol, arena.zero), after(fold.first))
        yield arena.forall((k,), arena.implies(inside, arena.equals(following, here(after(fold.step)))))
        yield arena.forall((k,), arena.implies(inside, here(after(fold.bound))))
