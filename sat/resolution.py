"""Resolution proofs as graphs (Jhala and McMillan, "Interpolant-based transition relation approximation", section 7).

A refutation is a directed acyclic graph of clauses. Its roots are hypotheses, each tagged with the partition to which
it belongs (a step of the path); its one leaf is the empty clause. Every other vertex v has two parents v⁺ and v⁻ and a
pivot: v⁺ is `Pivot(v) ∨ Θ₁`, v⁻ is `¬Pivot(v) ∨ Θ₂`, and v is `Θ₁ ∨ Θ₂`.

Deviation: resolutions do not store their clauses, which the parents determine; so memory is linear in the number of
resolutions. Clauses may be tautologies: rewriting produces some, and resolution on them is sound.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Tag = TypeVar("Tag", bound=Hashable)

Literals = frozenset[int]


@dataclass(frozen=True, slots=True)
class Hypothesis(Generic[Tag]):
    """A root: a clause of the partition `tag`."""

    clause: Literals
    tag: Tag


@dataclass(frozen=True, slots=True)
class Resolution:
    """The resolvent of two earlier vertices on a variable, which occurs in `positive` and, negated, in `negative`."""

    pivot: int
    positive: int
    negative: int


@dataclass(frozen=True, slots=True)
class Proof(Generic[Tag]):
    """A refutation: parents come before their successors, the empty clause is last, and every vertex leads to it."""

    vertices: tuple[Hypothesis[Tag] | Resolution, ...]

    def clauses(self) -> list[Literals]:
        """The clause of every vertex."""
        clauses: list[Literals] = []
        for vertex in self.vertices:
            match vertex:
                case Hypothesis(clause):
                    clauses.append(clause)
                case Resolution(pivot, positive, negative):
                    clauses.append(resolvent(pivot, clauses[positive], clauses[negative]))
        return clauses

    def hypotheses(self) -> Iterator[Hypothesis[Tag]]:
        for vertex in self.vertices:
            if isinstance(vertex, Hypothesis):
                yield vertex

    def successors(self) -> list[int]:
        """The number of resolutions on each vertex."""
        count = [0] * len(self.vertices)
        for vertex in self.vertices:
            if isinstance(vertex, Resolution):
                count[vertex.positive] += 1
                count[vertex.negative] += 1
        return count

    def occurrences(self) -> dict[int, frozenset[Tag]]:
        """The partitions in whose hypotheses each variable occurs; it is *local* where that is one."""
        found: dict[int, dict[Tag, None]] = {}
        for hypothesis in self.hypotheses():
            for literal in hypothesis.clause:
                found.setdefault(abs(literal), {})[hypothesis.tag] = None
        return {variable: frozenset(tags) for variable, tags in found.items()}


def resolvent(pivot: int, positive: Literals, negative: Literals) -> Literals:
    """`Θ₁ ∨ Θ₂` for `positive = pivot ∨ Θ₁` and `negative = ¬pivot ∨ Θ₂`."""
    return (positive - {pivot}) | (negative - {-pivot})


def trimmed(vertices: Sequence[Hypothesis[Tag] | Resolution], leaf: int) -> Proof[Tag]:
    """The proof that ends in vertex `leaf`, whose clause is empty: its ancestors, in a depth-first order.

    Parents need not come before their successors in `vertices`.
    """
    position: dict[int, int] = {}
    kept: list[Hypothesis[Tag] | Resolution] = []
    stack = [leaf]
    while stack:
        v = stack[-1]
        vertex = vertices[v]
        if v not in position and isinstance(vertex, Resolution):
            missing = [parent for parent in (vertex.negative, vertex.positive) if parent not in position]
            if missing:
                stack.extend(missing)
                continue
            vertex = Resolution(vertex.pivot, position[vertex.positive], position[vertex.negative])
        stack.pop()
        if v not in position:
            position[v] = len(kept)
            kept.append(vertex)
    return Proof(tuple(kept))
