"""Model checking of abstract linear programs by procedure summaries.

A. Armando, C. Castellini, J. Mantovani, "Software model checking using linear constraints", ICFEM 2004, after T. Reps,
S. Horwitz, M. Sagiv, "Precise interprocedural dataflow analysis via graph reachability", POPL 1995. A procedure is
explored once for each *context* in which it is entered; the states at its exit, which relate globals to what they and
the parameters were on entry, are its summary, and every call of the context uses it. So recursion is decided and not
unfolded.

Deviations: only recursive procedures have summaries, others are expanded where they are called. States are zones, not
polyhedra. They are merged where the scalars that have one value have the same values (`partitioned`), or one to a
location (`merged`); where they go on growing, they are widened with the constants of the program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from heapq import heappop, heappush

from core.domains.contract import StateKey
from core.domains.zones import TrackedPlaces, Zone, ZoneDomain
from core.domains.zones.domain import partition
from core.limits import Limits
from core.program import Assume, Check, Program
from core.program.expansion import At, Step
from core.program.modular import Enter, ModularView, Summary
from core.program.order import ExplorationOrder
from core.program.semantics import Transition
from core.terms import Arena, Op, Term, subterms

_DELAY_AT_HEADS = 2  # joins of a state that is the only one at its location, before it is widened
_DELAY = 8
_DELAY_OF_PARTS = 60  # where states are kept apart, loops are unrolled, and most states stop growing
_MOST_WIDENINGS = 12  # of a state, before what still grows is given up
_MOST_THRESHOLDS = 400


class Strategy(Enum):
    """The states that are kept apart, and the order in which they are explored."""

    MERGED = auto()  # one state to a location; loops are stable before what is behind them
    PARTITIONED = auto()  # a state for each choice of scalars; loops are stable before what is behind them
    SEPARATED = auto()  # a state for each choice of scalars and elements; loops are stable as well
    BREADTH_FIRST = auto()  # a state for each choice of scalars; what was reached first comes first


@dataclass(eq=False, slots=True)
class CallContext:
    """A procedure in one abstract state on entry: `exits` is its summary, `calls` those who wait for it."""

    function: str
    number: int
    exits: dict[StateKey, StateNode] = field(default_factory=dict)
    calls: dict[tuple[object, ...], PendingCall] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class StateNode:
    """An abstract state, reached from `parent` by `step`; across a call, `inner` is the state at the callee's exit."""

    context: CallContext
    at: At
    zone: Zone
    parent: StateNode | None
    step: Step | None
    inner: StateNode | None
    arrivals: int


@dataclass(frozen=True, eq=False, slots=True)
class PendingCall:
    """A call that a state makes: `zone` has the arguments as copies of the parameters beside the caller's places."""

    caller: StateNode
    step: Summary
    zone: Zone


class TooManyStates(Exception):
    """Raised where exploration would keep more states than allowed."""


