"""Bounded model checking with k-induction.

| here | literature |
| --- | --- |
| `methods.paths.unrolling`, `search` | bounded model checking (TACAS 1999), paths merged as in CBMC (TACAS 2004) |
| `complete_unrolling` | a program that was unrolled completely, its proof as an invariant |
| `methods.discovery.candidates`, `induction` | k-induction with auxiliary invariants (CAV 2015), Houdini (FME 2001) |
| `map_loops`, `map_induction` | loops that copy and fill as updates of whole arrays (TACAS 2014) |
| `preconditions`, `methods.discovery.elimination` | "no error within k blocks" as a formula |

The bound of the search doubles as long as the search is cheap. Then the two alternate: the bound of the search grows by
half from round to round, that of induction by one while that pays. Where most loops have ended, the search goes on once
before induction begins: it may be complete then. Programs without loops and recursion are unrolled completely at once.

Limitations, by weight: a proof needs loops with bounds, or an invariant of one of the forms in
`methods.discovery.candidates`, or one that a few iterations show; a violation needs a bound within reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.analysis.intervals import simplify
from core.decision.refutation import has_products
from core.limits import Interrupted, SolverUndecided
from core.parameters import parameter
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.loops import loop_heads
from core.program.modular import recursive_functions
from core.terms import Term, computes_with_floats
from core.verdict import Outcome, Safe, Unknown
from methods.engine import Context, Edit, EditAction, Supported
from methods.engines.bmc.complete_unrolling import certificate
from methods.engines.bmc.options import BmcOptions, InductionMode
from methods.engines.bmc.search import EFFORT, BoundedSearch
from methods.options import read_options
from runs.events import PhaseStarted, RoundStarted

if TYPE_CHECKING:
    from methods.discovery.candidates import CandidateInvariants
    from methods.discovery.executions import Executions
    from methods.engines.bmc.induction import Induction

MAX_INDUCTIONS = parameter("bmc.engine.max-inductions")
CHEAP = parameter("bmc.engine.cheap")
CHEAP_ON_BITS = parameter("bmc.engine.cheap-on-bits")
CHEAP_TERMS = parameter("bmc.engine.cheap-terms")
CHEAP_BOUND = parameter("bmc.engine.cheap-bound")
LARGE_ON_FLOATS = parameter("bmc.engine.large-on-floats")


class BmcEngine:
    """The engine `bmc`; implements `Engine`."""

    name = "bmc"

    def supports(self, program: Program) -> Supported:
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        options = read_options(BmcOptions, context.options)
        context.limits.check()
        return _BoundedModelChecking(program, checks, context, options.induction).run()


class _BoundedModelChecking:
    """One run: the bound, and what is decided so far."""

    def __init__(self, program: Program, checks: Sequence[int], context: Context, mode: InductionMode) -> None:
        self._context = context
        self._simplified = simplify(program)
        self._large = Expansion(self._simplified.program, BlockEncoding.LARGE)
        self._basic = Expansion(self._simplified.program, BlockEncoding.BASIC)
        self._has_products = mode is InductionMode.ON and has_products(program.terms())
        unrolled = self._simplified.program
        ends = not loop_heads(unrolled) and not recursive_functions(unrolled)  # the first bound shows all that there is
        self._mode = InductionMode.OFF if ends and not self._has_products else mode
        self._induction: Induction | None = None
        self._computes = computes_with_floats(program.terms())  # which makes each step of executions dear
        self._is_cheap = self._mode is InductionMode.ON and not self._computes  # whether the search alone goes on
        self._left: BoundedSearch | None = None  # of the last bound, with questions that were not cheap
        self._cheap = CHEAP_ON_BITS if program.uses_bits else CHEAP
        self._inductions = 0
        self._has_guessed = False  # whether induction had candidates
        self._instances = 0  # up to the last bound
        self._is_ending, self._has_waited = False, False  # whether most loops ended, and induction waited for that
        self._wanted: list[Term] = []
        self._undecided = dict.fromkeys(checks)
        self._outcomes: dict[int, Outcome] = {}

    def run(self) -> dict[int, Outcome]:
        number, bound = 0, 1
        self._begin(number, "start")
        while self._undecided:
            number += 1
            self._begin(number, f"bound {bound}")
            try:
                if number == 1 and self._computes and self._mode is InductionMode.ON:
                    self._induce(has_candidates=False)
                done = not self._undecided or self._deepen(bound)
                if number == 1 and self._undecided and self._has_products:
                    self._solve_equations()
                if number == 1 and self._undecided and self._mode is InductionMode.ON:
                    self._pass_map_loops()
                if self._undecided and self._inducts():
                    self._induce()
            except SolverUndecided as reason:
                self._context.limits.check()
                self._decide(dict.fromkeys(self._undecided, Unknown(str(reason))))
            else:
                bound = bound if not done else 2 * bound if self._is_cheap else bound + 1 + bound // 2
        return self._outcomes

    def _begin(self, number: int, reason: str) -> None:
        self._context.emit(RoundStarted(number, reason))
        for edit in self._context.between_rounds(number):
            self._edit(edit)

    def _edit(self, edit: Edit) -> None:
        if edit.action is EditAction.STOP:
            raise Interrupted("stopped between rounds")
        if edit.action is EditAction.ADD_PREDICATE and edit.formula is not None:
            self._wanted.append(edit.formula)

    def _decide(self, outcomes: Mapping[int, Outcome]) -> None:
        for check, outcome in outcomes.items():
            self._outcomes[check] = outcome
            self._undecided.pop(check)
        self._context.decided(outcomes)

    def _deepen(self, bound: int) -> bool:
        """Search up to `bound`; False if that is not cheap, and is left for the next time. Raises `SolverUndecided`."""
        self._context.emit(PhaseStarted("explore"))
        arena = self._large.arena
        terms = len(arena)
        search = self._search(bound)
        self._is_ending = search.is_ending()
        if self._computes and search.size >= LARGE_ON_FLOATS:
            self._guess()
        try:
            self._decide(search.failures(list(self._undecided)))
            exhausted = bool(self._undecided) and search.is_exhausted()
        except SolverUndecided:
            self._context.limits.check()
            if not self._is_cheap:
                self._guess()
                raise
            self._is_cheap, self._left = False, search
            return False
        if exhausted:
            self._conclude(search)
        is_small = bound < CHEAP_BOUND and len(arena) - terms < CHEAP_TERMS
        self._is_cheap &= is_small and not search.is_determined()
        return True

    def _search(self, bound: int) -> BoundedSearch:
        """The search up to `bound`: that of the last time, if it is left, with all effort."""
        search, self._left = self._left, None
        if search is not None:
            search.raise_effort()
            return search
        effort = self._cheap if self._is_cheap else EFFORT
        search = BoundedSearch(self._large, bound, self._context, effort, self._instances)
        self._instances = search.size
        return search

    def _conclude(self, search: BoundedSearch) -> None:
        """Prove what is undecided by a search that no execution goes beyond."""
        readable = not search.is_hard()
        proof = certificate(search.unrolling, self._simplified, self._undecided, self._context, readable)
        self._decide(dict.fromkeys(self._undecided, Safe(proof)))

    def _solve_equations(self) -> None:
        """Prove what equations between products prove."""
        from methods.engines.bmc.cut_paths import cut_paths  # as all that is for loops: others end before it is loaded
        from methods.engines.bmc.equations import Equations
        from methods.engines.bmc.induction import cut_points

        roots = cut_points(self._basic)
        found = None if roots is None else cut_paths(self._basic, roots, self._context.limits)
        if roots is None or found is None:
            return
        self._context.emit(PhaseStarted("induction"))
        equations = Equations(self._basic, self._simplified, roots, found, self._suggested, self._context)
        proof = equations.prove(list(self._undecided))
        if proof is not None:
            proved, invariants = proof
            self._decide(dict.fromkeys(proved, Safe(invariants)))

    def _pass_map_loops(self) -> None:
        """Prove what preconditions prove that go through loops which copy and fill, where there are such loops."""
        from methods.engines.bmc.induction import cut_points
        from methods.engines.bmc.map_induction import MapInduction
        from methods.engines.bmc.map_loops import has_map_loops

        roots = cut_points(self._large)
        if roots is None or not has_map_loops(self._large, roots):
            return
        self._context.emit(PhaseStarted("induction"))
        induction = MapInduction(
            self._large, self._basic, self._simplified, roots, list(self._undecided), self._context
        )
        if not induction.is_large():
            self._prove_by(induction)

    def _inducts(self) -> bool:
        """Whether it is time for induction."""
        if self._is_cheap or self._mode is not InductionMode.ON:
            return False
        waits = self._is_ending and not self._has_waited
        self._has_waited |= waits
        return not waits

    def _guess(self) -> None:
        """Have induction with candidates once, before a search that is too hard."""
        if self._undecided and self._mode is InductionMode.ON and not self._has_guessed:
            self._induce()

    def _induce(self, *, has_candidates: bool = True) -> None:
        self._context.emit(PhaseStarted("induction"))
        self._inductions += 1
        self._has_guessed |= has_candidates
        if self._inductions == MAX_INDUCTIONS:
            self._mode = InductionMode.OFF
        induction = self._prepared()
        if induction is None or not self._prove_by(induction, has_candidates=has_candidates):
            self._mode = InductionMode.OFF

    def _prove_by(self, induction: Induction, *, has_candidates: bool = True) -> bool:
        """Decide the checks that an induction proves; returns whether there is a point in going on with it."""
        try:
            proof = induction.prove(list(self._undecided), has_candidates=has_candidates)
        except SolverUndecided:
            self._context.limits.check()
            return False
        if proof is not None:
            proved, invariants = proof
            self._decide(dict.fromkeys(proved, Safe(invariants)))
        return True

    def _prepared(self) -> Induction | None:
        """The induction of this run; None where executions have too many cut points."""
        if self._induction is None:
            from methods.engines.bmc.induction import Induction, cut_points

            roots = cut_points(self._large)
            if roots is None:
                return None
            suggested = {at: self._suggested(at) for at in roots[1:]}
            self._induction = Induction(self._large, self._basic, self._simplified, roots, suggested, self._context)
        return self._induction

    @cached_property
    def _executions(self) -> Executions:
        from methods.discovery.executions import Executions

        return Executions(self._basic, self._context.seed, self._context.limits)

    @cached_property
    def _candidates(self) -> CandidateInvariants:
        from methods.discovery.candidates import CandidateInvariants

        return CandidateInvariants(self._basic, self._executions)

    def _suggested(self, at: At) -> list[Term]:
        """The candidates that executions suggest, and those of a user where their variables are known."""
        known = set(self._executions.variables(at))
        return [*self._candidates.at(at), *(formula for formula in self._wanted if formula.symbols() <= known)]
