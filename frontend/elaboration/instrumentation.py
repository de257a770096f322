"""Hooks of the elaboration by which others add statements to the typed tree, such as the claims of a witness.

A hook is called in the scope of its place, so that it can read expressions there. What it adds is made of the same
tree; the statements and expressions around it stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from frontend.elaboration.annotations import Annotations
from frontend.parsing import syntax
from frontend.typed import tree

LoopSyntax = syntax.Loop | syntax.ForSyntax


class Instrumentation:
    """The hooks, which add nothing: subclasses override what they need.

    `unit` is at the place of the node, in its scope.
    """

    def block(self, unit: Annotations, nodes: Sequence[syntax.StatementSyntax]) -> None:
        """The statements that follow each other begin."""

    def before(self, unit: Annotations, node: syntax.StatementSyntax) -> Sequence[tree.Statement]:
        """Statements before a statement or declaration."""
        return ()

    def at_condition(self, unit: Annotations, node: LoopSyntax) -> Sequence[tree.Statement]:
        """Statements before each evaluation of the condition of a loop."""
        return ()

    def branched(
        self, unit: Annotations, node: syntax.IfSyntax | LoopSyntax, condition: tree.Expression
    ) -> tree.Expression:
        """The condition of an `if` or a loop, whose value must stay the same."""
        return condition

    def called(self, unit: Annotations, node: syntax.CallSyntax, call: tree.Expression) -> tree.Expression:
        """A call, whose value must stay the same."""
        return call
