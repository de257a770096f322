"""Interpolation of constraint sequences.

D. Beyer, S. Löwe, "Explicit-value analysis based on CEGAR and interpolation", 2012, algorithms 3 and 4; D. Beyer,
S. Löwe, P. Wendler, "Sliced path prefixes: an effective method to enable refinement selection", FORTE 2015.

The constraint sequence of a path is its steps. Its *infeasible sliced prefixes* each end with a contradiction, and the
assumptions that contradict before are left out of them: each is one reason why the path is impossible. `interpolate`
gives inductive interpolants of each, an abstract variable assignment after each step, made minimal by deletion. They
are inductive for the steps of the path too, which are stronger.

Deviations. *Where it starts*: the interpolants before the last step from which the rest of the path is still
contradicting are empty, as deletion would find; that step is found by bisection. *Where it ends*: nothing after the
first contradiction from there is examined. *Slices*: between the two, only steps count on which the contradiction
depends, and an interpolant is carried over all others as it is. *Where to delete*: after steps that bring in a place
which the interpolant before them has not; others are kept as long as the slice needs them, so a loop counter costs one
deletion, not one for each turn. With k such steps, a path of n steps of which r are in the slice takes O(n log n + k r
m) postconditions for interpolants of m places, not O(n² m). *Order*: variables with many values are deleted first
(heuristic: loop counters unroll loops). Cells of arrays are deleted like variables, in halves first. *Assumptions*:
that of a step is left out as a whole, also where it is a conjunction.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence

from core.dataclass import dataclass
from core.limits import Limits
from core.parameters import parameter
from core.program.expansion import Step
from core.program.semantics import Transition
from core.terms import Arena, Term, subterms
from methods.domains.explicit import Cells, Explicit, ExplicitDomain, Precision
from methods.inference.cores import minimal

CHECKED = parameter("explicit.interpolation.checked")
MOST = parameter("explicit.interpolation.most")

VariableAssignment = dict[Term, Explicit]
TrackedPlace = tuple[Term, int | None]  # a variable, or a cell of an array


@dataclass(frozen=True)
class ValueInterpolants:
    """A sequence of interpolants: `after[i]` is the one after step i, empty before step `first` and from `last` on.

    `core` are the positions of the steps on which the contradiction depends.
    """

    first: int
    last: int
    after: tuple[VariableAssignment, ...]
    core: tuple[int, ...]

    def places(self, arena: Arena, position: int) -> list[Term]:
        """The places of the interpolant after a step, as terms."""
        return [as_term(arena, place) for place in _places(self.after[position])]

    def variety(self) -> int:
        """The largest number of values that one variable takes."""
        return max(_variety(iter(self.after)).values(), default=1)


def as_term(arena: Arena, place: TrackedPlace) -> Term:
    """The term that reads a place."""
    variable, index = place
    return variable if index is None else arena.select(variable, arena.integer(index))


class Interpolation:
    """Strongest postconditions along paths, under a precision that tracks whatever has not left it."""

    def __init__(self, domain: ExplicitDomain, precision: Precision, limits: Limits) -> None:
        self._domain = domain
        self._precision = precision
        self._limits = limits
        self._unguarded: dict[Transition, Transition] = {}

    def post(self, values: VariableAssignment, step: Step) -> VariableAssignment | None:
        """The strongest postcondition of one step; None if it is contradicting.

        Values that nothing reads any more need not be taken out.
        """
        result = self._domain.post(values, step)
        if result is None or not self._precision.left:
            return result
        return self._precision.everything(step.target).of(result)

    def contradiction(self, values: VariableAssignment, steps: Sequence[Step], positions: Sequence[int]) -> int | None:
        """The first of `positions` at which SP, from `values`, is contradicting."""
        for i in positions:
            if i % CHECKED == 0:
                self._limits.check()
            after = self.post(values, steps[i])
            if after is None:
                return i
            values = after
        return None

    def interpolate(self, steps: Sequence[Step]) -> Iterator[ValueInterpolants]:
        """The interpolants of each infeasible sliced prefix of the path, the longest prefix first, up to `MOST`.

        There is none if the path is feasible as far as explicit values tell.
        """
        for sliced in reversed(self._prefixes(steps)):
            yield self._between(sliced, self._start(sliced, len(sliced)), len(steps))

    def _prefixes(self, steps: Sequence[Step]) -> deque[Sequence[Step]]:
        """The longest sliced prefixes: each up to a contradiction, with those before it made to pass."""
        found: deque[Sequence[Step]] = deque(maxlen=MOST)
        sliced = list(steps)
        values: VariableAssignment = {}
        for i, step in enumerate(steps):
            if i % CHECKED == 0:
                self._limits.check()
            after = self.post(values, step)
            if after is None:
                found.append(sliced[: i + 1])
                sliced[i] = self._without_guard(step)
                after = self.post(values, sliced[i])
                if after is None:  # a new value is out of range
                    break
            values = after
        return found

    def _without_guard(self, step: Step) -> Step:
        """The step without its assumption; equal transitions have one, so that it is compiled once."""
        plain = step.transition
        if plain not in self._unguarded:
            self._unguarded[plain] = Transition(plain.arena, plain.arena.true, plain.updates)
        return Step(step.source, step.target, (), self._unguarded[plain])

    def _start(self, steps: Sequence[Step], end: int) -> int:
        """The last step from which the path to `end` is contradicting."""
        low, high = 0, end  # contradicting from low, not from high
        while high - low > 1:
            middle = (low + high) // 2
            if self.contradiction({}, steps, range(middle, end)) is None:
                high = middle
            else:
                low = middle
        return low

    def _between(self, steps: Sequence[Step], first: int, length: int) -> ValueInterpolants:
        """The interpolants of a sliced prefix from its step `first` on, for a path of so many steps."""
        last = len(steps) - 1
        values = self._forward(steps, first, last)
        path = _Slice(self._domain, steps, first, last, values)
        after: list[VariableAssignment] = [{}] * length
        current: VariableAssignment = {}
        for i in range(first, last):
            if i in path.needed:
                following = self.post(current, steps[i])
                assert following is not None
                before, current = current, path.restricted(following, i)
                if not set(_places(current)) <= set(_places(before)):
                    rest = path.core[bisect_right(path.core, i) :]
                    current = self._minimal(
                        current,
                        path.variety,
                        lambda v, rest=rest: self.contradiction(v, steps, rest) is not None,  # type: ignore[misc]
                    )
            after[i] = current
        return ValueInterpolants(first, last, tuple(after), path.core)

    def _forward(self, steps: Sequence[Step], first: int, last: int) -> dict[int, VariableAssignment]:
        """The values before each step from `first` to `last`."""
        values: dict[int, VariableAssignment] = {first: {}}
        for i in range(first, last):
            following = self.post(values[i], steps[i])
            assert following is not None
            values[i + 1] = following
        return values

    @staticmethod
    def _minimal(
        values: VariableAssignment, variety: Mapping[Term, int], contradicts: Callable[[VariableAssignment], bool]
    ) -> VariableAssignment:
        """`values` without what is not needed for the contradiction: first in halves, then one by one."""
        places = sorted(_places(values), key=lambda p: (-variety.get(p[0], 0), p[0].id, p[1] or 0))

        def enough(part: Sequence[TrackedPlace]) -> Sequence[TrackedPlace] | None:
            return part if contradicts(_only(values, dict.fromkeys(part))) else None

        return _only(values, dict.fromkeys(minimal(places, enough, in_halves=True)))


class _Slice:
    """The steps on which a contradiction depends, by data flow backwards from it.

    `needed` maps their positions to the variables that matter after them; `variety` counts the values of variables.
    """

    def __init__(
        self,
        domain: ExplicitDomain,
        steps: Sequence[Step],
        first: int,
        last: int,
        values: Mapping[int, VariableAssignment],
    ) -> None:
        self.needed: dict[int, frozenset[Term]] = {}
        wanted = steps[last].transition.reads
        core = [last]
        for i in range(last - 1, first - 1, -1):
            step = steps[i]
            changed = wanted.intersection(domain.targets(step))
            if changed:
                self.needed[i] = wanted
                core.append(i)
                wanted = (wanted - frozenset(step.transition.updates)) | _read(step, changed)
        self.core = tuple(reversed(core))
        self.variety = _variety(values[i] for i in self.core)
        self._indices = tuple(sorted({k for i in self.core for k in _indices(domain, steps[i], values[i])}))

    def restricted(self, values: VariableAssignment, position: int) -> VariableAssignment:
        """The part of the values after a step that matters."""
        result: VariableAssignment = {}
        for x, value in values.items():
            if x in self.needed[position]:
                part = value.only(self._indices) if isinstance(value, Cells) else value
                if part is not None:
                    result[x] = part
        return result


def _read(step: Step, changed: frozenset[Term]) -> frozenset[Term]:
    """The symbols on which the new values of `changed` depend, by assignment or by the guard that determines them."""
    updates = step.transition.updates
    read = frozenset[Term]().union(*(updates[x].symbols() for x in changed if x in updates))
    return read | step.transition.guard.symbols()


def _indices(domain: ExplicitDomain, step: Step, values: VariableAssignment) -> Iterator[int]:
    """The known indices at which a step reads arrays."""
    for t in subterms(step.transition.guard, *step.transition.updates.values()):
        if t.is_select:
            index = domain.value(t.args[1], values)
            if isinstance(index, int):
                yield index


def _variety(states: Iterator[VariableAssignment]) -> dict[Term, int]:
    """The number of values that each variable takes."""
    taken: dict[Term, set[Explicit]] = {}
    for values in states:
        for x, value in values.items():
            if not isinstance(value, Cells):
                taken.setdefault(x, set()).add(value)
    return {x: len(all_) for x, all_ in taken.items()}


def _places(values: Mapping[Term, Explicit]) -> list[TrackedPlace]:
    result: list[TrackedPlace] = []
    for x, value in values.items():
        if isinstance(value, Cells):
            result += [(x, index) for index, _ in value.known_entries()]
        else:
            result.append((x, None))
    return result


def _only(values: VariableAssignment, places: Mapping[TrackedPlace, None]) -> VariableAssignment:
    """The values at `places`."""
    result: VariableAssignment = {}
    for x, value in values.items():
        if isinstance(value, Cells):
            part = value.only([index for index, _ in value.known_entries() if (x, index) in places])
            if part is not None:
                result[x] = part
        elif (x, None) in places:
            result[x] = value
    return result
