"""The steps of a counterexample with the names of the source: which variable changes, and to which value.

Events have the names of the program (`memory1.ring.count[1048592]`), and so have slices; people read those of the
source (`r.count`) where the step is. What the source has no expression for is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from core.program.automaton import Assign, Edge, Program
from core.program.naming import SYMBOL, Naming, ObjectInFrame
from core.program.source import MemberStep
from core.program.span import behind
from core.terms import ArraySort, Op, Term, parts_of_array, to_readable_c

Changes = tuple[tuple[str, str], ...]
"""Names with values, both as text."""

STORAGE = "storage of "
"""What stands before the objects whose first contents are an input."""
_ELEMENT = re.compile(r"(?P<array>.*)\[(?P<index>-?\d+)\]")
_ENTRY = re.compile(r"\[(-?\d+)\] = (-?\d+)")
_NUMBER = re.compile(r"-?\d+")
_MOST_NAMES = 3  # of objects that share storage
_ALLOCATED = 1 << 40  # the first address of allocated objects


class SourceChanges:
    """The changes of traces of one program, as people read them."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._variables = {known.name: x for x, known in program.variables.items()}
        self._everywhere = Naming(program)
        self._namings: dict[int, Naming] = {}

    def of_step(self, number: int, changes: Iterable[tuple[str, str]]) -> Changes:
        """The changes of an edge, with names as they can be written behind it."""
        if not 0 <= number < len(self._program.edges):
            return tuple(changes)
        edge, found = self._program.edges[number], dict[str, str]()
        for name, value in changes:
            found.update(self._shown(name, value, self._naming(edge), edge))
        return tuple(found.items())

    def of_variable(self, number: int, name: str, value: str) -> tuple[str, str] | None:
        """A variable and its value with the names at an edge; None where the source has none."""
        if not 0 <= number < len(self._program.edges):
            return name, value
        edge = self._program.edges[number]
        return next(iter(self._shown(name, value, self._naming(edge), None)), None)

    def of_input(self, name: str, value: str) -> tuple[str, str]:
        """An input: the function that returns it, or the variable that has it as its first value."""
        symbol = self._variables.get(name)
        if symbol is None:
            return name, value
        text = self._everywhere.symbol(symbol)
        if text.startswith(SYMBOL):
            text = f"{STORAGE}{', '.join(self._objects_in(symbol)) or name}"
        shown = self._value(symbol, value, self._everywhere)
        return text, shown

    # Names

    def _naming(self, edge: Edge) -> Naming:
        """The names behind an edge; behind a call those of the caller."""
        if edge.id not in self._namings:
            self._namings[edge.id] = self._everywhere.at(((), edge.source), behind(edge.span))
        return self._namings[edge.id]

    def _shown(self, name: str, value: str, naming: Naming, edge: Edge | None) -> Iterator[tuple[str, str]]:
        """A change with names: none, one, or one for each element of storage that many objects share."""
        symbol, element = self._variables.get(name), _ELEMENT.fullmatch(name)
        if symbol is not None:
            text = naming.symbol(symbol)
            if not text.startswith(SYMBOL):
                yield text, self._value(symbol, value, naming)
            elif isinstance(symbol.sort, ArraySort):
                for index, one in _ENTRY.findall(value):
                    yield from self._element(symbol, int(index), one, naming, None)
        elif element is not None and element["array"] in self._variables:
            yield from self._element(self._variables[element["array"]], int(element["index"]), value, naming, edge)
        else:
            yield name, value

    def _element(
        self, array: Term, index: int, value: str, naming: Naming, edge: Edge | None
    ) -> Iterator[tuple[str, str]]:
        """An element by the object that has it; of an allocated one as the statement writes it, where that is known."""
        if not isinstance(array.sort, ArraySort):
            return
        arena = self._program.arena
        select = arena.select(array, arena.integer(index))
        text, written = to_readable_c(select, names=naming), _stored_at(edge, array)
        if text.startswith(("((", SYMBOL)) and written is not None:
            select = arena.select(array, written)
            text = to_readable_c(select, names=naming)
        if not text.startswith(SYMBOL):
            yield text, self._value(select, value, naming)

    def _value(self, of: Term, value: str, naming: Naming) -> str:
        """The text of a value: of a number its name, of an array with indices as the source has them."""
        number = _NUMBER.match(value)
        if number is not None:
            known = naming.value(of, int(number[0])) or self._address(of, int(number[0]), naming)
            return value if known is None else f"{known}{value[number.end() :]}"
        return _ENTRY.sub(lambda entry: self._entry(of, int(entry[1]), entry[2], naming), value)

    def _address(self, of: Term, value: int, naming: Naming) -> str | None:
        """An address of an allocated object, as formulas have it."""
        is_allocated = value >= _ALLOCATED and naming.target(of) is not None
        return to_readable_c(self._program.arena.integer(value)) if is_allocated else None

    def _entry(self, array: Term, index: int, value: str, naming: Naming) -> str:
        if not isinstance(array.sort, ArraySort):
            return f"[{index}] = {value}"
        arena = self._program.arena
        select = arena.select(array, arena.integer(index))
        text = to_readable_c(select, names=naming)
        return f"{text.removeprefix(naming.symbol(array))} = {self._value(select, value, naming)}"

    def _objects_in(self, array: Term) -> Iterator[str]:
        """Some of the objects whose parts lie in an array of memory, else of the types that pointers into it have."""
        source = self._everywhere.source
        placed = [one for one in source.objects if one.address is not None]
        declared = [(self._everywhere.spelled(ObjectInFrame(one, 0)), one.parts) for one in placed]
        pointed = [(one.type, one.parts) for one in source.targets]
        for owners in (declared, pointed):
            found = dict.fromkeys(
                ".".join([name, *(step.name for step in part.steps if isinstance(step, MemberStep) and step.name)])
                for name, parts in owners
                for part in parts
                if part.variable is array and name is not None
            )
            if found:
                yield from islice(found, _MOST_NAMES)
                return


def _stored_at(edge: Edge | None, array: Term) -> Term | None:
    """The index at which an edge writes an array, if there is one."""
    updates = edge.operation.updates if edge is not None and isinstance(edge.operation, Assign) else ()
    stores = [t for x, value in updates if x is array for t in parts_of_array(value) if t.op is Op.STORE]
    return stores[0].args[1] if len(stores) == 1 else None
