"""The text of floating-point values: programs have their ordinals, people read numbers."""

from __future__ import annotations

from collections.abc import Mapping

from core.program.automaton import Input, InputKind, Program, Range
from core.program.source import is_library_body, source_function
from core.terms import Term

INFINITIES: Mapping[str, int] = {"float": 255 << 23, "double": 2047 << 52, "long double": 32767 << 63}
"""The ordinals of ∞, by the names of the types."""


def float_type(scalar: str) -> str | None:
    """The floating type of a scalar, as C spells it; None for another type."""
    return scalar if scalar in INFINITIES else None


def float_type_within(bounds: Range | None) -> str | None:
    """The floating type all of whose ordinals an input has; None for what is none."""
    found = (name for name, infinity in INFINITIES.items() if bounds == Range(-1 - infinity, infinity + 1))
    return next(found, None)


def input_types(program: Program) -> Mapping[Term, str]:
    """The floating types of inputs that have one: of those that may be any number, and of results of library bodies.

    The bounds of a result, such as that of `sin`, do not say its type: the function does.
    """
    results: dict[str, str | None] = {}
    for name, function in program.functions.items():
        if function.result is not None and is_library_body(name):
            results[source_function(name)] = float_type(program.variables[function.result].c_type.scalar)

    def type_of(one: Input) -> str | None:
        return float_type_within(one.range) or (results.get(one.name) if one.kind is InputKind.EXTERN else None)

    return {symbol: type_ for symbol, one in program.inputs.items() if (type_ := type_of(one)) is not None}


def has_floats(program: Program) -> bool:
    """Whether variables, elements or inputs of a program are floating-point numbers."""
    has_variable = any(float_type(known.c_type.scalar) for known in program.variables.values())
    return has_variable or any(float_type_within(known.range) for known in program.inputs.values())


def float_text(type_: str, ordinal: int) -> str:
    """The constant of C that a number is: the shortest that is read as this number."""
    from core.terms.floats import format_named, to_text  # what only programs with such numbers need

    return to_text(format_named(type_), ordinal)


def float_of_integer(type_: str, value: int) -> int:
    """The ordinal of the number of a type that is nearest to an integer."""
    from core.terms.floats import format_named, of_integer

    return of_integer(format_named(type_), value)
