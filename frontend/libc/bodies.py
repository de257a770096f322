"""Bodies of library functions, from the texts in `resources/libc`: one for each call.

A body of its own for each call keeps pointers of different calls apart, and lets functions on blocks of memory work on
elements of the type that lies there. All of a body stands at the place of its call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from frontend.elaboration.unit import elaborate_functions
from frontend.libc.texts import ALLOCATED, FILE_OF, text_of
from frontend.parsing import syntax
from frontend.parsing.parse import parse
from frontend.parsing.prepass import Prepared, prepare
from frontend.parsing.tokens import Markers, tokens_of
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import CType, DataModel

# The types stand here for the parser only: they are given when a body is made.
_DECLARED = (
    "typedef char element; typedef unsigned size_t; extern void *malloc(size_t); int __VERIFIER_nondet_order(void);"
    f"extern size_t {ALLOCATED}(const void *);"
)


class Bodies:
    """Makes the bodies of library functions for one unit."""

    def __init__(self, model: DataModel) -> None:
        self._model = model
        self._parsed: dict[str, tuple[Prepared, Sequence[syntax.ExternalSyntax]]] = {}

    def make(self, function: str, name: str, span: Span, element: CType | None) -> dict[str, tree.FunctionDeclaration]:
        """A library function under a name of its own, and the functions that it calls."""
        prepared, declarations = self._file(FILE_OF[function])
        tokens = [
            replace(token, file=span.file, line=span.line, column=span.column, width=0) for token in prepared.tokens
        ]
        types: dict[str, CType] = {"size_t": self._model.size_type}
        if element is not None:
            types["element"] = element
        chosen: list[syntax.ExternalSyntax] = []
        for node in declarations:
            if not isinstance(node, syntax.FunctionDefinition):
                chosen.append(node)
            elif node.declaration.name == function:
                chosen.append(replace(node, declaration=replace(node.declaration, name=name)))
        return elaborate_functions(replace(prepared, file=span.file, tokens=tokens), chosen, self._model, types)

    def _file(self, file: str) -> tuple[Prepared, Sequence[syntax.ExternalSyntax]]:
        if file not in self._parsed:
            prepared = prepare(tokens_of(_DECLARED + text_of(file), file, Markers.IGNORED), file)
            self._parsed[file] = prepared, parse(prepared)
        return self._parsed[file]
