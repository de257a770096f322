"""A program as readable text: functions, variables, inputs, edges, checks. Equal programs have equal texts.

Variables have the names of the source; behind them stand in parentheses those of the program, where they differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.program import Edge, Function, Input, Program, Range, Variable
from core.program.float_values import float_text, float_type, input_types
from core.program.naming import SYMBOL
from core.terms import Term
from interplay.presentation.graphs.operation_text import OperationTexts


def to_text(program: Program) -> str:
    return "\n".join(_lines(program)) + "\n"


def _lines(program: Program) -> Iterator[str]:
    texts = OperationTexts(program)
    yield f"start {program.start}"
    yield from _section("globals", [_variable(texts, "", v) for v in program.variables.values() if v.scope is None])
    types = input_types(program)
    yield from _section("inputs", [_input(one, types.get(symbol)) for symbol, one in program.inputs.items()])
    for function in program.functions.values():
        yield from _function(program, texts, function)
    yield from _section(
        "checks", [f"{c.span}: location {c.location}: {c.property}: {c.description}" for c in program.checks]
    )
    yield from _section("assumptions", list(program.assumptions))
    yield from _section("warnings", list(program.warnings))


def _section(title: str, rows: list[str]) -> Iterator[str]:
    if rows:
        yield ""
        yield title
        yield from (f"  {row}" for row in rows)


def _function(program: Program, texts: OperationTexts, function: Function) -> Iterator[str]:
    yield ""
    place = f" at {function.span}" if function.span else ""
    yield f"function {function.name}{place}, from {function.entry} to {function.exit}"
    result = () if function.result is None else (function.result,)
    for word, symbols in (("parameter", function.parameters), ("local", function.locals), ("result", result)):
        yield from (f"  {word} {_symbol(program, texts, function.name, symbol)}" for symbol in symbols)
    heads = {location.id for location in program.locations if location.loop}
    for edge in program.edges:
        if program.locations[edge.source].function == function.name:
            yield _edge(program, texts, edge, heads)


def _edge(program: Program, texts: OperationTexts, edge: Edge, heads: set[int]) -> str:
    """`12 -> 13`, with `*` behind a loop head and `!` behind an error location, then text and operation."""

    def end(location: int) -> str:
        return f"{location}{'*' if location in heads else ''}{'!' if location in program.checks_at else ''}"

    line = f"line {edge.span.line}" if edge.span else ""
    text = f"  // {edge.text}" if edge.text else ""
    return f"  {end(edge.source):>5} -> {end(edge.target):5} {line:10} {texts.of(edge)}{text}".rstrip()


def _symbol(program: Program, texts: OperationTexts, function: str, symbol: Term) -> str:
    known = program.variables.get(symbol)
    return symbol.name if known is None else _variable(texts, function, known)


def _variable(texts: OperationTexts, function: str, variable: Variable) -> str:
    extent = "" if variable.extent is None else f", {variable.extent} elements"
    name, own = texts.variable(function, variable.symbol), variable.symbol.name
    other = "" if name == own or name.startswith(SYMBOL) else f" ({own})"
    bounds = _range(variable.range, float_type(variable.c_type.scalar))
    return f"{name}{other}: {str(variable.c_type) or variable.symbol.sort}{bounds}{extent}"


def _input(one: Input, type_: str | None) -> str:
    return f"{one.symbol.name}: {one.kind.value} {one.name} at {one.span}{_range(one.range, type_)}"


def _range(bounds: Range | None, type_: str | None) -> str:
    """The text of bounds, which are numbers of a floating type, if any."""
    if bounds is None:
        return ""
    low, high = (one if type_ is None else float_text(type_, one) for one in (bounds.low, bounds.high))
    return f" in {low} … {high}"
