"""Invariants that are equations between polynomials, proved by arithmetic modulo powers of two.

M. Müller-Olm, H. Seidl, "Analysis of modular arithmetic", TOPLAS 29(5), 2007, for equations between machine integers;
R. Sharma et al., "A data driven approach for algebraic loop invariants", ESOP 2013, for candidates from executions.
Deviations: *candidates* are first of all the equations that the program claims itself, also under the conditions under
which it claims them; Houdini (FME 2001) keeps the largest part that is inductive. Whether an equation is,
`core.decision.refutation` decides path by path, as the certificate check does; so what is arithmetic of machines in the
program is so in the proof, whatever wraps around. What has no products is left to the solver.

Limitations, by weight: equations that are not claimed and of degree 3 and more, or with large coefficients; many paths
between loop heads; inequalities between products.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from core.analysis.bounds import Intervals
from core.analysis.intervals import Simplified
from core.analysis.liveness import Liveness
from core.decision.refutation import Refuter, has_products
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program import Assign
from core.program.expansion import At, Expansion
from core.program.semantics import range_facts
from core.solver.contract import Model, Sat, Unsat
from core.terms import Term, atoms, literals
from core.verdict import Certificate
from methods.engine import Context
from methods.engines.bmc.complete_unrolling import closed
from methods.engines.bmc.cut_paths import ComposedPath, CutPaths
from methods.engines.bmc.induction import PATIENCE, Invariants
from methods.inference.cores import minimal
from methods.inference.houdini import Connection, Houdini, InferenceStuck, Patience, not_established

EFFORT = parameter("bmc.equations.effort")
MAX_CASES = parameter("bmc.equations.max-cases")


class Equations:
    """Finds inductive equations that exclude errors. `suggested` gives what executions suggest at a location."""

    def __init__(
        self,
        expansion: Expansion,
        simplified: Simplified,
        roots: Sequence[At],
        paths: CutPaths,
        suggested: Callable[[At], Sequence[Term]],
        context: Context,
    ) -> None:
        self._expansion = expansion
        self._arena = expansion.arena
        self._simplified = simplified
        self._roots = roots
        self._paths = paths
        self._suggested = suggested
        self._context = context
        self._liveness = Liveness(expansion)
        self._bounds = {root: literals(simplified.invariant(expansion, root)) for root in roots}
        self._refuter = Refuter(self._arena, Intervals(self._expansion.range_of_copy), self._count_case)
        self._cases = 0
        self._solver = context.solver(EFFORT)
        self._patience = Patience(PATIENCE)
        steps = (path for path in paths.all if self._check(path) is None)
        self._houdini = Houdini(Connection(path.source, path.target, path) for path in steps)

    def prove(self, checks: Collection[int]) -> tuple[list[int], Certificate] | None:
        """Prove as many of `checks` as possible: by what the program claims, then also by what executions suggest."""
        claims = self._claims(checks)
        if not any(_is_equation_of_products(c) for own in claims.values() for c in own):
            return None  # others are for solvers
        no_bounds: Invariants = {root: {} for root in self._roots}
        proof = self._proof(checks, self._inductive(claims, no_bounds), no_bounds)
        if proof is not None:
            return proof
        suggested = {root: self._suggested(root) for root in self._roots[1:]}
        linear = self._linear(suggested)
        for extended in (claims, self._with_equations(claims, suggested)):
            proof = self._proof(checks, self._inductive(extended, linear), linear)
            if proof is not None:
                return proof
        return None

    # Candidates

    def _claims(self, checks: Collection[int]) -> Invariants:
        """The equations that are claimed somewhere, wherever their variables are alive; and each with its condition."""
        errors = [s for s in self._paths.all if self._check(s) in checks]
        equations = dict.fromkeys(e for s in errors for part in literals(s.transition.guard) for e in _denied(part))
        found: Invariants = {root: {} for root in self._roots}
        for root in self._roots[1:]:
            alive = self._liveness.at(root)
            conditional = [self._unless(s) for s in errors if s.source == root]
            own = [c for c in (*equations, *self._assigned(root), *conditional) if c.symbols() <= alive]
            found[root].update(dict.fromkeys(own))
        return found

    def _assigned(self, root: At) -> Iterator[Term]:
        """The equations that the assignments of products in the function establish."""
        program, rename = self._expansion.program, self._expansion.in_frame(root)
        for edge in program.edges:
            if not isinstance(edge.operation, Assign):
                continue
            if program.locations[edge.source].function == self._expansion.function(root):
                for x, value in edge.operation.updates:
                    if has_products([value]) and x not in value.symbols():
                        yield rename(self._arena.equals(x, value))

    def _unless(self, path: ComposedPath) -> Term:
        """The negation of an error's guard, without the equations that were claimed before it."""
        conditions = (part for part in literals(path.transition.guard) if not part.is_equation)
        return self._arena.not_(self._arena.and_(*conditions))

    def _with_equations(self, claims: Invariants, suggested: Mapping[At, Sequence[Term]]) -> Invariants:
        """The claims, and the equations that executions suggest."""
        more = {root: [c for c in own if any(_denied(self._arena.not_(c)))] for root, own in suggested.items()}
        return {root: dict.fromkeys((*own, *more.get(root, ()))) for root, own in claims.items()}

    # Houdini

    def _inductive(self, candidates: Invariants, linear: Invariants) -> Invariants:
        """The largest part of `candidates` that is inductive beside `linear`, which is so itself."""
        return self._houdini.largest(candidates, partial(self._broken, linear))

    def _broken(self, linear: Invariants, path: ComposedPath, kept: Invariants) -> list[Term]:
        """The candidates that a path does not establish, as far as equations tell."""
        known = (*linear[path.source], *kept[path.source])
        return [c for c in kept[path.target] if not self._establishes(path, known, c)]

    def _linear(self, suggested: Mapping[At, Sequence[Term]]) -> Invariants:
        """The largest inductive part of the bounds and linear equations that executions suggest."""
        simple = {root: [c for c in suggested.get(root, ()) if _is_simple(c)] for root in self._roots}
        try:
            return self._houdini.largest(simple, self._violated)
        except InferenceStuck:
            return {root: {} for root in self._roots}

    def _violated(self, path: ComposedPath, kept: Invariants) -> list[Term]:
        """The candidates that a path may violate; those with products are not asked about."""
        moved = {c: path.transition.after(c) for c in kept[path.target]}

        def counterexample(goal: Term) -> Model | None:
            answer = self._answer(path, kept[path.source], goal)
            return answer.model if isinstance(answer, Sat) else None

        linear = {c: goal for c, goal in moved.items() if not has_products([goal])}
        return [
            *(c for c in moved if c not in linear),
            *not_established(self._arena, linear, counterexample, self._patience),
        ]

    # Questions

    def _establishes(self, path: ComposedPath, known: Collection[Term], c: Term) -> bool:
        """Whether equations show that `c` holds after a path, if what is `known` holds before it."""
        goal = path.transition.after(c)
        return goal in known or self._impossible(path, (*known, self._arena.not_(goal)))

    def _impossible(self, path: ComposedPath, known: Collection[Term]) -> bool:
        """Whether equations show that no execution takes a path from where `known` holds."""
        formulas = [*self._bounds[path.source], *known, *literals(path.transition.guard)]
        return self._cases < MAX_CASES and self._refuter.refutes(formulas)

    def _count_case(self) -> None:
        self._context.limits.check()
        self._cases += 1

    def _answer(self, path: ComposedPath, facts: Iterable[Term], goal: Term) -> Sat | Unsat:
        """The solver's answer whether `goal` may fail after a path. Raises `SolverUndecided`."""
        self._context.limits.check()
        conditions = (*self._bounds[path.source], *literals(path.transition.guard))
        formulas = [*(part for part in conditions if not has_products([part])), self._arena.not_(goal)]
        assumed = list(facts)
        with self._solver.scope():
            self._solver.add(*formulas, *range_facts(self._arena, [*formulas, *assumed], self._expansion.range_of_copy))
            return self._solver.check(assumed)

    def _check(self, path: ComposedPath) -> int | None:
        check = self._expansion.check(path.target)
        return None if check is None else check.id

    # Proofs

    def _proof(
        self, checks: Collection[int], kept: Invariants, linear: Invariants
    ) -> tuple[list[int], Certificate] | None:
        """The checks that invariants exclude, and those of `linear` that this takes; None if there are none."""
        kept = {root: {c: None for c in own if not _is_weaker(c, own)} for root, own in kept.items()}
        failing = {self._check(s) for s in self._errors(checks) if not self._excluded(s, kept, linear)}
        proved = [check for check in checks if check not in failing]
        if not proved:
            return None
        needed: Invariants = {root: {} for root in self._roots}
        self._houdini.close(needed, self._needed(proved, kept, linear), partial(self._core, linear))
        found: dict[At, Term | None] = dict.fromkeys(self._paths.passed)
        found.update({root: self._arena.and_(*kept[root], *needed[root]) for root in self._roots})
        return proved, Certificate(closed(self._expansion, self._simplified, found))

    def _errors(self, checks: Collection[int]) -> Iterator[ComposedPath]:
        return (path for path in self._paths.all if self._check(path) in checks)

    def _excluded(self, path: ComposedPath, kept: Invariants, linear: Invariants) -> bool:
        return self._impossible(path, (*kept[path.source], *linear[path.source]))

    def _needed(self, proved: Collection[int], kept: Invariants, linear: Invariants) -> list[tuple[At, Term]]:
        """A small part of `linear` beside which a proof holds."""

        def enough(part: Sequence[tuple[At, Term]]) -> Sequence[tuple[At, Term]] | None:
            return part if self._suffices(proved, kept, self._grouped(part)) else None

        return minimal([(root, c) for root, own in linear.items() for c in own], enough, in_halves=True)

    def _grouped(self, pairs: Iterable[tuple[At, Term]]) -> Invariants:
        found: Invariants = {root: {} for root in self._roots}
        for root, c in pairs:
            found[root][c] = None
        return found

    def _suffices(self, proved: Collection[int], kept: Invariants, linear: Invariants) -> bool:
        steps = (s for s in self._paths.all if self._check(s) is None)
        return all(self._excluded(s, kept, linear) for s in self._errors(proved)) and not any(
            self._broken(linear, s, kept) for s in steps
        )

    def _core(self, linear: Invariants, path: ComposedPath, formula: Term, _: Invariants) -> Collection[Term]:
        """A core: the part of `linear` by which a formula holds after a path; all where the solver does not tell."""
        facts = linear[path.source]
        try:
            answer = self._answer(path, facts, path.transition.after(formula))
        except SolverUndecided:
            return facts
        return facts if isinstance(answer, Sat) else answer.core


def _is_equation_of_products(c: Term) -> bool:
    return c.is_equation and has_products([c])


def _is_simple(c: Term) -> bool:
    """Whether a candidate is a literal without products."""
    return (c.is_comparison or c.is_negation) and not has_products([c])


def _is_weaker(c: Term, others: Collection[Term]) -> bool:
    """Whether a candidate follows from another one, which is a part of it."""
    return c.is_disjunction and any(part in others for part in c.args)


def _denied(part: Term) -> Iterator[Term]:
    """The equations that occur negated."""
    return (atom for atom in atoms(part) if atom.is_equation and part is not atom)
