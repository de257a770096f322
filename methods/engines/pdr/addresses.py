"""Addresses and accesses of memory as terms: a pointer and a distance, and the array that is meant."""

from __future__ import annotations

from core.program.span import Span
from core.terms import Term, Treatment

OTHER_OPERATORS = Treatment.OPAQUE


class NotExpressible(Exception):
    """The program does what the vocabulary has no words for, at `span` where that is known."""

    def __init__(self, text: str, span: Span | None = None) -> None:
        super().__init__(text)
        self.span = span


def split(address: Term) -> tuple[Term | None, int]:
    """A pointer and a number of bytes whose sum an address is; no pointer where it is constant."""
    if address.is_constant:
        return None, address.value
    if address.is_sum:
        if address.coefficients != (1,):
            raise NotExpressible("an address is computed from several numbers")
        return address.args[0], address.constant
    return address, 0


def base_array(t: Term) -> Term:
    """The array that a term reads, or writes in the end."""
    array = t.args[0]
    while array.is_store:
        array = array.args[0]
    return array
