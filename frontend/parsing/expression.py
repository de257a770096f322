"""Expressions that stand alone, outside of a translation unit: in witnesses and in attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from frontend.parsing import syntax
from frontend.parsing.parse import parse
from frontend.parsing.prepass import Prepared, prepare
from frontend.parsing.tokens import Markers, tokens_of
from frontend.source import ParseError, Span


def parse_expression(text: str, at: Span, types: Sequence[str] = ()) -> tuple[Prepared, syntax.ExpressionSyntax]:
    """An expression that stands alone, in which `types` are names of types; every part of it is placed at `at`.

    The numbers of tokens in it are those of the prepared text. Raises FrontendError.
    """
    definitions = "".join(f"typedef int {name};" for name in types)
    tokens = tokens_of(f"{definitions}void f(void){{({text}\n);}}", at.file, Markers.IGNORED)
    prepared = prepare([replace(token, line=at.line, column=at.column) for token in tokens], at.file)
    match parse(prepared)[-1:]:
        case (syntax.FunctionDefinition(body=syntax.Compound(items=(syntax.Simple(expression=found),))),):
            return prepared, found
        case _:
            raise ParseError(at, "this is no expression")
