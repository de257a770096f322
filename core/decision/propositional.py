"""Implications between formulas whose integer atoms are propositions, decided by one incremental SAT solver.

Formulas become clauses by the definitions of the kernel, each subterm once. A model of the
solver is refined by the atoms on which the facts rest there. One that intervals deny where the facts hold is excluded;
of one with a choice inside, the solver is told what it is where the condition of the choice is as in the model. So
choices are split where that matters, outer ones first, which mostly leaves nothing of the others.

The order of bounds of one sum is the only arithmetic beside that of intervals: it holds for integers and bit-vectors
alike. All other arithmetic must come from lemmas. The solver logs from which clauses its answers follow, and what it
derives always holds: so the kernel replays each derived clause once, however many answers rest on it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, pairwise

from core.analysis.bounds import Intervals
from core.decision.justification import (
    Axiom,
    Contradiction,
    Deduced,
    Deduction,
    Derived,
    InInterval,
    Justification,
    Lifted,
    Ordered,
    Propagated,
    ValidClause,
)
from core.decision.kernel import Kernel, Wrong, truth
from core.parameters import parameter
from core.terms import BOOL, Arena, Term, Treatment, branched, subterms
from sat.proof_trace import Logged, ProvingSolver

OTHER_OPERATORS = Treatment.OPAQUE

MAX_NODES = parameter("decision.propositional.max-nodes")


class Propositional:
    """A set of valid formulas, and a decision procedure for what follows from them by propositional reasoning."""

    def __init__(self, arena: Arena, kernel: Kernel, solver: ProvingSolver, conflicts: int) -> None:
        self._arena = arena
        self._kernel = kernel
        self._solver = solver
        self._conflicts = conflicts
        self._clauses: list[ValidClause | None] = []  # given to the solver; None: one that includes groups in a group
        self._accepted: set[int] = set()  # positions of those that the kernel has accepted
        self._derived: dict[int, Derived] = {}  # what the solver has derived and proofs rested on, by its number there
        self._groups: set[int] = set()
        self._learned: list[int] = []  # the literals of formulas with choices that were added
        self._reached: set[int] = set()  # literals of which the solver has what follows from them
        self._conditions: dict[Term, Term | None] = {}  # of choices in atoms
        self._split: dict[tuple[Term, int], int] = {}  # what atoms are where the literal of their condition holds
        self._bounds: dict[Term, list[Term]] = {}  # sum -> its bounds, ascending

    def new_group(self) -> int:
        """A literal for a group of valid formulas, which count where the group is used."""
        group = self._kernel.literal(self._arena.fresh("group", BOOL))
        self._groups.add(group)
        return group

    def learn(self, formula: Term) -> int:
        """Add a formula that is a lemma of the kernel; returns its group."""
        group, literal = self.new_group(), self._kernel.literal(formula)
        self._follow(literal)
        self._add(Axiom(formula), (-group, literal))
        if any(t.is_choice and t.sort is not BOOL for t in subterms(formula)):
            self._learned.append(literal)
        return group

    def include(self, group: int, other: int) -> None:
        """Add the formulas of `other` to `group`."""
        self._add(None, (-group, other))

    def used(self, facts: Sequence[Term], groups: Sequence[int]) -> tuple[int, ...] | None:
        """The part of `groups` that contradicts facts; None where no contradiction is found."""
        last = self._refutation(groups, _Decided(self._kernel, facts))
        return None if last is None else tuple(g for g in groups if -g in last.clause)

    def closed(self, facts: Sequence[Term], group: int) -> Justification | None:
        """A justification that closes facts by the formulas of `group`; None where none is found."""
        if self._arena.false in facts:
            return Contradiction(self._arena.false)
        decided = _Decided(self._kernel, facts)
        last = self._refutation((group,), decided)
        if last is None:
            return None
        used = {n: f for n, f in decided.known.items() if -n in last.clause}
        formulas = tuple(used.values())
        rules = tuple(InInterval(f, tuple(facts)) for n, f in used.items() if n in decided.found)
        if not last.antecedents:
            return _after(rules, Contradiction(formulas[0]))
        try:
            for number, one in self._solver.needed(last, self._derived):
                self._derived[number] = self._replayed(one)
            return _after(rules, Propagated(formulas, self._replayed(last)))
        except Wrong:
            return None

    def _replayed(self, logged: Logged) -> Derived:
        """A derived clause, replayed by the kernel. What is in groups are lemmas, so these are left out."""
        given = [self._given(a) if a >= 0 else self._derived[a] for a in logged.antecedents]
        literals = tuple(n for n in logged.clause if -n not in self._groups)
        derived = Derived(literals, tuple(clause for clause in given if clause is not None))
        self._kernel.accept(derived)
        return derived

    def _given(self, position: int) -> ValidClause | None:
        """A clause that the solver was given, accepted by the kernel."""
        clause = self._clauses[position]
        if clause is not None and position not in self._accepted:
            self._kernel.accept(clause)
            self._accepted.add(position)
        return clause

    def _refutation(self, groups: Sequence[int], decided: _Decided) -> Logged | None:
        """A refutation of facts by the solver, with as many choices split as its models ask for."""
        for n in decided.known:
            self._follow(n)
        room = MAX_NODES
        while True:
            last = self._solver.refutation([*groups, *decided.known], self._conflicts)
            if last is not None:
                return last
            model = frozenset(self._solver.model())
            nodes = self._refine(decided.known, decided, model) or self._refine(self._learned, decided, model)
            room -= nodes
            if not nodes or room < 0:
                return None

    def _refine(self, literals: Iterable[int], decided: _Decided, model: Collection[int]) -> int:
        """Exclude a model by the atoms on which `literals` rest there: intervals deny it, or a choice in it is split.

        Returns how many nodes these atoms have: 0 where the model satisfies all that is known of them.
        """
        nodes = 0
        seen: set[int] = set()
        waiting = list(literals)
        while waiting:
            n = waiting.pop()
            if n in seen or n not in model:
                continue
            seen.add(n)
            atom = self._kernel.atoms[abs(n) - 1]
            if not (atom.is_comparison or atom.is_select):
                clauses = (clause for clause in self._kernel.definition(atom) if -n in clause)
                waiting += (m for clause in clauses for m in islice(filter(model.__contains__, clause), 1))
            elif decided.denies(atom, n):
                decided.add(-n, self._arena.not_(atom) if n > 0 else atom)
                self._follow(-n)
                nodes += 1
            elif n not in decided.found and (condition := self._condition(atom)) is not None:
                m = self._kernel.literal(condition)
                m = -m if -m in model else m
                if (atom, m) not in self._split:
                    self._split_choice(atom, m)
                    nodes += sum(1 for _ in subterms(atom))
                waiting += (m, self._split[atom, m] * (1 if n > 0 else -1))
        return nodes

    def _condition(self, atom: Term) -> Term | None:
        """The condition of a choice in an atom; None where it has none."""
        if atom not in self._conditions:
            self._conditions[atom] = _outer_condition(atom)
        return self._conditions[atom]

    def _split_choice(self, atom: Term, m: int) -> None:
        """Add what an atom is where the literal `m` of a condition holds."""
        formula = self._kernel.atoms[abs(m) - 1]
        conditions = (formula if m > 0 else self._arena.not_(formula),)
        made = branched(self._arena, atom, conditions)
        n, k = self._kernel.literal(atom), self._kernel.literal(made)
        self._split[atom, m] = k
        self._add(Lifted(atom, is_implied=False, conditions=conditions), (-m, -n, k))
        self._add(Lifted(atom, is_implied=True, conditions=conditions), (-m, n, -k))
        for literal in (m, -m, k, -k):
            self._follow(literal)

    def _follow(self, literal: int) -> None:
        """Add what follows from a literal; steps share most of that."""
        waiting = [literal]
        while waiting:
            n = waiting.pop()
            if n not in self._reached:
                self._reached.add(n)
                waiting += self._reach(n)

    def _reach(self, literal: int) -> Iterator[int]:
        """Add the clauses that say what follows from a literal; yields literals in them."""
        atom = self._kernel.atoms[abs(literal) - 1]
        if atom.is_bound and -literal not in self._reached:
            self._order(atom)
        for i, clause in enumerate(self._kernel.definition(atom)):
            if -literal in clause:
                self._add(Axiom(atom, i), clause)
                yield from (n for n in clause if n != -literal)

    def _order(self, bound: Term) -> None:
        """Add the order of a bound among those of the same sum so far."""
        bounds = self._bounds.setdefault(bound.args[0], [])
        place = bisect_left(bounds, bound.value, key=lambda one: one.value)
        around = [*bounds[max(place - 1, 0) : place], bound, *bounds[place : place + 1]]
        bounds.insert(place, bound)
        for low, high in pairwise(around):
            self._add(Ordered(low, high), (-self._kernel.literal(low), self._kernel.literal(high)))

    def _add(self, clause: ValidClause | None, literals: Iterable[int]) -> None:
        self._clauses.append(clause)
        self._solver.add(tuple(literals))


class _Decided:
    """Facts by their literals, and what intervals decide where these hold: all is `known`, the latter `found`."""

    def __init__(self, kernel: Kernel, facts: Sequence[Term]) -> None:
        self.known = {kernel.literal(fact): fact for fact in facts}
        self.found: set[int] = set()
        self._kernel, self._facts = kernel, facts

    @cached_property
    def _intervals(self) -> Intervals:
        return self._kernel.intervals.assuming(self._facts)

    def denies(self, atom: Term, literal: int) -> bool:
        """Whether intervals deny a literal of an atom."""
        return atom.is_comparison and truth(self._intervals, atom) is (literal < 0)

    def add(self, literal: int, formula: Term) -> None:
        """Add what intervals decide, with its literal."""
        self.known[literal] = formula
        self.found.add(literal)


def _after(rules: tuple[Deduction, ...], then: Justification) -> Justification:
    return Deduced(rules, then) if rules else then


def _outer_condition(atom: Term) -> Term | None:
    """The condition of a largest one among the choices in an atom that are in no other; None where it has none."""
    largest: Term | None = None
    waiting = [atom]
    seen: set[Term] = set()
    while waiting:
        t = waiting.pop()
        if t.is_quantified:
            return None
        if t.is_choice and t.sort is not BOOL:
            if largest is None or t.size > largest.size:
                largest = t
        elif t not in seen:
            seen.add(t)
            waiting += t.args
    return None if largest is None else largest.args[0]
