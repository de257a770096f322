"""The incremental SAT solver: what it asks of the library."""

from collections.abc import Sequence

import pytest
from pysat.solvers import Glucose4

from sat.solver import SatSolver, Unsatisfiable


def test_an_assumption_that_is_made_twice_is_passed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Glucose writes behind an array where it has more assumptions than variables."""
    passed: list[Sequence[int]] = []
    solve = Glucose4.solve

    def recorded(library: Glucose4, assumptions: Sequence[int]) -> bool | None:
        passed.append(assumptions)
        answer: bool | None = solve(library, assumptions)
        return answer

    monkeypatch.setattr(Glucose4, "solve", recorded)
    with SatSolver([(-1, 2), (-2, -3)]) as solver:
        assert solver.solve([3, 1, 3, 1, 1]) == Unsatisfiable((3, 1))
    assert passed == [[3, 1]]
