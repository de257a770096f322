"""Houdini over quantified candidates: the largest part that the rules of a Horn system preserve.

C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001; indexed predicates as in
S. K. Lahiri, R. E. Bryant, "Constructing quantified invariants via predicate abstraction", VMCAI 2004. A candidate over
indices k and l holds for all of them. What a rule must establish is asked for constants; what it may use is taken at
them and where the rule reads arrays (`core.decision.instances`): questions have no quantifiers.

Required of what is returned: nothing, it is checked as a certificate. Heuristic: instances; candidates whose question
has no answer are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations, zip_longest

from core.dataclass import dataclass
from core.decision.instances import reads_of, solved
from core.decision.strides import row_and_column
from core.limits import Limits, SolverUndecided
from core.parameters import parameter
from core.program import Range
from core.program.semantics import range_facts
from core.solver.contract import Model, Sat, Solver, SolverFactory
from core.terms import Arena, Op, Substitution, Term, Treatment, subterms
from methods.discovery.horn import Application, HornSystem, Rule
from methods.engines.acsar.cells import Layout
from methods.inference.cores import minimal, refuting
from methods.inference.houdini import Connection, Formulas, Houdini, Patience, not_established

OTHER_OPERATORS = Treatment.EXACT

EFFORT = parameter("acsar.houdini.effort")
LAST_EFFORT = parameter("acsar.houdini.last-effort")
MAX_INSTANCES = parameter("acsar.houdini.max-instances")
MAX_OF_TWO = parameter("acsar.houdini.max-of-two")
PATIENCE = parameter("acsar.houdini.patience")

Kept = list[dict[Term, None]]


@dataclass(frozen=True, eq=False)
class NumberedRule:
    """A rule with a head, by its number."""

    number: int
    rule: Rule
    head: Application


class QuantifiedHoudini:
    """The candidates at each relation, which become fewer. Rules have one premise at most.

    `given` has, for some rules, what else holds after them, for every first index.
    """

    def __init__(
        self,
        arena: Arena,
        system: HornSystem,
        layouts: Sequence[Layout],
        indices: tuple[Term, Term],
        range_of: Callable[[Term], Range | None],
        solvers: SolverFactory,
        limits: Limits,
        given: Mapping[int, Sequence[Term]] | None = None,
    ) -> None:
        self._arena = arena
        self._given = given or {}
        self._range_of = range_of
        self._system = system
        self._layouts = layouts
        self._indices = indices
        self._solvers = solvers
        self._limits = limits
        self._patience = Patience(PATIENCE)
        steps = [NumberedRule(i, rule, rule.head) for i, rule in enumerate(system.rules) if rule.head is not None]
        self._houdini = Houdini(Connection(_source(step.rule), step.head.relation, step) for step in steps)
        self._constants = (arena.fresh("any", indices[0].sort), arena.fresh("any", indices[1].sort))
        self._values: dict[tuple[Rule, Application], Substitution] = {}
        self._at_units: dict[tuple[Term, ...], Substitution] = {}
        self._instantiated: dict[tuple[int, Term], list[Term]] = {}
        self._units: dict[tuple[int, tuple[Term, ...]], list[Term]] = {}
        self._reads: dict[int, Mapping[Term, Mapping[Term, None]]] = {}

    def inductive(self, candidates: Sequence[Iterable[Term]]) -> Kept:
        """The largest inductive part of the candidates, as far as the solver answers. Raises `InferenceStuck`."""
        kept = self._houdini.largest(dict(enumerate(candidates)), self._broken)
        return [kept[relation] for relation in range(len(candidates))]

    def failing(self, kept: Kept) -> list[int]:
        """The rules without head whose constraint what was kept does not refute."""
        found = []
        for number, rule in enumerate(self._system.rules):
            if rule.head is None:
                solver = self._solver(LAST_EFFORT, rule)
                self._tell(solver, list(self._hypotheses(number, rule, kept)))
                if self._is_possible(solver):
                    found.append(number)
        return found

    def _is_possible(self, solver: Solver) -> bool:
        self._limits.check()
        try:
            return isinstance(solver.check(), Sat)
        except SolverUndecided:
            return True

    def _broken(self, step: NumberedRule, kept: Formulas[int]) -> list[Term]:
        """The candidates that a rule does not establish."""
        rule, solver = step.rule, self._solver(EFFORT, step.rule)
        goals = {c: self._goal(rule, step.head, c) for c in kept[step.head.relation]}
        self._tell(solver, list(self._hypotheses(step.number, rule, kept)))
        self._tell(solver, [], goals.values())

        def counterexample(goal: Term) -> Model | None:
            self._limits.check()
            with solver.scope():
                solver.add(self._arena.not_(goal))
                answer = solver.check()
                return answer.model if isinstance(answer, Sat) else None

        return not_established(self._arena, goals, counterexample, self._patience)

    # Questions

    def _tell(self, solver: Solver, formulas: Sequence[Term], others: Iterable[Term] = ()) -> None:
        """Assert formulas, and the ranges of what they or `others` read."""
        solver.add(*range_facts(self._arena, [*formulas, *others], self._range_of), *formulas)

    def _solver(self, effort: int, rule: Rule) -> Solver:
        solver = self._solvers(effort)
        solver.add(rule.constraint)
        return solver

    def _goal(self, rule: Rule, head: Application, candidate: Term) -> Term:
        """The candidate after the step of a rule, for indices that nothing else mentions: what it must establish."""
        key = rule, head
        if key not in self._values:
            values = dict(zip(self._system.arguments[head.relation], head.values, strict=True))
            values.update(zip(self._indices, self._constants, strict=True))
            self._values[key] = Substitution(self._arena, values)
        return self._values[key](candidate)

    def _hypotheses(self, number: int, rule: Rule, kept: Kept | Formulas[int]) -> Iterator[Term]:
        """The instances of what is kept at the premises of a rule: what it may use."""
        for premise in rule.premises:
            for candidate in kept[premise.relation]:
                yield from self._instances(number, rule, candidate)
        for fact in self._given.get(number, ()):
            yield from self._instances(number, rule, fact)

    def _instances(self, number: int, rule: Rule, candidate: Term) -> list[Term]:
        """The instances of a candidate at the premise of a rule, whose values are the arguments themselves."""
        if (number, candidate) not in self._instantiated:
            self._instantiated[number, candidate] = self._instantiate(number, rule, candidate)
        return self._instantiated[number, candidate]

    def _instantiate(self, number: int, rule: Rule, candidate: Term) -> list[Term]:
        k, second = self._indices
        symbols = candidate.symbols()
        if k not in symbols and second not in symbols:
            return [candidate]
        reads = tuple(t for t in subterms(candidate) if t.is_select)
        units = self._units_of(number, rule, tuple(t for t in reads if k in t.symbols()))
        if second not in symbols:
            return [self._at(candidate, u) for u in units]
        places = self._places(number, rule, tuple(t for t in reads if {k, second} <= t.args[1].symbols()))
        if places:
            return [self._at(candidate, *place) for place in places]
        return [self._at(candidate, u, v) for u, v in permutations(units[:MAX_OF_TWO], 2)]

    def _at(self, candidate: Term, *units: Term) -> Term:
        """A candidate at values of its indices."""
        if units not in self._at_units:
            self._at_units[units] = Substitution(self._arena, dict(zip(self._indices, units, strict=False)))
        return self._at_units[units](candidate)

    def _units_of(self, number: int, rule: Rule, cells: tuple[Term, ...]) -> list[Term]:
        """Instantiation terms: the indices at which a rule reads the arrays of `cells`."""
        if (number, cells) not in self._units:
            k = self._indices[0]
            constants = self._constants if rule.head is not None else ()
            units = dict.fromkeys(constants[:1])
            reads = self._reads_of(number, rule)
            met = [[solved(self._arena, cell.args[1], k, e) for e in reads.get(cell.args[0], ())] for cell in cells]
            found = [u for several in zip_longest(*met) for u in several if u is not None and not self._is_rough(u)]
            units.update(dict.fromkeys(sorted(found, key=_is_quotient)))
            if not units:
                units[self._arena.zero] = None
            self._units[number, cells] = list(units)[:MAX_INSTANCES]
        return self._units[number, cells]

    def _places(self, number: int, rule: Rule, cells: tuple[Term, ...]) -> list[tuple[Term, Term]]:
        """The rows and columns at which a rule uses candidates about cells that have both."""
        k, second = self._indices
        found: dict[tuple[Term, Term], None] = {}
        if cells and rule.head is not None:
            found |= dict.fromkeys((self._constants, self._constants[::-1]))
        reads = self._reads_of(number, rule)
        for cell in cells:
            met = (row_and_column(self._arena, cell.args[1], k, second, e) for e in reads.get(cell.args[0], ()))
            found.update((place, None) for place in met if place is not None)
        return list(found)[:MAX_INSTANCES]

    def _is_rough(self, unit: Term) -> bool:
        """Whether a unit is a quotient of a goal's constant: divisions cost much, and its cell is another's."""
        return _is_quotient(unit) and not unit.symbols().isdisjoint(self._constants)

    def _reads_of(self, number: int, rule: Rule) -> Mapping[Term, Mapping[Term, None]]:
        """The reads of a rule: also of the cells that it leads to, at the constants of goals."""
        if number not in self._reads:
            read = [rule.constraint]
            if rule.head is not None:
                read += rule.head.values
                layout = self._layouts[rule.head.relation]
                for cell in (*layout.cells, *layout.ghosts):
                    read += [self._goal(rule, rule.head, cell.element(self._arena, k)) for k in self._indices]
                for grid in layout.grids:
                    places = self._indices, self._indices[::-1]
                    read += [self._goal(rule, rule.head, grid.element(self._arena, *place)) for place in places]
                read += [self._goal(rule, rule.head, t) for t in layout.marked]
            for premise in rule.premises:
                read += self._layouts[premise.relation].marked
            self._reads[number] = reads_of(read)
        return self._reads[number]

    # Proofs

    def needed(self, kept: Kept, facts: Kept) -> Kept:
        """A part of what was kept that is inductive and excludes the errors, by cores of the proofs; all `facts`."""

        def core(step: NumberedRule, candidate: Term, needed: Formulas[int]) -> Iterable[Term]:
            return (c for _, c in self._core(step.number, step.rule, candidate, kept, needed))

        needed: Formulas[int] = {relation: {} for relation in range(len(facts))}
        self._houdini.close(needed, [(relation, c) for relation, own in enumerate(facts) for c in own], core)
        for number, rule in enumerate(self._system.rules):
            if rule.head is None:
                self._houdini.close(needed, self._core(number, rule, None, kept, needed), core)
        return list(needed.values())

    def _core(
        self, number: int, rule: Rule, goal: Term | None, kept: Kept, needed: Formulas[int]
    ) -> list[tuple[int, Term]]:
        """The candidates from which a goal follows (None: that the rule is impossible), few of them."""
        named: dict[Term, tuple[int, Term]] = {}
        for premise in rule.premises:
            own = kept[premise.relation]
            for c in sorted(own, key=lambda c: (c not in needed[premise.relation], c.size)):
                named.setdefault(self._arena.and_(*self._instances(number, rule, c)), (premise.relation, c))
        # The solver is told more only where the goal does not follow from less: of all it may find no answer.
        for told in self._more_and_more(named, goal, needed):
            solver = self._solver(LAST_EFFORT, rule)
            if goal is not None and rule.head is not None:
                self._tell(solver, [self._arena.not_(self._goal(rule, rule.head, goal))])
            for fact in self._given.get(number, ()):
                self._tell(solver, self._instances(number, rule, fact))
            self._tell(solver, [], told)
            ask = refuting(solver, self._limits.check)
            core = ask(told)
            if core is not None:
                return [named[t] for t in minimal(sorted(core, key=lambda t: -t.size), ask)]
        # The check may find instances that are not taken here.
        return [(premise.relation, c) for premise in rule.premises for c in kept[premise.relation]]

    def _more_and_more(
        self, named: Mapping[Term, tuple[int, Term]], goal: Term | None, needed: Formulas[int]
    ) -> Iterator[list[Term]]:
        """Parts of what is known: what says nothing that a goal does not speak of, what has no products, and all."""
        if goal is not None:
            spoken = goal.symbols()
            yield [
                t for t, (at, c) in named.items() if c in needed[at] or len(c.symbols()) == 1 or c.symbols() <= spoken
            ]
        linear = [t for t in named if all(u.op is not Op.MULTIPLY for u in subterms(t))]
        if len(linear) < len(named):
            yield linear
        yield list(named)


def _source(rule: Rule) -> int | None:
    return rule.premises[0].relation if rule.premises else None


def _is_quotient(unit: Term) -> bool:
    return any(t.op is Op.DIVIDE for t in subterms(unit))
