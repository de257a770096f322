"""The precision of predicate abstraction: predicates, and an approximation T̂ of each abstract transition.

R. Jhala and K. L. McMillan, "Interpolant-based transition relation approximation", LMCS 3(4:1), 2007, sections 4 to 6.
A predicate p is a Boolean state variable v_p. The abstract transition relation of a transition with guard g and
assignment σ is, by weakest preconditions, `∃ concrete. ∧_p (v_p ⇔ p) ∧ g ∧ ∧_p (v'_p ⇔ p[σ])`. T̂ is a set of
constraints over V ∪ V' that this relation implies; it starts weak and only grows.

Deviations. *Frames*: where p[σ] is p itself, v'_p is v_p: no variable and no clause, and images quantify only affected
predicates. *Seeds*: what follows without a solver is in T̂ at once: `v'_p ⇔ p[σ]` where every atom of p[σ] is a
predicate (also constants and copies), conjuncts of the guard whose atoms are predicates, and the order of predicates
over the same linear expression. All seeds are equivalences or lemmas of linear arithmetic, hence implied by the
relation (required). They can be left to refinement, as in the paper (`Seeding.LAZY`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import field

from bdd import Bdd, Manager, Relation
from core.dataclass import dataclass
from core.program.semantics import Transition
from core.terms import Arena, Op, Term, Treatment, atoms, lift_choices, literals
from methods.domains.options import Seeding
from methods.domains.predicate.constraint import Constraint

OTHER_OPERATORS = Treatment.OPAQUE

PredicateLiteral = tuple[int, bool, bool]  # (predicate, primed, sign)


@dataclass(frozen=True)
class TransitionClause:
    """A disjunction over V ∪ V' that a transition implies."""

    literals: tuple[PredicateLiteral, ...]


@dataclass(eq=False)
class ApproximateTransition:
    """The approximation T̂ of one transition.

    `after[p]` is p[σ] for each affected predicate p. `guards` and `effects` are the exact seeds: formulas over
    predicates that hold before, and `p ↦ p[σ]`. `clauses` and `constraints` are what refinements learned.
    """

    transition: Transition
    after: dict[int, Term] = field(default_factory=dict)
    guards: list[Term] = field(default_factory=list)
    effects: dict[int, Term] = field(default_factory=dict)
    clauses: dict[TransitionClause, None] = field(default_factory=dict)
    constraints: dict[Constraint, None] = field(default_factory=dict)
    parts: list[Bdd] = field(default_factory=list)
    waiting_guards: list[Term] = field(default_factory=list)
    waiting_effects: list[int] = field(default_factory=list)
    seen: int = 0  # predicates up to this one have been considered

    _relation: Relation | None = None
    _related: int = 0  # parts that `_relation` has

    @property
    def affected(self) -> frozenset[int]:
        return frozenset(self.after)

    def relation(self, manager: Manager) -> Relation:
        """T̂ as a relation for images, brought up to date."""
        known = self._relation or Relation.make(manager, ())
        if self._related < len(self.parts) or len(known.affected) < len(self.after) or self._relation is None:
            self._relation = known.strengthened(self.parts[self._related :], self.after)
            self._related = len(self.parts)
            return self._relation
        return known


