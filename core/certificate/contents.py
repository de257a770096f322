"""Arrays of an unrolling, element by element, as the check of a complete unrolling reads and writes them.

A *handle* is a symbol that stands for an array with known elements: `base`, changed at constant indices. Handles occur
as values of variables and of elements, and never in a formula.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.certificate.numbers import NumberSet
from core.dataclass import dataclass
from core.terms import Arena, ArraySort, Op, Term, Treatment

OTHER_OPERATORS = Treatment.EXACT


@dataclass(frozen=True, slots=True)
class ArrayContents:
    """An array: `elements` at constant indices, all others as in `base`, which has no handle."""

    base: Term
    elements: Mapping[int, Term]


class Arrays:
    """The contents of handles."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._contents: dict[Term, ArrayContents] = {}

    def of(self, array: Term) -> ArrayContents:
        """The contents of an array: a handle, or a term."""
        found = self._contents.get(array)
        if found is not None:
            return found
        written: dict[int, Term] = {}
        while array.op is Op.STORE and array.args[1].op is Op.CONSTANT:
            array, index, value = array.args
            written.setdefault(index.value, value)
            if array in self._contents:
                below = self._contents[array]
                return ArrayContents(below.base, {**below.elements, **written})
        return ArrayContents(array, written)

    def handle(self, base: Term, elements: Mapping[int, Term]) -> Term:
        """An array with these contents."""
        if not elements:
            return base
        symbol = self._arena.fresh("array", base.sort)
        self._contents[symbol] = ArrayContents(base, elements)
        return symbol

    def term(self, value: Term) -> Term:
        """A value without handles."""
        if not isinstance(value.sort, ArraySort):
            return value
        contents = self.of(value)
        result = contents.base
        for index, element in sorted(contents.elements.items()):
            result = self._arena.store(result, self._arena.integer(index), self.term(element))
        return result

    def element(self, contents: ArrayContents, index: int) -> Term:
        found = contents.elements.get(index)
        return self._arena.select(contents.base, self._arena.integer(index)) if found is None else found

    def select(self, array: Term, index: Term, numbers: NumberSet | None) -> Term:
        """The element of an array at an index that is one of `numbers` (None: any)."""
        contents = self.of(array)
        if numbers is None:
            value, others = self._arena.select(contents.base, index), list(contents.elements)
        else:
            last, *others = sorted(numbers)
            value = self.element(contents, last)
        for one in others:
            same = self._arena.equals(index, self._arena.integer(one))
            value = self.choice(same, self.element(contents, one), value)
        return value

    def store(self, array: Term, index: Term, value: Term, numbers: NumberSet | None) -> Term:
        """The array with another element at an index that is one of `numbers` (None: any)."""
        if numbers is None:
            return self._arena.store(self.term(array), index, self.term(value))
        contents = self.of(array)
        elements = dict(contents.elements)
        for one in sorted(numbers):
            same = self._arena.equals(index, self._arena.integer(one)) if len(numbers) > 1 else self._arena.true
            elements[one] = self.choice(same, value, self.element(contents, one))
        return self.handle(contents.base, elements)

    def choice(self, condition: Term, one: Term, other: Term) -> Term:
        """One value where a condition holds, else the other."""
        if not isinstance(one.sort, ArraySort) or one is other or condition.op is Op.CONSTANT:
            return self._arena.ite(condition, one, other)
        a, b = self.of(one), self.of(other)
        if a.base is not b.base:
            return self._arena.ite(condition, self.term(one), self.term(other))
        elements = {
            index: self.choice(condition, self.element(a, index), self.element(b, index)) for index in indices((a, b))
        }
        return self.handle(a.base, elements)


def indices(arrays: Sequence[ArrayContents]) -> list[int]:
    """The indices at which some of the arrays differ from their bases."""
    return list(dict.fromkeys(index for one in arrays for index in one.elements))
