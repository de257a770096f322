"""Names and C expressions for the variables of a program at a place, and back.

What a name means: within a function its own object in scope, else the global one, else the only one of that name. Where
that is another object, or none, more is written: `::x` for the global one, `f::x` for that of a function, `f#1::x` for
that of an activation of it above the first, and `x@12` for the object that is declared on line 12. Law: the text for a
variable is one that means this variable, so two variables never have the same text. What the table of the source does
not have is written `\\symbol(name)`, an input `\\input(name)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from core.dataclass import dataclass
from core.pattern import pattern
from core.program.automaton import Call, Place, Program
from core.program.expansion import frame_name
from core.program.float_values import float_text, float_type
from core.program.source import (
    IndexStep,
    MemberStep,
    PointerTarget,
    SourceObject,
    SourcePart,
    SourceStep,
    SourceTable,
)
from core.program.source_index import SourceIndex
from core.program.span import Span
from core.terms import Term
from core.terms.notation import Access, Pieces
from core.terms.wraparound import Sum, plain_sum

SYMBOL = "\\symbol("
"""Prefix of the name of a symbol that the source has no expression for; a parenthesis follows the name."""
INPUT = "\\input("
"""The same for an input."""
ENTRY = "@entry"
"""The end of the names of copies that `core.program.modular` makes of variables when a function is entered."""
REACHES, PATH, AROUND, LENGTH = "\\reaches_", "\\path_", "\\around_", "\\length_"
"""How ghost variables of proofs about lists are called, before the name of the field that links the nodes.

