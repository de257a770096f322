"""The contract of SMT solvers. An adapter translates terms once and caches the translation.

Law: `Sat` and `Unsat` are answers; anything else raises `SolverUndecided`, so that `unknown` is never taken for one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from enum import Enum, auto
from typing import Protocol

from core.dataclass import dataclass
from core.terms import Term, Value
from core.terms.interval import Interval


class Model(Protocol):
    """An assignment that satisfies what was asserted."""

    def value(self, term: Term) -> Value:
        """The value of any term (completed where the model leaves it open): bool, int, or `ArrayValue` for arrays."""
        ...


@dataclass(frozen=True)
class Sat:
    """The answer that the assertions are satisfiable, with a model."""

    model: Model


@dataclass(frozen=True)
class Unsat:
    """The answer that they are not: `core` has assumptions (in their order) that contradict the assertions."""

    core: tuple[Term, ...]


class GrowingSolver(Protocol):
    """An incremental solver over the terms of one arena, which forgets nothing."""

    def add(self, *formulas: Term) -> None:
        """Assert formulas."""
        ...

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        """Decide the assertions together with `assumptions` (any Bool terms). Raises `SolverUndecided`."""
        ...


class Solver(GrowingSolver, Protocol):
    """An incremental solver with scopes, which end what was asserted within them."""

    def scope(self) -> AbstractContextManager[None]:
        """A scope: what is asserted inside is removed on leaving, also by an exception."""
        ...


class SolverFactory(Protocol):
    """Makes solvers. All solvers of one factory share one translation cache."""

    def __call__(self, effort: int | None = None) -> Solver:
        """A new solver; `effort` bounds each check by the solver's own deterministic count (None: no bound)."""
        ...

    def interrupt(self) -> None:
        """Make running and later checks raise `SolverUndecided` (called from another thread)."""
        ...


class BitMethod(Enum):
    """The method by which a statement about bit-vectors is decided."""

    BITS = auto()  # each bit is a proposition: independent of all arithmetic
    CASES = auto()  # the same, for each case of the first formula in turn: one that is refuted helps with those behind
    REMAINDERS = auto()  # operations are those of integers modulo 2^width: strong on sums, weak on bits


IntervalOf = Callable[[Term], Interval]
"""An interval that has every value of an integer term."""


class WideningFactory(SolverFactory, Protocol):
    """A factory that can also decide single questions, over integers or bit-vectors."""

    def refutes(self, formulas: Sequence[Term], effort: int | None = None) -> bool:
        """Whether `formulas` are unsatisfiable over integers. For large questions: nothing is prepared for others.
        Raises `SolverUndecided`.
        """
        ...

    def refutes_widened(
        self, formulas: Sequence[Term], width: int, effort: int | None = None, method: BitMethod = BitMethod.BITS
    ) -> bool:
        """Whether `formulas` are unsatisfiable, read over signed bit-vectors of `width` bits.

        The caller has chosen the width so that no subterm can leave it; then the answer is that of the integers, both
        ways. Bit operators (`BIT_OPERATORS`) have this reading only: `check` does not decide formulas with them. Raises
        `SolverUndecided`.
        """
        ...

    def refutes_exactly(
        self, formulas: Sequence[Term], width: int, bounds_of: IntervalOf, effort: int | None = None
    ) -> bool:
        """The same, case by case, where each integer term is a vector of as many bits as it needs itself."""
        ...
