"""The invariants of a witness as claims in the typed tree, each where it is to hold."""

from __future__ import annotations

from collections.abc import Sequence

from frontend.elaboration.annotations import Annotations
from frontend.elaboration.instrumentation import Instrumentation, LoopSyntax
from frontend.parsing import syntax
from frontend.typed import tree
from frontend.typed.tree import ClaimKind, Statement
from frontend.witness.fragments import condition
from frontend.witness.reader import GivenInvariant
from frontend.witness.waiting import Waiting, function_of, start_of


class Claims(Instrumentation):
    """Adds the claims. Raises FrontendError at the place of an invariant that cannot be one."""

    def __init__(self, invariants: Sequence[GivenInvariant]) -> None:
        self._at_loops = Waiting((one.location, one) for one in invariants if one.at_loop)
        self._at_statements = Waiting((one.location, one) for one in invariants if not one.at_loop)

    def before(self, unit: Annotations, node: syntax.StatementSyntax) -> Sequence[Statement]:
        found = self._at_statements.taken(start_of(unit, node), function_of(unit))
        return [_claim(unit, one) for one in found]

    def at_condition(self, unit: Annotations, node: LoopSyntax) -> Sequence[Statement]:
        found = self._at_loops.taken(start_of(unit, node), function_of(unit))
        return [_claim(unit, one) for one in found]

    def refuse_missed(self) -> None:
        """After the elaboration: every invariant must have found its place."""
        self._at_loops.refuse_missed("loop")
        self._at_statements.refuse_missed("statement")


def _claim(unit: Annotations, one: GivenInvariant) -> Statement:
    text = " ".join(one.value.split())
    return tree.Claim(one.span, ClaimKind.WITNESSED, condition(unit, one.value, one.span), text)
