"""Weakest preconditions of unrolled blocks: computed back to loop heads, they exclude errors before the next cut point.

If no error is reached within k blocks from a state and this holds inductively (k-induction), then "none is reached
within k blocks" is an ordinary inductive invariant, and weakest preconditions express it. So certificates of
k-induction need no trust in k-induction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice

from core.limits import Limits
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.program.unwinding import closes_cycle
from core.terms import Term, literals, subterms
from methods.discovery.elimination import for_all

MAX_TERMS = parameter("bmc.preconditions.max-terms")
LARGEST = parameter("bmc.preconditions.largest")


class Preconditions:
    """The preconditions of one block: no error occurs, and what is `required` holds at the next cut point."""

    def __init__(
        self,
        expansion: Expansion,
        checks: Collection[int],
        required: Mapping[At, Term],
        limits: Limits,
        largest: int | None = None,
    ) -> None:
        self._expansion = expansion
        self._checks = checks
        self._required = required
        self._limits = limits
        self._largest = largest  # nodes
        self.formulas: dict[At, Term | None] = {}
        self._room = len(expansion.arena) + MAX_TERMS

    def before(self, at: At) -> Term | None:
        """The precondition at `at` of one block; None where inputs cannot be eliminated."""
        stack = [at]
        while stack:
            self._limits.check()
            top = stack[-1]
            missing = [] if top in self.formulas else [t for t in self._inside(top) if t not in self.formulas]
            if missing:
                stack.extend(missing)
            else:
                stack.pop()
                if top not in self.formulas:
                    self.formulas[top] = self._computed(top)
        return self.formulas[at]

    def _inside(self, at: At) -> list[At]:
        steps = self._expansion.steps(at)
        return [step.target for step in steps if not closes_cycle(self._expansion, step)]

    def _computed(self, at: At) -> Term | None:
        arena = self._expansion.arena
        check = self._expansion.check(at)
        if check is not None:
            return arena.boolean(check.id not in self._checks)
        parts: list[Term] = []
        for step in self._expansion.steps(at):
            part = None if len(arena) > self._room else self._over(step)
            if part is None:
                return None
            parts.append(part)
        formula = arena.and_(*parts)
        return formula if self._largest is None or formula.size <= self._largest else None

    def _over(self, step: Step) -> Term | None:
        closes = closes_cycle(self._expansion, step)
        post = self._required.get(step.target, self._expansion.arena.true) if closes else self.formulas[step.target]
        return None if post is None else precondition(self._expansion, step, post)


def precondition(expansion: Expansion, step: Step, post: Term) -> Term | None:
    """The weakest precondition of `step` for `post`; None where inputs cannot be eliminated."""
    arena, change = expansion.arena, step.transition
    inputs = sorted((s for s in change.reads if expansion.is_input(s)), key=lambda s: s.id)
    if not inputs:
        return change.wp(post)
    parts = (change.wp(part) for part in literals(post)) if not post.is_false else (change.wp(post),)
    return for_all(arena, arena.and_(*parts), [(s, expansion.range_of(s)) for s in inputs])


def is_small(formula: Term) -> bool:
    """Whether a precondition, a graph of terms, is small enough to be a candidate."""
    return sum(1 for _ in islice(subterms(formula), LARGEST + 1)) <= LARGEST
