"""Questions with functions that a solver does not know: what it refutes is refuted, its models must be confirmed."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from core.limits import SolverUndecided
from core.solver.contract import Model
from core.terms import NotEvaluable, Op, Term, Value, evaluate, is_uninterpreted, subterms


def has_functions(formulas: Iterable[Term], known: Collection[Op] = ()) -> bool:
    """Whether formulas have operators that a solver knows as functions alone: all of these but the `known` ones."""
    return any(is_uninterpreted(t) and t.op not in known for t in subterms(*formulas))


class ExactModel:
    """The values of terms that follow from the values of symbols in a model: functions have those that they have."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def value(self, term: Term) -> Value:
        try:
            return evaluate(term, {symbol: self._model.value(symbol) for symbol in term.symbols()})
        except NotEvaluable as error:
            raise SolverUndecided(f"the model gives a term no value: {error}") from error


def confirmed(model: Model, formulas: Iterable[Term]) -> Model:
    """The model with exact values. Raises `SolverUndecided` where a formula with functions is not true in it."""
    exact = ExactModel(model)
    if all(exact.value(formula) is True for formula in formulas if has_functions([formula])):
        return exact
    raise SolverUndecided("the model gives functions other values than they have")
