"""The check of certificates with ghost variables for lists on the heap, from the program alone.

Ghosts are `reaches` and `written` for each pointer field, `length` where a certificate has it, and `allocated`. Their
first values and their updates are fixed here. The updates are total functions of the step and of the state, and the
program never reads a ghost; so ghosts neither block an execution nor change one, and an inductive invariant of the
program with ghosts holds of the program. Hence nothing of how an engine reads a heap is trusted.

The ghosts *describe the heap* where the formulas of `structure` hold: reachability is a partial order, total on what an
address reaches, between allocated addresses; and it agrees with the pointers in memory where they were written, as
lengths do. That a statement keeps this is proved once for each form of statement, over any memory
(`_prove_statements`). It holds for stores that close no cycle and store null or an allocated address, which is proved
at each store of each path, and for allocations of addresses beyond all others.

Every path between annotated locations is checked on its own; what is quantified is refuted by cvc5 with quantifiers.
Ranges of variables are not used, so they need not be established; those of inputs are part of what an input is.

Limitations: paths are enumerated; the invariants may have quantifiers only as conjuncts; functions are expanded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from core.certificate.ghosts import (
    RELATION,
    SET,
    GhostValues,
    StoreUpdate,
    first_values,
    statement_lemmas,
    structure,
    symbolic_values,
)
from core.certificate.results import (
    CertificateResult,
    Certified,
    Inconclusive,
    OnObligation,
    OnStep,
    Rejected,
    StatedObligation,
    not_stated,
)
from core.dataclass import dataclass
from core.decision.prover import Effort, Reading
from core.evidence_steps import EvidenceStep
from core.limits import Limits, SolverUndecided
from core.program import MemoryLayout, Program, Range
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.program.semantics import StaticSingleAssignment, range_facts
from core.solver.contract import Sat, Solver, SolverFactory
from core.terms import INT_ARRAY, ArraySort, Op, Substitution, Term, Treatment, literals, rebuild, subterms
from core.verdict import Certificate, GhostField, HeapGhosts

OTHER_OPERATORS = Treatment.EXACT

MOST_PATHS = 3_000
MOST_CALLS = 200
"""Calls entered between annotated locations; recursion would enter them for ever."""
_CYCLE = "a store may close a cycle, or store what is no allocated address"


class _Failed(Exception):
    """The certificate is not accepted."""

    def __init__(self, result: Rejected | Inconclusive) -> None:
        super().__init__(result.why)
        self.result = result


@dataclass(frozen=True)
class _Demand:
    """A formula that must hold before a step, so that the step keeps what describes the heap."""

    facts: tuple[Term, ...]
    formula: Term
    edges: tuple[int, ...]


@dataclass(frozen=True)
class _Path:
    """A path from an annotated location: what holds on it, and the values of variables and ghosts at its end.

    `is_structured` says that the ghosts describe the heap at its end if all `demands` hold.
    """

    edges: tuple[int, ...]
    ssa: StaticSingleAssignment
    facts: tuple[Term, ...]
    ghosts: GhostValues
    is_structured: bool
    demands: tuple[_Demand, ...] = ()


def check_heap_certificate(
    program: Program,
    checks: Collection[int],
    certificate: Certificate,
    factory: SolverFactory,
    limits: Limits,
    on_step: OnStep,
    effort: Effort,
    on_obligation: OnObligation = not_stated,
) -> CertificateResult:
    """Check whether a certificate with ghosts shows that no check in `checks` can fail.

    Raises `LimitReached` and `Interrupted`.
    """
    ghosts, memory = certificate.heap, program.memory
    if ghosts is None or memory is None:
        return Rejected(None, "the program has no memory that ghost variables could follow")
    if program.in_edges[program.functions[program.start].entry]:
        return Rejected(None, "executions come back to the start, where ghost variables have their first values")
    wrong = _malformed(program, certificate, ghosts)
    if wrong is not None:
        return wrong
    try:
        check = _HeapCheck(program, memory, frozenset(checks), certificate, ghosts, factory, limits, on_step, effort)
        result = check.run()
    except _Failed as failed:
        return failed.result
    for one in check.stated:
        on_obligation(one)
    return result


def _malformed(program: Program, certificate: Certificate, ghosts: HeapGhosts) -> Rejected | None:
    """The defects of ghosts that are found before any reasoning: wrong sorts, uses as a whole, other symbols."""
    named = {ghosts.allocated: SET}
    for one in ghosts.fields:
        named[one.reaches], named[one.written] = RELATION, SET
        if one.length is not None:
            named[one.length] = INT_ARRAY
        if one.array not in program.variables or one.array.sort != INT_ARRAY:
            return Rejected(None, "a ghost variable is about something that is no memory")
    if any(ghost.sort != sort for ghost, sort in named.items()):
        return Rejected(None, "the ghost variables are not sets, relations and lengths")
    if certificate.contracts:
        return Rejected(None, "contracts of functions cannot speak about the heap")
    for at, formula in certificate.invariants.items():
        for conjunct in literals(formula):
            inner = conjunct.args[0] if conjunct.op is Op.FORALL else conjunct
            if not _reads_ghosts_only(inner, named):
                return Rejected(at, "a ghost variable is used as a whole")
    return None


def _reads_ghosts_only(formula: Term, ghosts: Collection[Term]) -> bool:
    """Whether ghosts occur only where elements of them are read."""
    for t in subterms(formula):
        inner = t.args[1:] if t.op is Op.SELECT else t.args
        if any(isinstance(a.sort, ArraySort) and not a.symbols().isdisjoint(ghosts) for a in inner):
            return False
    return formula not in ghosts


class _HeapCheck:
    """One run of the check."""

    def __init__(
        self,
        program: Program,
        memory: MemoryLayout,
        checks: frozenset[int],
        certificate: Certificate,
        ghosts: HeapGhosts,
        factory: SolverFactory,
        limits: Limits,
        on_step: OnStep,
        effort: Effort,
    ) -> None:
        self._program, self._arena, self._memory = program, program.arena, memory
        self._checks, self._invariants, self._ghosts = checks, certificate.invariants, ghosts
        self._factory, self._limits, self._on_step, self._effort = factory, limits, on_step, effort
        self._expansion = Expansion(program, BlockEncoding.STATEMENTS)
        self._checked: dict[int, None] = {}
        self._proved: set[tuple[tuple[Term, ...], Term]] = set()  # of the present source: facts and goal
        self._walked: dict[tuple[Step, ...], _Path | None] = {}
        self._hypotheses: Sequence[Term] = ()  # what the present solver has
        self.stated: list[StatedObligation] = []
        """The obligations that were proved."""

    def run(self) -> Certified:
        self._prove_statements()
        start = self._expansion.start
        if self._is_target(start):
            self._arrive(self._factory(self._effort.query), self._begin(start), start, self._required(start))
        reached = [start]
        for source in reached:
            if self._invariants.get(source, self._arena.true).is_false:
                continue
            for target in self._leave(source):
                if target not in reached:
                    reached.append(target)
        return Certified(dict.fromkeys(self._checked, Reading.INTEGERS), 0, Counter(one.tool for one in self.stated))

    # Statements

    def _prove_statements(self) -> None:
        """Prove that each form of statement keeps what describes the heap, over any memory."""
        for lemma in statement_lemmas(self._arena, any(one.length is not None for one in self._ghosts.fields)):
            solver = self._solver_for(lemma.hypotheses)
            for goal in lemma.goals:
                self._refute(solver, [self._arena.not_(_opened(goal))], None, (), f"{lemma.form} breaks the lists")
            self._on_step(EvidenceStep(f"{lemma.form} keeps lists", Reading.INTEGERS.value, "cvc5"))

    def _solver_for(self, hypotheses: Sequence[Term]) -> Solver:
        """A solver that has the hypotheses of the questions that follow."""
        solver = self._factory(self._effort.query)
        solver.add(*hypotheses)
        self._hypotheses = hypotheses
        return solver

    # Paths

    def _leave(self, source: At) -> Iterator[At]:
        """Check every path from an annotated location to the next ones; yields these."""
        self._walked = {(): self._begin(source)}
        self._proved.clear()
        solver = self._solver_for(self._holding(source))
        for number, steps in enumerate(self._paths(source)):
            self._limits.check()
            if number == MOST_PATHS:
                raise _Failed(Inconclusive(source, f"there are more than {MOST_PATHS} paths to the next loops"))
            target = steps[-1].target
            required = self._required(target)
            if target in self._ghosts.structured or not required.is_true:
                path = self._walk(steps)
                if path is not None:
                    self._arrive(solver, path, target, required)
            if self._expansion.check(target) is None:
                yield target

    def _paths(self, source: At) -> Iterator[tuple[Step, ...]]:
        """The paths to the next locations that require something."""
        stack: list[tuple[tuple[Step, ...], frozenset[At]]] = [((), frozenset())]
        while stack:
            steps, heads = stack.pop()
            at = steps[-1].target if steps else source
            if self._expansion.is_loop_head(at):
                heads |= {at}
            for step in self._expansion.steps(at):
                longer = (*steps, step)
                if self._is_target(step.target):
                    yield longer
                elif step.target in heads or len(step.target.stack) > len(source.stack) + MOST_CALLS:
                    edges = tuple(edge.id for one in longer for edge in one.edges)
                    raise _Failed(Rejected(step.target, "a cycle without an invariant", edges))
                elif self._expansion.check(step.target) is None and not step.transition.guard.is_false:
                    stack.append((longer, heads))

    def _is_target(self, at: At) -> bool:
        check = self._expansion.check(at)
        return at in self._invariants if check is None else check.id in self._checks

    def _required(self, at: At) -> Term:
        return self._arena.false if self._expansion.check(at) else self._invariants[at]

    def _begin(self, source: At) -> _Path:
        is_start = source == self._expansion.start
        ghosts = first_values(self._arena, self._ghosts) if is_start else symbolic_values(self._arena, self._ghosts)
        is_structured = source in self._ghosts.structured and not is_start
        return _Path((), StaticSingleAssignment(self._arena), (), ghosts, is_structured)

    def _holding(self, source: At) -> list[Term]:
        """The formulas that hold at an annotated location."""
        if source == self._expansion.start:
            return []
        found = list(literals(self._invariants.get(source, self._arena.true)))
        if source in self._ghosts.structured:
            found += structure(self._arena, self._memory, self._ghosts, symbolic_values(self._arena, self._ghosts))
        return found

    def _walk(self, steps: tuple[Step, ...]) -> _Path | None:
        """The facts and values of a path; None where it cannot be taken."""
        if steps not in self._walked:
            before = self._walk(steps[:-1])
            self._walked[steps] = None if before is None else self._extended(before, steps[-1])
        return self._walked[steps]

    def _extended(self, path: _Path, step: Step) -> _Path | None:
        """The path with one more step; None where the step cannot be taken."""
        ssa = path.ssa.copy()
        constraints = ssa.step(step.transition, self._expansion.is_input)
        if any(c.is_false for c in constraints):
            return None
        supplied = (*constraints, *ssa.inputs[-1].values())
        inputs = range_facts(self._arena, supplied, lambda s: self._input_range(ssa.origin.get(s, s)))
        facts = (*path.facts, *inputs, *(c for c in constraints if not c.is_true))
        edges = (*path.edges, *(edge.id for edge in step.edges))
        moved = replace(path, edges=edges, ssa=ssa, facts=facts)
        now = Substitution(self._arena, {**path.ssa.values, **ssa.inputs[-1]})
        return self._with_allocation(self._with_stores(moved, step, now), step, now)

    def _input_range(self, symbol: Term) -> Range | None:
        return self._program.range_of(symbol) if symbol in self._program.inputs else None

    # Updates of ghosts

    def _with_stores(self, path: _Path, step: Step, now: Substitution) -> _Path:
        """The updates for what a step writes to pointer fields; `now` gives terms their values before it."""
        for field in self._ghosts.fields:
            value = step.transition.updates.get(field.array, field.array)
            stores: list[Term] = []
            while value.op is Op.STORE:
                stores.append(value)
                value = value.args[0]
            if value is not field.array:
                path = replace(path, ghosts=path.ghosts.without_pointers(self._arena, field))
            for store in reversed(stores):
                p = self._arena.subtract(now(store.args[1]), self._arena.integer(field.offset))
                path = self._with_store(path, field, p, now(store.args[2]))
        return path

    def _with_store(self, path: _Path, field: GhostField, p: Term, v: Term) -> _Path:
        update = StoreUpdate(self._arena, path.ghosts.reaches[field], path.ghosts.allocated, p, v)
        demand = _Demand(path.facts, update.demand(), path.edges)
        ghosts = path.ghosts.after_store(field, update)
        return replace(path, ghosts=ghosts, demands=(*path.demands, demand))

    def _with_allocation(self, path: _Path, step: Step, now: Substitution) -> _Path:
        """The updates for a step that changes the allocation counter."""
        arena, counter, fresh = self._arena, self._memory.counter, self._memory.fresh
        value = step.transition.updates.get(counter, counter)
        if value is counter:
            return path
        after = now(Substitution(arena, {counter: value})(fresh))
        if value.op is Op.CONSTANT:
            ghosts, demand = first_values(arena, self._ghosts), arena.lt(arena.zero, after)
            return replace(path, ghosts=ghosts, demands=(_Demand(path.facts, demand, path.edges),), is_structured=True)
        new = now(fresh)
        ghosts = path.ghosts.after_allocation(arena, new)
        demand = arena.lt(new, after)
        return replace(path, ghosts=ghosts, demands=(*path.demands, _Demand(path.facts, demand, path.edges)))

    # Obligations

    def _arrive(self, solver: Solver, path: _Path, target: At, required: Term) -> None:
        """Prove what the target of a path requires."""
        before = len(self.stated)
        if target in self._ghosts.structured:
            if not path.is_structured:
                raise _Failed(Rejected(target, "the ghost variables need not describe the heap", path.edges))
            for demand in path.demands:
                self._prove(solver, demand.facts, demand.formula, target, demand.edges, _CYCLE)
        for conjunct in literals(required) or (required,):
            goal = self._at_end(path, _opened(conjunct))
            self._prove(solver, path.facts, goal, target, path.edges, "the step does not establish what is required")
        self._checked.update(dict.fromkeys(path.edges))
        tool = "cvc5" if len(self.stated) > before else "syntax"
        self._on_step(EvidenceStep(self._text(path.edges), Reading.INTEGERS.value, tool, path.edges))

    def _text(self, edges: Sequence[int]) -> str:
        return "; ".join(self._program.edges[edge].text for edge in edges)

    def _prove(
        self, solver: Solver, facts: tuple[Term, ...], goal: Term, at: At, edges: tuple[int, ...], why: str
    ) -> None:
        key = (facts, goal)
        if key not in self._proved and not goal.is_true and goal not in facts:
            self._refute(solver, [*facts, self._arena.not_(goal)], at, edges, why)
            self._proved.add(key)

    def _refute(
        self, solver: Solver, formulas: Sequence[Term], at: At | None, edges: tuple[int, ...], why: str
    ) -> None:
        """Show that what the solver has contradicts `formulas`. Raises `_Failed`."""
        try:
            with solver.scope():
                solver.add(*formulas)
                answer = solver.check()
        except SolverUndecided as undecided:
            self._limits.check()
            raise _Failed(Inconclusive(at, f"{why}, as far as is known ({undecided})", edges)) from undecided
        if isinstance(answer, Sat):
            raise _Failed(Rejected(at, why, edges))
        question = (*self._hypotheses, *formulas)
        self.stated.append(StatedObligation(self._text(edges) or why, edges, question, None, "cvc5", Reading.INTEGERS))

    def _at_end(self, path: _Path, formula: Term) -> Term:
        """A formula over variables and ghosts, by their values at the end of a path."""
        ghosts, arena = path.ghosts, self._arena
        relations = {one.reaches: ghosts.reaches[one] for one in self._ghosts.fields}
        sets = {self._ghosts.allocated: ghosts.allocated}
        sets.update({one.written: ghosts.written[one] for one in self._ghosts.fields})
        sets.update({one.length: ghosts.lengths[one] for one in self._ghosts.fields if one.length is not None})
        found: dict[Term, Term] = {}
        for t in subterms(formula):
            if t.op is Op.SYMBOL:
                found[t] = path.ssa.values.get(t, t)
            elif t.op is Op.SELECT and t.args[0] in sets:
                found[t] = sets[t.args[0]](found[t.args[1]])
            elif t.op is Op.SELECT and t.args[0].op is Op.SELECT and t.args[0].args[0] in relations:
                found[t] = relations[t.args[0].args[0]](found[t.args[0].args[1]], found[t.args[1]])
            else:
                found[t] = rebuild(arena, t, tuple(found[a] for a in t.args))
        return found[formula]


def _opened(formula: Term) -> Term:
    """The body of a quantified formula: to refute it, its symbols stand for a counterexample."""
    return formula.args[0] if formula.op is Op.FORALL else formula
