"""The values of the variables of a program along a counterexample, read from its changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.program import Call, Program
from core.program.expansion import frame_name
from core.program.objects import ELEMENT, ENTRY, NUMBER
from core.terms import ArraySort, Term
from runs.events import Place


@dataclass
class TraceValues:
    """The values of scalars and of elements of arrays, as far as they are known."""

    scalars: dict[Term, int] = field(default_factory=dict)
    elements: dict[Term, dict[int, int]] = field(default_factory=dict)

    def put(self, variable: Term, index: int | None, value: int) -> None:
        if index is None:
            self.scalars[variable] = value
        else:
            self.elements.setdefault(variable, {})[index] = value

    def value(self, variable: Term, index: int | None) -> int | None:
        return self.scalars.get(variable) if index is None else self.elements.get(variable, {}).get(index)


class ChangedVariables:
    """Variables by the names that events have for them."""

    def __init__(self, program: Program, active: Sequence[str]) -> None:
        self._of = {known.name: x for x, known in program.variables.items()}
        for x in program.locals():
            for frame in range(1, active.count(program.variables[x].scope or "")):
                self._of[frame_name(x, frame)] = program.arena.copy(x, frame_name(x, frame))

    def written(self, name: str, text: str) -> Iterator[tuple[Term, int | None, int]]:
        """The scalars, or elements with their indices, that a change sets."""
        symbol, element, number = self._of.get(name), ELEMENT.fullmatch(name), NUMBER.match(text)
        if symbol is not None and isinstance(symbol.sort, ArraySort):
            yield from ((symbol, int(index), int(value)) for index, value in ENTRY.findall(text))
        elif symbol is not None and number is not None:
            yield symbol, None, int(number[0])
        elif element is not None and element["array"] in self._of and number is not None:
            yield self._of[element["array"]], int(element["index"]), int(number[0])


def active_functions(program: Program, place: Place) -> tuple[str, ...]:
    """The functions that are active at a place, the outermost first."""
    found = [program.start]
    for number in place[0]:
        operation = program.edges[number].operation if 0 <= number < len(program.edges) else None
        if isinstance(operation, Call):
            found.append(operation.function)
    return tuple(found)
