"""The `main` that starts a function on every argument and every heap that its `requires` admits, as C text.

Numbers are arbitrary. A pointer to a record that leads to its own kind by one field (a list) gets every acyclic list:
all lists grow at their heads, node by node, and a pointer may become equal to another of its kind, so lists may share
their ends. Any other pointer is null, leads to a new object with arbitrary contents and any number of elements, or to
an object of the file scope whose address callers may have, or is equal to an earlier pointer of its type. Objects of
the file scope have arbitrary values like parameters.

Every such heap is made: let all nodes be made whose successors are; a pointer that is to lead through a node then leads
to its successor, so one of these pointers takes the node, and the others become equal to it.

Limitations, by weight, named as assumptions: pointers lead to the beginning of objects; of several fields by which a
record leads to its own kind, one makes lists, and the others are null or lead to neighbours; objects of other pointers
within records are not shared; static objects within functions have their first values. Refused: pointers to functions,
unions with pointers, records that lead to each other in a circle, types without a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property

from core.dataclass import dataclass
from frontend.acsl.parser import parse_annotation
from frontend.acsl.syntax import ClauseKind, Infix, LeadsTo, Name, Null
from frontend.options import STARTED, STARTER, EntryPoint
from frontend.source import ParseError, Span, Unsupported, point
from frontend.typed import tree
from frontend.typed.ctype import (
    Array,
    CType,
    Field,
    Float,
    Integer,
    Pointer,
    Record,
    RecordKind,
    Signature,
    Void,
    spell,
)
from frontend.typed.lvalues import root
from frontend.typed.traversal import nodes, unit_nodes
from frontend.typed.tree import Storage

COUNT = "interplay_count_"
"""What the names of parameters of `STARTER` begin with that count the elements behind other ones."""
_NODE = "interplay_node"
_ENOUGH = 256
"""Elements that an object has at least where accesses are assumed to be within bounds: larger objects admit more."""
_UNNAMED = "unnamed"
"""The tag of the first record without one."""
_LIST = re.compile(r"\\list\s*\(\s*(\w+)\s*,")


@dataclass(frozen=True, slots=True)
class StartText:
    """The start of a function, a variant that calls `STARTED` in its place, and what both assume."""

    start: EntryPoint
    question: EntryPoint
    file: str
    """The file of the function."""
    assumptions: tuple[str, ...]


def start_of(unit: tree.TranslationUnit, name: str, are_sizes_seen: bool) -> StartText:
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
    writer = _Writer(unit, function, own.names, are_sizes_seen)
    texts = writer.text(function.name.partition("#")[0]), writer.text(STARTED)
    file = f"<start of {name}>"
    return StartText(
        EntryPoint(file, texts[0], name), EntryPoint(file, texts[1], name), own.file, tuple(writer.assumptions())
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """An object that is to get a value: its text in C, the name of its input, the parameter or object it belongs to."""

    text: str
    type: CType
    name: str
    span: Span
    owner: str
    inside: tuple[Record, ...] = ()
    """The records that it is a member of, or that lead to it; what is in memory is arbitrary already."""
    is_global: bool = False
    is_seen_outside: bool = False
    """Whether callers may have its address."""


@dataclass(slots=True)
class _Group:
    """Statements that give values to places that belong together: those before lists grow, the lists, those behind."""

    before: list[str] = field(default_factory=list)
    cursors: dict[Record, list[_Place]] = field(default_factory=dict)
    after: list[str] = field(default_factory=list)
    pointers: list[_Place] = field(default_factory=list)
    """Those to objects that are no lists."""


@dataclass
class _Writer:
    """Writes the start of one function."""

    unit: tree.TranslationUnit
    function: tree.FunctionDeclaration
    visible: frozenset[str]
    """What is defined in the file of the function."""
    are_sizes_seen: bool
    _inputs: dict[str, str] = field(default_factory=dict)
    """The functions that give values, with their types."""
    _declared: dict[str, None] = field(default_factory=dict)
    _made: dict[str, None] = field(default_factory=dict)
    """What is assumed of the values."""
    _nodes: int = 0
    _objects: list[_Place] = field(default_factory=list)
    """Those of the file scope that get values."""

    # The whole

    def text(self, called: str) -> str:
        """The text that ends in a call of `called`, by way of `STARTER`."""
        self._inputs, self._declared, self._nodes = {}, {}, 0
        places = list(self._parameters())
        self._objects = list(self._globals())
        counted = [one for one in places if self._is_counted(one.type)]
        body = [f"{self._spelled(one.type, one.text, one.span)};" for one in places]
        body += self._values([*self._objects, *places])
        given = [*(one.text for one in places), *(f"{COUNT}{one.name}" for one in counted)]
        own = [self._spelled(one.type, one.name, one.span) for one in places]
        own += [f"{self._size} {COUNT}{one.name}" for one in counted]
        passed = "" if called == STARTED else ", ".join(one.name for one in places)
        starter = f"static void {STARTER}({', '.join(own) or 'void'}) {{ {called}({passed}); }}"
        inputs = [f"extern {type_} {name}(void);" for name, type_ in self._inputs.items()]
        head = [f"extern void {STARTED}(void);", *self._declared, *inputs, starter, "int main(void)", "{"]
        body += [f"{STARTER}({', '.join(given)});", "return 0;"]
        return "\n".join([*head, *(f"    {line}" for line in body), "}", ""])

    def assumptions(self) -> Iterator[str]:
        """The assumptions of the text."""
        name = self.function.name.partition("#")[0]
        yield from (f"at the start of {name}, {one}" for one in self._made)

    def _parameters(self) -> Iterator[_Place]:
        taken = {one.object.source_name for one in self.unit.globals} | self.unit.functions.keys()
        for number, one in enumerate(self.function.parameters, 1):
            name = one.source_name if one.source_name.isidentifier() else f"argument{number}"
            yield _Place(f"{name}_" if name in taken else name, one.type, name, one.span, name)

    def _globals(self) -> Iterator[_Place]:
        """The objects that the function may read, but constants; those that only others know are assumed."""
        unnamed: list[str] = []
        read = self._read_by_function()
        hidden = frozenset[str]().union(*(one.hidden for one in self.unit.files))
        for one in self.unit.globals:
            object_ = one.object
            is_own = object_.name in self.visible and object_.function is None
            if object_.name not in read or object_.name in self.unit.constant:
                continue
            if not is_own and (object_.storage is not Storage.EXTERNAL or object_.function is not None):
                unnamed.append(object_.source_name)
                continue
            if not is_own:
                declared = self._spelled(object_.type, object_.source_name, object_.span)
                self._declared[f"extern {declared};"] = None
            name = object_.source_name
            is_seen = object_.name not in hidden or object_.name in self._addressed
            yield _Place(name, object_.type, name, object_.span, name, is_global=True, is_seen_outside=is_seen)
        if unnamed:
            self._made[f"objects have their first values that the file does not name: {', '.join(unnamed)}"] = None

    def _read_by_function(self) -> set[str]:
        """The names of the objects in functions that may be called, and in initialisers of such objects."""
        declared = {one.object.name: one for one in self.unit.globals}
        found, seen = set[str](), {self.function.name}
        pending: list[tree.Node | None] = [self.function.body]
        while pending:
            part = pending.pop()
            for node in nodes(*(() if part is None else (part,))):
                if isinstance(node, tree.Variable) and node.object.name not in found:
                    found.add(node.object.name)
                    pending.append(declared.get(node.object.name))
                elif isinstance(node, tree.FunctionAddress) and node.function not in seen:
                    seen.add(node.function)
                    pending.append(self.unit.functions[node.function].body)
        return found

    @cached_property
    def _addressed(self) -> set[str]:
        """The names of the objects whose addresses the program takes."""
        taken = (node for node in unit_nodes(self.unit) if isinstance(node, tree.AddressOf | tree.Decay))
        roots = (root(node.lvalue) for node in taken)
        return {one.object.name for one in roots if isinstance(one, tree.Variable)}

    # Values

    def _values(self, places: Sequence[_Place]) -> Iterator[str]:
        """Statements that give places any values."""
        group = _Group()
        for one in places:
            self._fill(one, group)
        yield from group.before
        for record, cursors in group.cursors.items():
            yield from self._grow(record, cursors)
        yield from reversed(group.after)

    def _fill(self, place: _Place, group: _Group) -> None:
        match place.type:
            case Integer() | Float() if not place.inside:
                group.before.append(f"{place.text} = {self._any(place)};")
            case Integer() | Float():
                pass
            case Pointer(Record() as record) if self._links(record):
                group.before.append(f"{place.text} = 0;")
                group.cursors.setdefault(record, []).append(place)
            case Pointer(target) if _has_pointers(target):
                self._point_to_pointers(place, target, group)
            case Pointer(target):
                self._point(place, target, group)
            case Record() as record:
                self._fill_record(place, record, group)
            case Array(element, int()) if not place.is_global and not _has_pointers(element):
                pass
            case Array(Integer() | Float() as element, int() as length):
                index = f"interplay_{place.name}"
                value = self._any(replace(place, type=element))
                group.before.append(f"for (int {index} = 0; {index} < {length}; {index}++)")
                group.before.append(f"    {place.text}[{index}] = {value};")
            case _:
                raise self._refused(place, f"is of type {place.type}")

    def _fill_record(self, place: _Place, record: Record, group: _Group) -> None:
        if record in place.inside:
            raise self._refused(place, f"leads to {record} by way of other records")
        if not record.is_complete or (record.kind is RecordKind.UNION and _has_pointers(record)):
            raise self._refused(place, f"is of type {place.type}")
        if place.is_global:
            declared = self._spelled(record, "interplay_any", place.span)
            group.before.append(f"{{ {declared}; {place.text} = interplay_any; }}")
        for one in record.layout.fields:
            if _has_pointers(one.type):
                self._fill(self._member(place, record, one), group)

    def _member(self, place: _Place, record: Record, one: Field) -> _Place:
        if one.name.startswith("#"):
            raise self._refused(place, f"has a member in {record} that has no name")
        text, name = f"{place.text}.{one.name}", f"{place.name}_{one.name}"
        return replace(place, text=text, type=one.type, name=name, inside=(*place.inside, record), is_global=False)

    def _point(self, place: _Place, target: CType, group: _Group) -> None:
        """A null pointer, one to new objects with arbitrary contents, or an earlier one of the same type."""
        if isinstance(target, Signature):
            raise self._refused(place, "is a pointer to a function")
        size = "1" if isinstance(target, Void) else f"sizeof({self._spelled(target, '', place.span)})"
        count, most = COUNT + place.name, self.unit.data_model.difference_type.maximum
        least = "" if self.are_sizes_seen else f" || {count} < {_ENOUGH}"
        group.before += [
            f"{self._size} {count} = 0;",
            f"{place.text} = 0;",
            f"if ({self._choice()}) {{",
            f"    {count} = {self._input(self._size, f'{place.name}_count')};",
            f"    if ({count} > {most} / {size}{least}) return 0;",
            f"    {place.text} = __builtin_malloc({count} * {size});",
            "}",
            *self._shared(place, group),
        ]

    def _point_to_pointers(self, place: _Place, target: CType, group: _Group) -> None:
        """A null pointer, one to a new object whose pointers have values, or an earlier one of the same type."""
        text, name = f"interplay_to_{place.name}", f"{place.name}_to"
        behind = replace(place, text=text, type=target, name=name, is_global=False)
        group.before.append(f"{self._spelled(target, behind.text, place.span)};")
        self._fill(behind, group)
        count, size = COUNT + place.name, f"sizeof({self._spelled(target, '', place.span)})"
        made = f"{place.text} = __builtin_malloc({size}); *{place.text} = {behind.text}; {count} = 1;"
        lines = [
            f"{self._size} {count} = 0;",
            f"{place.text} = 0;",
            f"if ({self._choice()}) {{ {made} }}",
            *self._shared(place, group),
        ]
        group.after.append("\n    ".join(lines))

    def _shared(self, place: _Place, group: _Group) -> Iterator[str]:
        """The choice that a pointer is equal to an earlier one."""
        self._made["pointers are null or lead to the beginning of objects, those of another type to other ones"] = None
        if place.inside:
            self._made["pointers in records lead to objects of their own"] = None
            return
        choices = [(one.text, f"{COUNT}{one.name}") for one in group.pointers if one.type == place.type]
        for text, count in (*choices, *self._objects_for(place)):
            yield f"else if ({self._choice()}) {{ {place.text} = {text}; {COUNT}{place.name} = {count}; }}"
        group.pointers.append(place)

    def _objects_for(self, place: _Place) -> Iterator[tuple[str, str]]:
        """The addresses and sizes of the objects of the file scope that a pointer may lead to."""
        for one in self._objects:
            if one.is_seen_outside and place.type == Pointer(one.type):
                yield f"&{one.text}", "1"
            elif one.is_seen_outside and isinstance(one.type, Array) and place.type == Pointer(one.type.element):
                yield one.text, str(one.type.length)

    # Lists

    def _links(self, record: Record) -> tuple[Field, ...]:
        """The fields by which a record leads to its own kind."""
        fields = record.layout.fields if record.is_complete else ()
        return tuple(one for one in fields if one.type == Pointer(record))

    def _grow(self, record: Record, cursors: Sequence[_Place]) -> Iterator[str]:
        """A loop that puts new records before lists, or makes pointers equal."""
        link = self._list_field(record, cursors[0])
        others = [one for one in self._links(record) if one is not link]
        if not all((link.name, one.name) in self._required for one in cursors):
            self._made[f"records of {record} form acyclic lists by {link.name}"] = None
        if others:
            names = ", ".join(one.name for one in others)
            self._made[f"{names} of {record} lead to null, the record itself or its neighbours"] = None
        if any(one.is_seen_outside and one.type == record for one in self._objects):
            self._made[f"no list of {record} leads to an object of the file scope"] = None
        yield f"while ({self._choice()}) {{"
        steps = [list(self._put(record, one, link, others)) for one in cursors]
        steps += [[f"{a.text} = {b.text};"] for a in cursors for b in cursors if a is not b]
        if len(steps) > 1:
            yield f"    int interplay_step = {self._choice()};"
        for number, step in enumerate(steps):
            if len(steps) > 1:
                is_last = number == len(steps) - 1
                condition = "" if is_last else f"if (interplay_step == {number}) "
                yield f"    {'else ' if number else ''}{condition}{{"
            yield from (f"        {line}" for line in step)
            if len(steps) > 1:
                yield "    }"
        yield "}"

    @cached_property
    def _required(self) -> set[tuple[str, str]]:
        """The fields and parameters of the function of which its contract says, whatever else holds, `\\list`."""
        before = [one for one in self.unit.annotations if one.span.file == self.function.span.file]
        contract = [one for one in before if one.span.line <= self.function.span.line][-1:]
        clauses = [clause for one in contract for clause in parse_annotation(one)]
        formulas = [one.formula for one in clauses if one.kind is ClauseKind.REQUIRES]
        found: set[tuple[str, str]] = set()
        while formulas:
            match formulas.pop():
                case Infix(operator="&&", left=left, right=right):
                    formulas += [left, right]
                case LeadsTo(field=field_, start=Name(name=name), end=Null()):
                    found.add((field_, name))
                case _:
                    pass  # it may hold where a list has no end
        return found

    def _put(self, record: Record, cursor: _Place, link: Field, others: Sequence[Field]) -> Iterator[str]:
        """Put a new record before a list."""
        type_ = self._spelled(record, "", cursor.span)
        self._nodes += 1
        new = f"{_NODE}{self._nodes}"
        yield f"{type_} *{new} = __builtin_malloc(sizeof({type_}));"
        node = replace(cursor, text=f"(*{new})", type=record, inside=(), is_global=False)
        inner = [one for one in record.layout.fields if _has_pointers(one.type) and one not in (link, *others)]
        yield from self._values([self._member(node, record, one) for one in inner])
        yield f"{new}->{link.name} = {cursor.text};"
        for one in others:
            back = f"{new}->{one.name}"
            yield f"{back} = 0;"
            yield f"if ({self._choice()}) {back} = {new}; else if ({self._choice()}) {back} = {cursor.text};"
            yield f"if ({cursor.text} && {self._choice()}) {cursor.text}->{one.name} = {new};"
        yield f"{cursor.text} = {new};"

    def _list_field(self, record: Record, cursor: _Place) -> Field:
        """The field that makes lists: the only one, or the first that annotations say so of."""
        links = self._links(record)
        named = [match[1] for one in self.unit.annotations for match in _LIST.finditer(one.text)]
        found = links if len(links) == 1 else [one for name in named for one in links if one.name == name]
        if not found:
            names = " and ".join(one.name for one in links)
            raise self._refused(cursor, f"leads to {record} by {names}; \\list(FIELD, …) in `requires` says which")
        return found[0]

    # Text

    @property
    def _size(self) -> str:
        return self.unit.data_model.size_type.kind.value

    def _is_counted(self, type_: CType) -> bool:
        """Whether a pointer leads to objects that are no lists."""
        return isinstance(type_, Pointer) and not (isinstance(type_.target, Record) and self._links(type_.target))

    def _any(self, place: _Place) -> str:
        return self._input(self._spelled(place.type, "", place.span), place.name)

    def _choice(self) -> str:
        return self._input("int", "choice")

    def _input(self, type_: str, name: str) -> str:
        """A call of a function that gives any value of a type."""
        full = f"__VERIFIER_nondet_{name}"
        while self._inputs.setdefault(full, type_) != type_:
            full += "_"
        return f"{full}()"

    def _spelled(self, type_: CType, name: str, span: Span) -> str:
        """The declaration of a name with a type, which the file must name."""
        if any(not one.is_complete for one in _records(type_)):
            raise Unsupported(span, f"no start is made of {self.function.name}: {type_} is incomplete")
        if any("#" in one.tag or one.tag == _UNNAMED for one in _records(type_)):
            raise Unsupported(span, f"no start is made of {self.function.name}: give the type of {name} a tag")
        return spell(_without_tags_of_enumerations(type_), name)

    def _refused(self, place: _Place, why: str) -> Unsupported:
        return Unsupported(place.span, f"no start is made of {self.function.name}: {place.owner} {why}")


def _has_pointers(type_: CType) -> bool:
    match type_:
        case Pointer():
            return True
        case Array(element, _):
            return _has_pointers(element)
        case Record():
            return type_.is_complete and any(_has_pointers(one.type) for one in type_.layout.fields)
        case _:
            return False


def _records(type_: CType) -> Iterator[Record]:
    """The records that a declaration with the type names."""
    while isinstance(type_, Pointer | Array):
        type_ = type_.target if isinstance(type_, Pointer) else type_.element
    if isinstance(type_, Record):
        yield type_


def _without_tags_of_enumerations(type_: CType) -> CType:
    match type_:
        case Integer():
            return replace(type_, enum="")
        case Pointer(target):
            return Pointer(_without_tags_of_enumerations(target))
        case Array(element, length):
            return Array(_without_tags_of_enumerations(element), length)
        case _:
            return type_