The second and the third are about lists that may have cycles: what pointers lead to that are not cut, and the others.
"""
_RELATIONS = {REACHES: "\\reach", PATH: "\\path", AROUND: "\\around"}
NULL = "null"
"""The null pointer."""
WORDS = frozenset({"true", "false", NULL})
"""Names of truth values and of the null pointer, as a formula has them."""
_NAME = pattern(
    r"(?:(?P<function>[\w$<>.]*)(?:\#(?P<frame>\d+))?::)?"
    r"(?P<name>\\?[A-Za-z_$][\w$]*)(?:@(?P<line>\d+)(?::(?P<column>\d+))?)?"
)
_INTERNAL = pattern(r"\\(?!(?:forall|exists|old|result|reach|path|around|length|true|false|null)\b)")
_DEEPEST = 8  # activations of a function whose locals have names, beside those that are active
_FARTHEST = 1 << 12  # bytes between an address and the object that it is written with


@dataclass(frozen=True, slots=True)
class ObjectInFrame:
    """An object of the source in one activation of its function; 0 is the first, and that of all other objects."""

    object: SourceObject
    frame: int


def is_internal(text: str) -> bool:
    """Whether a text has a name that no source has, as `\\symbol(memory.sizes)`."""
    return _INTERNAL.search(text) is not None


class Naming:
    """The names of a program at a place; None: nowhere in particular, so that locals are those of all functions."""

    def __init__(
        self,
        program: Program,
        place: Place | None = None,
        behind: Span | None = None,
        index: SourceIndex | None = None,
    ) -> None:
        self.program = program
        self._index = index or SourceIndex(program)
        known = place is not None and 0 <= place[1] < len(program.locations)
        location = program.locations[place[1]] if known and place is not None else None
        self._function = None if location is None else location.function
        self._span = None if location is None else behind or location.span
        self._frames: Mapping[str, int] = _frames(
            program, place[0] if known and place is not None else (), self._function
        )
        self._texts: dict[tuple[int, int], str | None] = {}
        self._accesses: dict[Term, Access | None] = {}

    def at(self, place: Place | None, behind: Span | None = None) -> Naming:
        """The names at another place; with `behind` as they can be used there, which is in the same function."""
        return Naming(self.program, place, behind, self._index)

    @property
    def source(self) -> SourceTable:
        return self._index.source

    @property
    def typed(self) -> Mapping[str, PointerTarget]:
        """The targets of pointers by their types."""
        return self._index.typed

    @property
    def moving(self) -> Mapping[Term, SourceObject]:
        """The objects whose address is a term over a variable, by this variable."""
        return self._index.moving

    @property
    def counter(self) -> Term | None:
        """The variable that says where the next object is allocated."""
        return self._index.counter

    @property
    def has_floats(self) -> bool:
        """Whether the program has floating-point numbers."""
        return self._index.has_floats

    @property
    def enumerators(self) -> Mapping[str, int]:
        """The values of enumerators by their names."""
        return self._index.enumerators

    # From variables to text

    def symbol(self, symbol: Term) -> str:
        """The text of a variable, or of an array as a whole."""
        known = self._part_of(symbol)
        if known is not None:
            activation, part = known
            path = "".join(f".{step.name}" for step in part.steps if isinstance(step, MemberStep) and step.name)
            if _is_whole(part.steps):
                name = self.spelled(activation)
                if name is not None:
                    return f"{name}{path}"
        copied = self._entered.get(symbol.name)
        if copied is not None:
            return f"\\old({self.symbol(copied)})"
        moving = self._index.moving.get(symbol)
        is_address = moving is not None and moving.address is symbol
        name = self.spelled(ObjectInFrame(moving, 0)) if is_address and moving is not None else None
        if name is not None:
            return f"&{name}"
        is_ghost = symbol.name.startswith("\\") and symbol.name not in self._index.by_name
        if is_ghost:
            return symbol.name
        return f"{INPUT if symbol in self.program.inputs else SYMBOL}{symbol.name})"

    def is_free(self, name: str) -> bool:
        """Whether a name means nothing in the program, so that a quantifier can bind a variable of this name."""
        return name not in self._index.by_name and name not in self.enumerators and name not in WORDS

    def element(self, select: Term) -> Access | None:
        """The source expression for an element of an array: a part of an object, or what a pointer points to."""
        if select not in self._accesses:
            self._accesses[select] = self._element(select)
        return self._accesses[select]

    def owner(self, select: Term) -> tuple[SourceObject, str] | None:
        """The object that an element of memory at a constant address lies in, and the path to it: `r`, `.buf[2]`."""
        array, index = select.args
        for one, part in self._index.in_memory.get(array, ()) if index.is_constant else ():
            assert one.address is not None
            distance = _difference(index, one.address)
            path = None if distance is None else _path(distance, part.steps)
            if distance is not None and path is not None and not _beyond(distance.constant, part.steps):
                return one, "".join(map(_plain, path))
        return None

    def value(self, of: Term, value: int) -> str | None:
        """The enumerator for a value of a term, or the text of a pointer; None where the number says it best."""
        type_ = self.float_type(of)
        if type_ is not None:
            return float_text(type_, value)
        part = self._part(of)
        name = None if part is None else dict(part.values).get(value)
        if name is not None and self.enumerators.get(name) == value and self.find(name) is None:
            return name
        if not self.is_pointer(of):
            return None
        return self._at_address(value) if value else (None if self.find(NULL) else NULL)

    def float_type(self, of: Term) -> str | None:
        """The floating type of a variable, an input, or the elements of an array; None for another type."""
        if not self.has_floats:
            return None
        symbol = of.args[0] if of.is_select else of
        original = self._original(symbol) or self._entered.get(symbol.name) if symbol.is_symbol else None
        if original is not None:
            return float_type(self.program.variables[original].c_type.scalar)
        return self._index.input_types.get(symbol)

    def is_pointer(self, term: Term) -> bool:
        """Whether the values of a variable, of the elements of an array, or of one element, are pointers."""
        symbol = term.args[0] if term.is_select else term
        original = self._original(symbol) if symbol.is_symbol else None
        known = None if original is None else self.program.variables.get(original)
        is_place = original is self.counter or original in self.moving
        return known is not None and known.c_type.has_pointers and not is_place

    def spelled(self, activation: ObjectInFrame) -> str | None:
        """The shortest name that means an object; None where no name does."""
        key = (id(activation.object), activation.frame)
        if key not in self._texts:
            found = (text for text in _spellings(activation) if self.find(text) == activation)
            self._texts[key] = next(found, None)
        return self._texts[key]

    # From text to variables

    def find(self, text: str) -> ObjectInFrame | None:
        """The object that a name means; None where it means none, or several."""
        match = _NAME.fullmatch(text)
        if match is None:
            return None
        candidates: Sequence[SourceObject] = self._index.by_name.get(match["name"], ())
        if match["line"] is not None:
            candidates = [one for one in candidates if _is_declared(one, int(match["line"]), match["column"])]
        else:
            candidates = [one for one in candidates if not one.hidden]
        if match["function"] is not None:
            candidates = [one for one in candidates if one.function == (match["function"] or None)]
        else:
            candidates = self._nearest(candidates)
        candidates = self._in_scope(candidates)
        if len(candidates) != 1:
            return None
        frame = self._frames.get(candidates[0].function or "", 0) if match["frame"] is None else int(match["frame"])
        return ObjectInFrame(candidates[0], frame)

    def names(self) -> tuple[str, ...]:
        """The names that mean something here without more, those of the function first."""
        own = [one for one in self.source.objects if one.function == self._function is not None]
        others = [one for one in self.source.objects if one.function is None]
        texts = (
            self.spelled(self._here(one))
            for one in (*own, *others)
            if one.parts and not (one.hidden or is_internal(one.name))
        )
        return tuple(dict.fromkeys(text for text in texts if text is not None))

    def target(self, pointer: Term) -> PointerTarget | None:
        """The target of a pointer; None for terms that are none, or point to what has no scalars here."""
        array = pointer.args[0] if pointer.is_select else pointer
        original = self._original(array) if array.is_symbol else None
        number = None if original is None else self.source.pointers.get(original)
        return None if number is None else self.source.targets[number]

    def in_frame(self, variable: Term, frame: int) -> Term:
        """The copy of a variable in an activation."""
        return self.program.arena.copy(variable, frame_name(variable, frame)) if frame else variable

    # Which object a name means

    def _here(self, one: SourceObject) -> ObjectInFrame:
        return ObjectInFrame(one, self._frames.get(one.function or "", 0))

    def _nearest(self, candidates: Sequence[SourceObject]) -> Sequence[SourceObject]:
        """The candidates of the function, else the global ones, else all."""
        own = [one for one in candidates if one.function is not None and one.function == self._function]
        return own or [one for one in candidates if one.function is None] or candidates

    def _in_scope(self, candidates: Sequence[SourceObject]) -> Sequence[SourceObject]:
        """Of several objects of the function the one of the innermost block around the place."""
        span = self._span
        if len(candidates) < 2 or span is None or any(one.function != self._function for one in candidates):
            return candidates
        seen = [one for one in candidates if _is_visible(one, span)]
        inner = max(seen, key=lambda one: _start(one.scope), default=None)
        return [] if inner is None or sum(one.scope == inner.scope for one in seen) > 1 else [inner]

    # Variables

    @cached_property
    def _entered(self) -> Mapping[str, Term]:
        """Variables, by the names of the copies that have their values on entry to a function."""
        return {f"{x.name}{ENTRY}": x for x in self.program.variables}

    @cached_property
    def _copies(self) -> Mapping[str, tuple[Term, int]]:
        """Locals in activations above the first, by the names of their copies."""
        frames = range(1, max(_DEEPEST, *self._frames.values()) + 1)
        return {frame_name(x, frame): (x, frame) for x in self.program.locals() for frame in frames}

    def _part_of(self, symbol: Term) -> tuple[ObjectInFrame, SourcePart] | None:
        """The object, in an activation, that a variable outside of memory is a part of."""
        variable, frame = symbol, 0
        if symbol not in self.program.variables:
            variable, frame = self._copies.get(symbol.name, (symbol, 0))
        found = self._index.variables.get(variable)
        return None if found is None else (ObjectInFrame(found[0], frame), found[1])

    def _original(self, symbol: Term) -> Term | None:
        """The variable of the program that a symbol is, or is a copy of."""
        known = self._part_of(symbol)
        if known is not None:
            return known[1].variable
        return symbol if symbol in self.program.variables else None

    def _part(self, term: Term) -> SourcePart | None:
        """The part of an object that a scalar or an element is."""
        if term.is_select:
            found = self.element(term)
            return None if found is None or not isinstance(found.part, SourcePart) else found.part
        known = self._part_of(term) if term.is_symbol else None
        return None if known is None else known[1]

    # Elements

    def _element(self, select: Term) -> Access | None:
        array, index = select.args
        if array.is_select and array.args[0].is_symbol:
            for prefix, relation in _RELATIONS.items():
                if array.args[0].name.startswith(prefix):
                    field = array.args[0].name.removeprefix(prefix)
                    return Access((f"{relation}({field}, ", plain_sum(array.args[1]), ", ", plain_sum(index), ")"))
        if array.is_symbol and array.name.startswith(LENGTH):
            return Access((f"\\length({array.name.removeprefix(LENGTH)}, ", plain_sum(index), ")"))
        if not array.is_symbol:
            return None
        known = self._part_of(array)
        if known is not None:
            activation, part = known
            name, path = self.spelled(activation), _path(plain_sum(index), part.steps)
            if name is not None and path is not None:
                return Access((name, *path), part=part)
        for found in (self._through_pointers, self._of_objects, self._by_type):
            access = next(found(array, index), None)
            if access is not None:
                return access
        return Access((f"{self.symbol(array)}[", plain_sum(index), "]"))

    def _through_pointers(self, array: Term, index: Term) -> Iterator[Access]:
        """An address that is a pointer and a distance: `p->x`, `p[i].x`, `*p`."""
        address = plain_sum(index)
        for number, (factor, pointer) in enumerate(address.parts):
            target = self.target(pointer) if factor == 1 and isinstance(pointer, Term) else None
            if target is None or not isinstance(pointer, Term):
                continue
            rest = Sum((*address.parts[:number], *address.parts[number + 1 :]), address.constant)
            for part in target.parts:
                path = _path(rest, (IndexStep(target.size, None), *part.steps)) if part.variable is array else None
                if path is not None:
                    yield _dereference(pointer, path, part)

    def _of_objects(self, array: Term, index: Term) -> Iterator[Access]:
        """An address that is that of an object and a distance: the object around it first, then the nearest one."""
        accesses: list[tuple[int, int, Access]] = []
        for position, (one, part) in enumerate(self._index.in_memory.get(array, ())):
            assert one.address is not None
            distance = _difference(index, one.address)
            path = None if distance is None else _path(distance, part.steps)
            name = None if path is None else self.spelled(self._here(one))
            if distance is None or path is None or name is None:
                continue
            beyond = _beyond(distance.constant, part.steps)
            if beyond <= _FARTHEST:
                accesses.append((beyond, position, Access((name, *path), part=part)))
        yield from (access for _, _, access in sorted(accesses, key=lambda one: one[:2]))

    def _by_type(self, array: Term, index: Term) -> Iterator[Access]:
        """A member at any other address: `((struct node *)(address))->next`."""
        for target in self.source.targets:
            for part in target.parts:
                path = [step for step in part.steps if isinstance(step, MemberStep)]
                if part.variable is array and self.typed.get(target.type) is target and path == list(part.steps) != []:
                    address = plain_sum(index)
                    base = Sum(address.parts, address.constant - sum(step.offset for step in path))
                    names = [step.name for step in path if step.name]
                    yield Access((f"(({target.type} *)", *_operand(base), f")->{'.'.join(names)}"), part=part)

    def _at_address(self, address: int) -> str | None:
        """`&x.y` for the part of an object at an address."""
        for one in self.source.objects:
            if one.address is None or not one.address.is_constant:
                continue
            text = self.pointer_into(self._here(one), address - one.address.value)
            if text is not None:
                return text
        return None

    def pointer_into(self, activation: ObjectInFrame, distance: int) -> str | None:
        """`&x.y` for a place in an object, or right behind its elements; None where that is no scalar of it."""
        name, one = self.spelled(activation), activation.object
        if name is None or not distance:
            return None if name is None else f"&{name}"
        for part in one.parts:
            path = _path(Sum((), distance), part.steps)
            if path is not None and _beyond(distance, part.steps) <= 1:
                return f"&{name}{''.join(_plain(piece) for piece in path)}"
        return None


def _frames(program: Program, stack: Sequence[int], function: str | None) -> Mapping[str, int]:
    """The number of the last activation of each function that is active."""
    active: list[str] = [program.start]
    for number in stack:
        operation = program.edges[number].operation if 0 <= number < len(program.edges) else None
        active.append(operation.function if isinstance(operation, Call) else "")
    if not stack and function is not None:
        active = [function]
    return {name: active.count(name) - 1 for name in active if name in program.functions}


def _spellings(activation: ObjectInFrame) -> Iterator[str]:
    one, frame = activation.object, activation.frame
    prefixes = ["", f"{one.function or ''}::", *([f"{one.function}#{frame}::"] if one.function else [])]
    suffixes = [""]
    if one.span is not None:
        suffixes += [f"@{one.span.line}", f"@{one.span.line}:{one.span.column}"]
    yield from (f"{prefix}{one.name}{suffix}" for suffix in suffixes for prefix in prefixes)


def _is_declared(one: SourceObject, line: int, column: str | None) -> bool:
    span = one.span
    return span is not None and span.line == line and (column is None or span.column == int(column))


def _start(span: Span | None) -> tuple[int, int]:
    return (0, 0) if span is None else (span.line, span.column)


def _is_visible(source_object: SourceObject, at: Span) -> bool:
    """Whether the name can be used at a place. The head of a loop stands before what the loop declares."""
    here, scope = _start(at), source_object.scope
    if scope is None:
        return True
    inside = scope.file == at.file and _start(scope) <= here < (scope.end_line, scope.end_column)
    return inside and (here == _start(scope) or _start(source_object.span) <= here)


def _is_whole(steps: Sequence[SourceStep]) -> bool:
    """Whether no index stands before a member, so that the path without indices means all of an array."""
    seen = False
    for step in steps:
        if isinstance(step, IndexStep):
            seen = True
        elif seen:
            return False
    return True


def _path(distance: Sum, steps: Sequence[SourceStep]) -> Pieces | None:
    """Members and indices that lead over a distance; None where no indices do.

    Each index takes as many strides as there are. Of a constant it leaves a small positive rest, or, where another
    index has variables, the nearest one.
    """
    left = [(factor, part) for factor, part in distance.parts if isinstance(part, Term)]
    constant = distance.constant - sum(step.offset for step in steps if isinstance(step, MemberStep))
    indices = sum(isinstance(step, IndexStep) for step in steps)
    pieces: list[str | Term | Sum] = []
    for step in steps:
        if isinstance(step, MemberStep):
            pieces += [f".{step.name}"] if step.name else []
            continue
        indices -= 1
        shares = [(_share(factor, step.stride, indices), part) for factor, part in left]
        left = [(factor - share * step.stride, part) for (factor, part), (share, _) in zip(left, shares, strict=True)]
        left = [(factor, part) for factor, part in left if factor]
        times = (constant + (step.stride // 2 if left else 0)) // step.stride
        constant -= times * step.stride
        pieces += ["[", Sum(tuple((share, part) for share, part in shares if share), times), "]"]
    return tuple(pieces) if not left and not constant else None


def _share(factor: int, stride: int, indices: int) -> int:
    """The number of strides of a multiple that one index takes; the rest is for others behind it, if there are any."""
    if factor % stride and not indices:
        return 0
    return factor // stride if factor >= 0 else -(-factor // stride)


def _beyond(distance: int, steps: Sequence[SourceStep]) -> int:
    """The distance of a constant offset from the inside of a part."""
    first = sum(step.offset for step in steps if isinstance(step, MemberStep))
    index = next((step for step in steps if isinstance(step, IndexStep)), None)
    size = 1 if index is None else index.stride * (index.length or 1)
    return max(first - distance, distance - (first + size - 1), 0)


def _difference(index: Term, address: Term) -> Sum | None:
    """The distance of an index from an address whose variables it has, too."""
    whole, base = plain_sum(index), plain_sum(address)
    left = list(whole.parts)
    for one in base.parts:
        if one not in left:
            return None
        left.remove(one)
    return Sum(tuple(left), whole.constant - base.constant)


def _dereference(pointer: Term, path: Pieces, part: SourcePart) -> Access:
    """The access behind a pointer; the path begins with the index of one of several objects in a row."""
    _, first, _, *rest = path
    if first != Sum((), 0):
        return Access((pointer, *path), part=part)
    if not rest:
        return Access(("*", pointer), part=part, is_prefix=True)
    if isinstance(rest[0], str) and rest[0].startswith("."):
        return Access((pointer, f"->{rest[0].removeprefix('.')}", *rest[1:]), part=part)
    return Access(("(*", pointer, ")", *rest), part=part)


def _operand(value: Sum) -> Pieces:
    """A value as the operand of a conversion."""
    match value:
        case Sum(((1, Term() as alone),), 0):
            return (alone,)
        case _:
            return ("(", value, ")")


def _plain(piece: str | Term | Sum) -> str:
    return piece if isinstance(piece, str) else str(piece.constant) if isinstance(piece, Sum) else ""
