"""Ghost arrays for loops that add up, count or choose along an array whose contents are unknown.

Prefix ghosts (`core.certificate.folds`): if a round of a loop makes `y` to `f(y, a[i])`, the ghost array s has
s[0] = first and s[k + 1] = f(s[k], a[k]), for the contents that a has when the loop begins. What loops compute are then
elements of s or differences of these, also when they go through a permuted array. Of a sum, the ghost adds up what is
added, without wrap-around, and a sum of several elements has a ghost for each.

Limitations, by weight: loops that count down or by more than one; bodies with joins or loops of their own; one ghost
for each step, made where the first loop with this step begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from core.analysis.bounds import Intervals
from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Range
from core.program.semantics import range_fact
from core.terms import INT, INT_ARRAY, PROOF_SIGN, Arena, ArrayValue, Substitution, Term, literals, subterms
from core.verdict import Fold
from methods.clauses.encoding import Encoding
from methods.discovery.horn import Application, HornSystem, Rule
from methods.engines.acsar.cells import ArrayCell, indices_of, stores
from methods.engines.acsar.compiled import Evaluation, compiled
from methods.engines.acsar.samples import Sample, is_range_fact
from methods.engines.acsar.sums import Total, difference, number_or_zero, reads_elements, summands, total_of

SAMPLED = parameter("acsar.prefix-ghosts.sampled")
MAX_ALIKE = parameter("acsar.prefix-ghosts.max-alike")
_LARGEST = parameter("acsar.prefix-ghosts.largest")

RangeOf = Callable[[Term], "Range | None"]


@dataclass(frozen=True, eq=False)
class LoopFold:
    """A ghost array, with the loop for which it is made, and the rules that enter this."""

    fold: Fold
    relation: int
    rules: tuple[int, ...]
    read: Term | None  # the one element that a step reads
    first_index: int  # the value of the counter when the loop begins
    total: Total | None

    def alike(self, cells: Iterable[ArrayCell]) -> list[ArrayCell]:
        """Cells that lie as far from each other as what the steps read."""
        if self.read is None:
            return []
        array, place = self.read.args
        factors = dict(zip(place.args, place.coefficients, strict=True)) if place.is_sum else {place: 1}
        return [c for c in cells if c.array is array and c.scale == factors.get(self.fold.index)][:MAX_ALIKE]

    def step(self, arena: Arena, result: Term, element: Term) -> Term | None:
        """The result after `result` and `element`; None where a step has more than these."""
        if self.read is None:
            return None
        made = Substitution(arena, {self.fold.result: result})
        value = _replaced(arena, self.fold.step, self.read, element)
        return None if self.fold.index in value.symbols() else made(value)

    def step_at(self, arena: Arena, index: Term, read: Term, shift: int) -> Term:
        """The equation that the ghost takes its step at `index + shift` with the element `read`."""
        ghost, at = self.fold.symbol, arena.add(index, arena.integer(shift))
        before = arena.select(ghost, at)
        step = self.fold.step if self.read is None else _replaced(arena, self.fold.step, self.read, read)
        value = Substitution(arena, {self.fold.result: before, self.fold.index: at})(step)
        return arena.equals(arena.select(ghost, arena.add(at, arena.one)), value)


def _replaced(arena: Arena, formula: Term, part: Term, new: Term) -> Term:
    """The formula with another element in place of the one that it reads."""
    memo: dict[Term, Term] = {part: new}
    for t in subterms(formula):
        if t not in memo:
            args = tuple(memo[a] for a in t.args)
            memo[t] = t if args == t.args else Substitution(arena, {}).rebuilt(t, args)
    return memo[formula]


def loop_folds(
    arena: Arena, encoding: Encoding, system: HornSystem, range_of: RangeOf, names: Sequence[str]
) -> list[LoopFold]:
    """The ghost arrays that the loops of a system suggest, at most as many as `names`."""
    return list(islice(_Finder(arena, encoding, system, range_of, names).folds(), len(names)))


class _Finder:
    def __init__(
        self, arena: Arena, encoding: Encoding, system: HornSystem, range_of: RangeOf, names: Sequence[str]
    ) -> None:
        self._names = iter(names)
        self._arena = arena
        self._encoding = encoding
        self._system = system
        self._range_of = range_of
        self._result, self._index = arena.proof_symbol("result", INT), arena.proof_symbol("index", INT)
        self._seen: set[Term] = set()
        # A variable in an index is a position, not a result: what holds at positions needs no ghost.
        self._positions = {s for own in indices_of(system).values() for e in own for s in e.symbols()}

    def folds(self) -> Iterator[LoopFold]:
        for relation in _order(self._system):
            entering, inside = loop_rules(self._system, relation)
            plain = all(premise.relation == relation for n in inside for premise in self._system.rules[n].premises)
            if not entering or not inside or not plain or self._edges(entering) & self._edges(inside):
                continue
            for counter, begin in self._counters(relation, entering, inside):
                yield from self._of_loop(relation, entering, inside, counter, begin)

    def _edges(self, rules: Sequence[int]) -> frozenset[int]:
        """The edges by which rules lead to their head."""
        arcs = [self._encoding.arcs[n] for n in rules]
        last = [(arc.target.location, edge) for arc in arcs if arc is not None for edge in arc.steps[-1].edges]
        return frozenset(edge.id for location, edge in last if edge.target == location)

    def _values(self, rules: Sequence[int], argument: int) -> list[Term]:
        heads = [self._system.rules[n].head for n in rules]
        return [head.values[argument] for head in heads if head is not None]

    def _counters(self, relation: int, entering: Sequence[int], inside: Sequence[int]) -> Iterator[tuple[Term, int]]:
        """The variables that each round makes one larger, with the number at which they begin."""
        for i, x in enumerate(self._system.arguments[relation]):
            if x.sort is INT and set(self._values(inside, i)) == {self._arena.add(x, self._arena.one)}:
                begin = set(self._values(entering, i))
                yield from ((x, first.value) for first in begin if len(begin) == 1 and first.is_constant)

    def _of_loop(
        self, relation: int, entering: Sequence[int], inside: Sequence[int], counter: Term, begin: int
    ) -> Iterator[LoopFold]:
        a, arguments = self._arena, self._system.arguments[relation]
        kept = {x for i, x in enumerate(arguments) if set(self._values(inside, i)) == {x}}
        if any(arc is None for n in entering for arc in (self._encoding.arcs[n],)):
            return
        moved = {counter: a.add(self._index, a.integer(begin))}
        for i, y in enumerate(arguments):
            if y in kept or y in self._positions or y is counter or y.sort is not INT:
                continue
            first = set(self._values(entering, i))
            choices = self._choices(inside, i)
            total = total_of(a, y, [value for _, value in choices], first, moved, self._index)
            for step, start, bound in self._steps(y, choices, first):
                made = Substitution(a, {y: self._result, **moved})(step)
                own = step.symbols() <= kept | {counter, y} and made.size <= _LARGEST
                if own and made not in self._seen and reads_elements(made):
                    self._seen.add(made)
                    yield self._fold(relation, tuple(entering), made, start, bound, begin, total)

    def _choices(self, inside: Sequence[int], argument: int) -> list[tuple[Term, Term]]:
        """The values that rounds give, each under its condition."""
        constraints = [dict.fromkeys(literals(self._system.rules[n].constraint)) for n in inside]
        common = set(constraints[0]).intersection(*constraints)
        found: list[tuple[Term, Term]] = []
        for own, value in zip(constraints, self._values(inside, argument), strict=True):
            told = [p for p in own if p not in common and not self._is_range(p)]
            found.append((self._arena.and_(*told), value))
        return found

    def _is_range(self, part: Term) -> bool:
        return is_range_fact(part.args[0] if part.is_negation else part, self._range_of)

    def _steps(
        self, y: Term, choices: Sequence[tuple[Term, Term]], first: set[Term]
    ) -> Iterator[tuple[Term, Term, Term]]:
        """The steps for what a variable gets, each with the first result, and a bound of all."""
        a = self._arena
        added = [difference(a, value, y) for _, value in choices]
        conditions = [condition for condition, _ in choices]
        if all(y not in (c.symbols() if d is None else d.symbols() | c.symbols()) and d is not None
               for d, c in zip(added, conditions, strict=True)):  # fmt: skip
            whole = _chosen(a, conditions, [d for d in added if d is not None])
            for part in summands(whole):
                yield a.add(y, part), a.zero, self._between(part)
        elif len(first) == 1 and (start := next(iter(first))).is_constant:
            bounds = self._range_of(y)
            fact = a.true if bounds is None else range_fact(a, self._result, bounds)
            yield _chosen(a, conditions, [value for _, value in choices]), start, fact

    def _between(self, part: Term) -> Term:
        """The bounds of a sum of so many numbers like `part`."""
        a, interval = self._arena, Intervals(self._range_of)(part)
        lower = [] if interval.low is None else [a.le(a.linear([(interval.low, self._index)]), self._result)]
        upper = [] if interval.high is None else [a.le(self._result, a.linear([(interval.high, self._index)]))]
        return a.and_(*lower, *upper)

    def _fold(
        self,
        relation: int,
        entering: tuple[int, ...],
        step: Term,
        start: Term,
        bound: Term,
        begin: int,
        total: Total | None,
    ) -> LoopFold:
        a = self._arena
        symbol, result, index = (
            a.symbol(f"{PROOF_SIGN}{next(self._names, 'folded')}", INT_ARRAY),
            a.proof_symbol("result", INT),
            a.proof_symbol("index", INT),
        )
        own = Substitution(a, {self._result: result, self._index: index})
        step = own(step)
        reads = [t for t in subterms(step) if t.is_select]
        at, edges = self._encoding.places[relation], self._edges(entering)
        fold = Fold(symbol, at, edges, result, index, start, step, own(bound))
        return LoopFold(fold, relation, entering, reads[0] if len(reads) == 1 else None, begin, total)


def _chosen(arena: Arena, conditions: Sequence[Term], values: Sequence[Term]) -> Term:
    """The value of the first condition that holds."""
    found = values[-1]
    for condition, value in zip(conditions[-2::-1], values[-2::-1], strict=True):
        found = arena.ite(condition, value, found)
    return found


def _order(system: HornSystem) -> list[int]:
    """The relations as executions may reach them first."""
    relations = dict.fromkeys(r.head.relation for r in system.rules if r.head is not None and not r.premises)
    work = list(relations)
    for relation in work:
        following = (r.head.relation for r in system.rules if r.head and _source(r) == relation)
        for target in following:
            if target not in relations:
                relations[target] = None
                work.append(target)
    return list(relations)


def _source(rule: Rule) -> int | None:
    return rule.premises[0].relation if rule.premises else None


def _before(system: HornSystem, relation: int) -> dict[int, None]:
    """The relations that can be reached without the given one."""
    before: dict[int, None] = {}
    work: list[int | None] = [None]
    for source in work:
        for rule in system.rules:
            if rule.head is not None and _source(rule) == source and rule.head.relation not in (relation, *before):
                before[rule.head.relation] = None
                work.append(rule.head.relation)
    return before


def is_of_unknown_contents(system: HornSystem, fold: LoopFold) -> bool:
    """Whether nothing but inputs is stored in the arrays of a ghost before its loop begins."""
    arrays = {t.args[0] for t in subterms(fold.fold.step) if t.is_select}
    before = _before(system, fold.relation)
    for number, rule in enumerate(system.rules):
        if rule.head is not None and (rule.head.relation in before or number in fold.rules):
            arguments = system.arguments[rule.head.relation]
            for x, value in zip(arguments, rule.head.values, strict=True):
                if x in arrays and any(not v.is_symbol or v in arguments for _, v in stores(value)):
                    return False
    return True


def loop_rules(system: HornSystem, relation: int) -> tuple[list[int], list[int]]:
    """The entering and the back edges of a loop head, as numbers of rules."""
    before = _before(system, relation)
    entering: list[int] = []
    inside: list[int] = []
    for number, rule in enumerate(system.rules):
        if rule.head is not None and rule.head.relation == relation:
            first = not rule.premises or _source(rule) in before
            (entering if first else inside).append(number)
    return entering, inside


@dataclass(frozen=True)
class FoldedSystem:
    """A system whose relations also speak of ghost arrays.

    `given[n]` has what is known after rule n, for every index; `made[n]` the symbols that stand there for new ghosts.
    """

    system: HornSystem
    given: Mapping[int, tuple[Term, ...]]
    made: Mapping[int, Mapping[Term, LoopFold]]


def with_folds(arena: Arena, system: HornSystem, folds: Sequence[LoopFold], index: Term) -> FoldedSystem:
    """The system with ghost arrays; `index` stands for every index in what is given."""
    ghosts = tuple(one.fold.symbol for one in folds)
    given: dict[int, tuple[Term, ...]] = {}
    made: dict[int, dict[Term, LoopFold]] = {}
    rules: list[Rule] = []
    for position, rule in enumerate(system.rules):
        values: list[Term] = []
        facts: list[Term] = []
        for one in folds:
            new = one.fold.symbol
            if position in one.rules:
                new = arena.fresh(new.name, INT_ARRAY)
                made.setdefault(position, {})[new] = one
                facts += _facts(arena, system, rule, one, new, index)
            values.append(new)
        if facts:
            given[position] = tuple(facts)
        premises = tuple(Application(p.relation, (*p.values, *ghosts)) for p in rule.premises)
        head = rule.head and Application(rule.head.relation, (*rule.head.values, *values))
        rules.append(Rule(premises, rule.constraint, head))
    return FoldedSystem(HornSystem(tuple((*own, *ghosts) for own in system.arguments), tuple(rules)), given, made)


def _facts(arena: Arena, system: HornSystem, rule: Rule, one: LoopFold, new: Term, k: Term) -> Iterator[Term]:
    assert rule.head is not None
    fold = one.fold
    after = Substitution(arena, dict(zip(system.arguments[one.relation], rule.head.values, strict=True)))
    here = Substitution(arena, {fold.result: arena.select(new, k), fold.index: k})
    inside = arena.le(arena.zero, k)
    yield arena.equals(arena.select(new, arena.zero), after(fold.first))
    next_one = arena.select(new, arena.add(k, arena.one))
    yield arena.implies(inside, arena.equals(next_one, here(after(fold.step))))
    yield arena.implies(inside, here(after(fold.bound)))


@dataclass(frozen=True)
class Marks:
    """The terms of which candidates about ghost arrays speak at one relation.

    `counters` begin at the numbers beside them; `ends` bound counters; `ghosts` are elements of ghost arrays,
    `elements` those of arrays at their ends and scalars that hold one.
    """

    counters: tuple[tuple[Term, int], ...]
    ends: tuple[Term, ...]
    ghosts: tuple[Term, ...]
    elements: tuple[Term, ...]


def counters_of(arena: Arena, system: HornSystem, relation: int) -> list[tuple[Term, int]]:
    """The variables that rounds make one larger, with where they begin (0 where that is no number)."""
    entering, inside = loop_rules(system, relation)
    heads = [(head, n in entering) for n in (*entering, *inside) if (head := system.rules[n].head) is not None]
    found: list[tuple[Term, int]] = []
    for i, x in enumerate(system.arguments[relation]):
        rounds = {head.values[i] for head, enters in heads if not enters} - {x}
        if x.sort is INT and rounds == {arena.add(x, arena.one)}:
            begins = [head.values[i] for head, enters in heads if enters]
            found.append((x, begins[0].value if begins and begins[0].is_constant else 0))
    return found


def ends_of(arena: Arena, system: HornSystem, range_of: RangeOf, farthest: int) -> list[Term]:
    """The terms up to which counters of loops count: bounds of rounds."""
    counting = {r: {x for x, _ in counters_of(arena, system, r)} for r in range(len(system.arguments))}
    found: dict[Term, None] = {}
    for rule in system.rules:
        own = counting[rule.premises[0].relation] if rule.premises else set[Term]()
        for part in literals(rule.constraint) if own else ():
            atom = part.args[0] if part.is_negation else part
            if atom.is_bound and not is_range_fact(atom, range_of):
                found.update(dict.fromkeys(_ends(arena, atom, own, farthest)))
    large = [e for e in found if not e.is_constant or e.value > 1]
    return [e for e in large if not _is_bound_of_type(e)] or large


def _is_bound_of_type(end: Term) -> bool:
    """Whether an end is a power of two, and so more likely to be the bound of a type than a size."""
    return end.is_constant and end.value >= 1 << 15 and end.value & (end.value - 1) == 0


def _ends(arena: Arena, atom: Term, counters: set[Term], farthest: int) -> Iterator[Term]:
    body = atom.args[0]
    parts = zip(body.coefficients, body.args, strict=True) if body.is_sum else [(1, body)]
    for factor, x in parts:
        rest = arena.linear([(1, body), (-factor, x)])
        if x in counters and abs(factor) == 1:
            limit = arena.linear([(-factor, rest)], factor * atom.value + (factor > 0))
            constant = limit.constant if limit.is_sum else number_or_zero(limit)
            if all(s.sort is INT for s in limit.symbols()) and not reads_elements(limit) and abs(constant) <= farthest:
                yield limit


def marks_of(
    arena: Arena,
    system: HornSystem,
    folds: Sequence[LoopFold],
    ends: Sequence[Term],
    relation: int,
    cells: Sequence[ArrayCell],
) -> Marks:
    """The marks of a relation of the system with ghost arrays."""
    arguments = frozenset(system.arguments[relation])
    counters = counters_of(arena, system, relation)[:2]
    near = [e for e in ends if e.symbols() <= arguments][:3]
    ghosts: dict[Term, None] = {}
    elements: dict[Term, None] = {}
    for fold in folds:
        indices = [arena.integer(v) for v in range(3)]
        for x, begin in counters:
            here = arena.subtract(x, arena.integer(begin))
            indices += [here, arena.add(here, arena.one), *(arena.subtract(e, here) for e in near)]
        indices += [arena.subtract(e, arena.integer(fold.first_index)) for e in near]
        ghosts.update((arena.select(fold.fold.symbol, e), None) for e in indices)
        places = [arena.zero, arena.one, *(arena.subtract(e, arena.integer(fold.first_index + 1)) for e in near)]
        elements.update((cell.element(arena, place), None) for cell in fold.alike(cells) for place in places)
    elements.update((x, None) for x in _holding(system) if x in arguments)
    return Marks(tuple(counters), tuple(near), tuple(ghosts), tuple(elements))


def _holding(system: HornSystem) -> dict[Term, None]:
    """The scalars that get an element of an array."""
    found: dict[Term, None] = {}
    for rule in system.rules:
        if rule.head is not None:
            for x, value in zip(system.arguments[rule.head.relation], rule.head.values, strict=True):
                if x.sort is INT and value.is_select:
                    found[x] = None
    return found


def ghost_values(folded: FoldedSystem, small: Callable[[Term], Term]) -> Callable[[int, Sample], Sample]:
    """The function that gives ghost arrays their values in a sampled state, after the rule with a number."""
    steps = {one: compiled([small(one.fold.first), small(one.fold.step)]) for one in _made(folded)}

    def completed(rule: int, state: Sample) -> Sample:
        for one in folded.made.get(rule, {}).values():
            state = {**state, one.fold.symbol: _results(one.fold, steps[one], state)}
        return state

    return completed


def _made(folded: FoldedSystem) -> Iterator[LoopFold]:
    yield from dict.fromkeys(one for own in folded.made.values() for one in own.values())


def _results(fold: Fold, step: Evaluation, state: Sample) -> ArrayValue:
    entries: dict[int, int] = {}
    result = 0
    for k in range(SAMPLED):
        found = step({**state, fold.result: result, fold.index: k - 1})
        if found is None:
            break
        first, following = found
        assert isinstance(first, int)
        assert isinstance(following, int)
        result = entries[k] = first if k == 0 else following
    return ArrayValue(0, entries)
