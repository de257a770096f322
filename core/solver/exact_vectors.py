"""Exact translation of integers to bit-vectors, whatever solver they are for.

Every integer term has bounds, from the ranges of its symbols, and so an *exact width*, the bits of a signed vector that
holds all its values. A term is translated at a width that its context asks for: modulo 2^width, which sums, products,
choices and bit operators compute from arguments modulo 2^width; what needs the whole value (comparisons, quotients,
shifts to the right) asks for exact widths. A remainder modulo 2^k asks for k bits only, so wrap-around costs nothing.

Array indices and elements have fixed widths. Terms without bounds, and quantifiers, raise `SolverUndecided`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from core.analysis.bounds import Interval, Intervals
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program import Range
from core.solver.multiplexers import Nest, is_small, least_width, looked_up, multiplexed, nest_of
from core.solver.wrapping import Wrapped, wrapped
from core.terms import INT, Op, Term, Treatment, is_uninterpreted
from core.terms.interval import signed_bits

OTHER_OPERATORS = Treatment.OPAQUE

ARRAY_WIDTH = parameter("solver.exact-vectors.array-width")

_WIDEST = 4096

_Sized = tuple[Term, int]  # an integer term and the width asked for; 0 for a formula or an array


class ExactVectors(ABC):
    """The translation of terms to nodes of a solver, each once at every width.

    `range_of` bounds symbols; indices and elements of arrays have `ARRAY_WIDTH` bits.
    """

    def __init__(self, range_of: Callable[[Term], Range | None]) -> None:
        self._intervals = Intervals(range_of)
        self._vectors: dict[_Sized, Any] = {}
        self._nests: dict[Term, Nest | None] = {}
        self._arounds: dict[Term, Wrapped | None] = {}

    @abstractmethod
    def make(self, name: str, *args: Any) -> Any:
        """The node of the operator that SMT-LIB calls `name`."""

    @abstractmethod
    def number(self, value: int, width: int) -> Any: ...

    @abstractmethod
    def constant(self, name: str, width: int) -> Any:
        """The free vector of this name."""

    @abstractmethod
    def lower(self, node: Any, high: int, low: int) -> Any:
        """The bits from `low` to `high` of a vector."""

    @abstractmethod
    def longer(self, node: Any, bits: int, signed: bool) -> Any:
        """A vector with so many bits more, which repeat its sign or are zero."""

    @abstractmethod
    def is_same(self, a: Any, b: Any) -> bool:
        """Whether two nodes are one."""

    @abstractmethod
    def other(self, t: Term, args: list[Any]) -> Any:
        """The node of a formula, of an array or of an array's element, over translated arguments."""

    @abstractmethod
    def applied(self, t: Term, args: list[Any]) -> Any:
        """The application of a function of which the solver knows no more than that it is one."""

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
                vectors[sized] = self._translated(sized)
        return vectors[root]

    # Widths

    def exact(self, t: Term) -> int:
        """The exact width of an integer term: the bits of a signed vector that holds every value of it."""
        return bits(self._intervals(t))

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
            case Op.ITE if around := self._wrapped(t):
                return [self._sized(around.value, min(width, around.bits))]
            case Op.ITE if nest := self._nest(t):
                return [self._sized(nest.position), *(self._sized(a, width) for a in (*nest.values, nest.other))]
            case _:
                return [self._sized(a, width) for a in t.args]

    def _sides(self, t: Term) -> tuple[list[tuple[int, Term]], list[tuple[int, Term]], int]:
        """The two sides of a comparison `left ⋈ right + constant`, with positive coefficients."""
        body = t.args[0]
        monomials = list(zip(body.coefficients, body.args, strict=True)) if body.is_sum else [(1, body)]
        return [(c, m) for c, m in monomials if c > 0], [(-c, m) for c, m in monomials if c < 0], t.value

    def _comparison_width(self, t: Term) -> int:
        """The bits at which both sides are compared: those of an equation tell all numbers that their vectors hold."""
        left, right, constant = self._sides(t)
        if t.is_equation:
            low, high = self._ends([*left, *((-c, m) for c, m in right)], -constant, self._held)
            return max(abs(low), abs(high), 1).bit_length()
        return max(self._sum_width(left, 0), self._sum_width(right, constant))

    def _sum_width(self, monomials: Sequence[tuple[int, Term]], constant: int) -> int:
        return bits(Interval(*self._ends(monomials, constant, self._intervals)))

    def _held(self, t: Term) -> Interval:
        """The numbers that the vector of an integer term holds: more than those in its interval."""
        half = 1 << (self.exact(t) - 1)
        low = self._intervals(t).low
        return Interval(0 if low is not None and low >= 0 else -half, half - 1)

    def _ends(
        self, monomials: Sequence[tuple[int, Term]], constant: int, bounds_of: Callable[[Term], Interval]
    ) -> tuple[int, int]:
        """The least value of a sum, and the largest. Raises `SolverUndecided` where it has no bounds."""
        low = high = constant
        for c, m in monomials:
            interval = bounds_of(m)
            if interval.low is None or interval.high is None:
                raise SolverUndecided("a number without bounds")
            ends = c * interval.low, c * interval.high
            low, high = low + min(ends), high + max(ends)
        return low, high

    # Nodes

    def _translated(self, sized: _Sized) -> Any:
        t, width = sized
        match t.op:
            case Op.CONSTANT if t.sort is INT:
                return self.number(t.value, width)
            case Op.SYMBOL if t.sort is INT:
                return self._symbol(t, width)
            case Op.ITE if t.sort is INT:
                return self._choice(t, width)
            case Op.LE | Op.EQ:
                return self._comparison(t)
            case Op.LINEAR:
                return self._total(list(zip(t.coefficients, t.args, strict=True)), t.constant, width)
            case Op.MULTIPLY:
                return self._chain("bvmul", [self._vector(a, width) for a in t.args])
            case Op.DIVIDE | Op.MODULO:
                return self._division(t, width)
            case Op.BIT_AND | Op.BIT_OR | Op.BIT_XOR:
                return self._chain(_BITWISE[t.op], [self._vector(a, width) for a in t.args])
            case Op.SHIFT_LEFT | Op.SHIFT_RIGHT:
                return self._shift(t, width)
            case Op.SELECT | Op.STORE | Op.CONST_ARRAY:
                return self._array_access(t, width)
            case Op.LOOKUP if is_small(t.table):
                return self._looked_up(t, width)
            case _ if is_uninterpreted(t):
                return self._function(t, width)
            case Op.FORALL:
                raise SolverUndecided("a quantifier over numbers without bounds")
            case _:
                return self.other(t, [self._vectors[a, 0] for a in t.args])

    def _vector(self, t: Term, width: int) -> Any:
        """The translated integer term at exactly `width` bits."""
        at = self._sized(t, width)
        return self._fit(self._vectors[at], at[1], width)

    def _exactly(self, t: Term, width: int) -> Any:
        """The whole value of a term at a width that holds it."""
        exact = self.exact(t)
        if exact > width:
            raise SolverUndecided(f"a number of {exact} bits where {width} are expected")
        return self._fit(self._vectors[t, exact], exact, width)

    def _fit(self, ast: Any, have: int, want: int) -> Any:
        """A signed vector of `have` bits at `want` bits."""
        if have == want:
            return ast
        return self.lower(ast, want - 1, 0) if have > want else self.longer(ast, want - have, signed=True)

    def _symbol(self, t: Term, width: int) -> Any:
        """A constant of as many bits as the range needs; without a sign where no value has one."""
        interval, exact = self._intervals(t), self.exact(t)
        unsigned = interval.low is not None and interval.low >= 0 and exact > 1
        own = exact - 1 if unsigned else exact
        ast = self.constant(t.name, own)
        if unsigned and width > own:
            return self.longer(ast, width - own, signed=False)
        return self._fit(ast, own, width)

    def _nest(self, t: Term) -> Nest | None:
        """The nest that a choice is, if it is one between integers."""
        if t.sort is not INT:
            return None
        if t not in self._nests:
            self._nests[t] = nest_of(t)
        return self._nests[t]

    def _wrapped(self, t: Term) -> Wrapped | None:
        """The wrap-around that a choice between integers stands for; None if it is none."""
        if t.sort is not INT:
            return None
        if t not in self._arounds:
            self._arounds[t] = wrapped(t, self._intervals(t))
        return self._arounds[t]

    def _choice(self, t: Term, width: int) -> Any:
        around = self._wrapped(t)
        if around is not None:
            low = min(width, around.bits)
            ast = self._vector(around.value, low)
            return ast if low == width else self.longer(ast, width - low, signed=around.signed)
        nest = self._nest(t)
        if nest is not None:
            bits = self._bits(nest.position, least_width(nest.values))
            return multiplexed(nest.values, nest.other, lambda a: self._vector(a, width), bits, self._chosen)
        condition, *branches = t.args
        then, otherwise = (self._vector(b, width) for b in branches)
        if self.is_same(then, otherwise):  # wrap-around, where only lower bits are wanted
            return then
        return self.make("ite", self._vectors[condition, 0], then, otherwise)

    def _comparison(self, t: Term) -> Any:
        width = self._comparison_width(t)
        left, right, constant = self._sides(t)
        a, b = self._total(left, 0, width), self._total(right, constant, width)
        return self.make("bvsle" if t.is_bound else "=", a, b)

    def _total(self, monomials: Sequence[tuple[int, Term]], constant: int, width: int) -> Any:
        """The sum modulo 2^width."""
        summands: list[Any] = []
        for c, m in monomials:
            ast = self._vector(m, width)
            if c == -1:
                ast = self.make("bvneg", ast)
            elif c != 1:
                ast = self.make("bvmul", self.number(c, width), ast)
            summands.append(ast)
        if constant % (1 << width) or not summands:
            summands.append(self.number(constant, width))
        return self._chain("bvadd", summands)

    def _chain(self, name: str, asts: Sequence[Any]) -> Any:
        result = asts[0]
        for ast in asts[1:]:
            result = self.make(name, result, ast)
        return result

    def _division(self, t: Term, width: int) -> Any:
        a, b = t.args
        power = _power(b)
        if power is None:
            return self._general_division(t, width)
        if t.op is Op.MODULO:
            low = min(width, power)
            ast = self._vector(a, low)
            return ast if low == width else self.longer(ast, width - low, signed=False)
        return self.lower(self._vector(a, width + power), width + power - 1, power)

    def _general_division(self, t: Term, width: int) -> Any:
        """The quotient or remainder of SMT-LIB, whose remainder is never negative; bit-vectors round towards zero."""
        a, b = t.args
        wide = max(self.exact(a), self.exact(b), self.exact(t)) + 1
        x, y = self._exactly(a, wide), self._exactly(b, wide)
        zero, unit = self.number(0, wide), self.number(1, wide)
        negative = self.make("bvslt", y, zero)
        rest = self.make("bvsrem", x, y)
        corrects = self.make("bvslt", rest, zero)
        if t.op is Op.MODULO:
            size = self.make("ite", negative, self.make("bvneg", y), y)
            whole = self.make("ite", corrects, self.make("bvadd", rest, size), rest)
        else:
            quotient = self.make("bvsdiv", x, y)
            away = self.make("ite", negative, unit, self.make("bvneg", unit))
            whole = self.make("ite", corrects, self.make("bvadd", quotient, away), quotient)
        return self._fit(whole, wide, width)

    def _shift(self, t: Term, width: int) -> Any:
        a, distance = t.args
        bounds = self._intervals(distance)
        if bounds.low is None or bounds.low < 0:
            raise SolverUndecided("a shift by a distance that may be negative")
        if t.op is Op.SHIFT_LEFT:
            wide = max(width, self.exact(distance))
            value = self._fit(self._vector(a, width), width, wide)
            shifted = self.make("bvshl", value, self._exactly(distance, wide))
        else:
            wide = max(self.exact(a), self.exact(distance), width)
            shifted = self.make("bvashr", self._exactly(a, wide), self._exactly(distance, wide))
        return self._fit(shifted, wide, width)

    # Tables and arrays

    def _looked_up(self, t: Term, width: int) -> Any:
        """The number of a table at a position."""
        bits = self._bits(t.args[0], least_width(t.table.values))
        return looked_up(t.table, bits, lambda value: self.number(value, width), self._chosen)

    def _bits(self, t: Term, least: int) -> list[Any]:
        """The truth values of the bits of a whole term, at `least` so many, the lowest first."""
        wide = max(self.exact(t), least)
        vector, set_ = self._exactly(t, wide), self.number(1, 1)
        return [self.make("=", self.lower(vector, bit, bit), set_) for bit in range(wide)]

    def _chosen(self, *args: Any) -> Any:
        return self.make("ite", *args)

    def _array_access(self, t: Term, width: int) -> Any:
        args = [self._exactly(a, ARRAY_WIDTH) if a.sort is INT else self._vectors[a, 0] for a in t.args]
        if not t.is_select:
            return self.other(t, args)
        # Elements lie within the range of their array: their lower bits say everything.
        return self._fit(self.other(t, args), ARRAY_WIDTH, width)

    def _function(self, t: Term, width: int) -> Any:
        """The application of a function that is only one, from and to the width of elements, which has all values."""
        if self.exact(t) > ARRAY_WIDTH:
            raise SolverUndecided("a number without a place")
        ast = self.applied(t, [self._exactly(a, ARRAY_WIDTH) for a in t.args])
        return self._fit(ast, ARRAY_WIDTH, width)


_BITWISE = {Op.BIT_AND: "bvand", Op.BIT_OR: "bvor", Op.BIT_XOR: "bvxor"}


def bits(interval: Interval) -> int:
    """The bits of a signed vector that holds an interval."""
    if interval.low is None or interval.high is None:
        raise SolverUndecided("a number without bounds")
    found = max(signed_bits(interval.low), signed_bits(interval.high))
    if found > _WIDEST:
        raise SolverUndecided(f"a number of {found} bits")
    return found


def _power(t: Term) -> int | None:
    """The k of a constant 2^k."""
    if t.is_constant and t.value > 0 and t.value & (t.value - 1) == 0:
        return t.value.bit_length() - 1
    return None
