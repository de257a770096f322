"""Implications between formulas whose integer atoms are propositions, decided by one incremental SAT solver.

Formulas become clauses by the definitions of the kernel, each subterm once. The order of bounds of one sum is the only
arithmetic here, beside what ranges say: it holds for integers and bit-vectors alike. All other arithmetic must come
from lemmas. The solver logs from which clauses its answers follow, and what it derives always holds: so the kernel
replays each derived clause once, however many answers rest on it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from core.decision.justification import (
    Axiom,
    Contradiction,
    Derived,
    Justification,
    Lifted,
    Ordered,
    Propagated,
    ValidClause,
)
from core.decision.kernel import Kernel, Wrong
from core.terms import BOOL, Arena, Term, Treatment, atoms, branched
from sat.proof_trace import Logged, ProvingSolver

OTHER_OPERATORS = Treatment.OPAQUE


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
        self._defined: set[int] = set()  # literals whose definitions the solver has
        self._reached: tuple[set[int], set[int]] = (set(), set())  # literals, without lifting and with it
        self._specialised: set[tuple[Term, tuple[Term, ...]]] = set()  # atoms, with the conditions put in
        self._lifted: set[Term] = set()  # atoms that came from lifting: not lifted again, for that could go on long
        self._bounds: dict[Term, list[Term]] = {}  # sum -> its bounds, ascending

    def new_group(self) -> int:
        """A literal for a group of valid formulas, which count where the group is used."""
        group = self._kernel.literal(self._arena.fresh("group", BOOL))
        self._groups.add(group)
        return group

    def learn(self, formula: Term) -> int:
        """Add a formula that is a lemma of the kernel; returns its group."""
        group = self.new_group()
        self._add(Axiom(formula), (-group, self.literal(formula)))
        return group

    def include(self, group: int, other: int) -> None:
        """Add the formulas of `other` to `group`."""
        self._add(None, (-group, other))

    def used(self, facts: Iterable[Term], groups: Sequence[int]) -> tuple[int, ...] | None:
        """The part of `groups` that contradicts facts; None where no contradiction is found."""
        last = self._refutation(groups, list(facts), lifts=True)
        return None if last is None else tuple(g for g in groups if -g in last.clause)

    def closed(self, facts: Sequence[Term], group: int, *, lifts: bool = True) -> Justification | None:
        """A justification that closes facts by the formulas of `group`; None where none is found.

        Conditions in atoms are put in where facts decide them; with `lifts`, choices become choices between atoms.
        """
        if self._arena.false in facts:
            return Contradiction(self._arena.false)
        last = self._refutation((group,), facts, lifts=lifts)
        if last is None:
            return None
        formulas = tuple(f for n, f in ((self._kernel.literal(f), f) for f in facts) if -n in last.clause)
        if not last.antecedents:
            return Contradiction(formulas[0])
        try:
            for number, one in self._solver.needed(last, self._derived):
                self._derived[number] = self._replayed(one)
            return Propagated(formulas, self._replayed(last))
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

    def _refutation(self, groups: Sequence[int], facts: Sequence[Term], *, lifts: bool) -> Logged | None:
        """A refutation of facts by the solver: as they are, then specialised, at last with choices lifted."""
        literals = [self.literal(f, lifts=False) for f in facts]
        asked = 0  # the clauses at the last question
        for stage in range(3 if lifts else 2):
            if stage == 1:
                self._specialise(facts)
            elif stage == 2:
                for n in literals:
                    self._follow(n, lifts=True)
            if len(self._clauses) > asked or not asked:
                last = self._solver.refutation([*groups, *literals], self._conflicts)
                if last is not None:
                    return last
            asked = len(self._clauses)
        return None

    def _specialise(self, facts: Sequence[Term]) -> None:
        """Add what the atoms of facts are with the conditions of their choices put in that facts decide."""
        known = _Known(facts)
        for atom in dict.fromkeys(a for f in facts for a in atoms(f)):
            known.told.clear()
            made = branched(self._arena, atom, known)
            conditions = tuple(known.told)
            if made is not atom and (atom, conditions) not in self._specialised:
                self._specialised.add((atom, conditions))
                n, m = self._kernel.literal(atom), self._kernel.literal(made)
                denied = [-self._kernel.literal(c) for c in conditions]
                self._add(Lifted(atom, is_implied=False, conditions=conditions), (*denied, -n, m))
                self._add(Lifted(atom, is_implied=True, conditions=conditions), (*denied, n, -m))
                for literal in (*denied, m, -m):
                    self._follow(literal, lifts=False)

    def literal(self, formula: Term, *, lifts: bool = True) -> int:
        """The literal of a formula, with what follows from it."""
        literal = self._kernel.literal(formula)
        self._follow(literal, lifts=lifts)
        return literal

    def _follow(self, literal: int, *, lifts: bool) -> None:
        """Add what follows from a literal; steps share most of that."""
        reached = self._reached[lifts]
        waiting = [literal]
        while waiting:
            n = waiting.pop()
            if n not in reached:
                reached.add(n)
                waiting += self._reach(n, lifts=lifts)

    def _reach(self, literal: int, *, lifts: bool) -> Iterator[int]:
        """Add the clauses that say what follows from a literal; yields literals in them."""
        atom = self._kernel.atoms[abs(literal) - 1]
        if atom.is_bound and not self._defined & {literal, -literal}:
            self._order(atom)
        lifted = self._lifting(atom) if lifts else atom
        if lifted is not atom:
            self._lifted.update(a for a in atoms(lifted) if a is not atom)
            other = self._kernel.literal(lifted) * (1 if literal > 0 else -1)
            self._add(Lifted(atom, literal < 0), (-literal, other))
            yield other
            return  # its choices say all that its definition does
        is_new = literal not in self._defined
        self._defined.add(literal)
        for i, clause in enumerate(self._kernel.definition(atom)):
            if -literal in clause:
                if atom in self._lifted:  # so are the bounds that an equation is made of
                    self._lifted.update(self._kernel.atoms[abs(n) - 1] for n in clause)
                if is_new:
                    self._add(Axiom(atom, i), clause)
                yield from (n for n in clause if n != -literal)

    def _lifting(self, atom: Term) -> Term:
        """An atom with its choices outside; itself where it has none, comes from there, or is decided by ranges."""
        is_atom = atom.is_comparison or atom.is_select
        return self._kernel.lifted(atom) if is_atom and atom not in self._lifted and self._is_open(atom) else atom

    def _is_open(self, atom: Term) -> bool:
        """Whether ranges do not tell if an atom holds."""
        return all(len(clause) > 1 for clause in self._kernel.definition(atom))

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


class _Known:
    """Formulas that hold where facts do: the facts, their parts as far as that follows, and what their bounds say.

    `told` are those that were asked for, and hold.
    """

    def __init__(self, facts: Iterable[Term]) -> None:
        self.told: dict[Term, None] = {}
        self._truth: dict[Term, bool] = {}  # of formulas that are no negations
        self._low: dict[Term, int] = {}
        self._high: dict[Term, int] = {}
        waiting = [(fact, True) for fact in facts]
        while waiting:
            formula, holds = waiting.pop()
            if formula.is_negation:
                waiting.append((formula.args[0], not holds))
            elif formula not in self._truth:
                self._truth[formula] = holds
                if formula.is_conjunction if holds else formula.is_disjunction:
                    waiting += [(part, holds) for part in formula.args]
                elif formula.is_comparison:
                    self._bound(formula, holds=holds)

    def _bound(self, atom: Term, *, holds: bool) -> None:
        body, value = atom.args[0], atom.value
        if holds:
            self._high[body] = min(value, self._high.get(body, value))
        if holds if atom.is_equation else not holds:
            least = value if atom.is_equation else value + 1
            self._low[body] = max(least, self._low.get(body, least))

    def __contains__(self, formula: object) -> bool:
        assert isinstance(formula, Term)
        atom, holds = (formula.args[0], False) if formula.is_negation else (formula, True)
        known = self._truth.get(atom)
        is_in = (self._compared(atom) if known is None and atom.is_comparison else known) is holds
        if is_in:
            self.told[formula] = None
        return is_in

    def _compared(self, atom: Term) -> bool | None:
        body, value = atom.args[0], atom.value
        low, high = self._low.get(body), self._high.get(body)
        if low is not None and value < low:
            return False
        if high is None or high > value or (atom.is_equation and high == value):
            return None
        return not atom.is_equation
