"""The only module that imports pysat: an incremental SAT solver with assumptions, models, cores and a conflict budget.

Literals are non-zero integers: a variable, or its negation as the negative number. Variables need no declaration.

The solver is Glucose 4. On random clauses over 40 variables (10 assumptions a query) and 1,000 (400 assumptions),
glucose, minisat and cadical took the same time within a tenth; on 200 (20 assumptions), cadical took half as much
again, and maplechrono a hundred times as much. Glucose also offers a conflict budget.

Limitations: cores are not minimal (see `sat.cores`); the budget is checked only when the search restarts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, cast

Clause = Sequence[int]


class ConflictLimitReached(Exception):
    """The solver used up its conflict budget: neither satisfiable nor unsatisfiable is known."""


@dataclass(frozen=True, slots=True)
class Satisfiable:
    """A satisfying assignment: the literals that are true, one for each variable up to the largest in use."""

    model: tuple[int, ...]

    def value(self, variable: int) -> bool:
        """The value of a variable; one that occurs in no clause and no assumption is false."""
        if variable <= 0:
            raise ValueError(f"{variable} is not a variable")
        # The i-th literal of a model is of variable i + 1.
        return variable <= len(self.model) and self.model[variable - 1] > 0


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """Assumptions that the clauses refute, in the order in which they were given; empty if clauses alone conflict."""

    core: tuple[int, ...]


Answer = Satisfiable | Unsatisfiable


class _Library(Protocol):
    """The part of a pysat solver that is used."""

    def add_clause(self, clause: list[int]) -> object: ...
    def solve(self, assumptions: list[int]) -> bool | None: ...
    def solve_limited(self, assumptions: list[int]) -> bool | None: ...
    def conf_budget(self, budget: int) -> None: ...
    def get_model(self) -> list[int] | None: ...
    def get_core(self) -> list[int] | None: ...
    def set_phases(self, literals: list[int]) -> None: ...
    def delete(self) -> None: ...


class SatSolver:
    """A growing set of clauses. Use it in a `with` statement: it holds native memory.

    The same calls give the same answers, models and cores.
    """

    def __init__(self, clauses: Iterable[Clause] = ()) -> None:
        # Imported here: it costs some 40 ms, which a run that needs no SAT solver should not pay.
        from pysat.solvers import Glucose4

        self._library = cast(_Library, Glucose4())
        self._closed = False
        for clause in clauses:
            self.add(clause)

    def add(self, clause: Clause) -> None:
        """Require one of the literals; the empty clause is false. Raises `ValueError` for the literal 0."""
        literals = self._checked(clause)
        self._library.add_clause(literals)

    def prefer(self, *literals: int) -> None:
        """Try these literals first when a variable is decided; it changes models, never answers."""
        self._library.set_phases(self._checked(literals))

    def solve(self, assumptions: Sequence[int] = (), conflicts: int | None = None) -> Answer:
        """Whether the clauses and assumptions are satisfiable together; assumptions hold for this call only.

        Raises `ConflictLimitReached` at the first restart after `conflicts` conflicts, and `ValueError` for the literal
        0 or a budget below 1.
        """
        # Glucose gives each assumption a level, and has an array by levels with one element for each variable: with an
        # assumption twice, it writes behind that array.
        literals = list(dict.fromkeys(self._checked(assumptions)))
        result = self._run(literals, conflicts)
        if result is None:
            raise ConflictLimitReached(f"no answer within {conflicts} conflicts")
        if result:
            return Satisfiable(tuple(self._library.get_model() or ()))
        failed = frozenset(self._library.get_core() or ())
        return Unsatisfiable(tuple(literal for literal in literals if literal in failed))

    def _run(self, literals: list[int], conflicts: int | None) -> bool | None:
        if conflicts is None:
            return self._library.solve(assumptions=literals)
        if conflicts < 1:
            raise ValueError(f"a budget of {conflicts} conflicts")
        self._library.conf_budget(conflicts)
        return self._library.solve_limited(assumptions=literals)

    def close(self) -> None:
        """Release native memory. Later use raises `ValueError`; closing again does nothing."""
        if not self._closed:
            self._closed = True
            self._library.delete()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _checked(self, literals: Iterable[int]) -> list[int]:
        if self._closed:
            raise ValueError("the solver is closed")
        checked = list(literals)
        if 0 in checked:
            raise ValueError("0 is not a literal")
        return checked
