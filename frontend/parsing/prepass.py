"""A pass between the lexer and the parser: GNU C to plain C, token by token, so that every place in the text survives.

What means nothing for the behaviour is dropped (`__extension__`, `inline`, most attributes);
attributes that change a type and asm labels are kept aside; an assembly statement becomes a call of `__asm__`; `?:`
gets a middle operand, and `...` between numbers becomes an operator.
Limitations: an attribute is known by the declarator or the closing brace before it, or by the `struct` before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from core.dataclass import dataclass
from core.pattern import pattern
from frontend.parsing.compiler_options import LISTS
from frontend.parsing.pragmas import refuse_options, refuse_pragma
from frontend.parsing.tokens import Markers, Token, tokens_of
from frontend.source import ParseError, Span, Unsupported, point
from frontend.typed.ctype import FloatKind
from frontend.typed.promises import PROMISES, positions

DEEPEST_NESTING = 1000
"""Brackets within brackets; C asks for 63 of parentheses, and gcc's own limit is of this order."""


SAME = "?:"
"""The name that stands between the signs of `a ?: b`."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A GNU attribute: `name` without its underscores, `argument` the text between its parentheses."""

    name: str
    argument: str
    span: Span


@dataclass(frozen=True, slots=True)
class AsmLabel:
    """An asm label, as in `int f(void) __asm__("g");`: the name that the linker gives to a function or object."""

    name: str
    label: str
    span: Span


@dataclass(frozen=True, slots=True)
class Prepared:
    """The tokens of plain C. `partner` leads from each bracket to the matching one and from other tokens to themselves.

    `attributes` are by the number of the token of the declared name, or of the `struct` or `union`.
    `no_return` names the functions that are declared never to return, `inline` those that are declared `inline`, `weak`
    what other definitions may replace; `labels` are those of declarations.
    """

    file: str
    tokens: Sequence[Token]
    partner: Sequence[int]
    attributes: Mapping[int, Sequence[Attribute]]
    no_return: frozenset[str] = frozenset()
    labels: Sequence[AsmLabel] = ()
    inline: frozenset[str] = frozenset()
    weak: frozenset[str] = frozenset()
    maybe_absent: frozenset[str] = frozenset()
    """Words of weak declarations: what they name has no address, where no other file defines it."""
    nonnull: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The parameters of functions that are never null: from 1, 0 for all that are pointers, -1 for the result."""
    restricted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The parameters that are `restrict` of functions with a body; empty names stand for anything else that is."""
    has_volatile: bool = False
    """Whether anything is `volatile`."""

    def span(self, first: int, last: int) -> Span:
        """From the beginning of one token to the end of another; of the first alone where macros mixed the places."""
        if not self.tokens:
            return point(self.file, 1, 1)
        begin, end = self.tokens[min(first, len(self.tokens) - 1)], self.tokens[min(last, len(self.tokens) - 1)]
        if (end.file, end.line, end.column) < (begin.file, begin.line, begin.column) or end.file != begin.file:
            end = begin
        return Span(begin.file, begin.line, begin.column, end.line, end.column + end.width)


