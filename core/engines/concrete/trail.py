"""Counterexamples from executions: the edges of the path, without a part where it is too long, and the inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.engines.concrete.compiler import CallStep, CompiledBlock, Drawn, Leaf, Trail
from core.engines.concrete.expressions import ConcreteArray
from core.engines.concrete.machine import Execution, Leap
from core.program import Program
from core.terms import ArrayValue, Value
from core.verdict import Gap, InputValue, Unsafe

LONGEST = 200_000  # edges of a path
PART = 1_000  # ways at the start, and as many at the end, between which a part may be left out


def counterexample(execution: Execution) -> Unsafe | None:
    """The counterexample of an execution that has reached an error; None where its path is too long to be stored."""
    if len({(leap.block, leap.activations) for leap in execution.leaps}) > 1:
        return None  # two parts are left out, and a path has one gap
    path, gap = path_of(execution.trail, execution.leaps)
    if len(path) > LONGEST:
        return None
    return Unsafe(tuple(_inputs(execution.compiler.program, execution.drawn)), path, gap)


def _inputs(program: Program, drawn: Drawn) -> list[InputValue]:
    found: list[InputValue] = []
    occurrences: Counter[tuple[object, ...]] = Counter()
    for symbol, data in drawn:
        one = program.inputs[symbol]
        key = (one.kind, one.name, one.span)
        value: Value = ArrayValue(data.default, dict(data)) if isinstance(data, ConcreteArray) else data
        found.append(InputValue(*key, occurrences[key], value))
        occurrences[key] += 1
    return found


def path_of(trail: Trail, leaps: Sequence[Leap] = ()) -> tuple[tuple[int, ...], Gap | None]:
    """The edges of a trail, and the gap where a part is left out, from a block back to it in the same activations.

    All `leaps` are to be of one block with the same activations.
    """
    if leaps:
        cut: tuple[int, int] | None = (leaps[0].position, leaps[-1].position)
    else:
        cut = _cut(trail) if sum(len(part.edges) for part in trail) > LONGEST else None
    if cut is None:
        return tuple(edge for part in trail for edge in part.edges), None
    before = [edge for part in trail[: cut[0]] for edge in part.edges]
    after = [edge for part in trail[cut[1] :] for edge in part.edges]
    return (*before, *after), Gap(len(before), leaps[-1].numbers if leaps else {})


def _cut(trail: Trail) -> tuple[int, int] | None:
    """Two positions at which the same block begins with the same activations: near the start, and near the end."""
    last = len(trail) - PART
    stack: list[int] = []
    seen: dict[tuple[object, ...], int] = {}
    for position, part in enumerate(trail):
        if position and (position < PART or position > last):
            previous = trail[position - 1]
            if isinstance(previous, Leaf) and isinstance(previous.next, CompiledBlock):
                place = (previous.next, *stack)
                if position < PART and len(stack) < PART:
                    seen[place] = position
                elif position > last and place in seen:
                    return seen[place], position
        if isinstance(part, CallStep):
            if part.depth > 0:
                stack.append(part.edges[0])
            elif part.depth < 0:
                stack.pop()
    return None
