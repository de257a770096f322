"""Backward reachability under predicate abstraction, refined by what spurious paths say of indices.

M. N. Seghir, A. Podelski, T. Wies, "Abstraction refinement for quantified array assertions", SAS 2009.

| here | there |
| --- | --- |
| `Backward.explore` | figure 5, lfp(pre#, unsafe), and its test against nonInit |
| `Backward._before` | section 5, pre#: the predicates that a conjunction's predecessors imply |
| `Backward.learn` | section 6, extract1, from the preconditions of the feasible part of a spurious path |
| `methods.engines.acsar.cubes` | section 4.1, updates are eliminated by case splits |
| `methods.engines.acsar.extraction` | section 6, saturation |
| `Backward._saturated` | not there: ghosts beside what counts, and in its place in what is said of elements |
| `Backward._covering`, `_keeping` | not there: ghosts chosen anew at a step |

Ghosts: section 4.1 has one for each variable that the assertion quantifies. In C an index of the assertion is an
arbitrary value, or the counter of a loop that checks; both become ghosts, the second with the equation that it is the
counter's value.

Deviations, each in the order in which it decides programs:

- Ghosts are chosen anew at a step: cubes are those of *indexed predicates* (S. K. Lahiri, R. E. Bryant, CAV 2004) and
  hold for some values of the ghosts. A state that a predecessor implies with any indices of its case as ghosts covers
  it. Where what the error says of the elements at ghosts would be lost, because a ghost is an index that is written,
  the ghost stands for the index from which the element came.
- Predicates come from the part of a path that an unsatisfiable core needs, first from a core without guards of
  counters, which would unroll loops. For that, preconditions are saturated with the order of ghosts and counters, and
  an index that equals a ghost becomes the ghost, which no step changes. Only if that gives nothing new come all that is
  said of ghosts, of elements, and at last all.
- Predecessors are abstracted case by case (on undecided updates `part_init` and `find` have no proof).
- Predicates belong to a location, but those about ghosts alone to all; remainders of counters are known of invariants
  (the guards' are predicates as other conjuncts are).
- Each round explores anew (lazy abstraction would keep what does not change).

Limitations: two ghosts; of what an error says that no choice of ghosts keeps, only the predicates that are there.
Required: nothing, what is found is checked as a certificate.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product

from core.dataclass import dataclass
from core.decision.instances import reads_of
from core.limits import Limits
from core.parameters import parameter
from core.program import Range
from core.program.semantics import range_facts
from core.solver.contract import Model, Sat, Solver, SolverFactory
from core.terms import INT, Arena, Substitution, Term, literals, replace_subterms, subterms
from methods.discovery.horn import HornSystem, Rule
from methods.engines.acsar.cubes import CaseSplit, Conjunction, implied, reads
from methods.engines.acsar.extraction import extracted
from methods.engines.acsar.samples import rule_terms
from methods.inference.cores import minimal, refuting

EFFORT = parameter("acsar.backward.effort")
MAX_NODES = parameter("acsar.backward.max-nodes")
MAX_PREDICATES = parameter("acsar.backward.max-predicates")

Origin = tuple[int, int]  # of a literal: the position on a path whose rule has it, and its number there


class RefinementEnded(Exception):
    """Raised with the reason where exploration or refinement comes to no end."""


@dataclass(frozen=True, eq=False)
class Backstep:
    """A step back over a rule: in `case`, its target is reached from states of `cube`, at the premise of the rule.

    The ghosts of `cube` stand for the terms `chosen`, which may have those after the step.

    `after` is the step that was taken before, towards the error; None: the rule ends in one.
    """

    rule: int
    case: Conjunction
    chosen: tuple[Term, ...]
    cube: Conjunction
    after: Backstep | None

    def path(self) -> list[Backstep]:
        """The steps from here to the error."""
        steps: list[Backstep] = []
        here: Backstep | None = self
        while here is not None:
            steps.append(here)
            here = here.after
        return steps


class Backward:
    """The abstraction of a system of rules with at most one premise, whose values are the arguments themselves.

    `known[i]` holds of all states at relation i, without ghosts.
    """

    def __init__(
        self,
        arena: Arena,
        system: HornSystem,
        ghosts: tuple[Term, Term],
        is_pointer: Callable[[Term], bool],
        range_of: Callable[[Term], Range | None],
        facts: Sequence[Iterable[Term]],
        solvers: SolverFactory,
        limits: Limits,
    ) -> None:
        self._arena = arena
        self._system = system
        self._known = facts
        self._ghosts = ghosts
        self._range_of = range_of
        self._solvers = solvers
        self._limits = limits
        self._is_pointer = is_pointer
        self._moving = moving = _moving(system)
        chosen = [_chosen(system, rule, ghosts, moving, is_pointer) for rule in system.rules]
        self._rules = [_with_ghosts(arena, system, *one) for one in zip(system.rules, chosen, strict=True)]
        self._ghost_ranges = {k: r for own in chosen for x, k in own.items() if (r := range_of(x)) is not None}
        self._asked: dict[int, Solver] = {}  # the solver of each rule
        self._into: list[list[int]] = [[] for _ in system.arguments]  # rules by the relation of their head
        for number, rule in enumerate(self._rules):
            if rule.head is not None:
                self._into[rule.head.relation].append(number)
        errors = (literals(rule.constraint) for rule in self._rules if rule.head is None)
        self._errors = frozenset(p for own in errors for p in own if self._is_about_ghosts(p))
        self._may_keep = True  # what an error says of elements, by ghosts chosen anew
        self._refused = False  # whether there was a predicate beyond the most
        self.precision: list[dict[Term, None]] = [{} for _ in system.arguments]
        self.states: list[list[Backstep]] = [[] for _ in system.arguments]

    def explore(self) -> Backstep | None:
        """A step back to a start of the program; None if there is none: then no state of `states` is reachable."""
        self.states = [[] for _ in self._system.arguments]
        waiting: deque[Backstep] = deque()
        for index, rule in enumerate(self._rules):
            if rule.head is None:
                for step in self._before(index, None):
                    if not rule.premises:
                        return step
                    self._add(step, waiting)
        while waiting:
            here = waiting.popleft()
            for index in self._into[self._relation(here)]:
                for step in self._before(index, here):
                    if not self._rules[index].premises:
                        return step
                    self._add(step, waiting)
        return None

    def _relation(self, step: Backstep) -> int:
        return self._rules[step.rule].premises[0].relation

    def _add(self, step: Backstep, waiting: deque[Backstep]) -> None:
        if sum(map(len, self.states)) >= MAX_NODES:
            raise RefinementEnded("refinement found too many abstract states")
        self.states[self._relation(step)].append(step)
        waiting.append(step)

    def clauses(self, relation: int) -> Iterator[Term]:
        """The clauses that hold at a relation, for all values of the ghosts, if no step leads back to a start."""
        for state in self.states[relation]:
            yield self._arena.not_(self._arena.and_(*state.cube))

    # Abstract predecessors

    def _before(self, number: int, after: Backstep | None) -> Iterator[Backstep]:
        """The abstract predecessors of a state over a rule that no state covers, one for each case.

        Raises `SolverUndecided`.
        """
        rule, arena, solver = self._rules[number], self._arena, self._solver(number)
        predicates = list(self.precision[rule.premises[0].relation]) if rule.premises else []
        told = after.cube if after is not None else ()
        parts = self._substituted(rule, told) if after is not None else []
        known = self.states[rule.premises[0].relation] if rule.premises else []
        with solver.scope():
            solver.add(*parts, *range_facts(arena, parts, self._range_of))
            while True:
                self._limits.check()
                answer = solver.check()
                if not isinstance(answer, Sat):
                    return
                case = CaseSplit(arena, answer.model).of([rule.constraint, *parts])
                with solver.scope():
                    solver.add(*case)
                    choices = self._choices(case)
                    excluded = self._covering(solver, choices, known, answer.model)
                    is_new = excluded is None
                    if excluded is None:
                        chosen = self._keeping(solver, choices, told, predicates, answer.model)
                        there = self._there(chosen)
                        excluded = implied(arena, solver, list(dict.fromkeys(map(there, predicates))), answer.model)
                if is_new:
                    yield Backstep(number, case, chosen, tuple(p for p in predicates if there(p) in excluded), after)
                solver.add(arena.not_(arena.and_(*excluded)))

    def _there(self, chosen: Sequence[Term]) -> Substitution:
        """The substitution of ghosts chosen anew by the terms for which they stand."""
        return Substitution(self._arena, dict(zip(self._ghosts, chosen, strict=True)))

    def _choices(self, case: Conjunction) -> list[tuple[Term, ...]]:
        """The terms for which ghosts may stand before a step: themselves first, and the indices of its case."""
        indices = (index for own in reads_of(case).values() for index in own)
        return list(permutations(dict.fromkeys((*self._ghosts, *indices)), len(self._ghosts)))

    def _covering(
        self, solver: Solver, choices: Iterable[tuple[Term, ...]], known: Sequence[Backstep], model: Model
    ) -> Conjunction | None:
        """A known state, with ghosts chosen anew, that follows from what the solver was told; None: there is none."""
        for chosen in choices:
            there = self._there(chosen)
            for state in known:
                cube = tuple(map(there, state.cube))
                if self._follows(solver, cube, model):
                    return cube
        return None

    def _keeping(
        self,
        solver: Solver,
        choices: Sequence[tuple[Term, ...]],
        told: Conjunction,
        predicates: Collection[Term],
        model: Model,
    ) -> tuple[Term, ...]:
        """The ghosts chosen so that what the error says of elements at them still holds, if there are such."""
        wanted = [p for p in told if p in predicates and p in self._errors and self._is_compared(p)]
        for chosen in choices if self._may_keep and any(map(reads, wanted)) else ():
            if self._follows(solver, tuple(map(self._there(chosen), wanted)), model):
                return chosen
        return choices[0]

    def _follows(self, solver: Solver, cube: Conjunction, model: Model) -> bool:
        """Whether literals follow from what the solver was told; `model` is one of it."""
        holds = all(model.value(literal) is True for literal in cube)
        return holds and not isinstance(solver.check([self._arena.not_(self._arena.and_(*cube))]), Sat)

    def _solver(self, number: int) -> Solver:
        if number not in self._asked:
            rule = self._rules[number]
            solver = self._asked[number] = self._solvers(EFFORT)
            solver.add(rule.constraint, *range_facts(self._arena, rule_terms(rule), self._range_of))
        return self._asked[number]

    def _substituted(self, rule: Rule, cube: Iterable[Term]) -> list[Term]:
        """The literals about the target of a rule as literals about its source."""
        assert rule.head is not None
        arguments = self._system.arguments[rule.head.relation]
        values = Substitution(self._arena, dict(zip(arguments, rule.head.values, strict=True)))
        return [values(literal) for literal in cube]

    # Refinement

    def learn(self, start: Backstep) -> list[tuple[int, Term]]:
        """New predicates, with their relations, from a spurious path.

        None, where another exploration does without ghosts chosen anew. Raises `RefinementEnded` if it teaches nothing.
        """
        steps = start.path()[::-1]
        feasible, core = self._preconditions(steps)
        found = (
            self._learned(steps, feasible, lambda _, origin: origin in core)
            or self._learned(steps, feasible, lambda literal, _: self._is_about_ghosts(literal))
            or self._learned(steps, feasible, lambda literal, _: self._is_about_ghosts(literal) or reads(literal))
            or self._learned(steps, feasible, lambda _, __: True)
        )
        if found:
            return found
        if self._may_keep and any(step.chosen != self._ghosts for step in steps):
            self._may_keep = False
            return []
        if self._refused:
            raise RefinementEnded(f"refinement needs more than {MAX_PREDICATES} predicates at one place")
        raise RefinementEnded("refinement found a path that is not feasible and gives no new predicates")

    def _learned(
        self, steps: Sequence[Backstep], feasible: Sequence[dict[Term, Origin]], counts: Callable[[Term, Origin], bool]
    ) -> list[tuple[int, Term]]:
        learned: list[tuple[int, Term]] = []
        for step, precondition in zip(steps, feasible, strict=False):
            if not self._rules[step.rule].premises:
                continue
            relation = self._relation(step)
            cube = [literal for literal, origin in precondition.items() if counts(literal, origin)]
            solver = self._solvers(EFFORT)
            solver.add(*cube, *range_facts(self._arena, cube, self._range_of))
            visible = {*self._system.arguments[relation], *self._ghosts}
            for predicate in extracted(self._arena, solver, cube, visible):
                learned += self._new(relation, predicate)
        return learned

    def _new(self, relation: int, predicate: Term) -> Iterator[tuple[int, Term]]:
        """Take a predicate at a relation; one about ghosts and elements at these alone, wherever it can be said."""
        for place in range(len(self.precision)) if self._is_of_ghosts_alone(predicate) else (relation,):
            own = self.precision[place]
            is_said = predicate.symbols() <= {*self._system.arguments[place], *self._ghosts}
            if not is_said or predicate in own or self._is_known(place, predicate):
                continue
            if len(own) < MAX_PREDICATES:
                own[predicate] = None
                yield place, predicate
            else:
                self._refused = True

    def _is_known(self, relation: int, predicate: Term) -> bool:
        """Whether a predicate or its negation holds at a relation by ranges and what was found before."""
        solver = self._solvers(EFFORT)
        solver.add(*self._known[relation])
        solver.add(*range_facts(self._arena, [predicate, *self._known[relation]], self._range))
        return any(not isinstance(solver.check([t]), Sat) for t in (predicate, self._arena.not_(predicate)))

    def _range(self, x: Term) -> Range | None:
        """The range of a symbol; of a ghost, that of what it stands for."""
        return self._ghost_ranges.get(x) or self._range_of(x)

    def _preconditions(self, steps: Sequence[Backstep]) -> tuple[list[dict[Term, Origin]], frozenset[Origin]]:
        """The preconditions of the suffixes of a path before one that is refuted, shortest first, and what refutes it.

        A refutation that says nothing of ghosts would unroll loops round by round. It is taken only if there is no
        other without the guards that it needs.
        """
        feasible: list[dict[Term, Origin]] = []
        first: tuple[list[dict[Term, Origin]], frozenset[Origin]] = [], frozenset()
        before: dict[Term, Origin] = {}
        left_out: set[Origin] = set()
        for position, step in enumerate(steps):
            rule, case, chosen = self._renamed(step)
            formulas = self._formulas(position, rule, before)
            solver = self._solvers(EFFORT)
            solver.add(*range_facts(self._arena, formulas, self._range_of))
            while not isinstance(answer := solver.check(list(formulas)), Sat):
                told = [f for f, (number, _) in formulas.items() if number == position or self._is_about_ghosts(f)]
                without = solver.check(told)
                # guards of counters are left out first
                found = (answer if isinstance(without, Sat) else without).core
                ordered = sorted(found, key=lambda f: (self._is_about_ghosts(f), -f.size))
                core = minimal(ordered, refuting(solver, self._limits.check))
                refutation = list(feasible), frozenset(formulas[f] for f in core)
                if not isinstance(without, Sat) and any(self._is_about_ghosts(f) for f in core):
                    return refutation
                first = first if first[0] or first[1] else refutation
                guards = [f for f in core if not self._is_about_ghosts(f)] or core
                left_out |= {formulas[f] for f in guards}
                formulas = {f: origin for f, origin in formulas.items() if origin not in left_out}
            # The case of the abstract path, as far as it is possible, is to be excluded.
            preferred = case
            while not isinstance(answer := solver.check([*formulas, *preferred]), Sat):
                preferred = tuple(t for t in preferred if t not in answer.core or t in formulas)
            model = answer.model
            before = {}
            for formula, origin in formulas.items():
                for literal in CaseSplit(self._arena, model, preferred).of([formula]):
                    before.setdefault(literal, origin)
            if rule.premises:
                before = self._anew(step, before, chosen, position)
                for number, literal in enumerate(self._saturated(rule.premises[0].relation, dict(before))):
                    before.setdefault(literal, (position, -1 - number))
            feasible.append(before)
        return first

    def _anew(
        self, step: Backstep, before: dict[Term, Origin], chosen: Sequence[Term], position: int
    ) -> dict[Term, Origin]:
        """The literals of a conjunction about ghosts that were chosen anew, without those that they were before."""
        arena = self._arena
        old = {k: arena.fresh(k.name, k.sort) for k, t in zip(self._ghosts, chosen, strict=True) if t is not k}
        if not old:
            return before
        renamed = Substitution(arena, old)
        made = {renamed(literal): origin for literal, origin in before.items()}
        for n, k in enumerate(self._ghosts):
            if k in old:
                made[arena.equals(k, renamed(chosen[n]))] = position, -MAX_PREDICATES - n
        for literal in [t for t in self._saturated(self._relation(step), dict(made)) if t not in made]:
            made[literal] = position, -2 * MAX_PREDICATES
        return {t: origin for t, origin in made.items() if t.symbols().isdisjoint(old.values())}

    def _saturated(self, relation: int, cube: Mapping[Term, Origin]) -> Iterator[Term]:
        """The inequalities between ghosts and what moves that follow from a conjunction, and what it says of elements
        if ghosts that equal other indices stand for these.
        """
        arena, solver = self._arena, self._solvers(EFFORT)
        solver.add(*cube, *range_facts(arena, cube, self._range_of))
        answer = solver.check()
        if not isinstance(answer, Sat):
            return
        indices = (e for own in reads_of(cube).values() for e in own if e not in self._ghosts and not e.is_constant)
        moving = [x for x in self._system.arguments[relation] if self._is_counting(x)]
        for ghost, x in product(self._ghosts, dict.fromkeys((*moving, *indices))):
            orders = (arena.lt(ghost, x), arena.le(ghost, x)), (arena.lt(x, ghost), arena.le(x, ghost))
            found = [next((t for t in two if self._follows(solver, (t,), answer.model)), None) for two in orders]
            yield from (t for t in found if t is not None and x in moving)
            if None not in found:
                yield from (replace_subterms(arena, t, {x: ghost}) for t in cube if reads(t) and x in subterms(t))

    def _is_counting(self, x: Term) -> bool:
        return x in self._moving and x.sort is INT and not self._is_pointer(x)

    def _formulas(self, position: int, rule: Rule, before: Mapping[Term, Origin]) -> dict[Term, Origin]:
        """The formulas that must hold before a rule so that `before` holds after it, and the constraint of the rule."""
        formulas: dict[Term, Origin] = {}
        if rule.head is not None:
            formulas.update(zip(self._substituted(rule, before), before.values(), strict=True))
        for i, part in enumerate(literals(rule.constraint)):
            formulas.setdefault(part, (position, i))
        return {formula: origin for formula, origin in formulas.items() if not formula.is_true}

    def _is_of_ghosts_alone(self, formula: Term) -> bool:
        return all(s in self._ghosts for s in formula.symbols() if s.sort is INT)

    def _is_compared(self, formula: Term) -> bool:
        """Whether a formula compares ghosts, or says something of elements at these alone."""
        return self._is_of_ghosts_alone(formula) and (reads(formula) or formula.symbols() >= set(self._ghosts))

    def _is_about_ghosts(self, formula: Term) -> bool:
        return not formula.symbols().isdisjoint(self._ghosts)

    def _renamed(self, step: Backstep) -> tuple[Rule, Conjunction, tuple[Term, ...]]:
        """A rule, its case and the ghosts chosen anew, with copies of the symbols that are its own."""
        rule = self._rules[step.rule]
        arguments = self._system.arguments[rule.premises[0].relation] if rule.premises else ()
        used = frozenset[Term]().union(*(t.symbols() for t in (*rule_terms(rule), *step.case, *step.chosen)))
        own = sorted(used.difference(arguments, self._ghosts), key=lambda s: s.id)
        copies = Substitution(self._arena, {s: self._arena.fresh(s.name, s.sort) for s in own})
        head = rule.head
        if head is not None:
            head = type(head)(head.relation, tuple(map(copies, head.values)))
        made = Rule(rule.premises, copies(rule.constraint), head)
        return made, tuple(map(copies, step.case)), tuple(map(copies, step.chosen))


def _moving(system: HornSystem) -> frozenset[Term]:
    """The arguments that some rule changes."""
    moving: set[Term] = set()
    for rule in system.rules:
        if rule.head is not None:
            pairs = zip(system.arguments[rule.head.relation], rule.head.values, strict=True)
            moving.update(x for x, value in pairs if value is not x)
    return frozenset(moving)


def _chosen(
    system: HornSystem,
    rule: Rule,
    ghosts: tuple[Term, Term],
    moving: frozenset[Term],
    is_pointer: Callable[[Term], bool],
) -> dict[Term, Term]:
    """The ghosts for the variables of the indices of a rule that ends in an error."""
    if rule.head is not None:
        return {}
    arguments = _arguments(system, rule)
    indices = dict.fromkeys(
        s
        for own in reads_of([rule.constraint]).values()
        for index in own
        for s in sorted(index.symbols(), key=lambda s: s.id)
        if s.sort is INT and not is_pointer(s)
    )
    arbitrary = [s for s in indices if s not in arguments]
    return dict(zip(arbitrary or [s for s in indices if s in moving], ghosts, strict=False))


def _with_ghosts(arena: Arena, system: HornSystem, rule: Rule, chosen: Mapping[Term, Term]) -> Rule:
    """A rule that ends in an error, with the ghosts that were chosen for it."""
    if not chosen:
        return rule
    constraint = Substitution(arena, chosen)(rule.constraint)
    known = (arena.equals(x, ghost) for x, ghost in chosen.items() if x in _arguments(system, rule))
    return Rule(rule.premises, arena.and_(constraint, *known), None)


def _arguments(system: HornSystem, rule: Rule) -> Sequence[Term]:
    """The variables before a rule."""
    return system.arguments[rule.premises[0].relation] if rule.premises else ()
