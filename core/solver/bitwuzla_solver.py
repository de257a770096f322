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

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from core.limits import SolverUndecided
from core.solver.contract import BitMethod, IntervalOf
from core.solver.functions import has_functions
from core.solver.multiplexers import Nest, is_small, least_width, looked_up, multiplexed, nest_of
from core.solver.wrapping import Wrapped, wrapped
from core.terms import (
    INT,
    ArraySort,
    BoolSort,
    IntSort,
    Op,
    Sort,
    Term,
    Treatment,
    integer_function,
    is_uninterpreted,
    subterms,
)
from core.terms.interval import Interval, signed_bits

if TYPE_CHECKING:
    from core.solver.float_vectors import FloatVectors

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
        if width not in self._translations:
            self._translations[width] = _Translation(self._manager, self._bitwuzla.Kind, width)
        return self._refutes(formulas, self._translations[width], effort, method)

    def refutes_exactly(
        self, formulas: Sequence[Term], width: int, bounds_of: IntervalOf, effort: int | None = None
    ) -> bool:
        """The same, case by case, where terms have their own widths; `width` holds the widest.

        `bounds_of` has all values of terms. Raises likewise.
        """
        translation = _Translation(self._manager, self._bitwuzla.Kind, width, bounds_of)
        return self._refutes(formulas, translation, effort, BitMethod.CASES)

    def _refutes(
        self, formulas: Sequence[Term], translation: _Translation, effort: int | None, method: BitMethod
    ) -> bool:
        try:
            return self._decide(formulas, translation, effort, method)
        except SolverUndecided as undecided:
            raise undecided.with_traceback(None)  # noqa: B904 - its frames have native terms

    def _decide(
        self, formulas: Sequence[Term], translation: _Translation, effort: int | None, method: BitMethod
    ) -> bool:
        options = self._bitwuzla.Options()
        options.set(self._bitwuzla.Option.SEED, self._seed % (1 << 32))
        native = self._bitwuzla.Bitwuzla(self._manager, options)
        calls, most = 0, None if effort is None else max(effort, 1) * CALLS_PER_EFFORT

        def ends() -> bool:
            nonlocal calls
            calls += 1
            return self._stopped or (most is not None and calls > most)

        native.configure_terminator(ends)
        has_cases = method is BitMethod.CASES and formulas[0].op is Op.OR
        cases = [translation(case) for case in formulas[0].args] if has_cases else []
        asserted = [translation(formula) for formula in (formulas[1:] if has_cases else formulas)]
        for formula in (*asserted, *translation.definitions(formulas)):
            native.assert_formula(formula)
        result = None if self._stopped or cases else native.check_sat()
        for case in cases:
            calls = 0  # each case has the effort: those before it are done
            result = None if self._stopped else native.check_sat(case)
            if result != self._bitwuzla.Result.UNSAT:
                break
            native.assert_formula(self._manager.mk_term(self._bitwuzla.Kind.NOT, [case]))
        if result == self._bitwuzla.Result.UNSAT:
            return True
        if result == self._bitwuzla.Result.SAT:
            if has_functions(formulas, (Op.FLOAT,)):
                raise SolverUndecided("bitwuzla: functions may have other values than they have")
            return False
        raise SolverUndecided(f"bitwuzla: {'interrupted' if self._stopped else 'the effort is used up'}")

    def interrupt(self) -> None:
        """Make running and later questions raise `SolverUndecided` (called from another thread)."""
        self._stopped = True


