"""Polynomials modulo 2^w: integer terms read in the ring Z/2^w, and reduction of polynomials by equations.

O. Wienand, M. Wedler, D. Stoffel, W. Kunz, G.-M. Greuel, "An algebraic approach for proving data correctness in
arithmetic data paths", CAV 2008: equality of machine integers is membership in an ideal of Z/2^w[x]. Elimination and
division as in D. Cox, J. Little, D. O'Shea, "Ideals, Varieties, and Algorithms", chapter 2; a leading term divides
another term if its monomial does and its coefficient has no more factors of 2.

*Required*. Law of `Ring.of`: wherever the given intervals are right, the value of a term is that
of its polynomial modulo 2^w, where each unknown has the value of the term that it is. By induction over the term:

* sums and products are those of Z, and Z → Z/2^w is a homomorphism of rings;
* `a mod m` is congruent to `a` modulo 2^w if 2^w divides m, and is passed through only then;
* for any other constant m > 1, `a mod m = a - m · (a div m)` in Z, where the quotient is an unknown. Of sums that
  differ by a multiple of m, the quotients differ by that multiple divided by m, in Z; and for 0 < c < m,
  `(a + c) div m` is `a div m` if `a mod m + c` is below m, and one more if it is not;
* a choice between terms that have one polynomial is congruent to it;
* everything else is an unknown: equal terms have equal values.

Law of `Ideal`: where all equations are congruent to 0, a polynomial is congruent to its normal form. Each step adds a
multiple of an equation; by elimination, too, since what is eliminated is linear with an odd coefficient, which has an
inverse.

Limitations, by weight: the equations that are left after elimination are no Gröbner basis; polynomials of more than
some hundred terms are given up (`TooComplex`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from core.analysis.bounds import Intervals
from core.terms import Arena, Op, Term, Treatment

OTHER_OPERATORS = Treatment.OPAQUE

MOST_MONOMIALS = 400
HIGHEST_DEGREE = 24
MOST_STEPS = 2_000  # of one division

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
        if len(a) * len(b) > MOST_MONOMIALS**2 // 4:
            raise TooComplex
        result: Counter[Monomial] = Counter()
        for m, c in a.items():
            for n, d in b.items():
                result[tuple(sorted((*m, *n), key=_by_id))] += c * d
        return self._checked(result)

    def _checked(self, sums: Mapping[Monomial, int]) -> Polynomial:
        reduced = {m: c % self.modulus for m, c in sums.items() if c % self.modulus}
        if len(reduced) > MOST_MONOMIALS or any(len(m) > HIGHEST_DEGREE for m in reduced):
            raise TooComplex
        return reduced


class Ideal:
    """Equations, each a polynomial that is congruent to 0, by which other polynomials are reduced."""

    def __init__(self, ring: Ring, equations: Iterable[Polynomial]) -> None:
        self._ring = ring
        self._solved: list[tuple[Term, Polynomial]] = []  # what is eliminated, in this order, and what for
        self._others: list[Polynomial] = [equation for equation in equations if equation]
        while self._eliminate():
            pass
        self._leading = [
            (*max(other.items(), key=_order), other) for other in self._others if () not in other or len(other) > 1
        ]

    @property
    def is_contradictory(self) -> bool:
        """Whether an equation says that a constant is congruent to 0 which is not."""
        return any(list(equation) == [()] for equation in self._others)

    def normal(self, p: Polynomial) -> Polynomial:
        """A polynomial that is congruent to `p`: 0 if the equations show that. Raises `TooComplex`."""
        for x, value in self._solved:
            p = self._replaced(p, x, value)
        for _ in range(MOST_STEPS):
            multiple = self._divisible(p)
            if multiple is None:
                return p
            p = self._ring.sum([(1, p), (-1, multiple)])
        raise TooComplex

    def _eliminate(self) -> bool:
        """Eliminate an unknown by an equation in which it is linear; False if there is none."""
        for equation in sorted(self._others, key=len):
            x = _linear_unknown(equation)
            if x is not None:
                inverse = pow(equation[x,], -1, self._ring.modulus)
                rest = {monomial: c for monomial, c in equation.items() if monomial != (x,)}
                value = self._ring.sum([(-inverse, rest)])
                self._solved.append((x, value))
                replaced = (self._replaced(other, x, value) for other in self._others if other is not equation)
                self._others = [other for other in replaced if other]
                return True
        return False

    def _replaced(self, p: Polynomial, x: Term, value: Polynomial) -> Polynomial:
        """`p` with `value` for an unknown."""
        if not any(x in monomial for monomial in p):
            return p
        parts: list[tuple[int, Polynomial]] = []
        powers: list[Polynomial] = [{(): 1}]
        for monomial, c in p.items():
            exponent = monomial.count(x)
            while len(powers) <= exponent:
                powers.append(self._ring.product(powers[-1], value))
            rest: Polynomial = {tuple(factor for factor in monomial if factor is not x): 1}
            parts.append((c, self._ring.product(rest, powers[exponent])))
        return self._ring.sum(parts)

    def _divisible(self, p: Polynomial) -> Polynomial | None:
        """A multiple of an equation whose leading term is a term of `p`; None if there is none."""
        for monomial, c in sorted(p.items(), key=_order, reverse=True):
            for leading, own, equation in self._leading:
                rest = _quotient(monomial, leading)
                if rest is not None and c % (own & -own) == 0:
                    power = own & -own
                    factor = c // power * pow(own // power, -1, self._ring.modulus)
                    return self._ring.product({rest: factor % self._ring.modulus}, equation)
        return None


def _linear_unknown(equation: Polynomial) -> Term | None:
    """An unknown that is linear in an equation, with an odd coefficient: one of which other unknowns are made last."""
    counts = Counter(x for monomial in equation for x in set(monomial))
    found = [m[0] for m, c in equation.items() if len(m) == 1 and c % 2 and counts[m[0]] == 1]
    return max(found, key=_by_id, default=None)


def _order(term: tuple[Monomial, int]) -> tuple[int, list[int]]:
    """The graded order of monomials."""
    monomial = term[0]
    return len(monomial), [x.id for x in reversed(monomial)]


def _quotient(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The monomial divided by another one; None if that does not divide it."""
    rest = Counter(monomial)
    rest.subtract(divisor)
    if any(count < 0 for count in rest.values()):
        return None
    return tuple(sorted(rest.elements(), key=_by_id))


def _by_id(t: Term) -> int:
    return t.id
