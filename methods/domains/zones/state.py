"""Abstract states: a zone, and beside it what no zone expresses, excluded values and congruences of sums."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from core.dataclass import dataclass
from core.terms import INT, Arena, Term
from methods.domains.zones.congruences import Coefficients, Congruences
from methods.domains.zones.exclusions import NONE, Exclusions, common, excludes, sharpened, together, without
from methods.domains.zones.zone import TOP, Zone


@dataclass(frozen=True, eq=False, slots=True)
class LinearState:
    """The valuations of a zone that satisfy congruences (where there is no need of these, they are None), and in which
    no place has an excluded value.
    """

    zone: Zone = TOP
    congruences: Congruences | None = None
    exclusions: Exclusions = field(default_factory=lambda: NONE)

    @property
    def constants(self) -> Mapping[Term, int]:
        """The places that have one value."""
        return self.zone.constants

    def places(self) -> Iterator[Term]:
        """The places of which something is known."""
        yield from self.zone.places()
        others = self.congruences.places() if self.congruences is not None else ()
        yield from (x for x in dict.fromkeys((*others, *self.exclusions)) if x not in self.zone)

    def includes(self, other: LinearState) -> bool:
        """Whether every valuation of `other` is one of these; it may be denied where it is so."""
        a, b = self.congruences, other.congruences
        if not self.zone.includes(other.zone) or (a is not None and (b is None or not b.implies(a))):
            return False
        excluded = ((x, value) for x, values in self.exclusions.items() for value in values)
        return all(excludes(other.zone, other.exclusions, x, value) for x, value in excluded)

    def without(self, places: Collection[Term]) -> LinearState:
        """This state with nothing known about `places`."""
        rest = None if self.congruences is None else self.congruences.without(places)
        return LinearState(self.zone.without(places), rest, without(self.exclusions, places))

    def renamed(self, names: Mapping[Term, Term]) -> LinearState:
        """This state about other places: `names` maps some to new ones, of which nothing is known."""
        rest = None if self.congruences is None else self.congruences.renamed(names)
        return LinearState(self.zone.renamed(names), rest, {names.get(x, x): v for x, v in self.exclusions.items()})

    def join(self, other: LinearState) -> LinearState:
        """A state that includes both."""
        excluded = common(self.zone, self.exclusions, other.zone, other.exclusions)
        return LinearState(self.zone.join(other.zone), self._common(other), excluded)

    def widened(self, wider: LinearState, thresholds: Sequence[int] | None) -> LinearState:
        """A state that includes `wider`, which includes this one; of these there are finitely many in a row."""
        return replace(wider, zone=self.zone.widened(wider.zone, thresholds))

    def meet(self, other: LinearState) -> LinearState | None:
        """A state that includes the valuations of both; None if there are none."""
        zone, excluded = self.zone.meet(other.zone), together(self.exclusions, other.exclusions)
        zone = zone and sharpened(zone, excluded)
        if zone is None or self.congruences is None or other.congruences is None:
            return None if zone is None else LinearState(zone, self.congruences, excluded)
        rest = _all(self.congruences, other.congruences.equations())
        return None if rest is None else LinearState(zone, rest, excluded)

    def saturated(self, equates: Callable[[Term], bool]) -> LinearState | None:
        """This state with the equations of its zone among the congruences; None if they contradict each other."""
        if self.congruences is None:
            return self
        rest = _all(self.congruences, equations(self.zone, equates))
        return None if rest is None else replace(self, congruences=rest)

    def further(self) -> Iterator[Coefficients]:
        """The congruences that do not follow from equations of the zone."""
        if self.congruences is not None:
            known = _all(Congruences(self.congruences.modulus), equations(self.zone, lambda x: not x.is_sum))
            assert known is not None, "a zone is not empty"
            yield from (equation for equation in self.congruences.equations() if known.solved(equation))

    def _common(self, other: LinearState) -> Congruences | None:
        if self.congruences is None or other.congruences is None:
            return None
        return self.congruences.join(other.congruences)


def _all(congruences: Congruences, added: Iterable[Coefficients]) -> Congruences | None:
    result: Congruences | None = congruences
    for equation in added:
        if result is not None:
            result = result.constrained(equation)
    return result


def equations(zone: Zone, equates: Callable[[Term], bool]) -> Iterator[Coefficients]:
    """The equations between scalars, and between elements, that a zone implies, as sums that are 0."""
    for x, value in zone.constants.items():
        if x.sort is INT and equates(x):
            yield {x: 1, None: -value}
    for y, row in zone.rows.items():
        if y is not None and equates(y):
            for z, bound in row.items():
                if z is not None and y.id < z.id and zone.rows[z].get(y) == -bound and equates(z):
                    yield {y: 1, z: -1, None: -bound}


def congruence(arena: Arena, equation: Coefficients, modulus: int) -> Term:
    """The formula of a congruence."""
    parts = [arena.integer(c) if x is None else arena.multiply(arena.integer(c), x) for x, c in equation.items()]
    return arena.equals(arena.modulo(arena.add(*parts), arena.integer(modulus)), arena.zero)
