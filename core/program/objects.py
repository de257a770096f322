"""The objects of one execution, and its pointers as people read them: `null`, `&x`, `&a[3]`, `#3 + 4`.

Objects that are declared have their names. All others (allocated ones, and those to which pointers from outside lead)
have numbers, in the order in which the trace makes or meets them: the same in each list and picture of the trace. What
stands behind `+` are bytes.

Limitation: objects from outside are told apart by gaps between the addresses that are met, of `_GAP` bytes or more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

from core.dataclass import dataclass
from core.pattern import pattern
from core.program.automaton import Call, Edge
from core.program.naming import NULL, Naming, ObjectInFrame
from core.program.own_steps import CallStack
from core.program.source import SourcePart, extent, path_at
from core.terms import ArraySort, NotEvaluable, Term, Value, evaluate

RecordedStep = tuple[int, Sequence[tuple[str, str]]]
"""An edge, and the names of the program with the values that they get there, as text."""
LOWEST = 1 << 12
"""Pointers below are no addresses of objects, but numbers in the program."""
ELEMENT = pattern(r"(?P<array>.*)\[(?P<index>-?\d+)\]")
ENTRY = pattern(r"\[(-?\d+)\] = (-?\d+)")
OTHERS = pattern(r"others = (-?\d+)")
NUMBER = pattern(r"-?\d+")
LEFT_OUT = "…"
"""The sign for the elements of an array that the text of its value does not list."""
_DATA = 1 << 16
"""Below are addresses of functions."""
_GAP = 16  # bytes; the lowering leaves as many between objects
_LARGEST = 1 << 24  # bytes of an object whose size is not known
_LONGEST = 1 << 12  # characters of a string that `main` gets
_MAIN = "main"
_NOTHING: Mapping[Term, Value] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ExecutionObject:
    """An object from `base` to before `end`; the one behind it, too, if nothing else lies there. `allocation` is 0 for
    declared ones, and for those that `main` gets, which have a `title`: arrays of pointers, `stride` bytes apart, and
    strings. `size` is there where an allocation tells it.
    """

    base: int
    end: int
    declared: ObjectInFrame | None = None
    allocation: int = 0
    title: str = ""
    stride: int = 0


class ExecutionObjects:
    """The objects of an execution by their addresses."""

    def __init__(
        self, naming: Naming, steps: Sequence[RecordedStep] = (), inputs: Sequence[tuple[str, str]] = ()
    ) -> None:
        self._naming, self._program = naming, naming.program
        self._source = naming.source
        self._variables = {known.name: x for x, known in self._program.variables.items()}
        behind = {part.variable for target in self._source.targets for part in target.parts}
        here = {part.variable for one in self._source.objects if one.address for part in one.parts}
        self.memory = frozenset(behind | here)
        """The arrays whose indices are addresses."""
        places = {*self.memory, *naming.moving, naming.counter}
        self._watched = frozenset(name for name, x in self._variables.items() if x in places or naming.is_pointer(x))
        """The names of the variables that say where objects lie."""
        lifetimes = None if self._program.memory is None else self._program.memory.lifetimes
        self._block = 0 if lifetimes is None else lifetimes.block
        found = {one.base: one for one in self._constant()}
        met = list(self._walk(steps, found))
        met += [address for change in inputs for address in self._addresses(*change)]
        found |= {one.base: one for one in self._of_main(steps, dict(inputs))}
        self._order(found, list(dict.fromkeys(met)))

    @cached_property
    def has_frames(self) -> bool:
        """Whether some object lies in an activation above the first."""
        return any(one.declared is not None and one.declared.frame for one in self._objects)

    def at(self, address: int) -> ExecutionObject | None:
        """The object that an address lies in, or right behind."""
        position = bisect_right(self._bases, address)
        one = self._objects[position - 1] if position else None
        return one if one is not None and address <= one.end else None

    def pointer(self, address: int, naming: Naming) -> str:
        """The text of a pointer with the names of a place."""
        if not address:
            return NULL
        owner = self.at(address)
        if owner is None or (address < LOWEST and owner.declared is None):
            return str(address)
        distance = address - owner.base
        if owner.title:
            return owner.title if not distance else f"&{_titled(owner, distance)}"
        named = None if owner.declared is None else naming.pointer_into(owner.declared, distance)
        if named is not None:
            return named
        sign = "&" if owner.declared is not None and not owner.declared.object.hidden else ""
        return f"{sign}{self.name(owner, naming)}{f' + {distance}' if distance else ''}"

    def name(self, owner: ExecutionObject, naming: Naming) -> str:
        """The name or number of an object."""
        name = owner.title if owner.declared is None else naming.spelled(owner.declared) or owner.declared.object.name
        return name or f"#{owner.allocation}"

    def element(self, array: Term, index: int, naming: Naming) -> str | None:
        """The text of an element of memory: `x.f`, `#3.next`, `#3[2]`; None where no type tells it."""
        owner = self.at(index)
        if owner is None:
            return None
        if owner.title:
            return _titled(owner, index - owner.base)
        if owner.declared is not None:
            paths = self._paths(owner.declared.object.parts, array, index - owner.base)
            return next((f"{self.name(owner, naming)}{path}" for path in paths), None)
        for target in self._source.targets:
            number, distance = divmod(index - owner.base, max(target.size, 1))
            for path in self._paths(target.parts, array, distance):
                return f"{self.name(owner, naming)}{f'[{number}]' if number or not path else ''}{path}"
        return None

    def _paths(self, parts: Sequence[SourcePart], array: Term, distance: int) -> Iterator[str]:
        for part in parts:
            path = path_at(part.steps, distance) if part.variable is array else None
            if path is not None:
                yield path

    # Objects

    def _constant(self) -> Iterator[ExecutionObject]:
        """The objects that never move, each up to the next one: its table need not have all of its parts."""
        placed = [
            (_number(one.address), one)
            for one in self._source.objects
            if one.address is not None and not one.address.symbols()
        ]
        placed.sort(key=lambda pair: pair[0])
        limits = [*(base - 1 for base, _ in placed[1:]), *([placed[-1][0] + _LARGEST] if placed else [])]
        for (base, one), limit in zip(placed, limits, strict=True):
            end = base + self._block - 1 if self._block else limit
            end = min(end, base + _GAP - 1) if base < _DATA else end
            yield ExecutionObject(base, end, ObjectInFrame(one, 0))

    def _walk(self, steps: Iterable[RecordedStep], objects: dict[int, ExecutionObject]) -> Iterator[int]:
        """Add what comes to life in a trace; yields the addresses of allocated objects, and all that are met."""
        program, counter, moving = self._program, self._naming.counter, self._naming.moving
        calls = CallStack(program)
        next_free: int | None = None
        for edge, all_changes in steps if self._watched else ():
            changes = [one for one in all_changes if self._is_watched(one[0])]
            before, declared = next_free, dict[int, ObjectInFrame]()
            for x, value in self._numbers(changes):
                if x is counter:
                    layout = program.memory
                    next_free = _number(x if layout is None else layout.fresh, {x: value})
                elif x in moving:
                    one = moving[x]
                    assert one.address is not None
                    declared[_number(one.address, {x: value})] = calls.innermost(one)
            for base, local in declared.items():
                end = base + (self._block or extent(local.object.parts)) - 1
                objects[base] = ExecutionObject(base, max(end, (next_free or 0) - 1), local)
            if not declared and before is not None and next_free is not None and next_free > before:
                objects[before] = ExecutionObject(before, next_free - 1)
                yield before
            for change in changes:
                yield from self._addresses(*change)
            calls.take(edge)

    def _of_main(self, steps: Sequence[RecordedStep], inputs: Mapping[str, str]) -> Iterator[ExecutionObject]:
        """The strings that `main` gets, and the arrays of pointers to them."""
        main = self._program.functions.get(_MAIN)
        edges = self._program.edges
        entered = (one for one in steps if 0 <= one[0] < len(edges) and _calls_main(edges[one[0]]))
        passed = dict(next(iter(entered), (0, ()))[1])
        for parameter in () if main is None else main.parameters[1:]:
            name = self._program.variables[parameter].name
            pointers, base = self._naming.target(parameter), NUMBER.fullmatch(passed.get(name, ""))
            if pointers is None or base is None or len(pointers.parts) != 1:
                continue
            title = name.rpartition("::")[2]
            held = ENTRY.findall(inputs.get(self._program.variables[pointers.parts[0].variable].name, ""))
            begins = {int(at): int(value) for at, value in held if int(at) >= int(base[0]) and int(value) >= LOWEST}
            yield ExecutionObject(
                int(base[0]), max((*begins, int(base[0]))) + pointers.size, title=title, stride=pointers.size
            )
            for at, begin in begins.items():
                yield ExecutionObject(begin, begin + _LONGEST, title=f"{title}[{(at - int(base[0])) // pointers.size}]")

    def _is_watched(self, name: str) -> bool:
        """Whether a change of what has this name, a variable or an element of one, may say where an object lies."""
        return name in self._watched or name.rpartition("[")[0] in self._watched

    def _numbers(self, changes: Iterable[tuple[str, str]]) -> Iterator[tuple[Term, int]]:
        """The variables that get numbers."""
        for name, text in changes:
            x, value = self._variables.get(name), NUMBER.match(text)
            if x is not None and value is not None:
                yield x, int(value[0])

    def _addresses(self, name: str, text: str) -> Iterator[int]:
        """The addresses in a change: values of pointers, and indices of memory."""
        element = ELEMENT.fullmatch(name)
        x = self._variables.get(name if element is None else element["array"])
        if x is None:
            return
        whole = isinstance(x.sort, ArraySort) and element is None
        pairs = ENTRY.findall(text) if whole else [("" if element is None else element["index"], text)]
        for index, value in pairs:
            if index and x in self.memory:
                yield int(index)
            number = NUMBER.match(value)
            if number is not None and int(number[0]) >= LOWEST and self._naming.is_pointer(x):
                yield int(number[0])

    def _order(self, objects: dict[int, ExecutionObject], met: Sequence[int]) -> None:
        """Give numbers to the objects without names, in the order in which they are met."""
        self._take(objects)
        last: ExecutionObject | None = None
        for address in sorted(one for one in met if self.at(one) is None):
            if last is not None and address - last.end < _GAP:
                objects[last.base] = last = replace(last, end=address)
            elif self._block:
                base = address // self._block * self._block
                objects[base] = last = ExecutionObject(base, base + self._block - 1)
            else:
                objects[address] = last = ExecutionObject(address, address)
        self._take(objects)
        numbers: dict[int, int] = {}
        for address in met:
            one = self.at(address)
            if one is not None and one.declared is None and not one.title:
                objects[one.base] = replace(one, allocation=numbers.setdefault(one.base, len(numbers) + 1))
        self._take(objects)

    def _take(self, found: dict[int, ExecutionObject]) -> None:
        self._bases = sorted(found)
        self._objects = [found[base] for base in self._bases]


def _calls_main(edge: Edge) -> bool:
    return isinstance(edge.operation, Call) and edge.operation.function == _MAIN


def _titled(one: ExecutionObject, distance: int) -> str:
    """The text of an element of what `main` gets."""
    return f"{one.title}[{distance // (one.stride or 1)}]"


def _number(term: Term, state: Mapping[Term, Value] = _NOTHING) -> int:
    """The value of an address; that of null where it has none, as run files are untrusted."""
    try:
        found = evaluate(term, state)
    except (KeyError, NotEvaluable):
        return 0
    return found if isinstance(found, int) else 0
