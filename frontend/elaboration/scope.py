"""The state of an elaboration: scopes, unique names, and what has been declared so far."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field

from core.dataclass import dataclass
from frontend.options import STATIC
from frontend.parsing import syntax
from frontend.parsing.prepass import Prepared
from frontend.source import Annotation, Diagnostics, ParseError, Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import (
    Array,
    CType,
    DataModel,
    Integer,
    IntegerKind,
    Record,
    RecordKind,
    RecordLayout,
    Signature,
)

DEEPEST_TREE = 10_000
"""Expressions and statements within each other."""


def name_of_static(variable: tree.Object) -> str:
    """The name by which the start of a function refers to a static object within a function."""
    return STATIC + re.sub(r"\W|_", lambda found: f"_{ord(found[0]):x}_", variable.name)


@dataclass(frozen=True, slots=True)
class Typedef:
    """A typedef name. `align` is the alignment that an attribute asks for, in bytes."""

    type: CType
    align: int | None = None


@dataclass(frozen=True, slots=True)
class EnumConstant:
    """An enumeration constant."""

    value: int
    type: Integer


@dataclass(frozen=True, slots=True)
class FunctionName:
    """A name that stands for a function."""

    name: str


Binding = Typedef | EnumConstant | FunctionName | tree.Object


@dataclass(slots=True)
class Scope:
    """A scope of C: ordinary names and, in a name space of their own, tags."""

    names: dict[str, Binding] = field(default_factory=dict)
    tags: dict[str, Record | Integer] = field(default_factory=dict)


@dataclass(slots=True)
class FunctionState:
    """Everything known of one function until the unit ends."""

    name: str
    type: Signature
    span: Span
    parameters: tuple[tree.Object, ...] = ()
    body: tree.Compound | None = None
    declared: bool = False
    """Whether the text declares it."""


@dataclass(slots=True)
class SwitchState:
    """The switch that is being read, with the values of its cases so far."""

    type: Integer
    values: set[int | None] = field(default_factory=set)


@dataclass(slots=True)
class BodyState:
    """The function whose body is being read."""

    name: str
    result: CType
    labels: dict[str, Span] = field(default_factory=dict)
    gotos: list[tuple[str, Span]] = field(default_factory=list)
    switches: list[SwitchState] = field(default_factory=list)
    loops: int = 0


@dataclass(frozen=True, slots=True)
class ReadingState:
    """A place in a body: how many scopes, loops and switches are open there, and which statements wait."""

    scopes: int
    pending: tuple[tree.Statement, ...]
    loops: int
    switches: int


@dataclass(slots=True)
class ProgramState:
    """The state that the translation units of a program have in common."""

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    globals: dict[str, tree.Declaration] = field(default_factory=dict)
    functions: dict[str, FunctionState] = field(default_factory=dict)
    lengths: dict[str, tree.Object] = field(default_factory=dict)
    """The hidden variables that keep lengths of arrays, by name."""
    literals: dict[tuple[Array, tuple[int, ...], tuple[str, ...]], tree.StringLiteral] = field(default_factory=dict)
    """String literals by type, values and the function that they name."""
    numbers: dict[str, Record] = field(default_factory=dict)
    """Types of numbers that are not decided, which are kept and copied like structs."""
    constant_objects: set[str] = field(default_factory=set)
    alignments: dict[str, int] = field(default_factory=dict)
    """Alignments that declarations of objects ask for, in bytes."""
    extents: dict[str, int] = field(default_factory=dict)
    """The bytes that arguments lead to at least, by the names of parameters."""
    undecided: list[tree.UndecidedClause] = field(default_factory=list)
    """Clauses of annotations that are read and not decided."""
    enumerations: list[tree.Enumeration] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    """How often each name was given."""
    tagged: dict[tuple[RecordKind, str], Record] = field(default_factory=dict)
    """Structs and unions that earlier units declare outside of functions."""
    unnamed: dict[tuple[RecordKind, RecordLayout], list[Record]] = field(default_factory=dict)
    started: str = ""
    """The function that a `frontend.options.EntryPoint` starts."""
    apart: frozenset[frozenset[str]] = frozenset()
    """The pairs of its parameters that the start makes to lead to different objects."""
    required: tuple[tree.Statement, ...] = ()
    """The claims at its entry."""


class TypesDiffer(Exception):
    """A unit defines a struct or union other than an earlier unit does, under the same tag."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag)
        self.tag = tag


