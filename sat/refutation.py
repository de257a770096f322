"""A resolution proof from clauses that follow by unit propagation.

Each derived clause of the solver comes with its antecedents. Assume the clause false and propagate along them: every
antecedent gives one literal, until one is violated. That one, resolved backwards with the antecedents whose literals
it needs, is a chain of resolutions that ends in the derived clause or in a part of it (Beame, Kautz, Sabharwal, 2004).
Chains are taken only for clauses that the empty one needs.

*Required*: nothing the solver says is believed but the order of the antecedents. Every resolution here is one on
clauses at hand; where a hint does not lead to a conflict, `ProofError` is raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from sat.proof_trace import Logged, derivation
from sat.resolution import Hypothesis, Literals, Proof, Resolution, Tag, resolvent, trimmed
from sat.solver import Clause


class ProofError(Exception):
    """Raised when what the solver logged is no proof."""


def refute(clauses: Sequence[tuple[Tag, Clause]]) -> Proof[Tag] | None:
    """A refutation of `clauses`, each tagged with its partition; None if they are satisfiable.

    Raises `ValueError` for the literal 0, `ProofError` where the solver logs no proof.
    """
    if any(0 in clause for _, clause in clauses):
        raise ValueError("0 is not a literal")
    hypotheses = [Hypothesis(frozenset(clause), tag) for tag, clause in clauses]
    for hypothesis in hypotheses:
        if not hypothesis.clause:
            return Proof((hypothesis,))
    derived = derivation([clause for _, clause in clauses])
    if derived is None:
        return None
    graph = _Graph(hypotheses)
    if not derived or derived[-1].clause:
        raise ProofError("the empty clause is not derived")
    for number, one in enumerate(derived):
        graph.derive(number, one)
    return graph.proof(len(derived) - 1)


class _Graph(Generic[Tag]):
    """The proof while it grows: vertices with their clauses, hypotheses where they are first used."""

    def __init__(self, hypotheses: Sequence[Hypothesis[Tag]]) -> None:
        self._hypotheses = hypotheses
        self._vertex: dict[int, int] = {}  # number of a clause, as in `Logged.antecedents` -> its vertex
        self._clauses: list[Literals] = []
        self.vertices: list[Hypothesis[Tag] | Resolution] = []

    def derive(self, index: int, derived: Logged) -> None:
        """Add the chain of a derived clause; its antecedents have been derived."""
        chain, conflict = self._propagate(derived)
        for antecedent, implied in reversed(chain):
            if -implied in self._clauses[conflict]:
                conflict = self._resolve(abs(implied), antecedent, conflict, implied > 0)
        if not self._clauses[conflict].issubset(derived.clause):
            raise ProofError(f"derived clause {index} does not follow from its antecedents")
        self._vertex[-1 - index] = conflict

    def _propagate(self, derived: Logged) -> tuple[list[tuple[int, int]], int]:
        """(antecedent, the literal it implies) in order, where `derived` is false, and the antecedent that is violated.

        Antecedents may be stronger than the solver knows, so one that is violated early ends the chain.
        """
        false, chain = set(derived.clause), list[tuple[int, int]]()
        for antecedent in map(self._at, derived.antecedents):
            clause = self._clauses[antecedent]
            open_ = [literal for literal in clause if literal not in false]
            if not open_:
                return chain, antecedent
            if len(open_) == 1 and -open_[0] not in false:
                false.add(-open_[0])
                chain.append((antecedent, open_[0]))
        raise ProofError("the antecedents of a derived clause do not contradict its negation")

    def _at(self, number: int) -> int:
        """The vertex of a clause."""
        if number not in self._vertex:
            hypothesis = self._hypotheses[number]
            self._vertex[number] = self._add(hypothesis, hypothesis.clause)
        return self._vertex[number]

    def _resolve(self, pivot: int, a: int, b: int, a_is_positive: bool) -> int:
        step = Resolution(pivot, a, b) if a_is_positive else Resolution(pivot, b, a)
        return self._add(step, resolvent(pivot, self._clauses[step.positive], self._clauses[step.negative]))

    def _add(self, vertex: Hypothesis[Tag] | Resolution, clause: Literals) -> int:
        self.vertices.append(vertex)
        self._clauses.append(clause)
        return len(self.vertices) - 1

    def proof(self, index: int) -> Proof[Tag]:
        """The proof of a derived clause, which is empty."""
        return trimmed(self.vertices, self._vertex[-1 - index])