class Abstraction:
    """The precision: predicates and approximations. They only grow, but for predicates that a user withdraws.

    A withdrawn predicate keeps its number, and T̂ what it says of it; but no state tells apart what it tells apart.
    """

    def __init__(self, arena: Arena, manager: Manager, seeding: Seeding = Seeding.EAGER) -> None:
        self.arena = arena
        self._seeding = seeding
        self.manager = manager
        self.predicates: list[Term] = []
        self.withdrawn: frozenset[int] = frozenset()
        self._places: list[frozenset[Term]] = []  # of each predicate
        self._about: dict[Term, list[int]] = {}  # symbol -> predicates over it
        self.axioms: dict[tuple[tuple[int, bool], ...], None] = {}  # clauses over V that hold in every state
        self.index: dict[Term, int] = {}  # predicate -> its position in `predicates`
        self._operations: dict[Transition, ApproximateTransition] = {}
        self._families: dict[Term, list[int]] = {}  # predicates over the same linear expression
        self._axioms_of_last: dict[int, list[tuple[tuple[int, bool], ...]]] = {}  # by the latest predicate they mention
        self._decoded: dict[Bdd, Term] = {}

    def __contains__(self, atom: Term) -> bool:
        return atom in self.index

    def add(self, atom: Term) -> bool:
        """Add an atom as a predicate; False if it is one already."""
        if atom in self.index:
            return self._take_back(self.index[atom])
        index = len(self.predicates)
        self.predicates.append(atom)
        self._places.append(_places(atom))
        for symbol in sorted(atom.symbols(), key=lambda s: s.id):
            self._about.setdefault(symbol, []).append(index)
        self.index[atom] = index
        family = self._families.setdefault(atom.args[0], []) if atom.is_comparison else []
        self.manager.declare(index, family[-1] if family else self._related(atom))
        for other in family if self._seeding is Seeding.EAGER else ():
            for clause in _order_axioms(self.predicates, other, index):
                self.learn_axiom(clause)
        family.append(index)
        return True

    def withdraw(self, atom: Term) -> bool:
        """Withdraw a predicate from states until it is added again; False if `atom` is none, or was withdrawn."""
        number = self.index.get(atom)
        if number is None or number in self.withdrawn:
            return False
        self.withdrawn |= {number}
        return True

    def _take_back(self, number: int) -> bool:
        if number not in self.withdrawn:
            return False
        self.withdrawn -= {number}
        return True

    def _related(self, atom: Term) -> int | None:
        """The latest predicate that shares a place with `atom` (the last of all where none does)."""
        places = self._places[-1]
        last = len(self.predicates) - 2
        for p in range(last, -1, -1):
            if not self._places[p].isdisjoint(places):
                return p
        return last if last >= 0 else None

    def learn_axiom(self, clause: tuple[tuple[int, bool], ...]) -> bool:
        """Add a clause over V that holds in every concrete state; False if it is known."""
        if clause in self.axioms:
            return False
        self.axioms[clause] = None
        self._axioms_of_last.setdefault(max(p for p, _ in clause), []).append(clause)
        return True

    def axioms_over(self, predicates: frozenset[int]) -> Bdd:
        """The conjunction of the axioms all of whose predicates are among `predicates`."""
        clauses = [
            self.manager.clause(dict(clause))
            for last in sorted(predicates)
            for clause in self._axioms_of_last.get(last, ())
            if all(p in predicates for p, _ in clause)
        ]
        return self.manager.conjoin(*clauses)

    def connected(self, op: ApproximateTransition, among: Container[int], after: Iterable[int]) -> set[int]:
        """The part of `among` that shares symbols, directly or not, with the guard of `op` or p[σ] for p in `after`."""
        indices: set[int] = set()
        waiting = [*op.transition.guard.symbols(), *(s for p in after for s in op.after[p].symbols())]
        seen = set(waiting)
        while waiting:
            near = [p for p in self._about.get(waiting.pop(), ()) if p in among and p not in indices]
            indices.update(near)
            symbols = {s for p in near for s in self.predicates[p].symbols()} - seen
            seen |= symbols
            waiting += symbols
        return indices

    def operation(self, transition: Transition) -> ApproximateTransition:
        """T̂ of `transition`, brought up to date with the predicates."""
        op = self._operations.get(transition)
        if op is None:
            op = self._operations[transition] = ApproximateTransition(transition)
            if self._seeding is Seeding.EAGER:
                op.waiting_guards = list(literals(lift_choices(self.arena, transition.guard)))
        if op.seen < len(self.predicates):
            self._look_at_new_predicates(op)
        return op

    def operations(self) -> Iterator[ApproximateTransition]:
        yield from self._operations.values()

    def learn(self, op: ApproximateTransition, clause: TransitionClause) -> bool:
        """Strengthen T̂ by a clause that the transition implies; False if it is known."""
        if clause in op.clauses:
            return False
        op.clauses[clause] = None
        current = {p: sign for p, primed, sign in clause.literals if not primed}
        primed = {p: sign for p, is_primed, sign in clause.literals if is_primed}
        op.parts.append(self.manager.clause(current, primed))
        return True

    def constrain(self, op: ApproximateTransition, constraint: Constraint) -> bool:
        """Strengthen T̂ by a formula that the transition implies; False if it is known."""
        if constraint in op.constraints:
            return False
        op.constraints[constraint] = None
        m = self.manager

        def literal(input: int) -> Bdd:
            p, primed = Constraint.meaning(abs(input))
            variable = m.next_var(p) if primed else m.var(p)
            return variable if input > 0 else m.negate(variable)

        op.parts.append(
            constraint.circuit.fold(literal, lambda parts: m.conjoin(*parts), lambda parts: m.disjoin(*parts))
        )
        return True

    def _look_at_new_predicates(self, op: ApproximateTransition) -> None:
        t = op.transition
        for p in range(op.seen, len(self.predicates)):
            predicate = self.predicates[p]
            if not t.updates.keys().isdisjoint(predicate.symbols()):
                after = lift_choices(self.arena, t.after(predicate))
                if after is not predicate:
                    op.after[p] = after
                    if self._seeding is Seeding.EAGER:
                        op.waiting_effects.append(p)
        op.seen = len(self.predicates)
        self._seed_guards(op)
        self._seed_effects(op)

    def _seed_guards(self, op: ApproximateTransition) -> None:
        waiting = []
        for conjunct in op.waiting_guards:
            if self._expressible(conjunct):
                op.guards.append(conjunct)
                op.parts.append(self.encode(conjunct))
            else:
                waiting.append(conjunct)
        op.waiting_guards = waiting

    def _seed_effects(self, op: ApproximateTransition) -> None:
        waiting = []
        for p in op.waiting_effects:
            after = op.after[p]
            if self._expressible(after):
                op.effects[p] = after
                op.parts.append(self.manager.iff(self.manager.next_var(p), self.encode(after)))
            else:
                waiting.append(p)
        op.waiting_effects = waiting

    def _expressible(self, formula: Term) -> bool:
        return all(atom in self.index for atom in atoms(formula))

    def encode(self, formula: Term) -> Bdd:
        """A Boolean combination of predicates as a BDD over the current variables."""
        m, memo = self.manager, dict[Term, Bdd]()
        for t in propositional_order(formula, self.index):
            args = [memo[a] for a in t.args] if t not in self.index else []
            if t in self.index:
                memo[t] = m.var(self.index[t])
            elif t.is_constant:
                memo[t] = m.true if t.is_true else m.false
            elif t.is_negation:
                memo[t] = m.negate(args[0])
            elif t.op in (Op.AND, Op.OR):
                memo[t] = m.conjoin(*args) if t.is_conjunction else m.disjoin(*args)
            elif t.op is Op.IFF:
                memo[t] = m.iff(*args)
            else:
                memo[t] = m.ite(*args)
        return memo[formula]

    def decode(self, states: Bdd) -> Term:
        """The formula over the predicates for a set of states, sharing subterms as the BDD shares nodes."""
        cache = self._decoded
        stack = [states]
        while stack:
            u = stack[-1]
            branch = self.manager.branch(u) if u not in cache else None
            if branch is None:
                stack.pop()
                if u not in cache:
                    cache[u] = self.arena.boolean(self.manager.is_true(u))
                continue
            predicate, then, otherwise = branch
            missing = [v for v in (then, otherwise) if v not in cache]
            if missing:
                stack.extend(missing)
            else:
                cache[u] = self.arena.ite(self.predicates[predicate], cache[then], cache[otherwise])
        return cache[states]


