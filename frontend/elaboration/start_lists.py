"""Lists of the start of a function: a loop puts new records before them, or makes their heads equal.

Every acyclic list is made: let all nodes be made whose successors are; a pointer that is to lead through a node then
leads to its successor, so one of these pointers takes the node, and the others become equal to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from core.pattern import pattern
from frontend.acsl.parser import parse_annotation
from frontend.acsl.syntax import ClauseKind, Formula, Infix, LeadsTo, Name, Null, Separated
from frontend.elaboration.start_places import StartGroup, StartPlace, has_pointers
from frontend.elaboration.start_pointers import PointerWriter, links
from frontend.options import START_MALLOC
from frontend.typed.ctype import Array, CType, Field, Pointer, Record

_NODE = "interplay_node"
_LIST = pattern(r"\\list\s*\(\s*(\w+)\s*,")


class ListWriter(PointerWriter):
    """Writes the values of pointers to records that lead to their own kind."""

    nodes = 0
    """How many places make nodes."""
    inside = tuple[Record, ...]()
    """The records of the nodes that are being made."""

    def head(self, place: StartPlace, record: Record, group: StartGroup) -> None:
        """Note the head of a list."""
        if record in self.inside:
            raise self.refused(place, f"leads to {record} by way of other records")
        if self.is_any and record in self.uses.moved:
            raise self.refused(place, f"leads to an array of {record}, which make lists", may_be_separate=True)
        self.led(place, group)
        group.cursors.setdefault(record, []).append(place)

    def lists(self, group: StartGroup) -> Iterator[str]:
        """The loops that make the lists of a group; those in nodes of others come last."""
        for record in sorted(group.cursors, key=lambda one: -len(_below(one))):
            yield from self._grow(record, group.cursors[record])

    def _grow(self, record: Record, cursors: Sequence[StartPlace]) -> Iterator[str]:
        """A loop that puts new records before lists, or makes pointers equal."""
        link = self._list_field(record, cursors[0])
        others = [one for one in _links(record) if one is not link]
        if not all((link.name, one.name) in self._required for one in cursors):
            self.assumed[f"records of {record} form acyclic lists by {link.name}"] = None
        if others:
            names = ", ".join(one.name for one in others)
            self.assumed[f"{names} of {record} lead to null, the record itself or its neighbours"] = None
        for one in cursors:
            if one.in_loop:
                yield from self._equal_to_seen_head(one)
        yield f"while ({self.choice()}) {{"
        steps = [list(self._put(record, one, link, others)) for one in cursors]
        steps += [[f"{a.text} = {b.text};"] for a in cursors for b in cursors if self._may_meet(a, b)]
        if len(steps) > 1:
            yield f"    int interplay_step = {self.choice()};"
        for number, step in enumerate(steps):
            if len(steps) > 1:
                is_last = number == len(steps) - 1
                condition = "" if is_last else f"if (interplay_step == {number}) "
                yield f"    {'else ' if number else ''}{condition}{{"
            yield from (f"        {line}" for line in step)
            if len(steps) > 1:
                yield "    }"
        yield "}"

    def _may_meet(self, a: StartPlace, b: StartPlace) -> bool:
        return a is not b and frozenset((a.owner, b.owner)) not in self.apart

    def _equal_to_seen_head(self, place: StartPlace) -> Iterator[str]:
        if self.is_any:
            seen = self.seen_of(place)
            yield f"if ({seen.text} && {self.choice()}) {place.text} = {seen.text};"

    def _put(self, record: Record, cursor: StartPlace, link: Field, others: Sequence[Field]) -> Iterator[str]:
        """Put a new record before a list."""
        type_ = self.spelled(record, "", cursor.span)
        self.nodes += 1
        new = f"{_NODE}{self.nodes}"
        yield f"{type_} *{new} = {START_MALLOC}(sizeof({type_}));"
        node = replace(cursor, text=f"(*{new})", type=record, inside=(), is_global=False, in_loop=True)
        inner = [one for one in record.layout.fields if has_pointers(one.type) and one not in (link, *others)]
        before, self.inside = self.inside, (*self.inside, record)
        yield from list(self.values([self.member(node, record, one) for one in inner]))
        self.inside = before
        yield from self.entered(record, new, "1", cursor)
        yield f"{new}->{link.name} = {cursor.text};"
        for one in others:
            back = f"{new}->{one.name}"
            yield f"{back} = 0;"
            yield f"if ({self.choice()}) {back} = {new}; else if ({self.choice()}) {back} = {cursor.text};"
            yield f"if ({cursor.text} && {self.choice()}) ({self.cast(cursor)}{cursor.text})->{one.name} = {new};"
        yield f"{cursor.text} = {new};"

    def _list_field(self, record: Record, cursor: StartPlace) -> Field:
        """The field that makes lists: the only one, or the first that annotations say so of."""
        fields = _links(record)
        named = [match[1] for one in self.unit.annotations for match in _LIST.finditer(one.text)]
        found = fields if len(fields) == 1 else [one for name in named for one in fields if one.name == name]
        if not found:
            names = " and ".join(one.name for one in fields)
            raise self.refused(cursor, f"leads to {record} by {names}; \\list(FIELD, …) in `requires` says which")
        return found[0]

    def member(self, place: StartPlace, record: Record, field: Field) -> StartPlace:
        if field.name.startswith("#"):
            raise self.refused(place, f"has a member in {record} that has no name")
        text, name = f"{place.text}.{field.name}", f"{place.name}_{field.name}"
        return replace(place, text=text, type=field.type, name=name, inside=(*place.inside, record), is_global=False)

    # The contract

    @cached_property
    def _conjuncts(self) -> list[Formula]:
        """The formulas that the contract of the function requires, whatever else holds."""
        before = [one for one in self.unit.annotations if one.span.file == self.function.span.file]
        contract = [one for one in before if one.span.line <= self.function.span.line][-1:]
        clauses = [clause for one in contract for clause in parse_annotation(one)]
        formulas = [one.formula for one in clauses if one.kind is ClauseKind.REQUIRES]
        found: list[Formula] = []
        while formulas:
            formula = formulas.pop()
            if isinstance(formula, Infix) and formula.operator == "&&":
                formulas += [formula.left, formula.right]
            elif formula is not None:
                found.append(formula)
        return found

    @cached_property
    def _required(self) -> set[tuple[str, str]]:
        """The fields and parameters of the function of which its contract says `\\list`."""
        found: set[tuple[str, str]] = set()
        for formula in self._conjuncts:
            match formula:
                case LeadsTo(field=field_, start=Name(name=name), end=Null()):
                    found.add((field_, name))
                case _:
                    pass  # it may hold where a list has no end
        return found

    def separated(self) -> Iterator[tuple[str, str]]:
        """The pairs of parameters that the contract says to be separated."""
        for formula in self._conjuncts:
            if isinstance(formula, Separated):
                names = [one.pointer.name for one in formula.parts if isinstance(one.pointer, Name)]
                yield from ((a, b) for a in names for b in names if a < b)


def _links(record: Record) -> tuple[Field, ...]:
    names = links(record)
    return tuple(one for one in record.layout.fields if one.name in names) if names else ()


def _below(type_: CType) -> set[Record]:
    """The records that a type leads to."""
    records: set[Record] = set()
    pending = [type_]
    while pending:
        match pending.pop():
            case Pointer(target):
                pending.append(target)
            case Array(element, _):
                pending.append(element)
            case Record() as record if record.is_complete and record not in records:
                records.add(record)
                pending += [one.type for one in record.layout.fields]
            case _:
                pass
    return records
