"""Reduction of polynomials modulo 2^w by equations, with the cofactors that show what it did.

O. Wienand, M. Wedler, D. Stoffel, W. Kunz, G.-M. Greuel, "An algebraic approach for proving data correctness in
arithmetic data paths", CAV 2008: equality of machine integers is membership in an ideal of Z/2^w[x]. Elimination and
division as in D. Cox, J. Little, D. O'Shea, "Ideals, Varieties, and Algorithms", chapter 2; a leading term divides
another term if its monomial does and its coefficient has no more factors of 2. What is eliminated is linear with an odd
coefficient, which has an inverse.

Each step adds a multiple of an equation, and is written down: as in D. Ritirc, A. Biere, M. Kauers, "A practical
polynomial calculus for arithmetic circuit verification", SC² 2018.

Limitations, by weight: the equations that are left after elimination are no Gröbner basis; polynomials of more than
some hundred terms are given up (`TooComplex`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.decision.justification import Multiple
from core.decision.ring import Monomial, Polynomial, Ring, TooComplex
from core.parameters import parameter
from core.terms import Term

MAX_STEPS = parameter("decision.polynomials.max-steps")


class Ideal:
    """Equations, each a polynomial that is congruent to 0, by which other polynomials are reduced."""

    def __init__(self, ring: Ring, equations: Sequence[Polynomial]) -> None:
        self._ring = ring
        self._count = len(equations)
        self.lines: list[tuple[Multiple, ...]] = []
        """Further equations, as sums of multiples of those before them; their numbers follow those of the first."""
        self._solved: list[tuple[Term, Polynomial, int]] = []  # what is eliminated by which equation, in this order
        self._others = [(equation, number) for number, equation in enumerate(equations) if equation]
        while self._eliminate():
            pass
        self._leading = [
            (*max(other.items(), key=_order), other, number)
            for other, number in self._others
            if () not in other or len(other) > 1
        ]

    @property
    def contradiction(self) -> int | None:
        """The number of an equation that says that a constant is congruent to 0 which is not; None without one."""
        return next((number for equation, number in self._others if list(equation) == [()]), None)

    def normal(self, p: Polynomial) -> Polynomial:
        """A polynomial that is congruent to `p`: 0 if the equations show that. Raises `TooComplex`."""
        return self.reduced(p)[0]

    def reduced(self, p: Polynomial) -> tuple[Polynomial, tuple[Multiple, ...]]:
        """A polynomial that is congruent to `p`, and what is to be added to get `p` from it. Raises `TooComplex`."""
        parts: list[Multiple] = []
        for x, equation, index in self._solved:
            cofactor = self._cofactor(p, x, equation)
            if cofactor:
                parts.append((cofactor, index))
                p = self._without(p, cofactor, equation)
        for _ in range(MAX_STEPS):
            found = self._divisible(p)
            if found is None:
                return p, tuple(parts)
            cofactor, equation, index = found
            parts.append((cofactor, index))
            p = self._without(p, cofactor, equation)
        raise TooComplex

    def _without(self, p: Polynomial, cofactor: Polynomial, equation: Polynomial) -> Polynomial:
        return self._ring.sum([(1, p), (-1, self._ring.product(cofactor, equation))])

    def _eliminate(self) -> bool:
        """Eliminate an unknown by an equation in which it is linear; False if there is none."""
        for equation, index in sorted(self._others, key=lambda one: len(one[0])):
            x = _linear_unknown(equation)
            if x is not None:
                self._solved.append((x, equation, index))
                others = [one for one in self._others if one[1] != index]
                self._others = []
                for other, own in others:
                    cofactor = self._cofactor(other, x, equation)
                    if not cofactor:
                        self._others.append((other, own))
                    elif rest := self._without(other, cofactor, equation):
                        self.lines.append((({(): 1}, own), (self._ring.sum([(-1, cofactor)]), index)))
                        self._others.append((rest, self._count + len(self.lines) - 1))
                return True
        return False

    def _cofactor(self, p: Polynomial, x: Term, equation: Polynomial) -> Polynomial:
        """The multiple of an equation, linear in an unknown, without which this unknown is not in `p`.

        By `x^n - v^n = (x - v) · Σ x^i · v^(n-1-i)`, where v is the value that the equation gives to the unknown.
        """
        if not any(x in monomial for monomial in p):
            return {}
        ring = self._ring
        inverse = pow(equation[x,], -1, ring.modulus)
        value = ring.sum([(-inverse, {monomial: c for monomial, c in equation.items() if monomial != (x,)})])
        powers: list[Polynomial] = [{(): 1}]
        parts: list[tuple[int, Polynomial]] = []
        for monomial, c in p.items():
            exponent = monomial.count(x)
            while len(powers) < exponent:
                powers.append(ring.product(powers[-1], value))
            rest: Polynomial = {tuple(factor for factor in monomial if factor is not x): 1}
            for i in range(exponent):
                factor = ring.product(rest, {(x,) * i: 1})
                parts.append((c * inverse, ring.product(factor, powers[exponent - 1 - i])))
        return ring.sum(parts)

    def _divisible(self, p: Polynomial) -> tuple[Polynomial, Polynomial, int] | None:
        """A cofactor of an equation such that the leading term of their product is a term of `p`; None without one."""
        for monomial, c in sorted(p.items(), key=_order, reverse=True):
            for leading, own, equation, number in self._leading:
                rest = _quotient(monomial, leading)
                if rest is not None and c % (own & -own) == 0:
                    power = own & -own
                    factor = c // power * pow(own // power, -1, self._ring.modulus)
                    return {rest: factor % self._ring.modulus}, equation, number
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
