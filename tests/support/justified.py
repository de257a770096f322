"""Whether the kernel accepts a justification, of statements about values without ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.decision.justification import Justification
from core.decision.kernel import Kernel
from core.decision.solver_record import SolverRecord
from core.program import Range
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import Arena, Term


def accepted(
    arena: Arena,
    by: Justification,
    hypotheses: Sequence[Term],
    goal: Term,
    range_of: Callable[[Term], Range | None] = lambda _: None,
) -> bool:
    """Whether a kernel that knows no lemma and no solver's answer accepts a justification."""
    return Kernel(arena, range_of, SolverRecord(Cvc5Factory())).check(by, hypotheses, goal)
