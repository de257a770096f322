"""The ring of polynomials modulo 2^w: integer terms read in Z/2^w.

Law of `Ring.of`: wherever the given intervals are right, the value of a term is that
of its polynomial modulo 2^w, where each unknown has the value of the term that it is. By induction over the term:

* sums and products are those of Z, and Z → Z/2^w is a homomorphism of rings;
* `a mod m` is congruent to `a` modulo 2^w if 2^w divides m, and is passed through only then;
* for any other constant m > 1, `a mod m = a - m · (a div m)` in Z, where the quotient is an unknown. Of sums that
  differ by a multiple of m, the quotients differ by that multiple divided by m, in Z; and for 0 < c < m,
  `(a + c) div m` is `a div m` if `a mod m + c` is below m, and one more if it is not;
* a choice between terms that have one polynomial is congruent to it;
* everything else is an unknown: equal terms have equal values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from core.analysis.bounds import Intervals
from core.terms import Arena, Op, Term, Treatment

OTHER_OPERATORS = Treatment.OPAQUE

MAX_MONOMIALS = 400
HIGHEST_DEGREE = 24

Monomial = tuple[Term, ...]  # factors in order of creation
Polynomial = Mapping[Monomial, int]  # coefficients from 1 to 2^w - 1


class TooComplex(Exception):
    """A polynomial that is too large to be computed with."""


class Ring:
    """Integer terms as polynomials modulo 2^`bits`."""

    def __init__(self, arena: Arena, bits: int, intervals: Intervals) -> None:
        self._arena = arena
        self._intervals = intervals
        self.modulus = 1 << bits
        self._known: dict[Term, Polynomial] = {}

    def of(self, term: Term) -> Polynomial:
        """The polynomial of an Int term. Raises `TooComplex`."""
        stack = [term]
        while stack:
            t = stack[-1]
            parts = () if t in self._known else self._parts(t)
            missing = [part for part in parts if part not in self._known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if t not in self._known:
                self._known[t] = self._computed(t, [self._known[part] for part in parts])
        return self._known[term]

    def _parts(self, t: Term) -> Sequence[Term]:
        """The terms on whose polynomials that of `t` depends."""
        match t.op:
            case Op.LINEAR | Op.MULTIPLY:
                return t.args
            case Op.ITE:
                return t.args[1:]
            case Op.MODULO | Op.DIVIDE:
                congruent = self._congruent(t)
                return () if congruent is None else (congruent,)
            case _:
                return ()

    def _computed(self, t: Term, parts: Sequence[Polynomial]) -> Polynomial:
        match t.op:
            case Op.CONSTANT:
                return self._constant(t.value)
            case Op.LINEAR:
                return self.sum([(1, self._constant(t.constant)), *zip(t.coefficients, parts, strict=True)])
            case Op.MULTIPLY:
                result = parts[0]
                for part in parts[1:]:
                    result = self.product(result, part)
                return result
            case Op.ITE if parts[0] == parts[1]:
                return parts[0]
            case Op.MODULO | Op.DIVIDE if parts:
                return parts[0]
            case _:
                return {(t,): 1}

    def _congruent(self, t: Term) -> Term | None:
        """A term that is congruent to a remainder, or to a quotient, by a constant; None for an unknown."""
        arena, (a, divisor) = self._arena, t.args
        if divisor.op is not Op.CONSTANT or divisor.value < 2:
            return None
        if t.op is Op.DIVIDE:
            return self._quotient(a, divisor)
        if divisor.value % self.modulus == 0:
            return a
        return arena.linear([(1, a), (-divisor.value, arena.divide(a, divisor))])

    def _quotient(self, a: Term, divisor: Term) -> Term | None:
        """The quotient of a sum by that of a smaller one; None if there is no such."""
        arena, m = self._arena, divisor.value
        remainder = arena.modulo(a, divisor)
        least = remainder.args[0] if remainder.op is Op.MODULO else remainder
        if least is not a:
            rest = arena.subtract(a, least)
            parts = list(zip(rest.coefficients, rest.args, strict=True)) if rest.op is Op.LINEAR else []
            constant = rest.constant if rest.op is Op.LINEAR else rest.value
            if any(c % m for c, _ in parts) or constant % m:
                return None
            return arena.linear([(1, arena.divide(least, divisor)), *((c // m, x) for c, x in parts)], constant // m)
        if a.op is not Op.LINEAR or a.constant == 0:
            return None
        base = arena.linear([(1, a)], -a.constant)
        left = self._intervals(arena.modulo(base, divisor))
        if left.high is not None and left.high + a.constant < m:
            return arena.divide(base, divisor)
        if left.low is not None and left.low + a.constant >= m:
            return arena.linear([(1, arena.divide(base, divisor))], 1)
        return None

    def difference(self, equation: Term) -> Polynomial:
        """The two sides of an equation, subtracted."""
        return self.sum([(1, self.of(equation.args[0])), (-1, self._constant(equation.value))])

    # Arithmetic

    def _constant(self, value: int) -> Polynomial:
        value %= self.modulus
        return {(): value} if value else {}

    def sum(self, parts: Iterable[tuple[int, Polynomial]]) -> Polynomial:
        """The sum of `factor · polynomial`."""
        result: Counter[Monomial] = Counter()
        for factor, polynomial in parts:
            for monomial, c in polynomial.items():
                result[monomial] += factor * c
        return self._checked(result)

    def product(self, a: Polynomial, b: Polynomial) -> Polynomial:
        if len(a) * len(b) > MAX_MONOMIALS**2 // 4:
            raise TooComplex
        result: Counter[Monomial] = Counter()
        for m, c in a.items():
            for n, d in b.items():
                result[tuple(sorted((*m, *n), key=_by_id))] += c * d
        return self._checked(result)

    def _checked(self, sums: Mapping[Monomial, int]) -> Polynomial:
        reduced = {m: c % self.modulus for m, c in sums.items() if c % self.modulus}
        if len(reduced) > MAX_MONOMIALS or any(len(m) > HIGHEST_DEGREE for m in reduced):
            raise TooComplex
        return reduced


def _by_id(t: Term) -> int:
    return t.id
