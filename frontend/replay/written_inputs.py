"""Inputs of a replay for the writes of undefined functions in a counterexample (`external_writes`).

The program has arbitrary contents for all that a call reaches. Those that are read later, before the program writes
there, are what the function writes: where it lies in an object to which the arguments lead. What a function of the
library writes is not made up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from core.dataclass import dataclass
from core.program import Assign, Edge, InputKind
from core.program.memory import OUTSIDE
from core.program.source import EscapingArgument
from core.program.span import Span
from core.terms import ArrayValue, Term, Value
from core.verdict import InputValue
from frontend.interpreter.external_writes import Lead, PointerWrite

_MAX_STEPS = 3
"""Pointers between an argument and what is written."""
Element = tuple[Term, int]
"""A scalar in memory: its region, and its address."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of an undefined function: what its arguments are, and what pointers hold before."""

    span: Span
    occurrence: int
    arguments: tuple[tuple[int, EscapingArgument] | None, ...]
    pointers: Sequence[Mapping[int, int]]
    """Where pointers lead, by the addresses at which they stand."""
    contents: dict[Term, ArrayValue] = field(default_factory=dict)
    """Contents of the regions that it writes."""
    read: dict[Element, int] = field(default_factory=dict)
    """Parts of them that are read."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """A place to which the arguments of a call lead, and the addresses around it at which the function may write."""

    lead: Lead
    address: int
    around: range
    is_written: bool = True


@dataclass(slots=True)
class EscapedMemory:
    """Follows the contents of memory that undefined functions leave, along an execution."""

    escaping: Mapping[Term, tuple[EscapingArgument | None, ...]]
    pointers: tuple[Term, ...]
    """The regions with pointers."""
    composed: tuple[Term, ...]
    """Those with bytes of pointers."""
    size: int
    """That of a pointer."""
    _last: dict[Term, _Call] = field(default_factory=dict)
    """The call that wrote to a region last."""
    _since: set[Element] = field(default_factory=set)
    """Parts that were written after that."""
    _calls: list[_Call] = field(default_factory=list)
    _executed: Counter[Span] = field(default_factory=Counter)

    def assigned(self, edge: Edge, operation: Assign, value: Callable[[Term], Value]) -> None:
        """Note a call, where the edge is one of an undefined function that writes."""
        given = [(x, term) for x, term in operation.updates if term in self.escaping]
        if not given or edge.span is None:
            return
        arguments = self.escaping[given[0][1]]
        call = _Call(
            edge.span,
            self._executed[edge.span],
            tuple(None if one is None else (_number(value(one.address)), one) for one in arguments),
            [*(_entries(value(x)) for x in self.pointers), *(self._read(_entries(value(x))) for x in self.composed)],
        )
        self._executed[edge.span] += 1
        self._calls.append(call)
        for x, term in given:
            held = value(term)
            assert isinstance(held, ArrayValue)
            call.contents[x] = held
            self._last[x] = call
            self._since -= {one for one in self._since if one[0] is x}

    def _read(self, held: Mapping[int, int]) -> Mapping[int, int]:
        """The numbers that bytes are, by the addresses at which pointers may stand."""
        starts = [at for at in held if at % self.size == 0]
        return {at: sum(held.get(at + k, 0) << 8 * k for k in range(self.size)) for at in starts}

    def reads(self, element: Element) -> bool:
        """Note what is read; returns whether an undefined function wrote it."""
        call = self._last.get(element[0])
        if call is None or element in self._since:
            return False
        call.read[element] = call.contents[element[0]][element[1]]
        return True

    def writes(self, element: Element) -> None:
        if element[0] in self._last:
            self._since.add(element)

    def inputs(
        self, recorded: Iterable[InputValue], around: Callable[[int], range], bytes_of: Callable[[Term, int], bytes]
    ) -> Iterator[InputValue]:
        """The inputs that say what calls write, and the pointers to that among the `recorded` ones that they return.

        `around` gives the addresses of the object at an address, `bytes_of` the bytes of a scalar in a region.
        """
        returned = {(one.span, one.occurrence): one.value for one in recorded if one.kind is InputKind.EXTERN}
        for call in self._calls:
            reached = list(_reached(call, around))
            result = returned.get((call.span, call.occurrence))
            if isinstance(result, int):
                yield from (
                    _input(call, one.lead.result, result - one.address) for one in _into(reached, around, result)
                )
            contents: dict[Lead, dict[int, int]] = {}
            for (region, address), number in call.read.items():
                data = bytes_of(region, number)
                at = next((one for one in reached if one.is_written and _holds(one.around, address, len(data))), None)
                targets = _into(reached, around, number) if region in self.pointers else []
                if at is not None and targets:
                    name = PointerWrite(at.lead, address - at.address, targets[0].lead).name
                    yield _input(call, name, number - targets[0].address)
                elif at is not None:
                    contents.setdefault(at.lead, {}).update(enumerate(data, start=address - at.address))
            for lead, content in contents.items():
                yield _input(call, lead.name, ArrayValue(0, content))

    def elsewhere(self, bytes_of: Callable[[Term, int], bytes]) -> dict[int, int]:
        """The bytes that are read of memory from outside after a call may have written there, by address."""
        found: dict[int, int] = {}
        for call in self._calls:
            for (region, address), number in call.read.items():
                if 0 < address < OUTSIDE[1]:
                    found.update(enumerate(bytes_of(region, number), start=address))
        return found


def _input(call: _Call, name: str, value: Value) -> InputValue:
    return InputValue(InputKind.INDETERMINATE, name, call.span, call.occurrence, value)


def _reached(call: _Call, around: Callable[[int], range]) -> Iterator[_Reached]:
    """The places to which the arguments of a call lead, the nearest first."""
    waiting: list[_Reached] = []
    for position, one in enumerate(call.arguments):
        if one is not None and one[0]:
            address, argument = one
            object_ = around(address)
            within = object_ if argument.size is None else range(address, address + argument.size)
            waiting.append(_Reached(Lead(position), address, within, argument.is_written))
    seen: set[tuple[range, bool]] = set()
    while waiting:
        place = waiting.pop(0)
        yield place
        if (place.around, place.is_written) in seen or len(place.lead.steps) == _MAX_STEPS:
            continue
        seen.add((place.around, place.is_written))
        for pointers in call.pointers:
            for at, target in sorted(pointers.items()):
                if at in place.around and target and (object_ := around(target)):
                    lead = replace(place.lead, steps=(*place.lead.steps, at - place.address))
                    waiting.append(_Reached(lead, target, object_))


def _into(reached: Iterable[_Reached], around: Callable[[int], range], address: int) -> list[_Reached]:
    """The first place that is in the object at an address of the program; none where there is no such place."""
    return [one for one in reached if address >= OUTSIDE[1] and address in around(one.address)][:1]


def _holds(around: range, address: int, size: int) -> bool:
    return address in around and address + size - 1 in around


def _entries(value: Value) -> Mapping[int, int]:
    return value.entries if isinstance(value, ArrayValue) else {}


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value