class ElaborationState(ABC):
    """The mutable state of one elaboration; the layers above it read types, expressions, initialisers, statements."""

    def __init__(self, prepared: Prepared, model: DataModel, defined: Defined, program: ProgramState) -> None:
        self.prepared = prepared
        self.model = model
        self.defined = defined
        self.program = program
        self.int_ = model.integer(IntegerKind.INT)
        self.diagnostics = program.diagnostics
        self.scopes = [Scope()]
        self.globals = program.globals
        self.functions = program.functions
        self.hidden_types: set[Record] = set()
        """Types of earlier units whose members this one does not know (yet)."""
        self.body: BodyState | None = None
        self.pending: list[tree.Statement] = []
        """Hidden declarations that come before the statement which is being read."""
        self.constant_objects = program.constant_objects
        self.enumerations = program.enumerations
        self.lengths = program.lengths
        self.literals = program.literals
        self.annotations: list[Annotation] = []
        """Annotations that no statement or function has taken yet, in the order of the text."""
        self._counts = program.counts
        self._depth = 0

    # Places and complaints

    def span(self, node: syntax.Syntax) -> Span:
        return self.prepared.span(node.first, node.last)

    def leave_body(self) -> None:
        """Forget the function that is being read, after an error in it."""
        del self.scopes[1:]
        self.pending.clear()
        self.body, self._depth = None, 0

    @property
    def reading(self) -> ReadingState:
        """The place in a body that the elaboration has come to."""
        body = self.body
        inside = (0, 0) if body is None else (body.loops, len(body.switches))
        return ReadingState(len(self.scopes), tuple(self.pending), *inside)

    def go_back(self, state: ReadingState) -> None:
        """Leave what was entered since a state, after an error in it."""
        del self.scopes[state.scopes :]
        self.pending = list(state.pending)
        if self.body is not None:
            self.body.loops = state.loops
            del self.body.switches[state.switches :]

    def error(self, place: syntax.Syntax | Span, message: str) -> ParseError:
        return ParseError(place if isinstance(place, Span) else self.span(place), message)

    @contextmanager
    def deeper(self, node: syntax.Syntax) -> Iterator[None]:
        """Go one level down the tree; ParseError when it gets too deep for those who walk it."""
        self._depth += 1
        try:
            if self._depth > DEEPEST_TREE:
                raise self.error(node, "nested too deeply")
            yield
        finally:
            self._depth -= 1

    def is_open(self, type_: CType) -> bool:
        """Whether the type is a struct or union whose members are not known here."""
        return isinstance(type_, Record) and (not type_.is_complete or type_ in self.hidden_types)

    # Scopes

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append(Scope())
        yield
        self.scopes.pop()

    def find(self, name: str) -> Binding | None:
        for scope in reversed(self.scopes):
            if name in scope.names:
                return scope.names[name]
        return None

    def find_tag(self, tag: str) -> Record | Integer | None:
        for scope in reversed(self.scopes):
            if tag in scope.tags:
                return scope.tags[tag]
        return None

    def refuse_absent(self, name: str, binding: Binding | None, span: Span) -> None:
        """Refuse a name that is declared weak, and that no file defines: its address may be null."""
        if name not in self.prepared.maybe_absent:
            return
        outer = isinstance(binding, FunctionName) or (isinstance(binding, tree.Object) and binding.function is None)
        if outer and self.defined.name(name) not in self.defined.functions | self.defined.objects:
            raise Unsupported(span, f"{name!r} is declared weak and may have no address: not supported")

    def bind(self, name: str, binding: Binding, place: syntax.Syntax) -> None:
        """Declare a name in the innermost scope, where it must be new."""
        if name in self.scopes[-1].names:
            raise self.error(place, f"{name!r} is declared twice")
        self.scopes[-1].names[name] = binding

    def unique(self, name: str) -> str:
        """The name, or `name#2`, `name#3`, … where it was given before."""
        count = self._counts[name] = self._counts.get(name, 0) + 1
        return name if count == 1 else f"{name}#{count}"

    def local(self, name: str, type_: CType, storage: tree.Storage, span: Span) -> tree.Object:
        """A new object of the function that is being read."""
        function = self.body.name if self.body else None
        full = self.unique(f"{function}::{name}" if function else name)
        return tree.Object(full, name, type_, storage, function, span)

    # The layers above, which need each other

    @abstractmethod
    def type_of(self, node: syntax.TypeSyntax) -> CType: ...

    @abstractmethod
    def constant(self, node: syntax.ExpressionSyntax) -> int | None: ...

    @abstractmethod
    def value(self, node: syntax.ExpressionSyntax) -> tree.Expression: ...

    @abstractmethod
    def operand(self, node: syntax.ExpressionSyntax) -> tree.Expression | tree.Lvalue: ...

    @abstractmethod
    def type_of_operand(self, node: syntax.ExpressionSyntax) -> CType: ...

    @abstractmethod
    def initialiser(self, type_: CType, node: syntax.InitialiserSyntax) -> tuple[CType, tree.Initialiser]: ...

    @abstractmethod
    def around_call(self, node: syntax.CallSyntax, call: tree.Expression) -> tree.Expression: ...

    @abstractmethod
    def statements(self, nodes: Sequence[syntax.StatementSyntax]) -> list[tree.Statement]: ...

    def known_function(self, name: str, type_: Signature, span: Span) -> None:
        """Declare a function that the text need not declare."""
        self.functions.setdefault(name, FunctionState(name, type_, span))


@dataclass(frozen=True, slots=True)
class Defined:
    """File-scope names that the program defines somewhere, which earlier declarations refer to.

    `internal` has the names, in the program, of what the unit alone can refer to, where others have something of the
    same name. `apart` are the tags of structs and unions that are other types than those of earlier units.
    """

    functions: frozenset[str]
    objects: frozenset[str]
    internal: Mapping[str, str] = field(default_factory=dict)
    apart: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    """Names that this unit defines."""
    static: frozenset[str] = frozenset()
    """Names that it declares `static`."""

    def name(self, name: str) -> str:
        """The name, in the program, of a function or object with this name at file scope."""
        return self.internal.get(name, name)