def _places(atom: Term) -> frozenset[Term]:
    """The variables of `atom`; of an array that is read at a constant index, only that element.

    Heuristic: elements at different constants are as unrelated as different variables.
    """
    seen: set[Term] = set()
    stack = [atom]
    while stack:
        t = stack.pop()
        if t not in seen:
            seen.add(t)
            stack.extend(() if _is_element(t) else t.args)
    return frozenset(t for t in seen if t.is_symbol or _is_element(t))


def _is_element(t: Term) -> bool:
    return t.is_select and t.args[0].is_symbol and t.args[1].is_constant


def propositional_order(formula: Term, leaves: Container[Term]) -> Iterator[Term]:
    """Subterms of `formula` down to `leaves`, arguments first."""
    seen: set[Term] = set()
    stack = [(formula, False)]
    while stack:
        t, expanded = stack.pop()
        if expanded:
            yield t
        elif t not in seen:
            seen.add(t)
            stack.append((t, True))
            if t not in leaves:
                stack.extend((a, False) for a in t.args)


def _order_axioms(predicates: Sequence[Term], p: int, q: int) -> Iterator[tuple[tuple[int, bool], ...]]:
    """The clauses by which `e ⋈ a` and `e ⋈ b`, two atoms over the same expression e, restrict each other."""
    a, b = predicates[p], predicates[q]
    if a.is_equation and b.is_equation:
        yield ((p, False), (q, False))
    elif a.is_bound and b.is_bound:
        low, high = (p, q) if a.value < b.value else (q, p)
        yield ((low, False), (high, True))
    else:
        equal, bound = (p, q) if a.is_equation else (q, p)
        yield ((equal, False), (bound, predicates[equal].value <= predicates[bound].value))
