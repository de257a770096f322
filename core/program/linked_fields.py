"""The pointers in memory that link records."""

from __future__ import annotations

from collections.abc import Iterator

from core.program.automaton import Assign, Assume, Program
from core.program.memory import MemoryLayout
from core.terms import Term, Treatment, subterms

OTHER_OPERATORS = Treatment.OPAQUE


def linked_fields(program: Program) -> int:
    """The number of pointer fields of records in memory, and of arrays of pointers that lead on in the same array."""
    memory = program.memory
    if memory is None:
        return 0
    pointers = [array for array in memory.cells if array in memory.pointers]
    fields = sum(bool(cell.record) for array in pointers for cell in memory.cells[array])
    mixed = {array for array in pointers if not any(cell.record for cell in memory.cells[array])}
    return fields + (len(set(_leading_on(program, memory, mixed))) if mixed else 0)


def _leading_on(program: Program, memory: MemoryLayout, arrays: set[Term]) -> Iterator[Term]:
    """Those of some arrays that are accessed at addresses that were read from them."""
    terms: list[Term] = []
    loaded: dict[Term, set[Term]] = {}
    for edge in program.edges:
        if isinstance(edge.operation, Assume):
            terms.append(edge.operation.condition)
        elif isinstance(edge.operation, Assign):
            for x, value in edge.operation.updates:
                terms.append(value)
                if x in memory.pointers and value.is_select and value.args[0] in arrays:
                    loaded.setdefault(x, set()).add(value.args[0])
    for t in subterms(*terms):
        if t.is_access and t.args[0] in arrays:
            array, index = t.args[:2]
            read = (u for u in subterms(index) if u.is_select or u in loaded)
            if any(u.args[0] is array if u.is_select else array in loaded[u] for u in read):
                yield array
