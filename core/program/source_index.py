"""Lookups in the table of the source: by name, by variable, by the memory that objects lie in, by type."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from core.program.automaton import Program, Variable
from core.program.float_values import has_floats, input_types
from core.program.source import NEXT_ADDRESS, IndexStep, PointerTarget, SourceObject, SourcePart, SourceTable
from core.terms import ArraySort, Term


class SourceIndex:
    """The table of a program with its lookups, which are the same at all places."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.source = program.source if program.source.objects else _declared(program)

    @cached_property
    def has_floats(self) -> bool:
        """Whether variables, elements or inputs are floating-point numbers."""
        return has_floats(self._program)

    @cached_property
    def input_types(self) -> Mapping[Term, str]:
        """The floating types of inputs."""
        return input_types(self._program)

    @cached_property
    def by_name(self) -> Mapping[str, list[SourceObject]]:
        found: dict[str, list[SourceObject]] = {}
        for one in self.source.objects:
            found.setdefault(one.name, []).append(one)
        return found

    @cached_property
    def variables(self) -> Mapping[Term, tuple[SourceObject, SourcePart]]:
        """The variables that are parts of objects outside of memory."""
        objects = [one for one in self.source.objects if one.address is None]
        return {part.variable: (one, part) for one in objects for part in one.parts}

    @cached_property
    def moving(self) -> Mapping[Term, SourceObject]:
        """The objects whose address is a term over a variable, by this variable."""
        placed = ((one, one.address.symbols()) for one in self.source.objects if one.address is not None)
        return {next(iter(symbols)): one for one, symbols in placed if len(symbols) == 1}

    @cached_property
    def counter(self) -> Term | None:
        """The variable that says where the next object is allocated."""
        found = self.by_name.get(NEXT_ADDRESS, ())
        return found[0].parts[0].variable if found and found[0].parts else None

    @cached_property
    def in_memory(self) -> Mapping[Term, list[tuple[SourceObject, SourcePart]]]:
        """The objects in memory by the arrays that their parts lie in."""
        found: dict[Term, list[tuple[SourceObject, SourcePart]]] = {}
        for one in self.source.objects:
            for part in one.parts if one.address is not None else ():
                found.setdefault(part.variable, []).append((one, part))
        return found

    @cached_property
    def typed(self) -> Mapping[str, PointerTarget]:
        """The targets of pointers by their types; those of one type that lie in several arrays are left out."""
        found: dict[str, list[PointerTarget]] = {}
        for one in self.source.targets:
            found.setdefault(one.type, []).append(one)
        return {name: ones[0] for name, ones in found.items() if len(ones) == 1}

    @cached_property
    def enumerators(self) -> Mapping[str, int]:
        """The values of the enumerators that variables have; none for names that have several."""
        source = self.source
        parts = [part for one in source.objects for part in one.parts]
        parts += [part for one in source.targets for part in one.parts]
        found: dict[str, set[int]] = {}
        for value, name in dict.fromkeys(pair for part in parts for pair in part.values):
            found.setdefault(name, set()).add(value)
        return {name: next(iter(values)) for name, values in found.items() if len(values) == 1}


def _declared(program: Program) -> SourceTable:
    """The table of a program that has none, as those of older run files: variables with the names that they have."""
    return SourceTable(
        tuple(
            SourceObject(one.name.removeprefix(f"{one.scope}::"), one.scope, None, None, None, (_whole(one),))
            for one in program.variables.values()
        )
    )


def _whole(variable: Variable) -> SourcePart:
    is_array = isinstance(variable.symbol.sort, ArraySort)
    return SourcePart(variable.symbol, (IndexStep(1, variable.extent),) if is_array else ())
