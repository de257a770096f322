"""Pointers of the start of a function: each is null, leads to a new object, or into one that is made for another.

Where an object is made, each other pointer whose type lets it (C11 6.5p7) may be made to lead into it: to an element or
a member of its type, or to any byte. At last each pointer moves to any element of the array that it leads to, or behind
it. So that pointers which a loop makes can lead into objects of other ones, a variable for each of them leads into
objects like any pointer, and they may become equal to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from core.program.own_steps import BEFORE, COUNT, PART
from frontend.elaboration.start_places import NONDET, StartGroup, StartPlace, StartWriter, has_pointers
from frontend.elaboration.start_uses import is_bytes
from frontend.options import START_MALLOC, Aliasing
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Integer, IntegerKind, Pointer, Record, Signature, Void

_ENOUGH = 256
"""Elements that an object has at least where accesses are assumed to be within bounds: larger objects admit more."""
_FEW = 4
"""The same where a loop gives values to them."""
_BLOCK = "&block"
"""The name of the object with parts of several types."""
_MADE_EARLIER = "pointers are null, lead to the beginning of objects, or are equal to earlier ones of their type"
_SEVERAL = "of objects that pointers in arrays and lists lead to, one at a time is shared"
_BYTES = "pointers to bytes do not lead to the bytes of pointers"
_TYPES = "pointers to types that C does not let share memory (C11 6.5p7) lead to different objects"


class PointerWriter(StartWriter, ABC):
    """Writes the values of pointers to objects that are no lists."""

    def __init__(
        self,
        unit: tree.TranslationUnit,
        function: tree.FunctionDeclaration,
        aliasing: Aliasing,
        are_sizes_seen: bool,
    ) -> None:
        super().__init__(unit, function, aliasing)
        self.are_sizes_seen = are_sizes_seen
        self.apart: frozenset[frozenset[str]] = frozenset()
        """The parameters of which no two lead into one object."""
        self.is_called = True
        """Whether the text calls the function."""
        self.locals: dict[str, None] = {}
        """The declarations of variables of the start."""
        self.sites = 0
        """How many places make objects."""
        self.leading: list[StartPlace] = []
        """The pointers that may be made to lead into objects, but those that loops make."""
        self.seen: dict[tuple[CType, str], StartPlace] = {}
        """The variables in place of those, by type and, where some are apart, by owner."""

    @abstractmethod
    def values(self, places: Sequence[StartPlace]) -> Iterator[str]: ...

    @abstractmethod
    def fill(self, place: StartPlace, group: StartGroup) -> None: ...

    # Which there are

    def led(self, place: StartPlace, group: StartGroup) -> None:
        """Note a pointer: it is null at first, and may be made to lead into objects."""
        group.before.append(f"{place.text} = 0;")
        if place.in_loop:
            owner, name = place.owner if self.apart else "", f"seen{len(self.seen)}"
            seen = replace(place, text=f"interplay_{name}", name=name, in_loop=False)
            self.seen.setdefault((place.type, owner), seen)
        elif any(place.name == one.name for one in (*self.seen.values(), *self.leading)):
            raise self.refused(place, f"needs the name {place.name}, which means something else in the start")
        else:
            self.leading.append(place)
            if self.is_counted(place.type):
                self.locals[f"{self.size} {COUNT}{place.name} = 0;"] = None
                if place.name == place.owner and not place.is_global:
                    self.locals[f"{self.size} {BEFORE}{place.name} = 0;"] = None

    def seen_of(self, place: StartPlace) -> StartPlace:
        """The variable in place of a pointer that a loop makes."""
        self.assumed[_SEVERAL] = None
        return self.seen[place.type, place.owner if self.apart else ""]

    def declared_seen(self) -> Iterator[str]:
        """The declarations of the variables in place of pointers that loops make."""
        for place in self.seen.values() if self.is_any else ():
            yield f"{self.spelled(place.type, place.text, place.span)} = 0;"
            if self.is_counted(place.type):
                yield f"{self.size} {COUNT}{place.name} = 0;"

    def point(self, place: StartPlace, target: CType, group: StartGroup) -> None:
        """Note a pointer to objects that are no lists; a single object with pointers is there from the beginning."""
        if isinstance(target, Signature):
            raise self.refused(place, "is a pointer to a function")
        self.led(place, group)
        group.pointers.append(place)
        if has_pointers(target) and not place.in_loop and not self.has_several(target):
            group.before.append(self._allocated(place, target))
            self.fill(self._behind(place, target, f"(*{_object_of(place)})"), group)

    def _allocated(self, place: StartPlace, target: CType) -> str:
        declared = self.spelled(Pointer(target), _object_of(place), place.span)
        return f"{declared} = {START_MALLOC}(sizeof({self.spelled(target, '', place.span)}));"

    def _behind(self, place: StartPlace, target: CType, text: str) -> StartPlace:
        return replace(place, text=text, type=target, name=f"{place.name}_to", is_global=False)

    def is_counted(self, type_: CType) -> bool:
        """Whether a pointer leads to objects that are no lists."""
        return isinstance(type_, Pointer) and not (isinstance(type_.target, Record) and links(type_.target))

    def has_several(self, target: CType) -> bool:
        """Whether code that is reached sees more elements than one behind a pointer to objects with pointers."""
        return self.is_any and (target in self.uses.moved or target in self.uses.seen_as_bytes)

    # Objects that are made

    def make(self, place: StartPlace) -> Iterator[str]:
        """The choice of a new object for a pointer, or what a loop does for each element of an array."""
        match place.type:
            case Array(element, length):
                yield from self._each(place, element, place.text, str(length))
            case Pointer() if place.in_loop:
                target = self.target_of(place)
                made = list(self._new(place, target, "interplay_number"))
                yield from (f"if ({self.choice()}) {{", f"    {self.size} interplay_number;")
                yield from (f"    {line}" for line in made)
                yield from (f"    {line}" for line in self._moved_on(place, "interplay_number"))
                yield "}"
                yield from self._equal_to_seen(place)
            case Pointer():
                yield f"if ({self.choice()}) {{"
                yield from (f"    {line}" for line in self._new(place, self.target_of(place), COUNT + place.name))
                yield "}"
            case _:
                raise AssertionError(place.type)

    def _new(self, place: StartPlace, target: CType, count: str) -> Iterator[str]:
        """Make a new object, with as many elements as `count` then says."""
        if has_pointers(target) and not self.has_several(target):
            if place.in_loop:
                yield self._allocated(place, target)
                yield from self.values([self._behind(place, target, f"(*{_object_of(place)})")])
            yield f"{count} = 1;"
            yield f"{place.text} = {_object_of(place)};"
            yield from self.entered(target, self._typed(place), "1", place)
        else:
            size = self.size_of(target, place)
            most, loops = self.unit.data_model.difference_type.maximum, has_pointers(target)
            least = "" if self.are_sizes_seen else f" || {count} < {_FEW if loops else _ENOUGH}"
            yield f"{count} = {self.input(self.size, f'{place.name}_count')};"
            yield f"if ({count} > {most} / {size}{least}) return 0;"
            yield f"{place.text} = {START_MALLOC}({count} * {size});"
            if loops:
                yield from self._each(place, target, self._typed(place), count)
            elif place in self.sharing:
                yield from self._within_block(place, target, size, count)
            yield from self.entered(target, self._typed(place), count, place)

    # Objects with parts of several types

    @property
    def sharing(self) -> list[StartPlace]:
        """The pointers to objects that may be parts of one, where others lead to bytes, so that this can be told."""
        every = [(one, self.target_of(one)) for one in self.leading if self.is_counted(one.type)]
        plain = [(one, type_) for one, type_ in every if not has_pointers(type_) and not is_bytes(type_)]
        several = any(not _may_share(a, b) for _, a in plain for _, b in plain)
        sees_bytes = any(is_bytes(self.target_of(one)) for one in (*self.leading, *self.seen.values()))
        return [one for one, _ in plain] if self.is_any and several and sees_bytes else []

    def block(self) -> Iterator[str]:
        """An object that may have parts of several types."""
        if self.sharing:
            most = self.unit.data_model.difference_type.maximum
            yield f"{self.size} interplay_block_size = {self.input(self.size, 'block_size')};"
            yield f"if (interplay_block_size > {most}) return 0;"
            yield f"char *interplay_block = {START_MALLOC}(interplay_block_size);"
            byte = self.unit.data_model.integer(IntegerKind.CHAR)
            maker = replace(self.sharing[0], name=_BLOCK, owner=_BLOCK, is_global=False)
            yield from self.entered(byte, "interplay_block", "interplay_block_size", maker)

    def _within_block(self, place: StartPlace, target: CType, size: str, count: str) -> Iterator[str]:
        """The choice that a new object is a part of the block, which no other part overlaps."""
        begin, end = (f"interplay_{which}_{place.name}" for which in ("begin", "end"))
        self.locals |= {f"{self.size} {one} = 0;": None for one in (begin, end)}
        twins = [one for one in self.sharing if _may_share(self.target_of(one), target)]
        yield f"if ({self._choice_of_part(twins)}) {{"
        yield f"    {begin} = {self.input(self.size, f'{place.name}_begin')};"
        yield f"    {count} = {self.input(self.size, f'{place.name}_count')};"
        aligned = f"!{count} || {begin} % {self.unit.data_model.align_of(target)} || {begin} > interplay_block_size"
        yield f"    if ({aligned} || {count} > (interplay_block_size - {begin}) / {size}) return 0;"
        yield f"    {end} = {begin} + {count} * {size};"
        for other in self.sharing[: self.sharing.index(place)]:
            yield f"    if ({begin} < interplay_end_{other.name} && interplay_begin_{other.name} < {end}) return 0;"
        yield f"    {place.text} = {self.cast(place)}(interplay_block + {begin});"
        yield "}"

    def _typed(self, place: StartPlace) -> str:
        """A pointer with the type of what it leads to."""
        return place.text if place.type == Pointer(self.target_of(place)) else f"({self.cast(place)}{place.text})"

    def _each(self, place: StartPlace, element: CType, text: str, count: str) -> Iterator[str]:
        """A loop that gives values to the elements of an array."""
        index = f"interplay_at_{place.name}"
        inner = replace(place, text=f"{text}[{index}]", type=element, name=f"{place.name}_at", in_loop=True)
        yield f"for ({self.size} {index} = 0; {index} < {count}; {index}++) {{"
        yield from (f"    {line}" for line in self.values([inner]))
        yield "}"

    def _equal_to_seen(self, place: StartPlace) -> Iterator[str]:
        """The choice that a pointer of a loop leads into an object that was made for another pointer."""
        if not self.is_any:
            return
        seen = self.seen_of(place)
        yield f"else if ({seen.text} && {self.choice()}) {{"
        yield f"    {place.text} = {seen.text};"
        yield from (f"    {line}" for line in self._moved_on(place, COUNT + seen.name))
        yield "}"

    def move(self, place: StartPlace) -> Iterator[str]:
        """Let a pointer move on within its array, or behind it, and keep count."""
        if not self.is_any or place.in_loop or not isinstance(place.type, Pointer):
            return
        count = COUNT + place.name
        lines = list(self._moved_on(place, count))
        if lines:
            yield f"if ({place.text}) {{"
            yield from (f"    {line}" for line in lines)
            yield f"    {count} -= interplay_moved;"
            if place.name == place.owner and not place.is_global:
                yield f"    {BEFORE}{place.name} = interplay_moved;"
            yield "}"

    def _moved_on(self, place: StartPlace, count: str) -> Iterator[str]:
        """Move a pointer on by any number of elements; where bounds are not checked, many elements follow."""
        target = self.target_of(place)
        if not self.is_any or (has_pointers(target) and not self.has_several(target)):
            return
        least = _FEW if has_pointers(target) else _ENOUGH
        last = count if self.are_sizes_seen else f"({count} >= {least} ? {count} - {least} : {count} - !!{count})"
        yield f"{self.size} interplay_moved = {self.input(self.size, f'{place.name}_offset')};"
        yield f"if (interplay_moved > {last}) return 0;"
        if not self.are_sizes_seen and self.uses.steps_back:
            yield f"if ({count} >= {2 * least} && interplay_moved < {least}) return 0;"
        if is_bytes(target) and self._alignment > 1:
            yield f"if (interplay_moved % {self._alignment}) return 0;"
        pointer = f"(char *){place.text}" if isinstance(target, Void) else self._typed(place)
        yield f"{place.text} = {pointer} + interplay_moved;"

    @cached_property
    def _alignment(self) -> int:
        """The largest alignment of what pointers to bytes are converted to pointers to, unless that is checked."""
        found = [(1, ""), *((self.unit.data_model.align_of(one), str(one)) for one in self.uses.made_of_characters)]
        largest, name = max(found, key=lambda one: one[0])
        if largest > 1:
            self.assumed[f"pointers to bytes are aligned as {name}, to which some are converted"] = None
        return largest

    # Objects of several pointers

    def entered(self, target: CType, text: str, count: str, maker: StartPlace) -> Iterator[str]:
        """The choices that other pointers lead into an object of `count` elements that was made at `text`."""
        self.sites += 1
        entered: list[StartPlace] = []
        for other in (*self.leading, *self.seen.values()):
            if not self._may_enter(other, target, maker):
                continue
            kept = [one for one in entered if self._are_apart(one.owner, other.owner)]
            unless = "".join(f" && interplay_site_{one.name} != {self.sites}" for one in kept)
            site = f" interplay_site_{other.name} = {self.sites};" if self._is_apart(other.owner) else ""
            if site:
                self.locals[f"int interplay_site_{other.name} = 0;"] = None
            for setup, value, number in self._views(other, target, text, count):
                counted = f" {COUNT}{other.name} = {number};" if self.is_counted(other.type) else ""
                is_part = value.startswith(f"{self.cast(other)}&")
                choice = self._choice_of_part([other]) if is_part else self.choice()
                yield f"if ({choice}{unless}) {{ {setup}{other.text} = {value};{counted}{site} }}"
            entered.append(other)

    def _are_apart(self, a: str, b: str) -> bool:
        return frozenset((a, b)) in self.apart

    def _is_apart(self, owner: str) -> bool:
        """Whether a pointer is kept apart from any."""
        return any(owner in pair for pair in self.apart)

    def _may_enter(self, other: StartPlace, target: CType, maker: StartPlace) -> bool:
        wanted = self.target_of(other)
        if other.name == maker.name or self._are_apart(other.owner, maker.owner):
            return False
        if maker.name == _BLOCK and self._is_apart(other.owner):
            return False
        if is_bytes(wanted) and maker.is_global and self.unit.data_model.align_of(target) < self._alignment:
            return False
        is_static = maker in self.leading and other in self.leading
        is_twin = wanted == target or (is_bytes(wanted) and is_bytes(target))
        if is_static and is_twin and self.leading.index(other) < self.leading.index(maker):
            return False  # it is asked the other way round
        if self.is_any:
            is_head = isinstance(target, Record) and bool(links(target)) and wanted == target
            return not (is_head and is_static)  # lists have steps that make their heads equal
        self.assumed[_MADE_EARLIER] = None
        is_alone = maker.in_loop or bool(other.inside) or bool(maker.inside)
        return other in self.leading and not is_alone and self.is_counted(other.type)

    def _choice_of_part(self, pointers: Sequence[StartPlace]) -> str:
        """The choice that pointers lead to a part of an object; see `PART`."""
        is_confined = not self.is_called or all(map(self._is_confined, pointers))
        return self.choice() if is_confined else self.input("int", PART.removeprefix(NONDET))

    def _is_confined(self, place: StartPlace) -> bool:
        """Whether code that is reached accesses nothing but the one element that a pointer leads to."""
        target = self.target_of(place)
        if not any(target in some for some in (self.uses.moved, self.uses.seen_as_bytes, self.uses.passed_out)):
            return True
        is_parameter = place.name == place.owner and not place.is_global
        return is_parameter and self.uses.values_of(place.name) <= self.uses.only_read

    # Types

    def target_of(self, place: StartPlace) -> CType:
        """The type to which a pointer leads; of one to `void` the only one to which reached code converts such."""
        assert isinstance(place.type, Pointer)
        if not self.is_any or not isinstance(place.type.target, Void) or not self.uses.made_of_void:
            return place.type.target
        if len(self.uses.made_of_void) > 1:
            names = " and ".join(sorted(f"{one} *" for one in self.uses.made_of_void))
            raise self.refused(place, f"is a pointer to void, and such are converted to {names}", may_be_separate=True)
        return next(iter(self.uses.made_of_void))

    def cast(self, place: StartPlace) -> str:
        return f"({self.spelled(Pointer(self.target_of(place)), '', place.span)})"

    def _views(self, place: StartPlace, target: CType, text: str, count: str) -> Iterator[tuple[str, str, str]]:
        """The pointers of the type of a place into an object: what to do first, the pointer, and what it leads to."""
        wanted, cast = self.target_of(place), self.cast(place)
        base, length = _flat(target)
        if wanted == target:
            yield "", text, count
        elif not self.is_any:
            return
        elif is_bytes(wanted) and not has_pointers(base):
            yield "", f"{cast}{text}", _product(count, self.size_of(target, place))
        elif _may_share(base, wanted):
            yield "", f"{cast}{text}", _product(count, str(length))
        elif isinstance(base, Record) and base.is_complete:
            if length != 1:
                text = f"({self.spelled(Pointer(base), '', place.span)}){text}"
            yield from self._members(place, base, *self._element(text, _product(count, str(length)), 0), depth=1)
        elif is_bytes(wanted):
            self.assumed[_BYTES] = None
        elif not is_bytes(target):
            self.assumed[_TYPES] = None

    def _members(
        self, place: StartPlace, record: Record, setup: str, text: str, depth: int
    ) -> Iterator[tuple[str, str, str]]:
        """The pointers of the type of a place to members of a record."""
        wanted, cast = self.target_of(place), self.cast(place)
        for field in record.layout.fields:
            inner = text if field.name.startswith("#") else f"{text}.{field.name}"
            base, count = _flat(field.type)
            if field.width is not None or count == 0:
                continue
            if is_bytes(wanted) and self.unit.data_model.align_of(field.type) < self._alignment:
                continue
            if field.type == wanted or _may_share(base, wanted):
                yield setup, f"{cast}&{inner}", "1" if field.type == wanted else str(count)
            elif is_bytes(wanted) and not has_pointers(base) and not field.name.startswith("#"):
                yield setup, f"{cast}&{inner}", f"sizeof({inner})"
            elif isinstance(base, Record):
                more = "" if count == 1 else self._element(inner, str(count), depth)[0]
                if isinstance(field.type, Array) and field.type.element == base:
                    inner = f"{inner}[interplay_index{depth}]" if count != 1 else f"{inner}[0]"
                elif isinstance(field.type, Array):
                    pointer = f"({self.spelled(Pointer(base), '', place.span)})&{inner}"
                    more, inner = self._element(pointer, str(count), depth)
                yield from self._members(place, base, setup + more, inner, depth + 1)
            elif is_bytes(wanted):
                self.assumed[_BYTES] = None

    def _element(self, text: str, count: str, depth: int) -> tuple[str, str]:
        """Any of the elements of an array: what chooses it, and its text."""
        if count == "1":
            return "", f"(*{text})"
        index = f"interplay_index{depth}"
        chosen = f"{self.size} {index} = {self.input(self.size, 'index')}; if ({index} >= {count}) return 0; "
        return chosen, f"({text})[{index}]"

    def size_of(self, type_: CType, place: StartPlace) -> str:
        return "1" if isinstance(type_, Void) else f"sizeof({self.spelled(type_, '', place.span)})"


def links(record: Record) -> tuple[str, ...]:
    """The fields by which a record leads to its own kind."""
    fields = record.layout.fields if record.is_complete else ()
    return tuple(one.name for one in fields if one.type == Pointer(record))


def _object_of(place: StartPlace) -> str:
    """The pointer to the single object that is made for a place."""
    return f"interplay_to_{place.name}"


def _product(count: str, number: str) -> str:
    return number if count == "1" else count if number == "1" else f"{count} * {number}"


def _flat(type_: CType) -> tuple[CType, int]:
    """The elements of arrays of arrays, and how many; 0 where a length is not constant."""
    number = 1
    while isinstance(type_, Array):
        number *= type_.length if isinstance(type_.length, int) else 0
        type_ = type_.element
    return type_, number


def _may_share(a: CType, b: CType) -> bool:
    """Whether an object of one type may be accessed as the other: equal up to signs."""
    if isinstance(a, Integer) and isinstance(b, Integer):
        kinds = (one.kind.value.removeprefix("unsigned ").removeprefix("signed ") for one in (a, b))
        return a.bits == b.bits and len(set(kinds)) == 1
    return a == b
