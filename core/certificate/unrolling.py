"""The check of a complete unrolling: the program is unrolled once more, and nothing else than that is reached.

A certificate of this kind names the rounds of loops and the repeated calls that are reached: its `rounds`. Here they
are hints. The program, as it was lowered and statement by statement, is unrolled into formulas; *claims* are that no
error is reached, that no other round begins, and that no step leads back. Of what lies behind the locations of
`core.program.endings` nothing is claimed: no error does. A solver refutes that one of them fails.

Why that is a proof: a step leads from one *instance*, a place with its rounds, to one that is left later, or it is a
claim. Take an execution up to the first step that contradicts a claim. It visits each instance at most once, so the
formulas have a model: literals of the instances and steps that it takes are true, all others false, symbols have the
values that they have when it passes. Where a symbol is defined, the definition holds; a literal implies how it was
reached. So if the formulas and "some claim fails" have no model, there is no such execution.

Required: `FewNumbers` and `Intervals` are right about each execution, ranges are assumed of inputs and of first values
alone, and what is not live becomes arbitrary. Everything else is heuristic: order, liveness, when values get names.
The code shares nothing with `methods.paths.unrolling`, which engines use.

Limitation: one question about the whole unrolling.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence

from core.analysis.bounds import ALL, Interval, Intervals
from core.analysis.liveness import Liveness
from core.certificate.contents import Arrays, indices
from core.certificate.numbers import MAX, FewNumbers, KnownNumbers, NumberSet
from core.dataclass import dataclass
from core.limits import Limits
from core.program import Range
from core.program.endings import endings
from core.program.expansion import At, Expansion, Step
from core.program.unwinding import Loops, UnwoundPlace
from core.terms import BOOL, INT, Arena, ArraySort, Op, Substitution, Term, Treatment
from core.terms.traversal import rebuild

OTHER_OPERATORS = Treatment.EXACT

_PLAIN = 8  # nodes of a value that has no name of its own

_Values = Mapping[Term, Term | None]
"""The values of variables that changed since the start; None: any value."""


@dataclass(frozen=True, eq=False, slots=True)
class _Instance:
    """A place that is reached where `guard` holds."""

    place: UnwoundPlace
    guard: Term
    values: _Values
    known: KnownNumbers


@dataclass(frozen=True, eq=False, slots=True)
class UnrolledStep:
    """A step that is taken where `taken` holds, with the values after it."""

    source: At
    step: Step
    taken: Term
    values: _Values
    known: KnownNumbers


class CompleteUnrolling:
    """The formulas of an unrolling: `definitions` of symbols, and the arcs of which is claimed that none is taken."""

    def __init__(
        self, expansion: Expansion, rounds: Collection[UnwoundPlace], checks: Collection[int], limits: Limits
    ) -> None:
        self._expansion, self._rounds, self._checks, self._limits = expansion, frozenset(rounds), checks, limits
        self.arena = expansion.arena
        self._loops, self._liveness = Loops(expansion.program), Liveness(expansion)
        self._endings = endings(expansion.program)
        self._locals = expansion.program.locals()
        self._ranges: dict[Term, Range | None] = {}  # of the symbols that are no first values
        self.intervals = Intervals(self.range_of)
        self._numbers, self._arrays = FewNumbers(self.arena), Arrays(self.arena)
        self.definitions: dict[Term, list[Term]] = {}
        self.claims: list[UnrolledStep] = []
        self.edges: dict[int, None] = {}  # that executions may take
        self._left: set[UnwoundPlace] = set()
        self._arrived: dict[UnwoundPlace, list[UnrolledStep]] = {}
        self._waiting: list[tuple[tuple[int, ...], int, UnwoundPlace]] = []
        self._unroll()

    def range_of(self, symbol: Term) -> Range | None:
        """The range of a symbol: first values and inputs have it by the meaning of programs, others by their values."""
        return self._ranges[symbol] if symbol in self._ranges else self._expansion.range_of(symbol)

    def element(self, array: Term) -> Term:
        """A new symbol for an element of an array, with the range of its elements."""
        assert isinstance(array.sort, ArraySort)
        symbol = self.arena.fresh("element", array.sort.element)
        self._ranges[symbol] = self.range_of(array)
        return symbol

    def _unroll(self) -> None:
        start = self._expansion.start
        place = UnwoundPlace(start, self._loops.numbers(start, 0))
        self._leave(_Instance(place, self.arena.true, {}, {}))
        while self._waiting:
            self._limits.check()
            place = heapq.heappop(self._waiting)[2]
            self._leave(self._join(place, self._arrived.pop(place)))

    def _leave(self, source: _Instance) -> None:
        """Take the steps from an instance: those that lead back, begin another round or fail are claims."""
        self._left.add(source.place)
        for step in self._expansion.steps(source.place.at):
            arc = self._take(source, step)
            if arc is None:
                continue
            self.edges.update(dict.fromkeys(edge.id for edge in step.edges))
            check = self._expansion.check(step.target)
            place = self._loops.after(source.place, step)
            if check is not None:
                if check.id in self._checks:
                    self.claims.append(arc)
            elif step.target.location in self._endings:
                continue  # nothing behind it fails
            elif place in self._left or (begins_round(self._expansion, step) and place not in self._rounds):
                self.claims.append(arc)
            else:
                if place not in self._arrived:
                    heapq.heappush(self._waiting, (self._loops.position(place), len(self._left), place))
                self._arrived.setdefault(place, []).append(arc)

    # Steps

    def _take(self, source: _Instance, step: Step) -> UnrolledStep | None:
        """A step from an instance; None where its guard cannot hold."""
        change = step.transition
        inputs = {s: self._input(s) for s in sorted(change.reads, key=_by_id) if self._expansion.is_input(s)}
        guard = self._reading(change.reads, source.values, inputs, source.known)(change.guard)
        known = self._numbers.where(guard, source.known)
        if known is None:
            return None
        taken = self._literal(self.arena.and_(source.guard, guard))
        now = self._reading(change.reads, source.values, inputs, known)
        values = dict(source.values)
        values.update({x: self._named(x, now(value), taken, known) for x, value in change.updates.items()})
        return UnrolledStep(source.place.at, step, taken, values, known)

    def _input(self, symbol: Term) -> Term:
        """An input of one step of the unrolling, which an execution takes at most once."""
        copy = self.arena.fresh(symbol.name, symbol.sort)
        self._ranges[copy] = self._expansion.range_of(symbol)
        return copy

    def _reading(
        self, reads: Collection[Term], values: _Values, inputs: Mapping[Term, Term], known: KnownNumbers
    ) -> _Reading:
        now = dict(inputs)
        for x in sorted(reads, key=_by_id):
            if x in values:
                value = values[x]
                now[x] = self.arena.fresh(x.name, x.sort) if value is None else self._constant(value, known)
                if value is None:
                    self._ranges[now[x]] = None
        return _Reading(self.arena, now, self._arrays, self._numbers, self.intervals, known)

    def _constant(self, value: Term, known: KnownNumbers) -> Term:
        """The value; the number that it must be, where it is small."""
        numbers = self._numbers.of(value, known) if value.sort is INT and value.size <= _PLAIN else None
        return self.arena.integer(*numbers) if numbers is not None and len(numbers) == 1 else value

    def _named(self, x: Term, value: Term, taken: Term, known: KnownNumbers) -> Term:
        """The value, or a symbol for it where it is not plain."""
        if isinstance(x.sort, ArraySort) or value.size <= _PLAIN:
            return value
        return self._symbol(x.name, [value], [taken], [known])

    def _symbol(
        self, name: str, values: Sequence[Term], guards: Sequence[Term], knowns: Sequence[KnownNumbers]
    ) -> Term:
        """A symbol that has each of `values` where its guard holds; a constant where it can only be one."""
        sort = values[0].sort
        numbers = self._united(values, knowns) if sort is INT else None
        if numbers is not None and len(numbers) == 1:
            return self.arena.integer(*numbers)
        symbol = self.arena.fresh(name, sort)
        if numbers is not None:
            self._numbers.anywhere[symbol] = numbers
            self._ranges[symbol] = Range(min(numbers), max(numbers))
        else:
            self._ranges[symbol] = _hull(self.intervals(value) for value in values) if sort is INT else None
        equal = self.arena.equals
        self.definitions[symbol] = [
            self.arena.implies(guard, equal(symbol, value)) for guard, value in zip(guards, values, strict=True)
        ]
        return symbol

    def _united(self, values: Sequence[Term], knowns: Sequence[KnownNumbers]) -> NumberSet | None:
        found = NumberSet()
        for value, known in zip(values, knowns, strict=True):
            numbers = self._numbers.of(value, known)
            if numbers is None:
                return None
            found |= numbers
        return found if len(found) <= MAX else None

    def _literal(self, formula: Term) -> Term:
        """A literal that implies `formula`; itself where it is one."""
        if formula.op in (Op.CONSTANT, Op.SYMBOL):
            return formula
        literal = self.arena.fresh("taken", BOOL)
        self.definitions[literal] = [self.arena.implies(literal, formula)]
        return literal

    # Joins

    def _join(self, place: UnwoundPlace, arcs: Sequence[UnrolledStep]) -> _Instance:
        if len(arcs) == 1:
            return _Instance(place, arcs[0].taken, arcs[0].values, arcs[0].known)
        guard = self._literal(self.arena.or_(*(arc.taken for arc in arcs)))
        live = self._liveness.locals_at(place.at)
        values: dict[Term, Term | None] = {}
        for x in dict.fromkeys(x for arc in arcs for x in arc.values):
            own = [arc.values.get(x, x) for arc in arcs]
            given = [value for value in own if value is not None]
            is_dead = self.arena.original(x) in self._locals and x not in live
            values[x] = None if is_dead or len(given) < len(own) else self._met(x.name, given, arcs)
        return _Instance(place, guard, values, self._joined([arc.known for arc in arcs]))

    def _met(self, name: str, values: Sequence[Term], arcs: Sequence[UnrolledStep]) -> Term:
        """The value where arcs meet: the one that all give, or one that each of them defines."""
        first = values[0]
        if all(value is first for value in values):
            return first
        if not isinstance(first.sort, ArraySort):
            return self._symbol(name, values, [arc.taken for arc in arcs], [arc.known for arc in arcs])
        arrays = [self._arrays.of(value) for value in values]
        base = arrays[0].base
        if any(one.base is not base for one in arrays):
            result = self._arrays.term(first)
            for arc, value in zip(arcs[1:], values[1:], strict=True):
                result = self.arena.ite(arc.taken, self._arrays.term(value), result)
            return result
        element = self._arrays.element
        elements = {i: self._met(name, [element(one, i) for one in arrays], arcs) for i in indices(arrays)}
        return self._arrays.handle(base, elements)

    def _joined(self, knowns: Sequence[KnownNumbers]) -> KnownNumbers:
        """The numbers that symbols may be where arcs meet."""
        anywhere = self._numbers.anywhere
        found = {x: numbers.union(*(one.get(x, anywhere[x]) for one in knowns)) for x, numbers in knowns[0].items()}
        return {x: numbers for x, numbers in found.items() if numbers != anywhere[x]}

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
            for formula in self.definitions.get(symbol, ()):
                found.append(formula)
                waiting.extend(sorted(formula.symbols() - seen, key=_by_id))
        return found


class _Reading(Substitution):
    """Values of terms at an instance: arrays are read by element, comparisons that intervals decide are decided."""

    def __init__(
        self,
        arena: Arena,
        replacements: Mapping[Term, Term],
        arrays: Arrays,
        numbers: FewNumbers,
        intervals: Intervals,
        known: KnownNumbers,
    ) -> None:
        super().__init__(arena, replacements)
        self._arrays, self._numbers, self._intervals, self._known = arrays, numbers, intervals, known

    def rebuilt(self, t: Term, args: tuple[Term, ...]) -> Term:
        if t.op is Op.SELECT:
            return self._arrays.select(args[0], args[1], self._numbers.of(args[1], self._known))
        if t.op is Op.STORE:
            return self._arrays.store(args[0], args[1], args[2], self._numbers.of(args[1], self._known))
        if t.op is Op.ITE:
            return self._arrays.choice(*args)
        return self._decided(rebuild(self._arena, t, args)) if t.op in (Op.LE, Op.EQ) else rebuild(self._arena, t, args)

    def _decided(self, formula: Term) -> Term:
        atom = formula.args[0] if formula.op is Op.NOT else formula
        if atom.op not in (Op.LE, Op.EQ):
            return formula
        found = self._intervals(atom.args[0])
        holds = _truth(atom, found)
        return formula if holds is None else self._arena.boolean(holds is (atom is formula))


def begins_round(expansion: Expansion, step: Step) -> bool:
    """Whether a step begins a round of a loop, or calls a function that is active: every cycle has such a step."""
    source, target = step.source, step.target
    again = len(target.stack) > len(source.stack) and expansion.frame(target) > 0
    return again or expansion.is_loop_head(target)


def _truth(atom: Term, found: Interval) -> bool | None:
    """Whether an atom holds, where the interval of what it compares says so."""
    above = found.low is not None and found.low > atom.value
    if above or (atom.op is Op.EQ and found.high is not None and found.high < atom.value):
        return False
    if found.high is not None and found.high <= atom.value and (atom.op is Op.LE or found.low == atom.value):
        return True
    return None


def _hull(intervals: Iterator[Interval]) -> Range | None:
    """The range of all the intervals, if it has two ends."""
    found: Interval | None = None
    for one in intervals:
        found = one if found is None else found.join(one)
    low, high = (found or ALL).low, (found or ALL).high
    return None if low is None or high is None else Range(low, high)


def _by_id(t: Term) -> int:
    return t.id
