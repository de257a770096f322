"""An operator that no pass over terms names, to see what each does with one that it does not know."""

from __future__ import annotations

from typing import cast

import pytest

from core.terms import FUNCTIONS, INT, Arena, Op, Term
from core.terms.interval import Interval
from core.terms.operators import IntegerFunction


def value(a: int, b: int) -> int:
    """No order, no symmetry, and every result from 0 to 6."""
    return (3 * a + 2 * b + 1) % 7


def applied(op: Op, arena: Arena, a: Term, b: Term) -> Term:
    return arena._make(op, (a, b), None, INT)


def new_member(monkeypatch: pytest.MonkeyPatch) -> Op:
    """One more member of `Op`, of which nothing is known."""
    op = int.__new__(Op, len(Op))
    op._name_, op._value_ = "SYNTHETIC", len(Op)
    monkeypatch.setitem(cast(dict[str, Op], Op._member_map_), op.name, op)
    return op


def new_operator(monkeypatch: pytest.MonkeyPatch) -> Op:
    """One more operator: a member of `Op` with a row."""
    op = new_member(monkeypatch)

    def make(arena: Arena, a: Term, b: Term) -> Term:
        return applied(op, arena, a, b)

    monkeypatch.setitem(FUNCTIONS, op, IntegerFunction(make, value, lambda *_: Interval(0, 6), "synthetic"))
    return op
