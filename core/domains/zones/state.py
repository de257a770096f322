"""Abstract states: a zone, and beside it congruences for the sums that no zone expresses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.domains.zones.congruences import Coefficients, Congruences
from core.domains.zones.zone import TOP, Zone
from core.terms import INT, Arena, Op, Term


@dataclass(frozen=True, eq=False, slots=True)
class LinearState:
    """The valuations of a zone that satisfy congruences; where there is no need of these, they are None."""

    zone: Zone = TOP
    congruences: Congruences | None = None

    @property
    def known(self) -> Mapping[Term, int]:
        """The places that have one value."""
        return self.zone.known

    def places(self) -> Iterator[Term]:
        """The places of which something is known."""
        yield from self.zone.places()
        if self.congruences is not None:
            yield from (x for x in self.congruences.places() if x not in self.zone)

    def includes(self, other: LinearState) -> bool:
        """Whether every valuation of `other` is one of these; it may be denied where it is so."""
        a, b = self.congruences, other.congruences
        return self.zone.includes(other.zone) and (a is None or (b is not None and b.implies(a)))

    def without(self, places: Collection[Term]) -> LinearState:
        """This state with nothing known about `places`."""
        rest = None if self.congruences is None else self.congruences.without(places)
        return LinearState(self.zone.without(places), rest)

    def renamed(self, names: Mapping[Term, Term]) -> LinearState:
        """This state about other places: `names` maps some to new ones, of which nothing is known."""
        rest = None if self.congruences is None else self.congruences.renamed(names)
        return LinearState(self.zone.renamed(names), rest)

    def join(self, other: LinearState) -> LinearState:
        """A state that includes both."""
        return LinearState(self.zone.join(other.zone), self._common(other))

    def widened(self, wider: LinearState, thresholds: Sequence[int]) -> LinearState:
        """A state that includes `wider`, which includes this one; of these there are finitely many in a row."""
        return LinearState(self.zone.widened(wider.zone, thresholds), wider.congruences)

    def meet(self, other: LinearState) -> LinearState | None:
        """A state that includes the valuations of both; None if there are none."""
        zone = self.zone.meet(other.zone)
        if zone is None or self.congruences is None or other.congruences is None:
            return None if zone is None else LinearState(zone, self.congruences)
        rest = _all(self.congruences, other.congruences.equations())
        return None if rest is None else LinearState(zone, rest)

    def saturated(self) -> LinearState | None:
        """This state with the equations of its zone among the congruences; None if they contradict each other."""
        if self.congruences is None:
            return self
        rest = _all(self.congruences, equations(self.zone))
        return None if rest is None else LinearState(self.zone, rest)

    def further(self) -> Iterator[Coefficients]:
        """The congruences that do not follow from equations of the zone."""
        if self.congruences is not None:
            known = _all(Congruences(self.congruences.modulus), equations(self.zone))
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


def equations(zone: Zone) -> Iterator[Coefficients]:
    """The equations between scalars that a zone implies, as sums that are 0."""
    for x, value in zone.known.items():
        if x.op is Op.SYMBOL and x.sort is INT:
            yield {x: 1, None: -value}
    for y, row in zone.rows.items():
        if y is not None and y.op is Op.SYMBOL:
            for z, bound in row.items():
                if z is not None and z.op is Op.SYMBOL and y.id < z.id and zone.rows[z].get(y) == -bound:
                    yield {y: 1, z: -1, None: -bound}


def congruence(arena: Arena, equation: Coefficients, modulus: int) -> Term:
    """The formula of a congruence."""
    parts = [arena.integer(c) if x is None else arena.multiply(arena.integer(c), x) for x, c in equation.items()]
    return arena.equals(arena.modulo(arena.add(*parts), arena.integer(modulus)), arena.zero)
