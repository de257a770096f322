"""Values of terms that have parts without one."""

from __future__ import annotations

import pytest

from core.terms import INT, Arena, NotEvaluable, evaluate


def test_what_divides_by_zero_does_not_matter_beside_what_decides() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    quotient = arena.le(arena.divide(x, y), arena.integer(3))  # made first: arguments stand in order of creation
    positive = arena.le(arena.one, y)
    zero, two = {x: 5, y: 0}, {x: 5, y: 2}
    assert evaluate(arena.and_(quotient, positive), zero) is False
    assert evaluate(arena.or_(quotient, arena.not_(positive)), zero) is True
    assert evaluate(arena.ite(arena.and_(quotient, positive), x, y), zero) == 0
    assert evaluate(arena.and_(quotient, positive), two) is True
    for undecided in (quotient, arena.not_(quotient), arena.or_(quotient, positive), arena.ite(quotient, x, y)):
        with pytest.raises(NotEvaluable):
            evaluate(undecided, zero)
