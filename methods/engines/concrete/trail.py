"""Counterexamples from executions: the edges of the path, without parts where it is too long, and the inputs."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Program
from core.terms import ArrayValue, Term, Value
from core.verdict import Gap, InputValue, Unsafe
from methods.engines.concrete.compiler import CallStep, CompiledBlock, Drawn, Leaf, Trail
from methods.engines.concrete.expressions import ConcreteArray
from methods.engines.concrete.machine import Execution, Leap

LONGEST = parameter("concrete.trail.longest")
VISITS = parameter("concrete.trail.visits")


@dataclass(frozen=True)
class _Cut:
    """A part of a trail that is left out, which leads from a block back to it in the same activations.

    `numbers` are values behind it.
    """

    start: int
    end: int
    numbers: Mapping[Term, int]


def counterexample(execution: Execution) -> Unsafe | None:
    """The counterexample of an execution that has reached an error; None where its path is too long to be stored."""
    path, gaps = path_of(execution.trail, execution.leaps)
    if len(path) > LONGEST:
        return None
    return Unsafe(tuple(_inputs(execution.compiler.program, execution.drawn)), path, gaps)


def _inputs(program: Program, drawn: Drawn) -> list[InputValue]:
    values: list[InputValue] = []
    occurrences: Counter[tuple[object, ...]] = Counter()
    for symbol, data in drawn:
        one = program.inputs[symbol]
        key = (one.kind, one.name, one.span)
        value: Value = ArrayValue(data.default, dict(data)) if isinstance(data, ConcreteArray) else data
        values.append(InputValue(*key, occurrences[key], value))
        occurrences[key] += 1
    return values


def path_of(trail: Trail, leaps: Sequence[Leap] = ()) -> tuple[tuple[int, ...], tuple[Gap, ...]]:
    """The edges of a trail, and the gaps where parts are left out: rounds over which it leaps, and those of loops with
    very many.
    """
    cuts = _leapt(leaps)
    if sum(len(part.edges) for part in trail) > LONGEST:
        cuts = _shortened(trail, cuts)
    path: list[int] = []
    gaps: list[Gap] = []
    done = 0
    for cut in cuts:
        path += [edge for part in trail[done : cut.start] for edge in part.edges]
        gaps.append(Gap(len(path), cut.numbers))
        done = cut.end
    path += [edge for part in trail[done:] for edge in part.edges]
    return tuple(path), tuple(gaps)


def _leapt(leaps: Sequence[Leap]) -> list[_Cut]:
    """The parts over which an execution leaps: from the first leap of a block to its last one."""
    cuts: list[_Cut] = []
    for first in leaps:
        if not cuts or first.position > cuts[-1].end:
            alike = (one for one in leaps if (one.block, one.activations) == (first.block, first.activations))
            *_, last = alike
            cuts.append(_Cut(first.position, last.position, last.numbers))
    return cuts


def _shortened(trail: Trail, leapt: Sequence[_Cut]) -> list[_Cut]:
    """The parts to be left out of a long trail: those between the first and the last visits of loop heads.

    Of parts that overlap, the first counts.
    """
    heads = _heads(trail)
    last: dict[tuple[object, int], deque[int]] = {}
    for position, place in heads:
        last.setdefault(place, deque(maxlen=VISITS)).append(position)
    cuts: list[_Cut] = []
    visits: Counter[tuple[object, int]] = Counter()
    waiting = deque(leapt)
    done = 0
    for position, place in heads:
        while waiting and waiting[0].start <= position:
            cut = waiting.popleft()
            if cut.start >= done:
                cuts.append(cut)
                done = cut.end
        if position >= done:
            visits[place] += 1
            if visits[place] == VISITS and position < last[place][0]:
                done = last[place][0]
                cuts.append(_Cut(position, done, {}))
    return [*cuts, *(cut for cut in waiting if cut.start >= done)]


def _heads(trail: Trail) -> list[tuple[int, tuple[object, int]]]:
    """The positions at which loop heads begin, each with the block and the number of its activations."""
    heads: list[tuple[int, tuple[object, int]]] = []
    numbers: dict[tuple[int, int], int] = {}  # of the active calls: of those below, and the edge of the last
    stack = [0]
    following: object = None
    for position, part in enumerate(trail):
        if isinstance(following, CompiledBlock) and following.head:
            heads.append((position, (following, stack[-1])))
        following = part.next if isinstance(part, Leaf) else None
        if isinstance(part, CallStep):
            if part.depth > 0:
                stack.append(numbers.setdefault((stack[-1], part.edges[0]), len(numbers) + 1))
            elif part.depth < 0:
                stack.pop()
    return heads
