"""Zones as an abstract domain: states at the locations of a program view, merged where scalars have the same values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from core.domains.contract import Shape, StateKey
from core.domains.zones.precision import TrackedPlaces
from core.domains.zones.transfer import Transfer
from core.domains.zones.zone import TOP, PlaceOrZero, Zone
from core.program import Call, Range
from core.program.expansion import At, Expansion, Step
from core.program.semantics import Transition, transition
from core.terms import BOOL, Arena, Op, Term

_MOST_PARTS = 4  # into which the statements of a step may split a state before these are joined


class ZoneDomain:
    """The domain of zones; implements `core.domains.contract.Domain`.

    `kept` has the variables of which states at a location may speak.
    """

    def __init__(self, expansion: Expansion, kept: Callable[[At], frozenset[Term]]) -> None:
        self._expansion = expansion
        self._arena = expansion.arena
        self._kept = kept
        self._parts: dict[Transition, tuple[Transition, ...]] = {}
        self._transfers: dict[TrackedPlaces, Transfer] = {}

    def range_of(self, symbol: Term) -> Range | None:
        """The range of a variable, of a copy of one, or of an input."""
        return self._expansion.program.range_of(self._arena.original(symbol))

    def transfer(self, precision: TrackedPlaces) -> Transfer:
        """The transfer functions under a precision."""
        found = self._transfers.get(precision)
        if found is None:
            self._transfers.clear()  # a run has one precision at a time
            found = self._transfers[precision] = Transfer(self._arena, self.range_of, precision)
        return found

    # The contract

    def initial(self, at: At, precision: TrackedPlaces) -> Zone:
        return TOP

    def successors(self, state: Zone, step: Step, precision: TrackedPlaces) -> Iterable[Zone]:
        transfer = self.transfer(precision)
        zones = [state]
        for part in self.statements(step):
            zones = [after for before in zones for after in transfer.apply(before, part)]
            if len(zones) > _MOST_PARTS:
                zones = _joined(zones)
        return _joined(self.restricted(zone, step.target) for zone in zones)

    def merge(self, new: Zone, old: Zone) -> Zone | None:
        return new.join(old) if partition(new) == partition(old) else None

    def shape(self, state: Zone) -> Shape:
        return tuple(sorted((x for x in state.known if x.op is Op.SYMBOL), key=lambda x: x.id))

    def key(self, state: Zone, shape: Shape) -> StateKey:
        return tuple(map(state.known.get, shape))

    def covered(self, state: Zone, reached: Sequence[Zone]) -> bool:
        return any(old.includes(state) for old in reached)

    def meet(self, a: Zone, b: Zone) -> Zone | None:
        return a.meet(b)

    def backward(self, state: Zone, step: Step, target: Zone, precision: TrackedPlaces) -> Zone | None:
        """All of `state` if a part of it may lead into `target`: zones are not computed backwards."""
        leads = any(after.meet(target) is not None for after in self.successors(state, step, precision))
        return state if leads else None

    def formula(self, state: Zone) -> Term:
        return formula(self._arena, state)

    # Parts of it

    def restricted(self, zone: Zone, at: At) -> Zone:
        """A state without the variables that are not kept at a location."""
        kept = self._kept(at)
        lost = [x for x in zone.places() if (x if x.op is Op.SYMBOL else x.args[0]) not in kept]
        return zone.without(lost) if lost else zone

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


def _joined(zones: Iterable[Zone]) -> list[Zone]:
    """The zones, those joined in which scalars have the same values."""
    found: dict[StateKey, Zone] = {}
    for zone in zones:
        key = partition(zone)
        found[key] = found[key].join(zone) if key in found else zone
    return list(found.values())


def partition(zone: Zone) -> StateKey:
    """The values of the scalars that have one: states with the same are merged."""
    return tuple(sorted((x.id, value) for x, value in zone.known.items() if x.op is Op.SYMBOL))


def formula(arena: Arena, zone: Zone) -> Term:
    """The valuations of a zone as a formula, without constraints that follow from others."""
    parts: list[Term] = []
    for x, value in zone.known.items():
        if x.sort is BOOL:
            parts.append(x if value else arena.not_(x))
        else:
            parts.append(arena.equals(x, arena.integer(value)))
    parts += [_constraint(arena, x, y, bound) for x, y, bound in zone.relations()]
    return arena.and_(*parts)


def _constraint(arena: Arena, x: PlaceOrZero, y: PlaceOrZero, bound: int) -> Term:
    left = arena.zero if x is None else x
    return arena.le(left if y is None else arena.subtract(left, y), arena.integer(bound))
