"""Universally quantified invariants of arrays, from candidates about distinguished cells and from refinement.

M. N. Seghir, A. Podelski, T. Wies, "Abstraction refinement for quantified array assertions", SAS 2009; cells as in
D. Monniaux, L. Gonnord, SAS 2016; Houdini over indexed predicates as in C. Flanagan, S. Qadeer, POPL 2002.

| paper | code |
| --- | --- |
| 4 ghosts instead of quantifiers | `backward._chosen`, for indices from outside and counters of checking loops |
| 4.1 case split of updates | `cubes.CaseSplit` |
| 4.2 disequalities that a precondition implies, split | `extraction._apart` |
| 5 formulas, pre of a statement | rules of `methods.clauses`: large blocks between cut points, one relation each |
| 5 pre#, predicate by predicate | `Backward._before`, `cubes.implied` |
| figure 5, abstract fixpoint and refinement | `Backward.explore`, `Backward.learn`, `_ClauseWork.refined` |
| 6 extract0, saturate, extract1 | `extraction.extracted` |
| 6 disjunctions of fixed length, indices of one array | of one or two of 12 pairs; of two where 5 are left |
| 6 no longer disjunction than one that is entailed | `extraction._apart` |
| 6 power of the method (relative completeness) | not there: predicates of a core come first, those of cubes at last |
| 3 lazy abstraction | predicates belong to a location; states are explored anew in each round, not kept |
| 3 counterexamples | a spurious path, if it can be executed after all; samples |
| 3, table 1 | `benchmarks.acsar`; all 19 by refinement, in docs/measured.md |
| backward invariant as evidence | its negation, for all ghosts, in a certificate (`core.decision.instances`) |

| not in the paper | code |
| --- | --- |
| states of executions, with large sizes made small | `samples` |
| candidates over elements at k, from text and from data | `cells`, `syntax_hints`, `templates`, `candidates` |
| candidates about rows and columns | `grids` |
| bounds of sums of elements, from bounds of elements | `cell_sums` |
| ghost arrays with results of beginnings of arrays | `sums`, `prefix_ghosts`, `prefixes` |
| largest inductive part; instances instead of quantifiers | `houdini` |
| invariants of scalars, also remainders, that rules know | `strengthening` |

Deviation: candidates come before the paper's refinement; in these, indices are instantiated anew at each step. The
paper's ghosts are constants k and l. With them fixed, its selection sort has no proof: a state in which a[k] and a[l]
are in order can lead to an error by way of an element that neither names; so refinement chooses them anew, too
(`backward`). Both rest on invariants of scalars that Houdini finds first: numbers of the paper have no end, those of C
wrap around.

Limitations, by weight: invariants that relate more than two elements of an array; arrays of three dimensions; sums and
counts of unknown contents beyond what `core.certificate.folds` names; calls of recursive functions; candidates
multiply with the number of arrays that meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum

from core.analysis.intervals import simplify
from core.limits import Interrupted, SolverUndecided
from core.parameters import parameter
from core.program import Check, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion, Step
from core.program.loops import loop_heads
from core.program.modular import ModularView, recursive_functions
from core.terms import INT, ArraySort, Term, literals, substitute
from core.terms.notation import stem
from core.verdict import Outcome, Safe, Unknown, Unsafe
from methods.clauses.clause_graph import Entries
from methods.clauses.encoding import Encoding, Operators, Wraps, certificate, encode
from methods.discovery.horn import HornSystem
from methods.engine import Context, Edit, EditAction, NotSupported, Supported
from methods.engines.acsar.backward import Backward, RefinementEnded
from methods.engines.acsar.candidates import Guesses
from methods.engines.acsar.cell_sums import cell_sums
from methods.engines.acsar.cells import layouts, shapes
from methods.engines.acsar.houdini import Kept, QuantifiedHoudini
from methods.engines.acsar.options import AcsarOptions, InvariantMethod
from methods.engines.acsar.prefix_ghosts import LoopFold, is_of_unknown_contents, loop_folds, with_folds
from methods.engines.acsar.prefixes import PrefixGuesses
from methods.engines.acsar.samples import Samples, SmallSystem, small_system
from methods.engines.acsar.strengthening import is_of_remainder, strengthened, telling
from methods.engines.acsar.syntax_hints import forms
from methods.engines.acsar.templates import claims, templates
from methods.inference.houdini import InferenceStuck
from methods.options import read_options
from methods.paths.contradiction import contradiction
from methods.paths.pathformula import Infeasible, check_path
from runs.events import (
    NOT_KNOWN,
    Counter,
    LemmaAdded,
    Level,
    NodeAdded,
    PathFound,
    PhaseStarted,
    Progress,
    RoundStarted,
)

PATH_EFFORT = parameter("acsar.engine.path-effort")
LARGEST_RUN = parameter("acsar.engine.largest-run")


class CandidateScope(Enum):
    """The elements that candidates of a round compare."""

    CELLS = "one index"
    SUMS = "one index and sums"
    GRIDS = "rows and columns"
    PAIRS = "two indices"


class AcsarEngine:
    """The engine `acsar`; implements `Engine`."""

    name = "acsar"

    def supports(self, program: Program) -> Supported | NotSupported:
        if not any(isinstance(x.sort, ArraySort) for x in program.variables):
            return NotSupported("the program has no arrays")
        if not loop_heads(program):
            return NotSupported(
                "the program has no loops, so that nothing holds for all elements of an array of any size"
            )
        if recursive_functions(program):
            return NotSupported("the program has recursive functions, for whose arrays it finds no summaries")
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        return _CandidateSearch(program, context).decide(checks)


class _CandidateSearch:
    """One run: rounds of Houdini, each with more candidates."""

    def __init__(self, program: Program, context: Context) -> None:
        self._context = context
        self._simplified = simplified = simplify(program)
        self._expansion = Expansion(simplified.program, BlockEncoding.LARGE)
        self._view = ModularView(Expansion(simplified.program, BlockEncoding.LARGE), ())
        self._arena = program.arena
        self._indices = _indices(program)
        self._names = _unused(program, [f"folded{n}" for n in ("", 2, 3)])
        self._method = read_options(AcsarOptions, context.options).method
        self._lemmas = 0
        self._rounds = 0
        self._reason = "no invariant was found among the candidates about elements at one and at two indices"

    def decide(self, checks: Sequence[int]) -> dict[int, Outcome]:
        self._begin("start")
        outcomes: dict[int, Outcome] = {}
        left = list(checks)
        work = self._prepared(left)
        for check, outcome in work.violations():
            outcomes[check] = outcome
        left = [check for check in left if check not in outcomes]
        if outcomes and left:
            work = self._prepared(left)
        if left:
            outcomes.update(self._proved(work))
        return {check: outcomes.get(check, Unknown(self._reason)) for check in checks}

    def _proved(self, work: _ClauseWork) -> dict[int, Outcome]:
        """The outcomes of the checks that are proved, or violated by a path of the refinement."""
        try:
            work.strengthen()
            if self._method is not InvariantMethod.REFINEMENT:
                proved = work.candidates()
                if proved:
                    return proved
            if self._method is not InvariantMethod.CANDIDATES:
                return work.refined()
        except InferenceStuck as stuck:
            self._reason = str(stuck)
        return {}

    def _begin(self, reason: str) -> None:
        self._context.emit(RoundStarted(self._rounds, reason))
        _obey(self._context.between_rounds(self._rounds))
        self._rounds += 1

    def _prepared(self, checks: Sequence[int]) -> _ClauseWork:
        self._context.emit(PhaseStarted("encode"))
        tick = self._context.limits.check
        wraps, operators = Wraps.VALUES, Operators.KEPT
        encoding = encode(self._view, checks, Entries.ANY, wraps, operators, self._simplified, tick)
        self._context.emit(Counter("relations", len(encoding.places)))
        self._context.emit(Counter("rules", len(encoding.arcs)))
        return _ClauseWork(self, encoding, checks)


class _ClauseWork:
    """The clauses of some checks, and what was found about them."""

    def __init__(self, run: _CandidateSearch, encoding: Encoding, checks: Sequence[int]) -> None:
        self._run = run
        self._context = context = run._context
        self._arena = arena = run._arena
        self._encoding = encoding
        self._checks = checks
        self._range_of = encoding.graph.range_of
        context.emit(PhaseStarted("sample"))
        self._small = small_system(arena, encoding.system.rules, self._range_of)
        self._samples = Samples(encoding.system.arguments, self._range_of, self._small, context.seed, context.limits)
        program = run._simplified.program
        self._pointers = frozenset(x for x, v in program.variables.items() if v.c_type.is_pointer)
        self._facts: Kept = [{} for _ in encoding.system.arguments]
        self._kept: Kept = [{} for _ in encoding.system.arguments]
        self._asked = 0  # candidates of the last round
        self._read(encoding.system)

    def _is_pointer(self, x: Term) -> bool:
        return x in self._pointers or self._arena.original(x) in self._pointers

    def _read(self, system: HornSystem) -> None:
        """Read from the rules of a system what candidates speak of."""
        arena, run = self._arena, self._run
        self._system = system
        shape = shapes(arena, system, self._is_pointer)
        self._layouts = layouts(arena, system, shape)
        found = templates(arena, system, system.rules, self._range_of)
        asked = claims(arena, system, system.rules, self._range_of)
        self._forms = forms(arena, system, shape, found, asked, self._range_of)
        self._sums = cell_sums(arena, system)
        limits, solver = self._context.limits, self._context.solver
        self._houdini = QuantifiedHoudini(arena, system, self._layouts, run._indices, self._range_of, solver, limits)

    def strengthen(self) -> None:
        """Find invariants of scalars, and read the rules anew with these."""
        relations = range(len(self._layouts))
        candidates = [dict.fromkeys(c for c in self._guesses(i).scalars() if not c.is_true) for i in relations]
        self._kept = self._houdini.inductive(candidates)
        self._facts = [{c: None for c in own if telling(c)} for own in self._kept]
        self._read(strengthened(self._arena, self._encoding.system, self._facts, self._range_of))

    def violations(self) -> Iterator[tuple[int, Outcome]]:
        """The check that a sampled execution violates, if the path formula says so too."""
        outcome = None
        if self._samples.violation is not None:
            outcome = self._decided(self._samples.violation)  # else sizes were made small on the way
        sizes = self._small.parameters.values()
        if outcome is None and sizes and max(sizes) <= LARGEST_RUN:
            outcome = self._in_whole()
        if outcome is not None:
            yield outcome

    def _in_whole(self) -> tuple[int, Unsafe] | None:
        """The check that an execution with the sizes as they are violates: small ones may not be in proportion."""
        system, context = self._encoding.system, self._context
        whole = SmallSystem(system.rules, {}, lambda t: t)
        steps = len(system.rules) * LARGEST_RUN
        samples = Samples(system.arguments, self._range_of, whole, context.seed, context.limits, 0, steps=steps)
        return None if samples.violation is None else self._decided(samples.violation)

    def _decided(self, rules: Sequence[int]) -> tuple[int, Unsafe] | None:
        """The check that a path of rules violates, with its execution; None if the path is not feasible, or unknown."""
        steps, check = self._path(rules)
        self._context.emit(PhaseStarted("path"))
        try:
            found = check_path(self._run._expansion, steps, self._context.solver, PATH_EFFORT)
        except SolverUndecided:
            self._context.limits.check()
            return None
        if isinstance(found, Infeasible):
            return None
        self._context.emit(PathFound(check.id, found.path, "feasible"))
        return check.id, found

    def _path(self, rules: Sequence[int]) -> tuple[list[Step], Check]:
        """The steps of a path of rules, and the check in which it ends."""
        arcs = [self._encoding.arcs[number] for number in rules]
        steps = [step for arc in arcs if arc is not None for step in arc.steps]
        check = self._run._expansion.check(steps[-1].target)
        assert check is not None
        return steps, check

    def _show_impossible(self, rules: Sequence[int]) -> None:
        steps, check = self._path(rules)
        edges = tuple(edge.id for step in steps for edge in step.edges)
        wanted = self._context.wants(Level.STATES)
        core = contradiction(self._run._expansion, steps, self._context.solver) if wanted else ()
        self._context.emit(PathFound(check.id, edges, "spurious", core))

    def candidates(self) -> dict[int, Outcome]:
        """The checks that are proved with candidates: what is likely to do first."""
        folds = loop_folds(self._arena, self._encoding, self._system, self._range_of, self._run._names)
        unknown = all(is_of_unknown_contents(self._system, one) for one in folds)
        has_grids = any(layout.grids for layout in self._layouts)
        return (
            (unknown and self._ghosts(folds))
            or (has_grids and self._round(CandidateScope.GRIDS))
            or self._round(CandidateScope.CELLS)
            or (bool(self._sums) and self._round(CandidateScope.SUMS))
            or (not unknown and self._ghosts(folds))
            or self._round(CandidateScope.PAIRS)
        )

    def _round(self, scope: CandidateScope) -> dict[int, Outcome]:
        """The checks that are proved with the candidates of a scope, beside all that was kept before."""
        context = self._context
        self._run._begin(f"candidates about {scope.value}")
        context.emit(PhaseStarted("guess"))
        candidates = [self._guessed(relation, scope) for relation in range(len(self._layouts))]
        self._report(candidates)
        context.emit(PhaseStarted("solve"))
        self._kept = self._houdini.inductive(candidates)
        return {} if self._houdini.failing(self._kept) else self._safe(self._houdini, self._kept)

    def _ghosts(self, folds: Sequence[LoopFold]) -> dict[int, Outcome]:
        """The checks that are proved with ghost arrays, beside all that was kept before."""
        if not folds:
            return {}
        context, arena = self._context, self._arena
        self._run._begin("candidates about results of beginnings of arrays")
        k = self._run._indices[0]
        folded = with_folds(arena, self._system, folds, k)
        plain = with_folds(arena, self._encoding.system, folds, k)
        context.emit(PhaseStarted("sample"))
        limits, ranges = context.limits, self._range_of
        guesses = PrefixGuesses(arena, folded.system, plain, folds, self._layouts, ranges, context.seed, limits)
        context.emit(PhaseStarted("guess"))
        candidates = [{**own, **dict.fromkeys(guesses.at(i, k))} for i, own in enumerate(self._kept)]
        self._report(candidates)
        context.emit(PhaseStarted("solve"))
        layouts, solver, indices = guesses.layouts, context.solver, self._run._indices
        houdini = QuantifiedHoudini(arena, folded.system, layouts, indices, ranges, solver, limits, folded.given)
        try:
            kept = houdini.inductive(candidates)
        except InferenceStuck:
            return {}
        return {} if houdini.failing(kept) else self._safe(houdini, kept, folds)

    def refined(self) -> dict[int, Outcome]:
        """The checks that are proved by refinement, beside all that was kept before, or one that is violated."""
        run, context, limits = self._run, self._context, self._context.limits
        rests = [{c: None for c in own if is_of_remainder(c)} for own in self._kept]
        known = [{**facts, **own} for facts, own in zip(self._facts, rests, strict=True)]
        search = Backward(
            self._arena,
            strengthened(self._arena, self._system, rests, self._range_of) if any(rests) else self._system,
            run._indices,
            self._is_pointer,
            self._range_of,
            known,
            context.solver,
            limits,
        )
        context.emit(Progress(0, len(self._checks), NOT_KNOWN, NOT_KNOWN))
        reason = "predicates of impossible paths"
        try:
            while True:
                run._begin(reason)
                context.emit(PhaseStarted("explore"))
                start = search.explore()
                if start is None:
                    break
                path = start.path()
                rules = [step.rule for step in path]
                violated = self._decided(rules)
                if violated is not None:
                    return dict([violated])
                context.emit(PhaseStarted("refine"))
                self._show_impossible(rules)
                self._show_predicates(search.learn(start))
                reason = "refined"
        except RefinementEnded as ended:
            run._reason = str(ended)
            return {}
        except SolverUndecided:
            limits.check()
            run._reason = "a question about abstract states has no answer"
            return {}
        kept = [{**own, **dict.fromkeys(search.clauses(relation))} for relation, own in enumerate(self._kept)]
        return self._safe(self._houdini, kept)

    def _report(self, candidates: Sequence[Mapping[Term, None]]) -> None:
        """Report how many candidates there are, and how many more than in the last round."""
        count, before = sum(map(len, candidates)), self._asked
        self._asked = count
        self._context.emit(Counter("candidates", count))
        known = sum(map(len, self._kept))
        growth = 100 * count // before if before else NOT_KNOWN
        self._context.emit(Progress(known, max(1, count - known), growth, NOT_KNOWN))

    def _safe(self, houdini: QuantifiedHoudini, kept: Kept, folds: Sequence[LoopFold] = ()) -> dict[int, Outcome]:
        """The outcome of all checks if what was kept is inductive and excludes the errors."""
        needed = houdini.needed(kept, self._facts)
        meanings = [self._meaning(own) for own in needed]
        self._show(meanings)
        used = tuple(one.fold for one in folds if any(one.fold.symbol in formula.symbols() for formula in meanings))
        safe = Safe(replace(certificate(self._encoding, meanings, self._run._simplified), ghosts=used))
        return dict.fromkeys(self._checks, safe)

    def _guessed(self, relation: int, scope: CandidateScope) -> dict[Term, None]:
        self._context.limits.check()
        guesses = self._guesses(relation)
        candidates = dict(self._kept[relation])
        # Of scalars also those that were dropped: some follow from what holds of elements.
        about = {
            CandidateScope.CELLS: guesses.cells,
            CandidateScope.SUMS: lambda: guesses.sums(self._system.arguments[relation], relation, self._sums),
            CandidateScope.GRIDS: guesses.grids,
            CandidateScope.PAIRS: guesses.pairs,
        }
        for source in (guesses.scalars(), about[scope]()):
            candidates.update((c, None) for c in source if not c.is_true and not c.is_false)
        return candidates

    def _guesses(self, relation: int) -> Guesses:
        arguments, layout = self._system.arguments[relation], self._layouts[relation]
        samples, indices = self._samples, self._run._indices
        return Guesses(self._arena, arguments, layout, samples, self._small, relation, self._forms, indices)

    def _show_predicates(self, learned: Sequence[tuple[int, Term]]) -> None:
        arena, indices = self._arena, self._run._indices
        names = {index: arena.symbol(f"\\{stem(index.name)}", INT) for index in indices}  # as of ghosts
        for relation, predicate in learned:
            at, shown = self._encoding.places[relation], substitute(arena, predicate, names)
            self._show_lemma("predicate", "precondition", shown, (at.stack, at.location))

    def _show_lemma(self, role: str, origin: str, formula: Term, place: tuple[tuple[int, ...], int]) -> None:
        if self._context.wants(Level.STATES):
            self._context.emit(LemmaAdded(self._run._lemmas, role, origin, self._context.term(formula), (), place))
            self._run._lemmas += 1

    def _meaning(self, candidates: Mapping[Term, None]) -> Term:
        return self._arena.and_(*(self._arena.forall(self._run._indices, c) for c in candidates))

    def _show(self, meanings: Sequence[Term]) -> None:
        """Report relations as nodes, and the conjuncts of their meanings as lemmas."""
        context = self._context
        if not context.wants(Level.STATES):
            return
        for node, (at, formula) in enumerate(zip(self._encoding.places, meanings, strict=True)):
            place = (at.stack, at.location)
            context.emit(NodeAdded(node, -1, place, (), context.term(formula)))
            for part in literals(formula):
                self._show_lemma("invariant", "candidate", part, place)


def _indices(program: Program) -> tuple[Term, Term]:
    """Two symbols for indices, whose names the program does not use, so that invariants can be printed."""
    first, second = [*_unused(program, [*"klmpqxyz", "index", "other"]), "k_", "l_"][:2]
    return program.arena.proof_symbol(first, INT), program.arena.proof_symbol(second, INT)


def _unused(program: Program, names: Sequence[str]) -> list[str]:
    """The names that the program does not use."""
    used = {variable.name for variable in program.variables.values()} | {o.name for o in program.source.objects}
    return [name for name in names if name not in used]


def _obey(edits: Sequence[Edit]) -> None:
    """Obey edits: a user may stop the run; predicates are nothing to this engine."""
    if any(edit.action is EditAction.STOP for edit in edits):
        raise Interrupted("stopped between rounds")
