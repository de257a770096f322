"""A covering index finds the nodes whose states fix nothing but what a new state fixes too, by tables and by a tree."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.terms import Term
from methods.domains.explicit import ExplicitDomain, Valuation
from methods.refinement.covering import MANY, CoveringIndex
from tests.support.program_builder import ProgramBuilder


@dataclass(frozen=True)
class Node:
    id: int


def setting() -> tuple[ExplicitDomain, list[Term]]:
    b = ProgramBuilder()
    variables = [b.variable(name) for name in "abcdef"]
    entry, exit_ = b.location(), b.location()
    b.assume(entry, exit_, b.arena.true)
    b.function("main", entry, exit_)
    return ExplicitDomain(Expansion(b.program(), BlockEncoding.BASIC)), variables


@pytest.mark.parametrize("known", [0.2, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_near_are_those_that_fix_less(seed: int, known: float) -> None:
    """Among random states, of which some are taken out again, as many shapes as there may be and more than `MANY`."""
    random = Random(seed)
    domain, variables = setting()
    index: CoveringIndex[Node, Valuation] = CoveringIndex(domain)
    kept: dict[Node, Valuation] = {}

    def state() -> Valuation:
        return Valuation({x: random.randint(0, 1) for x in variables if random.random() < known}, {})

    for number in range(300):
        if kept and random.random() < 0.4:
            node = random.choice(list(kept))
            index.remove(node, kept.pop(node))
        else:
            node = Node(number)
            kept[node] = state()
            index.add(node, kept[node])
        new = state()
        less = {n for n, old in kept.items() if old.values.items() <= new.values.items()}
        assert set(index.near(new)) == less
        assert list(index) == list(kept)
    assert known == 1.0 or len({domain.shape(s) for s in kept.values()}) > MANY