class _Translation:
    """The translation of terms to signed bit-vectors, each once: a term has as many bits as its bounds need, or
    `width` where there are none; indices and elements of arrays have `width`.

    *Required*: a term's value is within its bounds, and `width` holds that of every term. What is computed modulo
    2^width from arguments modulo 2^width is then exact; quotients, shifts to the right and bounds read whole arguments.
    """

    def __init__(self, manager: Any, kind: Any, width: int, bounds_of: IntervalOf | None = None) -> None:
        self._manager, self._kind, self._width, self._bounds_of = manager, kind, width, bounds_of
        self._natives: dict[Term, Any] = {}
        self._nests: dict[Term, Nest | None] = {}
        self._arounds: dict[Term, Wrapped | None] = {}
        self._functions: dict[str, Any] = {}
        self._floats: FloatVectors | None = None
        self._kinds = kinds_of_any_width(kind)
        self._modular = {
            Op.MULTIPLY: kind.BV_MUL,
            Op.BIT_AND: kind.BV_AND,
            Op.BIT_OR: kind.BV_OR,
            Op.BIT_XOR: kind.BV_XOR,
        }

    def __del__(self) -> None:
        self._natives.clear()
        self._functions.clear()
        if self._floats is not None:
            self._floats.clear()

    def __call__(self, term: Term) -> Any:
        natives, stack = self._natives, [term]
        while stack:
            t = stack[-1]
            missing = [] if t in natives else [a for a in self._needed(t) if a not in natives]
            if missing:
                stack += missing
                continue
            stack.pop()
            if t not in natives:
                natives[t] = self._vector(t, self._width_of(t)) if t.sort is INT else self._formula(t)
        return natives[term]

    def _needed(self, t: Term) -> Sequence[Term]:
        """The terms from whose nodes that of `t` is made."""
        around = self._wrapped(t)
        if around is not None:
            return (around.value,)
        nest = self._nest(t)
        return t.args if nest is None else (nest.position, *nest.values, nest.other)

    def _nest(self, t: Term) -> Nest | None:
        """The nest that a choice is, if it is one between integers."""
        if not t.is_choice or t.sort is not INT:
            return None
        if t not in self._nests:
            self._nests[t] = nest_of(t)
        return self._nests[t]

    def _wrapped(self, t: Term) -> Wrapped | None:
        """The wrap-around that a choice between integers stands for; None if it is none."""
        if not t.is_choice or t.sort is not INT or self._bounds_of is None:
            return None
        if t not in self._arounds:
            self._arounds[t] = wrapped(t, self._bounds_of(t))
        return self._arounds[t]

    def definitions(self, formulas: Sequence[Term]) -> Iterator[Any]:
        """The definitions of the floating-point numbers that translated formulas compute."""
        if self._floats is not None:
            known = self._floats.definitions
            yield from (known[t] for t in subterms(*formulas) if t.op is Op.FLOAT and t in known)

    def _float(self, t: Term, width: int) -> Any:
        from core.solver.float_vectors import FloatVectors, width_of  # what only programs with such numbers need

        if self._floats is None:
            self._floats = FloatVectors(loaded(), self._manager)
        wide = max(self._width, width_of(t))
        return self._fit(self._floats.applied(t, [self._at(a, wide) for a in t.args], wide), wide, width)

    def _make(self, kind: Any, *args: Any) -> Any:
        return self._manager.mk_term(kind, list(args))

    def _sort(self, sort: Sort) -> Any:
        match sort:
            case BoolSort():
                return self._manager.mk_bool_sort()
            case IntSort():
                return self._manager.mk_bv_sort(self._width)
            case ArraySort(_, ArraySort()):
                raise SolverUndecided("bitwuzla: arrays of arrays")
            case ArraySort(index, element):
                return self._manager.mk_array_sort(self._sort(index), self._sort(element))

    # Widths

    def _width_of(self, t: Term) -> int:
        """The bits of an integer term, its sign included. Raises `SolverUndecided`."""
        if self._bounds_of is None:
            return self._width
        low, high = self._ends(t, 0)
        return max(signed_bits(low), signed_bits(high))

    def _ends(self, t: Term, less: int) -> tuple[int, int]:
        """The ends of the bounds of a term, of which a number is taken away. Raises `SolverUndecided`."""
        bounds = Interval(None, None) if self._bounds_of is None else self._bounds_of(t)
        if bounds.low is None or bounds.high is None:
            raise SolverUndecided("bitwuzla: a number without bounds has no width")
        return bounds.low - less, bounds.high - less

    def _at(self, t: Term, width: int) -> Any:
        """A translated integer term at `width` bits: its lower ones, or as many more as repeat its sign."""
        return self._fit(self._natives[t], self._width_of(t), width)

    def _fit(self, vector: Any, have: int, want: int) -> Any:
        if have == want:
            return vector
        if have > want:
            return self._manager.mk_term(self._kind.BV_EXTRACT, [vector], [want - 1, 0])
        return self._manager.mk_term(self._kind.BV_SIGN_EXTEND, [vector], [want - have])

    def _whole(self, t: Term) -> Any:
        """A translated term, where it is an integer at the width of indices and elements."""
        return self._at(t, self._width) if t.sort is INT else self._natives[t]

    def _number(self, value: int, width: int) -> Any:
        """A number modulo 2^width."""
        return self._manager.mk_bv_value(self._manager.mk_bv_sort(width), value % (1 << width))

    # Nodes

    def _formula(self, t: Term) -> Any:
        """The node of a formula or of an array."""
        args = [self._whole(a) for a in t.args] if not t.is_comparison else []
        match t.op:
            case Op.CONSTANT:
                return self._manager.mk_true() if t.is_true else self._manager.mk_false()
            case Op.SYMBOL:
                return self._manager.mk_const(self._sort(t.sort), t.name)
            case Op.LE | Op.EQ:
                return self._comparison(t)
            case Op.CONST_ARRAY if t.args[0].is_constant:
                return self._manager.mk_const_array(self._sort(t.sort), args[0])
            case Op.CONST_ARRAY:
                raise SolverUndecided("bitwuzla: an array constant with a symbolic element")
            case Op.FORALL:
                raise SolverUndecided("bitwuzla: a quantifier ranges over all integers, which no width holds")
            case _:
                return self._make(self._kinds[t.op], *args) if len(args) > 1 or t.is_negation else args[0]

    def _vector(self, t: Term, width: int) -> Any:
        """The node of an integer term, at its width."""
        match t.op:
            case Op.CONSTANT:
                return self._fitting(t.value, width)
            case Op.SYMBOL:
                return self._number_of_any(t, width)
            case Op.ITE if around := self._wrapped(t):
                low = self._at(around.value, around.bits)
                if around.signed or width <= around.bits:
                    return self._fit(low, around.bits, width)
                return self._manager.mk_term(self._kind.BV_ZERO_EXTEND, [low], [width - around.bits])
            case Op.ITE if nest := self._nest(t):
                bits = self._bits(nest.position, least_width(nest.values))
                return multiplexed(nest.values, nest.other, lambda a: self._at(a, width), bits, self._chosen)
            case Op.ITE:
                condition, *sides = t.args
                return self._make(self._kind.ITE, self._natives[condition], *(self._at(a, width) for a in sides))
            case Op.LINEAR:
                return self._sum(zip(t.coefficients, t.args, strict=True), t.constant, width)
            case Op.DIVIDE | Op.MODULO:
                return self._division(t, width)
            case Op.SHIFT_LEFT:
                wide = max(width, self._width_of(t.args[1]))
                return self._fit(self._make(self._kind.BV_SHL, *(self._at(a, wide) for a in t.args)), wide, width)
            case Op.SHIFT_RIGHT:
                wide = max(map(self._width_of, t.args))
                return self._fit(self._make(self._kind.BV_ASHR, *(self._at(a, wide) for a in t.args)), wide, width)
            case Op.SELECT:
                element = self._make(self._kind.ARRAY_SELECT, *map(self._whole, t.args))
                return self._fit(element, self._width, width)
            case Op.FLOAT:
                return self._float(t, width)
            case Op.LOOKUP if is_small(t.table):
                return self._looked_up(t, width)
            case _ if is_uninterpreted(t):
                value = self._make(self._kind.APPLY, self._function(t), *map(self._whole, t.args))
                return self._fit(value, self._width, width)
            case _:
                return self._make(self._modular[t.op], *(self._at(a, width) for a in t.args))

    def _number_of_any(self, t: Term, width: int) -> Any:
        """The node of a symbol, which has no sign where it is never negative."""
        own = width - 1 if self._bounds_of is not None and width > 1 and self._ends(t, 0)[0] >= 0 else width
        symbol = self._manager.mk_const(self._manager.mk_bv_sort(own), t.name)
        return symbol if own == width else self._manager.mk_term(self._kind.BV_ZERO_EXTEND, [symbol], [1])

    def _looked_up(self, t: Term, width: int) -> Any:
        """The number of a table at a position."""
        bits = self._bits(t.args[0], least_width(t.table.values))
        return looked_up(t.table, bits, lambda value: self._fitting(value, width), self._chosen)

    def _bits(self, t: Term, least: int) -> list[Any]:
        """The truth values of the bits of a term, at `least` so many, the lowest first."""
        wide = max(self._width_of(t), least)
        vector, kind, set_ = self._at(t, wide), self._kind, self._number(1, 1)
        singles = (self._manager.mk_term(kind.BV_EXTRACT, [vector], [bit, bit]) for bit in range(wide))
        return [self._make(kind.EQUAL, single, set_) for single in singles]

    def _chosen(self, *args: Any) -> Any:
        return self._make(self._kind.ITE, *args)

    def _function(self, t: Term) -> Any:
        """The function of which Bitwuzla knows no more than that it is one."""
        function = integer_function(t)
        found = self._functions.get(function.name)
        if found is None:
            sort = self._manager.mk_fun_sort([self._sort(INT)] * len(t.args), self._sort(INT))
            found = self._functions[function.name] = self._manager.mk_const(sort, function.name)
        return found

    def _fitting(self, value: int, width: int) -> Any:
        if signed_bits(value) > width:
            raise SolverUndecided(f"bitwuzla: {value} does not fit {width} bits")
        return self._number(value, width)

    def _comparison(self, t: Term) -> Any:
        """A comparison of a sum with a number; where it is an equation, of positive summands with the others."""
        body = t.args[0]
        wide = max(self._width_of(body), signed_bits(t.value))
        if t.op is Op.LE:
            return self._make(self._kind.BV_SLE, self._at(body, wide), self._fitting(t.value, wide))
        summands = list(zip(body.coefficients, body.args, strict=True)) if body.is_sum else [(1, body)]
        if self._bounds_of is not None:  # no difference of the sides but 0 is a multiple of 2^wide
            wide = max(1, *map(abs, self._ends(body, t.value))).bit_length()
        left = self._sum([(c, a) for c, a in summands if c > 0], 0, wide)
        right = self._sum(
            [(-c, a) for c, a in summands if c < 0], t.value - (body.constant if body.is_sum else 0), wide
        )
        return self._make(self._kind.EQUAL, left, right)

    def _sum(self, summands: Iterable[tuple[int, Term]], constant: int, width: int) -> Any:
        """A sum modulo 2^width."""
        result = None
        for factor, a in summands:
            one = self._at(a, width)
            if factor != 1:
                one = self._make(self._kind.BV_MUL, self._number(factor, width), one)
            result = one if result is None else self._make(self._kind.BV_ADD, result, one)
        if result is None or constant:
            number = self._number(constant, width)
            result = number if result is None else self._make(self._kind.BV_ADD, result, number)
        return result

    def _division(self, t: Term, width: int) -> Any:
        """The quotient or the remainder, which is never negative; bit-vector division rounds towards zero."""
        kind, (a, b) = self._kind, t.args
        power = b.value.bit_length() - 1 if b.is_constant and b.value > 0 and b.value.bit_count() == 1 else None
        if power is not None and t.op is Op.DIVIDE:
            high = max(self._width_of(a), power + 1)
            return self._fit(
                self._manager.mk_term(kind.BV_EXTRACT, [self._at(a, high)], [high - 1, power]), high - power, width
            )
        if power:
            rest = self._manager.mk_term(kind.BV_ZERO_EXTEND, [self._at(a, power)], [1])
            return self._fit(rest, power + 1, width)
        wide = max(self._width_of(a), self._width_of(b), width) + 1
        return self._fit(self._euclidean(t.op, self._at(a, wide), self._at(b, wide), wide), wide, width)

    def _euclidean(self, op: Op, a: Any, b: Any, width: int) -> Any:
        kind, zero, one = self._kind, self._number(0, width), self._number(1, width)
        quotient, rest = self._make(kind.BV_SDIV, a, b), self._make(kind.BV_SREM, a, b)
        is_negative, below = self._make(kind.BV_SLT, rest, zero), self._make(kind.BV_SLT, b, zero)
        if op is Op.DIVIDE:
            step = self._make(kind.ITE, below, self._make(kind.BV_NEG, one), one)
            return self._make(kind.ITE, is_negative, self._make(kind.BV_SUB, quotient, step), quotient)
        size = self._make(kind.ITE, below, self._make(kind.BV_NEG, b), b)
        return self._make(kind.ITE, is_negative, self._make(kind.BV_ADD, rest, size), rest)
