"""Candidate predicates by acceleration: from what a loop does in one turn, where no path invariant is found.

Heuristic. A path through a loop needs predicates about its variables that hold in every turn; interpolants of the path
give one for each turn (`x ≤ 2`, `x ≤ 4`, …). Acceleration of linear updates (B. Boigelot, 1998; as a source of
predicates: Hojjat, Iosif, Konečný, Kuncak, Rümmer, ATVA 2012) tells which ones stay: where a turn adds constants,

* a variable stays on its side of the value with which it enters the loop, and goes beyond a guard by one turn at most;
* its remainder modulo what all turns add stays, too;
* so do the differences of variables that grow together, at what is known of both;
* what turns add up has bounds that grow with a counter (`accumulation`);
* a guard that reads a constant table changes at few indices (`tables`).

Sums are read without wrap-around: these are candidates, and a wrong one only is of no use.

Limitations: few turns are analysed, and only those whose updates are sums; known values are constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice, pairwise
from math import gcd

from core.analysis.bound_pairs import hull
from core.dataclass import dataclass
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.program.semantics import Transition
from core.terms import INT, Arena, Substitution, Term, atoms
from methods.discovery.accumulation import Accumulation, KnownIntervals, SymbolRanges, along, in_loop
from methods.discovery.interpolation import CandidatePredicates, inside_loops, inside_turn, loop_visits
from methods.discovery.tables import known_tables, turning_points

TURNS = parameter("discovery.acceleration.turns")
LONGEST_TURN = parameter("discovery.acceleration.longest-turn")
STEPS = parameter("discovery.acceleration.steps")
LARGEST_VALUE = parameter("discovery.acceleration.largest-value")
VARIABLES = parameter("discovery.acceleration.variables")
ATOMS = parameter("discovery.acceleration.atoms")


class Acceleration:
    """Finds candidate predicates for the loops of one expansion; remembers what their turns do."""

    def __init__(self, expansion: Expansion) -> None:
        self._expansion = expansion
        self._turns: dict[At, tuple[_Turn, ...]] = {}

    def candidates(self, steps: Sequence[Step]) -> CandidatePredicates | None:
        """Candidates for what holds in each turn of the loops on a path; None where there are none."""
        arena = self._expansion.arena
        atoms: dict[int, dict[Term, None]] = {}  # atoms by positions
        for head, positions in loop_visits(self._expansion, steps).items():
            if len(positions) > 1:
                before = steps[: positions[0]]
                loop = _Loop(arena, self._turns_at(head), before, self._expansion.range_of)
                accumulated = dict.fromkeys(loop.accumulated())
                of_loop = list(islice(dict.fromkeys((*loop.candidates(), *accumulated)), ATOMS))
                for position in positions:
                    atoms.setdefault(position, {}).update(dict.fromkeys(of_loop))
                for first, last in pairwise(positions):
                    calls = any(step.source.stack != head.stack for step in steps[first:last])
                    inside = inside_turn(arena, steps, first, last, of_loop if calls else accumulated)
                    for position, here in inside:
                        atoms.setdefault(position, {}).update(here)
        return inside_loops(self._expansion, steps, atoms, "loop acceleration")

    def _turns_at(self, head: At) -> tuple[_Turn, ...]:
        if head not in self._turns:
            self._turns[head] = tuple(_turns(self._expansion, head))
        return self._turns[head]


@dataclass(frozen=True)
class _Turn:
    """One turn of a loop: the final values over the state before it (None: unknown), and the guards on the way.

    `conditions` are the guards over the state before the turn, as far as that is known.
    """

    values: Mapping[Term, Term | None]
    guards: tuple[Term, ...]
    conditions: tuple[Term, ...]

    def added(self, arena: Arena, x: Term) -> int | None:
        """The constant that a turn adds to `x`; None if it does something else."""
        value = self.values.get(x, x)
        difference = None if value is None else arena.subtract(value, x)
        return difference.value if difference is not None and difference.is_constant else None


def _turns(expansion: Expansion, head: At) -> Iterator[_Turn]:
    """The ways from a loop head back to it that meet no location twice, up to `TURNS`, as far as `STEPS` lead."""
    stack: list[tuple[At, _Turn, frozenset[At]]] = [(head, _Turn({}, (), ()), frozenset())]
    found = taken = 0
    while stack and found < TURNS and taken < STEPS:
        taken += 1
        at, turn, seen = stack.pop()
        if at == head and seen:
            found += 1
            yield turn
        elif at not in seen and len(seen) < LONGEST_TURN:
            for step in reversed(expansion.steps(at)):
                if expansion.check(step.target) is None:
                    stack.append((step.target, _after(expansion, turn, step.transition), seen | {at}))


def _after(expansion: Expansion, turn: _Turn, t: Transition) -> _Turn:
    """The turn extended by one step."""
    unknown = {x for x, value in turn.values.items() if value is None}
    now = Substitution(expansion.arena, {x: value for x, value in turn.values.items() if value is not None})
    values = dict(turn.values)
    conditions = turn.conditions
    if unknown.isdisjoint(t.guard.symbols()) and t.guard.size <= LARGEST_VALUE:
        conditions = (*conditions, now(t.guard))
    for x, new in t.updates.items():
        readable = x.sort is INT and new.size <= LARGEST_VALUE
        if not readable or not unknown.isdisjoint(new.symbols()) or any(map(expansion.is_input, new.symbols())):
            values[x] = None
            continue
        value = _unwrapped(expansion.arena, now(_unwrapped(expansion.arena, new)))
        values[x] = value if value.size <= LARGEST_VALUE else None
    return _Turn(values, (*turn.guards, t.guard), conditions)


def _unwrapped(arena: Arena, value: Term) -> Term:
    """The sum that was meant, of choices between sums that differ by a constant: the one with the smallest constant."""
    if not value.is_choice:
        return value
    then, otherwise = (_unwrapped(arena, v) for v in value.args[1:])
    if not arena.subtract(then, otherwise).is_constant:
        return value
    return min((then, otherwise), key=lambda v: abs(_constant(v)))


def _constant(value: Term) -> int:
    return value.value if value.is_constant else value.constant if value.is_sum else 0


def _constants(arena: Arena, steps: Sequence[Step]) -> dict[Term, int]:
    """The variables that are known constants after `steps`."""
    known: dict[Term, Term] = {}
    for step in steps:
        now = Substitution(arena, known)
        new = {x: now(v) for x, v in step.transition.updates.items() if x.sort is INT and v.size <= LARGEST_VALUE}
        known = {x: v for x, v in known.items() if x not in step.transition.updates}
        known.update((x, v) for x, v in new.items() if v.is_constant)
    return {x: v.value for x, v in known.items()}


class _Loop:
    """A loop: what its turns do, and the values that variables have when it is entered."""

    def __init__(self, arena: Arena, turns: Sequence[_Turn], before: Sequence[Step], range_of: SymbolRanges) -> None:
        """A loop with some turns that is entered by the steps `before`."""
        self._arena = arena
        self._turns = turns
        self._entry = _constants(arena, before)
        self._intervals = along(before, range_of)
        tables = known_tables(before).items()
        self._tables = {a: table for a, table in tables if not any(a in turn.values for turn in turns)}
        changed = dict.fromkeys(x for turn in turns for x in turn.values if x.sort is INT)
        live = frozenset[Term]().union(*(guard.symbols() for turn in turns for guard in turn.guards))
        live = live.union(*(v.symbols() for turn in turns for v in turn.values.values() if v is not None))
        self._variables = [x for x in changed if x in live and self._moves(x)][:VARIABLES]

    def _moves(self, x: Term) -> bool:
        return any(turn.values.get(x, x) is not x for turn in self._turns)

    def candidates(self) -> Iterator[Term]:
        """Atoms, none of them a negation."""
        for x in self._variables:
            if x in self._entry:
                yield from self._beside(x, self._entry[x])
                yield from self._remainders(x, self._entry[x])
            for added in dict.fromkeys(turn.added(self._arena, x) for turn in self._turns):
                if added:  # where it is when a guard has stopped it
                    yield from (self._at_most(x, value + added - 1) for value in self._milestones(x))
        for i, x in enumerate(self._variables):
            for y in self._variables[:i]:
                yield from self._differences(x, y)
        yield from self._passed()
        yield from self._ends_of_tables()

    def _passed(self) -> Iterator[Term]:
        """Bounds of sums of several variables for when a guard has stopped them."""
        for turn in self._turns:
            for atom in dict.fromkeys(atom for guard in turn.conditions for atom in atoms(guard)):
                if atom.is_comparison and atom.args[0].is_sum:
                    parts = zip(atom.args[0].coefficients, atom.args[0].args, strict=True)
                    added = [None if (a := turn.added(self._arena, x)) is None else c * a for c, x in parts]
                    total = sum(a for a in added if a is not None)
                    if None not in added and total:
                        yield self._at_most(atom.args[0], atom.value + atom.is_bound + total - 1)

    def accumulated(self) -> Iterator[Term]:
        """Bounds of the variables to which turns add different amounts, and of their relation to counters."""
        inside = [self._inside(turn) for turn in self._turns]
        for x in self._variables:
            values = [turn.values.get(x, x) for turn in self._turns]
            changes = [self._arena.subtract(value, x) for value in values if value is not None]
            if len(changes) < len(self._turns) or any(x in added.symbols() for added in changes):
                continue
            between = reduce(hull, (bounds.of(added) for bounds, added in zip(inside, changes, strict=True)))
            if between[0] != between[1]:
                growing = next((added for added in changes if not added.is_constant), None)
                for y in self._variables:
                    steps = {turn.added(self._arena, y) for turn in self._turns}
                    if y is not x and len(steps) == 1 and (step := steps.pop()):
                        bounds = Accumulation(x, growing, between, y, step).bounds(self._arena, self._intervals)
                        yield from (self._at_most(t, bound - least) for t, bound, least in bounds)

    def _inside(self, turn: _Turn) -> KnownIntervals:
        """The intervals at the beginning of a turn that is taken."""
        values = (value for value in turn.values.values() if value is not None)
        symbols = frozenset[Term]().union(*(t.symbols() for t in (*turn.conditions, *values)))
        intervals = in_loop(
            self._intervals,
            (x for x in symbols if x.sort is INT),
            lambda x: [other.added(self._arena, x) for other in self._turns if x in other.values],
        )
        return intervals.where(self._arena.and_(*turn.conditions))

    def _ends_of_tables(self) -> Iterator[Term]:
        """Bounds of indices at which elements of tables decide a guard, and what these elements are."""
        if self._tables:
            guards = dict.fromkeys(guard for turn in self._turns for guard in (*turn.guards, *turn.conditions))
            for guard in guards:
                for x, value, element in turning_points(self._arena, self._tables, guard):
                    yield from self._beside(x, value)
                    yield element.args[0] if element.is_negation else element

    def _beside(self, t: Term, value: int) -> Iterator[Term]:
        """`t ≤ value`, and what `t ≥ value` negates."""
        yield self._at_most(t, value)
        yield self._at_most(t, value - 1)

    def _at_most(self, t: Term, value: int) -> Term:
        atom = self._arena.le(t, self._arena.integer(value))
        return atom.args[0] if atom.is_negation else atom

    def _remainders(self, x: Term, value: int) -> Iterator[Term]:
        added = [turn.added(self._arena, x) for turn in self._turns]
        divisor = gcd(*(a for a in added if a is not None))
        if None not in added and divisor > 1:
            remainder = self._arena.modulo(x, self._arena.integer(divisor))
            yield self._arena.equals(remainder, self._arena.integer(value % divisor))

    def _differences(self, x: Term, y: Term) -> Iterator[Term]:
        """The difference that stays the same where a turn adds to both variables, beside what is known of it."""
        for a, b in dict.fromkeys((turn.added(self._arena, x), turn.added(self._arena, y)) for turn in self._turns):
            if a and b:
                divisor = gcd(a, b)
                fixed = self._arena.linear([(b // divisor, x), (-a // divisor, y)])
                values = {(b * v - a * w) // divisor: None for v in self._milestones(x) for w in self._milestones(y)}
                for value in values:
                    yield from self._beside(fixed, value)

    def _milestones(self, x: Term) -> list[int]:
        """The values of `x` where it enters the loop and where guards change."""
        known = [self._entry[x]] if x in self._entry else []
        for guard in dict.fromkeys(guard for turn in self._turns for guard in turn.guards):
            for atom in atoms(guard):
                if atom.is_comparison and atom.args[0] is x:
                    known.append(atom.value + (atom.is_bound))
        return list(dict.fromkeys(known))[:3]
