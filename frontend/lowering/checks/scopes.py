"""The ends of automatic objects in memory: control leaves their block, on whatever way.

Nothing happens unless accesses through pointers are checked. An object begins where its declaration is passed, not at
the start of its block, and a jump back before the declaration ends it: both only make more accesses invalid. So it is
with compound literals, where these are evaluated; one that is evaluated again ends before.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.program import Assign
from core.program.span import Span
from core.terms import Term
from frontend.lowering.context import Cursor
from frontend.typed import tree
from frontend.typed.jumps import blocks_around_labels
from frontend.typed.traversal import nodes


class Lifetimes:
    """The scopes that are open where a function is lowered; the first one has the parameters."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._memory = cursor.context.memory
        self._scopes: list[tuple[int, dict[str, tree.Object]]] = [(0, {})]
        self._chains: dict[str, frozenset[int]] = {}
        self._passed: dict[str, frozenset[str]] = {}

    @property
    def depth(self) -> int:
        return len(self._scopes)

    def function(self, body: tree.Compound) -> list[Term]:
        """Find the scopes around each label, first of all; the variables of literals that may end without a begin."""
        if self._memory.lives is None:
            return []
        self._chains = {label: blocks | {0} for label, blocks in blocks_around_labels(body).items()}
        literals = {node.object.name: node.object for node in nodes(body) if isinstance(node, tree.CompoundLiteral)}
        held = [one for one in literals.values() if self._memory.holds(one) and self._memory.moves(one)]
        blocks = [self._memory.moving(one) for one in held]
        if blocks:
            self._cursor.step(Assign(tuple((one, self._cursor.context.arena.zero) for one in blocks)), body.span, "")
        return blocks

    def enter(self, scope: tree.Statement) -> None:
        """Open a block: also selections, loops and what is controlled by these are some (C11 6.8.4, 6.8.5)."""
        self._scopes.append((id(scope), {}))

    def leave(self, span: Span) -> None:
        """Close the innermost scope, out of which control falls."""
        self.jump(len(self._scopes) - 1, span)
        self._scopes.pop()

    def end(self, literal: tree.Object, span: Span) -> None:
        """End a compound literal as it was evaluated before, if it was."""
        if self._memory.moves(literal):
            self._end([literal], span)

    def begin(self, object_: tree.Object) -> None:
        """Put an object in memory into the innermost scope."""
        self._scopes[-1][1][object_.name] = object_

    # Jumps end objects but close no scope

    def jump(self, depth: int, span: Span) -> None:
        """A jump to where only `depth` scopes are open."""
        self._end((one for _, objects in self._scopes[depth:] for one in objects.values()), span)

    def label(self, name: str) -> None:
        """The label stands here."""
        self._passed[name] = frozenset(name for _, objects in self._scopes for name in objects)

    def goto(self, label: str, span: Span) -> None:
        if label in self._passed:
            known = self._passed[label]
            left = [o for _, objects in self._scopes for o in objects.values() if o.name not in known]
        else:
            chain = self._chains.get(label, frozenset())
            left = [o for scope, objects in self._scopes if scope not in chain for o in objects.values()]
        self._end(left, span)

    def _end(self, objects: Iterable[tree.Object], span: Span) -> None:
        lives = self._memory.lives
        found = list(objects)
        if lives is None or not found:
            return
        blocks = [lives.block(self._memory.address(one).term) for one in found]
        names = ", ".join(one.source_name for one in found)
        self._cursor.step(Assign((lives.dead(blocks),)), span, f"end of {names}")
