"""Operations of a program as one line, with the names that the source has for its variables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from core.program import Assign, Assume, Call, Edge, Program
from core.program.naming import SYMBOL, Naming
from core.program.span import behind
from core.terms import INT, Op, Term, store_layers, to_readable_c
from interplay.presentation.formula import described
from interplay.presentation.text import bounds_in

_LARGEST = 600  # nodes of a term, as a tree
_LONGEST = 2_000  # characters of one


class OperationTexts:
    """The operations of the edges of one program as text."""

    def __init__(self, program: Program) -> None:
        self._program, self._naming = program, Naming(program)

    def of(self, edge: Edge) -> str:
        """An operation as one line. Several assignments separated by semicolons are simultaneous."""
        names = self._naming.at(((), edge.source), behind(edge.span))
        match edge.operation:
            case Assume(condition):
                return f"assume {self._text(condition, names)}"
            case Assign(updates):
                return "; ".join(one for x, value in updates for one in self._assignments(x, value, names)) or "skip"
            case Call(function, arguments):
                parameters = self._program.functions[function].parameters
                texts = (self._value(x, value, names) for x, value in zip(parameters, arguments, strict=False))
                return f"call {function}({', '.join(texts)})"

    def variable(self, function: str, symbol: Term) -> str:
        """A variable as it is named in a function; of globals and inputs for an empty one."""
        known = self._program.functions.get(function)
        return (self._naming if known is None else self._naming.at(((), known.entry))).symbol(symbol)

    def _assignments(self, x: Term, value: Term, names: Naming) -> Iterator[str]:
        """An assignment; of elements of an array one for each, in the order in which they are set."""
        *stores, base = store_layers(value)
        if base is x and stores:
            found: dict[Term, Term] = {}
            for store in reversed(stores):
                _, index, stored = store.args
                element = self._program.arena.select(x, index)
                found.pop(element, None)  # the last value counts
                found[element] = stored
            for element, stored in found.items():
                yield f"{self._text(element, names)} := {self._value(element, stored, names)}"
        else:
            yield f"{names.symbol(x)} := {self._value(x, value, names)}"

    def _value(self, of: Term, value: Term, names: Naming) -> str:
        """A value of a variable: of a constant its name, as `&x` or an enumerator."""
        is_number = value.op is Op.CONSTANT and value.sort is INT
        return (names.value(of, value.value) if is_number else None) or self._text(value, names)

    def _text(self, term: Term, names: Naming) -> str:
        if term.op is Op.CONSTANT and term.is_true:
            return "true"
        if term.size > _LARGEST:
            return described(term, names)
        text = to_readable_c(term, partial(bounds_in, self._program), names=names)
        return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


class SourceTexts(OperationTexts):
    """The same, without assignments to variables that the source has no name for."""

    def of(self, edge: Edge) -> str:
        """An operation as one line."""
        if not isinstance(edge.operation, Assign):
            return super().of(edge)
        names = self._naming.at(((), edge.source), behind(edge.span))
        updates = edge.operation.updates
        named = [(x, value) for x, value in updates if not names.symbol(x).startswith((SYMBOL, "\\"))]
        texts = [one for x, value in named for one in self._assignments(x, value, names)]
        return "; ".join(texts) or ("which objects are alive" if len(named) < len(updates) else "skip")
