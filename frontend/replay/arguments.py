"""The arguments of main in a replay: `argv` leads to `argc` strings and a null pointer (C11 5.1.2.2.1), `envp` to null.

The program may have any arguments, so engines choose `argv` and what it leads to. What a counterexample read of them
must be as C has it. The rest is made so: an error that is reached because `argv` points to nothing is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from core.program import InputKind
from core.terms import ArrayValue
from core.verdict import InputValue
from frontend.interpreter import ELSEWHERE, ELSEWHERE_AT, ELSEWHERE_SIZE
from frontend.source import point
from frontend.typed import tree
from frontend.typed.ctype import Pointer
from frontend.typed.traversal import nodes

_MOST = 1_000
"""Arguments that are made; engines choose addresses above all of them."""
_ENVIRONMENT, _STRINGS, _POINTERS = 8, 16, 2_048


def with_arguments(unit: tree.TranslationUnit, inputs: tuple[InputValue, ...]) -> tuple[InputValue, ...] | str:
    """The inputs, with arguments as C has them; or the reason why the recorded ones are none."""
    main = unit.functions["main"]
    inputs = _with_no_environment(main, inputs)
    if len(main.parameters) < 2 or main.body is None or not _is_used(main.parameters[1], main.body):
        return inputs
    argc, argv = (_recorded(one, inputs) for one in main.parameters[:2])
    if argc is None or argv is None or not isinstance(argc.value, int) or not isinstance(argv.value, int):
        return inputs
    memory = next((one for one in inputs if one.name == ELSEWHERE), None)
    known = memory.value.entries if memory is not None and isinstance(memory.value, ArrayValue) else {}
    size, count = unit.data_model.pointer_size, argc.value
    wrong = _wrong_element(known, argv.value - ELSEWHERE_AT, count, size)
    if wrong is not None:
        return f"argv[{wrong}] is not as C has it for this number of arguments"
    if count > _MOST:
        return f"the replay makes no {count} arguments of main"
    start = argv.value - ELSEWHERE_AT
    if not _POINTERS <= start <= ELSEWHERE_SIZE - (count + 1) * size:
        start = _POINTERS
    content = {**known, **_elements(known, start, count, size)}
    changed = replace(argv, value=ELSEWHERE_AT + start)
    return (*(changed if one is argv else one for one in inputs if one is not memory), _memory(content))


def _with_no_environment(main: tree.FunctionDeclaration, inputs: tuple[InputValue, ...]) -> tuple[InputValue, ...]:
    """The inputs with an `envp` that leads to null, whatever was recorded."""
    if len(main.parameters) < 3 or main.body is None or not _is_used(main.parameters[2], main.body):
        return inputs
    envp = _recorded(main.parameters[2], inputs)
    changed = tuple(replace(one, value=ELSEWHERE_AT + _ENVIRONMENT) if one is envp else one for one in inputs)
    return changed if any(one.name == ELSEWHERE for one in inputs) else (*changed, _memory({}))


def _memory(content: Mapping[int, int]) -> InputValue:
    return InputValue(InputKind.INDETERMINATE, ELSEWHERE, point("", 0, 0), 0, ArrayValue(0, content))


def _is_used(parameter: tree.Object, body: tree.Node) -> bool:
    is_array = isinstance(parameter.type, Pointer) and isinstance(parameter.type.target, Pointer)
    used = (one for one in nodes(body) if isinstance(one, tree.Variable))
    return is_array and any(one.object.name == parameter.name for one in used)


def _recorded(parameter: tree.Object, inputs: Iterable[InputValue]) -> InputValue | None:
    place = InputKind.INDETERMINATE, parameter.name, parameter.span
    return next((one for one in inputs if (one.kind, one.name, one.span) == place), None)


def _wrong_element(known: Mapping[int, int], start: int, count: int, size: int) -> int | None:
    """The element that was read as null, or as no null, and is not."""
    for at in sorted(known):
        index, rest = divmod(at - start, size)
        if rest == 0 and 0 <= index <= count:
            is_null = not any(known.get(at + k, 0) for k in range(size))
            if is_null != (index == count):
                return index
    return None


def _elements(known: Mapping[int, int], start: int, count: int, size: int) -> dict[int, int]:
    """The bytes of the pointers: those that were read and lead to memory from outside, else to empty strings."""
    found: dict[int, int] = {}
    for index in range(count + 1):
        places = range(start + index * size, start + (index + 1) * size)
        pointer = int.from_bytes(bytes(known.get(at, 0) for at in places), "little")
        if index == count:
            pointer = 0
        elif not 0 <= pointer - ELSEWHERE_AT < ELSEWHERE_SIZE:
            pointer = ELSEWHERE_AT + _STRINGS + index
        found.update(zip(places, pointer.to_bytes(size, "little"), strict=True))
    return found
