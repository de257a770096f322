"""Orders of evaluation that C leaves open, as a program chooses them by inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from core.dataclass import dataclass
from core.program.span import Span

ORDER = "the order of evaluation"
"""The name of the inputs that choose an order, and of the function that gives them; no text has such a function."""

Conflicts = frozenset[tuple[Span, Span]]
"""The places of evaluations of which one changes what the other one reads or changes, both ways round."""


@dataclass(frozen=True, slots=True)
class OpenOrders:
    """The evaluations whose order is open; for the expressions that have them, by place, what each order is."""

    conflicts: Conflicts = frozenset()
    expressions: Mapping[Span, tuple[str, ...]] = field(default_factory=dict)

    def taken(self, place: Span, choice: object) -> str:
        """The order that an input chooses; the first one where it has no other."""
        texts = self.expressions.get(place, ("",))
        return texts[choice] if isinstance(choice, int) and 0 <= choice < len(texts) else texts[0]
