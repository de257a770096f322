"""Variables that can take only finitely many values because of how they are assigned.

Heuristic: to track such a variable unrolls no loop, so it is worth tracking as soon as it refutes anything at all.
"""

from __future__ import annotations

from core.program import Program
from core.terms import ArraySort, Term


def finite_variables(program: Program) -> frozenset[Term]:
    """The scalars to which only constants, inputs, and other such variables are assigned."""
    assigned: dict[Term, list[Term]] = {}
    for x, value in program.assignments():
        assigned.setdefault(x, []).append(value)
    finite = {x for x in program.variables if not isinstance(x.sort, ArraySort)}
    known = finite | program.inputs.keys()
    while lost := [x for x in finite if not all(_chosen(value, known) for value in assigned.get(x, ()))]:
        finite.difference_update(lost)
        known.difference_update(lost)
    return frozenset(finite)


def _chosen(value: Term, values: set[Term]) -> bool:
    """Whether `value` is a constant or one of `values`, perhaps by choice."""
    stack = [value]
    while stack:
        t = stack.pop()
        if t.is_choice:
            stack += t.args[1:]
        elif not t.is_constant and t not in values:
            return False
    return True
