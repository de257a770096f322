"""The check of a complete unrolling: the program is unrolled once more, and nothing else than that is reached.

A certificate of this kind names the rounds of loops and the repeated calls that are reached: its `rounds`. Here they
are hints. The program, as it was lowered and statement by statement, is unrolled into formulas; *claims* are that no
error is reached, that no other round begins, that no step leads back, and whatever makes the formulas smaller: that a
step is never taken, that an index is one of few numbers. What proposes these (`core.decision.value_sets`) is not
believed: a solver refutes that some claim fails. Of what lies behind the locations of `core.program.endings` nothing is
claimed: no error does.

Why that is a proof: a step leads from one *instance*, a place with its rounds, to one that is left later, or it is a
claim. Take an execution up to the first claim that it contradicts. It visits each instance at most once, so the
formulas have a model: literals of the instances and steps that it takes are true, all others false, symbols have the
values that they have when it passes. Where a symbol is defined, the definition holds, for it rests on claims that were
made before, at instances that the execution has passed; a literal implies how it was reached. A step has the literal of
its instance only where no other can be taken there. So if the formulas and "some claim fails" have no model, there is
no such execution.

Required: `Intervals` are right (they choose branches of choices), ranges are assumed of inputs and of first values
alone, and the rules of
`core.terms.arrays` about stores and indices hold. Everything else is heuristic: the order, and what is proposed.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from functools import reduce

from core.analysis.bounds import Interval, Intervals
from core.dataclass import dataclass
from core.decision.reading import ReadingByIntervals
from core.decision.value_sets import ValueSetAnalysis, ValueSets, united
from core.limits import Limits
from core.program import Range
from core.program.blocks import exclude_each_other
from core.program.endings import endings
from core.program.expansion import Expansion, Step
from core.program.unwinding import Loops, UnwoundPlace, closes_cycle
from core.terms import BOOL, INT, ArraySort, SplitAtIndices, Term, chain_of_stores, common_base

_Values = dict[Term, Term]
"""The values of variables that changed since the start."""


@dataclass(frozen=True, eq=False, slots=True)
class _Reached:
    """A reached instance, or a step that was taken: its `guard`, and the values then.

    `possible` is for what proposes claims.
    """

    guard: Term
    values: _Values
    possible: ValueSets


class CompleteUnrolling:
    """The formulas of an unrolling: `definitions` of symbols, and when claims fail."""

    def __init__(
        self, expansion: Expansion, rounds: Collection[UnwoundPlace], checks: Collection[int], limits: Limits
    ) -> None:
        self._expansion, self._rounds, self._checks, self._limits = expansion, frozenset(rounds), checks, limits
        self.arena = expansion.arena
        self._loops = Loops(expansion.program)
        self._endings = endings(expansion.program)
        self._ranges: dict[Term, Range | None] = {}  # of the symbols that are no first values
        self.intervals = Intervals(self.range_of)
        self._value_sets = ValueSetAnalysis(self.arena, self.intervals)
        self.definitions: dict[Term, list[tuple[Term, Term]]] = {}
        self.claims: dict[Term, str] = {}
        """What is claimed never to hold, and what kind of claim that is."""
        self.edges: dict[int, None] = {}  # that executions may take
        self._left: set[UnwoundPlace] = set()
        self._arrived: dict[UnwoundPlace, list[_Reached]] = {}
        self._waiting: list[tuple[tuple[int, ...], int, UnwoundPlace]] = []
        self._unroll()

    def range_of(self, symbol: Term) -> Range | None:
        """The range of a symbol: first values and inputs have it by the meaning of programs, others by their values."""
        return self._ranges[symbol] if symbol in self._ranges else self._expansion.range_of(symbol)

    def _unroll(self) -> None:
        start = self._expansion.start
        self._leave(UnwoundPlace(start, self._loops.numbers(start, 0)), _Reached(self.arena.true, {}, {}))
        while self._waiting:
            self._limits.check()
            place = heapq.heappop(self._waiting)[2]
            self._leave(place, self._join(self._arrived.pop(place)))

    def _leave(self, source: UnwoundPlace, reached: _Reached) -> None:
        """Take the steps from an instance: those that lead back, begin another round or fail are claims."""
        self._left.add(source)
        steps = self._expansion.steps(source.at)
        # Where no two steps can be taken in one state and one must be, no other is.
        is_certain = exclude_each_other(self.arena, [step.transition.guard for step in steps])
        for step in steps:
            after = self._take(step, reached, is_certain)
            if after is None:
                continue
            self.edges.update(dict.fromkeys(edge.id for edge in step.edges))
            check = self._expansion.check(step.target)
            place = self._loops.after(source, step)
            if check is not None:
                if check.id in self._checks:
                    self._claim("errors", after.guard)
            elif step.target.location in self._endings:
                continue  # nothing behind it fails
            elif place in self._left:
                self._claim("ways back", after.guard)
            elif closes_cycle(self._expansion, step) and place not in self._rounds:
                self._claim("rounds", after.guard)
            else:
                if place not in self._arrived:
                    heapq.heappush(self._waiting, (self._loops.position(place), len(self._left), place))
                self._arrived.setdefault(place, []).append(after)

    def _claim(self, what: str, fails: Term) -> None:
        """Claim that `fails` never holds."""
        if not fails.is_false:
            self.claims.setdefault(fails, what)

    # Steps

    def _take(self, step: Step, source: _Reached, is_certain: bool) -> _Reached | None:
        """A step that is taken from an instance; None if it never is. It must be where its guard holds if that
        `is_certain`.
        """
        change = step.transition
        now = {x: self._now(x, source.values) for x in sorted(change.reads, key=_by_id)}
        guard = self._reading(source, now)(change.guard)
        taken = self._literal(self.arena.and_(source.guard, guard), is_certain)
        possible = self._value_sets.within(guard, source.possible)
        if possible is None or taken.is_false:
            self._claim("steps", taken)
            return None
        after = _Reached(taken, dict(source.values), possible)
        reading = self._reading(after, now)
        after.values.update({x: reading(chain_of_stores(self.arena, value)) for x, value in change.updates.items()})
        return after

    def _now(self, symbol: Term, values: _Values) -> Term:
        """The value of a variable, or a new input: an execution takes a step of the unrolling at most once."""
        if not self._expansion.is_input(symbol):
            return values.get(symbol, symbol)
        copy = self.arena.fresh(symbol.name, symbol.sort)
        self._ranges[copy] = self._expansion.range_of(symbol)
        return copy

    def _reading(self, reached: _Reached, now: Mapping[Term, Term]) -> SplitAtIndices:
        return ReadingByIntervals(self.arena, now, lambda index: self._indices(index, reached), self.intervals)

    def _indices(self, index: Term, reached: _Reached) -> Sequence[Term]:
        """The numbers that an index may be where `reached` holds, as it is claimed; itself where they are many."""
        numbers = self._value_sets.of_index(index, reached.possible)
        if not numbers:
            return (index,)
        found = [self.arena.integer(number) for number in sorted(numbers)]
        others = (self.arena.not_(self.arena.equals(index, one)) for one in found)
        self._claim("indices", self.arena.and_(reached.guard, *others))
        return found

    def _literal(self, formula: Term, is_equal: bool = True) -> Term:
        """A literal that implies `formula`; itself where it is one, and may be equal."""
        if formula.is_false or (is_equal and (formula.is_constant or formula.is_symbol)):
            return formula
        literal = self.arena.fresh("taken", BOOL)
        self.definitions[literal] = [(literal, formula)]
        return literal

    # Joins

    def _join(self, arcs: Sequence[_Reached]) -> _Reached:
        if len(arcs) == 1:
            return arcs[0]
        guard = self._literal(self.arena.or_(*(arc.guard for arc in arcs)))
        changed = dict.fromkeys(x for arc in arcs for x in arc.values)
        values = {x: self._met(x.name, arcs, [arc.values.get(x, x) for arc in arcs]) for x in changed}
        return _Reached(guard, values, self._value_sets.joined([arc.possible for arc in arcs]))

    def _met(self, name: str, arcs: Sequence[_Reached], values: Sequence[Term]) -> Term:
        """The value where arcs meet: the one that all give, or one that each of them defines."""
        first = values[0]
        if all(value is first for value in values):
            return first
        if not isinstance(first.sort, ArraySort):
            return self._symbol(name, arcs, values)
        common = common_base(values)
        if common is None:
            for arc, value in zip(arcs[1:], values[1:], strict=True):
                first = chain_of_stores(self.arena, self.arena.ite(arc.guard, value, first))
            return first
        result, written = common
        for index in dict.fromkeys(index for elements in written for index in elements):
            before = self.arena.select(result, index)
            value = self._met(name, arcs, [elements.get(index, before) for elements in written])
            result = self.arena.store(result, index, value)
        return result

    def _symbol(self, name: str, arcs: Sequence[_Reached], values: Sequence[Term]) -> Term:
        """A symbol that has each of `values` where the guard of its arc holds."""
        symbol = self.arena.fresh(name, values[0].sort)
        self._ranges[symbol] = None
        if symbol.sort is INT:
            numbers = united(self._value_sets.of(value, arc.possible) for arc, value in zip(arcs, values, strict=True))
            if numbers is not None:
                self._value_sets.note(symbol, numbers)
            hull = reduce(Interval.join, map(self.intervals, values))
            if hull.low is not None and hull.high is not None:
                self._ranges[symbol] = Range(hull.low, hull.high)
        self.definitions[symbol] = [(arc.guard, value) for arc, value in zip(arcs, values, strict=True)]
        return symbol

    # What is asked

    def relevant(self, goal: Term) -> list[Term]:
        """The definitions on which a formula rests."""
        found: list[Term] = []
        seen: set[Term] = set()
        waiting = sorted(goal.symbols(), key=_by_id)
        while waiting:
            symbol = waiting.pop()
            if symbol in seen:
                continue
            seen.add(symbol)
            for guard, value in self.definitions.get(symbol, ()):
                formula = self.arena.implies(guard, value if guard is symbol else self.arena.equals(symbol, value))
                found.append(formula)
                waiting.extend(sorted(formula.symbols() - seen, key=_by_id))
        return found


def _by_id(t: Term) -> int:
    return t.id
