"""Questions with functions that a solver does not know: what it refutes is refuted, its models must be confirmed.

A model gives functions any values. It is repaired first: what definitions give a value gets that which functions have.
Where that does not satisfy all formulas, facts exclude it: of a function whose arguments lie in intervals the value
lies in another one, and these intervals are as wide as excludes the value that the model has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.parameters import parameter
from core.solver.contract import Model, Sat, Unsat
from core.terms import (
    Evaluator,
    IntegerFunction,
    NotEvaluable,
    Op,
    Term,
    Value,
    evaluate,
    integer_function,
    is_uninterpreted,
    subterms,
)
from core.terms.interval import ALL, Interval

MAX_MODELS = parameter("solver.functions.max-models")
WIDEST = parameter("solver.functions.widest")


def has_functions(formulas: Iterable[Term], known: Collection[Op] = ()) -> bool:
    """Whether formulas have operators that a solver knows as functions alone: all of these but the `known` ones."""
    return any(is_uninterpreted(t) and t.op not in known for t in subterms(*formulas))


@dataclass(frozen=True)
class FunctionFact:
    """The fact that the value of a term lies in an interval where its arguments lie in some."""

    term: Term
    arguments: tuple[Interval, ...]
    value: Interval


class WrongModel(SolverUndecided):
    """Raised where all models give functions other values than they have.

    In `nearly`, the last of them with exact values, some formula is false.
    """

    def __init__(self, nearly: Model) -> None:
        super().__init__("models give functions other values than they have")
        self.nearly = nearly


class ExactModel:
    """The values of terms that follow from those of symbols: functions have the values that they have."""

    def __init__(self, value_of: Callable[[Term], Value]) -> None:
        self._value_of = value_of

    def value(self, term: Term) -> Value:
        try:
            return evaluate(term, {symbol: self._value_of(symbol) for symbol in term.symbols()})
        except NotEvaluable as error:
            raise SolverUndecided(f"the model gives a term no value: {error}") from error


def answered(
    check: Callable[[], Sat | Unsat], formulas: Sequence[Term], boxes: Boxes, tell: Callable[[FunctionFact], None]
) -> Sat | Unsat:
    """The answer about formulas whose functions a solver does not know: it is told facts until it has a right model.

    Raises `SolverUndecided`, also where models stay wrong.
    """
    told: set[FunctionFact] = set()
    for _ in range(MAX_MODELS):
        answer = check()
        if isinstance(answer, Unsat):
            return answer
        repaired = Repaired(answer.model)
        if repaired.satisfies(formulas):
            return Sat(ExactModel(repaired))
        facts = dict.fromkeys(boxes.facts(answer.model, formulas))
        if not facts:
            raise WrongModel(ExactModel(repaired))
        for fact in facts:
            if fact not in told:
                told.add(fact)
                tell(fact)
    raise WrongModel(ExactModel(repaired))


# Repair


class Repaired:
    """The values of symbols in a model, where those that are defined get the values of what defines them."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._values: dict[Term, Value] = {}
        self._value = Evaluator(self)

    def __call__(self, symbol: Term) -> Value:
        if symbol not in self._values:
            self._values[symbol] = self._model.value(symbol)
        return self._values[symbol]

    def satisfies(self, formulas: Sequence[Term]) -> bool:
        """Whether all formulas are true. A symbol is defined by those before all that read it otherwise."""
        try:
            others = [formula for formula in formulas if not self._defines(formula)]
            return all(self._value(formula) is True for formula in others)
        except NotEvaluable:
            return False

    def _defines(self, formula: Term) -> bool:
        """Whether a formula is true, maybe by the value that it gives to a symbol which was not read before."""
        parts = formula.args if formula.is_disjunction else (formula,)
        literal = max(
            (part for part in parts if part.is_negation and self._is_open(part.args[0])), default=None, key=_age
        )
        if literal is not None:  # what implies the others is as true as they are
            self._values[literal.args[0]] = any(self._value(part) is True for part in parts if part is not literal)
            return self._value(formula) is True
        equation = next((part for part in parts if part.is_equation), None)
        if equation is None or any(self._value(part) is True for part in parts if part is not equation):
            return equation is not None
        return self._solve(equation)

    def _solve(self, equation: Term) -> bool:
        """Whether an equation is true, by the value that it gives to the newest symbol without one, if any."""
        body = equation.args[0]
        summands = list(zip(body.coefficients, body.args, strict=True) if body.is_sum else [(1, body)])
        found = max((x for c, x in summands if c in (1, -1) and self._is_open(x)), default=None, key=_age)
        rest = [(c, part) for c, part in summands if part is not found]
        if found is None or any(found in part.symbols() for _, part in rest):
            return False
        total = equation.value - (body.constant if body.is_sum else 0)
        left = total - sum(c * _number(self._value(part)) for c, part in rest)
        self._values.setdefault(found, left if (1, found) in summands else -left)
        return self._value(equation) is True

    def _is_open(self, t: Term) -> bool:
        return t.is_symbol and t not in self._values


