"""Bodies of library functions, from the texts in `resources/libc`: one for each call.

A body of its own for each call keeps pointers of different calls apart, and lets functions on blocks of memory work on
elements of the type that lies there. So have the functions that a body calls in its file. All of a body stands at the
place of its call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from core.dataclass import dataclass
from core.program.source import LIBRARY_OBJECT
from frontend.elaboration.unit import elaborate_functions
from frontend.libc.texts import (
    ALIGNED,
    ALLOCATED,
    APART,
    CONVERSION,
    FAILS,
    NUMBERS,
    OBJECTS,
    READABLE,
    WRITABLE,
    text_of,
)
from frontend.parsing import syntax
from frontend.parsing.parse import parse
from frontend.parsing.prepass import Prepared, prepare
from frontend.parsing.tokens import Markers, tokens_of
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, DataModel, IntegerKind, Pointer, Signature, Void

# The types and objects stand here for the parser only: they are given when a body is made.
_DECLARED = (
    "typedef char element; typedef unsigned size_t; typedef struct { int quot, rem; } result;"
    "typedef __typeof__((char *) 0 - (char *) 0) interplay_ssize;"
    "extern void *malloc(size_t); extern void *alloca(size_t); extern void free(void *); extern void abort(void);"
    "int __VERIFIER_nondet_order(void);"
    "int __VERIFIER_nondet_truth(void); int __VERIFIER_nondet_failure(void);"
    "int __VERIFIER_nondet_input(void); char __VERIFIER_nondet_character(void); size_t __VERIFIER_nondet_length(void);"
    "element __VERIFIER_nondet_element(void);"
    f"{' '.join(f'{type_} {name}(void);' for type_, name in NUMBERS.items())}"
    f"int {CONVERSION}(void); int {FAILS}(void); extern void *{ALIGNED}(size_t, size_t);"
    f"extern size_t {ALLOCATED}(const void *);"
    f"extern void {APART}(const void *, size_t, const void *, size_t);"
    f"extern void {READABLE}(const void *, size_t); extern void {WRITABLE}(const void *, size_t);"
    "signed char __VERIFIER_nondet_number8(void); short __VERIFIER_nondet_number16(void);"
    "int __VERIFIER_nondet_number32(void); long long __VERIFIER_nondet_number64(void);"
)


OWN_BODY = "interplay_body"
"""The name, in C text that is made for one call, of the function that stands for the one called."""


@dataclass(frozen=True, slots=True)
class OwnText:
    """C text for one call, behind a file: the function `interplay_body`, with the arguments that it takes and, by the
    typedef names of the text, the types.
    """

    file: str
    text: str
    arguments: tuple[tree.Expression, ...]
    types: Mapping[str, CType] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _ParsedFile:
    """A text with its external declarations; `calls` has, for each function, those of this file that it names."""

    prepared: Prepared
    declarations: Sequence[syntax.ExternalSyntax]
    calls: Mapping[str, frozenset[str]]

    def needed(self, function: str) -> dict[str, None]:
        """The function, and all of this file that it calls."""
        found = {function: None}
        pending = [function]
        while pending:
            for name in sorted(self.calls[pending.pop()] - found.keys()):
                found[name] = None
                pending.append(name)
        return found


class Bodies:
    """Makes the bodies of library functions for one unit, whose object errno is given where it has one."""

    def __init__(self, model: DataModel, objects: Mapping[str, tree.Object]) -> None:
        self._model = model
        self.objects = dict(objects)
        """The objects that texts refer to, by the names that they have there."""
        self._parsed: dict[tuple[str, str], _ParsedFile] = {}

    def make(
        self, function: str, position: int, span: Span, types: Mapping[str, CType], text: OwnText | str
    ) -> dict[str, tree.FunctionDeclaration]:
        """A library function, named with its number, and those that it calls, from a file or a text of its own."""
        own = text if isinstance(text, OwnText) else None
        file = self._file(text, "") if isinstance(text, str) else self._file(text.file, text.text)
        needed = file.needed(function if own is None else OWN_BODY)
        names = {name: f"{name}!{position}" for name in needed}
        if own is not None:
            names[OWN_BODY] = f"{function}!{position}"
        tokens = [
            replace(token, file=span.file, line=span.line, column=span.column, width=0)
            for token in file.prepared.tokens
        ]
        chosen = [
            node
            for node in file.declarations
            if not isinstance(node, syntax.FunctionDefinition) or node.declaration.name in needed
        ]
        return elaborate_functions(
            replace(file.prepared, file=span.file, tokens=tokens),
            chosen,
            self._model,
            {"size_t": self._model.size_type, **types},
            self.objects,
            names,
        )

    def _file(self, file: str, text: str) -> _ParsedFile:
        """The file with the text behind it."""
        if (file, text) not in self._parsed:
            prepared = prepare(tokens_of(_DECLARED + text_of(file) + text, file, Markers.IGNORED), file)
            declarations = parse(prepared)
            self._parsed[file, text] = _ParsedFile(prepared, declarations, _calls(prepared, declarations))
        return self._parsed[file, text]


def _calls(prepared: Prepared, declarations: Sequence[syntax.ExternalSyntax]) -> dict[str, frozenset[str]]:
    functions = [one for one in declarations if isinstance(one, syntax.FunctionDefinition)]
    names = {one.declaration.name for one in functions}
    found: dict[str, frozenset[str]] = {}
    for one in functions:
        words = {token.text for token in prepared.tokens[one.body.first : one.body.last + 1]}
        found[one.declaration.name or ""] = frozenset(word for word in words if word in names)
    return found


def hidden_object(name: str, model: DataModel, span: Span, type_: str = "") -> tree.Object:
    """The object that texts refer to by this name, in a program that has none; of a type as in `OBJECTS`."""
    character = model.integer(IntegerKind.CHAR)
    handler = Signature(Void(), (model.integer(IntegerKind.INT),), variadic=False, prototype=True)
    types: dict[str, CType] = {
        "int": model.integer(IntegerKind.INT),
        "char *": Pointer(character),
        "char[64]": Array(character, 64),
        "handler[65]": Array(Pointer(handler), 65),
    }
    return tree.Object(f"{LIBRARY_OBJECT}{name}", name, types[type_ or OBJECTS[name]], tree.Storage.STATIC, None, span)
