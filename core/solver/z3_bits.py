"""Exact translation of integers to bit-vectors of z3: for bit operators, which z3 does not have on integers.

Every integer term has bounds, from the ranges of its symbols, and so an *exact width*, the bits of a signed vector that
holds all its values. A term is translated at a width that its context asks for: modulo 2^width, which sums, products,
choices and bit operators compute from arguments modulo 2^width; what needs the whole value (comparisons, quotients,
shifts to the right) asks for exact widths. A remainder modulo 2^k asks for k bits only, so wrap-around costs nothing.

Array indices and elements have fixed widths, far wider than those of machines. Terms without bounds, and quantifiers,
raise `SolverUndecided`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from core.analysis.bounds import Interval, Intervals
from core.limits import SolverUndecided
from core.program import Range
from core.solver.z3_translation import Translation
from core.terms import INT, ArrayValue, Op, Sort, Term, Treatment, is_uninterpreted

OTHER_OPERATORS = Treatment.OPAQUE

_ARRAY_WIDTH = 136  # of indices and elements; `__int128` has a place in it
_WIDEST = 4096

_Sized = tuple[Term, int]  # an integer term and the width asked for; 0 for a formula or an array


class BitTranslation(Translation):
    """The translation of terms to ASTs of one context. `range_of` bounds symbols; copies of a symbol have its range."""

    def __init__(self, context: Any, z3: Any, range_of: Callable[[Term], Range | None]) -> None:
        self._vector_sorts: dict[int, Any] = {}
        super().__init__(context, z3)
        self._intervals = Intervals(range_of)
        self._vectors: dict[_Sized, Any] = {}

    def __call__(self, term: Term) -> Any:
        vectors = self._vectors
        root = self._sized(term)
        stack = [root]
        while stack:
            sized = stack[-1]
            if sized in vectors:
                stack.pop()
                continue
            missing = [need for need in self._needs(sized) if need not in vectors]
            if missing:
                stack.extend(missing)
            else:
                stack.pop()
                vectors[sized] = self.keep(self._translated(sized))
        return vectors[root]

    # Widths

    def exact(self, t: Term) -> int:
        """The exact width of an integer term: the bits of a signed vector that holds every value of it."""
        return _bits(self._intervals(t))

    def _sized(self, t: Term, asked: int | None = None) -> _Sized:
        """The term at the width that is asked for (None: all of it), or at its exact one if that is less."""
        if t.sort is not INT:
            return t, 0
        exact = self.exact(t)
        return t, exact if asked is None else min(asked, exact)

    def _needs(self, sized: _Sized) -> list[_Sized]:
        """The arguments, at the widths at which the translation of `sized` reads them."""
        t, width = sized
        match t.op:
            case Op.LE | Op.EQ:
                left, right, _ = self._sides(t)
                return [self._sized(m, self._comparison_width(t)) for _, m in (*left, *right)]
            case Op.MODULO if _power(t.args[1]) is not None:
                return [self._sized(t.args[0], min(width, _power(t.args[1]) or 0))]
            case Op.DIVIDE if _power(t.args[1]) is not None:
                return [self._sized(t.args[0], width + (_power(t.args[1]) or 0))]
            case Op.DIVIDE | Op.MODULO | Op.SHIFT_RIGHT:
                return [self._sized(a) for a in t.args]
            case Op.SHIFT_LEFT:
                return [self._sized(t.args[0], width), self._sized(t.args[1])]
            case Op.SELECT | Op.STORE:
                return [self._sized(a) for a in t.args]
            case _ if is_uninterpreted(t):
                return [self._sized(a) for a in t.args]
            case Op.CONST_ARRAY:
                return [self._sized(t.args[0])]
            case _:
                return [self._sized(a, width) for a in t.args]

    def _sides(self, t: Term) -> tuple[list[tuple[int, Term]], list[tuple[int, Term]], int]:
        """The two sides of a comparison `left ⋈ right + constant`, with positive coefficients."""
        body = t.args[0]
        monomials = list(zip(body.coefficients, body.args, strict=True)) if body.is_sum else [(1, body)]
        return [(c, m) for c, m in monomials if c > 0], [(-c, m) for c, m in monomials if c < 0], t.value

    def _comparison_width(self, t: Term) -> int:
        left, right, constant = self._sides(t)
        return max(self._sum_width(left, 0), self._sum_width(right, constant))

    def _sum_width(self, monomials: Sequence[tuple[int, Term]], constant: int) -> int:
        low = high = constant
        for c, m in monomials:
            interval = self._intervals(m)
            if interval.low is None or interval.high is None:
                raise SolverUndecided("z3: a number without bounds")
            low, high = low + c * interval.low, high + c * interval.high
        return _bits(Interval(low, high))

    # Nodes

    def _translated(self, sized: _Sized) -> Any:
        t, width = sized
        match t.op:
            case Op.CONSTANT if t.sort is INT:
                return self._numeral(t.value, width)
            case Op.SYMBOL if t.sort is INT:
                return self._symbol(t, width)
            case Op.ITE if t.sort is INT:
                return self._choice(t, width)
            case Op.LE | Op.EQ:
                return self._comparison(t)
            case Op.LINEAR:
                return self._total(list(zip(t.coefficients, t.args, strict=True)), t.constant, width)
            case Op.MULTIPLY:
                return self._chain(self.core.Z3_mk_bvmul, [self._vector(a, width) for a in t.args])
            case Op.DIVIDE | Op.MODULO:
                return self._division(t, width)
            case Op.BIT_AND | Op.BIT_OR | Op.BIT_XOR:
                return self._bitwise(t.op)(self._ref, *(self._vector(a, width) for a in t.args))
            case Op.SHIFT_LEFT | Op.SHIFT_RIGHT:
                return self._shift(t, width)
            case Op.SELECT | Op.STORE | Op.CONST_ARRAY:
                return self._array_access(t, width)
            case _ if is_uninterpreted(t):
                return self._function(t, width)
            case Op.FORALL:
                raise SolverUndecided("z3: a quantifier over numbers without bounds")
            case _:
                return self._node(t, [self._vectors[a, 0] for a in t.args])

    def _vector(self, t: Term, width: int) -> Any:
        """The translated integer term at exactly `width` bits."""
        at = self._sized(t, width)
        return self._fit(self._vectors[at], at[1], width)

    def _exactly(self, t: Term, width: int) -> Any:
        """The whole value of a term at a width that holds it."""
        exact = self.exact(t)
        if exact > width:
            raise SolverUndecided(f"z3: a number of {exact} bits where {width} are expected")
        return self._fit(self._vectors[t, exact], exact, width)

    def _fit(self, ast: Any, have: int, want: int) -> Any:
        """A signed vector of `have` bits at `want` bits."""
        if have == want:
            return ast
        if have > want:
            return self.keep(self.core.Z3_mk_extract(self._ref, want - 1, 0, ast))
        return self.keep(self.core.Z3_mk_sign_ext(self._ref, want - have, ast))

    def _numeral(self, value: int, width: int) -> Any:
        return self.keep(self.core.Z3_mk_numeral(self._ref, str(value % (1 << width)), self._vector_sort(width)))

    def _symbol(self, t: Term, width: int) -> Any:
        """A constant of as many bits as the range needs; without a sign where no value has one."""
        interval, exact = self._intervals(t), self.exact(t)
        unsigned = interval.low is not None and interval.low >= 0 and exact > 1
        own = exact - 1 if unsigned else exact
        name = self.core.Z3_mk_string_symbol(self._ref, t.name)
        ast = self.keep(self.core.Z3_mk_const(self._ref, name, self._vector_sort(own)))
        if unsigned and width > own:
            return self.core.Z3_mk_zero_ext(self._ref, width - own, ast)
        return self._fit(ast, own, width)

    def _choice(self, t: Term, width: int) -> Any:
        condition, *branches = t.args
        then, otherwise = (self._vector(b, width) for b in branches)
        if self.core.Z3_is_eq_ast(self._ref, then, otherwise):  # wrap-around, where only lower bits are wanted
            return then
        return self.core.Z3_mk_ite(self._ref, self._vectors[condition, 0], then, otherwise)

    def _comparison(self, t: Term) -> Any:
        width = self._comparison_width(t)
        left, right, constant = self._sides(t)
        a, b = self.keep(self._total(left, 0, width)), self.keep(self._total(right, constant, width))
        compare = self.core.Z3_mk_bvsle if t.is_bound else self.core.Z3_mk_eq
        return compare(self._ref, a, b)

    def _total(self, monomials: Sequence[tuple[int, Term]], constant: int, width: int) -> Any:
        """The sum modulo 2^width."""
        summands: list[Any] = []
        for c, m in monomials:
            ast = self._vector(m, width)
            if c == -1:
                ast = self.keep(self.core.Z3_mk_bvneg(self._ref, ast))
            elif c != 1:
                ast = self.keep(self.core.Z3_mk_bvmul(self._ref, self._numeral(c, width), ast))
            summands.append(ast)
        if constant % (1 << width) or not summands:
            summands.append(self._numeral(constant, width))
        return self._chain(self.core.Z3_mk_bvadd, summands)

    def _chain(self, operation: Callable[[Any, Any, Any], Any], asts: Sequence[Any]) -> Any:
        result = asts[0]
        for ast in asts[1:]:
            result = self.keep(operation(self._ref, result, ast))
        return result

    def _bitwise(self, op: Op) -> Callable[[Any, Any, Any], Any]:
        core = self.core
        operation: Callable[[Any, Any, Any], Any] = {
            Op.BIT_AND: core.Z3_mk_bvand,
            Op.BIT_OR: core.Z3_mk_bvor,
            Op.BIT_XOR: core.Z3_mk_bvxor,
        }[op]
        return operation

    def _division(self, t: Term, width: int) -> Any:
        core, ref = self.core, self._ref
        a, b = t.args
        power = _power(b)
        if power is None:
            return self._general_division(t, width)
        if t.op is Op.MODULO:
            low = min(width, power)
            ast = self._vector(a, low)
            return ast if low == width else core.Z3_mk_zero_ext(ref, width - low, ast)
        return core.Z3_mk_extract(ref, width + power - 1, power, self._vector(a, width + power))

    def _general_division(self, t: Term, width: int) -> Any:
        """The quotient or remainder of SMT-LIB, whose remainder is never negative; bit-vectors round towards zero."""
        core, ref, keep = self.core, self._ref, self.keep
        a, b = t.args
        wide = max(self.exact(a), self.exact(b), self.exact(t)) + 1
        x, y = self._exactly(a, wide), self._exactly(b, wide)
        zero, unit = self._numeral(0, wide), self._numeral(1, wide)
        negative = keep(core.Z3_mk_bvslt(ref, y, zero))
        rest = keep(core.Z3_mk_bvsrem(ref, x, y))
        corrects = keep(core.Z3_mk_bvslt(ref, rest, zero))
        if t.op is Op.MODULO:
            size = keep(core.Z3_mk_ite(ref, negative, keep(core.Z3_mk_bvneg(ref, y)), y))
            whole = keep(core.Z3_mk_ite(ref, corrects, keep(core.Z3_mk_bvadd(ref, rest, size)), rest))
        else:
            quotient = keep(core.Z3_mk_bvsdiv(ref, x, y))
            away = keep(core.Z3_mk_ite(ref, negative, unit, keep(core.Z3_mk_bvneg(ref, unit))))
            whole = keep(core.Z3_mk_ite(ref, corrects, keep(core.Z3_mk_bvadd(ref, quotient, away)), quotient))
        return self._fit(whole, wide, width)

    def _shift(self, t: Term, width: int) -> Any:
        a, distance = t.args
        bounds = self._intervals(distance)
        if bounds.low is None or bounds.low < 0:
            raise SolverUndecided("z3: a shift by a distance that may be negative")
        if t.op is Op.SHIFT_LEFT:
            wide = max(width, self.exact(distance))
            value = self._fit(self._vector(a, width), width, wide)
            shifted = self.core.Z3_mk_bvshl(self._ref, value, self._exactly(distance, wide))
        else:
            wide = max(self.exact(a), self.exact(distance), width)
            shifted = self.core.Z3_mk_bvashr(self._ref, self._exactly(a, wide), self._exactly(distance, wide))
        return self._fit(self.keep(shifted), wide, width)

    # Arrays

    def sort(self, sort: Sort) -> Any:
        return self._vector_sort(_ARRAY_WIDTH) if sort == INT else super().sort(sort)

    def _vector_sort(self, width: int) -> Any:
        found = self._vector_sorts.get(width)
        if found is None:
            found = self._vector_sorts[width] = self.core.Z3_mk_bv_sort(self._ref, width)
            self.core.Z3_inc_ref(self._ref, self.core.Z3_sort_to_ast(self._ref, found))
        return found

    def _array_access(self, t: Term, width: int) -> Any:
        args = [self._exactly(a, _ARRAY_WIDTH) if a.sort is INT else self._vectors[a, 0] for a in t.args]
        if not t.is_select:
            return self._array_node(t, args)
        # Elements lie within the range of their array: their lower bits say everything.
        return self._fit(self.keep(self._array_node(t, args)), _ARRAY_WIDTH, width)

    def _function(self, t: Term, width: int) -> Any:
        """The application of a function that is only one, from and to the width of elements, which has all values."""
        if self.exact(t) > _ARRAY_WIDTH:
            raise SolverUndecided("z3: a number without a place")
        ast = self.keep(self._applied(t, [self._exactly(a, _ARRAY_WIDTH) for a in t.args]))
        return self._fit(ast, _ARRAY_WIDTH, width)

    # Models

    def numeral(self, ast: Any) -> int:
        bits = self.core.Z3_get_bv_sort_size(self._ref, self.core.Z3_get_sort(self._ref, ast))
        value = super().numeral(ast)
        return value - (1 << bits) if value >> (bits - 1) else value

    def settled(self, t: Term, value: ArrayValue) -> ArrayValue:
        bits = _bits(self._intervals(t))

        def element(index: int) -> int:
            rest = index % (1 << bits)
            return rest - (1 << bits) if rest >> (bits - 1) else rest

        return ArrayValue(element(value.default), {i: element(v) for i, v in value.entries.items()})


def _bits(interval: Interval) -> int:
    if interval.low is None or interval.high is None:
        raise SolverUndecided("z3: a number without bounds")
    bits = 1 + max((end if end >= 0 else ~end).bit_length() for end in (interval.low, interval.high))
    if bits > _WIDEST:
        raise SolverUndecided(f"z3: a number of {bits} bits")
    return bits


def _power(t: Term) -> int | None:
    """The k of a constant 2^k."""
    if t.is_constant and t.value > 0 and t.value & (t.value - 1) == 0:
        return t.value.bit_length() - 1
    return None
