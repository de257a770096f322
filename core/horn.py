"""Infeasible paths as Horn clauses, for a solver that finds interpretations of their relations.

Two systems. The *chain* has one relation for each position of the (sliced) path: its interpretations are sequence
interpolants. The *path program* (D. Beyer, T. Henzinger, R. Majumdar, A. Rybalchenko, "Path invariants", PLDI 2007) has
one relation for each location that the path visits, and all steps of the path between them: its interpretations are
invariants that exclude the path with its loops unrolled any number of times, so refinement does not unroll them one by
one. It has no solution where some longer unrolling is feasible.

Interpretations are candidates for predicates only, never trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.expansion import At, Expansion, Step
from core.interpolation import Candidates, SlicedPath
from core.semantics import Transition, range_facts
from core.terms import Term


@dataclass(frozen=True)
class Rule:
    """`R_source(arguments) ∧ constraint ⇒ R_target(values)`; no source: no premise; no target: false."""

    source: int | None
    target: int | None
    constraint: Term
    values: tuple[Term, ...]


@dataclass(frozen=True)
class HornSystem:
    """Relation i ranges over the variables `arguments[i]`; `positions[i]` are the positions of the path it is for.

    `depth` is the number of steps of the shortest derivation of false that must be excluded.
    """

    arguments: tuple[tuple[Term, ...], ...]
    rules: tuple[Rule, ...]
    positions: tuple[tuple[int, ...], ...]
    length: int
    depth: int

    def candidates(self, formulas: Sequence[Term], true: Term, origin: str) -> Candidates:
        """Interpretations of the relations at their positions in the path."""
        result = [true] * (self.length + 1)
        for positions, formula in zip(self.positions, formulas, strict=True):
            for position in positions:
                result[position] = formula
        return Candidates(origin, tuple(result))


def chain(expansion: Expansion, path: SlicedPath) -> HornSystem:
    """The chain of a sliced path. Steps that neither constrain nor change what matters have no rule of their own."""
    arguments = [path.before[0]]
    rules = [Rule(None, 0, expansion.arena.true, path.before[0])]
    positions: list[tuple[int, ...]] = [(0,)]
    length = len(path.transitions)
    for i, transition in enumerate(path.transitions):
        last = i + 1 == length
        if transition.guard.is_true and not transition.updates and not last:
            continue
        # Between two rules the variables that matter can only have become fewer.
        here, after = len(arguments) - 1, path.before[i + 1]
        rules.append(_rule(expansion, here, None if last else here + 1, transition, arguments[0], after))
        if not last:
            arguments.append(after)
            positions.append((i + 1,))
    return HornSystem(tuple(arguments), tuple(rules), tuple(positions), length, len(arguments) + 1)


def path_program(
    expansion: Expansion, steps: Sequence[Step], live: Callable[[At], frozenset[Term]]
) -> HornSystem | None:
    """The path program of a path to an error location; None if the path visits no location twice.

    `live` gives the variables that may still be read at a location.
    """
    visits: dict[At, list[int]] = {}
    for position, step in enumerate(steps):
        visits.setdefault(step.source, []).append(position)
    if len(visits) == len(steps):
        return None
    arcs = _merged(expansion, dict.fromkeys((s.source, s.target, s.transition) for s in steps), steps[0].source)
    places = {at: i for i, at in enumerate(at for at in visits if any(at == source for source, _, _ in arcs))}
    relevant = _relevant(expansion, [transition for _, _, transition in arcs])
    arguments = tuple(tuple(sorted(relevant & live(at), key=lambda s: s.id)) for at in places)
    rules = [Rule(None, 0, expansion.arena.true, arguments[0])]
    for source, target, transition in arcs:
        after = arguments[places[target]] if target in places else ()
        rules.append(_rule(expansion, places[source], places.get(target), transition, arguments[0], after))
    return HornSystem(arguments, tuple(rules), tuple(tuple(visits[at]) for at in places), len(steps), 0)


_Arc = tuple[At, At, Transition]


def _merged(expansion: Expansion, arcs: Iterable[_Arc], start: At) -> list[_Arc]:
    """The arcs with every location that has one way in and one way out composed away."""
    result = list(arcs)
    for at in dict.fromkeys(source for source, _, _ in result):
        into = [arc for arc in result if arc[1] == at]
        out = [arc for arc in result if arc[0] == at]
        if at == start or len(into) != 1 or len(out) != 1 or into[0] is out[0]:
            continue
        (source, _, first), (_, target, second) = into[0], out[0]
        if any(expansion.is_input(s) for s in first.reads & second.reads):
            continue  # two executions of one input must not become one
        result[result.index(into[0])] = (source, target, first.then(second))
        result.remove(out[0])
    return result


def _relevant(expansion: Expansion, transitions: Sequence[Transition]) -> frozenset[Term]:
    """The variables on which the guards depend, directly or through assignments."""
    relevant = set().union(*(t.guard.symbols() for t in transitions))
    grown = True
    while grown:
        size = len(relevant)
        for t in transitions:
            for x, value in t.updates.items():
                if x in relevant:
                    relevant |= value.symbols()
        grown = len(relevant) > size
    return frozenset(s for s in relevant if not expansion.is_input(s))


def _rule(
    expansion: Expansion,
    source: int,
    target: int | None,
    transition: Transition,
    initial: tuple[Term, ...],
    after: tuple[Term, ...],
) -> Rule:
    """The rule of one transition; inputs, and the `initial` values where it leaves relation 0, lie in their ranges."""
    inputs = [s for s in transition.reads if expansion.is_input(s)]
    bounded = [*inputs, *initial] if source == 0 else inputs
    facts = range_facts(expansion.arena, sorted(bounded, key=lambda s: s.id), expansion.range_of)
    values = () if target is None else tuple(transition.updates.get(x, x) for x in after)
    return Rule(source, target, expansion.arena.and_(transition.guard, *facts), values)
