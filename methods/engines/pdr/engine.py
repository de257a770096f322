"""PDR with diagrams for programs with lists (A. Karbyshev et al., "Property-directed inference of universal invariants
or proving their absence", CAV 2015).

The program is read as a transition system over reachability (`view`, `execution`); frames of universal clauses are
strengthened until one is inductive (`frames`), by ground questions to incremental SAT solvers (`query`, `universe`).
What is found inductive becomes a certificate over the program itself, with ghost variables (`proof`), so that nothing
of the reading is trusted: see `core.certificate.heap`.

Paper and code:

| paper | code | |
| --- | --- | --- |
| 2, programs with one loop | `view.HeapView`: any loops | a frame for each cut, no program counter |
| 2, states | `universal_clauses`: constants, unary predicates, reachability | the constants are chosen, see below |
| 2, properties, bad states | checks, `view.HeapView.errors` | all at once; alone where one has no invariant |
| 2, wlp as transition relation | `execution.PathExecution`, a path at a time | the same formulas of reachability |
| 3.1, diagrams | `query.PathQuery._diagram` | without elements that nothing names or needs |
| 3.2, definition 4, frames | `frames.Frames`, levels of clauses | their laws are a test, with fresh solvers |
| 3.2, 3.3, algorithms 1 and 2 | `frames.Frames.check`, `_block` | low frames first, then by age |
| lemma 2, where initial states are asked | `frames.Frames._entering` | paths from the start are steps to frame 1 |
| algorithm 3, definition 5, counterexamples | `_follow`, `_unrolled` | shortest paths first |
| 3.3, generalisation by minimal cores | `frames.Frames._generalised` | relative to the clause; other names |
| 4, absence of universal invariants | `_reason`, `frames.Frames.confirms` | each step is asked again |
| 5, reduction to EPR | `universe.Universe` | ground, by SAT; also what is allocated and written |
| 5, memory safety, leaks | checks of the program, `lifetime_fields` | |
| 5, no cycle is created | obligations of stores; ACSL's `list` | a cycle is cut, and violates `list` |
| 5, order of data | `number_order`, `comparisons` | numbers in nodes |
| 5, preconditions and postconditions | ACSL of a function of `--entry` | `old` marks elements of the input |
| none | `proof`, `minimisation`: certificates | the paper trusts its frames |

Past the paper:

| what | code | |
| --- | --- | --- |
| cyclic lists | `links`, `universe`, `view` | a pointer of each cycle is cut: `core.certificate.lists` |
| pointers to fields | `interior` | variables that they lead to are fields of nodes, too |
| numbers and lengths | `number_invariants`, `facts`, `lengths` | after all else |
| numbers computed in nodes | `contents`, `facts.ListFact` | equations with positions, also modulo a number |

Not there: trees, whose paths take several fields; invariants that say that some element exists (∀∃); recursion, since
functions are expanded. Nor are they in the paper. Clauses know of numbers only comparisons with constants and with each
other; what is added up over a list is not known.

Vocabularies are tried in order, each for the checks that are left: first states know the live pointer variables; then,
where the program compares numbers in nodes with each other, how these compare (`number_order`), so that sorted lists
have invariants; then also the pointers that are not read any more; then also numbers, among them the lengths of lists
(`number_invariants`), without and with the contents of all nodes. The paper takes all variables and the order at once,
and has no numbers. A field has cycles from when a store closes one on a path from the start, or still may after
all vocabularies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import product

from core.limits import Interrupted, SolverUndecided
from core.parameters import parameter
from core.program import Program
from core.program.expansion import At, Step
from core.program.linked_fields import linked_fields
from core.program.modular import recursive_functions
from core.solver.contract import Unsat
from core.terms import Term
from core.verdict import Outcome, Safe, Unknown, Unsafe
from methods.engine import Context, EditAction, NotSupported, Supported
from methods.engines.pdr.addresses import NotExpressible
from methods.engines.pdr.constant_propagation import TooLarge
from methods.engines.pdr.execution import LAST, PathExecution
from methods.engines.pdr.frames import AbstractTrace, Frames, InductiveClauses, ProofObligation
from methods.engines.pdr.minimisation import minimised
from methods.engines.pdr.number_invariants import NumberFacts
from methods.engines.pdr.proof import GhostFormulas
from methods.engines.pdr.query import PathQuery
from methods.engines.pdr.universal_clauses import HeapField, UniversalClause, lemma
from methods.engines.pdr.view import HeapView, KnownPointers
from methods.options import EngineOptions, read_options
from methods.paths.pathformula import check_path, path_formula
from runs.events import (
    ALL_FRAMES,
    Counter,
    LemmaAdded,
    LemmasPushed,
    LemmasRemoved,
    Level,
    NodeAdded,
    NodesRemoved,
    PathFound,
    PhaseStarted,
    RoundStarted,
)

PATH_EFFORT = parameter("pdr.engine.path-effort")
MAX_TRACES = parameter("pdr.engine.max-traces")
DEEPER = parameter("pdr.engine.deeper")
MAX_EXCLUDED = parameter("pdr.engine.max-excluded")
FIRST_CALLS = parameter("pdr.engine.first-calls")


class PdrEngine:
    """The engine `pdr`; implements `methods.engine.Engine`."""

    name = "pdr"

    def supports(self, program: Program) -> Supported | NotSupported:
        if not linked_fields(program):
            return NotSupported("it has no records with fields for pointers alone")
        if recursive_functions(program):
            return NotSupported("it has functions that call themselves")
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        read_options(EngineOptions, context.options)
        context.limits.check()
        if program.memory is None:
            return dict.fromkeys(checks, Unknown("it has no memory"))
        try:
            view = HeapView(program, program.memory, context.limits)
            return _PropertyDirectedReachability(view, checks, context).run()
        except NotExpressible as error:
            place = "" if error.span is None else f"{error.span.file}:{error.span.line}: "
            return dict.fromkeys(checks, Unknown(f"{place}{error}"))
        except TooLarge:
            return dict.fromkeys(checks, Unknown("calls lead to too many places"))


_OnFrame = Callable[[int], None]
_OnLemma = Callable[[UniversalClause], None]
_OnObligation = Callable[[ProofObligation], None]
_OnPushed = Callable[[Sequence[UniversalClause]], None]


class _CallsUsedUp(Exception):
    """The solver was called as often as the vocabulary is worth."""


class _PropertyDirectedReachability:
    """One run: the checks that are not decided, and why."""

    def __init__(self, view: HeapView, checks: Sequence[int], context: Context) -> None:
        self._whole, self._context = view, context
        self._use(view)
        self._reasons = dict.fromkeys(checks, "it needs more than was tried")
        self._outcomes: dict[int, Outcome] = {}
        self._given_up: set[int] = set()
        self._suspected: HeapField | None = None  # a store may close a cycle of it, for all that is known
        self._rounds = 0
        self._ticks = 0
        self._nodes = self._settled = 0  # how many obligations were shown, and how many of these no more
        self._lemmas = self._forgotten = 0  # how many clauses were shown, and how many of these are forgotten
        self._numbers: dict[int, int] = {}  # of obligations as nodes, by their numbers in the frames of a vocabulary

    def run(self) -> dict[int, Outcome]:
        while (field := self._decided_but_for_cycles()) is not None:
            self._whole = self._whole.with_cycles([field])
        return {check: self._outcomes.get(check, Unknown(reason)) for check, reason in self._reasons.items()}

    def _decided_but_for_cycles(self) -> HeapField | None:
        """Decide checks by all that is known; returns a field if its lists should have cycles, too."""
        self._suspected = None
        closed = self._decide_by_vocabularies()
        if closed is not None:
            return closed
        self._decide_with_numbers()
        return self._suspected if self._open else None

    def _decide_by_vocabularies(self) -> HeapField | None:
        """Decide checks with one vocabulary after the other; returns a field that may get a cycle."""
        vocabularies = self._vocabularies()
        for vocabulary in vocabularies:
            is_last = vocabulary == vocabularies[-1]
            self._ticks = 0
            try:
                with closing(self._frames(vocabulary, is_last)) as frames:
                    cyclic = self._decide(frames, is_last)
                    self._context.emit(Counter("solver calls", frames.calls))
            except _CallsUsedUp:
                continue
            if cyclic is not None:
                return cyclic
            if len(self._outcomes) == len(self._reasons):
                break
        return None

    def _vocabularies(self) -> list[tuple[KnownPointers, bool]]:
        """The vocabularies of states: their pointers, and whether they know how numbers compare."""
        is_ordered = bool(self._whole.with_order().ordered)
        known = [(pointers, is_ordered) for pointers in KnownPointers]
        return [(KnownPointers.LIVE, False), *known] if is_ordered else known

    def _use(self, view: HeapView) -> None:
        self._view, self._ghosts = view, GhostFormulas(view)

    @property
    def _open(self) -> list[int]:
        return [check for check in self._reasons if check not in self._outcomes and check not in self._given_up]

    def _frames(self, vocabulary: tuple[KnownPointers, bool], is_last: bool) -> Frames:
        pointers, is_ordered = vocabulary
        view = self._whole.of_checks(self._open)
        self._use(view.with_order() if is_ordered else view)
        order = " and how numbers compare" if is_ordered else ""
        self._begin_vocabulary(f"frame 1, with {_VOCABULARY[pointers]}{order}")
        return Frames(self._view, pointers, self._tick(is_last), *self._hooks)

    @property
    def _hooks(self) -> tuple[_OnFrame, _OnLemma, _OnObligation, _OnPushed]:
        return self._on_frame, self._on_lemma, self._on_obligation, self._on_pushed

    def _decide_with_numbers(self) -> None:
        """Decide the checks that are left by what holds of numbers and lengths."""
        self._given_up = {check for check in self._given_up if self._reasons[check] == _NO_INVARIANT}
        if self._open:
            self._use(self._whole.of_checks(self._open))
        for pointers, with_nodes in product(KnownPointers, (False, True)):
            if not self._open:
                return
            about = "numbers, lengths and contents of lists" if with_nodes else "numbers and lengths"
            self._begin_vocabulary(f"frame 1, with {_VOCABULARY[pointers]}, {about}")
            tick = self._tick(is_last=True)
            with closing(Frames(self._view, pointers, tick, *self._hooks, recorded=True)) as frames:
                try:
                    known: dict[At, list[UniversalClause]] | None = {} if with_nodes else None
                    facts = NumberFacts(self._view, frames, self._context.solver, tick, known)
                    self._exclude_by_numbers(frames, facts)
                    self._search_with_numbers(frames, facts)
                except SolverUndecided:
                    self._context.limits.check()

    def _search_with_numbers(self, frames: Frames, facts: NumberFacts) -> None:
        """Decide open checks by clauses in frames whose states have the facts."""
        frames.drop([query for query in frames.errors if query not in self._failing(frames)])
        theories = facts.theories() if self._open else []
        while any(_check_of(self._view, query) is not None for query in frames.errors):
            inductive = frames.check()
            if isinstance(inductive, InductiveClauses):
                clauses = self._inductive(frames, inductive)
                needed = [{one.source: list(one.used)} for one in theories]
                safe = Safe(self._ghosts.certificate(clauses, facts.claimed(needed, self._ghosts)))
                left = {_check_of(self._view, query) for query in frames.errors}
                self._settle(dict.fromkeys([check for check in self._open if check in left], safe))
                return
            check = _check_of(self._view, inductive.queries[-1])
            if check is None:
                return
            frames.drop([query for query in frames.errors if _check_of(self._view, query) == check])

    def _exclude_by_numbers(self, frames: Frames, facts: NumberFacts) -> None:
        """Decide the open checks whose paths numbers exclude, if no store may close a cycle."""
        found = {query: facts.reasons(query) for query in self._failing(frames)}
        open_ = {_check_of(self._view, query) for query, reasons in found.items() if reasons is None}
        decided = [check for check in self._open if check not in open_]
        if None in open_ or not decided:
            return
        needed = [reasons for reasons in found.values() if reasons is not None]
        self._settle(dict.fromkeys(decided, Safe(self._ghosts.certificate((), facts.claimed(needed, self._ghosts)))))

    def _failing(self, frames: Frames) -> list[PathQuery]:
        """The paths to open checks, and those on which an obligation fails."""
        return [query for query in frames.errors if _check_of(self._view, query) in (None, *self._open)]

    def _tick(self, is_last: bool) -> Callable[[], None]:
        def tick() -> None:
            self._context.limits.check()
            self._ticks += 1
            if self._ticks > FIRST_CALLS and not is_last:
                raise _CallsUsedUp

        return tick

    def _begin_vocabulary(self, reason: str) -> None:
        """Begin with frames without clauses."""
        self._numbers.clear()
        self._begin(reason)
        if self._lemmas > self._forgotten:
            self._context.emit(LemmasRemoved(tuple(range(self._forgotten + 1, self._lemmas + 1))))
        self._forgotten = self._lemmas

    def _begin(self, reason: str) -> None:
        if self._nodes > self._settled:
            self._context.emit(NodesRemoved(tuple(range(self._settled, self._nodes))))
            self._settled = self._nodes
        self._context.emit(RoundStarted(self._rounds, reason))
        for edit in self._context.between_rounds(self._rounds):
            if edit.action is EditAction.STOP:
                raise Interrupted("stopped between rounds")
        self._context.emit(PhaseStarted("explore"))
        self._rounds += 1

    def _on_frame(self, number: int) -> None:
        self._begin(f"frame {number}")

    def _on_lemma(self, clause: UniversalClause) -> None:
        context = self._context
        if context.wants(Level.STATES):
            self._lemmas += 1
            formula, place = context.term(self._ghosts.clause(clause)), (clause.at.stack, clause.at.location)
            context.emit(LemmaAdded(self._lemmas, "invariant", "diagram", formula, (), place))
            context.emit(LemmasPushed((self._lemmas,), clause.level))

    def _on_pushed(self, pushed: Sequence[UniversalClause]) -> None:
        for level in sorted({one.level for one in pushed}):
            self._show_level([one for one in pushed if one.level == level], level)

    def _show_level(self, clauses: Sequence[UniversalClause], level: int) -> None:
        if clauses and self._context.wants(Level.STATES):
            self._context.emit(LemmasPushed(tuple(sorted(self._forgotten + one.id for one in clauses)), level))

    def _on_obligation(self, obligation: ProofObligation) -> None:
        """Show an obligation as long as its frame goes on: the states that it stands for, over those it leads to."""
        context, denied = self._context, lemma(0, obligation.at, obligation.diagram, 0)
        if not context.wants(Level.STATES):
            return
        diagram = context.term(self._denial(self._ghosts.clause(denied)))
        towards = self._numbers.get(obligation.towards, -1)
        context.emit(NodeAdded(self._nodes, towards, (obligation.at.stack, obligation.at.location), (), diagram))
        self._numbers[obligation.id] = self._nodes
        self._nodes += 1

    def _denial(self, clause: Term) -> Term:
        """The denial of a clause, as people read it: without variables a conjunction."""
        arena = self._view.arena
        return arena.and_(*map(arena.not_, clause.args)) if clause.is_disjunction else arena.not_(clause)

    # Outcomes

    def _inductive(self, frames: Frames, found: InductiveClauses) -> Sequence[UniversalClause]:
        """The clauses that a proof needs, after all that are inductive were shown as such."""
        self._show_level(found.lemmas, ALL_FRAMES)
        return minimised(self._view, frames.pointers, frames.needed(found), self._context.limits.check)

    def _decide(self, frames: Frames, is_last: bool) -> HeapField | None:
        """Decide checks with one vocabulary, and leave those for which it does not suffice.

        Returns the field whose lists should have cycles, if a store closes one on a path from the start.
        """
        failing = self._failing(frames)
        frames.drop([query for query in frames.errors if query not in failing])
        left: set[int] = set()
        while asked := [check for check in self._open if check not in left]:
            found = frames.check()
            if isinstance(found, InductiveClauses):
                clauses = self._inductive(frames, found)
                safe = Safe(self._ghosts.certificate(clauses))
                self._settle(dict.fromkeys(asked, safe))
                return None
            if found.queries[-1].failing is not None:
                field = self._stored_to(found)
                if field not in self._view.cyclic:
                    if self._closes_cycle(found):
                        return field
                    self._suspected = field
            answer = self._follow(frames, found, is_last)
            check = _check_of(self._view, found.queries[-1])
            if isinstance(answer, Unsafe):
                assert check is not None
                self._settle({check: answer})
            else:
                self._reasons.update(dict.fromkeys(asked if check is None else [check], answer))
                if check is None:
                    return None
                (self._given_up if is_last else left).add(check)
            frames.drop([query for query in frames.errors if _check_of(self._view, query) == check])
        return None

    def _stored_to(self, trace: AbstractTrace) -> HeapField:
        """The field to which the last store of a trace writes."""
        query = trace.queries[-1]
        assert query.failing is not None
        return query.execution.obligations[query.failing].field

    def _closes_cycle(self, trace: AbstractTrace) -> bool:
        """Whether the last store of a trace fails its obligation on its path, which an execution may take."""
        steps = _steps(trace.queries)
        return self._is_possible(steps, failing=LAST) and self._may_be_taken(steps)

    def _may_be_taken(self, steps: Sequence[Step]) -> bool:
        """Whether numbers, too, allow a path from the start."""
        formula = path_formula(self._view.expansion, steps)
        solver = self._context.solver(PATH_EFFORT)
        solver.add(*formula.facts, *(c for constraints in formula.constraints for c in constraints))
        try:
            return not isinstance(solver.check(), Unsat)
        except SolverUndecided:
            self._context.limits.check()
            return True

    def _settle(self, outcomes: Mapping[int, Outcome]) -> None:
        self._outcomes.update(outcomes)
        self._context.decided(outcomes)

    def _follow(self, frames: Frames, trace: AbstractTrace, is_last: bool) -> Unsafe | str:
        """The execution that an abstract trace stands for, or why there is none, or none is found."""
        self._context.emit(PhaseStarted("refine"))
        view, last = self._view, trace.queries[-1]
        if last.failing is not None:
            return f"{_line(last.steps[-1])}a pointer is stored that may close a cycle, or lead to no record"
        check = _check_of(view, last)
        assert check is not None
        excluded = 0
        for steps in self._unrolled(frames, trace, check) if is_last else [_steps(trace.queries)]:
            if not self._is_possible(steps):
                continue
            found = self._execution(steps)
            if found is not None:
                self._context.emit(PathFound(check, found.path, "feasible"))
                return found
            excluded += 1
            if excluded == MAX_EXCLUDED:
                break
        self._context.emit(PathFound(check, _edges(_steps(trace.queries)), "spurious"))
        return _reason(trace, excluded > 0, is_confirmed=is_last and frames.confirms(trace))

    def _is_possible(self, steps: Sequence[Step], failing: int | None = None) -> bool:
        """Whether a path from the start can be taken, as far as the vocabulary tells."""
        self._context.limits.check()
        execution = PathExecution(self._view, KnownPointers.LIVE, self._view.expansion.start, steps, failing)
        with closing(execution.universe):
            return execution.universe.is_satisfiable()

    def _execution(self, steps: Sequence[Step]) -> Unsafe | None:
        try:
            found = check_path(self._view.expansion, steps, self._context.solver, PATH_EFFORT)
        except SolverUndecided:
            self._context.limits.check()
            return None
        return found if isinstance(found, Unsafe) else None

    def _unrolled(self, frames: Frames, trace: AbstractTrace, check: int) -> Iterator[tuple[Step, ...]]:
        """The path of a trace, then other paths to the check that are hardly longer, the shortest first."""
        yield _steps(trace.queries)
        ends = [query for query in frames.errors if _check_of(self._view, query) == check]
        level: list[tuple[At, tuple[Step, ...]]] = [(self._view.expansion.start, ())]
        tried = 0
        for _ in range(len(trace.queries) + DEEPER):
            longer: list[tuple[At, tuple[Step, ...]]] = []
            for at, steps in level:
                yield from ((*steps, *query.steps) for query in ends if query.source == at)
                for query in frames.queries:
                    if query.source != at or query.target is None:
                        continue
                    tried += 1
                    if tried > MAX_TRACES:
                        return
                    if self._is_possible((*steps, *query.steps)):
                        longer.append((query.target, (*steps, *query.steps)))
            level = longer


_NO_INVARIANT = (
    "no universal invariant: none over the pointers, fields and comparisons of the program excludes the error; "
    "invariants that say that some element exists (∀∃) are not sought"
)
_NOT_SUFFICIENT = "universal invariants about lists do not suffice, as far as numbers are known"
_TREES = "; paths that take several fields, as in trees, are not expressed"
_VOCABULARY = {KnownPointers.LIVE: "the live pointers", KnownPointers.DEFINED: "all pointers that were assigned"}


def _steps(queries: Sequence[PathQuery]) -> tuple[Step, ...]:
    return tuple(step for query in queries for step in query.steps)


def _edges(steps: Sequence[Step]) -> tuple[int, ...]:
    return tuple(edge.id for step in steps for edge in step.edges)


def _check_of(view: HeapView, query: PathQuery) -> int | None:
    """The check that fails at the end of a path to an error; None of a failing obligation."""
    check = view.expansion.check(query.steps[-1].target)
    return None if check is None or query.failing is not None else check.id


def _line(step: Step) -> str:
    span = next((edge.span for edge in step.edges if edge.span is not None), None)
    return "" if span is None else f"{span.file}:{span.line}: "


def _reason(trace: AbstractTrace, excluded_by_numbers: bool, is_confirmed: bool) -> str:
    """The reason for which an abstract trace is no execution."""
    if excluded_by_numbers:
        return "numbers exclude the error, of which the invariants know only how they compare"
    trees = _TREES if len(trace.queries[0].execution.universe.fields) > 1 else ""
    if not is_confirmed or any(query.execution.free for query in trace.queries):
        return f"{_NOT_SUFFICIENT}{trees}"
    return f"{_NO_INVARIANT}{trees}"


__all__ = ["PdrEngine"]
