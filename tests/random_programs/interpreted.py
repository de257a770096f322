"""Runs of random programs in the interpreter of typed C, on the inputs that the enumeration recorded."""

from __future__ import annotations

from collections import Counter

from core.program import InputKind
from core.program.span import Span
from core.verdict import InputValue
from frontend.api import parse_program
from frontend.interpreter import ErrorReached, Inputs, RunOutcome, run
from frontend.properties.errors import Effect, ErrorPolicy
from frontend.typed.ctype import DataModel
from tests.random_programs.enumeration import RandomProgram, Run

_POLICY = ErrorPolicy(frozenset({"reach_error"}), frozenset(), Effect.END)


def differing_runs(program: RandomProgram) -> list[str]:
    """The recorded runs that end otherwise in the interpreter."""
    unit = parse_program(program.text, f"{program.name}.c", DataModel.ILP32)
    spans = _input_spans(program)
    return [
        f"{program.name} on {recorded.inputs}: {outcome}, but gcc ends with the error of line {recorded.error_line}"
        for recorded in program.runs
        if _line(outcome := run(unit, _POLICY, Inputs.of(_inputs(recorded, spans)))) != recorded.error_line
    ]


def _line(outcome: RunOutcome) -> int:
    return outcome.span.line if isinstance(outcome, ErrorReached) else 0


def _input_spans(program: RandomProgram) -> dict[int, tuple[str, Span]]:
    """For each line that reads an input, the function called and the place of the call."""
    found: dict[int, tuple[str, Span]] = {}
    for number, line in enumerate(program.text.splitlines(), start=1):
        start = line.find("= __VERIFIER_nondet_")
        if start >= 0:
            name = line[start + 2 : line.index("(", start)]
            end = start + 3 + len(name) + 2
            found[number] = name, Span(f"{program.name}.c", number, start + 3, number, end)
    return found


def _inputs(recorded: Run, spans: dict[int, tuple[str, Span]]) -> list[InputValue]:
    times: Counter[int] = Counter()
    values: list[InputValue] = []
    for line, value in recorded.inputs:
        name, span = spans[line]
        values.append(InputValue(InputKind.NONDET, name, span, times[line], value))
        times[line] += 1
    return values
