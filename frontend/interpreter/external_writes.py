"""Inputs of a replay that say what an undefined function writes through its arguments.

Where it writes is said by the arguments of the call, so that neither the interpreter nor a program that gcc has built
need know the addresses of the other. The inputs have the place of the call, and one occurrence for each of its
executions; their names are those of `Lead` and of `PointerWrite`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.dataclass import dataclass

_BYTES, _POINTER, _RESULT = "written through ", "pointer through ", "returned: what is at "


@dataclass(frozen=True, slots=True)
class Lead:
    """The way from the arguments of a call to a place in memory: the position of an argument, and then the distances
    at which pointers stand, each from where the pointer before leads.
    """

    argument: int
    steps: tuple[int, ...] = ()

    def __str__(self) -> str:
        return ",".join(map(str, (self.argument, *self.steps)))

    @property
    def name(self) -> str:
        """The name of the input with the bytes that are written, by their distance from the place."""
        return f"{_BYTES}{self}"

    @property
    def result(self) -> str:
        """The name of the input with the distance of what is returned from the place."""
        return f"{_RESULT}{self}"

    @staticmethod
    def read(text: str) -> Lead:
        first, *rest = map(int, text.split(","))
        return Lead(first, tuple(rest))


@dataclass(frozen=True, slots=True)
class PointerWrite:
    """A pointer that is written at a distance from a place, to an object that the arguments lead to; the value of the
    input is the distance from `target`.
    """

    lead: Lead
    distance: int
    target: Lead

    @property
    def name(self) -> str:
        return f"{_POINTER}{self.lead} at {self.distance} to {self.target}"

    @staticmethod
    def read(name: str) -> PointerWrite:
        lead, _, distance, _, target = name.removeprefix(_POINTER).split(" ")
        return PointerWrite(Lead.read(lead), int(distance), Lead.read(target))


@dataclass(frozen=True, slots=True)
class CallWrites:
    """The writes of a call: the inputs with bytes, and those with pointers, by their names; and those with the distance
    of what it returns from what its arguments lead to.
    """

    places: Mapping[str, Lead]
    pointers: Mapping[str, PointerWrite]
    results: Mapping[str, Lead]

    @staticmethod
    def of(names: Iterable[str]) -> CallWrites:
        """The writes of a call, from the names of its inputs; other names are left out."""
        names = tuple(names)
        places = {name: Lead.read(name.removeprefix(_BYTES)) for name in names if name.startswith(_BYTES)}
        pointers = {name: PointerWrite.read(name) for name in names if name.startswith(_POINTER)}
        results = {name: Lead.read(name.removeprefix(_RESULT)) for name in names if name.startswith(_RESULT)}
        return CallWrites(places, pointers, results)

    @property
    def leads(self) -> tuple[Lead, ...]:
        """The places that are written, or to which pointers then lead."""
        ends = (lead for one in self.pointers.values() for lead in (one.lead, one.target))
        return tuple(dict.fromkeys((*self.places.values(), *ends, *self.results.values())))
