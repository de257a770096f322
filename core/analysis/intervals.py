"""Interval analysis of programs. It removes choices (wrap-around above all) that no execution takes.

P. Cousot and R. Cousot, "Static determination of dynamic properties of programs", 1976; widening with thresholds,
then two descending passes. Flow-sensitive, one context per function. Nothing here is trusted: the bounds on which a
simplification rests become part of the certificate, which is checked against the program as it was lowered.

Limitations: arrays are known only by their declared ranges; relations between variables are not kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial, reduce
from heapq import heappop, heappush

from core.analysis.bound_pairs import (
    TOP,
    BoundPair,
    all_bits,
    common_bits,
    hull,
    meet,
    minus,
    plus,
    scale,
    times,
    unscale,
    without,
)
from core.analysis.shared_map import SharedKeys, SharedMap
from core.analysis.thresholds import pushed, thresholds_of
from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Assign, Assume, Call, Edge, Operation, Program
from core.program.expansion import At, Expansion
from core.program.loops import loop_heads
from core.program.modular import ModularView, recursive_functions
from core.terms import INT, Op, Term, Treatment, integer_function, is_uninterpreted, literals, rebuild, subterms
from core.terms.interval import Interval

OTHER_OPERATORS = Treatment.OPAQUE

IntervalState = SharedMap[Term, BoundPair]  # only variables that are tighter than their ranges

_BEGIN = -1  # in place of an edge, where the program begins
_MAX_CASES = parameter("analysis.intervals.max-cases")
_WIDENING_DELAY = parameter("analysis.intervals.widening-delay")


@dataclass(frozen=True)
class Simplified:
    """A program with the same locations and edges, and the bounds that make it equivalent to the original."""

    program: Program
    original: Program
    states: Mapping[int, IntervalState]  # per location
    relevant: frozenset[Term]  # the variables on whose bounds the simplification rests
    _facts: dict[tuple[Term, BoundPair], tuple[Term, ...]] = field(default_factory=dict, compare=False)

    def invariant(self, expansion: Expansion, at: At) -> Term:
        """The bounds at a location of the expansion, of all the activations on its stack; false where nothing leads."""
        arena = self.program.arena
        if at.location not in self.states:
            return arena.false
        facts: list[Term] = []
        outdated: frozenset[Term] = frozenset()
        while True:
            rename = expansion.in_frame(at)
            state = self.states.get(at.location)
            for x, interval in state.items() if state is not None else ():
                if x in self.relevant and x not in outdated:
                    facts.extend(map(rename, self._about(x, interval)))
            if not at.stack:
                return arena.and_(*facts)
            # A suspended activation keeps its locals as they were at the call, but the globals go on changing.
            call = self.program.edges[at.stack[-1]]
            at, outdated = At(at.stack[:-1], call.source), frozenset(self.program.globals())

    def _about(self, x: Term, interval: BoundPair) -> tuple[Term, ...]:
        """The constraints that an interval puts on `x`; it may have an end on one side only."""
        known = self._facts.get((x, interval))
        if known is None:
            arena, (low, high) = self.program.arena, interval
            at_least = () if low is None else (arena.le(arena.integer(low), x),)
            at_most = () if high is None else (arena.le(x, arena.integer(high)),)
            known = self._facts[x, interval] = (*at_least, *at_most)
        return known

    def bounds_at(self, view: ModularView, at: At) -> Term:
        """The bounds that hold at a location of the view, over its variables."""
        inside = at if view.entered(at) is None else At((), at.location)
        return self.invariant(view.expansion, inside)

    def visible_bounds(self, view: ModularView, at: At, visible: Collection[Term]) -> Term:
        """Bounds at a location that speak of nothing but the variables `visible`."""
        known = literals(self.bounds_at(view, at))
        return self.program.arena.and_(*(fact for fact in known if fact.symbols() <= frozenset(visible)))


_KEPT = 2  # a program, and its view in which elements of arrays are variables
_simplified: dict[int, tuple[Program, Simplified]] = {}


def simplify(program: Program) -> Simplified:
    """Resolve every condition that intervals decide; once for a program, so that attempts can share it."""
    known = _simplified.get(id(program))
    if known is None:
        if len(_simplified) >= _KEPT:
            del _simplified[next(iter(_simplified))]
        known = _simplified[id(program)] = program, _without_choices(program)
    return known[1]


def _without_choices(program: Program) -> Simplified:
    analysis = IntervalAnalysis(program)
    states = analysis.run()
    edges: list[Edge] = []
    used: set[Term] = set()
    for edge in program.edges:
        state = states.get(edge.source)
        if state is not None and analysis.refutes(state, edge.operation):
            # What follows is left out of the bounds, so they rest on what refutes the guard.
            used |= _symbols(edge.operation)
            edge = replace(edge, operation=Assume(program.arena.false))
        elif state is not None:
            operation = _simplify(analysis, edge.operation, state, used)
            if _inputs(program, operation) == _inputs(program, edge.operation):  # a path names every input it consumes
                edge = replace(edge, operation=operation)
        edges.append(edge)
    return Simplified(replace(program, edges=tuple(edges)), program, states, dependencies(program, used))


def _inputs(program: Program, operation: Operation) -> frozenset[Term]:
    return _symbols(operation).intersection(program.inputs)


def _symbols(operation: Operation) -> frozenset[Term]:
    """The symbols that the terms of an operation mention."""
    terms = (
        (operation.condition,)
        if isinstance(operation, Assume)
        else tuple(value for _, value in operation.updates)
        if isinstance(operation, Assign)
        else operation.arguments
    )
    return frozenset[Term]().union(*(t.symbols() for t in terms))


def _simplify(analysis: IntervalAnalysis, operation: Operation, state: IntervalState, used: set[Term]) -> Operation:
    match operation:
        case Assume(condition):
            return Assume(_decided(analysis, condition, state, used, top=condition))
        case Assign(updates):
            return Assign(tuple((x, _decided(analysis, v, state, used)) for x, v in updates))
        case Call(function, arguments):
            return Call(function, tuple(_decided(analysis, a, state, used) for a in arguments))


def _decided(
    analysis: IntervalAnalysis, root: Term, state: IntervalState, used: set[Term], top: Term | None = None
) -> Term:
    """`root` with the atoms that the state decides replaced; conjuncts of a guard stay, they carry information."""
    kept = set(literals(top)) if top is not None else set()
    kept |= {t.args[0] for t in kept if t.is_negation}
    memo: dict[Term, Term] = {}
    values: dict[Term, BoundPair] = {}
    changed = False
    for t in subterms(root):
        if t.is_quantified:
            return root
        args = tuple(memo[a] for a in t.args)
        new = t if args == t.args else rebuild(analysis.arena, t, args)
        if new.is_comparison and t not in kept:
            verdict = _truth(new, analysis.value(new.args[0], state, values))
            if verdict is not None:
                used |= new.symbols()
                new = analysis.arena.boolean(verdict)
        changed |= new is not t
        memo[t] = new
    return memo[root] if changed else root


def _truth(atom: Term, value: BoundPair) -> bool | None:
    low, high = value
    if atom.is_bound:
        if high is not None and high <= atom.value:
            return True
        return False if low is not None and low > atom.value else None
    if low is not None and low == high == atom.value:
        return True
    outside = (low is not None and low > atom.value) or (high is not None and high < atom.value)
    return False if outside else None


def dependencies(program: Program, used: Iterable[Term]) -> frozenset[Term]:
    """The variables whose bounds the bounds of `used` may rest on."""
    sources: dict[Term, set[Term]] = {}
    guards: dict[Term, set[Term]] = {}
    for edge in program.edges:
        match edge.operation:
            case Assume(condition):
                for conjunct in literals(condition):
                    for x in conjunct.symbols():
                        guards.setdefault(x, set()).update(conjunct.symbols())
            case Assign(updates):
                for x, value in updates:
                    sources.setdefault(x, set()).update(value.symbols())
            case Call(function, arguments):
                for x, value in zip(program.functions[function].parameters, arguments, strict=True):
                    sources.setdefault(x, set()).update(value.symbols())
    reached = set(used)
    work = list(reached)
    while work:
        x = work.pop()
        for y in sources.get(x, set()) | guards.get(x, set()):
            if y not in reached:
                reached.add(y)
                work.append(y)
    return frozenset(reached & program.variables.keys())


class IntervalAnalysis:
    """The fixed point: per location, an interval for each integer variable; unreached locations are missing."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.arena = program.arena
        own = program.locals()
        others = (*(x for x in program.variables if x in own), *program.inputs)
        self._nothing = IntervalState(
            SharedKeys(*([x for x in one if x.sort is INT] for one in (program.globals(), others)))
        )
        self._states: dict[int, IntervalState] = {}
        self._visits: dict[int, int] = {}
        self._arrived: dict[int, dict[int, IntervalState]] = {}  # by location and edge, since it was last visited
        self._sources: dict[int, set[int]] = {}  # the edges of all that arrived at a location
        self._thresholds = thresholds_of(program)
        self._moves: dict[tuple[int, Term], int] = {}  # how often a variable was widened at a location
        self._callers: dict[str, list[Edge]] = {}
        for edge in program.edges:
            if isinstance(edge.operation, Call):
                self._callers.setdefault(edge.operation.function, []).append(edge)
        self._heads = loop_heads(program) | self._heads_of_calls()

    def _heads_of_calls(self) -> frozenset[int]:
        """Locations that cut all cycles through calls: entries to which several calls lead, or recursion does.

        The way back from a call of a recursive function may be on a cycle without an entry.
        """
        recursive = recursive_functions(self.program)
        functions = self.program.functions.values()
        entries = {f.entry for f in functions if f.name in recursive or len(self._callers.get(f.name, ())) > 1}
        calls = (call for name in recursive for call in self._callers[name])
        return frozenset(entries | {call.target for call in calls})

    def run(self) -> dict[int, IntervalState]:
        start = self.program.functions[self.program.start].entry
        self._ascend(start)
        for _ in range(2):
            self._descend(start)
        return self._states

    def _ascend(self, start: int) -> None:
        """Ascend to a fixed point: where paths meet, nothing goes on before all that are under way have come."""
        order = self._order(start)
        position = {location: n for n, location in enumerate(order)}
        self._arrived[start] = {_BEGIN: self._nothing}
        queue = [position[start]]
        while queue:
            location = order[heappop(queue)]
            old, new = self._states.get(location), self._met(location)
            if new is old:
                continue
            self._states[location] = new
            for edge, target, state in self._effects(location):
                if target not in self._arrived:
                    self._arrived[target] = {}
                    heappush(queue, position[target])
                self._arrived[target][edge] = state

    def _met(self, location: int) -> IntervalState:
        """The state of a location after what has arrived there since its last visit.

        What has arrived on all ways to it takes the place of the state before. To join the two costs more: they share
        little where a loop has changed many variables, whereas states that meet have come from one.
        """
        arrived = self._arrived.pop(location)
        sources = self._sources.setdefault(location, set())
        sources.update(arrived)
        new = reduce(lambda a, b: a.joined(b, self._join), arrived.values())
        old = self._states.get(location)
        if old is None or (len(arrived) == len(sources) and location not in self._heads):
            return new
        return self._widened(location, old, new)

    def _order(self, start: int) -> list[int]:
        """The locations, each before those to which it leads but for ways back; callees before the return of a call."""
        done: list[int] = []
        found = {start}
        path = [(start, self._successors(start))]
        while path:
            location, targets = path[-1]
            target = next((one for one in targets if one not in found), None)
            if target is None:
                done.append(location)
                path.pop()
            else:
                found.add(target)
                path.append((target, self._successors(target)))
        return done[::-1]

    def _successors(self, location: int) -> Iterator[int]:
        for edge in self.program.out_edges[location]:
            yield edge.target
            if isinstance(edge.operation, Call):
                yield self.program.functions[edge.operation.function].entry

    def _descend(self, start: int) -> None:
        """One decreasing pass: each location becomes the join of what its predecessors give it now."""
        incoming = {start: self._nothing}
        for location in sorted(self._states):
            for _, target, state in self._effects(location):
                known = incoming.get(target)
                incoming[target] = state if known is None else known.joined(state, self._join)
        self._states = {location: incoming[location] for location in self._states if location in incoming}

    def _effects(self, location: int) -> Iterator[tuple[int, int, IntervalState]]:
        """The states to which edges of a location, or returns from it, lead, with the edges and their targets."""
        state = self._states[location]
        for edge in self.program.out_edges[location]:
            match edge.operation:
                case Assume(condition):
                    refined = self._assume(state, condition)
                    if refined is not None:
                        yield edge.id, edge.target, refined
                case Assign(updates):
                    yield edge.id, edge.target, self._assign(state, state, updates)
                case Call(name, arguments):
                    callee = self.program.functions[name]
                    passed = tuple(zip(callee.parameters, arguments, strict=True))
                    yield edge.id, callee.entry, self._assign(self._nothing.with_groups(state, 1), state, passed)
                    if callee.exit in self._states:
                        yield edge.id, edge.target, state.with_groups(self._states[callee.exit], 1)
        function = self.program.functions[self.program.locations[location].function]
        if location == function.exit:
            for call in self._callers.get(function.name, []):
                if call.source in self._states:
                    yield call.id, call.target, self._states[call.source].with_groups(state, 1)

    def _assign(
        self, result: IntervalState, state: IntervalState, updates: Sequence[tuple[Term, Term]]
    ) -> IntervalState:
        """`result` with the values that the terms of `updates` have in `state`."""
        values: dict[Term, BoundPair] = {}
        for x, term in updates:
            if x.sort is INT:
                result = self._set(result, x, self.value(term, state, values))
        return result

    def _set(self, state: IntervalState, x: Term, interval: BoundPair) -> IntervalState:
        """The state in which `x` has an interval, cut to its range; not stored where it says no more than that."""
        full = self._range(x)
        cut = meet(interval, full)
        return state.changed(x, None if cut == full else cut)

    def _range(self, symbol: Term) -> BoundPair:
        bounds = self.program.range_of(symbol)
        return TOP if bounds is None else (bounds.low, bounds.high)

    def refutes(self, state: IntervalState, operation: Operation) -> bool:
        """Whether `operation` is a guard that holds nowhere in `state`."""
        return isinstance(operation, Assume) and self._assume(state, operation.condition) is None

    def _assume(self, state: IntervalState, condition: Term) -> IntervalState | None:
        """The state where `condition` holds; None if nowhere."""
        for conjunct in literals(condition):
            negated = conjunct.is_negation
            atom = conjunct.args[0] if negated else conjunct
            if atom.is_conjunction if negated else atom.is_disjunction:
                cases = [self.arena.not_(part) if negated else part for part in atom.args]
                found = self._assume_some(state, cases)
                if found is None:
                    return None
                state = found
                continue
            if not atom.is_comparison:
                if atom.is_constant and atom.is_false != negated:
                    return None
                continue
            truth = _truth(atom, self.value(atom.args[0], state, {}))
            if truth is negated:
                return None
            state = self._refine(state, atom, negated)
        return state

    def _assume_some(self, state: IntervalState, cases: Sequence[Term]) -> IntervalState | None:
        """The state where one of some conditions holds; None if nowhere."""
        if len(cases) > _MAX_CASES:
            return state
        possible = [found for case in cases if (found := self._assume(state, case)) is not None]
        return reduce(lambda a, b: a.joined(b, self._join), possible) if possible else None

    def _refine(self, state: IntervalState, atom: Term, negated: bool) -> IntervalState:
        body, bound = atom.args[0], atom.value
        parts = list(zip(body.coefficients, body.args, strict=True)) if body.is_sum else [(1, body)]
        values: dict[Term, BoundPair] = {}
        total = self.value(body, state, values)
        for c, x in parts:
            if not x.is_symbol:
                continue
            own = scale(c, self.value(x, state, values))
            rest = minus(total, own)
            if atom.is_bound:
                part: BoundPair = (
                    (None if rest[1] is None else bound + 1 - rest[1], None)
                    if negated
                    else (None, None if rest[0] is None else bound - rest[0])
                )
            elif not negated:
                part = (
                    None if rest[1] is None else bound - rest[1],
                    None if rest[0] is None else bound - rest[0],
                )
            else:
                part = without(own, bound - rest[0]) if rest[0] is not None and rest[0] == rest[1] else TOP
            narrowed = meet(unscale(c, part), self.value(x, state, {}))
            if narrowed is not None:
                state = self._set(state, x, narrowed)
        return state

    def value(self, t: Term, state: Mapping[Term, BoundPair], memo: dict[Term, BoundPair]) -> BoundPair:
        """The interval of an integer term."""
        for u in subterms(t):
            if u not in memo and u.sort is INT:
                memo[u] = self._node(u, state, memo)
        return memo[t]

    def _node(self, u: Term, state: Mapping[Term, BoundPair], memo: Mapping[Term, BoundPair]) -> BoundPair:
        match u.op:
            case Op.CONSTANT:
                return u.value, u.value
            case Op.SYMBOL:
                return state.get(u) or self._range(u)
            case Op.LINEAR:
                total: BoundPair = (u.constant, u.constant)
                for c, a in zip(u.coefficients, u.args, strict=True):
                    total = plus(total, scale(c, memo[a]))
                return total
            case Op.ITE:
                return self._choice(u, memo)
            case Op.SELECT:
                return self._range(u.args[0]) if u.args[0].is_symbol else TOP
            case Op.MODULO if u.args[1].is_constant and u.args[1].value != 0:
                modulus = abs(u.args[1].value)
                low, high = memo[u.args[0]]
                if low is None or high is None or low // modulus != high // modulus:
                    return 0, modulus - 1
                return low % modulus, high % modulus
            case Op.DIVIDE if u.args[1].is_constant and u.args[1].value > 0:
                low, high = memo[u.args[0]]
                divisor = u.args[1].value
                return None if low is None else low // divisor, None if high is None else high // divisor
            case Op.BIT_AND:
                return common_bits(memo[u.args[0]], memo[u.args[1]])
            case Op.BIT_OR | Op.BIT_XOR:
                return all_bits(memo[u.args[0]], memo[u.args[1]])
            case Op.SHIFT_RIGHT:
                low, high = memo[u.args[0]]  # shifting moves a number towards 0 or -1
                return None if low is None else min(low, 0), None if high is None else max(high, -1)
            case Op.MULTIPLY if len(u.args) == 2:
                return times(memo[u.args[0]], memo[u.args[1]])
            case _ if is_uninterpreted(u):
                interval = integer_function(u).interval(*(Interval(*memo[a]) for a in u.args))
                return interval.low, interval.high
            case _:
                return TOP

    def _choice(self, u: Term, memo: Mapping[Term, BoundPair]) -> BoundPair:
        condition, a, b = u.args
        atom = condition.args[0] if condition.is_negation else condition
        if atom.is_comparison and atom.args[0] in memo:
            truth = _truth(atom, memo[atom.args[0]])
            if truth is not None:
                return memo[a if truth is (atom is condition) else b]
        return hull(memo[a], memo[b])

    def _join(self, x: Term, a: BoundPair, b: BoundPair) -> BoundPair | None:
        """The interval of `x` where paths meet; None where it says no more than the range."""
        interval = hull(a, b)
        return None if interval == self._range(x) else interval

    def _widened(self, target: int, old: IntervalState, new: IntervalState) -> IntervalState:
        joined = old.joined(new, self._join)
        if joined is not old and target in self._heads:
            self._visits[target] = self._visits.get(target, 0) + 1
            if self._visits[target] > _WIDENING_DELAY:
                return old.joined(new, partial(self._pushed, target))
        return joined

    def _pushed(self, target: int, x: Term, old: BoundPair, new: BoundPair) -> BoundPair | None:
        """The interval of `x` at a location that was visited often: where it grows, over the next threshold."""
        interval = hull(old, new)
        if interval == old:
            return old
        self._moves[target, x] = moves = self._moves.get((target, x), 0) + 1
        cut = meet(pushed(self._thresholds.get(x, ()), old, interval, moves), self._range(x))
        return None if cut == self._range(x) else cut
