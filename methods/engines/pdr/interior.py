"""Pointers to fields (`struct node **`): how far behind the address of a record they lead, and to which variables.

A pointer variable that only leads to one field is read as the address of a record and a distance. A variable that such
a pointer may lead to, too (`pp = &head`), is read as that field of a record of its own, a *root*: it lies at a constant
address, was never allocated, and certificates count it among the nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.dataclass import dataclass
from core.program import MemoryLayout
from core.terms import Op, Term, Treatment, leaves_of_choices, subterms
from methods.engines.pdr.addresses import base_array, split
from methods.engines.pdr.universal_clauses import HeapField

OTHER_OPERATORS = Treatment.OPAQUE


@dataclass(frozen=True)
class InteriorPointers:
    """The distances that pointer variables keep from addresses of records, and what they make of variables."""

    distances: Mapping[Term, int]
    """Of pointer variables, where it is not 0."""
    fields: Mapping[Term, HeapField]
    """The fields, by their arrays, whose records the memory does not name: perhaps it holds variables, too."""
    roots: Mapping[int, int]
    """The address of the record that a variable at a constant address is read as a field of."""

    def of(self, base: Term) -> int:
        """The distance of a pointer from the address of its record."""
        return self.distances.get(base, 0)


def interior_pointers(
    memory: MemoryLayout, guards: Iterable[Term], updates: Sequence[tuple[Term, Term]], *, with_roots: bool
) -> InteriorPointers:
    """The pointers into records of a program with these guards and updates of variables.

    Lifetimes of variables are not followed: where these matter, there are no roots.
    """
    distances = _distances(memory, updates)
    constant: dict[Term, dict[int, None]] = {}
    moving: dict[Term, dict[int, None]] = {}
    for t in subterms(*guards, *(value for _, value in updates)):
        if t.is_access and base_array(t) in memory.pointers:
            base, offset = split(t.args[1])
            found = constant if base is None else moving
            distance = 0 if base is None else distances.get(base, 0)
            found.setdefault(base_array(t), {})[offset + distance] = None
    single = [x for x, offsets in moving.items() if len(offsets) == 1 and (with_roots or x not in constant)]
    fields = {x: HeapField(x, *moving[x]) for x in single if x in constant or not _is_of_records(memory, x)}
    variables = ((address, field.offset) for x, field in fields.items() for address in constant.get(x, ()))
    roots = {address: address - offset for address, offset in variables if address > offset}
    return InteriorPointers(distances, fields, roots)


def _is_of_records(memory: MemoryLayout, array: Term) -> bool:
    return any(cell.record for cell in memory.cells.get(array, ()))


def _distances(memory: MemoryLayout, updates: Sequence[tuple[Term, Term]]) -> dict[Term, int]:
    """The distance of each pointer variable: that of the first address of which it is known."""
    found: dict[Term, int] = {}
    pointers = [(x, value) for x, value in updates if x in memory.pointers and not value.is_store]
    moved = [(x, part) for x, value in pointers for part in leaves_of_choices(value)]
    changed = True
    while changed:
        changed = False
        for x, value in moved:
            distance = _distance(memory, value, found)
            if distance is not None and x not in found:
                found[x], changed = distance, True
    return {x: distance for x, distance in found.items() if distance}


def _distance(memory: MemoryLayout, address: Term, known: Mapping[Term, int]) -> int | None:
    """The distance of an address from that of its record; None where it may be any."""
    if address is memory.fresh or address.is_select:
        return 0
    if address.is_symbol:
        return known.get(address)
    if address.op is Op.LINEAR and address.coefficients == (1,):
        base = _distance(memory, address.args[0], known)
        return None if base is None else base + address.constant
    return None


__all__ = ["InteriorPointers", "interior_pointers"]
