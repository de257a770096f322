"""Linear programs with arrays, abstracted to variables and elements of arrays, and refined.

A. Armando, M. Benerecetti, J. Mantovani, "Abstraction Refinement of Linear Programs with Arrays", TACAS 2007.

| paper | here |
| --- | --- |
| figure 1, procedure AR | `EurekaEngine.run`, `_AbstractionRefinement` |
| section 3, programs: Z·E, E + E, ?:, u, assume, procedures, recursion | `methods.domains.zones.transfer`, `.forms` |
| section 3, the domain D of numbers: Z_n | integers with wrap-around; Z and R are not there |
| section 4, V and R | `methods.domains.zones.precision` |
| section 4, abstract | `methods.domains.zones.transfer` |
| sections 3 and 7, model-check (ICFEM 2004, with polyhedra) | `tabulation`, over `methods.domains.zones.state` |
| the trace, with its calls | `error_trace` |
| section 5, encode and decide | `decision` |
| section 6, refine, steps 1 and 2 | `decision`: origins instead of a proof |
| section 6, refine, step 3; R = R_P where indices are no numbers | `refinement` |
| polyhedra: which linear relations there are | `relations`: sums from a trace, equations from states |
| table 4 | `benchmarks/eureka` |
| not in the paper: the invariants that a proof leaves | `certificate` |

Deviations. States are zones with excluded values of places, not polyhedra; beside them there are equations modulo a
power of two, and bounds of the sums that a refuted trace compares (templates). Where procedures are recursive there
are equations from the start; elsewhere there are equations and sums only from when zones have not refuted a trace that
the tracked places do refute. A round first merges all states of a location, which costs the same however large arrays
are; if the trace that this finds is refuted by what is tracked already, states are kept apart by the values of scalars.
Traces are decided by evaluation where their indices are numbers; after one that is too long, all scalars are tracked,
then all arrays (those of more than 1,000 elements are not).

Limitations, by weight: what needs a linear inequality that no guard, precondition or equation gives, or a disjunction
that no scalar tells apart, is `unknown`; elements between which an index does not decide are read as their interval
where they are many, and have no equations then; the paper demands that bounds be checked (`--check bounds`), without
which an access outside of an array is taken for one of an element that it does not have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from core.analysis.intervals import simplify
from core.analysis.liveness import Liveness
from core.dataclass import dataclass
from core.limits import Interrupted, SolverUndecided
from core.parameters import parameter
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.program.loops import loop_nesting
from core.program.modular import Enter, ModularView, Summary, often_called, recursive_functions, touched_globals
from core.terms import Term
from core.verdict import Outcome, Safe, Unknown
from methods.domains.zones import EquatedPlaces, LinearState, TrackedPlaces, ZoneDomain, modulus_of, variables
from methods.engine import Context, EditAction, NotSupported, Supported
from methods.engines.eureka.certificate import certificate, states_by_location
from methods.engines.eureka.decision import RefutedTrace, decide
from methods.engines.eureka.error_trace import TraceTooLong, trace_to
from methods.engines.eureka.refinement import everything, extended, refined
from methods.engines.eureka.relations import related
from methods.engines.eureka.tabulation import StateNode, Strategy, Tabulation, TooManyStates
from methods.options import EngineOptions, read_options
from methods.paths.contradiction import contradiction
from runs.events import Counter, LemmaAdded, Level, NodeAdded, PathFound, PhaseStarted, RoundStarted


@dataclass(frozen=True)
class _Exploration:
    """An exploration that is given up after some states; if it `relates` places, it has equations and tracked sums."""

    strategy: Strategy
    most_states: int
    relates: bool = False


_EXPLORATIONS = (
    _Exploration(Strategy.MERGED, parameter("eureka.engine.merged"), relates=True),
    _Exploration(Strategy.PARTITIONED, parameter("eureka.engine.related"), relates=True),
    _Exploration(Strategy.PARTITIONED, parameter("eureka.engine.partitioned")),
    _Exploration(Strategy.BREADTH_FIRST, parameter("eureka.engine.breadth-first")),
    _Exploration(Strategy.PARTITIONED, parameter("eureka.engine.partitioned-again")),
    _Exploration(Strategy.SEPARATED, parameter("eureka.engine.separated")),
    _Exploration(Strategy.BREADTH_FIRST, parameter("eureka.engine.breadth-first-again")),
    _Exploration(Strategy.PARTITIONED, parameter("eureka.engine.partitioned-last")),
)
"""The explorations of a round until one helps. Where many states are kept apart, values take the place of relations."""

_LARGEST_EXPANSION = parameter("eureka.engine.largest-expansion")
_MAX_COPIES = parameter("eureka.engine.max-copies")
_MANY_AT_HEAD = parameter("eureka.engine.many-at-head")
_MOST_ELEMENTS = parameter("eureka.engine.most-elements")

NO_RELATION = "none of the linear relations that were found refutes the error trace"
TOO_MANY = "the abstract program has too many states, and merged ones do not show that it is safe"


class EurekaEngine:
    """The engine `eureka`; implements `Engine`."""

    name = "eureka"

    def supports(self, program: Program) -> Supported | NotSupported:
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        read_options(EngineOptions, context.options)
        context.limits.check()
        return _AbstractionRefinement(program, checks, context).run()


_Unrelated = tuple[Sequence[Step], RefutedTrace, Sequence[LinearState]]
"""A trace that tracked places refute, but not the merged states that led to it."""


class _AbstractionRefinement:
    """One run: the precision so far, and the checks that are decided."""

    def __init__(self, program: Program, checks: Sequence[int], context: Context) -> None:
        self._context = context
        self._simplified = simplify(program)
        program = self._simplified.program
        self._expansion = Expansion(program, BlockEncoding.BASIC)
        recursive = recursive_functions(program)
        self._view = ModularView(self._expansion, recursive | often_called(program, _LARGEST_EXPANSION, _MAX_COPIES))
        self._visible = VisibleVariables(self._view)
        self._domain = ZoneDomain(self._expansion, self._visible, modulus_of(program))
        self._equations = EquatedPlaces.SCALARS if recursive else EquatedPlaces.NONE  # from the start
        self._precision = TrackedPlaces(program.arena, equations=self._equations)
        functions = program.functions.values()
        self._owners = {x: f.name for f in functions for x in (*f.parameters, *f.locals)}
        self._undecided = dict.fromkeys(checks)
        self._others = [check.id for check in program.checks if check.id not in self._undecided]
        self._outcomes: dict[int, Outcome] = {}
        self._lemmas = 0
        self._unrelated: _Unrelated | None = None

    def run(self) -> dict[int, Outcome]:
        number, reason = 0, "start"
        while self._undecided:
            self._begin(number, reason)
            reason = self._round()
            number += 1
        return self._outcomes

    def _begin(self, number: int, reason: str) -> None:
        self._context.emit(RoundStarted(number, reason))
        for edit in self._context.between_rounds(number):
            if edit.action is EditAction.STOP:
                raise Interrupted("stopped between rounds")

    def _round(self) -> str:
        """Model check, decide and refine; returns what has come of it."""
        complete: dict[Strategy, bool] = {}
        unrefined: int | None = None  # a check with an error trace that the precision refutes already
        for chosen in _EXPLORATIONS:
            strategy = chosen.strategy
            needless = chosen.relates and strategy is not Strategy.MERGED and not self._precision.sums
            if complete.get(strategy) or needless:
                continue
            self._context.emit(PhaseStarted("explore"))
            exploration = self._exploration(chosen)
            try:
                node = exploration.explore()
            except TooManyStates:
                complete[strategy] = False
                if self._related(strategy):
                    return "related"
                continue
            complete[strategy] = True
            self._context.emit(Counter("zones", exploration.size))
            if node is None:
                if strategy is not Strategy.MERGED and self._is_scattered(exploration) and self._related(strategy):
                    return "related"
                self._prove(exploration)
                return "proved"
            progress = self._examine(node, strategy, exploration) or self._related(strategy)
            if progress is not None:
                return progress
            unrefined = self._failing(node)
        self._decide(
            list(self._undecided) if unrefined is None else [unrefined],
            Unknown(NO_RELATION if all(complete.values()) else TOO_MANY),
        )
        return "no answer"

    def _is_scattered(self, exploration: Tabulation) -> bool:
        """Whether there are many states at a loop head, most of which may leave the loop or stay in it.

        What ends the loop is then no number, and a relation says what all of these states have in common.
        """
        heads: dict[At, list[LinearState]] = {}
        for at, state in exploration.states():
            if self._view.is_loop_head(at):
                heads.setdefault(at, []).append(state)
        return any(
            len(states) >= _MANY_AT_HEAD and 2 * sum(self._is_open(at, one) for one in states) > len(states)
            for at, states in heads.items()
        )

    def _is_open(self, head: At, state: LinearState) -> bool:
        """Whether a state at a loop head has successors both inside and outside of the loop."""
        sides: set[bool] = set()
        for step in self._view.steps(head):
            side = head.location in self._loops[step.target.location]
            is_edge = not isinstance(step, Enter | Summary)
            if is_edge and side not in sides and list(self._domain.successors(state, step, self._precision)):
                sides.add(side)
        return len(sides) == 2

    @cached_property
    def _loops(self) -> Mapping[int, Sequence[int]]:
        """The heads of the loops around each location."""
        edges, functions = self._view.program.out_edges, self._view.program.functions.values()
        nestings = [loop_nesting(one.entry, lambda at: [edge.target for edge in edges[at]]) for one in functions]
        return {at: heads for nesting in nestings for at, heads in nesting.items()}

    def _failing(self, node: StateNode) -> int:
        """The check that fails in a state."""
        check = self._view.check(node.at)
        assert check is not None
        return check.id

    def _exploration(self, chosen: _Exploration) -> Tabulation:
        ignored = [*self._others, *self._outcomes]
        precision = self._precision
        if not chosen.relates:
            precision = replace(precision, sums=(), equations=self._equations)
        return Tabulation(
            self._view, self._domain, precision, chosen.strategy, ignored, self._context.limits, chosen.most_states
        )

    def _examine(self, node: StateNode, strategy: Strategy, exploration: Tabulation) -> str | None:
        """Decide the trace to an error, and refine; None if the precision refutes it already."""
        context, check = self._context, self._failing(node)
        try:
            steps = trace_to(node, self._expansion)
            if self._unrelated is not None and not self._unrelated[1].concrete and (found := self._related(strategy)):
                return found  # relations cost less than to decide another trace with indices that are no numbers
            context.emit(PhaseStarted("refine"))
            answer = decide(self._expansion, steps, self._domain.statements, context.solver)
        except TraceTooLong:
            return self._refine(everything(self._precision, self._view.program))
        except SolverUndecided as reason:
            context.limits.check()
            self._decide([check], Unknown(str(reason)))
            return "undecided"
        path = tuple(edge.id for step in steps for edge in step.edges)
        if not isinstance(answer, RefutedTrace):
            context.emit(PathFound(check, path, "feasible"))
            self._decide([check], answer)
            return "violated"
        core = contradiction(self._expansion, steps, context.solver) if context.wants(Level.STATES) else ()
        context.emit(PathFound(check, path, "spurious", core))
        precision = refined(self._precision, self._view.program, answer)
        if precision is None and strategy is Strategy.MERGED:
            self._unrelated = steps, answer, [state for _, state in exploration.states()]
        if precision is None and strategy is not Strategy.MERGED:
            precision = extended(self._precision, self._view.program, answer)
        return self._refine(precision)

    def _related(self, strategy: Strategy) -> str | None:
        """Track the sums of a trace that merged states do not refute, where those kept apart do not either."""
        if strategy is Strategy.MERGED or self._unrelated is None:
            return None
        (steps, answer, states), self._unrelated = self._unrelated, None
        wider = extended(self._precision, self._view.program, answer) or self._precision
        statements, contracted = self._domain.statements, self._view.contracted
        precision = related(wider, self._expansion, steps, statements, contracted, states)
        wider = precision or self._precision
        elements = sum(map(len, wider.cells.values()))
        equations = EquatedPlaces.ALL if elements <= _MOST_ELEMENTS else EquatedPlaces.SCALARS
        if precision is None and self._precision.equations is equations:
            return None
        return self._refine(replace(wider, equations=equations))

    def _refine(self, precision: TrackedPlaces | None) -> str | None:
        """Go on with a finer precision, if there is one."""
        if precision is None:
            return None
        self._show(precision)
        self._precision = precision
        return "refined"

    def _decide(self, checks: Sequence[int], outcome: Outcome) -> None:
        for check in checks:
            del self._undecided[check]
            self._outcomes[check] = outcome
        self._context.decided(dict.fromkeys(checks, outcome))

    def _prove(self, exploration: Tabulation) -> None:
        self._context.emit(PhaseStarted("prove"))
        states: dict[At, Term] = states_by_location(self._view, self._domain, exploration)
        if self._context.wants(Level.STATES):
            self._show_states(exploration)
        safe = Safe(certificate(self._view, self._simplified, states))
        self._decide(list(self._undecided), safe)

    def _show_states(self, exploration: Tabulation) -> None:
        """Report the states: those of a callee below the state that calls it, those behind a call below it, too."""
        for number, (at, state, parent, step) in enumerate(exploration.tree()):
            place = ((), at.location) if self._view.entered(at) else (at.stack, at.location)
            edges = () if step is None else tuple(edge.id for edge in step.edges)
            formula = self._context.term(self._domain.formula(state))
            self._context.emit(NodeAdded(number, parent, place, edges, formula))

    def _show(self, precision: TrackedPlaces) -> None:
        """Report what is tracked from now on."""
        for place in precision.all_places():
            if not self._precision.tracks(place):
                number = self._context.term(place) if self._context.wants(Level.STATES) else -1
                owner = self._owners.get(variables(place)[0])
                where = None if owner is None else ((), self._view.program.functions[owner].entry)
                self._context.emit(LemmaAdded(self._lemmas, "value", "core", number, (), where))
                self._lemmas += 1


class VisibleVariables:
    """The variables of which states at a location speak: those that are live, and copies of values on entry."""

    def __init__(self, view: ModularView) -> None:
        self._view = view
        self._liveness = Liveness(view.expansion)
        self._touched = touched_globals(view.program)
        self._globals = frozenset(view.globals)
        self._found: dict[At, frozenset[Term]] = {}

    def __call__(self, at: At) -> frozenset[Term]:
        found = self._found.get(at)
        if found is None:
            found = self._found[at] = self._at(at)
        return found

    def _at(self, at: At) -> frozenset[Term]:
        view, entered = self._view, self._view.entered(at)
        live = self._liveness.at(at if entered is None else At((), at.location))
        root = view.root(at)
        if root not in view.contracted:
            return live
        inside = live - (self._globals - self._touched[root])
        return inside if entered is not None else inside.union(map(view.snapshot, view.snapshots_of(root)))
