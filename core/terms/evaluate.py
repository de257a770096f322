"""Evaluator of terms under an assignment of their free symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from core.dataclass import dataclass
from core.terms.operators import NotEvaluable, Treatment, integer_function
from core.terms.term import Op, Term


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """The value of an array, a total map: `entries`, and `default` everywhere else."""

    default: int = 0
    entries: Mapping[int, int] = field(default_factory=dict)

    def __getitem__(self, index: int) -> int:
        return self.entries.get(index, self.default)

    def updated(self, index: int, value: int) -> ArrayValue:
        return ArrayValue(self.default, {**self.entries, index: value})


Value = bool | int | ArrayValue

OTHER_OPERATORS = Treatment.EXACT


class Evaluator:
    """Evaluates terms under one assignment of their free symbols, each subterm once."""

    def __init__(self, value_of: Callable[[Term], Value]) -> None:
        self._value_of = value_of
        self._known: dict[Term, Value] = {}
        self._undefined: dict[Term, NotEvaluable] = {}

    def __call__(self, t: Term) -> Value:
        """The value of a term. Raises `NotEvaluable` where none exists.

        Guarded divisions are safe: only the branch taken of an `ITE` is evaluated, and what has no value does not
        matter in a conjunction with something false or a disjunction with something true, in whatever order they stand.
        """
        memo, undefined = self._known, self._undefined
        stack = [t]
        while stack:
            u = stack[-1]
            missing = [] if u in memo or u in undefined else _needed(u, memo)
            needed = [a for a in missing if a not in undefined]
            if needed:
                stack.extend(needed)
                continue
            stack.pop()
            if u in memo or u in undefined:
                continue
            try:
                memo[u] = _despite(u, memo, undefined[missing[0]]) if missing else _apply(u, memo, self._value_of)
            except NotEvaluable as error:
                undefined[u] = error
        if t in undefined:
            raise undefined[t]
        return memo[t]


def evaluate(t: Term, assignment: Mapping[Term, Value]) -> Value:
    """Evaluate `t`. Raises `KeyError` for a symbol without value and `NotEvaluable` where none exists."""
    return Evaluator(assignment.__getitem__)(t)


def _despite(u: Term, memo: Mapping[Term, Value], error: NotEvaluable) -> Value:
    """The value of `u` though some of its arguments have none, because of `error`."""
    decisive = u.is_disjunction
    if u.op in (Op.AND, Op.OR) and any(memo.get(a) is decisive for a in u.args):
        return decisive
    raise error


def _needed(u: Term, memo: Mapping[Term, Value]) -> list[Term]:
    """The arguments whose values are still missing for `u`."""
    if u.is_choice:
        if u.args[0] not in memo:
            return [u.args[0]]
        branch = u.args[1] if memo[u.args[0]] else u.args[2]
        return [] if branch in memo else [branch]
    if u.is_quantified:
        return []
    return [a for a in u.args if a not in memo]


def _apply(u: Term, memo: Mapping[Term, Value], value_of: Callable[[Term], Value]) -> Value:
    match u.op:
        case Op.CONSTANT:
            assert isinstance(u.payload, bool | int)
            return u.payload
        case Op.SYMBOL:
            return value_of(u)
        case Op.ITE:
            return memo[u.args[1] if memo[u.args[0]] else u.args[2]]
        case Op.FORALL:
            raise NotEvaluable("quantified formula")
        case Op.SELECT | Op.STORE | Op.CONST_ARRAY:
            return _apply_array(u, memo)
        case Op.NOT:
            return not memo[u.args[0]]
        case Op.AND:
            return all(memo[a] for a in u.args)
        case Op.OR:
            return any(memo[a] for a in u.args)
        case Op.IFF:
            return memo[u.args[0]] == memo[u.args[1]]
        case _:
            return _apply_integer(u, [_integer(memo[a]) for a in u.args])


def _apply_integer(u: Term, args: list[int]) -> Value:
    match u.op:
        case Op.LINEAR:
            return u.constant + sum(c * a for c, a in zip(u.coefficients, args, strict=True))
        case Op.LE:
            return args[0] <= u.value
        case Op.EQ:
            return args[0] == u.value
        case _:
            return integer_function(u).value(*args)


def _apply_array(u: Term, memo: Mapping[Term, Value]) -> Value:
    args = [memo[a] for a in u.args]
    if u.op is Op.CONST_ARRAY:
        return ArrayValue(_integer(args[0]))
    array = args[0]
    assert isinstance(array, ArrayValue)
    if u.is_select:
        return array[_integer(args[1])]
    return array.updated(_integer(args[1]), _integer(args[2]))


def _integer(value: Value) -> int:
    assert isinstance(value, int)
    return value
