"""k-induction with auxiliary invariants.

M. Sheeran, S. Singh, G. Stålmarck, "Checking safety properties using induction and a SAT-solver", FMCAD 2000; for
programs A. Donaldson, L. Haller, D. Kroening, P. Rümmer, "Software verification using k-induction", SAS 2011; with
auxiliary invariants D. Beyer, M. Dangl, P. Wendler, "Boosting k-induction with continuously-refined invariants", CAV
2015. C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001.

Deviation: everything that might be an invariant is a *candidate*, and Houdini keeps the largest part that is inductive:
what executions suggest (`methods.discovery.candidates`), and "no error within k blocks" as a weakest precondition,
conjunct by conjunct. A check is proved where what was kept excludes its error. So the certificate is an ordinary
invariant.

Limitations, by weight: programs whose calls can be nested without end; preconditions whose inputs cannot be eliminated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from core.analysis.intervals import Simplified
from core.analysis.liveness import Liveness
from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.solver.contract import GrowingSolver, Model, Sat
from core.solver.functions import WrongModel
from core.terms import Substitution, Term, literals
from core.verdict import Certificate
from methods.engine import Context
from methods.engines.bmc.complete_unrolling import READABLE, closed
from methods.engines.bmc.preconditions import Preconditions, is_small
from methods.inference.houdini import Connection, Formulas, Houdini, Patience, not_established
from methods.paths.unrolling import Instance, Unrolling
from runs.events import Counter, LemmaAdded, Level

EFFORT = parameter("bmc.induction.effort")
PATIENCE = parameter("bmc.induction.patience")
MAX_PLACES = parameter("bmc.induction.max-places")

Invariants = Formulas[At]


@dataclass(frozen=True)
class UnrolledBlock:
    """All executions from the cut point `root` to the next cut points, unrolled; the errors in between."""

    root: At
    solver: GrowingSolver
    unrolling: Unrolling
    errors: tuple[Instance, ...]
    ends: tuple[Instance, ...]


@dataclass(frozen=True, eq=False)
class BlockEnd:
    """The executions of a block that reach one next cut point."""

    block: UnrolledBlock
    end: Instance


def cut_points(expansion: Expansion) -> list[At] | None:
    """The start and the loop heads; None if functions call themselves, or there are too many locations."""
    points: list[At] = []
    for number, at in enumerate(expansion.reached()):
        if expansion.frame(at) > 0 or number > MAX_PLACES:
            return None
        if number == 0 or expansion.is_loop_head(at):
            points.append(at)
    return points


class Induction:
    """Finds the largest inductive part of candidates."""

    def __init__(
        self,
        large: Expansion,
        basic: Expansion,
        simplified: Simplified,
        roots: Sequence[At],
        suggested: Mapping[At, Sequence[Term]],
        context: Context,
    ) -> None:
        self._basic = basic
        self._simplified = simplified
        self._context = context
        self._large = large
        self._suggested = suggested
        self._roots = roots
        self._blocks: dict[At, UnrolledBlock] = {}
        self._preconditions = dict.fromkeys(roots, basic.arena.true)
        self._lemmas = 0
        self._fixed_points: Houdini[At, BlockEnd] | None = None
        self._patience = Patience(PATIENCE)

    # Rounds

    def prove(self, checks: Collection[int], *, has_candidates: bool = True) -> tuple[list[int], Certificate] | None:
        """Prove as many of `checks` as possible, maybe without candidates, by the bounds of variables alone.

        Each call with candidates uses one more block in "no error within k blocks".

        Raises `SolverUndecided` where there is no point in going on.
        """
        kept: Invariants = {at: {} for at in self._roots[1:]}
        if has_candidates:
            kept = self._houdini().largest(self._candidates(), self._broken)
        failing = self._not_excluded(kept, checks)
        proved = [check for check in checks if check not in failing]
        if proved:
            return proved, self._certificate(self._needed(kept, proved), proved)
        if has_candidates:
            self._lengthen(checks)
        return None

    def _lengthen(self, checks: Collection[int]) -> None:
        preconditions = Preconditions(self._basic, checks, self._preconditions, self._context.limits)
        self._preconditions = {at: self._lasting(preconditions.before(at)) for at in self._roots}

    def _lasting(self, precondition: Term | None) -> Term:
        """The conjunction of the parts of a precondition that have a reasonable size."""
        return self._basic.arena.and_(*filter(is_small, () if precondition is None else literals(precondition)))

    def _candidates(self) -> Invariants:
        candidates: Invariants = {}
        for at in self._roots[1:]:
            own = dict.fromkeys(self._suggested.get(at, ()))
            own.update(dict.fromkeys(literals(self._preconditions[at])))
            candidates[at] = own
        return candidates

    # Houdini

    def _houdini(self) -> Houdini[At, BlockEnd]:
        """The fixed points over all executions from one cut point to the next."""
        if self._fixed_points is None:
            blocks = map(self._block, self._roots)
            ends = [BlockEnd(block, end) for block in blocks for end in block.ends]
            self._fixed_points = Houdini([Connection(one.block.root, one.end.at, one) for one in ends])
        return self._fixed_points

    def _broken(self, rule: BlockEnd, kept: Invariants) -> list[Term]:
        """The candidates that an execution to the next cut point does not establish."""
        block, end = rule.block, rule.end
        hypotheses = kept.get(block.root, {})

        def counterexample(goal: Term) -> Model | None:
            self._context.limits.check()
            block.unrolling.tell_ranges([goal])
            try:
                answer = block.solver.check([*hypotheses, end.guard, self._basic.arena.not_(goal)])
            except WrongModel as wrong:  # what fails where values are exact is hardly inductive
                is_reached = wrong.nearly.value(end.guard) is True
                if is_reached and wrong.nearly.value(goal) is not True:
                    return wrong.nearly
                raise
            return answer.model if isinstance(answer, Sat) else None

        goals = {c: self._moved(end, c) for c in kept[end.at]}
        return not_established(self._basic.arena, goals, counterexample, self._patience)

    def _moved(self, end: Instance, formula: Term) -> Term:
        return Substitution(self._basic.arena, end.values)(formula)

    def _solver(self, root: At) -> GrowingSolver:
        """The solver that is told a block."""
        return self._context.solver(EFFORT)

    def _block(self, root: At) -> UnrolledBlock:
        found = self._blocks.get(root)
        if found is None:
            solver = self._solver(root)
            unrolling = Unrolling(self._large, root, solver, self._context.limits, keeps_globals=True)
            unrolling.tell(self._simplified.invariant(self._large, root))
            errors = tuple(unrolling.unroll(0))
            found = self._blocks[root] = UnrolledBlock(root, solver, unrolling, errors, tuple(unrolling.frontier))
        return found

    # Proofs

    def _not_excluded(self, kept: Invariants, checks: Collection[int]) -> set[int]:
        """The checks that may still fail within a block from where the invariants hold."""
        failing: set[int] = set()
        for root in self._roots:
            for check, error in self._errors(root, checks):
                if check not in failing and self._core(self._block(root), kept, [error.guard]) is None:
                    failing.add(check)
        return failing

    def _errors(self, root: At, checks: Collection[int]) -> Iterable[tuple[int, Instance]]:
        for error in self._block(root).errors:
            check = self._large.check(error.at)
            if check is not None and check.id in checks:
                yield check.id, error

    def _core(self, block: UnrolledBlock, kept: Invariants, goal: Sequence[Term]) -> list[Term] | None:
        """Invariants of the root of `block` that refute `goal`; None if they do not, as far as the solver can tell."""
        self._context.limits.check()
        own = kept.get(block.root, {})
        try:
            answer = block.solver.check([*own, *goal])
        except SolverUndecided:
            self._patience.lose()
            return None
        return None if isinstance(answer, Sat) else [c for c in answer.core if c in own]

    def _needed(self, kept: Invariants, proved: Collection[int]) -> Invariants:
        """A part of what was kept that is inductive and excludes the checks, from the cores of proofs."""

        def core(block: UnrolledBlock, *goal: Term) -> Collection[Term]:
            found = self._core(block, kept, goal)
            return kept.get(block.root, {}) if found is None else found  # no proof this time: all that was kept

        def reasons(rule: BlockEnd, formula: Term, _: Invariants) -> Collection[Term]:
            return core(rule.block, rule.end.guard, self._basic.arena.not_(self._moved(rule.end, formula)))

        needed: Invariants = {at: {} for at in kept}
        for root in self._roots:
            for _, error in self._errors(root, proved):
                wanted = core(self._block(root), error.guard)
                self._houdini().close(needed, ((root, c) for c in wanted), reasons)
        self._report(needed)
        return needed

    def _report(self, invariants: Invariants) -> None:
        for at, formulas in invariants.items():
            for formula in formulas:
                self._lemmas += 1
                if self._context.wants(Level.STATES):
                    origin = "candidate" if formula in self._suggested.get(at, ()) else "weakest precondition"
                    number = self._context.term(formula)
                    place = (at.stack, at.location)
                    self._context.emit(LemmaAdded(self._lemmas, "invariant", origin, number, (), place))
        self._context.emit(Counter("lemmas", self._lemmas))

    def _certificate(self, needed: Invariants, proved: Collection[int]) -> Certificate:
        """The invariants at cut points, and between them what leads there."""
        arena = self._basic.arena
        heads = {at: arena.and_(*formulas) for at, formulas in needed.items()}
        between = Preconditions(self._basic, proved, heads, self._context.limits, READABLE)
        found: dict[At, Term | None] = dict(heads)
        for root in self._roots:
            between.before(root)
        invariants = closed(self._basic, self._simplified, {**between.formulas, **found})
        named = frozenset().union(
            *(f.symbols() for f in (*between.formulas.values(), *found.values()) if f is not None)
        )
        live = Liveness(Expansion(self._simplified.original, BlockEncoding.BASIC))

        def matter(at: At, formula: Term) -> Term:
            """The parts of an invariant that may matter: not the bounds of what is written before it is read again."""
            known = named | live.at(at)
            return arena.and_(*(part for part in literals(formula) if part.symbols() <= known))

        return Certificate({at: matter(at, formula) for at, formula in invariants.items()})
