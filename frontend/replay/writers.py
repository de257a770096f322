"""The text of functions that write through their arguments what was recorded (`external_writes`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.terms import ArrayValue, Value
from frontend.interpreter.external_writes import CallWrites, Lead

Recorded = Mapping[str, Mapping[int, Value]]
_LEADS = "unsigned char *"


def writing_function(
    name: str, result: str, parameters: Sequence[str], values: Sequence[int], recorded: Recorded
) -> str:
    """The definition of a function that in each execution writes what was recorded for it, and returns a value."""
    listed = ",".join(f"{number & (1 << 64) - 1}ULL" for number in values) or "0"
    given = ", ".join(f"{type_} a{position}" for position, type_ in enumerate(parameters)) or "void"
    returned = f" return r ? ({result})r : k <= {len(values)} ? ({result})v[k - 1] : 0;" if values else " return 0;"
    executions = sorted({number for name in recorded for number in recorded[name]})
    body = "".join(f" if (k == {one}) {{ {' '.join(_writes(recorded, one))} }}" for one in executions)
    return (
        f"{result} {name}({given}) {{ static unsigned k; static const unsigned long long v[] = {{{listed}}};"
        f" {_LEADS}r = 0;{body} k++;{'' if result == 'void' else returned} }}"
    )


def _writes(recorded: Recorded, execution: int) -> Iterator[str]:
    """The statements of one execution: where the arguments lead to is found before anything is written."""
    writes = CallWrites.of(recorded)
    numbers = {lead: f"p{number}" for number, lead in enumerate(writes.leads)}
    yield from (f"{_LEADS}{text} = {_led(lead)};" for lead, text in numbers.items())
    for name, lead in writes.places.items():
        content = recorded[name].get(execution)
        for distance, byte in content.entries.items() if isinstance(content, ArrayValue) else ():
            yield f"{numbers[lead]}[{distance}] = {byte & 0xFF};"
    for name, one in writes.pointers.items():
        value = recorded[name].get(execution)
        if isinstance(value, int):
            at = f"{numbers[one.lead]} + {one.distance}"
            yield f"*({_LEADS}*)({at}) = {numbers[one.target]} + {value};"
    for name, lead in writes.results.items():
        value = recorded[name].get(execution)
        if isinstance(value, int):
            yield f"r = {numbers[lead]} + {value};"


def _led(lead: Lead) -> str:
    text = f"({_LEADS})a{lead.argument}"
    for step in lead.steps:
        text = f"*({_LEADS}*)({text} + {step})"
    return text
