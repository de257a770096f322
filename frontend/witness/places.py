"""Places in the text that witnesses refer to: loops with the names in their scope, and calls with their results.

All places are those of the original file. A column that macros have moved is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from core.program.span import Span
from frontend.api import parse_sources
from frontend.elaboration.annotations import Annotations
from frontend.elaboration.instrumentation import Instrumentation, LoopSyntax
from frontend.options import Acsl, SourceFile
from frontend.parsing import syntax
from frontend.typed import tree
from frontend.typed.ctype import DataModel, Float, Integer

if TYPE_CHECKING:
    from frontend.preprocessing.preprocess import ReadHeader


@dataclass(frozen=True, slots=True)
class TextPoint:
    """The first character of something; `column` is 0 where it is not known."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class LoopPlace:
    """A loop by its keyword. `names` has what its condition may call each object, by the unique name of that.

    `body` is the first statement within a loop that begins with its body, where it can be named.
    """

    point: TextPoint
    function: str
    checks_first: bool
    body: TextPoint | None
    names: Mapping[str, tree.Object]


@dataclass(frozen=True, slots=True)
class Called:
    """A call: the statement whose whole expression it is part of, and its closing parenthesis.

    `target` is the variable of arithmetic type that the statement sets to the result, if it does nothing else; `next`
    is the statement that follows at once.
    """

    name: str
    function: str
    closing: TextPoint
    statement: TextPoint | None
    target: tree.Object | None
    next: TextPoint | None


@dataclass(slots=True)
class Places:
    """The loops and calls of a text.

    `loops` are by the place of the keyword, `calls` by that of their first character, as spans of a program say.
    """

    loops: dict[TextPoint, LoopPlace] = field(default_factory=dict)
    calls: dict[TextPoint, Called] = field(default_factory=dict)

    def names_loop(self, loop: LoopPlace) -> bool:
        """Whether a location can name the loop: by its column, or as the only one on its line."""
        return _is_named(loop.point, [one.point for one in self.loops.values()])

    def names_end(self, call: Called) -> bool:
        """Whether a location can name where a call ends, likewise."""
        return _is_named(call.closing, [one.closing for one in self.calls.values()])


def _is_named(point: TextPoint, points: Sequence[TextPoint]) -> bool:
    return point.column > 0 or sum((one.file, one.line) == (point.file, point.line) for one in points) == 1


def places(sources: Sequence[SourceFile], model: DataModel, acsl: Acsl, read: ReadHeader | None = None) -> Places:
    """Read the texts again for their places. Raises FrontendError."""
    recorder = _Recorder({one.file: one.text.split("\n") for one in sources})
    parse_sources(sources, model, acsl, recorder, read)
    return recorder.places


class _Recorder(Instrumentation):
    """Adds nothing and notes what it sees."""

    def __init__(self, lines: Mapping[str, Sequence[str]]) -> None:
        self.places = Places()
        self._lines = lines
        self._next: dict[int, TextPoint | None] = {}
        self._statement: dict[tuple[str, int], tuple[TextPoint, TextPoint | None, syntax.StatementSyntax]] = {}
        """By the file and the number of the first token of a call: its statement, and what follows."""

    def block(self, unit: Annotations, nodes: Sequence[syntax.StatementSyntax]) -> None:
        for node, following in pairwise(nodes):
            self._next[id(node)] = self._start(unit, following) if _is_plain(following) else None

    def before(self, unit: Annotations, node: syntax.StatementSyntax) -> Sequence[tree.Statement]:
        start = self._start(unit, node)
        if start is not None and isinstance(node, syntax.Simple | syntax.DeclarationSyntax | syntax.ReturnSyntax):
            for number in range(node.first, node.last + 1):
                self._statement.setdefault((unit.prepared.file, number), (start, self._next.get(id(node)), node))
        return ()

    def at_condition(self, unit: Annotations, node: LoopSyntax) -> Sequence[tree.Statement]:
        checks_first = not (isinstance(node, syntax.Loop) and node.keyword == "do")
        word = node.keyword if isinstance(node, syntax.Loop) else "for"
        span = unit.span(node)
        function = unit.body.name.partition("#")[0] if unit.body else ""
        names: dict[str, tree.Object] = {}
        for scope in unit.scopes:
            for binding in scope.names.values():
                if isinstance(binding, tree.Object):
                    names[binding.name] = binding
        visible = {name: one for name, one in names.items() if unit.find(one.source_name) is one}
        body = None if checks_first else self._body(unit, node.body)
        point = self._point(span, word)
        self.places.loops[TextPoint(span.file, span.line, span.column)] = LoopPlace(
            point, function, checks_first, body, visible
        )
        return ()

    def called(self, unit: Annotations, node: syntax.CallSyntax, call: tree.Expression) -> tree.Expression:
        match node.function:
            case syntax.Name(name=name):
                span, last = unit.span(node), unit.prepared.span(node.last, node.last)
                key = (unit.prepared.file, node.first)
                statement, following, whole = self._statement.get(key, (None, None, None))
                target = None if whole is None else _assigned(unit, whole, node)
                function = unit.body.name.partition("#")[0] if unit.body else ""
                closing = self._point(last, ")")
                found = Called(name, function, closing, statement, target, following)
                self.places.calls[TextPoint(span.file, span.line, span.column)] = found
            case _:
                pass
        return call

    def _body(self, unit: Annotations, node: syntax.StatementSyntax) -> TextPoint | None:
        first = node.items[0] if isinstance(node, syntax.Compound) and node.items else node
        return self._start(unit, first) if _is_plain(first) else None

    def _start(self, unit: Annotations, node: syntax.StatementSyntax) -> TextPoint | None:
        """The begin of a statement or a declaration; None for another declarator of the same declaration."""
        if not isinstance(node, syntax.DeclarationSyntax):
            return self._token(unit, node.first)
        first = unit.declared_from(node)
        if first and unit.prepared.tokens[first - 1].text == ",":
            return None
        return self._token(unit, first)

    def _token(self, unit: Annotations, number: int) -> TextPoint:
        return self._point(unit.prepared.span(number, number), unit.prepared.tokens[number].text)

    def _point(self, span: Span, text: str) -> TextPoint:
        """The place; without the column where the line does not have there what it should."""
        lines = self._lines.get(span.file, ())
        line = lines[span.line - 1] if 0 < span.line <= len(lines) else ""
        return TextPoint(span.file, span.line, span.column if line[span.column - 1 :].startswith(text) else 0)


def _is_plain(node: syntax.StatementSyntax) -> bool:
    """Whether control is at the statement exactly when it comes from the one before, and all agree where it begins."""
    return isinstance(
        node,
        syntax.Simple | syntax.IfSyntax | syntax.DeclarationSyntax | syntax.ReturnSyntax | syntax.SwitchSyntax,
    )


def _assigned(unit: Annotations, whole: syntax.StatementSyntax, call: syntax.CallSyntax) -> tree.Object | None:
    """The variable of arithmetic type that the statement `x = call;` or the declaration `T x = call;` sets."""
    match whole:
        case syntax.Simple(expression=syntax.Assignment(operator="=", target=syntax.Name(name=name), value=value)):
            pass
        case syntax.DeclarationSyntax(name=str(name), initialiser=syntax.Syntax() as value):
            pass
        case _:
            return None
    while isinstance(value, syntax.Cast):
        value = value.operand
    found = unit.find(name)
    is_number = isinstance(found, tree.Object) and isinstance(found.type, Integer | Float)
    return found if value is call and is_number and isinstance(found, tree.Object) else None
