"""Explicit values as an abstract domain.

D. Beyer, S. Löwe, "Explicit-value analysis based on CEGAR and interpolation", 2012, section II-C.

An abstract state maps places to values; what it does not mention may have any value. The transfer relation is the
strongest postcondition (`compiler`), restricted to the precision at the target; states are kept apart, and one is
covered by another that says less. A state also knows the values that variables took on its path, where `limit` bounds
their number: a variable with more of them leaves the precision (section III-F).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from core.program.expansion import At, Expansion, Step
from core.terms import Arena, Term
from methods.domains.contract import Shape, StateKey
from methods.domains.explicit.cells import Cells, Explicit, meet
from methods.domains.explicit.compiler import StepCompiler
from methods.domains.explicit.precision import Precision
from methods.domains.explicit.union import facts
from methods.domains.explicit.valuation import Valuation


class ExplicitDomain:
    """The domain of explicit values; implements `Domain[Valuation, Precision]`."""

    def __init__(
        self, expansion: Expansion, limit: int | None = None, unlimited: Container[Term] = frozenset()
    ) -> None:
        """Make the domain.

        `limit` bounds the number of values of a variable on a path, but for those in `unlimited`.
        """
        self._expansion = expansion
        self._arena: Arena = expansion.arena
        self._compiler = StepCompiler(expansion)
        self._limit = limit
        self._unlimited = unlimited
        self._shapes: dict[Shape, Shape] = {}

    def initial(self, at: At, precision: Precision) -> Valuation:
        return Valuation({}, {})

    def post(self, values: Mapping[Term, Explicit], step: Step) -> dict[Term, Explicit] | None:
        """The strongest postcondition SP; None if it is contradicting."""
        compiled = self._compiler.step(step)
        changes = compiled.run(values)
        if changes is None:
            return None
        result = dict(values)
        for x, value in zip(compiled.targets, changes, strict=True):
            if value is None:
                result.pop(x, None)
            else:
                result[x] = value
        return result

    def targets(self, step: Step) -> tuple[Term, ...]:
        """The variables whose values a step may change, or make known."""
        return self._compiler.step(step).targets

    def value(self, term: Term, values: Mapping[Term, Explicit]) -> Explicit | None:
        """The value of a term in a state; None where it is not known."""
        return self._compiler.term(term)(values)

    def successors(self, state: Valuation, step: Step, precision: Precision) -> Iterable[Valuation]:
        values = self.post(state.values, step)
        if values is None:
            return ()
        kept = precision.at(step.target, state.places).of(values)
        if self._limit is None:
            return (Valuation(kept, state.history, state.places),)
        return (self._counted(kept, state, step, precision, self._limit),)

    def _counted(
        self, values: dict[Term, Explicit], before: Valuation, step: Step, precision: Precision, limit: int
    ) -> Valuation:
        """Make the state; variables with too many values on its path leave the precision."""
        history = before.history
        for x in self._compiler.step(step).targets:
            value = values.get(x)
            if value is None or isinstance(value, Cells) or self._arena.original(x) in self._unlimited:
                continue
            seen = history.get(x, frozenset())
            if value not in seen:
                if len(seen) >= limit:
                    precision.leave(x)
                    del values[x]
                else:
                    history = {**history, x: seen | {value}}
        return Valuation(values, history, before.places)

    def merge(self, new: Valuation, old: Valuation) -> Valuation | None:
        return None

    def shape(self, state: Valuation) -> Shape:
        """The scalars that are known, in one order for equal sets."""
        known = tuple(state.values)
        found = self._shapes.get(known)
        if found is None:
            scalars = [x for x in known if not isinstance(state.values[x], Cells)]
            found = self._shapes[known] = tuple(sorted(scalars, key=lambda x: x.id))
        return found

    def key(self, state: Valuation, shape: Shape) -> StateKey:
        return tuple(map(state.values.get, shape))

    def covered(self, state: Valuation, reached: Sequence[Valuation]) -> bool:
        return any(_includes(other.values, state.values) for other in reached)

    def meet(self, a: Valuation, b: Valuation) -> Valuation | None:
        if a.values == b.values:  # most often so: states are kept apart
            return a
        values = dict(a.values)
        for x, value in b.values.items():
            known = values.get(x)
            both = value if known is None else meet(known, value)
            if both is None:
                return None
            values[x] = both
        return Valuation(values, a.history, a.places)

    def backward(self, state: Valuation, step: Step, target: Valuation, precision: Precision) -> Valuation | None:
        values = self.post(state.values, step)
        if values is None:
            return None
        after = Valuation(precision.at(step.target, state.places).of(values), state.history)
        return state if self.meet(after, target) is not None else None

    def formula(self, state: Valuation) -> Term:
        return self._arena.and_(*facts(self._arena, state.values))


def _includes(weaker: Mapping[Term, Explicit], stronger: Mapping[Term, Explicit]) -> bool:
    """Whether every concrete state of `stronger` is one of `weaker`."""
    for x, value in weaker.items():
        other = stronger.get(x)
        if isinstance(value, Cells):
            if not isinstance(other, Cells) or not value.includes(other):
                return False
        elif other != value:
            return False
    return True
