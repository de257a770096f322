"""Backward reachability under predicate abstraction, refined by what spurious paths say of indices.

M. N. Seghir, A. Podelski, T. Wies, "Abstraction refinement for quantified array assertions", SAS 2009.

| here | there |
| --- | --- |
| `Backward.explore` | figure 5, lfp(pre#, unsafe), and its test against nonInit |
| `Backward._before` | section 5, pre#: the predicates that a conjunction's predecessors imply |
| `Backward.learn` | section 6, extract1, from the preconditions of the feasible part of a spurious path |
| `methods.engines.acsar.cubes` | section 4.1, updates are eliminated by case splits |
| `methods.engines.acsar.extraction` | section 6, saturation |

Ghosts: section 4.1 has one for each variable that the assertion quantifies. In C an index of the assertion is an
arbitrary value, or the counter of a loop that checks; both become ghosts, the second with the equation that it is the
counter's value.

Deviations: predecessors are abstracted case by case (on undecided updates `part_init` and `find` have no proof);
predicates belong to a location; they come from the part of a path that an unsatisfiable core needs (else the guards
of counters unroll loops); an abstract state covers another also with its ghosts exchanged.

Limitations: two ghosts; selection sort has no proof with fixed ghosts (see `methods.engines.acsar.engine`).
Required: nothing, what is found is checked as a certificate.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from core.dataclass import dataclass
from core.decision.instances import reads_of
from core.limits import Limits
from core.parameters import parameter
from core.program import Range
from core.program.semantics import range_facts
from core.solver.contract import Sat, Solver, SolverFactory
from core.terms import INT, Arena, Substitution, Term, literals
from methods.discovery.horn import HornSystem, Rule
from methods.engines.acsar.cubes import CaseSplit, Conjunction, implied
from methods.engines.acsar.extraction import extracted
from methods.engines.acsar.samples import rule_terms
from methods.inference.cores import minimal, refuting

EFFORT = parameter("acsar.backward.effort")
MAX_NODES = parameter("acsar.backward.max-nodes")
MAX_PREDICATES = parameter("acsar.backward.max-predicates")

Origin = tuple[int, int]  # of a literal: the position on a path whose rule has it, and its number there


class ExplorationTooLarge(Exception):
    """Raised where an exploration reaches `MAX_NODES`."""


@dataclass(frozen=True, eq=False)
class Backstep:
    """A step back over a rule: in `case`, its target is reached from states of `cube`, at the premise of the rule.

    `after` is the step that was taken before, towards the error; None: the rule ends in one.
    """

    rule: int
    case: Conjunction
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
        moving = _moving(system)
        self._rules = [_with_ghosts(arena, system, rule, ghosts, moving, is_pointer) for rule in system.rules]
        self._asked: dict[int, Solver] = {}  # the solver of each rule
        self._into: list[list[int]] = [[] for _ in system.arguments]  # rules by the relation of their head
        for number, rule in enumerate(self._rules):
            if rule.head is not None:
                self._into[rule.head.relation].append(number)
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
        known = self.states[self._relation(step)]
        literals_ = frozenset(step.cube)
        if any(literals_.issuperset(cube) for other in known for cube in self._exchanged(other.cube)):
            return
        if sum(map(len, self.states)) >= MAX_NODES:
            raise ExplorationTooLarge
        known.append(step)
        waiting.append(step)

    def _exchanged(self, cube: Conjunction) -> Iterator[Conjunction]:
        """A cube, and the same with its ghosts exchanged."""
        yield cube
        k, second = self._ghosts
        if any(second in literal.symbols() for literal in cube):
            exchange = Substitution(self._arena, {k: second, second: k})
            yield tuple(map(exchange, cube))

    def clauses(self, relation: int) -> Iterator[Term]:
        """The clauses that hold at a relation, for all values of the ghosts, if no step leads back to a start."""
        for state in self.states[relation]:
            yield self._arena.not_(self._arena.and_(*state.cube))

    # Abstract predecessors

    def _before(self, number: int, after: Backstep | None) -> list[Backstep]:
        """The abstract predecessors of a state over a rule, one for each case. Raises `SolverUndecided`."""
        rule, arena, solver = self._rules[number], self._arena, self._solver(number)
        predicates = list(self.precision[rule.premises[0].relation]) if rule.premises else []
        parts = self._substituted(rule, after.cube) if after is not None else []
        steps: list[Backstep] = []
        with solver.scope():
            solver.add(*parts, *range_facts(arena, parts, self._range_of))
            while True:
                self._limits.check()
                answer = solver.check()
                if not isinstance(answer, Sat):
                    return steps
                case = CaseSplit(arena, answer.model).of([rule.constraint, *parts])
                with solver.scope():
                    solver.add(*case)
                    cube = implied(arena, solver, predicates, answer.model)
                steps.append(Backstep(number, case, cube, after))
                solver.add(arena.not_(arena.and_(*cube)))

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
        """New predicates, with their relations, from a spurious path: none if it teaches nothing."""
        steps = start.path()[::-1]
        feasible, core = self._preconditions(steps)
        found = self._learned(steps, feasible, lambda origin: origin in core)
        return found or self._learned(steps, feasible, lambda _: True)

    def _learned(
        self, steps: Sequence[Backstep], feasible: Sequence[dict[Term, Origin]], counts: Callable[[Origin], bool]
    ) -> list[tuple[int, Term]]:
        learned: list[tuple[int, Term]] = []
        for step, precondition in zip(steps, feasible, strict=False):
            if not self._rules[step.rule].premises:
                continue
            relation = self._relation(step)
            cube = [literal for literal, origin in precondition.items() if counts(origin)]
            solver = self._solvers(EFFORT)
            solver.add(*cube, *range_facts(self._arena, cube, self._range_of))
            visible = {*self._system.arguments[relation], *self._ghosts}
            own = self.precision[relation]
            for predicate in extracted(self._arena, solver, cube, visible):
                if predicate not in own and len(own) < MAX_PREDICATES and not self._is_known(relation, predicate):
                    own[predicate] = None
                    learned.append((relation, predicate))
        return learned

    def _is_known(self, relation: int, predicate: Term) -> bool:
        """Whether a predicate holds in all states at a relation by ranges and what was found before."""
        solver = self._solvers(EFFORT)
        solver.add(self._arena.not_(predicate), *self._known[relation])
        solver.add(*range_facts(self._arena, [predicate, *self._known[relation]], self._range_of))
        return not isinstance(solver.check(), Sat)

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
            rule, case = self._renamed(step)
            formulas = self._formulas(position, rule, before)
            solver = self._solvers(EFFORT)
            solver.add(*range_facts(self._arena, formulas, self._range_of))
            while not isinstance(answer := solver.check(list(formulas)), Sat):
                # guards of counters are left out first
                ordered = sorted(answer.core, key=lambda f: (self._is_about_ghosts(f), -f.size))
                core = minimal(ordered, refuting(solver, self._limits.check))
                refutation = list(feasible), frozenset(formulas[f] for f in core)
                if any(self._is_about_ghosts(f) for f in core):
                    return refutation
                first = first if first[0] or first[1] else refutation
                left_out |= refutation[1]
                formulas = {f: origin for f, origin in formulas.items() if origin not in left_out}
            # The case of the abstract path, if it is possible, is to be excluded.
            alike = solver.check([*formulas, *case])
            model, preferred = (alike.model, case) if isinstance(alike, Sat) else (answer.model, ())
            before = {}
            for formula, origin in formulas.items():
                for literal in CaseSplit(self._arena, model, preferred).of([formula]):
                    before.setdefault(literal, origin)
            feasible.append(before)
        return first

    def _formulas(self, position: int, rule: Rule, before: Mapping[Term, Origin]) -> dict[Term, Origin]:
        """The formulas that must hold before a rule so that `before` holds after it, and the constraint of the rule."""
        formulas: dict[Term, Origin] = {}
        if rule.head is not None:
            formulas.update(zip(self._substituted(rule, before), before.values(), strict=True))
        for i, part in enumerate(literals(rule.constraint)):
            formulas.setdefault(part, (position, i))
        return {formula: origin for formula, origin in formulas.items() if not formula.is_true}

    def _is_about_ghosts(self, formula: Term) -> bool:
        return not formula.symbols().isdisjoint(self._ghosts)

    def _renamed(self, step: Backstep) -> tuple[Rule, Conjunction]:
        """A rule and its case, with copies of the symbols that are its own."""
        rule = self._rules[step.rule]
        arguments = self._system.arguments[rule.premises[0].relation] if rule.premises else ()
        used = frozenset[Term]().union(*(t.symbols() for t in (*rule_terms(rule), *step.case)))
        own = sorted(used.difference(arguments, self._ghosts), key=lambda s: s.id)
        copies = Substitution(self._arena, {s: self._arena.fresh(s.name, s.sort) for s in own})
        head = rule.head
        if head is not None:
            head = type(head)(head.relation, tuple(map(copies, head.values)))
        return Rule(rule.premises, copies(rule.constraint), head), tuple(map(copies, step.case))


def _moving(system: HornSystem) -> frozenset[Term]:
    """The arguments that some rule changes."""
    moving: set[Term] = set()
    for rule in system.rules:
        if rule.head is not None:
            pairs = zip(system.arguments[rule.head.relation], rule.head.values, strict=True)
            moving.update(x for x, value in pairs if value is not x)
    return frozenset(moving)


def _with_ghosts(
    arena: Arena,
    system: HornSystem,
    rule: Rule,
    ghosts: tuple[Term, Term],
    moving: frozenset[Term],
    is_pointer: Callable[[Term], bool],
) -> Rule:
    """A rule that ends in an error, with ghosts for the variables of its indices."""
    if rule.head is not None:
        return rule
    arguments = system.arguments[rule.premises[0].relation] if rule.premises else ()
    indices = dict.fromkeys(
        s
        for own in reads_of([rule.constraint]).values()
        for index in own
        for s in sorted(index.symbols(), key=lambda s: s.id)
        if s.sort is INT and not is_pointer(s)
    )
    arbitrary = [s for s in indices if s not in arguments]
    chosen = dict(zip(arbitrary or [s for s in indices if s in moving], ghosts, strict=False))
    constraint = Substitution(arena, chosen)(rule.constraint)
    known = (arena.equals(x, ghost) for x, ghost in chosen.items() if x in arguments)
    return Rule(rule.premises, arena.and_(constraint, *known), None)