class Tabulation:
    """One exploration under one precision. `ignored` are checks whose failure is of no interest."""

    def __init__(
        self,
        view: ModularView,
        domain: ZoneDomain,
        precision: TrackedPlaces,
        strategy: Strategy,
        ignored: Collection[int],
        limits: Limits,
        most_states: int,
    ) -> None:
        self._view = view
        self._domain = domain
        self._precision = precision
        self._transfer = domain.transfer(precision)
        self._strategy = strategy
        self._ignored = ignored
        self._limits = limits
        self._most_states = most_states
        self._order = ExplorationOrder(view.program)
        self._thresholds = thresholds(view.program)
        self._contexts: dict[tuple[str, StateKey], CallContext] = {}
        self._states: dict[tuple[CallContext, At], dict[StateKey, StateNode]] = {}
        self._waiting: list[tuple[tuple[int, ...], int, CallContext, At, StateKey]] = []
        self._queued: set[tuple[CallContext, At, StateKey]] = set()
        self._sequence = 0
        self.size = 0  # states that are kept

    def explore(self) -> StateNode | None:
        """A state at an error; None if none is reached. Raises `TooManyStates`."""
        outermost = CallContext(self._view.program.start, 0)
        start = self._view.start
        entered = self._view.entered(start)
        context = self._context(entered, self._domain.initial(start, self._precision)) if entered else outermost
        self._arrive(context, start, self._domain.initial(start, self._precision), None, None, None)
        while self._waiting:
            self._limits.check()
            *_, context, at, key = heappop(self._waiting)
            self._queued.discard((context, at, key))
            node = self._states[context, at][key]
            if self._fails(at):
                return node
            self._expand(node)
        return None

    def states(self) -> Iterator[tuple[At, Zone]]:
        """The states that were reached."""
        for (_, at), found in self._states.items():
            yield from ((at, node.zone) for node in found.values())

    def _fails(self, at: At) -> bool:
        check: Check | None = self._view.check(at)
        return check is not None and check.id not in self._ignored

    # Steps

    def _expand(self, node: StateNode) -> None:
        if self._view.check(node.at) is not None:
            return
        name = self._view.root(node.at)
        if name in self._view.contracted and node.at == self._view.exit(name):
            node.context.exits[self._key(node.zone)] = node
            for call in list(node.context.calls.values()):
                self._return(call, node)
        for step in self._view.steps(node.at):
            match step:
                case Enter():
                    pass  # with the summary step that follows it
                case Summary():
                    self._call(node, step)
                case _:
                    for zone in self._domain.successors(node.zone, step, self._precision):
                        self._arrive(node.context, step.target, zone, node, step, None)

    def _call(self, node: StateNode, step: Summary) -> None:
        """Enter the callee, and use what is known of its summary."""
        enter = next(s for s in self._view.steps(node.at) if isinstance(s, Enter) and s.edges == step.edges)
        arena = self._view.arena
        parameters = self._view.program.functions[step.callee].parameters
        arguments = {self._argument(p): enter.transition.updates.get(p, p) for p in parameters}
        passed = Transition(arena, arena.true, arguments)
        names = {self._argument(p): p for p in parameters}
        visible = {*arguments, *self._view.globals}
        for number, zone in enumerate(self._transfer.apply(node.zone, passed)):
            entry = zone.without(x for x in zone.places() if _variable(x) not in visible)
            entry = self._domain.restricted(_renamed(entry, names, arena), enter.target)
            context = self._context(step.callee, entry)
            call = PendingCall(node, step, zone)
            context.calls[node.context, node.at, self._key(node.zone), step, number] = call
            self._arrive(context, enter.target, entry, node, enter, None)
            for end in list(context.exits.values()):
                self._return(call, end)

    def _return(self, call: PendingCall, end: StateNode) -> None:
        """The states behind a call that may return in the state `end`."""
        view, arena = self._view, self._view.arena
        parameters = view.program.functions[call.step.callee].parameters
        changed = [x for x in view.globals if x in view.changed[call.step.callee]]
        returned = {x: self._result(x) for x in changed}
        before = {view.snapshot(p): self._argument(p) for p in parameters} | {view.snapshot(x): x for x in changed}
        meeting = call.zone.meet(_renamed(end.zone, {**returned, **before}, arena))
        if meeting is None:
            return
        lost = {*map(self._argument, parameters), *changed}
        after = meeting.without(x for x in meeting.places() if _variable(x) in lost)
        after = _renamed(after, {copy: x for x, copy in returned.items()}, arena)
        after = self._domain.restricted(after, call.step.target)
        self._arrive(call.caller.context, call.step.target, after, call.caller, call.step, end)

    def _argument(self, parameter: Term) -> Term:
        return self._view.arena.copy(parameter, f"{parameter.name}@call")

    def _result(self, variable: Term) -> Term:
        return self._view.arena.copy(variable, f"{variable.name}@result")

    # States

    def _context(self, function: str, zone: Zone) -> CallContext:
        key = function, self._key(zone)
        found = self._contexts.get(key)
        if found is None:
            found = self._contexts[key] = CallContext(function, len(self._contexts) + 1)
        return found

    def _key(self, zone: Zone) -> StateKey:
        match self._strategy:
            case Strategy.MERGED:
                return ()
            case Strategy.SEPARATED:
                return tuple(sorted((x.id, value) for x, value in zone.known.items()))
            case Strategy.PARTITIONED | Strategy.BREADTH_FIRST:
                return partition(zone)

    def _arrive(
        self,
        context: CallContext,
        at: At,
        zone: Zone,
        parent: StateNode | None,
        step: Step | None,
        inner: StateNode | None,
    ) -> None:
        """Add a state, or let it grow one that is there."""
        here = self._states.setdefault((context, at), {})
        key = self._key(zone)
        old = here.get(key)
        arrivals = 1
        if old is not None:
            if old.zone.includes(zone):
                return
            arrivals = old.arrivals + 1
            zone = self._grown(old, zone)
        else:
            self.size += 1
            if self.size > self._most_states:
                raise TooManyStates
        here[key] = StateNode(context, at, zone, parent, step, inner, arrivals)
        if (context, at, key) not in self._queued:
            self._queued.add((context, at, key))
            self._sequence += 1
            heappush(self._waiting, (self._priority(context, at), self._sequence, context, at, key))

    def _grown(self, old: StateNode, zone: Zone) -> Zone:
        joined = old.zone.join(zone)
        widenings = old.arrivals - self._delay(old.at)
        if widenings < 0:
            return joined
        return old.zone.widened(joined, self._thresholds if widenings < _MOST_WIDENINGS else ())

    def _delay(self, at: At) -> int:
        """The number of joins before a state is widened."""
        if self._strategy is not Strategy.MERGED:
            return _DELAY_OF_PARTS
        heads = self._view.is_loop_head(at) or self._view.entered(at) is not None
        return _DELAY_AT_HEADS if heads else _DELAY

    def _priority(self, context: CallContext, at: At) -> tuple[int, ...]:
        if self._strategy is Strategy.BREADTH_FIRST:
            return ()
        return (-context.number, *self._order.position(At(at.stack if at.stack[:1] != (-1,) else (), at.location)))


def _variable(place: Term) -> Term:
    return place if place.op is Op.SYMBOL else place.args[0]


def _renamed(zone: Zone, names: Mapping[Term, Term], arena: Arena) -> Zone:
    """A zone about other variables: `names` maps some to others; elements of arrays go with their arrays."""
    places: dict[Term, Term] = {}
    for place in zone.places():
        name = names.get(_variable(place))
        if name is not None:
            places[place] = name if place.op is Op.SYMBOL else arena.select(name, place.args[1])
    return zone.renamed(places) if places else zone


def thresholds(program: Program) -> Sequence[int]:
    """The bounds to which widening moves, sorted: the constants of guards and, as indices are read, of elements."""
    found = {0}
    guards = [edge.operation.condition for edge in program.edges if isinstance(edge.operation, Assume)]
    found.update(t.value + d for t in subterms(*guards) if t.op in (Op.LE, Op.EQ) for d in (-1, 0, 1))
    for t in subterms(*program.terms()):
        index = t.args[1] if t.op in (Op.SELECT, Op.STORE) else None
        if index is not None and index.op is Op.CONSTANT:
            found.add(index.value)
    smallest = sorted(found, key=abs)[:_MOST_THRESHOLDS]
    return sorted({*smallest, *(-c for c in smallest)})
