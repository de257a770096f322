"""Interpolants from resolution refutations.

K. L. McMillan, "Interpolation and SAT-based model checking", CAV 2003; symmetric interpolants as in Jhala and McMillan,
"Interpolant-based transition relation approximation", sections 3.2 and 7. For a refutation of A ∧ B, each vertex gets a
partial interpolant:

- a hypothesis of A: the disjunction of its global literals, those whose variables occur in B;
- a hypothesis of B: true;
- a resolution on a local variable, one that does not occur in B: the disjunction of its parents' partial interpolants;
- a resolution on a global variable: their conjunction.

That of the leaf is an interpolant of (A, B): A implies it, it contradicts B, and its variables occur in both.

All interpolants here come from one refutation, which makes them fit together. *Sequences*: for partitions
a_1, …, a_n, the interpolants I_i of (a_1 … a_i, a_i+1 … a_n) satisfy I_0 = true, I_i ∧ a_i+1 ⇒ I_i+1, I_n = false.
*Symmetric*: the interpolants of (a_i, all others) contradict each other; a_i implies its own.

Deviation: a variable counts as occurring where a hypothesis of the refutation has it, not any clause of the input. The
interpolants are then over fewer variables.
"""

from __future__ import annotations

from collections.abc import Sequence

from sat.circuit import Circuit, CircuitBuilder
from sat.resolution import Hypothesis, Proof, Resolution, Tag


def interpolant(proof: Proof[Tag], a: frozenset[Tag]) -> Circuit:
    """The interpolant of the partitions in `a` and the others."""
    occurrences, builder = proof.occurrences(), CircuitBuilder()
    partial: list[int] = []
    for vertex in proof.vertices:
        match vertex:
            case Hypothesis(clause, tag) if tag in a:
                shared = [x for x in sorted(clause, key=abs) if not occurrences[abs(x)] <= a]
                partial.append(builder.disjunction([builder.literal(x) for x in shared]))
            case Hypothesis():
                partial.append(builder.true)
            case Resolution(pivot, positive, negative):
                local = occurrences[pivot] <= a
                gate = builder.disjunction if local else builder.conjunction
                partial.append(gate([partial[positive], partial[negative]]))
    return builder.circuit(partial[-1])


def sequence_interpolants(proof: Proof[Tag], order: Sequence[Tag]) -> tuple[Circuit, ...]:
    """The interpolants of each proper prefix of `order`, which are all partitions, and the rest: n - 1 of them."""
    return tuple(interpolant(proof, frozenset(order[:cut])) for cut in range(1, len(order)))


def symmetric_interpolants(proof: Proof[Tag]) -> dict[Tag, Circuit]:
    """The interpolant of each partition and all others, for partitions of which the proof has hypotheses, in order.

    One pass for all partitions. For the partition t, a vertex none of whose ancestors is of t has `true`, which is not
    stored; so a resolution combines only the partitions that both its parents have.
    """
    occurrences, builder = proof.occurrences(), CircuitBuilder()
    uses = proof.successors()
    partial: list[dict[Tag, int]] = []
    for vertex in proof.vertices:
        match vertex:
            case Hypothesis(clause, tag):
                shared = [x for x in sorted(clause, key=abs) if len(occurrences[abs(x)]) > 1]
                partial.append({tag: builder.disjunction([builder.literal(x) for x in shared])})
            case Resolution(pivot, positive, negative):
                owners = occurrences[pivot]
                local_to = next(iter(owners)) if len(owners) == 1 else None
                parents = [_take(partial, uses, parent) for parent in (positive, negative)]
                partial.append(_combined(builder, parents, local_to))
    tags = dict.fromkeys(hypothesis.tag for hypothesis in proof.hypotheses())
    return {tag: builder.circuit(partial[-1].get(tag, builder.true)) for tag in tags}


def _take(partial: list[dict[Tag, int]], uses: list[int], parent: int) -> dict[Tag, int]:
    """The partial interpolants of a parent, to change; a copy while other resolutions still need them."""
    uses[parent] -= 1
    if uses[parent]:
        return dict(partial[parent])
    found, partial[parent] = partial[parent], {}
    return found


def _combined(builder: CircuitBuilder, parents: Sequence[dict[Tag, int]], local_to: Tag | None) -> dict[Tag, int]:
    positive, negative = parents
    result, other = (positive, negative) if len(positive) >= len(negative) else (negative, positive)
    if local_to is not None:
        both = local_to in positive and local_to in negative
        either = builder.disjunction([positive[local_to], negative[local_to]]) if both else builder.true
        result.pop(local_to, None)
        other.pop(local_to, None)
        if either != builder.true:
            result[local_to] = either
    for tag, gate in other.items():
        result[tag] = builder.conjunction([result[tag], gate]) if tag in result else gate
    return result
