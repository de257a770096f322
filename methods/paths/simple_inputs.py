"""An execution of a path with simple inputs: each in turn, while the others stay, has as few digits as it can have.

0 comes first, then 1 and -1, then its value rounded to one digit, to two, …: -0.9999999999964156 becomes -1.0. Values
are tried by computing what the path computes, so that it takes no solver: for paths with floating-point numbers, where
each question to one takes long, and the number nearest to 0 (4.9e-324) is not what people want to read.
Elements of arrays stay as they were found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program.expansion import Expansion, Step
from core.program.float_values import float_type_within
from core.solver.contract import Model, SolverFactory, Unsat
from core.solver.functions import ExactModel, Repaired
from core.terms import BOOL, INT, ArrayValue, Term, Value
from core.terms.floats import FloatFormat, format_named, of_text, opposite, to_text
from core.verdict import Unsafe
from methods.paths.pathformula import ChangedModel, PathFormula, consumed_inputs, decided, execution

EFFORT = parameter("paths.simple-inputs.effort")
TRIALS = parameter("paths.simple-inputs.trials")


def simple_execution(
    expansion: Expansion, steps: Sequence[Step], formula: PathFormula, solvers: SolverFactory, known: Unsafe | None
) -> tuple[Unsafe, bool]:
    """A simple execution of `steps`, maybe made of one that is known, and whether all inputs were tried.

    Raises `SolverUndecided`.
    """
    told = [*(c for cs in formula.constraints for c in cs), *formula.facts]
    first = model = _first_model(expansion, steps, formula, solvers, known, told)
    chosen: dict[Term, Value] = {}
    trials = 0
    for renamed in formula.ssa.inputs:
        for symbol in sorted(renamed, key=lambda s: s.id):
            type_ = float_type_within(expansion.range_of(symbol))
            format_ = None if type_ is None else format_named(type_)
            for value in _simpler(renamed[symbol], model, format_):
                trials += 1
                if trials > TRIALS:
                    return execution(expansion, steps, formula, model), False
                repaired = Repaired(ChangedModel(first, {**chosen, renamed[symbol]: value}))
                if repaired.satisfies(told):
                    chosen[renamed[symbol]], model = value, ExactModel(repaired)
                    break
    return execution(expansion, steps, formula, model), True


def _first_model(
    expansion: Expansion,
    steps: Sequence[Step],
    formula: PathFormula,
    solvers: SolverFactory,
    known: Unsafe | None,
    told: Sequence[Term],
) -> Model:
    """A model of `told`: that of a known execution, if there is one, else what a solver finds."""
    if known is not None:
        inputs = zip(_consumed(expansion, steps, formula), known.inputs, strict=False)
        repaired = Repaired(_Supplied({symbol: given.value for symbol, given in inputs if symbol is not None}))
        if repaired.satisfies(told):
            return ExactModel(repaired)
    answer = decided(expansion, formula, solvers, EFFORT)
    if isinstance(answer, Unsat):
        raise SolverUndecided("the path is infeasible")
    return answer.model


def _consumed(expansion: Expansion, steps: Sequence[Step], formula: PathFormula) -> Iterator[Term | None]:
    """Each input that a path consumes, in order, as its constraints name it; None where no constraint mentions it."""
    for step, renamed in zip(steps, formula.ssa.inputs, strict=True):
        yield from map(renamed.get, consumed_inputs(expansion, step, step.edges))


@dataclass(frozen=True)
class _Supplied:
    """A model that gives inputs their values, and others any; implements `Model`."""

    values: Mapping[Term, Value]

    def value(self, term: Term) -> Value:
        return self.values.get(term, False if term.sort is BOOL else 0 if term.sort is INT else ArrayValue())


def _simpler(symbol: Term, model: Model, format_: FloatFormat | None) -> Iterator[Value]:
    """Values that are simpler than that in a model, simplest first."""
    own = model.value(symbol)
    if symbol.sort is BOOL:
        yield from (False,) if own else ()
    if symbol.sort is not INT:
        return
    assert isinstance(own, int)
    text = str(own) if format_ is None else to_text(format_, own).rstrip("fL")
    tried = {own}
    for simpler in ("0", "1", "-1", *_rounded(text)):
        value = int(Decimal(simpler)) if format_ is None else _ordinal(format_, simpler)
        if value not in tried:
            tried.add(value)
            yield value


def _rounded(text: str) -> Iterator[str]:
    """A decimal number with fewer digits, fewest first; nothing for what is none (NAN, INFINITY)."""
    if text.lstrip("-")[:1].isdigit():
        number = Decimal(text)
        for digits in range(1, len(number.as_tuple().digits)):
            yield f"{number:.{digits - 1}e}"


def _ordinal(format_: FloatFormat, text: str) -> int:
    value = of_text(format_, text.lstrip("-"))
    return opposite(format_, value) if text.startswith("-") else value
