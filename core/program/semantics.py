"""Semantics of operations: transitions, their composition, preconditions, and SSA path formulas.

A transition is a guard over the old state and a simultaneous assignment. Loop-free sequences of operations are
closed under composition, so a block of edges is again one transition. For a deterministic assignment `σ`
under guard `g` (inputs count as part of the old state): `wp(φ) = g ⇒ φ[σ]` and `pre(φ) = g ∧ φ[σ]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from core.dataclass import dataclass
from core.program.automaton import Assign, Assume, Call, Edge, Operation, Range
from core.terms import (
    INT,
    Arena,
    ArraySort,
    Op,
    Substitution,
    Term,
    Treatment,
    chain_of_stores,
    integer_function,
    is_uninterpreted,
    literals,
    subterms,
)
from core.terms.interval import ALL

OTHER_OPERATORS = Treatment.EXACT


@dataclass(frozen=True, eq=False)
class Transition:
    """A transition: where `guard` holds, variables in `updates` take their new values; all others keep theirs."""

    arena: Arena
    guard: Term
    updates: Mapping[Term, Term]

    @cached_property
    def after(self) -> Substitution:
        """The substitution `φ ↦ φ[σ]`, from a term over the new state to the equal term over the old one."""
        return Substitution(self.arena, self.updates)

    @cached_property
    def reads(self) -> frozenset[Term]:
        """Variables and inputs on which the guard or a new value depends."""
        return self.guard.symbols().union(*(value.symbols() for value in self.updates.values()))

    def then(self, second: Transition) -> Transition:
        """This transition followed by `second`; their inputs must differ."""
        updates = dict(self.updates)
        updates.update({x: self.after(value) for x, value in second.updates.items()})
        guard = self.arena.and_(self.guard, self.after(second.guard))
        return Transition(self.arena, guard, {x: v for x, v in updates.items() if v is not x})

    def wp(self, post: Term) -> Term:
        """The weakest precondition: holds where every execution ends in `post`."""
        return self.arena.implies(self.guard, self.after(post))

    def pre(self, post: Term) -> Term:
        """The precondition: holds where the transition can be taken and ends in `post`."""
        return self.arena.and_(self.guard, self.after(post))


def identity(arena: Arena) -> Transition:
    return Transition(arena, arena.true, {})


def transition(arena: Arena, operation: Operation) -> Transition:
    """The transition of an assumption or an assignment. Calls have none: an expansion splits them."""
    match operation:
        case Assume(condition):
            return Transition(arena, condition, {})
        case Assign(updates):
            return Transition(arena, arena.true, dict(updates))
        case Call():
            raise TypeError("a call has no transition of its own")


def sequence(arena: Arena, edges: Iterable[Edge]) -> Transition:
    """The transition of consecutive call-free edges."""
    result = identity(arena)
    for edge in edges:
        result = result.then(transition(arena, edge.operation))
    return result


def range_fact(arena: Arena, value: Term, bounds: Range) -> Term:
    """The formula `low ≤ value ≤ high`."""
    return arena.between(bounds.low, value, bounds.high)


def range_facts(arena: Arena, terms: Iterable[Term], range_of: Callable[[Term], Range | None]) -> list[Term]:
    """The range facts of the symbols of `terms`, of the elements that they read from arrays, and of functions that
    solvers do not know.
    """
    return range_facts_of(arena, subterms(*terms), range_of)


def range_facts_of(arena: Arena, terms: Iterable[Term], range_of: Callable[[Term], Range | None]) -> list[Term]:
    """The range facts of those of `terms` that are symbols, read arrays or are functions that solvers do not know, but
    not of what they are made of.
    """
    facts: dict[Term, None] = {}
    for t in terms:
        if is_uninterpreted(t):
            facts |= dict.fromkeys(_result_facts(arena, t))
        source = t if t.is_symbol else t.args[0] if t.is_select else None
        if source is None or not source.is_symbol or isinstance(t.sort, ArraySort) or t.sort is not INT:
            continue
        bounds = range_of(source)
        if bounds is not None:
            facts[range_fact(arena, t, bounds)] = None
    return list(facts)


def _result_facts(arena: Arena, t: Term) -> Iterator[Term]:
    """The formulas that a function has a value of its range, whatever its arguments are."""
    bounds = integer_function(t).interval(*(ALL for _ in t.args))
    if bounds.low is not None:
        yield arena.le(arena.integer(bounds.low), t)
    if bounds.high is not None:
        yield arena.le(t, arena.integer(bounds.high))


class StaticSingleAssignment:
    """Path formulas in static single assignment form, built one transition at a time.

    `values` maps each variable to a term over the initial variables (themselves), the inputs of step `i`
    (named `input@i`) and the definitions of step `i` (named `x@i`).
    """

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.values: dict[Term, Term] = {}
        self.inputs: list[dict[Term, Term]] = []  # per step: input -> its renamed copy
        self.origin: dict[Term, Term] = {}  # a renamed symbol -> the variable or input it stands for

    def copy(self) -> StaticSingleAssignment:
        """A path formula of its own that begins like this one."""
        result = StaticSingleAssignment(self.arena)
        result.values, result.inputs, result.origin = dict(self.values), list(self.inputs), dict(self.origin)
        return result

    def step(self, t: Transition, is_input: Callable[[Term], bool]) -> tuple[Term, ...]:
        """The constraints of one more step: one for each conjunct of its guard, in order, then the definitions."""
        arena, index = self.arena, len(self.inputs)
        renamed = {s: arena.copy(s, f"{s.name}@{index}") for s in sorted(t.reads, key=lambda s: s.id) if is_input(s)}
        self.inputs.append(renamed)
        self.origin.update({copy: s for s, copy in renamed.items()})
        read = {s: self.values[s] for s in t.reads if s in self.values}
        now = Substitution(arena, {**read, **renamed})
        constraints = [now(conjunct) for conjunct in literals(t.guard)]
        for x, value in [(x, now(chain_of_stores(arena, value))) for x, value in t.updates.items()]:
            if isinstance(x.sort, ArraySort) or value.op in (Op.SYMBOL, Op.CONSTANT):
                self.values[x] = value  # arrays have no equality; copies need none
            else:
                self.values[x] = arena.copy(x, f"{x.name}@{index}")
                self.origin[self.values[x]] = x
                constraints.append(arena.equals(self.values[x], value))
        return tuple(constraints)

    def now(self, t: Term) -> Term:
        """The value of `t`, a term over the variables, after the steps so far."""
        return Substitution(self.arena, self.values)(t)
