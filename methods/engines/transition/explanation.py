"""Explanation of an infeasible path, for display: the edges of its core, and sequence interpolants over predicates.

The core is the slice of the path that its unsatisfiable core needs: the guards in it and the assignments on which they
depend; `methods.paths.contradiction` leaves out of it what can be left out. The interpolants are some that T̂ allows
(section 2 of the paper calls for any I_0 = true, …, I_n = false in which I_i and step i imply I_{i+1}): each lies
between the image of the one before and the weakest, which says that the rest of the path is impossible, and is about as
few predicates as can be, since users read it. Neither plays a part in the refinement itself.

Positions are those of edges, since a step may cover several.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bdd import Bdd, few_variables
from core.parameters import parameter
from core.program import Call, Edge
from core.program.blocks import is_path
from core.program.expansion import Expansion, Step
from core.program.semantics import Transition, identity
from core.terms import Term, literals
from methods.discovery.interpolation import SlicedPath
from methods.domains.predicate import Abstraction, PredicateScope
from methods.paths.contradiction import edge_transitions

LARGEST_SET = parameter("transition.explanation.largest-set")


def first_edges(steps: Sequence[Step]) -> tuple[int, ...]:
    """The position of the first edge of each step, and last the number of edges."""
    result = [0]
    for step in steps:
        result.append(result[-1] + len(step.edges))
    return tuple(result)


def core_positions(expansion: Expansion, steps: Sequence[Step], path: SlicedPath) -> tuple[int, ...]:
    """The positions of the edges in the slice `path`; of a step with branches inside all, where it is in it at all."""
    result: list[int] = []
    for step, first, sliced, needed in zip(steps, first_edges(steps), path.transitions, path.before[1:], strict=False):
        if sliced.guard.is_true and not sliced.updates:
            continue
        if isinstance(step.edges[0].operation, Call) or not is_path(step.edges):
            result += range(first, first + len(step.edges))
        else:
            result += [first + i for i in _in_slice(expansion, step, sliced, needed)]
    return tuple(result)


def _in_slice(expansion: Expansion, step: Step, sliced: Transition, needed: Collection[Term]) -> list[int]:
    """The edges of a step, one path, that have a guard of the slice or set what such a guard or `needed` reads."""
    parts = list(edge_transitions(expansion, step))
    guards = _guarding(expansion, parts, frozenset(literals(sliced.guard)))
    result: list[int] = []
    wanted = frozenset(needed) & sliced.updates.keys()
    for i, part in reversed(list(enumerate(parts))):
        if i in guards or not wanted.isdisjoint(part.updates):
            result.append(i)
            read = part.guard.symbols() if i in guards else frozenset[Term]()
            read = read.union(*(value.symbols() for x, value in part.updates.items() if x in wanted))
            wanted = wanted.difference(part.updates) | read
    return result[::-1]


def _guarding(expansion: Expansion, parts: Sequence[Transition], wanted: frozenset[Term]) -> frozenset[int]:
    """The parts that contribute a conjunct in `wanted`; all guards where normal forms hide which one did."""
    done, guarding, seen = identity(expansion.arena), set[int](), set[Term]()
    for i, part in enumerate(parts):
        contributed = wanted.intersection(literals(done.after(part.guard)))
        if contributed:
            guarding.add(i)
            seen |= contributed
        done = done.then(part)
    if seen != wanted:
        return frozenset(i for i, part in enumerate(parts) if not part.guard.is_true)
    return frozenset(guarding)


def sequence_interpolants(abstraction: Abstraction, scope: PredicateScope, steps: Sequence[Step]) -> list[Bdd] | None:
    """Sets of states I_0 = true, …, I_n = false; None where T̂ does not refute the path, or only with large sets."""
    m = abstraction.manager
    weakest = _weakest_interpolants(abstraction, scope, steps)
    if weakest is None:
        return None
    interpolants = [scope.axioms(steps[0].source)]
    for step, limit in zip(steps, weakest[1:], strict=True):
        if m.is_true(limit):
            interpolants.append(limit)
            continue
        after = abstraction.operation(step.transition).relation(m).image(interpolants[-1])
        states = m.conjoin(after, scope.axioms(step.target))
        small = m.size(states) <= LARGEST_SET
        interpolants.append(few_variables(m, states, limit, m.support(interpolants[-1])) if small else limit)
    return [m.true, *interpolants[1:]]


def _weakest_interpolants(abstraction: Abstraction, scope: PredicateScope, steps: Sequence[Step]) -> list[Bdd] | None:
    """The complements of preimages: the states before each step from which the rest of the path is impossible."""
    m = abstraction.manager
    possible = [m.true]  # from which states the rest of the path is
    for step in reversed(steps):
        goal = m.conjoin(possible[-1], scope.axioms(step.target))
        possible.append(abstraction.operation(step.transition).relation(m).preimage(goal))
        if m.size(possible[-1]) > LARGEST_SET:
            return None
    if not m.is_false(m.conjoin(possible[-1], scope.axioms(steps[0].source))):
        return None
    return [m.negate(states) for states in reversed(possible)]


def edges_of(steps: Sequence[Step]) -> tuple[Edge, ...]:
    """All edges of a path."""
    return tuple(edge for step in steps for edge in step.edges)
