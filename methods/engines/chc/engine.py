"""The program as constrained Horn clauses, solved by Spacer.

N. Bjørner, A. Gurfinkel, K. McMillan, A. Rybalchenko, "Horn clause solvers for program verification", 2015; Spacer:
A. Komuravelli, A. Gurfinkel, S. Chaki, CAV 2014.

| here | there |
| --- | --- |
| `clause_graph`, `relevance` | large blocks between cut points, sliced to what a guard can depend on |
| `encoding` | one relation per cut point; calls of recursive functions by summaries, other calls expanded |
| `methods.discovery.spacer` | the solver, in a process of its own |
| `derivation` | a derivation of false as a path, whose inputs the path formula gives |

Deviations. A relation for the *entry* of each function that is not expanded restricts its summary to states in which
it is called, so that a solution is a certificate: precondition, invariants and postcondition.

Limitations, by weight: Spacer decides whether it ends, and array properties need quantifiers, which it does not find;
bit operators are approximated by bounds; a path through very deep recursion is unfolded whole.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum

from core.analysis.intervals import Simplified, simplify
from core.dataclass import dataclass
from core.limits import Interrupted, SolverUndecided
from core.parameters import parameter
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion, Step
from core.program.modular import ModularView, recursive_functions
from core.terms import Term, literals
from core.verdict import Outcome, Safe, Unknown
from methods.clauses.clause_graph import Entries
from methods.clauses.encoding import Encoding, Operators, Wraps, certificate, encode
from methods.discovery.horn import HornSystem
from methods.discovery.spacer import Derivation, Interpreted, Spacer, SpacerAnswer, SpacerUndecided
from methods.engine import Context, Edit, EditAction, Supported
from methods.engines.chc.derivation import NotAPath, path_of
from methods.engines.chc.options import ChcOptions, Summaries
from methods.options import read_options
from methods.paths.pathformula import Infeasible, check_path
from runs.events import Counter, LemmaAdded, Level, NodeAdded, PathFound, PhaseStarted, RoundStarted

PATH_EFFORT = parameter("chc.engine.path-effort")


class Guidance(Enum):
    """The way in which Spacer generalises lemmas: one by one, or by what many have in common."""

    LOCAL = "local"
    GLOBAL = "global"  # H. G. Vediramana Krishnan et al., "Global guidance for local generalization", CAV 2020


@dataclass(frozen=True)
class QueryStrategy:
    """A strategy for one query: an encoding and an option of Spacer, for a number of its steps."""

    entries: Entries
    wraps: Wraps
    guidance: Guidance
    steps: int


# Each strategy finds in a second what others do not find in minutes, so all are tried shortly, then again for longer.
_STRATEGIES = tuple(
    QueryStrategy(entries, wraps, guidance, steps)
    for steps in map(parameter, ("chc.engine.first", "chc.engine.second", "chc.engine.third", "chc.engine.last"))
    for entries, wraps, guidance in (
        (Entries.ANY, Wraps.VALUES, Guidance.LOCAL),
        (Entries.ANY, Wraps.ERRORS, Guidance.GLOBAL),
        (Entries.CALLED, Wraps.VALUES, Guidance.LOCAL),
        (Entries.ANY, Wraps.VALUES, Guidance.GLOBAL),
    )
)


class ChcEngine:
    """The engine `chc`; implements `Engine`."""

    name = "chc"

    def supports(self, program: Program) -> Supported:
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        options = read_options(ChcOptions, context.options)
        simplified = simplify(program)
        return _HornSolving(simplified, _contracted(simplified.program, options.summaries), context).decide(checks)


def _contracted(program: Program, summaries: Summaries) -> Collection[str]:
    """The functions whose calls are not expanded."""
    match summaries:
        case Summaries.RECURSIVE:
            return recursive_functions(program)
        case Summaries.ALL:
            return [name for name in program.functions if name != program.start]


class _HornSolving:
    """One run: rounds of queries, each about the checks that are left."""

    def __init__(self, simplified: Simplified, contracted: Collection[str], context: Context) -> None:
        self._context = context
        self._simplified = simplified
        self._expansion = Expansion(simplified.program, BlockEncoding.LARGE)
        self._view = ModularView(Expansion(simplified.program, BlockEncoding.LARGE), contracted)
        self._spacer = Spacer(context.limits)
        self._lemmas = 0
        self._questions = 0

    def decide(self, checks: Sequence[int]) -> dict[int, Outcome]:
        outcomes: dict[int, Outcome] = {}
        left = dict.fromkeys(checks)
        round_number = 0
        self._begin(round_number, "start")
        try:
            while left:
                decided = self._round(list(left))
                outcomes.update(decided)
                self._context.decided(decided)
                left = {check: None for check in left if check not in decided}
                round_number += 1
                self._begin(round_number, "solved")
        finally:
            self._spacer.close()
        return {check: outcomes[check] for check in checks}

    def _begin(self, number: int, reason: str) -> None:
        self._context.emit(RoundStarted(number, reason))
        _obey(self._context.between_rounds(number))

    def _round(self, checks: Sequence[int]) -> Mapping[int, Outcome]:
        """The outcomes of one query: it decides one check at least."""
        encoding, answer = self._ask(checks)
        match answer:
            case Interpreted(formulas):
                self._show(encoding, formulas)
                safe = Safe(certificate(encoding, formulas, self._simplified))
                return dict.fromkeys(checks, safe)
            case Derivation() as derivation:
                return self._refuted(derivation, encoding, checks)
            case SpacerUndecided(reason):
                return dict.fromkeys(checks, Unknown(f"Spacer: {reason}"))

    def _ask(self, checks: Sequence[int]) -> tuple[Encoding, SpacerAnswer]:
        """The first answer that one of the strategies gives, and the encoding that it is about."""
        encoded: dict[tuple[Entries, Wraps], Encoding] = {}
        asked: set[tuple[HornSystem, Guidance, int]] = set()
        useless: set[HornSystem] = set()  # where values do wrap around
        for strategy in _STRATEGIES:
            kind = strategy.entries, strategy.wraps
            if kind not in encoded:
                encoded[kind] = self._encoded(checks, *kind)
            system = encoded[kind].system
            question = system, strategy.guidance, strategy.steps
            if system in useless or question in asked:
                continue
            asked.add(question)
            self._questions += 1
            self._context.emit(Counter("questions", self._questions))
            options = {"spacer.global": strategy.guidance is Guidance.GLOBAL}
            answer = self._spacer.solve(self._view.arena, system, options, strategy.steps)
            if isinstance(answer, Derivation) and encoded[kind].arcs[answer.inferences[-1].rule] is None:
                useless.add(system)
            elif not isinstance(answer, SpacerUndecided):
                return encoded[kind], answer
        return encoded[kind], SpacerUndecided("no attempt has an answer")

    def _encoded(self, checks: Sequence[int], entries: Entries, wraps: Wraps) -> Encoding:
        context = self._context
        context.emit(PhaseStarted("encode"))
        operators, tick = Operators.APPROXIMATED, context.limits.check
        encoding = encode(self._view, checks, entries, wraps, operators, self._simplified, tick)
        context.emit(Counter("relations", len(encoding.places)))
        context.emit(Counter("rules", len(encoding.arcs)))
        context.emit(PhaseStarted("solve"))
        return encoding

    def _refuted(self, derivation: Derivation, encoding: Encoding, checks: Sequence[int]) -> Mapping[int, Outcome]:
        """The path of a derivation with inputs, or why there is none."""
        context = self._context
        context.emit(PhaseStarted("path"))
        try:
            steps = path_of(derivation, encoding, self._view, self._expansion)
        except NotAPath as error:
            return dict.fromkeys(checks, Unknown(f"the derivation is not read: {error}"))
        check = self._expansion.check(steps[-1].target)
        assert check is not None
        try:
            found = check_path(self._expansion, steps, context.solver, PATH_EFFORT)
        except SolverUndecided as reason:
            context.limits.check()  # a solver also gives up because the run has to end
            return {check.id: Unknown(str(reason), _edges(steps))}
        if isinstance(found, Infeasible):
            return {check.id: Unknown("the derivation is not an execution", _edges(steps))}
        context.emit(PathFound(check.id, found.path, "feasible"))
        return {check.id: found}

    def _show(self, encoding: Encoding, formulas: Sequence[Term]) -> None:
        """Report relations as nodes, and the conjuncts of their meanings as lemmas."""
        if not self._context.wants(Level.STATES):
            return
        for node, (at, formula) in enumerate(zip(encoding.places, formulas, strict=True)):
            place = (at.stack, at.location)
            self._context.emit(NodeAdded(node, -1, place, (), self._context.term(formula)))
            for part in literals(formula):
                self._context.emit(LemmaAdded(self._lemmas, "invariant", "spacer", self._context.term(part), (), place))
                self._lemmas += 1


def _edges(steps: Sequence[Step]) -> tuple[int, ...]:
    return tuple(edge.id for step in steps for edge in step.edges)


def _obey(edits: Sequence[Edit]) -> None:
    """Obey edits: a user may stop the run; predicates are nothing to this engine."""
    if any(edit.action is EditAction.STOP for edit in edits):
        raise Interrupted("stopped between rounds")
