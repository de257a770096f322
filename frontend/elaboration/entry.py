"""The `main` that starts a function on every argument and every heap that its `requires` admits, as C text.

Numbers are arbitrary. A pointer to a record that leads to its own kind by one field (a list) gets every acyclic list:
all lists grow at their heads, node by node, and a pointer may become equal to another of its kind, so lists may share
their ends. Any other pointer is null, or leads to anything in an object that its type lets it access: a new one with
arbitrary contents and any number of elements, one that is made for another pointer, or one of the file scope whose
address callers may have. With `--aliasing separate` it leads to the beginning of one of its own type. Objects that the
function may read and that live as long as the program have arbitrary values like parameters.

Limitations, by weight, named as assumptions: of several fields by which a record leads to its own kind, one makes
lists, and the others are null or lead to neighbours; of objects that pointers in arrays and lists lead to, one at a
time is shared. Refused: pointers to functions, unions with pointers, records that lead to each other in a circle,
arrays of records that make lists, types without a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from core.dataclass import dataclass
from core.program.own_steps import BEFORE, COUNT, START_FILE
from frontend.elaboration.scope import name_of_static
from frontend.elaboration.start_lists import ListWriter
from frontend.elaboration.start_places import StartGroup, StartPlace, has_pointers
from frontend.elaboration.start_pointers import links
from frontend.options import STARTED, STARTER, Aliasing, EntryPoint
from frontend.source import ParseError, Unsupported, point
from frontend.typed import tree
from frontend.typed.ctype import Array, Float, Integer, Pointer, Record, RecordKind
from frontend.typed.lvalues import root
from frontend.typed.traversal import unit_nodes
from frontend.typed.tree import Storage


@dataclass(frozen=True, slots=True)
class StartText:
    """The start of a function, a variant that calls `STARTED` in its place, and what both assume."""

    start: EntryPoint
    question: EntryPoint
    file: str
    """The file of the function."""
    assumptions: tuple[str, ...]


def start_of(
    unit: tree.TranslationUnit, name: str, are_sizes_seen: bool, aliasing: Aliasing = Aliasing.ANY
) -> StartText:
    """The start of a function with a body. FrontendErrors say what does not fit."""
    found = [one for one in unit.functions.values() if one.name.partition("#")[0] == name and one.body is not None]
    if not found:
        raise ParseError(point("--entry", 1, 0), f"there is no function {name} with a body")
    if len(found) > 1:
        places = " and ".join(str(one.span) for one in found)
        raise ParseError(point("--entry", 1, 0), f"several files define {name}: {places}")
    (function,) = found
    own = next((one for one in unit.files if function.name in one.names), None)
    if own is None or function.type.variadic or (function.parameters and not function.type.prototype):
        raise Unsupported(function.span, f"{name} cannot be started: its arguments are not declared")
    writer = _StartWriter(unit, function, aliasing, are_sizes_seen)
    writer.visible = own.names
    texts = writer.text(function.name.partition("#")[0]), writer.text(STARTED)
    file, apart = f"{START_FILE}{name}>", writer.apart if writer.is_any else writer.pairs()
    return StartText(
        EntryPoint(file, texts[0], name, apart),
        EntryPoint(file, texts[1], name, apart),
        own.file,
        tuple(writer.assumptions()),
    )


class _StartWriter(ListWriter):
    """Writes the start of one function."""

    visible = frozenset[str]()
    """The names that the file of the function defines."""

    # The whole

    def text(self, called: str) -> str:
        """The text that ends in a call of `called`, by way of `STARTER`."""
        self.is_called = called != STARTED
        declared: dict[str, None] = {}
        places = list(self._parameters())
        objects = list(self._globals(declared))
        body = [f"{self.spelled(one.type, one.text, one.span)};" for one in places]
        self.apart = frozenset(map(frozenset, self._apart(places, objects)))
        self._values_of_all(objects, places)  # finds the pointers that loops make
        values = self._values_of_all(objects, places)
        counted = [one for one in places if self.is_counted(one.type)]
        behind = [f"{COUNT}{one.name}" for one in counted]
        behind += [f"{BEFORE}{one.name}" for one in counted] if self.is_any else []
        own = [self.spelled(one.type, one.name, one.span) for one in places]
        own += [f"{self.size} {one}" for one in behind]
        passed = ", ".join(one.name for one in places) if self.is_called else ""
        starter = f"static void {STARTER}({', '.join(own) or 'void'}) {{ {called}({passed}); }}"
        inputs = [f"extern {type_} {name}(void);" for name, type_ in self.inputs.items()]
        head = [f"extern void {STARTED}(void);", *declared, *inputs, starter, "int main(void)", "{"]
        given = ", ".join((*(one.text for one in places), *behind))
        body += [*self.locals, *self.declared_seen(), *values, *self._promised(places)]
        body += [f"{STARTER}({given});", "return 0;"]
        return "\n".join([*head, *(f"    {line}" for line in body), "}", ""])

    def assumptions(self) -> Iterator[str]:
        """The assumptions of the text."""
        name = self.function.name.partition("#")[0]
        names = [one.name for one in self._parameters() if isinstance(one.type, Pointer)]
        apart = [[one for one in names if one in pair] for pair in sorted(self.apart, key=sorted)]
        pairs = [" and ".join(pair) for pair in apart if len(pair) == 2]
        if not self.is_any and len(names) > 1:
            pairs = [f"{', '.join(names[:-1])} and {names[-1]}"]
        why = "as `requires` or `restrict` says" if self.is_any else "unless they are equal"
        yield from (f"at the start of {name}, {pair} do not overlap, {why}" for pair in pairs)
        yield from (f"at the start of {name}, {one}" for one in self.assumed)

    def _promised(self, places: Sequence[StartPlace]) -> Iterator[str]:
        """The ends of starts that break what declarations say of parameters: not to be null, or `[static 4]`."""
        never_null = self.unit.nonnull.get(self.function.name, ())
        for number, (place, one) in enumerate(zip(places, self.function.parameters, strict=True), 1):
            extent = self.unit.extents.get(one.name, 0)
            if isinstance(one.type, Pointer) and ({0, number}.intersection(never_null) or extent):
                yield f"if (!{place.text}) return 0;"
                self.assumed[f"{place.name} leads to what its declaration says (nonnull, [static])"] = None
            if extent and self.is_counted(place.type):
                size = self.size_of(self.target_of(place), place)
                yield f"if ({COUNT}{place.name} < {extent} / {size}) return 0;"

    def pairs(self) -> frozenset[frozenset[str]]:
        """All pairs of parameters that are pointers."""
        names = [one.name for one in self._parameters() if isinstance(one.type, Pointer)]
        return frozenset(map(frozenset, combinations(names, 2)))

    def _parameters(self) -> Iterator[StartPlace]:
        taken = {one.object.source_name for one in self.unit.globals} | self.unit.functions.keys()
        for number, one in enumerate(self.function.parameters, 1):
            name = one.source_name if one.source_name.isidentifier() else f"argument{number}"
            place = StartPlace(f"{name}_" if name in taken else name, one.type, name, one.span, name)
            yield replace(place, type=Pointer(self.target_of(place))) if isinstance(one.type, Pointer) else place

    def _apart(self, places: Sequence[StartPlace], objects: Sequence[StartPlace]) -> Iterator[tuple[str, str]]:
        """The pairs of pointers, and objects of the file scope, that the start keeps apart."""
        if not self.is_any:
            return
        names = [one.name for one in places if isinstance(one.type, Pointer)]
        counted = {one.name for one in places if self.is_counted(one.type)}
        yield from (pair for pair in self.separated() if counted.issuperset(pair))
        others = [*names, *(name for one in objects for name in (one.name, f"&{one.name}"))]
        for one in names:
            if one in self.unit.restricted.get(self.function.name, ()):
                yield from ((one, other) for other in others if other != one)

    def _globals(self, declared: dict[str, None]) -> Iterator[StartPlace]:
        """The objects that the function may read, but constants; those that only others know are assumed."""
        unnamed: list[str] = []
        hidden = frozenset[str]().union(*(one.hidden for one in self.unit.files))
        for one in self.unit.globals:
            object_ = one.object
            if object_.name not in self._read or object_.name in self.unit.constant:
                continue
            is_own, name = object_.name in self.visible, object_.source_name
            if is_own and object_.function is not None and self.is_any:
                name = name_of_static(object_)
            elif object_.function is not None or not (is_own or object_.storage is Storage.EXTERNAL):
                if self.is_any:
                    why = f"may read {object_.source_name}, which its file does not name"
                    place = StartPlace(name, object_.type, name, object_.span, "the function")
                    raise self.refused(place, why, may_be_separate=True)
                unnamed.append(object_.source_name)
                continue
            if not is_own:
                declared[f"extern {self.spelled(object_.type, name, object_.span)};"] = None
            is_seen = object_.name not in hidden and object_.function is None
            is_seen = is_seen or object_.name in self._addressed
            yield StartPlace(name, object_.type, name, object_.span, name, is_global=True, is_seen_outside=is_seen)
        if unnamed:
            self.assumed[f"objects have their first values that the file does not name: {', '.join(unnamed)}"] = None

    @cached_property
    def _read(self) -> set[str]:
        return {node.object.name for node in self.uses.reached if isinstance(node, tree.Variable)}

    @cached_property
    def _addressed(self) -> set[str]:
        """The names of the objects whose addresses the program takes."""
        taken = (node for node in unit_nodes(self.unit) if isinstance(node, tree.AddressOf | tree.Decay))
        roots = (root(node.lvalue) for node in taken)
        return {one.object.name for one in roots if isinstance(one, tree.Variable)}

    # Values

    def _values_of_all(self, objects: Sequence[StartPlace], places: Sequence[StartPlace]) -> list[str]:
        """Statements that give any values to objects and parameters."""
        self.inputs, self.nodes, self.sites, self.leading, self.locals = {}, 0, 0, [], {}
        group = StartGroup()
        for one in (*objects, *places):
            self.fill(one, group)
        return [*group.before, *self._entered_objects(objects), *self.block(), *self._pointers(group)]

    def values(self, places: Sequence[StartPlace]) -> Iterator[str]:
        group = StartGroup()
        for one in places:
            self.fill(one, group)
        yield from group.before
        yield from self._pointers(group)

    def _pointers(self, group: StartGroup) -> Iterator[str]:
        for one in group.pointers:
            yield from self.make(one)
        yield from self.lists(group)
        for one in group.pointers:
            yield from self.move(one)

    def _entered_objects(self, objects: Sequence[StartPlace]) -> Iterator[str]:
        """The choices that pointers lead into objects of the file scope."""
        for one in objects:
            maker = StartPlace(one.text, one.type, f"&{one.name}", one.span, f"&{one.name}", is_global=True)
            if not one.is_seen_outside:
                continue
            if isinstance(one.type, Array):
                yield from self.entered(one.type.element, one.text, str(one.type.length), maker)
            else:
                yield from self.entered(one.type, f"(&{one.text})", "1", maker)

    def fill(self, place: StartPlace, group: StartGroup) -> None:
        match place.type:
            case Integer() | Float() if not place.inside and (place.is_global or not place.in_loop):
                group.before.append(f"{place.text} = {self.any_value(place)};")
            case Integer() | Float():
                pass
            case Pointer():
                target = self.target_of(place)
                if isinstance(target, Record) and links(target):
                    self.head(place, target, group)
                else:
                    self.point(place, target, group)
            case Record() as record:
                self._fill_record(place, record, group)
            case Array(element, int()) if not place.is_global and not has_pointers(element):
                pass
            case Array(_, int()):
                group.pointers.append(place)
            case _:
                raise self.refused(place, f"is of type {place.type}")

    def _fill_record(self, place: StartPlace, record: Record, group: StartGroup) -> None:
        if record in place.inside:
            raise self.refused(place, f"leads to {record} by way of other records")
        if not record.is_complete or (record.kind is RecordKind.UNION and has_pointers(record)):
            raise self.refused(place, f"is of type {place.type}")
        if place.is_global:
            declared = self.spelled(record, "interplay_any", place.span)
            group.before.append(f"{{ {declared}; {place.text} = interplay_any; }}")
        for one in record.layout.fields:
            if has_pointers(one.type):
                self.fill(self.member(place, record, one), group)
