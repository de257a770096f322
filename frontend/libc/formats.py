"""Formats of the functions that print to strings and scan them: what the bodies in `resources/libc` decide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.pattern import pattern
from frontend.libc.bodies import OWN_BODY, OwnText
from frontend.typed import tree
from frontend.typed.ctype import DataModel, Integer, IntegerKind, Pointer
from frontend.typed.library_table import Format, LibraryFunction
from frontend.typed.traversal import has_effects

_PRINTED = pattern(
    r"[^%]|%[-+ #0]*(?:\*|[0-9]*)(?:\.(?:\*|[0-9]*))?"
    r"(?:(?:hh|h|ll|l|j|z|t)?[diouxXn]|l?[fFeEgGaA]|L[fFeEgGaA]|[csp]|%)",
    re.DOTALL,
)
COUNTS = pattern(r"%(?:[^a-zA-Z%]|[IhlLqjzt])*n")
"""A directive that writes the number of characters so far."""
_SCANNED = pattern(
    r"[^%]|%\*?[0-9]*(?:(?:hh|h|ll|l|j|z|t)?[diouxXn]|l?[fFeEgGaA]|L[fFeEgGaA]|[cs%]|\[\^?.[^]]*\])", re.DOTALL
)


def format_of(format_: Format, call: tree.Call) -> str | None:
    """The format of a call, where it is a literal of the text."""
    return literal_text(call.arguments[format_.position]) if len(call.arguments) > format_.position else None


def literal_text(e: tree.Expression) -> str | None:
    """The text of a string literal, up to its end; None for any other expression."""
    while isinstance(e, tree.Convert):
        e = e.operand
    if not isinstance(e, tree.Decay) or not isinstance(e.lvalue, tree.StringLiteral):
        return None
    text = "".join(chr(value & 0xFF) for value in e.lvalue.values)
    return text.partition("\0")[0]


def is_decided(format_: Format, text: str) -> bool:
    """Whether the body of the function does what the library does with a format of this text."""
    directive = _SCANNED if format_.is_scanned else _PRINTED
    return re.fullmatch(f"(?:{directive.pattern})*", text, re.DOTALL) is not None


# A body for one format ------------------------------------------------------------------------------------------------

PRINTED_PIECE = pattern(
    r"(?P<text>[^%]+)|%(?P<flags>[-+ #0]*)(?P<width>\*|[0-9]*)(?P<precision>\.(?:\*|[0-9]*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<kind>.)",
    re.DOTALL,
)
_LONGEST = 100
"""Characters of a format that becomes a body of its own."""
_CASTS = {"h": "short", "hh": "char"}


def printed_format(function: LibraryFunction, text: str, call: tree.Call, model: DataModel) -> OwnText | None:
    """The body for a call that prints to a string that there is, given the text of its format.

    None for other functions, and where the arguments are not those that the format wants.
    """
    body, format_ = function.body, function.format
    if body is None or format_ is None or format_.is_scanned or format_.is_list or function.fails is not None:
        return None
    if len(text) > _LONGEST:
        return None
    position = format_.position
    work = _Printing(model, call.arguments[position + 1 :])
    statements = [one for piece in PRINTED_PIECE.finditer(text) for one in work.statements(piece)]
    if not work.fits or any(map(has_effects, (call.arguments[position], *work.rest))):
        return None
    parameters = ["char *to", *(["size_t size"] if position == 2 else []), *work.parameters]
    first = "size_t at = 0;" if position == 2 else "size_t at = 0, size = (size_t) -1;"
    block = " ".join((first, *statements, "return interplay_ended_text(to, size, at);"))
    made = f"int {OWN_BODY}({', '.join(parameters)}) {{ {block} }}"
    return OwnText(body.file, made, (*call.arguments[:position], *work.taken))


@dataclass(slots=True)
class _Printing:
    """Writes the statements for directives; `rest` are the arguments that none has asked for."""

    model: DataModel
    rest: Sequence[tree.Expression]
    parameters: list[str] = field(default_factory=list)
    taken: list[tree.Expression] = field(default_factory=list)
    fits: bool = True

    def statements(self, piece: re.Match[str]) -> Iterator[str]:
        for character in piece["text"] or ("%" if piece["kind"] == "%" else ""):
            yield f"at = interplay_put(to, size, at, (char) {ord(character)});"
        kind, flags = piece["kind"], piece["flags"]
        if kind is None or kind == "%":
            return
        left, width, precision = str(int("-" in flags)), piece["width"] or "0", (piece["precision"] or "")[1:]
        if width == "*":
            given = self._number("int")
            left, width = f"({left} || {given} < 0)", f"({given} < 0 ? -{given} : {given})"
        precision = self._number("int") if precision == "*" else (precision or "0") if piece["precision"] else "-1"
        rest = f"{left}, {int('0' in flags)}, {width}, {precision}"
        yield self._directive(kind, piece["length"] or "", flags, (left, width, precision, rest))

    def _directive(self, kind: str, length: str, flags: str, numbers: tuple[str, str, str, str]) -> str:
        left, width, precision, rest = numbers
        match kind:
            case "d" | "i":
                positive = ord("+") if "+" in flags else ord(" ") if " " in flags else 0
                value, is_long = self._integer(length, "signed")
                function = "interplay_long" if is_long else "interplay_int"
                return f"at = {function}(to, size, at, {value}, {positive}, {rest});"
            case "u" | "o" | "x" | "X":
                value, is_long = self._integer(length, "unsigned")
                function = "interplay_unsigned_long" if is_long else "interplay_unsigned"
                return f"at = {function}(to, size, at, {value}, {ord(kind)}, {int('#' in flags)}, {rest});"
            case "c":
                return f"at = interplay_character(to, size, at, (char) {self._number('int')}, {left}, {width});"
            case "s":
                value = self._pointer("const char *", 8)
                return f"at = interplay_string(to, size, at, {value}, {left}, {width}, {precision});"
            case "n" if not length:
                return f"*{self._pointer('int *', 32)} = (int) at;"
            case _:
                self.fits = False
                return ""

    def _integer(self, length: str, sign: str) -> tuple[str, bool]:
        """The argument of an integer directive, and whether it may be longer than an int."""
        if length in ("", "h", "hh"):
            value = self._number("int" if sign == "signed" else "unsigned")
            return (f"({sign} {_CASTS[length]}) {value}" if length else value), False
        word = "long" if length == "l" or (length != "ll" and self.model.is_64) else "long long"
        word = "int" if length in ("z", "t") and not self.model.is_64 else word
        return self._number(f"{sign} {word}"), True

    def _number(self, type_: str) -> str:
        kinds = {"long long": IntegerKind.LLONG, "long": IntegerKind.LONG}
        kind = next((kind for word, kind in kinds.items() if type_.endswith(word)), IntegerKind.INT)
        given = self._next(type_)
        self.fits = self.fits and isinstance(given, Integer) and given.bits == self.model.integer(kind).bits
        return f"a{len(self.taken)}"

    def _pointer(self, type_: str, bits: int) -> str:
        given = self._next(type_)
        target = given.target if isinstance(given, Pointer) else None
        self.fits = self.fits and isinstance(target, Integer) and target.bits == bits
        return f"a{len(self.taken)}"

    def _next(self, type_: str) -> object:
        """The type of the next argument, which becomes a parameter of the type that is asked for."""
        if not self.rest:
            self.fits = False
            return None
        self.taken.append(self.rest[0])
        self.rest = self.rest[1:]
        self.parameters.append(f"{type_} a{len(self.taken)}")
        return self.taken[-1].type
