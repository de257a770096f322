"""Conditions of `#if` and `#elif` (C11 6.10.1): constant expressions of two types, intmax_t and uintmax_t.

Choices that C leaves to the implementation are those of gcc: characters are signed, a number that only uintmax_t holds
is unsigned. A part that is not evaluated may do what has no value, such as a division by zero.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.dataclass import dataclass
from core.pattern import pattern
from frontend.elaboration.constants import LONGEST_INTEGER, binary_value, character_literal
from frontend.typed.ctype import DataModel, Integer, IntegerKind
from frontend.typed.tree import BinaryOperator

_SIGNED = Integer(IntegerKind.LLONG, 64, signed=True)
_UNSIGNED = Integer(IntegerKind.ULLONG, 64, signed=False)
_WORD = pattern(
    r"""\s*(?:(?P<number>(?:0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?(?![\w.$]|(?<=[eE])[-+]))
  | (?P<character>(?:u8|[uUL])?'(?:[^'\\\ufffd]|\\.)+')
  | (?P<name>[A-Za-z_$][\w$]*)
  | (?P<sign>&&|\|\||<<|>>|[<>=!]=|[-+*/%<>&^|!~?:,()]))\s*""",
    re.DOTALL | re.VERBOSE,
)
_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
           ("*", "/", "%"))  # fmt: skip
_RELATIONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_SHIFTS = ("<<", ">>")
_DEEPEST = 50


def condition(text: str, model: DataModel) -> int:
    """The value of a condition, whose macros are expanded. Raises ValueError where it has none."""
    words: list[str] = []
    position = 0
    while position < len(text):
        match = _WORD.match(text, position)
        if match is None:
            raise ValueError(f"unexpected {text[position]}")
        words.append(match[0].strip())
        position = match.end()
    reader = _ConditionParser(words, model)
    value = reader.comma(live=True)
    if reader.word is not None:
        raise ValueError(f"unexpected {reader.word}")
    return value.value


@dataclass(frozen=True, slots=True)
class _Value:
    value: int
    type: Integer = _SIGNED


@dataclass(slots=True)
class _ConditionParser:
    """A recursive descent parser that evaluates what it reads where `live` is set."""

    words: Sequence[str]
    model: DataModel
    position: int = 0
    depth: int = 0

    @property
    def word(self) -> str | None:
        return self.words[self.position] if self.position < len(self.words) else None

    def _take(self, *expected: str) -> str:
        word = self.word
        if word is None or (expected and word not in expected):
            raise ValueError(f"unexpected {word or 'end'}")
        self.position += 1
        return word

    def comma(self, live: bool) -> _Value:
        value = self._conditional(live)
        while self.word == ",":
            self._take()
            value = self._conditional(live)
        return value

    def _conditional(self, live: bool) -> _Value:
        chosen = self._binary(0, live)
        if self.word != "?":
            return chosen
        self._take()
        then = self.comma(live and chosen.value != 0)
        self._take(":")
        otherwise = self._conditional(live and chosen.value == 0)
        type_ = _common(then, otherwise)
        return _Value(type_.convert((then if chosen.value else otherwise).value), type_)

    def _binary(self, level: int, live: bool) -> _Value:
        if level == len(_LEVELS):
            return self._unary(live)
        left = self._binary(level + 1, live)
        while self.word in _LEVELS[level]:
            operator = self._take()
            if operator in ("||", "&&"):
                decided = bool(left.value) == (operator == "||")
                right = self._binary(level + 1, live and not decided)
                left = _Value(int(bool((left if decided else right).value)))
            else:
                left = _operation(operator, left, self._binary(level + 1, live), live)
        return left

    def _unary(self, live: bool) -> _Value:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("nested too deeply")
        word = self._take()
        value = self._operand(word, live)
        self.depth -= 1
        return value

    def _operand(self, word: str, live: bool) -> _Value:
        match word:
            case "(":
                value = self.comma(live)
                self._take(")")
                return value
            case "!":
                return _Value(int(not self._unary(live).value))
            case "+":
                return self._unary(live)
            case "-" | "~":
                operand = self._unary(live)
                number = -operand.value if word == "-" else ~operand.value
                return _Value(operand.type.convert(number), operand.type)
            case _:
                return self._primary(word, live)

    def _primary(self, word: str, live: bool) -> _Value:
        if word[0].isdigit():
            return _number(word)
        if word[-1] == "'":
            value, type_ = character_literal(word, self.model)
            return _Value(value, _SIGNED if type_.signed else _UNSIGNED)
        if not (word[0].isalpha() or word[0] in "_$") or (live and self.word == "("):
            raise ValueError(f"unexpected {word}")
        if self.word == "(":
            self._arguments()
        return _Value(0)

    def _arguments(self) -> None:
        """Refuse what stands behind a name that is no macro: it has no value."""
        depth = 0
        while True:
            depth += {"(": 1, ")": -1}.get(self._take(), 0)
            if depth == 0:
                return


def _number(word: str) -> _Value:
    if len(word) > LONGEST_INTEGER:
        raise ValueError("a number is too large")
    digits = word.rstrip("uUlL")
    value = int(digits, 8 if digits.isdigit() and digits[0] == "0" else 0)
    if not _UNSIGNED.holds(value):
        raise ValueError(f"{word} is too large")
    is_unsigned = "u" in word.lower() or not _SIGNED.holds(value)
    return _Value(value, _UNSIGNED if is_unsigned else _SIGNED)


def _common(left: _Value, right: _Value) -> Integer:
    return _SIGNED if left.type == right.type == _SIGNED else _UNSIGNED


def _operation(operator: str, left: _Value, right: _Value, live: bool) -> _Value:
    type_ = left.type if operator in _SHIFTS else _common(left, right)
    second = right.value if operator in _SHIFTS else type_.convert(right.value)
    number = binary_value(BinaryOperator(operator), type_.convert(left.value), second, type_.bits)
    if number is None and live:
        raise ValueError(f"{operator} has no value")
    return _Value(number or 0) if operator in _RELATIONS else _Value(type_.convert(number or 0), type_)
