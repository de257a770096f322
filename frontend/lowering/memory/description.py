"""The description of the memory of a lowered program: regions as fields of records, variables with addresses."""

from __future__ import annotations

from collections.abc import Iterator

from core.program import Cell, LifetimeVariables, MemoryLayout
from frontend.lowering.checks.object_states import BLOCK
from frontend.lowering.checks.written_marks import Assigned
from frontend.lowering.memory.addresses import HEAP, MemoryModel
from frontend.lowering.memory.regions import Regions
from frontend.lowering.pointsto.classes import FieldKey
from frontend.lowering.storage import Variables
from frontend.typed.leaves import field_type


def describe_memory(memory: MemoryModel, variables: Variables, assigned: Assigned | None) -> MemoryLayout | None:
    """The description of `memory`; None for a program without it, or one that computes with addresses as numbers.

    The marks of a region, which say what has a value, lie where its scalars lie.
    """
    if not variables.has(HEAP) or memory.regions.uses_numbers:
        return None
    cells = {
        variables.named(region.name): tuple(_cells(memory.regions, key))
        for region, key in memory.regions.keyed()
        if variables.has(region.name) and not region.split
    }
    if assigned is not None:
        cells.update({one: found for array, found in cells.items() if (one := assigned.region(array.name)) is not None})
    lifetimes = None
    bookkeeping = {memory.heap}
    if memory.lives is not None:
        lives = memory.lives
        lifetimes = LifetimeVariables(BLOCK, lives.sizes, lives.releasable, lives.count)
        bookkeeping |= {lives.sizes, lives.releasable, lives.count}
    pointers = frozenset(variables.addresses) - bookkeeping
    return MemoryLayout(cells, pointers, memory.heap, memory.fresh, lifetimes)


def _cells(regions: Regions, key: FieldKey) -> Iterator[Cell]:
    if key is None:
        yield Cell("", "", 0)
        return
    record, name = key
    member = next(one for one in record.layout.fields if one.name == name)
    for cell in regions.cells(field_type(member), key, offset=member.offset):
        if cell.key == key:
            for offset in cell.offsets():
                yield Cell(record.tag, name, offset)
