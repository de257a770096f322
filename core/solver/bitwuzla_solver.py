"""The Bitwuzla adapter: decides single questions about bit-vectors, when evidence is checked.

It is independent of z3 and of cvc5, with a translation of its own, and quick where cvc5 gives up: on remainders,
products and long chains of wrap-around.

Deviations from the contract: effort is counted in the calls that Bitwuzla's search makes of a terminator, so that
preprocessing is not bounded; arrays of arrays and array constants with a symbolic element cannot be expressed
(`SolverUndecided`). The native check holds Python's lock; that terminator lets other threads run.

A native term that the collector of reference cycles clears loses its manager before it is released, and the process
crashes. So terms are in translations alone, which release them before they are collected, and not in tracebacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.limits import SolverUndecided
from core.solver.contract import BitMethod
from core.solver.functions import has_functions
from core.terms import INT, ArraySort, BoolSort, IntSort, Op, Sort, Term, Treatment, integer_function, is_uninterpreted

OTHER_OPERATORS = Treatment.OPAQUE

CALLS_PER_EFFORT = 5
"""Calls of the terminator in one unit of effort; a unit is in the order of a millisecond."""


def loaded() -> Any:
    """The module `bitwuzla`, loaded on first use."""
    import bitwuzla

    return bitwuzla


def kinds_of_any_width(kind: Any) -> dict[Op, Any]:
    """The operators that Bitwuzla has whatever width integers have."""
    return {
        Op.NOT: kind.NOT,
        Op.AND: kind.AND,
        Op.OR: kind.OR,
        Op.IFF: kind.IFF,
        Op.ITE: kind.ITE,
        Op.SELECT: kind.ARRAY_SELECT,
        Op.STORE: kind.ARRAY_STORE,
    }


class BitwuzlaFactory:
    """Decides questions over the terms of one arena, with one term manager and a translation for each width."""

    def __init__(self, seed: int = 0) -> None:
        self._bitwuzla: Any = loaded()
        self._seed = seed
        self._manager = self._bitwuzla.TermManager()
        self._translations: dict[int, _Translation] = {}
        self._stopped = False

    def refutes(
        self, formulas: Sequence[Term], width: int, effort: int | None = None, method: BitMethod = BitMethod.BITS
    ) -> bool:
        """Whether `formulas` are unsatisfiable over signed bit-vectors of `width` bits; see `WideningFactory`.

        Raises `SolverUndecided`.
        """
        try:
            return self._decide(formulas, width, effort, method)
        except SolverUndecided as undecided:
            raise undecided.with_traceback(None)  # noqa: B904 - its frames have native terms

    def _decide(self, formulas: Sequence[Term], width: int, effort: int | None, method: BitMethod) -> bool:
        if width not in self._translations:
            self._translations[width] = _Translation(self._manager, self._bitwuzla.Kind, width)
        translation = self._translations[width]
        options = self._bitwuzla.Options()
        options.set(self._bitwuzla.Option.SEED, self._seed % (1 << 32))
        native = self._bitwuzla.Bitwuzla(self._manager, options)
        calls, most = 0, None if effort is None else max(effort, 1) * CALLS_PER_EFFORT

        def ends() -> bool:
            nonlocal calls
            calls += 1
            return self._stopped or (most is not None and calls > most)

        native.configure_terminator(ends)
        cases = formulas[0].args if method is BitMethod.CASES and formulas[0].op is Op.OR else ()
        for formula in formulas[1:] if cases else formulas:
            native.assert_formula(translation(formula))
        result = None if self._stopped or cases else native.check_sat()
        for case in cases:
            result = None if self._stopped else native.check_sat(translation(case))
            if result != self._bitwuzla.Result.UNSAT:
                break
            native.assert_formula(self._manager.mk_term(self._bitwuzla.Kind.NOT, [translation(case)]))
        if result == self._bitwuzla.Result.UNSAT:
            return True
        if result == self._bitwuzla.Result.SAT:
            if has_functions(formulas):
                raise SolverUndecided("bitwuzla: functions may have other values than they have")
            return False
        raise SolverUndecided(f"bitwuzla: {'interrupted' if self._stopped else 'the effort is used up'}")

    def interrupt(self) -> None:
        """Make running and later questions raise `SolverUndecided` (called from another thread)."""
        self._stopped = True


class _Translation:
    """The translation of terms to signed bit-vectors of `width` bits, each once."""

    def __init__(self, manager: Any, kind: Any, width: int) -> None:
        self._manager, self._kind, self._width = manager, kind, width
        self._integers = manager.mk_bv_sort(width)
        self._natives: dict[Term, Any] = {}
        self._functions: dict[str, Any] = {}
        self._kinds = kinds_of_any_width(kind) | {
            Op.MULTIPLY: kind.BV_MUL,
            Op.BIT_AND: kind.BV_AND,
            Op.BIT_OR: kind.BV_OR,
            Op.BIT_XOR: kind.BV_XOR,
            Op.SHIFT_LEFT: kind.BV_SHL,
            Op.SHIFT_RIGHT: kind.BV_ASHR,
        }

    def __del__(self) -> None:
        self._natives.clear()
        self._integers = None

    def __call__(self, term: Term) -> Any:
        natives, stack = self._natives, [term]
        while stack:
            t = stack[-1]
            missing = [] if t in natives else [a for a in t.args if a not in natives]
            if missing:
                stack += missing
                continue
            stack.pop()
            if t not in natives:
                natives[t] = self._node(t, [natives[a] for a in t.args])
        return natives[term]

    def _make(self, kind: Any, *args: Any) -> Any:
        return self._manager.mk_term(kind, list(args))

    def _sort(self, sort: Sort) -> Any:
        match sort:
            case BoolSort():
                return self._manager.mk_bool_sort()
            case IntSort():
                return self._integers
            case ArraySort(_, ArraySort()):
                raise SolverUndecided("bitwuzla: arrays of arrays")
            case ArraySort(index, element):
                return self._manager.mk_array_sort(self._sort(index), self._sort(element))

    def _node(self, t: Term, args: list[Any]) -> Any:
        match t.op:
            case Op.CONSTANT:
                return self._number(t.value) if t.sort is INT else self._truth(t.is_true)
            case Op.SYMBOL:
                return self._manager.mk_const(self._sort(t.sort), t.name)
            case Op.LE:
                return self._make(self._kind.BV_SLE, args[0], self._number(t.value))
            case Op.EQ:
                return self._make(self._kind.EQUAL, args[0], self._number(t.value))
            case Op.LINEAR:
                return self._sum(t, args)
            case Op.DIVIDE:
                return self._euclidean(*args)[0]
            case Op.MODULO:
                return self._euclidean(*args)[1]
            case Op.CONST_ARRAY if t.args[0].is_constant:
                return self._manager.mk_const_array(self._sort(t.sort), args[0])
            case Op.CONST_ARRAY:
                raise SolverUndecided("bitwuzla: an array constant with a symbolic element")
            case Op.FORALL:
                raise SolverUndecided("bitwuzla: a quantifier ranges over all integers, which no width holds")
            case _ if is_uninterpreted(t):
                return self._make(self._kind.APPLY, self._function(t), *args)
            case _:
                return self._make(self._kinds[t.op], *args) if len(args) > 1 or t.is_negation else args[0]

    def _function(self, t: Term) -> Any:
        """The function of which Bitwuzla knows no more than that it is one."""
        function = integer_function(t)
        found = self._functions.get(function.name)
        if found is None:
            sort = self._manager.mk_fun_sort([self._integers] * len(t.args), self._integers)
            found = self._functions[function.name] = self._manager.mk_const(sort, function.name)
        return found

    def _truth(self, value: bool) -> Any:
        return self._manager.mk_true() if value else self._manager.mk_false()

    def _number(self, value: int) -> Any:
        if not -(1 << (self._width - 1)) <= value < 1 << (self._width - 1):
            raise SolverUndecided(f"bitwuzla: {value} does not fit {self._width} bits")
        return self._manager.mk_bv_value(self._integers, value % (1 << self._width))

    def _sum(self, t: Term, args: list[Any]) -> Any:
        """The value of the `LINEAR` term `t` over `args`."""
        kind = self._kind
        result = self._number(t.constant)
        for factor, a in zip(t.coefficients, args, strict=True):
            result = self._make(kind.BV_ADD, result, self._make(kind.BV_MUL, self._number(factor), a))
        return result

    def _euclidean(self, a: Any, b: Any) -> tuple[Any, Any]:
        """The quotient and the remainder, which is never negative; bit-vector division rounds towards zero."""
        kind, zero, one = self._kind, self._number(0), self._number(1)
        quotient, rest = self._make(kind.BV_SDIV, a, b), self._make(kind.BV_SREM, a, b)
        is_negative, below = self._make(kind.BV_SLT, rest, zero), self._make(kind.BV_SLT, b, zero)
        step = self._make(kind.ITE, below, self._make(kind.BV_NEG, one), one)
        size = self._make(kind.ITE, below, self._make(kind.BV_NEG, b), b)
        return (
            self._make(kind.ITE, is_negative, self._make(kind.BV_SUB, quotient, step), quotient),
            self._make(kind.ITE, is_negative, self._make(kind.BV_ADD, rest, size), rest),
        )
