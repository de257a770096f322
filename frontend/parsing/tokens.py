"""The lexer: C text to tokens that know their place.

The token types carry the names that pycparser uses, since its parser reads these tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from core.dataclass import dataclass
from core.pattern import pattern
from frontend.parsing.pragmas import refuse_pragma
from frontend.source import Annotation, FrontendError, ParseError, Span, Unsupported, point


class Markers(Enum):
    """The treatment of line markers, `# 12 "file"` and `#line`: passed over, or followed to the origin of the text."""

    IGNORED = "ignored"
    FOLLOWED = "followed"


@dataclass(frozen=True, slots=True)
class Token:
    """A token of C. `column` is 1-based; `width` is the length of the text in the source."""

    kind: str
    text: str
    file: str
    line: int
    column: int
    width: int


SPLICE = r"\\[ \t\f\v]*\r?\n"
"""Continuation of a line in the next one: gcc lets blanks stand behind the backslash."""
LINE_COMMENT = rf"//(?:[^\\\n]|{SPLICE}|\\)*"

_LEXEME = pattern(
    rf"""
    (?P<space>[ \t\f\v\r]+|{SPLICE})
  | (?P<newline>\n)
  | (?P<comment>/\*(?s:.*?)\*/|{LINE_COMMENT})
  | (?P<opened>/\*)
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|{SPLICE}|\\.)*")
  | (?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|{SPLICE}|\\.)+')
  | (?P<word>[A-Za-z_$][A-Za-z0-9_$]*)
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*)
  | (?P<hash>\#(?:[^\\\n]|{SPLICE}|\\)*)
  | (?P<sign>\.\.\.|<<=|>>=|\+\+|--|->|&&|\|\||<<|>>|<=|>=|==|!=|\*=|/=|%=|\+=|-=|&=|\|=|\^=
            |<:|:>|<%|%>|[-=+*/%|&~^!<>?()\[\]{{}},.;:])
""",
    re.VERBOSE,
)

_MARKER = pattern(r'\#[ \t]*(?:line[ \t]+)?(?P<line>[0-9]+)(?:[ \t]+"(?P<file>(?:[^"\\]|\\.)*)")?')

_SPLICE = pattern(SPLICE)
_COMMENT = pattern(r"/\*.*?\*/|//.*", re.DOTALL)
_SPLIT_TOKEN = pattern(rf"\S{SPLICE}\S")
_CONTINUED = pattern(r"(?:[^\n]*\\[ \t\f\v]*\n)+[^\n]*")

_HARMLESS = pattern(r"\#\s*(?:$|(?:[0-9]|(?:line|pragma|ident|sccs)\b))")
_UNIVERSAL_NAME = pattern(r"\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})")
_PRAGMA = pattern(r"\#[ \t]*pragma\b(?P<text>.*)", re.DOTALL)

_OTHER_FORMAT = pattern(
    r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?:[fFlL]?[iIjJ]|[iIjJ][fFlL]|[dD][dDfFlL]|[qQwW]|[fF](?:16|32x?|64x?|128)|bf16)"
)
_SUFFIX = r"(?:[uU](?:ll?|LL?)?|(?:ll|LL|[lL])[uU]?)?"
_NUMBERS = (
    ("INT_CONST_HEX", pattern(r"0[xX][0-9a-fA-F]+" + _SUFFIX)),
    ("INT_CONST_BIN", pattern(r"0[bB][01]+" + _SUFFIX)),
    ("INT_CONST_OCT", pattern(r"0[0-7]*" + _SUFFIX)),
    ("INT_CONST_DEC", pattern(r"[1-9][0-9]*" + _SUFFIX)),
    ("FLOAT_CONST", pattern(r"(?:[0-9]+[eE][+-]?[0-9]+|(?:[0-9]*\.[0-9]+|[0-9]+\.)(?:[eE][+-]?[0-9]+)?)[fFlL]?")),
    ("HEX_FLOAT_CONST", pattern(r"0[xX](?:[0-9a-fA-F]*\.)?[0-9a-fA-F]*[pP][+-]?[0-9]+[fFlL]?")),
)

_SIGNS = {
    "...": "ELLIPSIS", "<<=": "LSHIFTEQUAL", ">>=": "RSHIFTEQUAL", "++": "PLUSPLUS", "--": "MINUSMINUS",
    "->": "ARROW", "&&": "LAND", "||": "LOR", "<<": "LSHIFT", ">>": "RSHIFT", "<=": "LE", ">=": "GE", "==": "EQ",
    "!=": "NE", "*=": "TIMESEQUAL", "/=": "DIVEQUAL", "%=": "MODEQUAL", "+=": "PLUSEQUAL", "-=": "MINUSEQUAL",
    "&=": "ANDEQUAL", "|=": "OREQUAL", "^=": "XOREQUAL", "=": "EQUALS", "+": "PLUS", "-": "MINUS", "*": "TIMES",
    "/": "DIVIDE", "%": "MOD", "|": "OR", "&": "AND", "~": "NOT", "^": "XOR", "!": "LNOT", "<": "LT", ">": "GT",
    "?": "CONDOP", "(": "LPAREN", ")": "RPAREN", "[": "LBRACKET", "]": "RBRACKET", "{": "LBRACE", "}": "RBRACE",
    ",": "COMMA", ".": "PERIOD", ";": "SEMI", ":": "COLON",
    "<:": "LBRACKET", ":>": "RBRACKET", "<%": "LBRACE", "%>": "RBRACE",
}  # fmt: skip

_STRINGS = {"": "STRING_LITERAL", "L": "WSTRING_LITERAL", "u8": "U8STRING_LITERAL", "u": "U16STRING_LITERAL"}
_CHARACTERS = {"": "CHAR_CONST", "L": "WCHAR_CONST", "u8": "U8CHAR_CONST", "u": "U16CHAR_CONST"}


def tokens_of(text: str, file: str, markers: Markers) -> Iterator[Token]:
    """The tokens of the text without comments, directives and markers; ParseError where there is none."""
    text = _spliced(text)
    position, line, start = 0, 1, 0  # `start`: where the line begins
    fresh = True  # whether the line has no token yet
    while position < len(text):
        match = _LEXEME.match(text, position)
        column = position - start + 1
        if match is None or match.lastgroup == "opened":
            raise _lexical_error(text, position, point(file, line, column))
        kind, lexeme = match.lastgroup or "", match.group()
        position = match.end()
        if kind == "hash":
            directive = _COMMENT.sub(" ", _SPLICE.sub("", lexeme))
            if not fresh or not _HARMLESS.match(directive):
                raise ParseError(point(file, line, column), "this # begins no directive")
            marker = _MARKER.match(directive)
            if pragma := _PRAGMA.match(directive):
                refuse_pragma(pragma["text"], Span(file, line, column, line, column + len(lexeme)))
            if marker and markers is Markers.FOLLOWED:
                line, file = int(marker["line"]) - 1, _marked_file(marker["file"]) or file
        elif kind not in ("space", "newline", "comment"):
            fresh = False
            yield _token(kind, lexeme, Span(file, line, column, line, column + len(lexeme)))
        if "\n" in lexeme:
            fresh = fresh or kind in ("newline", "comment")
            line += lexeme.count("\n")
            start = match.start() + lexeme.rfind("\n") + 1


def _spliced(text: str) -> str:
    """Tokens that go on in the next line are put together, with as many lines as before."""
    if "\\" not in text or not _SPLIT_TOKEN.search(text):
        return text
    return _CONTINUED.sub(lambda match: _SPLICE.sub("", match[0]) + "\n" * match[0].count("\n"), text)


def _lexical_error(text: str, position: int, place: Span) -> FrontendError:
    if text.startswith("/*", position):
        return ParseError(place, "this comment has no end")
    if text[position] in "\"'":
        return ParseError(place, f"missing closing {text[position]}")
    if text[position].isalpha() or _UNIVERSAL_NAME.match(text, position):
        return Unsupported(place, "names with letters outside of ASCII are not supported")
    return ParseError(place, f"illegal character {text[position]!r}")


def _marked_file(quoted: str | None) -> str | None:
    return re.sub(r"\\(.)", r"\1", quoted) if quoted else None


def _token(group: str, lexeme: str, span: Span) -> Token:
    text = _SPLICE.sub("", lexeme) if "\n" in lexeme else lexeme
    if group in ("string", "character") and "\ufffd" in text:
        raise Unsupported(span, "bytes in a literal that are no UTF-8 are not supported")
    match group:
        case "word":
            kind = "ID"
        case "sign":
            kind = _SIGNS[text]
        case "number":
            kind = next((name for name, form in _NUMBERS if form.fullmatch(text)), "")
            if not kind and _OTHER_FORMAT.fullmatch(text):
                raise Unsupported(span, f"constants of complex, decimal and wider types are not supported: {text}")
            if not kind:
                raise ParseError(span, f"malformed number {text}")
        case "string":
            kind = _STRINGS.get(text[: text.index('"')], "U32STRING_LITERAL")
        case _:
            kind = _CHARACTERS.get(text[: text.index("'")], "U32CHAR_CONST")
    return Token(kind, text, span.file, span.line, span.column, len(lexeme))


def annotations_of(text: str, file: str, markers: Markers) -> tuple[Annotation, ...]:
    """The ACSL comments of the text: `/*@ … */` and `//@ …`. Text that is no C ends the search.

    Where the text has directives, columns mean little and code may be left out: Unsupported for an annotation that
    shares a line with code, stands between `#if` and `#endif`, or in a directive.
    """
    if "/*@" not in text and "//@" not in text:
        return ()
    annotations: list[Annotation] = []
    position, line, start, code, conditions, directive = 0, 1, 0, 0, 0, 0
    while position < len(text) and (match := _LEXEME.match(text, position)) and match.lastgroup != "opened":
        lexeme, column, first = match.group(), position - start + 1, line
        position = match.end()
        if "\n" in lexeme:
            line += lexeme.count("\n")
            start = match.start() + lexeme.rfind("\n") + 1
        match match.lastgroup:
            case "hash":
                word = lexeme[1:].strip()
                conditions += word.startswith("if") - word.startswith("endif")
                _refuse_inside(lexeme, file, first, column)
                directive = code = line
            case "comment" if lexeme[2:3] == "@":
                body = lexeme[3:-2] if lexeme.startswith("/*") else lexeme[3:]
                one = Annotation(body, Span(file, first, column, line, position - start + 1))
                if markers is Markers.FOLLOWED:
                    _refuse_mixed(one, text[position:], code, conditions, directive >= first)
                annotations.append(one)
            case "space" | "comment" | "newline":
                pass
            case _:
                code = line
    return tuple(annotations)


def _refuse_inside(directive: str, file: str, line: int, column: int) -> None:
    """Unsupported for an annotation in a directive that begins there."""
    for match in _LEXEME.finditer(directive, 1):
        if match.lastgroup in ("comment", "opened") and directive.startswith("@", match.start() + 2):
            before = directive[: match.start()]
            start = column if "\n" not in before else -before.rfind("\n")
            place = point(file, line + before.count("\n"), start + match.start())
            raise Unsupported(place, "an annotation in a directive or between #if and #endif is not decided")


def _refuse_mixed(annotation: Annotation, rest: str, code: int, conditions: int, directive: bool) -> None:
    """Unsupported for an annotation whose place after preprocessing is not certain; `code` is the last line before."""
    if directive or conditions:
        raise Unsupported(annotation.span, "an annotation in a directive or between #if and #endif is not decided")
    if code == annotation.span.line or rest.partition("\n")[0].strip():
        raise Unsupported(annotation.span, "with directives in the text, an annotation must be on lines of its own")
