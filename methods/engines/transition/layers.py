"""The paths that one refinement excludes, layer by layer: layer i has the steps that may be the i-th.

Jhala and McMillan, "Interpolant-based transition relation approximation": section 4 unrolls the transition relation k
times, and so speaks of all paths of k steps at once; with the program counter explicit (section 6.1), the i-th copy of
it is a choice among the steps of layer i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from sat.solver import Satisfiable

MOST_STEPS = parameter("transition.layers.most-steps")

Layers = tuple[tuple[Step, ...], ...]
"""The steps by their position; each continues one of the layer before, and is continued by one of the layer after."""


def alone(steps: Sequence[Step]) -> Layers:
    """The layers of one path."""
    return tuple((step,) for step in steps)


def all_as_long(expansion: Expansion, steps: Sequence[Step], check: int) -> Layers:
    """The layers of all paths of as many steps from the start to a check; those of `steps` alone where that is much."""
    layers: list[tuple[Step, ...]] = []
    reached = dict.fromkeys([expansion.start])
    size = 0
    for _ in steps:
        layers.append(tuple(step for at in reached for step in expansion.steps(at)))
        reached = dict.fromkeys(step.target for step in layers[-1])
        size += len(layers[-1])
        if size > MOST_STEPS:
            return alone(steps)
    goals = {at for at in reached if (found := expansion.check(at)) is not None and found.id == check}
    for position in reversed(range(len(layers))):
        layers[position] = tuple(step for step in layers[position] if step.target in goals)
        goals = {step.source for step in layers[position]}
    return tuple(layers)


class Choices:
    """The variables that say which steps a path takes: one for each step of a layer that has several.

    `unless[i][step]` are the literals of which one holds unless the path takes the step: one, or none.
    """

    def __init__(self, layers: Layers, variable: Callable[[], int]) -> None:
        """Make the variables; `variable` supplies new ones."""
        self._layers = layers
        self.unless = [{step: [-variable()] if len(layer) > 1 else [] for step in layer} for layer in layers]

    def clauses(self) -> Iterator[list[int]]:
        """A path takes a step of the first layer, and after each step one of those that leave its target."""
        for position, layer in enumerate(self._layers):
            if len(layer) > 1:
                leaving: dict[At, list[int]] = {}
                for step in layer:
                    leaving.setdefault(step.source, []).extend(-literal for literal in self.unless[position][step])
                for before in self._layers[position - 1] if position > 0 else ():
                    yield [*self.unless[position - 1][before], *leaving[before.target]]
                if position == 0:
                    yield from leaving.values()

    def taken(self, model: Satisfiable) -> tuple[Step, ...]:
        """The steps of one path that a model takes."""
        steps: list[Step] = []
        for layer, unless in zip(self._layers, self.unless, strict=True):
            onward = (step for step in layer if not steps or step.source == steps[-1].target)
            steps.append(next(step for step in onward if all(model.value(-literal) for literal in unless[step])))
        return tuple(steps)
