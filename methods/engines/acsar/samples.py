"""States that executions of the clauses pass: where candidates are looked for. Heuristic throughout, nothing trusted.

Loops over arrays run as often as arrays have elements, and candidates need ends of loops. So constants that may be
sizes are *made small*: each becomes a parameter, which differs from run to run; a candidate gets its constant back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from itertools import product
from random import Random

from core.dataclass import dataclass
from core.limits import Limits
from core.parameters import parameter
from core.program import Range
from core.terms import INT, Arena, ArraySort, ArrayValue, Substitution, Term, Value, subterms
from core.terms.traversal import rebuild
from methods.discovery.horn import Application, Rule
from methods.engines.acsar.compiled import Evaluation, NotCompiled, compiled

RUNS = parameter("acsar.samples.runs")
RISING_RUNS = parameter("acsar.samples.rising-runs")
STEPS = parameter("acsar.samples.steps")
MAX_STATES = parameter("acsar.samples.max-states")
FIRST_VISITS = parameter("acsar.samples.first-visits")
TRIES = parameter("acsar.samples.tries")
SMALLEST_SIZE = parameter("acsar.samples.smallest-size")
LARGEST_SIZE = parameter("acsar.samples.largest-size")
WILD = parameter("acsar.samples.wild")
CLOSE = parameter("acsar.samples.close")
FIRST_ADDRESS = parameter("acsar.samples.first-address")
ELEMENT_SIZES = (8, 4, 2)  # in bytes, of those that have more than one

Sample = dict[Term, Value]


class RandomArray(ArrayValue):
    """An array whose elements are arbitrary where nothing was written; `default` chooses them."""

    def __getitem__(self, index: int) -> int:
        written = self.entries.get(index)
        if written is not None:
            return written
        random = Random(self.default * 1_000_003 + index)
        if self.default % 3 == 0:
            return random.randrange(0, 2)
        # Some are beyond all constants, so that what was never written has no bounds; not in all arrays, for a program
        # may assume bounds.
        if self.default % 3 == 1 and random.randrange(4) == 0:
            return random.choice((-WILD, WILD)) + random.randrange(9)
        return random.randrange(-3, 9)

    def updated(self, index: int, value: int) -> ArrayValue:
        return RandomArray(self.default, {**self.entries, index: value})


@dataclass(frozen=True)
class SmallSystem:
    """Clauses in which constants that may be sizes are parameters; `parameters` has the constant of each.

    `small` puts parameters in place of the constants of other terms.
    """

    rules: tuple[Rule, ...]
    parameters: dict[Term, int]
    small: Callable[[Term], Term]

    def original(self, arena: Arena) -> Substitution:
        """The substitution that puts the constants back."""
        return Substitution(arena, {p: arena.integer(value) for p, value in self.parameters.items()})


def rule_terms(rule: Rule) -> tuple[Term, ...]:
    """The terms of a rule: its constraint, the values of its premises, and those of its head."""
    applied = [*rule.premises, *([rule.head] if rule.head else [])]
    return (rule.constraint, *(value for a in applied for value in a.values))


def small_system(arena: Arena, rules: Sequence[Rule], range_of: Callable[[Term], Range | None]) -> SmallSystem:
    """The system with parameters in place of constants that may be sizes."""
    terms = (t for rule in rules for t in subterms(*rule_terms(rule)))
    sizes = sorted({abs(t.value) for t in terms if _is_size(t, range_of)})
    parameters: dict[Term, int] = {}
    place: dict[int, _Place] = {}
    group: list[int] = []
    for i, size in enumerate(sizes):
        group.append(size)
        if i + 1 == len(sizes) or sizes[i + 1] - size > CLOSE:
            p = arena.fresh("size", INT)
            parameters[p] = size
            place.update((one, _Place(p, 1, one - size)) for one in group)
            group = []
    place.update(_offsets(rules, place))
    if not parameters:
        return SmallSystem(tuple(rules), {}, lambda t: t)
    shrinking = _Shrinking(arena, place)
    return SmallSystem(tuple(map(shrinking.rule, rules)), parameters, shrinking.term)


def _is_size(t: Term, range_of: Callable[[Term], Range | None]) -> bool:
    fits = t.is_bound and SMALLEST_SIZE <= abs(t.value) < LARGEST_SIZE
    return fits and not is_range_fact(t, range_of)


def is_range_fact(atom: Term, range_of: Callable[[Term], Range | None]) -> bool:
    """Whether an atom compares a value with a bound of its type."""
    if not atom.is_bound:
        return False
    value = atom.args[0]
    bounds = range_of(value.args[0] if value.is_select else value) if value.is_select or value.is_symbol else None
    return bounds is not None and atom.value in (bounds.low - 1, bounds.high)


@dataclass(frozen=True)
class _Place:
    """The meaning of a constant: `factor · parameter + summand`."""

    parameter: Term
    factor: int
    summand: int


def _offsets(rules: Sequence[Rule], place: Mapping[int, _Place]) -> dict[int, _Place]:
    """The constants in indices that are so many bytes as a size has elements, also behind the begin of an array."""
    indices = {t.args[1] for rule in rules for t in subterms(*rule_terms(rule)) if t.is_access}
    constants = {i.constant if i.is_sum else i.value for i in indices if i.is_sum or i.is_constant}
    begins = [0, *sorted(i.constant for i in indices if i.is_sum and i.constant >= FIRST_ADDRESS)]
    found: dict[int, _Place] = {}
    for constant, begin, factor in product(sorted(constants - place.keys()), begins, ELEMENT_SIZES):
        elements, rest = divmod(constant - begin, factor)
        if not rest and elements in place:
            one = place[elements]
            found.setdefault(constant, _Place(one.parameter, factor, factor * one.summand + begin))
    return found


@dataclass
class _Shrinking:
    arena: Arena
    place: dict[int, _Place]
    _memo: dict[Term, Term] = field(default_factory=dict)

    def rule(self, rule: Rule) -> Rule:
        premises = tuple(self._application(a) for a in rule.premises)
        return Rule(premises, self.term(rule.constraint), rule.head and self._application(rule.head))

    def _application(self, a: Application) -> Application:
        return Application(a.relation, tuple(map(self.term, a.values)))

    def term(self, root: Term) -> Term:
        for t in subterms(root):
            if t not in self._memo:
                args = tuple(self._memo[a] for a in t.args)
                self._memo[t] = self._small(t if args == t.args else rebuild(self.arena, t, args))
        return self._memo[root]

    def _small(self, t: Term) -> Term:
        a = self.arena
        if t.is_comparison and abs(t.value) in self.place and not t.args[0].is_constant:
            return (a.le if t.is_bound else a.equals)(t.args[0], self._parameter(t.value))
        if t.is_constant and t.sort is INT and abs(t.value) in self.place:
            return self._parameter(t.value)
        if t.is_sum and abs(t.constant) in self.place:
            return a.add(a.linear(zip(t.coefficients, t.args, strict=True)), self._parameter(t.constant))
        return t

    def _parameter(self, value: int) -> Term:
        one = self.place[abs(value)]
        sign = 1 if value >= 0 else -1
        return self.arena.linear([(sign * one.factor, one.parameter)], sign * one.summand)


@dataclass(frozen=True)
class _Way:
    """A rule as functions: its guard and what it computes. `supplied` are the symbols that no premise gives."""

    rule_id: int
    rule: Rule
    guard: Evaluation
    values: Evaluation
    supplied: tuple[Term, ...]


class Samples:
    """Sampled states of each relation: values of its arguments and of the parameters."""

    def __init__(
        self,
        arguments: Sequence[tuple[Term, ...]],
        range_of: Callable[[Term], Range | None],
        small: SmallSystem,
        seed: int,
        limits: Limits,
        most: int = MAX_STATES,
        completed: Callable[[int, Sample], Sample] = lambda _, state: state,
        steps: int = STEPS,
    ) -> None:
        """`completed` gives the state after a rule, of which ghost arrays have no values yet.

        Where no states are kept (`most` is 0), the first violation ends sampling.
        """
        self._arguments = arguments
        self._range_of = range_of
        self._small = small
        self._most = most
        self._completed = completed
        self._steps = steps
        self._random = Random(seed)
        self._last: int | None = None  # the last number that was supplied, where none is to be smaller
        self.states: list[list[Sample]] = [[] for _ in self._arguments]
        self.violation: tuple[int, ...] | None = None  # the rules of an execution that ends in an error
        self._ways: dict[int | None, list[_Way]] = {}
        try:
            for number, rule in enumerate(small.rules):
                source = rule.premises[0].relation if rule.premises else None
                self._ways.setdefault(source, []).append(self._way(number, rule))
        except NotCompiled:
            return
        for number in range(RUNS + RISING_RUNS):
            limits.check()
            self._last = 0 if number >= RUNS else None
            if most or self.violation is None:
                self._run(number)

    def _way(self, number: int, rule: Rule) -> _Way:
        given = {s for p in rule.premises for s in self._arguments[p.relation]}
        symbols = {s for t in rule_terms(rule) for s in t.symbols()}
        supplied = sorted(symbols - given - set(self._small.parameters), key=lambda s: s.id)
        values = compiled(rule.head.values if rule.head else ())
        return _Way(number, rule, compiled([rule.constraint]), values, tuple(supplied))

    def _run(self, number: int) -> None:
        sizes = self._sizes(number)
        at: int | None = None
        state: Sample = {}
        visits: dict[int, int] = {}
        taken: list[int] = []
        for _ in range(self._steps):
            found = self._step(at, {**sizes, **state})
            if found is None:
                return
            way, new = found
            taken.append(way.rule_id)
            if way.rule.head is None:
                if self.violation is None or len(taken) < len(self.violation):
                    self.violation = tuple(taken)
                return
            at, state = way.rule.head.relation, self._completed(way.rule_id, {**sizes, **new})
            visits[at] = visits.get(at, 0) + 1
            often = visits[at] <= FIRST_VISITS or visits[at] % 5 == 0
            if often and len(self.states[at]) < self._most:
                self.states[at].append(state)

    def _sizes(self, number: int) -> Sample:
        """Small sizes in the order of the constants; near ones may be equal, distant ones differ."""
        size = 3 + number % 6
        found: Sample = {}
        for p in self._small.parameters:
            found[p] = size
            size += self._random.choice([0, 3, 5]) if number % 2 else size
        return found

    def _step(self, at: int | None, state: Sample) -> tuple[_Way, Sample] | None:
        ways = list(self._ways.get(at, ()))
        for _ in range(TRIES):
            self._random.shuffle(ways)
            for way in ways:
                row = {**state, **{s: self._supply(s) for s in way.supplied}}
                if way.guard(row) != (True,):
                    continue
                values = way.values(row)
                if values is not None:
                    arguments = self._arguments[way.rule.head.relation] if way.rule.head else ()
                    return way, dict(zip(arguments, values, strict=True))
        return None

    def _supply(self, s: Term) -> Value:
        random = self._random
        if isinstance(s.sort, ArraySort):
            return RandomArray(random.randrange(1 << 20), {})
        if s.sort is not INT:
            return random.randrange(2) == 1
        value = random.choice([random.randrange(2), random.randrange(-2, 10), random.randrange(1, 9)])
        if self._last is not None:
            self._last = value = self._last + value % 3
        bounds = self._range_of(s)
        return value if bounds is None else _clipped(value, bounds)


def _clipped(value: int, bounds: Range) -> int:
    return min(max(value, bounds.low), bounds.high)
