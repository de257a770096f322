"""A checker of resolution refutations that shares no code with `sat`: sets, one rule, and the given clauses."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

from sat.resolution import Hypothesis, Proof

Tag = TypeVar("Tag", bound=Hashable)


def check_refutation(proof: Proof[Tag], given: Sequence[tuple[Tag, Sequence[int]]]) -> None:
    """Every root is given, every step resolves on a literal that its parents have, all lead to the empty clause."""
    allowed = {(tag, frozenset(clause)) for tag, clause in given}
    derived: list[set[int]] = []
    used: set[int] = set()
    for vertex in proof.vertices:
        if isinstance(vertex, Hypothesis):
            assert (vertex.tag, vertex.clause) in allowed
            derived.append(set(vertex.clause))
            continue
        assert vertex.pivot > 0
        assert 0 <= vertex.positive < len(derived)
        assert 0 <= vertex.negative < len(derived)
        left, right = set(derived[vertex.positive]), set(derived[vertex.negative])
        left.remove(vertex.pivot)  # KeyError: not a resolution
        right.remove(-vertex.pivot)
        derived.append(left | right)
        used |= {vertex.positive, vertex.negative}
    assert derived[-1] == set()
    assert used == set(range(len(derived) - 1))