_PLAIN = (
    "auto break case char const continue default do double else enum extern float for goto if int long register return "
    "short signed sizeof static struct switch typedef union unsigned void volatile while offsetof __int128 "
    "__builtin_va_arg _Bool _Complex _Generic _Static_assert _Thread_local _Atomic _Alignof _Alignas"
)
_KEYWORDS = {word: word.upper() for word in _PLAIN.split()} | {
    "__const": "CONST",
    "__const__": "CONST",
    "__volatile": "VOLATILE",
    "__volatile__": "VOLATILE",
    "__signed": "SIGNED",
    "__signed__": "SIGNED",
    "__thread": "_THREAD_LOCAL",
    "typeof": "TYPEOF",
    "__typeof": "TYPEOF",
    "__typeof__": "TYPEOF",
    "__alignof": "_ALIGNOF",
    "__alignof__": "_ALIGNOF",
    "__builtin_offsetof": "OFFSETOF",
    "__complex": "_COMPLEX",
    "__complex__": "_COMPLEX",
    "__int128_t": "__INT128",
}
_SPELLINGS = {word.upper(): word for word in _PLAIN.split()}
_RESTRICT = frozenset(("restrict", "__restrict", "__restrict__"))
_VOLATILE = frozenset(("volatile", "__volatile", "__volatile__"))
_DROPPED = frozenset(("__extension__", *_RESTRICT))
_QUALIFIERS = frozenset((*_RESTRICT, *_VOLATILE, "const", "__const", "__const__"))
_COMPLEX_PARTS = frozenset(("__real", "__real__", "__imag", "__imag__"))
"""Operators of GNU C, which before a bracket would be taken for functions."""
_QUANTIFIERS = frozenset(("__CPROVER_forall", "__CPROVER_exists"))
"""Of CBMC: `__CPROVER_forall { int i; A ==> B }` becomes `__CPROVER_forall(({ int i; !(A) || (B); }))`."""
_INLINE = frozenset(("inline", "__inline", "__inline__"))
_NO_RETURN = frozenset(("_Noreturn", "__noreturn__"))
_ATTRIBUTE = frozenset(("__attribute__", "__attribute"))
_BARRIER = pattern(r'"" (?:: (?:"\+r" \( \w+ \) )?(?:: (?:"r" \( \w+ \) )?(?:: (?:"memory" )?)?)?)?')
"""Assembly without instructions, whose result is what it was: it hides a value from compilers or keeps them from moving
code, and does nothing else."""
_ASSEMBLY = frozenset(("asm", "__asm", "__asm__"))
_ASSEMBLY_WORDS = _DROPPED | _VOLATILE | _INLINE | {"goto"}
_TYPE_CHANGING = frozenset(("mode", "packed", "aligned", "vector_size"))
_UNSEEN = ("constructor", "destructor", "cleanup", "alias", "weakref", "ifunc", "naked")
_LAID_OUT = ("scalar_storage_order", "ms_struct", "hardbool", "copy")
_REFUSED = frozenset((*_UNSEEN, *_LAID_OUT))
"""Attributes by which code runs without being called where the text says so, and by which objects are laid out as no
other text says: no verdict may pass them over.
"""
_DATA_SECTION = pattern(
    r"(?!\.(?:init|fini|(?:preinit|init|fini)_array(?:\..*)?|[cd]tors(?:\..*)?)$)[\w.$+-]+", re.ASCII
)
"""Names of sections that only say where something lies: all but those with code that runs before or after main."""
_RECORD_WORDS = frozenset(("struct", "union", "enum"))
_RECORDS = frozenset(word.upper() for word in _RECORD_WORDS)
_OPENING = {"LPAREN": "RPAREN", "LBRACKET": "RBRACKET", "LBRACE": "RBRACE"}
_CLOSING = frozenset(_OPENING.values())
FLOATING_TYPES = {
    "_Float32": FloatKind.FLOAT,
    "_Float64": FloatKind.DOUBLE,
    "_Float32x": FloatKind.DOUBLE,
    "_Float64x": FloatKind.LONG_DOUBLE,
    "_Float128": FloatKind.LONG_DOUBLE,
    "__float128": FloatKind.LONG_DOUBLE,
}
"""Types of GNU C, with the kinds that have their sizes on x86-64."""
REFUSED_TYPES = frozenset(("_Decimal32", "_Decimal64", "_Decimal128", "_Float16", "__bf16"))
_BUILTIN_TYPES = frozenset(("__builtin_va_list", "__CPROVER_size_t", "__CPROVER_bool", *FLOATING_TYPES, *REFUSED_TYPES))


def prepare(tokens: Iterable[Token], file: str) -> Prepared:
    """Convert tokens of GNU C to plain C; ParseError for brackets that do not match or nest too deeply."""
    work = _Pass(file, list(tokens))
    for name in sorted(_BUILTIN_TYPES & {token.text for token in work.source}):
        work.declare_builtin_type(name)
    while work.position < len(work.source):
        work.step()
    if work.open:
        token = work.tokens[work.open[-1]]
        raise ParseError(point(token.file, token.line, token.column), f"this {token.text!r} is never closed")
    return Prepared(
        file,
        work.tokens,
        work.partner,
        work.attributes,
        frozenset(work.no_return),
        work.labels,
        frozenset(work.inline),
        frozenset(work.weak),
        frozenset(work.maybe_absent),
        work.nonnull,
        work.restricted,
        work.has_volatile,
    )


