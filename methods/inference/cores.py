"""Minimal cores by deletion: what is left out for good where the rest still suffices.

J. W. Chinneck, E. W. Dravnieks, "Locating minimal infeasible constraint sets in linear programs", 1991; in halves as in
U. Junker, "QuickXplain", AAAI 2004, without its divided background. Minimal means that no single element can be left
out. What a solver does not decide stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import TypeVar

from core.limits import SolverUndecided
from core.solver.contract import GrowingSolver, Unsat
from core.terms import Term

T = TypeVar("T", bound=Hashable)


def minimal(
    elements: Iterable[T], core: Callable[[Sequence[T]], Collection[T] | None], *, in_halves: bool = False
) -> list[T]:
    """The elements without those that are not needed, tried in their order, one by one or in halves first.

    `core` gives those of some elements that already suffice; None if they do not suffice.
    """
    left = list(elements)
    parts = [left] if in_halves else [[element] for element in reversed(left)]
    while parts:
        tried = set(parts.pop()).intersection(left)
        if not tried:
            continue
        enough = core([element for element in left if element not in tried])
        if enough is not None:
            left = [element for element in left if element in enough]
        elif len(tried) > 1:
            part = [element for element in left if element in tried]
            middle = len(part) // 2
            parts += [part[middle:], part[:middle]]
    return left


def refuting(
    solver: GrowingSolver, tick: Callable[[], None] = lambda: None
) -> Callable[[Sequence[Term]], tuple[Term, ...] | None]:
    """The function from assumptions to their core; it gives None where they are satisfiable or nobody knows.

    It calls `tick` before each question.
    """

    def core(assumptions: Sequence[Term]) -> tuple[Term, ...] | None:
        tick()
        try:
            answer = solver.check(assumptions)
        except SolverUndecided:
            return None
        return answer.core if isinstance(answer, Unsat) else None

    return core
