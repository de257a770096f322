"""Initialisers to their flat normal form: which part gets which value (C11 6.7.9)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from core.dataclass import dataclass
from frontend.elaboration.constants import fold, string_literal
from frontend.elaboration.expressions import ExpressionElaboration, first_fields, member_path
from frontend.elaboration.overriding import Emptied, counting
from frontend.parsing import syntax
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, Field, Integer, Record, Signature, VariableLength, Void
from frontend.typed.tree import InitialiserEntry, Path

Item = syntax.InitialiserSyntax | syntax.Designated
_Step = str | int
_Given = InitialiserEntry | Emptied

WIDEST_RANGE = 10_000
"""Elements of one designator `[low ... high]`."""


@dataclass(slots=True)
class _Cursor:
    """The items of one pair of braces, read in order; nested aggregates without braces read from the same cursor."""

    items: Sequence[Item]
    place: syntax.Syntax
    position: int = 0

    @property
    def item(self) -> Item | None:
        return self.items[self.position] if self.position < len(self.items) else None


class Initialisers(ExpressionElaboration):
    """Reads initialisers of objects whose type is known, but for the length of an array."""

    def initialiser(self, type_: CType, node: syntax.InitialiserSyntax) -> tuple[CType, tree.Initialiser]:
        """The type, with its length where the initialiser determines it, and the normal form."""
        if isinstance(type_, Signature | Void) or self.is_open(type_):
            raise self.error(node, f"an object of type {type_} cannot be initialised")
        if isinstance(type_, Array) and isinstance(type_.length, VariableLength):
            raise self.error(node, "a variable-length array cannot be initialised")
        entries: list[_Given] = []
        count = self._part(type_, node, (), entries)
        if isinstance(type_, Array) and type_.length is None:
            type_ = Array(type_.element, count)
        whole = isinstance(node, syntax.Braces) or isinstance(type_, Array)
        return type_, tree.Initialiser(self.span(node), counting(type_, entries), zero_fill=whole)

    def _part(self, type_: CType, node: syntax.InitialiserSyntax, path: Path, entries: list[_Given]) -> int:
        """Initialise one part; the number of elements that an array got."""
        self._refuse_flexible(type_, path, node)
        text = _string_of(node)
        if isinstance(type_, Array) and text is not None and self._takes_string(type_, text):
            return self._string(type_, text, path, entries)
        if isinstance(node, syntax.Braces):
            if isinstance(type_, Array | Record):
                entries.append(Emptied(path))
                return self._fill(type_, _Cursor(node.items, node), path, entries)
            return self._braced_scalar(type_, node, path, entries)
        if self.body is None and isinstance(node, syntax.Literal) and self._is_of(node, type_):
            return self._part(type_, node.value, path, entries)
        if isinstance(type_, Array):
            raise self.error(node, f"an object of type {type_} needs braces or a string")
        entries.append(InitialiserEntry(path, self.assigned(self.value(node), type_)))
        return 0

    def _refuse_flexible(self, type_: CType, path: Path, node: syntax.Syntax) -> None:
        """An object with an initialised flexible array is larger than its type says."""
        if path and isinstance(type_, Array) and type_.length is None:
            raise Unsupported(self.span(node), "initialised flexible arrays are not supported")

    def _is_of(self, node: syntax.Literal, type_: CType) -> bool:
        """Whether the literal has the aggregate type, but for lengths: gcc then takes the values in its braces."""
        given = self.type_of(node.type)
        if isinstance(given, Array) and isinstance(type_, Array):
            lengths = given.length == type_.length or None in (given.length, type_.length)
            return lengths and given.element == type_.element
        return isinstance(given, Record) and given == type_

    def _braced_scalar(self, type_: CType, node: syntax.Braces, path: Path, entries: list[_Given]) -> int:
        if len(node.items) > 1:
            self.diagnostics.warn(self.span(node), "too many initialisers")
        for item in node.items[:1]:
            if isinstance(item, syntax.Designated):
                raise self.error(item, f"an object of type {type_} has no parts")
            self._part(type_, item, path, entries)
        return 0

    def _takes_string(self, type_: Array, text: syntax.String) -> bool:
        _, character = string_literal(text.text, self.model)
        return isinstance(type_.element, Integer) and type_.element.bits == character.bits

    def _string(self, type_: Array, text: syntax.String, path: Path, entries: list[_Given]) -> int:
        values, _ = string_literal(text.text, self.model)
        room = type_.length if isinstance(type_.length, int) else len(values)
        element = type_.element
        assert isinstance(element, Integer)
        if len(values) > room + 1:
            self.diagnostics.warn(self.span(text), "the string is longer than the array")
        span = self.span(text)
        entries.append(Emptied(path))
        for place, value in enumerate(values[:room]):
            entries.append(
                InitialiserEntry((*path, place), tree.IntegerConstant(span, element, element.convert(value)))
            )
        return len(values)

    # Aggregates

    def _fill(self, type_: Array | Record, cursor: _Cursor, path: Path, entries: list[_Given]) -> int:
        """All items of the braces around this aggregate; the number of elements that an array needs."""
        position = needed = 0
        while (item := cursor.item) is not None:
            if isinstance(item, syntax.Designated):
                position = self._designated(type_, cursor, item, path, entries)
            elif position < self._count(type_):
                step = self._step(type_, position)
                self._element(self._step_type(type_, step), cursor, (*path, step), entries)
                position += 1
            else:
                self.diagnostics.warn(self.span(item), "too many initialisers")
                cursor.position += 1
            needed = max(needed, position)
        return needed

    def _fill_open(self, type_: Array | Record, cursor: _Cursor, path: Path, entries: list[_Given], start: int) -> None:
        """The aggregate has no braces of its own: it takes as many items as it has parts."""
        for position in range(start, self._count(type_)):
            if cursor.item is None or isinstance(cursor.item, syntax.Designated):
                return
            step = self._step(type_, position)
            self._element(self._step_type(type_, step), cursor, (*path, step), entries)

    def _element(self, type_: CType, cursor: _Cursor, path: Path, entries: list[_Given]) -> None:
        """Initialise one part from the next item, or from several where it is an aggregate without braces."""
        item = cursor.item
        assert item is not None
        assert not isinstance(item, syntax.Designated)
        text = _string_of(item)
        whole = isinstance(type_, Array) and text is not None and self._takes_string(type_, text)
        if isinstance(item, syntax.Braces) or whole or not isinstance(type_, Array | Record):
            cursor.position += 1
            self._part(type_, item, path, entries)
            return
        if isinstance(type_, Record):
            value = self._record_value(type_, item)
            if value is not None:
                cursor.position += 1
                entries.append(InitialiserEntry(path, value))
                return
        self._refuse_flexible(type_, path, item)
        before = cursor.position
        self._fill_open(type_, cursor, path, entries, 0)
        if cursor.position == before:  # an aggregate without parts takes nothing
            cursor.position += 1

    def _record_value(self, type_: Record, item: syntax.ExpressionSyntax) -> tree.Expression | None:
        """The item, where it is a value of the struct or union itself."""
        if isinstance(item, syntax.Number | syntax.Character | syntax.String):
            return None
        value = self.value(item)
        return value if value.type == type_ else None

    def _designated(
        self, type_: Array | Record, cursor: _Cursor, item: syntax.Designated, path: Path, entries: list[_Given]
    ) -> int:
        """Initialise the designated part, then the parts after it in the innermost aggregate; the next position."""
        alternatives = self._alternatives(item)
        for designators in alternatives:
            before = len(entries)
            positions = self._place(type_, designators, item, path, entries)
            if len(alternatives) > 1 and not all(map(_is_fixed, entries[before:])):
                raise Unsupported(self.span(item), "a range with a value that is not constant is not supported")
        cursor.position += 1
        for outer, position, prefix in reversed(positions[1:]):
            if not _is_union(outer):
                self._fill_open(outer, cursor, prefix, entries, position + 1)
        return positions[0][1] + 1 if not _is_union(type_) else 1

    def _place(
        self,
        type_: Array | Record,
        designators: Sequence[_Step],
        item: syntax.Designated,
        path: Path,
        entries: list[_Given],
    ) -> list[tuple[Array | Record, int, Path]]:
        """Initialise the designated part; the aggregates that it is in, with its position in each and their paths."""
        current: CType = type_
        positions: list[tuple[Array | Record, int, Path]] = []
        for designator in designators:
            if not isinstance(current, Array | Record):
                raise self.error(item, f"an object of type {current} has no parts")
            self._refuse_flexible(current, path, item)
            for step in self._steps(current, designator, item):
                assert isinstance(current, Array | Record)
                positions.append((current, self._position(current, step), path))
                path = (*path, step)
                current = self._step_type(current, step)
        self._element(current, _Cursor([item.value], item), path, entries)
        return positions

    def _alternatives(self, item: syntax.Designated) -> Sequence[Sequence[_Step]]:
        """The designators without ranges, in order."""
        choices: list[Sequence[_Step]] = []
        for designator in item.designators:
            if isinstance(designator, str):
                choices.append((designator,))
                continue
            ends = (designator.low, designator.high) if isinstance(designator, syntax.Range) else (designator,) * 2
            low, high = (fold(self.value(end)) for end in ends)
            if low is None or high is None or low > high:
                raise self.error(designator, "this is no index of the array")
            choices.append(range(low, high + 1))
        if prod(len(choice) for choice in choices) > WIDEST_RANGE:
            raise Unsupported(self.span(item), f"ranges of more than {WIDEST_RANGE} elements are not supported")
        return list(product(*choices))

    def _steps(self, type_: Array | Record, designator: _Step, item: syntax.Syntax) -> Path:
        if isinstance(type_, Record):
            fields = member_path(type_, designator) if isinstance(designator, str) else ()
            if not fields:
                raise self.error(item, f"{type_} has no such member")
            return fields
        if isinstance(designator, str):
            raise self.error(item, f"{type_} has no member {designator!r}")
        if not 0 <= designator < self._count(type_):
            raise self.error(item, "this is no index of the array")
        return (designator,)

    def _count(self, type_: Array | Record) -> int:
        if isinstance(type_, Record):
            return len(first_fields(type_))
        return type_.length if isinstance(type_.length, int) else 1 << 62

    def _step(self, type_: Array | Record, position: int) -> int | Field:
        return position if isinstance(type_, Array) else first_fields(type_)[position]

    def _step_type(self, type_: Array | Record, step: int | Field) -> CType:
        if isinstance(step, Field):
            return step.type
        assert isinstance(type_, Array)
        return type_.element

    def _position(self, type_: Array | Record, step: int | Field) -> int:
        if isinstance(step, int):
            return step
        assert isinstance(type_, Record)
        return next(place for place, field in enumerate(type_.layout.fields) if field.name == step.name)


def _is_union(type_: Array | Record) -> bool:
    return isinstance(type_, Record) and type_.kind.value == "union"


def _is_fixed(value: _Given | tree.Expression) -> bool:
    """Whether evaluating the value once or several times is the same."""
    match value:
        case Emptied():
            return True
        case InitialiserEntry():
            return _is_fixed(value.value)
        case tree.FunctionAddress() | tree.FloatConstant() | tree.Decay(lvalue=tree.Variable() | tree.StringLiteral()):
            return True
        case tree.AddressOf(lvalue=tree.Variable()):
            return True
        case tree.Convert(operand=operand):
            return _is_fixed(operand)
        case _:
            return fold(value) is not None


def _string_of(node: Item) -> syntax.String | None:
    """The string literal, maybe in braces, that the initialiser consists of."""
    if isinstance(node, syntax.Braces) and len(node.items) == 1:
        inner = node.items[0]
        return inner if isinstance(inner, syntax.String) else None
    return node if isinstance(node, syntax.String) else None