def _age(t: Term) -> int:
    return t.id


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value


# Facts


class Boxes:
    """The facts that were found about functions, whatever they are applied to."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[tuple[Interval, ...], Interval]]] = {}

    def facts(self, model: Model, formulas: Iterable[Term]) -> Iterator[FunctionFact]:
        """Facts that exclude the values that a model gives to functions."""
        for t in subterms(*formulas):
            if is_uninterpreted(t):
                arguments = [_number(model.value(argument)) for argument in t.args]
                function, given = integer_function(t), _number(model.value(t))
                value = function.value(*arguments)
                if value != given:
                    extremes = function.interval(*(ALL for _ in arguments))
                    beside = value + 1 if given > value else value - 1
                    for wrong in dict.fromkeys((given, beside, extremes.low, extremes.high)):
                        if wrong is not None and wrong != value:
                            yield FunctionFact(t, *self._box(function, arguments, wrong))

    def _box(
        self, function: IntegerFunction, arguments: Sequence[int], wrong: int
    ) -> tuple[tuple[Interval, ...], Interval]:
        known = self._known.setdefault(function.name, [])
        for ends, values in known:
            if _leaves_out(values, wrong) and not any(map(_leaves_out, ends, arguments)):
                return ends, values
        box = _Box(function, arguments, wrong)
        known.append((tuple(box.ends), function.interval(*box.ends)))
        return known[-1]


class _Box:
    """Intervals around the arguments of a function, as wide as leaves out a value that it does not have there."""

    def __init__(self, function: IntegerFunction, arguments: Sequence[int], wrong: int) -> None:
        self._function, self._arguments, self._wrong = function, arguments, wrong
        self.ends = [Interval(one, one) for one in arguments]
        values = function.interval(*(ALL for _ in arguments))
        self._farthest = _farthest(values)
        is_greater = wrong > function.value(*arguments)
        every = range(len(arguments))
        for rises in (not is_greater, is_greater):  # what rises with its arguments is no greater anywhere below
            for which in (every, *((i,) for i in every)):  # together first: else the first leaves nothing to the others
                self._widen(which, rises)

    def _widen(self, which: Sequence[int], rises: bool) -> None:
        """Move ends of the intervals of arguments away, as far as they may be or by a power of two."""
        if any(self._moves(dict.fromkeys(which, end), rises) for end in self._farthest[rises]):
            return
        low, high = 0, WIDEST  # powers of two: the distance may be the former, if it may be 1
        while low < high:
            power = (low + high + 1) // 2
            if self._moves(self._ends(which, 1 << power, rises), rises):
                low = power
            else:
                high = power - 1

    def _ends(self, which: Sequence[int], distance: int, rises: bool) -> dict[int, int | None]:
        return {i: self._arguments[i] + (distance if rises else -distance) for i in which}

    def _moves(self, ends: Mapping[int, int | None], rises: bool) -> bool:
        """Move ends of intervals outwards, if the value is left out then, and say so."""
        before = list(self.ends)
        for i, end in ends.items():
            own = self.ends[i]
            known = own.high if rises else own.low
            if known is None or (end is not None and (end <= known if rises else end >= known)):
                continue
            self.ends[i] = Interval(own.low, end) if rises else Interval(end, own.high)
        is_out = self.ends != before and _leaves_out(self._function.interval(*self.ends), self._wrong)
        if not is_out:
            self.ends = before
        return is_out


def _farthest(values: Interval) -> tuple[Sequence[int | None], Sequence[int | None]]:
    """The ends of intervals that are tried first, below and above: none, and those without what is not finite."""
    low, high = values.low, values.high
    return (None, *(() if low is None else (low + 1,))), (None, *(() if high is None else (high - 1, high - 2)))


def _leaves_out(interval: Interval, value: int) -> bool:
    return (interval.low is not None and value < interval.low) or (interval.high is not None and value > interval.high)
