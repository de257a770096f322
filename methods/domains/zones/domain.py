"""Zones as an abstract domain: states at the locations of a program view, merged where scalars have the same values.

A step has the tracked sums of all variables before, after and inside it; where the precision says so, zones have
equations of scalars beside them, modulo a power of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from core.parameters import parameter
from core.program import Call, Range
from core.program.expansion import At, Expansion, Step
from core.program.semantics import Transition, transition
from core.terms import BOOL, Arena, Term
from methods.domains.contract import Shape, StateKey
from methods.domains.zones.congruences import Congruences
from methods.domains.zones.exclusions import NONE, excludes
from methods.domains.zones.linear import LinearTransfer
from methods.domains.zones.precision import EquatedPlaces, TrackedPlaces, variables
from methods.domains.zones.state import LinearState, congruence
from methods.domains.zones.transfer import Transfer
from methods.domains.zones.zone import PlaceOrZero

AsTerm = Callable[[PlaceOrZero, PlaceOrZero, int], Term]  # of x - y <= bound

_MAX_PARTS = parameter("domains.zones.domain.max-parts")


class ZoneDomain:
    """The domain of zones; implements `methods.domains.contract.Domain`.

    `kept` has the variables of which states at a location may speak; states may have congruences if `modulus` is given.
    """

    def __init__(self, expansion: Expansion, kept: Callable[[At], frozenset[Term]], modulus: int | None = None) -> None:
        self._expansion = expansion
        self._arena = expansion.arena
        self._kept = kept
        self._modulus = modulus
        self._parts: dict[Transition, tuple[Transition, ...]] = {}
        self._transfers: dict[tuple[Term, ...], LinearTransfer] = {}  # by tracked sums, under one precision
        self._instances: dict[At, tuple[Term, ...]] = {}
        self._inside: dict[Step, tuple[Term, ...]] = {}
        self._precision: TrackedPlaces | None = None
        self._ranges: dict[Term, Range | None] = {}
        self._constraint = cache(partial(_constraint, self._arena))  # many zones have the same

    def range_of(self, symbol: Term) -> Range | None:
        """The range of a variable, of a copy of one, or of an input."""
        if symbol not in self._ranges:
            self._ranges[symbol] = self._expansion.program.range_of(self._arena.original(symbol))
        return self._ranges[symbol]

    def transfer(self, precision: TrackedPlaces, sums: Sequence[Term] = ()) -> LinearTransfer:
        """The transfer functions under a precision, for steps between whose states these sums are tracked."""
        self._begin(precision)
        key = tuple(sums)
        found = self._transfers.get(key)
        if found is None:
            zones = Transfer(self._arena, self.range_of, precision, key)
            found = self._transfers[key] = LinearTransfer(self._arena, zones, self._modulus or 1)
        return found

    def sums(self, at: At, precision: TrackedPlaces) -> tuple[Term, ...]:
        """The tracked sums of which states at a location may speak."""
        if not precision.sums:
            return ()
        self._begin(precision)
        found = self._instances.get(at)
        if found is None:
            found = self._instances[at] = precision.instances(self._kept(at))
        return found

    def _sums_of(self, step: Step, precision: TrackedPlaces) -> tuple[Term, ...]:
        """The tracked sums of the variables before, after and inside a step."""
        if not precision.sums:
            return ()
        self._begin(precision)
        found = self._inside.get(step)
        if found is None:
            written = (x for part in self.statements(step) for x in part.updates)
            variables_ = self._kept(step.source).union(self._kept(step.target), written)
            found = self._inside[step] = precision.instances(variables_)
        return found

    def _begin(self, precision: TrackedPlaces) -> None:
        """Forget what was made for another precision: a run has one at a time."""
        if precision is not self._precision:
            self._precision = precision
            self._transfers.clear()
            self._instances.clear()
            self._inside.clear()

    # The contract

    def initial(self, at: At, precision: TrackedPlaces) -> LinearState:
        if self._modulus is None or precision.equations is EquatedPlaces.NONE:
            return LinearState()
        return LinearState(congruences=Congruences(self._modulus))

    def successors(self, state: LinearState, step: Step, precision: TrackedPlaces) -> Iterable[LinearState]:
        transfer = self.transfer(precision, self._sums_of(step, precision))
        states = [state]
        for part in self.statements(step):
            states = [after for before in states for after in transfer.apply(before, part)]
            if len(states) > _MAX_PARTS:
                states = _joined(states)
        return _joined(self.restricted(one, step.target) for one in states)

    def merge(self, new: LinearState, old: LinearState) -> LinearState | None:
        return new.join(old) if partition(new) == partition(old) else None

    def shape(self, state: LinearState) -> Shape:
        return tuple(sorted((x for x in state.constants if x.is_symbol), key=lambda x: x.id))

    def key(self, state: LinearState, shape: Shape) -> StateKey:
        return tuple(map(state.constants.get, shape))

    def covered(self, state: LinearState, reached: Sequence[LinearState]) -> bool:
        return any(old.includes(state) for old in reached)

    def meet(self, a: LinearState, b: LinearState) -> LinearState | None:
        return a.meet(b)

    def backward(
        self, state: LinearState, step: Step, target: LinearState, precision: TrackedPlaces
    ) -> LinearState | None:
        """All of `state` if a part of it may lead into `target`: zones are not computed backwards."""
        leads = any(after.meet(target) is not None for after in self.successors(state, step, precision))
        return state if leads else None

    def formula(self, state: LinearState) -> Term:
        return formula(self._arena, state, self._constraint)

    # Parts of it

    def restricted(self, state: LinearState, at: At) -> LinearState:
        """A state without the variables that are not kept at a location."""
        kept = self._kept(at)
        lost = [place for place in state.places() if not kept.issuperset(variables(place))]
        return state.without(lost) if lost else state

    def statements(self, step: Step) -> tuple[Transition, ...]:
        """The transitions of the edges of a step, one by one; of a call, and what has no edges, the whole."""
        found = self._parts.get(step.transition)
        if found is None:
            found = self._parts[step.transition] = tuple(self._split(step))
        return found

    def _split(self, step: Step) -> Iterable[Transition]:
        if not step.edges or isinstance(step.edges[0].operation, Call):
            return [step.transition]
        rename = self._expansion.in_frame(step.source)
        parts = []
        for edge in step.edges:
            plain = transition(self._arena, edge.operation)
            updates = {rename(x): rename(value) for x, value in plain.updates.items()}
            parts.append(Transition(self._arena, rename(plain.guard), updates))
        return parts


def _joined(states: Iterable[LinearState]) -> list[LinearState]:
    """The states, those joined in which scalars have the same values."""
    found: dict[StateKey, LinearState] = {}
    for state in states:
        key = partition(state)
        found[key] = found[key].join(state) if key in found else state
    return list(found.values())


def partition(state: LinearState) -> tuple[tuple[int, int], ...]:
    """The values of the scalars that have one: states with the same are merged."""
    return tuple(sorted((x.id, value) for x, value in state.constants.items() if x.is_symbol))


def formula(arena: Arena, state: LinearState, constraint: AsTerm | None = None) -> Term:
    """The valuations of a state as a formula, without constraints that follow from others."""
    parts: list[Term] = []
    for x, value in state.constants.items():
        if x.sort is BOOL:
            parts.append(x if value else arena.not_(x))
        else:
            parts.append(arena.equals(x, arena.integer(value)))
    made = constraint or partial(_constraint, arena)
    parts += [made(x, y, bound) for x, y, bound in state.zone.relations()]
    for x, values in state.exclusions.items():
        inside = (v for v in sorted(values) if not excludes(state.zone, NONE, x, v))
        parts += [arena.not_(arena.equals(x, arena.integer(v))) for v in inside]
    if state.congruences is not None:
        parts += [congruence(arena, equation, state.congruences.modulus) for equation in state.further()]
    return arena.and_(*parts)


def _constraint(arena: Arena, x: PlaceOrZero, y: PlaceOrZero, bound: int) -> Term:
    left = arena.zero if x is None else x
    return arena.le(left if y is None else arena.subtract(left, y), arena.integer(bound))
