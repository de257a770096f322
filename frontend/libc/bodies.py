"""Bodies of library functions, from the texts in `resources/libc`: one for each call.

A body of its own for each call keeps pointers of different calls apart, and lets functions on blocks of memory work on
elements of the type that lies there. So have the functions that a body calls in its file. All of a body stands at the
place of its call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import overload

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
    READ_NUMBERS,
    READABLE,
    TRUTH,
    WRITABLE,
    text_of,
)
from frontend.parsing import syntax
from frontend.parsing.parse import parse
from frontend.parsing.prepass import Prepared, prepare
from frontend.parsing.tokens import Markers, Token, tokens_of
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
    f"{' '.join(f'{type_} {name}(void);' for type_, name in (*NUMBERS.items(), *READ_NUMBERS.items()))}"
    f"int {CONVERSION}(void); int {TRUTH}(void); int {FAILS}(void); extern void *{ALIGNED}(size_t, size_t);"
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
    """A text with its external declarations; `words` has, for each function, those of its body."""

    prepared: Prepared
    declarations: Sequence[syntax.ExternalSyntax]
    words: Mapping[str, frozenset[str]]

    def needed(self, function: str) -> dict[str, None]:
        """The function, and all of this file that it calls."""
        found = {function: None}
        pending = [function]
        while pending:
            for name in sorted((self.words[pending.pop()] & self.words.keys()) - found.keys()):
                found[name] = None
                pending.append(name)
        return found

    def declared_for(self, functions: Iterable[str]) -> Sequence[syntax.ExternalSyntax]:
        """The declarations without those of functions that these do not call."""
        named = frozenset(functions).union(*(self.words[one] for one in functions))
        return [one for one in self.declarations if _function_name(one) in (None, *named)]


def _function_name(node: syntax.ExternalSyntax) -> str | None:
    """The name of a function that is declared, or defined."""
    declaration = node.declaration if isinstance(node, syntax.FunctionDefinition) else node
    if not isinstance(declaration, syntax.DeclarationSyntax) or not isinstance(declaration.type, syntax.FunctionType):
        return None
    return declaration.name


class _Placed(Sequence[Token]):
    """Tokens as if they stood at one place; few of them are ever asked for."""

    def __init__(self, tokens: Sequence[Token], span: Span) -> None:
        self._tokens, self._span = tokens, span

    def __len__(self) -> int:
        return len(self._tokens)

    @overload
    def __getitem__(self, position: int) -> Token: ...

    @overload
    def __getitem__(self, position: slice) -> Sequence[Token]: ...

    def __getitem__(self, position: int | slice) -> Token | Sequence[Token]:
        span = self._span
        if isinstance(position, slice):
            return _Placed(self._tokens[position], span)
        return replace(self._tokens[position], file=span.file, line=span.line, column=span.column, width=0)


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
        return elaborate_functions(
            replace(file.prepared, file=span.file, tokens=_Placed(file.prepared.tokens, span)),
            file.declared_for(needed),
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
            self._parsed[file, text] = _ParsedFile(prepared, declarations, _words(prepared, declarations))
        return self._parsed[file, text]


def _words(prepared: Prepared, declarations: Sequence[syntax.ExternalSyntax]) -> dict[str, frozenset[str]]:
    """The words in the bodies of functions."""
    functions = [one for one in declarations if isinstance(one, syntax.FunctionDefinition)]
    found: dict[str, frozenset[str]] = {}
    for one in functions:
        tokens = prepared.tokens[one.body.first : one.body.last + 1]
        found[one.declaration.name or ""] = frozenset(token.text for token in tokens)
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
