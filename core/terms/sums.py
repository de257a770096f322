"""The normal form in which a sum is compared: what atoms say about it, they say about all its multiples."""

from __future__ import annotations

from math import gcd

from core.terms.term import Term

SumBody = tuple[tuple[Term, ...], tuple[int, ...]]
"""Monomials and their coefficients, in the normal form of an atom."""


def normal_body(t: Term) -> tuple[SumBody, int, int]:
    """`t` as `factor · body + summand`, where `body` is in the normal form of atoms."""
    if not t.is_sum:
        return ((t,), (1,)), 1, 0
    divisor = gcd(*t.coefficients)
    factor = divisor if t.coefficients[0] > 0 else -divisor
    return (t.args, tuple(c // factor for c in t.coefficients)), factor, t.constant
