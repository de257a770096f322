"""Random expressions over memory: lvalues behind pointers, in structs, unions and arrays, and what is computed of them.

Without `risk` every expression is defined: indices are reduced, divisors are constants, pointers are those of living
objects by construction of the program. With it some are used as they come.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.random_programs.memory_scope import Draws, Feature, Part, Row, Scope

_CONSTANTS = ("0", "1", "1", "2", "3", "5", "7", "10", "-1", "-2", "100", "255")
_CASTS = ("short", "char", "unsigned char", "unsigned short", "unsigned", "int", "long long", "_Bool")
_SMALL = ("int", "int", "int", "short", "unsigned char", "char", "unsigned", "unsigned short")


class Expressions:
    """Draws expressions without side effects, as text. `functions` are those of one int without side effects."""

    def __init__(self, draws: Draws, features: frozenset[Feature], risk: float) -> None:
        self._draws = draws
        self._features = features
        self.risk = risk
        self.has_bits = draws.chance(0.15)
        self.members: list[tuple[str, str]] = []  # of struct S, with their types
        self.rows_of_struct: list[tuple[str, str, int]] = []
        self.linked = self.holds_pointer = self.holds_call = False  # whether structs have such members
        self.overlays: list[tuple[str, str]] = []  # members of union U, with their types
        self.rows_of_union: list[tuple[str, str, int]] = []
        self.functions: list[str] = []

    def has(self, feature: Feature) -> bool:
        return feature in self._features

    def scalar(self) -> str:
        """A type."""
        return self._draws.one(_SMALL)

    def is_risky(self) -> bool:
        return self.risk > 0 and self._draws.chance(self.risk)

    # Lvalues

    def part(self, scope: Scope) -> Part:
        """A scalar lvalue that may be written."""
        choices: list[tuple[float, Callable[[Scope], Part]]] = [(3, self._plain)]
        choices += [(2, self._element)] if scope.rows else []
        choices += [(3, self._pointed)] if scope.pointers else []
        choices += [(1.5, self._walked)] if scope.walkers else []
        choices += [(1.5, self._twice)] if scope.double else []
        choices += [(4, self._member)] if scope.structs or scope.links or scope.tables else []
        choices += [(3, self._overlay)] if scope.unions else []
        choices += [(1.5, self._byte)] if scope.bytes else []
        return self._draws.weighted(choices)(scope)

    def _plain(self, scope: Scope) -> Part:
        return self._draws.one(scope.parts)

    def _element(self, scope: Scope) -> Part:
        row = self._draws.one(scope.rows)
        return Part(f"{row.name}[{self.index(scope, row.extent)}]", row.type)

    def _pointed(self, scope: Scope) -> Part:
        pointer = self._draws.one(scope.pointers)
        if self.is_risky():
            return Part(f"{pointer}[{self._small(scope)}]", "int")
        return Part(self._draws.one((f"*{pointer}", f"*{pointer}", f"{pointer}[0]")), "int")

    def _walked(self, scope: Scope) -> Part:
        walker, row = self._draws.one(scope.walkers)
        return Part(f"*{walker}", row.type)

    def _twice(self, scope: Scope) -> Part:
        return Part(f"**{self._draws.one(scope.double)}", "int")

    def _member(self, scope: Scope) -> Part:
        base = self.member_base(scope)
        if self.rows_of_struct and self._draws.chance(0.25):
            name, type_, extent = self._draws.one(self.rows_of_struct)
            return Part(f"{base}{name}[{self.index(scope, extent)}]", type_)
        name, type_ = self._draws.one(self.members)
        return Part(f"{base}{name}", type_)

    def member_base(self, scope: Scope) -> str:
        """A struct with the dot or arrow behind it."""
        struct = self.struct(scope)
        if struct.startswith("*"):
            pointer = struct[1:]
            return f"{pointer}->link->" if self.linked and self._draws.chance(0.25) else f"{pointer}->"
        return f"{struct}."

    def struct(self, scope: Scope) -> str:
        """An lvalue of the struct type; `*p` where it is behind a pointer."""
        choices: list[str] = [*scope.structs, *(f"*{one}" for one in scope.links for _ in range(2))]
        choices += [f"{one.name}[{self.index(scope, one.extent)}]" for one in scope.tables]
        return self._draws.one(choices)

    def _overlay(self, scope: Scope) -> Part:
        union = self._draws.one(scope.unions)
        if self.rows_of_union and self._draws.chance(0.5):
            name, type_, extent = self._draws.one(self.rows_of_union)
            return Part(f"{union}{name}[{self.index(scope, extent)}]", type_)
        name, type_ = self._draws.one(self.overlays)
        return Part(f"{union}{name}", type_)

    def _byte(self, scope: Scope) -> Part:
        return Part(f"{self._draws.one(scope.bytes)}[{self.index(scope, 4)}]", "unsigned char")

    # Indices and places

    def index(self, scope: Scope, extent: int) -> str:
        if self.is_risky():
            return self._small(scope)
        if self._draws.chance(0.4):
            return str(self._draws.between(0, extent - 1))
        if extent in (2, 4) and self._draws.chance(0.7):
            return f"{self.leaf(scope)} & {extent - 1}"
        return f"(unsigned)({self.leaf(scope)}) % {extent}u"

    def _small(self, scope: Scope) -> str:
        """A small number that depends on inputs, which may be out of range."""
        names = [*scope.inputs, *scope.counters] or ["1"]
        return self._draws.one(("{0}", "{0}", "{0} + 1", "{0} - 1", "3 - {0}")).format(self._draws.one(names))

    def address(self, scope: Scope) -> str:
        """A pointer to an int in a living object."""
        choices = [f"&{one.text}" for one in scope.parts if one.type == "int"]
        for row in scope.rows:
            if row.type == "int":
                choices += [f"&{row.name}[{self.index(scope, row.extent)}]", f"{row.name} + {row.extent - 1}"]
        choices += scope.pointers
        choices += [f"*{one}" for one in scope.double]
        plain = [name for name, type_ in self.members if type_ == "int"]
        holding = scope if self.risk == 0 else Scope(structs=scope.structs)  # gcc calls `&p->f` an access of null
        if plain and (holding.structs or holding.links or holding.tables):
            choices += [f"&{self.member_base(holding)}{self._draws.one(plain)}" for _ in range(2)]
        choices += [f"&{one.name}[{self.index(scope, one.extent)}].a" for one in scope.tables]
        return self._draws.one(choices)

    def link(self, scope: Scope) -> str:
        """A pointer to a struct."""
        choices = [f"&{one}" for one in scope.structs] + scope.links
        choices += [f"&{one.name}[{self.index(scope, one.extent)}]" for one in scope.tables]
        choices += [f"{one}->link" for one in scope.links if self.linked]
        return self._draws.one(choices)

    # Values

    def leaf(self, scope: Scope) -> str:
        """A variable or an input."""
        names = [*scope.inputs, *scope.counters]
        if names and self._draws.chance(0.4):
            return self._draws.one(names)
        return self._plain(scope).text if scope.parts else "1"

    def value(self, scope: Scope, depth: int = 2) -> str:
        """A value, in parentheses where it is composed."""
        if depth <= 0:
            return self._atom(scope)
        left, right = self.value(scope, depth - 1), self._atom(scope)
        kinds: list[tuple[float, str]] = [
            (3, left),
            (5, f"({left} {self._draws.one(('+', '+', '-'))} {right})"),
            (1, f"({left} * {self._draws.one(('2', '3', '-1', right))})"),
            (1, f"({left} {self._draws.one(('/', '%'))} {self._divisor(scope)})"),
            (1, f"({self.condition(scope)} ? {left} : {right})"),
            (1, f"({self.condition(scope)})"),
            (0.5, f"(-({left}))"),
        ]
        if self.has(Feature.CASTS):
            kinds.append((3, f"(({self._draws.one(_CASTS)}){left})"))
        if self.has_bits:
            kinds.append((2, f"({left} {self._draws.one(('&', '|', '^'))} {self._draws.one(('1', '3', '6', '255'))})"))
        kinds.append((0.6, f"({left} {self._draws.one(('<<', '>>'))} {self._distance(scope)})"))
        if self.functions:
            kinds.append((1.5, f"{self._draws.one(self.functions)}({right})"))
        return self._draws.weighted(kinds)

    def _atom(self, scope: Scope) -> str:
        if self._draws.chance(0.25):
            return self._draws.one(_CONSTANTS) if self.risk == 0 else self._draws.one((*_CONSTANTS, "2147483647"))
        return self.part(scope).text if self._draws.chance(0.6) else self.leaf(scope)

    def _divisor(self, scope: Scope) -> str:
        return f"({self._small(scope)})" if self.is_risky() else self._draws.one(("2", "3", "7", "-3"))

    def _distance(self, scope: Scope) -> str:
        return f"(8 * ({self._small(scope)}))" if self.is_risky() else self._draws.one("123")

    def condition(self, scope: Scope) -> str:
        """A condition."""
        if scope.pointers and self._draws.chance(0.2):
            pointer = self._draws.one(scope.pointers)
            return f"{pointer} {self._draws.one(('==', '!='))} {self.address(scope)}"
        if scope.links and self._draws.chance(0.15):
            return f"{self._draws.one(scope.links)} {self._draws.one(('==', '!='))} {self.link(scope)}"
        if scope.calls and self._draws.chance(0.15) and self.targets:
            return f"{self._draws.one(scope.calls)} == {self._draws.one(self.targets)}"
        right = self._draws.one(_CONSTANTS) if self._draws.chance(0.6) else self.leaf(scope)
        return f"{self._atom(scope)} {self._draws.one(('<', '<=', '>', '>=', '==', '!='))} {right}"

    targets: tuple[str, ...] = ()
    """The functions from int to int whose address is taken."""

    def row(self, name: str, extent: int) -> Row:
        return Row(name, self.scalar(), extent)
