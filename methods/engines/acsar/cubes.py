"""Conjunctions of literals: cases of a formula, and the predicates that follow from a case.

The case split of updates in section 4.1 of Seghir, Podelski, Wies (SAS 2009). Arenas resolve a read of `a[i := v]` at k
to the choice `v if k = i else a[k]`; a case decides such choices, and an index differs by being smaller or larger.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.limits import SolverUndecided
from core.solver.contract import Model, Sat, Solver
from core.terms import BOOL, Arena, Op, Term, Treatment, rebuild, subterms

OTHER_OPERATORS = Treatment.OPAQUE

Conjunction = tuple[Term, ...]


class CaseSplit:
    """A conjunction of literals that hold in a model and imply what they were made of, with `preferred` ones."""

    def __init__(self, arena: Arena, model: Model, preferred: Conjunction = ()) -> None:
        self._arena = arena
        self._model = model
        self._preferred = frozenset(preferred)
        self._literals: dict[Term, None] = {}
        self._resolved: dict[Term, Term] = {}

    def of(self, formulas: Iterable[Term]) -> Conjunction:
        """The case of formulas that hold in the model."""
        self._literals = {}
        for formula in formulas:
            self._imply(formula, True)
        return tuple(self._literals)

    def _holds(self, formula: Term) -> bool:
        return self._model.value(formula) is True

    def _imply(self, formula: Term, holds: bool) -> None:
        """Add literals that imply the formula, or its negation."""
        match formula.op:
            case Op.CONSTANT:
                return
            case Op.NOT:
                self._imply(formula.args[0], not holds)
            case Op.AND | Op.OR if holds is (formula.is_conjunction):
                for part in formula.args:
                    self._imply(part, holds)
            case Op.AND | Op.OR:
                true = [part for part in formula.args if self._holds(part) is holds]
                self._imply(min(true, key=lambda part: (self._is_other(part, holds), part.size)), holds)
            case Op.IFF:
                for part in formula.args:
                    self._imply(part, self._holds(part))
            case Op.ITE:
                self._imply(formula.args[0], self._holds(formula.args[0]))
                self._imply(formula.args[1] if self._holds(formula.args[0]) else formula.args[2], holds)
            case _:
                self._add(self._resolve(formula), holds)

    def _is_other(self, part: Term, holds: bool) -> bool:
        """Whether a part needs literals that are not preferred."""
        if not self._preferred:
            return False
        wanted = part if holds else self._arena.not_(part)
        return not self._preferred.issuperset(CaseSplit(self._arena, self._model).of([wanted]))

    def _add(self, atom: Term, holds: bool) -> None:
        """Add an atom without choices, or its negation: of two sides that differ, which is smaller."""
        arena = self._arena
        if atom.is_equation and not holds and not reads(atom):
            smaller = arena.le(atom.args[0], arena.integer(atom.value - 1))
            literal = smaller if self._holds(smaller) else arena.le(arena.integer(atom.value + 1), atom.args[0])
        else:
            literal = atom if holds else arena.not_(atom)
        if not literal.is_true:
            self._literals[literal] = None

    def _resolve(self, atom: Term) -> Term:
        """The atom with its choices decided as in the model."""
        resolved = self._resolved
        for t in subterms(atom):
            if t in resolved:
                continue
            if t.is_choice and t.sort is not BOOL:
                self._imply(t.args[0], self._holds(t.args[0]))
                resolved[t] = resolved[t.args[1] if self._holds(t.args[0]) else t.args[2]]
            else:
                args = tuple(resolved[a] for a in t.args)
                resolved[t] = t if args == t.args else rebuild(self._arena, t, args)
        result = resolved[atom]
        # What a choice leaves may read an array that is a choice again.
        return result if all(not t.is_choice for t in subterms(result)) else self._resolve(result)


def reads(formula: Term) -> bool:
    """Whether a formula reads an array."""
    return any(t.is_select for t in subterms(formula))


def implied(arena: Arena, solver: Solver, predicates: Sequence[Term], model: Model) -> Conjunction:
    """The predicates that follow from what the solver was told; `model` is one of it. Raises `SolverUndecided`."""
    predicates_held = [p for p in predicates if model.value(p) is True]
    while predicates_held:
        with solver.scope():
            solver.add(arena.not_(arena.and_(*predicates_held)))
            answer = solver.check()
            if not isinstance(answer, Sat):
                break
            left = [p for p in predicates_held if answer.model.value(p) is True]
        if len(left) == len(predicates_held):
            raise SolverUndecided("a model violates no predicate")
        predicates_held = left
    return tuple(predicates_held)