@dataclass(slots=True)
class _Pass:
    """The pass over one unit: `source` is read from `position` on, plain tokens are appended to `tokens`."""

    file: str
    source: list[Token]
    position: int = 0
    tokens: list[Token] = field(default_factory=list)
    partner: list[int] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    attributes: dict[int, list[Attribute]] = field(default_factory=dict)
    no_return: set[str] = field(default_factory=set)
    inline: set[str] = field(default_factory=set)
    weak: set[str] = field(default_factory=set)
    maybe_absent: set[str] = field(default_factory=set)
    nonnull: dict[str, tuple[int, ...]] = field(default_factory=dict)
    restricted: dict[str, tuple[str, ...]] = field(default_factory=dict)
    has_volatile: bool = False
    declaration: int = 0
    """The first token of the declaration of the file that is being read."""
    labels: list[AsmLabel] = field(default_factory=list)
    never_returns: bool = False
    """Whether it says that what it declares never returns."""
    is_inline: bool = False
    never_null: tuple[int, ...] = ()
    """Positions that are declared never to be null (`nonnull`)."""
    restrict_names: tuple[str, ...] = ()
    """Parameters that are declared `restrict` (`restricted`)."""

    def declare_builtin_type(self, name: str) -> None:
        kinds = (("TYPEDEF", "typedef"), ("INT", "int"), ("ID", name), ("SEMI", ";"))
        for kind, text in kinds:
            self.emit(Token(kind, text, self.file, 1, 1, 0))

    def step(self) -> None:
        token = self.source[self.position]
        self.position += 1
        if token.kind != "ID":
            self.sign(token)
        elif token.text in _DROPPED:
            if token.text in _RESTRICT:
                self.restrict()
        elif token.text in _INLINE:
            self.is_inline = self.is_inline or not self.open
        elif token.text in _NO_RETURN:
            self.never_returns = self.never_returns or not self.open
        elif token.text in _ATTRIBUTE:
            self.attribute(token)
        elif token.text in _ASSEMBLY:
            self.assembly(token)
        elif token.text == "__label__":
            raise Unsupported(self.place(token), "declarations of labels are not supported")
        elif token.text in _COMPLEX_PARTS:
            raise Unsupported(self.place(token), f"complex numbers are not supported: {token.text}")
        elif token.text == "_Pragma":
            refuse_pragma("".join(one.text.lstrip("uUL8").strip('"') for one in self.group(token)), self.place(token))
        elif token.text in _QUANTIFIERS and self.source[self.position : self.position + 1]:
            self.quantifier(token)
        elif token.text == "__auto_type":
            for kind, text in (("TYPEOF", "typeof"), ("LPAREN", "("), ("ID", token.text), ("RPAREN", ")")):
                self.insert(kind, text, token)
        elif token.text == "__uint128_t":
            self.emit(Token("UNSIGNED", "unsigned", token.file, token.line, token.column, token.width))
            self.emit(Token("__INT128", "__int128", token.file, token.line, token.column, token.width))
        else:
            self.word(token)

    def restrict(self) -> None:
        """Note a pointer that is `restrict`. As a parameter it means nothing where no body follows (C11 6.7.6.3)."""
        self.restrict_names += (self.restricted_parameter(),)
        around = {self.tokens[number].kind for number in self.open}
        is_declarator = [one.kind for one in self.tokens[-2:]] == ["LPAREN", "TIMES"]
        is_in_body = "LBRACE" in around and self.is_function_body(self.open[0])
        if not is_in_body and ("LPAREN" not in around or is_declarator):
            self.restricted[""] = ()

    def restricted_parameter(self) -> str:
        """The parameter that is `restrict` here; empty where it is not one of the function that is declared."""
        brackets = [self.tokens[number].kind for number in self.open]
        if brackets == ["LPAREN", "LBRACKET"]:
            return self.tokens[self.open[-1] - 1].text
        words = (one for one in self.source[self.position :] if one.text not in _QUALIFIERS)
        name = next(words, None) if brackets == ["LPAREN"] else None
        return name.text if name is not None and name.kind == "ID" else ""

    def is_function_body(self, brace: int) -> bool:
        return brace > 0 and self.tokens[brace].kind == "LBRACE" and self.tokens[brace - 1].kind == "RPAREN"

    def quantifier(self, word: Token) -> None:
        """`A ==> B` is no operator of C; a body that has it elsewhere, or binds several variables, is left out."""
        start = self.position
        inner = self.group(word)
        ends = [place for place, one in enumerate(inner) if one.kind == "SEMI"]
        arrows = [place for place in range(len(inner)) if _is_arrow(inner[place : place + 2])]
        body: list[Token] = []
        if len(ends) == 1 and len(arrows) <= 1 and all(_is_outside(inner[:place]) for place in arrows):
            between, arrow = ends[0] + 1, arrows[0] if arrows else 0
            left, right = (inner[between:arrow], inner[arrow + 2 :]) if arrows else ([], inner[between:])
            claim = [*_made("!(", word), *left, *_made(") || (", word)] if arrows else _made("(", word)
            body = [*_made("({", word), *inner[:between], *claim, *right, *_made("); })", word)]
        self.source[start : self.position] = [*_made("(", word), *body, *_made(")", word)]
        self.position = start
        self.emit(word)

    def sign(self, token: Token) -> None:
        """`a ?: b` gets a middle, `[1 ... 2]` an operator of the least precedence, and `[[…]]` is an attribute."""
        follows = self.source[self.position].kind if self.position < len(self.source) else ""
        if token.kind == "LBRACKET" and follows == "LBRACKET":
            self.position -= 1
            inner = self.group(token)
            self.attributes_among(inner, self.place(token))
            return
        around = self.tokens[self.open[-1]].kind if self.open else ""
        if token.kind == "ELLIPSIS" and around in ("LBRACKET", "LBRACE"):
            token = replace(token, kind="LOR")
        self.emit(token)
        if token.kind == "CONDOP" and follows == "COLON":
            self.insert("ID", SAME, token)

    def insert(self, kind: str, text: str, where: Token) -> None:
        """Append a token that the text does not have."""
        self.emit(replace(where, kind=kind, text=text, width=0))

    def place(self, token: Token) -> Span:
        return Span(token.file, token.line, token.column, token.line, token.column + token.width)

    def word(self, token: Token) -> None:
        kind = _KEYWORDS.get(token.text)
        self.has_volatile |= kind == "VOLATILE"
        before = self.tokens[-1] if self.tokens else token
        if token.text in FLOATING_TYPES and before.kind == "_COMPLEX":
            self.tokens[-1] = token  # the name of a type comes first for the parser
            self.emit(before)
        elif kind is None:
            self.emit(token)
        else:
            # gcc's own word asks for another alignment than C's, so that one stays as it is.
            text = token.text if token.text.startswith("__alignof") else _SPELLINGS.get(kind, token.text)
            self.emit(Token(kind, text, token.file, token.line, token.column, token.width))

    def emit(self, token: Token) -> None:
        index = len(self.tokens)
        self.tokens.append(token)
        self.partner.append(index)
        if token.kind in _OPENING:
            self.open.append(index)
            if len(self.open) > DEEPEST_NESTING:
                raise ParseError(point(token.file, token.line, token.column), "nested too deeply")
        elif token.kind in _CLOSING:
            if not self.open or _OPENING[self.tokens[self.open[-1]].kind] != token.kind:
                raise ParseError(point(token.file, token.line, token.column), f"unexpected {token.text!r}")
            other = self.open.pop()
            self.partner[index], self.partner[other] = other, index
        if not self.open and token.kind in ("SEMI", "RBRACE"):
            self.end_declaration()

    def end_declaration(self) -> None:
        """Note what is inline, or never returns."""
        outside, place = list[int](), self.declaration
        while place < len(self.tokens):
            outside.append(place)
            place = self.partner[place] + 1
        kinds = [self.tokens[number].kind for number in outside]
        called = [number for number, after in zip(outside, kinds[1:], strict=False) if after == "LPAREN"]
        names = [self.tokens[number].text for number in called if self.tokens[number].kind == "ID"]
        if self.never_returns:
            self.no_return.update(names)
        if self.is_inline:
            self.inline.update(names)
        for name in names if self.never_null else ():
            self.nonnull[name] = (*self.nonnull.get(name, ()), *self.never_null)
        for name in (names or [""]) if self.restrict_names and kinds[-1] == "LBRACE" else ():
            self.restricted[name] = (*self.restricted.get(name, ()), *self.restrict_names)
        if kinds[-1] == "SEMI" or "LPAREN" in kinds:
            self.declaration, self.never_returns, self.is_inline = len(self.tokens), False, False
            self.restrict_names, self.never_null = (), ()

    def group(self, word: Token) -> list[Token]:
        """The tokens between the parentheses that follow here, which are passed over."""
        start = self.position
        depth = 0
        for place in range(start, len(self.source)):
            kind = self.source[place].kind
            depth += (kind in _OPENING) - (kind in _CLOSING)
            if depth == 0:
                if place == start:
                    break
                self.position = place + 1
                return self.source[start + 1 : place]
        raise ParseError(point(word.file, word.line, word.column), f"expected '(…)' after {word.text!r}")

    def attribute(self, word: Token) -> None:
        start = self.position - 1
        inner = self.group(word)
        changes = any(one.kind == "ID" and one.text.strip("_") in _TYPE_CHANGING | PROMISES for one in inner)
        if changes and self.among_specifiers():
            for place in reversed(list(self.ends_of_declarators())):
                self.source[place:place] = self.source[start : start + len(inner) + 3]
        else:
            self.attributes_among(inner, self.place(word))

    def among_specifiers(self) -> bool:
        """Whether an attribute here stands before the declarators that it is about."""
        last = len(self.tokens) - 1
        kind = self.tokens[last].kind if last >= 0 else "SEMI"
        if kind == "RBRACE":
            last = self.partner[last] - 1
            return not any(one.kind in _RECORDS for one in self.tokens[max(last - 1, 0) : last + 1])
        if kind in _RECORDS | {"RPAREN", "RBRACKET", "TIMES"}:
            return False
        if kind in ("SEMI", "LBRACE", "COMMA", "LPAREN", "COLON"):
            return True
        place = self.position
        while place < len(self.source) and self.source[place].text in _ATTRIBUTE | _ASSEMBLY | _DROPPED | _VOLATILE:
            place = self.behind_group(place + 1)
        return place < len(self.source) and self.source[place].kind in ("ID", "TIMES", "LPAREN")

    def behind_group(self, place: int) -> int:
        """The place in the text behind the brackets that open there; the place itself where none do."""
        depth = 0
        for position in range(place, len(self.source)):
            kind = self.source[position].kind
            depth += (kind in _OPENING) - (kind in _CLOSING)
            if depth == 0:
                return position + 1 if kind in _CLOSING else place
        return place

    def ends_of_declarators(self) -> Iterator[int]:
        """The places in the text behind the declarators that follow: one in a list of parameters, else of all."""
        several = bool(self.tokens) and self.tokens[-1].kind not in ("COMMA", "LPAREN")
        place, before, is_open = self.position, "", True
        while place < len(self.source):
            kind = self.source[place].kind
            if kind == "LBRACE" and any(one.text in _RECORD_WORDS for one in self.source[place - 2 : place]):
                place, before = self.behind_group(place), "RBRACE"
                continue
            if kind in ("SEMI", "COMMA", "EQUALS", "COLON", "LBRACE", *_CLOSING):
                if is_open and before != "RBRACE":  # else nothing is declared
                    yield place
                is_open = kind == "COMMA"
                if kind in ("SEMI", "LBRACE", *_CLOSING) or (is_open and not several):
                    return
            before, behind = kind, self.behind_group(place)
            place = behind if behind > place else place + 1

    def attributes_among(self, inner: Sequence[Token], span: Span) -> None:
        for place, token in enumerate(inner):
            name = token.text.strip("_")
            follows = inner[place + 1 : place + 2]
            argument = _argument(inner, place + 1) if follows and follows[0].kind == "LPAREN" else ""
            if token.kind == "ID" and name in PROMISES and not self.open:
                self.promised(name, argument)
            runs = name == "section" and not _DATA_SECTION.fullmatch(argument.replace('"', "").replace(" ", ""))
            if token.kind == "ID" and (name in _REFUSED or runs):
                raise Unsupported(span, f"attribute {name!r} is not supported")
            if token.kind == "ID" and name in LISTS:
                refuse_options(name, argument, span)
            if token.kind == "ID" and name == "weak":
                kept = self.weak if self.defines() else self.maybe_absent
                kept.update(self.words_of_declaration())
            if token.kind == "ID" and name in _TYPE_CHANGING | PROMISES:
                self.attributes.setdefault(self.attributed(), []).append(Attribute(name, argument, span))

    def promised(self, name: str, argument: str) -> None:
        """Note what an attribute says of the function that is declared before it, or else in this declaration."""
        places = positions(argument) if name == "nonnull" else (-1,)
        declared = self.tokens[max(self.attributed(), 0) :][:2]
        kinds = [one.kind for one in declared]
        if kinds[:1] != ["ID"]:
            self.never_returns |= name == "noreturn"
            self.never_null += () if name == "noreturn" else places
        elif kinds == ["ID", "LPAREN"] and name == "noreturn":
            self.no_return.add(declared[0].text)
        elif kinds == ["ID", "LPAREN"]:
            self.nonnull[declared[0].text] = (*self.nonnull.get(declared[0].text, ()), *places)

    def words_of_declaration(self) -> Iterator[str]:
        """The names in the declaration that goes on here, up to its body, initialiser or end."""
        yield from (one.text for one in self.tokens[self.declaration :] if one.kind == "ID")
        for token in self.source[self.position :]:
            if token.kind in ("SEMI", "EQUALS", "LBRACE"):
                return
            if token.kind == "ID":
                yield token.text

    def defines(self) -> bool:
        """Whether the declaration that goes on here has a body or an initialiser."""
        depth = 0
        for token in self.source[self.position :]:
            if depth == 0 and token.kind in ("SEMI", "EQUALS", "LBRACE"):
                return token.kind != "SEMI"
            depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
        return False

    def attributed(self) -> int:
        """The token that an attribute here belongs to."""
        last = len(self.tokens) - 1
        if last >= 0 and self.tokens[last].kind == "RBRACE":
            last = self.partner[last] - 1
            return last - 1 if last >= 1 and self.tokens[last].kind == "ID" else last
        while last >= 1 and self.tokens[last].kind in ("RBRACKET", "RPAREN"):
            before = self.partner[last] - 1
            is_suffix = before < 0 or self.tokens[before].kind in ("ID", "RBRACKET", "RPAREN")
            last = before if is_suffix else last - 1  # a declarator in parentheses
        before = last - 1 if last >= 0 and self.tokens[last].kind.endswith("CONST_DEC") else -1
        return before - 1 if before >= 1 and self.tokens[before].kind == "COLON" else last  # the width of a bit-field

    def assembly(self, word: Token) -> None:
        """A label of a declaration is kept aside, a statement becomes a call of `__asm__`."""
        statement = self.at_statement()
        while self.position < len(self.source) and self.source[self.position].text in _ASSEMBLY_WORDS:
            self.position += 1
        inner = self.group(word)
        if not self.open and (not self.tokens or self.tokens[-1].kind in ("SEMI", "RBRACE")):
            place = point(word.file, word.line, word.column)
            raise Unsupported(place, "assembly outside of functions is not supported")
        if not statement:
            self.label(inner, self.place(word))
            return
        if _is_barrier(inner):
            return  # what is left is an empty statement
        text = " ".join(token.text for token in inner).replace("\\", "\\\\").replace('"', '\\"')
        self.emit(Token("ID", "__asm__", word.file, word.line, word.column, word.width))
        for kind, part in (("LPAREN", "("), ("STRING_LITERAL", f'"{text}"'), ("RPAREN", ")")):
            self.emit(Token(kind, part, word.file, word.line, word.column + word.width, 0))

    def label(self, inner: Sequence[Token], span: Span) -> None:
        """A name for the linker, or a register: of a variable in a function, or of one declared so."""
        outside = [one.kind for one in self.tokens[self.declaration :]]
        if self.open or "REGISTER" in outside:
            raise Unsupported(span, "variables in registers of choice are not supported")
        name = self.tokens[self.attributed()].text
        self.labels.append(AsmLabel(name, "".join(one.text.strip('"') for one in inner), span))

    def at_statement(self) -> bool:
        if not any(self.tokens[number].kind == "LBRACE" for number in self.open):
            return False
        last = self.tokens[-1]
        if last.kind == "RPAREN":
            before = self.partner[len(self.tokens) - 1] - 1
            return before >= 0 and self.tokens[before].kind in ("IF", "WHILE", "FOR", "SWITCH")
        return last.kind in ("LBRACE", "RBRACE", "SEMI", "COLON", "ELSE", "DO")


def _is_barrier(assembly: Sequence[Token]) -> bool:
    return _BARRIER.fullmatch(" ".join(token.text for token in assembly) + " ") is not None


def _argument(tokens: Sequence[Token], opening: int) -> str:
    depth, words = 0, []
    for token in tokens[opening:]:
        depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
        if depth == 0:
            break
        words.append(token.text)
    return " ".join(words[1:])


def _is_arrow(pair: Sequence[Token]) -> bool:
    """Whether two tokens are the `==>` of CBMC."""
    return [one.text for one in pair] == ["==", ">"] and pair[0].column + 2 == pair[1].column


def _is_outside(tokens: Sequence[Token]) -> bool:
    """Whether no bracket is open behind the tokens."""
    return sum((one.kind in _OPENING) - (one.kind in _CLOSING) for one in tokens) == 0


def _made(text: str, where: Token) -> list[Token]:
    """Tokens that the text of the program does not have."""
    found = tokens_of(text, where.file, Markers.IGNORED)
    return [replace(one, line=where.line, column=where.column, width=0) for one in found]
