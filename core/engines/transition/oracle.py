"""Which steps are impossible: minimal cores of one step, as clauses over V ∪ V' (Jhala and McMillan, sections 4 and 6).

Each step has one solver with its guard and the ranges of its variables; a valuation of the predicates before and after
it is a set of assumptions. Answers are cached by valuation.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from core.domains.predicate import Abstraction, Clause, Literal, Operation
from core.expansion import Expansion
from core.limits import SolverUndecided
from core.semantics import range_facts
from core.solver.contract import Solver, SolverFactory, Unsat
from core.terms import Term

STEP_EFFORT = 500
MAX_SOLVERS = 300  # solvers are kept for the steps used last; 500 of them took over 400 MB


class StepOracle:
    """Decides valuations of the predicates around one step."""

    def __init__(self, expansion: Expansion, abstraction: Abstraction, solvers: SolverFactory) -> None:
        self._expansion = expansion
        self._abstraction = abstraction
        self._solvers = solvers
        self._by_operation: OrderedDict[Operation, _StepSolver] = OrderedDict()
        self._free = _StepSolver(expansion, solvers, expansion.arena.true)
        self._possible: set[tuple[Operation, frozenset[Literal]]] = set()

    def impossible(self, op: Operation, before: Mapping[int, bool], after: Mapping[int, bool]) -> Clause | None:
        """A clause that `op` implies and that this valuation violates; None if the step is possible or undecided.

        `before` values tracked predicates, `after` those of them that the step affects.
        """
        valuation = {(p, False, sign) for p, sign in self._connected(op, before, after)}
        valuation |= {(p, True, sign) for p, sign in after.items()}
        key = (op, frozenset(valuation))
        if key in self._possible:
            return None
        literals = {self._term(op, literal): literal for literal in sorted(valuation)}
        try:
            core = self._solver(op).minimal_core(list(literals))
        except SolverUndecided:
            return None  # T̂ stays weak here; another step or more predicates may exclude the path
        if core is None:
            self._possible.add(key)
            return None
        return Clause(tuple((p, primed, not sign) for p, primed, sign in sorted(literals[t] for t in core)))

    def is_axiom(self, clause: Clause) -> bool:
        """Whether a clause over V holds in every state within ranges, not just before the step it came from."""
        if any(primed for _, primed, _ in clause.literals):
            return False
        negation = [self._signed(self._abstraction.predicates[p], not sign) for p, _, sign in clause.literals]
        return self._free.core_or_none(negation) is not None

    def _term(self, op: Operation, literal: Literal) -> Term:
        p, primed, sign = literal
        return self._signed(op.after[p] if primed else self._abstraction.predicates[p], sign)

    def _signed(self, atom: Term, sign: bool) -> Term:
        return atom if sign else self._expansion.arena.not_(atom)

    def _connected(
        self, op: Operation, before: Mapping[int, bool], after: Mapping[int, bool]
    ) -> list[tuple[int, bool]]:
        """The predicates that share symbols, directly or not, with the guard or with a changed predicate."""
        predicates = self._abstraction.predicates
        symbols = set(op.transition.guard.symbols()).union(*(op.after[p].symbols() for p in after))
        rest, connected = dict(before), list[tuple[int, bool]]()
        grown = True
        while grown:
            near = [p for p in rest if not symbols.isdisjoint(predicates[p].symbols())]
            connected += [(p, rest.pop(p)) for p in near]
            symbols.update(*(predicates[p].symbols() for p in near))
            grown = bool(near)
        return connected

    def _solver(self, op: Operation) -> _StepSolver:
        found = self._by_operation.get(op)
        if found is None:
            found = self._by_operation[op] = _StepSolver(self._expansion, self._solvers, op.transition.guard)
            if len(self._by_operation) > MAX_SOLVERS:
                self._by_operation.popitem(last=False)
        self._by_operation.move_to_end(op)
        return found


class _StepSolver:
    """One solver with a guard; ranges are added for every term as it first comes."""

    def __init__(self, expansion: Expansion, solvers: SolverFactory, guard: Term) -> None:
        self._expansion = expansion
        self._solver: Solver = solvers(STEP_EFFORT)
        self._known: set[Term] = set()
        self._bound([guard])
        self._solver.add(guard)

    def _bound(self, terms: list[Term]) -> None:
        new = [t for t in terms if t not in self._known]
        if new:
            self._known.update(new)
            self._solver.add(*range_facts(self._expansion.arena, new, self._expansion.range_of))

    def core(self, assumptions: list[Term]) -> list[Term] | None:
        """An unsatisfiable subset of the assumptions; None if they are satisfiable. Raises `SolverUndecided`."""
        self._bound(assumptions)
        answer = self._solver.check(assumptions)
        return list(answer.core) if isinstance(answer, Unsat) else None

    def core_or_none(self, assumptions: list[Term]) -> list[Term] | None:
        """As `core`, but None also where the solver gives up."""
        try:
            return self.core(assumptions)
        except SolverUndecided:
            return None

    def minimal_core(self, assumptions: list[Term]) -> list[Term] | None:
        """As `core`, by deletion made minimal as far as the solver decides."""
        core = self.core(assumptions)
        if core is None:
            return None
        kept: list[Term] = []
        while core:
            candidate = core.pop()
            smaller = self.core_or_none([*core, *kept])
            if smaller is None:
                kept.append(candidate)
            else:
                core = [t for t in core if t in smaller]
        return kept
