"""The parser of annotations, by recursive descent.

For ACSL that is not decided here it raises a located Unsupported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from core.dataclass import dataclass
from core.pattern import pattern
from core.program.span import Span
from frontend.acsl import syntax
from frontend.acsl.syntax import AnnotationClause, ClauseKind, Formula, Quantor
from frontend.source import Annotation, ParseError, Unsupported

_LEXEMES = r"""
    (?P<space>[\s@]+|//[^\n]*|\\\r?\n)
  | (?P<word>\\?[A-Za-z_]\w*)
  | (?P<number>0[xX][0-9a-fA-F]*(?:\.(?!\.)[0-9a-fA-F]*)?(?:[pP][-+]\w+)?\w*
             | [0-9]\w*(?:\.(?!\.)\w*)?(?:(?<=[eE])[-+]\w+)?)
  | (?P<character>'(?:[^'\\\n]|\\.)+')
  | (?P<sign><==>|==>|-->|<=|>=|==|!=|&&|\|\||\^\^|<<|>>|->|\.\.|[-+*/%<>!~&|^?:;,.()\[\]{}=])
"""
_LEXEME = pattern(_LEXEMES, re.VERBOSE)
_CONDITION_LEXEME = pattern(
    rf"""
    (?P<word>\\(?:symbol|input)\([^\s()]*\)|(?:(?:<start>|[A-Za-z_]\w*)?(?:\#[0-9]+)?::)?\\?[A-Za-z_]\w*(?:@[0-9]+(?::[0-9]+)?)?)
  | {_LEXEMES.replace("(?P<word>", "(?P<plain>")}
""",
    re.VERBOSE,
)
"""Also names with their functions and places, as formulas are shown with them."""
_NUMBER = pattern(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)(?:[uU](?:ll?|LL?)?|(?:ll|LL|[lL])[uU]?)?")
_REAL = pattern(
    r"(?:(?:[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)|0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?[pP][-+]?[0-9]+)[fFlL]?"
)
_FLOAT_PREDICATES = {
    **dict.fromkeys(("\\is_finite", "\\is_infinite", "\\is_plus_infinity", "\\is_minus_infinity", "\\is_NaN"), 1),
    **{f"\\{one}_{type_}": 2 for one in ("eq", "ne", "lt", "le", "gt", "ge") for type_ in ("float", "double")},
}
"""Predicates about floating-point numbers, with the numbers of their arguments."""
_ROUNDED = ("sqrt", "rint", "round", "floor", "ceil", "trunc")
_MATH_FUNCTIONS = {
    **dict.fromkeys(("isnan", "isinf", "isfinite", "signbit"), 1),
    **{
        f"{name}{suffix}": count
        for name, count in (*((one, 1) for one in _ROUNDED), ("remainder", 2), ("fma", 3))
        for suffix in ("", "f", "l")
    },
}
"""The same for functions of math.h, which formulas about a run have."""
_CHARACTER = pattern(r"'([^\\]|\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|.))'")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11}

_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), (), ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
"""Operators from weak to strong; the empty level is that of comparisons."""
_OWN_NAME = pattern(r"::|@|^\\(?:result|heap|value|allocated|(?:reaches|written)_\w+)$")
"""Names that only formulas about a run have."""
_UPWARDS, _DOWNWARDS = frozenset(("<", "<=", "==")), frozenset((">", ">=", "=="))
_COMPARISONS = _UPWARDS | _DOWNWARDS | {"!="}
_TYPE_WORDS = frozenset(("int", "char", "short", "long", "unsigned", "signed", "_Bool"))
_FLOAT_WORDS = frozenset(("float", "double"))
_WIDE_WORDS = frozenset(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64))
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LARGEST_POWER = 512


@dataclass(frozen=True, slots=True)
class _Token:
    """`kind` is word, number, character, sign or end."""

    kind: str
    text: str
    offset: int


def _wrong_macro(error: ParseError, _position: int) -> ParseError:
    return error


def parse_annotation(annotation: Annotation) -> tuple[AnnotationClause, ...]:
    """The clauses of an annotation, at least one. Raises ParseError and Unsupported."""
    return _Parser(annotation).clauses()


def parse_condition(text: str, name: str) -> Formula:
    """One formula that a user typed; spans are columns of line 1 of a file `name`. Raises as `parse_annotation`."""
    start = 1 - len("/*@")  # columns are counted behind the marks of a comment, which are not here
    return _ConditionParser(Annotation(text, Span(name, 1, start, 1, start))).condition()


class _Parser:
    _what = "annotation"
    _lexeme = _LEXEME
    _types = _TYPE_WORDS | {"integer", "struct", "union", "enum"}

    def __init__(self, annotation: Annotation) -> None:
        self._text, self._macros = annotation.text, annotation.macros
        self._begin = annotation.span
        self._starts = [0, *(match.end() for match in re.finditer("\n", self._text))]
        self._tokens = self._lexemes()
        self._next = 0

    # Tokens

    def _lexemes(self) -> list[_Token]:
        tokens: list[_Token] = []
        for one in self._scanned(self._text, self._meaningless):
            text = self._macros.get(one.text)
            if text is None:
                tokens.append(one)
            else:
                why = f"the macro {one.text} is {text}, which means nothing in this {self._what}"
                failed = partial(_wrong_macro, ParseError(self._begin, why))
                tokens += [replace(inner, offset=one.offset) for inner in self._scanned(text, failed)]
        return [*tokens, _Token("end", "", len(self._text.rstrip("@ \t\r\n")))]

    def _scanned(self, text: str, failed: Callable[[int], ParseError]) -> Iterator[_Token]:
        """The tokens of a text; raises what `failed` makes of the position of anything else."""
        position = 0
        while position < len(text):
            match = self._lexeme.match(text, position)
            if match is None:
                raise failed(position)
            if match.lastgroup != "space":
                yield _Token(match.lastgroup or "", match.group(), position)
            position = match.end()

    def _meaningless(self, position: int) -> ParseError:
        place = self._span(position, position + 1)
        return ParseError(place, f"{self._text[position]!r} means nothing in this {self._what}")

    def _place(self, offset: int) -> tuple[int, int]:
        row = max(i for i, start in enumerate(self._starts) if start <= offset)
        column = offset - self._starts[row] + 1
        return self._begin.line + row, column if row else column + self._begin.column + len("/*@") - 1

    def _span(self, start: int, end: int) -> Span:
        line, column = self._place(start)
        return Span(self._begin.file, line, column, *self._place(end))

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _here(self) -> Span:
        token = self._token
        return self._span(token.offset, token.offset + len(token.text))

    def _since(self, first: int) -> Span:
        """From a token to the last one that was read."""
        last = self._tokens[max(self._next - 1, first)]
        return self._span(self._tokens[first].offset, last.offset + len(last.text))

    def _at(self, *texts: str) -> bool:
        return self._token.kind != "end" and self._token.text in texts

    def _take(self) -> str:
        self._next += 1
        return self._tokens[self._next - 1].text

    def _expect(self, text: str) -> None:
        if not self._at(text):
            raise self._unexpected(f"{text!r}")
        self._take()

    def _unexpected(self, wanted: str) -> ParseError:
        found = repr(self._token.text) if self._token.kind != "end" else f"the end of the {self._what}"
        return ParseError(self._here(), f"expected {wanted} in this {self._what}, found {found}")

    def _identifier(self) -> str:
        if self._token.kind != "word" or self._token.text.startswith("\\"):
            raise self._unexpected("a name")
        return self._take()

    # Clauses

    def clauses(self) -> tuple[AnnotationClause, ...]:
        found = []
        while self._token.kind != "end":
            found.append(self._clause())
        if not found:
            raise self._unexpected("a clause")
        return tuple(found)

    def _clause(self) -> AnnotationClause:
        first = self._next
        word = self._identifier()
        if word == "loop":
            word = f"loop {self._identifier()}"
        match word:
            case "assert" | "check":
                kind = ClauseKind.ASSERT
            case "loop invariant":
                kind = ClauseKind.INVARIANT
            case "requires":
                kind = ClauseKind.REQUIRES
            case "ensures":
                kind = ClauseKind.ENSURES
            case "assigns" | "loop assigns" | "loop variant" | "decreases":
                kind = ClauseKind.FRAME
            case _:
                self._next = first
                raise Unsupported(self._here(), f"the annotation {word!r} is not decided")
        if kind is ClauseKind.FRAME:
            while self._token.kind != "end" and not self._at(";"):
                self._take()
            formula = None
        else:
            formula = self._labelled()
        text = re.sub(r"[\s@]+", " ", self._text[self._tokens[first].offset : self._token.offset]).strip()
        self._expect(";")
        return AnnotationClause(self._since(first), kind, formula, text)

    def _labelled(self) -> Formula:
        """A predicate, maybe with a name in front: `positive: x > 0`."""
        following = self._tokens[self._next + 1 : self._next + 2]
        if self._token.kind == "word" and following and following[0].text == ":":
            self._identifier()
            self._expect(":")
        return self._formula()

    # Formulas, from weak to strong

    def _formula(self) -> Formula:
        first = self._next
        condition = self._equivalence()
        if not self._at("?"):
            return condition
        self._take()
        then = self._formula()
        self._expect(":")
        return syntax.Choice(self._since(first), condition, then, self._formula())

    def _equivalence(self) -> Formula:
        return self._left_to_right(("<==>",), self._implication)

    def _implication(self) -> Formula:
        first = self._next
        left = self._binary(0)
        if not self._at("==>"):
            return left
        self._take()
        right = self._implication()
        return syntax.Infix(self._since(first), "==>", left, right)

    def _binary(self, level: int) -> Formula:
        if level == len(_LEVELS):
            return self._unary()
        if not _LEVELS[level]:
            return self._comparison(level + 1)
        return self._left_to_right(_LEVELS[level], lambda: self._binary(level + 1))

    def _left_to_right(self, operators: tuple[str, ...], operand: Callable[[], Formula]) -> Formula:
        first = self._next
        left = operand()
        while self._at(*operators):
            operator = self._take()
            right = operand()
            left = syntax.Infix(self._since(first), operator, left, right)
        return left

    def _comparison(self, level: int) -> Formula:
        first = self._next
        operands, operators = [self._binary(level)], []
        while self._at(*_COMPARISONS):
            operators.append(self._take())
            operands.append(self._binary(level))
        if not operators:
            return operands[0]
        used = frozenset(operators)
        if len(operators) > 1 and not (used <= _UPWARDS or used <= _DOWNWARDS):
            raise ParseError(self._since(first), "these comparisons do not make a chain; put parentheses")
        return syntax.Comparison(self._since(first), tuple(operators), tuple(operands))

    def _unary(self) -> Formula:
        first = self._next
        if self._at("-", "+", "!", "~", "*", "&"):
            operator = self._take()
            operand = self._unary()
            return syntax.Prefix(self._since(first), operator, operand)
        return self._postfix()

    def _postfix(self) -> Formula:
        first = self._next
        value = self._primary()
        while True:
            if self._at("["):
                self._take()
                index = self._formula()
                if self._at(".."):
                    raise Unsupported(self._since(first), "ranges of elements are not decided")
                self._expect("]")
                value = syntax.Subscript(self._since(first), value, index)
            elif self._at(".", "->"):
                arrow = self._take() == "->"
                field = self._identifier()
                value = syntax.Selection(self._since(first), value, arrow, field)
            else:
                return value

    def _primary(self) -> Formula:
        first, token = self._next, self._token
        match token.kind:
            case "number" if _REAL.fullmatch(token.text):
                return syntax.Real(self._here(), self._take())
            case "number":
                return syntax.Number(self._here(), self._number())
            case "character":
                return syntax.Number(self._here(), self._character())
            case "word":
                return self._word()
            case _ if self._at("("):
                self._take()
                if self._token.text in self._types:
                    return self._conversion(first)
                inner = self._formula()
                self._expect(")")
                return inner
            case _:
                raise self._unexpected("a formula")

    def _conversion(self, first: int) -> Formula:
        """Behind the parenthesis of a cast."""
        raise Unsupported(self._since(first), "casts in annotations are not decided")

    def _number(self) -> int:
        match = _NUMBER.fullmatch(self._token.text)
        if match is None:
            raise Unsupported(self._here(), "this number is not decided in an annotation")
        self._take()
        digits = match[1]
        return int(digits, 8) if re.fullmatch("0[0-7]+", digits) else int(digits, 0)

    def _character(self) -> int:
        match = _CHARACTER.fullmatch(self._token.text)
        if match is None:
            raise ParseError(self._here(), "malformed character")
        inner = match[1]
        if inner.startswith("\\") and inner[1] in "01234567x":
            value = int(inner[2:], 16) if inner[1] == "x" else int(inner[1:], 8)
        elif inner.startswith("\\"):
            value = _ESCAPES.get(inner[1], ord(inner[1]))
        else:
            value = ord(inner)
        if value > 127:
            raise Unsupported(self._here(), "this character is not decided in an annotation")
        self._take()
        return value

    def _word(self) -> Formula:
        first, here = self._next, self._here()
        word = self._take()
        match word:
            case "\\true" | "\\false":
                return syntax.Truth(here, word == "\\true")
            case "\\null":
                return syntax.Null(here)
            case "\\result":
                return syntax.Result(here)
            case "\\old":
                self._expect("(")
                operand = self._formula()
                self._expect(")")
                return syntax.Old(self._since(first), operand, is_for_contracts=True)
            case "\\at":
                return self._at_label(first)
            case "\\list" | "\\reach":
                return self._reach(first, word)
            case "\\valid" | "\\valid_read" | "\\allocated":
                return self._valid(first, is_written=word == "\\valid")
            case "\\separated":
                return self._separated(first)
            case _ if word in _FLOAT_PREDICATES:
                return self._float_predicate(first, word)
            case "\\forall" | "\\exists":
                return self._quantified(first, Quantor(word))
            case _ if word.startswith("\\") or word == "sizeof":
                raise Unsupported(here, f"{word} is not decided")
            case _ if self._at("(", "{"):
                raise Unsupported(here, f"the logic function {word} is not decided")
            case _:
                return syntax.Name(here, word)

    def _reach(self, first: int, word: str) -> Formula:
        self._expect("(")
        field = self._identifier()
        self._expect(",")
        start = self._formula()
        if word == "\\reach":
            self._expect(",")
        end = self._formula() if word == "\\reach" else syntax.Null(start.span)
        self._expect(")")
        return syntax.LeadsTo(self._since(first), field, start, end)

    def _at_label(self, first: int) -> Formula:
        self._expect("(")
        operand = self._formula()
        self._expect(",")
        here = self._here()
        label = self._identifier()
        self._expect(")")
        if label == "Here":
            return operand
        if label not in ("Pre", "Old"):
            raise Unsupported(here, f"states at {label} are not decided, only those at Pre, Old and Here")
        return syntax.Old(self._since(first), operand, is_for_contracts=label == "Old")

    def _valid(self, first: int, *, is_written: bool) -> Formula:
        self._expect("(")
        elements = self._elements()
        self._expect(")")
        return syntax.Valid(self._since(first), elements, is_written)

    def _float_predicate(self, first: int, word: str) -> Formula:
        self._expect("(")
        operands = [self._formula()]
        while len(operands) < (_FLOAT_PREDICATES | _MATH_FUNCTIONS)[word]:
            self._expect(",")
            operands.append(self._formula())
        self._expect(")")
        return syntax.FloatPredicate(self._since(first), word, tuple(operands))

    def _separated(self, first: int) -> Formula:
        self._expect("(")
        parts = [self._elements()]
        while self._at(","):
            self._take()
            parts.append(self._elements())
        self._expect(")")
        return syntax.Separated(self._since(first), tuple(parts))

    def _elements(self) -> syntax.Elements:
        first = self._next
        pointer, low, high = self._unary(), None, None
        if self._at("+"):
            self._take()
            low, high = self._range()
        return syntax.Elements(self._since(first), pointer, low, high)

    def _range(self) -> tuple[Formula, Formula]:
        """One number, or the two of `(low .. high)`."""
        if not self._at("("):
            one = self._formula()
            return one, one
        self._take()
        low = high = self._formula()
        if self._at(".."):
            self._take()
            high = self._formula()
        self._expect(")")
        return low, high

    def _quantified(self, first: int, quantor: Quantor) -> Formula:
        words = []
        while self._at("integer", *_TYPE_WORDS):
            words.append(self._take())
        if not words:
            words = [self._take(), self._identifier()] if self._at("struct", "union") else [self._identifier()]
            if not self._at("*"):
                raise Unsupported(self._since(first + 1), "only integers, and nodes of lists, are quantified over here")
        binders = []
        while True:
            here = self._here()
            stars = self._take() if self._at("*") else ""
            binders.append(syntax.Binder(here, self._identifier(), " ".join([*words, stars]).strip()))
            if not self._at(","):
                break
            self._take()
        self._expect(";")
        body = self._formula()
        return syntax.Quantified(self._since(first), quantor, tuple(binders), body)


class _ConditionParser(_Parser):
    """Reads the conditions that users type about a run: also conversions and powers of two, as formulas are shown with
    them.
    """

    _what = "condition"
    _types = _Parser._types | _WIDE_WORDS | _FLOAT_WORDS
    _lexeme = _CONDITION_LEXEME

    def condition(self) -> Formula:
        """All of the text as one formula."""
        found = self._formula()
        if self._token.kind != "end":
            raise self._unexpected("an operator, or the end of the condition")
        return found

    def _primary(self) -> Formula:
        first = self._next
        if not self._at("{"):
            return super()._primary()
        self._take()
        array = self._postfix()
        for sign in ("\\with", "["):
            self._expect(sign)
        index = self._formula()
        for sign in ("]", "="):
            self._expect(sign)
        value = self._formula()
        self._expect("}")
        return syntax.Update(self._since(first), array, index, value)

    def _word(self) -> Formula:
        here, word = self._here(), self._token.text
        if word == "\\const":
            first = self._next
            self._take()
            self._expect("(")
            value = self._formula()
            self._expect(")")
            return syntax.Filled(self._since(first), value)
        if word == "\\length":
            first = self._next
            self._take()
            self._expect("(")
            field = self._identifier()
            self._expect(",")
            start = self._formula()
            self._expect(")")
            here = self._since(first)
            return syntax.Subscript(here, syntax.Name(here, f"{word}_{field}"), start)
        if word in _MATH_FUNCTIONS and self._tokens[self._next + 1].text == "(":
            first = self._next
            return self._float_predicate(first, self._take())
        if word.startswith(("\\symbol(", "\\input(")) or _OWN_NAME.search(word):
            return syntax.Name(here, self._take())
        return super()._word()

    def _conversion(self, first: int) -> Formula:
        """Behind the parenthesis: the words of an arithmetic type, or of a type with stars behind it."""
        words = []
        while self._at(*_TYPE_WORDS, *_WIDE_WORDS, *_FLOAT_WORDS):
            words.append(self._take())
        if self._at("struct", "union", "enum"):
            words = [self._take(), self._identifier()]
        stars = 0
        while self._at("*"):
            stars += len(self._take())
        words += [stars * "*"] if stars else []
        self._expect(")")
        operand = self._unary()
        return syntax.Conversion(self._since(first), " ".join(words), operand)

    def _number(self) -> int:
        """Also `2³¹`."""
        base, exponent = self._token.text[:1], self._token.text[1:].translate(_SUPERSCRIPTS)
        if base != "2" or not exponent.isascii() or exponent == self._token.text[1:] or not exponent.isdigit():
            return super()._number()
        if int(exponent) > _LARGEST_POWER:
            raise ParseError(self._here(), "this number is too large")
        self._take()
        return 1 << int(exponent)
