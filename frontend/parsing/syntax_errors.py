"""Messages for syntax errors of the parser: text that is no C, or GNU C that is not supported."""

from __future__ import annotations

from frontend.parsing.prepass import Prepared
from frontend.source import FrontendError, ParseError, Unsupported

_TYPES = frozenset(("STATIC", "EXTERN", "AUTO", "REGISTER", "TYPEDEF", "CONST", "VOLATILE"))


def syntax_error(prepared: Prepared, index: int, message: str) -> FrontendError:
    """The error for the token at which the parser gave up; Unsupported where a known construct explains it."""
    span = prepared.span(index, index)
    construct = _construct(prepared, index, message)
    if construct is not None:
        return Unsupported(span, f"{construct} not supported")
    if message.startswith("before: ") or message == "Invalid expression":
        message = f"syntax error before {prepared.tokens[index].text!r}"
    return ParseError(span, message[:1].lower() + message[1:])


def _construct(prepared: Prepared, number: int, message: str) -> str | None:
    """The construct of GNU C, or of C, that our grammar does not have, with its verb."""
    here, before = _kind(prepared, number), _kind(prepared, number - 1)
    if here == "LAND" and _kind(prepared, number + 1) == "ID":
        return "addresses of labels are"
    if before == "GOTO":
        return "computed gotos are" if here == "TIMES" else "labels with the name of a type are"
    if here == "LBRACE" and before == "RPAREN" and _in_function(prepared, number):
        return "functions inside of functions are"
    if here == "COLON" and before == "ID" and _kind(prepared, number - 2) in ("LBRACE", "COMMA"):
        return "designators of the form 'x: value' are"
    if before == "RBRACKET" and _kind(prepared, prepared.partner[number - 1] - 1) in ("LBRACE", "COMMA"):
        return "designators without '=' are"
    if message == "Missing type in declaration" or before in _TYPES:
        return "declarations without a type are"
    if message == "Invalid declaration":
        return "declarations of nothing are"
    return _builtin(prepared, number)


def _builtin(prepared: Prepared, number: int) -> str | None:
    """The built-in function among whose arguments the token is, since some take types."""
    place = _around(prepared, number)
    while place >= 1:
        name = prepared.tokens[place - 1].text
        if prepared.tokens[place].kind == "LPAREN" and name.startswith("__builtin_"):
            return f"{name} is"
        place = _around(prepared, place)
    return None


def _in_function(prepared: Prepared, number: int) -> bool:
    place = _around(prepared, number)
    return place >= 0 and prepared.tokens[place].kind == "LBRACE"


def _around(prepared: Prepared, number: int) -> int:
    """The opening bracket around a token; -1 outside of all."""
    place = number - 1
    while place >= 0 and prepared.partner[place] <= place:
        place = prepared.partner[place] - 1  # the partner of what is no bracket is itself
    return place


def _kind(prepared: Prepared, number: int) -> str:
    return prepared.tokens[number].kind if 0 <= number < len(prepared.tokens) else ""
