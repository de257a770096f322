"""Programs made by hand, edge by edge, for tests of what works on programs."""

from __future__ import annotations

from collections.abc import Sequence

from core.program import (
    Assign,
    Assume,
    Call,
    Check,
    Edge,
    Function,
    Input,
    InputKind,
    Location,
    Operation,
    Program,
    Range,
    Variable,
)
from core.program.source import SourceType
from core.program.span import Span
from core.terms import INT, INT_ARRAY, Arena, Sort, Term

INT32 = Range(-(2**31), 2**31 - 1)
SPAN = Span("test.c", 1, 1, 1, 2)


class ProgramBuilder:
    """Collects the parts of a program; locations are numbered as they are made."""

    def __init__(self, arena: Arena | None = None) -> None:
        self.arena = arena or Arena()
        self._variables: dict[Term, Variable] = {}
        self._inputs: dict[Term, Input] = {}
        self._locations: list[Location] = []
        self._edges: list[Edge] = []
        self._checks: list[Check] = []
        self._functions: dict[str, Function] = {}

    def variable(self, name: str, bounds: Range | None = INT32, sort: Sort = INT) -> Term:
        symbol = self.arena.symbol(name, sort)
        scope = name.partition("::")[0] if "::" in name else None
        self._variables[symbol] = Variable(symbol, name, scope, SourceType("int"), bounds)
        return symbol

    def array(self, name: str, bounds: Range = INT32) -> Term:
        return self.variable(name, bounds, INT_ARRAY)

    def input(self, name: str, bounds: Range | None = INT32, sort: Sort = INT) -> Term:
        symbol = self.arena.symbol(name, sort)
        self._inputs[symbol] = Input(symbol, InputKind.NONDET, name, SPAN, bounds)
        return symbol

    def location(self, function: str = "main", loop: bool = False) -> int:
        self._locations.append(Location(len(self._locations), function, SPAN, loop))
        return len(self._locations) - 1

    def error(self, function: str = "main") -> int:
        """An error location; its check has the next id."""
        location = self.location(function)
        self._checks.append(Check(len(self._checks), "unreach-call", location, SPAN, "error"))
        return location

    def edge(self, source: int, target: int, operation: Operation) -> int:
        self._edges.append(Edge(len(self._edges), source, target, operation, SPAN, f"edge {len(self._edges)}"))
        return len(self._edges) - 1

    def assume(self, source: int, target: int, condition: Term) -> int:
        return self.edge(source, target, Assume(condition))

    def assign(self, source: int, target: int, *updates: tuple[Term, Term]) -> int:
        return self.edge(source, target, Assign(updates))

    def call(self, source: int, target: int, function: str, *arguments: Term) -> int:
        return self.edge(source, target, Call(function, arguments))

    def function(
        self, name: str, entry: int, exit: int, parameters: Sequence[Term] = (), locals: Sequence[Term] = ()
    ) -> None:
        self._functions[name] = Function(name, tuple(parameters), tuple(locals), None, entry, exit, SPAN)

    def program(self, start: str = "main") -> Program:
        return Program(
            self.arena,
            self._functions,
            tuple(self._locations),
            tuple(self._edges),
            self._variables,
            self._inputs,
            tuple(self._checks),
            start,
        )
