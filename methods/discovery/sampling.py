"""Candidate predicates from sampled executions: the equations, linear and between products, of loops on a path.

Heuristic: an equation that holds in all states that executions were in at the head of a loop is one that interpolants
of its unrollings do not find, since a few turns have shorter reasons (`candidates` has the literature).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise

from core.limits import Limits
from core.program.expansion import At, Expansion, Step
from core.terms import Term
from methods.discovery.candidates import CandidateInvariants
from methods.discovery.executions import Executions
from methods.discovery.interpolation import CandidatePredicates, inside_loops, inside_turn, loop_visits


class SampledEquations:
    """Finds equations for the loops of one expansion; executes the program when first asked."""

    def __init__(self, expansion: Expansion, seed: int, limits: Limits) -> None:
        self._expansion = expansion
        self._seed = seed
        self._limits = limits

    def candidates(self, steps: Sequence[Step], relevant: Collection[Term]) -> Iterator[CandidatePredicates | None]:
        """Candidates in the loops that a path goes round, about `relevant` variables: linear equations, then those
        between products; None: none.
        """
        yield self._inside(steps, relevant, self._linear)
        yield self._inside(steps, relevant, self._quadratic)

    def _inside(
        self, steps: Sequence[Step], relevant: Collection[Term], equations: Callable[[At], Sequence[Term]]
    ) -> CandidatePredicates | None:
        atoms: dict[int, dict[Term, None]] = {}
        for head, positions in loop_visits(self._expansion, steps).items():
            here = [e for e in equations(head) if e.symbols() <= frozenset(relevant)] if len(positions) > 1 else []
            if here:
                atoms.update(dict.fromkeys(positions, dict.fromkeys(here)))
                for first, last in pairwise(positions):
                    for position, inside in inside_turn(self._expansion.arena, steps, first, last, here):
                        atoms.setdefault(position, {}).update(inside)
        return inside_loops(self._expansion, steps, atoms, "sampled executions")

    @cached_property
    def _linear(self) -> Callable[[At], Sequence[Term]]:
        return cache(self._invariants.linear_equations)

    @cached_property
    def _quadratic(self) -> Callable[[At], Sequence[Term]]:
        return cache(self._invariants.quadratic_equations)

    @cached_property
    def _invariants(self) -> CandidateInvariants:
        return CandidateInvariants(self._expansion, Executions(self._expansion, self._seed, self._limits))
