"""Model checking of abstract linear programs by procedure summaries.

A. Armando, C. Castellini, J. Mantovani, "Software model checking using linear constraints", ICFEM 2004, after T. Reps,
S. Horwitz, M. Sagiv, "Precise interprocedural dataflow analysis via graph reachability", POPL 1995. A procedure is
explored once for each *context* in which it is entered; the states at its exit, which relate globals to what they and
the parameters were on entry, are its summary, and every call of the context uses it. So recursion is decided and not
unfolded.

Deviations: only procedures have summaries that are recursive, or that a large program would have in many copies; others
are expanded where they are called. Errors come first; then inner loops before their heads, and at one location the
smallest values. States are zones with sums and congruences, not polyhedra. They are merged where the scalars that have
one value have the same values (`partitioned`), or one to a location (`merged`); where they go on growing, they are
widened with the constants of the program. Where states are kept apart, so are the few values that a parameter may
have; and where a place has many values on entry to a procedure, one context is made of them (it is *generalised*), and
the exploration begins again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum, auto
from heapq import heappop, heappush

from core.dataclass import dataclass
from core.limits import Limits
from core.parameters import parameter
from core.program import Assume, Check, Program
from core.program.expansion import At, Step
from core.program.exploration_order import ExplorationOrder, heads_last
from core.program.modular import Enter, ModularView, Summary
from core.program.semantics import Transition
from core.terms import Arena, Term, subterms
from methods.domains.contract import StateKey
from methods.domains.zones import LinearState, TrackedPlaces, ZoneDomain, renamed, variables
from methods.domains.zones.domain import partition
from methods.domains.zones.linear import LinearTransfer

_DELAY_AT_HEADS = parameter("eureka.tabulation.delay-at-heads")
_DELAY = parameter("eureka.tabulation.delay")
_DELAY_OF_PARTS = parameter("eureka.tabulation.delay-of-parts")
_MAX_WIDENINGS = parameter("eureka.tabulation.max-widenings")
_MAX_THRESHOLDS = parameter("eureka.tabulation.max-thresholds")
_MAX_VALUES = parameter("eureka.tabulation.max-values")
_MAX_GROUPS = parameter("eureka.tabulation.max-groups")
_MAX_PARTS = parameter("eureka.tabulation.max-parts")

_Priority = tuple[object, ...]
_Slot = tuple["CallContext", At, StateKey]
_Entry = tuple[tuple[int, int], ...]  # the values on entry by which contexts are told apart: ids of scalars, and values


class Strategy(Enum):
    """The states that are kept apart, and the order in which they are explored."""

    MERGED = auto()  # one state to a location; loops are stable before what is behind them
    PARTITIONED = auto()  # a state for each choice of scalars; loops are stable before what is behind them
    SEPARATED = auto()  # a state for each choice of scalars and elements; loops are stable as well
    BREADTH_FIRST = auto()  # a state for each choice of scalars; what was reached first comes first


@dataclass(eq=False, slots=True)
class CallContext:
    """A procedure in one abstract state on entry: `exits` is its summary, `calls` those who wait for it.

    Where it is `general`, it stands for many values of some place on entry.
    """

    function: str
    context: int
    general: bool = False
    exits: dict[StateKey, StateNode] = field(default_factory=dict)
    calls: dict[tuple[object, ...], PendingCall] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class StateNode:
    """An abstract state, reached from `parent` by `step`; across a call, `inner` is the state at the callee's exit."""

    context: CallContext
    at: At
    state: LinearState
    parent: StateNode | None
    step: Step | None
    inner: StateNode | None
    arrivals: int


@dataclass(frozen=True, eq=False, slots=True)
class PendingCall:
    """A call that a state makes: `state` has the arguments as copies of the parameters beside the caller's places."""

    caller: StateNode
    step: Summary
    state: LinearState


class TooManyStates(Exception):
    """Raised where exploration would keep more states than allowed."""


