"""Lifetimes of objects as numbers in fields of nodes.

The lowering keeps the bytes of living objects, and which of them may be released, in arrays over the numbers of blocks.
An allocation takes a block to itself, so a node is the start of a block, and what the arrays say of the block is a
number in a field of the node. That nodes are starts of blocks is part of certificates (`facts`), and checked there.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.program import MemoryLayout
from core.terms import INT, Arena, Op, Term, Treatment, rebuild, subterms

OTHER_OPERATORS = Treatment.EXACT


class BlockArrays:
    """The arrays about lifetimes of a program with `memory`; none where lifetimes are not checked."""

    def __init__(self, arena: Arena, memory: MemoryLayout) -> None:
        lives = memory.lifetimes
        self._arena, self._memory = arena, memory
        self._block = 0 if lives is None else lives.block
        self.arrays: tuple[Term, ...] = () if lives is None else (lives.sizes, lives.releasable)

    def address(self, address: Term) -> Term | None:
        """An address in the block of this number; None where the term does not show one."""
        if address is self._memory.counter:
            return self._memory.fresh
        return address.args[0] if address.op is Op.DIVIDE and self._is_block(address.args[1]) else None

    def is_offset(self, t: Term) -> bool:
        """Whether a term is the distance of an address from the start of its block."""
        return t.op is Op.MODULO and self._is_block(t.args[1])

    def _is_block(self, t: Term) -> bool:
        return t.is_constant and t.value == self._block != 0

    def number(self, address: int) -> int:
        """The number of the block of an address."""
        return address // self._block

    def offset(self, distance: int) -> Term:
        """The offset of what is `distance` bytes behind the start of a block."""
        return self._arena.integer(distance % self._block)

    def at_nodes(self, formula: Term) -> Term:
        """A formula where the pointers in it are null or nodes: their offsets are known."""
        if not self.arrays:
            return formula
        found: dict[Term, Term] = {}
        for t in subterms(formula):
            address = t.args[0] if self.is_offset(t) else None
            if address is not None and (not address.is_sum or address.coefficients == (1,)):
                found[t] = self.offset(address.constant if address.is_sum else 0)
            else:
                found[t] = rebuild(self._arena, t, tuple(found[a] for a in t.args))
        return found[formula]

    def cell(self, array: Term, node: Term) -> Term:
        """The entry of an array for the block of a node."""
        return self._arena.select(array, self._arena.divide(node, self._arena.integer(self._block)))

    def facts(self, allocated: Term) -> Iterator[Term]:
        """Nodes are starts of blocks, and no object has the null pointer: formulas over the set of nodes."""
        if not self.arrays:
            return
        arena, x = self._arena, self._arena.proof_symbol("x", INT)
        offset = arena.modulo(x, arena.integer(self._block))
        yield arena.forall((x,), arena.implies(arena.select(allocated, x), arena.equals(offset, arena.zero)))
        yield from (arena.equals(arena.select(array, arena.zero), arena.zero) for array in self.arrays)
