"""Operations of a program as one line, with the names that the source has for its variables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from core.program import Assign, Assume, Call, Edge, Program
from core.program.naming import Naming, is_internal
from core.program.source import shown_function
from core.program.span import behind
from core.program.told import is_told, is_told_of, told_part, value_text
from core.terms import BOOL, Term, store_layers, to_readable_c
from interplay.presentation.formula_text import described
from interplay.presentation.run_text import bounds_in

_LARGEST = 600  # nodes of a term, as a tree
_LONGEST = 2_000  # characters of one
_UNTOLD = "…"


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
                return f"call {self._function(function)}({', '.join(texts)})"

    def _function(self, name: str) -> str:
        return name

    def variable(self, function: str, symbol: Term) -> str:
        """A variable as it is named in a function; of globals and inputs for an empty one."""
        known = self._program.functions.get(function)
        return (self._naming if known is None else self._naming.at(((), known.entry))).symbol(symbol)

    def _assignments(self, x: Term, value: Term, names: Naming) -> Iterator[str]:
        """An assignment; of elements of an array one for each, in the order in which they are set, after the others."""
        *stores, base = store_layers(value)
        is_new = not base.is_symbol
        if (base is x or is_new) and stores:
            if is_new:
                yield from self._assignment(names.symbol(x), x, base, names)
            found: dict[Term, Term] = {}
            for store in reversed(stores):
                _, index, stored = store.args
                element = self._program.arena.select(x, index)
                found.pop(element, None)  # the last value counts
                found[element] = stored
            for element, stored in found.items():
                yield from self._assignment(self._text(element, names), element, stored, names)
        else:
            yield from self._assignment(names.symbol(x), x, value, names)

    def _assignment(self, name: str, x: Term, value: Term, names: Naming) -> Iterator[str]:
        yield f"{name} := {self._value(x, value, names)}"

    def _value(self, of: Term, value: Term, names: Naming) -> str:
        """A value of a variable: of a constant its name, as `&x` or an enumerator."""
        return value_text(of, value, names, partial(self._text, names=names))

    def _text(self, term: Term, names: Naming) -> str:
        if term.is_constant and term.is_true:
            return "true"
        if term.size > _LARGEST:
            return described(term, names)
        text = to_readable_c(term, partial(bounds_in, self._program), names=names)
        return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


class SourceTexts(OperationTexts):
    """The same for people: without variables that the source has no name for, and what else cannot be told."""

    def of(self, edge: Edge) -> str:
        """An operation as one line."""
        text = super().of(edge)
        is_empty = text == "skip" and isinstance(edge.operation, Assign) and edge.operation.updates
        return "which objects are alive" if is_empty else text

    def _function(self, name: str) -> str:
        return shown_function(name)

    def _value(self, of: Term, value: Term, names: Naming) -> str:
        is_float = names.float_type(of) is not None and value not in self._program.inputs
        return _UNTOLD if is_float and not is_told_of(of, value, names) else super()._value(of, value, names)

    def _assignment(self, name: str, x: Term, value: Term, names: Naming) -> Iterator[str]:
        if name != _UNTOLD and not is_internal(name):
            yield from super()._assignment(name, x, value, names)

    def _text(self, term: Term, names: Naming) -> str:
        if term in self._program.inputs:
            return "any value"
        if term.sort is not BOOL:
            return super()._text(term, names) if is_told(term, names) else _UNTOLD
        told, left_out = told_part(self._program.arena, term, names)
        if not left_out:
            return super()._text(told, names)
        return "a condition about memory" if told.is_true else f"{super()._text(told, names)} && …"
