"""Invariants of `bmc` that are equations between polynomials, for machine integers."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import pytest

from core.analysis.intervals import simplify
from core.decision.refutation import Refuter
from core.limits import SolverUndecided
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.solver.contract import Sat, Solver, SolverFactory, Unsat
from core.solver.z3_solver import Z3Factory
from core.terms import Term
from core.verdict import Safe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.discovery.candidates import CandidateInvariants
from methods.discovery.executions import Executions
from methods.engine import Edit, EditAction
from methods.engines.bmc.cut_paths import cut_paths
from methods.engines.bmc.engine import BmcEngine
from methods.engines.bmc.equations import Equations
from methods.engines.bmc.induction import cut_points
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext

DECLARATIONS = """
void reach_error(void) {}
unsigned u(void); int i(void); short s(void);
void claim(int c) { if (!c) { reach_error(); } }
"""

SQUARES = "int main() { unsigned n = 0, x = 0, k = u(); while (n != k) { x += 2*n + 1; n++; claim(x == n*n); } }"
CUBES = """int main() { short a = s(); long long n = 0, x = 0, y = 1, z = 6;
  while (1) { claim(x == n*n*n); claim(y == 3*n*n + 3*n + 1); claim(z == 6*n + 6); if (n > a) break;
    n++; x += y; y += z; z += 6; }
  claim(6*a*x - x*z + 12*x == 0); }"""
GEOMETRIC = (
    "int main() { int z = i(), x = 1, y = z; while (i()) { x = x*z + 1; y *= z; claim(x*z - x - y + 1 == 0); } }"
)
BEZOUT = """int main() { int x = i(), y = i();
  long long a = x, b = y, p = 1, q = 0, r = 0, t = 1; if (x < 1 || y < 1) return 0;
  while (a != b) { claim(a == y*r + x*p); claim(b == x*q + y*t);
    if (a > b) { a -= b; p -= q; r -= t; } else { b -= a; q -= p; t -= r; } }
  claim(q*x + t*y == b); }"""
BEZOUT_UNSIGNED = BEZOUT.replace("int x = i(), y = i()", "unsigned x = u(), y = u()").replace("long long", "unsigned")
HALVES = """int main() { int a = i(), b = i(); if (b < 1) return 0; long long x = a, y = b, z = 0;
  while (y != 0) { claim(z + x*y == (long long) a*b); if (y % 2 == 1) { z += x; y--; } x = 2*x; y = y/2; } }"""

SHIFTED = """int main() { int n = 0, m = 5, x = 0;
  while (n < 1000) { x += 2*n + 1; n++; m++; claim(x == (m - 5)*(m - 5)); } }"""

DIVISION = """int main() { unsigned a = u(), b = u(), q = 0, r = a; if (b == 0) return 0;
  while (r >= b) { r -= b; q++; claim(a == b*q + r); } }"""


class TiringFactory:
    """Solvers of z3 that answer a number of questions together; implements `SolverFactory`."""

    def __init__(self, answers: int) -> None:
        self.answers = answers
        self._factory = Z3Factory(0)

    def __call__(self, effort: int | None = None) -> Solver:
        return _TiringSolver(self, self._factory(effort))

    def interrupt(self) -> None:
        self._factory.interrupt()


class _TiringSolver:
    def __init__(self, factory: TiringFactory, solver: Solver) -> None:
        self._factory = factory
        self._solver = solver
        self.add = solver.add
        self.scope = solver.scope

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        self._factory.answers -= 1
        if self._factory.answers < 0:
            raise SolverUndecided("no more answers")
        return self._solver.check(assumptions)


def program(text: str) -> Program:
    return lower(parse_program(DECLARATIONS + text, "a.c", DataModel.ILP32), UnreachCall())


def equations(lowered: Program, solver: SolverFactory | None = None) -> Equations:
    """What finds equations, without a limit of time."""
    context = RecordingContext(seconds=inf, solver=solver)
    simplified = simplify(lowered)
    expansion = Expansion(simplified.program, BlockEncoding.BASIC)
    roots = cut_points(expansion)
    assert roots is not None
    paths = cut_paths(expansion, roots, context.limits)
    assert paths is not None
    suggested = CandidateInvariants(expansion, Executions(expansion, context.seed, context.limits))
    return Equations(expansion, simplified, roots, paths, suggested.at, context)


def is_proved(text: str) -> bool:
    """Whether equations prove all checks, and the proof holds."""
    lowered = program(text)
    checks = [check.id for check in lowered.checks]
    proof = equations(lowered).prove(checks)
    return proof is not None and proof[0] == checks and is_certified(lowered, checks, proof[1])


@pytest.mark.long
@pytest.mark.parametrize("text", [SQUARES, CUBES, GEOMETRIC, BEZOUT, HALVES, SHIFTED, DIVISION, BEZOUT_UNSIGNED])
def test_equations_are_inductive_invariants(text: str) -> None:
    assert is_proved(text)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (SQUARES, "2*n + 1", "2*n + 3"),
        (GEOMETRIC, "y *= z", "y *= z + 1"),
        (BEZOUT, "r -= t", "r += t"),
        (HALVES, "x = 2*x", "x = 3*x"),
        (HALVES, "b < 1", "b < -5"),
        (DIVISION, "r -= b", "r -= b + 1"),
    ],
)
def test_wrong_equations_are_not_proved(text: str, right: str, wrong: str) -> None:
    assert right in text
    lowered = program(text.replace(right, wrong, 1))
    assert equations(lowered).prove([check.id for check in lowered.checks]) is None


def test_a_solver_without_answers_takes_no_proof_away() -> None:
    """The last questions are which of the linear invariants a proof needs: without answers, it has all of them."""
    lowered = program(SHIFTED)
    checks = [check.id for check in lowered.checks]
    tiring = TiringFactory(100)
    assert equations(lowered, tiring).prove(checks) is not None
    asked = 100 - tiring.answers
    proof = equations(lowered, TiringFactory(asked - 1)).prove(checks)
    assert proof is not None
    assert is_certified(lowered, checks, proof[1])


def test_the_search_ends_after_many_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cubes take more cases than squares."""
    monkeypatch.setattr("methods.engines.bmc.equations.MAX_CASES", 8)
    cubes, squares = program(CUBES), program(SQUARES)
    assert equations(cubes).prove([check.id for check in cubes.checks]) is None
    assert equations(squares).prove([check.id for check in squares.checks]) is not None


def test_claims_without_products_are_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Refuter, "refutes", lambda *_: pytest.fail("is asked"))
    lowered = program("int main() { int n = 0, x = i(); while (n*x < 9 && n < 9) { n++; } if (x > 9) claim(n == 1); }")
    assert equations(lowered).prove([check.id for check in lowered.checks]) is None


def test_bmc_asks_for_equations_in_its_first_round() -> None:
    lowered = program(CUBES)
    context = RecordingContext(seconds=inf, edits={2: [Edit(EditAction.STOP, None, None)]})
    outcomes = BmcEngine().run(lowered, [check.id for check in lowered.checks], context)
    assert all(isinstance(outcome, Safe) for outcome in outcomes.values())
    assert context.rounds == [0, 1]
