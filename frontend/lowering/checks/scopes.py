"""The ends of automatic objects in memory: control leaves their block, on whatever way.

Nothing happens unless accesses through pointers are checked. An object begins where its declaration is passed, not at
the start of its block, and a jump back before the declaration ends it: both only make more accesses invalid.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.program import Assign
from core.program.span import Span
from frontend.lowering.context import Cursor
from frontend.typed import tree
from frontend.typed.jumps import blocks_around_labels


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

    def function(self, body: tree.Compound) -> None:
        """To be called first: finds the scopes around each label."""
        if self._memory.lives is not None:
            self._chains = {label: blocks | {0} for label, blocks in blocks_around_labels(body).items()}

    def enter(self, scope: tree.Compound | tree.For) -> None:
        self._scopes.append((id(scope), {}))

    def leave(self, span: Span) -> None:
        """Close the innermost scope, out of which control falls."""
        self.jump(len(self._scopes) - 1, span)
        self._scopes.pop()

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
