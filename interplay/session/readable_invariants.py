"""Simplification of invariants for display: a formula that is equivalent, and shorter to read.

Each part is decided in the context of the others (contextual simplification, as in Dillig, Dillig and Aiken, "Small
Formulas for Large Programs", SAS 2010): of a conjunction the others hold, of a disjunction none of them does. What is
true or false there is left out; conditions of choices are decided likewise. In the end a fresh solver shows that both
formulas are equivalent; otherwise the formula stays as it is.

Deviation from the paper: parts are visited the largest first, since a large part is less worth reading, and there are
few passes; before them lists of cases become relations.
Of a conjunct with a quantifier the body is simplified, where the conjuncts without quantifiers hold.
Limitations: effort is bounded by the number of questions and by the solver's own steps for each, for all formulas that
are shown together; equations within atoms are not solved.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.dataclass import dataclass
from core.decision.quantifiers import Quantifiers
from core.decision.refutation import has_products
from core.limits import SolverUndecided
from core.parameters import parameter
from core.solver.contract import Solver, SolverFactory, Unsat
from core.terms import BOOL, Arena, Op, Term, Treatment, replace_subterms, subterms
from core.terms.case_lists import without_case_lists
from core.terms.traversal import literals

OTHER_OPERATORS = Treatment.EXACT

_MAX_PASSES = parameter("session.readable-invariants.max-passes")
_EFFORT = parameter("session.readable-invariants.effort")
_EFFORT_AT_THE_END = parameter("session.readable-invariants.effort-at-the-end")
_UNANSWERED = parameter("session.readable-invariants.unanswered")
_LARGEST = parameter("session.readable-invariants.largest")


@dataclass
class Questions:
    """The number of questions that may still be asked."""

    left: int = 600


def simplified(
    arena: Arena, formula: Term, facts: Sequence[Term], solvers: SolverFactory, questions: Questions
) -> Term:
    """An equivalent formula under `facts`, in which nothing is left out that says more."""
    parts = literals(formula)
    beside = arena.and_(*(part for part in parts if not part.is_quantified))
    plain = _plain(arena, beside, facts, solvers, questions)
    shown = [plain]
    for part in parts:
        if part.is_quantified:
            # Required: what holds beside it says nothing of what it binds.
            says_nothing = Quantifiers().are_in((plain,)) or plain.symbols().intersection(part.bound)
            known = facts if says_nothing else (*facts, plain)
            body = _plain(arena, part.args[0], known, solvers, questions)
            shown.append(arena.forall(part.bound, body))
    return arena.and_(*shown)


def _plain(arena: Arena, formula: Term, facts: Sequence[Term], solvers: SolverFactory, questions: Questions) -> Term:
    """The same without quantifiers; others stay as they are."""
    if questions.left <= 0:
        return formula
    if formula.size > _LARGEST or formula.is_constant or Quantifiers().are_in((formula,)):
        return formula
    solver = solvers(_EFFORT)
    solver.add(*facts)
    simplifier, plain = _Simplifier(arena, solver, questions), without_case_lists(arena, formula)
    for _ in range(_MAX_PASSES):
        before, plain = plain, simplifier.formula(plain)
        if plain.size >= before.size:
            break
    if plain.size >= formula.size:
        return formula
    if _equivalent(arena, formula, plain, facts, solvers):
        return plain
    questions.left -= _UNANSWERED
    return formula


def _equivalent(arena: Arena, formula: Term, other: Term, facts: Sequence[Term], solvers: SolverFactory) -> bool:
    """Whether a fresh solver shows that two formulas are equivalent under `facts`."""
    solver = solvers(_EFFORT_AT_THE_END)
    solver.add(*facts)
    try:
        ways = ((formula, arena.not_(other)), (other, arena.not_(formula)))
        return all(isinstance(solver.check(both), Unsat) for both in ways)
    except SolverUndecided:
        return False


class _Simplifier:
    """Recurses as deep as connectives are nested, which the size of the formula bounds."""

    def __init__(self, arena: Arena, solver: Solver, questions: Questions) -> None:
        self._arena, self._solver, self._questions = arena, solver, questions

    def formula(self, t: Term) -> Term:
        """The formula in the context that the solver has."""
        if t.is_constant:
            return t
        if self._follows(t):
            return self._arena.true
        if self._follows(self._arena.not_(t)):
            return self._arena.false
        match t.op:
            case Op.AND | Op.OR:
                return self._connected(t)
            case Op.NOT:
                return self._arena.not_(self.formula(t.args[0]))
            case Op.ITE:
                return self._choice(t)
            case _:
                return self._atom(t)

    def _connected(self, t: Term) -> Term:
        """A conjunction or disjunction: each part, while the others do not decide the whole."""
        parts = list(t.args)
        context = (lambda part: part) if t.is_conjunction else self._arena.not_
        for number in sorted(range(len(parts)), key=lambda one: -parts[one].size):
            others = [part for other, part in enumerate(parts) if other != number]
            with self._solver.scope():
                self._solver.add(*map(context, others))
                parts[number] = self.formula(parts[number])
        return (self._arena.and_ if t.is_conjunction else self._arena.or_)(*parts)

    def _choice(self, t: Term) -> Term:
        condition, then, otherwise = t.args
        branches: list[Term] = []
        for holds, branch in ((condition, then), (self._arena.not_(condition), otherwise)):
            with self._solver.scope():
                self._solver.add(holds)
                branches.append(self.formula(branch))
        return self._arena.ite(condition, *branches)

    def _atom(self, t: Term) -> Term:
        """An atom without the choices whose conditions are decided."""
        decided: dict[Term, Term] = {}
        for part in subterms(t):
            if part.is_choice and part.sort is not BOOL:
                condition, then, otherwise = part.args
                if self._follows(condition):
                    decided[part] = then
                elif self._follows(self._arena.not_(condition)):
                    decided[part] = otherwise
        return replace_subterms(self._arena, t, decided) if decided else t

    def _follows(self, t: Term) -> bool:
        """Whether the context implies a formula; not where the solver does not say, or enough was asked."""
        if self._questions.left <= 0:
            return False
        self._questions.left -= 1
        try:
            return isinstance(self._solver.check((self._arena.not_(t),)), Unsat)
        except SolverUndecided:
            # Where one about products has no answer, none is to be expected for the others, each of which takes long.
            self._questions.left = 0 if has_products([t]) else self._questions.left - _UNANSWERED
            return False
