"""The arguments and the environment that `main` gets in a replay: recorded strings, and empty ones for all others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from shlex import quote

from core.dataclass import dataclass
from core.program import InputKind
from core.verdict import InputValue
from frontend.interpreter.outcome import ARGUMENT, ENVIRONMENT, Inputs
from frontend.options import Argc
from frontend.typed import tree
from frontend.typed.ctype import Integer, Pointer
from frontend.typed.traversal import nodes

_MAX = 1_000
"""Arguments that are made."""
_PROGRAM = b"program"
_ARRAYS = {1: ARGUMENT, 2: ENVIRONMENT}
"""The parameters of main that lead to arrays of strings."""


class TooManyArguments(Exception):
    """An execution with more arguments than a replay makes."""


@dataclass(frozen=True, slots=True)
class StringsOfMain:
    """The number of arguments, and the strings of the arrays to which parameters lead, by position."""

    count: int
    arrays: Mapping[int, Sequence[bytes]]


def strings_of_main(unit: tree.TranslationUnit, inputs: Inputs, count: object) -> StringsOfMain:
    """The strings for the parameters of `main` that it uses; `count` is the recorded `argc`, if that is an integer.

    Raises `TooManyArguments`.
    """
    main, known = unit.functions["main"], inputs.strings(ARGUMENT)
    strings = count if isinstance(count, int) else max(known, default=0) + 1
    strings = max(strings, 1 if unit.argc is Argc.AT_LEAST_ONE else 0)
    arrays: dict[int, list[bytes]] = {}
    for position, name in _ARRAYS.items():
        if position < len(main.parameters) and _is_used(main, main.parameters[position]):
            texts = inputs.strings(name)
            length = strings if name == ARGUMENT else max(texts, default=-1) + 1
            if length > _MAX:
                raise TooManyArguments(f"{_MAX} arguments of main")
            usual = {0: _PROGRAM} if name == ARGUMENT else {}
            arrays[position] = [texts.get(k, usual.get(k, b"")) for k in range(length)]
    return StringsOfMain(strings, arrays)


def command(unit: tree.TranslationUnit, recorded: Iterable[InputValue]) -> str:
    """The words of a shell that start the program with the recorded arguments; empty where none are."""
    inputs = Inputs.of(recorded)
    parameters = unit.functions["main"].parameters[:1]
    counts = (inputs.at(InputKind.INDETERMINATE, one.span).get(one.name, {}).get(0) for one in parameters)
    if not inputs.strings(ARGUMENT):
        return ""
    given = strings_of_main(unit, inputs, next(counts, None))
    return " ".join(map(_quoted, given.arrays.get(1, ())))


def _quoted(text: bytes) -> str:
    if all(32 <= byte < 127 for byte in text):
        return quote(text.decode("ascii"))
    escaped = "".join(chr(one) if chr(one).isalnum() and one < 127 else f"\\x{one:02x}" for one in text)
    return f"$'{escaped}'"


def _is_used(main: tree.FunctionDeclaration, parameter: tree.Object) -> bool:
    type_ = parameter.type
    is_array = isinstance(type_, Pointer) and isinstance(type_.target, Pointer)
    if not is_array or not isinstance(main.parameters[0].type, Integer) or main.body is None:
        return False
    return any(isinstance(one, tree.Variable) and one.object.name == parameter.name for one in nodes(main.body))
