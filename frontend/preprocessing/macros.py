"""Macro expansion with hide sets, in place of pcpp's.

The algorithm is that of Dave Prosser for the committee of C89: a token that comes from a macro carries the names of the
macros that it must not expand to again, and what a macro expands to is read again together with the text behind it.
pcpp reads it again without that text, and so takes `f LP 1)` for a call where `LP` is a parenthesis.

A line of the text is one token until a macro of it, or a call that goes on in it, asks for more: most lines of a header
have none, and reading them word by word would take most of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any

from pcpp.preprocessor import Preprocessor

from frontend.preprocessing.headers import Headers, Line, Macros
from frontend.preprocessing.words import Lexer, Word, merges, possible_names, words
from frontend.source import Unsupported, point

Tokens = list[Any]
LINE = "INTERPLAY_LINE"
"""The type of a token that is a line of the text."""
_DYNAMIC = ("__LINE__", "__COUNTER__")
"""Macros without a definition."""


class MacroExpansion(Preprocessor):  # type: ignore[misc]
    """pcpp with this expansion; `spent` is told all that macros are replaced by, `begins` where the text goes on."""

    def __init__(self, headers: Headers) -> None:
        self._headers = headers
        super().__init__(Lexer())
        self.macros: Macros = Macros(self.macros)
        self._inner = 0  # arguments and conditions around what is expanded: the text does not go on behind it
        self._conditions = 0
        self._last: Any = None  # the macro with parameters that the text before a directive ends with
        self._left = 0  # tokens of the text itself that are not expanded yet, or a few less

    def spent(self, tokens: Tokens) -> None:
        """Called with each replacement; may raise."""

    def begins(self, token: Any) -> None:
        """Called with the tokens of the text, and maybe with the last ones that replace a macro of it."""

    def group_lines(self, input: str, abssource: str) -> Iterator[Tokens]:
        """The lines of a text as pcpp has them; those without directives are not read yet."""
        lines = input.splitlines()
        depth = 0
        while depth < len(lines):
            first, depth = depth, depth + 1
            line = lines[first].rstrip()
            if line.endswith("\\") or line.lstrip().startswith("#"):
                while line.endswith("\\") and depth < len(lines):
                    line, depth = f"{line}\n{lines[depth].rstrip()}", depth + 1
                yield [*words(line, first + 1, abssource), Word(self.t_NEWLINE, "\n", depth, abssource)]
            elif line:
                yield [Word(LINE, line, depth, abssource), Word(self.t_NEWLINE, "\n", depth, abssource)]
            elif depth < len(lines):
                yield [Word(self.t_NEWLINE, "\n", depth, abssource)]

    def _opened(self, pending: Tokens, at: int) -> int:
        """Read the line that stands there; the position of its first token."""
        line = pending[at]
        found = list(words(line.value, line.lineno, line.source))
        pending[at : at + 1] = reversed(found)
        self._left += len(found) - 1
        return at + len(found) - 1

    def _has_macros(self, line: str) -> bool:
        names = possible_names(line)
        return not names.isdisjoint(_DYNAMIC) or self.macros.has_any(names)

    def define(self, tokens: str | Tokens) -> None:
        """Define a macro; what has the same text is the same macro."""
        text = tokens if isinstance(tokens, str) else "".join(one.value for one in tokens)
        macro = self._headers.macros.get(text)
        if macro is None:
            given = self.tokenize(tokens) if isinstance(tokens, str) else tokens
            super().define(given)
            self._headers.macros[text] = self.macros[given[0].value]
        else:
            self.macros[macro.name] = macro

    def lines(self, tokens: Iterable[Any]) -> Iterator[Line | None]:
        """The lines that tokens are; None for empty ones."""
        row = Tokens()
        for token in tokens:
            row.append(token)
            if token.value[:1] == "\n":
                yield self._line(row)
                row = Tokens()
        if row:
            yield self._line(row)

    def _line(self, row: Tokens) -> Line | None:
        """Several blanks become the last one, but where a line begins; macros do not make one word of two."""
        parts: list[str] = []
        before, gap, is_spliced = "", "", False
        for token in row:
            if token.type == self.t_LINECONT:
                is_spliced = True
                continue
            if token.type != self.t_SPACE and token.value:
                parts += (" " if not gap and merges(before, token.value) else gap, token.value)
                before, gap = token.value, ""
            elif before:
                gap = gap[:1] if is_spliced and gap else token.value
            else:
                parts.append(token.value)
            is_spliced = False
        return Line("".join(parts), row[0].lineno, row[0].source) if before else None

    def evalexpr(self, tokens: Tokens) -> Any:
        self._inner += 1
        self._conditions += 1
        try:
            return super().evalexpr(tokens)
        finally:
            self._inner -= 1
            self._conditions -= 1

    def expand_macros(self, tokens: Tokens, expanding_from: Iterable[str] = ()) -> Tokens:
        """The tokens with all macros expanded."""
        if not self._inner:
            self._refuse_interrupted(tokens)
        pending, expanded = tokens[::-1], Tokens()
        if not self._inner:
            self._left = len(pending)
        while pending:
            if pending[-1].type == LINE and self._has_macros(pending[-1].value):
                self._opened(pending, len(pending) - 1)
            token = pending.pop()
            if len(pending) < self._left and not self._inner:
                self._left = len(pending)
                self.begins(token)
            if self._conditions and token.value == "defined":
                expanded += [token, *self._operand(pending)]
                continue
            macro = self.macros.get(token.value) if token.type == self.t_ID else None
            replacement = None
            if macro is not None and token.value not in _hidden(token):
                replacement = self._replacement(token, macro, pending)
            if replacement is None:
                expanded.append(self._plain(token))
            else:
                self.spent(replacement)
                pending.extend(reversed(replacement))
        return expanded

    def _operand(self, pending: Tokens) -> Iterator[Any]:
        """The tokens that follow `defined`, up to a name, which a condition does not expand."""
        while pending and (pending[-1].type in self.t_WS or pending[-1].value == "("):
            yield pending.pop()
        if pending and pending[-1].type == self.t_ID:
            yield pending.pop()

    def _refuse_interrupted(self, tokens: Tokens) -> None:
        """A call that goes on behind a directive."""
        visible = [token for token in tokens if token.type not in self.t_WS]
        if self._last is not None and visible and visible[0].value.lstrip()[:1] == "(":
            self._refuse(self._last)
        if visible:
            self._last = None

    def _refuse(self, token: Any) -> None:
        raise Unsupported(point(self.name_of(token.source), token.lineno, 1), "a directive within a macro's arguments")

    def name_of(self, path: str) -> str:
        """The name of a file in messages."""
        return path

    def _plain(self, token: Any) -> Any:
        if token.type != self.t_ID or token.value not in _DYNAMIC:
            return token
        number = token.lineno if token.value == "__LINE__" else self.countermacro
        self.countermacro += token.value == "__COUNTER__"
        token = copy(token)
        token.type, token.value = self.t_INTEGER, self.t_INTEGER_TYPE(number)
        return token

    def _replacement(self, token: Any, macro: Any, pending: Tokens) -> Tokens | None:
        """The replacement of the macro, with the arguments that `pending` begins with; None where it is no call."""
        hidden = _hidden(token)
        if macro.arglist is None:
            body = macro.value
        else:
            end = self._end_of_call(token, pending)
            if end is None:
                return None
            hidden &= _hidden(pending[end])
            call = pending[: end - 1 if end else None : -1]
            del pending[end:]
            body = self._substituted(token, macro, call)
        hidden |= {token.value}
        return [_moved(one, token, hidden) for one in body]

    def _end_of_call(self, token: Any, pending: Tokens) -> int | None:
        """The position of the closing parenthesis; None where no parenthesis opens behind the name."""
        position = len(pending) - 1
        while position >= 0 and pending[position].type in self.t_WS:
            position -= 1
        if position >= 0 and pending[position].type == LINE and pending[position].value.lstrip().startswith("("):
            position = self._opened(pending, position)
            position -= pending[position].type in self.t_WS
        if position < 0 and not self._inner:
            self._last = token
        if position < 0 or pending[position].value != "(":
            return None
        depth = 0
        while position >= 0:
            if pending[position].type == LINE:
                position = self._opened(pending, position)
            depth += (pending[position].value == "(") - (pending[position].value == ")")
            if depth == 0:
                return position
            position -= 1
        if not self._inner:
            self._refuse(token)
        return None

    def _substituted(self, token: Any, macro: Any, call: Tokens) -> Tokens:
        """The body with the arguments of the call, which is all from behind the name to the closing parenthesis."""
        _, arguments, positions = self.collect_args(call)
        expected, given = len(macro.arglist), len(arguments)
        if macro.variadic and given >= expected - 1:
            rest = call[positions[expected - 1] : -1] if given >= expected else []
            arguments[expected - 1 :] = [self.tokenstrip(rest)]
        elif arguments == [[]] and expected <= 1:
            arguments = [[]] * expected
        elif macro.variadic or given != expected:
            self.on_error(token.source, token.lineno, f"macro {token.value} has {expected} parameters, not {given}")
        self._inner += 1
        try:
            return list(self.macro_expand_args(macro, arguments))
        finally:
            self._inner -= 1


def _hidden(token: Any) -> frozenset[str]:
    """The macros that the token is not expanded to again."""
    found: frozenset[str] = getattr(token, "hidden", frozenset())
    return found


def _moved(token: Any, to: Any, hidden: frozenset[str]) -> Any:
    moved = object.__new__(type(token))
    moved.__dict__.update(token.__dict__)  # `copy` takes three times as long, and there are many tokens
    moved.hidden = _hidden(token) | hidden
    moved.source, moved.lineno = to.source, to.lineno
    return moved
