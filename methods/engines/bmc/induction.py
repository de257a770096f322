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

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

from core.analysis.intervals import Simplified
from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program.expansion import At, Expansion
from core.program.unwinding import closes_cycle
from core.solver.contract import Sat, Solver
from core.terms import Substitution, Term, literals
from core.verdict import Certificate
from methods.engine import Context
from methods.engines.bmc.complete_unrolling import closed
from methods.engines.bmc.preconditions import Preconditions, is_small
from methods.paths.unrolling import Instance, Unrolling
from runs.events import Counter, LemmaAdded, Level

EFFORT = parameter("bmc.induction.effort")
PATIENCE = parameter("bmc.induction.patience")
MAX_PLACES = parameter("bmc.induction.max-places")

Invariants = dict[At, dict[Term, None]]


@dataclass(frozen=True)
class UnrolledBlock:
    """All executions from the cut point `root` to the next cut points, unrolled; the errors in between."""

    root: At
    solver: Solver
    unrolling: Unrolling
    errors: tuple[Instance, ...]
    ends: tuple[Instance, ...]


def cut_points(expansion: Expansion) -> list[At] | None:
    """The start and the locations at which a step closes a cycle; None if they have no end (or too many)."""
    points: dict[At, None] = {expansion.start: None}
    seen = {expansion.start}
    work = [expansion.start]
    while work:
        for step in expansion.steps(work.pop()):
            if step.target in seen:
                continue
            if expansion.frame(step.target) > 0 or len(seen) > MAX_PLACES:
                return None
            seen.add(step.target)
            work.append(step.target)
            if closes_cycle(expansion, step):
                points[step.target] = None
    return list(points)


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
        self._patience = PATIENCE

    # Rounds

    def prove(self, checks: Collection[int]) -> tuple[list[int], Certificate] | None:
        """Prove as many of `checks` as possible; each call uses one more block in "no error within k blocks".

        Raises `SolverUndecided` where there is no point in going on.
        """
        kept = self._houdini(self._candidates())
        failing = self._not_excluded(kept, checks)
        proved = [check for check in checks if check not in failing]
        if not proved:
            self._lengthen(checks)
            return None
        return proved, self._certificate(self._needed(kept, proved), proved)

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

    def _houdini(self, candidates: Invariants) -> Invariants:
        """The largest inductive part: what is left when everything that is not inductive was dropped."""
        waiting = deque(self._roots)
        while waiting:
            root = waiting.popleft()
            for end in self._block(root).ends:
                if self._drop(root, end, candidates) and end.at not in waiting:
                    waiting.append(end.at)
        return candidates

    def _drop(self, root: At, end: Instance, candidates: Invariants) -> bool:
        """Drop what an execution from `root` to `end` does not establish; whether there was anything."""
        block, own = self._block(root), candidates[end.at]
        moved = {c: self._moved(block, end, c) for c in own}
        dropped = False
        while own:
            goal = self._basic.arena.and_(*(moved[c] for c in own))
            try:
                answer = self._violated(block, end, goal, candidates)
            except SolverUndecided:
                self._give_up_in_time()
                return self._drop_singly(block, end, moved, candidates) or dropped
            if not isinstance(answer, Sat):
                break
            false = [c for c in own if answer.model.value(moved[c]) is not True]
            if not false:
                raise SolverUndecided("a model violates no candidate")
            for c in false:
                del own[c]
            dropped = True
        return dropped

    def _drop_singly(
        self, block: UnrolledBlock, end: Instance, moved: Mapping[Term, Term], candidates: Invariants
    ) -> bool:
        own = candidates[end.at]
        before = len(own)
        for c in list(own):
            try:
                established = not isinstance(self._violated(block, end, moved[c], candidates), Sat)
            except SolverUndecided:
                self._give_up_in_time()
                established = False
            if not established:
                del own[c]
        return len(own) < before

    def _violated(self, block: UnrolledBlock, end: Instance, goal: Term, candidates: Invariants) -> object:
        self._context.limits.check()
        block.unrolling.tell_ranges([goal])
        hypotheses = candidates.get(block.root, {})
        return block.solver.check([*hypotheses, end.guard, self._basic.arena.not_(goal)])

    def _give_up_in_time(self) -> None:
        """Count a query without answer. Raises `SolverUndecided` if there were too many."""
        self._context.limits.check()
        self._patience -= 1
        if self._patience == 0:
            raise SolverUndecided("induction asks too much of the solver")

    def _moved(self, block: UnrolledBlock, end: Instance, formula: Term) -> Term:
        return Substitution(self._basic.arena, end.values)(formula)

    def _block(self, root: At) -> UnrolledBlock:
        found = self._blocks.get(root)
        if found is None:
            solver = self._context.solver(EFFORT)
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
            self._give_up_in_time()
            return None
        return None if isinstance(answer, Sat) else [c for c in answer.core if c in own]

    def _needed(self, kept: Invariants, proved: Collection[int]) -> Invariants:
        """A part of what was kept that is inductive and excludes the checks, from the cores of proofs."""
        needed: Invariants = {at: {} for at in kept}
        for root in self._roots:
            for _, error in self._errors(root, proved):
                self._need(needed, root, self._core(self._block(root), kept, [error.guard]), kept)
        done: set[tuple[Instance, Term]] = set()
        while True:
            waiting = [
                (root, end, c)
                for root in self._roots
                for end in self._block(root).ends
                for c in needed[end.at]
                if (end, c) not in done
            ]
            if not waiting:
                return needed
            for root, end, c in waiting:
                done.add((end, c))
                block = self._block(root)
                negated = self._basic.arena.not_(self._moved(block, end, c))
                self._need(needed, root, self._core(block, kept, [end.guard, negated]), kept)

    def _need(self, needed: Invariants, root: At, core: Sequence[Term] | None, kept: Invariants) -> None:
        """Note the core of a proof; where there is none this time, all that was kept."""
        if root in needed:
            new = [c for c in (kept[root] if core is None else core) if c not in needed[root]]
            needed[root].update(dict.fromkeys(new))
            self._report(root, new)

    def _report(self, at: At, invariants: Sequence[Term]) -> None:
        for formula in invariants:
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
        between = Preconditions(self._basic, proved, heads, self._context.limits)
        found: dict[At, Term | None] = dict(heads)
        for root in self._roots:
            between.before(root)
        found = {**between.formulas, **found}
        return Certificate(closed(self._basic, self._simplified, found))
