"""The steps of a counterexample with the names of the source: which variable changes, and to which value.

Events have the names of the program (`memory1.ring.count[1048592]`), and so have slices; people read those of the
source (`r.count`) where the step is. What the source has no expression for is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from core.dataclass import dataclass
from core.program.automaton import Assign, Edge, Place
from core.program.characters import is_character
from core.program.float_values import float_text, input_types
from core.program.naming import SYMBOL, Naming, ObjectInFrame, is_internal
from core.program.objects import ELEMENT, ENTRY, NUMBER, OTHERS, ExecutionObjects, RecordedStep
from core.program.own_steps import CallStack, OwnSteps, is_own
from core.program.source import OF_LIBRARY, MemberStep
from core.program.span import behind
from core.terms import ArraySort, Term, parts_of_array, to_readable_c

Changes = tuple[tuple[str, str], ...]
"""Names with values, both as text."""

RecordedInput = tuple[str, str, str, int, int, int, str]
"""Kind, name, file, line, column and occurrence of an input, and its value as text."""
Counts = Callable[[int, str], bool]
"""Whether the change of a variable, or element, at a position counts."""

STORAGE = "storage of "
"""Prefix of objects whose first contents are an input."""
_MAX_NAMES = 3  # of objects that share storage


@dataclass(frozen=True, slots=True)
class _StepNames:
    """The names at a step. `exact` tells the activations of functions apart, for objects that pointers lead to."""

    plain: Naming
    exact: Naming


class SourceChanges:
    """The changes of one trace of a program, as people read them. Steps are counted from 0."""

    def __init__(
        self, everywhere: Naming, steps: Sequence[RecordedStep] = (), inputs: Sequence[RecordedInput] = ()
    ) -> None:
        self.steps, self.inputs, self.everywhere = steps, inputs, everywhere
        self._program = everywhere.program
        self._variables = {known.name: x for x, known in self._program.variables.items()}
        self._namings: dict[tuple[tuple[int, ...], int], Naming] = {}

    @cached_property
    def objects(self) -> ExecutionObjects:
        """The objects of the execution."""
        return ExecutionObjects(self.everywhere, self.steps, [(one[1], one[6]) for one in self.inputs])

    @cached_property
    def own(self) -> OwnSteps:
        """The steps that are shown."""
        return OwnSteps(self._program, [number for number, _ in self.steps])

    def of_step(self, position: int, counts: Counts | None = None) -> Changes:
        """The changes of a step, or those that count, with names as they can be written behind its edge."""
        number, changes = self.steps[position]
        if not 0 <= number < len(self._program.edges):
            return tuple(changes)
        step, texts = self.own.at(position), dict[str, str]()
        if step is None:
            return ()
        for inner in step.positions:
            edge = self._program.edges[number] if inner == position else None
            for name, value in self.steps[inner][1]:
                if (counts is None or counts(inner, name)) and (step.inside or self._is_own(name)):
                    texts.update(self._shown(name, value, self._names_at(position), edge))
        return tuple(texts.items())

    def of_variable(self, position: int, name: str, value: str) -> tuple[str, str] | None:
        """A variable and its value with the names at a step; None where the source has none."""
        number = self.steps[position][0]
        if not 0 <= number < len(self._program.edges):
            return name, value
        step = self.own.at(position)
        if not self._is_own(name) and not (step is not None and step.inside):
            return None
        return next(iter(self._shown(name, value, self._names_at(position), None)), None)

    def value_at(self, array: Term, index: int, value: int) -> str:
        """The text of the value of an element."""
        select = self._program.arena.select(array, self._program.arena.integer(index))
        return self._number(select, value, _StepNames(self.everywhere, self.everywhere))

    def of_input(self, name: str, value: str) -> tuple[str, str]:
        """An input: the function that returns it, or the variable that has it as its first value."""
        symbol = self._variables.get(name)
        if symbol is None:
            return name, self._returned(name, value)
        text = self.everywhere.symbol(symbol)
        if text.startswith(SYMBOL):
            text = f"{STORAGE}{', '.join(self._objects_in(symbol)) or 'other objects'}"
        return text, self._value(symbol, value, _StepNames(self.everywhere, self.everywhere))

    def _returned(self, name: str, value: str) -> str:
        """The text of a value that a function returns."""
        type_ = self._float_results.get(name)
        return value if type_ is None or not NUMBER.fullmatch(value) else float_text(type_, int(value))

    @cached_property
    def _float_results(self) -> Mapping[str, str]:
        """The floating types of the results of functions, by their names."""
        inputs = self._program.inputs
        return {inputs[symbol].name: type_ for symbol, type_ in input_types(self._program).items()}

    # Names

    def _names_at(self, position: int) -> _StepNames:
        """The names behind a step; behind a call those of the caller, if that belongs to the program."""
        step = self.own.at(position)
        if step is not None and step.started is not None:
            entry = self.everywhere.at(((), self._program.functions[step.started].entry))
            return _StepNames(entry, entry)
        edge = self._program.edges[self.steps[position][0]] if step is None else step.edge
        plain = self._naming(edge, ())
        return _StepNames(plain, self._naming(edge, self.places[position][0]) if self.objects.has_frames else plain)

    def _is_in_program(self, one: ObjectInFrame) -> bool:
        return is_own(self._program, one.object.function) and not one.object.name.startswith(OF_LIBRARY)

    def _is_own(self, name: str) -> bool:
        """Whether a changed variable, or element, is none of code that does not belong to the program."""
        symbol = self._variables.get(name)
        return symbol is None or is_own(self._program, self._program.variables[symbol].scope)

    def _naming(self, edge: Edge, stack: tuple[int, ...]) -> Naming:
        key = stack, edge.id
        if key not in self._namings:
            self._namings[key] = self.everywhere.at((stack, edge.source), behind(edge.span))
        return self._namings[key]

    @cached_property
    def places(self) -> Sequence[Place]:
        """The active calls, and the location, before each step."""
        calls, found = CallStack(self._program), list[Place]()
        for number, _ in self.steps:
            found.append((calls.stack, calls.at))
            calls.take(number)
        return found

    def _shown(self, name: str, value: str, names: _StepNames, edge: Edge | None) -> Iterator[tuple[str, str]]:
        """A change with names: none, one, or one for each element of storage that many objects share."""
        symbol, element = self._variables.get(name), ELEMENT.fullmatch(name)
        if symbol is not None:
            text = names.plain.symbol(symbol)
            if is_internal(text) or symbol in names.plain.moving:
                for index, one in ENTRY.findall(value) if isinstance(symbol.sort, ArraySort) else ():
                    yield from self._element(symbol, int(index), one, names, None)
            elif (shown := self._value(symbol, value, names)) != text:  # `argv` leads to the array of this name
                yield text, shown
        elif element is not None and element["array"] in self._variables:
            yield from self._element(self._variables[element["array"]], int(element["index"]), value, names, edge)
        else:
            yield name, value

    def _element(
        self, array: Term, index: int, value: str, names: _StepNames, edge: Edge | None
    ) -> Iterator[tuple[str, str]]:
        """An element by the object that has it; of others as the statement writes it, where that is known."""
        owner = self.objects.at(index) if array in self.objects.memory else None
        is_foreign = owner is not None and not (owner.declared is None or self._is_in_program(owner.declared))
        if not isinstance(array.sort, ArraySort) or is_foreign:
            return
        select = self._program.arena.select(array, self._program.arena.integer(index))
        text = self._element_text(select, names, _stored_at(edge, array))
        if text is not None:
            yield text, self._value(select, value, names)

    def _element_text(self, select: Term, names: _StepNames, written: Term | None = None) -> str | None:
        """The text of an element at a constant index; `written` is the index as a term, if that is known."""
        array, index = select.args
        text = to_readable_c(select, names=names.plain)
        if array in self.objects.memory and text.startswith(("((", SYMBOL)):
            text = (
                "" if written is None else to_readable_c(self._program.arena.select(array, written), names=names.plain)
            )
            if not text or is_internal(text) or text.startswith("(("):
                return self.objects.element(array, index.value, names.exact)
        return None if is_internal(text) else text

    def _value(self, of: Term, value: str, names: _StepNames) -> str:
        """The text of a value: of a number its name, of an array with indices as the source has them."""
        number = NUMBER.match(value)
        if number is not None:
            text = self._number(of, int(number[0]), names)
            return f"{text}{f' ({number[0]})' if is_character(text) else ''}{value[number.end() :]}"
        entries = ENTRY.sub(lambda entry: self._entry(of, int(entry[1]), entry[2], names), value)
        return OTHERS.sub(lambda others: f"others = {self._number(of, int(others[1]), names)}", entries)

    def _number(self, of: Term, value: int, names: _StepNames) -> str:
        if names.plain.is_pointer(of):
            return self.objects.pointer(value, names.exact)
        return names.plain.value(of, value) or str(value)

    def _entry(self, array: Term, index: int, value: str, names: _StepNames) -> str:
        if not isinstance(array.sort, ArraySort):
            return f"[{index}] = {value}"
        select = self._program.arena.select(array, self._program.arena.integer(index))
        text = self._element_text(select, names)
        if text is None:
            is_memory = is_internal(names.plain.symbol(array))
            text = f"*({self.objects.pointer(index, names.exact)})" if is_memory else f"[{index}]"
        return f"{text.removeprefix(names.plain.symbol(array))} = {self._number(select, int(value), names)}"

    def _objects_in(self, array: Term) -> Iterator[str]:
        """Some of the objects whose parts lie in an array of memory, else of the types that pointers into it have."""
        source = self.everywhere.source
        placed = [one for one in source.objects if one.address is not None]
        declared = [(self.everywhere.spelled(ObjectInFrame(one, 0)), one.parts) for one in placed]
        pointed = [(one.type, one.parts) for one in source.targets]
        for owners in (declared, pointed):
            found = dict.fromkeys(
                ".".join([name, *(step.name for step in part.steps if isinstance(step, MemberStep) and step.name)])
                for name, parts in owners
                for part in parts
                if part.variable is array and name is not None
            )
            if found:
                yield from islice(found, _MAX_NAMES)
                return


def _stored_at(edge: Edge | None, array: Term) -> Term | None:
    """The index at which an edge writes an array, if there is one."""
    updates = edge.operation.updates if edge is not None and isinstance(edge.operation, Assign) else ()
    stores = [t for x, value in updates if x is array for t in parts_of_array(value) if t.is_store]
    return stores[0].args[1] if len(stores) == 1 else None
