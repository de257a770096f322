"""Formats of the functions that print to strings and scan them: what the bodies in `resources/libc` decide."""

from __future__ import annotations

import re

from frontend.typed import tree

FORMATTED = {
    "vsnprintf": 2,
    "snprintf": 2,
    **dict.fromkeys(("vsprintf", "sprintf", "vasprintf", "asprintf", "vsscanf", "sscanf"), 1),
}
"""The position of the format among the arguments."""

_PRINTED = re.compile(
    r"[^%]|%[-+ #0]*(?:\*|[0-9]*)(?:\.(?:\*|[0-9]*))?"
    r"(?:(?:hh|h|ll|l|j|z|t)?[diouxXn]|l?[fFeEgGaA]|L[fFeEgGaA]|[csp]|%)",
    re.DOTALL,
)
_SCANNED = re.compile(
    r"[^%]|%\*?[0-9]*(?:(?:hh|h|ll|l|j|z|t)?[diouxXn]|l?[fFeEgGaA]|L[fFeEgGaA]|[cs%]|\[\^?.[^]]*\])", re.DOTALL
)


def format_of(name: str, call: tree.Call) -> str | None:
    """The format of a call, where it is a literal of the text."""
    e = call.arguments[FORMATTED[name]] if len(call.arguments) > FORMATTED[name] else None
    while isinstance(e, tree.Convert):
        e = e.operand
    if not isinstance(e, tree.Decay) or not isinstance(e.lvalue, tree.StringLiteral):
        return None
    text = "".join(chr(value & 0xFF) for value in e.lvalue.values)
    return text.partition("\0")[0]


def is_decided(name: str, format_: str) -> bool:
    """Whether the body of the function does what the library does with the format."""
    directive = _SCANNED if name.endswith("scanf") else _PRINTED
    return re.fullmatch(f"(?:{directive.pattern})*", format_, re.DOTALL) is not None