class _TooManyContexts(Exception):
    """Raised where a place has many values on entry to a procedure, all others being the same."""


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
        self._strategy = strategy
        self._ignored = ignored
        self._limits = limits
        self._most_states = most_states
        self._order = ExplorationOrder(view.program, heads_last)
        self._thresholds = thresholds(view.program)
        self._general: dict[tuple[str, int], set[_Entry]] = {}  # a place that is not told apart, beside other values
        self._reset()

    def _reset(self) -> None:
        self._contexts: dict[tuple[str, StateKey], CallContext] = {}
        self._values: dict[tuple[str, int, _Entry], set[int]] = {}  # of a place on entry, beside the others
        self._states: dict[tuple[CallContext, At], dict[StateKey, StateNode]] = {}
        self._found: dict[_Slot, tuple[_Slot | None, Step | None]] = {}  # a state -> the one that led there first
        self._waiting: list[tuple[_Priority, int, CallContext, At, StateKey]] = []
        self._queued: set[tuple[CallContext, At, StateKey]] = set()
        self._sequence = 0
        self.size = 0  # states that are kept

    def explore(self) -> StateNode | None:
        """A state at an error; None if none is reached. Raises `TooManyStates`."""
        while True:
            try:
                return self._explored()
            except _TooManyContexts:
                self._reset()

    def _explored(self) -> StateNode | None:
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

    def states(self) -> Iterator[tuple[At, LinearState]]:
        """The states that were reached."""
        for (_, at), found in self._states.items():
            yield from ((at, node.state) for node in found.values())

    def tree(self) -> Iterator[tuple[At, LinearState, int, Step | None]]:
        """The states that were reached, each with the position of the one that led there first (-1: none)."""
        numbers: dict[_Slot | None, int] = {}
        for slot, (parent, step) in self._found.items():
            context, at, key = slot
            numbers[slot] = len(numbers)
            yield at, self._states[context, at][key].state, numbers.get(parent, -1), step

    def _fails(self, at: At) -> bool:
        check: Check | None = self._view.check(at)
        return check is not None and check.id not in self._ignored

    # Steps

    def _expand(self, node: StateNode) -> None:
        if self._view.check(node.at) is not None:
            return
        name = self._view.root(node.at)
        if name in self._view.contracted and node.at == self._view.exit(name):
            node.context.exits[self._key(node.context, node.state)] = node
            for call in list(node.context.calls.values()):
                self._return(call, node)
        for step in self._view.steps(node.at):
            match step:
                case Enter():
                    pass  # with the summary step that follows it
                case Summary():
                    self._call(node, step)
                case _:
                    for state in self._domain.successors(node.state, step, self._precision):
                        self._arrive(node.context, step.target, state, node, step, None)

    def _call(self, node: StateNode, step: Summary) -> None:
        """Enter the callee, and use what is known of its summary."""
        enter = next(s for s in self._view.steps(node.at) if isinstance(s, Enter) and s.edges == step.edges)
        arena = self._view.arena
        parameters = self._view.program.functions[step.callee].parameters
        arguments = {self._argument(p): enter.transition.updates.get(p, p) for p in parameters}
        passed = Transition(arena, arena.true, arguments)
        names = {self._argument(p): p for p in parameters}
        visible = {*arguments, *self._view.globals}
        inside = [renamed(arena, x, {p: copy for copy, p in names.items()}) for x in self._sums(enter.target)]
        states = self._transfer((*self._sums(node.at), *inside)).apply(node.state, passed)
        parts = [part for state in states for part in self._parted(state, arguments)]
        for number, state in enumerate(parts):
            entry = state.without([x for x in state.places() if not visible.issuperset(variables(x))])
            entry = self._domain.restricted(_renamed(entry, names, arena), enter.target)
            context = self._context(step.callee, entry)
            call = PendingCall(node, step, state)
            context.calls[node.context, node.at, self._key(node.context, node.state), step, number] = call
            self._arrive(context, enter.target, entry, node, enter, None)
            for end in list(context.exits.values()):
                self._return(call, end)

    def _parted(self, state: LinearState, arguments: Iterable[Term]) -> Sequence[LinearState]:
        """The parts of a state in which arguments that may have a few values have one; unless states are merged."""
        parts = [state]
        if self._strategy is not Strategy.MERGED:
            for x in arguments:
                low, high = state.zone.interval(x)
                most = min(_MAX_VALUES, _MAX_PARTS // len(parts))
                if low is not None and high is not None and 0 < high - low < most:
                    parts = [one for part in parts for k in range(low, high + 1) for one in self._where(part, x, k)]
        return parts

    def _where(self, state: LinearState, x: Term, value: int) -> Sequence[LinearState]:
        arena = self._view.arena
        return self._transfer().apply(state, Transition(arena, arena.equals(x, arena.integer(value)), {}))

    def _return(self, call: PendingCall, end: StateNode) -> None:
        """The states behind a call that may return in the state `end`."""
        view, arena = self._view, self._view.arena
        parameters = view.program.functions[call.step.callee].parameters
        changed = [x for x in view.globals if x in view.changed[call.step.callee]]
        returned = {x: self._result(x) for x in changed}
        before = {view.snapshot(p): self._argument(p) for p in parameters} | {view.snapshot(x): x for x in changed}
        meeting = call.state.meet(_renamed(end.state, {**returned, **before}, arena))
        behind = [renamed(arena, x, returned) for x in self._sums(call.step.target)]
        known = (x for x in meeting.places() if x.is_sum) if meeting and behind else ()
        meeting = meeting and self._transfer((*known, *behind)).reduced(meeting)
        if meeting is None:
            return
        lost = {*map(self._argument, parameters), *changed}
        after = meeting.without([x for x in meeting.places() if not lost.isdisjoint(variables(x))])
        after = _renamed(after, {copy: x for x, copy in returned.items()}, arena)
        after = self._domain.restricted(after, call.step.target)
        self._arrive(call.caller.context, call.step.target, after, call.caller, call.step, end)

    def _sums(self, at: At) -> Sequence[Term]:
        return self._domain.sums(at, self._precision)

    def _transfer(self, sums: Sequence[Term] = ()) -> LinearTransfer:
        return self._domain.transfer(self._precision, tuple(dict.fromkeys(sums)))

    def _argument(self, parameter: Term) -> Term:
        return self._view.arena.copy(parameter, f"{parameter.name}@call")

    def _result(self, variable: Term) -> Term:
        return self._view.arena.copy(variable, f"{variable.name}@result")

    # States

    def _context(self, function: str, state: LinearState) -> CallContext:
        entry = self._entry(function, state)
        context = self._contexts.get((function, entry))
        if context is None:
            for x, value in entry:
                others = _except(entry, x)
                values = self._values.setdefault((function, x, others), set())
                values.add(value)
                if len(values) > _MAX_VALUES:
                    self._general.setdefault((function, x), set()).add(others)
                    raise _TooManyContexts
            told_apart = [x for x, _ in entry]
            general = any(name == function and x not in told_apart for name, x in self._general)
            context = self._contexts[function, entry] = CallContext(function, len(self._contexts) + 1, general)
        return context

    def _entry(self, function: str, state: LinearState) -> _Entry:
        """The values on entry by which contexts of a procedure are told apart."""
        known = self._told_apart(state)
        while dropped := [x for x, _ in known if self._is_general(function, x, known)]:
            known = _except(known, dropped[0])
        return known

    def _is_general(self, function: str, x: int, known: _Entry) -> bool:
        groups = self._general.get((function, x), ())
        return len(groups) >= _MAX_GROUPS or _except(known, x) in groups

    def _told_apart(self, state: LinearState) -> _Entry:
        match self._strategy:
            case Strategy.MERGED:
                return ()
            case Strategy.SEPARATED:
                return tuple(sorted((x.id, value) for x, value in state.constants.items() if not x.is_sum))
            case Strategy.PARTITIONED | Strategy.BREADTH_FIRST:
                return partition(state)

    def _key(self, context: CallContext, state: LinearState) -> StateKey:
        return () if context.general else self._told_apart(state)

    def _arrive(
        self,
        context: CallContext,
        at: At,
        state: LinearState,
        parent: StateNode | None,
        step: Step | None,
        inner: StateNode | None,
    ) -> None:
        """Add a state, or let it grow one that is there."""
        here = self._states.setdefault((context, at), {})
        key = self._key(context, state)
        old = here.get(key)
        arrivals = 1
        if old is not None:
            if old.state.includes(state):
                return
            arrivals = old.arrivals + 1
            state = self._grown(old, state)
        else:
            self.size += 1
            origin = None if parent is None else (parent.context, parent.at, self._key(parent.context, parent.state))
            self._found[context, at, key] = origin, step
            if self.size > self._most_states:
                raise TooManyStates
        here[key] = StateNode(context, at, state, parent, step, inner, arrivals)
        if (context, at, key) not in self._queued:
            self._queued.add((context, at, key))
            self._sequence += 1
            heappush(self._waiting, (self._priority(context, at, key), self._sequence, context, at, key))

    def _grown(self, old: StateNode, state: LinearState) -> LinearState:
        joined = old.state.join(state)
        widenings = old.arrivals - self._delay(old)
        if widenings < 0:
            return joined
        if widenings >= 2 * _MAX_WIDENINGS:
            return old.state.widened(joined, None)
        return old.state.widened(joined, self._thresholds if widenings < _MAX_WIDENINGS else ())

    def _delay(self, node: StateNode) -> int:
        """The number of joins before a state is widened."""
        if self._strategy is not Strategy.MERGED and not node.context.general:
            return _DELAY_OF_PARTS
        heads = self._view.is_loop_head(node.at) or self._view.entered(node.at) is not None
        return _DELAY_AT_HEADS if heads else _DELAY

    def _priority(self, context: CallContext, at: At, key: StateKey) -> _Priority:
        """The priority of a state: errors first, then inner loops, and at one location the smallest values.

        Where loops count up, states so come after those that lead to them, and few grow once they were expanded.
        """
        if self._fails(at):
            return ()
        if self._strategy is Strategy.BREADTH_FIRST:
            return (0,)
        place = At(at.stack if at.stack[:1] != (-1,) else (), at.location)
        return -context.context, self._order.position(place), key


def _except(known: _Entry, *places: int) -> _Entry:
    return tuple((x, value) for x, value in known if x not in places)


def _renamed(state: LinearState, names: Mapping[Term, Term], arena: Arena) -> LinearState:
    """A state about other variables: `names` maps some to others; elements of arrays go with their arrays."""
    places: dict[Term, Term] = {}
    for place in state.places():
        if not names.keys().isdisjoint(variables(place)):
            places[place] = renamed(arena, place, names)
    return state.renamed(places) if places else state


def thresholds(program: Program) -> Sequence[int]:
    """The bounds to which widening moves, sorted: the constants of guards and, as indices are read, of elements."""
    found = {0}
    guards = [edge.operation.condition for edge in program.edges if isinstance(edge.operation, Assume)]
    found.update(t.value + d for t in subterms(*guards) if t.is_comparison for d in (-1, 0, 1))
    for t in subterms(*program.terms()):
        index = t.args[1] if t.is_access else None
        if index is not None and index.is_constant:
            found.add(index.value)
    smallest = sorted(found, key=abs)[:_MAX_THRESHOLDS]
    return sorted({*smallest, *(-c for c in smallest)})
