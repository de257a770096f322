"""The inputs of a counterexample as people read them: `argv[1] = "-x"`, `getenv("HOME") returns "/"`.

The recorded inputs have the names of the program. First contents of memory are told by the objects that they
lie in; what a body of the library reads, by its call; what an undefined function leaves in memory, by what changes
there; and what the start of a function reads, by the parameters and objects that it makes of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from core.dataclass import dataclass
from core.program.automaton import Call, Edge, Program, terms_of
from core.program.changes import RecordedInput, SourceChanges
from core.program.characters import CHARACTER, string
from core.program.naming import is_internal
from core.program.objects import ENTRY, LEFT_OUT, NUMBER, OTHERS, ExecutionObject
from core.program.own_steps import COUNT, OwnStep, is_start_file
from core.program.source import is_library_body, source_function
from core.terms import ArraySort, Term

_CHARACTERS = ("__VERIFIER_nondet_input", "__VERIFIER_nondet_character")  # of the first, what is none ends the input
_LENGTH, _ORDER, _TRUTH, _FAILURE = (f"__VERIFIER_nondet_{name}" for name in ("length", "order", "truth", "failure"))
_MAIN, _ENVIRONMENT = "main", "getenv"
_INDETERMINATE = "indeterminate"
_MAX_ELEMENTS = 8  # of an object that are listed without a gap

InputPlace = tuple[str, str, str, int, int]
"""Kind, name, file, line and column of an input."""
FirstBytes = Mapping[Term, Mapping[int, int]]
"""Values in memory, by array and index."""


@dataclass(frozen=True, slots=True)
class GivenInput:
    """An input in words: a name, a relation and a value. `kind` is there where it is shown as it was recorded.

    `numbers` are the positions of the recorded inputs that it is made of. `change` is the step with the variable that
    has it, where it was made by a start.
    """

    place: tuple[str, int]
    name: str
    relation: str
    value: str
    numbers: tuple[int, ...]
    kind: str = ""
    times: int = 1
    change: tuple[int, str] | None = None

    @property
    def subject(self) -> str:
        """The text before the value, without an equality sign."""
        times = f", time {self.times}" if self.times > 1 else ""
        kind = f" ({self.kind}{times})" if self.kind else ""
        return f"{self.name}{kind}{'' if self.relation == '=' else f' {self.relation}'}"

    def __str__(self) -> str:
        return f"{self.subject} {'= ' if self.relation == '=' else ''}{self.value}".rstrip()


class GivenInputs:
    """The inputs of a trace in the order in which the program gets them."""

    def __init__(self, program: Program, told: SourceChanges) -> None:
        self._program, self._told, self._inputs = program, told, told.inputs
        self._variables = {known.name: x for x, known in program.variables.items()}
        self._places_of: dict[int, Sequence[InputPlace]] = {}

    def rows(self) -> Iterator[GivenInput]:
        seen = set[int]()
        for index, value in enumerate(self._inputs):
            position = self._read_at.get(index)
            function = "" if position is None else self._function(position)
            step = None if position is None else self._step_of.get(position)
            if index in self._first_numbers:
                key, rows = -1, self._first_contents()
            elif self._start is not None and is_start_file(value[2]):
                key, rows = -2, self._started(*self._start)
            elif step is not None and is_library_body(function):
                key, rows = step.begins, self._of_library(step)
            elif step is not None and position is not None and self._array(value) is not None:
                key, rows = position, self._written(step, position)
            else:
                key, rows = -3 - index, self._recorded(index)
            if key not in seen:
                seen.add(key)
                yield from rows

    # Where inputs are read

    @cached_property
    def _step_of(self) -> Mapping[int, OwnStep]:
        """The step that shows each position."""
        return {inner: step for _, step in self._told.own for inner in step.positions}

    def _function(self, position: int) -> str:
        """The function that is active before a step."""
        return self._program.locations[self._told.places[position][1]].function

    @cached_property
    def _read_at(self) -> Mapping[int, int]:
        """The step that reads each input, by the number of the input."""
        numbers = {one[:6]: number for number, one in enumerate(self._inputs)}
        times, found = dict[InputPlace, int](), dict[int, int]()
        for position, ((number, _), (_, at)) in enumerate(zip(self._told.steps, self._told.places, strict=True)):
            edge = self._program.edges[number] if 0 <= number < len(self._program.edges) else None
            for place in self._places(edge) if edge is not None and edge.source == at else ():
                times[place] = times.get(place, -1) + 1
                if (*place, times[place]) in numbers:
                    found[numbers[*place, times[place]]] = position
        return found

    def _places(self, edge: Edge) -> Sequence[InputPlace]:
        """The inputs that an edge reads."""
        if edge.id not in self._places_of:
            read = {s for t in terms_of(edge) for s in t.symbols() if s in self._program.inputs}
            known = [self._program.inputs[symbol] for symbol in sorted(read, key=lambda s: s.id)]
            places = [(one.kind.value, one.name, one.span.file, one.span.line, one.span.column) for one in known]
            self._places_of[edge.id] = places
        return self._places_of[edge.id]

    def _recorded(self, number: int) -> Iterator[GivenInput]:
        """An input as it was recorded; none for a variable that the source does not have, as the sizes of strings."""
        kind, name, file, line, _, occurrence, value = self._inputs[number]
        x = self._variables.get(name)
        if x is not None and x not in self._told.objects.memory and is_internal(self._told.everywhere.symbol(x)):
            return
        main = self._program.functions.get(_MAIN)
        is_argument = main is not None and x in main.parameters
        name, value = self._told.of_input(name, value)
        yield GivenInput((file, line), name, "=", value, (number,), "" if is_argument else kind, occurrence + 1)

    # Memory

    def _array(self, one: RecordedInput) -> Term | None:
        """The array of memory that an input gives contents."""
        x = self._variables.get(one[1])
        return x if x is not None and isinstance(x.sort, ArraySort) and x in self._told.objects.memory else None

    @cached_property
    def _first(self) -> Mapping[Term, tuple[int, str]]:
        """The first contents of memory: the number of the input, and its value as text."""
        found: dict[Term, tuple[int, str]] = {}
        for number, one in enumerate(self._inputs):
            position, x = self._read_at.get(number), self._array(one)
            if x is not None and position is not None and self._function(position) == self._program.start:
                found[x] = number, one[6]
        return found

    @cached_property
    def _first_numbers(self) -> frozenset[int]:
        return frozenset(number for number, _ in self._first.values())

    def _first_contents(self) -> Iterator[GivenInput]:
        """The objects with contents that no step gave them; of a start that is written, what it makes of them."""
        if self._start is not None:
            return
        contents = {x: _entries(text) for x, (_, text) in self._first.items()}
        yield from (self._object_row(one, contents) for one in self._objects(contents))
        for x, (number, text) in self._first.items():
            others = OTHERS.search(text)
            if not contents[x] and others is not None and int(others[1]):
                yield from self._recorded(number)

    def _object_row(self, owner: ExecutionObject, contents: FirstBytes) -> GivenInput:
        span = self._program.functions[self._program.start].span
        span = span if owner.declared is None else owner.declared.object.span or span
        place = ("", 0) if span is None else (span.file, span.line)
        name = self._told.objects.name(owner, self._told.everywhere)
        return GivenInput(place, name, "=", self._contents(owner, contents), self._numbers(owner, contents))

    def _objects(self, contents: FirstBytes) -> list[ExecutionObject]:
        """The objects that have contents, those with numbers last; strings of `main` stand for the arrays of them."""
        at = self._told.objects.at
        found = {one.base: one for entries in contents.values() for index in entries if (one := at(index)) is not None}
        return sorted((one for one in found.values() if not one.stride), key=lambda one: (one.allocation, one.base))

    def _numbers(self, one: ExecutionObject, contents: FirstBytes) -> tuple[int, ...]:
        """The inputs that have contents of an object."""
        at = self._told.objects.at
        held = [x for x, entries in contents.items() if any(at(index) == one for index in entries)]
        return tuple(self._first[x][0] for x in held if x in self._first)

    def _contents(self, owner: ExecutionObject, contents: FirstBytes, count: int | None = None) -> str:
        """The contents of an object: a value, a string, `{1, 0, 0}`, `{.key = 1, others = 0}`; of `count` elements."""
        objects, names = self._told.objects, self._told.everywhere
        name, parts, others, numbers = objects.name(owner, names), dict[str, str](), "", list[int]()
        held = [(index, x.name, x) for x in contents for index in contents[x] if objects.at(index) == owner]
        for index, _, x in sorted(held, key=lambda place: place[:2]):
            value = contents[x][index]
            text = objects.element(x, index, names) or f"{name} + {index - owner.base}"
            parts[text.removeprefix(name)] = self._told.value_at(x, index, value)
            known = OTHERS.search(self._first[x][1]) if x in self._first else None
            others = "" if known is None else self._told.value_at(x, index, int(known[1]))
            if self._program.variables[x].c_type.scalar.startswith(CHARACTER):
                numbers.append(value)
        has_indices = any("[" in path for path in parts)
        is_array = bool(parts) and list(parts) == [f"[{k}]" for k in range(len(parts))]
        is_cut = any(LEFT_OUT in self._first[x][1] for _, _, x in held if x in self._first)
        if is_array and len(numbers) == len(parts) and (others == "0" or 0 in numbers):
            text = string(numbers[: numbers.index(0)] if 0 in numbers else numbers)
            return f'{text[:-1]}{LEFT_OUT}"' if is_cut and 0 not in numbers else text
        if list(parts) == [""]:
            return parts[""]
        listed = list(parts.values()) if is_array else [f"{path} = {value}" for path, value in parts.items()]
        listed += [LEFT_OUT] if is_cut else []
        left = None if count is None else count - len(parts)
        if is_array and others and not is_cut and left is not None and 0 <= left <= _MAX_ELEMENTS:
            listed += [others] * left
        elif others and left != 0 and (has_indices or len(parts) != self._scalars(owner, [x for _, _, x in held])):
            listed.append(f"others = {others}")
        return f"{{{', '.join(listed)}}}"

    def _scalars(self, one: ExecutionObject, arrays: Sequence[Term]) -> int:
        """The number of scalar parts that the type of an object has."""
        source = self._told.everywhere.source
        owners = source.targets if one.declared is None else (one.declared.object,)
        return next((len(owner.parts) for owner in owners if {part.variable for part in owner.parts} >= {*arrays}), 0)

    # Undefined functions

    def _written(self, step: OwnStep, position: int) -> Iterator[GivenInput]:
        """The changes that an undefined function makes in memory."""
        read = [number for number, at in self._read_at.items() if at == position]
        numbers = [number for number in read if self._array(self._inputs[number]) is not None]
        arrays = {self._inputs[number][1] for number in numbers}
        changes = self._told.of_step(position, lambda _, changed: changed.partition("[")[0] in arrays)
        if changes:
            _, _, file, line, *_ = self._inputs[numbers[0]]
            text = ", ".join(f"{name} = {value}" for name, value in changes)
            yield GivenInput((file, line), step.text, "writes", text, tuple(numbers))

    # The library

    def _of_library(self, step: OwnStep) -> Iterator[GivenInput]:
        """The inputs that a call of a library function reads."""
        by_name: dict[str, list[int]] = {}
        for number, position in sorted(self._read_at.items(), key=lambda one: one[1]):
            other = self._step_of.get(position)
            inside = other is not None and other.begins == step.begins and is_library_body(self._function(position))
            if inside and self._inputs[number][0] != _INDETERMINATE:
                by_name.setdefault(self._inputs[number][1], []).append(number)
        if not by_name:
            return
        _, _, file, line, *_ = self._inputs[next(iter(by_name.values()))[0]]
        lengths, failures = by_name.pop(_LENGTH, []), by_name.pop(_FAILURE, [])
        is_too_long = bool(failures) and len(lengths) == 1 and self._number(lengths[0]) != 0  # so `read` fails
        characters = sorted(number for name in _CHARACTERS for number in by_name.pop(name, []))
        row = GivenInput((file, line), step.text, "reads", self._read(characters), (*characters, *lengths))
        operation = self._program.edges[self._told.steps[step.begins][0]].operation
        called = source_function(operation.function) if isinstance(operation, Call) else ""
        if called == _ENVIRONMENT:
            is_null = bool(lengths) and not self._number(lengths[0])
            value = "null" if is_null else self._read(characters, ends=True)
            yield replace(row, relation="returns", value=value)
        elif characters:
            yield row
        elif lengths and not is_too_long:
            yield replace(row, relation="has the length", value=self._values(lengths))
        if any(map(self._number, failures)) or is_too_long:
            yield replace(row, relation="fails", value="", numbers=(*lengths, *failures))
        for name, some in by_name.items():
            relation = {_ORDER: "chooses", _TRUTH: "returns"}.get(name, "gets")
            values = self._values(some) if name != _TRUTH else str(self._number(some[0]) or 1)  # as the body has it
            yield replace(row, relation=relation, value=values, numbers=tuple(some))

    def _read(self, numbers: Sequence[int], ends: bool = False) -> str:
        """The characters that inputs are, as a string; with `ends` up to the one that ends it."""
        values = [self._number(one) for one in numbers if self._inputs[one][1] != _CHARACTERS[0] or self._is_byte(one)]
        return string(values[: values.index(0)] if ends and 0 in values else values)

    def _is_byte(self, number: int) -> bool:
        return 0 <= self._number(number) <= 255

    def _number(self, number: int) -> int:
        found = NUMBER.fullmatch(self._inputs[number][6])
        return 0 if found is None else int(found[0])

    def _values(self, numbers: Sequence[int]) -> str:
        return ", ".join(self._told.of_input(self._inputs[one][1], self._inputs[one][6])[1] for one in numbers)

    # The start of a function

    @cached_property
    def _start(self) -> tuple[int, OwnStep] | None:
        """The step that calls the function for which a start was written."""
        return next(((at, step) for at, step in self._told.own if step.started is not None), None)

    def _started(self, at: int, step: OwnStep) -> Iterator[GivenInput]:
        """The parameters of the function, the global variables that have values, and the objects that are there."""
        function = self._program.functions[step.started or ""]
        contents, globals_ = self._at_start(at)
        place = ("", 0) if function.span is None else (function.span.file, function.span.line)
        seen, passed = set[int](), dict(self._told.steps[at][1])
        names = [self._program.variables[x].name for x in function.parameters]
        for name, value, inner in [*((name, passed[name], at) for name in names if name in passed), *globals_]:
            shown = self._told.of_variable(at, name, value)
            if shown is None:
                continue
            title = f"parameter {shown[0]}" if inner == at else shown[0]
            row = GivenInput(place, title, "=", shown[1], (), change=(inner, name))
            one = self._led_to(name, value)
            if one is not None and one.base not in seen:
                seen.add(one.base)
                numbers = self._numbers(one, contents)
                value = self._behind(name, one, contents, self._count(name, at))
                row = replace(row, relation="points to", value=value, numbers=numbers)
            yield row
        rest = [one for one in self._objects(contents) if one.base not in seen]
        yield from (replace(self._object_row(one, contents), place=place) for one in rest)

    def _at_start(self, at: int) -> tuple[FirstBytes, list[tuple[str, str, int]]]:
        """The contents of memory when the function is called, and what the start gives to global variables."""
        contents = {x: _entries(text) for x, (_, text) in self._first.items()}
        globals_: dict[str, tuple[str, str, int]] = {}
        for inner in range(at):
            for name, value in self._told.steps[inner][1]:
                x, (array, _, rest) = self._variables.get(name), name.rpartition("[")
                in_memory = self._variables.get(array)
                if x is not None and self._program.variables[x].scope is None and self._is_in_start(inner):
                    globals_[name] = name, value, inner
                elif in_memory is not None and in_memory in self._told.objects.memory and NUMBER.fullmatch(value):
                    contents.setdefault(in_memory, {})[int(rest.removesuffix("]"))] = int(value)
        return contents, list(globals_.values())

    def _is_in_start(self, position: int) -> bool:
        return self._function(position) != self._program.start

    def _led_to(self, name: str, value: str) -> ExecutionObject | None:
        """The object without a name at whose beginning a pointer lies."""
        if not NUMBER.fullmatch(value) or not self._told.everywhere.is_pointer(self._variables[name]):
            return None
        one = self._told.objects.at(int(value))
        return one if one is not None and one.declared is None and one.base == int(value) else None

    def _count(self, name: str, at: int) -> int | None:
        """The number of elements behind a parameter, as the start counts them."""
        counter, found = f"::{COUNT}{name.rpartition('::')[2]}", None
        for inner in range(at):
            found = next((value for one, value in self._told.steps[inner][1] if one.endswith(counter)), found)
        return int(found) if found is not None and NUMBER.fullmatch(found) else None

    def _behind(self, name: str, owner: ExecutionObject, contents: FirstBytes, count: int | None) -> str:
        """The object that a pointer leads to, with its type and contents."""
        target, type_ = self._told.everywhere.target(self._variables[name]), ""
        if target is not None:
            type_ = f" of {target.type}" if count in (None, 1) else f" of {count} {target.type}"
        shown = self._contents(owner, contents, count)
        return f"{self._told.objects.name(owner, self._told.everywhere)}{type_}{'' if shown == '{}' else f': {shown}'}"


def _entries(text: str) -> dict[int, int]:
    return {int(index): int(value) for index, value in ENTRY.findall(text)}
