"""Bodies for calls of functions that stay outside: they check what the function accesses, then call it.

What the table says of such functions (`frontend/typed/library_table.py`), and what formats in the text say, becomes C
text behind `outside.c`: a block is checked as a whole, a string character by character. What comes from outside has any
length that the function allows, so that an input says whether it leaves its object. The function itself only gets
what it writes to, and not even that where a few inputs are all that it writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from core.program.characters import string
from frontend.libc import scanned
from frontend.libc.bodies import OWN_BODY, OwnText
from frontend.libc.formats import PRINTED_PIECE, literal_text
from frontend.libc.texts import CONVERSION, NUMBERS, READ_NUMBERS, READABLE, WRITABLE
from frontend.typed import tree
from frontend.typed.ctype import CType, DataModel, Integer, IntegerKind, Pointer, Record, Signature, Void
from frontend.typed.library_table import ArgumentExtent, LibraryAccesses, library_function
from frontend.typed.traversal import callee

_FILLED = 64
"""Characters of a scanned text that are an input each; a longer one is any contents."""
_KINDS = {"hh": IntegerKind.CHAR, "h": IntegerKind.SHORT, "": IntegerKind.INT, "l": IntegerKind.LONG}
_SIZED = ("z", "t")
_NAMES = {8: "signed char", 16: "short", 32: "int", 64: "long long"}
_FLOATS = {"": "float", "l": "double", "L": "long double"}
_LONG = f"({CONVERSION}() * 4294967296ULL + {CONVERSION}())"
"""A number of 64 bits on which no violation may rest."""
_NOTHING = OwnText("", "", ())


class _NotKnown(Exception):
    """Nothing here says what the call accesses."""


def checked_text(call: tree.Call, model: DataModel) -> OwnText | None:
    """The body for a call: without text where it accesses no memory; None where it is not known what it accesses."""
    if not any(isinstance(one.type, Pointer) for one in call.arguments):
        return _NOTHING
    name = callee(call)
    accesses = None if name is None else library_function(name).accesses
    try:
        return None if name is None or accesses is None else _Writing(name, accesses, call, model).text()
    except _NotKnown:
        return None


class _Writing:
    """Writes the body for one call. `argument1` is its first argument, `size1` the bytes that are written there."""

    def __init__(self, name: str, accesses: LibraryAccesses, call: tree.Call, model: DataModel) -> None:
        self._name, self._accesses, self._call, self._model = name, accesses, call, model
        self._checks: list[str] = []
        self._writes: list[str] = []
        self._passed: list[str] = []
        self._ends: list[str] = []
        self._next = 0
        """The next argument that a format asks for."""

    def text(self) -> OwnText:
        """Raises _NotKnown."""
        words = self._accesses.arguments
        is_formatted = any(one.use in "pf" for one in words)
        for k, argument in enumerate(self._call.arguments):
            if k < len(words):
                self._extent(k, words[k])
            elif isinstance(argument.type, Pointer) and not is_formatted:
                raise _NotKnown
        if any(one.use != "-" for one in words[len(self._call.arguments) :]):
            raise _NotKnown
        if not self._checks and not self._writes:
            return _NOTHING
        statements = " ".join((*self._checks, *self._writes, *self._results()))
        mentioned = set(re.findall(r"\bargument[0-9]+\b", statements))
        given = {
            name: one if name in mentioned else self._only_shown(one)
            for name, one in zip(map(_named, range(len(self._call.arguments))), self._call.arguments, strict=True)
        }
        types = {f"{name}_type": one.type for name, one in given.items()}
        types.update(result=self._call.type, outside_type=self._signature)
        parameters = ", ".join(f"{name}_type {name}" for name in given)
        declared = "".join(f"typedef char {name}_type; " for name in given)
        declared += f"typedef int outside_type(); extern outside_type {self._name};"
        text = f"{declared} result {OWN_BODY}({parameters}) {{ {statements} }}"
        return OwnText("outside.c", text, tuple(given.values()), types)

    def _only_shown(self, argument: tree.Expression) -> tree.Expression:
        """The argument to pass where the body does not mention it: of a constant, no more than its text."""
        constant = argument
        while isinstance(constant, tree.Convert):
            constant = constant.operand
        match constant:
            case tree.IntegerConstant(value=value, text=text):
                shown = text or str(value)
            case tree.FloatConstant(text=text):
                shown = text
            case _:
                literal = literal_text(constant)
                if literal is None:
                    return argument
                shown = string(map(ord, literal))
        return tree.IntegerConstant(argument.span, self._model.integer(IntegerKind.INT), 0, shown)

    def _results(self) -> Iterator[str]:
        """The call, with the ends of strings that it writes, and the result."""
        call = self._outside(*self._passed)
        returned, between = self._accesses.returned, self._accesses.range
        if self._accesses.scans:
            yield "return done;"
            return
        is_kept = not isinstance(self._call.type, Void) and not self._accesses.has_result
        if self._passed or is_kept:
            yield f"result got = {call};" if is_kept else f"{call};"
        yield from self._ends
        if isinstance(self._call.type, Void):
            return
        if between is not None:
            low, high = between
            yield from self._within(low, high)
        elif returned is not None:
            position, may_fail = returned
            if self._accesses.arguments[position].may_be_null:
                yield f"if ({_named(position)} == 0) return {self._outside()};"
            condition = "__VERIFIER_nondet_failure() != 0" if may_fail else "0"
            yield f"return {condition} ? (result) 0 : (result) {_named(position)};"
        else:
            yield "return got;"

    @property
    def _signature(self) -> Signature:
        """The type of the function, as it is declared."""
        pointer = self._call.function.type
        target = pointer.target if isinstance(pointer, Pointer) else None
        return target if isinstance(target, Signature) else Signature(self._call.type, (), False, prototype=False)

    def _outside(self, *passed: str) -> str:
        """The call of the function, which gets nothing else."""
        names = [_named(k) for k in range(len(self._signature.parameters))]
        rest = [one for one in passed if one not in names]
        return f"{self._name}({', '.join((*(one if one in passed else '0' for one in names), *rest))})"

    def _within(self, low: int, high: str) -> Iterator[str]:
        """The result: so many bytes, or whole elements of them, as were written; else any in the range."""
        for k, one in enumerate(self._accesses.arguments):
            if one.use == "w" and one.size == high:
                failed = f"size{k + 1} == 0 && __VERIFIER_nondet_failure() != 0"
                yield f"return {failed} ? (result) {low} : (result) size{k + 1};"
                return
            if one.use == "w" and one.size.endswith(f",{high})"):
                each = self._expression(one.size.removeprefix("product(").partition(",")[0])
                yield f"return {each} == 0 ? 0 : size{k + 1} / {each};"
                return
        yield f"return (result) interplay_within({low}, (long long) ({self._expression(high)}));"

    # Arguments of the table

    def _extent(self, k: int, extent: ArgumentExtent) -> None:
        argument = self._call.arguments[k]
        if extent.use == "-":
            return
        if extent.use in "pf":
            if (text := literal_text(argument)) is None:
                raise _NotKnown
            self._next = k + 1
            self._checks.extend(self._printed(text) if extent.use == "p" else self._scanned(text))
            return
        if extent.use in "zZ" and literal_text(argument) is not None:
            return
        if not isinstance(argument.type, Pointer):
            raise _NotKnown
        statements = " ".join(self._block(k, extent) if extent.use in "rwWsS" else self._string(k, extent))
        statements = f"if ({_named(k)} != 0) {{ {statements} }}" if extent.may_be_null else statements
        (self._writes if extent.writes else self._checks).append(statements)
        if extent.writes:
            self._passed.append(_named(k))

    def _string(self, k: int, extent: ArgumentExtent) -> Iterator[str]:
        wide = "wide_" if extent.use == "Z" else ""
        pointer = f"(const {'int' if wide else 'char'} *) {_named(k)}"
        if extent.size:
            yield f"interplay_{wide}most({pointer}, {self._expression(extent.size)});"
        else:
            yield f"interplay_{wide}length({pointer});"

    def _block(self, k: int, extent: ArgumentExtent) -> Iterator[str]:
        target, pointer, written = self._target(k), _named(k), f"size{k + 1}"
        if extent.use == "r" and extent.size == "*" and isinstance(target, Integer):
            yield f"if (*({_NAMES[target.bits]} *) {pointer} != 0) ;"  # a scalar must have a value
            return
        size = self._size(target, extent.size)
        if extent.use == "r":
            yield f"{READABLE}({pointer}, {size});"
            return
        self._writes.append(f"size_t {written} = 0;")
        if extent.use in "ws":
            size = f"interplay_{'outside' if self._accesses.is_outside else 'library'}({size})"
        yield f"{written} = {size}; {WRITABLE}({pointer}, {written});"
        if extent.use in "sS":
            self._ends.append(f"if ({written} > 0) ((char *) {pointer})[{written} - 1] = 0;")

    def _size(self, target: CType, size: str) -> str:
        if size == "any":
            return "(size_t) -1"
        if size != "*":
            return self._expression(size)
        if isinstance(target, Void | Signature) or (isinstance(target, Record) and not target.is_complete):
            raise _NotKnown
        return str(self._model.size_of(target))

    def _target(self, k: int) -> CType:
        """The type that the parameter points to, where it is declared, else the argument."""
        parameters = self._signature.parameters
        type_ = parameters[k] if k < len(parameters) else self._call.arguments[k].type
        return type_.target if isinstance(type_, Pointer) else Void()

    def _expression(self, size: str) -> str:
        """An expression of the table in C."""
        for is_called, position in re.findall(r"(\*|length\(|most\()?#([0-9])", size):
            given = self._call.arguments[int(position) - 1 : int(position)]
            if not given or isinstance(given[0].type, Pointer) is not bool(is_called):
                raise _NotKnown
        called = re.sub(r"\b([a-z]\w+)\(", r"interplay_\1(", size)
        return re.sub(r"#([0-9])", r"argument\1", called)

    # Formats

    def _argument(self, is_pointer: bool = False) -> str:
        """The next argument that a format asks for."""
        k, self._next = self._next, self._next + 1
        if k >= len(self._call.arguments) or (is_pointer and not isinstance(self._call.arguments[k].type, Pointer)):
            raise _NotKnown
        return _named(k)

    def _printed(self, format_: str) -> Iterator[str]:
        for piece in PRINTED_PIECE.finditer(format_):
            kind, precision = piece["kind"], piece["precision"] or ""
            if kind is None or kind in "%m":
                continue
            if piece["width"] == "*":
                self._argument()
            most = self._argument() if precision == ".*" else precision[1:] or "0" if precision else "-1"
            if kind in "sS":
                is_wide = kind == "S" or piece["length"] == "l"
                yield from self._printed_string(most, is_wide)
            elif kind == "n":
                name = _NAMES[self._bits(piece["length"] or "")]
                yield f"*({name} *) {self._argument(is_pointer=True)} = ({name}) {CONVERSION}();"
            elif kind in "diouxXcCfFeEgGaAp":
                self._argument()
            else:
                raise _NotKnown

    def _printed_string(self, most: str, is_wide: bool) -> Iterator[str]:
        k = self._next
        given, wide = self._argument(is_pointer=True), "wide_" if is_wide else ""
        if literal_text(self._call.arguments[k]) is None:
            pointer = f"(const {'int' if is_wide else 'char'} *) {given}"
            whole, part = f"interplay_{wide}length({pointer});", f"interplay_{wide}most({pointer}, (size_t) {most});"
            if most.startswith("argument"):
                yield f"if ({most} < 0) {whole} else {part}"
            else:
                yield whole if most == "-1" else part

    def _scanned(self, format_: str) -> Iterator[str]:
        """The conversions, each made where the result says that so many were."""
        pieces = list(scanned.SCANNED_PIECE.finditer(format_))
        yield f"int done = (int) interplay_within(-1, {sum(map(scanned.is_made, pieces))});"
        if not scanned.may_be_none(pieces):
            yield "if (done == 0) done = -1;"
        count = behind = 0
        for k, piece in enumerate(pieces):
            if scanned.is_made(piece):
                to = self._argument(is_pointer=True)
                yield f"if (done > {count}) {{ {' '.join(self._converted(piece, to, pieces[:k]))} }}"
                count, behind = count + 1, k + 1
            elif piece["kind"] == "n" and not piece["skips"]:
                to, is_passed = self._argument(is_pointer=True), scanned.is_passed(pieces[behind:k])
                yield f"if ({self._is_reached(count, is_passed)}) {{ {self._counted(piece, to, pieces[:k])} }}"

    def _is_reached(self, count: int, is_passed: bool | None) -> str:
        """Whether a `%n` behind so many conversions is reached, given whether it is once they are made."""
        maybe = "__VERIFIER_nondet_order() != 0"
        surely = "1" if is_passed else maybe if is_passed is False else f"{CONVERSION}() != 0"
        at_end = f" || (done < 0 && {maybe})" if count == 0 else ""
        return f"done > {count} || (done == {count} && {surely}){at_end}"

    def _counted(self, piece: scanned.Piece, to: str, before: Sequence[scanned.Piece]) -> str:
        """Sets the count of `%n`. No violation rests on it, since texts before it have lengths of their own."""
        bits = self._bits(piece["length"] or "")
        name = _NAMES[bits]
        least, most = scanned.characters(before)
        if least == most:
            return f"*({name} *) {to} = ({name}) {least};"
        writes = f"*({name} *) {to} = 0;"  # that it may be written rests on nothing that the library chooses
        greatest = (1 << (bits - 1)) - 1
        number = _LONG if bits > 32 else f"{CONVERSION}()"
        if bits < 32 and (most is None or most > greatest):
            return f"{writes} *({name} *) {to} = ({name}) {number};"
        high = greatest if most is None else min(most, greatest)
        bounded = f"number < {least} ? {least} : number > {high} ? {high} : number"
        return f"{writes} long long number = (long long) {number}; *({name} *) {to} = ({name}) ({bounded});"

    def _converted(self, piece: scanned.Piece, to: str, before: Sequence[scanned.Piece]) -> Iterator[str]:
        kind, length = piece["kind"], piece["length"] or ""
        if kind in "diouxX":
            yield self._scanned_integer(piece, to)
        elif kind in "fFeEgGaA":
            if length not in _FLOATS:
                raise _NotKnown
            yield self._scanned_float(_FLOATS[length], scanned.width_of(piece), to)
        elif (kind in "sc" or kind[0] == "[") and not length:
            yield from self._scanned_text(piece, to, before)
        else:
            raise _NotKnown

    def _scanned_integer(self, piece: scanned.Piece, to: str) -> str:
        bits, width = self._bits(piece["length"] or ""), scanned.width_of(piece)
        name = _NAMES[bits]
        read_bits = max(bits, self._model.integer(IntegerKind.LONG).bits)
        bounds = scanned.integers(piece["kind"], width, bits, read_bits) if width else None
        if bounds is None:
            return f"*({name} *) {to} = __VERIFIER_nondet_number{bits}();"
        low, high = bounds
        if high >= 1 << 63:  # a few numbers cannot be: no violation rests on any
            return f"*({name} *) {to} = 0; *({name} *) {to} = ({name}) {_LONG};"
        least = f"(-{-low - 1}LL - 1)" if low < 0 else "0"
        return f"*({name} *) {to} = ({name}) interplay_within({least}, {high}LL);"

    def _scanned_float(self, type_: str, width: int, to: str) -> str:
        """Sets a number. So many characters are not any number, and which they are, only the library knows."""
        if not width:
            return f"*({type_} *) {to} = {READ_NUMBERS[type_]}();"
        bounds = scanned.floats(width)
        is_possible = "1" if bounds is None else f"number >= {bounds[0]} && number <= {bounds[1]}"
        writes = f"*({type_} *) {to} = 0;"  # that it may be written rests on nothing that the library chooses
        return f"{writes} {type_} number = {NUMBERS[type_]}(); if ({is_possible}) *({type_} *) {to} = number;"

    def _scanned_text(self, piece: scanned.Piece, to: str, before: Sequence[scanned.Piece]) -> Iterator[str]:
        most, ends = scanned.width_of(piece), piece["kind"] != "c"
        yield f"size_t length = interplay_outside({most or '(size_t) -2'});"
        yield "if (length == 0) length = 1;" if ends else f"length = {most};"
        if piece["makes"]:
            yield f"char *made = malloc(length + {int(ends)}); *(char **) {to} = made;"
            to = "made"
        yield f"{WRITABLE}({to}, length + {int(ends)});"
        if 0 < most <= _FILLED:
            yield from _filled(f"((char *) {to})", scanned.members(piece), scanned.beginnings(piece, before))
        else:
            yield f"{self._outside(to)};"
        if ends:
            yield f"((char *) {to})[length] = 0;"

    def _bits(self, length: str) -> int:
        """The bits of the integer type of a directive with this length."""
        if length in _SIZED:
            return self._model.size_type.bits
        if length == "L":
            raise _NotKnown
        return self._model.integer(_KINDS.get(length, IntegerKind.LLONG)).bits


def _filled(to: str, members: Set[int], beginnings: Set[int] | None) -> Iterator[str]:
    """Sets the characters of a text to members, the first to one of the beginnings where they are known."""
    yield "unsigned char one; size_t i;"
    read = "one = (unsigned char) __VERIFIER_nondet_character();"
    yield f"for (i = 0; i < length; i++) {{ {read} {to}[i] = (char) {_one_of(members)}; }}"
    if beginnings is None:  # no violation rests on it
        yield f"one = (unsigned char) {CONVERSION}(); {to}[0] = (char) {_one_of(members)};"
    elif beginnings != members:
        yield f"one = (unsigned char) {to}[0]; {to}[0] = (char) {_one_of(beginnings)};"


def _one_of(characters: Set[int]) -> str:
    """The character `one`, or another where it is not one of these."""
    if len(characters) == 256:
        return "one"
    lows = [one for one in sorted(characters) if one - 1 not in characters]
    highs = [one for one in sorted(characters) if one + 1 not in characters]
    ranges = " || ".join(f"(one >= {low} && one <= {high})" for low, high in zip(lows, highs, strict=True))
    return f"({ranges} ? one : {min(characters)})"


def _named(k: int) -> str:
    """The parameter for an argument, which are counted from 0."""
    return f"argument{k + 1}"
