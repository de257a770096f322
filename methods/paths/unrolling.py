"""Unrolling an expansion into one formula: loops are unwound, and paths that meet at a place are merged.

A. Biere, A. Cimatti, E. Clarke, Y. Zhu, "Symbolic model checking without BDDs", TACAS 1999; unwinding and merging as in
E. Clarke, D. Kroening, F. Lerda, "A tool for checking ANSI-C programs", TACAS 2004. An *instance* is a place of
`core.program.unwinding`: a location, and for each loop around it the number of the round. Guards only imply how an
instance is reached, which is all that a search for executions needs: in a model, an instance whose guard is true is
reached over an arc whose literal is true, from an instance whose guard is true.

Required: definitions are guarded, since a value may leave its range where its guard is false. Heuristics: constants,
symbols and sums of a symbol and a constant are kept as they are, and arrays are merged element by element, so that
loops with known bounds unwind by themselves. Rounds whose number is known do not count against the bound, while the
unrolling is small.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import reduce

from core.analysis.bounds import Interval, Intervals
from core.analysis.liveness import Liveness
from core.dataclass import dataclass
from core.decision.reading import ReadingByIntervals
from core.decision.value_sets import ValueSetAnalysis, ValueSets, united
from core.limits import Limits, SolverUndecided
from core.parameters import parameter
from core.program import Range
from core.program.endings import endings
from core.program.expansion import At, Expansion, Step
from core.program.semantics import range_facts_of
from core.program.unwinding import Activation, Loops, Rounds, UnwoundPlace
from core.solver.contract import GrowingSolver, Model, Sat, Unsat
from core.terms import BOOL, INT, ArraySort, SplitAtIndices, Substitution, Term, chain_of_stores, common_base, subterms
from methods.paths.followed_executions import Witnesses

KNOWN = parameter("paths.unrolling.known")

PATIENCE = parameter("paths.unrolling.patience")


_Definition = tuple[Range | None, tuple[tuple[Term, Term], ...]]
"""The range of a symbol, and the values that it has where guards hold."""


@dataclass(eq=False)
class Instance:
    """A place that is reached: `values` are those of the variables that differ from their values at the root.

    `visits` counts for each loop around it how often its head was entered from the root on, and `calls` for each active
    call how often the same functions were active already, as far as they count against the bound.
    """

    place: UnwoundPlace
    guard: Term
    values: Mapping[Term, Term]
    arriving: tuple[StepInstance, ...]
    visits: tuple[Rounds, ...]
    calls: Rounds
    possible: ValueSets
    leaving: list[StepInstance] = field(default_factory=list)

    @property
    def at(self) -> At:
        return self.place.at


@dataclass(eq=False)
class StepInstance:
    """An instance of a step: it is taken from `source` where `taken` holds; `values` are those after it then."""

    source: Instance
    step: Step
    taken: Term
    values: Mapping[Term, Term]
    possible: ValueSets
    target: Instance | None = None


class Unrolling:
    """The executions from `root`, from any state there, up to a bound. The solver is told what defines them.

    `known` are the instances per unit of the bound up to which rounds whose number is known do not count against it.
    Globals that nobody reads any more have no values, unless they are kept: for who asks about more than errors.
    """

    def __init__(
        self,
        expansion: Expansion,
        root: At,
        solver: GrowingSolver,
        limits: Limits,
        known: int = KNOWN,
        keeps_globals: bool = False,
    ) -> None:
        self._known, self._keeps_globals = known, keeps_globals
        self.expansion = expansion
        self._arena = expansion.arena
        self._solver = solver
        self._limits = limits
        self._loops = Loops(expansion.program)
        self.endings = endings(expansion.program)
        self._liveness = Liveness(expansion)
        self._locals = expansion.program.locals()
        self._created = 0  # symbols
        self._stores: dict[Term, Term] = {}  # an array term without choices between arrays
        self._guards: dict[Activation, Term] = {}  # of the entries of active calls
        self._exits: dict[tuple[Activation, Rounds], bool] = {}  # of a round of a loop: whether one may be taken
        self._patience: dict[int, int] = {}  # by loop head: questions that are left, whether a round is reached
        self._defined_as: dict[_Definition, Term] = {}  # so what is computed twice is one symbol
        self._told: set[Term] = set()  # terms whose ranges are
        self._ranges: dict[Term, Range] = {}  # of defined symbols whose variables have none
        self._intervals = Intervals(self.range_of)
        self.value_sets = ValueSetAnalysis(self._arena, self._intervals)
        self._witnesses = Witnesses()
        place = UnwoundPlace(root, self._loops.numbers(root, 0))
        self.root = Instance(place, self._arena.true, {}, (), place.rounds, (0,) * len(place.rounds), {})
        self.instances = [self.root]  # in topological order
        self.frontier: list[Instance] = []  # what lies beyond the bound
        self.ended = 0  # rounds of which a solver said that they are not reached

    def range_of(self, symbol: Term) -> Range | None:
        """The range of a symbol: that of its variable, or of the values that define it."""
        return self._ranges.get(symbol) or self.expansion.range_of_copy(symbol)

    def unroll(self, bound: int) -> list[Instance]:
        """Visit the head of each loop at most `bound` times in a row; returns the error locations on the way."""
        errors: list[Instance] = []
        arrived: dict[UnwoundPlace, list[StepInstance]] = {}
        waiting: list[tuple[tuple[int, ...], int, UnwoundPlace]] = []
        self._guards[self.root.place.activation] = self.root.guard
        self._leave(self.root, arrived, waiting)
        while waiting:
            self._limits.check()
            place = heapq.heappop(waiting)[2]
            instance = self._join(place, arrived.pop(place), bound)
            if self._is_pruned(instance):
                self.ended += 1
                for arc in instance.arriving:
                    arc.target = None
                continue
            self.instances.append(instance)
            if self.expansion.check(instance.at) is not None:
                errors.append(instance)
            elif instance.at.location in self.endings:
                continue  # nothing behind it fails
            elif any(number > bound for numbers in (instance.calls, *instance.visits) for number in numbers):
                self.frontier.append(instance)
            else:
                self._leave(instance, arrived, waiting)
        return errors

    def _leave(
        self,
        source: Instance,
        arrived: dict[UnwoundPlace, list[StepInstance]],
        waiting: list[tuple[tuple[int, ...], int, UnwoundPlace]],
    ) -> None:
        for step in self.expansion.steps(source.at):
            arc = self._take(source, step)
            self._note_exits(arc)
            if arc.taken.is_false:
                continue
            source.leaving.append(arc)
            place = self._loops.after(source.place, step)
            if place not in arrived:
                self._created += 1
                heapq.heappush(waiting, (self._loops.position(place), self._created, place))
            arrived.setdefault(place, []).append(arc)
        self._witnesses.leave(source)

    # The bound

    def _note_exits(self, arc: StepInstance) -> None:
        """Note whether a step that leaves loops may be taken from this round of theirs."""
        fails = self.expansion.check(arc.step.target) is not None
        for key in self._loops.left(arc.source.place, arc.step, fails):
            self._exits[key] = self._exits.get(key, False) or not arc.taken.is_false

    def _counted(self, arc: StepInstance, bound: int) -> tuple[Rounds, ...]:
        """`calls` and `visits` after a step."""
        source, step = arc.source, arc.step
        is_within = len(self.instances) < self._known * bound
        again = self._loops.begun_again(source.place, step)
        counts = again is None or not is_within or self._exits.get(again, True)
        visits = self._loops.counted(source.visits, step, more=int(counts))
        calls = source.calls[: len(step.target.stack) + 1]
        if len(calls) == len(step.target.stack):
            active = self.expansion.frame(step.target) > 0
            is_within = is_within and arc.taken is self._guards[source.place.activation]
            calls = (*calls, calls[-1] + int(active and not is_within))
        return calls, *visits

    def _is_pruned(self, instance: Instance) -> bool:
        """Whether a solver says that another round is not reached; asked as long as the answers pay."""
        again = any(self._loops.begun_again(arc.source.place, arc.step) for arc in instance.arriving)
        if not again or instance.guard.is_true or self._patience.get(instance.at.location, PATIENCE) <= 0:
            return False
        if self._witnesses.reach(instance):
            return False
        answer: Sat | Unsat | None = None
        try:
            answer = self._solver.check([instance.guard])
        except SolverUndecided:
            self._limits.check()
        if isinstance(answer, Sat):
            self._witnesses.add(instance, answer.model)
        pruned = isinstance(answer, Unsat)
        left = self._patience.get(instance.at.location, PATIENCE)
        self._patience[instance.at.location] = left + PATIENCE if pruned else left - 1
        return pruned

    # Definitions

    def _take(self, source: Instance, step: Step) -> StepInstance:
        """Add an instance of a step, with copies of its inputs."""
        arena = self._arena
        self._created += 1
        inputs = sorted((s for s in step.transition.reads if self.expansion.is_input(s)), key=lambda s: s.id)
        copies = {s: arena.copy(s, f"{s.name}@{self._created}") for s in inputs}
        now = self._reading({**source.values, **copies}, source.possible)
        guard = now(step.transition.guard)
        possible = self.value_sets.within(guard, source.possible)
        if possible is None:
            return StepInstance(source, step, arena.false, source.values, source.possible)
        taken = self._literal(arena.and_(source.guard, guard))
        if taken.is_false:
            return StepInstance(source, step, taken, source.values, possible)
        if possible != source.possible:
            now = self._reading({**source.values, **copies}, possible)
        values = dict(source.values)
        values.update({x: now(self._without_choices(value)) for x, value in step.transition.updates.items()})
        if fixed := self.value_sets.fixed(possible):
            constant = Substitution(arena, fixed)
            values = {x: constant(value) for x, value in values.items()}
        arc = StepInstance(source, step, taken, values, possible)
        self._witnesses.take(source, arc, guard, taken)
        return arc

    def _reading(self, now: Mapping[Term, Term], possible: ValueSets) -> SplitAtIndices:
        return ReadingByIntervals(
            self._arena, now, lambda index: self.value_sets.indices(index, possible), self._intervals
        )

    def _join(self, place: UnwoundPlace, arcs: Sequence[StepInstance], bound: int) -> Instance:
        """The instance at which `arcs` meet."""
        arena = self._arena
        guard = arcs[0].taken if len(arcs) == 1 else self._literal(arena.or_(*(arc.taken for arc in arcs)))
        alive = self._alive(place.at)
        values = {x: self._met(x, arcs) for x in dict.fromkeys(x for arc in arcs for x in arc.values) if alive(x)}
        kept = {x: value for x, value in values.items() if value is not x}
        counted = zip(*(self._counted(arc, bound) for arc in arcs), strict=True)
        calls, *visits = [tuple(map(max, zip(*numbers, strict=True))) for numbers in counted]
        possible = self.value_sets.joined([arc.possible for arc in arcs])
        instance = Instance(place, guard, kept, tuple(arcs), tuple(visits), calls, possible)
        for arc in arcs:
            arc.target = instance
        self._witnesses.arrive(arcs, instance, guard)
        self._guards.setdefault(place.activation, guard)
        return instance

    def _alive(self, at: At) -> Callable[[Term], bool]:
        """Whether the value of a variable may still be read."""
        if not self._keeps_globals:
            return self._liveness.at(at).__contains__
        live = self._liveness.locals_at(at)
        return lambda x: x in live or self._arena.original(x) not in self._locals

    def _met(self, x: Term, arcs: Sequence[StepInstance]) -> Term:
        """The value of `x` where arcs meet: the one that all give, or a symbol that each of them defines."""
        values = [arc.values.get(x, x) for arc in arcs]
        first = values[0]
        if all(value is first for value in values) and (_is_plain(first) or isinstance(x.sort, ArraySort)):
            return first
        if not isinstance(x.sort, ArraySort):
            return self._defined(x, arcs, values)
        common = common_base(values)
        if common is None or isinstance(x.sort.element, ArraySort):
            for arc, value in zip(arcs[1:], values[1:], strict=True):
                first = self._without_choices(self._arena.ite(arc.taken, value, first))
            return first
        return self._merged(x, arcs, *common)

    def _merged(self, x: Term, arcs: Sequence[StepInstance], base: Term, written: list[dict[Term, Term]]) -> Term:
        """The value of an array that differs from `base` at constant indices, element by element."""
        arena, result = self._arena, base
        for index in dict.fromkeys(index for elements in written for index in elements):
            before = arena.select(base, index)
            values = [elements.get(index, before) for elements in written]
            same = all(value is values[0] for value in values) and _is_plain(values[0])
            result = arena.store(result, index, values[0] if same else self._defined(x, arcs, values))
        return result

    def _defined(self, x: Term, arcs: Sequence[StepInstance], values: Sequence[Term]) -> Term:
        """A symbol for the value of `x`, or of an element of it, where arcs meet; a constant where it is only one."""
        is_number = x.sort is INT or (isinstance(x.sort, ArraySort) and x.sort.element is INT)
        numbers = (
            united(self.value_sets.of(v, a.possible) for a, v in zip(arcs, values, strict=True)) if is_number else None
        )
        if numbers is not None and len(numbers) == 1:
            return self._arena.integer(min(numbers))
        cases = tuple((arc.taken, value) for arc, value in zip(arcs, values, strict=True))
        key = self.expansion.range_of_copy(x), cases
        if key in self._defined_as:
            return self._defined_as[key]
        self._created += 1
        name = f"{x.name}@{self._created}"
        is_array = isinstance(x.sort, ArraySort)
        symbol = self._defined_as[key] = self._arena.element_copy(x, name) if is_array else self._arena.copy(x, name)
        if numbers is not None:
            self.value_sets.note(symbol, numbers)
        if is_number:
            hull = reduce(Interval.join, map(self._intervals, values))
            known = self.expansion.range_of_copy(symbol)
            hull = hull if known is None else hull.meet(Interval(known.low, known.high))
            if hull.low is not None and hull.high is not None and not hull.is_empty:
                self._ranges[symbol] = Range(hull.low, hull.high)
        for taken, value in cases:
            self.tell(self._arena.implies(taken, self._arena.equals(symbol, value)))
        self._witnesses.define(symbol, arcs, values)
        return symbol

    def _literal(self, formula: Term) -> Term:
        """A literal that implies `formula`; itself where it is one."""
        if formula.is_constant or formula.is_symbol or (formula.is_negation and formula.args[0].is_symbol):
            return formula
        self._created += 1
        literal = self._arena.symbol(f"taken@{self._created}", BOOL)
        self.tell(self._arena.implies(literal, formula))
        return literal

    def tell(self, *formulas: Term) -> None:
        """Assert formulas, with the ranges of what they mention."""
        self._solver.add(*formulas)
        self.tell_ranges(formulas)

    def tell_ranges(self, formulas: Sequence[Term]) -> None:
        """Assert the ranges of what `formulas` mention."""
        new = subterms(*formulas, without=self._told)
        self._solver.add(*range_facts_of(self._arena, new, self.range_of))

    def _without_choices(self, value: Term) -> Term:
        """The array `value` as a chain of stores: reading from it is then linear in its length."""
        if not isinstance(value.sort, ArraySort):
            return value
        found = self._stores.get(value)
        if found is None:
            found = self._stores[value] = chain_of_stores(self._arena, value)
        return found

    # Executions

    def path_to(self, instance: Instance, model: Model) -> tuple[Step, ...]:
        """The steps over which a model reaches `instance`, whose guard it makes true."""
        steps: list[Step] = []
        while instance.arriving:
            arc = next(arc for arc in instance.arriving if model.value(arc.taken) is True)
            steps.append(arc.step)
            instance = arc.source
        return tuple(reversed(steps))


def _is_plain(value: Term) -> bool:
    """Whether a value is cheap to repeat."""
    offset = value.is_sum and value.coefficients == (1,) and value.args[0].is_symbol
    return offset or value.is_symbol or value.is_constant
