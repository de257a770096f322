"""Dynamic precision adjustment by the states that have been reached.

D. Beyer, T. A. Henzinger, G. Théoduloz, "Program analysis with dynamic precision adjustment", ASE 2008.

Explicit states are kept apart, so n flags that change independently make 2^n of them. Predicates over the same flags
are one decision diagram for each location: there such variables are better off.

Deviation: not the values of one variable are counted, but the states at one location, which its values multiply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.parameters import parameter
from core.terms import Term
from methods.domains.explicit import Cells, Values

TOO_MANY_STATES = parameter("explicit.adjustment.too-many-states")


def multiplying(states: Iterable[Sequence[Values]]) -> list[Term]:
    """The scalars that tell apart the states at a location with too many of them; `states` come by location."""
    places: dict[Term, None] = {}
    for here in states:
        if len(here) > TOO_MANY_STATES:
            first = here[0]
            for values in here:
                for x in (*first, *values):
                    value, other = first.get(x), values.get(x)
                    if value != other and not isinstance(value, Cells) and not isinstance(other, Cells):
                        places[x] = None
    return list(places)
